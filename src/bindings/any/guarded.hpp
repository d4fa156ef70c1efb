// What several threads, signal handlers and forked processes may use at the same time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "../arrays.hpp"

namespace rosenblatt {

/// A value that one thread at a time changes, in place while nobody else holds it. Who reads takes
/// hold of it as it is and goes on with that, so that no reader keeps a writer waiting; a copy is
/// then changed in its place.
template <class Value>
class Guarded {
  public:
    explicit Guarded(Value&& value) : value_(std::make_shared<Value>(std::move(value))) {}

    /// What there is now, for as long as it is held. A signal handler of the thread that is
    /// changing it sees how far that has come.
    std::shared_ptr<const Value> reading() const {
        if (writer_ == std::this_thread::get_id()) return value_;
        const std::unique_lock lock = locked();
        return value_;
    }

    /// The same value as it is now, which goes on being so, and the version that it is. A signal
    /// handler of the thread that is changing it gets a copy.
    std::unique_ptr<Guarded> snapshot() const {
        if (writer_ == std::this_thread::get_id()) return std::make_unique<Guarded>(value_->copy());
        const std::unique_lock lock = locked();
        return std::unique_ptr<Guarded>(new Guarded(value_, version_));
    }

    /// Another number after each change, and for each value that was made by itself.
    std::uint64_t version() const { return version_; }

    /// The right to change what `value` refers to.
    class Writing {
      public:
        explicit Writing(Guarded& guarded) : guarded_(guarded) {
            if (guarded.writer_ == std::this_thread::get_id())
                throw std::runtime_error(
                    "A signal handler cannot let a vectorizer learn that is learning: let it take a"
                    " note, and learn afterwards.");
            lock_ = guarded.locked();
            if (guarded.value_.use_count() > 1)
                guarded.value_ = std::make_shared<Value>(guarded.value_->copy());
            else
                std::atomic_thread_fence(std::memory_order_acquire);  // the last reader has ended
            guarded.writer_ = std::this_thread::get_id();
        }
        ~Writing() {
            guarded_.version_ = new_version();
            guarded_.writer_ = std::thread::id();
        }
        Writing(const Writing&) = delete;
        Writing& operator=(const Writing&) = delete;

        Value& value() const { return *guarded_.value_; }

      private:
        Guarded& guarded_;
        std::unique_lock<std::timed_mutex> lock_;
    };

  private:
    Guarded(std::shared_ptr<Value> value, std::uint64_t version)
        : value_(std::move(value)), version_(version) {}

    static std::uint64_t new_version() {
        static std::atomic<std::uint64_t> last = 0;
        return ++last;
    }

    static long this_process() {
#if defined(__unix__) || defined(__APPLE__)
        return getpid();
#else
        return 0;
#endif
    }

    /// Nobody waits for the other threads while holding the interpreter's lock, which they may
    /// need. A lock that another thread held when this process was forked will never be free.
    std::unique_lock<std::timed_mutex> locked() const {
        nb::gil_scoped_release release;
        std::unique_lock lock(mutex_, std::defer_lock);
        while (!lock.try_lock_for(std::chrono::milliseconds(100)))
            if (process_ != this_process())
                throw std::runtime_error(
                    "Another thread was learning with this vectorizer when the process was forked, "
                    "which left it half changed here: fork while it does not learn.");
        process_ = this_process();
        return lock;
    }

    std::shared_ptr<Value> value_;
    std::atomic<std::uint64_t> version_ = new_version();
    mutable std::timed_mutex mutex_;
    mutable std::atomic<long> process_ = this_process();
    std::atomic<std::thread::id> writer_;
};

}  // namespace rosenblatt

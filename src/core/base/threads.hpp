// Work done on several threads at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <future>
#include <system_error>
#include <utility>
#include <vector>

namespace rosenblatt {

/// Calls work(k, pause) for each k below `count`: the first on the caller's thread, each other on
/// one of its own. Work may call pause now and then. On the caller's thread that is the pause given
/// here. The first exception, of work or pause, ends every other work at its next pause, and is
/// thrown once all have ended. Where the system gives no more threads, the caller's does the rest.
template <class Pause, class Work>
void side_by_side(std::size_t count, Pause pause, Work work) {
    if (count == 1) return work(std::size_t{0}, pause);
    struct Stopped {};
    std::atomic<bool> stopped = false;
    std::exception_ptr error;
    const auto guarded = [&](auto part) {
        try {
            part();
        } catch (...) {
            if (!stopped.exchange(true)) error = std::current_exception();
        }
    };
    const auto end_if_stopped = [&] {
        if (stopped) throw Stopped();
    };
    {
        std::vector<std::future<void>> others;  // which are waited for when they go out of scope
        guarded([&] {
            try {
                for (std::size_t k = 1; k < count; ++k)
                    others.push_back(std::async(
                        std::launch::async, [&, k] { guarded([&] { work(k, end_if_stopped); }); }));
            } catch (const std::system_error&) {
            }
            const auto own_pause = [&] {
                end_if_stopped();
                pause();
            };
            work(std::size_t{0}, own_pause);
            for (std::size_t k = 1 + others.size(); k < count; ++k) work(k, own_pause);
            for (const auto& other : others)
                while (other.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
                    own_pause();
        });
    }
    if (error) std::rethrow_exception(error);
}

inline void no_pause() {}

/// Calls work(k) for each k below `count` on so many threads, each of which takes the next when it
/// is done with one: none waits long for another that is slow.
template <class Work>
void by_ticket(std::size_t count, std::size_t threads, Work work) {
    std::atomic<std::size_t> next = 0;
    side_by_side(std::clamp<std::size_t>(count, 1, std::max<std::size_t>(1, threads)), no_pause,
                 [&](std::size_t, auto pause) {
                     for (std::size_t k; (k = next++) < count;) {
                         pause();
                         work(k);
                     }
                 });
}

}  // namespace rosenblatt

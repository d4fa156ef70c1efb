// Memory that grows at its end without being cleared or copied where the system can avoid it.
#pragma once

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace rosenblatt {

/// Asks for large pages where much memory is about to be filled: to find it a small page at a time
/// would take the system as long as the words take us.
inline void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = 1 << 12;
    if (bytes < (1 << 22)) return;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    madvise(reinterpret_cast<void*>(begin), bytes - page, MADV_HUGEPAGE);
#endif
}

template <class Value>
class Buffer {
    static_assert(std::is_trivially_copyable_v<Value>);

  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { std::free(start); }

    Value* data() { return start; }
    const Value* data() const { return start; }
    std::size_t size() const { return used; }
    std::span<const Value> view() const { return {start, used}; }
    Value& operator[](std::size_t k) { return start[k]; }
    const Value& operator[](std::size_t k) const { return start[k]; }

    /// A place for this many more values; those that are written there are then to be taken.
    Value* room(std::size_t more) {
        if (capacity - used < more) grow(more);
        return start + used;
    }
    void take(std::size_t written) { used += written; }
    void push(Value value) {
        *room(1) = value;
        ++used;
    }
    void append(std::span<const Value> values) {
        if (values.empty()) return;
        std::memcpy(room(values.size()), values.data(), values.size_bytes());
        used += values.size();
    }
    void resize(std::size_t size) {
        if (size > used) room(size - used);
        used = size;
    }
    void clear() { used = 0; }

    /// Hands over as much memory as is used, and at least some, to be freed with std::free.
    Value* release() {
        void* const fitting = std::realloc(start, std::max<std::size_t>(1, used) * sizeof(Value));
        if (!fitting) throw std::bad_alloc();
        start = nullptr;
        used = capacity = 0;
        return static_cast<Value*>(fitting);
    }

  private:
    void grow(std::size_t more) {
        const std::size_t wanted =
            std::max({used + more, capacity + capacity / 2, std::size_t{64}});
        void* const moved = std::realloc(start, wanted * sizeof(Value));
        if (!moved) throw std::bad_alloc();
        prefer_large_pages(moved, wanted * sizeof(Value));
        start = static_cast<Value*>(moved);
        capacity = wanted;
    }
    void swap(Buffer& other) {
        std::swap(start, other.start);
        std::swap(used, other.used);
        std::swap(capacity, other.capacity);
    }

    Value* start = nullptr;
    std::size_t used = 0, capacity = 0;
};

}  // namespace rosenblatt

// Memory that grows at its end without being cleared or copied where the system can avoid it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/spare.hpp"

namespace rosenblatt {

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
    ~Buffer() {
        if (memory == Memory::spare) spare_blocks().release({start, bytes});
        if (memory == Memory::own) std::free(start);
    }

    Value* data() { return start; }
    const Value* data() const { return start; }
    std::size_t size() const { return used; }
    std::span<const Value> view() const { return {start, used}; }
    Value& operator[](std::size_t k) { return start[k]; }
    const Value& operator[](std::size_t k) const { return start[k]; }

    /// A place for this many more values; those that are written there are then to be committed.
    Value* room(std::size_t more) {
        if (capacity() - used < more) grow(more);
        return start + used;
    }
    void commit(std::size_t written) { used += written; }
    void push(Value value) {
        *room(1) = value;
        ++used;
    }
    void append(std::span<const Value> values) {
        if (values.empty()) return;
        Value* const place = room(values.size());
        if (place != values.data()) std::memmove(place, values.data(), values.size_bytes());
        used += values.size();
    }
    void resize(std::size_t size) {
        if (size > used) room(size - used);
        used = size;
    }
    void clear() { used = 0; }
    std::size_t capacity() const { return bytes / sizeof(Value); }

    /// A buffer in the room behind what is used, for another to fill while this one does not grow.
    /// To append it then takes a copy only if something is missing between the two.
    Buffer lend(std::size_t begin, std::size_t end) {
        Buffer lent;
        lent.start = start + begin;
        lent.bytes = (end - begin) * sizeof(Value);
        lent.memory = Memory::lent;
        return lent;
    }

    /// Gives back memory that is not used, unless it is kept for use again anyway.
    void fit() {
        if (memory == Memory::own && start)
            reallocate(std::max<std::size_t>(1, used) * sizeof(Value));
    }

  private:
    // The system takes long to clear large memory, so it is used again. What is larger still it can
    // at least make grow without a copy.
    static constexpr std::size_t least_spare = std::size_t{1} << 20;
    static constexpr std::size_t most_spare = std::size_t{1} << 27;

    enum class Memory { own, spare, lent };

    void grow(std::size_t more) {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 / sizeof(Value);
        if (more > most - used) throw std::bad_alloc();
        const std::size_t wanted =
            sizeof(Value) * std::max({used + more, capacity() + capacity() / 2, std::size_t{64}});
        const bool large = least_spare <= wanted && wanted < most_spare;
        if (!large && memory == Memory::own) return reallocate(wanted);
        Buffer larger;
        if (large) {
            const Block block = spare_blocks().acquire(wanted);
            larger.start = static_cast<Value*>(block.memory);
            larger.bytes = block.bytes;
            larger.memory = Memory::spare;
        } else {
            larger.reallocate(wanted);
        }
        larger.append(view());
        swap(larger);
    }

    void reallocate(std::size_t wanted) {
        void* const moved = std::realloc(start, wanted);
        if (!moved) throw std::bad_alloc();
        start = static_cast<Value*>(moved);
        bytes = wanted;
    }

    void swap(Buffer& other) {
        std::swap(start, other.start);
        std::swap(used, other.used);
        std::swap(bytes, other.bytes);
        std::swap(memory, other.memory);
    }

    Value* start = nullptr;
    std::size_t used = 0, bytes = 0;
    Memory memory = Memory::own;
};

}  // namespace rosenblatt

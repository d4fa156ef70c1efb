// Arrays that grow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace rosenblatt {

/// Numbers that can grow in place: the system moves the pages of large ones instead of copying.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { std::free(data_); }

    T* data() { return data_; }
    std::size_t size() const { return size_; }
    std::span<const T> view() const { return {data_, size_}; }
    T& operator[](std::size_t k) { return data_[k]; }

    /// Makes room for so many more, to be written behind the last and then counted by grow.
    void reserve_more(std::size_t more) {
        if (size_ + more <= capacity_) return;
        const std::size_t capacity = std::max(size_ + more, capacity_ + capacity_ / 2);
        void* const grown = std::realloc(data_, capacity * sizeof(T));
        if (!grown) throw std::bad_alloc();
        data_ = static_cast<T*>(grown);
        capacity_ = capacity;
    }
    void grow(std::size_t more) { size_ += more; }
    void push(T value) {
        reserve_more(1);
        data_[size_++] = value;
    }
    void append(std::span<const T> values) {
        if (values.empty()) return;
        reserve_more(values.size());
        std::memcpy(data_ + size_, values.data(), values.size_bytes());
        size_ += values.size();
    }
    void cut(std::size_t size) { size_ = size; }

    /// Hands over as much memory as is used, and at least some, to be freed with std::free.
    T* release() {
        void* const fitting = std::realloc(data_, std::max<std::size_t>(1, size_) * sizeof(T));
        if (!fitting) throw std::bad_alloc();
        data_ = nullptr;
        capacity_ = size_ = 0;
        return static_cast<T*>(fitting);
    }

  private:
    void swap(Buffer& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace rosenblatt

// Memory brought into a cache before it is needed. Nothing is read, so an address may be any.
//
// What does nothing but prefetch must always be inlined: GCC takes such a function for one without
// any effect and leaves out its calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rosenblatt {

/// A processor keeps track of few lines that are on their way to its nearest cache; while these
/// come from afar, what is needed now waits for a place. So what lies far away is brought into the
/// second cache first. Of many requests for that at once some are dropped: spread them.
enum class Cache { nearest, second };

template <Cache to>
[[gnu::always_inline]] inline void prefetch_line(std::uintptr_t address) {
    __builtin_prefetch(reinterpret_cast<const void*>(address), 0, to == Cache::nearest ? 3 : 2);
}

template <Cache to, class Number>
[[gnu::always_inline]] inline void prefetch_number(const Number* first, std::size_t at) {
    prefetch_line<to>(reinterpret_cast<std::uintptr_t>(first) + at * sizeof(Number));
}

template <class Number>
[[gnu::always_inline]] inline void prefetch_near(const Number* first, std::size_t at = 0) {
    prefetch_number<Cache::nearest>(first, at);
}

inline constexpr std::uintptr_t line_bytes = 64;

/// What the second cache of most processors holds, or nearly so.
inline constexpr std::size_t bytes_near = std::size_t{1} << 21;

/// How many positions of the walk before its own a row is brought into the nearest and into the
/// second cache.
struct PrefetchDistance {
    std::size_t soon, late;
    bool from_afar;  // else all rows are in the second cache, or nearly so

    /// The positions in which so many bytes are worked on: a row must not come too late, nor so
    /// early that others push it out again.
    static PrefetchDistance of(std::size_t rows, std::size_t row_bytes, std::size_t soon_bytes,
                               std::size_t late_bytes) {
        const std::size_t bytes = std::max<std::size_t>(1, row_bytes);
        const std::size_t soon = std::clamp<std::size_t>(soon_bytes / bytes, 1, 16);
        return {soon, std::clamp<std::size_t>(late_bytes / bytes, 2 * soon, 64),
                rows > bytes_near / bytes};
    }
};

/// Brings a stretch of numbers into a cache, eight at a call.
template <Cache to, class T>
struct Prefetch {
    std::uintptr_t next, end;

    Prefetch(const T* first, std::size_t at, std::size_t n)
        : next((reinterpret_cast<std::uintptr_t>(first) + at * sizeof(T)) / line_bytes *
               line_bytes),
          end(reinterpret_cast<std::uintptr_t>(first) + (at + n) * sizeof(T)) {}

    [[gnu::always_inline]] void operator()() {
        prefetch_line<to>(next);
        next += 8 * sizeof(T);
    }
    bool done() const { return next >= end; }
    [[gnu::always_inline]] void finish() {
        for (; !done(); next += line_bytes) prefetch_line<to>(next);
    }
};

/// The values and the columns of a row.
template <Cache to, class Value, class Index>
struct PrefetchBoth {
    Prefetch<to, Value> values;
    Prefetch<to, Index> columns;

    [[gnu::always_inline]] void operator()() {
        values();
        columns();
    }
    bool done() const { return values.done(); }
    [[gnu::always_inline]] void finish() {
        while (!done()) (*this)();
        prefetch_line<to>(columns.end - sizeof(Index));
    }
};

/// How many numbers ahead to prefetch what is read in the order of memory: the processor does so by
/// itself, but not beyond the end of a page. Columns are looked at before they are used.
inline constexpr std::size_t values_soon = 256, values_late = 2048;
inline constexpr std::size_t columns_soon = 512, columns_late = 4096;

/// One thing into the second cache and another, which was there before, into the nearest.
template <class Far, class Near>
struct PrefetchFarAndNear {
    Far far;
    Near near;

    [[gnu::always_inline]] void operator()() {
        far();
        near();
    }
};

}  // namespace rosenblatt

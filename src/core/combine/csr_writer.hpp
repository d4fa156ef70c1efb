// The end of compressed rows that are being written, many values at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/streaming.hpp"
#include "base/unaligned.hpp"

namespace rosenblatt {

/// Values that are worked out together, be they needed or not.
inline constexpr std::size_t together = 16;

/// As many neighbouring numbers as a vector register holds.
template <class Number>
struct PartOf {
    typedef Number type __attribute__((vector_size(32)));
};

template <class Number>
[[gnu::always_inline]] inline auto part(const Number* first) {
    return load<typename PartOf<Number>::type>(first);
}

struct Put {
    template <class Part, class Number>
    [[gnu::always_inline]] void operator()(const Part& numbers, Number* to) const {
        store(numbers, to);
    }
};
inline constexpr Put put;

/// step(j) for the first number j of each part of `together` ones.
template <class Number, class Step>
[[gnu::always_inline]] inline void each_part(Step step) {
    for (std::size_t j = 0; j < together; j += 32 / sizeof(Number)) step(j);
}

/// Compressed rows in the making; large ones are written past the caches.
///
/// Values and columns go out `together` at a time, which is whole lines of both arrays; those of a
/// line that is not full yet wait. They do so next to the row that they are made of: a processor
/// that tells addresses apart by their last 12 bits alone might else take one for the other, again
/// and again, and would work at half the speed.
template <class Value, class Index>
class CsrEnd {
  public:
    using Place = std::make_unsigned_t<Index>;  // as wide, and may wrap around on its way

    CsrEnd(Value* values, Index* columns, std::size_t filled, bool large)
        : values(values),
          columns(reinterpret_cast<Place*>(columns)),
          filled(filled - filled % together),
          waiting(filled % together),
          others(waiting),
          past_caches(large && begins_line(values) && begins_line(columns)) {
        make_room(0);
    }
    CsrEnd(const CsrEnd&) = delete;
    CsrEnd& operator=(const CsrEnd&) = delete;

    std::size_t size() const { return filled + waiting; }

    void put_one(std::uint64_t column, Value value, bool wanted = true) {
        next_columns[waiting] = static_cast<Place>(column);
        next_values[waiting] = value;
        waiting += wanted;
        if (waiting == together) write_waiting();
    }

    /// The row whose products follow: its columns and values, filled up by `together` zeros.
    template <class Row>
    void take_row(const Row& row) {
        make_room(row.columns.size());
        std::ranges::transform(row.columns, row_columns,
                               [](std::uint64_t column) { return static_cast<Place>(column); });
        std::ranges::copy(row.values, row_values);
        row_count = row.count;
    }

    /// Values inner * x * outer for the values x from `begin` on, in their columns plus base.
    [[gnu::always_inline]] void put_run(std::size_t begin, std::uint64_t base, Value inner,
                                        Value outer) {
        const Place* const x_columns = row_columns + begin;
        const Value* const x = row_values + begin;
        const std::size_t n = row_count - begin;
        const auto put_together = [&](std::size_t k, Place* to_columns, Value* to, auto store) {
            each_part<Place>([&](std::size_t j) {
                store(part(x_columns + k + j) + static_cast<Place>(base), to_columns + j);
            });
            each_part<Value>(
                [&](std::size_t j) { store(inner * part(x + k + j) * outer, to + j); });
        };
        std::size_t k = 0;
        if (waiting > 0) {
            put_together(0, next_columns + waiting, next_values + waiting, put);
            if (waiting + n < together) {
                waiting += n;
                return;
            }
            k = together - waiting;
            waiting = together;
            write_waiting();
        }
        for (; k + together <= n; k += together, filled += together)
            if (past_caches)
                put_together(k, columns + filled, values + filled, put_past);
            else
                put_together(k, columns + filled, values + filled, put);
        put_together(k, next_columns, next_values, put);
        waiting = n - k;
    }

    /// To be called after the last value.
    void finish() {
        copy_waiting();
        finish_streaming();
    }

  private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };

    /// Memory for what waits, and behind it for a row of so many features.
    void make_room(std::size_t features) {
        constexpr std::size_t each = sizeof(Value) + sizeof(Place);
        const std::size_t lines = ((features + 2 * together) * each + 2 * sizeof(Line)) / 64;
        if (lines > room.size()) {
            std::vector<Line> larger(2 * lines);
            std::ranges::copy(room, larger.begin());
            room.swap(larger);
        }
        next_values = reinterpret_cast<Value*>(room.data());
        next_columns = reinterpret_cast<Place*>(next_values + 2 * together);
        row_columns = next_columns + 2 * together;
        row_values = reinterpret_cast<Value*>(row_columns + (features + 1) / 2 * 2);
    }

    static bool begins_line(const void* array) {
        return reinterpret_cast<std::uintptr_t>(array) % 64 == 0;
    }

    void write_waiting() {
        const auto write = [&](auto store) {
            each_part<Place>(
                [&](std::size_t j) { store(part(next_columns + j), columns + filled + j); });
            each_part<Value>(
                [&](std::size_t j) { store(part(next_values + j), values + filled + j); });
        };
        if (others > 0)
            copy_waiting();
        else if (past_caches)
            write(put_past);
        else
            write(put);
        filled += together;
        waiting = others = 0;
    }

    void copy_waiting() {
        std::copy_n(next_values + others, waiting - others, values + filled + others);
        std::copy_n(next_columns + others, waiting - others, columns + filled + others);
    }

    Value* values;
    Place* columns;
    std::size_t filled, waiting;
    std::size_t others;  // at the beginning of those that wait: the place of values not from here
    bool past_caches;
    std::vector<Line> room;
    Value *next_values, *row_values;
    Place *next_columns, *row_columns;
    std::size_t row_count = 0;
};

}  // namespace rosenblatt

// Reads sparse rows in some order and does nothing with them: learning from them in that order can
// hardly take less.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

/// Rows are asked for so many turns before their own; more or fewer made no difference.
constexpr std::size_t ahead = 8, far_ahead = 64;

template <class Number>
void fetch(const Number* begin, const Number* end) {
    constexpr std::size_t line = 64;
    for (auto place = reinterpret_cast<std::uintptr_t>(begin) / line * line;
         place < reinterpret_cast<std::uintptr_t>(end); place += line)
        __builtin_prefetch(reinterpret_cast<const void*>(place));
}

}  // namespace

extern "C" std::uint64_t read_rows(const std::uint64_t* values, const std::uint32_t* columns,
                                   const std::int32_t* bounds, const std::uint32_t* order,
                                   std::size_t count) {
    std::uint64_t found = 0;
    const auto later = [&](std::size_t turn) { return order[std::min(turn, count - 1)]; };
    for (std::size_t turn = 0; turn < count; ++turn) {
        __builtin_prefetch(bounds + later(turn + far_ahead));
        const std::uint32_t next = later(turn + ahead), now = order[turn];
        fetch(values + bounds[next], values + bounds[next + 1]);
        fetch(columns + bounds[next], columns + bounds[next + 1]);
        for (std::int32_t k = bounds[now]; k < bounds[now + 1]; ++k) found |= values[k];
        for (std::int32_t k = bounds[now]; k < bounds[now + 1]; ++k) found |= columns[k];
    }
    return found;
}

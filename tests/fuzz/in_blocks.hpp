// Text that comes in blocks of any size, as files are read.
#pragma once

#include <algorithm>
#include <string_view>

namespace fuzz {

/// read(lines) for the whole lines of each block, what is left of the last beginning the next; it
/// says whether to go on.
template <class Read>
void in_blocks(std::string_view text, std::size_t size, Read read) {
    std::size_t end = 0;
    for (bool more = true; more && !text.empty();) {
        end = std::min(text.size(), end + size);
        const std::size_t whole = text.substr(0, end).rfind('\n') + 1;
        more = read(text.substr(0, whole));
        text.remove_prefix(whole);
        end -= whole;
    }
}

/// Whether the same lines were found bad, for the same reasons.
template <class Faults>
bool same_faults(const Faults& a, const Faults& b) {
    return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
        return one.kind == other.kind && one.line == other.line && one.column == other.column &&
               one.token == other.token && one.text == other.text;
    });
}

}  // namespace fuzz

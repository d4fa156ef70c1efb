// Names and their columns: a table that grows, and never loses a name.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "buffer.hpp"
#include "fetch.hpp"
#include "hashes.hpp"

namespace rosenblatt {

/// Open addressing. A slot holds the first 16 bytes of its name, so that nearly all words are
/// found, or found missing, with one look into memory.
class Vocabulary {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;
    static constexpr std::size_t most = INT32_MAX / 2;

    /// There is room for `likely` names; for more it grows.
    explicit Vocabulary(std::uint64_t secret, std::size_t likely = 0)
        : secret(secret), slots(std::bit_ceil(std::max(std::size_t{1} << 8, 2 * likely + 2))) {
        bytes.room(read_ahead);
    }

    /// Another without names, which hashes them the same.
    Vocabulary without_names() const { return Vocabulary(secret); }

    std::size_t size() const { return ends.size(); }
    std::size_t bytes_in_all() const { return bytes.size(); }
    std::string_view name(std::size_t column) const {
        const std::size_t begin = column ? ends[column - 1] : 0;
        return {bytes.data() + begin, ends[column] - begin};
    }

    /// The hash to find a name with. Some bytes after it must be readable, here and below.
    std::uint64_t hash(const char* at, std::size_t size) const {
        return quick_hash(at, size, secret);
    }
    [[gnu::always_inline]] void fetch(std::uint64_t hash) const {
        fetch_near(slots.data(), hash & (slots.size() - 1));
    }
    std::uint32_t find(const char* at, std::size_t size, std::uint64_t hash) const {
        return slots[place(at, size, hash)].column;
    }
    std::uint32_t find(const char* at, std::size_t size) const {
        return find(at, size, hash(at, size));
    }

    /// The column of a name, a new one at the end if it has none.
    std::uint32_t add(const char* at, std::size_t size, std::uint64_t hash) {
        Slot& slot = slots[place(at, size, hash)];
        if (slot.column != none) return slot.column;
        if (ends.size() == most) throw std::length_error("a vocabulary holds 2**30 names at most");
        const auto column = static_cast<std::uint32_t>(ends.size());
        std::memcpy(bytes.room(size + read_ahead), at, size);
        bytes.take(size);
        ends.push_back(bytes.size());
        slot = {head_of(at, size), rest_of(at, size), tag(size, hash), column};
        if (2 * ends.size() > slots.size()) rebuild();
        return column;
    }
    std::uint32_t add(const char* at, std::size_t size) { return add(at, size, hash(at, size)); }

    /// The columns in the order of their names, that is of their code points.
    std::vector<std::uint32_t> sorted() const {
        struct Key {
            std::uint64_t head;
            std::uint32_t column;
        };
        std::vector<Key> keys(size());
        for (std::uint32_t c = 0; c < size(); ++c) {
            const std::string_view text = name(c);
            keys[c] = {__builtin_bswap64(head_of(text.data(), text.size())), c};
        }
        std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
            return a.head != b.head ? a.head < b.head : name(a.column) < name(b.column);
        });
        std::vector<std::uint32_t> order(size());
        std::transform(keys.begin(), keys.end(), order.begin(),
                       [](const Key& k) { return k.column; });
        return order;
    }

  private:
    struct Slot {
        std::uint64_t head = 0, rest = 0;
        std::uint32_t tag = 0;
        std::uint32_t column = none;
    };

    /// Some bits of the hash and the size, which is exact for all names that a slot holds whole.
    static std::uint32_t tag(std::size_t size, std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 40 << 8 | std::min<std::size_t>(size, 255));
    }

    /// The slot of a name, or the empty one where it belongs.
    std::size_t place(const char* at, std::size_t size, std::uint64_t hash) const {
        const std::uint64_t head = head_of(at, size), rest = rest_of(at, size);
        const std::uint32_t wanted = tag(size, hash);
        std::size_t k = hash & (slots.size() - 1);
        for (;; k = (k + 1) & (slots.size() - 1)) {
            const Slot& slot = slots[k];
            if (slot.column == none) return k;
            if (slot.head != head || slot.rest != rest || slot.tag != wanted) continue;
            if (size <= 16 || name(slot.column) == std::string_view(at, size)) return k;
        }
    }

    void rebuild() {
        slots.assign(slots.size() * 2, Slot{});
        for (std::uint32_t column = 0; column < size(); ++column) {
            const std::string_view text = name(column);
            const std::uint64_t again = hash(text.data(), text.size());
            slots[place(text.data(), text.size(), again)] = {head_of(text.data(), text.size()),
                                                             rest_of(text.data(), text.size()),
                                                             tag(text.size(), again), column};
        }
    }

    std::uint64_t secret;
    std::vector<Slot> slots;
    std::vector<std::size_t> ends;
    Buffer<char> bytes;
};

}  // namespace rosenblatt

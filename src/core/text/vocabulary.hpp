// Names and their columns: a table that grows, and never loses a name.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashes.hpp"
#include "base/radix.hpp"
#include "fast/prefetch.hpp"

namespace rosenblatt {

/// A name as it is looked up. Some bytes after it must be readable.
struct Sought {
    const char* at;
    std::size_t size;
    std::uint64_t head, rest;  // its first 16 bytes
    std::uint64_t hash;
};

/// Open addressing: a slot has as little as tells most other names apart. The beginnings of names
/// lie in the order in which the names came, so that those of frequent words, which come early, are
/// together in the nearest cache.
class Vocabulary {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;
    static constexpr std::size_t most = INT32_MAX / 2;

    /// There is room for `likely` names; for more it grows.
    explicit Vocabulary(std::uint64_t secret, std::size_t likely = 0)
        : secret(secret), slots(slots_for(likely)) {
        bytes.room(read_ahead);
    }

    /// Another without names, which hashes them the same.
    Vocabulary without_names(std::size_t likely = 0) const { return Vocabulary(secret, likely); }

    std::size_t size() const { return ends.size(); }
    std::size_t bytes_in_all() const { return bytes.size(); }
    std::string_view name(std::size_t column) const {
        const std::size_t begin = column ? ends[column - 1] : 0;
        return {bytes.data() + begin, ends[column] - begin};
    }

    Sought sought(const char* at, std::size_t size) const {
        return {at, size, head_of(at, size), rest_of(at, size), quick_hash(at, size, secret)};
    }
    [[gnu::always_inline]] void prefetch(const Sought& name) const {
        prefetch_near(slots.data(), first_place(name));
    }
    std::uint32_t find(const Sought& name) const { return slots[place(name)].column; }
    std::uint32_t find(const char* at, std::size_t size) const { return find(sought(at, size)); }

    /// The column of a name, a new one at the end if it has none.
    std::uint32_t add(const Sought& name) {
        const std::size_t k = place(name);
        return slots[k].column != none ? slots[k].column : append(name, k);
    }
    std::uint32_t add(const char* at, std::size_t size) { return add(sought(at, size)); }

    /// The columns in the order of their names, that is of their code points.
    std::vector<std::uint32_t> sorted() const {
        struct Key {
            std::uint64_t head;
            std::uint32_t column;
        };
        std::vector<Key> keys(size()), others(size());
        for (std::uint32_t c = 0; c < size(); ++c)
            keys[c] = {__builtin_bswap64(beginnings[c].head), c};
        const Key* const sorted = sort_by_digits(keys.data(), others.data(), size(),
                                                 [](const Key& key) { return key.head; });
        std::vector<std::uint32_t> order(size());
        for (std::size_t begin = 0, end; begin < size(); begin = end) {
            for (end = begin; end < size() && sorted[end].head == sorted[begin].head; ++end)
                order[end] = sorted[end].column;
            const auto at = [&](std::size_t k) { return order.begin() + std::ptrdiff_t(k); };
            std::sort(at(begin), at(end),
                      [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); });
        }
        return order;
    }

    /// The same names, numbered as these columns stand, which are all of them.
    Vocabulary reordered(std::span<const std::uint32_t> columns) const {
        Vocabulary other(secret);
        other.slots = slots;
        other.beginnings.reserve(size());
        other.ends.reserve(size());
        other.bytes.room(bytes.size() + read_ahead);
        std::vector<std::uint32_t> numbers(size() + 1, none);  // the last is of empty slots
        for (std::uint32_t k = 0; k < columns.size(); ++k) {
            other.put(name(columns[k]), beginnings[columns[k]]);
            numbers[columns[k]] = k;
        }
        for (Slot& slot : other.slots)
            slot.column = numbers[std::min<std::size_t>(slot.column, size())];
        return other;
    }

  private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t column = none;
    };
    struct Beginning {
        std::uint64_t head, rest;
    };

    static std::size_t slots_for(std::size_t names) {
        return std::bit_ceil(std::max(std::size_t{1} << 8, 2 * names + 2));
    }

    /// Some bits of the hash and the size, which is exact for all names of up to 16 bytes.
    static std::uint32_t tag(const Sought& name) {
        return static_cast<std::uint32_t>(name.hash >> 40 << 8 |
                                          std::min<std::size_t>(name.size, 255));
    }

    std::size_t first_place(const Sought& name) const { return name.hash & (slots.size() - 1); }

    /// The slot of a name, or the empty one where it belongs.
    [[gnu::always_inline]] std::size_t place(const Sought& sought) const {
        const std::uint32_t wanted = tag(sought);
        for (std::size_t k = first_place(sought);; k = (k + 1) & (slots.size() - 1)) {
            const Slot slot = slots[k];
            if (slot.column == none) return k;
            if (slot.tag != wanted) continue;
            const Beginning& found = beginnings[slot.column];
            if ((found.head ^ sought.head) | (found.rest ^ sought.rest)) continue;
            if (sought.size <= 16 || name(slot.column) == std::string_view(sought.at, sought.size))
                return k;
        }
    }

    [[gnu::noinline]] std::uint32_t append(const Sought& name, std::size_t k) {
        if (ends.size() == most) throw std::length_error("a vocabulary holds 2**30 names at most");
        const auto column = static_cast<std::uint32_t>(ends.size());
        put({name.at, name.size}, {name.head, name.rest});
        slots[k] = {tag(name), column};
        if (2 * ends.size() > slots.size()) rebuild();
        return column;
    }

    void put(std::string_view name, const Beginning& beginning) {
        char* const to = bytes.room(name.size() + read_ahead);
        static_assert(sizeof(Beginning) <= read_ahead);
        if (name.size() <= sizeof(Beginning))
            std::memcpy(to, &beginning, sizeof(Beginning));
        else
            std::memcpy(to, name.data(), name.size());
        bytes.commit(name.size());
        beginnings.push_back(beginning);
        ends.push_back(bytes.size());
    }

    /// Makes more room than needed while there are few names, which will soon be more.
    void rebuild() {
        constexpr std::size_t few = std::size_t{1} << 15;
        slots.assign(slots.size() * (slots.size() <= few ? 4 : 2), Slot{});
        for (std::uint32_t column = 0; column < size(); ++column) {
            const std::string_view text = name(column);
            const Sought again = sought(text.data(), text.size());
            slots[place(again)] = {tag(again), column};
        }
    }

    std::uint64_t secret;
    std::vector<Slot> slots;
    std::vector<Beginning> beginnings;
    std::vector<std::size_t> ends;
    Buffer<char> bytes;
};

}  // namespace rosenblatt

// Labels of one size, told apart by their bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashes.hpp"

namespace rosenblatt {

/// Labels side by side in memory, each of so many words: strings as NumPy has them.
struct FixedLabels {
    const std::uint32_t* words;
    std::size_t count, size;

    const std::uint32_t* operator[](std::size_t k) const { return words + k * size; }
};

/// Numbers labels in the order in which they come.
class LabelNumbers {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    LabelNumbers(std::size_t size, std::uint64_t secret) : size(size), secret(secret) {}

    std::uint32_t find(const std::uint32_t* label) const { return slots[place(label)]; }

    /// Its number, the next one if it is new. It must stay where it is.
    std::uint32_t add(const std::uint32_t* label) {
        std::uint32_t& slot = slots[place(label)];
        if (slot != none) return slot;
        const auto number = slot = static_cast<std::uint32_t>(labels.size());
        labels.push_back(label);
        if (2 * labels.size() > slots.size()) rebuild();
        return number;
    }

  private:
    /// The slot of a label, or the empty one where it belongs.
    std::size_t place(const std::uint32_t* label) const {
        std::uint64_t hash = secret;
        for (std::size_t k = 0; k < size; ++k)
            hash = fold_product(hash ^ label[k], 0xD1B54A32D192ED03u);
        for (std::size_t k = hash & (slots.size() - 1);; k = (k + 1) & (slots.size() - 1))
            if (slots[k] == none || std::equal(label, label + size, labels[slots[k]])) return k;
    }

    void rebuild() {
        slots.assign(4 * slots.size(), none);
        for (std::size_t k = 0; k < labels.size(); ++k)
            slots[place(labels[k])] = static_cast<std::uint32_t>(k);
    }

    std::size_t size;
    std::uint64_t secret;
    std::vector<const std::uint32_t*> labels;
    std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(64, none);
};

/// Where each label stands first.
inline Buffer<std::int64_t> first_of_each(const FixedLabels& labels, std::uint64_t secret) {
    LabelNumbers numbers(labels.size, secret);
    Buffer<std::int64_t> firsts;
    for (std::size_t k = 0; k < labels.count; ++k)
        if (numbers.add(labels[k]) == firsts.size()) firsts.push(static_cast<std::int64_t>(k));
    return firsts;
}

/// The place of each label among others that all differ, or minus one.
inline Buffer<std::int32_t> places_among(const FixedLabels& labels, const FixedLabels& others,
                                         std::uint64_t secret) {
    LabelNumbers numbers(others.size, secret);
    for (std::size_t k = 0; k < others.count; ++k) numbers.add(others[k]);
    Buffer<std::int32_t> places;
    places.resize(labels.count);
    for (std::size_t k = 0; k < labels.count; ++k)
        places[k] = static_cast<std::int32_t>(numbers.find(labels[k]));
    return places;
}

}  // namespace rosenblatt

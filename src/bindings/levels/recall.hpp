// The columns of names met before, found by the address of the name.
#pragma once

#include <nanobind/nanobind.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fast/prefetch.hpp"

namespace rosenblatt {

/// A cache beside a dict of names. Names that many examples share are the same objects, whose
/// addresses are found in one look, where the dict takes several all over memory.
class Recall {
  public:
    static constexpr std::int64_t unknown = -1;

    /// For as many names as there is room for.
    explicit Recall(std::size_t room)
        : size_(std::bit_ceil(room + room / 2 + 2)), shift_(64 - std::bit_width(size_ - 1)) {}

    std::int64_t operator[](PyObject* name) const {
        if (places_.empty()) return unknown;
        for (std::size_t k = first(name);; k = next(k)) {
            if (places_[k].name.ptr() == name) return places_[k].column;
            if (!places_[k].name) return unknown;
        }
    }

    [[gnu::always_inline]] void prefetch(PyObject* name) const {
        if (!places_.empty()) prefetch_near(&places_[first(name)]);
    }

    /// Keeps a name that others keep as well; a name made for one example will not come again.
    void keep(PyObject* name, std::int64_t column) {
        constexpr Py_ssize_t ours_and_the_examples = 2;
        if (Py_REFCNT(name) <= ours_and_the_examples) return;
        // Made once it would have helped often enough, and again when it is full.
        if (places_.empty() && ++missed_ < size_ / 8) return;
        if (places_.empty() || kept_ > size_ / 4 * 3) {
            places_.clear();
            places_.resize(size_);
            kept_ = 0;
        }
        std::size_t k = first(name);
        while (places_[k].name) k = next(k);
        places_[k] = {nanobind::borrow(name), column};
        ++kept_;
    }

    template <class Visit>
    int each_held(Visit visit) const {
        for (const Place& place : places_)
            if (const int enough = visit(place.name)) return enough;
        return 0;
    }

  private:
    struct Place {
        nanobind::object name;
        std::int64_t column = unknown;
    };

    std::size_t first(PyObject* name) const {
        return reinterpret_cast<std::uintptr_t>(name) / 16 * 0x9e3779b97f4a7c15 >> shift_;
    }
    std::size_t next(std::size_t place) const { return (place + 1) & (size_ - 1); }

    std::size_t size_;
    int shift_;
    std::vector<Place> places_;
    std::size_t missed_ = 0, kept_ = 0;
};

}  // namespace rosenblatt

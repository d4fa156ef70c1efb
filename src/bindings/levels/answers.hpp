// What an example should come to, and what it comes to, as Python says it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../arrays.hpp"
#include "learn/examples.hpp"
#include "lent.hpp"
#include "rows/checks.hpp"

namespace rosenblatt {

/// A number, one of the labels, or several of them.
class Answers {
  public:
    /// With `thresholds`, one for each label, an example may have several labels, given as a set
    /// or, `as_dict`, label by label. With neither labels nor thresholds it has a number.
    Answers(nb::list labels, std::optional<Doubles> thresholds, bool as_dict, bool numbers)
        : labels_(labels),
          thresholds_(thresholds),
          as_dict_(as_dict),
          numbers_(numbers),
          classes_(numbers ? 2 : nb::len(labels)) {
        require(!numbers || nb::len(labels) == 0, "numbers are learned without labels");
        require(!thresholds || thresholds->size() == classes_, "a threshold for each label");
        for (std::size_t k = 0; k < nb::len(labels); ++k) codes_[labels[k]] = k;
    }

    std::size_t classes() const { return classes_; }
    bool numbers() const { return numbers_; }
    bool several() const { return thresholds_.has_value(); }
    nb::object label(std::size_t k) const { return labels_[k]; }

    /// Whether `y` could be read: it is a number that is not too large, or its labels are known.
    bool read(nb::handle y) {
        if (several()) return read_set(y);
        if (numbers_) return read_number(y.ptr(), target_) && Moderate{}(target_);
        return read_label(y, code_);
    }

    /// The answer that was read last, good until the next.
    Labels codes() const {
        if (several()) return {nullptr, set_.data(), set_indptr_};
        return {nullptr, &code_};
    }
    const double* target() const { return numbers_ ? &target_ : nullptr; }

    /// The labels whose scores, so many times too large, reach their thresholds.
    nb::object reached(std::span<const double> scores, double counted) const {
        nb::object labels = nb::steal(as_dict_ ? PyDict_New() : PySet_New(nullptr));
        if (!labels.is_valid()) throw nb::python_error();
        for (std::size_t k = 0; k < classes_; ++k) {
            const bool reached = scores[k] / counted >= thresholds_->data()[k];
            const nb::object label = labels_[k];
            int failed = 0;
            if (as_dict_)
                failed = PyDict_SetItem(labels.ptr(), label.ptr(), reached ? Py_True : Py_False);
            else if (reached)
                failed = PySet_Add(labels.ptr(), label.ptr());
            if (failed) throw nb::python_error();
        }
        return labels;
    }

    /// Shows every object that is held to Python's collector of cycles, until it has seen enough.
    template <class Visit>
    int each_held(Visit visit) const {
        for (const nb::handle held : {nb::handle(labels_), nb::handle(codes_)})
            if (const int enough = visit(held)) return enough;
        return 0;
    }

  private:
    bool read_label(nb::handle label, std::int32_t& code) const {
        if (PyObject* found = PyDict_GetItemWithError(codes_.ptr(), label.ptr())) {
            code = static_cast<std::int32_t>(PyLong_AsLong(found));
            return true;
        }
        PyErr_Clear();  // a label that cannot be looked up is not one of those known
        return false;
    }

    /// Reads a set, list or tuple of labels, or a dict that says of each whether it is right.
    /// Labels that a dict says are wrong must be known, too.
    bool read_set(nb::handle y) {
        set_.clear();
        const bool is_dict = PyDict_Check(y.ptr());
        if (!is_dict && !PyAnySet_Check(y.ptr()) && !PyList_Check(y.ptr()) &&
            !PyTuple_Check(y.ptr()))
            return false;
        // A list of its own, since looking labels up may run code of the caller's.
        const nb::object items =
            nb::steal(is_dict ? PyDict_Items(y.ptr()) : PySequence_List(y.ptr()));
        if (!items.is_valid()) throw nb::python_error();
        for (nb::handle item : nb::borrow<nb::list>(items)) {
            const nb::handle label = is_dict ? PyTuple_GET_ITEM(item.ptr(), 0) : item.ptr();
            const int right = is_dict ? PyObject_IsTrue(PyTuple_GET_ITEM(item.ptr(), 1)) : 1;
            if (right < 0) throw nb::python_error();
            std::int32_t code;
            if (!read_label(label, code)) return false;
            if (right) set_.push_back(code);
        }
        std::ranges::sort(set_);
        const auto [first, last] = std::ranges::unique(set_);
        set_.erase(first, last);
        set_indptr_[1] = static_cast<std::int64_t>(set_.size());
        return true;
    }

    nb::list labels_;
    nb::dict codes_;
    std::optional<Doubles> thresholds_;
    bool as_dict_, numbers_;
    std::size_t classes_;
    std::int32_t code_ = 0;
    double target_ = 0.0;
    std::vector<std::int32_t> set_;
    std::int64_t set_indptr_[2] = {0, 0};
};

}  // namespace rosenblatt

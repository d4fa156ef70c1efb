// An example as Python hands it over: a dict or pairs of names and values, arrays, or a row.
#pragma once

#include "held_rows.hpp"
#include "lent.hpp"
#include "recall.hpp"
#include "rows/one_row.hpp"

namespace rosenblatt {

/// Reads an example and looks at every name, column and value of it. What cannot be read is told
/// in `hitch`, a tuple: what kind of hitch, and what it is about.
class Reader {
  public:
    nb::tuple hitch;

    /// `names` is a dict from names to columns, or None where whole numbers stand for themselves.
    Reader(nb::object names, std::size_t room) : names_(names), recall_(room) {
        require(names.is_none() || PyDict_Check(names.ptr()), "names must be a dict");
    }

    /// When learning, columns that are new are counted in; otherwise they are left out.
    bool read(nb::handle x, std::size_t width, bool learning) {
        width_ = wider_ = width;
        learning_ = learning;
        dense_ = false;
        gathered_.start(0);
        listed_.clear();
        strangers_.clear();
        fresh_.reset();
        if (PyDict_Check(x.ptr())) return read_dict(x);
        if (PyList_Check(x.ptr())) return read_pairs(x);
        if (PyTuple_Check(x.ptr())) return read_arrays(x);
        return read_row(x);
    }

    /// The number of columns, with those that the example brings.
    std::size_t width() const { return wider_; }

    /// The example as the core reads it, good until the next.
    AnyRows rows() {
        if (dense_)
            return Dense<double>{row_.data(), static_cast<std::ptrdiff_t>(wider_), 1, wider_};
        return gathered_.row(wider_);
    }

    /// Adds the names that the example brings.
    void admit_names() {
        if (fresh_) nb::borrow<nb::dict>(names_).update(fresh_);
    }

    void dismiss_names() {
        if (!fresh_) return;
        for (nb::handle name : nb::borrow<nb::dict>(fresh_).keys()) nb::del(names_[name]);
    }

    template <class... What>
    bool refuse(const char* kind, What... what) {
        hitch = nb::make_tuple(kind, what...);
        return false;
    }

  private:
    bool read_dict(nb::handle x) {
        PyObject *key, *value;
        Py_ssize_t at = 0;
        while (PyDict_Next(x.ptr(), &at, &key, &value)) list(key, value);
        return take_listed();
    }

    bool read_pairs(nb::handle x) {
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(x.ptr()); ++k) {
            PyObject* pair = PyList_GET_ITEM(x.ptr(), k);
            if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) return refuse("form");
            list(PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1));
        }
        return take_listed();
    }

    void list(PyObject* key, PyObject* value) {
        recall_.prefetch(key);
        prefetch_near(value);
        listed_.push_back({key, value});
    }

    /// Takes what was listed. Only when names are looked up may code of the caller's run, which
    /// could let go of the others: until then all are borrowed, and then those to be looked up are
    /// held.
    bool take_listed() {
        gathered_.start(listed_.size());
        for (const auto& [key, given] : listed_) {
            double value;
            if (!read_number(given, value)) return refuse("form");
            if (!Moderate{}(value)) return refuse("value", nb::borrow(key), value);
            if (names_.is_none()) {
                if (!take_number(key, value)) return false;
            } else if (const std::int64_t column = recall_[key]; column != Recall::unknown) {
                gathered_.add(column, value);
            } else {
                strangers_.push_back({nb::borrow(key), value});
            }
        }
        for (const auto& [name, value] : strangers_) take_name(name, value);
        return true;
    }

    bool read_arrays(nb::handle x) {
        if (PyTuple_GET_SIZE(x.ptr()) != 2 ||
            !read_array(PyTuple_GET_ITEM(x.ptr(), 0), Integers{}, indices_) ||
            !read_array(PyTuple_GET_ITEM(x.ptr(), 1), Floats{}, row_))
            return refuse("form");
        if (indices_.size() != row_.size()) return refuse("sizes", indices_.size(), row_.size());
        gathered_.start(row_.size());
        for (std::size_t k = 0; k < row_.size(); ++k) {
            if (!Moderate{}(row_[k])) return refuse("value", indices_[k], row_[k]);
            if (indices_[k] < 0) return refuse("column", indices_[k]);
            if (!take_column(indices_[k], row_[k])) return false;
        }
        return true;
    }

    bool read_row(nb::handle x) {
        if (!read_array(x.ptr(), Floats{}, row_)) return refuse("form");
        if (width_ == 0 && names_.is_none()) {  // the first row says how many columns there are
            if (!learning_) return true;
            wider_ = row_.size();
        }
        if (row_.size() != wider_) return refuse("length", row_.size());
        if (!all_fit(row_.data(), row_.size(), Moderate{})) {
            const auto bad = std::find_if_not(row_.begin(), row_.end(), Moderate{});
            return refuse("value", bad - row_.begin(), *bad);
        }
        dense_ = true;
        return true;
    }

    bool take_number(PyObject* key, double value) {
        if (!PyLong_Check(key))
            return refuse(PyIndex_Check(key) ? "form" : "name", nb::borrow(key));
        int overflow;
        const auto column = PyLong_AsLongLongAndOverflow(key, &overflow);
        if (overflow || column < 0) return refuse("column", nb::borrow(key));
        return take_column(column, value);
    }

    void take_name(const nb::object& name, double value) {
        PyObject* found = PyDict_GetItemWithError(names_.ptr(), name.ptr());
        const bool known = found != nullptr;
        if (!found) {
            if (PyErr_Occurred()) throw nb::python_error();
            if (!learning_) return;
            if (!fresh_) fresh_ = nb::dict();
            found = PyDict_SetDefault(fresh_.ptr(), name.ptr(), nb::int_(wider_).ptr());
            if (!found) throw nb::python_error();
            wider_ = width_ + nb::len(fresh_);
        }
        const auto column = PyLong_AsLongLong(found);
        require(column >= 0 && static_cast<std::size_t>(column) < wider_, "names must be columns");
        gathered_.add(column, value);
        if (known) recall_.keep(name.ptr(), column);
    }

    bool take_column(std::int64_t column, double value) {
        const auto places = static_cast<std::size_t>(column) + 1;
        if (places > width_) {
            if (!learning_) return true;
            if (!names_.is_none()) return refuse("column", column);
            wider_ = std::max(wider_, places);
        }
        gathered_.add(column, value);
        return true;
    }

    nb::object names_;
    Recall recall_;
    nb::object fresh_;  // a dict of names that are new, to their columns to be
    std::vector<std::pair<PyObject*, PyObject*>> listed_;
    std::vector<std::pair<nb::object, double>> strangers_;
    Gathered gathered_;
    std::vector<std::int64_t> indices_;
    std::vector<double> row_;
    std::size_t width_ = 0, wider_ = 0;
    bool learning_ = false, dense_ = false;
};

}  // namespace rosenblatt

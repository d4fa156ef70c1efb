// An example as Python hands it over: a dict or pairs of names and values, arrays, or a row.
#pragma once

#include <memory>

#include "held_rows.hpp"
#include "hitch.hpp"
#include "learn/presence.hpp"
#include "lent.hpp"
#include "recall.hpp"
#include "rows/one_row.hpp"

namespace rosenblatt {

/// Reads an example and checks every name, column and value of it.
class Reader {
  public:
    /// `names` is a dict from names to columns, or None where whole numbers stand for themselves.
    Reader(nb::object names, std::size_t room, std::optional<Presence> presence)
        : names_(names), recall_(room), presence_(presence) {
        require(names.is_none() || PyDict_Check(names.ptr()), "names must be a dict");
    }

    /// When learning, columns that are new are counted in; otherwise they are left out.
    bool read(nb::handle x, std::size_t width, bool learning) {
        width_ = wider_ = width;
        learning_ = learning;
        numbers_.dense = false;
        numbers_.gathered.start(0);
        listed_.clear();
        strangers_.clear();
        fresh_.reset();
        return read_form(x) && (!presence_ || read_presence());
    }

    /// The number of columns, with those that the example brings.
    std::size_t width() const { return wider_; }

    /// The example as the core reads it, good until the next.
    AnyRows rows() { return numbers_.as_rows(wider_); }

    /// The same as a table of its own.
    Rows table() {
        auto own = std::make_unique<Numbers>(std::move(numbers_));
        const AnyRows rows = own->as_rows(wider_);
        return {.rows = rows, .owners = owner_of(std::move(own)), .sound = true, .in_order = true};
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
    bool refuse(Hitch kind, What... what) {
        hitch_ = nb::make_tuple(kind, what...);
        return false;
    }

    /// What hindered the last call.
    nb::object hitched() { return nb::cast(Hitched{std::move(hitch_)}); }

    /// Shows every object that is held to Python's collector of cycles, until it has seen enough.
    template <class Visit>
    int each_held(Visit visit) const {
        for (const nb::handle held : {nb::handle(names_), nb::handle(fresh_)})
            if (const int enough = visit(held)) return enough;
        for (const auto& [name, value] : strangers_)
            if (const int enough = visit(name)) return enough;
        return recall_.each_held(visit);
    }

  private:
    struct Numbers {
        Gathered gathered;
        std::vector<double> row;
        bool dense = false;

        AnyRows as_rows(std::size_t width) {
            if (dense)
                return Dense<double>{row.data(), static_cast<std::ptrdiff_t>(width), 1, width};
            return gathered.row(width);
        }
    };

    bool read_form(nb::handle x) {
        if (PyDict_Check(x.ptr())) return read_dict(x);
        if (PyList_Check(x.ptr())) return read_pairs(x);
        if (PyTuple_Check(x.ptr())) return read_arrays(x);
        return read_row(x);
    }

    bool read_dict(nb::handle x) {
        PyObject *key, *value;
        Py_ssize_t at = 0;
        while (PyDict_Next(x.ptr(), &at, &key, &value)) list(key, value);
        return take_listed();
    }

    bool read_pairs(nb::handle x) {
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(x.ptr()); ++k) {
            PyObject* pair = PyList_GET_ITEM(x.ptr(), k);
            if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) return refuse(Hitch::form);
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
        numbers_.gathered.start(listed_.size());
        for (const auto& [key, given] : listed_) {
            double value;
            if (!read_number(given, value)) return refuse(Hitch::form);
            if (!Moderate{}(value)) return refuse(Hitch::number, nb::borrow(key), value);
            if (names_.is_none()) {
                if (!take_number(key, value)) return false;
            } else if (const std::int64_t column = recall_[key]; column != Recall::unknown) {
                numbers_.gathered.add(column, value);
            } else {
                strangers_.push_back({nb::borrow(key), value});
            }
        }
        for (const auto& [name, value] : strangers_) take_name(name, value);
        return true;
    }

    bool read_arrays(nb::handle x) {
        std::vector<double>& values = numbers_.row;
        if (PyTuple_GET_SIZE(x.ptr()) != 2 ||
            !read_array(PyTuple_GET_ITEM(x.ptr(), 0), Integers{}, indices_) ||
            !read_array(PyTuple_GET_ITEM(x.ptr(), 1), Floats{}, values))
            return refuse(Hitch::form);
        if (indices_.size() != values.size())
            return refuse(Hitch::sizes, indices_.size(), values.size());
        numbers_.gathered.start(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (!Moderate{}(values[k]))
                return refuse(Hitch::number, known_as(indices_[k]), values[k]);
            if (indices_[k] < 0) return refuse(Hitch::column, indices_[k]);
            if (!take_column(indices_[k], values[k])) return false;
        }
        return true;
    }

    bool read_row(nb::handle x) {
        std::vector<double>& row = numbers_.row;
        if (!read_array(x.ptr(), Floats{}, row)) return refuse(Hitch::form);
        if (width_ == 0 && names_.is_none()) {  // the first row says how many columns there are
            if (!learning_) return true;
            wider_ = row.size();
        }
        if (row.size() != wider_) return refuse(Hitch::length, row.size());
        if (!all_fit(row.data(), row.size(), Moderate{})) {
            const auto bad = std::find_if_not(row.begin(), row.end(), Moderate{});
            return refuse(Hitch::number, known_as(bad - row.begin()), *bad);
        }
        numbers_.dense = true;
        return true;
    }

    /// Makes ones and zeros of the values, or refuses others.
    bool read_presence() {
        auto& [gathered, row, dense] = numbers_;
        if (!dense && presence_->above && *presence_->above < 0.0)
            return refuse(Hitch::absence, *presence_->above);
        gathered.tidy();
        const std::span<double> values = dense ? std::span(row) : gathered.values();
        const std::size_t sound = presence_->read(values);
        if (sound == values.size()) return true;
        const auto column = dense ? static_cast<std::int64_t>(sound) : gathered.columns()[sound];
        return refuse(Hitch::presence, known_as(column), values[sound]);
    }

    bool take_number(PyObject* key, double value) {
        if (!PyLong_Check(key))
            return refuse(PyIndex_Check(key) ? Hitch::form : Hitch::key, nb::borrow(key));
        int overflow;
        const auto column = PyLong_AsLongLongAndOverflow(key, &overflow);
        if (overflow || column < 0) return refuse(Hitch::column, nb::borrow(key));
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
        // Another thread may be learning names that this example came too early for.
        if (!learning_ && static_cast<std::size_t>(column) >= wider_) return;
        require(column >= 0 && static_cast<std::size_t>(column) < wider_, "names must be columns");
        numbers_.gathered.add(column, value);
        if (known) recall_.keep(name.ptr(), column);
    }

    bool take_column(std::int64_t column, double value) {
        const auto places = static_cast<std::size_t>(column) + 1;
        if (places > width_) {
            if (!learning_) return true;
            if (!names_.is_none()) return refuse(Hitch::column, column);
            wider_ = std::max(wider_, places);
        }
        numbers_.gathered.add(column, value);
        return true;
    }

    /// The name of a column if it has one, else its number.
    nb::object known_as(std::int64_t column) const {
        const nb::object number = nb::int_(column);
        for (const nb::handle names : {nb::handle(names_), nb::handle(fresh_)})
            if (names.is_valid() && !names.is_none())
                for (const auto [name, at] : nb::borrow<nb::dict>(names))
                    if (at.equal(number)) return nb::borrow(name);
        return number;
    }

    nb::tuple hitch_;
    nb::object names_;
    Recall recall_;
    std::optional<Presence> presence_;
    nb::object fresh_;  // a dict of names that are new, to their columns to be
    std::vector<std::pair<PyObject*, PyObject*>> listed_;
    std::vector<std::pair<nb::object, double>> strangers_;
    Numbers numbers_;
    std::vector<std::int64_t> indices_;
    std::size_t width_ = 0, wider_ = 0;
    bool learning_ = false;
};

}  // namespace rosenblatt

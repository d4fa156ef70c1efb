// One example at a time, for a model held ready between calls.
#include "parts.hpp"
#include "reading.hpp"
#include "rows/class_scores.hpp"

namespace rosenblatt {

namespace {

/// Borrows the weights of a model until Python replaces them. A call that meets a hitch has done
/// nothing: it returns NotImplemented, and Python overcomes the hitch or puts it in words.
class OneAtATime {
  public:
    OneAtATime(Weights room, std::optional<Weights> missed, std::optional<Weights> sureness,
               Counts counts, Measures measures, Counts features, nb::object names, nb::list labels,
               double constant, bool unit_length, Ties ties, std::optional<AnyRule> rule,
               std::optional<Doubles> class_weight, std::optional<Bytes> journal)
        : room_(room),
          missed_(missed),
          sureness_(sureness),
          counts_(counts),
          measures_(measures),
          features_(features),
          labels_(labels),
          class_weight_(class_weight),
          journal_(journal),
          rule_(rule),
          weights_{room.data(), missed ? missed->data() : nullptr,
                   sureness ? sureness->data() : nullptr, room.shape(1)},
          framing_{constant, false, unit_length},
          ties_(ties),
          classes_(nb::len(labels)),
          scores_(room.shape(1)),
          reader_(names, room.shape(0)) {
        require(counts.size() == 3, "counts are examples, updates and mistakes");
        require(measures.size() == 2, "measures are steps and the smallest margin");
        require(features.size() == 1 && features.data()[0] >= 0, "features is their number");
        require(room.shape(0) > width(), "a weight row for each column and one");
        require_shapes(room, missed, room.shape(0) - 1, std::max<std::size_t>(2, classes_));
        require_shapes(room, sureness, room.shape(0) - 1, std::max<std::size_t>(2, classes_));
        require(!rule || sureness.has_value() == std::holds_alternative<ArowRule>(*rule),
                "sureness is for AROW");
        require(!class_weight || class_weight->size() == classes_, "one weight for each class");
        for (std::size_t k = 0; k < classes_; ++k) codes_[labels[k]] = k;
    }

    nb::tuple hitch() const { return reader_.hitch; }

    /// With `widen` an example may bring new columns.
    nb::object learn(nb::handle x, nb::handle y, nb::handle w, bool widen) {
        const Turn turn(busy_);
        const std::size_t before = width();
        if (!rule_) return stop("rule");
        if (!reader_.read(x, before, true)) return nb::borrow(Py_NotImplemented);
        double importance;
        if (!read_number(w.ptr(), importance) || !(importance >= 0.0 && Moderate{}(importance)))
            return stop("w");
        const std::optional<std::int32_t> label = code_of(y);
        if (!label) return stop("label");
        if (journal_ && journal_->size() < (written_ + 1) * sizeof(Mistake)) return stop("journal");
        const std::size_t after = reader_.width();
        if (after > before && !widen) return stop("column", after - 1);
        if (after >= room_.shape(0)) return stop("room", after);
        require(width() == before, "names and labels must not change the model when compared");
        reader_.admit_names();
        let_width_be(after);
        if (learn_read(*label, importance)) return nb::none();
        let_width_be(before);
        reader_.dismiss_names();
        return stop("overflow");
    }

    nb::object predict(nb::handle x) {
        const Turn turn(busy_);
        if (!reader_.read(x, width(), false)) return nb::borrow(Py_NotImplemented);
        if (classes_ == 0) return nb::none();
        score_read();
        return labels_[weights_.stride == 1
                           ? static_cast<std::size_t>(classes_ == 2 && scores_[0] > 0.0)
                           : strongest(std::span<const double>(scores_).first(classes_))];
    }

    nb::object score(nb::handle x) {
        const Turn turn(busy_);
        if (!reader_.read(x, width(), false)) return nb::borrow(Py_NotImplemented);
        const double counted = score_read();
        if (weights_.stride == 1) return nb::float_(scores_[0] / counted);
        nb::dict scores;
        for (std::size_t k = 0; k < classes_; ++k) scores[labels_[k]] = scores_[k] / counted;
        return scores;
    }

  private:
    /// One call at a time: looking up a name or a label may run code of the caller's.
    struct Turn {
        bool& busy;

        explicit Turn(bool& busy) : busy(busy) {
            require(!busy, "names and labels must not call the model when compared");
            busy = true;
        }
        ~Turn() { busy = false; }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
    };

    std::size_t width() const { return static_cast<std::size_t>(features_.data()[0]); }

    template <class... What>
    nb::object stop(const char* kind, What... what) {
        reader_.refuse(kind, what...);
        return nb::borrow(Py_NotImplemented);
    }

    std::optional<std::int32_t> code_of(nb::handle label) const {
        PyObject* found = PyDict_GetItemWithError(codes_.ptr(), label.ptr());
        if (found) return static_cast<std::int32_t>(PyLong_AsLong(found));
        PyErr_Clear();  // a label that cannot be looked up is not one of those known
        return std::nullopt;
    }

    /// The row of the constant comes last: it changes places with a spare row, as fresh as any.
    void let_width_be(std::size_t to) {
        const std::size_t from = width(), n = weights_.stride;
        if (to == from) return;
        for (double* rows : {weights_.weights, weights_.missed, weights_.sureness})
            if (rows) std::swap_ranges(rows + from * n, rows + (from + 1) * n, rows + to * n);
        features_.data()[0] = static_cast<std::int64_t>(to);
    }

    /// Whether the example that was read could be learned from. While there is but one class
    /// there is no rival, and the example only counts.
    bool learn_read(std::int32_t label, double importance) {
        Tally tally{.examples = 1};
        if (classes_ > 1) {
            const Terms terms{{nullptr, &label},
                              {class_weight_ ? class_weight_->data() : nullptr, &importance},
                              framing_,
                              ties_,
                              classes_};
            Record record;
            if (journal_)
                record.mistakes = {reinterpret_cast<Mistake*>(journal_->data()) + written_, 1};
            const Walk walk{{}, 0, 1, counts_.data()[0] + 1};
            tally = std::visit(
                [&]<class R>(const R& rows) {
                    return Kind<R>::learn(rows, terms, *rule_, weights_, walk, record);
                },
                reader_.rows());
        }
        if (tally.overflow >= 0) return false;
        counts_.data()[0] += tally.examples;
        counts_.data()[1] += tally.updates;
        counts_.data()[2] += tally.mistakes;
        measures_.data()[0] += tally.steps;
        measures_.data()[1] = std::min(measures_.data()[1], tally.smallest);
        written_ += static_cast<std::size_t>(tally.updates);
        return true;
    }

    /// Scores the example that was read; returns how many times too large the scores are.
    double score_read() {
        const double counted = missed_ ? static_cast<double>(counts_.data()[0] + 1) : 1.0;
        const Scorer scorer{weights_.weights,  weights_.missed, counted, weights_.stride,
                            framing_.constant, classes_,        nullptr, {}};
        std::visit(
            [&]<class R>(const R& rows) {
                Kind<typename R::Scored>::score_one(rows, 0, scorer, scores_.data());
            },
            reader_.rows());
        return counted;
    }

    Weights room_;
    std::optional<Weights> missed_, sureness_;
    Counts counts_;
    Measures measures_;
    Counts features_;
    nb::list labels_;
    nb::dict codes_;
    std::optional<Doubles> class_weight_;
    std::optional<Bytes> journal_;
    std::size_t written_ = 0;
    std::optional<AnyRule> rule_;
    Borrowed weights_;
    Framing framing_;
    Ties ties_;
    std::size_t classes_;
    std::vector<double> scores_;
    Reader reader_;
    bool busy_ = false;
};

}  // namespace

void bind_one(nb::module_& m) {
    nb::class_<OneAtATime>(m, "OneAtATime")
        .def(nb::init<Weights, std::optional<Weights>, std::optional<Weights>, Counts, Measures,
                      Counts, nb::object, nb::list, double, bool, Ties, std::optional<AnyRule>,
                      std::optional<Doubles>, std::optional<Bytes>>(),
             "room"_a.noconvert(), "missed"_a.noconvert().none(), "sureness"_a.noconvert().none(),
             "counts"_a.noconvert(), "measures"_a.noconvert(), "features"_a.noconvert(),
             "names"_a.none(), "labels"_a, "constant"_a, "unit_length"_a, "ties"_a, "rule"_a.none(),
             "class_weight"_a.noconvert().none(), "journal"_a.noconvert().none())
        .def("learn", &OneAtATime::learn, "x"_a.none(), "y"_a.none(), "w"_a.none(),
             "widen"_a = true)
        .def("predict", &OneAtATime::predict, "x"_a.none())
        .def("score", &OneAtATime::score, "x"_a.none())
        .def_prop_ro("hitch", &OneAtATime::hitch);
}

}  // namespace rosenblatt

// One example at a time, for a model held ready between calls.
#include <algorithm>
#include <thread>
#include <vector>

#include "answers.hpp"
#include "parts.hpp"
#include "reading.hpp"
#include "rows/class_scores.hpp"
#include "votes/mistakes.hpp"

namespace rosenblatt {

namespace {

/// How many weight vectors were passed through; none while no example was judged by the weights,
/// as where all were of one class.
double vectors_passed(const Counts& counts, const Measures& measures) {
    const bool judged = counts.data()[1] > 0 || std::isfinite(measures.data()[1]);
    return judged ? static_cast<double>(counts.data()[0] + 1) : 0.0;
}

/// Borrows the weights of a model until Python replaces them. A call that meets a hitch has done
/// nothing: it returns Hitched, and Python overcomes the hitch or puts it in words.
class OneAtATime {
  public:
    OneAtATime(Weights room, std::optional<Weights> missed, std::optional<Weights> sureness,
               std::optional<Weights> covariance, Counts counts, Measures measures, Counts features,
               nb::object names, nb::list labels, double constant, bool unit_length, Ties ties,
               std::optional<Presence> presence, std::optional<AnyRule> rule,
               std::optional<Doubles> class_weight, Mistakes* mistakes, double half_life,
               bool regression, double divisor, std::optional<Doubles> thresholds, bool as_dict)
        : room_(room),
          missed_(missed),
          sureness_(sureness),
          covariance_(covariance),
          counts_(counts),
          measures_(measures),
          features_(features),
          answers_(labels, thresholds, as_dict, regression),
          presence_(presence),
          class_weight_(class_weight),
          mistakes_(mistakes),
          rule_(rule),
          weights_(borrowed_of(room, missed, sureness, covariance, half_life)),
          framing_{constant, presence && room.shape(1) == 1, unit_length},
          ties_(ties),
          divisor_(divisor),
          classes_(answers_.classes()),
          scores_(room.shape(1)),
          reader_(names, room.shape(0), presence) {
        require(counts.size() == 3, "counts are examples, updates and mistakes");
        require(measures.size() == 2, "measures are steps and the smallest margin");
        require(features.size() == 1 && features.data()[0] >= 0, "features is their number");
        require(room.shape(0) > width(), "a weight row for each column and one");
        require_shapes(room, missed, room.shape(0) - 1, std::max<std::size_t>(2, classes_));
        require_shapes(room, sureness, room.shape(0) - 1, std::max<std::size_t>(2, classes_));
        if (rule) require_surer(*rule, room, sureness, covariance);
        require(!class_weight || class_weight->size() == classes_, "one weight for each class");
        require(!mistakes || mistakes->row_of.size() <= 1, "mistakes are kept of one row");
        require(!regression || (room.shape(1) == 1 && !class_weight),
                "numbers are learned with one weight column");
        require(!thresholds || room.shape(1) > 1, "several labels need a weight column for each");
    }

    /// To be called before others may change what was borrowed.
    void let_go() { let_go_ = true; }

    /// With `widen` an example may bring new columns.
    nb::object learn(nb::handle x, nb::handle y, nb::handle w, bool widen) {
        const CallGuard guard(*this);
        if (let_go_) return stop(Hitch::replaced);
        const std::size_t before = width();
        if (!rule_) return stop(Hitch::rule);
        if (!reader_.read(x, before, true)) return reader_.hitched();
        double importance;
        if (!read_number(w.ptr(), importance) || !(importance >= 0.0 && Moderate{}(importance)))
            return stop(Hitch::importance);
        if (!answers_.read(y)) return stop(Hitch::label);
        const std::size_t after = reader_.width();
        if (after > before && !widen) return stop(Hitch::column, after - 1);
        const bool keeps_row = mistakes_ && mistakes_->keeps_rows();
        if (after >= room_.shape(0) || (keeps_row && after > Mistakes::most_features))
            return stop(Hitch::room, after);
        const AnyRows rows = reader_.rows();
        if (mistakes_ && !can_keep(rows)) return stop(Hitch::mistakes, length_of(rows));
        require(width() == before, "names and labels must not change the model when compared");
        const auto [constant, missed] = constant_weight();
        reader_.admit_names();
        let_width_be(after);
        if (presence_ && after > before)
            presence_->widen(weights_.weights, weights_.missed, weights_.stride,
                             std::max<std::size_t>(2, classes_), before, after,
                             vectors_passed(counts_, measures_));
        if (learn_from(rows, importance)) return nb::none();
        let_width_be(before);
        weights_.weights[before * weights_.stride] = constant;
        if (missed_) weights_.missed[before * weights_.stride] = missed;
        reader_.dismiss_names();
        return stop(Hitch::overflow, too_short(rows, 0, framing_));
    }

    nb::object predict(nb::handle x) {
        const CallGuard guard(*this);
        if (let_go_) return stop(Hitch::replaced);
        if (!reader_.read(x, width(), false)) return reader_.hitched();
        if (classes_ == 0 && !answers_.several()) return nb::none();
        const double counted = score_read();
        if (answers_.several()) return answers_.reached(scores_, counted);
        if (answers_.numbers()) return nb::float_(scores_[0] / counted);
        if (classes_ == 2 && weights_.stride == 1)
            return answers_.label(lost(ties_, scores_[0], 1, 0) ? 0 : 1);
        return answers_.label(strongest(std::span<const double>(scores_).first(classes_)));
    }

    /// Above zero for the second of two classes, also where a threshold is just reached.
    nb::object score(nb::handle x) {
        const CallGuard guard(*this);
        if (let_go_) return stop(Hitch::replaced);
        if (!reader_.read(x, width(), false)) return reader_.hitched();
        if (classes_ < 2 && !answers_.several()) return nb::float_(0.0);
        const double counted = score_read();
        for (double& score : scores_) score /= counted;
        if (classes_ == 2 && !answers_.several()) {
            const double score = weights_.stride == 1 ? scores_[0] : scores_[1] - scores_[0];
            const bool reached = framing_.threshold && score == 0.0;
            return nb::float_(reached ? std::numeric_limits<double>::denorm_min() : score);
        }
        nb::dict scores;
        for (std::size_t k = 0; k < classes_; ++k) scores[answers_.label(k)] = scores_[k];
        return scores;
    }

    /// The example as a table of one row, for a model that scores by more than these weights.
    nb::object table(nb::handle x) {
        const CallGuard guard(*this);
        if (let_go_) return stop(Hitch::replaced);
        if (!reader_.read(x, width(), false)) return reader_.hitched();
        return nb::cast(reader_.table());
    }

    /// Shows every object that is held to Python's collector of cycles, until it has seen enough.
    template <class Visit>
    int each_held(Visit visit) const {
        if (const int enough = answers_.each_held(visit)) return enough;
        return reader_.each_held(visit);
    }

  private:
    /// One call at a time: looking up a name or a label may run code of the caller's, and meanwhile
    /// other threads.
    struct CallGuard {
        std::thread::id& caller;

        explicit CallGuard(OneAtATime& model) : caller(model.caller_) {
            const std::thread::id self = std::this_thread::get_id();
            require(caller != self, "names and labels must not call the model when compared");
            require(caller == std::thread::id(),
                    "another thread is calling the model: let one call end before the next");
            require(model.width() < model.room_.shape(0), "a weight row for each column and one");
            caller = self;
        }
        ~CallGuard() { caller = std::thread::id(); }
        CallGuard(const CallGuard&) = delete;
        CallGuard& operator=(const CallGuard&) = delete;
    };

    std::size_t width() const { return static_cast<std::size_t>(features_.data()[0]); }

    template <class... What>
    nb::object stop(Hitch kind, What... what) {
        reader_.refuse(kind, what...);
        return reader_.hitched();
    }

    bool can_keep(const AnyRows& rows) const {
        return std::visit([&](const auto& row) { return mistakes_->has_room(row, {}, 0, 1); },
                          rows);
    }

    static std::size_t length_of(const AnyRows& rows) {
        return std::visit([](const auto& row) { return stored(row, {}, 0, 1); }, rows);
    }

    /// The weight that may be a threshold, and its averaging sum.
    std::pair<double, double> constant_weight() const {
        const std::size_t slot = width() * weights_.stride;
        return {weights_.weights[slot], missed_ ? weights_.missed[slot] : 0.0};
    }

    /// The row of the constant comes last: it changes places with a spare row, as fresh as any.
    void let_width_be(std::size_t to) {
        const std::size_t from = width(), n = weights_.stride;
        if (to == from) return;
        for (double* rows : {weights_.weights, weights_.missed, weights_.sureness})
            if (rows) std::swap_ranges(rows + from * n, rows + (from + 1) * n, rows + to * n);
        features_.data()[0] = static_cast<std::int64_t>(to);
        if (mistakes_) mistakes_->let_width_be(to);
    }

    /// Whether the example could be learned from. While there is but one class there is no rival,
    /// and the example only counts.
    bool learn_from(const AnyRows& rows, double importance) {
        Tally tally{.examples = 1, .steps = measures_.data()[0]};
        if (classes_ > 1) {
            const Terms terms{.labels = answers_.codes(),
                              .importance = {data_of(class_weight_), &importance},
                              .framing = framing_,
                              .ties = ties_,
                              .classes = classes_,
                              .targets = answers_.target()};
            Record record{.mistakes{}, .tally{.steps = measures_.data()[0]}};
            if (mistakes_) record.mistakes = mistakes_->room(1);
            const Walk walk{{}, 0, 1, counts_.data()[0] + 1};
            tally = std::visit(
                [&]<class R>(const R& row) {
                    return Kind<R>::learn(row, terms, *rule_, weights_, walk, record);
                },
                rows);
            if (mistakes_) keep(rows, tally.updates);
        }
        if (tally.overflow >= 0) return false;
        add(tally, counts_, measures_);
        return true;
    }

    void keep(const AnyRows& rows, std::int64_t made) {
        if (mistakes_->keeps_rows()) mistakes_->row_of[0] = -1;
        std::visit([&](const auto& row) { mistakes_->add(row, made); }, rows);
    }

    /// Scores the example that was read; returns how many times too large the scores are.
    double score_read() {
        const Forgetting& forgetting = weights_.forgetting;
        const std::int64_t seen = counts_.data()[0];
        const double counted =
            missed_ ? forgetting.before(seen + 1, forgetting.epoch(seen)) : divisor_;
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
    std::optional<Weights> missed_, sureness_, covariance_;
    Counts counts_;
    Measures measures_;
    Counts features_;
    Answers answers_;
    std::optional<Presence> presence_;
    std::optional<Doubles> class_weight_;
    Mistakes* mistakes_;
    std::optional<AnyRule> rule_;
    Borrowed weights_;
    Framing framing_;
    Ties ties_;
    double divisor_;  // of scores, where weights have no averaging sums
    std::size_t classes_;
    std::vector<double> scores_;
    Reader reader_;
    std::thread::id caller_;
    bool let_go_ = false;
};

/// Names and labels may refer to the model that holds this. There is nothing to clear: what leads
/// back here is an attribute or an item of theirs, which Python clears.
int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    return nb::inst_ptr<OneAtATime>(self)->each_held(
        [&](nb::handle held) { return held.is_valid() ? visit(held.ptr(), arg) : 0; });
}

/// The same for weights that Python has made wider.
void widen(const Presence& presence, Weights weights, std::optional<Weights> missed, Counts counts,
           Measures measures, std::size_t classes, std::size_t from) {
    require_shapes(weights, missed, weights.shape(0) - 1, classes);
    require(from < weights.shape(0), "a weight row for each column and one");
    presence.widen(weights.data(), data_of(missed), weights.shape(1), classes, from,
                   weights.shape(0) - 1, vectors_passed(counts, measures));
}

}  // namespace

void bind_one(nb::module_& m) {
    bind_hitches(m);
    nb::class_<Presence>(m, "Presence")
        .def(nb::init<std::optional<double>, std::optional<double>>(), "above"_a.none(),
             "threshold"_a.none())
        .def("widen", &widen, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
             "counts"_a.noconvert(), "measures"_a.noconvert(), "classes"_a, "before"_a);
    PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {0, nullptr}};
    nb::class_<OneAtATime>(m, "OneAtATime", nb::type_slots(slots))
        .def(nb::init<Weights, std::optional<Weights>, std::optional<Weights>,
                      std::optional<Weights>, Counts, Measures, Counts, nb::object, nb::list,
                      double, bool, Ties, std::optional<Presence>, std::optional<AnyRule>,
                      std::optional<Doubles>, Mistakes*, double, bool, double,
                      std::optional<Doubles>, bool>(),
             "room"_a.noconvert(), "missed"_a.noconvert().none(), "sureness"_a.noconvert().none(),
             "covariance"_a.noconvert().none(), "counts"_a.noconvert(), "measures"_a.noconvert(),
             "features"_a.noconvert(), "names"_a.none(), "labels"_a, "constant"_a, "unit_length"_a,
             "ties"_a, "presence"_a.none(), "rule"_a.none(), "class_weight"_a.noconvert().none(),
             "mistakes"_a.none(), "half_life"_a = std::numeric_limits<double>::infinity(),
             "regression"_a = false, "divisor"_a = 1.0,
             "thresholds"_a.noconvert().none() = nb::none(), "as_dict"_a = false,
             nb::keep_alive<1, 17>())
        .def("learn", &OneAtATime::learn, "x"_a.none(), "y"_a.none(), "w"_a.none(),
             "widen"_a = true,
             nb::sig("def learn(self, x: object, y: object, w: object, widen: bool = True)"
                     " -> Hitched | None"))
        .def("predict", &OneAtATime::predict, "x"_a.none())
        .def("score", &OneAtATime::score, "x"_a.none())
        .def("table", &OneAtATime::table, "x"_a.none())
        .def("let_go", &OneAtATime::let_go);
}

}  // namespace rosenblatt

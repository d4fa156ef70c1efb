// Mistakes kept with their rows, and the votes of the weight vectors that they tell of.
#include "votes/voted.hpp"

#include "held_rows.hpp"
#include "parts.hpp"
#include "votes/mistakes.hpp"

namespace rosenblatt {

namespace {

using Columns = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void make_mistakes(Mistakes* self, Bytes list, Counts indptr, Columns columns, Measures values,
                   Counts used, Counts row_of) {
    require(list.size() % sizeof(Mistake) == 0, "the list must hold whole mistakes");
    require(used.size() == 4, "used counts mistakes, rows, values and features");
    new (self) Mistakes{{reinterpret_cast<Mistake*>(list.data()), list.size() / sizeof(Mistake)},
                        {indptr.data(), indptr.size()},
                        {columns.data(), columns.size()},
                        {values.data(), values.size()},
                        {used.data(), used.size()},
                        {row_of.data(), row_of.size()}};
}

std::size_t stored_values(const Rows& self, std::optional<OrderArray> order, std::size_t begin,
                          std::size_t end) {
    const std::size_t count = order ? order->size() : self.count();
    require(begin <= end && end <= count, "begin and end must be positions in the pass");
    const Order walked = order_of(order);
    require_rows(walked, begin, end, self.count());
    const std::size_t sum =
        std::visit([&](const auto& rows) { return stored(rows, walked, begin, end); }, self.rows);
    return std::min(sum, self.stored());  // whatever lengths say of rows that change meanwhile
}

/// The electorate that the mistakes tell of; what is borrowed is checked here once and for all.
struct Voters {
    std::size_t width;
    std::size_t classes;
    Electorate electorate;

    Voters(UInt8s list, Int64s indptr, Int32s columns, Doubles values, std::size_t width,
           std::int64_t seen, std::size_t classes, double constant)
        : width(width),
          classes(classes),
          electorate(
              make({{indptr.data(), indptr.size()},
                    {columns.data(), columns.size()},
                    {values.data(), values.size()},
                    width},
                   {reinterpret_cast<const Mistake*>(list.data()), list.size() / sizeof(Mistake)},
                   seen, classes, constant)) {}

    static Electorate make(const KeptRows& kept, std::span<const Mistake> mistakes,
                           std::int64_t seen, std::size_t classes, double constant) {
        require(kept.sound(), "the kept rows must be sound");
        std::int64_t t = 0;
        for (const Mistake& mistake : mistakes) {
            require(t < mistake.t && mistake.t <= seen, "mistakes must come one after the other");
            require(kept.has(mistake.row), "mistakes must name kept rows");
            for (const std::int32_t k : {mistake.right, mistake.rival})
                require(0 <= k && static_cast<std::size_t>(k) < classes, "classes must be known");
            t = mistake.t;
        }
        nb::gil_scoped_release release;
        return Electorate(kept, mistakes, seen, classes, constant);
    }

    template <class Visit>
    void vote_on(const Rows& self, std::size_t begin, std::size_t end, bool early,
                 Visit visit) const {
        require(self.width() <= width, "rows must have no features that the kept ones have not");
        require(begin <= end && end <= self.count(), "begin and end must be rows");
        require_unchanged(self, begin, end);
        nb::gil_scoped_release release;
        std::visit([&](const auto& rows) { electorate.vote_on(rows, begin, end, early, visit); },
                   self.rows);
    }
};

/// The votes for each class.
void poll(const Voters& voters, const Rows& rows, std::size_t begin, std::size_t end,
          nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> out) {
    const std::size_t classes = voters.classes;
    require(out.shape(0) == rows.count() && out.shape(1) == classes, "votes for each row, class");
    std::int64_t* const results = out.data();
    voters.vote_on(rows, begin, end, false,
                   [&](std::size_t row, std::size_t lane, const auto& votes) {
                       for (std::size_t k = 0; k < classes; ++k)
                           results[row * classes + k] = votes.of(lane, k);
                   });
}

/// The class with most votes.
void elect(const Voters& voters, const Rows& rows, std::size_t begin, std::size_t end, Counts out) {
    require(out.size() == rows.count(), "a prediction for each row");
    std::int64_t* const winners = out.data();
    voters.vote_on(rows, begin, end, true,
                   [&](std::size_t row, std::size_t lane, const auto& votes) {
                       winners[row] = static_cast<std::int64_t>(votes.winner(lane));
                   });
}

}  // namespace

void bind_voted(nb::module_& m) {
    nb::class_<Mistakes>(m, "Mistakes")
        .def("__init__", &make_mistakes, "list"_a.noconvert(), "indptr"_a.noconvert(),
             "columns"_a.noconvert(), "values"_a.noconvert(), "used"_a.noconvert(),
             "row_of"_a.noconvert(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
             nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
             nb::keep_alive<1, 7>());
    nb::class_<Voters>(m, "Voters")
        .def(nb::init<UInt8s, Int64s, Int32s, Doubles, std::size_t, std::int64_t, std::size_t,
                      double>(),
             "mistakes"_a.noconvert(), "indptr"_a.noconvert(), "columns"_a.noconvert(),
             "values"_a.noconvert(), "width"_a, "seen"_a, "classes"_a, "constant"_a);
    m.def("stored", &stored_values, "rows"_a, "order"_a.noconvert().none(), "begin"_a, "end"_a);
    m.def("poll", &poll, "voters"_a, "rows"_a, "begin"_a, "end"_a, "out"_a.noconvert());
    m.def("elect", &elect, "voters"_a, "rows"_a, "begin"_a, "end"_a, "out"_a.noconvert());
}

}  // namespace rosenblatt

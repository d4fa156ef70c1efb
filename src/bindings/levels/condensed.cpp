// Rows of few examples, their columns numbered anew.
#include "fast/condensed.hpp"

#include <memory>

#include "held_rows.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

/// The columns of all values that belong to rows.
template <class R>
auto columns_of(const R& rows) {
    return rows.columns.first(rows.first(rows.count));
}

/// Notes which columns the rows have.
void make_columns(CondensedColumns* self, const Rows& given) {
    require(given.compressed(), "only compressed rows can be condensed");
    require_unchanged(given, 0, given.count());
    nb::gil_scoped_release release;
    std::visit(
        [&]<class R>(const R& rows) {
            if constexpr (!in_one_piece<R>)
                new (self) CondensedColumns(rows.width, columns_of(rows));
        },
        given.rows);
}

/// The rows with their columns numbered anew.
Rows condensed_rows(const CondensedColumns& self, const Rows& given) {
    require(given.compressed(), "only compressed rows can be condensed");
    require_unchanged(given, 0, given.count());
    require(given.width() == self.width(), "the rows must have as many columns");
    Rows condensed = given;
    std::visit(
        [&]<class R>(R& rows) {
            if constexpr (!in_one_piece<R>) {
                const auto columns = columns_of(rows);
                using Index = std::remove_cv_t<typename decltype(columns)::element_type>;
                auto numbers = std::make_unique<Buffer<Index>>();
                numbers->resize(columns.size());
                {
                    nb::gil_scoped_release release;
                    self.number(columns, numbers->data());
                }
                rows.columns = numbers->view();
                rows.width = self.size() + 1;
                condensed.owners = nb::make_tuple(given.owners, owner_of(std::move(numbers)));
            }
        },
        condensed.rows);
    return condensed;
}

Array<std::int64_t> columns_that_occur(const CondensedColumns& self) {
    Buffer<std::int64_t> columns;
    columns.resize(self.size());
    self.write(columns.data());
    return array_of(std::move(columns));
}

}  // namespace

void bind_condensed(nb::module_& m) {
    nb::class_<CondensedColumns>(m, "CondensedColumns")
        .def("__init__", &make_columns, "rows"_a)
        .def("__len__", &CondensedColumns::size)
        .def("rows", &condensed_rows, "rows"_a)
        .def("columns", &columns_that_occur);
}

}  // namespace rosenblatt

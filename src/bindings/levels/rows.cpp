// The caller's rows, borrowed and checked.
#include "held_rows.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

Rows dense_rows(Matrix X) {
    require(X.shape(1) <= 1 || X.stride(1) == 1, "the values of a row must be neighbours");
    const auto make = [&]<class Value>(Value) -> AnyRows {
        const auto* const values = static_cast<const Value*>(X.data());
        return Dense<Value>{values, X.stride(0), X.shape(0), X.shape(1)}.with_zeros_noticed();
    };
    return {with_value(X, make), nb::cast(X)};
}

using KernelValues = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Rows csr_rows(Vector values, Vector columns, Vector indptr, std::size_t width, nb::object let_go) {
    require(indptr.size() > 0, "indptr must not be empty");
    const auto make = [&]<class Value, class Index>(Value, Index) -> AnyRows {
        return Csr<Value, Index>{span_of<Value>(values), span_of<Index>(columns),
                                 span_of<Index>(indptr), indptr.size() - 1, width};
    };
    return {with_types(values, columns, indptr, make), nb::make_tuple(values, columns, indptr),
            let_go};
}

Rows dual_rows(KernelValues values, Int32s own) {
    require(own.size() == values.shape(0), "each row must say which candidate it is");
    bool inside = true;
    for (std::size_t example = 0; example < own.size(); ++example)
        inside &= own(example) >= 0 && static_cast<std::size_t>(own(example)) < values.shape(1);
    require(inside, "candidates must be columns");
    const auto count = values.shape(0), width = values.shape(1);
    return {DualRows{{values.data(), static_cast<std::ptrdiff_t>(width), count, width}, own.data()},
            nb::make_tuple(values, own)};
}

/// Checks indptr and columns, and with `values` those too, before anything is done with them.
FaultTuple check(Rows& self, bool values) {
    bool rising = true;
    const auto fault = in_batches(self, [&](const auto& rows, std::size_t begin, std::size_t end) {
        auto wrong = columns_fault(rows, begin, end);
        if (!wrong && values) wrong = values_fault(rows, begin, end);
        rising = rising && (wrong || in_order(rows, begin, end));
        return wrong;
    });
    self.sound = !fault;
    self.in_order = rising;
    return in_words(fault);
}

/// The first value that is neither zero nor one.
FaultTuple other_than_zero_or_one(const Rows& self) {
    return in_words(in_batches(self, [](const auto& rows, std::size_t begin, std::size_t end) {
        const auto fault = columns_fault(rows, begin, end);
        return fault ? fault : values_fault(rows, begin, end, ZeroOrOne{});
    }));
}

}  // namespace

void bind_rows(nb::module_& m) {
    nb::class_<Rows>(m, "Rows")
        .def_prop_ro("count", &Rows::count)
        .def_prop_ro("width", &Rows::width)
        .def_prop_ro("stored", &Rows::stored)
        .def_prop_ro("compressed", &Rows::compressed)
        .def_prop_ro("stretch", &Rows::stretch)
        .def_ro("let_go", &Rows::let_go)
        .def("check", &check, "values"_a)
        .def("other_than_zero_or_one", &other_than_zero_or_one)
        .def_ro("in_order", &Rows::in_order);
    m.def("dense", &dense_rows, "X"_a.noconvert());
    m.def("csr", &csr_rows, "values"_a.noconvert(), "columns"_a.noconvert(), "indptr"_a.noconvert(),
          "width"_a, "let_go"_a.none() = nb::none());
    m.def("dual", &dual_rows, "values"_a.noconvert(), "own"_a.noconvert());
}

}  // namespace rosenblatt

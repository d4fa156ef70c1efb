// Orders to visit the examples in.
#include "learn/orders.hpp"

#include <numeric>

#include "../arrays.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

void shuffle(OrderArray order, std::uint64_t seed, std::uint64_t pass) {
    nb::gil_scoped_release release;
    draw_order({order.data(), order.size()}, seed, pass);
}

void shuffle_blocks(OrderArray order, std::uint64_t seed, std::uint64_t pass) {
    nb::gil_scoped_release release;
    Generator generator(seed, pass);
    draw_blocks({order.data(), order.size()}, generator);
}

void shuffle_by_class(OrderArray order, std::uint64_t seed, std::uint64_t pass, UInt32s by_class,
                      UInt32s sizes) {
    const auto rows = span_of<std::uint32_t>(by_class), counts = span_of<std::uint32_t>(sizes);
    const auto total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    require(rows.size() == order.size() && total == order.size(), "as many rows as the order has");
    nb::gil_scoped_release release;
    Generator generator(seed, pass);
    draw_by_class({order.data(), order.size()}, rows, counts, generator);
}

}  // namespace

void bind_orders(nb::module_& m) {
    m.def("shuffle", &shuffle, "order"_a.noconvert(), "seed"_a, "pass_"_a);
    m.def("shuffle_blocks", &shuffle_blocks, "order"_a.noconvert(), "seed"_a, "pass_"_a);
    m.def("shuffle_by_class", &shuffle_by_class, "order"_a.noconvert(), "seed"_a, "pass_"_a,
          "by_class"_a.noconvert(), "sizes"_a.noconvert());
}

}  // namespace rosenblatt

// Orders to visit the examples in.
#include "learn/orders.hpp"

#include "../arrays.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

void shuffle(OrderArray order, std::uint64_t seed, std::uint64_t pass) {
    nb::gil_scoped_release release;
    draw_order({order.data(), order.size()}, seed, pass);
}

void shuffle_blocks(OrderArray order, std::uint64_t seed, std::uint64_t pass, std::size_t parts) {
    require(parts >= 1 && parts <= most_parts, "blocks of one part to as many as can be woven");
    nb::gil_scoped_release release;
    draw_blocks({order.data(), order.size()}, seed, pass, parts);
}

}  // namespace

void bind_orders(nb::module_& m) {
    m.def("shuffle", &shuffle, "order"_a.noconvert(), "seed"_a, "pass_"_a);
    m.def("shuffle_blocks", &shuffle_blocks, "order"_a.noconvert(), "seed"_a, "pass_"_a, "parts"_a);
}

}  // namespace rosenblatt

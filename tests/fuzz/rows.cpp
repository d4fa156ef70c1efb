// Compressed rows: what is let through can be learned from, with the weights of dense rows.
#include <cmath>
#include <cstring>

#include "fuzz.hpp"
#include "learn/recheck.hpp"
#include "learn/twin.hpp"
#include "rows/checks.hpp"

namespace {

using namespace rosenblatt;
using core_tests::Learned, core_tests::Manner, core_tests::Table;

constexpr std::size_t examples = 12;

/// Arrays just as long as the input says, of numbers that may be anything.
template <class Index>
struct Arrays {
    std::vector<double> values;
    std::vector<Index> columns, indptr;
    std::size_t width;

    Arrays(fuzz::Input& input, std::size_t width) : width(width) {
        std::size_t end = 0;
        for (std::size_t k = 0; k <= examples; ++k) {
            const unsigned byte = input.byte();
            indptr.push_back(byte == 255   ? Index(-1)
                             : byte == 254 ? std::numeric_limits<Index>::max()
                                           : static_cast<Index>(end));
            end += byte % 64;
        }
        const std::string_view text = input.rest();
        for (std::size_t k = 0; k + 1 < text.size(); k += 2) {
            const auto column = static_cast<unsigned char>(text[k]);
            columns.push_back(column == 255   ? Index(-1)
                              : column == 254 ? std::numeric_limits<Index>::max()
                                              : static_cast<Index>(column));
            const auto value = static_cast<signed char>(text[k + 1]);
            values.push_back(value == -128  ? std::nan("")
                             : value == 127 ? 1e300
                                            : double(value) / 4);
        }
        indptr.shrink_to_fit(), columns.shrink_to_fit(), values.shrink_to_fit();
    }
    Csr<double, Index> rows() const { return {values, columns, indptr, examples, width}; }
};

template <class Index>
Table table_of(const Csr<double, Index>& rows, std::size_t classes) {
    Table table{examples, rows.width, std::vector<double>(examples * rows.width), {}, {}};
    for (std::size_t row = 0; row < examples; ++row) {
        rows.each(row, [&](auto, std::size_t column, double value) {
            table.values[row * rows.width + column] += value;
        });
        table.labels.push_back(static_cast<std::int32_t>((row * 7 + rows.length(row)) % classes));
    }
    return table;
}

/// Learns from the rows, as they are and as dense ones.
template <class Index>
void learn_from(const Csr<double, Index>& rows, std::size_t classes, const Manner& how,
                bool whole) {
    const Table table = table_of(rows, classes);
    const auto order = core_tests::counted_up(examples);
    Learned sparse(rows.width, classes), dense(rows.width, classes);
    sparse.learn(rows, wide(table), how, {order}, 0, examples);
    HOLDS(sparse.tally.overflow == -1 && sparse.tally.examples == examples);
    for (const double weight : sparse.weights) HOLDS(std::isfinite(weight));
    if (!whole) return;
    dense.learn(core_tests::DenseCopy<double>(table).rows, wide(table), how, {order}, 0, examples);
    HOLDS(sparse.weights == dense.weights && sparse.missed == dense.missed);
}

template <class Index>
void check(fuzz::Input& input, unsigned how, std::size_t width) {
    Arrays<Index> arrays(input, width);
    const auto rows = arrays.rows();
    if (indptr_fault(rows)) {
        bool fits = rows.indptr[0] == 0;
        for (std::size_t row = 0; row < examples; ++row) fits = fits && still_fits(rows, row);
        HOLDS(!fits || indptr_fault(rows)->kind == Fault::Kind::end);
        return;
    }
    const auto fault = columns_fault(rows, 0, examples);
    const std::size_t unfit = first_unfit(rows, {}, 0, examples);
    HOLDS(fault ? fault->row == static_cast<std::int64_t>(unfit) : unfit == examples);
    if (fault || values_fault(rows, 0, examples)) return;
    Manner manner;
    manner.passive_aggressive = how & 1;
    manner.unit_length = how & 2;
    const std::size_t classes = 2 + (how >> 2) % 8;
    // Quarters are added without rounding, in any order.
    const bool whole = !manner.passive_aggressive && !manner.unit_length;
    learn_from(rows, classes, manner, whole && in_order(rows, 0, examples));
    if (arrays.columns.empty() || rows.first(examples) == 0) return;
    arrays.columns[rows.first(examples) - 1] = std::numeric_limits<Index>::max();
    HOLDS(first_unfit(rows, {}, 0, examples) < examples);
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    std::vector<std::string> found;
    for (const char how : {0, 1, 2, 4, 13, 31, 64, 77}) {
        const int length = how < 31 ? 9 : 39;
        std::string text{how, static_cast<char>(4 * length)};
        text += std::string(examples + 1, static_cast<char>(length));
        for (int row = 0; row < static_cast<int>(examples); ++row)
            for (int k = 0; k < length; ++k)
                text += {static_cast<char>(1 + 4 * k), static_cast<char>(row * 9 - k * 13)};
        found.push_back(text);
    }
    return found;
}

std::vector<std::string> fuzz::words() {
    return {"\xff", "\xfe", std::string("\x00\x00", 2), "\x01\x80", "\x02\x7f", "\x03\x04"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const unsigned how = input.byte();
    const std::size_t width = input.byte();
    if (how & 128)
        check<std::int64_t>(input, how, width);
    else
        check<std::int32_t>(input, how, width);
    return 0;
}

// Lines of svmlight: the rows are sound, and the same whole, in blocks of any size, in stretches of
// a file, and on several threads.
#include <algorithm>

#include "fuzz.hpp"
#include "in_blocks.hpp"
#include "read/svmlight_threads.hpp"
#include "read/svmlight_threads_tests.hpp"

namespace {

using namespace rosenblatt;
using Rows = SvmlightRows<double>;

template <class Value>
void read(std::string_view text, const SvmlightOptions& options, SvmlightRows<Value>& rows) {
    const core_tests::Padded padded{std::string(text)};
    read_svmlight(padded.begin(), padded.end(), options, rows);
}

void read_in_blocks(std::string_view text, const SvmlightOptions& options, std::size_t size,
                    Rows& rows) {
    fuzz::in_blocks(text, size, [&](std::string_view lines) {
        read(lines, options, rows);
        return options.set_aside || rows.faults.empty();
    });
}

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same(const Rows& a, const Rows& b) {
    return fuzz::same_faults(a.faults, b.faults) && a.lines == b.lines && a.lowest == b.lowest &&
           a.highest == b.highest && a.wide == b.wide && same(a.labels, b.labels) &&
           same(a.label_indptr, b.label_indptr) && same(a.queries, b.queries) &&
           same(a.places, b.places) && same(a.indptr, b.indptr) && same(a.values, b.values) &&
           same(a.columns, b.columns) && same(a.wide_columns, b.wide_columns);
}

void check_indptr(const Buffer<std::int64_t>& indptr, std::size_t items) {
    HOLDS(indptr.size() > 0 && indptr[0] == 0);
    HOLDS(std::ranges::is_sorted(indptr.view()));
    HOLDS(static_cast<std::size_t>(indptr[indptr.size() - 1]) == items);
}

template <class Index>
void check_columns(const Rows& rows, const Buffer<Index>& columns, const SvmlightOptions& options) {
    HOLDS(columns.size() == rows.values.size());
    const auto indptr = rows.indptr.view();
    for (std::size_t row = 0; row + 1 < indptr.size(); ++row)
        for (std::int64_t k = indptr[row]; k < indptr[row + 1]; ++k) {
            const std::int64_t index = columns[static_cast<std::size_t>(k)] + options.base;
            HOLDS(index >= rows.lowest && index <= rows.highest);
            HOLDS(index >= 0 && index <= options.largest_index);
            HOLDS(index > 0 || options.zero_allowed);
            HOLDS(k == indptr[row] ||
                  columns[static_cast<std::size_t>(k)] > columns[static_cast<std::size_t>(k) - 1]);
        }
}

void check_sound(const Rows& rows, const SvmlightOptions& options, std::string_view text) {
    check_indptr(rows.indptr, rows.values.size());
    const std::size_t count = rows.indptr.size() - 1;
    if (options.multilabel) {
        HOLDS(rows.label_indptr.size() == count + 1);
        check_indptr(rows.label_indptr, rows.labels.size());
    } else {
        HOLDS(rows.labels.size() == count);
    }
    HOLDS(rows.queries.size() == (options.query_id ? count : 0));
    HOLDS(rows.places.size() == count && std::ranges::is_sorted(rows.places.view()));
    if (rows.wide)
        check_columns(rows, rows.wide_columns, options);
    else
        check_columns(rows, rows.columns, options);
    if (options.set_aside) HOLDS(rows.lines == std::ranges::count(text, '\n'));
    if (options.set_aside && options.multilabel && options.every_line &&
        text.find('#') == std::string_view::npos)
        HOLDS(count + rows.faults.size() == static_cast<std::size_t>(rows.lines));
    HOLDS(options.set_aside || rows.faults.size() <= 1);
    std::int64_t last = 0;
    for (const auto& fault : rows.faults) {
        HOLDS(fault.line > last && fault.line <= rows.lines);
        HOLDS(fault.column >= 1 && fault.column <= std::int64_t(fault.text.size()) + 1);
        HOLDS(text.find(fault.text) != std::string_view::npos);
        last = fault.line;
    }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    const std::string options = "\x05\x20";
    std::string line = "1";
    for (int k = 1; k < 60; ++k)
        line += " " + std::to_string(k * k) + ":" + std::to_string(k * 0.125);
    return {options + line + "\n-" + line + " # said\n",
            options + "+1 1:0.5 3:2\n-1 2:1e-3 7:12 900:3.25 # good\n",
            options + "0 qid:3 1:1\n2 qid:3 5:-0.125\n",
            std::string("\x07\x09") + "1,2 5:1\n 3:4\n1,2,3\n",
            std::string("\xb4\x09") + "1:1\n\n \n2 3:4\n",
            options + "\n# all comment\n \t 1 1:1\r\n1 99999999999:1\n",
            std::string("\x00\x03", 2) + "2 3:1 2:1\ngood\n1 0:1\n1 -1:1\n",
            std::string("\x1f\x40") + "1 qid:99999999999999999999 1:1\nnan 1:inf\n"};
}

std::vector<std::string> fuzz::words() {
    return {" 1:1", ":", "qid:", "#", "\r\n", "1,", " 4294967296:1", " 2147483648:2", "1 1:1\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const unsigned how = input.byte(), block = 1 + input.byte();
    const std::string text = std::string(input.rest()) + "\n";
    const SvmlightOptions options{
        .base = how & 1,
        .zero_allowed = (how & 2) != 0,
        .multilabel = (how & 4) != 0,
        .every_line = (how & 128) != 0,
        .query_id = (how & 8) != 0,
        .set_aside = (how & 16) != 0,
        .largest_index = how & 32 ? 1000 : std::numeric_limits<std::int64_t>::max() - 1,
        .longest_line = how & 64 ? 40u : 100'000u};
    Rows whole, in_blocks;
    read(text, options, whole);
    check_sound(whole, options, text);
    read_in_blocks(text, options, block, in_blocks);
    HOLDS(same(whole, in_blocks));
    try {
        Rows in_file;
        read_svmlight(core_tests::as_file(text, options.longest_line), block, 1, options, no_pause,
                      in_file);
        HOLDS(same(whole, in_file));
    } catch (const SvmlightUnread&) {
        HOLDS(text.size() > options.longest_line);
    }
    if (text.size() % 16 == 0) {  // threads take long to start
        Rows in_threads;
        const core_tests::Padded padded{text};
        read_svmlight(SvmlightText{{padded.begin(), padded.length}}, block, 2 + how % 4, options,
                      no_pause, in_threads);
        HOLDS(same(whole, in_threads));
        SvmlightRows<float> float32;
        read(text, options, float32);
        for (std::size_t k = 0; k < float32.values.size(); ++k)
            HOLDS(float32.values[k] == float(whole.values[k]) ||
                  whole.values[k] != whole.values[k]);
    }
    return 0;
}

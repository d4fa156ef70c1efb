// Words as a page calls them.
#include "exported.hpp"
#include "words.hpp"

using namespace rosenblatt;

EXPORT(words_new)
Words* words_new(int analyzer, std::size_t shortest, std::size_t longest, bool lowercase, int bits,
                 bool alternate_sign, bool binary, bool sublinear_tf, int norm, bool single,
                 const std::uint32_t* table) {
    return new Words({analyzer == 2   ? Analyzer::char_wb
                      : analyzer == 1 ? Analyzer::char_
                                      : Analyzer::word,
                      shortest, longest, lowercase, bits, alternate_sign, binary, sublinear_tf,
                      norm == 2   ? Norm::l2
                      : norm == 1 ? Norm::l1
                                  : Norm::none,
                      single},
                     table);
}
EXPORT(words_delete) void words_delete(const Words* words) { delete words; }

/// Adds names, one behind the other, each up to its end.
EXPORT(words_name)
void words_name(Words* words, const char* bytes, const double* ends, std::size_t count,
                bool stop_words) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const auto end = static_cast<std::size_t>(ends[k]);
        const std::string name = std::string(bytes + begin, end - begin) + std::string(16, '\0');
        (stop_words ? words->stop_words : words->names).add(name.data(), end - begin);
        begin = end;
    }
}
EXPORT(words_idf) void words_idf(Words* words, const double* idf, std::size_t count) {
    words->idf.assign(idf, idf + count);
}
EXPORT(words_read) void words_read(Words* words, const char* text, std::size_t size) {
    words->read({text, size});
}
EXPORT(words_folded) const char* words_folded(const Words* words) { return words->folded.data(); }
EXPORT(words_folded_size) std::size_t words_folded_size(const Words* words) {
    return words->folded.size();
}
EXPORT(words_grams) const Gram* words_grams(const Words* words) { return words->grams.data(); }
EXPORT(words_gram_count) std::size_t words_gram_count(const Words* words) {
    return words->grams.size();
}
EXPORT(words_columns) const std::int32_t* words_columns(const Words* words) {
    return words->columns.data();
}
EXPORT(words_values) const double* words_values(const Words* words) { return words->values.data(); }
EXPORT(words_stored) std::size_t words_stored(const Words* words) { return words->values.size(); }

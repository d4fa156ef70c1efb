// The core without Python, built with the address and undefined-behaviour sanitizers.
#include <cstdio>

#include "base/cpu_level.hpp"
#include "base/spare_tests.hpp"
#include "check.hpp"
#include "combine/combinations_tests.hpp"
#include "combine/shares_tests.hpp"
#include "learn/dual_tests.hpp"
#include "learn/learning_tests.hpp"
#include "learn/moves_tests.hpp"
#include "learn/orders_tests.hpp"
#include "read/json_texts_tests.hpp"
#include "read/labels_tests.hpp"
#include "read/lines_tests.hpp"
#include "read/svmlight_tests.hpp"
#include "read/svmlight_threads_tests.hpp"
#include "rows/one_row_tests.hpp"
#include "rows/rows_tests.hpp"
#include "text/text_tests.hpp"
#include "text/text_threads_tests.hpp"
#include "votes/voted_tests.hpp"

#if defined(__AVX512F__)
constexpr int compiled_level = 4;
#elif defined(__AVX2__)
constexpr int compiled_level = 3;
#else
constexpr int compiled_level = 1;
#endif

int main() {
    using namespace core_tests;
    if (cpu_level() < compiled_level) {
        std::printf("core: compiled for wider vectors than this processor has\n");
        return 0;
    }
    test_rows();
    test_faults();
    test_scores();
    test_traces();
    test_learning();
    test_moves();
    test_orders();
    test_gathered();
    test_labels();
    test_combinations();
    test_shares();
    test_spare();
    test_votes();
    test_dual();
    test_cutting();
    test_utf8();
    test_vocabulary();
    test_text_threads();
    test_counting();
    test_numbers();
    test_svmlight();
    test_svmlight_threads();
    test_json_texts();
    test_lines();
    test_vw();
    std::printf("core: %d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}

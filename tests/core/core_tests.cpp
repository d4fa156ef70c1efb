// The core without Python, built with the address and undefined-behaviour sanitizers.
#include <cstdio>

#include "check.hpp"
#include "combinations_tests.hpp"
#include "dual_tests.hpp"
#include "gathered_tests.hpp"
#include "labels_tests.hpp"
#include "learning_tests.hpp"
#include "lines_tests.hpp"
#include "moves_tests.hpp"
#include "orders_tests.hpp"
#include "rows_tests.hpp"
#include "shares_tests.hpp"
#include "spare_tests.hpp"
#include "svmlight_tests.hpp"
#include "svmlight_threads_tests.hpp"
#include "text_tests.hpp"
#include "text_threads_tests.hpp"
#include "voted_tests.hpp"

int main() {
    using namespace core_tests;
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
    test_lines();
    test_vw();
    std::printf("core: %d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}

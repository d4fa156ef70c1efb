// The parts of the core that use threads, built with the thread sanitizer.
#include <cstdio>

#include "base/spare_tests.hpp"
#include "check.hpp"
#include "combine/shares_tests.hpp"
#include "read/svmlight_threads_tests.hpp"
#include "text/text_threads_tests.hpp"

int main() {
    using namespace core_tests;
    test_shared_spare();
    test_shares();
    test_text_threads();
    test_svmlight_threads();
    std::printf("threads: %d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}

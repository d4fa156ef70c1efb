// A module without exceptions: what the core throws, being out of memory, ends the call by a trap,
// which a page sees as an error of JavaScript.
#include <cstddef>

extern "C" {
void* __cxa_allocate_exception(std::size_t) noexcept { __builtin_trap(); }
void __cxa_throw(void*, void*, void (*)(void*)) { __builtin_trap(); }
}

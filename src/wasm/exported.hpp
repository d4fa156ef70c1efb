// What a page can call: numbers and places in memory, nothing else.
#pragma once

#define EXPORT(name) extern "C" [[gnu::used, clang::export_name(#name)]]

// A calloc that fails when a test says so, in place of the C library's: for one source of a program.
#pragma once

// Sanitizers have an allocator of their own.
#ifndef __SANITIZE_ADDRESS__
#define CS_TEST_NO_MEMORY

#include <cstddef>

namespace cs_test
{

inline bool no_memory = false;

}

extern "C" {
void *__libc_calloc(size_t number, size_t bytes);

void *calloc(size_t number, size_t bytes) noexcept
{
    return cs_test::no_memory ? nullptr : __libc_calloc(number, bytes);
}
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Memory that ends: calloc in place of the C library's, in all of a test program. One file of it
// includes this.
#pragma once

#include <gtest/gtest.h>

#include <countersink/base/diag.h>

// Sanitizers have an allocator of their own.
#ifndef __SANITIZE_ADDRESS__

inline bool refuses_calloc = false;

extern "C" void *__libc_calloc(size_t number, size_t bytes);

extern "C" void *calloc(size_t number, size_t bytes) noexcept
{
    return refuses_calloc ? nullptr : __libc_calloc(number, bytes);
}

// A model is not made, and says so. `create` has the parameters (T **out, cs_diag *diag).
template <typename T, typename Create> void expect_no_memory(const char *where, Create create)
{
    char other = 0;
    T *out = reinterpret_cast<T *>(&other);
    cs_diag diag = {};

    refuses_calloc = true;
    const cs_status status = create(&out, &diag);
    refuses_calloc = false;
    EXPECT_EQ(CS_ERR_NO_MEMORY, status);
    EXPECT_EQ(nullptr, out);
    EXPECT_STREQ(where, diag.where);
    EXPECT_STREQ("out of memory", diag.text);
}

#endif

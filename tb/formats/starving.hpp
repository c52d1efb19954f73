// SPDX-License-Identifier: Apache-2.0
// Memory that runs out: test_no_memory.cpp has an allocator that refuses one allocation.
#ifndef CS_TB_FORMATS_STARVING_HPP
#define CS_TB_FORMATS_STARVING_HPP

#include <countersink/base/diag.h>

namespace starving
{

// Of the allocations to come the one that `fails` numbers (from 1) is refused; 0: none is counted.
extern unsigned long fails, allocations;

constexpr unsigned long kNever = ~0ul;

template <class Body> cs_status starve(unsigned long at, Body body)
{
    allocations = 0;
    fails = at;
    const cs_status status = body();
    fails = 0;
    return status;
}

} // namespace starving

#endif

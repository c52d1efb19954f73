// SPDX-License-Identifier: Apache-2.0
// What only a test may do: set a counter within the RTL.
#ifndef CS_TB_NEST_RTL_NEST_INSIDE_HPP
#define CS_TB_NEST_RTL_NEST_INSIDE_HPP

#include <cstdint>

#include "variant.hpp"

// All bits of a counter, the prescaler's included. False when there is no such counter.
bool nest_inside_preset(Vnest &dut, unsigned counter, uint64_t value);

#endif

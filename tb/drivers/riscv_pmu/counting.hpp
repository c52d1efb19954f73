// SPDX-License-Identifier: Apache-2.0
// A driver that counts.
#ifndef CS_TB_DRIVERS_RISCV_PMU_COUNTING_HPP
#define CS_TB_DRIVERS_RISCV_PMU_COUNTING_HPP

#include "kernel.hpp"

namespace riscv_counting
{

using namespace cs_test;

inline Machine of_width(unsigned bits, cs_riscv_kind kind = CS_RISCV_SBI, unsigned xlen = 64)
{
    Machine m = machine(kind, xlen);

    for (unsigned n = 3; n < 7; n++)
        m.hpm.width[n] = static_cast<uint8_t>(bits);
    return m;
}

constexpr cs_riscv_kind kThatStop[] = {CS_RISCV_SBI, CS_RISCV_DELEGATED, CS_RISCV_V3};

} // namespace riscv_counting

#endif

// SPDX-License-Identifier: Apache-2.0
// A test with a deviation of the firmware, and without.
#ifndef CS_TB_DRIVERS_RISCV_DEVIATION_HPP
#define CS_TB_DRIVERS_RISCV_DEVIATION_HPP

#include "firmware.hpp"

#include <bitset>
#include <set>

namespace sbi_deviation
{

using namespace cs_test;

// There are 0, 2, 3, 4, 6 and firmware counters 7, 8.
inline Options few(uint64_t deviations, unsigned xlen = 64)
{
    Options o = small(0x58, xlen, deviations);

    o.fw.firmware_counters = 2;
    return o;
}

const uint64_t kAll = 0x1dd;

// A test with the deviation, and without.
class Both : public testing::Test
{
  protected:
    template <typename F> static void both(uint64_t deviation, F &&test, unsigned xlen = 64)
    {
        for (uint64_t deviations : {UINT64_C(0), deviation}) {
            SCOPED_TRACE(deviations != 0 ? "with it" : "without it");
            Machine m(few(deviations, xlen));

            test(m, deviations != 0);
        }
    }
};

using SbiDeviation = Both;

inline void overflow(Machine &m, unsigned n)
{
    m.csr(static_cast<uint16_t>(0x320 + n), m.selector(n) | kOf);
}

} // namespace sbi_deviation

#endif

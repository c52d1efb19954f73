// SPDX-License-Identifier: Apache-2.0
// A program that goes from one group of registers to the next, in whatever mode the hart is, and
// in M says who may: so that each answer of each group comes up in each mode.
#pragma once

#include "../model/random_program.hpp"
#include "register_groups.hpp"

class Tour
{
  public:
    Tour(uint64_t seed, const cs_hpm_config &config) : random_{mix(seed, 0x56)}, config_(config) {}

    Pins any(const Pins &before)
    {
        Pins p = before;
        p.op = random_.one_in(8) ? -1 : static_cast<int>(random_(4));
        p.csr = random_.of(random_.of(groups()).numbers);
        p.operand = random_(2) ? random_.bits() : random_(2) * ~0ull;
        p.time = random_.bits();
        p.stateen_m = !random_.one_in(8);
        p.stateen_h = !random_.one_in(4);
        if (p.mode == 3 && random_(2))
            allow(p);
        return p;
    }

  private:
    Random random_;
    const cs_hpm_config config_;

    // Enables mostly on, and a select value that mostly has something behind it, or is next to those.
    void allow(Pins &p)
    {
        const unsigned menvcfg = config_.xlen == 32 ? 0x31A : 0x30A;
        const uint64_t select = random_.one_in(8) ? random_.bits() : 0x3F + random_(34);
        const uint64_t cde = config_.xlen == 32 ? 1u << 28 : 1ull << 60;
        p.op = CS_HPM_OP_WRITE;
        p.csr = random_.of<unsigned>({0x306, 0x306, 0x106, 0x606, menvcfg, 0x150, 0x150, 0x250});
        p.operand = p.csr == menvcfg            ? random_(4) ? cde : 0
                    : (p.csr & ~0x300u) == 0x50 ? select
                                                : random_.bits() | random_.bits() | random_.bits();
    }
};

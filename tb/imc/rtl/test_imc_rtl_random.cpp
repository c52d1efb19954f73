// SPDX-License-Identifier: Apache-2.0
// Random use of everything at once: the oracle of docs/hw/imc.md is the judge of every cycle.
#include <random>

#include "imc_bench.hpp"

using namespace imc;

namespace
{

class Random : public testing::TestWithParam<unsigned>
{
  protected:
    std::mt19937_64 bits_{GetParam()};

    uint64_t below(uint64_t n)
    {
        return bits_() % n;
    }
    bool one_in(uint64_t n)
    {
        return below(n) == 0;
    }
    uint64_t letters()
    {
        return one_in(3) ? count_all : bits_() & ~(~0ull >> 30);
    }
    uint64_t register_value(unsigned sel)
    {
        switch (sel) {
        case HTM_MODE:
            return one_in(8) ? bits_() : mode_on | (one_in(2) ? bits_() : 0);
        case EVENT_MASK:
            return letters() | tap(one_in(2) ? 0 : below(3)) | (one_in(4) ? disable_wrap : 0) |
                   (one_in(8) ? freeze : 0) | (one_in(3) ? one_event : 0) |
                   (bits_() & (put(3, 40) | put(31, 45)));
        case TRACE: {
            // Sampling soon, or seldom, or in every cycle.
            const uint32_t loads[] = {0xFFFFFFFF, 0xFFFFFFE0, 0xFFFFFF05, 0xFFFFFC00};
            uint32_t load = one_in(8) ? bits_() : loads[below(4)];
            return trace(below(4), load, below(128), below(128), below(8));
        }
        default:
            return bits_();
        }
    }
    void access(Core &core)
    {
        if (one_in(2)) {
            core.in.reg = true;
            core.in.reg_write = one_in(2);
            core.in.sel = below(one_in(10) ? 16 : 7);
            core.in.reg_data = register_value(core.in.sel);
        }
        if (one_in(2)) {
            core.in.ldbar = below(nr_thread);
            core.in.ldbar_write = one_in(2);
            core.in.ldbar_data = bits_();
        }
    }
};

TEST_P(Random, FollowsTheOracle)
{
    Straps s;
    s.power10 = one_in(2);
    s.threads = 1u << below(3);
    s.tap_log2 = 2 + below(4);
    Core core(s);
    const uint64_t slow = 1 + below(12);
    core.memory.delay = [&] { return one_in(3) ? below(slow) : 0; };
    const uint64_t eager = one_in(3) ? 2 : 1000;
    core.memory.eager = [&] { return one_in(eager); };
    core.memory.response = [&](const Burst &) {
        const unsigned responses[] = {SLVERR, DECERR};
        return one_in(4) ? responses[below(2)] : 0;
    };
    const uint64_t quiet = 1 + below(8);
    core.tell = [&](unsigned, const unsigned *) {
        Told told;
        told.mode = below(4);
        for (unsigned &inc : told.inc)
            inc = one_in(quiet) ? below(16) : 0;
        told.pc = bits_();
        told.pid = bits_();
        told.lpid = bits_();
        return told;
    };
    const bool every_cycle = one_in(2);
    const uint64_t often = one_in(4) ? 3 : 60;
    core.tb_runs = false;
    core.in.tb = bits_() << 6;
    for (unsigned sel : {HTM_MODE, PDBAR, EVENT_MASK, TRACE})
        core.access(true, sel, register_value(sel));
    for (unsigned i = 0; i < 20000 && !HasFatalFailure(); i++) {
        core.in.tick = every_cycle || one_in(2);
        core.in.tb += core.in.tick;
        core.in.power = core.in.power ? !one_in(2000) : one_in(5);
        if (one_in(often))
            access(core);
        core.step();
    }
    EXPECT_FALSE(core.memory.bursts.empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Range(0u, 60u));

} // namespace

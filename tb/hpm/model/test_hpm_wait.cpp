// SPDX-License-Identifier: Apache-2.0
// cs_hpm_wait: the first cycle of a line, found without a look at the cycles before it.
#include <gtest/gtest.h>

#include <memory>

#include "hart.hpp"
#include "random_program.hpp"

namespace
{

constexpr unsigned TO_M = 1, TO_S = 2;

// mhpmcounter3 carries in cycle 999.
void arm(Hart &hart)
{
    hart.access(EVENT + 3, CS_HPM_OP_WRITE, 7);
    hart.access(MIE, CS_HPM_OP_WRITE, LCOFI);
    hart.access(MHPM + 3, CS_HPM_OP_WRITE, 0 - (999 - hart.t));
    hart.inc(7, 1);
}

struct Case {
    const char *what;
    cs_cycle from, to;
    unsigned mask;
    cs_cycle found;
    unsigned high;
};

TEST(HpmWait, FindsTheFirstCycle)
{
    for (unsigned latency : {0u, 5u}) {
        const cs_cycle rise = 999 + 1 + latency;
        const Case cases[] = {
            {"not in the cycles before", 100, rise, TO_M, rise, 0},
            {"in the last that is looked at", 100, rise + 1, TO_M, rise, TO_M},
            {"long before the end", 100, 1000000, TO_M, rise, TO_M},
            {"any of several", 100, 2000, TO_M | TO_S, rise, TO_M},
            {"from the very cycle on", rise, rise + 1, TO_M, rise, TO_M},
            {"from later on: it is a level", rise + 50, rise + 60, TO_M, rise + 50, TO_M},
            {"another line", 100, 2000, TO_S, 2000, 0},
            {"no line", 100, 2000, 0, 2000, 0},
            {"no cycle", 500, 500, TO_M, 500, 0},
        };
        for (const Case &c : cases) {
            cs_hpm_config config = straps();
            config.lcofi_latency = latency;
            Hart hart(config);
            arm(hart);
            unsigned high = 99;
            EXPECT_EQ(c.found, cs_hpm_wait(hart.hpm(), c.from, c.to, c.mask, &high)) << c.what;
            EXPECT_EQ(c.high, high) << c.what;
            EXPECT_EQ(c.found, cs_hpm_now(hart.hpm())) << c.what;
        }
    }
}

// Counters 3 and 5 are foreseen. Counter 4 carries while their requests are on their way, which
// nobody has looked for: it counts 15 a cycle, and could have come only so late.
TEST(HpmWait, OneThatIsNotForeseen)
{
    cs_hpm_config config = straps();
    config.lcofi_latency = 12;
    for (cs_cycle fourth : {1000u, 1005u, 1007u, 1008u, 1020u}) { // in which OF of 4 is 1
        Hart hart(config);
        unsigned high = 0;
        hart.inc(7, 1);
        hart.inc(8, 15);
        for (unsigned n : {3u, 4u, 5u})
            hart.event(n, n == 4 ? 8 : 7);
        hart.write(MIE, LCOFI);
        hart.counter(3, 0 - (1000 - (hart.t + 1)));
        hart.counter(5, 0 - (995 - (hart.t + 1)));
        hart.counter(4, 0 - 15 * (fourth - (hart.t + 1)));
        EXPECT_EQ(995u + 12, cs_hpm_wait(hart.hpm(), 100, 5000, TO_M, &high));
        EXPECT_EQ(TO_M, high);
        EXPECT_EQ(std::vector<cs_cycle>{995 + 12}, hart.edges(0, 1));
        hart.t = 995 + 12;
        EXPECT_EQ(fourth <= 1007 ? 0x38u : 0x28u, hart.read(SCOUNTOVF)) << fourth;
        hart.clear(MIP, LCOFI); // what came later is on its way
        hart.run(100);
        EXPECT_EQ((std::vector<cs_cycle>{1007, 1012}), hart.edges(0, 1)) << fourth;
        const cs_cycle now = hart.t;
        EXPECT_EQ(15 * (now - fourth), hart.counter(4)) << fourth;
    }
}

struct Deleter {
    void operator()(cs_hpm *hpm) const
    {
        cs_hpm_destroy(hpm);
    }
};
using Model = std::unique_ptr<cs_hpm, Deleter>;

Model make(RandomProgram &program)
{
    const cs_event_source source = program.hart.source();
    cs_hpm *made = nullptr;
    const cs_hpm_env env = {source, nullptr};
    EXPECT_EQ(CS_OK, cs_hpm_create(&program.config, &env, &made, nullptr));
    return Model(made);
}

// Between two accesses of a random program: one model waits, another is asked cycle by cycle.
void compare(uint64_t seed, unsigned *found)
{
    RandomProgram program(seed);
    Random random{mix(seed, 0x77)};
    const Model waits = make(program), steps = make(program);
    cs_cycle from = 0;

    for (cs_cycle t = 0; t < RandomProgram::CYCLES; t++) {
        const Pins p = program.pins(t);
        if (p.op < 0)
            continue;
        const unsigned mask = static_cast<unsigned>(random(8));
        unsigned high = 99, expected = 0;
        cs_cycle at = from;
        for (; at < t && expected == 0; at += expected == 0) {
            cs_hpm_advance(steps.get(), at);
            expected = cs_hpm_irq(steps.get()) & mask;
        }
        if (from <= t) {
            ASSERT_EQ(at, cs_hpm_wait(waits.get(), from, t, mask, &high)) << seed << " " << t;
            ASSERT_EQ(expected, high) << "seed " << seed << " cycle " << t;
            *found += high != 0 && at > from;
        }
        const cs_hpm_access access = {static_cast<uint16_t>(p.csr),
                                      static_cast<uint8_t>(p.op),
                                      static_cast<uint8_t>(p.mode),
                                      p.operand,
                                      p.time,
                                      p.stateen_m,
                                      p.stateen_h};
        const cs_hpm_result a = cs_hpm_access_csr(waits.get(), t, &access);
        const cs_hpm_result b = cs_hpm_access_csr(steps.get(), t, &access);
        ASSERT_EQ(b.value, a.value) << "seed " << seed << " cycle " << t;
        from = t + 1;
    }
}

TEST(HpmWait, RandomProgramsAgainstEveryCycle)
{
    unsigned found = 0;
    for (uint64_t seed = 0; seed < 150; seed++)
        ASSERT_NO_FATAL_FAILURE(compare(seed, &found));
    EXPECT_GT(found, 50u);
}

} // namespace

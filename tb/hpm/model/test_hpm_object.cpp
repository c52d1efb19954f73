// SPDX-License-Identifier: Apache-2.0
// cs_hpm_create and cs_hpm_reset: what is there, and that nothing of before is left. Time as the
// header promises it.
#include <algorithm>

#include "hart.hpp"
#include "support/refused_calloc.hpp"
#include "support/still.hpp"

namespace
{

#ifndef __SANITIZE_ADDRESS__
TEST(HpmObject, NoMemory)
{
    const cs_hpm_config config = straps();
    const cs_hpm_env env = {still_events(), nullptr};

    expect_no_memory<cs_hpm>("hpm", [&](cs_hpm **out, cs_diag *diag) {
        return cs_hpm_create(&config, &env, out, diag);
    });
}
#endif

TEST(HpmObject, NeedsWhatItAsks)
{
    const cs_hpm_config config = straps();
    cs_hpm_env no_sum = {still_events(), nullptr}, no_reach = no_sum;
    no_sum.events.sum = nullptr;
    no_reach.events.reach = nullptr;

    for (const cs_hpm_env *env :
         std::initializer_list<const cs_hpm_env *>{nullptr, &no_sum, &no_reach}) {
        cs_hpm *hpm = reinterpret_cast<cs_hpm *>(1);
        cs_diag diag = {};

        EXPECT_EQ(CS_ERR_RANGE, cs_hpm_create(&config, env, &hpm, &diag));
        EXPECT_EQ(nullptr, hpm);
        EXPECT_STREQ("env: events.sum and events.reach must be set", diag.text);
    }
}

// What comes too late would be answered wrongly: it ends the program, with or without NDEBUG.
TEST(HpmDeathTest, NothingInThePast)
{
    Hart h(straps());
    const cs_hpm_access read = {0xb00, CS_HPM_OP_READ, M, 0, 0, true, true};
    unsigned high;

    h.run(1000);
    cs_hpm_access_csr(h.hpm(), 1000, &read);
    EXPECT_DEATH(cs_hpm_access_csr(h.hpm(), 500, &read),
                 "^countersink: hpm: a CSR access in cycle 500: must be in 1001 or later\n$");
    EXPECT_DEATH(cs_hpm_access_csr(h.hpm(), 1000, &read), "must be in 1001 or later");
    EXPECT_DEATH(cs_hpm_wait(h.hpm(), 999, 2000, 1, &high),
                 "hpm: a wait from cycle 999 on: must be from 1000 on");
    EXPECT_DEATH(cs_hpm_reset(h.hpm(), 999), "hpm: a reset in cycle 999: must be in 1000 or later");
}

// docs/hw/hpm.md, section 5: every register, and every counter, is zero.
TEST(HpmReset, LeavesNothing)
{
    for (unsigned xlen : {32u, 64u}) {
        cs_hpm_config config = straps(xlen);
        config.aia = true;
        Hart h(config);

        for (int round = 0; round < 2; round++) // what the first enables the second can write
            for (unsigned csr = 0; csr < 0x1000; csr++)
                h.access(csr, CS_HPM_OP_WRITE, ~0ull);
        EXPECT_NE(0u, h.lines());
        h.t += 7;
        cs_hpm_reset(h.hpm(), h.t);
        EXPECT_EQ(h.t, cs_hpm_now(h.hpm()));
        EXPECT_EQ(0u, cs_hpm_irq(h.hpm()));
        EXPECT_EQ(CS_NEVER, cs_hpm_next(h.hpm()));
        for (unsigned csr = 0; csr < 0x1000; csr++)
            EXPECT_EQ(0u, h.access(csr, CS_HPM_OP_READ).value) << std::hex << csr;
    }
}

// docs/hw/hpm.md, "Other mhpmevents": the source is asked for a set, also for that of one event, and
// event 0 counts nothing.
TEST(HpmObject, SetsOfEvents)
{
    cs_hpm_config config = straps();
    config.event_sets = true;
    Hart h(config);
    for (uint32_t set : {0u, 1u, 0x8001u})
        h.inc(CS_HPM_EVENT_SET | set, 3);
    h.event(3, 0);
    h.event(4, 1);
    h.event(5, 0x8001);
    for (unsigned n : {3u, 4u, 5u})
        h.counter(n, 100);
    h.run(20); // counter 4 was written a cycle before counter 5, and is read a cycle before it
    EXPECT_EQ(100u, h.counter(3));
    EXPECT_EQ(100u + 3 * 22, h.counter(4));
    EXPECT_EQ(100u + 3 * 22, h.counter(5));
}

// A request comes once, however far a step goes beyond it.
TEST(HpmTime, ARequestComesOnce)
{
    for (cs_cycle step : {30u, 31u, 32u, 33u, 64u}) {
        cs_hpm_config config = straps();
        config.lcofi_latency = 31;
        Hart h(config);
        h.write(MIE, LCOFI);
        h.event(5, 9);
        h.counter(5, ~0ull);
        const cs_cycle set = h.t + 1 + 31;
        h.pulse(9, h.t, 1);
        h.run(1);
        h.run(step);
        h.t = std::max(h.t, set);
        h.write(MIP, 0);
        h.run(100);
        EXPECT_EQ(std::vector<cs_cycle>{set}, h.edges(0, 1)) << step;
        EXPECT_EQ(0u, h.read(MIP)) << step;
    }
}

} // namespace

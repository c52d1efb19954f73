// SPDX-License-Identifier: Apache-2.0
// cs_hpm_create and cs_hpm_reset: what is there, and that nothing of before is left. Time as the
// header promises it.
#include <algorithm>

#include "hart.hpp"
#include "support/refused_calloc.hpp"

namespace
{

#ifndef __SANITIZE_ADDRESS__
TEST(HpmObject, NoMemory)
{
    const cs_hpm_config config = straps();
    const cs_hpm_env env = {};

    expect_no_memory<cs_hpm>("hpm", [&](cs_hpm **out, cs_diag *diag) {
        return cs_hpm_create(&config, &env, out, diag);
    });
}
#endif

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

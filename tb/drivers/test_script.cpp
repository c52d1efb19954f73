// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "drivers/cpu.h"
#include "drivers/script.h"
#include "scenario/machine/script_spec.h"

namespace
{

struct Bus {
    std::vector<cs_bus_txn> requests;

    static cs_bus_submit submit(void *ctx, unsigned, cs_bus_txn *txn)
    {
        static_cast<Bus *>(ctx)->requests.push_back(*txn);
        txn->complete = txn->request + 9;
        txn->resp = txn->addr >= 0x1000 ? CS_BUS_DECERR : CS_BUS_OKAY;
        txn->data[0] = txn->write ? txn->data[0] : 0x5A;
        return CS_BUS_DONE;
    }
};

TEST(Script, CarriesOutItsStepsAndRemembers)
{
    const cs_script_step steps[] = {
        {CS_STEP_WRITE, 0x200, 4, 0xC1, 0, 0}, {CS_STEP_READ, 0x204, 2, 0, 0, 0},
        {CS_STEP_DELAY, 0, 0, 0, 100, 0},      {CS_STEP_WAIT_IRQ, 0, 0, 0, 50, 0},
        {CS_STEP_WAIT_IRQ, 0, 0, 0, 0, 0},     {CS_STEP_READ, 0x1000, 8, 0, 0, 0},
    };
    Bus bus;
    cs_script *script = nullptr;
    ASSERT_EQ(cs_script_create(steps, 6, &script, nullptr), CS_OK);
    cs_cpu_env env = {};
    env.bus = {Bus::submit, &bus};
    env.software = cs_script_software(script, 0);
    cs_cpu *cpu = nullptr;
    ASSERT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);

    size_t done = 99;
    cs_cpu_advance(cpu, 5);
    cs_script_get_results(script, &done);
    EXPECT_EQ(done, 0u);
    cs_cpu_irq(cpu, 200, 0, true);
    cs_cpu_advance(cpu, 1000);

    const cs_script_result *r = cs_script_get_results(script, &done);
    ASSERT_EQ(done, 6u);
    const struct {
        cs_cycle first, last;
        uint64_t value;
        unsigned resp;
        bool irq;
    } expected[] = {
        {1, 10, 0, CS_BUS_OKAY, false},   {11, 20, 0x5A, CS_BUS_OKAY, false},
        {21, 120, 0, CS_BUS_OKAY, false}, {121, 170, 0, CS_BUS_OKAY, false},
        {171, 200, 0, CS_BUS_OKAY, true}, {201, 210, 0x5A, CS_BUS_DECERR, false},
    };
    for (size_t i = 0; i < 6; i++) {
        SCOPED_TRACE(i);
        EXPECT_EQ(r[i].first, expected[i].first);
        EXPECT_EQ(r[i].last, expected[i].last);
        EXPECT_EQ(r[i].value, expected[i].value);
        EXPECT_EQ(r[i].resp, expected[i].resp);
        EXPECT_EQ(r[i].irq, expected[i].irq);
    }
    EXPECT_EQ(cs_cpu_end_cycle(cpu), 211u);
    ASSERT_EQ(bus.requests.size(), 3u);
    EXPECT_EQ(bus.requests[0].addr, 0x200u);
    EXPECT_EQ(bus.requests[0].data[0], 0xC1);
    EXPECT_EQ(bus.requests[1].size, 2);
    EXPECT_EQ(bus.requests[2].size, 8);
    cs_cpu_destroy(cpu);
    cs_script_destroy(script);
}

} // namespace

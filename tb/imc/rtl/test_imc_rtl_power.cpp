// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Power".
#include "imc_bench.hpp"

using namespace imc;

namespace
{

void begin(Core &core)
{
    core.tb_runs = false;
    core.write(TRACE, trace(0, 0xFFFFFFFF));
    core.write(PDBAR, ~uint64_t{0});
    core.write(EVENT_MASK, count_all);
    core.write(HTM_MODE, mode_on);
    for (unsigned t = 0; t < 4; t++)
        core.write_ldbar(t, ldbar_trace | 0x2000);
    core.write(FIR, ~uint64_t{0});
    core.write(ERR_RPT, ~uint64_t{0});
}

void expect_reset_state(Core &core)
{
    EXPECT_EQ(core.state(), OFF);
    for (unsigned sel = 0; sel < 7; sel++)
        EXPECT_EQ(core.access(false, sel, 0), (Answer{0, false})) << sel;
    for (unsigned t = 0; t < 4; t++)
        EXPECT_EQ(core.access_ldbar(false, t, 0), (Answer{0, false}));
}

TEST(Power, ACycleWithoutIsAReset)
{
    Core core;
    begin(core);
    core.in.power = false;
    core.step();
    core.in.power = true;
    expect_reset_state(core);
    EXPECT_EQ(core.dut.active_o, 0u);
}

TEST(Power, AccessesAreAnsweredWithAnError)
{
    Core core;
    begin(core);
    core.in.power = false;
    for (bool write : {false, true}) {
        for (unsigned sel = 0; sel < 7; sel++)
            EXPECT_EQ(core.access(write, sel, ~uint64_t{0}), (Answer{0, true}));
        for (unsigned t = 0; t < 4; t++)
            EXPECT_EQ(core.access_ldbar(write, t, ~uint64_t{0}), (Answer{0, true}));
    }
    core.in.power = true;
    expect_reset_state(core);
}

TEST(Power, TheTransferEndsAndWhatWaitsIsGone)
{
    Core core;
    core.memory.stuck = true;
    begin(core);
    core.count({1, 0, 0, 0});
    core.step(10); // one record is being written, all four threads have one waiting
    EXPECT_EQ(core.status(12, 15), 5u);
    const size_t lost = core.lost.size();
    core.in.power = false;
    core.step();
    EXPECT_EQ(core.lost.size(), lost); // the sample of this cycle leaves no trace either
    core.step(5);
    core.in.power = true;
    EXPECT_EQ(core.read(STATUS), status_trace | put(1, 15));
    core.memory.response = [](const Burst &) { return unsigned{SLVERR}; };
    core.memory.stuck = false;
    core.settle();
    core.step(50);
    EXPECT_EQ(core.memory.bursts.size(), 1u);
    EXPECT_EQ(core.samples.size(), 1u);
    EXPECT_TRUE(core.dropped.empty());
}

TEST(Power, AnErrorWithoutPowerIsNotKept)
{
    for (bool back : {false, true}) {
        Core core;
        core.memory.response = [](const Burst &) { return unsigned{SLVERR}; };
        core.memory.stuck = true;
        begin(core);
        core.count({1, 0, 0, 0});
        core.step(20);
        core.in.power = false;
        core.step();
        core.in.power = back;
        core.memory.stuck = false;
        while (core.samples.empty())
            core.step();
        EXPECT_EQ(core.samples[0].resp, SLVERR);
        core.in.power = true;
        EXPECT_EQ(core.read(FIR), back ? fir_dead : 0);
    }
}

TEST(Power, NothingIsTakenWithoutPower)
{
    Core core;
    begin(core);
    core.count({1, 0, 0, 0});
    core.step(2); // carry, snapshot; the record waits in the next
    core.in.power = false;
    core.step(3);
    core.in.power = true;
    core.step(20);
    EXPECT_TRUE(core.memory.bursts.empty());
    EXPECT_TRUE(core.samples.empty());
}

TEST(Power, CycleAndRecordNumbersGoOn)
{
    Core core;
    begin(core);
    core.count({1, 0, 0, 0});
    core.step(100);
    core.count({0, 0, 0, 0});
    for (int i = 0; i < 6; i++)
        core.settle();
    const size_t before = core.samples.size();
    uint32_t of_thread_0 = 0;
    for (const Sample &s : core.samples)
        of_thread_0 += s.thread == 0;
    core.in.power = false;
    core.step(7);
    core.in.power = true;
    core.write(TRACE, trace(0, 0xFFFFFFFF));
    core.write(HTM_MODE, mode_on);
    core.write_ldbar(0, ldbar_trace);
    core.count({1, 0, 0, 0});
    const uint64_t t = core.cycle;
    core.step();
    core.count({0, 0, 0, 0});
    core.settle();
    ASSERT_EQ(core.samples.size(), before + 1);
    EXPECT_EQ(core.samples.back().number, of_thread_0);
    EXPECT_EQ(core.samples.back().snap, t + 1);
}

} // namespace

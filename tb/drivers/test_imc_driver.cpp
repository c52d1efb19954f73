// SPDX-License-Identifier: Apache-2.0
// OPAL, the kernel's IMC driver and perf stat, against memory and a list of what was accessed.
// Trace mode and its dump: test_imc_driver_dump.cpp.
#include "imc_driver_session.hpp"
#include "scenario/imc/imc_driver_spec.h"

using namespace imc_driver_session;
using namespace cs_power_test;

namespace
{

// ---- boot ----

TEST(ImcDriver, BootPreparesEveryCoreAndThread)
{
    ImcSession s(kCoreStat);
    s.run();

    EXPECT_EQ(s.log(0, 20 * kUs), kCoreBoot);
    EXPECT_EQ(s.outside, 0u);
    EXPECT_EQ(s.stays[0].cpu, 1u); // software.cpu
    EXPECT_EQ(s.stays[0].from, 1u);
    // four calls, and 14 writes
    EXPECT_EQ(s.stays[0].to, 1 + 4 * kOpal + 14 * (kBusCycles + 1));
    EXPECT_EQ(s.accesses[0].request, 1 + kOpal);
}

// perf may be on a CPU of another kind: OPAL is called on the first of IMC's then.
TEST(ImcDriver, BootIsOnACpuOfItsOwn)
{
    const struct {
        int tool;
        unsigned boots;
    } rows[] = {{0, 0}, {3, 3}, {4, 0}, {5, 0}};

    for (const auto &row : rows) {
        ImcSession s(kCoreStat);
        s.tool_cpu = row.tool;
        s.run();
        EXPECT_EQ(s.stays[0].cpu, row.boots) << row.tool;
        EXPECT_EQ(s.log(0, 20 * kUs), kCoreBoot) << row.tool;
    }
}

TEST(ImcDriver, BootStopsTheNestForTheFirmwareAndForTheKernel)
{
    ImcSession s(kCoreStat, "", kWithNest);
    s.nest_runs();
    s.run();

    Log expected = {"read bf9bfc18", "read bf9bfc00", "write bf9bfc08=2", "read bf9bfc00",
                    "write bf9bfc08=2"};
    expected.insert(expected.end(), kCoreBoot.begin(), kCoreBoot.end());
    EXPECT_EQ(s.log(0, 20 * kUs), expected);
    EXPECT_EQ(s.get(kNest + 0x3fc08), 2u);
}

// Its status is zero: the engine has not begun. The nodes go, and nothing is written.
TEST(ImcDriver, ANestThatHasNotBegunIsGone)
{
    ImcSession s(command("nest", 20, 40), "", kWithNest);
    s.put(kNest + 0x3fc18, UINT64_MAX);
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.log_of("write"), Log{});
    EXPECT_EQ(s.opened, (Log{"0 ENODEV: OPAL could not pause the nest's engine and has removed its "
                             "nodes"}));
    EXPECT_EQ(r.opal_errors, 2u);
    ASSERT_EQ(s.troubles.size(), 1u);
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_NEST_LOST);
    ASSERT_EQ(s.warnings.size(), 2u); // the other is the command's
    EXPECT_EQ(s.warnings[0],
              "imc_driver.boot_cycles: the nest's engine had not begun when OPAL came "
              "to pause it: OPAL removes its nodes");
}

// A CLEAR of somebody else sets the status to INIT, which is zero.
TEST(ImcDriver, AStartOfANestInInitIsAHardwareError)
{
    ImcSession s(command("nest", 20, 40), "", kWithNest);
    s.nest_runs();
    s.at(10 * kUs, [&] { s.put(kNest + 0x3fc00, 0); });
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.opened, Log{"0 good"});
    EXPECT_EQ(s.work(), (Log{"read bf9bfc00", "read bf980448"}));
    EXPECT_TRUE(s.counts.empty());
    EXPECT_EQ(r.opal_errors, 1u);
    ASSERT_EQ(s.troubles.size(), 1u);
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_START_FAILED);
    EXPECT_EQ(s.troubles[0].command, 0u);
}

TEST(ImcDriver, AUnitThatIsNotAvailableIsGone)
{
    ImcSession s(command("nest", 20, 40), "", kWithNest);
    s.put(kNest + 0x3fc00, 1);
    s.put(kNest + 0x3fc18, ~(UINT64_C(1) << (63 - 9))); // all but mba0
    s.run();
    EXPECT_EQ(s.opened,
              (Log{"0 ENODEV: the unit is not available, and OPAL has removed its node"}));
    EXPECT_EQ(s.work(), Log{});
}

TEST(ImcDriver, TheSoftwareComesUpWhenItBoots)
{
    ImcSession s(kCoreStat);
    s.scenario->imc_driver->boot_cycles = 25 * kUs;
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.stays[0].from, 25 * kUs);
    EXPECT_GT(s.counts.at(0).from, s.stays[0].to);
    EXPECT_EQ(r.late_cycles, s.stays[0].to - 20 * kUs);
    ASSERT_EQ(s.troubles.size(), 1u); // a quarter of the command's time
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_LATE);
    EXPECT_EQ(s.troubles[0].late, r.late_cycles);
}

TEST(ImcDriver, BootOfPower10)
{
    ImcSession s(ImcSession::Raw{
        ImcSession::yaml("{pmu: core, cpus: [0], events: [CPM_NON_IDLE_INST], start_us: 20, "
                         "stop_us: 40}",
                         ", variant: power10", "", "power10_small.dts"),
        CS_SOURCE_DIR "/configs/imc"});
    s.run();

    Log expected = kCoreBoot;
    expected[11] = "TRACE0=3fffffc142020000";
    expected[13] = "TRACE1=3fffffc142020000";
    EXPECT_EQ(s.log(0, 20 * kUs), expected);
}

TEST(ImcDriver, WhatOpalWritesCanBeSaidOtherwise)
{
    ImcSession s(kCoreStat, "", "");
    s.scenario->imc_driver->event_mask = 0x1234;
    s.scenario->imc_driver->trace_scom = 0x5678;
    s.run();
    EXPECT_EQ(s.log_of("MASK"), (Log{"MASK0=1234", "MASK1=1234"}));
    EXPECT_EQ(s.log_of("TRACE"), (Log{"TRACE0=5678", "TRACE1=5678"}));
}

TEST(ImcDriver, TheKernelsMemoryIsApart)
{
    const ImcSession s(kCoreStat);
    const cs_imc_memory memory = cs_imc_memory_of(s.scenario);

    EXPECT_EQ(cs_imc_core_memory(&memory, 0), kCore0);
    EXPECT_EQ(cs_imc_core_memory(&memory, 1), kCore1);
    EXPECT_EQ(cs_imc_thread_memory(&memory, 0), kThread0);
    EXPECT_EQ(cs_imc_thread_memory(&memory, 3), kThread3);
    EXPECT_EQ(cs_imc_trace_buffer(&memory, 0), kTrace0);
    EXPECT_EQ(cs_imc_trace_buffer(&memory, 1), kTrace1);
    EXPECT_EQ(memory.trace_bytes, 0x40000u);
}

// ---- perf stat ----

TEST(ImcDriver, AStatReadsBeforeAndAfter)
{
    ImcSession s(kCoreStat);
    s.put(kCore0 + kInst, 1000);
    s.at(30 * kUs, [&] { s.put(kCore0 + kInst, 1234); });
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.opened, (Log{"0 good"}));
    EXPECT_EQ(s.work(), (Log{"HTM0=e800000000000000", "read 81000020", "read 81000020",
                             "HTM0=e000000000000000"}));
    ASSERT_EQ(s.counts.size(), 1u);
    EXPECT_EQ(s.counts[0].event, "CPM_INST");
    EXPECT_EQ(s.counts[0].command, 0u);
    EXPECT_EQ(s.counts[0].cpu, 0u);
    EXPECT_EQ(s.counts[0].raw, 234u);
    // what the CPU that counts spends, to the cycle; a value is of the cycle after its read
    const cs_cycle first = 20 * kUs + kCrossCall + kOpal + 2 * (kBusCycles + 1);
    const cs_cycle last = 40 * kUs + kCrossCall + kBusCycles + 1;
    EXPECT_EQ(s.counts[0].from, first);
    EXPECT_EQ(s.counts[0].to, last);
    ASSERT_EQ(s.stays.size(), 3u);
    EXPECT_EQ(s.stays[1], (Stay{0, 20 * kUs, first}));
    EXPECT_EQ(s.stays[2], (Stay{0, 40 * kUs, last + kOpal + kBusCycles + 1}));
    EXPECT_EQ(cs_cpu_end_cycle(s.cpu), s.stays[2].to);
    EXPECT_EQ(s.outside, 0u);
    EXPECT_EQ(r.opal_calls, 4u + 2u);
    EXPECT_EQ(r.opal_errors, 0u);
    EXPECT_EQ(r.read_errors, 0u);
    EXPECT_EQ(r.refused, 0u);
    EXPECT_EQ(r.dumps, 0u);
}

TEST(ImcDriver, ADifferenceIsModuloTwoToThe64)
{
    const struct {
        uint64_t before, after, raw;
    } cases[] = {
        {0, 0, 0},
        {UINT64_MAX - 15, 16, 32},
        {UINT64_MAX, 0, 1},
        {1, 0, UINT64_MAX},
        {0x0123456789abcdef, 0x0123456789abcdf0, 1}, // the order of its bytes
        {0, 0x0100000000000000, 0x0100000000000000},
    };

    for (const auto &c : cases) {
        ImcSession s(kCoreStat);
        s.put(kCore0 + kInst, c.before);
        s.at(30 * kUs, [&] { s.put(kCore0 + kInst, c.after); });
        s.run();
        EXPECT_EQ(s.raws(), std::vector<uint64_t>{c.raw}) << c.before;
    }
}

TEST(ImcDriver, AnIntervalCountsFromTheLastOne)
{
    ImcSession s("{pmu: core, cpus: [0], events: [CPM_INST, CPM_PCYC], start_us: 20, "
                 "stop_us: 50, interval_us: 10}");
    s.put(kCore0 + kInst, UINT64_MAX - 4);
    s.at(25 * kUs, [&] { s.put(kCore0 + kInst, 5); });
    s.at(35 * kUs, [&] { s.put(kCore0 + kInst, 25); });
    s.at(45 * kUs, [&] { s.put(kCore0 + kPcyc, 7); });
    s.run();

    // START once, STOP once; three times two counts
    EXPECT_EQ(s.work(), (Log{"HTM0=e800000000000000", "read 81000020", "read 81000018",
                             "read 81000020", "read 81000018", "read 81000020", "read 81000018",
                             "read 81000020", "read 81000018", "HTM0=e000000000000000"}));
    EXPECT_EQ(s.raws(), (std::vector<uint64_t>{10, 0, 20, 0, 0, 7}));
    for (size_t i = 2; i < s.counts.size(); i++)
        EXPECT_EQ(s.counts[i].from, s.counts[i - 2].to);
    for (size_t i = 0; i < s.counts.size(); i++)
        EXPECT_EQ(s.counts[i].to / (10 * kUs), 3 + i / 2);
}

// An interval that comes round while the driver is at work is not made up for.
TEST(ImcDriver, ALateDriverSkipsIntervals)
{
    ImcSession s("{pmu: core, cpus: [0], events: [CPM_INST], start_us: 20, stop_us: 30, "
                 "interval_us: 1}");
    s.scenario->imc_driver->cross_call_cycles = 2500;
    s.run();

    // busy from 20 to 22.57, 22.57 to 25.08 and so on: always late, the end too
    EXPECT_EQ(s.counts.size(), 4u);
    for (size_t i = 1; i < s.counts.size(); i++)
        EXPECT_EQ(s.counts[i].to - s.counts[i - 1].to, 2500 + kBusCycles + 1);
}

// powerpc/imc/imc_cmd_0 and imc_mode_0: the word as it is, whatever it means, beside perf.
TEST(ImcDriver, DebugfsWritesTheControlBlock)
{
    std::string text = ImcSession::yaml(command("nest", 20, 40), "", kWithNest);
    text.insert(text.find("  perf:"), "  debugfs:\n"
                                      "    - {file: imc_cmd_0, value: 2, at_us: 25}\n"
                                      "    - {file: imc_mode_0, value: 0x1234, at_us: 25}\n"
                                      "    - {file: imc_cmd_0, value: 77, at_us: 60}\n");
    ImcSession s(ImcSession::Raw{text, CS_SOURCE_DIR "/configs/imc"});
    s.nest_runs();
    s.at(30 * kUs, [&] {
        EXPECT_EQ(s.get(kNest + 0x3fc08), 2u);
        EXPECT_EQ(s.get(kNest + 0x3fc20), 0x1234u);
    });
    s.run();
    EXPECT_EQ(s.opened, Log{"0 good"});
    EXPECT_EQ(s.get(kNest + 0x3fc08), 77u) << "after the command's end, too";
    EXPECT_EQ(s.log(25 * kUs, 30 * kUs).size(), 2u);
    EXPECT_EQ(s.outside, 0u);
}

TEST(ImcDriver, OneCpuStandsForItsCoreAndForTheChip)
{
    ImcSession s("{pmu: core, cpus: all, events: [CPM_INST], start_us: 20, stop_us: 40}\n"
                 "{pmu: nest, cpus: all, events: [nest_powerbus0_imc/PM_PB_CYC, "
                 "PM_MBA0_READ_BYTES], start_us: 50, stop_us: 60}\n"
                 "{pmu: thread, task: true, cpus: all, events: [CPM_CS_PCYC_USER], "
                 "start_us: 70, stop_us: 80}",
                 "", kWithNest);
    s.nest_runs();
    s.run();
    EXPECT_EQ(event_names(s.counts),
              "CPM_INST@0 CPM_INST@2 PM_PB_CYC@0 PM_MBA0_READ_BYTES@0 CPM_CS_PCYC_USER@0 "
              "CPM_CS_PCYC_USER@1 CPM_CS_PCYC_USER@2 CPM_CS_PCYC_USER@3 ");

    ImcSession second("{pmu: core, cpus: [1, 3], events: [CPM_INST], start_us: 20, stop_us: 40}");
    second.run();
    EXPECT_EQ(event_names(second.counts), "CPM_INST@1 CPM_INST@3 ");
    EXPECT_EQ(second.log_of("read"),
              (Log{"read 81000020", "read 81002020", "read 81000020", "read 81002020"}));
}

TEST(ImcDriver, TheNestIsReadInItsWindow)
{
    ImcSession s("{pmu: nest, cpus: [2], events: [nest_powerbus0_imc/PM_PB_CYC, "
                 "PM_MCS01_128B_RD_DISP_PORT01], start_us: 20, stop_us: 40}",
                 "", kWithNest);
    s.nest_runs();
    s.put(kNest + 0x80, 5);
    s.at(30 * kUs, [&] {
        EXPECT_EQ(s.get(kNest + 0x3fc08), 1u); // RESUME, as the engine reads it
        s.put(kNest + 0x80, 105);
        s.put(kNest + 0xd0, 11);
    });
    s.run();

    EXPECT_EQ(s.work(),
              (Log{"read bf9bfc00", "write bf9bfc08=1", "read bf980080", "read bf9800d0",
                   "read bf980080", "read bf9800d0", "read bf9bfc00", "write bf9bfc08=2"}));
    EXPECT_EQ(s.raws(), (std::vector<uint64_t>{100, 11}));
    EXPECT_EQ(s.stays[1].cpu, 2u);
    EXPECT_EQ(s.get(kNest + 0x3fc08), 2u);
}

// perf stat of a thread: its LDBAR points to its memory, and loses only its bit 0 in the end.
TEST(ImcDriver, AThreadIsPointedToItsMemory)
{
    ImcSession s("{pmu: thread, task: true, cpus: [1], events: [CPM_CS_PCYC_USER], start_us: 20, "
                 "stop_us: 50, interval_us: 20}");
    s.put(kThread1 + kPcycUser, 3);
    s.at(30 * kUs, [&] { s.put(kThread1 + kPcycUser, 10); });
    s.at(45 * kUs, [&] { s.put(kThread1 + kPcycUser, 11); });
    s.run();

    EXPECT_EQ(s.work(), (Log{"read 81007018", "LDBAR1=8000000081006000", "HTM0=e800000000000000",
                             "read 81007018", // the interval
                             "HTM0=e000000000000000", "LDBAR1=81006000", "read 81007018"}));
    EXPECT_EQ(s.raws(), (std::vector<uint64_t>{7, 1}));
}

} // namespace

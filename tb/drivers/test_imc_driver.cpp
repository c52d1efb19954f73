// OPAL, the kernel's IMC driver and perf stat, against memory and a list of what was accessed.
// Trace mode and its dump: test_imc_driver_dump.cpp.
#include "imc_session.hpp"

using namespace cs_power_test;

namespace
{

const std::string kCoreStat = "{pmu: core, cpus: [0], events: [CPM_INST], start_us: 20, "
                              "stop_us: 40}";

std::string event_names(const std::vector<Count> &counts)
{
    std::string text;
    for (const Count &c : counts)
        text += c.event + "@" + std::to_string(c.cpu) + " ";
    return text;
}

// ---- boot ----

const Log kCoreBoot = {
    "PDBAR0=81000000",
    "MASK0=402010000000000",
    "HTM0=e000000000000000",
    "PDBAR1=81002000",
    "MASK1=402010000000000",
    "HTM1=e000000000000000",
    "LDBAR0=0",
    "LDBAR1=0",
    "LDBAR2=0",
    "LDBAR3=0",
    "HTM0=e000000000000000",
    "TRACE0=7fffffc142020000",
    "HTM1=e000000000000000",
    "TRACE1=7fffffc142020000",
};

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

TEST(ImcDriver, BootStopsTheNestForTheFirmwareAndForTheKernel)
{
    ImcSession s(kCoreStat, "", "nest: {present: true}\n");
    s.run();

    Log expected = {"write bf9bfc08=2", "write bf9bfc08=2"};
    expected.insert(expected.end(), kCoreBoot.begin(), kCoreBoot.end());
    EXPECT_EQ(s.log(0, 20 * kUs), expected);
    EXPECT_EQ(s.get(kNest + 0x3fc08), 2u);
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
    s.scenario->imc_driver.event_mask = 0x1234;
    s.scenario->imc_driver.trace_scom = 0x5678;
    s.run();
    EXPECT_EQ(s.log_of("MASK"), (Log{"MASK0=1234", "MASK1=1234"}));
    EXPECT_EQ(s.log_of("TRACE"), (Log{"TRACE0=5678", "TRACE1=5678"}));
}

TEST(ImcDriver, TheKernelsMemoryIsApart)
{
    const ImcSession s(kCoreStat);

    EXPECT_EQ(cs_imc_core_memory(s.scenario, 0), kCore0);
    EXPECT_EQ(cs_imc_core_memory(s.scenario, 1), kCore1);
    EXPECT_EQ(cs_imc_thread_memory(s.scenario, 0), kThread0);
    EXPECT_EQ(cs_imc_thread_memory(s.scenario, 3), kThread3);
    EXPECT_EQ(cs_imc_trace_buffer(s.scenario, 0), kTrace0);
    EXPECT_EQ(cs_imc_trace_buffer(s.scenario, 1), kTrace1);
    EXPECT_EQ(cs_imc_trace_bytes(s.scenario), 0x40000u);
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
    const cycle_t first = 20 * kUs + kCrossCall + kOpal + 2 * (kBusCycles + 1);
    const cycle_t last = 40 * kUs + kCrossCall + kBusCycles + 1;
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
    s.scenario->imc_driver.cross_call_cycles = 2500;
    s.run();

    // busy from 20 to 22.57, 22.57 to 25.08 and so on: always late, the end too
    EXPECT_EQ(s.counts.size(), 4u);
    for (size_t i = 1; i < s.counts.size(); i++)
        EXPECT_EQ(s.counts[i].to - s.counts[i - 1].to, 2500 + kBusCycles + 1);
}

TEST(ImcDriver, OneCpuStandsForItsCoreAndForTheChip)
{
    ImcSession s("{pmu: core, cpus: all, events: [CPM_INST], start_us: 20, stop_us: 40}\n"
                 "{pmu: nest, cpus: all, events: [nest_powerbus0_imc/PM_PB_CYC, "
                 "PM_MBA0_READ_BYTES], start_us: 50, stop_us: 60}\n"
                 "{pmu: thread, task: true, cpus: all, events: [CPM_CS_PCYC_USER], "
                 "start_us: 70, stop_us: 80}",
                 "", "nest: {present: true}\n");
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
                 "", "nest: {present: true}\n");
    s.put(kNest + 0x80, 5);
    s.at(30 * kUs, [&] {
        EXPECT_EQ(s.get(kNest + 0x3fc08), 1u); // RESUME, as the engine reads it
        s.put(kNest + 0x80, 105);
        s.put(kNest + 0xd0, 11);
    });
    s.run();

    EXPECT_EQ(s.work(), (Log{"write bf9bfc08=1", "read bf980080", "read bf9800d0", "read bf980080",
                             "read bf9800d0", "write bf9bfc08=2"}));
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

    EXPECT_EQ(s.work(), (Log{"LDBAR1=8000000081006000", "HTM0=e800000000000000", "read 81007018",
                             "read 81007018", // the interval
                             "HTM0=e000000000000000", "LDBAR1=81006000", "read 81007018"}));
    EXPECT_EQ(s.raws(), (std::vector<uint64_t>{7, 1}));
}

// ---- perf's config without a name ----

TEST(ImcDriver, AConfigIsTheEventAtItsOffset)
{
    ImcSession s("{pmu: core, cpus: [0], config: 0x28, start_us: 20, stop_us: 40}\n"
                 "{pmu: core, cpus: [0], config: 0x100000028, start_us: 20, stop_us: 40}\n"
                 "{pmu: nest, cpus: [0], config: 0x80, start_us: 20, stop_us: 40}\n",
                 "", "nest: {present: true}\n");
    s.at(30 * kUs, [&] {
        s.put(kCore0 + kNonIdleInst, 6);
        s.put(kNest + 0x80, 4);
    });
    s.run();
    EXPECT_EQ(s.opened, (Log{"0 good", "1 good", "2 good"}));
    EXPECT_EQ(event_names(s.counts), "CPM_NON_IDLE_INST@0 CPM_NON_IDLE_INST@0 PM_PB_CYC@0 ");
    EXPECT_EQ(s.raws(), (std::vector<uint64_t>{6, 6, 4}));
}

TEST(ImcDriver, AConfigThatIsNoEventIsOpenedAndNotCounted)
{
    ImcSession s("{pmu: core, cpus: [0], config: 0x2000, start_us: 20, stop_us: 40}\n"
                 "{pmu: core, cpus: [0], config: 0x2001, start_us: 20, stop_us: 40}\n"
                 "{pmu: trace, cpus: [0], config: 0xffffffff, sample_period: 1, start_us: 50, "
                 "stop_us: 60}");
    s.run();
    EXPECT_EQ(s.opened,
              (Log{"0 good", "1 EINVAL: the offset is beyond the unit's memory", "2 good"}));
    EXPECT_TRUE(s.counts.empty());
    EXPECT_EQ(s.log_of("read 81000"), Log{});
}

// ---- references ----

TEST(ImcDriver, ACoreIsStartedByTheFirstAndStoppedByTheLast)
{
    ImcSession s("{pmu: core, cpus: [0], events: [CPM_INST], start_us: 20, stop_us: 40}\n"
                 "{pmu: core, cpus: [1], events: [CPM_INST], start_us: 30, stop_us: 60}\n"
                 "{pmu: core, cpus: [2], events: [CPM_INST], start_us: 35, stop_us: 37}\n"
                 "{pmu: core, cpus: [0], events: [CPM_PCYC], start_us: 50, stop_us: 70}");
    s.run();

    EXPECT_EQ(s.log(20 * kUs, 30 * kUs), (Log{"HTM0=e800000000000000", "read 81000020"}));
    EXPECT_EQ(s.log(30 * kUs, 35 * kUs), (Log{"read 81000020"}));
    EXPECT_EQ(s.log(35 * kUs, 40 * kUs), (Log{"HTM1=e800000000000000", "read 81002020",
                                              "read 81002020", "HTM1=e000000000000000"}));
    EXPECT_EQ(s.log(40 * kUs, 50 * kUs), (Log{"read 81000020"}));
    EXPECT_EQ(s.log(50 * kUs, 60 * kUs), (Log{"read 81000018"}));
    EXPECT_EQ(s.log(60 * kUs, 70 * kUs), (Log{"read 81000020"}));
    EXPECT_EQ(s.log(70 * kUs), (Log{"read 81000018", "HTM0=e000000000000000"}));
}

TEST(ImcDriver, ThreadsShareTheReferenceOfTheirCore)
{
    ImcSession s("{pmu: thread, task: true, cpus: [0, 1], events: [CPM_CS_PCYC_USER], "
                 "start_us: 20, stop_us: 40}");
    s.run();
    EXPECT_EQ(s.work(), (Log{"LDBAR0=8000000081004000", "HTM0=e800000000000000", "read 81005018",
                             "LDBAR1=8000000081006000", "read 81007018",
                             // the end
                             "LDBAR0=81004000", "read 81005018", "HTM0=e000000000000000",
                             "LDBAR1=81006000", "read 81007018"}));
}

TEST(ImcDriver, TheNestIsStartedByTheFirstAndStoppedByTheLast)
{
    const std::string event = "events: [PM_MBA0_READ_BYTES], ";
    ImcSession s("{pmu: nest, cpus: [0], " + event + "start_us: 20, stop_us: 40}\n" +
                     "{pmu: nest, cpus: [3], " + event + "start_us: 30, stop_us: 50}",
                 "", "nest: {present: true}\n");
    s.run();
    EXPECT_EQ(s.log_of("write"), (Log{"write bf9bfc08=2", "write bf9bfc08=2", "write bf9bfc08=1",
                                      "write bf9bfc08=2"}));
    EXPECT_LT(s.when("write bf9bfc08=1"), 30 * kUs);
    EXPECT_GT(s.accesses.back().request, 50 * kUs);
}

TEST(ImcDriver, TraceHasReferencesOfItsOwn)
{
    const std::string event = "events: [trace_cycles], sample_period: 1, ";
    ImcSession s("{pmu: trace, cpus: [0], " + event + "start_us: 20, stop_us: 40}\n" +
                 "{pmu: trace, cpus: [1, 2], " + event + "start_us: 30, stop_us: 50}");
    s.run();
    const Log work = s.work();
    Log htm;
    std::copy_if(work.begin(), work.end(), std::back_inserter(htm),
                 [](const std::string &a) { return a.find("HTM") == 0; });
    EXPECT_EQ(htm, (Log{"HTM0=e800000000000000", "HTM1=e800000000000000", "HTM0=e000000000000000",
                        "HTM1=e000000000000000"}));
    EXPECT_EQ(s.log(40 * kUs, 50 * kUs).front(), "read 81040000+128"); // CPU 1 still traces
    EXPECT_EQ(s.log(50 * kUs).front(), "HTM0=e000000000000000");
}

// ---- who excludes whom ----

std::string command(const std::string &pmu, unsigned start_us, unsigned stop_us)
{
    const std::map<std::string, std::string> rest = {
        {"core", "events: [CPM_INST]"},
        {"thread", "task: true, events: [CPM_CS_PCYC_USER]"},
        {"trace", "sample_period: 1, events: [trace_cycles]"},
        {"nest", "events: [PM_MBA0_READ_BYTES]"},
    };
    return "{pmu: " + pmu + ", cpus: [0], " + rest.at(pmu) +
           ", start_us: " + std::to_string(start_us) + ", stop_us: " + std::to_string(stop_us) +
           "}";
}

TEST(ImcDriver, CoreThreadAndTraceExcludeEachOtherEverywhere)
{
    const std::string busy = "1 EBUSY: another of core, thread and trace is in use";

    for (const char *first : {"core", "thread", "trace", "nest"})
        for (const char *second : {"core", "thread", "trace", "nest"}) {
            SCOPED_TRACE(std::string(first) + " then " + second);
            std::string other = command(second, 30, 40);
            other.replace(other.find("[0]"), 3, "[3]"); // of the other core
            ImcSession s(command(first, 20, 50) + "\n" + other + "\n" + command(second, 60, 70), "",
                         "nest: {present: true}\n");
            const cs_imc_driver_report &r = s.run();
            const bool refused = std::string(first) != second && std::string(first) != "nest" &&
                                 std::string(second) != "nest";

            EXPECT_EQ(s.opened, (Log{"0 good", refused ? busy : std::string("1 good"), "2 good"}));
            EXPECT_EQ(r.refused, refused ? 1u : 0u);
            if (refused) {
                EXPECT_EQ(s.log(30 * kUs, 50 * kUs), Log{});
            }
        }
}

// A refused command holds nothing, and the last of several frees the three.
TEST(ImcDriver, ItIsFreeAgainWhenTheLastHasEnded)
{
    ImcSession s(command("core", 20, 50) + "\n" + command("thread", 22, 90) + "\n" +
                 command("core", 30, 70) + "\n" + command("trace", 60, 65) + "\n" +
                 command("trace", 80, 85) + "\n" + command("thread", 87, 89));
    s.run();
    const std::string busy = " EBUSY: another of core, thread and trace is in use";
    EXPECT_EQ(s.opened, (Log{"0 good", "1" + busy, "2 good", "3" + busy, "4 good", "5 good"}));
}

TEST(ImcDriver, TheNestFreesNothing)
{
    ImcSession s(command("core", 20, 50) + "\n" + command("nest", 30, 40) + "\n" +
                     command("trace", 45, 60) + "\n" + command("trace", 55, 60),
                 "", "nest: {present: true}\n");
    s.run();
    EXPECT_EQ(s.opened, (Log{"0 good", "1 good",
                             "2 EBUSY: another of core, thread and trace is in use", "3 good"}));
}

TEST(ImcDriver, WhatPerfMayNotOpenIsToldAndDoesNothing)
{
    const struct {
        const char *command;
        const char *opened;
    } cases[] = {
        {"pmu: core, cpus: [0], events: [CPM_INST], sample_period: 1000",
         "0 EINVAL: counts only, cannot sample"},
        {"pmu: core, cpus: [0], events: [CPM_INST], task: true",
         "0 EINVAL: counts CPUs, not tasks"},
        {"pmu: core, cpus: [0], events: [CPM_INST], exclude: true",
         "0 EINVAL: IMC cannot exclude modes"},
        {"pmu: thread, cpus: [0], events: [CPM_CS_PCYC_USER]", "0 EINVAL: counts tasks, not CPUs"},
        {"pmu: thread, cpus: [0], task: true, privileged: false, events: [CPM_CS_PCYC_USER]",
         "0 EACCES: needs perfmon_capable"},
        {"pmu: trace, cpus: [0], events: [trace_cycles]", "0 ENOENT: samples only, cannot count"},
        {"pmu: trace, cpus: [0], events: [trace_cycles], sample_period: 1, privileged: false",
         "0 EACCES: needs perfmon_capable"},
        {"pmu: nest, cpus: [0], events: [PM_MBA0_READ_BYTES]",
         "0 ENODEV: there is no memory for it"},
    };

    for (const auto &c : cases) {
        ImcSession s(std::string("{") + c.command + ", start_us: 20, stop_us: 40}");
        const cs_imc_driver_report &r = s.run();
        EXPECT_EQ(s.opened, Log{c.opened});
        EXPECT_EQ(s.work(), Log{});
        EXPECT_EQ(r.refused, 1u);
        EXPECT_EQ(s.stays.size(), 1u);
        EXPECT_TRUE(s.counts.empty());
    }
}

// ---- bus errors ----

bool is_scom(const cs_bus_txn &txn, uint64_t address)
{
    return txn.addr == CS_SCOM_BASE + 8 * address;
}

TEST(ImcDriver, TheFirstErrorEndsAnOpalCall)
{
    ImcSession s(kCoreStat);
    s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x1001230B); }; // PDBAR1
    const cs_imc_driver_report &r = s.run();

    Log expected = kCoreBoot;
    expected.erase(expected.begin() + 4, expected.begin() + 6); // EVENT_MASK and HTM_MODE of it
    EXPECT_EQ(s.log(0, 20 * kUs), expected);
    EXPECT_EQ(r.opal_calls, 6u);
    EXPECT_EQ(r.opal_errors, 1u);
    EXPECT_EQ(s.raws(), std::vector<uint64_t>{0});
}

TEST(ImcDriver, EveryCallThatFailsIsCounted)
{
    ImcSession s(kCoreStat);
    s.refuses = [](const cs_bus_txn &txn) { return txn.addr >= CS_SCOM_BASE; };
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.log_of("MASK"), Log{});
    EXPECT_EQ(s.log_of("TRACE"), Log{});
    EXPECT_EQ(r.opal_calls, 6u);
    EXPECT_EQ(r.opal_errors, 6u);
}

TEST(ImcDriver, AnErrorOfAnSprIsNoErrorOfACall)
{
    ImcSession s(kCoreStat);
    s.refuses = [](const cs_bus_txn &txn) {
        return txn.addr >= CS_SPR_BASE && txn.addr < CS_SPR_BASE + CS_SPR_BYTES;
    };
    EXPECT_EQ(s.run().opal_errors, 0u);
    EXPECT_EQ(s.log(0, 20 * kUs), kCoreBoot);
}

// A value that does not come is no count; the next one counts from the last that came.
TEST(ImcDriver, AFailedReadIsNoCount)
{
    const struct {
        unsigned fails; // the read, from 0
        std::vector<uint64_t> raws;
    } cases[] = {
        {0, {20, 20}},
        {1, {30, 20}},
        {2, {10, 40}},
        {3, {10, 20}},
    };

    for (const auto &c : cases) {
        SCOPED_TRACE(c.fails);
        ImcSession s("{pmu: core, cpus: [0], events: [CPM_INST], start_us: 20, stop_us: 50, "
                     "interval_us: 10}");
        unsigned reads = 0;
        s.put(kCore0 + kInst, 100);
        s.at(25 * kUs, [&] { s.put(kCore0 + kInst, 110); });
        s.at(35 * kUs, [&] { s.put(kCore0 + kInst, 130); });
        s.at(45 * kUs, [&] { s.put(kCore0 + kInst, 150); });
        s.refuses = [&](const cs_bus_txn &txn) { return !txn.write && reads++ == c.fails; };
        EXPECT_EQ(s.run().read_errors, 1u);
        EXPECT_EQ(s.raws(), c.raws);
    }
}

// ---- deep stops ----

struct DeepStop {
    const char *restore;
    Log of_core, of_thread, of_trace; // what is written after the wake-up
};

const DeepStop deep_stops[] = {
    {"all",
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000", "LDBAR1=8000000081006000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000", "LDBAR0=4000000081040000"}},
    {"no_ldbar",
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000"}},
    {"none", {}, {}, {}},
};

ImcSession::Raw with_deep_stop(const std::string &perf, const std::string &restore,
                               const std::string &stops = "{core: 0, at_us: 30, for_us: 5}")
{
    std::string text = ImcSession::yaml(perf, ", deep_stops: [" + stops + "]");

    text.insert(text.find("  perf:\n"), "  restore: " + restore + "\n");
    return {text, CS_SOURCE_DIR "/configs/imc"};
}

TEST(ImcDriver, WhatIsGivenBackAfterADeepStop)
{
    const std::string thread = "{pmu: thread, task: true, cpus: [1], events: [CPM_CS_PCYC_USER], "
                               "start_us: 20, stop_us: 40}";

    for (const DeepStop &d : deep_stops) {
        SCOPED_TRACE(d.restore);
        const std::pair<std::string, Log> modes[] = {{command("core", 20, 40), d.of_core},
                                                     {thread, d.of_thread},
                                                     {command("trace", 20, 40), d.of_trace}};
        for (const auto &mode : modes) {
            SCOPED_TRACE(mode.first);
            ImcSession s(with_deep_stop(mode.first, d.restore));
            const cs_imc_driver_report &r = s.run();
            EXPECT_EQ(s.log(30 * kUs, 40 * kUs), mode.second);
            EXPECT_EQ(r.opal_calls, 6u); // waking is none
            EXPECT_EQ(r.opal_errors, 0u);
        }
    }
}

TEST(ImcDriver, TheFirmwareBeginsOneCycleAfterPowerIsBack)
{
    ImcSession s(with_deep_stop(command("core", 20, 40), "all"));
    s.run();
    for (const Access &a : s.accesses)
        if (a.request > 30 * kUs) {
            EXPECT_EQ(a.request, 35 * kUs + 1 + kOpal);
            break;
        }
}

// A core that was not traced and not counted by a thread has LDBARs of zero: nothing to restore.
TEST(ImcDriver, OfAnotherCoreItsOwnIsGivenBack)
{
    ImcSession s(with_deep_stop(command("thread", 20, 60), "all",
                                "{core: 1, at_us: 22, for_us: 20}, {core: 0, at_us: 25, for_us: "
                                "5}"));
    s.run();
    // by the end of the stops, not by their begin
    EXPECT_EQ(s.log(25 * kUs, 40 * kUs),
              (Log{"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
                   "HTM0=e800000000000000", "LDBAR0=8000000081004000"}));
    EXPECT_EQ(s.log(40 * kUs, 60 * kUs), (Log{"PDBAR1=81002000", "MASK1=402010000000000",
                                              "TRACE1=7fffffc142020000", "HTM1=e000000000000000"}));
}

// Every saved register is written, whatever becomes of the one before; no call has failed.
TEST(ImcDriver, AnErrorEndsNoRestore)
{
    ImcSession s(with_deep_stop(command("core", 20, 40), "all"));
    s.at(30 * kUs,
         [&] { s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x1001220B); }; });
    EXPECT_EQ(s.run().opal_errors, 0u);
    EXPECT_EQ(s.log(30 * kUs, 40 * kUs), deep_stops[0].of_core);
}

// A command's calls in the stop fail; what OPAL meant to write last is what the core wakes with.
TEST(ImcDriver, ACommandInADeepStop)
{
    ImcSession s(with_deep_stop(command("core", 32, 50) + "\n" + command("core", 33, 34), "all"));
    s.at(30 * kUs,
         [&] { s.refuses = [](const cs_bus_txn &txn) { return txn.addr >= CS_SCOM_BASE; }; });
    s.at(35 * kUs, [&] { s.refuses = [](const cs_bus_txn &) { return false; }; });
    s.at(45 * kUs, [&] { s.put(kCore0 + kInst, 9); });
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(r.opal_errors, 1u); // the START; memory is read as ever
    EXPECT_EQ(r.read_errors, 0u);
    EXPECT_EQ(s.log(35 * kUs, 50 * kUs).back(), "HTM0=e800000000000000");
    EXPECT_EQ(s.raws(), (std::vector<uint64_t>{0, 9}));
}

TEST(ImcDriver, NobodyWaitsForACoreThatWakesAfterTheEnd)
{
    ImcSession s(with_deep_stop(command("core", 20, 40), "all",
                                "{core: 1, at_us: 30, for_us: "
                                "500}"));
    s.run();
    EXPECT_LT(cs_cpu_end_cycle(s.cpu), 41 * kUs);
}

} // namespace

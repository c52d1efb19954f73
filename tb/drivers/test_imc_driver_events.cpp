// SPDX-License-Identifier: Apache-2.0
// OPAL and the kernel's IMC driver: configs without a name, references, who excludes whom.
#include "imc_driver_session.hpp"

using namespace imc_driver_session;
using namespace cs_power_test;

namespace
{

// ---- perf's config without a name ----

TEST(ImcDriver, AConfigIsTheEventAtItsOffset)
{
    ImcSession s("{pmu: core, cpus: [0], config: 0x28, start_us: 20, stop_us: 40}\n"
                 "{pmu: core, cpus: [0], config: 0x100000028, start_us: 20, stop_us: 40}\n"
                 "{pmu: nest, cpus: [0], config: 0x80, start_us: 20, stop_us: 40}\n",
                 "", kWithNest);
    s.nest_runs();
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
    EXPECT_EQ(s.work(), (Log{"read 81005018", "LDBAR0=8000000081004000", "HTM0=e800000000000000",
                             "read 81007018", "LDBAR1=8000000081006000",
                             // the end
                             "LDBAR0=81004000", "read 81005018", "HTM0=e000000000000000",
                             "LDBAR1=81006000", "read 81007018"}));
}

TEST(ImcDriver, TheNestIsStartedByTheFirstAndStoppedByTheLast)
{
    const std::string event = "events: [PM_MBA0_READ_BYTES], ";
    ImcSession s("{pmu: nest, cpus: [0], " + event + "start_us: 20, stop_us: 40}\n" +
                     "{pmu: nest, cpus: [3], " + event + "start_us: 30, stop_us: 50}",
                 "", kWithNest);
    s.nest_runs();
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

// A catalog without the unit: the kernel has no such PMU, and no engine is touched.
TEST(ImcDriver, WithoutItsUnitAPmuIsNotThere)
{
    const std::string commands[] = {
        "{pmu: trace, cpus: [0], config: 0, sample_period: 1, start_us: 20, stop_us: 40}",
        "{pmu: thread, cpus: [0], config: 0x18, task: true, start_us: 20, stop_us: 40}"};

    for (const std::string &c : commands) {
        ImcSession s(ImcSession::Raw{ImcSession::yaml(c, "", "", "core_only.dts"),
                                     CS_SOURCE_DIR "/tb/drivers/data"});
        s.run();
        EXPECT_EQ(s.opened, (Log{"0 ENODEV: the catalog has no unit for it"}));
        EXPECT_EQ(s.work(), Log{});
    }
}

// ---- who excludes whom ----

TEST(ImcDriver, CoreThreadAndTraceExcludeEachOtherEverywhere)
{
    const std::string busy = "1 EBUSY: another of core, thread and trace is in use";

    for (const char *first : {"core", "thread", "trace", "nest"})
        for (const char *second : {"core", "thread", "trace", "nest"}) {
            SCOPED_TRACE(std::string(first) + " then " + second);
            std::string other = command(second, 30, 40);
            other.replace(other.find("[0]"), 3, "[3]"); // of the other core
            ImcSession s(command(first, 20, 50) + "\n" + other + "\n" + command(second, 60, 70), "",
                         kWithNest);
            s.nest_runs();
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
                 "", kWithNest);
    s.nest_runs();
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
        {"pmu: nest, cpus: [0], events: [PM_MBA0_READ_BYTES]", "0 ENODEV: the die has no nest"},
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

} // namespace

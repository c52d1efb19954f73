// SPDX-License-Identifier: Apache-2.0
// At which exception level a kernel runs, and where it keeps the process (docs/hw/corepmu.md, "The
// kernel's exception level").
#include <gtest/gtest.h>

#include "document.hpp"

extern "C" {
#include "scenario/scenario.h"
#include "scenario/work/process.h"
#include "scenario/work/workload_spec.h"
}

namespace
{

// CPU 0 of a cluster; with more, CPU 1 is a hart.
std::string one(const std::string &segment, const std::string &more = "")
{
    return "pmcu: {clusters: 1, slots: 1}\n" + more +
           "workloads:\n  - {name: w, cpus: [0], segments: [" + segment +
           "]}\nsoftware: {kind: script}\nscript: [{delay: 1}]\n";
}

} // namespace

TEST(Vhe, SaysWhereAKernelRunsAndKeepsTheProcess)
{
    for (const bool vhe : {false, true}) {
        const Document d =
            parse(one("{mode: kernel, pid: 7}") + "handler: {mode: kernel, pid: 9}\n",
                  {vhe ? "corepmu.vhe=true" : "corepmu.vhe=false"});
        ASSERT_TRUE(d.ok()) << d.error;
        const cs_segment_spec &s = d->workloads[0].segments[0];
        const cs_privilege kernel = vhe ? CS_MODE_EL2 : CS_MODE_EL1;

        EXPECT_EQ(s.mode, kernel);
        EXPECT_EQ(s.cid1, vhe ? 0u : 7u);
        EXPECT_EQ(s.cid2, vhe ? 7u : 0u);
        EXPECT_EQ(s.pid, 7u);
        EXPECT_EQ(d->handler.mode, kernel);
        EXPECT_EQ(d->handler.pid, 9u);
        EXPECT_EQ(cs_scenario_handler_mode(d.scenario.get(), 0), kernel);
        EXPECT_EQ(cs_scenario_idle_mode(d.scenario.get(), 0), kernel);
        EXPECT_STREQ(cs_scenario_process(d.scenario.get(), 7), "w");
    }
}

// Registers may be given as they are: the process is in the one that is not 0.
TEST(Vhe, WithoutAPidTheRegistersSayIt)
{
    const struct {
        const char *segment;
        uint32_t pid;
    } cases[] = {{"{cid1: 5}", 5}, {"{cid2: 6}", 6}, {"{cid1: 5, cid2: 6}", 5}, {"{cycles: 9}", 0}};

    for (const auto &c : cases) {
        const Document d = parse(one(c.segment));
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->workloads[0].segments[0].pid, c.pid) << c.segment;
    }
}

// A hart has one place for it, and modes of its own.
TEST(Vhe, IsOfArmsCoresAlone)
{
    const std::string hart = "harts: {count: 1}\n";
    const Document d = parse("workloads:\n  - {name: w, segments: [{mode: s, pid: 7}]}\n" + hart);
    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->workloads[0].segments[0].cid1, 7u);
    EXPECT_EQ(d->workloads[0].segments[0].pid, 7u);

    const Document bad = parse("workloads:\n  - {name: w, segments: [{mode: kernel}]}\n" + hart);
    EXPECT_NE(bad.error.find("kernel is no mode of CPU 0"), std::string::npos) << bad.error;
}

TEST(Vhe, ARegisterIsGivenOnce)
{
    const struct {
        const char *vhe, *segment, *error;
    } cases[] = {
        {"corepmu.vhe=true", "{pid: 7, cid2: 7}",
         "workloads.0.segments.0.cid2: not allowed beside pid, which goes there"},
        {"corepmu.vhe=false", "{pid: 7, cid1: 7}",
         "workloads.0.segments.0.cid1: not allowed beside pid, which goes there"},
        {"corepmu.vhe=true", "{pid: 7, cid1: 3}", ""}, // a guest's process
    };

    for (const auto &c : cases) {
        const Document d = parse(one(c.segment), {c.vhe});

        if (c.error[0] == '\0')
            EXPECT_TRUE(d.ok()) << d.error;
        else
            EXPECT_NE(d.error.find(c.error), std::string::npos) << d.error;
    }
}

// docs/hw/pmcu.md, "A kernel at EL2": who counts with a PMCU is told what it does not see.
TEST(Vhe, TimeThatIsNotCountedIsAWarning)
{
    const std::string events = "[{event: 8, rate: 1}]";
    const std::string text = "pmcu: {clusters: 1, slots: 2}\nworkloads:\n  - {name: w, cpus: [0], "
                             "segments: [{cycles: 300, "
                             "mode: el0, events: " +
                             events + "}, {cycles: 100, mode: kernel, events: " + events +
                             "}, {cycles: 600, mode: kernel, wfi: true}]}\n"
                             "pmcu_driver: {user_events: [8], nr_sample: 1}\n";
    const struct {
        std::vector<std::string> sets;
        const char *warning;
    } cases[] = {
        {{"corepmu.vhe=false"}, nullptr},
        {{"corepmu.vhe=true"},
         "25.0 % of the CPUs' time is at EL2, where the PMCU's events do not count "
         "(docs/hw/pmcu.md, \"A kernel at EL2\")"},
        {{"corepmu.vhe=true", "pmcu_driver.pmccfiltr=8"},
         "25.0 % of the CPUs' time is at EL2, where the PMCU's events do not count "
         "(docs/hw/pmcu.md, \"A kernel at EL2\"); the cycle counter does "
         "(pmcu_driver.pmccfiltr)"},
    };

    for (const auto &c : cases) {
        const Document d = parse(text, c.sets);
        ASSERT_TRUE(d.ok()) << d.error;
        ASSERT_EQ(d->nr_warnings, c.warning != nullptr ? 2u : 1u) << c.sets[0]; // one of old keys
        if (c.warning != nullptr) {
            EXPECT_NE(std::string(d->warnings[1].text).find(c.warning), std::string::npos)
                << d->warnings[1].text;
        }
    }
}

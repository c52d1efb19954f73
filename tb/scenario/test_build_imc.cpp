// SPDX-License-Identifier: Apache-2.0
// Dies with IMC cores and the nest: CPU numbers, defaults, timelines.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "document.hpp"

extern "C" {
#include "scenario/build.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/machine/die.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
}

namespace
{

const std::string CONFIGS = CS_SOURCE_DIR "/configs/imc";
const std::string SCRIPT = "software: {kind: script}\nscript: [{delay: 1}]\n";

constexpr uint32_t CPMC1 = CS_EVENT_IMC(0), CPMC2 = CS_EVENT_IMC(128);
constexpr uint32_t INST = CS_EVENT_IMC(256), CYCLES = CS_EVENT_IMC(257);
constexpr uint32_t TICKS9 = CPMC2 + 2, TICKS10 = CPMC1 + 4; // the 32 MHz event
constexpr uint32_t ARM_CYCLES = 0x11;

Document die(const std::string &text)
{
    return parse(text + SCRIPT, {}, CONFIGS);
}

struct Timelines {
    cs_timelines *set = nullptr;

    explicit Timelines(const Document &d)
    {
        cs_diag diag = {};

        if (!d.ok())
            throw std::runtime_error(d.error);
        EXPECT_EQ(cs_scenario_timelines(d.scenario.get(), &set, &diag), CS_OK) << diag.text;
    }
    Timelines(const Timelines &) = delete;
    ~Timelines()
    {
        cs_timelines_destroy(set);
    }
    uint64_t sum(unsigned number, uint32_t event, cs_cycle from, cs_cycle to,
                 uint32_t modes = CS_MODE_ALL)
    {
        return cs_timeline_sum(cs_timelines_cpu(set, number), event, modes, from, to);
    }
    cs_context at(unsigned number, cs_cycle cycle)
    {
        cs_context c = {};

        cs_timeline_context(cs_timelines_cpu(set, number), cycle, &c);
        return c;
    }
};

} // namespace

// ---- loading ----

TEST(Imc, DefaultsOfADieWithCores)
{
    const Document d = die("imc: {cores: 2}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->pmcu->clusters, 0u) << "no PMCU unless the scenario speaks of one";
    EXPECT_FALSE(cs_scenario_has_pmcu(d.scenario.get()));
    EXPECT_EQ(cs_scenario_cpus(d.scenario.get()), 8u);
    EXPECT_EQ(d->imc->threads, 4u);
    EXPECT_FALSE(d->imc->power10);
    EXPECT_EQ(d->imc->tap_log2, 18u);
    EXPECT_EQ(d->imc->timebase_mhz, 512u);
    EXPECT_EQ(d->imc_driver->buffers_base, 0x81000000u);
    EXPECT_EQ(d->imc_driver->event_mask, 0x0402010000000000u);
    EXPECT_EQ(d->imc_driver->trace_scom, 0x7fffffc142020000u);
    EXPECT_EQ(d->pmi->ring_base, 0x81000000u);
    EXPECT_EQ(d->handler.mode, CS_MODE_HOST_KERNEL);
    EXPECT_EQ(d->imc->catalog, nullptr);
    EXPECT_TRUE(d->keep->records);
}

TEST(Imc, DefaultsThatFollowFromOtherKeys)
{
    const Document d = die("bus: {clock_mhz: 800}\nmemory: {base: 0x40000000, size: 64 MiB}\n"
                           "imc: {cores: 1, variant: power10}\n");
    const Document n = die("bus: {clock_mhz: 800}\nmemory: {base: 0x40000000, size: 64 MiB}\n"
                           "imc: {cores: 1}\nnest: {present: true}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->imc_driver->trace_scom, 0x3fffffc142020000u);
    EXPECT_EQ(d->imc_driver->buffers_base, 0x41000000u);
    ASSERT_TRUE(n.ok()) << n.error;
    EXPECT_EQ(n->nest->base, 0x44000000u - 0x800000 + 0x180000);
    EXPECT_EQ(n->nest->tick_cycles, 400000u); // 500 us
}

TEST(Imc, ChipsShareTheCoresAndHaveANestEach)
{
    const Document d = die("memory: {base: 0x40000000, size: 64 MiB}\n"
                           "imc: {cores: 4, chips: 2, threads: 2}\n"
                           "nest: {present: true, chips: [{segments: [{events: [{event: "
                           "\"nest:0x80\", rate: 1}]}]}, {units: 5}]}\n");
    cs_die all;

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->nest->base, 0x44000000u - 0xc00000 + 0x180000);
    EXPECT_EQ(cs_nest_base(d->nest, 1), d->nest->base + 0x400000);
    EXPECT_EQ(d->nest->chips[1].units, 5u);
    EXPECT_EQ(cs_scenario_imc_chip(d.scenario.get(), cs_scenario_imc_cpu(d.scenario.get(), 1, 1)),
              0u);
    EXPECT_EQ(cs_scenario_imc_chip(d.scenario.get(), cs_scenario_imc_cpu(d.scenario.get(), 2, 0)),
              1u);
    cs_die_of(d.scenario.get(), &all);
    EXPECT_NE(cs_die_manager_place(&all, 0x40), cs_die_manager_place(&all, 0x49));
    EXPECT_EQ(all.targets[all.nr_targets - 1].base, 0x603fc00000000u + (1ull << 42));

    Timelines t(d);
    EXPECT_EQ(t.sum(CS_NEST_TIMELINE, CS_EVENT_NEST(0x10), 0, 1000), 2600u);
    EXPECT_EQ(t.sum(CS_NEST_TIMELINE_OF(1), CS_EVENT_NEST(0x10), 0, 1000), 0u);
}

// An empty key pmcu is enough to have one, and pmcu.clusters: 0 to have none.
TEST(Imc, WhetherThereIsAPmcu)
{
    EXPECT_EQ(die("imc: {cores: 1}\npmcu: {slots: 8}\n")->pmcu->clusters, 4u);
    EXPECT_EQ(die("imc: {cores: 1}\npmcu: {clusters: 0}\n")->pmcu->clusters, 0u);
    EXPECT_EQ(die("imc: {threads: 2}\n")->pmcu->clusters, 4u);
    EXPECT_EQ(die("nest: {present: true}\n")->pmcu->clusters, 4u);
}

TEST(Imc, ArmCpusComeFirst)
{
    const Document d = die(R"(
pmcu: {clusters: 2, slots: 3}
imc: {cores: 3, threads: 2}
workloads:
  - {name: arm, cpus: "0-5", segments: [{cid1: 1}]}
  - {name: power, cpus: ["6-9", 11], segments: [{cid1: 2}]}
)");

    ASSERT_TRUE(d.ok()) << d.error;
    const cs_scenario *s = d.scenario.get();
    EXPECT_EQ(cs_scenario_arm_cpus(s), 6u);
    EXPECT_EQ(cs_scenario_cpus(s), 12u);
    EXPECT_EQ(cs_scenario_imc_cpu(s, 0, 0), 6u);
    EXPECT_EQ(cs_scenario_imc_cpu(s, 2, 1), 11u);
    EXPECT_EQ(d->workloads[0].segments[0].mode, CS_MODE_EL0);
    EXPECT_EQ(d->workloads[1].segments[0].mode, CS_MODE_HOST_USER);
    EXPECT_EQ(d->handler.mode, CS_MODE_EL2) << "software.cpu is 0, an Arm CPU";

    Timelines t(d);
    for (unsigned cpu = 0; cpu < 12; cpu++) {
        const cs_context c = t.at(cpu, 100);

        EXPECT_EQ(c.cid1, cpu == 10 ? 0u : cpu < 6 ? 1u : 2u) << cpu;
        EXPECT_EQ(t.sum(cpu, ARM_CYCLES, 0, 1000), cpu < 6 ? 2600u : 0u) << cpu;
        EXPECT_EQ(t.sum(cpu, TICKS9, 0, 1000), cpu < 6 ? 0u : 32u) << cpu;
    }
    EXPECT_EQ(cs_timelines_cpu(t.set, CS_NEST_TIMELINE), nullptr);
}

TEST(Imc, WordsOfModes)
{
    const Document d = die(R"(
imc: {cores: 1}
workloads: [{segments: [{cycles: 1, mode: guest_kernel}, {cycles: 1, mode: guest_user},
                        {cycles: 1, mode: host_kernel}, {cycles: 1, mode: host_user}, {cycles: 1}]}]
)");

    ASSERT_TRUE(d.ok()) << d.error;
    const cs_privilege modes[] = {CS_MODE_GUEST_KERNEL, CS_MODE_GUEST_USER, CS_MODE_HOST_KERNEL,
                                  CS_MODE_HOST_USER, CS_MODE_HOST_USER};
    for (size_t i = 0; i < 5; i++)
        EXPECT_EQ(d->workloads[0].segments[i].mode, modes[i]) << i;
}

TEST(Imc, APerfCommand)
{
    const Document d = parse(R"(
catalog: power9_small.dts
imc: {cores: 2, deep_stops: [{core: 1, at_us: 20, for_us: 5}, {core: 1, at_us: 26, for_us: 5}]}
software: {kind: imc, cpu: 7}
imc_driver:
  restore: no_ldbar
  perf:
    - {pmu: core, cpus: [0, "4-5"], events: [CPM_CS_INST_USER, core_imc/CPM_INST], start_us: 3,
       stop_us: 90, interval_us: 30, exclude: true}
    - {pmu: trace, cpus: all, config: 0x77, sample_period: 9, stop_us: 5, task: true, privileged: false}
)",
                             {}, CONFIGS);

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_NE(d->imc->catalog, nullptr);
    EXPECT_EQ(d->imc_driver->restore, CS_RESTORE_NO_LDBAR);
    ASSERT_EQ(d->imc->nr_deep_stops, 2u);
    EXPECT_EQ(d->imc->deep_stops[1].at_us, 26u);
    ASSERT_EQ(d->imc_driver->nr_perf, 2u);
    const cs_perf_spec &p = d->imc_driver->perf[0];
    EXPECT_EQ(p.pmu, CS_PERF_CORE);
    ASSERT_EQ(p.nr_events, 2u);
    EXPECT_STREQ(p.events[0], "CPM_CS_INST_USER");
    for (unsigned cpu = 0; cpu < 8; cpu++)
        EXPECT_EQ(p.cpus[cpu], cpu == 0 || cpu == 4 || cpu == 5) << cpu;
    EXPECT_EQ(p.start_us, 3u);
    EXPECT_EQ(p.stop_us, 90u);
    EXPECT_EQ(p.interval_us, 30u);
    EXPECT_TRUE(p.exclude);
    EXPECT_FALSE(p.task);
    EXPECT_TRUE(p.privileged);
    EXPECT_EQ(p.line, 8u);
    const cs_perf_spec &q = d->imc_driver->perf[1];
    EXPECT_EQ(q.config, 0x77u);
    EXPECT_EQ(q.start_us, 1u);
    EXPECT_EQ(q.sample_period, 9u);
    EXPECT_TRUE(q.task);
    EXPECT_FALSE(q.privileged);
}

// What may lie side by side: the edges of what is refused in bad/.
TEST(Imc, EdgesThatAreAllowed)
{
    const char *const good[] = {
        "imc: {cores: 24}\n",
        "pmcu: {clusters: 8, slots: 8}\nimc: {cores: 16}\n", // 128 CPUs
        "imc: {cores: 1, timebase_mhz: 1000}\n",
        "imc: {cores: 1, tap_log2: 2, timebase_start: 0xffffffffffffffff}\n",
        "memory: {base: 0xffffffc0000000}\nimc: {cores: 1}\n", // ends at 2^56
        "memory: {base: 0xffffffc0000000, size: 1025 MiB}\n",  // nobody adds
        "imc: {cores: 1}\nnest: {present: true, base: 0xbffc0000}\n",
        "imc: {cores: 1}\nmemory: {base: 0x30100000}\n",
        "imc: {cores: 2, deep_stops: [{core: 0, at_us: 5, for_us: 5}, {core: 1, at_us: 5, for_us: "
        "5}, {core: 0, at_us: 11, for_us: 1}]}\n",
    };

    for (const char *text : good)
        EXPECT_TRUE(die(text).ok()) << text << die(text).error;
}

TEST(Imc, ACatalogThatDoesNotCompileSaysWhatDtcSays)
{
    const std::string path = testing::TempDir() + "syntax.dts";

    std::ofstream(path) << "/dts-v1/;\n/ { a = <1> };\n";
    const Document d = parse("imc: {cores: 1}\ncatalog: " + path + "\n" + SCRIPT);
    std::remove(path.c_str());

    EXPECT_EQ(d.status, CS_ERR_SCENARIO);
    EXPECT_EQ(d.error.find("t.yaml:2:10: catalog: " + path.substr(0, 200)), 0u) << d.error;
    EXPECT_NE(d.error.find("syntax error"), std::string::npos) << d.error;
}

// ---- timelines ----

TEST(BuildImc, CyclesAndTicksCountUnlessNamed)
{
    const Document d = die(R"(
corepmu: {clock_mhz: 3800}
imc: {cores: 1}
workloads:
  - {cpus: 0, segments: [{events: [{event: cpmc3, rate: 0.5}]}]}
  - {cpus: 1, segments: [{events: [{event: cpmc4, rate: 0.25}, {event: "cpmc2:2", rate: 0}]}]}
  - {cpus: 2, segments: [{cycles: 300}, {cycles: 700, events: [{event: cpmc4, rate: 0}]}]}
)");
    Timelines t(d);

    for (cs_cycle n : {1000ull, 123456789ull}) {
        EXPECT_EQ(t.sum(0, CYCLES, 0, n), n * 3800 / 1000);
        EXPECT_EQ(t.sum(0, TICKS9, 0, n), n * 32 / 1000);
        EXPECT_EQ(t.sum(0, INST, 0, n), n * 1900 / 1000);
        EXPECT_EQ(t.sum(1, CYCLES, 0, n), n * 950 / 1000);
        EXPECT_EQ(t.sum(1, TICKS9, 0, n), 0u);
    }
    EXPECT_EQ(t.sum(2, CYCLES, 0, 1000), 300u * 38 / 10);
    EXPECT_EQ(t.sum(0, TICKS10, 0, 1000000), 0u);
    EXPECT_EQ(t.sum(0, ARM_CYCLES, 0, 1000000), 0u);
}

TEST(BuildImc, AnIdleThreadHasTicksOnly)
{
    const Document d =
        die("imc: {cores: 1, variant: power10}\n"
            "workloads: [{cpus: 0, segments: [{events: [{event: 'cpmc1:9', rate: 1}]}]}]\n");
    Timelines t(d);

    EXPECT_EQ(t.sum(0, CYCLES, 0, 1000), 2600u);
    EXPECT_EQ(t.sum(0, CPMC1 + 9, 0, 1000), 2600u);
    EXPECT_EQ(t.sum(3, CYCLES, 0, 1000000), 0u) << "non-idle cycles";
    EXPECT_EQ(t.sum(3, TICKS10, 0, 1000000), 32000u);
    for (uint32_t n = 0; n < 258; n++)
        if (CS_EVENT_IMC(n) != TICKS10) {
            EXPECT_EQ(t.sum(3, CS_EVENT_IMC(n), 0, 1000000), 0u) << n;
        }
    EXPECT_EQ(t.at(3, 7).mode, CS_MODE_HOST_KERNEL);
    EXPECT_EQ(t.at(3, 7).pc, 0u);
    EXPECT_EQ(t.at(0, 7).mode, CS_MODE_HOST_USER);
}

TEST(BuildImc, SharesAreTheModesOfOneStream)
{
    const Document d = die(R"(
catalog: power9_small.dts
corepmu: {clock_mhz: 1000}
imc: {cores: 1}
workloads:
  - segments:
      - {cycles: 30, mode: host_user, events: [{event: CPM_CS_INST, rate: 1}]}
      - {cycles: 10, mode: host_kernel, events: [{event: CPM_CS_INST, rate: 0.5}]}
)");
    Timelines t(d);
    const uint32_t inst = CPMC2 + 32;

    EXPECT_EQ(t.sum(2, inst, 0, 4000), 3500u);
    EXPECT_EQ(t.sum(2, inst, 0, 4000, CS_MODE_MASK(CS_MODE_HOST_USER)), 3000u);
    EXPECT_EQ(t.sum(2, inst, 0, 4000, CS_MODE_MASK(CS_MODE_HOST_KERNEL)), 500u);
    EXPECT_EQ(d->imc->event_of[128 + 64], 128 + 32);
}

TEST(BuildImc, TheNestHasATimelineOfItsOwn)
{
    const Document d = die(R"(
imc: {cores: 1}
corepmu: {clock_mhz: 2000}
nest:
  present: true
  segments:
    - {cycles: 600, events: [{event: "nest:0x10", rate: 0.25},
                             {event: "nest:0x118", kind: periodic, period_cycles: 100}]}
    - {cycles: 400}
)");
    Timelines t(d);

    EXPECT_EQ(t.sum(CS_NEST_TIMELINE, CS_EVENT_NEST(2), 0, 10000), 3000u);
    EXPECT_EQ(t.sum(CS_NEST_TIMELINE, CS_EVENT_NEST(2), 600, 1000), 0u);
    EXPECT_EQ(t.sum(CS_NEST_TIMELINE, CS_EVENT_NEST(0x23), 0, 10000), 60u);
    EXPECT_EQ(t.sum(CS_NEST_TIMELINE, CYCLES, 0, 10000), 0u);
    EXPECT_EQ(t.sum(CS_NEST_TIMELINE, TICKS9, 0, 10000), 0u);
    EXPECT_EQ(t.sum(0, CS_EVENT_NEST(2), 0, 10000), 0u);
}

// But for the time of day, which is that of the timebase.
TEST(BuildImc, ASilentNest)
{
    const Document d = die("imc: {cores: 1}\nnest: {present: true}\n");
    Timelines t(d);

    ASSERT_NE(cs_timelines_cpu(t.set, CS_NEST_TIMELINE), nullptr);
    for (uint32_t n = 0; n < 0x770 / 8; n++)
        EXPECT_EQ(t.sum(CS_NEST_TIMELINE, CS_EVENT_NEST(n), 0, 1000000),
                  n == CS_NEST_TOD ? 512000u : 0u)
            << n;
}

// A thread's streams are fixed by its CPU number, whatever stands beside it.
TEST(BuildImc, ThreadsDiffer)
{
    const std::string load =
        "workloads: [{segments: [{events: [{event: cpmc3, kind: random, rate: 0.7}]}]}]\n";
    const Document one = die("imc: {cores: 1}\n" + load), two = die("imc: {cores: 2}\n" + load);
    Timelines t(one), u(two);
    unsigned same = 0;

    for (unsigned cpu = 0; cpu < 4; cpu++)
        for (cs_cycle at = 0; at < 10000; at += 1000) {
            EXPECT_EQ(t.sum(cpu, INST, at, at + 1000), u.sum(cpu, INST, at, at + 1000));
            same += cpu > 0 && t.sum(cpu, INST, at, at + 1000) == t.sum(0, INST, at, at + 1000);
        }
    EXPECT_LT(same, 6u);
}

// SPDX-License-Identifier: Apache-2.0
// --set
#include <gtest/gtest.h>

#include "document.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "support/configs.hpp"

namespace
{

const char *const TEXT = R"(# a comment
pmcu: {clusters: 1, slots: 4}
workloads:
  - segments:
      - cycles: 10
      - cycles: 20
pmcu_driver:
  user_events: "08 11"
)";

std::string error(const std::string &set)
{
    return parse(TEXT, {set}).error;
}

} // namespace

TEST(Set, ReplacesAndAdds)
{
    const Document d = parse(TEXT, {"workloads.0.segments.1.cycles=5", "bus.clock_mhz=500",
                                    "pmcu_driver.user_events=[INST_RETIRED]", "seed=3", "seed=4",
                                    "pmcu.clusters=3", "corepmu={counters: 6}", "corepmu.hpmn=2",
                                    "workloads.0.segments.2={cycles: 7, mode: el0}"});

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->workloads[0].segments[0].cycles, 10u);
    EXPECT_EQ(d->workloads[0].segments[1].cycles, 5u);
    EXPECT_EQ(d->workloads[0].segments[2].cycles, 7u);
    EXPECT_EQ(d->workloads[0].nr_segments, 3u);
    EXPECT_EQ(d->bus->clock_mhz, 500u);
    EXPECT_EQ(d->pmcu_driver->user_events[0], 8u);
    EXPECT_EQ(d->pmcu_driver->nr_user_events, 1u);
    EXPECT_EQ(d->seed, 4u);
    EXPECT_EQ(d->pmcu->clusters, 3u);
    EXPECT_EQ(d->pmcu->slots, 4u); // what stands behind a key that is set
    EXPECT_EQ(d->corepmu->counters, 6u);
    EXPECT_EQ(d->corepmu->hpmn, 2u);
}

TEST(Set, TheTextKeptSaysTheSame)
{
    const Document a = parse(TEXT, {"workloads.0.segments.1.cycles=5", "name=other",
                                    "corepmu.offline=[\"1-2\", 3]",
                                    "handler.functions=[{name: 'a \"b\" \\', base: 0, size: 4}]"});
    ASSERT_TRUE(a.ok()) << a.error;
    const Document b = parse(a->yaml);

    ASSERT_TRUE(b.ok()) << b.error << "\n" << a->yaml;
    EXPECT_STREQ(b->name, "other");
    EXPECT_EQ(b->workloads[0].segments[1].cycles, 5u);
    EXPECT_TRUE(b->corepmu->offline[1] && b->corepmu->offline[2] && b->corepmu->offline[3]);
    EXPECT_STREQ(b->handler.functions[0].name, "a \"b\" \\");
    EXPECT_EQ(b->pmcu_driver->nr_user_events, 2u);
    const Document c = parse(b->yaml, {"seed=1"});
    EXPECT_STREQ(parse(c->yaml, {"seed=1"})->yaml, c->yaml);
}

TEST(Set, WithoutItTheTextIsKeptAsItWas)
{
    EXPECT_STREQ(parse(TEXT)->yaml, TEXT);
}

TEST(Set, EveryConfigSurvivesRewriting)
{
    for (const char *name : {"pmcu_demo", "pmcu_faults", "pmcu_lockstep_script"}) {
        const std::string path = cs_test::config_path(std::string(name) + ".yaml");
        const Document a = load(path, {"seed=77"});
        ASSERT_TRUE(a.ok()) << a.error;
        const Document b = parse(a->yaml);
        ASSERT_TRUE(b.ok()) << b.error;
        EXPECT_EQ(b->seed, 77u);
        EXPECT_EQ(b->nr_script, a->nr_script);
        EXPECT_EQ(b->memory->nr_faults, a->memory->nr_faults);
    }
}

TEST(Set, ErrorsNameTheOption)
{
    EXPECT_EQ(error("pmcu.clusters=17"),
              "--set pmcu.clusters=17: pmcu.clusters: 17 is outside 0..16");
    EXPECT_EQ(error("pmcu.cluster=2"),
              "--set pmcu.cluster=2: pmcu.cluster: there is no such key; did you mean clusters?");
    EXPECT_EQ(
        error("riscv.perf[0].stop_us=9"),
        "--set riscv.perf[0].stop_us=9: riscv.perf[0]: there is no such key; an item of a list "
        "is written perf.0");
    EXPECT_EQ(error("seed"),
              "--set seed: a.b.c=value is expected, the path of a key and its new value");
    EXPECT_EQ(error("=1").substr(0, 10), "--set =1: ");
    EXPECT_EQ(error(".a=1").substr(0, 12), "--set .a=1: ");
    EXPECT_EQ(error("a.=1").substr(0, 12), "--set a.=1: ");
    EXPECT_EQ(error("workloads.1x.name=a"),
              "--set workloads.1x.name=a: workloads.1x: the list has 1 elements, 0 to 1 can be "
              "set (1 appends)");
    EXPECT_EQ(error("workloads.5.name=a"),
              "--set workloads.5.name=a: workloads.5: the list has 1 elements, 0 to 1 can be set "
              "(1 appends)");
    EXPECT_EQ(error("pmcu_driver.user_events.x=1"),
              "--set pmcu_driver.user_events.x=1: pmcu_driver.user_events.x: what is above it is a "
              "value");
    EXPECT_EQ(error("seed=[1"), "--set seed=[1: not valid YAML: flow sequence without a closing "
                                "bracket");
    EXPECT_EQ(error("seed="), "--set seed=: the document is empty");
}

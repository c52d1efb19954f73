// SPDX-License-Identifier: Apache-2.0
// From YAML to the structure.
#include <gtest/gtest.h>

#include "document.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/script_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/work/workload_spec.h"

TEST(Load, DefaultsOfAnAlmostEmptyScenario)
{
    const Document d = parse("seed: 9\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_STREQ(d->name, "t");
    EXPECT_STREQ(d->source, "t.yaml");
    EXPECT_STREQ(d->yaml, "seed: 9\n");
    EXPECT_EQ(d->seed, 9u);
    EXPECT_EQ(d->bus->clock_mhz, 1000u);
    EXPECT_FALSE(d->bus->per_target);
    EXPECT_EQ(d->bus->forward_cycles, 2u);
    EXPECT_EQ(d->bus->return_cycles, 2u);
    EXPECT_EQ(d->bus->register_access_cycles, 10u);
    EXPECT_EQ(d->memory->base, 0x80000000u);
    EXPECT_EQ(d->memory->size, 1u << 30);
    EXPECT_EQ(d->memory->read_cycles, 20u);
    EXPECT_EQ(d->memory->write_cycles, 4u);
    EXPECT_EQ(d->corepmu->counters, 8u);
    EXPECT_EQ(d->corepmu->hpmn, 8u);
    EXPECT_EQ(d->pmcu->clusters, 4u);
    EXPECT_EQ(d->pmcu->slots, 8u);
    EXPECT_EQ(d->pmcu->lanes, 1u);
    EXPECT_EQ(d->pmcu->tick_cycles, 20u);
    EXPECT_EQ(d->nr_workloads, 0u);
    EXPECT_EQ(d->handler.mode, CS_MODE_EL2);
    EXPECT_EQ(d->software->kinds, CS_SOFTWARE_BIT(CS_SOFTWARE_pmcu_driver));
    EXPECT_EQ(d->pmcu_driver->nr_sample, 128u);
    EXPECT_EQ(d->pmcu_driver->sample_period_ms, 3u);
    EXPECT_EQ(d->pmcu_driver->sample_period_ticks, 150000u); // WAIT_CNT's 0x249f0
    EXPECT_EQ(d->pmcu_driver->aux_base, 0x81000000u);
    EXPECT_EQ(d->pmcu_driver->data_base, 0x80001000u);
    EXPECT_EQ(d->pmcu_driver->aux_buffer_bytes, 4u << 20);
    EXPECT_TRUE(d->keep->memory);
    EXPECT_FALSE(d->keep->probe);
    EXPECT_TRUE(d->keep->samples_truth);
}

TEST(Load, DefaultsThatFollowFromOtherKeys)
{
    const Document d = parse(R"(
bus: {clock_mhz: 500}
corepmu: {counters: 6}
memory: {base: 0x100000000}
pmcu_driver: {sample_period_ticks: 77}
)");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->pmcu->tick_cycles, 10u);
    EXPECT_EQ(d->corepmu->hpmn, 6u);
    EXPECT_EQ(d->pmcu_driver->aux_base, 0x101000000u);
    EXPECT_EQ(d->pmcu_driver->data_base, 0x100001000u);
    EXPECT_EQ(d->pmcu_driver->sample_period_ticks, 77u);
    EXPECT_EQ(d->pmcu_driver->sample_period_ms, 0u);
}

TEST(Load, NumbersAndSizes)
{
    const Document d = parse(R"(
seed: 0xFFFFffffFFFFffff
memory: {base: 0x40000000, size: 256 MiB, regions: [{base: 1KiB, size: 0x10, rights: wo}]}
pmcu_driver: {aux_buffer_bytes: "64 KiB", aux_base: 0x44000000}
)");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->seed, UINT64_MAX);
    EXPECT_EQ(d->memory->size, 256u << 20);
    ASSERT_EQ(d->memory->nr_regions, 1u);
    EXPECT_EQ(d->memory->regions[0].base, 1024u);
    EXPECT_EQ(d->memory->regions[0].size, 16u);
    EXPECT_FALSE(d->memory->regions[0].readable);
    EXPECT_TRUE(d->memory->regions[0].writable);
    EXPECT_EQ(d->pmcu_driver->aux_buffer_bytes, 65536u);
}

TEST(Load, AWorkload)
{
    const Document d = parse(R"(
pmcu: {clusters: 1, slots: 8}
corepmu: {absent: [7]}
workloads:
  - name: web
    cpus: [0, "2-4"]
    segments:
      - cycles: 100
        mode: el0
        cid1: 0x4d2
        cid2: 7
        functions: [{name: main, base: 0x400000, size: 256, weight: 3}]
        events:
          - {event: INST_RETIRED, rate: 1.625}
          - {event: 0x10, kind: periodic, period_cycles: 50, offset_cycles: 3, increment: 2}
      - {cycles: 50, events: [{event: "0x14-0x17", kind: spread, rate: 0.001, rate_high: 2}]}
handler: {mode: el2}
)");

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(d->nr_workloads, 1u);
    const cs_workload_spec &w = d->workloads[0];
    EXPECT_STREQ(w.name, "web");
    for (unsigned cpu = 0; cpu < 8; cpu++)
        EXPECT_EQ(w.cpus[cpu], cpu == 0 || (cpu >= 2 && cpu <= 4)) << cpu;
    ASSERT_EQ(w.nr_segments, 2u);
    const cs_segment_spec &s = w.segments[0];
    EXPECT_EQ(s.cycles, 100u);
    EXPECT_EQ(s.mode, CS_MODE_EL0);
    EXPECT_EQ(s.cid1, 0x4d2u);
    EXPECT_EQ(s.cid2, 7u);
    ASSERT_EQ(s.nr_functions, 1u);
    EXPECT_STREQ(s.functions[0].name, "main");
    EXPECT_EQ(s.functions[0].weight, 3u);
    ASSERT_EQ(s.nr_streams, 2u);
    EXPECT_EQ(s.streams[0].first_event, 8u);
    EXPECT_EQ(s.streams[0].last_event, 8u);
    EXPECT_EQ(s.streams[0].kind, CS_STREAM_RATE);
    EXPECT_EQ(s.streams[0].rate.num, 13u);
    EXPECT_EQ(s.streams[0].rate.den, 8u);
    EXPECT_EQ(s.streams[0].line, 14u);
    EXPECT_EQ(s.streams[0].column, 13u);
    EXPECT_EQ(s.streams[1].kind, CS_STREAM_PERIODIC);
    EXPECT_EQ(s.streams[1].increment, 2u);
    EXPECT_EQ(s.streams[1].offset_cycles, 3u);
    EXPECT_EQ(w.segments[1].mode, CS_MODE_EL0);
    EXPECT_EQ(w.segments[1].streams[0].first_event, 0x14u);
    EXPECT_EQ(w.segments[1].streams[0].last_event, 0x17u);
    EXPECT_EQ(w.segments[1].streams[0].max_increment, 15u);
    EXPECT_EQ(d->handler.mode, CS_MODE_EL2);
    EXPECT_EQ(d->handler.cycles, 0u);
}

TEST(Load, AllCpusAreThosePresent)
{
    const Document d = parse("pmcu: {clusters: 2, slots: 2}\ncorepmu: {absent: [1]}\n"
                             "workloads: [{segments: [{}]}]\n");

    ASSERT_TRUE(d.ok()) << d.error;
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        EXPECT_EQ(d->workloads[0].cpus[cpu], cpu < 4 && cpu != 1) << cpu;
}

TEST(Load, UserEventsAsInSysfs)
{
    const struct {
        const char *value;
        std::vector<uint32_t> events;
    } cases[] = {
        {"'08 11 0x1b FFFF'", {0x08, 0x11, 0x1b, 0xffff}},
        {"'  08\t11  '", {0x08, 0x11}},
        {"\"08\\n11\\n\"", {0x08, 0x11}},
        {"11", {0x11}}, // a word of hexadecimal digits, whatever YAML sees in it
        {"0x8-0xa", {8, 9, 10}},
        {"'8-a 10'", {8, 9, 10, 0x10}},
        {"[11, 0x11, CPU_CYCLES, '0x20-0x21']", {11, 0x11, 0x11, 0x20, 0x21}},
        {"''", {}},
        {"[]", {}},
    };

    for (const auto &c : cases) {
        const Document d = parse("pmcu_driver: {user_events: " + std::string(c.value) + "}\n");

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(
            std::vector<uint32_t>(d->pmcu_driver->user_events,
                                  d->pmcu_driver->user_events + d->pmcu_driver->nr_user_events),
            c.events)
            << c.value;
    }
}

TEST(Load, EventsBeyond240AreIgnoredAndCounted)
{
    const struct {
        const char *range;
        unsigned kept, ignored;
    } cases[] = {{"0x0-0xee", 239, 0},
                 {"0x0-0xef", 240, 0},
                 {"0x0-0xf0", 240, 1},
                 {"0-ffff", 240, 65536 - 240}};

    for (const auto &c : cases) {
        const Document d = parse("pmcu_driver: {user_events: " + std::string(c.range) + "}\n");

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->pmcu_driver->nr_user_events, c.kept) << c.range;
        EXPECT_EQ(d->pmcu_driver->nr_ignored_events, c.ignored) << c.range;
    }
}

TEST(Load, AScript)
{
    const Document d = parse(R"(
software: {kind: script}
script:
  - write: {at: pmcu.FSM_CFG, value: 0x20101}
  - write: {at: 0x80000000, value: 0xffffffffffffffff, size: 8}
  - read: {at: pmcu.PMCCFILTR}
  - delay: 12
  - wait_irq: 0
)");
    const struct {
        cs_step_kind kind;
        uint64_t addr, value, cycles;
        unsigned size;
    } steps[] = {
        {CS_STEP_WRITE, 0x10000004, 0x20101, 0, 4},
        {CS_STEP_WRITE, 0x80000000, UINT64_MAX, 0, 8},
        {CS_STEP_READ, 0x10000204, 0, 0, 4},
        {CS_STEP_DELAY, 0, 0, 12, 0},
        {CS_STEP_WAIT_IRQ, 0, 0, 0, 0},
    };

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(d->nr_script, 5u);
    for (size_t i = 0; i < 5; i++) {
        EXPECT_EQ(d->script[i].kind, steps[i].kind) << i;
        EXPECT_EQ(d->script[i].addr, steps[i].addr) << i;
        EXPECT_EQ(d->script[i].value, steps[i].value) << i;
        EXPECT_EQ(d->script[i].cycles, steps[i].cycles) << i;
        EXPECT_EQ(d->script[i].size, steps[i].size) << i;
    }
}

TEST(Load, Faults)
{
    const Document d = parse(R"(
memory:
  faults:
    - {base: 0x1000, size: 4}
    - {base: 0x2000, size: 8, access: write, nth: 3, count: 0, action: stall, stall_cycles: 9}
)");

    ASSERT_TRUE(d.ok()) << d.error;
    const cs_fault_spec *f = d->memory->faults;
    ASSERT_EQ(d->memory->nr_faults, 2u);
    EXPECT_TRUE(f[0].on_read && f[0].on_write && f[0].error);
    EXPECT_EQ(f[0].nth, 1u);
    EXPECT_EQ(f[0].count, 1u);
    EXPECT_EQ(f[0].stall_cycles, 0u);
    EXPECT_TRUE(!f[1].on_read && f[1].on_write && !f[1].error);
    EXPECT_EQ(f[1].nth, 3u);
    EXPECT_EQ(f[1].count, 0u);
    EXPECT_EQ(f[1].stall_cycles, 9u);
}

TEST(Load, NamesComeFromFiles)
{
    const struct {
        const char *source, *name;
    } cases[] = {
        {"configs/a-b.yaml", "a-b"}, {"x", "x"}, {"/t/ä b.c.yml", "___b.c"}, {"", "scenario"}};

    for (const auto &c : cases) {
        cs_scenario *s = nullptr;

        ASSERT_EQ(cs_scenario_parse("seed: 1", 7, c.source, ".", nullptr, 0, &s, nullptr), CS_OK);
        EXPECT_STREQ(s->name, c.name);
        cs_scenario_destroy(s);
    }
}

TEST(Load, WordsAndFlags)
{
    const Document d = parse(R"(
bus: {arbitration: per_target}
corepmu: {map: ext64, hpme: true}
pmcu: {broadcast: true, prefetch: true}
pmcu_driver: {comp: true}
keep: {memory: false, probe: true, samples_truth: false}
memory:
  regions:
    - {base: 0, size: 1, rights: rw}
    - {base: 0, size: 1, rights: ro}
    - {base: 0, size: 1, rights: none}
handler: {mode: el3}
)");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_TRUE(d->bus->per_target);
    EXPECT_TRUE(d->corepmu->ext64);
    EXPECT_TRUE(d->corepmu->hpme);
    EXPECT_TRUE(d->pmcu->broadcast);
    EXPECT_TRUE(d->pmcu->prefetch);
    EXPECT_TRUE(d->pmcu_driver->comp);
    EXPECT_FALSE(d->keep->memory);
    EXPECT_TRUE(d->keep->probe);
    EXPECT_FALSE(d->keep->samples_truth);
    EXPECT_TRUE(d->memory->regions[0].readable && d->memory->regions[0].writable);
    EXPECT_TRUE(d->memory->regions[1].readable && !d->memory->regions[1].writable);
    EXPECT_TRUE(!d->memory->regions[2].readable && !d->memory->regions[2].writable);
    EXPECT_EQ(d->handler.mode, CS_MODE_EL3);
}

TEST(Load, QuotedTexts)
{
    const Document d = parse("handler:\n  functions:\n"
                             "    - {name: 'it''s ''ä''', base: 0, size: 4}\n"
                             "    - {name: \"a\\x41\\\"\", base: 0, size: 4}\n"
                             "    - {name: 'two\n        lines', base: 0, size: 4}\n"
                             "    - {name: '''''''''''''''''''''''''', base: 0, size: 4}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_STREQ(d->handler.functions[0].name, "it's 'ä'");
    EXPECT_STREQ(d->handler.functions[1].name, "aA\"");
    EXPECT_STREQ(d->handler.functions[2].name, "two lines");
    EXPECT_STREQ(d->handler.functions[3].name, "''''''''''''");
}

TEST(Load, FilesThatCannotBeRead)
{
    EXPECT_EQ(load("/nonexistent/x.yaml").status, CS_ERR_IO);
    EXPECT_EQ(load("/").status, CS_ERR_IO);
    EXPECT_EQ(load("/nonexistent/x.yaml").error,
              "/nonexistent/x.yaml: cannot be opened: No such file or directory");
    cs_scenario_destroy(nullptr);
}

TEST(Load, EachDieHasItsProgram)
{
    const Document d = parse(R"(
pmcu: {dies: 3, sccl: 1, sccl_step: 2, clusters: 1, slots: 4}
corepmu: {offline: [4]}
software: {cpu: 2}
pmcu_driver:
  user_events: "11 08"
  nr_sample: 7
  sample_period_ms: 2
  dies:
    - {sccl: 5, cpu: 1, user_events: "04", sample_period_ticks: 60}
    - {sccl: 3, nr_sample: 9}
)");
    ASSERT_TRUE(d.ok()) << d.error;
    const cs_pmcu_driver_spec *s = d->pmcu_driver;
    const cs_pmcu_program *first = &s->programs[0], *second = &s->programs[1],
                          *third = &s->programs[2];

    EXPECT_FALSE(first->runs) << "it is not named";
    EXPECT_EQ(first->sccl, 1u);
    EXPECT_EQ(first->cpu, 2u) << "software.cpu is of this die";

    EXPECT_TRUE(second->runs);
    EXPECT_EQ(second->sccl, 3u);
    EXPECT_EQ(second->cpu, 5u) << "CPU 4 has no power";
    EXPECT_EQ(second->nr_sample, 9u);
    EXPECT_EQ(second->nr_user_events, 2u);
    EXPECT_EQ(second->sample_period_ticks, 100000u);
    EXPECT_EQ(second->aux_base, s->aux_base + (16u << 20)) << "behind the buffers of the first";
    EXPECT_EQ(second->data_base, s->data_base + 4096);

    EXPECT_TRUE(third->runs);
    EXPECT_EQ(third->cpu, 1u);
    EXPECT_EQ(third->nr_sample, 7u);
    EXPECT_EQ(third->nr_user_events, 1u);
    EXPECT_EQ(third->user_events[0], 4u);
    EXPECT_EQ(third->sample_period_ticks, 60u);
    EXPECT_EQ(third->sample_period_ms, 0u);
}

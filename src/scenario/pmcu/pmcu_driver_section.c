// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_moves.h"
#include "scenario/pmcu/pmcu_perf_owner.h"
#include "scenario/pmcu/pmcu_programs.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include <stdio.h>

#define P cs_pmcu_program
static const cs_key die_keys[] = {
    {NUMBER("sccl", "", 0, 127, NULL, "N of the die's hisi_pmcu_sccl<N>"), AT(P, sccl)},
    {NUMBER("cpu", "", 0, CS_MAX_CPUS - 1, "=software.cpu on its die; else the first of the die",
            "that manages the PMCU (its cpumask)"),
     AT(P, cpu)},
    {OTHER("user_events", CS_KEY_USER_EVENTS, "=pmcu_driver.user_events", "as there"),
     AT_LIST(P, user_events, nr_user_events)},
    {NUMBER("nr_sample", "", 1, UINT32_MAX, "=pmcu_driver.nr_sample", "as there"),
     AT(P, nr_sample)},
    {NUMBER("sample_period_ms", "ms", 1, 85899, "=pmcu_driver.sample_period_ms", "as there"),
     AT(P, sample_period_ms)},
    {NUMBER("sample_period_ticks", "50 MHz ticks", 1, UINT32_MAX,
            "=pmcu_driver.sample_period_ticks", "as there"),
     AT(P, sample_period_ticks)},
    {NUMBER("pmccfiltr", "", 0, 255, "=pmcu_driver.pmccfiltr", "as there"), AT(P, pmccfiltr)},
    {NUMBER("stop_at_cycle", "bus cycles", 0, CS_STREAM_END, "=pmcu_driver.stop_at_cycle",
            "as there"),
     AT(P, stop_at_cycle)},
};
#undef P
static const cs_key_shape die_shape = {SHAPE("pmcu_die", die_keys, cs_pmcu_program),
                                       .only_one = {"sample_period_ms", "sample_period_ticks"}};

#define S cs_pmcu_driver_spec
#define MAX_SPAN_MS 86400000u /* a day */

/* By the bits of cs_pmcu_quirk (drivers/pmcu/pmcu_driver.h). */
static const cs_key_choice quirk_choices[] = {
    {"comp_unset", 0, NULL, NULL, "COMP is written before the mode is known: always 0"},
    {"late_clear", 1, NULL, NULL, "INT_CLR after the next trigger: its DONE may be lost"},
    {"stop_masked", 2, NULL, NULL, "a stop polls with interrupts off, and times out"},
    {"affinity_unset", 3, NULL, NULL, "the interrupt's handler runs on CPU 0"},
    {"status_unread", 4, NULL, NULL, "a failed run is taken for a good one"},
    {"stays_enabled", 5, NULL, NULL, "INT_EN is not cleared at the end"},
    {0},
};

static const cs_key driver_keys[] = {
    {OTHER("user_events", CS_KEY_USER_EVENTS, "[]",
           "the events to count: hexadecimal words as in sysfs, \"0x0-0xef\", or a list; those "
           "beyond 240 are ignored"),
     AT_LIST(S, user_events, nr_user_events)},
    {NUMBER("nr_sample", "", 1, UINT32_MAX, "128", "samples to take (config)"), AT(S, nr_sample)},
    {NUMBER("span_ms", "ms", 0, MAX_SPAN_MS, "0",
            "how long to count, whatever the period: nr_sample becomes the number of samples whose "
            "counting times fill it best, and what is said of it is not used; 0: nr_sample says"),
     AT(S, span_ms)},
    {NUMBER("sample_period_ms", "ms", 1, 85899, "3", "counting time of an event group (config)"),
     AT(S, sample_period_ms)},
    {NUMBER("sample_period_ticks", "50 MHz ticks", 1, UINT32_MAX, "=sample_period_ms * 50000",
            "the same, finer; not beside sample_period_ms"),
     AT(S, sample_period_ticks)},
    {NUMBER("pmccfiltr", "", 0, 255, "0", "bits 31:24 of PMCCFILTR (config1)"), AT(S, pmccfiltr)},
    {OTHER("comp", CS_KEY_FLAG,
           "=true if corepmu.hpmn is at most 3, and less than corepmu.counters",
           "compatibility mode"),
     AT(S, comp)},
    {BYTES("aux_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB", "address of AUX buffer 0"),
     AT(S, aux_base)},
    {BYTES("aux_buffer_bytes", PAGE, (uint64_t)1 << 30, PAGE, "4 MiB", "length of an AUX buffer"),
     AT(S, aux_buffer_bytes)},
    {NUMBER("aux_buffers", "", 1, 4096, "4", "AUX buffers, used in turn"), AT(S, aux_buffers)},
    {NUMBER("reader_us", "us", 0, 1000000000, "0",
            "perf takes so long to read an AUX buffer; 0: no time"),
     AT(S, reader_us)},
    {OTHER("quirks", CS_KEY_CHOICES, "[]",
           "what the published driver does otherwise (docs/drivers/pmcu_driver.md, \"Quirks\"); a "
           "list"),
     AT(S, quirks), .choices = quirk_choices},
    {BYTES("data_base", 0, UINT64_MAX - 7, 8, "=memory.base + 4 KiB",
           "address of the driver's own data, 4 KiB"),
     AT(S, data_base)},
    {NUMBER("start_at_cycle", "bus cycles", 0, CS_STREAM_END, "0",
            "when the user starts perf; 0: at once"),
     AT(S, start_at_cycle)},
    {NUMBER("stop_at_cycle", "bus cycles", 0, CS_STREAM_END, "0",
            "when the user stops perf; 0: never"),
     AT(S, stop_at_cycle)},
    {NUMBER("perf_wakeup_cycles", "bus cycles", 0, 100000000, "3000",
            "perf record wakes up for what the driver hands over"),
     AT(S, perf_wakeup_cycles)},
    {NUMBER("perf_kib_cycles", "bus cycles", 0, 1000000, "500",
            "perf record copies 1024 bytes of it to its file"),
     AT(S, perf_kib_cycles)},
    {LIST("dies", &die_shape, 0, CS_MAX_DIES, "[]",
          "dies that have a driver, with what is special to each; none: all have one"),
     AT_LIST(S, dies, nr_dies)},
};
static const cs_key_shape shape = {SHAPE("pmcu_driver", driver_keys, S),
                                   .only_one = {"sample_period_ms", "sample_period_ticks"}};

#define MIB ((uint64_t)1 << 20)

/* docs/hw/pmcu.md: counters that a run uses */
#define NORMAL_COUNTERS 8u
#define COMP_COUNTERS 5u
#define COMP_FIRST 3u

#define HEADER_WORDS 7u

#define PMCCFILTR_NSH 0x08u /* of bits 31:24: count at EL2 */

/* Whether the driver runs in compatibility mode: it refuses it where guests have more counters. */
static bool in_comp(const cs_scenario *s)
{
    return s->pmcu_driver->comp && s->corepmu->hpmn <= COMP_FIRST;
}

static unsigned most_counters(const cs_scenario *s)
{
    return in_comp(s) ? COMP_COUNTERS : NORMAL_COUNTERS;
}

/* Rounds of all groups. */
static uint64_t groups_of(const cs_scenario *s, const cs_pmcu_program *p)
{
    const unsigned most = most_counters(s);

    return (p->nr_user_events + most - 1) / most;
}

/* As many samples as fill the span best; 0 or more than nr_sample can say is found by check_span. */
static uint64_t samples_in_span(const cs_scenario *s, const cs_pmcu_program *p)
{
    const uint64_t ticks = s->pmcu_driver->span_ms * CS_PMCU_TICKS_PER_MS;
    const uint64_t sample = groups_of(s, p) * p->sample_period_ticks;

    return sample != 0 ? (ticks + sample / 2) / sample : p->nr_sample;
}

static bool has_span(const cs_scenario *s, const cs_pmcu_program *p)
{
    return s->pmcu_driver->span_ms != 0 && p->runs && !p->own_samples;
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "pmcu_driver.comp") == NULL)
        s->pmcu_driver->comp =
            s->corepmu->hpmn <= COMP_FIRST && s->corepmu->hpmn < s->corepmu->counters;
    if (cs_check_at(check, "pmcu_driver.sample_period_ticks") == NULL)
        s->pmcu_driver->sample_period_ticks =
            s->pmcu_driver->sample_period_ms * CS_PMCU_TICKS_PER_MS;
    else
        s->pmcu_driver->sample_period_ms = 0;
    if (cs_check_at(check, "pmcu_driver.aux_base") == NULL)
        s->pmcu_driver->aux_base = s->memory->base + 16 * MIB;
    if (cs_check_at(check, "pmcu_driver.data_base") == NULL)
        s->pmcu_driver->data_base = s->memory->base + 4096;
    cs_pmcu_programs_make(check);
    for (unsigned die = 0; die < s->pmcu->dies && cs_scenario_has_pmcu(s); die++) {
        cs_pmcu_program *p = &s->pmcu_driver->programs[die];

        if (has_span(s, p))
            p->nr_sample = (unsigned)samples_in_span(s, p);
    }
}

static cs_status check_span(cs_check *check, const cs_pmcu_program *p)
{
    const cs_scenario *s = check->scenario;
    const uint64_t samples = has_span(s, p) ? samples_in_span(s, p) : 1;

    cs_check_at(check, "pmcu_driver.span_ms");
    if (samples == 0)
        return cs_check_fail(check, "%llu ms are less than half a sample of %.3f ms",
                             (unsigned long long)s->pmcu_driver->span_ms,
                             (double)(groups_of(s, p) * p->sample_period_ticks) /
                                 CS_PMCU_TICKS_PER_MS);
    if (samples > UINT32_MAX)
        return cs_check_fail(check, "%llu ms are %llu samples; at most %u can be asked for",
                             (unsigned long long)s->pmcu_driver->span_ms,
                             (unsigned long long)samples, UINT32_MAX);
    return CS_OK;
}

/* One whole sample, and the header in the first buffer, must fit into an AUX buffer. */
static cs_status check_sample(cs_check *check, const cs_pmcu_program *p)
{
    const cs_scenario *s = check->scenario;
    unsigned most = most_counters(s);
    unsigned events = p->nr_user_events;
    unsigned pmus = events < most ? events : most;

    if (!p->runs || events == 0)
        return CS_OK;
    uint64_t groups = groups_of(s, p);
    uint64_t subsample = (uint64_t)(pmus + (in_comp(s) ? 1 : 2)) * 8 * cs_scenario_die_cpus(s);
    uint64_t header = ((HEADER_WORDS + groups * pmus) * 4 + 15) / 16 * 16;
    uint64_t bytes = header + groups * subsample;

    cs_check_at(check, "pmcu_driver.aux_buffer_bytes");
    if (bytes > s->pmcu_driver->aux_buffer_bytes)
        return cs_check_fail(check, "%llu is less than the %llu bytes of header and one sample",
                             (unsigned long long)s->pmcu_driver->aux_buffer_bytes,
                             (unsigned long long)bytes);
    return CS_OK;
}

/* Those of all dies lie one after the other. */
static uint64_t aux_bytes_of(const cs_scenario *s)
{
    return s->pmcu->dies * s->pmcu_driver->aux_buffer_bytes * s->pmcu_driver->aux_buffers;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t aux_bytes = aux_bytes_of(s);

    cs_check_at(check, "software.kind");
    if (!cs_scenario_has_pmcu(s))
        return cs_check_fail(check, "pmcu_driver needs a PMCU (pmcu.clusters)");
    if (cs_check_at(check, "pmcu_driver.sample_period_ticks") != NULL &&
        cs_yaml_find(check->root, "pmcu_driver.sample_period_ms", NULL) != NULL)
        return cs_check_fail(check, "not allowed beside pmcu_driver.sample_period_ms");

    cs_check_at(check, "pmcu_driver.stop_at_cycle");
    if (s->pmcu_driver->stop_at_cycle != 0 &&
        s->pmcu_driver->stop_at_cycle <= s->pmcu_driver->start_at_cycle)
        return cs_check_fail(check, "%llu is not after pmcu_driver.start_at_cycle %llu",
                             (unsigned long long)s->pmcu_driver->stop_at_cycle,
                             (unsigned long long)s->pmcu_driver->start_at_cycle);
    cs_check_at(check, "pmcu_driver.aux_base");
    cs_status status =
        cs_check_in_ram(check, s->pmcu_driver->aux_base, aux_bytes, "the AUX buffers");
    if (status == CS_OK) {
        cs_check_at(check, "pmcu_driver.data_base");
        status = cs_check_in_ram(check, s->pmcu_driver->data_base,
                                 s->pmcu->dies * CS_PMCU_DATA_BYTES, "the driver's data");
    }
    if (status == CS_OK)
        status = cs_pmcu_programs_check(check);
    for (unsigned die = 0; die < s->pmcu->dies && status == CS_OK; die++) {
        status = check_sample(check, &s->pmcu_driver->programs[die]);
        if (status == CS_OK)
            status = check_span(check, &s->pmcu_driver->programs[die]);
    }
    return status == CS_OK ? cs_pmcu_moves_check(check) : status;
}

static size_t areas(const cs_scenario *s, cs_area out[])
{
    out[0] = (cs_area){"pmcu_driver.aux_base", "the AUX buffers", s->pmcu_driver->aux_base,
                       aux_bytes_of(s)};
    out[1] = (cs_area){"pmcu_driver.data_base", "the driver's data", s->pmcu_driver->data_base,
                       s->pmcu->dies * CS_PMCU_DATA_BYTES};
    return 2;
}

static cs_status warn_of_events(cs_check *check, const cs_pmcu_program *p)
{
    const cs_scenario *s = check->scenario;
    unsigned silent = 0;
    uint32_t first = 0;
    cs_status status = CS_OK;

    if (p->own_events)
        cs_check_at(check, "pmcu_driver.dies.%zu.user_events", p->place);
    else
        cs_check_at(check, "pmcu_driver.user_events");
    if (p->nr_user_events == 0)
        status = cs_check_warn(check, "empty; the driver triggers the PMCU with FSM_CFG 0");
    if (p->nr_ignored_events > 0)
        status = cs_check_warn(check, "%u events beyond %u are ignored, as the driver does",
                               p->nr_ignored_events, CS_MAX_USER_EVENTS);
    for (unsigned i = p->nr_user_events; i-- > 0;) {
        if (!cs_check_somewhere_counts(s, p->user_events[i])) {
            first = p->user_events[i];
            silent++;
        }
    }
    if (silent > 0 && status == CS_OK)
        status = cs_check_warn(check,
                               "%u of %u count nothing, the first is 0x%x: no workload has "
                               "a stream for it",
                               silent, p->nr_user_events, first);
    return status;
}

/* Those that several dies have are looked at once. */
static cs_status warn_of_all_events(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    bool common = false;
    cs_status status = CS_OK;

    for (unsigned die = 0; die < s->pmcu->dies && status == CS_OK; die++) {
        const cs_pmcu_program *p = &s->pmcu_driver->programs[die];

        if (!p->runs || (common && !p->own_events))
            continue;
        common |= !p->own_events;
        status = warn_of_events(check, p);
    }
    return status;
}

static unsigned most_events(const cs_scenario *s)
{
    unsigned most = 0;

    for (unsigned die = 0; die < s->pmcu->dies; die++) {
        const cs_pmcu_program *p = &s->pmcu_driver->programs[die];

        most = p->runs && p->nr_user_events > most ? p->nr_user_events : most;
    }
    return most;
}

static cs_status warn_of_counters(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned most = most_counters(s);
    unsigned first = in_comp(s) ? COMP_FIRST : 0;
    unsigned events = most_events(s);
    unsigned used = first + (events < most ? events : most);
    cs_status status = CS_OK;

    cs_check_at(check, "corepmu.hpmn");
    if (s->pmcu_driver->comp && !in_comp(s))
        status = cs_check_warn(check,
                               "%u is more than %u: the driver will refuse compatibility mode "
                               "and run in normal mode",
                               s->corepmu->hpmn, COMP_FIRST);
    if (status == CS_OK && used > s->corepmu->hpmn && s->corepmu->counters > s->corepmu->hpmn &&
        !s->corepmu->hpme && !in_comp(s))
        status = cs_check_warn(check,
                               "counters %u to %u belong to the second range, which does "
                               "not count without corepmu.hpme",
                               s->corepmu->hpmn, used - 1);
    cs_check_at(check, "corepmu.counters");
    if (status == CS_OK && used > s->corepmu->counters)
        status = cs_check_warn(check,
                               "%u is less than the %u that the PMCU uses; the others read "
                               "as zero",
                               s->corepmu->counters, used);
    return status;
}

/* Of the time in which the CPUs of the workload are awake, the share at EL2. */
static double share_at_el2(const cs_workload_spec *w)
{
    uint64_t awake = 0, at_el2 = 0;

    for (size_t i = 0; i < w->nr_segments; i++) {
        const cs_segment_spec *segment = &w->segments[i];
        const uint64_t cycles = segment->cycles != 0 ? segment->cycles : 1; /* the only one */

        awake += segment->wfi ? 0 : cycles;
        at_el2 += segment->wfi || segment->mode != CS_MODE_EL2 ? 0 : cycles;
    }
    return awake != 0 ? (double)at_el2 / (double)awake : 0;
}

/* The PMCU writes event numbers alone to PMEVTYPER: NSH is 0, and no event counts at EL2. */
static cs_status warn_of_el2(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    double share = 0;
    unsigned cpus = 0;
    bool cycles = false;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(s); cpu++) {
            const cs_pmcu_program *p = &s->pmcu_driver->programs[cs_scenario_die_of(s, cpu)];

            if (!s->workloads[i].cpus[cpu] || !p->runs ||
                cs_scenario_cpu_state(s, cpu) != CS_CPU_ONLINE)
                continue;
            share += share_at_el2(&s->workloads[i]);
            cycles |= (p->pmccfiltr & PMCCFILTR_NSH) != 0;
            cpus++;
        }
    cs_check_at(check, "workloads");
    if (share == 0)
        return CS_OK;
    return cs_check_warn(check,
                         "%.1f %% of the CPUs' time is at EL2, where the PMCU's events do not "
                         "count (docs/hw/pmcu.md, \"A kernel at EL2\")%s",
                         100 * share / cpus,
                         cycles ? "; the cycle counter does (pmcu_driver.pmccfiltr)" : "");
}

static cs_status warn(cs_check *check)
{
    cs_status status = warn_of_all_events(check);

    if (status == CS_OK)
        status = warn_of_counters(check);
    return status == CS_OK ? warn_of_el2(check) : status;
}

static const cs_software_rule software = {.kind = CS_SOFTWARE_pmcu_driver,
                                          .runs_on = cs_pmcu_programs_run_on};

static void tell(const cs_scenario *s, char *out, size_t size)
{
    size_t n = 0;

    for (unsigned die = 0; die < s->pmcu->dies; die++) {
        const cs_pmcu_program *p = &s->pmcu_driver->programs[die];
        char name[16] = "";

        if (!p->runs || n >= size)
            continue;
        if (s->pmcu->dies > 1)
            snprintf(name, sizeof name, "sccl%u: ", p->sccl);
        n += (size_t)snprintf(
            out + n, size - n,
            "%s%s%u event%s, %u sample%s, %u ticks (%.3f ms) each group%s, driver on CPU %u",
            n != 0 ? "; " : "", name, p->nr_user_events, p->nr_user_events == 1 ? "" : "s",
            p->nr_sample, p->nr_sample == 1 ? "" : "s", (unsigned)p->sample_period_ticks,
            p->sample_period_ticks / 50000.0, in_comp(s) ? ", compatibility mode" : "", p->cpu);
    }
}

static const cs_key keys[] = {{MAP("pmcu_driver", &shape, "the PMCU driver's settings")}};

/* The samples, each with as many groups of events as there are turns on the counters. */
static uint64_t least_cycles(const cs_scenario *s)
{
    uint64_t least = 0;

    for (unsigned die = 0; die < s->pmcu->dies; die++) {
        const cs_pmcu_program *p = &s->pmcu_driver->programs[die];
        const uint64_t cycles =
            p->nr_sample * groups_of(s, p) * p->sample_period_ticks * s->pmcu->tick_cycles;

        least = p->runs && cycles > least ? cycles : least;
    }
    return s->pmcu_driver->start_at_cycle + least;
}

/* Each of its samples is one. */
static uint64_t period(const cs_scenario *s, unsigned number)
{
    (void)s, (void)number;
    return 1;
}

static const cs_section_commands commands = {.period = period};

const cs_section cs_section_pmcu_driver = {SECTION("pmcu_driver", keys, S),
                                           .was = "driver",
                                           .compute = compute,
                                           .check = check,
                                           .areas = areas,
                                           .warn = warn,
                                           .least_cycles = least_cycles,
                                           .software = &software,
                                           .tell = tell,
                                           .commands = &commands,
                                           .perf = &cs_pmcu_perf_owner};

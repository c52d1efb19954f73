#include "scenario/check.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/ports.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"
#include <stdio.h>

#define S cs_pmcu_driver_spec

static const cs_key driver_keys[] = {
    {OTHER("user_events", CS_KEY_USER_EVENTS, "[]",
           "the events to count: hexadecimal words as in sysfs, \"0x0-0xef\", or a list; those "
           "beyond 240 are ignored"),
     AT_LIST(S, user_events, nr_user_events)},
    {NUMBER("nr_sample", "", 1, UINT32_MAX, "128", "samples to take (config)"), AT(S, nr_sample)},
    {NUMBER("sample_period_ms", "ms", 1, 85899, "3", "counting time of an event group (config)"),
     AT(S, sample_period_ms)},
    {NUMBER("sample_period_ticks", "50 MHz ticks", 1, UINT32_MAX, "=sample_period_ms * 50000",
            "the same, finer; not beside sample_period_ms"),
     AT(S, sample_period_ticks)},
    {NUMBER("pmccfiltr", "", 0, 255, "0", "bits 31:24 of PMCCFILTR (config1)"), AT(S, pmccfiltr)},
    {OTHER("comp", CS_KEY_FLAG, "false", "compatibility mode"), AT(S, comp)},
    {BYTES("aux_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB", "address of AUX buffer 0"),
     AT(S, aux_base)},
    {BYTES("aux_buffer_bytes", PAGE, (uint64_t)1 << 30, PAGE, "4 MiB", "length of an AUX buffer"),
     AT(S, aux_buffer_bytes)},
    {NUMBER("aux_buffers", "", 1, 4096, "4", "AUX buffers, used in turn"), AT(S, aux_buffers)},
    {BYTES("data_base", 0, UINT64_MAX - 7, 8, "=memory.base + 4 KiB",
           "address of the driver's own data, 4 KiB"),
     AT(S, data_base)},
    {NUMBER("stop_at_cycle", "bus cycles", 0, CS_STREAM_END, "0",
            "when the user stops perf; 0: never"),
     AT(S, stop_at_cycle)},
};
static const cs_key_shape shape = {SHAPE("pmcu_driver", driver_keys, S),
                                   .only_one = {"sample_period_ms", "sample_period_ticks"}};

#define TICKS_PER_MS 50000u
#define MIB ((uint64_t)1 << 20)
#define DATA_BYTES 4096u

/* docs/hw/pmcu.md: counters that a run uses */
#define NORMAL_COUNTERS 8u
#define COMP_COUNTERS 5u
#define COMP_FIRST 3u

#define HEADER_WORDS 7u

/* Whether the driver runs in compatibility mode: it refuses it where guests have more counters. */
static bool in_comp(const cs_scenario *s)
{
    return s->pmcu_driver->comp && s->corepmu->hpmn <= COMP_FIRST;
}

static unsigned most_counters(const cs_scenario *s)
{
    return in_comp(s) ? COMP_COUNTERS : NORMAL_COUNTERS;
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "pmcu_driver.sample_period_ticks") == NULL)
        s->pmcu_driver->sample_period_ticks = s->pmcu_driver->sample_period_ms * TICKS_PER_MS;
    else
        s->pmcu_driver->sample_period_ms = 0;
    if (cs_check_at(check, "pmcu_driver.aux_base") == NULL)
        s->pmcu_driver->aux_base = s->memory->base + 16 * MIB;
    if (cs_check_at(check, "pmcu_driver.data_base") == NULL)
        s->pmcu_driver->data_base = s->memory->base + 4096;
}

/* One whole sample, and the header in the first buffer, must fit into an AUX buffer. */
static cs_status check_sample(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned most = most_counters(s);
    unsigned events = s->pmcu_driver->nr_user_events;
    unsigned pmus = events < most ? events : most;

    if (events == 0)
        return CS_OK;
    uint64_t groups = (events + pmus - 1) / pmus;
    uint64_t subsample = (uint64_t)(pmus + (in_comp(s) ? 1 : 2)) * 8 * cs_scenario_arm_cpus(s);
    uint64_t header = ((HEADER_WORDS + groups * pmus) * 4 + 15) / 16 * 16;
    uint64_t bytes = header + groups * subsample;

    cs_check_at(check, "pmcu_driver.aux_buffer_bytes");
    if (bytes > s->pmcu_driver->aux_buffer_bytes)
        return cs_check_fail(check, "%llu is less than the %llu bytes of header and one sample",
                             (unsigned long long)s->pmcu_driver->aux_buffer_bytes,
                             (unsigned long long)bytes);
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t aux_bytes = s->pmcu_driver->aux_buffer_bytes * s->pmcu_driver->aux_buffers;

    cs_check_at(check, "software.kind");
    if (!cs_scenario_has_pmcu(s))
        return cs_check_fail(check, "pmcu_driver needs a PMCU (pmcu.clusters)");
    if (cs_check_at(check, "pmcu_driver.sample_period_ticks") != NULL &&
        cs_yaml_find(check->root, "pmcu_driver.sample_period_ms", NULL) != NULL)
        return cs_check_fail(check, "not allowed beside pmcu_driver.sample_period_ms");

    cs_check_at(check, "pmcu_driver.aux_base");
    cs_status status =
        cs_check_in_ram(check, s->pmcu_driver->aux_base, aux_bytes, "the AUX buffers");
    if (status == CS_OK) {
        cs_check_at(check, "pmcu_driver.data_base");
        status = cs_check_in_ram(check, s->pmcu_driver->data_base, DATA_BYTES, "the driver's data");
    }
    return status == CS_OK ? check_sample(check) : status;
}

static size_t areas(const cs_scenario *s, cs_area out[])
{
    out[0] = (cs_area){"pmcu_driver.aux_base", "the AUX buffers", s->pmcu_driver->aux_base,
                       s->pmcu_driver->aux_buffer_bytes * s->pmcu_driver->aux_buffers};
    out[1] = (cs_area){"pmcu_driver.data_base", "the driver's data", s->pmcu_driver->data_base,
                       DATA_BYTES};
    return 2;
}

static cs_status warn_of_events(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned silent = 0;
    uint32_t first = 0;
    cs_status status = CS_OK;

    cs_check_at(check, "pmcu_driver.user_events");
    if (s->pmcu_driver->nr_user_events == 0)
        status = cs_check_warn(check, "empty; the driver triggers the PMCU with FSM_CFG 0");
    if (s->pmcu_driver->nr_ignored_events > 0)
        status = cs_check_warn(check, "%u events beyond %u are ignored, as the driver does",
                               s->pmcu_driver->nr_ignored_events, CS_MAX_USER_EVENTS);
    for (unsigned i = s->pmcu_driver->nr_user_events; i-- > 0;) {
        if (!cs_check_somewhere_counts(s, s->pmcu_driver->user_events[i])) {
            first = s->pmcu_driver->user_events[i];
            silent++;
        }
    }
    if (silent > 0 && status == CS_OK)
        status = cs_check_warn(check,
                               "%u of %u count nothing, the first is 0x%x: no workload has "
                               "a stream for it",
                               silent, s->pmcu_driver->nr_user_events, first);
    return status;
}

static cs_status warn_of_counters(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned most = most_counters(s);
    unsigned first = in_comp(s) ? COMP_FIRST : 0;
    unsigned events = s->pmcu_driver->nr_user_events;
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

static cs_status warn(cs_check *check)
{
    cs_status status = warn_of_events(check);

    return status == CS_OK ? warn_of_counters(check) : status;
}

static const cs_software_rule software = {.kind = CS_SOFTWARE_pmcu_driver,
                                          .runs_on = cs_scenario_on_software_cpu};

static void tell(const cs_scenario *s, char *out, size_t size)
{
    const cs_pmcu_driver_spec *d = s->pmcu_driver;

    snprintf(out, size, "%u events, %u samples, %u ticks (%.3f ms) each group%s, driver on CPU %u",
             d->nr_user_events, d->nr_sample, (unsigned)d->sample_period_ticks,
             d->sample_period_ticks / 50000.0, in_comp(s) ? ", compatibility mode" : "",
             s->software->cpu);
}

static const cs_key keys[] = {{MAP("pmcu_driver", &shape, "the PMCU driver's settings")}};
/* The samples, each with as many groups of events as there are turns on the counters. */
static uint64_t least_cycles(const cs_scenario *s)
{
    const cs_pmcu_driver_spec *d = s->pmcu_driver;
    const unsigned most = most_counters(s);
    const unsigned groups = (d->nr_user_events + most - 1) / most;

    return (uint64_t)d->nr_sample * groups * d->sample_period_ticks * s->pmcu->tick_cycles;
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
                                           .commands = &commands};

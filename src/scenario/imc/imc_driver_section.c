// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/bus/msb0.h"
#include "formats/imc/catalog/nest_units.h"
#include "scenario/check.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_events.h"
#include "scenario/imc/imc_perf_owner.h"
#include "scenario/imc/imc_processes.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/ports.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/scenario.h"

#define COUNTER_BYTES 8u
#define S cs_imc_driver_spec

static const cs_key_choice restore_choices[] = {
    {"all", CS_RESTORE_ALL, NULL, NULL,
     "PDBAR, EVENT_MASK and TRACE by OPAL, LDBAR by the kernel; not HTM_MODE"},
    {"htm_mode", CS_RESTORE_HTM_MODE, NULL, NULL, "all of these, and HTM_MODE"},
    {"no_ldbar", CS_RESTORE_NO_LDBAR, NULL, NULL, "those of OPAL only (Linux 5.2)"},
    {"none", CS_RESTORE_NONE, NULL, NULL, "nothing (early skiboot)"},
    {0},
};
static const cs_key_choice pmu_choices[] = {
    {"nest", CS_PERF_NEST, NULL, NULL, "nest units"},
    {"core", CS_PERF_CORE, NULL, NULL, "core_imc"},
    {"thread", CS_PERF_THREAD, NULL, NULL, "thread_imc"},
    {"trace", CS_PERF_TRACE, NULL, NULL, "trace_imc"},
    {0},
};

static const cs_key process_keys[] = {
    {NUMBER("pid", "", 0, UINT32_MAX, NULL, "pid of its segments"), AT(cs_perf_process_spec, pid)},
};
static const cs_key_shape process_shape = {SHAPE("processes", process_keys, cs_perf_process_spec)};

static const cs_key perf_keys[] = {
    {CHOICE("pmu", pmu_choices, NULL, "what is asked"), AT(cs_perf_spec, pmu)},
    {NAMES("events", "events of the catalog by name (pmu/event where a name is not enough)"),
     AT_LIST(cs_perf_spec, events, nr_events)},
    {NUMBER("config", "", 0, UINT64_MAX, "0", "perf's config, where no event is named"),
     AT(cs_perf_spec, config)},
    {OTHER("cpus", CS_KEY_CPUS, "[]",
           "perf -C; of core and nest one CPU stands for all of its core or chip"),
     AT(cs_perf_spec, cpus)},
    {LIST(
         "processes", &process_shape, 0, 64, "[]",
         "thread, trace: counts these, on whatever CPUs they run: the command's first process, and "
         "what it forks; in place of cpus"),
     AT_LIST(cs_perf_spec, processes, nr_processes)},
    {OTHER("inherit", CS_KEY_FLAG, "true", "all of `processes`; false (-i): the first alone"),
     AT(cs_perf_spec, inherit)},
    {NUMBER("start_us", "us", 1, MAX_US, "1", "when the command begins"),
     AT(cs_perf_spec, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(cs_perf_spec, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "stat: counts are printed so often (-I); record: the task is scheduled out and in so "
            "often; 0: only at the end"),
     AT(cs_perf_spec, interval_us)},
    {NUMBER("sample_period", "", 0, INT64_MAX, "0", "0: perf stat; else perf record -c"),
     AT(cs_perf_spec, sample_period)},
    {NUMBER("freq", "Hz", 0, 100000, "0",
            "perf record -F, and what it does when nothing is said (4000): every tick stops the "
            "event, which dumps; 0: `sample_period`"),
     AT(cs_perf_spec, freq)},
    {OTHER("per_socket", CS_KEY_FLAG, "false",
           "stat: counts are added up by chip (--per-socket: S0, S1, ..)"),
     AT(cs_perf_spec, per_socket)},
    {OTHER("exclude", CS_KEY_FLAG, "false", "with an exclude_ bit"), AT(cs_perf_spec, exclude)},
    {OTHER("task", CS_KEY_FLAG, "false", "counts a task on these CPUs, not the CPUs"),
     AT(cs_perf_spec, task)},
    {OTHER("privileged", CS_KEY_FLAG, "true", "the user may (perfmon_capable)"),
     AT(cs_perf_spec, privileged)},
};
static const cs_key_shape perf_shape = {SHAPE("perf", perf_keys, cs_perf_spec),
                                        .line = offsetof(cs_perf_spec, line)};

#define OF_CHIP(chip)                                                                              \
    {"imc_cmd_" #chip, CS_DEBUGFS_OF(CS_DEBUGFS_IMC_CMD, chip), NULL, NULL, "chip " #chip "'s"},   \
    {                                                                                              \
        "imc_mode_" #chip, CS_DEBUGFS_OF(CS_DEBUGFS_IMC_MODE, chip), NULL, NULL, "its mode"        \
    }
static const cs_key_choice debugfs_choices[] = {
    {"imc_cmd_0", CS_DEBUGFS_IMC_CMD, NULL, NULL, "the control block's command"},
    {"imc_mode_0", CS_DEBUGFS_IMC_MODE, NULL, NULL, "its mode"},
    OF_CHIP(1),
    OF_CHIP(2),
    OF_CHIP(3),
    {0},
};
static const cs_key debugfs_keys[] = {
    {CHOICE("file", debugfs_choices, NULL, "of powerpc/imc in debugfs"),
     AT(cs_imc_debugfs_spec, file)},
    {NUMBER("value", "", 0, UINT64_MAX, NULL, "what is written there"),
     AT(cs_imc_debugfs_spec, value)},
    {NUMBER("at_us", "us", 1, MAX_US, NULL, "when; in rising order"),
     AT(cs_imc_debugfs_spec, at_us)},
};
static const cs_key_shape debugfs_shape = {SHAPE("debugfs", debugfs_keys, cs_imc_debugfs_spec)};

static const cs_key imc_driver_keys[] = {
    {BYTES("buffers_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB",
           "where the kernel's IMC memory is"),
     AT(S, buffers_base)},
    {NUMBER("boot_cycles", "bus cycles", 0, MAX_US,
            "=9/2 ticks of the nest, if there is one (power10: 33/2); else 0",
            "before OPAL and the kernel come up"),
     AT(S, boot_cycles)},
    {NUMBER("event_mask", "", 0, UINT64_MAX, "0x0402010000000000", "EVENT_MASK as OPAL writes it"),
     AT(S, event_mask)},
    {NUMBER("trace_scom", "", 0, UINT64_MAX,
            "=skiboot's: 0x7FFFFFC142020000 (power9), 0x3FFFFFC142020000 (power10)",
            "TRACE as OPAL writes it"),
     AT(S, trace_scom)},
    {NUMBER("opal_cycles", "bus cycles", 1, 1000000, "400", "an OPAL call beside its accesses"),
     AT(S, opal_cycles)},
    {NUMBER("cross_call_cycles", "bus cycles", 1, 1000000, "2000",
            "to have another CPU do something"),
     AT(S, cross_call_cycles)},
    {NUMBER("switch_cycles", "bus cycles", 1, 1000000, "1000",
            "a context switch that takes events off a CPU or puts them on, beside its accesses"),
     AT(S, switch_cycles)},
    {NUMBER("record_cycles", "bus cycles", 1, 1000000, "60",
            "work of the CPU for each record of a dump"),
     AT(S, record_cycles)},
    {NUMBER("tick_us", "us", 100, 1000000, "4000",
            "the kernel's timer (HZ 250); commands with `freq` are stopped at each tick"),
     AT(S, tick_us)},
    {CHOICE("restore", restore_choices, "all", "what is given back after a deep stop"),
     AT(S, restore)},
    {LIST("perf", &perf_shape, 0, 64, "[]", "perf commands"), AT_LIST(S, perf, nr_perf)},
    {LIST("debugfs", &debugfs_shape, 0, 64, "[]",
          "what a user writes into the nest's control block, beside perf"),
     AT_LIST(S, debugfs, nr_debugfs)},
};
static const cs_key_shape shape = {SHAPE("imc_driver", imc_driver_keys, S)};

#define SMALL_BUFFER 8192u
#define TRACE_BUFFER 0x40000u /* where the catalog has no trace unit */
#define P9_TRACE_SCOM 0x7FFFFFC142020000u
#define P10_TRACE_SCOM 0x3FFFFFC142020000u

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "imc_driver.buffers_base") == NULL)
        s->imc_driver->buffers_base = s->memory->base + (16u << 20);
    if (cs_check_at(check, "imc_driver.boot_cycles") == NULL)
        s->imc_driver->boot_cycles = !s->nest->present ? 0
                                     : s->imc->power10 ? s->nest->tick_cycles * 33 / 2
                                                       : s->nest->tick_cycles * 9 / 2;
    for (size_t i = 0; i < s->imc_driver->nr_perf; i++)
        if (s->imc_driver->perf[i].nr_processes != 0)
            cs_imc_place_processes(check, i);
    if (cs_check_at(check, "imc_driver.trace_scom") == NULL)
        s->imc_driver->trace_scom = s->imc->power10 ? P10_TRACE_SCOM : P9_TRACE_SCOM;
}

static cs_status check_perf_events(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[i];

    for (size_t k = 0; k < p->nr_events; k++) {
        const cs_imc_event *event;
        cs_diag inner = {0};
        char name[CS_IMC_MAX_NAME + 32];
        static const char *const pmus[] = {"", "", "core_imc/", "thread_imc/", "trace_imc/"};

        cs_check_at(check, "imc_driver.perf.%zu.events.%zu", i, k);
        bool whole = strchr(p->events[k], '/') != NULL;
        snprintf(name, sizeof name, "%s%s", whole ? "" : pmus[p->pmu], p->events[k]);
        if (cs_imc_catalog_find(s->imc->catalog, name, &event, &inner) != CS_OK)
            return cs_check_fail(check, "%s", inner.text);
        if ((unsigned)event->of->domain != (unsigned)p->pmu)
            return cs_check_fail(check, "%s is an event of %s", p->events[k], event->of->pmu);
    }
    return CS_OK;
}

static cs_status check_perf(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[i];
    unsigned cpus = 0;

    cs_check_at(check, "imc_driver.perf.%zu.stop_us", i);
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after start_us %llu",
                             (unsigned long long)p->stop_us, (unsigned long long)p->start_us);
    cs_check_at(check, "imc_driver.perf.%zu.freq", i);
    if (p->freq != 0 && p->sample_period != 0)
        return cs_check_fail(check, "not allowed with sample_period: it is -F or -c");
    cs_check_at(check, "imc_driver.perf.%zu.per_socket", i);
    if (p->per_socket && (p->sample_period != 0 || p->freq != 0 || p->task))
        return cs_check_fail(check, "only perf stat of CPUs adds up by socket (no sample_period, "
                                    "no task)");
    const cs_status status = cs_imc_check_processes(check, i);
    if (status != CS_OK)
        return status;
    cs_check_at(check, "imc_driver.perf.%zu.cpus", i);
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        cpus += p->cpus[cpu];
        if (p->cpus[cpu] && !cs_scenario_is_imc(s, cpu))
            return cs_check_fail(check, "CPU %u is no thread of an IMC core", cpu);
    }
    if (cpus == 0)
        return cs_check_fail(check, "no CPU");
    return check_perf_events(check, i);
}

static cs_status check_debugfs(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "imc_driver.debugfs");
    if (s->imc_driver->nr_debugfs != 0 && !s->nest->present)
        return cs_check_fail(check, "without nest.present the kernel makes no such files");
    for (size_t i = 0; i < s->imc_driver->nr_debugfs; i++) {
        const unsigned chip = s->imc_driver->debugfs[i].file / CS_DEBUGFS_FILES;

        cs_check_at(check, "imc_driver.debugfs.%zu.file", i);
        if (chip >= cs_imc_chips(s->imc))
            return cs_check_fail(check, "there is no chip %u (imc.chips)", chip);
    }
    for (size_t i = 1; i < s->imc_driver->nr_debugfs; i++) {
        cs_check_at(check, "imc_driver.debugfs.%zu.at_us", i);
        if (s->imc_driver->debugfs[i].at_us < s->imc_driver->debugfs[i - 1].at_us)
            return cs_check_fail(check, "comes before the one before it");
    }
    return CS_OK;
}

static uint64_t buffer_bytes(const cs_scenario *s)
{
    const cs_imc_unit *unit = cs_imc_catalog_pmu(s->imc->catalog, "trace_imc");
    const uint64_t cpus = (uint64_t)s->imc->cores * s->imc->threads;
    uint64_t trace = TRACE_BUFFER;

    if (unit != NULL)
        for (trace = SMALL_BUFFER; trace < unit->size;)
            trace *= 2;
    return (s->imc->cores + cpus) * SMALL_BUFFER + (cpus + 1) * trace;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;

    cs_check_at(check, "software.kind");
    if (s->imc->cores == 0)
        return cs_check_fail(check, "imc needs IMC cores (imc.cores)");
    if (s->imc->catalog == NULL)
        return cs_check_fail(check, "imc needs a catalog (key catalog)");
    cs_check_at(check, "imc_driver.buffers_base");
    status = cs_check_in_ram(check, s->imc_driver->buffers_base, buffer_bytes(s),
                             "the kernel's IMC buffers");
    cs_check_at(check, "imc_driver.perf");
    if (status == CS_OK && s->imc_driver->nr_perf == 0)
        status = cs_check_fail(check, "empty; software.kind imc needs perf commands");
    for (size_t i = 0; i < s->imc_driver->nr_perf && status == CS_OK; i++)
        status = check_perf(check, i);
    return status == CS_OK ? check_debugfs(check) : status;
}

/* ---- what is allowed, and surprises ---- */

static bool asks(const cs_scenario *s, unsigned pmus)
{
    for (size_t i = 0; i < s->imc_driver->nr_perf; i++)
        if (pmus >> s->imc_driver->perf[i].pmu & 1)
            return true;
    return false;
}

/* A chip whose engine does not post the event: OPAL asks the boot chip alone. */
static cs_status warn_chips(cs_check *check, const cs_imc_event *event)
{
    const cs_nest_spec *nest = check->scenario->nest;

    for (size_t chip = 0; chip < nest->nr_chips; chip++) {
        const uint64_t units = nest->chips[chip].units;

        if (units != 0 &&
            !cs_imc_is_posted_with(check->scenario->imc->power10, event->value, units))
            return cs_check_warn(check,
                                 "chip %zu has no unit for it (nest.chips.%zu.units): perf counts "
                                 "zero there",
                                 chip, chip);
    }
    return CS_OK;
}

static cs_status warn_nest_event(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[i];
    cs_status status = CS_OK;

    for (size_t k = 0; p->pmu == CS_PERF_NEST && k < p->nr_events && status == CS_OK; k++) {
        const cs_imc_event *event;

        if (cs_imc_catalog_find(s->imc->catalog, p->events[k], &event, NULL) != CS_OK)
            continue;
        cs_check_at(check, "imc_driver.perf.%zu.events.%zu", i, k);
        if (event->value % COUNTER_BYTES != 0) {
            status = cs_check_warn(check,
                                   "the counter at 0x%x is not at a multiple of %u: the bus "
                                   "refuses the read, and perf prints no count",
                                   event->value, COUNTER_BYTES);
            continue;
        }
        if (cs_imc_is_posted(s->imc->power10, event->value)) {
            status = warn_chips(check, event);
            continue;
        }
        status = cs_check_warn(check, "no engine posts the counter at 0x%x: perf counts zero",
                               event->value);
    }
    return status;
}

/* The trace buffers that hardware is told of, against those that the kernel has. */
static cs_status warn_buffers(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_imc_unit *unit = cs_imc_catalog_pmu(s->imc->catalog, "trace_imc");
    const unsigned code = s->imc_driver->trace_scom >> 13 & 7;
    const uint64_t bytes = (uint64_t)TRACE_BUFFER << (code <= 4 ? code : 0);

    if (!asks(s, 1u << CS_PERF_TRACE) || unit == NULL || bytes <= unit->size)
        return CS_OK;
    cs_check_at(check, "imc_driver.trace_scom");
    return cs_check_warn(check,
                         "BUFFERSIZE %u is %llu KiB, and the kernel's buffers have %u KiB: records "
                         "go beyond, into those of the next CPUs",
                         code, (unsigned long long)(bytes >> 10), unit->size >> 10);
}

static cs_status warn_scales(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_imc_generation generation = cs_imc_catalog_generation(s->imc->catalog);
    const unsigned counts = 1u << CS_PERF_CORE | 1u << CS_PERF_THREAD;
    const bool nine = generation == CS_IMC_GENERATION_POWER9;
    cs_status status = CS_OK;

    if (generation != CS_IMC_GENERATION_UNKNOWN && nine == s->imc->power10) {
        cs_check_at(check, "catalog");
        status = cs_check_warn(check,
                               "is of POWER%u, and imc.variant is power%u: scales and offsets are "
                               "those of the other",
                               nine ? 9 : 10, s->imc->power10 ? 10 : 9);
    }
    if (status != CS_OK || !asks(s, counts))
        return status;
    if (s->imc->power10 && cs_msb0(s->imc_driver->event_mask, 38, 38) != 0) {
        cs_check_at(check, "imc_driver.event_mask");
        status = cs_check_warn(check,
                               "ONE_EVENT gives all windows to one slot of one thread: its counts "
                               "come out %u times as large, all others are zero",
                               128 * s->imc->threads);
    }
    return status;
}

static cs_status warn(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = warn_buffers(check);

    if (status == CS_OK)
        status = warn_scales(check);
    for (size_t i = 0; i < s->imc_driver->nr_perf && status == CS_OK; i++) {
        status = warn_nest_event(check, i);
        if (status != CS_OK ||
            cs_scenario_us(s, s->imc_driver->perf[i].start_us) >= s->imc_driver->boot_cycles)
            continue;
        cs_check_at(check, "imc_driver.perf.%zu.start_us", i);
        status = cs_check_warn(check,
                               "begins late: firmware boots at cycle %llu "
                               "(imc_driver.boot_cycles)",
                               (unsigned long long)s->imc_driver->boot_cycles);
    }
    return status;
}

static size_t areas(const cs_scenario *s, cs_area out[])
{
    out[0] = (cs_area){"imc_driver.buffers_base", "the kernel's IMC buffers",
                       s->imc_driver->buffers_base, buffer_bytes(s)};
    return 1;
}

/* One CPU stands for its core, or for its chip: the first that is named. */
static bool stands(const cs_scenario *s, const cs_perf_spec *p, unsigned cpu)
{
    const unsigned first = cs_scenario_imc_cpu(s, 0, 0);
    unsigned together = 1;

    if (p->pmu == CS_PERF_NEST)
        together = cs_imc_chip_cores(s->imc) * s->imc->threads;
    if (p->pmu == CS_PERF_CORE)
        together = s->imc->threads;
    for (unsigned other = cpu - (cpu - first) % together; other < cpu; other++)
        if (p->cpus[other])
            return false;
    return p->cpus[cpu];
}

bool cs_scenario_imc_works(const cs_scenario *s, unsigned cpu)
{
    const unsigned first = cs_scenario_imc_cpu(s, 0, 0);

    if (!cs_scenario_is_imc(s, cpu))
        return false;
    for (size_t i = 0; i < s->imc_driver->nr_perf; i++)
        if (stands(s, &s->imc_driver->perf[i], cpu))
            return true;
    for (size_t i = 0; i < s->imc->nr_deep_stops; i++)
        if (cpu == first + s->imc->deep_stops[i].core * s->imc->threads)
            return true;
    return false;
}

static bool runs_on(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_on_software_cpu(s, cpu) || cs_scenario_imc_works(s, cpu);
}

static const cs_software_rule software = {
    .kind = CS_SOFTWARE_imc_driver, .runs_on = runs_on, .needs = {"catalog", "imc"}};

static unsigned nr_commands(const cs_scenario *s)
{
    return (unsigned)s->imc_driver->nr_perf;
}

static uint64_t period(const cs_scenario *s, unsigned number)
{
    const cs_perf_spec *p = &s->imc_driver->perf[number];

    return p->freq != 0 ? 1 : p->sample_period;
}

static uint64_t frequency(const cs_scenario *s, unsigned number)
{
    return s->imc_driver->perf[number].freq;
}

static uint64_t interval_us(const cs_scenario *s, unsigned number)
{
    return s->imc_driver->perf[number].interval_us;
}

static const cs_section_commands commands = {
    .count = nr_commands, .period = period, .interval_us = interval_us, .frequency = frequency};

static const cs_key keys[] = {{MAP("imc_driver", &shape, "the settings of software.kind imc")}};
const cs_section cs_section_imc_driver = {SECTION("imc_driver", keys, S),
                                          .compute = compute,
                                          .check = check,
                                          .warn = warn,
                                          .areas = areas,
                                          .software = &software,
                                          .commands = &commands,
                                          .perf = &cs_imc_perf_owner};

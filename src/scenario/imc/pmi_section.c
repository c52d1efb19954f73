// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/pmi_perf_owner.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/scenario.h"

#define S cs_pmi_spec

static const cs_key pmi_keys[] = {
    {NUMBER("period", "core cycles", 1000, CS_STREAM_END, "1000000",
            "from one interrupt to the next"),
     AT(S, period)},
    {NUMBER("freq", "Hz", 0, 100000, "0",
            "perf record -F: interrupts per second, for which perf adapts the period; 0: `period`"),
     AT(S, freq)},
    {NUMBER("tick_us", "us", 100, 1000000, "4000",
            "with freq or max_samples_per_tick: the kernel's timer (HZ 250)"),
     AT(S, tick_us)},
    {NUMBER("tick_cycles", "bus cycles", 1, 1000000, "300", "the same: perf's work at a tick"),
     AT(S, tick_cycles)},
    {NUMBER("max_samples_per_tick", "", 0, 1000000, "=400 with freq; else 0",
            "more stop the counter until the next tick; 0: no limit"),
     AT(S, max_samples_per_tick)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the CPUs that are sampled"), AT(S, cpus)},
    {NUMBER("handler_cycles", "bus cycles", 1, 10000000, "3000", "work of the handler"),
     AT(S, handler_cycles)},
    {BYTES("ring_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB",
           "where the samples go: 256 KiB a CPU"),
     AT(S, ring_base)},
    {NUMBER("stop_us", "us", 1, MAX_US, "10000", "when it ends"), AT(S, stop_us)},
};
static const cs_key_shape shape = {SHAPE("pmi", pmi_keys, S)};

#define RING_BYTES 0x40000u /* a CPU's */

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "pmi.ring_base") == NULL)
        s->pmi->ring_base = s->memory->base + (16u << 20);
    if (cs_check_at(check, "pmi.max_samples_per_tick") == NULL)
        s->pmi->max_samples_per_tick = s->pmi->freq != 0 ? 400 : 0;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        cs_check_at(check, "pmi.cpus");
        cpus += s->pmi->cpus[cpu];
        if (s->pmi->cpus[cpu] && !cs_scenario_is_imc(s, cpu))
            return cs_check_fail(check, "CPU %u is no thread of an IMC core", cpu);
    }
    cs_check_at(check, "pmi.cpus");
    if (cpus == 0)
        return cs_check_fail(check, "no CPU");
    if (s->pmi->freq != 0 && cs_check_at(check, "pmi.period") != NULL)
        return cs_check_fail(check, "not allowed with pmi.freq: perf looks for the period");
    cs_check_at(check, "pmi.ring_base");
    return cs_check_in_ram(check, s->pmi->ring_base, cs_scenario_cpus(s) * (uint64_t)RING_BYTES,
                           "the rings of samples");
}

static size_t areas(const cs_scenario *s, cs_area out[])
{
    out[0] = (cs_area){"pmi.ring_base", "the rings of samples", s->pmi->ring_base,
                       (uint64_t)cs_scenario_cpus(s) * RING_BYTES};
    return 1;
}

static const cs_software_rule software = {.kind = CS_SOFTWARE_pmi, .alone = true, .needs = {"imc"}};

static uint64_t period(const cs_scenario *s, unsigned number)
{
    (void)number;
    return s->pmi->freq != 0 ? 1 : s->pmi->period;
}

static uint64_t frequency(const cs_scenario *s, unsigned number)
{
    (void)number;
    return s->pmi->freq;
}

static bool throttles(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_pmi) && s->pmi->max_samples_per_tick != 0;
}

static const cs_section_commands commands = {
    .period = period, .frequency = frequency, .throttles = throttles};

static const cs_key keys[] = {{MAP("pmi", &shape, "the settings of software.kind pmi")}};
const cs_section cs_section_pmi = {SECTION("pmi", keys, S),
                                   .compute = compute,
                                   .check = check,
                                   .areas = areas,
                                   .software = &software,
                                   .commands = &commands,
                                   .perf = &cs_pmi_perf_owner};

// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/die.h"
#include "scenario/machine/software_spec.h"
#include "scenario/scenario.h"
#include <countersink/base/probe/probe.h>
#include <countersink/formats/riscv/read/pmu_map.h>
#include <stdio.h>
#include <string.h>

#define S cs_harts_spec

static const cs_key_choice xlen_choices[] = {
    {"64", 64, NULL, NULL, "RV64"},
    {"32", 32, NULL, NULL, "RV32"},
    {0},
};
static const cs_key_choice hart_mode_choices[] = {
    {"msuh", 3, NULL, NULL, "M, S, U, and VS, VU of the hypervisor extension"},
    {"msu", 2, NULL, NULL, "M, S, U"},
    {"mu", 1, NULL, NULL, "M, U"},
    {"m", 0, NULL, NULL, "M"},
    {0},
};

static char count_text[120];

static const cs_key hart_keys[] = {
    {NUMBER("count", "", 0, CS_MAX_HARTS, "0", count_text), AT(S, count)},
    {CHOICE("xlen", xlen_choices, "64", "width of the registers"), AT(S, xlen)},
    {CHOICE("modes", hart_mode_choices, "msuh", "privilege modes"), AT(S, modes)},
    {NUMBER("counters", "", 0, 29, "8", "mhpmcounters, from 3 on"), AT(S, counters)},
    {NUMBER("width", "bits", 1, 64, "64", "width of each mhpmcounter"), AT(S, width)},
    {OTHER("sscofpmf", CS_KEY_FLAG, "true", "Sscofpmf: overflow, filters, LCOFI"), AT(S, sscofpmf)},
    {OTHER("smcntrpmf", CS_KEY_FLAG, "true", "Smcntrpmf: filters of cycle and instret"),
     AT(S, smcntrpmf)},
    {OTHER("smcdeleg", CS_KEY_FLAG, "=true with S-mode", "Smcdeleg: counters delegated to S mode"),
     AT(S, smcdeleg)},
    {OTHER("aia", CS_KEY_FLAG, "false", "LCOFI in the registers of Smaia and Ssaia"), AT(S, aia)},
    {NUMBER("lcofi_latency", "bus cycles", 0, 31, "0", "delay from an overflow to LCOFIP"),
     AT(S, lcofi_latency)},
    {NUMBER("timebase_mhz", "MHz", 1, 10000, "10", "clock of mtime; not above the bus clock"),
     AT(S, timebase_mhz)},
    {NUMBER("timebase_start", "", 0, UINT64_MAX, "0", "mtime in cycle 0"), AT(S, timebase_start)},
    {NUMBER("csr_cycles", "bus cycles", 1, 1000, "4",
            "length of a CSR instruction of the software"),
     AT(S, csr_cycles)},
    {NUMBER("trap_cycles", "bus cycles", 0, 100000, "40",
            "delay from a trap to the handler's first line"),
     AT(S, trap_cycles)},
    {NUMBER("return_cycles", "bus cycles", 0, 100000, "30", "length of the return from a trap"),
     AT(S, return_cycles)},
    {NUMBER("irq_latency_cycles", "bus cycles", 0, 100000, "4",
            "delay from the rise of the interrupt line to the trap"),
     AT(S, irq_latency_cycles)},
    {NUMBER("access_cycles", "bus cycles", 0, 100000, "2", "work before each load or store"),
     AT(S, access_cycles)},
};
static const cs_key_shape shape = {SHAPE("harts", hart_keys, S)};

static void make_keys(void)
{
    snprintf(count_text, sizeof count_text,
             "RISC-V harts of the die; their CPU numbers follow those of %s",
             cs_cpu_class_before(&cs_hart_class)->words.all);
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "harts.smcdeleg") == NULL)
        s->harts->smcdeleg = s->harts->modes >= 2;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (s->harts->count == 0)
        return CS_OK;
    cs_check_at(check, "harts.smcdeleg");
    if (s->harts->smcdeleg && s->harts->modes < 2)
        return cs_check_fail(check, "needs S-mode (harts.modes)");
    cs_check_at(check, "harts.aia");
    if (s->harts->aia && (s->harts->modes < 2 || !s->harts->sscofpmf))
        return cs_check_fail(check, "needs S-mode (harts.modes) and harts.sscofpmf");
    cs_check_at(check, "harts.timebase_mhz");
    if (s->harts->timebase_mhz > s->bus->clock_mhz)
        return cs_check_fail(check, "%u is more than bus.clock_mhz %u", s->harts->timebase_mhz,
                             s->bus->clock_mhz);
    return CS_OK;
}

/* ---- harts as CPUs ---- */

static unsigned count(const cs_scenario *s)
{
    return s->harts->count;
}

static size_t cpu_keys(const cs_scenario *s, char *out, size_t size)
{
    return (size_t)snprintf(out, size, "harts.count %u", s->harts->count);
}

unsigned cs_scenario_hart_cpu(const cs_scenario *s, unsigned hart)
{
    return cs_scenario_first_cpu(s, &cs_hart_class) + hart;
}

bool cs_scenario_is_hart(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_cpu_class(s, cpu) == &cs_hart_class;
}

static const cs_key_choice modes[] = {
    {"u", CS_MODE_U, NULL, NULL, "hart: user"},
    {"s", CS_MODE_S, NULL, NULL, "hart: supervisor (HS with the H extension)"},
    {"m", CS_MODE_M, NULL, NULL, "hart: machine"},
    {"vu", CS_MODE_VU, NULL, NULL, "hart: a guest's user"},
    {"vs", CS_MODE_VS, NULL, NULL, "hart: a guest's supervisor"},
    {0},
};

static bool is_kernel(const cs_scenario *s, cs_privilege mode, uint64_t address)
{
    (void)s, (void)address;
    return mode != CS_MODE_U && mode != CS_MODE_VU;
}

static bool is_guest(cs_privilege mode)
{
    return mode == CS_MODE_VS || mode == CS_MODE_VU;
}

static bool has_mode(const cs_scenario *s, cs_privilege mode)
{
    static const unsigned least[] = {
        [CS_MODE_U] = 1, [CS_MODE_S] = 2, [CS_MODE_M] = 0, [CS_MODE_VU] = 3, [CS_MODE_VS] = 3};

    return mode < sizeof least / sizeof least[0] && s->harts->modes >= least[mode];
}

static size_t implicit(const cs_scenario *s, bool idle, cs_implicit_event out[])
{
    (void)idle;
    out[0] = (cs_implicit_event){CS_EVENT_HART(CS_RISCV_CYCLES),
                                 {.p = s->core_clock.mhz, .q = s->bus->clock_mhz}};
    out[1] = (cs_implicit_event){CS_EVENT_HART(CS_RISCV_REFERENCE),
                                 {.p = s->harts->timebase_mhz, .q = s->bus->clock_mhz}};
    return 2;
}

/* From track 1 on, as countersink/drivers/hpm/hart.h numbers them. */
static const struct cs_cpu_track tracks[] = {
    {"kernel", CS_MODE_S}, {"firmware", CS_MODE_M}, {"guest", CS_MODE_VS}};

static const cs_measured_event measured[] = {
    {"INST.RET", CS_MEASURE_INSTRUCTIONS},
    {"INST.BRJMP.SPEC", CS_MEASURE_BRANCHES},
    {"INST.MISPRED.SPEC", CS_MEASURE_MISPREDICTS},
    {"CACHE.L1.RD.DATA.ACCESS", CS_MEASURE_LOADS},
    {"CACHE.L1.RD.DATA.MISS", CS_MEASURE_L1_MISSES},
    {"CACHE.LL.RD.DATA.ACCESS", CS_MEASURE_L2_MISSES},
    {"CACHE.LL.RD.DATA.MISS", CS_MEASURE_L3_MISSES},
    {"TLB.L1.LDST.ACCESS", CS_MEASURE_ACCESSES},
    {0},
};

const cs_cpu_class cs_hart_class = {.masks = true,
                                    .words = {.one = "a hart",
                                              .cores = "harts",
                                              .all = "the harts",
                                              .brief = "hart",
                                              .task = "a hart",
                                              .mode = "mode of a hart",
                                              .cid1 = "PID",
                                              .implicit = "harts: CYCLES.HART and CYCLES.REF"},
                                    .key = "harts.count",
                                    .count = count,
                                    .keys = cpu_keys,
                                    .own_software = true,
                                    .modes = modes,
                                    .work = CS_MODE_U,
                                    .idle = CS_MODE_S,
                                    .handler = CS_MODE_S,
                                    .has_mode = has_mode,
                                    .least_mode = CS_MODE_M,
                                    .no_mode = "harts.modes has no such mode",
                                    .is_kernel = is_kernel,
                                    .is_guest = is_guest,
                                    .tracks = tracks,
                                    .nr_tracks = sizeof tracks / sizeof tracks[0],
                                    .implicit = implicit,
                                    .prefix = "hpm",
                                    .first_event = CS_EVENT_HART(0),
                                    .measured = measured};

static bool event(const cs_scenario *s, const char *name, uint32_t *number, char why[])
{
    uint32_t of_hart;

    (void)s, (void)why;
    if (!cs_riscv_event_number(name, &of_hart))
        return false;
    *number = CS_EVENT_HART(of_hart);
    return true;
}

static void die(const cs_scenario *s, cs_die *die)
{
    if (s->harts->count == 0)
        return;
    for (unsigned i = 0; i < s->harts->count; i++)
        cs_die_add_manager(die, "hpm", (uint16_t)CS_MANAGER_HART(i));
    cs_die_shape_add(&die->shape, "hpm", "NrHart", s->harts->count);
    cs_die_shape_add(&die->shape, "hpm", "NrCounter", s->harts->counters);
}

static const char *name_at(size_t nr, uint32_t *number)
{
    const cs_riscv_event *named = cs_riscv_event_at(nr);

    *number = named != NULL ? named->encoding : 0;
    return named != NULL ? named->name : NULL;
}

static const cs_event_names names = {.prefix = "hpm:", .at = name_at};

static const cs_unit_page unit = {
    .unit = "hpm", .about = "RISC-V performance counters, a hart's CSRs", .page = "docs/hw/hpm.md"};

static const cs_key keys[] = {{MAP("harts", &shape, "RISC-V harts")}};
const cs_section cs_section_harts = {SECTION("harts", keys, S),
                                     .compute = compute,
                                     .check = check,
                                     .cpus = &cs_hart_class,
                                     .make_keys = make_keys,
                                     .event = event,
                                     .die = die,
                                     .unit = &unit,
                                     .names = &names};

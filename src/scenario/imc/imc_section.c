// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/catalog/catalog.h"
#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_events.h"
#include "scenario/imc/imc_places.h"
#include "scenario/imc/imc_registers.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/die.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/scenario.h"
#include <countersink/base/numbers.h>
#include <countersink/base/probe/probe.h>
#include <stdio.h>
#include <string.h>

#define S cs_imc_spec

static const cs_key_choice thread_choices[] = {
    {"4", 4, NULL, NULL, "SMT4"},
    {"2", 2, NULL, NULL, "SMT2"},
    {"1", 1, NULL, NULL, "single threaded"},
    {0},
};
static const cs_key_choice variant_choices[] = {
    {"power9", 0, NULL, NULL, "POWER9"},
    {"power10", 1, NULL, NULL, "POWER10"},
    {0},
};

static const cs_key deep_stop_keys[] = {
    {NUMBER("core", "", 0, CS_IMC_MAX_CORES - 1, NULL, "which core"), AT(cs_deep_stop_spec, core)},
    {NUMBER("at_us", "us", 1, MAX_US, NULL, "when its power goes"), AT(cs_deep_stop_spec, at_us)},
    {NUMBER("for_us", "us", 1, MAX_US, NULL, "for how long"), AT(cs_deep_stop_spec, for_us)},
};
static const cs_key_shape deep_stop_shape = {SHAPE("deep_stop", deep_stop_keys, cs_deep_stop_spec)};

static char threads_text[120];

static const cs_key imc_keys[] = {
    {NUMBER("cores", "", 0, CS_IMC_MAX_CORES, "0", "IMC cores of the die"), AT(S, cores)},
    {NUMBER("chips", "", 1, CS_MAX_CHIPS, "1",
            "chips of the machine: each has as many of the cores, and a nest if there is one"),
     AT(S, chips)},
    {CHOICE("threads", thread_choices, "4", threads_text), AT(S, threads)},
    {CHOICE("variant", variant_choices, "power9", "which generation"), AT(S, power10)},
    {NUMBER("tap_log2", "", 2, 18, "18", "log2 of the timebase ticks of the shortest window"),
     AT(S, tap_log2)},
    {NUMBER("timebase_mhz", "MHz", 1, 10000, "512", "clock of the timebase; at most the bus clock"),
     AT(S, timebase_mhz)},
    {NUMBER("timebase_start", "", 0, UINT64_MAX, "0", "the timebase in cycle 0"),
     AT(S, timebase_start)},
    {OTHER("tell_interrupts", CS_KEY_FLAG, "false",
           "report interrupts, trace records and samples of each CPU in the summary and the truth"),
     AT(S, tell_interrupts)},
    {LIST("deep_stops", &deep_stop_shape, 0, 256, "[]", "cores that lose their registers"),
     AT_LIST(S, deep_stops, nr_deep_stops)},
};
static const cs_key_shape shape = {SHAPE("imc", imc_keys, S)};

static void make_keys(void)
{
    snprintf(threads_text, sizeof threads_text,
             "threads of a core; thread v of core c is CPU v + threads * c after those of %s",
             cs_cpu_class_before(&cs_imc_class)->words.all);
}

static cs_status prepare(cs_scenario *s, cs_yaml *memory, cs_yaml_node *root, cs_diag *diag)
{
    (void)memory, (void)root, (void)diag;
    cs_imc_default_events(s->imc->event_of);
    return CS_OK;
}

static void destroy(cs_scenario *s)
{
    if (s->imc != NULL)
        cs_imc_catalog_destroy(s->imc->catalog);
}

static cs_status check_die(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (s->imc->cores == 0 && !s->nest->present)
        return CS_OK;
    cs_check_at(check, "imc.chips");
    if (s->imc->cores % s->imc->chips != 0)
        return cs_check_fail(check, "%u cores cannot be divided among %u chips", s->imc->cores,
                             s->imc->chips);
    cs_check_at(check, "imc.timebase_mhz");
    if (s->imc->timebase_mhz > s->bus->clock_mhz)
        return cs_check_fail(check, "%u is more than bus.clock_mhz %u", s->imc->timebase_mhz,
                             s->bus->clock_mhz);
    cs_check_at(check, "memory.size");
    if ((s->memory->base + (s->memory->size - 1)) >> 56 != 0)
        return cs_check_fail(check, "RAM must end below 2^56 where units add to it");
    return CS_OK;
}

static cs_status check_deep_stops(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec *d = &s->imc->deep_stops[i];

        cs_check_at(check, "imc.deep_stops.%zu.core", i);
        if (d->core >= s->imc->cores)
            return cs_check_fail(check, "%u is outside the cores 0..%u", d->core,
                                 s->imc->cores - 1);
        cs_check_at(check, "imc.deep_stops.%zu.at_us", i);
        for (size_t k = 0; k < i; k++) {
            const cs_deep_stop_spec *o = &s->imc->deep_stops[k];

            if (o->core == d->core && d->at_us <= o->at_us + o->for_us)
                return cs_check_fail(check,
                                     "core %u is without power until %llu us "
                                     "(imc.deep_stops.%zu)",
                                     d->core, (unsigned long long)(o->at_us + o->for_us), k);
        }
    }
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    cs_status status = check_die(check);

    return status == CS_OK ? check_deep_stops(check) : status;
}

/* ---- the threads of its cores ---- */

static unsigned count(const cs_scenario *s)
{
    return s->imc->cores * s->imc->threads;
}

static unsigned together(const cs_scenario *s)
{
    return s->imc->threads;
}

unsigned cs_scenario_imc_cpu(const cs_scenario *s, unsigned core, unsigned thread)
{
    return cs_scenario_first_cpu(s, &cs_imc_class) + s->imc->threads * core + thread;
}

unsigned cs_scenario_imc_chip(const cs_scenario *s, unsigned cpu)
{
    const unsigned core = (cpu - cs_scenario_first_cpu(s, &cs_imc_class)) / s->imc->threads;

    return cs_imc_chip_of(s->imc, core);
}

bool cs_scenario_is_imc(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_cpu_class(s, cpu) == &cs_imc_class;
}

static size_t cpu_keys(const cs_scenario *s, char *out, size_t size)
{
    return (size_t)snprintf(out, size, "imc.cores %u, imc.threads %u", s->imc->cores,
                            s->imc->threads);
}

static const cs_key_choice modes[] = {
    {"guest_kernel", CS_MODE_GUEST_KERNEL, NULL, NULL, "IMC: MSR HV 0, PR 0"},
    {"guest_user", CS_MODE_GUEST_USER, NULL, NULL, "IMC: HV 0, PR 1"},
    {"host_kernel", CS_MODE_HOST_KERNEL, NULL, NULL, "IMC: HV 1, PR 0"},
    {"host_user", CS_MODE_HOST_USER, NULL, NULL, "IMC: HV 1, PR 1"},
    {0},
};

#define POWER_KERNEL (UINT64_C(12) << 60) /* from here on it is POWER9's kernel */

/* Before POWER10, perf tells it by the address alone. */
static bool is_kernel(const cs_scenario *s, cs_privilege mode, uint64_t address)
{
    if (s->imc->power10)
        return mode == CS_MODE_HOST_KERNEL || mode == CS_MODE_GUEST_KERNEL;
    return address >= POWER_KERNEL;
}

static size_t implicit(const cs_scenario *s, bool idle, cs_implicit_event out[])
{
    const uint32_t reference = CS_EVENT_IMC(CS_IMC_REFERENCE(s->imc->power10));

    out[0] = (cs_implicit_event){reference, {.p = CS_IMC_REFERENCE_MHZ, .q = s->bus->clock_mhz}};
    if (idle)
        return 1;
    out[1] = (cs_implicit_event){CS_EVENT_IMC(CS_IMC_NON_IDLE_CYCLES),
                                 {.p = s->core_clock.mhz, .q = s->bus->clock_mhz}};
    return 2;
}

/* A deep stop takes all threads of a core. */
static size_t off(const cs_scenario *s, unsigned cpu, cs_timeline_off out[])
{
    const unsigned core = (cpu - cs_scenario_imc_cpu(s, 0, 0)) / s->imc->threads;
    size_t n = 0;

    for (size_t i = 0; i < s->imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec *stop = &s->imc->deep_stops[i];

        if (stop->core != core)
            continue;
        if (out != NULL)
            out[n] = (cs_timeline_off){cs_scenario_us(s, stop->at_us),
                                       cs_scenario_us(s, stop->at_us + stop->for_us)};
        n++;
    }
    return n;
}

static const uint16_t *event_of(const cs_scenario *s)
{
    return s->imc->event_of;
}

/* As the chips' catalogs name them. */
static const cs_measured_event measured[] = {
    {"CPM_INST", CS_MEASURE_INSTRUCTIONS},
    {"CPM_NON_IDLE_INST", CS_MEASURE_INSTRUCTIONS},
    {"CPM_CS_INST", CS_MEASURE_INSTRUCTIONS},
    {"CPM_PCYC", CS_MEASURE_CYCLES},
    {"CPM_CS_PCYC", CS_MEASURE_CYCLES},
    {"CPM_CS_BR_MPRED", CS_MEASURE_MISPREDICTS},
    {"CPM_CS_MISS_L1_LDATA", CS_MEASURE_L1_MISSES},
    {"CPM_CS_FROM_MEM_LDATA", CS_MEASURE_L3_MISSES},
    {"CPM_DATA_FROM_L2MISS", CS_MEASURE_L2_MISSES},
    {"CPM_DATA_FROM_L3MISS", CS_MEASURE_L3_MISSES},
    {"CPM_DTLB_MISS", CS_MEASURE_DATA_WALKS},
    {"CPM_ITLB_MISS", CS_MEASURE_CODE_WALKS},
    {0},
};

const cs_cpu_class cs_imc_class = {.words = {.one = "a thread of an IMC core",
                                             .cores = "IMC cores",
                                             .all = "the IMC threads",
                                             .brief = "IMC",
                                             .task = "an IMC core's thread",
                                             .mode = "MSR HV and PR of an IMC core's thread",
                                             .cid1 = "PID",
                                             .cid2 = "LPID",
                                             .implicit = "IMC: CPMC4 and the 32 MHz event"},
                                   .key = "imc.cores",
                                   .count = count,
                                   .together = together,
                                   .keys = cpu_keys,
                                   .manager = "a thread of an IMC core",
                                   .modes = modes,
                                   .work = CS_MODE_HOST_USER,
                                   .idle = CS_MODE_HOST_KERNEL,
                                   .handler = CS_MODE_HOST_KERNEL,
                                   .is_kernel = is_kernel,
                                   .implicit = implicit,
                                   .off = off,
                                   .first_event = CS_EVENT_IMC(0),
                                   .event_of = event_of,
                                   .measured = measured};

static bool event(const cs_scenario *s, const char *name, uint32_t *number, char why[])
{
    return cs_imc_event_number(s->imc->catalog, s->imc->power10, s->imc->event_of, name, number,
                               why);
}

#define CODE "(0[xX]0*[0-7]?[0-9a-fA-F]|0|[1-9][0-9]?|1[01][0-9]|12[0-7])"
#define NEST_OFFSET "(0[xX]0*[0-7]?[0-9a-fA-F]?[08]|0|[1-9][0-9]{0,3})"

/* A catalog's names begin as the kernel's do; others can be given as PMU/EVENT. */
static const char *const event_patterns[] = {"^cpmc([12]:" CODE "|[34])$", "^nest:" NEST_OFFSET "$",
                                             "^C?PM_[0-9A-Za-z_]+$", "^[^/]+/[^/]+/?$", NULL};

static void offer_events(const cs_scenario *s, cs_suggest *suggest)
{
    for (size_t i = 0; s->imc->catalog != NULL && i < cs_imc_catalog_nr_units(s->imc->catalog);
         i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(s->imc->catalog, i);

        for (size_t k = 0; k < unit->nr_events; k++)
            cs_suggest_offer(suggest, unit->events[k].name);
    }
}

static bool address(const cs_scenario *s, const char *name, uint64_t *addr, cs_suggest *suggest)
{
    return cs_imc_register_address(s->imc, name, addr, suggest);
}

static void owner(const cs_scenario *s, char *out, size_t size)
{
    snprintf(out, size, "the %u IMC cores x %u threads have", s->imc->cores, s->imc->threads);
}

static const cs_register_names registers = {.address = address,
                                            .owner = owner,
                                            .forms = "imc.CORE.REGISTER or imc.CORE.THREAD.LDBAR",
                                            .pattern = "^imc\\.[0-9]+\\.([A-Z_]+|[0-3]\\.LDBAR)$"};

static const cs_key_note notes[] = {
    {"keep.records", "IMC: every trace record as the hardware wrote it, a file a CPU"},
    {0},
};

static void die(const cs_scenario *s, cs_die *die)
{
    if (s->imc->cores == 0)
        return;
    for (unsigned i = 0; i < s->imc->cores; i++)
        cs_die_add_manager(die, "imc", (uint16_t)CS_MANAGER_IMC(i));
    cs_die_add_target(die, (cs_die_target){.unit = "imc",
                                           .kind = CS_TARGET_SPR,
                                           .base = CS_SPR_BASE,
                                           .size = CS_SPR_BYTES,
                                           .what = "the SPRs of the IMC cores"});
    for (unsigned chip = 0; chip < s->imc->chips; chip++)
        cs_die_add_target(die, (cs_die_target){.unit = "imc",
                                               .kind = CS_TARGET_SCOM,
                                               .number = chip,
                                               .base = CS_SCOM_BASE_OF(chip, s->imc->power10),
                                               .size = CS_SCOM_BYTES,
                                               .what = "the SCOM window"});
    if (s->imc->chips > 1)
        cs_die_shape_add(&die->shape, "imc", "NrChip", s->imc->chips);
    cs_die_shape_add(&die->shape, "imc", "NrCore", s->imc->cores);
    cs_die_shape_add(&die->shape, "imc", "NrThread", s->imc->threads);
    die->adds = true;
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    char chips[40] = "";

    if (s->imc->chips > 1)
        snprintf(chips, sizeof chips, "%u chips: ", s->imc->chips);
    if (s->imc->cores != 0)
        snprintf(out, size, "%s%u %s core%s x %u threads at %u MHz%s", chips, s->imc->cores,
                 s->imc->power10 ? "POWER10" : "POWER9", s->imc->cores == 1 ? "" : "s",
                 s->imc->threads, s->core_clock.mhz, s->nest->present ? ", nest" : "");
}

static const char *variant(const cs_scenario *s)
{
    return s->imc->power10 ? "power10" : "power9";
}

static const cs_unit_page unit = {.unit = "imc",
                                  .about = "POWER's in-memory collection, core engine",
                                  .page = "docs/hw/imc.md",
                                  .places = cs_imc_places,
                                  .variant = variant};

static const cs_key keys[] = {{MAP("imc", &shape, "POWER cores with in-memory collection")}};
const cs_section cs_section_imc = {SECTION("imc", keys, S),
                                   .prepare = prepare,
                                   .check = check,
                                   .cpus = &cs_imc_class,
                                   .make_keys = make_keys,
                                   .notes = notes,
                                   .event = event,
                                   .event_patterns = event_patterns,
                                   .offer_events = offer_events,
                                   .destroy = destroy,
                                   .registers = &registers,
                                   .die = die,
                                   .tell = tell,
                                   .unit = &unit};

// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with IMC cores: programs of their registers, legal or not, deep stops, lost
 * transfers of what they write. */
#define _POSIX_C_SOURCE 200809L
#include "lockstep/imc/imc_random.h"

#include <stdio.h>
#include <unistd.h>

#include "models/imc/imc_scom.h"
#include <countersink/base/numbers.h>
#include <countersink/models/imc/imc_core.h>

#define BUFFERS (CS_RANDOM_RAM + 0x100000u)
#define RAM_END ((uint64_t)CS_RANDOM_RAM + (1u << 30))
#define CATALOG "configs/imc/power9_small.dts"
#define MOST_NAME 255 /* bytes of a file's name in a scenario */
#define ON UINT64_C(0xe800000000000000)
#define OFF UINT64_C(0xe000000000000000)

typedef cs_random_imc_state imc_random;

static imc_random *of(void *u)
{
    return u;
}

static unsigned at_least_1(unsigned n)
{
    return n != 0 ? n : 1;
}

/* The tree's, where the program is in one. */
static bool has_catalog(const cs_draw *d)
{
    char path[MOST_NAME + 1];

    if (d->root == NULL || snprintf(path, sizeof path, "%s/" CATALOG, d->root) >= (int)sizeof path)
        return false;
    return access(path, R_OK) == 0;
}

static bool shape(cs_draw *d, const cs_die_shape *die, void *u)
{
    imc_random *p = of(u);
    const unsigned chips = cs_die_shape_get(die, "imc", "NrChip");
    const unsigned cores = cs_die_shape_get(die, "imc", "NrCore");
    const unsigned threads = cs_die_shape_get(die, "imc", "NrThread");

    /* Without them there is no nest. */
    if (cores == 0 || (cs_draw_get(d, "others") != 0 && cs_draw_chance(d, 40)))
        return false;
    const bool first = cs_draw_get(d, "others") == 0;

    cs_draw_set(d, "slow", 0);
    cs_draw_set(d, "others", 1);
    /* A core a chip where there are several. */
    p->chips = chips > 1 && cs_draw_chance(d, 85) ? 2 : 1;
    p->cores = p->chips > 1 ? p->chips : (unsigned)cs_draw_between(d, 1, cores);
    p->threads = 1u << cs_draw_below(d, 3);
    while (p->threads > at_least_1(threads))
        p->threads /= 2;
    /* A die has the nests of one of the two. */
    p->power10 = cs_die_shape_has(die, "nest10") || cs_draw_flag(d, "imc.power10", 25);
    /* Four CPUs, a port each; nobody else has a turn. */
    p->tasks = !p->power10 && p->chips == 1 && has_catalog(d) && cores * threads >= 4 &&
               cs_die_shape_get(die, "ports", "NrPort") >= 3 && first &&
               cs_draw_flag(d, "imc.tasks", 30);
    if (p->tasks) {
        p->cores = cores < 2 ? 1 : 2;
        p->threads = 4 / p->cores;
        p->nest = cs_die_shape_has(die, "nest") && cs_draw_flag(d, "imc.tasks_nest", 70);
        cs_draw_set(d, "alone", 1);
        cs_draw_set(d, "several", 2); /* each CPU switches for itself */
    }
    cs_draw_set(d, "power10", p->power10);
    cs_draw_set(d, "chips", p->chips);
    return true;
}

static unsigned cpus(const void *u)
{
    return ((const imc_random *)u)->cores * ((const imc_random *)u)->threads;
}

/* ---- sections ---- */

/* Each core loses its power up to three times. */
static void deep_stops(cs_draw *d, const imc_random *p)
{
    cs_draw_line(d, "  deep_stops:");
    for (unsigned core = 0; core < p->cores; core++)
        for (uint64_t n = cs_draw_between(d, 1, 3), at = 0; n > 0; n--) {
            const uint64_t begin = at + cs_draw_between(d, 1, 5);
            const uint64_t lasts = cs_draw_between(d, 1, 3);

            cs_draw_line(d, "    - {core: %u, at_us: %u, for_us: %u}", core, (unsigned)begin,
                         (unsigned)lasts);
            at = begin + lasts;
        }
}

static void sections(cs_draw *d, void *u)
{
    static const uint64_t starts[] = {0, (UINT64_C(1) << 42) - 40, ~UINT64_C(0) - 60,
                                      UINT64_C(1) << 20};
    const imc_random *p = of(u);
    const unsigned mhz = (unsigned)cs_draw_between(d, 1000, 4000);

    cs_random_clock(d, mhz);
    if (p->tasks)
        cs_draw_line(d, "catalog: %s/" CATALOG, d->root);
    cs_draw_line(d,
                 "imc:\n  cores: %u\n  threads: %u\n  variant: %s\n  tap_log2: %u\n"
                 "  timebase_mhz: %u\n  timebase_start: 0x%" PRIx64,
                 p->cores, p->threads, p->power10 ? "power10" : "power9",
                 (unsigned)cs_draw_between(d, 2, 8),
                 cs_draw_chance(d, 50) ? 512 : (unsigned)cs_draw_between(d, 40, 1000),
                 starts[cs_draw_pick(d, "imc.timebase", 4)]);
    if (p->chips > 1)
        cs_draw_line(d, "  chips: %u", p->chips);
    if (!p->tasks && cs_draw_get(d, "steady") == 0 && cs_draw_flag(d, "imc.deep_stop", 40))
        deep_stops(d, p);
    if (p->nest)
        cs_random_imc_task_nest(d);
}

static void workloads(cs_draw *d, void *u, unsigned first)
{
    static const char *const modes[] = {"guest_kernel", "guest_user", "host_kernel", "host_user"};

    if (of(u)->tasks) {
        cs_random_imc_task_workloads(d, of(u));
        return;
    }
    cs_draw_line(d, "  - name: power\n    cpus: \"%u-%u\"\n    segments:", first,
                 first + cpus(u) - 1);
    for (uint64_t n = cs_draw_between(d, 1, 3); n > 0; n--)
        cs_draw_line(
            d,
            "      - cycles: %u\n        mode: %s\n        cid1: 0x%x\n        cid2: 0x%x\n"
            "        functions: [{name: f, base: 0xc00000000%05x00, size: 0x400}]\n"
            "        events:\n"
            "          - {event: \"cpmc1:4\", kind: random, rate: 0.9}\n"
            "          - {event: \"cpmc2:2\", rate: %u.3}\n"
            "          - {event: \"cpmc1:35\", rate: 1.7}\n"
            "          - {event: \"cpmc2:40\", kind: bursts, rate: 2, length_cycles: 20, "
            "period_cycles: 90}\n"
            "          - {event: cpmc3, kind: random, rate: 1.2}",
            (unsigned)cs_draw_between(d, 30, 2500), modes[cs_draw_pick(d, "imc.mode", 4)],
            (unsigned)cs_draw_bits(d), (unsigned)cs_draw_bits(d),
            (unsigned)cs_draw_below(d, 0xfffff), (unsigned)cs_draw_below(d, 3));
}

static void fault(cs_draw *d, void *u)
{
    if (of(u)->tasks)
        cs_random_fault(d, CS_RANDOM_IMC_TASKS, 4u << 20, 400);
    else
        cs_random_fault(d, BUFFERS, 4u << 20, 30);
}

/* ---- registers ---- */

static uint64_t scom_at(const imc_random *p, unsigned core, unsigned reg)
{
    const unsigned chip = p->chips == 1 ? 0 : core, own = p->chips == 1 ? core : 0;

    return CS_SCOM_BASE_OF(chip, p->power10) +
           8 * (uint64_t)cs_imc_scom_address(p->power10, own, reg);
}

static void scom(cs_draw *d, const imc_random *p, unsigned core, unsigned reg, uint64_t value)
{
    cs_draw_write(d, scom_at(p, core, reg), cs_draw_chance(d, 97) ? 8 : 4, value);
}

/* Mostly a buffer; else RAM's end, or anywhere. */
static uint64_t address(cs_draw *d)
{
    if (cs_draw_chance(d, 85))
        return BUFFERS + 0x2000 * cs_draw_below(d, 64);
    return cs_draw_chance(d, 60) ? RAM_END - 0x2000 * cs_draw_between(d, 1, 3)
                                 : cs_draw_bits(d) & UINT64_C(0x00ffffffffffffff);
}

static void event_mask(cs_draw *d, const imc_random *p, unsigned core)
{
    const uint64_t sets = cs_draw_chance(d, 70) ? UINT64_C(0x0402010000000000)
                                                : cs_draw_bits(d) & UINT64_C(0xfffffffc00000000);
    uint64_t value = sets | cs_draw_below(d, cs_draw_chance(d, 80) ? 2 : 8) << 31;

    if (cs_draw_flag(d, "imc.disable_wrap", 25))
        value |= 1u << 30;
    if (cs_draw_flag(d, "imc.freeze", 10))
        value |= 1u << 29;
    if (cs_draw_flag(d, "imc.one_event", 30))
        value |= (1u << 25) | cs_draw_below(d, 4) << 23 | cs_draw_below(d, 32) << 18;
    scom(d, p, core, CS_IMC_REG_EVENT_MASK, value);
}

static void trace(cs_draw *d, const imc_random *p, unsigned core)
{
    const uint64_t load = 0xffffffff - cs_draw_between(d, 0, cs_draw_chance(d, 60) ? 900 : 60);
    const uint64_t select = cs_draw_pick(d, "imc.sampsel", 4);

    scom(d, p, core, CS_IMC_REG_TRACE,
         select << 62 | load << 30 | (cs_draw_chance(d, 50) ? 4 : cs_draw_below(d, 128)) << 23 |
             (cs_draw_chance(d, 50) ? 2 : cs_draw_below(d, 128)) << 16 | cs_draw_below(d, 8) << 13 |
             cs_draw_below(d, cs_draw_chance(d, 20) ? 8192 : 1));
}

static void ldbar(cs_draw *d, unsigned core, unsigned thread)
{
    static const uint64_t modes[] = {UINT64_C(1) << 63, UINT64_C(1) << 62, UINT64_C(3) << 62, 0};
    const uint64_t mode = modes[cs_draw_pick(d, "imc.ldbar", 4)];
    const uint64_t at = CS_SPR_BASE + 0x2000 * (4 * core + thread) +
                        8 * (cs_draw_chance(d, 97) ? 850 : cs_draw_below(d, 900));

    if (cs_draw_chance(d, 15))
        cs_draw_read(d, at, 8);
    cs_draw_write(d, at, 8,
                  address(d) | mode | cs_draw_below(d, cs_draw_chance(d, 10) ? 0x2000 : 1));
}

static void program(cs_draw *d, void *u)
{
    const imc_random *p = of(u);

    for (unsigned core = 0; core < p->cores; core++) {
        scom(d, p, core, CS_IMC_REG_PDBAR,
             address(d) | (cs_draw_chance(d, 20) ? UINT64_C(1) << 62 : 0));
        event_mask(d, p, core);
        trace(d, p, core);
        for (unsigned thread = 0; thread < p->threads; thread++)
            if (cs_draw_chance(d, 70))
                ldbar(d, core, thread);
        scom(d, p, core, CS_IMC_REG_HTM_MODE, cs_draw_chance(d, 90) ? ON : cs_draw_bits(d));
    }
}

static void step(cs_draw *d, void *u)
{
    const imc_random *p = of(u);
    const unsigned core = (unsigned)cs_draw_below(d, p->cores + (cs_draw_chance(d, 10) ? 1 : 0));
    const unsigned reg = cs_draw_pick(d, "imc.register", 7);

    switch (cs_draw_pick(d, "imc.step", 8)) {
    case 0:
        scom(d, p, core, CS_IMC_REG_HTM_MODE, cs_draw_chance(d, 60) ? OFF : ON);
        break;
    case 1:
        event_mask(d, p, core);
        break;
    case 2:
        trace(d, p, core);
        break;
    case 3:
    case 4:
        ldbar(d, core, (unsigned)cs_draw_below(d, p->threads));
        break;
    case 5:
        scom(d, p, core, reg, cs_draw_chance(d, 50) ? 0 : cs_draw_bits(d));
        break;
    default:
        cs_draw_read(d,
                     cs_draw_chance(d, 95) ? scom_at(p, core, reg)
                                           : CS_SCOM_BASE + 8 * cs_draw_below(d, 0x40000000),
                     8);
        break;
    }
}

static void last(cs_draw *d, void *u)
{
    const imc_random *p = of(u);
    const unsigned core = (unsigned)cs_draw_below(d, p->cores);

    for (unsigned reg = 0; reg < 7; reg++)
        cs_draw_read(d, scom_at(p, core, reg), 8);
    cs_draw_read(d, CS_SPR_BASE + 0x2000 * (4 * core) + 8 * 850, 8);
}

static const char *driver(cs_draw *d, void *u)
{
    return of(u)->tasks ? cs_random_imc_task_driver(d, of(u)) : NULL;
}

static bool driven(const void *u)
{
    return ((const imc_random *)u)->tasks;
}

const cs_random_unit cs_random_imc = {
    .name = "imc",
    .bytes = sizeof(imc_random),
    .shape = shape,
    .cpus = cpus,
    .sections = sections,
    .workloads = workloads,
    .driver = driver,
    .driven = driven,
    .fault = fault,
    .program = program,
    .step = step,
    .last = last,
};

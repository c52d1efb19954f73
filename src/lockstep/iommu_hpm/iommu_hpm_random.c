// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with IOMMUs: sources that few IDs tell apart, filters that take some of them, and
 * accesses of all kinds to counters that are near their end. */
#include "lockstep/random/random.h"
#include <countersink/base/numbers.h>

#define MOST CS_MAX_IOMMUS
#define MOST_SOURCES 8u
#define IPSR 0x054u
#define OVF 0x058u
#define INH 0x05cu
#define CYCLES 0x060u
#define COUNTER(n) (0x060u + 8u * (n))
#define EVT(n) (0x158u + 8u * (n))

typedef struct iommu_random {
    unsigned units;
    unsigned char counters[MOST], width[MOST], sources[MOST];
} iommu_random;

/* Devices and processes have these: filters fit now and then. */
static const unsigned ids[] = {0, 1, 3, 7, 0x0f, 0x7fff, 0xffff};

static iommu_random *of(void *u)
{
    return u;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool shape(cs_draw *d, const cs_die_shape *die, void *u)
{
    static const unsigned char widths[] = {32, 32, 33, 48, 63, 64};
    iommu_random *p = of(u);
    const unsigned units = cs_die_shape_get(die, "iommu_hpm", "NrUnit");
    const unsigned records = cs_die_shape_get(die, "iommu_hpm", "NrRecord");
    const unsigned counters = cs_die_shape_get(die, "iommu_hpm", "NrCounter");

    /* Somebody has to run software that reaches it. */
    if (units == 0 || cs_draw_get(d, "others") == 0 ||
        !(cs_draw_get(d, "wanted") != 0 || cs_draw_chance(d, 80)))
        return false;
    cs_draw_set(d, "slow", 0);
    p->units = (unsigned)cs_draw_between(d, 1, least(units, MOST));
    for (unsigned i = 0; i < p->units; i++) {
        p->counters[i] = (unsigned char)cs_draw_between(d, 1, counters);
        p->width[i] = widths[cs_draw_pick(d, "iommu.width", 6)];
        p->sources[i] = (unsigned char)cs_draw_between(d, 1, least(records, MOST_SOURCES));
    }
    return true;
}

/* ---- the section ---- */

static unsigned id(cs_draw *d)
{
    return ids[cs_draw_pick(d, "iommu.id", sizeof ids / sizeof ids[0])];
}

static void source(cs_draw *d, unsigned number)
{
    cs_draw_put(d, "        - {name: s%u, device_id: %u", number, id(d));
    if (cs_draw_chance(d, 60))
        cs_draw_put(d, ", process_id: %u", id(d));
    if (cs_draw_chance(d, 60))
        cs_draw_put(d, ", gscid: %u", id(d));
    if (cs_draw_chance(d, 60))
        cs_draw_put(d, ", pscid: %u", id(d));
    if (cs_draw_chance(d, 10)) {
        cs_draw_line(d, "}");
        return;
    }
    cs_draw_put(d, ", segments: [{cycles: %u, events: [", (unsigned)cs_draw_between(d, 50, 3000));
    for (unsigned e = 1; e <= 8; e++)
        cs_draw_put(d, "%s{event: \"iommu_hpm:%u\", kind: random, rate: 0.%u, max_increment: %u}",
                    e == 1 ? "" : ", ", e, (unsigned)cs_draw_between(d, 1, 9),
                    (unsigned)cs_draw_between(d, 4, 15));
    cs_draw_line(d, "]}, {cycles: %u}]}", (unsigned)cs_draw_between(d, 10, 900));
}

static void sections(cs_draw *d, void *u)
{
    const iommu_random *p = of(u);

    cs_draw_line(d, "iommu_hpm:\n  units:");
    for (unsigned i = 0; i < p->units; i++) {
        cs_draw_line(d, "    - name: i%u\n      counters: %u\n      width: %u", i, p->counters[i],
                     p->width[i]);
        cs_draw_line(d, "      access_cycles: %u\n      sources:",
                     (unsigned)cs_draw_between(d, 1, cs_draw_chance(d, 80) ? 12 : 400));
        for (unsigned k = 0; k < p->sources[i]; k++)
            source(d, k);
    }
}

/* ---- registers ---- */

static uint64_t base_of(unsigned unit)
{
    return CS_IOMMU_BASE + (uint64_t)unit * CS_IOMMU_STRIDE;
}

/* A filter for IDs that there may be. */
static uint64_t event(cs_draw *d)
{
    static const uint64_t with_idt[] = {4, 7, 8};
    const uint64_t dmask = cs_draw_flag(d, "iommu.dmask", 30);
    const uint64_t pv = cs_draw_flag(d, "iommu.pv", 35), dv = cs_draw_flag(d, "iommu.dv", 40);
    const uint64_t idt = cs_draw_flag(d, "iommu.idt", 35);
    /* With IDT no other event counts. */
    const uint64_t number = cs_draw_chance(d, 10)               ? cs_draw_below(d, 0x8000)
                            : idt != 0 && cs_draw_chance(d, 60) ? with_idt[cs_draw_below(d, 3)]
                                                                : cs_draw_pick(d, "iommu.event", 9);

    return number | dmask << 15 | (uint64_t)id(d) << 16 | (uint64_t)id(d) << 36 | pv << 60 |
           dv << 61 | idt << 62;
}

static uint64_t near_the_end(cs_draw *d, unsigned width)
{
    return (~UINT64_C(0) >> (64 - width)) - cs_draw_below(d, cs_draw_chance(d, 50) ? 20 : 2000);
}

static unsigned counter(cs_draw *d, const iommu_random *p, unsigned unit)
{
    return (unsigned)cs_draw_between(d, 1, p->counters[unit]);
}

/* A counter that will soon be at its end, that of cycles now and then. */
static void arm(cs_draw *d, const iommu_random *p, unsigned unit)
{
    const uint64_t at = base_of(unit);
    const unsigned n = counter(d, p, unit);

    if (cs_draw_flag(d, "iommu.cycles", 25)) {
        cs_draw_write(d, at + CYCLES, 8,
                      near_the_end(d, p->width[unit] == 64 ? 63 : p->width[unit]));
        return;
    }
    cs_draw_write(d, at + EVT(n), 8, event(d));
    cs_draw_write(d, at + COUNTER(n), 8, near_the_end(d, p->width[unit]));
}

static void program(cs_draw *d, void *u)
{
    const iommu_random *p = of(u);

    for (unsigned i = 0; i < p->units; i++)
        for (unsigned n = 0; n < 3; n++)
            arm(d, p, i);
}

static void look(cs_draw *d, const iommu_random *p, unsigned unit)
{
    const uint64_t at = base_of(unit);

    cs_draw_read(d, at + OVF, 4);
    cs_draw_read(d, at + IPSR, 4);
    cs_draw_read(d, at + COUNTER(counter(d, p, unit)), 8);
    if (cs_draw_chance(d, 60))
        cs_draw_write(d, at + IPSR, 4, cs_draw_any(d) | (uint64_t)cs_draw_chance(d, 70) << 2);
}

static void touch(cs_draw *d, const iommu_random *p, unsigned unit)
{
    const unsigned n = counter(d, p, unit);
    const unsigned offsets[] = {IPSR,   OVF,  INH,    CYCLES,      COUNTER(n), COUNTER(n),
                                EVT(n), 0x50, EVT(0), COUNTER(31), EVT(31),    0xff8};
    const unsigned offset =
        offsets[cs_draw_pick(d, "iommu.offset", sizeof offsets / sizeof offsets[0])];
    const bool wide = offset < CYCLES ? cs_draw_chance(d, 10) : cs_draw_chance(d, 55);
    const unsigned size = wide ? 8 : cs_draw_chance(d, 95) ? 4 : 2;
    const uint64_t at =
        base_of(unit) +
        (wide ? offset & ~7u : offset + (offset >= CYCLES && cs_draw_chance(d, 45) ? 4 : 0));

    if (cs_draw_flag(d, "iommu.read", 40))
        cs_draw_read(d, at, size);
    else
        cs_draw_write(d, at, size,
                      offset == INH && cs_draw_chance(d, 70) ? cs_draw_below(d, 4)
                      : cs_draw_chance(d, 50)                ? cs_draw_bits(d)
                                                             : cs_draw_any(d));
}

/* A counter that is at its end all the time, and writes of OF and pmip that meet it there. */
static void hammer(cs_draw *d, const iommu_random *p, unsigned unit)
{
    const uint64_t at = base_of(unit), number = cs_draw_between(d, 1, 8);
    const unsigned n = counter(d, p, unit), width = p->width[unit];
    const bool cycles = cs_draw_flag(d, "iommu.hammer.cycles", 30);

    cs_draw_write(d, at + INH, 4, cs_draw_bits(d) & ~(1u | UINT64_C(1) << n) & UINT32_MAX);
    cs_draw_write(d, at + EVT(n), 8, number);
    for (uint64_t times = cs_draw_between(d, 4, 14); times > 0; times--) {
        cs_draw_write(d, at + (cycles ? CYCLES : COUNTER(n)), 8,
                      (~UINT64_C(0) >> (cycles && width == 64 ? 1 : 64 - width)) -
                          cs_draw_below(d, 60));
        if (cs_draw_chance(d, 50))
            cs_draw_write(d, at + IPSR, 4, 4);
        else
            cs_draw_write(d, at + EVT(n), 8, number | cs_draw_below(d, 2) << 63);
        cs_draw_read(d, at + OVF, 4);
    }
}

static void step(cs_draw *d, void *u)
{
    const iommu_random *p = of(u);
    const unsigned unit = (unsigned)cs_draw_below(d, p->units);

    switch (cs_draw_pick(d, "iommu.step", 4)) {
    case 3:
        hammer(d, p, unit);
        break;
    case 0:
        arm(d, p, unit);
        break;
    case 1:
        look(d, p, unit);
        break;
    default:
        touch(d, p, unit);
        break;
    }
}

static void last(cs_draw *d, void *u)
{
    const iommu_random *p = of(u);

    for (unsigned i = 0; i < p->units; i++) {
        cs_draw_read(d, base_of(i) + INH, 4);
        cs_draw_read(d, base_of(i) + CYCLES, 8);
        look(d, p, i);
        for (unsigned n = 1; n <= p->counters[i]; n++) {
            cs_draw_read(d, base_of(i) + COUNTER(n), 8);
            cs_draw_read(d, base_of(i) + EVT(n), 8);
        }
    }
}

static void fault(cs_draw *d, void *u)
{
    const iommu_random *p = of(u);

    cs_random_fault(d, base_of((unsigned)cs_draw_below(d, p->units)), CS_IOMMU_BYTES, 20);
}

const cs_random_unit cs_random_iommu_hpm = {
    .name = "iommu_hpm",
    .bytes = sizeof(iommu_random),
    .shape = shape,
    .sections = sections,
    .fault = fault,
    .program = program,
    .step = step,
    .last = last,
};

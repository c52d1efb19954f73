// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with uncore units: accesses of all kinds to their registers, counters that are
 * near their end; or perf's software on them, with CPUs that manage side by side and go off. */
#include "lockstep/random/random.h"
#include <countersink/base/numbers.h>

#define SLOT_BYTES 0x10000u
#define LAST_SLOT 15u /* writes go to all slots of the bridge */
#define MOST 12u

typedef struct uncore_random {
    unsigned bridges, units;
    unsigned per_bridge[4];
    unsigned char bridge[MOST], counters[MOST], width[MOST];
    bool extended[MOST]; /* MATCH and MASK are there */
    bool driver;
    unsigned first_cpus; /* of the first of two partitions; 0: there are none */
} uncore_random;

static uncore_random *of(void *u)
{
    return u;
}

static bool shape(cs_draw *d, const cs_die_shape *die, void *u)
{
    static const unsigned char widths[] = {8, 8, 8, 9, 32, 48, 63, 64};
    uncore_random *p = of(u);
    const unsigned bridges = cs_die_shape_get(die, "uncore", "NrBridge");
    const unsigned units = cs_die_shape_get(die, "uncore", "NrUnit");

    /* Somebody has to run software that reaches it. */
    if (bridges == 0 || cs_draw_get(d, "others") == 0 ||
        !(cs_draw_get(d, "wanted") != 0 || cs_draw_chance(d, 80)))
        return false;
    cs_draw_set(d, "slow", 0);
    p->bridges = (unsigned)cs_draw_between(d, 1, bridges);
    for (unsigned b = 0; b < p->bridges; b++)
        p->per_bridge[b] = (unsigned)cs_draw_between(d, 1, units);
    for (unsigned b = 0; b < p->bridges; b++)
        for (unsigned i = 0; i < p->per_bridge[b] && p->units < MOST; i++) {
            p->bridge[p->units] = (unsigned char)b;
            p->counters[p->units] = (unsigned char)cs_draw_between(d, 1, 16);
            p->extended[p->units] =
                cs_die_shape_get(die, "uncore", "NrTag") != 0 && cs_draw_flag(d, "uncore.tags", 60);
            p->width[p->units++] = cs_draw_chance(d, 70)
                                       ? widths[cs_draw_pick(d, "uncore.width", 8)]
                                       : (unsigned char)cs_draw_between(d, 8, 64);
        }
    p->driver = cs_draw_flag(d, "uncore.driver", 20);
    cs_draw_set(d, "steady", p->driver); /* no CPU goes off */
    cs_draw_set(d, "free units", p->driver ? 0 : p->units);
    return true;
}

/* ---- sections ---- */

/* Event 1 has several tags, of one bit or some. */
static void events(cs_draw *d, bool tagged)
{
    cs_draw_put(d, ", segments: [{cycles: %u, events: [", (unsigned)cs_draw_between(d, 50, 3000));
    if (tagged)
        cs_draw_put(
            d,
            "{event: \"uncore:1\", rate: 0.9, tag: %s}, {event: \"uncore:1\", kind: random, "
            "rate: 0.3, max_increment: 3, tag: 0x%" PRIx64 "}, ",
            cs_draw_chance(d, 50) ? "0x10" : "0x8000000000000001", cs_draw_any(d) | 0x100);
    cs_draw_line(d,
                 "{event: \"uncore:1\", kind: random, rate: 0.7, "
                 "max_increment: %u}, {event: \"uncore:2\", rate: %u.3}, {event: \"uncore:3\", "
                 "kind: bursts, rate: 2, period_cycles: 900, length_cycles: 200}, {event: "
                 "\"uncore:4\", rate: 3.5}]}, "
                 "{cycles: %u}]}",
                 tagged ? 3 : (unsigned)cs_draw_between(d, 3, 15), (unsigned)cs_draw_below(d, 3),
                 (unsigned)cs_draw_between(d, 10, 900));
}

/* Two systems side by side, with CPUs and units of their own; a unit may be nobody's. */
static void partitions(cs_draw *d, uncore_random *p)
{
    const unsigned cpus = (unsigned)cs_draw_get(d, "managers");

    if (!p->driver || cpus < 2 || !cs_draw_flag(d, "uncore.partitions", 25))
        return;
    p->first_cpus = (unsigned)cs_draw_between(d, 1, cpus - 1);
    cs_draw_line(d, "  partitions:");
    for (unsigned part = 0; part < 2; part++) {
        const char *before = "";

        cs_draw_put(d, "    - {name: s%u, cpus: [\"%u-%u\"], units: [", part,
                    part == 0 ? 0 : p->first_cpus, part == 0 ? p->first_cpus - 1 : cpus - 1);
        for (unsigned i = part; i < p->units; i += 2) {
            cs_draw_put(d, "%su%u", before, i);
            before = ", ";
        }
        cs_draw_line(d, "]}");
    }
}

static void sections(cs_draw *d, void *u)
{
    const uncore_random *p = of(u);

    cs_draw_line(d, "uncore:\n  bridges:");
    for (unsigned b = 0; b < p->bridges; b++)
        cs_draw_line(d, "    - {access_cycles: %u, near: 0, remote_cycles: %u}",
                     (unsigned)cs_draw_between(d, 1, cs_draw_chance(d, 80) ? 12 : 400),
                     p->driver ? (unsigned)cs_draw_below(d, 400) : 0);
    cs_draw_line(d, "  units:");
    for (unsigned i = 0; i < p->units; i++) {
        cs_draw_put(d, "    - {name: u%u, bridge: %u, counters: %u, width: %u, id: %u", i,
                    p->bridge[i], p->counters[i], p->width[i], (unsigned)cs_draw_below(d, 65536));
        if (p->extended[i])
            cs_draw_put(d, ", extended: true");
        if (cs_draw_chance(d, 20))
            cs_draw_line(d, "}");
        else
            events(d, p->extended[i]);
    }
    partitions(d, of(u));
}

/* ---- perf ---- */

/* Commands are for all units: a tag is only for a machine where all have them. */
static bool tagged(const uncore_random *p)
{
    for (unsigned i = 0; i < p->units; i++)
        if (!p->extended[i])
            return false;
    return true;
}

static void commands(cs_draw *d, const uncore_random *p)
{
    const bool tags = tagged(p);

    cs_draw_line(d, "  perf:");
    for (uint64_t n = cs_draw_between(d, 1, 3); n > 0; n--) {
        const unsigned start = (unsigned)cs_draw_between(d, 1, 60);

        cs_draw_put(d, "    - {");
        if (p->first_cpus != 0)
            cs_draw_put(d, "partition: s%u, ", (unsigned)cs_draw_below(d, 2));
        cs_draw_line(d,
                     "start_us: %u, stop_us: %u, interval_us: %u, events: [{event: "
                     "\"uncore:1\"}, {event: \"uncore:2\", pinned: %s}, {event: \"uncore:0\"}, "
                     "{event: \"uncore:1\"%s}]}",
                     start, start + (unsigned)cs_draw_between(d, 1, 80),
                     cs_draw_chance(d, 50) ? 0 : (unsigned)cs_draw_between(d, 5, 30),
                     cs_draw_bool(d, "uncore.pinned", 20),
                     !tags                   ? ""
                     : cs_draw_chance(d, 50) ? ", config1: 0x10, config2: 0xfe"
                                             : ", config2: 0x8000000000000000");
    }
}

/* A CPU that the system takes away, and gives back or not: its units move. One of a system stays. */
static void hotplug(cs_draw *d, const uncore_random *p)
{
    const unsigned cpus = (unsigned)cs_draw_get(d, "managers");

    if (cpus - p->first_cpus < 2 || !cs_draw_flag(d, "uncore.hotplug", 40))
        return;
    cs_draw_line(d, "  hotplug: [{cpu: %u, at_us: %u, for_us: %u}]",
                 p->first_cpus + (unsigned)cs_draw_below(d, cpus - p->first_cpus - 1),
                 (unsigned)cs_draw_between(d, 2, 70),
                 cs_draw_chance(d, 30) ? 0 : (unsigned)cs_draw_between(d, 1, 40));
}

static const char *driver(cs_draw *d, void *u)
{
    static const char *const lists[] = {"per_pmu", "global", "contexts"};
    static const char *const choices[] = {"load", "nearest", "busy", "idle"};

    if (!of(u)->driver)
        return NULL;
    cs_draw_set(d, "several", 1);
    cs_draw_line(d,
                 "uncore_driver:\n  list: %s\n  manager: %s\n  look_us: %u\n  tick_us: %u\n"
                 "  poll_cycles: 2000\n  handler_cycles: %u",
                 lists[cs_draw_pick(d, "uncore.list", 3)],
                 choices[cs_draw_pick(d, "uncore.manager", 4)], (unsigned)cs_draw_between(d, 1, 20),
                 (unsigned)cs_draw_between(d, 4, 30), (unsigned)cs_draw_between(d, 1, 900));
    hotplug(d, of(u));
    if (cs_draw_flag(d, "uncore.wrap", 40))
        cs_draw_line(d, "  wrap: interrupt");
    commands(d, of(u));
    return "uncore";
}

static bool driven(const void *u)
{
    return ((const uncore_random *)u)->driver;
}

/* ---- registers ---- */

static uint64_t base_of(const uncore_random *p, unsigned unit)
{
    unsigned slot = 0;

    for (unsigned i = 0; i < unit; i++)
        slot += p->bridge[i] == p->bridge[unit];
    return CS_UNCORE_BASE + CS_UNCORE_BYTES * (uint64_t)p->bridge[unit] + SLOT_BYTES * slot;
}

static uint64_t tag(cs_draw *d)
{
    static const uint64_t tags[] = {0, 0x10, UINT64_C(0x8000000000000001), UINT64_C(1) << 63};

    return tags[cs_draw_pick(d, "uncore.tag", 4)];
}

/* A counter that will soon be at its end. */
static void arm(cs_draw *d, const uncore_random *p, unsigned unit)
{
    const uint64_t at = base_of(p, unit);
    const uint64_t n = cs_draw_below(d, p->counters[unit]);
    const uint64_t end = p->width[unit] == 64 ? 0 : UINT64_C(1) << p->width[unit];

    cs_draw_write(d, at + 0x100 + 8 * n, 8, 0x10000 | cs_draw_below(d, 5));
    cs_draw_write(d, at + 0x200 + 8 * n, 8,
                  end - 1 - cs_draw_below(d, cs_draw_chance(d, 50) ? 9 : 250));
    if (p->extended[unit]) {
        cs_draw_write(d, at + 0x300 + 8 * n, 8, tag(d));
        cs_draw_write(d, at + 0x400 + 8 * n, 8, cs_draw_chance(d, 50) ? tag(d) : cs_draw_any(d));
    }
    cs_draw_write(d, at + 0x18, 8, cs_draw_chance(d, 70) ? ~UINT64_C(0) : cs_draw_below(d, 65536));
    cs_draw_write(d, at + 0x08, 8, 1 | cs_draw_below(d, 2) << 1);
}

static void program(cs_draw *d, void *u)
{
    const uncore_random *p = of(u);

    for (unsigned i = 0; i < p->units; i++)
        if (cs_draw_chance(d, 80))
            arm(d, p, i);
}

/* A counter that is at its end all the time, and accesses that meet it there. */
static void hammer(cs_draw *d, const uncore_random *p, unsigned unit)
{
    const uint64_t at = base_of(p, unit), n = cs_draw_below(d, p->counters[unit]);
    const uint64_t end = p->width[unit] == 64 ? 0 : UINT64_C(1) << p->width[unit];
    const bool far = p->width[unit] > 8;

    cs_draw_write(d, at + 0x100 + 8 * n, 8,
                  cs_draw_flag(d, "uncore.clock", 50) ? 0x10000 : 0x10004);
    cs_draw_write(d, at + 0x08, 8, 1);
    for (uint64_t times = cs_draw_between(d, 4, 14); times > 0; times--) {
        if (far)
            cs_draw_write(d, at + 0x200 + 8 * n, 8, end - 1 - cs_draw_below(d, 60));
        switch (cs_draw_pick(d, "uncore.hammer", 4)) {
        case 0:
            cs_draw_write(d, at + 0x200 + 8 * n, cs_draw_chance(d, 50) ? 8 : 4,
                          far ? end - 1 - cs_draw_below(d, 100) : cs_draw_below(d, 256));
            break;
        case 1:
            cs_draw_write(d, at + 0x10, 8, ~UINT64_C(0));
            break;
        default:
            cs_draw_write(d, at + 0x08, 8,
                          1 | cs_draw_below(d, 2) << 1 | cs_draw_below(d, 4) / 3 << 8);
            break;
        }
        cs_draw_read(d, at + 0x10, 8);
    }
}

static void look(cs_draw *d, const uncore_random *p, unsigned unit)
{
    const uint64_t at = base_of(p, unit);

    cs_draw_read(d, at + 0x10, 8);
    cs_draw_read(d, at + 0x08, 8);
    cs_draw_read(d, at + 0x200 + 8 * cs_draw_below(d, p->counters[unit]), 8);
    if (cs_draw_chance(d, 50))
        cs_draw_write(d, at + 0x10, 8, cs_draw_any(d));
}

static void touch(cs_draw *d, const uncore_random *p, unsigned unit)
{
    static const unsigned offsets[] = {0x000, 0x008, 0x010, 0x018, 0x100, 0x108, 0x110,
                                       0x178, 0x180, 0x200, 0x208, 0x210, 0x278, 0x280,
                                       0x300, 0x308, 0x378, 0x400, 0x408, 0x478, 0xff8};
    const unsigned size = cs_draw_chance(d, 55) ? 8 : cs_draw_chance(d, 90) ? 4 : 2;
    uint64_t at = base_of(p, unit) +
                  offsets[cs_draw_pick(d, "uncore.offset", sizeof offsets / sizeof offsets[0])];

    if (cs_draw_chance(d, 6))
        at = (at & ~(uint64_t)(CS_UNCORE_BYTES - 1)) + LAST_SLOT * SLOT_BYTES + (at & 0xffff);
    if (size == 4 && cs_draw_chance(d, 40))
        at += 4;
    if (cs_draw_flag(d, "uncore.read", 50))
        cs_draw_read(d, at, size);
    else
        cs_draw_write(d, at, size,
                      cs_draw_chance(d, 40)
                          ? cs_draw_below(d, 5) | cs_draw_below(d, 2)
                                                      << (cs_draw_chance(d, 50) ? 16 : 8)
                      : cs_draw_chance(d, 50) ? cs_draw_bits(d)
                                              : cs_draw_any(d));
}

static void step(cs_draw *d, void *u)
{
    const uncore_random *p = of(u);
    const unsigned unit = (unsigned)cs_draw_below(d, p->units);

    switch (cs_draw_pick(d, "uncore.step", 4)) {
    case 0:
        arm(d, p, unit);
        break;
    case 3:
        hammer(d, p, unit);
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
    const uncore_random *p = of(u);

    for (unsigned i = 0; i < p->units; i++) {
        cs_draw_read(d, base_of(p, i), 8);
        look(d, p, i);
        cs_draw_read(d, base_of(p, i) + 0x18, 8);
        cs_draw_read(d, base_of(p, i) + 0x100 + 8 * cs_draw_below(d, p->counters[i]), 8);
        cs_draw_read(d, base_of(p, i) + 0x300 + 8 * cs_draw_below(d, p->counters[i]), 8);
        cs_draw_read(d, base_of(p, i) + 0x400 + 8 * cs_draw_below(d, p->counters[i]), 8);
    }
}

static void fault(cs_draw *d, void *u)
{
    const uncore_random *p = of(u);

    cs_random_fault(d, base_of(p, (unsigned)cs_draw_below(d, p->units)), SLOT_BYTES, 20);
}

const cs_random_unit cs_random_uncore = {
    .name = "uncore",
    .bytes = sizeof(uncore_random),
    .shape = shape,
    .sections = sections,
    .driver = driver,
    .driven = driven,
    .fault = fault,
    .program = program,
    .step = step,
    .last = last,
};

// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with nests: their events, the control block in memory, faults of what they post. */
#include "lockstep/random/random.h"

#define NEST (CS_RANDOM_RAM + 0x8000000u)
#define CONTROL (NEST + 0x3fc00u)
#define CHIP_BYTES 0x400000u

typedef struct nest_random {
    bool power10;
    unsigned chips;
} nest_random;

static nest_random *of(void *u)
{
    return u;
}

/* Behind the cores, which have drawn what machine it is. */
static bool shape_of(cs_draw *d, bool there, bool power10, void *u)
{
    nest_random *p = of(u);

    p->power10 = power10;
    p->chips = (unsigned)cs_draw_get(d, "chips");
    if (!there || p->chips == 0 || (cs_draw_get(d, "power10") != 0) != power10)
        return false;
    return cs_draw_get(d, "wanted") != 0 || cs_draw_chance(d, p->chips == 1 ? 40 : 80);
}

static bool shape(cs_draw *d, const cs_die_shape *die, void *u)
{
    return shape_of(d, cs_die_shape_has(die, "nest"), false, u);
}

static bool shape10(cs_draw *d, const cs_die_shape *die, void *u)
{
    return shape_of(d, cs_die_shape_has(die, "nest10"), true, u);
}

static void power9(cs_draw *d)
{
    cs_draw_line(d,
                 "      events:\n"
                 "        - {event: \"nest:0x80\", rate: %u}\n"
                 "        - {event: \"nest:0xc8\", kind: random, rate: 2}\n"
                 "        - {event: \"nest:0x338\", kind: random, rate: 1.5}\n"
                 "        - {event: \"nest:0x448\", rate: 3}\n"
                 "        - {event: \"nest:0x458\", kind: random, rate: 0.7}\n"
                 "        - {event: \"nest:0x118\", rate: 2.5}\n"
                 "        - {event: \"nest:0x4a8\", kind: random, rate: 3}\n"
                 "        - {event: \"nest:0x630\", rate: 1}",
                 (unsigned)cs_draw_between(d, 1, 3));
    if (cs_draw_chance(d, 50))
        cs_draw_line(d, "        - {event: \"nest:0x748\", kind: random, rate: 3}");
}

static void power10(cs_draw *d)
{
    static const unsigned offsets[] = {0x10,  0x40,  0xb8,  0x118, 0x228,
                                       0x448, 0x7b8, 0x888, 0x980, 0x998};

    cs_draw_line(d, "      events:");
    for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        cs_draw_line(d, "        - {event: \"nest:0x%x\", kind: random, rate: 2.5}", offsets[i]);
}

static void sections(cs_draw *d, void *u)
{
    const nest_random *p = of(u);
    const uint64_t tick = cs_draw_chance(d, p->power10 ? 100 : 30)
                              ? cs_draw_between(d, 16, p->power10 ? 250 : 80)
                              : cs_draw_between(d, 200, 1500);

    cs_draw_line(d, "nest:\n  present: true\n  base: 0x%x\n  tick_cycles: %u", NEST,
                 (unsigned)tick);
    if (p->power10)
        cs_draw_line(d, "  units: 0x%" PRIx64,
                     cs_draw_chance(d, 30) ? UINT64_C(0xFFF6DBB7FFFFFFC0) : cs_draw_bits(d));
    cs_draw_line(d, "  segments:\n    - cycles: 700");
    if (p->power10)
        power10(d);
    else
        power9(d);
    cs_draw_line(d, "    - {cycles: 300}");
}

static void fault(cs_draw *d, void *u)
{
    (void)u;
    cs_random_fault(d, NEST, 4u << 20, 30);
}

static void command(cs_draw *d, uint64_t at, uint64_t value)
{
    cs_draw_write(d, at, 8, __builtin_bswap64(value));
}

static void program(cs_draw *d, void *u)
{
    (void)d;
    (void)u;
}

static void step(cs_draw *d, void *u)
{
    const nest_random *p = of(u);
    const uint64_t control = CONTROL + CHIP_BYTES * cs_draw_below(d, p->chips);

    switch (cs_draw_pick(d, "nest.step", 6)) {
    case 0:
    case 1:
        command(d, control + 0x08,
                cs_draw_chance(d, 90) ? cs_draw_pick(d, "nest.command", 4) : cs_draw_bits(d));
        break;
    case 2:
        command(d, control + 0x10,
                cs_draw_chance(d, 85) ? cs_draw_below(d, 12) : cs_draw_below(d, 20));
        break;
    case 3:
        cs_draw_write(d, control + 0x18, 8, cs_draw_chance(d, 50) ? 0 : cs_draw_bits(d));
        break;
    case 4:
        command(d, control + 0x20,
                cs_draw_chance(d, 90) ? cs_draw_below(d, 2) : cs_draw_below(d, 4));
        break;
    default:
        cs_draw_read(d, control + 8 * cs_draw_below(d, 6), 8);
        break;
    }
}

static void last(cs_draw *d, void *u)
{
    const nest_random *p = of(u);

    for (unsigned i = 0; i < 6; i++)
        cs_draw_read(d, CONTROL + CHIP_BYTES * (p->chips - 1) + 8 * i, 8);
}

#define ROW(NAME, SHAPE)                                                                           \
    {                                                                                              \
        .name = NAME, .bytes = sizeof(nest_random), .shape = SHAPE, .sections = sections,          \
        .fault = fault, .program = program, .step = step, .last = last,                            \
    }

const cs_random_unit cs_random_nest = ROW("nest", shape);
const cs_random_unit cs_random_nest10 = ROW("nest10", shape10);

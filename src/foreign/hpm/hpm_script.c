// SPDX-License-Identifier: Apache-2.0
/* What a random program does to the CSRs: docs/hw/hpm.md, section 5 and the ways to an overflow. */
#include "foreign/hpm/hpm_script.h"

#include <string.h>

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define LCOFI (1u << 13)

unsigned cs_hpm_events(const cs_foreign_design *d, const uint32_t **events)
{
    static const uint32_t numbers[] = {1, 2, 0, 3, 4, 5, 20, 63, 0x1234, 0xffff};
    static const uint32_t bits[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const bool sets = d->setting[CS_HPM_SET_EVENT_SET] != 0;

    *events = sets ? bits : numbers;
    return sets ? NR(bits) : NR(numbers);
}

bool cs_hpm_has_event(const cs_foreign_design *d, uint32_t event)
{
    return d->linked[CS_HPM_PIN_EVENT] || event == 0 ||
           (event < 64 && cs_foreign_has_field(d, CS_HPM_PIN_EVENTS, event));
}

/* ---- registers ---- */

static const uint16_t singles[] = {
    0x306, 0x106, 0x606, 0x30a, 0x31a, 0x120, 0xda0, 0x150, 0x250, 0x350, 0x151, 0x152,
    0x153, 0x155, 0x156, 0x157, 0x251, 0x252, 0x253, 0x255, 0x256, 0x257, 0x605, 0x615,
    0x304, 0x344, 0x303, 0x104, 0x144, 0x603, 0x204, 0x244, 0x308, 0x309, 0x608, 0x645,
};
/* 32 each */
static const uint16_t ranges[] = {0xb00, 0xb80, 0xc00, 0xc80, 0x320, 0x720};

#define NR_TOUR (32 * NR(ranges) + NR(singles))

static unsigned toured(unsigned i)
{
    return i < 32 * NR(ranges) ? ranges[i / 32] + i % 32 : singles[i - 32 * NR(ranges)];
}

/* ---- the ending: every register, then what only shows in other states ---- */

typedef struct step {
    uint8_t op;
    uint16_t csr;
    uint64_t value;
} step;

/* Section 9's bits that no alias shows as the program has left it; then the window is opened. */
static const step uncover[] = {
    {CS_HPM_OP_CLEAR, 0x303, LCOFI},
    {CS_HPM_OP_SET, 0x308, LCOFI},
    {CS_HPM_OP_READ, 0x104, 0},
    {CS_HPM_OP_READ, 0x144, 0},
    {CS_HPM_OP_READ, 0x603, 0},
    {CS_HPM_OP_READ, 0x204, 0},
    {CS_HPM_OP_READ, 0x244, 0},
    {CS_HPM_OP_CLEAR, 0x603, LCOFI},
    {CS_HPM_OP_SET, 0x608, LCOFI},
    {CS_HPM_OP_READ, 0x204, 0},
    {CS_HPM_OP_READ, 0x244, 0},
    {CS_HPM_OP_WRITE, 0x306, UINT64_MAX},
    {CS_HPM_OP_SET, 0x30a, UINT64_C(1) << 60},
    {CS_HPM_OP_SET, 0x31a, UINT64_C(1) << 28},
};

/* siselect from 0x3f to 0x60, and each time the six windows. */
static const uint16_t windows[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};
#define FIRST_SELECT 0x3fu
#define NR_SELECTS 34u
#define STEPS_A_SELECT (1 + NR(windows))

unsigned cs_hpm_script_ending(void)
{
    return NR_TOUR + NR(uncover) + NR_SELECTS * STEPS_A_SELECT;
}

static step ending_step(unsigned i)
{
    if (i < NR_TOUR)
        return (step){CS_HPM_OP_READ, (uint16_t)toured(i), 0};
    i -= NR_TOUR;
    if (i < NR(uncover))
        return uncover[i];
    i -= NR(uncover);
    if (i % STEPS_A_SELECT == 0)
        return (step){CS_HPM_OP_WRITE, 0x150, FIRST_SELECT + i / STEPS_A_SELECT};
    return (step){CS_HPM_OP_READ, windows[i % STEPS_A_SELECT - 1], 0};
}

/* ---- accesses ---- */

static void then(cs_hpm_script *s, unsigned op, unsigned csr, uint64_t value)
{
    if (s->nr_waiting == NR(s->waiting))
        return;
    memmove(&s->waiting[1], &s->waiting[0], s->nr_waiting * sizeof s->waiting[0]);
    s->waiting[0].csr = (uint16_t)csr;
    s->waiting[0].op = (uint8_t)op;
    s->waiting[0].value = value;
    s->nr_waiting++;
}

/* One that it has a wire for. */
static uint64_t event(cs_hpm_script *s)
{
    const cs_foreign_design *d = s->bench->design;
    const uint32_t *events;
    const unsigned nr = cs_hpm_events(d, &events);
    uint32_t event;

    if (d->setting[CS_HPM_SET_EVENT_SET] != 0)
        return cs_foreign_bits(s->random) & cs_foreign_bits(s->random) & 0xffff;
    /* Of those that may be chosen, most of the time; now and then with a bit that none of them has. */
    if (d->setting[CS_HPM_SET_LEGAL] != 0 && !cs_foreign_one_in(s->random, 4)) {
        do
            event = (uint32_t)cs_foreign_below(s->random, 64);
        while (!(d->setting[CS_HPM_SET_LEGAL] >> event & 1));
        return cs_foreign_one_in(s->random, 8) ? event | 64u << cs_foreign_below(s->random, 10)
                                               : event;
    }
    do
        event = events[cs_foreign_below(s->random, nr)];
    while (!cs_hpm_has_event(d, event));
    return event;
}

void cs_hpm_script_begin(cs_hpm_script *s, cs_foreign_bench *bench, const cs_hpm_config *config)
{
    cs_foreign_random *random = &bench->random;

    *s = (cs_hpm_script){.bench = bench, .config = *config, .random = random};
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++)
        if (config->counters >> n & 1)
            s->there[s->nr_there++] = n;
    /* A few that are used over and over, so that one's writes meet the other's; the first or the last is
     * among them, where a range ends. */
    for (; s->nr_favourites < 3 && s->nr_there != 0; s->nr_favourites++)
        s->favourites[s->nr_favourites] = s->there[cs_foreign_below(random, s->nr_there)];
    if (s->nr_favourites != 0)
        s->favourites[0] = s->there[cs_foreign_one_in(random, 2) ? 0 : s->nr_there - 1];
    then(s, CS_HPM_OP_WRITE, 0x306, UINT64_MAX);
    then(s, CS_HPM_OP_WRITE, 0x303, cs_foreign_one_in(random, 3) ? 0 : LCOFI);
    then(s, CS_HPM_OP_WRITE, 0x304, LCOFI);
    then(s, CS_HPM_OP_SET, 0x106, UINT64_MAX);
    then(s, CS_HPM_OP_SET, 0x606, cs_foreign_bits(random) | 7);
    then(s, CS_HPM_OP_SET, 0x603, cs_foreign_one_in(random, 3) ? 0 : LCOFI);
    then(s, CS_HPM_OP_WRITE, 0x605, cs_foreign_bits(random)); /* a guest's time is another one */
    then(s, CS_HPM_OP_SET, 0x104, LCOFI);
    then(s, CS_HPM_OP_SET, 0x204, LCOFI);
    if (!cs_foreign_one_in(random, 3))
        then(s, CS_HPM_OP_SET, config->xlen == 32 ? 0x31a : 0x30a,
             config->xlen == 32 ? UINT64_C(1) << 28 : UINT64_C(1) << 60);
}

/* What firmware does to sample: stop the request, and let one counter run to its end. */
static void rearm(cs_hpm_script *s)
{
    const unsigned n = s->favourites[cs_foreign_below(s->random, s->nr_favourites)];
    const unsigned width = s->config.width[n];
    const uint64_t ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    const uint64_t start = ones - cs_foreign_below(s->random, 100);

    then(s, CS_HPM_OP_CLEAR, 0x320, 1u << n);
    then(s, CS_HPM_OP_WRITE, 0x320 + n, event(s));
    then(s, CS_HPM_OP_WRITE, 0x720 + n, 0);
    then(s, CS_HPM_OP_WRITE, 0xb80 + n, start >> 32);
    then(s, CS_HPM_OP_WRITE, 0xb00 + n, start);
    then(s, CS_HPM_OP_CLEAR, 0x344, LCOFI);
}

/* A counter just before its end, and its OF or its value written again and again, so that one write is in the
 * cycle of the overflow, or in the next one. */
static void race(cs_hpm_script *s)
{
    const bool fixed = cs_foreign_one_in(s->random, 4); /* mcycle and minstret, which have no OF */
    const unsigned n = fixed ? 2 * (unsigned)cs_foreign_below(s->random, 2)
                             : s->favourites[cs_foreign_below(s->random, s->nr_favourites)];
    const bool narrow = s->config.xlen == 32;
    const unsigned setup = (narrow ? 0x720 : 0x320) + n;
    const uint64_t of = narrow ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    const uint64_t value = UINT64_MAX - cs_foreign_below(s->random, 16);
    const unsigned op = fixed ? CS_HPM_OP_WRITE : 1 + (unsigned)cs_foreign_below(s->random, 3);

    then(s, CS_HPM_OP_CLEAR, 0x320, 1u << n);
    if (!fixed)
        then(s, CS_HPM_OP_CLEAR, setup, of);
    then(s, CS_HPM_OP_WRITE, 0xb80 + n, UINT32_MAX);
    then(s, CS_HPM_OP_WRITE, 0xb00 + n, value);
    for (unsigned i = 0; i < 4; i++)
        then(s, op, op == CS_HPM_OP_WRITE ? 0xb00 + n : setup, op == CS_HPM_OP_WRITE ? value : of);
    then(s, CS_HPM_OP_READ, 0xda0, 0);
    then(s, CS_HPM_OP_CLEAR, 0x344, LCOFI);
}

/* Delegates a counter, and configures it through its window, which three registers have to open together:
 * accesses drawn one by one hardly ever leave them so. */
static void delegate(cs_hpm_script *s)
{
    const bool fixed = s->nr_favourites == 0 || cs_foreign_one_in(s->random, 3);
    const unsigned n = fixed ? 2 * (unsigned)cs_foreign_below(s->random, 2)
                             : s->favourites[cs_foreign_below(s->random, s->nr_favourites)];
    const bool high = s->config.xlen == 32 && cs_foreign_one_in(s->random, 2);
    const unsigned window = high ? 0x156 : 0x152; /* sireg5, sireg2 */
    const unsigned op = 1 + (unsigned)cs_foreign_below(s->random, 3);

    then(s, CS_HPM_OP_SET, 0x306, UINT64_C(1) << n);
    then(s, CS_HPM_OP_SET, s->config.xlen == 32 ? 0x31a : 0x30a,
         s->config.xlen == 32 ? UINT64_C(1) << 28 : UINT64_C(1) << 60);
    then(s, CS_HPM_OP_WRITE, 0x150, 0x40 + n);
    /* The filters are bits 58 to 62, of the high half 26 to 30. */
    then(s, op, window, event(s) | cs_foreign_bits(s->random) << 26);
    then(s, CS_HPM_OP_READ, window, 0);
}

static unsigned counter(cs_hpm_script *s)
{
    if (s->nr_favourites != 0 && !cs_foreign_one_in(s->random, 3))
        return s->favourites[cs_foreign_below(s->random, s->nr_favourites)];
    return (unsigned)(cs_foreign_one_in(s->random, 3) ? cs_foreign_below(s->random, 3) /* 1: time */
                                                      : 3 + cs_foreign_below(s->random, 29));
}

static unsigned number(cs_hpm_script *s, unsigned mode)
{
    const unsigned high = cs_foreign_one_in(s->random, s->config.xlen == 32 ? 3 : 12) ? 0x80 : 0;

    if (mode != CS_HPM_MODE_M && cs_foreign_one_in(s->random, 2))
        return cs_foreign_one_in(s->random, 6) ? 0xda0 : 0xc00 + high + counter(s);
    switch (cs_foreign_below(s->random, 8)) {
    case 0:
    case 1:
        return 0xb00 + high + counter(s);
    case 2:
        return (high ? 0x720 : 0x320) + counter(s);
    case 3:
        return 0x320;
    case 4:
        return 0xc00 + high + counter(s);
    case 5:
        return cs_foreign_one_in(s->random, 8)
                   ? (unsigned)cs_foreign_below(s->random, 0x1000)
                   : toured((unsigned)cs_foreign_below(s->random, NR_TOUR));
    default:
        return singles[cs_foreign_below(s->random, NR(singles))];
    }
}

static uint64_t operand(cs_hpm_script *s, unsigned csr)
{
    const unsigned n = csr & 31, width = s->config.width[n];
    cs_foreign_random *random = s->random;

    if (cs_foreign_one_in(random, 3))
        switch (cs_foreign_below(random, 6)) {
        case 0:
            return 0;
        case 1:
            return UINT64_MAX;
        case 2:
            return LCOFI;
        case 3:
            return UINT64_C(1) << cs_foreign_below(random, 64);
        default:
            return cs_foreign_bits(random);
        }
    if (csr == 0x320 || csr == 0x120)
        return cs_foreign_one_in(random, 2) ? 0 : cs_foreign_bits(random) & cs_foreign_bits(random);
    if ((csr & ~31u) == 0xb00)
        return cs_foreign_full(random, width) - cs_foreign_below(random, 40);
    if ((csr & ~31u) == 0xb80)
        return UINT64_MAX;
    if ((csr & ~31u) == 0x320)
        return event(s) | (cs_foreign_one_in(random, 2)
                               ? 0
                               : (cs_foreign_bits(random) & cs_foreign_bits(random) & 63) << 58);
    if (csr == 0x150 || csr == 0x250)
        return 0x40 + cs_foreign_below(random, 34);
    return cs_foreign_one_in(random, 2) ? LCOFI : cs_foreign_bits(random);
}

static bool chooses_event(unsigned csr)
{
    return ((csr & ~31u) == 0x320 && (csr & 31) >= 3) || csr == 0x152 || csr == 0x252;
}

/* A write as the design can carry it out: by its pins, and of events that it has. */
static void fit(const cs_hpm_script *s, cs_hpm_access *a)
{
    const cs_foreign_design *d = s->bench->design;
    const uint64_t gone = 0xffff & ~((UINT64_C(1) << d->setting[CS_HPM_SET_EVENT_BITS]) - 1);
    const bool plain = !d->linked[CS_HPM_PIN_CSR_OP] && !d->linked[CS_HPM_PIN_CSR_VALUE];

    if (plain && a->op != CS_HPM_OP_READ)
        a->op = CS_HPM_OP_WRITE;
    if (s->config.xlen == 32)
        a->value &= UINT32_MAX;
    if (!chooses_event(a->csr))
        return;
    a->value &= ~gone;
    if (d->setting[CS_HPM_SET_EVENT_SET] != 0)
        return;
    /* Without a wire these two would count in the model alone: mcycle and minstret have them. */
    if (cs_hpm_has_event(d, CS_HPM_EVENT_CYCLES) && cs_hpm_has_event(d, CS_HPM_EVENT_INSTRET))
        return;
    if (a->op != CS_HPM_OP_READ)
        a->op = CS_HPM_OP_WRITE;
    const uint64_t kept = a->value & d->setting[CS_HPM_SET_EVENT_MASK];
    if (!cs_hpm_has_event(d, (uint32_t)kept) && kept <= CS_HPM_EVENT_INSTRET)
        a->value &= ~UINT64_C(0xffff);
}

bool cs_hpm_script_next(cs_hpm_script *s, unsigned mode, cs_hpm_access *out)
{
    unsigned csr, op = CS_HPM_OP_READ;
    uint64_t value = cs_foreign_bits(s->random);
    const cs_foreign_design *d = s->bench->design;
    const bool has_time = d->linked[CS_HPM_PIN_TIME];

    if (s->bench->ending) {
        const step last = ending_step(s->ended++ % cs_hpm_script_ending());

        csr = last.csr;
        op = last.op;
        value = last.value;
    } else if (mode == CS_HPM_MODE_M && s->nr_waiting != 0) {
        s->nr_waiting--;
        csr = s->waiting[s->nr_waiting].csr;
        op = s->waiting[s->nr_waiting].op;
        value = s->waiting[s->nr_waiting].value;
    } else {
        if (cs_foreign_one_in(s->random, 3))
            return false;
        if (mode == CS_HPM_MODE_M && s->nr_favourites != 0 && cs_foreign_one_in(s->random, 20))
            rearm(s);
        if (mode == CS_HPM_MODE_M && s->nr_favourites != 0 && cs_foreign_one_in(s->random, 30))
            race(s);
        if (mode == CS_HPM_MODE_M && s->config.smcdeleg && cs_foreign_one_in(s->random, 20))
            delegate(s);
        csr = number(s, mode);
        op = cs_foreign_one_in(s->random, 3) ? CS_HPM_OP_READ
                                             : 1 + (unsigned)cs_foreign_below(s->random, 3);
        value = operand(s, csr);
    }
    if (cs_foreign_left_out(d, csr) || ((csr & ~0x80u) == 0xc01 && !has_time))
        return false;
    *out = (cs_hpm_access){
        .csr = (uint16_t)csr,
        .op = (uint8_t)op,
        .mode = (uint8_t)mode,
        .value = value,
        .time = cs_foreign_given(s->bench, CS_HPM_PIN_TIME, cs_foreign_bits(s->random)),
        .stateen_m =
            cs_foreign_given(s->bench, CS_HPM_PIN_STATEEN_M, !cs_foreign_one_in(s->random, 8)),
        .stateen_h =
            cs_foreign_given(s->bench, CS_HPM_PIN_STATEEN_H, !cs_foreign_one_in(s->random, 8)),
    };
    fit(s, out);
    return true;
}

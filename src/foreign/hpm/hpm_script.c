/* What a random program does to the CSRs: docs/hw/hpm.md, section 5 and the ways to an overflow. */
#include <stdio.h>
#include <string.h>

#include "foreign/hpm/hpm_program.h"

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define LCOFI (1u << 13)

/* Those below 64 first: a design with its own choice has wires for these. */
const uint32_t cs_hpm_events[] = {1, 2, 0, 3, 4, 5, 20, 63, 0x1234, 0xffff};
#define NR_SMALL_EVENTS 8u

unsigned cs_hpm_nr_events(const cs_foreign_design *design)
{
    return design->linked[CS_HPM_PIN_EVENT] ? NR(cs_hpm_events) : NR_SMALL_EVENTS;
}

/* All but the ranges of 32. */
static const struct {
    uint16_t csr;
    const char *name;
} singles[] = {
    {0x306, "mcounteren"}, {0x106, "scounteren"},    {0x606, "hcounteren"}, {0x30a, "menvcfg"},
    {0x31a, "menvcfgh"},   {0x120, "scountinhibit"}, {0xda0, "scountovf"},  {0x150, "siselect"},
    {0x250, "vsiselect"},  {0x350, "miselect"},      {0x151, "sireg"},      {0x152, "sireg2"},
    {0x153, "sireg3"},     {0x155, "sireg4"},        {0x156, "sireg5"},     {0x157, "sireg6"},
    {0x251, "vsireg"},     {0x252, "vsireg2"},       {0x253, "vsireg3"},    {0x255, "vsireg4"},
    {0x256, "vsireg5"},    {0x257, "vsireg6"},       {0x605, "htimedelta"}, {0x615, "htimedeltah"},
    {0x304, "mie"},        {0x344, "mip"},           {0x303, "mideleg"},    {0x104, "sie"},
    {0x144, "sip"},        {0x603, "hideleg"},       {0x204, "vsie"},       {0x244, "vsip"},
    {0x308, "mvien"},      {0x309, "mvip"},          {0x608, "hvien"},      {0x645, "hvip"},
};

static const struct {
    uint16_t first;
    const char *names[4]; /* of numbers 0, 1, 2; and behind them */
} ranges[] = {
    {0xb00, {"mcycle", NULL, "minstret", "mhpmcounter"}},
    {0xb80, {"mcycleh", NULL, "minstreth", "mhpmcounterh"}},
    {0xc00, {"cycle", "time", "instret", "hpmcounter"}},
    {0xc80, {"cycleh", "timeh", "instreth", "hpmcounterh"}},
    {0x320, {"mcountinhibit", "mcyclecfg", "minstretcfg", "mhpmevent"}},
    {0x720, {NULL, "mcyclecfgh", "minstretcfgh", "mhpmeventh"}},
};

void cs_hpm_csr_name(unsigned csr, char *out, size_t size)
{
    const unsigned n = csr & 31;

    snprintf(out, size, "csr");
    for (size_t i = 0; i < NR(singles); i++)
        if (singles[i].csr == csr)
            snprintf(out, size, "%s", singles[i].name);
    for (size_t i = 0; i < NR(ranges); i++)
        if (ranges[i].first == (csr & ~31u)) {
            if (n >= 3)
                snprintf(out, size, "%s%u", ranges[i].names[3], n);
            else if (ranges[i].names[n] != NULL)
                snprintf(out, size, "%s", ranges[i].names[n]);
        }
}

#define NR_TOUR (32 * NR(ranges) + NR(singles))

static unsigned toured(unsigned i)
{
    return i < 32 * NR(ranges) ? ranges[i / 32].first + i % 32 : singles[i - 32 * NR(ranges)].csr;
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

/* ---- straps ---- */

static bool open_to_chance(const cs_foreign_design *d, unsigned setting, unsigned pin)
{
    return !d->set[setting] && d->linked[pin];
}

static uint32_t draw_counters(cs_foreign_random *random)
{
    switch (cs_foreign_below(random, 6)) {
    case 0:
        return 0;
    case 1:
        return 0xfffffff8;
    default:
        return (uint32_t)(cs_foreign_bits(random) & cs_foreign_bits(random)) & 0xfffffff8;
    }
}

static void draw_widths(const cs_foreign_design *d, cs_foreign_random *random, cs_hpm_config *c)
{
    static const uint8_t often[] = {1, 2, 3, 4, 31, 32, 33, 40, 63, 64};
    const bool narrow = cs_foreign_one_in(random, 2);

    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++) {
        if (!open_to_chance(d, CS_HPM_SET_WIDTH, CS_HPM_PIN_WIDTH))
            c->width[n] = (uint8_t)d->setting[CS_HPM_SET_WIDTH];
        else
            c->width[n] = narrow ? (uint8_t)(1 + cs_foreign_below(random, 9))
                                 : often[cs_foreign_below(random, NR(often))];
    }
}

cs_hpm_config cs_hpm_draw_config(const cs_foreign_design *d, cs_foreign_random *random)
{
    cs_hpm_config c = cs_hpm_default_config();
    uint64_t drawn[CS_HPM_NR_SETS];
    static const struct {
        unsigned set, pin;
        uint64_t count; /* 0 .. count - 1 */
    } small[] = {
        {CS_HPM_SET_MODES, CS_HPM_PIN_MODES, 4},
        {CS_HPM_SET_SSCOFPMF, CS_HPM_PIN_SSCOFPMF, 2},
        {CS_HPM_SET_SMCNTRPMF, CS_HPM_PIN_SMCNTRPMF, 2},
        {CS_HPM_SET_SMCDELEG, CS_HPM_PIN_SMCDELEG, 2},
        {CS_HPM_SET_AIA, CS_HPM_PIN_AIA, 2},
        {CS_HPM_SET_LATENCY, CS_HPM_PIN_LATENCY, 8},
    };

    memcpy(drawn, d->setting, sizeof drawn);
    for (size_t i = 0; i < NR(small); i++)
        if (open_to_chance(d, small[i].set, small[i].pin))
            drawn[small[i].set] = cs_foreign_below(random, small[i].count);
    if (open_to_chance(d, CS_HPM_SET_XLEN, CS_HPM_PIN_XLEN64))
        drawn[CS_HPM_SET_XLEN] = cs_foreign_one_in(random, 2) ? 32 : 64;
    if (open_to_chance(d, CS_HPM_SET_COUNTERS, CS_HPM_PIN_COUNTERS))
        drawn[CS_HPM_SET_COUNTERS] = draw_counters(random);
    if (!d->set[CS_HPM_SET_MODES] && !d->linked[CS_HPM_PIN_V] && drawn[CS_HPM_SET_MODES] == 3)
        drawn[CS_HPM_SET_MODES] = 2;
    draw_widths(d, random, &c);
    c.xlen = (unsigned)drawn[CS_HPM_SET_XLEN];
    c.modes = (unsigned)drawn[CS_HPM_SET_MODES];
    c.counters = (uint32_t)drawn[CS_HPM_SET_COUNTERS];
    /* What a MAP asks for stands; what is drawn gives way. */
    c.sscofpmf = drawn[CS_HPM_SET_SSCOFPMF] != 0;
    c.smcntrpmf = drawn[CS_HPM_SET_SMCNTRPMF] != 0;
    if (drawn[CS_HPM_SET_SMCDELEG] && c.modes < 2 && d->set[CS_HPM_SET_SMCDELEG])
        c.modes = 2;
    if (drawn[CS_HPM_SET_AIA] && d->set[CS_HPM_SET_AIA]) {
        c.modes = c.modes < 2 ? 2 : c.modes;
        c.sscofpmf = true;
    }
    c.smcdeleg = drawn[CS_HPM_SET_SMCDELEG] && c.modes >= 2;
    c.aia = drawn[CS_HPM_SET_AIA] && c.modes >= 2 && c.sscofpmf;
    c.lcofi_latency = (unsigned)drawn[CS_HPM_SET_LATENCY];
    return c;
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

static uint64_t event(cs_hpm_script *s)
{
    return cs_hpm_events[cs_foreign_below(s->random, cs_hpm_nr_events(s->design))];
}

void cs_hpm_script_begin(cs_hpm_script *s, const cs_foreign_design *design,
                         const cs_hpm_config *config, cs_foreign_random *random)
{
    *s = (cs_hpm_script){.design = design, .config = *config, .random = random};
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++)
        if (config->counters >> n & 1)
            s->there[s->nr_there++] = n;
    /* A few that are used over and over, so that one's writes meet the other's. */
    for (; s->nr_favourites < 3 && s->nr_there != 0; s->nr_favourites++)
        s->favourites[s->nr_favourites] = s->there[cs_foreign_below(random, s->nr_there)];
    then(s, CS_HPM_OP_WRITE, 0x306, UINT64_MAX);
    then(s, CS_HPM_OP_WRITE, 0x303, cs_foreign_one_in(random, 3) ? 0 : LCOFI);
    then(s, CS_HPM_OP_WRITE, 0x304, LCOFI);
    then(s, CS_HPM_OP_SET, 0x106, UINT64_MAX);
    then(s, CS_HPM_OP_SET, 0x606, cs_foreign_bits(random) | 7);
    then(s, CS_HPM_OP_SET, 0x603, cs_foreign_one_in(random, 3) ? 0 : LCOFI);
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

static unsigned counter(cs_hpm_script *s)
{
    if (s->nr_favourites != 0 && !cs_foreign_one_in(s->random, 3))
        return s->favourites[cs_foreign_below(s->random, s->nr_favourites)];
    return (unsigned)(cs_foreign_one_in(s->random, 3) ? cs_foreign_below(s->random, 2) * 2
                                                      : 3 + cs_foreign_below(s->random, 29));
}

static unsigned number(cs_hpm_script *s, unsigned mode)
{
    const unsigned high = cs_foreign_one_in(s->random, s->config.xlen == 32 ? 3 : 12) ? 0x80 : 0;

    if (mode != CS_HPM_MODE_M && cs_foreign_one_in(s->random, 2))
        return 0xc00 + high + counter(s);
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
        return singles[cs_foreign_below(s->random, NR(singles))].csr;
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
        return (UINT64_MAX >> (64 - width)) - cs_foreign_below(random, 40);
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

/* The event's upper bits that the design has not got are written as zero. */
static uint64_t within(const cs_hpm_script *s, unsigned csr, uint64_t value)
{
    const uint64_t gone =
        0xffff & ~((UINT64_C(1) << s->design->setting[CS_HPM_SET_EVENT_BITS]) - 1);

    return ((csr & ~31u) == 0x320 && (csr & 31) >= 3) || csr == 0x152 || csr == 0x252
               ? value & ~gone
               : value;
}

bool cs_hpm_script_next(cs_hpm_script *s, unsigned mode, bool ending, cs_hpm_access *out)
{
    unsigned csr, op = CS_HPM_OP_READ;
    uint64_t value = cs_foreign_bits(s->random);
    const bool has_time = s->design->linked[CS_HPM_PIN_TIME];

    if (ending) {
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
        csr = number(s, mode);
        op = cs_foreign_one_in(s->random, 3) ? CS_HPM_OP_READ
                                             : 1 + (unsigned)cs_foreign_below(s->random, 3);
        value = operand(s, csr);
    }
    if (cs_foreign_left_out(s->design, csr) || ((csr & ~0x80u) == 0xc01 && !has_time))
        return false;
    *out = (cs_hpm_access){
        .csr = (uint16_t)csr,
        .op = (uint8_t)op,
        .mode = (uint8_t)mode,
        .value = within(s, csr, value),
        .time = has_time ? cs_foreign_bits(s->random) : 0,
        .stateen_m = !s->design->linked[CS_HPM_PIN_STATEEN_M] || !cs_foreign_one_in(s->random, 8),
        .stateen_h = !s->design->linked[CS_HPM_PIN_STATEEN_H] || !cs_foreign_one_in(s->random, 8),
    };
    return true;
}

// SPDX-License-Identifier: Apache-2.0
/* The registers and their numbers: docs/hw/hpm.md, section 5, as tables. */
#include <stddef.h>

#include "models/hpm/hpm_internal.h"

#define HIGH_HALF UINT64_C(0xffffffff00000000)
#define LOW_HALF UINT64_C(0x00000000ffffffff)

/* A register of up to 64 bits, or one for each n. `bits` are those that a write reaches now;
 * `put` gets the whole register and is called in the state of the cycle after the write, with
 * the counters whose OF the hardware has set in the write's cycle. */
struct cs_hpm_register {
    uint64_t (*get)(cs_hpm *hpm, unsigned n, const cs_hpm_access *access);
    uint64_t (*bits)(cs_hpm *hpm, unsigned n);
    void (*put)(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set);
    bool drops; /* a write takes the increment of its cycle away */
};

/* ---- counters, and their shadows ---- */

static uint64_t get_counter(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    (void)access;
    cs_hpm_settle(hpm, n, hpm->now);
    return hpm->counter[n].value;
}

static void put_counter(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)
{
    (void)of_set;
    hpm->counter[n].value = value;
}

static uint64_t get_time(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    (void)n;
    return access->time + (cs_hpm_is_virtual(access->mode) ? hpm->htimedelta : 0);
}

/* ---- mhpmevent, mcyclecfg, minstretcfg ---- */

static uint64_t get_config(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    (void)access;
    return hpm->counter[n].config;
}

static uint64_t config_bits(cs_hpm *hpm, unsigned n)
{
    if (!cs_hpm_is_there(hpm, n))
        return 0;
    if (n < CS_HPM_FIRST)
        return hpm->filter;
    return (CS_HPM_EVENT & ~(uint64_t)hpm->config.event_holes) |
           (hpm->config.sscofpmf ? CS_HPM_OF | hpm->filter : 0);
}

static bool is_legal(const cs_hpm *hpm, uint64_t event)
{
    return hpm->config.legal_events == 0 || (event < 64 && hpm->config.legal_events >> event & 1);
}

static void put_config(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)
{
    if (!is_legal(hpm, value & CS_HPM_EVENT)) {
        value &= ~CS_HPM_EVENT;
        if (hpm->config.illegal_stays)
            value |= hpm->counter[n].config & CS_HPM_EVENT;
    }
    cs_hpm_set_config(hpm, n, value | (of_set >> n & 1 ? CS_HPM_OF : 0));
}

/* ---- mcountinhibit, scountinhibit ---- */

static uint64_t get_inhibit(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    (void)n;
    (void)access;
    return hpm->inhibit;
}

static uint64_t impl_bits(cs_hpm *hpm, unsigned n)
{
    (void)n;
    return hpm->impl;
}

static uint64_t delegated_bits(cs_hpm *hpm, unsigned n)
{
    (void)n;
    return hpm->impl & hpm->mcounteren;
}

static void put_inhibit(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)
{
    (void)n;
    (void)of_set;
    cs_hpm_set_inhibit(hpm, (uint32_t)value);
}

static uint64_t get_scountinhibit(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    return get_inhibit(hpm, n, access) & delegated_bits(hpm, n);
}

/* What scountinhibit does not show stays. */
static void put_scountinhibit(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)
{
    put_inhibit(hpm, n, value | (hpm->inhibit & ~delegated_bits(hpm, n)), of_set);
}

/* ---- plain words ---- */

/* get_ and put_ of a field. */
#define WORD(field, type)                                                                          \
    static uint64_t get_##field(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)              \
    {                                                                                              \
        (void)n;                                                                                   \
        (void)access;                                                                              \
        return hpm->field;                                                                         \
    }                                                                                              \
    static void put_##field(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)              \
    {                                                                                              \
        (void)n;                                                                                   \
        (void)of_set;                                                                              \
        hpm->field = (type)value;                                                                  \
    }
WORD(mcounteren, uint32_t)
WORD(scounteren, uint32_t)
WORD(hcounteren, uint32_t)
WORD(siselect, uint32_t)
WORD(vsiselect, uint32_t)
WORD(menvcfg, uint64_t)
WORD(htimedelta, uint64_t)
#undef WORD

/* ---- zero ---- */

static uint64_t get_zero(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    (void)hpm;
    (void)n;
    (void)access;
    return 0;
}

static void put_nothing(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)
{
    (void)hpm;
    (void)n;
    (void)value;
    (void)of_set;
}

/* ---- which bits there are ---- */

static uint64_t enable_bits(cs_hpm *hpm, unsigned n)
{
    (void)n;
    return hpm->impl | 2; /* TM */
}

static uint64_t select_bits(cs_hpm *hpm, unsigned n)
{
    (void)hpm;
    (void)n;
    return 0xfff;
}

static uint64_t all_bits(cs_hpm *hpm, unsigned n)
{
    (void)hpm;
    (void)n;
    return UINT64_MAX;
}

static uint64_t menvcfg_bits(cs_hpm *hpm, unsigned n)
{
    (void)n;
    return hpm->config.smcdeleg ? CS_HPM_CDE : 0;
}

static uint64_t counter_bits(cs_hpm *hpm, unsigned n)
{
    return cs_hpm_counter_mask(hpm, n);
}

/* ---- scountovf ---- */

static uint64_t get_scountovf(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    uint32_t overflows = 0;

    (void)n;
    for (unsigned i = CS_HPM_FIRST; i < CS_HPM_COUNTERS; i++)
        if (hpm->counter[i].config & CS_HPM_OF)
            overflows |= UINT32_C(1) << i;
    if (access->mode != CS_HPM_MODE_M)
        overflows &= hpm->mcounteren;
    if (cs_hpm_is_virtual(access->mode))
        overflows &= hpm->hcounteren;
    return overflows;
}

/* ---- bit 13; n is a cs_hpm_bit13 ---- */

static bool *lcofi_bit(cs_hpm *hpm, unsigned n)
{
    return hpm->config.sscofpmf ? cs_hpm_bit(&hpm->lcofi, (cs_hpm_bit13)n) : NULL;
}

static uint64_t get_lcofi(cs_hpm *hpm, unsigned n, const cs_hpm_access *access)
{
    const bool *bit = lcofi_bit(hpm, n);

    (void)access;
    return bit != NULL && *bit ? CS_HPM_LCOFI : 0;
}

static void put_lcofi(cs_hpm *hpm, unsigned n, uint64_t value, uint32_t of_set)
{
    bool *bit = lcofi_bit(hpm, n);

    (void)of_set;
    if (bit != NULL)
        *bit = value & CS_HPM_LCOFI;
}

/* ---- numbers ---- */

static const cs_hpm_register counter = {get_counter, counter_bits, put_counter, true};
static const cs_hpm_register shadow = {get_counter, NULL, NULL, false};
static const cs_hpm_register mtime = {get_time, NULL, NULL, false};
static const cs_hpm_register config = {get_config, config_bits, put_config, false};
static const cs_hpm_register mcountinhibit = {get_inhibit, impl_bits, put_inhibit, false};
static const cs_hpm_register scountinhibit = {get_scountinhibit, delegated_bits, put_scountinhibit,
                                              false};
static const cs_hpm_register mcounteren = {get_mcounteren, enable_bits, put_mcounteren, false};
static const cs_hpm_register scounteren = {get_scounteren, enable_bits, put_scounteren, false};
static const cs_hpm_register hcounteren = {get_hcounteren, enable_bits, put_hcounteren, false};
static const cs_hpm_register menvcfg = {get_menvcfg, menvcfg_bits, put_menvcfg, false};
static const cs_hpm_register scountovf = {get_scountovf, NULL, NULL, false};
static const cs_hpm_register siselect = {get_siselect, select_bits, put_siselect, false};
static const cs_hpm_register vsiselect = {get_vsiselect, select_bits, put_vsiselect, false};
static const cs_hpm_register miselect = {get_zero, all_bits, put_nothing, false};
static const cs_hpm_register htimedelta = {get_htimedelta, all_bits, put_htimedelta, false};
static const cs_hpm_register lcofi = {get_lcofi, all_bits, put_lcofi, false};
/* sireg* and vsireg*: a number that exists, and section 7 says what it is. */
static const cs_hpm_register window = {NULL, NULL, NULL, false};

/* `count` numbers from `first` on, for n, n + 1, .. */
typedef struct number_row {
    uint16_t first;
    uint8_t count;
    uint8_t n;
    bool high;
    uint8_t needs;
    const cs_hpm_register *reg;
} number_row;

#define R32 CS_HPM_NEEDS_R32
#define U CS_HPM_NEEDS_U
#define S CS_HPM_NEEDS_S
#define H CS_HPM_NEEDS_H
#define OF CS_HPM_NEEDS_OF
#define CF CS_HPM_NEEDS_CF
#define DG CS_HPM_NEEDS_DG
#define AIA CS_HPM_NEEDS_AIA
/* clang-format off */
static const number_row numbers[] = {
    {0xB00,  1, 0, false, 0,        &counter},
    {0xB02, 30, 2, false, 0,        &counter},
    {0xB80,  1, 0, true,  R32,      &counter},
    {0xB82, 30, 2, true,  R32,      &counter},
    {0xC00,  1, 0, false, 0,        &shadow},
    {0xC01,  1, 0, false, 0,        &mtime},
    {0xC02, 30, 2, false, 0,        &shadow},
    {0xC80,  1, 0, true,  R32,      &shadow},
    {0xC81,  1, 0, true,  R32,      &mtime},
    {0xC82, 30, 2, true,  R32,      &shadow},
    {0x320,  1, 0, false, 0,        &mcountinhibit},
    {0x306,  1, 0, false, U,        &mcounteren},
    {0x106,  1, 0, false, S,        &scounteren},
    {0x606,  1, 0, false, H,        &hcounteren},
    {0x321,  1, 0, false, CF,       &config},
    {0x322,  1, 2, false, CF,       &config},
    {0x323, 29, 3, false, 0,        &config},
    {0x721,  1, 0, true,  R32 | CF, &config},
    {0x722,  1, 2, true,  R32 | CF, &config},
    {0x723, 29, 3, true,  R32 | OF, &config},
    {0x30A,  1, 0, false, U,        &menvcfg},
    {0x31A,  1, 0, true,  R32 | U,  &menvcfg},
    {0x120,  1, 0, false, S | DG,   &scountinhibit},
    {0xDA0,  1, 0, false, S | OF,   &scountovf},
    {0x150,  1, 0, false, S | DG,   &siselect},
    {0x350,  1, 0, false, S | DG,   &miselect},
    {0x151,  3, 0, false, S | DG,   &window},
    {0x155,  3, 0, false, S | DG,   &window},
    {0x250,  1, 0, false, H | DG,   &vsiselect},
    {0x251,  3, 0, false, H | DG,   &window},
    {0x255,  3, 0, false, H | DG,   &window},
    {0x605,  1, 0, false, H,        &htimedelta},
    {0x615,  1, 0, true,  H | R32,  &htimedelta},
    {0x304,  1, CS_HPM_MIE,     false, 0,       &lcofi},
    {0x344,  1, CS_HPM_MIP,     false, 0,       &lcofi},
    {0x303,  1, CS_HPM_MIDELEG, false, S,       &lcofi},
    {0x104,  1, CS_HPM_SIE,     false, S,       &lcofi},
    {0x144,  1, CS_HPM_SIP,     false, S,       &lcofi},
    {0x603,  1, CS_HPM_HIDELEG, false, H,       &lcofi},
    {0x204,  1, CS_HPM_VSIE,    false, H,       &lcofi},
    {0x244,  1, CS_HPM_VSIP,    false, H,       &lcofi},
    {0x308,  1, CS_HPM_MVIEN,   false, S | AIA, &lcofi},
    {0x309,  1, CS_HPM_MVIP,    false, S | AIA, &lcofi},
    {0x608,  1, CS_HPM_HVIEN,   false, H | AIA, &lcofi},
    {0x645,  1, CS_HPM_HVIP,    false, H,       &lcofi},
};
/* clang-format on */
#undef R32
#undef U
#undef S
#undef H
#undef OF
#undef CF
#undef DG
#undef AIA

cs_hpm_target cs_hpm_find(const cs_hpm *hpm, unsigned csr)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const number_row *row = &numbers[i];

        if (csr < row->first || csr - row->first >= row->count)
            continue;
        if (row->needs & ~hpm->has)
            break;
        return (cs_hpm_target){row->reg, row->n + csr - row->first, row->high, false};
    }
    return (cs_hpm_target){NULL, 0, false, false};
}

/* ---- section 7 ---- */

/* By number - siselect; NULL: nothing there. */
static const struct {
    const cs_hpm_register *reg;
    bool high;
} windows[8] = {
    [1] = {&counter, false}, /* sireg */
    [2] = {&config, false},  /* sireg2 */
    [5] = {&counter, true},  /* sireg4 */
    [6] = {&config, true},   /* sireg5 */
};

/* D7, D8. */
static bool has_config(const cs_hpm *hpm, unsigned n, bool high)
{
    if (n < CS_HPM_FIRST)
        return hpm->config.smcntrpmf;
    return !high || hpm->config.sscofpmf;
}

cs_hpm_target cs_hpm_find_indirect(const cs_hpm *hpm, unsigned csr)
{
    const cs_hpm_target none = {NULL, 0, false, false};
    const unsigned n = hpm->siselect - CS_HPM_SELECT_FIRST;
    const cs_hpm_register *reg = windows[csr & 7].reg;
    const bool high = windows[csr & 7].high;

    if (n >= CS_HPM_COUNTERS || !cs_hpm_cde(hpm) || reg == NULL)
        return none;
    if (high && hpm->config.xlen == 64)
        return none;
    if (n == 1 || !(hpm->mcounteren >> n & 1)) /* mtime is no counter of this block */
        return none;
    if (reg == &config && !has_config(hpm, n, high))
        return none;
    return (cs_hpm_target){reg, n, high, reg == &config};
}

/* ---- halves ---- */

/* The bits of the register that the number shows. */
static uint64_t part(const cs_hpm *hpm, const cs_hpm_target *target)
{
    const uint64_t half = target->high ? HIGH_HALF : hpm->config.xlen == 32 ? LOW_HALF : UINT64_MAX;

    return target->without_minh ? half & ~CS_HPM_MINH : half;
}

uint64_t cs_hpm_read(cs_hpm *hpm, const cs_hpm_target *target, const cs_hpm_access *access)
{
    const uint64_t value = target->reg->get(hpm, target->n, access) & part(hpm, target);

    return target->high ? value >> 32 : value;
}

void cs_hpm_write(cs_hpm *hpm, const cs_hpm_target *target, uint64_t data)
{
    static const cs_hpm_access nobody; /* no register that is written depends on the access */
    const cs_hpm_register *reg = target->reg;
    const cs_cycle e = hpm->now;
    const uint64_t bits = reg->bits(hpm, target->n) & part(hpm, target);
    const uint64_t kept = reg->get(hpm, target->n, &nobody) & ~bits;
    const uint64_t value = (target->high ? data << 32 : data) & bits;

    /* 1. The increment that the write takes away: get() has counted up to e. */
    if (reg->drops)
        hpm->counter[target->n].since = e + 1;
    /* 2. The cycle itself, under the old setting. */
    const cs_hpm_executed done = cs_hpm_execute(hpm, e + 1, NULL);
    /* 3. The write; the hardware's sets win. */
    reg->put(hpm, target->n, kept | value, done.of_set);
    if (done.first_lcofi != CS_NEVER)
        hpm->lcofi.mip = true;
    cs_hpm_show_lines(hpm, e + 1);
}

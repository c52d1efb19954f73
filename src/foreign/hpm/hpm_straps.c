// SPDX-License-Identifier: Apache-2.0
/* What a block of counters may be: docs/hw/hpm.md, section 1. */
#include <inttypes.h>

#include "foreign/hpm/hpm_script.h"

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))

static bool is_drawn(const cs_foreign_design *d, unsigned setting, unsigned pin)
{
    return !d->set[setting] && d->linked[pin];
}

uint32_t cs_hpm_wired(const cs_foreign_design *d)
{
    uint32_t wired = 0;

    if (!d->linked[CS_HPM_PIN_INC])
        return 0xfffffff8;
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++)
        if (cs_foreign_has_field(d, CS_HPM_PIN_INC, n) &&
            cs_foreign_has_field(d, CS_HPM_PIN_EVENT, n))
            wired |= 1u << n;
    return wired;
}

/* ---- what a MAP says ---- */

/* It is so for sure, or may be drawn. */
static bool can(const cs_foreign_design *d, unsigned setting, unsigned pin, uint64_t least)
{
    return is_drawn(d, setting, pin) || d->setting[setting] >= least;
}

static bool is_narrow(const cs_foreign_design *d, unsigned pin)
{
    return d->bits[pin] != 0 && d->bits[pin] < 64;
}

static const char *check_pins(const cs_foreign_design *d)
{
    const bool *has = d->linked;

    if (has[CS_HPM_PIN_INC] && !has[CS_HPM_PIN_EVENT])
        return "inc_i says what event_o asks for: the MAP names the one without the other "
               "(events_i is for a design that chooses by itself)";
    if (has[CS_HPM_PIN_EVENT] && !has[CS_HPM_PIN_INC])
        return "event_o asks for what inc_i says: the MAP names the one without the other";
    if (!has[CS_HPM_PIN_CSR_WDATA] && !has[CS_HPM_PIN_CSR_VALUE])
        return "neither csr_wdata_i nor csr_value_i has a port";
    if (!has[CS_HPM_PIN_CSR_OP] && !has[CS_HPM_PIN_CSR_WRITE])
        return "neither csr_op_i nor csr_write_i has a port";
    if (has[CS_HPM_PIN_CSR_OP] && !has[CS_HPM_PIN_CSR_WDATA])
        return "csr_op_i is carried out with csr_wdata_i, which has no port (csr_write_i and "
               "csr_value_i are for a design that gets what is written)";
    if (can(d, CS_HPM_SET_XLEN, CS_HPM_PIN_XLEN64, 64) &&
        (is_narrow(d, CS_HPM_PIN_CSR_RDATA) || is_narrow(d, CS_HPM_PIN_CSR_WDATA) ||
         is_narrow(d, CS_HPM_PIN_CSR_VALUE)))
        return "the ports of CSRs have fewer than 64 bits, and xlen is 64: 'settings: {xlen: 32}' "
               "says that it is 32";
    return NULL;
}

static const char *check_settings(const cs_foreign_design *d)
{
    const bool *set = d->set, *has = d->linked;
    const uint64_t *setting = d->setting;

    if (setting[CS_HPM_SET_XLEN] != 32 && setting[CS_HPM_SET_XLEN] != 64)
        return "xlen is 32 or 64";
    if ((setting[CS_HPM_SET_COUNTERS] & 7) != 0)
        return "counters has no bits 0, 1 and 2";
    if (setting[CS_HPM_SET_LEGAL] != 0 && setting[CS_HPM_SET_EVENT_SET] != 0)
        return "legal_events are numbers, and event_set has none";
    if (set[CS_HPM_SET_SMCDELEG] && setting[CS_HPM_SET_SMCDELEG] != 0 &&
        !can(d, CS_HPM_SET_MODES, CS_HPM_PIN_MODES, 2))
        return "smcdeleg needs S mode: modes 2 or 3";
    if (set[CS_HPM_SET_AIA] && setting[CS_HPM_SET_AIA] != 0 &&
        (!can(d, CS_HPM_SET_MODES, CS_HPM_PIN_MODES, 2) ||
         !can(d, CS_HPM_SET_SSCOFPMF, CS_HPM_PIN_SSCOFPMF, 1)))
        return "aia needs S mode and sscofpmf";
    if (set[CS_HPM_SET_MODES] && setting[CS_HPM_SET_MODES] == 3 && !has[CS_HPM_PIN_V])
        return "modes is 3, and v_i has no port";
    if (set[CS_HPM_SET_MODES] && setting[CS_HPM_SET_MODES] >= 1 && !has[CS_HPM_PIN_MODE])
        return "there is more than one mode, and mode_i has no port";
    return NULL;
}

cs_status cs_hpm_check(const cs_foreign_design *d, cs_diag *diag)
{
    const char *text = check_settings(d);
    const uint32_t counters = (uint32_t)d->setting[CS_HPM_SET_COUNTERS];

    if (text == NULL)
        text = check_pins(d);
    if (text != NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%s", text);
    if (!is_drawn(d, CS_HPM_SET_COUNTERS, CS_HPM_PIN_COUNTERS) &&
        (counters & ~cs_hpm_wired(d)) != 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "counters is 0x%" PRIx32 ", and not all have a field of event_o and "
                           "inc_i: 'settings: {counters: 0x%" PRIx32 "}' are those that have",
                           counters, counters & cs_hpm_wired(d));
    return CS_OK;
}

/* ---- what a program has ---- */

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

static void draw_widths(cs_foreign_bench *b, cs_hpm_config *c)
{
    static const uint8_t often[] = {1, 2, 3, 4, 31, 32, 33, 40, 63, 64};
    const bool narrow = cs_foreign_one_in(&b->random, 2);

    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++) {
        if (!is_drawn(b->design, CS_HPM_SET_WIDTH, CS_HPM_PIN_WIDTH))
            c->width[n] = (uint8_t)b->setting[CS_HPM_SET_WIDTH];
        else
            c->width[n] = narrow ? (uint8_t)(1 + cs_foreign_below(&b->random, 9))
                                 : often[cs_foreign_below(&b->random, NR(often))];
    }
    b->setting[CS_HPM_SET_WIDTH] = c->width[3];
}

/* What a MAP asks for stands; what is drawn gives way. */
static void mend_modes(cs_foreign_bench *b)
{
    const cs_foreign_design *d = b->design;
    uint64_t *set = b->setting;
    const bool deleg = set[CS_HPM_SET_SMCDELEG] != 0, aia = set[CS_HPM_SET_AIA] != 0;

    if (!d->set[CS_HPM_SET_MODES] && !d->linked[CS_HPM_PIN_V] && set[CS_HPM_SET_MODES] == 3)
        set[CS_HPM_SET_MODES] = 2;
    if (set[CS_HPM_SET_MODES] < 2 &&
        ((deleg && d->set[CS_HPM_SET_SMCDELEG]) || (aia && d->set[CS_HPM_SET_AIA])))
        set[CS_HPM_SET_MODES] = 2;
    if (aia && d->set[CS_HPM_SET_AIA])
        set[CS_HPM_SET_SSCOFPMF] = 1;
    set[CS_HPM_SET_SMCDELEG] = deleg && set[CS_HPM_SET_MODES] >= 2;
    set[CS_HPM_SET_AIA] = aia && set[CS_HPM_SET_MODES] >= 2 && set[CS_HPM_SET_SSCOFPMF] != 0;
}

cs_hpm_config cs_hpm_draw_config(cs_foreign_bench *b)
{
    uint64_t *set = b->setting;
    cs_hpm_config c = cs_hpm_default_config();

    if (is_drawn(b->design, CS_HPM_SET_XLEN, CS_HPM_PIN_XLEN64))
        set[CS_HPM_SET_XLEN] = cs_foreign_one_in(&b->random, 2) ? 32 : 64;
    if (is_drawn(b->design, CS_HPM_SET_COUNTERS, CS_HPM_PIN_COUNTERS))
        set[CS_HPM_SET_COUNTERS] = draw_counters(&b->random) & cs_hpm_wired(b->design);
    /* Short, so that requests meet what software does; now and then the longest there is. */
    if (cs_foreign_one_in(&b->random, 8))
        cs_foreign_draw_setting(b, CS_HPM_SET_LATENCY, CS_HPM_MAX_LCOFI_LATENCY,
                                CS_HPM_MAX_LCOFI_LATENCY);
    else
        cs_foreign_draw_setting(b, CS_HPM_SET_LATENCY, 0, 7);
    mend_modes(b);
    draw_widths(b, &c);
    c.xlen = (unsigned)set[CS_HPM_SET_XLEN];
    c.modes = (unsigned)set[CS_HPM_SET_MODES];
    c.counters = (uint32_t)set[CS_HPM_SET_COUNTERS];
    c.sscofpmf = set[CS_HPM_SET_SSCOFPMF] != 0;
    c.smcntrpmf = set[CS_HPM_SET_SMCNTRPMF] != 0;
    c.smcdeleg = set[CS_HPM_SET_SMCDELEG] != 0;
    c.aia = set[CS_HPM_SET_AIA] != 0;
    c.lcofi_latency = (unsigned)set[CS_HPM_SET_LATENCY];
    c.event_holes = (uint16_t)~set[CS_HPM_SET_EVENT_MASK];
    c.legal_events = set[CS_HPM_SET_LEGAL];
    c.illegal_stays = set[CS_HPM_SET_ILLEGAL] != 0;
    c.event_sets = set[CS_HPM_SET_EVENT_SET] != 0;
    return c;
}

// SPDX-License-Identifier: Apache-2.0
/* Who may: docs/hw/hpm.md, sections 4 and 7 (its last paragraph). */
#include <stddef.h>

#include "models/hpm/hpm_internal.h"

#define SIREG_FIRST 0x151u
#define SIREG_LAST 0x157u
#define SISELECT 0x150u
#define VSISELECT 0x250u
#define SCOUNTINHIBIT 0x120u
#define SCOUNTOVF 0xDA0u

/* What the rules ask. */
typedef struct request {
    const cs_hpm *hpm;
    const cs_hpm_access *access;
    unsigned csr;
    unsigned mode;
    unsigned level; /* P: number[9:8] */
    bool is_virtual;
} request;

static bool within(unsigned csr, unsigned first, unsigned last)
{
    return csr >= first && csr <= last;
}

static bool is_of_supervisor_window(unsigned csr)
{
    return within(csr, SISELECT, SIREG_LAST);
}

static bool is_of_guest_window(unsigned csr)
{
    return within(csr, VSISELECT, VSISELECT + SIREG_LAST - SISELECT);
}

static bool a1_is_not_there(const request *r)
{
    return cs_hpm_find(r->hpm, r->csr).reg == NULL;
}

static bool a2_writes_read_only(const request *r)
{
    return r->access->op != CS_HPM_OP_READ && (r->csr >> 10 & 3) == 3;
}

static bool a3_is_machine(const request *r)
{
    return r->level == 3 && r->mode != CS_HPM_MODE_M;
}

static bool a4_is_above_user(const request *r)
{
    return r->mode == CS_HPM_MODE_U && (r->level == 1 || r->level == 2);
}

static bool a5_is_user_counter(const request *r)
{
    return within(r->csr, 0xC00, 0xC1F) || within(r->csr, 0xC80, 0xC9F);
}

static bool a6_inhibit_without_cde(const request *r)
{
    return r->csr == SCOUNTINHIBIT && !cs_hpm_cde(r->hpm);
}

static bool a7_inhibit_of_guest(const request *r)
{
    return r->csr == SCOUNTINHIBIT && r->is_virtual;
}

static bool a8_window_by_mstateen(const request *r)
{
    return (is_of_supervisor_window(r->csr) || is_of_guest_window(r->csr)) &&
           r->mode != CS_HPM_MODE_M && !r->access->stateen_m;
}

static bool a9_guest_window_of_guest(const request *r)
{
    return is_of_guest_window(r->csr) && r->is_virtual;
}

static bool a10_window_of_guest(const request *r)
{
    return is_of_supervisor_window(r->csr) &&
           (r->mode == CS_HPM_MODE_VU || (r->mode == CS_HPM_MODE_VS && !r->access->stateen_h));
}

static bool a11_is_indirect(const request *r)
{
    return (is_of_supervisor_window(r->csr) && r->csr != SISELECT) ||
           (is_of_guest_window(r->csr) && r->csr != VSISELECT);
}

static bool a12_hypervisor_of_guest(const request *r)
{
    return r->level == 2 && r->is_virtual;
}

static bool a13_supervisor_of_vu(const request *r)
{
    return r->level == 1 && r->mode == CS_HPM_MODE_VU;
}

static bool a14_overflows_delegated(const request *r)
{
    return r->csr == SCOUNTOVF && r->mode == CS_HPM_MODE_VS && cs_hpm_cde(r->hpm);
}

/* The counter table: the enables that a mode asks for. Without mcounteren's bit it is an
 * illegal instruction; the others make it a virtual one where the mode is. */
static cs_hpm_exception judge_counter(const request *r)
{
    const cs_hpm *hpm = r->hpm;
    const unsigned n = r->csr & 31;
    const bool is_user = r->mode == CS_HPM_MODE_U || r->mode == CS_HPM_MODE_VU;
    const bool hides = (r->is_virtual && !(hpm->hcounteren >> n & 1)) ||
                       (is_user && (hpm->has & CS_HPM_NEEDS_S) && !(hpm->scounteren >> n & 1));

    if (r->mode == CS_HPM_MODE_M)
        return CS_HPM_EXCEPTION_NONE;
    if (!(hpm->mcounteren >> n & 1))
        return CS_HPM_EXCEPTION_ILLEGAL;
    if (!hides)
        return CS_HPM_EXCEPTION_NONE;
    return r->is_virtual ? CS_HPM_EXCEPTION_VIRTUAL : CS_HPM_EXCEPTION_ILLEGAL;
}

/* From VS it is vsireg*, of which no select value has anything to show. */
static cs_hpm_exception judge_indirect(const request *r, cs_hpm_target *target)
{
    const cs_hpm *hpm = r->hpm;

    if (is_of_guest_window(r->csr))
        return CS_HPM_EXCEPTION_ILLEGAL;
    if (r->mode == CS_HPM_MODE_VS) {
        const bool delegated = hpm->vsiselect - CS_HPM_SELECT_FIRST < CS_HPM_COUNTERS;

        return delegated && cs_hpm_cde(hpm) ? CS_HPM_EXCEPTION_VIRTUAL : CS_HPM_EXCEPTION_ILLEGAL;
    }
    *target = cs_hpm_find_indirect(hpm, r->csr);
    return target->reg == NULL ? CS_HPM_EXCEPTION_ILLEGAL : CS_HPM_EXCEPTION_NONE;
}

typedef enum answer { ILLEGAL, VIRTUAL, COUNTER_TABLE, INDIRECT, ALLOWED } answer;

static const struct {
    bool (*fits)(const request *r);
    answer then;
} rules[] = {
    {a1_is_not_there, ILLEGAL},
    {a2_writes_read_only, ILLEGAL},
    {a3_is_machine, ILLEGAL},
    {a4_is_above_user, ILLEGAL},
    {a5_is_user_counter, COUNTER_TABLE},
    {a6_inhibit_without_cde, ILLEGAL},
    {a7_inhibit_of_guest, VIRTUAL},
    {a8_window_by_mstateen, ILLEGAL},
    {a9_guest_window_of_guest, VIRTUAL},
    {a10_window_of_guest, VIRTUAL},
    {a11_is_indirect, INDIRECT},
    {a12_hypervisor_of_guest, VIRTUAL},
    {a13_supervisor_of_vu, VIRTUAL},
    {a14_overflows_delegated, VIRTUAL},
};

/* In VS, after the judgement. */
static unsigned exchanged(const request *r)
{
    static const struct {
        uint16_t named, meant;
    } exchanges[] = {{0x104, 0x204}, {0x144, 0x244}, {SISELECT, VSISELECT}};

    if (r->mode != CS_HPM_MODE_VS)
        return r->csr;
    for (size_t i = 0; i < sizeof exchanges / sizeof exchanges[0]; i++)
        if (exchanges[i].named == r->csr)
            return exchanges[i].meant;
    return r->csr;
}

/* All that the rules depend on but for what never changes; not 0. */
static uint32_t key_of(const request *r)
{
    const cs_hpm_access *a = r->access;

    return UINT32_C(1) << 31 | (uint32_t)(a->op != CS_HPM_OP_READ) << 30 |
           (uint32_t)a->stateen_m << 29 | (uint32_t)a->stateen_h << 28 |
           (uint32_t)cs_hpm_cde(r->hpm) << 27 | (uint32_t)r->mode << 16 | r->csr;
}

/* By number and mode, and whether it is a write. */
static unsigned place_of(uint32_t key)
{
    return (key ^ key >> 5 ^ key >> 16 ^ key >> 26) % CS_HPM_JUDGED;
}

static answer answer_of(const request *r)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].fits(r))
            return rules[i].then;
    return ALLOWED;
}

cs_hpm_exception cs_hpm_judge(cs_hpm *hpm, const cs_hpm_access *access, cs_hpm_target *target)
{
    const request r = {.hpm = hpm,
                       .access = access,
                       .csr = access->csr,
                       .mode = access->mode,
                       .level = access->csr >> 8 & 3,
                       .is_virtual = cs_hpm_is_virtual(access->mode)};
    const uint32_t key = key_of(&r);
    cs_hpm_judged *judged = &hpm->judged[place_of(key)];

    /* Software asks for few registers, again and again. */
    if (judged->key != key)
        *judged = (cs_hpm_judged){key, answer_of(&r), cs_hpm_find(hpm, exchanged(&r))};
    *target = judged->target;
    switch ((answer)judged->answer) {
    case ILLEGAL:
        return CS_HPM_EXCEPTION_ILLEGAL;
    case VIRTUAL:
        return CS_HPM_EXCEPTION_VIRTUAL;
    case COUNTER_TABLE:
        return judge_counter(&r);
    case INDIRECT:
        return judge_indirect(&r, target);
    case ALLOWED:
        break;
    }
    return CS_HPM_EXCEPTION_NONE;
}

// SPDX-License-Identifier: Apache-2.0
/* Internal to the hpm model. Sections are those of docs/hw/hpm.md. */
#ifndef CS_MODELS_HPM_HPM_INTERNAL_H
#define CS_MODELS_HPM_HPM_INTERNAL_H

#include <countersink/models/hpm/hpm.h>

#define CS_HPM_OF (UINT64_C(1) << 63)
#define CS_HPM_MINH (UINT64_C(1) << 62)
#define CS_HPM_SINH (UINT64_C(1) << 61)
#define CS_HPM_UINH (UINT64_C(1) << 60)
#define CS_HPM_VSINH (UINT64_C(1) << 59)
#define CS_HPM_VUINH (UINT64_C(1) << 58)
#define CS_HPM_EVENT UINT64_C(0xffff)
#define CS_HPM_LCOFI (UINT64_C(1) << 13)
#define CS_HPM_CDE (UINT64_C(1) << 60)

#define CS_HPM_SELECT_FIRST 0x40u /* siselect of counter 0 */
#define CS_HPM_FIRST 3u           /* the first mhpmcounter */
#define CS_HPM_CYCLE 0u
#define CS_HPM_INSTRET 2u

/* What a register may need to exist (section 5). */
enum {
    CS_HPM_NEEDS_R32 = 1 << 0,
    CS_HPM_NEEDS_U = 1 << 1,
    CS_HPM_NEEDS_S = 1 << 2,
    CS_HPM_NEEDS_H = 1 << 3,
    CS_HPM_NEEDS_OF = 1 << 4,
    CS_HPM_NEEDS_CF = 1 << 5,
    CS_HPM_NEEDS_DG = 1 << 6,
    CS_HPM_NEEDS_AIA = 1 << 7
};

typedef struct cs_hpm_counter {
    uint64_t value;  /* in cycle `since`, ... */
    cs_cycle since;  /* ... whose increments it has not got yet */
    uint64_t config; /* mhpmevent, or the cfg register */
} cs_hpm_counter;

/* The stored bits of section 9, and the strap that they depend on. */
typedef struct cs_hpm_lcofi {
    bool aia;
    bool mip, mie, mideleg, hideleg, mvien, mvip, hvien, hvip, sie_v, vsie_v;
} cs_hpm_lcofi;

typedef struct cs_hpm_register cs_hpm_register;

/* What a CSR number stands for. */
typedef struct cs_hpm_target {
    const cs_hpm_register *reg;
    unsigned n;        /* counter */
    bool high;         /* bits 63:32 */
    bool without_minh; /* through sireg2, sireg5 */
} cs_hpm_target;

/* The rule that fitted an access, and what its number stands for (hpm_access.c). */
typedef struct cs_hpm_judged {
    uint32_t key; /* 0: none */
    unsigned answer;
    cs_hpm_target target;
} cs_hpm_judged;

#define CS_HPM_JUDGED 32u

struct cs_hpm {
    cs_hpm_config config;
    cs_event_source events;
    const cs_probe_sink *probe;
    unsigned has;    /* set of CS_HPM_NEEDS_.. */
    uint32_t impl;   /* section 1, IMPL */
    uint64_t filter; /* the xINH bits of the modes that are there */
    cs_cycle now;
    cs_cycle free; /* the first cycle that may have an access */

    cs_hpm_counter counter[CS_HPM_COUNTERS];
    uint32_t inhibit;
    uint32_t armed; /* counters of which a carry would set OF */
    uint32_t mcounteren, scounteren, hcounteren;
    uint32_t siselect, vsiselect;
    uint64_t menvcfg;
    uint64_t htimedelta;
    cs_hpm_lcofi lcofi;
    unsigned lines;    /* as last told to the probe */
    uint32_t arriving; /* bit k: a request sets LCOFIP in cycle now + 1 + k */
    cs_hpm_judged judged[CS_HPM_JUDGED];
};

/* ---- small questions ---- */

static inline bool cs_hpm_is_there(const cs_hpm *hpm, unsigned n)
{
    return hpm->impl >> n & 1;
}

static inline bool cs_hpm_cde(const cs_hpm *hpm)
{
    return hpm->menvcfg & CS_HPM_CDE;
}

static inline bool cs_hpm_is_virtual(unsigned mode)
{
    return mode >= CS_HPM_MODE_VU;
}

/* ---- counting (hpm_count.c) ---- */

/* All ones of counter n; 0 when it is not there. */
uint64_t cs_hpm_counter_mask(const cs_hpm *hpm, unsigned n);

/* Brings counter n to cycle `to`. If OF is set on the way, the first cycle in which it is 1;
 * else CS_NEVER. */
cs_cycle cs_hpm_settle(cs_hpm *hpm, unsigned n, cs_cycle to);

/* The counter, brought to this cycle, has a new setting. */
void cs_hpm_set_config(cs_hpm *hpm, unsigned n, uint64_t config);
void cs_hpm_set_inhibit(cs_hpm *hpm, uint32_t inhibit);

/* In which cycle the OF of counters goes to 1, while nobody touches them and all software stays where
 * it is. */
typedef struct cs_hpm_plan {
    uint32_t known; /* set of counters */
    cs_cycle overflow[CS_HPM_COUNTERS];
} cs_hpm_plan;

/* The first cycle in which OF of some counter is newly 1; CS_NEVER. Those that were looked for are in
 * *plan, which may be NULL. */
cs_cycle cs_hpm_next_overflow(const cs_hpm *hpm, cs_hpm_plan *plan);

typedef struct cs_hpm_executed {
    uint32_t of_set;      /* whose OF went to 1 */
    cs_cycle first_lcofi; /* in which a request set LCOFIP first; CS_NEVER */
} cs_hpm_executed;

/* Executes [now, to) for counters and requests, all but LCOFIP itself. A plan, if there is one, holds
 * for these cycles. */
cs_hpm_executed cs_hpm_execute(cs_hpm *hpm, cs_cycle to, const cs_hpm_plan *plan);

/* ---- LCOFI (hpm_lcofi.c) ---- */

/* Bit 13 of these registers; the order is that of the table in hpm_lcofi.c. */
typedef enum cs_hpm_bit13 {
    CS_HPM_MIP,
    CS_HPM_MIE,
    CS_HPM_MIDELEG,
    CS_HPM_SIP,
    CS_HPM_SIE,
    CS_HPM_HIDELEG,
    CS_HPM_VSIP,
    CS_HPM_VSIE,
    CS_HPM_MVIEN,
    CS_HPM_MVIP,
    CS_HPM_HVIEN,
    CS_HPM_HVIP
} cs_hpm_bit13;

/* The stored bit that the register shows at bit 13 in this cycle; NULL: read-only 0. With
 * sscofpmf only. */
bool *cs_hpm_bit(cs_hpm_lcofi *lcofi, cs_hpm_bit13 which);

/* lcofi_o of these bits. */
unsigned cs_hpm_levels(cs_hpm_lcofi lcofi);

/* The lines have the levels of hpm->lcofi from `cycle` on: tells the probe what changes. */
void cs_hpm_show_lines(cs_hpm *hpm, cs_cycle cycle);

/* ---- registers (hpm_regs.c) ---- */

/* reg is NULL where the number does not exist. Section 5. */
cs_hpm_target cs_hpm_find(const cs_hpm *hpm, unsigned csr);

/* What sireg* from M or S stands for; reg is NULL for an exception. Section 7. */
cs_hpm_target cs_hpm_find_indirect(const cs_hpm *hpm, unsigned csr);

/* In cycle hpm->now. The value is that of the half. */
uint64_t cs_hpm_read(cs_hpm *hpm, const cs_hpm_target *target, const cs_hpm_access *access);

/* Executes hpm->now with `data` written to the target. */
void cs_hpm_write(cs_hpm *hpm, const cs_hpm_target *target, uint64_t data);

/* ---- permission (hpm_access.c) ---- */

/* Sections 4 and 7: the exception, or none and *target. */
cs_hpm_exception cs_hpm_judge(cs_hpm *hpm, const cs_hpm_access *access, cs_hpm_target *target);

#endif

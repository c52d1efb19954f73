// SPDX-License-Identifier: Apache-2.0
/* The kinds of RISC-V PMU drivers (docs/drivers/riscv_driver.md, "Variants"). */
#ifndef CS_SCENARIO_RISCV_KIND_H
#define CS_SCENARIO_RISCV_KIND_H

typedef enum cs_riscv_kind {
    CS_RISCV_SBI,       /* the ratified extension */
    CS_RISCV_LEGACY,    /* cycle and instret, as they run */
    CS_RISCV_DELEGATED, /* Smcdeleg; firmware counters by SBI */
    CS_RISCV_V3,        /* the SBI proposal of July 2020 (docs/sources.md) */
    CS_RISCV_POSTED,    /* the same as DELEGATED, as it was posted for Linux */
    CS_RISCV_BASE,      /* Linux's base PMU of 2018: the same as LEGACY, before the SBI had one */
    CS_RISCV_NR_KINDS
} cs_riscv_kind;

/* The kernel owns the counters of the hardware. */
static inline int cs_riscv_is_delegated(cs_riscv_kind kind)
{
    return kind == CS_RISCV_DELEGATED || kind == CS_RISCV_POSTED;
}

/* How a driver has a counter found for an event (docs/drivers/riscv_driver.md, "Finding a counter"). */
typedef enum cs_riscv_find {
    CS_RISCV_FIND_FREE, /* CONFIG_MATCHING of the counters that are free */
    CS_RISCV_FIND_ALL,  /* CONFIG_MATCHING of all counters */
    CS_RISCV_FIND_EACH, /* the proposal's SET_EVENT, one free counter after the other */
    CS_RISCV_FIND_MASK, /* the same; its failure tells which could */
    CS_RISCV_FIND_ANY   /* SET_EVENT with the boolean argument: the firmware picks */
} cs_riscv_find;

/* The proposal's SET_EVENT, as the mails about it would have it (docs/drivers/sbi_pmu.md, "SET_EVENT in
 * the mails"). */
typedef enum cs_riscv_set_event {
    CS_RISCV_SET_EVENT_PLAIN,
    CS_RISCV_SET_EVENT_MASK,
    CS_RISCV_SET_EVENT_BOOLEAN
} cs_riscv_set_event;

#endif

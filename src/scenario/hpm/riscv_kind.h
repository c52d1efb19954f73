/* The kinds of RISC-V PMU drivers (docs/riscv_driver.md, "Variants"). */
#ifndef CS_SCENARIO_RISCV_KIND_H
#define CS_SCENARIO_RISCV_KIND_H

typedef enum cs_riscv_kind {
    CS_RISCV_SBI,       /* the ratified extension */
    CS_RISCV_LEGACY,    /* cycle and instret, as they run */
    CS_RISCV_DELEGATED, /* Smcdeleg; firmware counters by SBI */
    CS_RISCV_V3,        /* the SBI proposal of July 2020 (docs/sources.md) */
    CS_RISCV_NR_KINDS
} cs_riscv_kind;

#endif

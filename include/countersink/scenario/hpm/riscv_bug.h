// SPDX-License-Identifier: Apache-2.0
/* Bugs of published kernels that the driver can be given, by bit and by name
 * (docs/drivers/riscv_driver.md, "What can be broken"). */
#ifndef CS_SCENARIO_RISCV_BUG_H
#define CS_SCENARIO_RISCV_BUG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RISCV_BUG_RV32_SHIFT (1u << 0)
#define CS_RISCV_BUG_RV32_MASKS (1u << 1)
#define CS_RISCV_BUG_SNAPSHOT_BASE (1u << 2)
#define CS_RISCV_BUG_SPURIOUS_STOPS (1u << 3)
#define CS_RISCV_BUG_STALE_OVERFLOW (1u << 4)
#define CS_RISCV_BUG_TORN_READ (1u << 5)
#define CS_RISCV_BUG_THROTTLE_IGNORED (1u << 6)
#define CS_RISCV_BUG_RV32_DELTA (1u << 7)
#define CS_RISCV_BUG_STARTS_STOPPED (1u << 8)
#define CS_RISCV_NR_BUGS 9u

typedef struct cs_riscv_bug {
    const char *name; /* "rv32_shift" */
    uint32_t bit;
    const char *text; /* what it does */
} cs_riscv_bug;

/* The bug number i < CS_RISCV_NR_BUGS; NULL beyond. */
const cs_riscv_bug *cs_riscv_bug_at(unsigned i);
/* By name; NULL: there is none. */
const cs_riscv_bug *cs_riscv_bug_of(const char *name);

#ifdef __cplusplus
}
#endif

#endif

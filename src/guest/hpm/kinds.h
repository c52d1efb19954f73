// SPDX-License-Identifier: Apache-2.0
/* What an instruction of RISC-V counts as, beside being one. */
#ifndef CS_GUEST_HPM_KINDS_H
#define CS_GUEST_HPM_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction is of one kind. */
enum {
    CS_RISCV_OTHER,
    CS_RISCV_LOAD, /* integer and floating point */
    CS_RISCV_STORE,
    CS_RISCV_BRANCH, /* conditional, taken or not */
    CS_RISCV_JUMP,
    CS_RISCV_ATOMIC,
    CS_RISCV_FLOAT, /* computes with floating point registers */
    CS_RISCV_CSR,
    CS_RISCV_FENCE,
    CS_RISCV_KINDS
};

/* What it may bring about, any number of these: misses (docs/hw/caches.md), where a branch goes on, or the trap
 * after which it is the first one. */
enum {
    CS_RISCV_L1D_LOAD_MISS,
    CS_RISCV_L1D_STORE_MISS,
    CS_RISCV_L1I_MISS,
    CS_RISCV_DTLB_MISS,
    CS_RISCV_ITLB_MISS,
    CS_RISCV_TAKEN,
    CS_RISCV_NOT_TAKEN,
    CS_RISCV_EXCEPTION,
    CS_RISCV_INTERRUPT,
    CS_RISCV_OUTCOMES
};
#define CS_RISCV_OUTCOME(of) (1u << CS_RISCV_##of)

/* What a conditional branch compares. */
typedef struct cs_riscv_branch {
    uint8_t left, right; /* registers */
    uint8_t condition;   /* funct3 */
} cs_riscv_branch;

/* Of an RV64GC instruction; the upper half of a compressed one is not looked at. */
unsigned cs_riscv_kind(uint32_t word);
/* Of an instruction whose kind is CS_RISCV_BRANCH; and whether it is taken. */
cs_riscv_branch cs_riscv_branch_of(uint32_t word);
bool cs_riscv_is_taken(cs_riscv_branch branch, uint64_t left, uint64_t right);

#ifdef __cplusplus
}
#endif

#endif

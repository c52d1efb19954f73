// SPDX-License-Identifier: Apache-2.0
/* What an instruction of RISC-V counts as, beside being one. */
#ifndef CS_GUEST_HPM_KINDS_H
#define CS_GUEST_HPM_KINDS_H

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

/* Of an RV64GC instruction; the upper half of a compressed one is not looked at. */
unsigned cs_riscv_kind(uint32_t word);

#ifdef __cplusplus
}
#endif

#endif

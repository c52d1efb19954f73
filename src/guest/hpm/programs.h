// SPDX-License-Identifier: Apache-2.0
/* Programs for a RISC-V guest, made by us (guest/made.h). */
#ifndef CS_GUEST_HPM_PROGRAMS_H
#define CS_GUEST_HPM_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include "scenario/guest/guest_spec.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `slti zero,zero,..`, a hint that is nobody's: a program of ours asks for something, a0 says for what. */
#define CS_RISCV_CALL 0x5ca02013u

/* Instructions of a loop that may load and store: the two others count and branch. */
#define CS_RISCV_LOOP_BODY 6u

/* `put NAME`: what it reads comes out of the guest as the file NAME. To be freed. */
cs_status cs_riscv_make_put(uint8_t **elf, size_t *bytes, cs_diag *diag);
/* The scenario's program: it calls its functions, `rounds` times. Each is a symbol, and executes 8
 * instructions a loop (loads, stores, others, a branch) and 2 beside them (another, a jump). To be
 * freed. */
cs_status cs_riscv_make_program(const cs_guest_spec *guest, uint8_t **elf, size_t *bytes,
                                cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

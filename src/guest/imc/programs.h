// SPDX-License-Identifier: Apache-2.0
/* Programs for the guest, made by us: ELF files for powerpc64le, without a library. */
#ifndef CS_GUEST_IMC_PROGRAMS_H
#define CS_GUEST_IMC_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include "scenario/guest/guest_spec.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_POWER_LOOP_INSTRUCTIONS (CS_GUEST_LOOP_BODY + 1)

/* `put NAME`: what it reads comes out of the guest as the file NAME. To be freed. */
cs_status cs_power_make_put(uint8_t **elf, size_t *bytes, cs_diag *diag);
/* The scenario's program: it calls its functions, `rounds` times. Each is a symbol, and executes 8
 * instructions a loop (loads, stores, others, a branch) and 2 beside them (another, a branch). To be
 * freed. */
cs_status cs_power_make_program(const cs_guest_spec *guest, uint8_t **elf, size_t *bytes,
                                cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

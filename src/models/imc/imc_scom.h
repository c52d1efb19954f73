// SPDX-License-Identifier: Apache-2.0
/* Which register an SCOM address, or an offset in the SPR window, is (docs/hw/imc.md, "Access").
 * No state. Registers are those of cs_imc_reg. */
#ifndef CS_MODELS_IMC_SCOM_H
#define CS_MODELS_IMC_SCOM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_imc_scom_target {
    uint32_t cores; /* bit mask of the cores that the access reaches; 0: none */
    unsigned reg;
} cs_imc_scom_target;

/* Of a die with cores 0..nr_cores-1 (at most 24). Power is the cores' own business. */
cs_imc_scom_target cs_imc_scom_decode(bool power10, unsigned nr_cores, uint32_t scom);

/* The SCOM address of a core's register, for software; UINT32_MAX for LDBAR and for numbers that
 * are no register. */
uint32_t cs_imc_scom_address(bool power10, unsigned core, unsigned reg);

/* The LDBAR at an offset in the SPR window; false: no such register. Whether the die has the core,
 * and the core the thread (0..3), is for the caller and the core to say. */
bool cs_imc_spr_decode(uint32_t offset, unsigned *core, unsigned *thread);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. Registers that a script may name. */
#ifndef CS_SCENARIO_IMC_REGISTERS_H
#define CS_SCENARIO_IMC_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/imc/imc_spec.h"
#include "scenario/yaml/suggest.h"

/* The address on the bus of "1.PDBAR" (a register of IMC core 1) and "1.3.LDBAR" (of its thread 3);
 * false where there is none such. */
bool cs_imc_register_address(const cs_imc_spec *imc, const char *name, uint64_t *addr,
                             cs_suggest *suggest);

/* The address on the bus of a core's register (cs_imc_reg), in the SCOM window of its chip. */
uint64_t cs_imc_core_scom(const cs_imc_spec *imc, unsigned core, unsigned reg);

#endif

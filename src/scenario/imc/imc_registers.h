/* Internal to scenario. Registers that a script may name. */
#ifndef CS_SCENARIO_IMC_REGISTERS_H
#define CS_SCENARIO_IMC_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/yaml/suggest.h"

/* The address on the bus of "1.PDBAR" (a register of IMC core 1) and "1.3.LDBAR" (of its thread 3), on a die of
 * `cores` cores of `threads` threads; false where there is none such. */
bool cs_imc_register_address(bool power10, unsigned cores, unsigned threads, const char *name,
                             uint64_t *addr, cs_suggest *suggest);

#endif

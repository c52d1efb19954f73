// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. Registers that a script may name. */
#ifndef CS_SCENARIO_PMCU_REGISTERS_H
#define CS_SCENARIO_PMCU_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/section.h"
#include "scenario/yaml/suggest.h"

/* The address on the bus of a register ("FSM_CFG": of die 0's PMCU; "1.FSM_CFG": of die 1's). False
 * where there is none of this name; all names are offered to *suggest (NULL is allowed). */
bool cs_pmcu_register_address(unsigned dies, const char *name, uint64_t *addr, cs_suggest *suggest);

/* Of names with a die. */
#define CS_PMCU_REGISTER_PATTERN "^pmcu\\.[0-3]\\.[A-Z][A-Z0-9_]*$"

/* All of them; the last has no name. */
extern const cs_unit_register cs_pmcu_registers[];
/* Where those of each die begin, by the names that scripts have for them; likewise. */
extern const cs_unit_place cs_pmcu_places[];

/* The names; NULL where index is too large. */
const char *cs_pmcu_register_name(size_t index);

#endif

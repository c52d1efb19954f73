/* Internal to scenario. Registers that a script may name. */
#ifndef CS_SCENARIO_REGISTERS_H
#define CS_SCENARIO_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/suggest.h"

/* The address on the bus of a PMCU register ("FSM_CFG"). False where there is
 * none of this name; all names are offered to *suggest (NULL is allowed). */
bool cs_register_address(const char *name, uint64_t *addr, cs_suggest *suggest);

/* The names; NULL where index is too large. */
const char *cs_register_name(size_t index);

#endif

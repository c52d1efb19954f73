// SPDX-License-Identifier: Apache-2.0
/* What programs write into registers of an IMC engine (internal to foreign/imc). */
#ifndef CS_FOREIGN_IMC_VALUES_H
#define CS_FOREIGN_IMC_VALUES_H

#include "foreign/random.h"

/* Something that does something, for the register of that number (cs_imc_reg). A calm program leaves
 * the engine on. */
uint64_t cs_foreign_imc_value(cs_foreign_random *random, unsigned reg, bool calm);

#endif

// SPDX-License-Identifier: Apache-2.0
/* Which nest units OPAL leaves in the kernel's tree (docs/drivers/imc_catalog.md, "Units that are not there"). */
#ifndef CS_FORMATS_IMC_CATALOG_NEST_UNITS_H
#define CS_FORMATS_IMC_CATALOG_NEST_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/imc/catalog/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What POWER9's nest engine assumes where nobody told it which units there are. */
#define CS_IMC_DEFAULT_AVAILABILITY UINT64_C(0xffff8073f007e000)

typedef enum cs_imc_generation {
    CS_IMC_GENERATION_UNKNOWN,
    CS_IMC_GENERATION_POWER9,
    CS_IMC_GENERATION_POWER10
} cs_imc_generation;

/* Of which chips a catalog is: by the names of its nest units, else by the scale of core_imc's
 * events. NULL is unknown. */
cs_imc_generation cs_imc_catalog_generation(const cs_imc_catalog *catalog);

/* Whether OPAL leaves a nest unit in the tree, by the availability vector: bit 0 is the most
 * significant one. What has no bit is always there. */
bool cs_imc_nest_available(const cs_imc_unit *unit, cs_imc_generation generation,
                           uint64_t availability);

#ifdef __cplusplus
}
#endif

#endif

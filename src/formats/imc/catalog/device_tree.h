// SPDX-License-Identifier: Apache-2.0
/* The device tree that a kernel would see: the catalog's units and events below /imc-counters,
 * as OPAL puts them there. Loading it again gives the same units
 * and events. */
#ifndef CS_FORMATS_IMC_CATALOG_DEVICE_TREE_H
#define CS_FORMATS_IMC_CATALOG_DEVICE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/nest_units.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_imc_device_tree_options {
    uint64_t availability; /* nest_units.h */
    bool leave_out_trace;
    /* Where each chip's region begins: base-addr and chip-id of the nest units. 0 chips: as the
     * catalog has them. */
    size_t nr_chips;
    const uint64_t *base_addr; /* [nr_chips] */
    const uint32_t *chip_id;   /* [nr_chips] */
} cs_imc_device_tree_options;

/* The blob, which the caller frees. Errors: CS_ERR_RANGE for more than CS_IMC_MAX_CHIPS chips or
 * a blob larger than CS_IMC_MAX_BYTES; CS_ERR_NO_MEMORY. */
cs_status cs_imc_device_tree_make(const cs_imc_catalog *catalog,
                                  const cs_imc_device_tree_options *options, void **blob,
                                  size_t *bytes, cs_diag *diag);

/* Writes the blob beside `path` and renames it. CS_ERR_IO leaves what was at `path`. */
cs_status cs_imc_device_tree_write(const cs_imc_catalog *catalog,
                                   const cs_imc_device_tree_options *options, const char *path,
                                   cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

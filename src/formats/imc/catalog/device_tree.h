/* The device tree that a kernel would see: the catalog's units and events below /imc-counters,
 * as OPAL puts them there. Loading it again gives the same units
 * and events. */
#ifndef CS_FORMATS_IMC_CATALOG_DEVICE_TREE_H
#define CS_FORMATS_IMC_CATALOG_DEVICE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "formats/imc/catalog/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What POWER9's nest engine assumes where nobody told it which units there are. */
#define CS_IMC_DEFAULT_AVAILABILITY UINT64_C(0xffff8073f007e000)

typedef struct cs_imc_device_tree_options {
    /* POWER9's nest units, a bit each, bit 0 the most significant one. */
    uint64_t availability;
    bool leave_out_trace;
    /* Where each chip's region begins: base-addr and chip-id of the nest units. 0 chips: as the
     * catalog has them. */
    size_t nr_chips;
    const uint64_t *base_addr; /* [nr_chips] */
    const uint32_t *chip_id;   /* [nr_chips] */
} cs_imc_device_tree_options;

/* Whether OPAL would leave a nest unit of this node name in the tree. A pair (mcs01) is there
 * when one of the two is, the single ones (mcs0) are for debugging and never there; names
 * without a bit are always there. */
bool cs_imc_nest_available(const char *node, uint64_t availability);

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

// SPDX-License-Identifier: Apache-2.0
/* Catalogs as firmware has them: an xz stream, a partition IMA_CATALOG with one or more of them, or
 * a PNOR image with that partition (docs/drivers/imc_catalog.md, "In firmware"). */
#ifndef CS_FORMATS_IMC_CATALOG_PACKED_H
#define CS_FORMATS_IMC_CATALOG_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/imc/catalog/catalog.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_IMC_PACKED_MAGIC 8u           /* bytes that tell */
#define CS_IMC_PACKED_MOST (256u << 20)  /* of an image */
#define CS_IMC_ANY_CATALOG 0u            /* no chip's number */
#define CS_IMC_POWER9_CATALOG 0x4e0200u  /* the PVR's bits that skiboot looks for: DD2 */
#define CS_IMC_POWER10_CATALOG 0x800200u /* DD2 */

/* Whether bytes that begin so are packed. */
bool cs_imc_is_packed(const uint8_t *bytes, size_t count);

/* The device tree blob in them, which the caller frees. `id`: which of several catalogs;
 * CS_IMC_ANY_CATALOG: there must be only one. `name` is what errors call it. Errors: CS_ERR_FORMAT
 * with the byte; CS_ERR_RANGE: no such id, or several and none is named; CS_ERR_NO_MEMORY. */
cs_status cs_imc_unpack(const uint8_t *bytes, size_t count, uint32_t id, const char *name,
                        void **blob, size_t *blob_bytes, cs_diag *diag);

/* Writes the catalog as a PNOR image of 128 MiB, from which skiboot takes it for chips of this id,
 * beside `path` and renames it. CS_ERR_IO leaves what was at `path`. */
cs_status cs_imc_pnor_write(const cs_imc_catalog *catalog, uint32_t id, const char *path,
                            cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Reads what POWER's IMC leaves in memory when it accumulates: images of a core's or a thread's
 * memory (8 KiB), or of a chip's nest window (256 KiB), one or several after the other. What
 * counter is where, its scale and its unit, a catalog says; counters are 64 bits, big-endian.
 *
 * The reader takes bytes in order and holds one image: memory does not grow with the data. */
#ifndef CS_FORMATS_IMC_READ_MEMORY_H
#define CS_FORMATS_IMC_READ_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/imc/catalog/catalog.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_IMC_IMAGE_BYTES 8192u /* of a core, of a thread */

typedef struct cs_imc_image {
    uint64_t index; /* from 0 */
    size_t size;
    const uint8_t *bytes; /* [size] */
} cs_imc_image;

/* One counter of an image, as the catalog has it. */
typedef struct cs_imc_counter {
    const cs_imc_event *event; /* the catalog's */
    uint64_t raw;
} cs_imc_counter;

typedef struct cs_imc_memory cs_imc_memory;

/* Images of the memory of `domain` (nest, core or thread), as large as the largest unit of it
 * in `catalog` (borrowed; it must outlive the reader). `name` (copied, may be NULL) is what errors
 * call the data. Nothing is read yet. Errors: CS_ERR_RANGE where the catalog has no such unit, or
 * where the domain has no accumulated memory; CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_imc_memory_open(const cs_byte_source *source, const char *name,
                             const cs_imc_catalog *catalog, cs_imc_domain domain,
                             cs_imc_memory **out, cs_diag *diag);
void cs_imc_memory_close(cs_imc_memory *memory); /* NULL is allowed */

cs_imc_domain cs_imc_memory_get_domain(const cs_imc_memory *memory);
size_t cs_imc_memory_image_bytes(const cs_imc_memory *memory);

/* Nest: where the control block is in an image, as its first unit has it; else 0. */
uint32_t cs_imc_memory_control_offset(const cs_imc_memory *memory);

/* The next image in *out, NULL after the last; valid until the next call. CS_ERR_FORMAT, with the
 * byte, for data that end within an image and for no data at all; errors of the source. */
cs_status cs_imc_memory_next(cs_imc_memory *memory, const cs_imc_image **out, cs_diag *diag);

/* The counters of the image that cs_imc_memory_next gave last, in the catalog's order: nr is from
 * 0 to below cs_imc_memory_nr_counters. */
size_t cs_imc_memory_nr_counters(const cs_imc_memory *memory);
void cs_imc_memory_counter(const cs_imc_memory *memory, size_t nr, cs_imc_counter *out);

#define CS_IMC_VALUE_BYTES 40u

/* raw times scale: exact where scale is a whole number and the product has 64 bits, else as a
 * double, "%.15g"; raw itself where scale is NULL. Returns buffer; NULL where scale is no finite
 * number, or the product is none. */
const char *cs_imc_scale(uint64_t raw, const char *scale, char buffer[CS_IMC_VALUE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Reads perf's ring buffer as the RISC-V driver fills it (docs/drivers/riscv_driver.md, "The ring"): a page
 * of header and a circle of records behind it, or the records alone, as a reader took them out.
 * Little-endian. */
#ifndef CS_FORMATS_RISCV_READ_RING_H
#define CS_FORMATS_RISCV_READ_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/table.h"
#include "formats/riscv/read/record.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_perf_form {
    CS_PERF_RING,   /* header page and data; what is between data_tail and data_head */
    CS_PERF_STREAM, /* records, one after the other */
    CS_PERF_EITHER  /* a first word of 0 is a header page's, else it is a record's type */
} cs_perf_form;

typedef struct cs_perf_totals {
    uint64_t records;
    uint64_t samples;
    uint64_t lost; /* that the LOST records report */
    uint64_t throttles;
    uint64_t unthrottles;
    uint64_t bytes;
} cs_perf_totals;

typedef struct cs_perf_ring cs_perf_ring;

/* True: the first bytes of something can hardly be anything but a ring or its records. */
bool cs_perf_ring_looks_so(const uint8_t *bytes, size_t length);

/* A ring is read whole, records as they are asked for, in constant memory. `name` (copied, may be
 * NULL) is what errors call the data. Errors: CS_ERR_FORMAT with the byte (a header that cannot
 * be, more or less data than it says), CS_ERR_NO_MEMORY, those of the source; *out is NULL
 * then. */
cs_status cs_perf_ring_open(const cs_byte_source *source, const char *name, cs_perf_form form,
                            cs_perf_ring **out, cs_diag *diag);
void cs_perf_ring_close(cs_perf_ring *ring); /* NULL is allowed */

/* The next record in *out, NULL after the last; valid until the next call. CS_ERR_FORMAT with
 * the byte where something is no record of ours, the same again from then on; those of the
 * source. */
cs_status cs_perf_ring_next(cs_perf_ring *ring, const cs_perf_record **out, cs_diag *diag);

/* Of the records given so far. */
const cs_perf_totals *cs_perf_ring_get_totals(const cs_perf_ring *ring);

const char *cs_perf_type_name(uint32_t type); /* "sample"; "?" */

/* Prints what is left: a row a record; in text also how many there are. Errors: those of
 * cs_perf_ring_next and of the sink; what came before is printed (and the table ended) all the
 * same. */
cs_status cs_perf_ring_print(cs_perf_ring *ring, cs_table_format format, const cs_text_sink *sink,
                             cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

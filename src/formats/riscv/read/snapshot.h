// SPDX-License-Identifier: Apache-2.0
/* The snapshot page of the SBI PMU extension (v2.0): 4096 bytes, little-endian.
 *
 *     byte   0       8 .. 519              520 .. 4095
 *            bitmap  64 values of counters reserved, zero
 *
 * Slot i and bit i are counter base + i, of the call that wrote them. Memory with the pages of
 * several harts is as many of these. */
#ifndef CS_FORMATS_RISCV_READ_SNAPSHOT_H
#define CS_FORMATS_RISCV_READ_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/table.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SBI_SNAPSHOT_PAGE 4096u
#define CS_SBI_SNAPSHOT_COUNTERS 64u
#define CS_SBI_SNAPSHOT_RESERVED 520u /* offset */

typedef struct cs_sbi_snapshot {
    uint64_t overflowed; /* bit i: counter base + i */
    uint64_t values[CS_SBI_SNAPSHOT_COUNTERS];
    unsigned reserved_set;   /* reserved bytes that are not zero */
    unsigned reserved_first; /* offset of the first of them; 0: none */
} cs_sbi_snapshot;

void cs_sbi_snapshot_decode(const uint8_t page[CS_SBI_SNAPSHOT_PAGE], cs_sbi_snapshot *out);

/* The next page of a source that has pages one after the other; *there is false behind the last.
 * `first` is the offset of its first byte, for errors, as is `name` (may be NULL). Errors:
 * CS_ERR_FORMAT with the byte where the data end within a page; those of the source. */
cs_status cs_sbi_snapshot_next(const cs_byte_source *source, const char *name, uint64_t first,
                               cs_sbi_snapshot *out, bool *there, cs_diag *diag);

/* Prints all pages: in text the slots that hold something or are marked, and how many; else all 64
 * of each. Errors: those above; CS_ERR_FORMAT where there is no page at all, or reserved bytes of a
 * page are not zero: that page is printed, none behind it; those of the sink. */
cs_status cs_sbi_snapshot_print(const cs_byte_source *source, const char *name,
                                cs_table_format format, const cs_text_sink *sink, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

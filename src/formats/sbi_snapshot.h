/* The snapshot page of the SBI PMU extension (v2.0): 4096 bytes, little-endian.
 *
 *     byte   0       8 .. 519              520 .. 4095
 *            bitmap  64 values of counters reserved, zero
 *
 * Slot i and bit i are counter base + i, of the call that wrote them. */
#ifndef CS_FORMATS_SBI_SNAPSHOT_H
#define CS_FORMATS_SBI_SNAPSHOT_H

#include <stdint.h>

#include "base/diag.h"
#include "formats/byte_source.h"
#include "formats/table.h"

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

/* CS_ERR_FORMAT with the byte for data that are no page long; those of the source. `name` may be
 * NULL. */
cs_status cs_sbi_snapshot_read(const cs_byte_source *source, const char *name, cs_sbi_snapshot *out,
                               cs_diag *diag);

/* Text: the slots that hold something, or are marked; else all 64. Reserved bytes that are not
 * zero: CS_ERR_FORMAT with the first, after all is printed. */
cs_status cs_sbi_snapshot_print(const cs_sbi_snapshot *snapshot, const char *name,
                                cs_table_format format, const cs_text_sink *sink, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

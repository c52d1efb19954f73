// SPDX-License-Identifier: Apache-2.0
/* Reads perf.data, of any machine and any tool: files with a header, and what perf wrote into a
 * pipe; little and big endian; attrs of 64 bytes and more.
 *
 *   cs_perfread_open, cs_perfread_get_facts, then cs_perfread_next until it gives NULL.
 *
 * Memory does not grow with the records: what is kept are the events with their ids and the
 * facts of the header, whose sizes are bounded (CS_PERFREAD_MOST_*). Nothing is allocated for a
 * size that only the file asserts: bytes are there before they are kept. Compressed records are
 * given as they come, and behind each the records in it; to unpack them zstd takes as much memory as its
 * stream asks for, at most 128 MiB.
 *
 * Whatever is wrong is CS_ERR_FORMAT with the byte, what was expected and what was found. What a
 * newer perf could have meant is CS_ERR_UNSUPPORTED: version 1 files, bits of
 * sample_type or read_format that change a sample's layout in a way unknown here. */
#ifndef CS_FORMATS_PERF_READ_DATA_H
#define CS_FORMATS_PERF_READ_DATA_H

#include "formats/common/byte_source.h"
#include "formats/perf/read/event.h"
#include "formats/perf/read/record.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More of something is an error: no file is known that comes near. */
#define CS_PERFREAD_MOST_EVENTS 65536u
#define CS_PERFREAD_MOST_IDS (UINT32_C(1) << 22)
#define CS_PERFREAD_MOST_STRING_BYTES (UINT32_C(1) << 20)
#define CS_PERFREAD_MOST_FACT_BYTES (UINT32_C(1) << 26) /* all strings and lists together */

typedef struct cs_perfread cs_perfread;

/* True: the first 8 bytes are perf.data's, in either byte order. */
bool cs_perfread_looks_so(const uint8_t *bytes, size_t length);

/* Reads header, events and features. `name` (copied, may be NULL) is what errors call the file.
 * A file that ends within its data can be opened: its records are read up to there, then comes
 * the error. *out is NULL after an error. */
cs_status cs_perfread_open(const cs_seek_source *source, const char *name, cs_perfread **out,
                           cs_diag *diag);

/* The same of bytes in order: only what perf wrote into a pipe (CS_ERR_UNSUPPORTED otherwise). */
cs_status cs_perfread_open_pipe(const cs_byte_source *source, const char *name, cs_perfread **out,
                                cs_diag *diag);

/* Before the first record: another file of bare records, which come behind those of the file and of the parts
 * before (the folder that `perf record --threads` writes: the file `data` and the parts data.0, data.1, ..).
 * `name` as in cs_perfread_open. CS_ERR_NO_MEMORY. */
cs_status cs_perfread_add_part(cs_perfread *reader, const cs_seek_source *source, const char *name,
                               cs_diag *diag);

void cs_perfread_close(cs_perfread *reader); /* NULL is allowed */

const cs_perfread_facts *cs_perfread_get_facts(const cs_perfread *reader);

/* The event that has `id`; NULL: none. The pointer stays until the next record. */
const cs_perfread_event *cs_perfread_event_of(const cs_perfread *reader, uint64_t id);

/* What `type` is called by PMU_MAPPINGS; NULL: not said. */
const char *cs_perfread_pmu_name(const cs_perfread *reader, uint32_t type);

/* The next record in *out, NULL after the last; valid until the next call. After an error the same
 * error again. */
cs_status cs_perfread_next(cs_perfread *reader, const cs_perfread_record **out, cs_diag *diag);

/* Bytes of the payload behind the record that cs_perfread_next gave last, one after the other;
 * *got 0: that was all. What is not taken is passed over. */
cs_status cs_perfread_payload(cs_perfread *reader, uint8_t *out, size_t bytes, size_t *got,
                              cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Writes a timeline as Perfetto's own protocol buffers (a Trace of TracePackets with TrackEvents), which
 * ui.perfetto.dev opens: the same groups, tracks and events as json.h, in less than half of
 * the bytes. Names are told once; they are all that is kept.
 *
 * Times are cycles; in the file they are nanoseconds, rounded down. Numbers are 64 bits; hexadecimal
 * ones are pointers, which readers show as such. */
#ifndef CS_FORMATS_PERFETTO_WRITE_PROTO_H
#define CS_FORMATS_PERFETTO_WRITE_PROTO_H

#include <stdint.h>

#include "formats/common/table.h"
#include "formats/perfetto/write/json.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perfetto_pb cs_perfetto_pb;

/* `clock_mhz` >= 1: cycles in a microsecond. CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_perfetto_pb_create(const cs_text_sink *sink, unsigned clock_mhz, cs_perfetto_pb **out);
void cs_perfetto_pb_destroy(cs_perfetto_pb *timeline); /* NULL is allowed */

/* As their namesakes of json.h. All return the first status that was not CS_OK, of the sink or
 * CS_ERR_NO_MEMORY. A group is named before its tracks and counters, a track before its events;
 * groups and tracks are below 2^31. */
cs_status cs_perfetto_pb_name_group(cs_perfetto_pb *timeline, unsigned group, const char *name,
                                    unsigned order);
cs_status cs_perfetto_pb_name_track(cs_perfetto_pb *timeline, cs_perfetto_track track,
                                    const char *name, unsigned order);
cs_status cs_perfetto_pb_slice(cs_perfetto_pb *timeline, cs_perfetto_track track, const char *name,
                               uint64_t from, uint64_t to, const cs_perfetto_args *args);
cs_status cs_perfetto_pb_instant(cs_perfetto_pb *timeline, cs_perfetto_track track,
                                 const char *name, uint64_t cycle, const cs_perfetto_args *args);
cs_status cs_perfetto_pb_counter(cs_perfetto_pb *timeline, unsigned group, const char *name,
                                 const char *unit, uint64_t cycle, double value);
/* Everything is with the sink; of a timeline in which nothing was named that is no byte. */
cs_status cs_perfetto_pb_end(cs_perfetto_pb *timeline);

#ifdef __cplusplus
}
#endif

#endif

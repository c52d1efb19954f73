// SPDX-License-Identifier: Apache-2.0
/* Reads Perfetto's protocol buffers (a Trace of TracePackets), of any tool, as far as TrackEvents go:
 * slices, instants and counters on tracks. The format is that of protos/perfetto/trace/ of
 * github.com/google/perfetto; nothing here is shared with the writer (formats/perfetto/write/proto.h).
 *
 * Events come in the file's order, which need not be that of time. What is kept is a packet, and by
 * the file's tracks and sequences: names, interned texts, open slices; at most CS_PERFETTOREAD_HELD. */
#ifndef CS_FORMATS_PERFETTO_READ_PROTO_H
#define CS_FORMATS_PERFETTO_READ_PROTO_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/event_fields.h"
#include "formats/common/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More is damage: bytes of a packet; of all that is kept beside it; of an event's categories, or of a
 * sequence's defaults; open slices of a track; tracks, or arguments, inside of each other. */
#define CS_PERFETTOREAD_PACKET (64u << 20)
#define CS_PERFETTOREAD_HELD (256u << 20)
#define CS_PERFETTOREAD_SHORT 65536u
#define CS_PERFETTOREAD_OPEN 512u
#define CS_PERFETTOREAD_DEEP 64u

#define CS_PERFETTOREAD_BOOTTIME 6u /* the clock of a packet that names none */

typedef enum cs_perfettoread_kind {
    CS_PERFETTOREAD_BEGIN, /* of a slice; the END with the same `slice` follows, later */
    CS_PERFETTOREAD_END,
    CS_PERFETTOREAD_COMPLETE, /* of a legacy event: begin and duration in one */
    CS_PERFETTOREAD_INSTANT,
    CS_PERFETTOREAD_COUNTER,
    CS_PERFETTOREAD_STATE,
    CS_PERFETTOREAD_TRACK,  /* a track is described, perhaps again: its name and group */
    CS_PERFETTOREAD_LEGACY, /* an event of Trace Event JSON that TrackEvent has no type for */
    CS_PERFETTOREAD_OTHER   /* another packet; its name is the field that it has */
} cs_perfettoread_kind;

typedef struct cs_perfettoread_event {
    uint64_t offset; /* of its packet in the file */
    cs_perfettoread_kind kind;
    char phase; /* of CS_PERFETTOREAD_LEGACY: as in JSON */
    bool has_time, has_duration;
    int64_t time_ns;     /* as its clock has it: clocks are not converted into each other */
    uint64_t clock;      /* BuiltinClock, or of its sequence (64..127) */
    int64_t duration_ns; /* of END and COMPLETE */
    uint64_t slice;      /* of BEGIN and END, from 1 on; 0: an END whose BEGIN was lost */
    /* Of the track: its name, and those of the tracks that it lies in, "process/thread"; NULL: none,
     * or not said yet. Of a counter, the name is the track's. */
    const char *group, *track;
    uint64_t uuid;            /* of the track */
    const char *name;         /* NULL: none; END: of its slice */
    const char *category;     /* "a,b"; NULL: none */
    const char *value, *unit; /* of a counter, as text, increments summed up; unit NULL: none */
    bool is_whole;            /* the value is `number` */
    int64_t number;           /* the same */
    cs_event_fields args;     /* of an inner dictionary or array as "name.inner", "name.0" */
} cs_perfettoread_event;

typedef struct cs_perfettoread cs_perfettoread;

/* `name` (borrowed) is for messages. CS_ERR_NO_MEMORY. */
cs_status cs_perfettoread_open(const cs_byte_source *source, const char *name,
                               cs_perfettoread **out, cs_diag *diag);
void cs_perfettoread_close(cs_perfettoread *reader);

/* *event is the next event, valid until the next call; NULL at the end. CS_ERR_FORMAT: damage, with
 * the byte, what was expected and found; the same again after that. An END without BEGIN and an
 * interned text that is missing are damage where the sequence does not tell that packets were lost.
 * CS_ERR_UNSUPPORTED: compressed packets. */
cs_status cs_perfettoread_next(cs_perfettoread *reader, cs_perfettoread_event **event,
                               cs_diag *diag);

/* "begin", "end", "counter" .. */
const char *cs_perfettoread_kind_name(cs_perfettoread_kind kind);

/* Prints a row an event. */
cs_status cs_perfettoread_print(cs_perfettoread *reader, cs_table_format format,
                                const cs_text_sink *sink, cs_diag *diag);

/* Whether a file that begins so is of this format. */
bool cs_perfettoread_looks_so(const uint8_t *look, size_t bytes);

/* Of a file that is of Perfetto: whether it is text, the other flavour. An empty one is not: it is a trace
 * without packets. */
bool cs_perfettoread_is_json(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif

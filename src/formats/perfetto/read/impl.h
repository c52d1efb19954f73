// SPDX-License-Identifier: Apache-2.0
/* Internal to the reader of Perfetto's protocol buffers: what it keeps from packet to packet. */
#ifndef CS_FORMATS_PERFETTO_READ_IMPL_H
#define CS_FORMATS_PERFETTO_READ_IMPL_H

#include "formats/common/proto_read.h"
#include "formats/perfetto/read/proto.h"

/* A text that grows, without what is no text (cs_utf8_clean). NULL: never set. */
typedef struct cs_pftread_text {
    char *text;
    size_t room;
} cs_pftread_text;

/* ---- state.c: things by their kind, sequence and number ---- */

typedef enum cs_pftread_key {
    CS_PFT_SEQUENCE,
    CS_PFT_TRACK,        /* by uuid, of the whole file */
    CS_PFT_THREAD,       /* a sequence's own track, of a packet with a ThreadDescriptor */
    CS_PFT_PROCESS,      /* by pid: the track of the process */
    CS_PFT_COUNT,        /* by track: the last value of an incremental counter */
    CS_PFT_CLOCK,        /* of the sequence */
    CS_PFT_GLOBAL_CLOCK, /* of the whole file: sequence 0 */
    CS_PFT_CATEGORY,     /* these four: interned texts */
    CS_PFT_NAME,
    CS_PFT_ARGUMENT,
    CS_PFT_STRING
} cs_pftread_key;

/* What all of them begin with. */
typedef struct cs_pftread_node {
    uint64_t id;
    uint32_t sequence;
    cs_pftread_key key;
    uint32_t generation; /* of the sequence's incremental state, in which it was set */
    cs_pftread_text text;
} cs_pftread_node;

typedef struct cs_pftread_sequence {
    cs_pftread_node node; /* text: none */
    uint32_t generation;
    bool valid;        /* incremental state was cleared, and nothing was lost since */
    bool lost;         /* packets were lost at some time */
    uint64_t clock;    /* of packets that name none; 0: boot time */
    uint8_t *defaults; /* a TrackEventDefaults; NULL: none */
    size_t defaults_bytes, defaults_room;
    uint64_t defaults_offset; /* in the file */
    bool has_thread;
    int64_t reference_us; /* deprecated times count from here */
} cs_pftread_sequence;

typedef struct cs_pftread_slice {
    cs_pftread_text name;
    uint64_t number;
    int64_t begin_ns;
    bool named;
} cs_pftread_slice;

typedef struct cs_pftread_track {
    cs_pftread_node node; /* text: the name that was given to it */
    uint64_t parent;      /* 0: none */
    bool described, is_process, is_thread;
    int64_t pid, tid;
    cs_pftread_text said;  /* the name that it goes by */
    cs_pftread_text group; /* as of `version` */
    uint64_t version;
    bool incremental;
    int64_t multiplier; /* 0: none */
    cs_pftread_text unit;
    cs_pftread_slice *slices; /* open ones */
    size_t nr_slices, slices_room;
} cs_pftread_track;

typedef struct cs_pftread_count {
    cs_pftread_node node;
    int64_t number;
    double real;
} cs_pftread_count;

typedef struct cs_pftread_clock {
    cs_pftread_node node;
    uint64_t multiplier; /* ns */
    bool incremental;
    uint64_t last; /* in its unit */
} cs_pftread_clock;

typedef struct cs_pftread_map {
    cs_pftread_node **nodes;
    size_t nr, room;
} cs_pftread_map;

/* The packet that is being read. */
typedef struct cs_pftread_packet {
    cs_protoread message; /* the whole packet */
    uint64_t offset;
    cs_pftread_sequence *sequence;
    bool has_time;
    int64_t time_ns;
    uint64_t clock;
    cs_protoread_field event; /* its TrackEvent */
} cs_pftread_packet;

/* Values of an event's extra counters that are still to be handed out. */
typedef struct cs_pftread_extra {
    cs_protoread values, values_packed, tracks, tracks_packed;
    unsigned stage; /* 0: none; 1: whole numbers; 2: doubles */
} cs_pftread_extra;

struct cs_perfettoread {
    cs_byte_source source;
    const char *name;
    /* the file: bytes [at, end) of buffer are those from `offset` on */
    uint8_t *buffer;
    size_t at, end, room;
    uint64_t offset;
    bool drained;
    /* what is kept */
    cs_pftread_map map;
    size_t held;        /* bytes of it */
    uint64_t version;   /* of the tracks' names */
    uint64_t nr_slices; /* begun so far */
    /* the event */
    cs_pftread_packet packet;
    cs_pftread_extra extra;
    cs_perfettoread_event event;
    int64_t event_time_ns;    /* of the packet's own event, for extra counters */
    cs_pftread_text texts[3]; /* its name, category, value */
    char path[512];           /* of an argument */
    cs_status status;
    cs_diag diag;
};

enum { CS_PFT_TEXT_NAME, CS_PFT_TEXT_CATEGORY, CS_PFT_TEXT_VALUE };

/* CS_ERR_FORMAT "byte 0x..: ..". */
cs_status cs_pftread_bad(cs_perfettoread *reader, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
cs_status cs_pftread_no_memory(cs_perfettoread *reader);

/* NULL: there is none. */
void *cs_pftread_find(const cs_perfettoread *reader, cs_pftread_key key, uint32_t sequence,
                      uint64_t id);

/* Finds it, or makes one of zeros. CS_ERR_FORMAT beyond CS_PERFETTOREAD_HELD. */
cs_status cs_pftread_make(cs_perfettoread *reader, cs_pftread_key key, uint32_t sequence,
                          uint64_t id, void **out);
void cs_pftread_free(cs_perfettoread *reader);

/* Memory that is kept, counted. `*memory` of *room bytes has at least `bytes` then. */
cs_status cs_pftread_reserve(cs_perfettoread *reader, void **memory, size_t *room, size_t bytes);

/* text := bytes[0..nr), or behind what it has and `between`. */
cs_status cs_pftread_set(cs_perfettoread *reader, cs_pftread_text *text, const void *bytes,
                         size_t nr);
cs_status cs_pftread_append(cs_perfettoread *reader, cs_pftread_text *text, const char *between,
                            const void *bytes, size_t nr);

/* The text with this number; CS_ERR_FORMAT where there is none, and none was lost. */
cs_status cs_pftread_interned(cs_perfettoread *reader, cs_pftread_key key,
                              const cs_protoread_field *iid, const char **out);

/* ---- packet.c: what a packet says beside its event ---- */

cs_status cs_pftread_interned_data(cs_perfettoread *reader, const cs_protoread_field *field);
cs_status cs_pftread_clocks(cs_perfettoread *reader, const cs_protoread_field *field);
/* Into the packet, from timestamp and timestamp_clock_id (number 0: not there). It has none where
 * nobody said what its clock is. */
cs_status cs_pftread_time(cs_perfettoread *reader, const cs_protoread_field *timestamp,
                          const cs_protoread_field *clock);

/* ---- track.c ---- */

cs_status cs_pftread_describe(cs_perfettoread *reader, const cs_protoread_field *field);
cs_status cs_pftread_describe_thread(cs_perfettoread *reader, const cs_protoread_field *field);
/* Sets the event's track, group and uuid. */
cs_status cs_pftread_place(cs_perfettoread *reader, cs_pftread_track *track);
cs_status cs_pftread_begin_slice(cs_perfettoread *reader, cs_pftread_track *track);
cs_status cs_pftread_end_slice(cs_perfettoread *reader, cs_pftread_track *track);
/* The event becomes a counter's with this value. */
cs_status cs_pftread_count_of(cs_perfettoread *reader, cs_pftread_track *track, bool real,
                              uint64_t value, uint64_t offset);

/* ---- args.c ---- */

/* The DebugAnnotations of the packet's TrackEvent, into the event. */
cs_status cs_pftread_arguments(cs_perfettoread *reader);

/* One more; `text` is what its field says. */
cs_status cs_pftread_argument(cs_perfettoread *reader, const char *name,
                              const cs_protoread_field *field, const char *text, size_t bytes,
                              bool is_number);

/* ---- event.c ---- */

cs_status cs_pftread_track_event(cs_perfettoread *reader);
/* The next of the extra counters; *there false: none is left. */
cs_status cs_pftread_next_extra(cs_perfettoread *reader, bool *there);

#endif

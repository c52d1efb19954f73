// SPDX-License-Identifier: Apache-2.0
/* Internal: the reader of perf.data and what its parts share. */
#ifndef CS_FORMATS_PERF_READ_IMPL_H
#define CS_FORMATS_PERF_READ_IMPL_H

#include "formats/perf/read/cursor.h"
#include "formats/perf/read/data.h"

#define CS_PERFREAD_NAME_BYTES 256u
#define CS_PERFREAD_WINDOW_BYTES (1u << 17) /* more than the largest record */
#define CS_PERFREAD_RECORD_HEADER_BYTES 8u

/* Where bytes come from: either source, and a window of what was read. */
typedef struct cs_perfread_input {
    bool seek;
    cs_seek_source seekable;
    cs_byte_source stream;
    uint64_t position; /* of window[begin] in the file */
    uint64_t end;      /* no byte at or behind it is read; UINT64_MAX: not known */
    size_t begin;
    size_t filled;
    uint8_t *window; /* [CS_PERFREAD_WINDOW_BYTES] */
} cs_perfread_input;

/* Makes `bytes` (at most the window's) follow window[begin], if there are as many; *there says
 * how many there are, more perhaps than asked for. */
cs_status cs_perfread_fill(cs_perfread_input *input, size_t bytes, size_t *there, cs_diag *diag);
void cs_perfread_skip_window(cs_perfread_input *input, size_t bytes); /* of those that are there */

/* Strings and lists that live as long as the reader, in blocks. */
typedef struct cs_perfread_arena {
    struct cs_perfread_block *blocks;
    size_t used; /* bytes of all, against CS_PERFREAD_MOST_FACT_BYTES */
} cs_perfread_arena;

void *cs_perfread_keep(cs_perfread_arena *arena, size_t bytes); /* zeroed; NULL: no memory */
const char *cs_perfread_keep_text(cs_perfread_arena *arena, const char *text);
void cs_perfread_arena_free(cs_perfread_arena *arena);

/* What the events have in common, so that a record finds its own. */
typedef struct cs_perfread_common {
    size_t nr_events; /* of which this was made */
    bool has_id_word; /* the samples of all have their id in the same word of the payload */
    size_t id_word;   /* from its begin */
    bool has_id_back; /* likewise the other records, counted from the end: 1 is the last */
    size_t id_back;
    bool same_sample;  /* samples of all are laid out alike */
    bool same_trailer; /* likewise the sample_id of other records */
} cs_perfread_common;

/* From ids to events: open addressing, a power of two of slots, at most half full. */
typedef struct cs_perfread_id_slot {
    uint64_t id;
    uint32_t event; /* index + 1; 0: free */
} cs_perfread_id_slot;

typedef struct cs_perfread_part {
    cs_seek_source source;
    const char *name;
} cs_perfread_part;

typedef struct cs_perfread_unpack cs_perfread_unpack;

struct cs_perfread {
    char name[CS_PERFREAD_NAME_BYTES];
    cs_perfread_input input;
    cs_perfread_unpack *unpack; /* NULL: there was no compressed record */
    cs_perfread_part *parts;    /* still to be read from next_part on */
    size_t nr_parts, next_part;
    const char *part; /* that is read; NULL: the file itself */
    cs_perfread_facts facts;
    cs_perfread_arena arena;
    cs_perfread_event *events;
    size_t events_room;
    cs_perfread_common common;
    cs_perfread_id_slot *ids;
    size_t ids_room;
    size_t nr_ids;
    uint64_t file_bytes; /* of a pipe UINT64_MAX */
    uint64_t data_end;   /* likewise */
    uint64_t index;      /* of the next record */
    uint64_t payload_left;
    cs_perfread_record record;
    cs_status failed; /* once it has; text in `failure` */
    cs_diag failure;
};

/* attr.c: the attr at the cursor, at most `bytes` of it (0: as many as it says), as a new
 * event with the ids, which follow in `ids`. */
cs_status cs_perfread_add_event(cs_perfread *reader, cs_perfread_cursor *cursor, size_t bytes,
                                uint32_t *index, cs_diag *diag);
cs_status cs_perfread_add_ids(cs_perfread *reader, uint32_t event, const cs_perfread_words *ids,
                              uint64_t offset, cs_diag *diag);

/* layout.c: how a record finds its event, and its event says how it is laid out. */
/* The event of a sample (its payload in `cursor`), or of another record of the kernel; *layout is
 * the event that says what fields there are. *event is NULL where the record does not tell or its
 * id is nobody's; *layout then, too, where the events differ: the cursor has failed. */
void cs_perfread_find_event(cs_perfread *reader, cs_perfread_cursor *cursor, bool sample,
                            const cs_perfread_event **event, const cs_perfread_event **layout);
/* Bytes of the sample_id at a record's end. */
size_t cs_perfread_trailer_bytes(const cs_perfread_event *layout);
void cs_perfread_take_trailer(cs_perfread_cursor *cursor, const cs_perfread_event *layout,
                              cs_perfread_who *who);

/* sample.c */
void cs_perfread_take_sample(cs_perfread_cursor *cursor, const cs_perfread_event *layout,
                             cs_perfread_record *record);
void cs_perfread_take_values(cs_perfread_cursor *cursor, uint64_t format,
                             cs_perfread_values *values);

/* kernel.c: a record of a known type below CS_PERFREAD_FIRST_USER that is no sample; the
 * cursor ends before the sample_id. */
void cs_perfread_take_kernel(cs_perfread_cursor *cursor, const cs_perfread_event *layout,
                             cs_perfread_record *record);

/* user.c: perf's own. */
cs_status cs_perfread_take_user(cs_perfread *reader, cs_perfread_cursor *cursor,
                                cs_perfread_record *record, cs_diag *diag);
void cs_perfread_take_build_id(cs_perfread_cursor *cursor, uint16_t misc, cs_perfread_build_id *id);

/* feature.c: feature `number` in the cursor, into the facts. */
cs_status cs_perfread_take_feature(cs_perfread *reader, unsigned number, cs_perfread_cursor *cursor,
                                   cs_diag *diag);

/* unpack.c: the piece, which stays where it is until all of it has been read, is the next one; what
 * has come out of all pieces, and the compressed record that the last one is in. */
cs_status cs_perfread_unpack_piece(cs_perfread *reader, const cs_perfread_blob *piece,
                                   uint64_t offset, cs_diag *diag);
cs_perfread_input *cs_perfread_unpacked(cs_perfread_unpack *unpack, uint64_t *offset);
void cs_perfread_unpack_free(cs_perfread_unpack *unpack); /* NULL is allowed */

/* header.c */
cs_status cs_perfread_take_header(cs_perfread *reader, cs_diag *diag);

cs_status cs_perfread_no_memory(const cs_perfread *reader, cs_diag *diag);

#endif

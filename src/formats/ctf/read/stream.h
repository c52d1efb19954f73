// SPDX-License-Identifier: Apache-2.0
/* Internal to the CTF reader: one stream's packets and events, in the file's order. */
#ifndef CS_FORMATS_CTF_READ_STREAM_H
#define CS_FORMATS_CTF_READ_STREAM_H

#include "formats/common/event_fields.h"
#include "formats/ctf/read/tsdl.h"

#define CS_CTF_WINDOW_BYTES 16384u

/* Positions are bits from the file's begin. */
typedef struct cs_ctf_reading {
    const cs_tsdl *metadata;
    char *path;       /* of the file */
    const char *name; /* the last part of path */
    uint64_t file_bytes;
    uint64_t packet, packet_end; /* of the packet that is being read */
    uint64_t content_end;
    uint64_t at;
    const cs_tsdl_stream_class *stream;
    cs_event_fields fields; /* of the event */
    struct {
        char *name, *text;
        uint64_t number;
        bool is_number;
    } * packet_fields; /* what each event of the packet gets */
    size_t nr_packet_fields, packet_room;
    uint64_t clock;
    bool has_clock;
    uint64_t event_at; /* of the event that was read */
    const cs_tsdl_event_class *event;
    unsigned visits; /* of types, in what is being read */
    uint64_t window_at;
    size_t window_bytes;
    uint8_t window[CS_CTF_WINDOW_BYTES];
    cs_diag *diag;
} cs_ctf_reading;

/* `path` is taken over. */
cs_status cs_ctf_reading_open(cs_ctf_reading *s, const cs_tsdl *metadata, char *path,
                              cs_diag *diag);
void cs_ctf_reading_close(cs_ctf_reading *s);

/* The next event into *s; event NULL: there is none. */
cs_status cs_ctf_reading_next(cs_ctf_reading *s, cs_diag *diag);

#endif

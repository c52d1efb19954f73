// SPDX-License-Identifier: Apache-2.0
/* Writes Common Trace Format 1.8, as babeltrace2 and Trace Compass read it: a folder with one text,
 * `metadata`, and a binary file for each stream of events. A caller declares its kinds of streams
 * and events in tables, opens streams, and hands over events; each goes into its stream's packet,
 * and full packets into the file. Memory: one packet a stream, whatever the number of events.
 *
 * Every packet tells its first and last time, its content and whole size, and its number in its
 * stream. Times are cycles of one clock. Integers are little endian; nothing but packets is padded.
 *
 * An identifier here is one of C of at most CS_CTF_IDENTIFIER_BYTES that is no word of TSDL ("event",
 * "stream"); names of fields may be such words. A text in a table has at most CS_CTF_TEXT_BYTES. */
#ifndef CS_FORMATS_CTF_WRITE_CTF_H
#define CS_FORMATS_CTF_WRITE_CTF_H

#include <stddef.h>
#include <stdint.h>

#include "formats/common/field.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_CTF_UUID_BYTES 16u
#define CS_CTF_PACKET_BYTES 65536u /* of cs_ctf_config.packet_bytes where it is 0 */
#define CS_CTF_MAX_FIELDS 32u      /* of an event */
/* Of what stands in the metadata at most: our reader takes no more. */
#define CS_CTF_IDENTIFIER_BYTES 255u
#define CS_CTF_TEXT_BYTES 1023u
#define CS_CTF_EVENT_BYTES (1u << 20) /* and of an event's values, texts with their 0 */

typedef struct cs_ctf_event_class {
    const char *name;       /* a text; readers show it before the fields */
    const cs_field *fields; /* no name twice */
    size_t nr_fields;       /* 1..CS_CTF_MAX_FIELDS */
} cs_ctf_event_class;

/* A kind of streams: their events, and the number that tells one such stream from another. */
typedef struct cs_ctf_stream_class {
    /* An identifier: what that number is called, as "cpu_id". Not "packet_size", "content_size",
     * "timestamp_begin", "timestamp_end", "packet_seq_num", which a packet has itself, nor one of these
     * behind an underscore. */
    const char *instance;
    const cs_ctf_event_class *events;
    size_t nr_events; /* 1..65535 */
} cs_ctf_stream_class;

/* A fact about the whole trace: text, or where that is NULL a number. */
typedef struct cs_ctf_fact {
    const char *name; /* an identifier */
    const char *text;
    int64_t number;
} cs_ctf_fact;

typedef struct cs_ctf_config {
    uint64_t clock_hz;      /* >= 1; events carry cycles of this clock, from its cycle 0 on */
    const char *clock_name; /* an identifier */
    uint8_t uuid[CS_CTF_UUID_BYTES]; /* traces with the same one are taken for one */
    const cs_ctf_fact *facts;
    size_t nr_facts;
    const cs_ctf_stream_class *classes;
    size_t nr_classes;
    /* What a packet has room for, header included; 256..2^26, 0: CS_CTF_PACKET_BYTES. An event
     * that is larger gets a packet of its own. */
    size_t packet_bytes;
} cs_ctf_config;

typedef struct cs_ctf cs_ctf;
typedef struct cs_ctf_stream cs_ctf_stream;

/* Makes the folder `path`, which must not exist or be empty, and its metadata. The tables are
 * borrowed until close. CS_ERR_RANGE: something in *config that is not as above (the text says
 * what), CS_ERR_IO, CS_ERR_NO_MEMORY; *out is NULL then, and nothing is left in the folder. */
cs_status cs_ctf_create(const char *path, const cs_ctf_config *config, cs_ctf **out, cs_diag *diag);

/* A stream of classes[class_index], in the file `name` (letters, digits, '_', '-', '.'; not
 * "metadata", none twice). It belongs to the trace. Errors as above; *out is NULL then. */
cs_status cs_ctf_open(cs_ctf *trace, unsigned class_index, uint32_t instance, const char *name,
                      cs_ctf_stream **out, cs_diag *diag);

/* What readers show in place of the stream's number: a copy of `label`, which stands in the metadata once
 * the trace is closed. Of streams of one class with one number the first name counts.
 * CS_ERR_RANGE: it is longer than CS_CTF_TEXT_BYTES, and the name stays what it was;
 * CS_ERR_NO_MEMORY. */
cs_status cs_ctf_label(cs_ctf_stream *stream, const char *label, cs_diag *diag);

/* One event: `values` has as many as its class has fields. Times of a stream never fall.
 * CS_ERR_RANGE: an event that the class has not, a time below the last, a value that its field
 * does not hold, text that is NULL, or more than CS_CTF_EVENT_BYTES; nothing is written then.
 * CS_ERR_IO and CS_ERR_NO_MEMORY end the trace: every later call has the same answer. */
cs_status cs_ctf_put(cs_ctf_stream *stream, unsigned event, uint64_t cycle,
                     const cs_field_value *values);

/* Everything is in the files; a stream without events has a packet without events. The first
 * failure that there was, with its reason. The object is gone afterwards, the files stay. */
cs_status cs_ctf_close(cs_ctf *trace, cs_diag *diag);

/* Removes what was written, the folder too if create made it. NULL is allowed. */
void cs_ctf_abandon(cs_ctf *trace);

#ifdef __cplusplus
}
#endif

#endif

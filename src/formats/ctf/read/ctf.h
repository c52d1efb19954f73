// SPDX-License-Identifier: Apache-2.0
/* Reads a trace of the Common Trace Format 1.8: a folder with `metadata` (TSDL) and a file a stream.
 * The events of all streams come in the order of their times. Of the format there is all but
 * variants, metadata in packets, and several clocks that do not start together. */
#ifndef CS_FORMATS_CTF_READ_CTF_H
#define CS_FORMATS_CTF_READ_CTF_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/event_fields.h"
#include "formats/common/table.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_CTFREAD_MAX_METADATA (16u << 20)

typedef struct cs_ctfread_event {
    const char *stream; /* the file's name in the folder */
    uint64_t offset;    /* of its first byte in that file */
    uint64_t time;      /* of the clock that its header maps to; 0: no clock */
    uint64_t stream_id;
    const char *name;
    cs_event_fields *fields; /* what the packet and its contexts say, then its own */
} cs_ctfread_event;

typedef struct cs_ctfread cs_ctfread;

/* Reads the metadata and opens the streams of folder `path`. CS_ERR_IO; CS_ERR_FORMAT and
 * CS_ERR_UNSUPPORTED of the metadata, with line and byte; CS_ERR_NO_MEMORY. */
cs_status cs_ctfread_open(const char *path, cs_ctfread **out, cs_diag *diag);
void cs_ctfread_close(cs_ctfread *reader);

/* *event is the next, valid until the next call; *there is false at the end. CS_ERR_FORMAT: damage, with file,
 * byte, what was expected and found; the same again after that. */
cs_status cs_ctfread_next(cs_ctfread *reader, cs_ctfread_event *event, bool *there, cs_diag *diag);

/* Prints a row an event. */
cs_status cs_ctfread_print(cs_ctfread *reader, cs_table_format format, const cs_text_sink *sink,
                           cs_diag *diag);

/* Whether `path` is a folder with a file `metadata`. */
bool cs_ctfread_looks_so(const char *path);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Reads Trace Event files (the JSON that chrome://tracing and ui.perfetto.dev open): an object with
 * "traceEvents", or the array alone. Events come in the file's order, one at a time; the other keys
 * of the object are passed over. */
#ifndef CS_FORMATS_PERFETTO_READ_JSON_H
#define CS_FORMATS_PERFETTO_READ_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/event_fields.h"
#include "formats/common/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_traceevent {
    uint64_t offset;                              /* of its '{' in the file */
    char phase;                                   /* "ph": 'X', 'i', 'C', 'M', .. */
    const char *name, *category, *pid, *tid, *id; /* NULL: not said */
    bool has_time, has_duration;
    int64_t time_ns, duration_ns; /* rounded towards 0 */
    cs_event_fields args;         /* of an inner object or array as "name.inner", "name.0" */
} cs_traceevent;

typedef struct cs_traceread cs_traceread;

/* `name` (borrowed) is for messages. An array alone may lack its end, as the format allows.
 * CS_ERR_NO_MEMORY. */
cs_status cs_traceread_open(const cs_byte_source *source, const char *name, cs_traceread **out,
                            cs_diag *diag);
void cs_traceread_close(cs_traceread *reader);

/* *event is the next event, valid until the next call; NULL at the end. CS_ERR_FORMAT: damage, with
 * the byte, what was expected and found; the same again after that. */
cs_status cs_traceread_next(cs_traceread *reader, cs_traceevent **event, cs_diag *diag);

/* Prints a row an event. */
cs_status cs_traceread_print(cs_traceread *reader, cs_table_format format, const cs_text_sink *sink,
                             cs_diag *diag);

/* Whether a file that begins so is of this format; an array of objects is, so that a table in JSON has to
 * be ruled out first. */
bool cs_traceread_looks_so(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif

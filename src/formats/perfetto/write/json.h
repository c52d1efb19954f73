// SPDX-License-Identifier: Apache-2.0
/* Writes a timeline as the Trace Event Format's JSON, which ui.perfetto.dev opens, and whatever else reads
 * the format of chrome://tracing: groups (its processes) of tracks (its threads), and on them slices,
 * instants and counters. An event is a line, nothing is kept but the line: a timeline may be of any
 * length and in any order of time.
 *
 * Times are cycles; in the file they are microseconds with three decimals, rounded down to
 * nanoseconds, the end of a slice like its begin. So slices that follow each other, or lie within,
 * do so in the file. Numbers that JavaScript does not hold (above 2^53) and hexadecimal ones are texts. Bytes
 * of a text that are not UTF-8 become U+FFFD. */
#ifndef CS_FORMATS_PERFETTO_WRITE_JSON_H
#define CS_FORMATS_PERFETTO_WRITE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/common/field.h"
#include "formats/common/table.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERFETTO_BUFFER_BYTES 4096u
/* Of a counter's unit at most. It is an argument's name in JSON, where a byte becomes three at worst, and
 * our reader takes names of 511. */
#define CS_PERFETTO_UNIT_BYTES 170u

/* To be filled by cs_perfetto_begin; the members are the writer's. */
typedef struct cs_perfetto {
    cs_text_sink sink;
    unsigned clock_mhz;
    bool any;         /* an event has been written */
    cs_status status; /* the first of the sink's that was not CS_OK */
    size_t held;      /* of buffer */
    char buffer[CS_PERFETTO_BUFFER_BYTES];
} cs_perfetto;

/* A track of a group. Numbers are the caller's; no track has the number of another, whatever its
 * group, and 0 is neither a group nor a track. */
typedef struct cs_perfetto_track {
    unsigned group;
    unsigned track;
} cs_perfetto_track;

/* What an event carries beside its name; nr 0: nothing. */
typedef struct cs_perfetto_args {
    const cs_field *fields;
    const cs_field_value *values;
    size_t nr;
} cs_perfetto_args;

/* `clock_mhz` >= 1: cycles in a microsecond. `facts` are about the whole timeline. All functions
 * return the sink's first status that was not CS_OK. Besides, those of events return CS_ERR_RANGE, and
 * write nothing, for a time of 2^63 ns or more, which no reader takes, and for what is said with them;
 * it is not kept. */
cs_status cs_perfetto_begin(cs_perfetto *timeline, const cs_text_sink *sink, unsigned clock_mhz,
                            const cs_perfetto_args *facts);

/* Names; viewers show groups, and the tracks of a group, by rising `order`. */
cs_status cs_perfetto_name_group(cs_perfetto *timeline, unsigned group, const char *name,
                                 unsigned order);
cs_status cs_perfetto_name_track(cs_perfetto *timeline, cs_perfetto_track track, const char *name,
                                 unsigned order);

/* Something that lasted from the beginning of cycle `from` to that of `to`. Slices of one track lie
 * within each other, or are disjoint. CS_ERR_RANGE: `to` is below `from`. */
cs_status cs_perfetto_slice(cs_perfetto *timeline, cs_perfetto_track track, const char *name,
                            uint64_t from, uint64_t to, const cs_perfetto_args *args);
/* Something that happened in a cycle. */
cs_status cs_perfetto_instant(cs_perfetto *timeline, cs_perfetto_track track, const char *name,
                              uint64_t cycle, const cs_perfetto_args *args);
/* From `cycle` on the group's counter `name` has the value, in `unit`. CS_ERR_RANGE: the value is not
 * finite, which JSON has no number for, or the unit has more than CS_PERFETTO_UNIT_BYTES. */
cs_status cs_perfetto_counter(cs_perfetto *timeline, unsigned group, const char *name,
                              const char *unit, uint64_t cycle, double value);

/* The file is whole. */
cs_status cs_perfetto_end(cs_perfetto *timeline);

#ifdef __cplusplus
}
#endif

#endif

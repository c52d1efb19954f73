// SPDX-License-Identifier: Apache-2.0
/* The software stream: what software does leaves it as records, as what hardware does leaves it as
 * those of countersink/base/probe/probe.h. Drivers get a sink and do not know what listens; what listens to a run
 * adds kinds of its own, such as a count with its truth.
 *
 * A kind is declared by CS_SOFT_KIND in the header of whoever emits it, with the type of what its records
 * tell. There is no list of all kinds. */
#ifndef CS_BASE_SOFT_H
#define CS_BASE_SOFT_H

#include <stddef.h>
#include <stdio.h>

#include "base/require.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Known by its address. */
typedef struct cs_soft_kind {
    const char *name;                              /* for people: "page fault" */
    void (*print)(const void *untyped, FILE *out); /* NULL: there is nothing to print */
} cs_soft_kind;

typedef struct cs_soft_record {
    const cs_soft_kind *kind;
    cs_cycle cycle;
    unsigned cpu;        /* that did it, or that it is about */
    const void *untyped; /* valid during the call; to be read by cs_told_<kind> alone */
} cs_soft_record;

/* Where software sends its records. Those of one CPU come in the order of their cycles. */
typedef struct cs_soft_sink {
    void (*record)(void *ctx, const cs_soft_record *record);
    void *ctx;
} cs_soft_sink;

/* Of a kind that tells nothing but itself: NULL. */
typedef struct cs_nothing cs_nothing;

/* Declares the kind cs_soft_NAME, whose records tell a TYPE, and the two functions that know so:
 * cs_tell_NAME emits a record (nobody listens where the sink, or its function, is NULL), and
 * cs_told_NAME gives what a record tells. */
#define CS_SOFT_KIND(NAME, TYPE)                                                                   \
    extern const cs_soft_kind cs_soft_##NAME;                                                      \
    static inline void cs_tell_##NAME(const cs_soft_sink *sink, cs_cycle cycle, unsigned cpu,      \
                                      const TYPE *what)                                            \
    {                                                                                              \
        const cs_soft_record record = {&cs_soft_##NAME, cycle, cpu, what};                         \
                                                                                                   \
        if (sink != NULL && sink->record != NULL)                                                  \
            sink->record(sink->ctx, &record);                                                      \
    }                                                                                              \
    static inline const TYPE *cs_told_##NAME(const cs_soft_record *record)                         \
    {                                                                                              \
        CS_REQUIRE(record->kind == &cs_soft_##NAME, "a record \"%s\" is read as \"%s\"",           \
                   record->kind->name, cs_soft_##NAME.name);                                       \
        return (const TYPE *)record->untyped;                                                      \
    }

/* Defines a kind, with its name for people; the body of the function behind it prints `what` to
 * `out`, as "field value, field value". */
#define CS_SOFT_PRINTED(NAME, TYPE, TEXT)                                                          \
    static void print_##NAME(const TYPE *what, FILE *out);                                         \
    static void print_untyped_##NAME(const void *untyped, FILE *out)                               \
    {                                                                                              \
        print_##NAME((const TYPE *)untyped, out);                                                  \
    }                                                                                              \
    const cs_soft_kind cs_soft_##NAME = {TEXT, print_untyped_##NAME};                              \
    static void print_##NAME(const TYPE *what, FILE *out)

/* A line of a log: cycle, CPU, kind and what it tells. */
void cs_soft_print(const cs_soft_record *record, FILE *out);

/* Whoever asks for this kind hears all records, before others do. None is of it. */
extern const cs_soft_kind cs_soft_every;

/* What is called for the records of a kind; in lists the last has the kind NULL. */
typedef struct cs_soft_hearing {
    const cs_soft_kind *kind;
    void (*hear)(void *ctx, const cs_soft_record *record);
} cs_soft_hearing;

/* Hands each record to those who want its kind, in the order in which they joined. */
typedef struct cs_soft_stream cs_soft_stream;

/* Errors of both: CS_ERR_NO_MEMORY. */
cs_status cs_soft_stream_create(cs_soft_stream **out, cs_diag *diag);
void cs_soft_stream_destroy(cs_soft_stream *stream); /* NULL is allowed */
/* `hearings` (NULL: none) is copied. */
cs_status cs_soft_stream_join(cs_soft_stream *stream, const cs_soft_hearing *hearings, void *ctx,
                              cs_diag *diag);
/* A record may be put while another is being heard. */
cs_soft_sink cs_soft_stream_sink(cs_soft_stream *stream);

#ifdef __cplusplus
}
#endif

#endif

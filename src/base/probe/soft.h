// SPDX-License-Identifier: Apache-2.0
/* The software stream: what software does leaves it as records, as what hardware does leaves it as
 * those of countersink/base/probe/probe.h. Drivers get a sink and do not know what listens; what listens to a run
 * adds kinds of its own, such as a count with its truth.
 *
 * A kind is a constant that the header of whoever emits it declares, with the type of what its records
 * tell. There is no list of all kinds. */
#ifndef CS_BASE_SOFT_H
#define CS_BASE_SOFT_H

#include <stddef.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Known by its address. */
typedef struct cs_soft_kind {
    const char *name; /* for people: "page fault" */
} cs_soft_kind;

typedef struct cs_soft_record {
    const cs_soft_kind *kind;
    cs_cycle cycle;
    unsigned cpu;     /* that did it, or that it is about */
    const void *what; /* of the kind's type; valid during the call */
} cs_soft_record;

/* Where software sends its records. Those of one CPU come in the order of their cycles. */
typedef struct cs_soft_sink {
    void (*record)(void *ctx, const cs_soft_record *record);
    void *ctx;
} cs_soft_sink;

/* Nobody listens where the sink, or its function, is NULL. */
static inline void cs_soft_emit(const cs_soft_sink *sink, const cs_soft_kind *kind, cs_cycle cycle,
                                unsigned cpu, const void *what)
{
    const cs_soft_record record = {kind, cycle, cpu, what};

    if (sink != NULL && sink->record != NULL)
        sink->record(sink->ctx, &record);
}

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

// SPDX-License-Identifier: Apache-2.0
/* Runs two systems of one scenario side by side and compares all that can be observed:
 * every record of the probe stream as it is made, and memory at the end. Nothing is
 * copied from one side to the other and nothing is masked. */
#ifndef CS_LOCKSTEP_COMPARE_H
#define CS_LOCKSTEP_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lockstep/coverage.h"
#include "lockstep/die/find.h"
#include "lockstep/difference.h"
#include "lockstep/exercise.h"
#include "scenario/scenario.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_COMPARE_CONTEXT 8u

/* The last records of one side: those that agreed, then the first that does not. */
typedef struct cs_compare_tail {
    cs_probe_record records[CS_COMPARE_CONTEXT];
    size_t count;
    bool has_record; /* the last of them is the diverging one; false: this side has none */
} cs_compare_tail;

typedef enum cs_compare_what {
    CS_COMPARE_EQUAL,
    CS_COMPARE_RECORD, /* two records differ, or one side has one that the other has not */
    CS_COMPARE_END,    /* the software ended in different cycles */
    CS_COMPARE_MEMORY, /* all records agree, memory does not */
    CS_COMPARE_IDLE,   /* all agrees, but a part of the hardware did nothing (exercise.h) */
    CS_COMPARE_NOTHING /* there was no hardware to compare */
} cs_compare_what;

/* Model and RTL do not agree. */
static inline bool cs_compare_differs(cs_compare_what what)
{
    return what == CS_COMPARE_RECORD || what == CS_COMPARE_END || what == CS_COMPARE_MEMORY;
}

typedef struct cs_compare_report {
    cs_compare_what what;
    uint64_t cycles; /* compared */
    uint64_t records;
    uint64_t of_kind[5];   /* records by cs_probe_kind */
    uint64_t perf_samples; /* that perf has got: samples of software */
    bool memory;           /* it was compared: the software has ended */
    uint64_t memory_bytes; /* of the pages that were touched */
    uint64_t model_ns;     /* wall time spent in each side */
    uint64_t rtl_ns;
    /* the first divergence */
    cs_cycle cycle;
    /* Of the record; "record" when one side has none, "data" of a transfer, "end" or "byte". */
    const char *field;
    uint64_t model_value;
    uint64_t rtl_value;
    uint64_t address; /* of the first byte that differs, of "data" and "byte" */
    cs_compare_tail model;
    cs_compare_tail rtl;
    cs_difference difference; /* what else there is to tell */
} cs_compare_report;

typedef struct cs_compare_options {
    cs_cycle limit_cycles; /* 0: to the end of the software */
    uint64_t budget_ns;    /* refuse, with an estimate, what the RTL cannot do in this wall
                              time; 0: no limit */
    cs_die_options die;    /* which RTL to take */
    cs_coverage *coverage; /* sees the records of both sides; NULL: nobody does */
    void (*progress)(void *ctx, cs_cycle cycles); /* may be NULL */
    void *progress_ctx;
    void (*warn)(void *ctx, const char *text); /* what software warns of; may be NULL */
    void *warn_ctx;
    /* Called with each record that both sides have, in the order of cycles; may be NULL. */
    void (*agreed)(void *ctx, const cs_probe_record *record);
    void *agreed_ctx;
    /* Filled with what was looked at: an empty one (cs_exercise_create), or NULL. */
    cs_exercise *exercise;
} cs_compare_options;

/* CS_OK: compared; report->what says with which outcome. CS_ERR_UNSUPPORTED: no RTL of
 * this shape (cs_die_find), or longer than the budget (the text says how long it would take). */
cs_status cs_compare(const cs_scenario *scenario, const cs_compare_options *options,
                     cs_compare_report *report, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

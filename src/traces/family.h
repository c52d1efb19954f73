// SPDX-License-Identifier: Apache-2.0
/* How the perf commands of a section come into traces: what they open, and what a run tells of it.
 * families.h lists them all. A hook that is NULL has nothing to do. */
#ifndef CS_TRACES_FAMILY_H
#define CS_TRACES_FAMILY_H

#include "scenario/perf_commands.h"
#include "traces/common/builder.h"
#include "traces/common/cpus.h"
#include "traces/common/feed.h"

/* What the kernel said when perf opened an event. */
typedef struct cs_trace_opening {
    unsigned command, event;
    const char *why; /* it is refused; NULL: it is open */
} cs_trace_opening;

/* AUX data, which only a reader that knows them can decode. */
typedef struct cs_trace_aux {
    const char *of;   /* whose they are: "the ..." */
    uint32_t decoder; /* perf's number of who reads them */
    /* Whether that decoder can read those of the scenario; CS_ERR_SCENARIO. */
    cs_status (*check)(const cs_scenario *s, cs_diag *diag);
    uint64_t (*watermark)(const cs_scenario *s); /* bytes after which perf reads what has come */
} cs_trace_aux;

typedef struct cs_trace_family {
    const cs_section *section; /* whose commands they are */
    const cs_trace_cpu *cpu;   /* on whose machine perf runs; NULL: that of the event's CPU */
    /* Adds the events of a command. */
    void (*open)(cs_events_builder *builder, const cs_perf_command *command);
    /* In the flavour `faithful` each of its events stands for some; NULL: there are none. */
    const cs_trace_aux *aux;

    /* ---- commands that sample ---- */
    const cs_soft_kind *opened; /* NULL: nothing is refused */
    void (*opening)(const cs_soft_record *record, cs_trace_opening *out);
    /* Before the run: hears what there is to hear, with the feed as ctx. *state is the family's. */
    cs_status (*listen)(cs_trace_feed *feed, void **state, cs_run_listener *listener,
                        cs_diag *diag);
    void (*begin)(cs_trace_feed *feed, void *state); /* the environment is there */
    void (*destroy)(void *state);

    /* ---- commands that count ---- */
    const cs_count_family *counts; /* NULL: their counters go round */
} cs_trace_family;

#define CS_DECLARE_FAMILY(name) extern const cs_trace_family cs_trace_family_##name;
CS_TRACE_FAMILIES(CS_DECLARE_FAMILY)
#undef CS_DECLARE_FAMILY

/* In the order of families.h. */
extern const cs_trace_family *const cs_trace_families[CS_NR_TRACE_FAMILIES];

#endif

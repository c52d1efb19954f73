// SPDX-License-Identifier: Apache-2.0
/* A part of the results of a run: what is told of one unit, or of one thing that many units have. Each
 * part listens for itself, has tables of its own in the truth, and says its share of the summary. What
 * is general (run.c, summary.c, ways.c, truth/) knows the list of parts (parts.h) and no unit.
 *
 * A part that the scenario has nothing for leaves its state NULL; then nothing else of it is called. */
#ifndef CS_RESULTS_PART_H
#define CS_RESULTS_PART_H

#include <stdio.h>

#include "base/probe/soft.h"
#include "drivers/environment.h"
#include "results/common/memory_images.h"
#include "results/figures.h"
#include "results/run_folder.h"
#include "results/truth/truth.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_part cs_part;
struct cs_run_result;
struct cs_summary;

/* What a part has of its run, until `close`. */
typedef struct cs_part_run {
    const cs_scenario *scenario;
    cs_environment *environment;
    cs_run_folder *folder;
    cs_truth *truth;
    cs_soft_sink soft; /* for records that parts make of others */
    struct cs_run_result *result;
    unsigned probes; /* in `open`: the part's own `probes`; it may take away what will not come */
    bool wants_data; /* in `open`: a part looks at `data` */
    const uint8_t *data; /* in `probe`: the bytes of a BUS record; NULL: no part wants them */
    /* From `finish` on: */
    cs_cycle end;
    bool ended;               /* the software has; false: it was cut */
    const char *ending;       /* why the run ended; NULL: the next part that knows may say it */
    uint64_t software_cycles; /* that software took from the workloads: parts add to it */
} cs_part_run;

/* Kept for the end of the run, if there is room. */
void cs_part_warn(const cs_part_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The run fails, unless it is CS_OK. */
void cs_part_fail(const cs_part_run *run, cs_status status);

/* Parts of what is told at the end come by rising places. */
typedef enum cs_part_view {
    CS_PART_FIGURES, /* lines of summary.txt and keys of summary.json */
    CS_PART_TEXT,    /* a table of summary.txt */
    CS_PART_JSON,    /* a list of summary.json */
    CS_PART_WAYS,    /* figures that ways are compared by; a later one overrides */
    CS_PART_VIEWS
} cs_part_view;

/* What records of its units mean: of sources `first` and the count - 1 after it. */
typedef struct cs_part_source {
    uint16_t first, count;
    const char *const *states; /* names, by number */
    size_t nr_states;
    /* The number of a unit in the truth, of the i-th source; NULL: i. */
    unsigned (*number)(const cs_scenario *scenario, unsigned i);
    bool own_accesses; /* REG records have a table of its own, in place of `access` */
} cs_part_source;

#define CS_PART_HEARS(kind) (1u << (kind)) /* of cs_probe_kind */

struct cs_part {
    const char *name;
    const cs_truth_table *const *tables;         /* of the truth; the last is NULL; NULL: none */
    bool (*wanted)(const cs_scenario *scenario); /* the truth has the tables; NULL: each has */
    /* *state is NULL at first. After a failure, too, `close` and `destroy` are called for what it has. */
    cs_status (*open)(cs_part_run *run, void **state, cs_diag *diag);
    /* Those below may be NULL. */
    unsigned probes; /* the records that `probe` wants */
    void (*probe)(void *state, const cs_probe_record *record);
    const cs_soft_hearing *hearings; /* with the state as ctx; the last has the kind NULL */
    /* All records of cycles below `cycle` have been given. */
    void (*known)(void *state, cs_cycle cycle);
    /* The run has ended: its rows of the truth, and all that its figures need. */
    cs_status (*finish)(void *state, cs_diag *diag);
    /* Its files are complete, of a run that failed, too. Called more than once. */
    cs_status (*close)(void *state, cs_diag *diag);
    void (*destroy)(void *state);
    unsigned place[CS_PART_VIEWS]; /* 0: it has none */
    void (*figures)(const void *state, const struct cs_summary *summary, cs_figures *out);
    /* `most`: rows of each table; 0: all. */
    void (*text)(const void *state, const struct cs_summary *summary, size_t most, FILE *out);
    void (*json)(const void *state, const struct cs_summary *summary, FILE *out);
    cs_status (*ways)(const void *state, const struct cs_summary *summary, double *figures);
    const cs_image_source *const *images; /* that it leaves in memory; the last is NULL */
    const cs_part_source *sources;        /* its units; the last has the count 0; NULL: none */
    bool counts;                          /* its software prints counts (common/counts.h) */
};

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
#include "results/run.h"

#include <string.h>

#include "base/files/spill.h"
#include "base/wall.h"
#include "drivers/told.h"
#include "results/run_impl.h"
#include "results/truth/csv.h"
#include "scenario/machine/keep_spec.h"

/* Cycles between two looks at the progress: a millisecond or so of wall time in the beginning,
 * then a 64th of what has been simulated, so that a long run is not cut into millions; up to a bound, as
 * parts keep what they are told until it is known that nothing earlier is to come. */
#define CHUNK_CYCLES 4000000u
#define CHUNK_PART 64u
#define CHUNK_MOST 200000000u

#define PROBE_KINDS (CS_PROBE_SAMPLE + 1u)

typedef struct probe_list {
    struct {
        void (*probe)(void *ctx, const cs_probe_record *record);
        void *ctx;
    } items[CS_NR_PARTS + 1];
    size_t count;
} probe_list;

/* A run while it goes on. */
typedef struct running {
    const cs_run_options *options;
    cs_run_listener listener; /* all NULL without one */
    cs_part_run shared;
    cs_probe_sink sink; /* what the hardware is given */
    probe_list heard[PROBE_KINDS];
    cs_soft_stream *stream;
    cs_system *system;
} running;

static void *const *states(const running *r)
{
    return r->shared.result->summary.parts;
}

/* ---- what hardware tells ---- */

static void record(void *ctx, const cs_probe_record *p)
{
    const probe_list *list = &((const running *)ctx)->heard[p->kind];

    for (size_t i = 0; i < list->count; i++)
        list->items[i].probe(list->items[i].ctx, p);
}

static void data(void *ctx, uint64_t hash, const uint8_t *bytes, unsigned nr)
{
    (void)hash;
    (void)nr;
    ((running *)ctx)->shared.data = bytes;
}

static void hear(running *r, unsigned kinds, void (*probe)(void *, const cs_probe_record *),
                 void *ctx)
{
    for (unsigned kind = 0; kind < PROBE_KINDS; kind++) {
        probe_list *list = &r->heard[kind];

        if (probe == NULL || (kinds & CS_PART_HEARS(kind)) == 0)
            continue;
        list->items[list->count].probe = probe;
        list->items[list->count++].ctx = ctx;
    }
}

void cs_run_hear(cs_run_listener *listener, const cs_soft_kind *kind,
                 void (*hear_)(void *ctx, const cs_soft_record *record))
{
    for (unsigned i = 0; i + 1 < CS_RUN_MAX_HEARINGS; i++)
        if (listener->hearings[i].kind == NULL) {
            listener->hearings[i] = (cs_soft_hearing){kind, hear_};
            return;
        }
}

/* ---- the beginning ---- */

static cs_status open_part(running *r, unsigned i, cs_diag *diag)
{
    const cs_part *part = cs_parts[i];
    void **state = &r->shared.result->summary.parts[i];

    r->shared.probes = part->probes;
    const cs_status status = part->open(&r->shared, state, diag);
    if (status != CS_OK || *state == NULL)
        return status;
    hear(r, r->shared.probes, part->probe, *state);
    return cs_soft_stream_join(r->stream, part->hearings, *state, diag);
}

static void warned(void *shared, const cs_soft_record *record)
{
    cs_part_warn(shared, "%s", cs_told_warning(record));
}

static const cs_soft_hearing hearings[] = {{&cs_soft_warning, warned}, {NULL, NULL}};

static cs_status build(running *r, cs_diag *diag)
{
    cs_part_run *shared = &r->shared;
    cs_status status;

    r->sink =
        (cs_probe_sink){.record = record, .ctx = r, .no_hashes = !shared->scenario->keep->probe};
    status = cs_environment_create(shared->scenario, &r->sink, &shared->environment, diag);
    if (status == CS_OK)
        status = cs_soft_stream_create(&r->stream, diag);
    if (status != CS_OK)
        return status;
    shared->soft = shared->environment->soft = cs_soft_stream_sink(r->stream);
    status = cs_soft_stream_join(r->stream, hearings, shared, diag);
    for (unsigned i = 0; i < CS_NR_PARTS && status == CS_OK; i++)
        status = open_part(r, i, diag);
    r->sink.data = shared->wants_data ? data : NULL;
    hear(r, ~0u, r->listener.probe, r->listener.ctx);
    if (status == CS_OK)
        status = cs_soft_stream_join(r->stream, r->listener.hearings, r->listener.ctx, diag);
    if (status == CS_OK && r->listener.begin != NULL)
        status = r->listener.begin(r->listener.ctx, shared->environment, diag);
    return status == CS_OK ? r->options->make_system(shared->environment, &r->system, diag)
                           : status;
}

/* ---- the run ---- */

static void tell_known(const running *r, cs_cycle cycle)
{
    for (unsigned i = 0; i < CS_NR_PARTS; i++)
        if (cs_parts[i]->known != NULL && states(r)[i] != NULL)
            cs_parts[i]->known(states(r)[i], cycle);
}

/* Without a limit, software that waits for what never comes would have the run go on for ever. */
static bool waits_for_ever(const running *r)
{
    const cs_system_ops *ops = r->system->ops;

    return r->shared.scenario->limit_cycles == 0 && r->shared.environment->status == CS_OK &&
           ops->end_cycle(r->system) == CS_NEVER && ops->idle != NULL && ops->idle(r->system);
}

static cs_cycle simulate(running *r)
{
    const cs_scenario *s = r->shared.scenario;
    cs_cycle limit = s->limit_cycles != 0 ? s->limit_cycles : CS_NEVER;
    cs_cycle finished = 0;

    for (cs_cycle until = 0; until < limit;) {
        cs_cycle chunk = CHUNK_CYCLES + until / CHUNK_PART;

        chunk = chunk < CHUNK_MOST ? chunk : CHUNK_MOST;
        until = limit - until > chunk ? until + chunk : limit;
        finished = r->system->ops->run(r->system, until);
        tell_known(r, finished);
        if (r->system->ops->end_cycle(r->system) <= finished) /* it may be known ahead */
            break;
        if (waits_for_ever(r))
            break;
        if (r->options->progress != NULL)
            r->options->progress(r->options->progress_ctx, finished);
    }
    return finished;
}

/* ---- the end ---- */

/* What is known before any part says it. */
static const char *ending(const running *r)
{
    if (!r->shared.ended)
        return "cut at limit_cycles";
    return r->shared.environment->nr_kinds > 1 ? "all software has ended" : NULL;
}

static cs_status finish_parts(running *r, cs_cycle end, cs_diag *diag)
{
    cs_part_run *shared = &r->shared;
    cs_status status = CS_OK;

    shared->end = end;
    shared->ended = r->system->ops->end_cycle(r->system) != CS_NEVER;
    shared->ending = ending(r);
    shared->software_cycles = cs_environment_software_cycles(shared->environment, end);
    for (unsigned i = 0; i < CS_NR_PARTS && status == CS_OK; i++)
        if (cs_parts[i]->finish != NULL && states(r)[i] != NULL)
            status = cs_parts[i]->finish(states(r)[i], diag);
    if (shared->ending == NULL)
        shared->ending = shared->environment->ended;
    return status;
}

/* All of them; the first failure is told. */
static cs_status close_parts(const running *r, cs_diag *diag)
{
    cs_status status = CS_OK;

    for (unsigned i = 0; i < CS_NR_PARTS; i++) {
        if (cs_parts[i]->close == NULL || states(r)[i] == NULL)
            continue;
        const cs_status closed = cs_parts[i]->close(states(r)[i], status == CS_OK ? diag : NULL);
        status = status != CS_OK ? status : closed;
    }
    return status;
}

/* The truth and the parts' files are whole. */
static cs_status close_files(running *r, cs_diag *diag)
{
    const cs_status status = cs_truth_finish(r->shared.truth, diag);

    r->shared.truth = NULL;
    const cs_status closed = close_parts(r, status == CS_OK ? diag : NULL);
    return status != CS_OK ? status : closed;
}

static cs_status commit(running *r, cs_run_result *result, cs_diag *diag)
{
    cs_status status = CS_OK;

    if (r->options->truth_csv)
        status = cs_truth_csv(r->shared.folder, diag);
    if (status == CS_OK && r->listener.end != NULL)
        status = r->listener.end(r->listener.ctx, r->shared.end, diag);
    snprintf(result->folder, sizeof result->folder, "%s", cs_run_folder_name(r->shared.folder));
    if (status == CS_OK && r->options->commit != NULL)
        status = r->options->commit(r->options->commit_ctx,
                                    cs_run_folder_path(r->shared.folder, "."), diag);
    if (status != CS_OK)
        return status;
    status = cs_run_folder_commit(r->shared.folder, diag);
    r->shared.folder = NULL;
    return status;
}

static cs_status finish(running *r, cs_cycle end, uint64_t begun_ns, cs_diag *diag)
{
    cs_summary *summary = &r->shared.result->summary;
    cs_status status = finish_parts(r, end, diag);

    if (status == CS_OK)
        status = close_files(r, diag);
    if (status != CS_OK)
        return status;
    summary->end_cycle = end;
    summary->wall_ns = cs_wall_ns() - begun_ns;
    summary->software_cycles = r->shared.software_cycles;
    summary->refill_cycles = r->shared.environment->refill_cycles;
    summary->ended = r->shared.ending;
    summary->warnings = (const char(*)[CS_WARNING_BYTES])r->shared.result->warnings;
    summary->nr_warnings = r->shared.result->nr_warnings;
    status = cs_run_write_summary(&r->shared, summary, diag);
    return status == CS_OK ? commit(r, r->shared.result, diag) : status;
}

static void clean_up(running *r)
{
    if (r->system != NULL)
        r->system->ops->destroy(r->system);
    close_parts(r, NULL);
    cs_truth_abandon(r->shared.truth);
    cs_run_folder_abandon(r->shared.folder);
    cs_environment_destroy(r->shared.environment);
    cs_soft_stream_destroy(r->stream);
    cs_spill_set_folder(NULL);
}

cs_status cs_run(const cs_scenario *scenario, const cs_run_options *options, cs_run_result *result,
                 cs_diag *diag)
{
    running r = {.options = options, .shared = {.scenario = scenario, .result = result}};
    const uint64_t begun_ns = cs_wall_ns();
    cs_status status;

    memset(result, 0, sizeof *result);
    result->summary.scenario = scenario;
    if (options->listener != NULL)
        r.listener = *options->listener;
    status = cs_run_begin_folder(&r.shared, options, diag);
    if (status == CS_OK)
        cs_spill_set_folder(cs_run_folder_path(r.shared.folder, "."));
    if (status == CS_OK)
        status = cs_truth_create(cs_run_folder_path(r.shared.folder, "truth.sqlite"), scenario,
                                 &r.shared.truth, diag);
    if (status == CS_OK)
        status = build(&r, diag);
    if (status == CS_OK) {
        const cs_cycle end = simulate(&r);

        status = r.shared.environment->status;
        if (waits_for_ever(&r)) {
            status = cs_diag_set(diag, CS_ERR_SCENARIO, scenario->name,
                                 "software waits for what never comes: nothing is to happen any "
                                 "more, and limit_cycles does not end the run");
        } else if (status == CS_OK) {
            status = finish(&r, end, begun_ns, diag);
        } else {
            cs_diag_set(diag, status, scenario->name, "the simulation ran out of memory or disk");
            close_parts(&r, diag); /* a file's own failure says more */
        }
    }
    clean_up(&r);
    if (status != CS_OK)
        cs_run_result_destroy(result);
    return status;
}

void cs_run_result_destroy(cs_run_result *result)
{
    void **parts = result->summary.parts;

    for (unsigned i = 0; i < CS_NR_PARTS; i++) {
        if (cs_parts[i]->destroy != NULL && parts[i] != NULL)
            cs_parts[i]->destroy(parts[i]);
        parts[i] = NULL;
    }
}

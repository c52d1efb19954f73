#include "results/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "pmcu_regs.h"
#include "results/run_impl.h"
#include "results/truth_csv.h"

/* Cycles between two looks at the progress: a millisecond or so of wall time in the beginning,
 * then a 64th of what has been simulated, so that a long run is not cut into millions. */
#define CHUNK_CYCLES 4000000u
#define CHUNK_PART 64u

static bool has_imc(const cs_scenario *s)
{
    return s->imc->cores != 0 || s->nest->present;
}

static bool rotates(const cs_environment *env)
{
    for (unsigned i = 0; i < CS_ROTATING_KINDS; i++)
        if (env->rotating[i] != NULL)
            return true;
    return false;
}

static cs_rotating_report rotating(const cs_running *r)
{
    cs_rotating_report all = {0};

    for (unsigned i = 0; i < CS_ROTATING_KINDS; i++)
        if (r->environment->rotating[i] != NULL)
            cs_rotating_report_add(&all, r->environment->rotating[i]);
    return all;
}

/* The units, each into the database, and what they counted against what was told. */
static cs_status collect_uncore(cs_running *r, cs_diag *diag)
{
    const bool ended = r->system->ops->end_cycle(r->system) != CS_NEVER;
    cs_uncore_results *results = &r->result->uncore;
    cs_status status = CS_OK;

    if (r->uncore != NULL)
        status = cs_uncore_collector_finish(r->uncore, ended, results, diag);
    if (status == CS_OK && r->environment->uncore_driver != NULL &&
        cs_uncore_driver_failed(r->environment->uncore_driver))
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    for (unsigned i = 0; i < r->scenario->uncore->nr_units && status == CS_OK; i++)
        cs_truth_unit(r->truth, i, &results->units[i]);
    return status;
}

/* Of all harts; each goes into the database. */
static void collect_harts(cs_running *r, cycle_t end)
{
    cs_hart_figures *all = &r->result->harts;

    for (unsigned i = 0; i < r->scenario->harts->count; i++) {
        const cs_riscv_report report = cs_riscv_get_report(r->environment->riscv[i], end);

        cs_truth_hart(r->truth, i, &report);
        cs_hart_figures_add(all, &report);
        if (report.probe_error != 0)
            cs_running_warn(r->result, "hart %u: its driver finds no counters: %s", i,
                            strerror(-report.probe_error));
        if (report.failed != NULL)
            cs_running_warn(r->result, "hart %u: %s", i, report.failed);
    }
    if (r->harts != NULL)
        all->truth = *cs_hart_collector_results(r->harts);
}

/* Of all CPUs that run, and of what their guests see; each goes into the database. */
static void collect_switches(cs_running *r, cycle_t end)
{
    const cs_scenario *s = r->scenario;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s) && s->keep->samples_truth; cpu++) {
        const bool guests = s->riscv->has_guest && cs_scenario_cpu_kind(s, cpu) == CS_CPU_HART;

        for (int guest = 0; guest <= guests; guest++) {
            cs_switches switches;
            cs_switch one;

            if (s->corepmu->absent[cpu] || s->corepmu->offline[cpu])
                continue;
            cs_switches_begin(&switches, r->environment->timelines[cpu], guest);
            while (cs_switches_next(&switches, end, &one))
                cs_truth_switch(r->truth, cpu, guest, &one);
        }
    }
}

static cs_software_figures software_figures(const cs_running *r)
{
    const cs_environment *env = r->environment;
    cs_software_figures f = {0};

    if (env->pmi != NULL) {
        const cs_pmi_report *report = cs_pmi_get_report(env->pmi);

        f = (cs_software_figures){
            true, report->interrupts, report->handler_cycles, report->samples, report->lost, 0};
    } else if (env->imc_driver != NULL) {
        const cs_imc_driver_report *report = cs_imc_driver_get_report(env->imc_driver);

        f = (cs_software_figures){
            .present = true, .perf_samples = r->perf_samples, .opal_calls = report->opal_calls};
    }
    return f;
}

static cs_status build(cs_running *r, cs_diag *diag)
{
    const cs_collector_listener listener = cs_running_subsamples(r);
    cs_status status;

    r->sink = cs_running_sink(r);
    status = cs_environment_create(r->scenario, &r->sink, &r->environment, diag);
    if (status == CS_OK)
        status =
            cs_collector_create(r->scenario, r->environment->memory, r->environment->timelines,
                                r->scenario->keep->samples_truth, &listener, &r->collector, diag);
    if (status == CS_OK && has_imc(r->scenario)) {
        const cs_imc_collector_listener samples = cs_running_imc_samples(r);

        status = cs_imc_collector_create(r->scenario, r->environment->memory,
                                         r->environment->timelines, &samples, &r->imc, diag);
        if (status == CS_OK)
            status = cs_posts_create(r->scenario, r->environment->timelines, &r->posts, diag);
        if (status == CS_OK) {
            r->imc_sink = cs_imc_collector_sink(r->imc);
            r->posts_sink = cs_posts_sink(r->posts);
        }
    }
    if (status == CS_OK && r->scenario->harts->count != 0) {
        status = cs_hart_collector_create(r->scenario, r->environment->timelines, &r->harts, diag);
        if (status == CS_OK)
            status = cs_call_paths_create(r->scenario, &r->paths, diag);
        if (status == CS_OK)
            status = cs_snapshot_pages_create(r->scenario, r->harts, &r->pages, diag);
        if (status == CS_OK) {
            r->hart_sink = cs_hart_collector_sink(r->harts);
            r->pages_sink = cs_snapshot_pages_sink(r->pages);
        }
    }
    if (status == CS_OK && has_imc(r->scenario))
        status = cs_functions_create(r->scenario, &r->functions, diag);
    if (status == CS_OK && r->environment->uncore_driver != NULL) {
        status =
            cs_uncore_collector_create(r->scenario, r->environment->timelines, &r->uncore, diag);
        if (status == CS_OK)
            r->uncore_sink = cs_uncore_collector_sink(r->uncore);
    }
    if (status == CS_OK && r->scenario->keep->samples_truth) {
        status = cs_activity_create(r->scenario, r->truth, &r->activity, diag);
        if (status == CS_OK)
            r->activity_sink = cs_activity_sink(r->activity);
    }
    if (status == CS_OK && rotates(r->environment))
        status = cs_rotation_results_create(r->environment->timelines, &r->rotated, diag);
    if (status != CS_OK)
        return status;
    r->collector_sink = cs_collector_sink(r->collector);
    r->environment->outputs = cs_running_outputs(r);
    if (r->listener.begin != NULL)
        status = r->listener.begin(r->listener.ctx, r->environment, diag);
    if (status != CS_OK)
        return status;
    return r->options->make_system(r->environment, &r->system, diag);
}

static cycle_t simulate(cs_running *r)
{
    cycle_t limit = r->scenario->limit_cycles != 0 ? r->scenario->limit_cycles : CS_NEVER;
    cycle_t finished = 0;

    for (cycle_t until = 0; until < limit;) {
        cycle_t chunk = CHUNK_CYCLES + until / CHUNK_PART;

        until = limit - until > chunk ? until + chunk : limit;
        finished = r->system->ops->run(r->system, until);
        if (r->posts != NULL)
            cs_posts_known(r->posts, finished);
        if (r->system->ops->end_cycle(r->system) <= finished) /* it may be known ahead */
            break;
        if (r->options->progress != NULL)
            r->options->progress(r->options->progress_ctx, finished);
    }
    return finished;
}

static const char *ending(const cs_running *r)
{
    if (r->system->ops->end_cycle(r->system) == CS_NEVER)
        return "cut at limit_cycles";
    if (r->environment->tasks != NULL)
        return "all software has ended";
    if (r->environment->driver != NULL)
        return cs_pmcu_end_text(cs_pmcu_driver_get_report(r->environment->driver)->end);
    return r->environment->script != NULL ? "the script has ended" : "perf has ended";
}

/* The names of the error bits of FSM_STATUS that are set, separated by blanks. */
static void name_errors(uint32_t errors, char *out, size_t size)
{
    static const struct {
        uint32_t mask;
        const char *name;
    } bits[] = {
        {CS_PMCU_FSM_STATUS_CFG_ERR_MASK, "CFG_ERR"},
        {CS_PMCU_FSM_STATUS_FETCH_ERR_MASK, "FETCH_ERR"},
        {CS_PMCU_FSM_STATUS_CORE_ERR_MASK, "CORE_ERR"},
        {CS_PMCU_FSM_STATUS_STORE_ERR_MASK, "STORE_ERR"},
        {CS_PMCU_FSM_STATUS_KILL_MASK, "KILL"},
        {CS_PMCU_FSM_STATUS_TRIG_LOST_MASK, "TRIG_LOST"},
    };
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (errors & bits[i].mask)
            used += (size_t)snprintf(out + used, size - used, " %s", bits[i].name);
}

/* What is armed but gives nothing deserves a word. */
static void collect_warnings(const cs_running *r, const cs_results *results, cs_run_result *out)
{
    size_t silent = 0;

    if (!cs_scenario_drives_pmcu(r->scenario))
        return;
    if (results->samples == 0)
        cs_running_warn(out, "no sample was committed");
    else if (results->armed_cpus == 0)
        cs_running_warn(out, "samples were committed, but no counter was ever enabled");
    for (size_t i = 0; i < results->nr_events; i++)
        silent += results->events[i].truth == 0;
    if (silent != 0)
        cs_running_warn(out, "%zu of %zu events never occur in any workload of this scenario",
                        silent, results->nr_events);
    if (r->environment->driver != NULL) {
        const cs_pmcu_driver_report *report = cs_pmcu_driver_get_report(r->environment->driver);

        if (report->comp_refused)
            cs_running_warn(out, "pmcu_driver.comp: refused, corepmu.hpmn is more than 3; the run "
                                 "is in normal mode");
        if (report->errors != 0) {
            char names[80];

            name_errors(report->errors, names, sizeof names);
            cs_running_warn(out, "the hardware reported in FSM_STATUS:%s", names);
        }
    }
}

static void put_posted(void *ctx, const cs_posted *posted)
{
    cs_truth_posted(((cs_running *)ctx)->truth, posted);
}

static void put_snapshot(void *ctx, const cs_snapshot_word *word)
{
    cs_truth_snapshot(((cs_running *)ctx)->truth, word);
}

static cs_status finish(cs_running *r, cycle_t end, uint64_t begun_ns, cs_run_result *result,
                        cs_diag *diag)
{
    const cs_results *results = cs_collector_finish(r->collector);
    const cs_imc_results *imc = r->imc != NULL ? cs_imc_collector_finish(r->imc) : NULL;
    const bool of_records = imc != NULL && imc->all.records != 0;
    const cs_function_result *functions = of_records ? imc->functions : NULL;
    size_t nr_functions = of_records ? imc->nr_functions : 0;
    cs_status status;

    if (!of_records && r->sampled)
        functions = cs_functions_finish(r->functions, &nr_functions);
    cs_truth_functions(r->truth, functions, nr_functions);
    if (r->activity != NULL)
        cs_activity_finish(r->activity, end);
    collect_harts(r, end);
    collect_switches(r, end);
    status = collect_uncore(r, diag);
    if (status == CS_OK && r->paths != NULL)
        status = cs_truth_call_paths(r->truth, r->paths, diag);
    if (r->pages != NULL)
        cs_snapshot_pages_each(r->pages, put_snapshot, r);
    if (status == CS_OK && r->posts != NULL)
        status = cs_posts_finish(r->posts, put_posted, r, diag);
    if (status != CS_OK)
        return status;
    status = cs_truth_finish(r->truth, r->collector, results, diag);
    r->truth = NULL;
    const cs_status closed = cs_running_close_files(r, status == CS_OK ? diag : NULL);
    if (status == CS_OK)
        status = closed;
    if (status != CS_OK)
        return status;
    result->summary = (cs_summary){
        .scenario = r->scenario,
        .results = results,
        .imc = imc,
        .counts = r->counts,
        .nr_counts = r->nr_counts,
        .harts = r->harts != NULL ? &result->harts : NULL,
        .functions = functions,
        .nr_functions = nr_functions,
        .of_records = of_records,
        .software = software_figures(r),
        .rotated = r->rotated,
        .uncore = r->uncore != NULL ? &result->uncore : NULL,
        .rotating = rotating(r),
        .end_cycle = end,
        .wall_ns = cs_wall_ns() - begun_ns,
        .software_cycles = cs_environment_software_cycles(r->environment, end) +
                           cs_hart_figures_software(&result->harts),
        .triggers = r->triggers,
        .aux_bytes = r->environment->aux_bytes,
        .ended = ending(r),
    };
    collect_warnings(r, results, result);
    status = cs_running_write_summary(r, &result->summary, diag);
    if (status == CS_OK && r->options->truth_csv)
        status = cs_truth_csv(r->folder, diag);
    if (status == CS_OK && r->listener.end != NULL)
        status = r->listener.end(r->listener.ctx, end, diag);
    if (status == CS_OK && r->options->commit != NULL)
        status =
            r->options->commit(r->options->commit_ctx, cs_run_folder_path(r->folder, "."), diag);
    if (status != CS_OK)
        return status;
    snprintf(result->folder, sizeof result->folder, "%s", cs_run_folder_name(r->folder));
    status = cs_run_folder_commit(r->folder, diag);
    r->folder = NULL;
    return status;
}

static void clean_up(cs_running *r)
{
    if (r->system != NULL)
        r->system->ops->destroy(r->system);
    if (r->aux != NULL)
        fclose(r->aux);
    cs_running_close_records(r, NULL);
    if (r->probe != NULL)
        fclose(r->probe);
    cs_truth_abandon(r->truth);
    cs_run_folder_abandon(r->folder);
    cs_hart_collector_destroy(r->harts);
    cs_call_paths_destroy(r->paths);
    cs_uncore_collector_destroy(r->uncore);
    cs_activity_destroy(r->activity);
    cs_posts_destroy(r->posts);
    cs_snapshot_pages_destroy(r->pages);
    cs_environment_destroy(r->environment);
}

cs_status cs_run(const cs_scenario *scenario, const cs_run_options *options, cs_run_result *result,
                 cs_diag *diag)
{
    cs_running r = {.scenario = scenario, .options = options, .result = result};
    uint64_t begun_ns = cs_wall_ns();
    cs_status status;

    memset(result, 0, sizeof *result);
    if (options->listener != NULL)
        r.listener = *options->listener;
    status = cs_running_open_files(&r, diag);
    if (status == CS_OK)
        status = build(&r, diag);
    if (status == CS_OK) {
        cycle_t end = simulate(&r);

        status = r.environment->status;
        if (status != CS_OK) {
            cs_diag_set(diag, status, scenario->name, "the simulation ran out of memory or disk");
            cs_running_close_records(&r, diag); /* its own failure says more */
        } else {
            status = finish(&r, end, begun_ns, result, diag);
        }
    }
    clean_up(&r);
    result->collector = r.collector;
    result->imc = r.imc;
    result->counts = r.counts;
    result->rotated = r.rotated;
    result->functions = r.functions;
    if (status != CS_OK)
        cs_run_result_destroy(result);
    return status;
}

void cs_run_result_destroy(cs_run_result *result)
{
    cs_collector_destroy(result->collector);
    cs_imc_collector_destroy(result->imc);
    cs_rotation_results_destroy(result->rotated);
    cs_functions_destroy(result->functions);
    free(result->counts);
    result->rotated = NULL;
    result->functions = NULL;
    result->counts = NULL;
    result->collector = NULL;
    result->imc = NULL;
}

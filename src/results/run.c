#define _POSIX_C_SOURCE 200809L
#include "results/run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/probe.h"
#include "base/wall.h"
#include "drivers/environment.h"
#include "pmcu_regs.h"
#include "results/activity.h"
#include "results/perf_truth.h"
#include "results/record_files.h"
#include "results/ring_files.h"
#include "results/run_folder.h"
#include "results/truth.h"
#include "results/truth_csv.h"

/* Cycles between two looks at the progress: a millisecond or so of wall time in the beginning,
 * then a 64th of what has been simulated, so that a long run is not cut into millions. */
#define CHUNK_CYCLES 4000000u
#define CHUNK_PART 64u

/* Everything that a run has open. */
typedef struct run {
    const cs_scenario *scenario;
    const cs_run_options *options;
    cs_run_folder *folder;
    cs_truth *truth;
    cs_collector *collector;
    cs_environment *environment;
    cs_system *system;
    cs_probe_sink sink; /* what the hardware is given: record() below */
    cs_probe_sink collector_sink;
    cs_rotation_results *rotated; /* NULL: no software rotates events */
    cs_imc_collector *imc;        /* NULL: the die has no IMC */
    cs_probe_sink imc_sink;
    cs_posts *posts; /* NULL: likewise */
    cs_probe_sink posts_sink;
    cs_hart_collector *harts; /* NULL: the die has none */
    cs_probe_sink hart_sink;
    cs_snapshot_pages *pages; /* NULL: likewise */
    cs_probe_sink pages_sink;
    cs_uncore_collector *uncore; /* NULL: no software.kind uncore */
    cs_probe_sink uncore_sink;
    cs_activity *activity; /* NULL unless keep.samples_truth */
    cs_probe_sink activity_sink;
    cs_ring_files *rings;     /* NULL without harts, or unless keep.records */
    FILE *aux;                /* NULL without a PMCU */
    FILE *probe;              /* NULL unless keep.probe */
    cs_record_files *records; /* of trace mode; NULL unless keep.records */
    uint64_t triggers;
    cs_perf_count *counts; /* of perf stat */
    size_t nr_counts, room;
    uint64_t perf_samples;
    cs_functions *functions; /* of perf's samples of time; NULL: the die has no IMC */
    bool sampled;
    uint64_t aux_bytes;       /* handed on so far */
    cs_run_listener listener; /* all NULL without one */
    cs_run_result *result;    /* for warnings while running */
} run;

/* Calls a function of the listener, if it has it. */
#define TELL(r, what, ...)                                                                         \
    do {                                                                                           \
        if ((r)->listener.what != NULL)                                                            \
            (r)->listener.what((r)->listener.ctx, __VA_ARGS__);                                    \
    } while (0)

static const char *const kind_names[] = {"bus", "reg", "state", "irq", "sample"};

static void record(void *ctx, const cs_probe_record *p)
{
    run *r = ctx;

    cs_probe_emit(&r->collector_sink, p);
    cs_probe_emit(&r->imc_sink, p);
    cs_probe_emit(&r->posts_sink, p);
    cs_probe_emit(&r->hart_sink, p);
    cs_probe_emit(&r->pages_sink, p); /* it asks the collector of harts */
    cs_probe_emit(&r->uncore_sink, p);
    cs_probe_emit(&r->activity_sink, p);
    TELL(r, probe, p);
    if (r->probe == NULL)
        return;
    fprintf(r->probe,
            "%" PRIu64 ",%s,%u,%u,%u,%u,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu32 ",%" PRIu64
            ",%" PRIu64 "\n",
            p->cycle, kind_names[p->kind], p->source, p->index, p->write, p->resp, p->addr,
            p->value, p->bytes, p->request, p->grant);
}

static void subsample(void *ctx, const cs_subsample *s)
{
    run *r = ctx;

    cs_truth_subsample(r->truth, s);
    TELL(r, subsample, s);
}

/* perf reads what the driver hands over before the hardware comes round again. */
static cs_status write_aux(void *ctx, const uint8_t *data, size_t bytes)
{
    run *r = ctx;

    r->aux_bytes += bytes;
    TELL(r, aux, data, bytes, r->aux_bytes == r->environment->aux_bytes);
    return fwrite(data, 1, bytes, r->aux) == bytes ? CS_OK : CS_ERR_IO;
}

static void trigger(void *ctx, const cs_pmcu_trigger *t)
{
    run *r = ctx;

    r->triggers++;
    TELL(r, trigger, t);
}

static void software(void *ctx, unsigned cpu, cycle_t cycle, unsigned track)
{
    run *r = ctx;

    if (r->activity != NULL)
        cs_activity_software(r->activity, cpu, cycle, track);
    TELL(r, software, cpu, cycle, track);
}

static bool has_imc(const cs_scenario *s)
{
    return s->imc.cores != 0 || s->nest.present;
}

static void keep_status(run *r, cs_status status)
{
    if (r->environment->status == CS_OK)
        r->environment->status = status;
}

/* Records go to their files as they are made: no run keeps them in memory. */
static void imc_sample(void *ctx, const cs_imc_sample *s)
{
    run *r = ctx;

    TELL(r, imc_sample, s);
    if (r->scenario->keep.samples_truth)
        cs_truth_imc_sample(r->truth, s);
    if (s->bytes == NULL || r->records == NULL)
        return;
    if (!cs_record_files_put(r->records, s->cpu, s->bytes))
        keep_status(r, CS_ERR_IO);
}

static void warn(cs_run_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void warn(cs_run_result *result, const char *format, ...)
{
    va_list args;

    if (result->nr_warnings == CS_RUN_MAX_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(result->warnings[result->nr_warnings++], sizeof result->warnings[0], format, args);
    va_end(args);
}

static void opened(void *ctx, unsigned command, cs_imc_error error, const char *reason)
{
    const run *r = ctx;

    TELL(r, opened, command, error, reason);
    if (error != CS_IMC_GOOD)
        warn(r->result, "imc_driver.perf.%u: the kernel refuses it: %s, %s", command,
             cs_imc_error_name(error), reason);
}

static void add_count(run *r, const cs_perf_count *count)
{
    if (r->nr_counts == r->room) {
        const size_t room = r->room != 0 ? 2 * r->room : 64;
        cs_perf_count *counts = realloc(r->counts, room * sizeof *counts);

        if (counts == NULL) {
            keep_status(r, CS_ERR_NO_MEMORY);
            return;
        }
        r->counts = counts;
        r->room = room;
    }
    r->counts[r->nr_counts++] = *count;
    cs_truth_count(r->truth, count);
}

static void perf_count(void *ctx, const cs_imc_count *c)
{
    run *r = ctx;
    const cs_perf_count count = cs_perf_count_of(r->scenario, r->environment->timelines, c);

    TELL(r, count, c, &count);
    add_count(r, &count);
}

static void perf_sample(void *ctx, const cs_imc_perf_sample *s)
{
    run *r = ctx;
    const cs_perf_sample sample = {s->command, s->cpu, s->ip, s->pid, s->time, s->misc};

    r->perf_samples++;
    r->sampled = true;
    cs_functions_add(r->functions, s->cpu, s->ip);
    TELL(r, perf_sample, s);
    if (r->scenario->keep.samples_truth)
        cs_truth_perf_sample(r->truth, &sample);
}

/* ---- harts ---- */

static void hart_begun(void *ctx, const cs_riscv_which *which, int error, int counter,
                       cycle_t adding)
{
    run *r = ctx;

    TELL(r, hart_begun, which, error, counter, adding);
    if (error == 0)
        cs_hart_collector_begun(r->harts, which, counter, adding);
    else
        warn(r->result, "riscv.perf.%u: the kernel refuses %s on hart %u: %s", which->command,
             r->scenario->riscv.perf[which->command].events[which->event], which->hart,
             strerror(-error));
}

static void hart_count(void *ctx, const cs_riscv_count *c)
{
    run *r = ctx;
    const cs_riscv_perf_spec *p = &r->scenario->riscv.perf[c->which.command];
    const cs_hart_count truth = cs_hart_collector_count(r->harts, c);
    const cs_perf_count count = {
        .command = c->which.command,
        .pmu = p->guest ? "guest" : "riscv",
        .event = p->events[c->which.event],
        .cpu = cs_scenario_hart_cpu(r->scenario, c->which.hart),
        .from = truth.from,
        .to = truth.to,
        .raw = c->value,
        .value = (double)c->value,
        .truth = truth.truth,
        .counted = truth.counted,
        .has_counted = true,
    };

    TELL(r, hart_count, c, &count);
    add_count(r, &count);
}

static void hart_sample(void *ctx, const cs_riscv_which *which, const cs_riscv_sample *sample)
{
    run *r = ctx;
    const cs_truth_hart_sample s = {*which, cs_scenario_hart_cpu(r->scenario, which->hart), sample,
                                    cs_hart_collector_sample(r->harts, which, sample)};

    TELL(r, hart_sample, which, sample);
    if (r->scenario->keep.samples_truth)
        cs_truth_hart_sample_put(r->truth, &s);
}

static void hart_data(void *ctx, unsigned hart, bool guest, const void *bytes, size_t length)
{
    run *r = ctx;

    TELL(r, hart_data, hart, guest, bytes, length);
    if (r->rings != NULL && !cs_ring_files_put(r->rings, hart, guest, bytes, length))
        keep_status(r, CS_ERR_IO);
}

/* ---- events that have counters in turns ---- */

static void rotated(void *ctx, const cs_rotated_count *count)
{
    run *r = ctx;
    const cs_rotated_result *result = cs_rotation_results_add(r->rotated, count);

    if (r->uncore != NULL)
        cs_uncore_collector_count(r->uncore, count);
    if (result == NULL) {
        keep_status(r, CS_ERR_NO_MEMORY);
        return;
    }
    TELL(r, rotated, result);
    if (count->final || r->scenario->keep.samples_truth)
        cs_truth_rotated(r->truth, result);
}

static bool rotates(const cs_environment *env)
{
    for (unsigned i = 0; i < CS_ROTATING_KINDS; i++)
        if (env->rotating[i] != NULL)
            return true;
    return false;
}

static cs_rotating_report rotating(const run *r)
{
    cs_rotating_report all = {0};

    for (unsigned i = 0; i < CS_ROTATING_KINDS; i++)
        if (r->environment->rotating[i] != NULL)
            cs_rotating_report_add(&all, r->environment->rotating[i]);
    return all;
}

/* The units, each into the database, and what they counted against what was told. */
static cs_status collect_uncore(run *r, cs_diag *diag)
{
    const bool ended = r->system->ops->end_cycle(r->system) != CS_NEVER;
    cs_uncore_results *results = &r->result->uncore;
    cs_status status = CS_OK;

    if (r->uncore != NULL)
        status = cs_uncore_collector_finish(r->uncore, ended, results, diag);
    if (status == CS_OK && r->environment->uncore_driver != NULL &&
        cs_uncore_driver_failed(r->environment->uncore_driver))
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    for (unsigned i = 0; i < r->scenario->uncore.nr_units && status == CS_OK; i++)
        cs_truth_unit(r->truth, i, &results->units[i]);
    return status;
}

/* Of all harts; each goes into the database. */
static void collect_harts(run *r, cycle_t end)
{
    cs_hart_figures *all = &r->result->harts;

    for (unsigned i = 0; i < r->scenario->harts.count; i++) {
        const cs_riscv_report report = cs_riscv_get_report(r->environment->riscv[i], end);

        cs_truth_hart(r->truth, i, &report);
        cs_hart_figures_add(all, &report);
        if (report.probe_error != 0)
            warn(r->result, "hart %u: its driver finds no counters: %s", i,
                 strerror(-report.probe_error));
        if (report.failed != NULL)
            warn(r->result, "hart %u: %s", i, report.failed);
    }
    if (r->harts != NULL)
        all->truth = *cs_hart_collector_results(r->harts);
}

/* Of all CPUs that run, and of what their guests see; each goes into the database. */
static void collect_switches(run *r, cycle_t end)
{
    const cs_scenario *s = r->scenario;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s) && s->keep.samples_truth; cpu++) {
        const bool guests = s->riscv.has_guest && cs_scenario_cpu_kind(s, cpu) == CS_CPU_HART;

        for (int guest = 0; guest <= guests; guest++) {
            cs_switches switches;
            cs_switch one;

            if (s->core.absent[cpu] || s->core.offline[cpu])
                continue;
            cs_switches_begin(&switches, r->environment->timelines[cpu], guest);
            while (cs_switches_next(&switches, end, &one))
                cs_truth_switch(r->truth, cpu, guest, &one);
        }
    }
}

static cs_software_figures software_figures(const run *r)
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

/* Whether a file lies beneath the scenario, and has no name of the run folder's own. */
static bool can_be_copied(const char *name)
{
    static const char *const own[] = {
        "scenario.yaml", "summary.txt", "summary.json", "truth.sqlite", "samples.aux",
        "probe.csv",     "damage.json", "memory",       "records",      "csv"};
    const size_t first = strcspn(name, "/");

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strlen(own[i]) == first && strncmp(name, own[i], first) == 0)
            return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

/* What the scenario names lies beside it: so it can be run again from here. */
static cs_status copy_files(run *r, cs_diag *diag)
{
    const cs_scenario *s = r->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_files && status == CS_OK; i++) {
        char from[sizeof s->folder + PATH_MAX];

        if (s->files[i][0] == '/')
            continue;
        if (!can_be_copied(s->files[i])) {
            warn(r->result, "%s is not copied into the run folder, whose scenario.yaml names it",
                 s->files[i]);
            continue;
        }
        snprintf(from, sizeof from, "%s/%s", s->folder, s->files[i]);
        status = cs_run_folder_copy(r->folder, from, s->files[i], diag);
    }
    return status;
}

static cs_status open_files(run *r, cs_diag *diag)
{
    cs_status status = cs_run_folder_begin(r->options->output, r->scenario->name, &r->folder, diag);
    FILE *yaml = NULL;

    if (status == CS_OK)
        status = cs_run_folder_open(r->folder, "scenario.yaml", &yaml, diag);
    if (status == CS_OK) {
        fputs(r->scenario->yaml, yaml);
        status = cs_run_folder_close(r->folder, "scenario.yaml", yaml, diag);
    }
    if (status == CS_OK)
        status = copy_files(r, diag);
    if (status == CS_OK && cs_scenario_drives_pmcu(r->scenario))
        status = cs_run_folder_open(r->folder, "samples.aux", &r->aux, diag);
    if (status == CS_OK && r->scenario->imc.cores != 0 && r->scenario->keep.records)
        status = cs_record_files_create(r->folder, &r->records, diag);
    if (status == CS_OK && r->scenario->harts.count != 0 && r->scenario->keep.records)
        status = cs_ring_files_create(r->folder, &r->rings, diag);
    if (status == CS_OK && r->scenario->keep.probe) {
        status = cs_run_folder_open(r->folder, "probe.csv", &r->probe, diag);
        if (status == CS_OK)
            fputs("cycle,kind,source,index,write,resp,addr,value,bytes,request,grant\n", r->probe);
    }
    if (status == CS_OK)
        status = cs_truth_create(cs_run_folder_path(r->folder, "truth.sqlite"), r->scenario,
                                 &r->truth, diag);
    return status;
}

static cs_status build(run *r, cs_diag *diag)
{
    const cs_collector_listener listener = {.subsample = subsample, .ctx = r};
    cs_status status;

    r->sink = (cs_probe_sink){.record = record, .ctx = r, .no_hashes = !r->scenario->keep.probe};
    status = cs_environment_create(r->scenario, &r->sink, &r->environment, diag);
    if (status == CS_OK)
        status =
            cs_collector_create(r->scenario, r->environment->memory, r->environment->timelines,
                                r->scenario->keep.samples_truth, &listener, &r->collector, diag);
    if (status == CS_OK && has_imc(r->scenario)) {
        const cs_imc_collector_listener samples = {.sample = imc_sample, .ctx = r};

        status = cs_imc_collector_create(r->scenario, r->environment->memory,
                                         r->environment->timelines, &samples, &r->imc, diag);
        if (status == CS_OK)
            status = cs_posts_create(r->scenario, r->environment->timelines, &r->posts, diag);
        if (status == CS_OK) {
            r->imc_sink = cs_imc_collector_sink(r->imc);
            r->posts_sink = cs_posts_sink(r->posts);
        }
    }
    if (status == CS_OK && r->scenario->harts.count != 0) {
        status = cs_hart_collector_create(r->scenario, r->environment->timelines, &r->harts, diag);
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
    if (status == CS_OK && r->scenario->keep.samples_truth) {
        status = cs_activity_create(r->scenario, r->truth, &r->activity, diag);
        if (status == CS_OK)
            r->activity_sink = cs_activity_sink(r->activity);
    }
    if (status == CS_OK && rotates(r->environment))
        status = cs_rotation_results_create(r->environment->timelines, &r->rotated, diag);
    if (status != CS_OK)
        return status;
    r->collector_sink = cs_collector_sink(r->collector);
    r->environment->outputs = (cs_environment_outputs){
        .aux = write_aux,
        .aux_ctx = r,
        .trigger = trigger,
        .trigger_ctx = r,
        .opened = opened,
        .count = perf_count,
        .perf_sample = perf_sample,
        .perf_ctx = r,
        .rotated = rotated,
        .rotated_ctx = r,
        .riscv = {hart_begun, hart_count, hart_sample, hart_data, r},
        .software = software,
        .software_ctx = r,
    };
    if (r->listener.begin != NULL)
        status = r->listener.begin(r->listener.ctx, r->environment, diag);
    if (status != CS_OK)
        return status;
    return r->options->make_system(r->environment, &r->system, diag);
}

static cycle_t simulate(run *r)
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

static cs_status close_records(run *r, cs_diag *diag)
{
    cs_record_files *records = r->records;
    cs_ring_files *rings = r->rings;
    cs_status status = CS_OK, closed = CS_OK;

    r->records = NULL;
    r->rings = NULL;
    if (records != NULL)
        status = cs_record_files_close(records, diag);
    if (rings != NULL)
        closed = cs_ring_files_close(rings, status == CS_OK ? diag : NULL);
    return status != CS_OK ? status : closed;
}

/* Touched memory as one file for each stretch of pages: memory/<address>.bin. */
static cs_status write_memory(run *r, cs_diag *diag)
{
    cs_memory *memory = r->environment->memory;
    size_t pages = cs_memory_pages(memory);
    cs_status status = cs_run_folder_subfolder(r->folder, "memory", diag);
    FILE *file = NULL;
    char name[64] = "";
    uint64_t expected = 0;

    for (size_t i = 0; i < pages && status == CS_OK; i++) {
        uint64_t addr;
        const uint8_t *bytes = cs_memory_page(memory, i, &addr);

        if (file == NULL || addr != expected) {
            if (file != NULL)
                status = cs_run_folder_close(r->folder, name, file, diag);
            file = NULL;
            snprintf(name, sizeof name, "memory/0x%012" PRIx64 ".bin", addr);
            if (status == CS_OK)
                status = cs_run_folder_open(r->folder, name, &file, diag);
        }
        if (status == CS_OK)
            fwrite(bytes, 1, CS_MEMORY_PAGE_BYTES, file);
        expected = addr + CS_MEMORY_PAGE_BYTES;
    }
    if (file != NULL) {
        cs_status closed = cs_run_folder_close(r->folder, name, file, diag);

        status = status != CS_OK ? status : closed;
    }
    return status;
}

static const char *ending(const run *r)
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
static void collect_warnings(const run *r, const cs_results *results, cs_run_result *out)
{
    size_t silent = 0;

    if (!cs_scenario_drives_pmcu(r->scenario))
        return;
    if (results->samples == 0)
        warn(out, "no sample was committed");
    else if (results->armed_cpus == 0)
        warn(out, "samples were committed, but no counter was ever enabled");
    for (size_t i = 0; i < results->nr_events; i++)
        silent += results->events[i].truth == 0;
    if (silent != 0)
        warn(out, "%zu of %zu events never occur in any workload of this scenario", silent,
             results->nr_events);
    if (r->environment->driver != NULL) {
        const cs_pmcu_driver_report *report = cs_pmcu_driver_get_report(r->environment->driver);

        if (report->comp_refused)
            warn(out, "driver.comp: refused, core.hpmn is more than 3; the run is in normal mode");
        if (report->errors != 0) {
            char names[80];

            name_errors(report->errors, names, sizeof names);
            warn(out, "the hardware reported in FSM_STATUS:%s", names);
        }
    }
}

static cs_status write_summary(run *r, const cs_summary *summary, cs_diag *diag)
{
    static const char *const names[] = {"summary.txt", "summary.json"};
    cs_status status = CS_OK;

    for (int json = 0; json < 2 && status == CS_OK; json++) {
        FILE *file;

        status = cs_run_folder_open(r->folder, names[json], &file, diag);
        if (status != CS_OK)
            return status;
        if (json)
            cs_summary_json(summary, file);
        else
            cs_summary_text(summary, 0, file);
        status = cs_run_folder_close(r->folder, names[json], file, diag);
    }
    return status;
}

static void put_posted(void *ctx, const cs_posted *posted)
{
    cs_truth_posted(((run *)ctx)->truth, posted);
}

static void put_snapshot(void *ctx, const cs_snapshot_word *word)
{
    cs_truth_snapshot(((run *)ctx)->truth, word);
}

static cs_status finish(run *r, cycle_t end, uint64_t begun_ns, cs_run_result *result,
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
    if (r->pages != NULL)
        cs_snapshot_pages_each(r->pages, put_snapshot, r);
    if (status == CS_OK && r->posts != NULL)
        status = cs_posts_finish(r->posts, put_posted, r, diag);
    if (status != CS_OK)
        return status;
    status = cs_truth_finish(r->truth, r->collector, results, diag);
    r->truth = NULL;
    cs_status records = close_records(r, status == CS_OK ? diag : NULL);
    if (status == CS_OK)
        status = records;
    if (status == CS_OK && r->scenario->keep.memory)
        status = write_memory(r, diag);
    if (status == CS_OK && r->aux != NULL) {
        FILE *aux = r->aux;

        r->aux = NULL;
        status = cs_run_folder_close(r->folder, "samples.aux", aux, diag);
    }
    if (status == CS_OK && r->probe != NULL) {
        FILE *probe = r->probe;

        r->probe = NULL;
        status = cs_run_folder_close(r->folder, "probe.csv", probe, diag);
    }
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
    status = write_summary(r, &result->summary, diag);
    if (status == CS_OK && r->options->truth_csv)
        status = cs_truth_csv(r->folder, diag);
    if (status == CS_OK && r->listener.end != NULL)
        status = r->listener.end(r->listener.ctx, end, diag);
    if (status == CS_OK && r->options->commit != NULL)
        status = r->options->commit(r->options->commit_ctx, diag);
    if (status != CS_OK)
        return status;
    snprintf(result->folder, sizeof result->folder, "%s", cs_run_folder_name(r->folder));
    status = cs_run_folder_commit(r->folder, diag);
    r->folder = NULL;
    return status;
}

static void clean_up(run *r)
{
    if (r->system != NULL)
        r->system->ops->destroy(r->system);
    if (r->aux != NULL)
        fclose(r->aux);
    close_records(r, NULL);
    if (r->probe != NULL)
        fclose(r->probe);
    cs_truth_abandon(r->truth);
    cs_run_folder_abandon(r->folder);
    cs_hart_collector_destroy(r->harts);
    cs_uncore_collector_destroy(r->uncore);
    cs_activity_destroy(r->activity);
    cs_posts_destroy(r->posts);
    cs_snapshot_pages_destroy(r->pages);
    cs_environment_destroy(r->environment);
}

cs_status cs_run(const cs_scenario *scenario, const cs_run_options *options, cs_run_result *result,
                 cs_diag *diag)
{
    run r = {.scenario = scenario, .options = options, .result = result};
    uint64_t begun_ns = cs_wall_ns();
    cs_status status;

    memset(result, 0, sizeof *result);
    if (options->listener != NULL)
        r.listener = *options->listener;
    status = open_files(&r, diag);
    if (status == CS_OK)
        status = build(&r, diag);
    if (status == CS_OK) {
        cycle_t end = simulate(&r);

        status = r.environment->status;
        if (status != CS_OK) {
            cs_diag_set(diag, status, scenario->name, "the simulation ran out of memory or disk");
            close_records(&r, diag); /* its own failure says more */
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

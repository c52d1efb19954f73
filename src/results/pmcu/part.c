#include "results/pmcu/part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "pmcu_regs.h"
#include "results/pmcu/truth.h"
#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"

#define AUX_FILE "samples.aux"
#define MUCH_LONGER 0.02 /* of windows, as a share of the period */

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *record)
{
    cs_pmcu_collector_record(((cs_pmcu_part *)state)->collector, record);
}

static void subsample(void *state, const cs_soft_record *record)
{
    cs_pmcu_part *p = state;
    const cs_pmcu_subsample *s = record->what;

    if (s->of_trigger == 0)
        p->of_others = p->subsamples;
    p->subsamples++;
    p->last_address = s->addr;
    cs_truth_subsample(p->run->truth, s);
}

static cs_status write_aux(void *file, const uint8_t *data, size_t bytes)
{
    return fwrite(data, 1, bytes, file) == bytes ? CS_OK : CS_ERR_IO;
}

/* perf reads what the driver hands over before the hardware comes round again. */
static void aux(void *state, const cs_soft_record *record)
{
    cs_pmcu_part *p = state;
    const cs_pmcu_aux_stretch *stretch = record->what;

    p->aux_bytes += stretch->bytes;
    /* A trigger's samples are handed over together, or, where it has failed, not at all. */
    p->handed_over =
        p->last_address - stretch->address < stretch->bytes ? p->subsamples : p->of_others;
    cs_part_fail(p->run, cs_memory_save(p->run->environment->memory, stretch->address,
                                        stretch->bytes, write_aux, p->aux));
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_pmcu_subsample, subsample},
    {&cs_soft_pmcu_aux, aux},
    {NULL, NULL},
};

/* ---- open, finish, close ---- */

/* It is there without a PMCU, too: every run has a span, and a list of events. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_pmcu_part *p = calloc(1, sizeof *p);
    cs_status status = CS_OK;

    *state = p;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the PMCU's results");
    p->run = run;
    if (cs_scenario_drives_pmcu(run->scenario))
        status = cs_run_folder_open(run->folder, AUX_FILE, &p->aux, diag);
    if (status == CS_OK)
        status = cs_pmcu_collector_create(
            run->scenario, run->environment->memory, run->environment->timelines,
            run->scenario->keep->samples_truth, &run->soft, &p->collector, diag);
    return status;
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

static double window_excess(const cs_pmcu_results *r)
{
    return r->nominal_cycles != 0 ? (double)r->window_cycles / (double)r->nominal_cycles - 1.0 : 0;
}

/* What is armed but gives nothing deserves a word. */
static void warn(const cs_pmcu_part *p, const cs_pmcu_driver_report *report)
{
    const cs_pmcu_results *results = p->results;
    size_t silent = 0, possible = 0;

    if (results->samples == 0)
        cs_part_warn(p->run, "no sample was committed");
    else if (results->armed_cpus == 0)
        cs_part_warn(p->run, "samples were committed, but no counter was ever enabled");
    /* Of those without a stream the scenario of a driver has warned. */
    for (size_t i = 0; i < results->nr_events; i++)
        if (report == NULL ||
            cs_check_somewhere_counts(p->run->scenario, results->events[i].event)) {
            possible++;
            silent += results->events[i].truth == 0;
        }
    if (silent != 0)
        cs_part_warn(p->run,
                     "%zu of %zu events that some core has never occurred from the first window to "
                     "the last, in modes in which they are counted",
                     silent, possible);
    if (results->failed_online != 0)
        cs_part_warn(p->run,
                     "accesses to cores that are online failed: in subsamples %" PRIu64
                     " of their slots are zero, with ones in the context IDs (table `failed`)",
                     results->failed_online);
    if (results->wrong_values != 0)
        cs_part_warn(p->run,
                     "%" PRIu64 " of %" PRIu64 " values are not what the cores did in their "
                     "windows: other software wrote to the counters, or they did not count",
                     results->wrong_values, results->values);
    if (window_excess(results) > MUCH_LONGER)
        cs_part_warn(
            p->run,
            "windows are %.0f %% longer than the period, by the walk that starts and stops "
            "the cores: numbers that are scaled by the period are too large by so much",
            100.0 * window_excess(results));
    if (report != NULL && p->aux_bytes < results->sample_bytes)
        cs_part_warn(p->run,
                     "perf got %" PRIu64 " bytes, header included, but %" PRIu64 " of samples were "
                     "stored: those of a trigger that did not come to its end are not handed over",
                     p->aux_bytes, results->sample_bytes);
    if (report != NULL && report->errors != 0) {
        char names[80];

        name_errors(report->errors, names, sizeof names);
        cs_part_warn(p->run, "the hardware reported in FSM_STATUS:%s", names);
    }
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_pmcu_part *p = state;
    const cs_pmcu_driver *driver = cs_pmcu_driver_of(p->run->environment);
    const cs_pmcu_driver_report *report = driver != NULL ? cs_pmcu_driver_get_report(driver) : NULL;

    (void)diag;
    p->results = cs_pmcu_collector_finish(p->collector);
    cs_truth_pmcu(p->run->truth, p->collector, p->results, cs_scenario_arm_cpus(p->run->scenario));
    if (driver != NULL)
        cs_truth_fact(p->run->truth, "handed_over", p->handed_over);
    if (cs_scenario_drives_pmcu(p->run->scenario))
        warn(p, report);
    if (report != NULL && p->run->ending == NULL)
        p->run->ending = cs_pmcu_end_text(report->end);
    return CS_OK;
}

static cs_status close_part(void *state, cs_diag *diag)
{
    cs_pmcu_part *p = state;
    FILE *file = p->aux;

    p->aux = NULL;
    return file != NULL ? cs_run_folder_close(p->run->folder, AUX_FILE, file, diag) : CS_OK;
}

static void destroy(void *state)
{
    cs_pmcu_part *p = state;

    cs_pmcu_collector_destroy(p->collector);
    free(p);
}

/* ---- what it came to ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_pmcu_part *p = state;
    const cs_pmcu_results *r = p->results;

    if (!cs_scenario_drives_pmcu(s->scenario))
        return;
    cs_figure_count(out, "cpus", "CPUs that counted", r->armed_cpus);
    cs_figure_count(out, "triggers", "triggers", r->triggers);
    cs_figure_count(out, "interrupts", "interrupts", r->interrupts);
    cs_figure_count(out, "samples", "subsamples committed", r->samples);
    cs_figure_count(out, "sample_bytes", "bytes of samples", r->sample_bytes);
    cs_figure_count(out, "aux_bytes", "bytes handed to perf", p->aux_bytes);
    cs_figure_cycles(out, "blind_ns", "not counting (blind)", r->blind_cycles);
    cs_figure_fraction(out, "blind_fraction", "blind fraction", r->blind_fraction);
    cs_figure_cycles(out, "start_skew_ns", "start skew, largest", r->start_skew_cycles);
    cs_figure_cycles(out, "stop_skew_ns", "stop skew, largest", r->stop_skew_cycles);
    if (r->nominal_cycles != 0)
        cs_figure_fraction(out, "window_excess", "windows beyond the period", window_excess(r));
    cs_figure_count(out, "failed_slots", "slots that failed", r->failed_slots);
    if (s->scenario->keep->samples_truth)
        cs_figure_count(out, "wrong_values", "values not the truth", r->wrong_values);
}

static const char *event_name(const cs_pmcu_event_result *e, char *buffer, size_t size)
{
    const char *name = e->cycle_counter ? "cycles" : cs_arm_event_name(e->event);

    if (name != NULL)
        return name;
    snprintf(buffer, size, "0x%04x", (unsigned)e->event);
    return buffer;
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_pmcu_results *r = ((const cs_pmcu_part *)state)->results;
    const size_t rows = cs_summary_rows(r->nr_events, most);
    char name[32];

    (void)s;
    if (r->nr_events == 0)
        return;
    fprintf(out, "\n  %-24s %16s %16s %9s\n", "event", "truth", "samples, scaled", "error");
    for (size_t i = 0; i < rows; i++) {
        const cs_pmcu_event_result *e = &r->events[i];

        fprintf(out, "  %-24s %16" PRIu64 " %16.0f %8.3f%%\n", event_name(e, name, sizeof name),
                e->truth, e->scaled, 100.0 * e->error);
    }
    cs_summary_more(out, r->nr_events, rows, "events");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_pmcu_results *r = ((const cs_pmcu_part *)state)->results;
    char name[32];

    (void)s;
    fprintf(out, ",\n  \"events\": [");
    for (size_t i = 0; i < r->nr_events; i++) {
        const cs_pmcu_event_result *e = &r->events[i];

        fprintf(out, "%s\n    {\"event\": %u, \"name\": ", cs_json_comma(i), (unsigned)e->event);
        cs_json_string(out, event_name(e, name, sizeof name));
        fprintf(out,
                ", \"truth\": %" PRIu64 ", \"sampled\": %" PRIu64 ", \"subsamples\": %" PRIu64
                ", \"scaled\": %.9g, \"error\": %.9g, \"nominal\": %.9g, \"nominal_error\": %.9g}",
                e->truth, e->sampled, e->subsamples, e->scaled, e->error, e->nominal,
                e->nominal_error);
    }
    fprintf(out, "\n  ]");
}

/* An event of the PMCU counts on all CPUs at once; its readings are its subsamples. */
static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_pmcu_results *r = ((const cs_pmcu_part *)state)->results;
    const cs_scenario *sc = s->scenario;
    const double span = cs_summary_seconds(sc, r->last_stop - r->first_start);
    const double window =
        r->windows != 0 ? cs_summary_seconds(sc, r->window_cycles) / (double)r->windows : 0;
    cs_way_errors e = {0};
    double subsamples = 0;
    uint64_t events = 0;

    if (r->samples == 0)
        return CS_OK;
    f[CS_WAY_INTERRUPTS] = (double)r->interrupts;
    f[CS_WAY_BLIND] = r->blind_fraction;
    f[CS_WAY_SKEW] = cs_summary_seconds(sc, r->stop_skew_cycles);
    for (size_t i = 0; i < r->nr_events; i++) {
        const cs_pmcu_event_result *event = &r->events[i];

        if (event->cycle_counter)
            continue;
        events++;
        subsamples += (double)event->subsamples;
        if (event->subsamples != 0)
            cs_way_errors_add(&e, event->scaled, event->truth);
        else
            e.never++;
    }
    cs_way_errors_set(&e, f);
    if (events == 0 || span <= 0)
        return CS_OK;
    f[CS_WAY_READINGS] = subsamples / (double)events / span;
    f[CS_WAY_COVERAGE] = f[CS_WAY_READINGS] * window;
    return CS_OK;
}

/* docs/hw/pmcu.md, "States" */
static const char *const states[] = {"IDLE", "INIT", "FETCH", "PROGRAM", "START", "WAIT",
                                     "STOP", "READ", "STORE", "SWITCH",  "BREAK"};
static const cs_part_source sources[] = {
    {CS_UNIT_PMCU, 1, .states = states, .nr_states = sizeof states / sizeof states[0]}, {0}};

const cs_part cs_part_pmcu = {
    .name = "pmcu",
    .tables = cs_pmcu_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_BUS) | CS_PART_HEARS(CS_PROBE_REG) |
              CS_PART_HEARS(CS_PROBE_STATE) | CS_PART_HEARS(CS_PROBE_IRQ) |
              CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .close = close_part,
    .destroy = destroy,
    .place =
        {[CS_PART_FIGURES] = 10, [CS_PART_TEXT] = 10, [CS_PART_JSON] = 20, [CS_PART_WAYS] = 20},
    .figures = figures,
    .text = text,
    .json = json,
    .ways = ways,
    .sources = sources,
};

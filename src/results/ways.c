#include "results/ways.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/summary_parts.h"

typedef enum unit { UNIT_COUNT, UNIT_SECONDS, UNIT_SHARE, UNIT_RATE, UNIT_BYTES } unit;

static const struct {
    const char *key;
    const char *label;
    unit unit;
} rows[CS_WAY_NR] = {
    [CS_WAY_SIMULATED] = {"simulated_s", "simulated", UNIT_SECONDS},
    [CS_WAY_ESTIMATES] = {"estimates", "totals held against the truth", UNIT_COUNT},
    [CS_WAY_NEVER] = {"never_counted", "events never counted", UNIT_COUNT},
    [CS_WAY_MEAN_ERROR] = {"mean_error", "error of totals, mean", UNIT_SHARE},
    [CS_WAY_MOST_ERROR] = {"most_error", "error of totals, largest", UNIT_SHARE},
    [CS_WAY_COVERAGE] = {"coverage", "time on a counter, mean", UNIT_SHARE},
    [CS_WAY_LEAST_SHARE] = {"least_share", "time on a counter, least", UNIT_SHARE},
    [CS_WAY_FAIRNESS] = {"jain", "fairness of it (Jain)", UNIT_SHARE},
    [CS_WAY_READINGS] = {"readings_per_s", "readings of an event", UNIT_RATE},
    [CS_WAY_SAMPLES] = {"samples", "samples", UNIT_COUNT},
    [CS_WAY_LOST] = {"lost", "samples lost", UNIT_COUNT},
    [CS_WAY_SAMPLE_RATE] = {"samples_per_s", "samples of a CPU", UNIT_RATE},
    [CS_WAY_SHARE_ERROR] = {"share_error", "error of function shares, mean", UNIT_SHARE},
    [CS_WAY_PERIOD_ERROR] = {"period_error", "error of sample periods, mean", UNIT_SHARE},
    [CS_WAY_WRONG] = {"wrong_counts", "counts that are wrong", UNIT_COUNT},
    [CS_WAY_INTERRUPTS] = {"interrupts", "interrupts", UNIT_COUNT},
    [CS_WAY_CALLS] = {"firmware_calls", "calls of firmware", UNIT_COUNT},
    [CS_WAY_STOLEN] = {"stolen_s", "taken from the workloads", UNIT_SECONDS},
    [CS_WAY_STOLEN_SHARE] = {"stolen_share", "share of all CPUs' time", UNIT_SHARE},
    [CS_WAY_SAMPLE_COST] = {"sample_cost_s", "taken for a sample", UNIT_SECONDS},
    [CS_WAY_TRANSACTIONS] = {"bus_transactions", "bus transactions", UNIT_COUNT},
    [CS_WAY_TRAFFIC] = {"bus_bytes_per_s", "bus traffic", UNIT_BYTES},
    [CS_WAY_BUS_BUSY] = {"bus_busy", "bus paths busy", UNIT_SHARE},
};

/* ---- figures ---- */

/* Absolute errors, and what they come to. */
typedef struct errors {
    double sum, most;
    uint64_t count, never;
} errors;

static void add_error(errors *e, double estimate, uint64_t truth)
{
    const double error = truth != 0 ? fabs(estimate / (double)truth - 1.0) : 0;

    e->sum += error;
    e->most = error > e->most ? error : e->most;
    e->count++;
}

static void set_errors(double *f, const errors *e)
{
    if (e->count + e->never == 0)
        return;
    f[CS_WAY_ESTIMATES] = (double)e->count;
    f[CS_WAY_NEVER] = (double)e->never;
    if (e->count != 0) {
        f[CS_WAY_MEAN_ERROR] = e->sum / (double)e->count;
        f[CS_WAY_MOST_ERROR] = e->most;
    }
}

static double seconds(const cs_summary *s, uint64_t cycles)
{
    return (double)cycles / (1e6 * s->scenario->bus->clock_mhz);
}

/* An event of the PMCU counts on all CPUs at once; its readings are its subsamples. */
static void pmcu_figures(const cs_summary *s, double *f)
{
    const cs_results *r = s->results;
    const cs_scenario *sc = s->scenario;
    const double span = seconds(s, r->last_stop - r->first_start);
    const double window =
        seconds(s, (uint64_t)sc->pmcu_driver->sample_period_ticks * sc->pmcu->tick_cycles);
    errors e = {0};
    double subsamples = 0;
    uint64_t events = 0;

    f[CS_WAY_INTERRUPTS] = (double)r->interrupts;
    for (size_t i = 0; i < r->nr_events; i++) {
        const cs_event_result *event = &r->events[i];

        if (event->cycle_counter)
            continue;
        events++;
        subsamples += (double)event->subsamples;
        if (event->subsamples != 0)
            add_error(&e, event->scaled, event->truth);
        else
            e.never++;
    }
    set_errors(f, &e);
    if (events == 0 || span <= 0)
        return;
    f[CS_WAY_READINGS] = subsamples / (double)events / span;
    f[CS_WAY_COVERAGE] = f[CS_WAY_READINGS] * window;
}

/* The same event of the same command. */
static int compare_events(const cs_rotated_count *a, const cs_rotated_count *b)
{
    if (a->command != b->command)
        return a->command < b->command ? -1 : 1;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return strcmp(a->pmu, b->pmu);
}

static int by_event(const void *a, const void *b)
{
    const cs_rotated_result *const *x = a, *const *y = b;

    return compare_events(&(*x)->count, &(*y)->count);
}

/* An event's total is that of all CPUs together, as perf adds them up without -A. */
static void add_totals(const cs_rotated_result **finals, size_t count, errors *e)
{
    for (size_t i = 0, end; i < count; i = end) {
        double scaled = 0;
        uint64_t truth = 0;
        bool counted = false;

        for (end = i; end < count && compare_events(&finals[i]->count, &finals[end]->count) == 0;
             end++) {
            scaled += finals[end]->scaled;
            truth += finals[end]->truth;
            counted |= finals[end]->counted;
        }
        if (counted)
            add_error(e, scaled, truth);
        else
            e->never++;
    }
}

static cs_status rotated_figures(const cs_summary *s, double *f)
{
    size_t count, finals = 0, readings = 0;
    bool intervals = false;
    const cs_rotated_result *r = cs_rotation_results_counts(s->rotated, &count);
    const cs_rotated_result **list = malloc((count + 1) * sizeof *list);
    errors e = {0};
    double shares = 0, span = 0;

    if (list == NULL)
        return CS_ERR_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (!r[i].count.final) {
            intervals = true;
            readings += r[i].counted;
            continue;
        }
        list[finals++] = &r[i];
        shares += r[i].share;
        span += seconds(s, r[i].enabled);
    }
    qsort(list, finals, sizeof *list, by_event);
    add_totals(list, finals, &e);
    free(list);
    set_errors(f, &e);
    f[CS_WAY_INTERRUPTS] = (double)s->rotating.interrupts;
    if (finals == 0 || span <= 0)
        return CS_OK;
    f[CS_WAY_COVERAGE] = shares / (double)finals;
    if (s->uncore != NULL) {
        const cs_rotated_fairness all = cs_rotation_results_all(s->rotated);

        f[CS_WAY_LEAST_SHARE] = all.least_share;
        f[CS_WAY_FAIRNESS] = all.jain;
        f[CS_WAY_WRONG] = (double)s->uncore->wrong;
    }
    f[CS_WAY_READINGS] = (double)(intervals ? readings : finals) / span;
    return CS_OK;
}

static void count_figures(const cs_summary *s, double *f)
{
    errors e = {0};

    for (size_t i = 0; i < s->nr_counts; i++)
        add_error(&e, s->counts[i].value, s->counts[i].truth);
    set_errors(f, &e);
}

static void function_figures(const cs_summary *s, double *f)
{
    double sum = 0;

    for (size_t i = 0; i < s->nr_functions; i++)
        sum += fabs(s->functions[i].share - s->functions[i].expected);
    if (s->nr_functions != 0)
        f[CS_WAY_SHARE_ERROR] = sum / (double)s->nr_functions;
}

static void imc_figures(const cs_summary *s, double *f)
{
    const cs_imc_cpu_result *all = &s->imc->all;
    const bool pmi = cs_scenario_runs(s->scenario, CS_SOFTWARE_PMI);
    const uint64_t made = all->records + all->lost + all->failed;
    unsigned cpus = 0;

    f[CS_WAY_INTERRUPTS] = (double)s->software.interrupts;
    if (!pmi)
        f[CS_WAY_CALLS] = (double)s->software.opal_calls;
    if (!pmi && made == 0)
        return;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s->scenario); cpu++)
        cpus += pmi ? s->scenario->pmi->cpus[cpu] : s->imc->cpus[cpu].records != 0;
    f[CS_WAY_SAMPLES] = (double)s->software.perf_samples;
    f[CS_WAY_LOST] = (double)(pmi ? s->software.lost_samples : made - s->software.perf_samples);
    if (cpus != 0)
        f[CS_WAY_SAMPLE_RATE] = f[CS_WAY_SAMPLES] / f[CS_WAY_SIMULATED] / cpus;
}

static void hart_figures(const cs_summary *s, double *f)
{
    const cs_hart_figures *h = s->harts;

    f[CS_WAY_WRONG] = (double)h->truth.wrong_counts;
    f[CS_WAY_INTERRUPTS] = (double)h->interrupts;
    f[CS_WAY_CALLS] = (double)h->sbi_calls;
    if (h->samples == 0)
        return;
    f[CS_WAY_SAMPLES] = (double)(h->samples - h->lost);
    f[CS_WAY_LOST] = (double)h->lost;
    f[CS_WAY_SAMPLE_RATE] = f[CS_WAY_SAMPLES] / f[CS_WAY_SIMULATED] / (double)h->harts;
    f[CS_WAY_PERIOD_ERROR] = h->truth.period_error;
}

static void machine_figures(const cs_summary *s, double *f)
{
    double bytes = 0, held = 0;
    const double cpus = cs_scenario_cpus(s->scenario);

    for (unsigned m = 0; m < CS_COLLECTOR_MAX_MANAGERS; m++) {
        bytes += (double)s->results->managers[m].bytes;
        held += (double)s->results->managers[m].held_cycles;
    }
    f[CS_WAY_SIMULATED] = seconds(s, s->end_cycle);
    f[CS_WAY_STOLEN] = seconds(s, s->software_cycles);
    f[CS_WAY_TRANSACTIONS] = (double)s->results->bus_transactions;
    if (s->end_cycle == 0)
        return;
    f[CS_WAY_STOLEN_SHARE] = (double)s->software_cycles / (double)s->end_cycle / cpus;
    f[CS_WAY_TRAFFIC] = bytes / f[CS_WAY_SIMULATED];
    f[CS_WAY_BUS_BUSY] = held / (double)s->end_cycle;
}

cs_status cs_way_result_of(const cs_summary *s, cs_way_result *out, cs_diag *diag)
{
    double *f = out->figures;
    cs_status status = CS_OK;

    for (unsigned i = 0; i < CS_WAY_NR; i++)
        f[i] = NAN;
    machine_figures(s, f);
    if (s->results->samples != 0)
        pmcu_figures(s, f);
    if (s->rotated != NULL)
        status = rotated_figures(s, f);
    if (s->nr_counts != 0)
        count_figures(s, f);
    if (s->imc != NULL)
        imc_figures(s, f);
    if (s->harts != NULL)
        hart_figures(s, f);
    function_figures(s, f);
    if (f[CS_WAY_SAMPLES] > 0)
        f[CS_WAY_SAMPLE_COST] = f[CS_WAY_STOLEN] / f[CS_WAY_SAMPLES];
    return status == CS_OK ? CS_OK : cs_diag_set(diag, status, NULL, "no memory for the figures");
}

/* ---- the table ---- */

static void print_scaled(char *out, size_t size, double value, const char *const units[])
{
    unsigned i = 0;

    for (; units[i + 1] != NULL && value < 1.0; i++)
        value *= 1000.0;
    snprintf(out, size, "%.3f %s", value, units[i]);
}

static const char *print_value(char *out, size_t size, unit unit, double value)
{
    static const char *const times[] = {"s", "ms", "us", "ns", NULL};
    static const char *const rates[] = {"GB/s", "MB/s", "kB/s", "B/s", NULL};

    if (isnan(value)) {
        snprintf(out, size, "-");
        return out;
    }
    switch (unit) {
    case UNIT_COUNT:
        snprintf(out, size, "%.0f", value);
        break;
    case UNIT_SECONDS:
        print_scaled(out, size, value, times);
        break;
    case UNIT_SHARE:
        snprintf(out, size, "%.3f %%", 100.0 * value);
        break;
    case UNIT_RATE:
        snprintf(out, size, "%.1f /s", value);
        break;
    case UNIT_BYTES:
        print_scaled(out, size, value / 1e9, rates);
        break;
    }
    return out;
}

static bool any_has(const cs_way_result *results, size_t count, unsigned row)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(results[i].figures[row]))
            return true;
    return false;
}

void cs_ways_text(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out)
{
    char value[32];

    fprintf(out, "  %-32s", "");
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %16s", ways[i].name);
    fputc('\n', out);
    for (unsigned row = 0; row < CS_WAY_NR; row++) {
        if (!any_has(results, count, row))
            continue;
        fprintf(out, "  %-32s", rows[row].label);
        for (size_t i = 0; i < count; i++)
            fprintf(out, " %16s",
                    print_value(value, sizeof value, rows[row].unit, results[i].figures[row]));
        fputc('\n', out);
    }
    for (size_t i = 0; i < count; i++)
        if (ways[i].text[0] != '\0')
            fprintf(out, "%s  %s: %s\n", i == 0 ? "\n" : "", ways[i].name, ways[i].text);
}

void cs_ways_json(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out)
{
    fprintf(out, "[");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s\n  {\"way\": ", i != 0 ? "," : "");
        cs_summary_json_string(out, ways[i].name);
        fprintf(out, ", \"text\": ");
        cs_summary_json_string(out, ways[i].text);
        for (unsigned row = 0; row < CS_WAY_NR; row++) {
            fprintf(out, ", \"%s\": ", rows[row].key);
            if (isnan(results[i].figures[row]))
                fprintf(out, "null");
            else
                fprintf(out, "%.9g", results[i].figures[row]);
        }
        fprintf(out, "}");
    }
    fprintf(out, "\n]\n");
}

#include "results/ways.h"

#include <math.h>

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
    [CS_WAY_BLIND] = {"blind_fraction", "not counting", UNIT_SHARE},
    [CS_WAY_SKEW] = {"skew_s", "skew of a reading, largest", UNIT_SECONDS},
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

void cs_way_errors_add(cs_way_errors *e, double estimate, uint64_t truth)
{
    const double error = truth != 0 ? fabs(estimate / (double)truth - 1.0) : 0;

    e->sum += error;
    e->most = error > e->most ? error : e->most;
    e->count++;
}

void cs_way_errors_set(const cs_way_errors *e, double *f)
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

cs_status cs_way_result_of(const cs_summary *s, cs_way_result *out, cs_diag *diag)
{
    double *f = out->figures;
    cs_part_number parts[CS_NR_PARTS];
    const size_t nr = cs_parts_of_view(CS_PART_WAYS, parts);
    cs_status status = CS_OK;

    for (unsigned i = 0; i < CS_WAY_NR; i++)
        f[i] = NAN;
    f[CS_WAY_SIMULATED] = cs_summary_seconds(s->scenario, s->end_cycle);
    f[CS_WAY_STOLEN] = cs_summary_seconds(s->scenario, s->software_cycles);
    if (s->end_cycle != 0)
        f[CS_WAY_STOLEN_SHARE] =
            (double)s->software_cycles / (double)s->end_cycle / cs_scenario_cpus(s->scenario);
    for (size_t i = 0; i < nr && status == CS_OK; i++)
        if (s->parts[parts[i]] != NULL)
            status = cs_parts[parts[i]]->ways(s->parts[parts[i]], s, f);
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

const char *cs_way_figure_key(unsigned figure)
{
    return rows[figure].key;
}

const char *cs_way_figure_text(unsigned figure, double value, char *out, size_t size)
{
    static const char *const times[] = {"s", "ms", "us", "ns", NULL};
    static const char *const rates[] = {"GB/s", "MB/s", "kB/s", "B/s", NULL};

    if (isnan(value)) {
        snprintf(out, size, "-");
        return out;
    }
    switch (rows[figure].unit) {
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
                    cs_way_figure_text(row, results[i].figures[row], value, sizeof value));
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
        cs_json_string(out, ways[i].name);
        fprintf(out, ", \"text\": ");
        cs_json_string(out, ways[i].text);
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

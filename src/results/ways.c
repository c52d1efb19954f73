// SPDX-License-Identifier: Apache-2.0
#include "results/ways.h"

#include <math.h>

#include "formats/common/table.h"

typedef enum unit { UNIT_COUNT, UNIT_SECONDS, UNIT_SHARE, UNIT_RATE, UNIT_BYTES } unit;

static const char *const units[] = {"", "s", "fraction", "/s", "bytes/s"};

static const struct {
    const char *key;
    const char *label;
    unit unit;
    const char *text;
} rows[CS_WAY_NR] = {
    [CS_WAY_SIMULATED] = {"simulated_s", "simulated", UNIT_SECONDS, "how long the run was"},
    [CS_WAY_ESTIMATES] =
        {"estimates", "totals held against the truth", UNIT_COUNT,
         "totals of events that mean_error and most_error are of: of events in turns one "
         "of all CPUs together, of others each count that perf stat prints"},
    [CS_WAY_NEVER] = {"never_counted", "events never counted", UNIT_COUNT,
                      "events that no counter had, or that were read where there is no counter (as "
                      "zero), so that there is no estimate"},
    [CS_WAY_MEAN_ERROR] =
        {"mean_error", "error of totals, mean", UNIT_SHARE,
         "|estimate / truth - 1| of the totals, mean; an estimate is scaled to the "
         "whole span, the truth is what the streams did in it"},
    [CS_WAY_MOST_ERROR] = {"most_error", "error of totals, largest", UNIT_SHARE,
                           "the largest of the same"},
    [CS_WAY_COVERAGE] = {"coverage", "time on a counter, mean", UNIT_SHARE,
                         "part of the time in which an event was counted, mean of all events"},
    [CS_WAY_LEAST_SHARE] = {"least_share", "time on a counter, least", UNIT_SHARE,
                            "the same of the event that had least"},
    [CS_WAY_FAIRNESS] = {"jain", "fairness of it (Jain)", UNIT_SHARE,
                         "Jain's index of these parts: 1 where all events had the same"},
    [CS_WAY_BLIND] =
        {"blind_fraction", "not counting", UNIT_SHARE,
         "part of the time, from the first start to the last stop, in which a core did "
         "not count: its counters stood still to be read, or programmed"},
    [CS_WAY_SKEW] = {"skew_s", "skew of a reading, largest", UNIT_SECONDS,
                     "between the first and the last CPU that stops for one reading"},
    [CS_WAY_READINGS] = {"readings_per_s", "readings of an event", UNIT_RATE,
                         "fresh values of an event that was on a counter, a second and CPU"},
    [CS_WAY_SAMPLES] = {"samples", "samples", UNIT_COUNT,
                        "samples that reached perf; groups of counts, that reached memory"},
    [CS_WAY_LOST] = {"lost", "samples lost", UNIT_COUNT,
                     "samples that were made, or due, and did not reach perf"},
    [CS_WAY_SAMPLE_RATE] = {"samples_per_s", "samples of a CPU", UNIT_RATE,
                            "samples a second and CPU that was sampled"},
    [CS_WAY_SHARE_ERROR] = {"share_error", "error of function shares, mean", UNIT_SHARE,
                            "|share of the samples - share of the time| of a function, mean of all "
                            "functions; samples of another event than cycles fall where that event "
                            "does"},
    [CS_WAY_PERIOD_ERROR] =
        {"period_error", "error of sample periods, mean", UNIT_SHARE,
         "how far what happened between two samples is from the period that the "
         "sample claims, mean"},
    [CS_WAY_WRONG] = {"wrong_counts", "counts that are wrong", UNIT_COUNT,
                      "counts that are not what their counter counted, by a fault or a bug; 0 says "
                      "nothing of how good an estimate is"},
    [CS_WAY_INTERRUPTS] = {"interrupts", "interrupts", UNIT_COUNT,
                           "interrupts that CPUs took for it"},
    [CS_WAY_CALLS] = {"firmware_calls", "calls of firmware", UNIT_COUNT,
                      "calls of OPAL, or of SBI"},
    [CS_WAY_STOLEN] =
        {"stolen_s", "taken from the workloads", UNIT_SECONDS,
         "time in which CPUs ran handlers, drivers, firmware or perf instead of their "
         "workloads, all CPUs together"},
    [CS_WAY_STOLEN_SHARE] =
        {"stolen_share", "share of all CPUs' time", UNIT_SHARE,
         "stolen_s by the time of all CPUs together (software_fraction is by the "
         "time of one)"},
    [CS_WAY_SAMPLE_COST] = {"sample_cost_s", "taken for a sample", UNIT_SECONDS,
                            "stolen_s by samples"},
    [CS_WAY_TRANSACTIONS] = {"bus_transactions", "bus transactions", UNIT_COUNT,
                             "transfers on the fabric"},
    [CS_WAY_TRAFFIC] = {"bus_bytes_per_s", "bus traffic", UNIT_BYTES,
                        "what these carried, a second"},
    [CS_WAY_BUS_BUSY] = {"bus_busy", "bus paths busy", UNIT_SHARE,
                         "part of the time in which a transfer held a path of the fabric"},
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

static void print_scaled(char *out, size_t size, double value, const char *const scale[])
{
    unsigned i = 0;

    for (; scale[i + 1] != NULL && value < 1.0; i++)
        value *= 1000.0;
    snprintf(out, size, "%.3f %s", value, scale[i]);
}

const char *cs_way_figure_key(unsigned figure)
{
    return rows[figure].key;
}

const char *cs_way_figure_unit(unsigned figure)
{
    return units[rows[figure].unit];
}

const char *cs_way_figure_about(unsigned figure)
{
    return rows[figure].text;
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

static cs_status to_file(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

void cs_ways_csv(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out)
{
    enum { FIRST = 3 }; /* columns before the ways' */
    const cs_text_sink sink = {to_file, out};
    cs_table_column columns[FIRST + CS_WAYS_MOST] = {
        {.name = "figure", .kind = CS_CELL_NAME},
        {.name = "label", .kind = CS_CELL_NAME},
        {.name = "unit", .kind = CS_CELL_NAME},
    };
    cs_table_cell cells[FIRST + CS_WAYS_MOST];
    char values[CS_WAYS_MOST][32];
    cs_table table;

    for (size_t i = 0; i < count; i++)
        columns[FIRST + i] = (cs_table_column){.name = ways[i].name, .kind = CS_CELL_REAL};
    cs_table_begin(&table, CS_TABLE_CSV, &sink);
    cs_table_columns(&table, columns, FIRST + count);
    for (unsigned row = 0; row < CS_WAY_NR; row++) {
        if (!any_has(results, count, row))
            continue;
        cells[0].name = rows[row].key;
        cells[1].name = rows[row].label;
        cells[2].name = units[rows[row].unit];
        for (size_t i = 0; i < count; i++) {
            const double value = results[i].figures[row];

            snprintf(values[i], sizeof values[i], "%.9g", value);
            cells[FIRST + i].name = isnan(value) ? NULL : values[i];
        }
        cs_table_row(&table, cells);
    }
    cs_table_end(&table);
}

static void markdown_cell(const char *text, FILE *out)
{
    fprintf(out, " ");
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
    fprintf(out, " |");
}

void cs_ways_markdown(const cs_way_spec *ways, const cs_way_result *results, size_t count,
                      FILE *out)
{
    char value[32];

    fprintf(out, "| |");
    for (size_t i = 0; i < count; i++)
        markdown_cell(ways[i].name, out);
    fprintf(out, "\n|---|");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "---:|");
    fputc('\n', out);
    for (unsigned row = 0; row < CS_WAY_NR; row++) {
        if (!any_has(results, count, row))
            continue;
        fputc('|', out);
        markdown_cell(rows[row].label, out);
        for (size_t i = 0; i < count; i++)
            markdown_cell(cs_way_figure_text(row, results[i].figures[row], value, sizeof value),
                          out);
        fputc('\n', out);
    }
}

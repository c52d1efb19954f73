// SPDX-License-Identifier: Apache-2.0
#include "results/ways.h"

#include <math.h>

#include "formats/common/table.h"

/* By their rows (figures.def). */
static const char *const keys[CS_WAY_NR] = {
    [CS_WAY_SIMULATED] = "simulated_s",
    [CS_WAY_ESTIMATES] = "estimates",
    [CS_WAY_NEVER] = "never_counted",
    [CS_WAY_MEAN_ERROR] = "mean_error",
    [CS_WAY_MOST_ERROR] = "most_error",
    [CS_WAY_COVERAGE] = "coverage",
    [CS_WAY_LEAST_SHARE] = "least_share",
    [CS_WAY_FAIRNESS] = "jain",
    [CS_WAY_BLIND] = "blind_fraction",
    [CS_WAY_SKEW] = "skew_s",
    [CS_WAY_READINGS] = "readings_per_s",
    [CS_WAY_SAMPLES] = "samples",
    [CS_WAY_LOST] = "lost",
    [CS_WAY_SAMPLE_RATE] = "samples_per_s",
    [CS_WAY_SHARE_ERROR] = "share_error",
    [CS_WAY_PERIOD_ERROR] = "period_error",
    [CS_WAY_WRONG] = "wrong_counts",
    [CS_WAY_INTERRUPTS] = "interrupts",
    [CS_WAY_CALLS] = "firmware_calls",
    [CS_WAY_STOLEN] = "stolen_s",
    [CS_WAY_STOLEN_SHARE] = "stolen_share",
    [CS_WAY_SAMPLE_COST] = "sample_cost_s",
    [CS_WAY_TRANSACTIONS] = "bus_transactions",
    [CS_WAY_TRAFFIC] = "bus_bytes_per_s",
    [CS_WAY_BUS_BUSY] = "bus_busy",
};

static const cs_figure_row *row_of(unsigned figure)
{
    return cs_figure_row_of(keys[figure]);
}

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

const char *cs_way_figure_key(unsigned figure)
{
    return keys[figure];
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
        fprintf(out, "  %-32s", row_of(row)->label);
        for (size_t i = 0; i < count; i++)
            fprintf(
                out, " %16s",
                cs_figure_value_text(row_of(row), results[i].figures[row], value, sizeof value));
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
            fprintf(out, ", \"%s\": ", keys[row]);
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
        cells[0].name = keys[row];
        cells[1].name = row_of(row)->label;
        cells[2].name = row_of(row)->unit;
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
        markdown_cell(row_of(row)->label, out);
        for (size_t i = 0; i < count; i++)
            markdown_cell(
                cs_figure_value_text(row_of(row), results[i].figures[row], value, sizeof value),
                out);
        fputc('\n', out);
    }
}

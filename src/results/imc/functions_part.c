// SPDX-License-Identifier: Apache-2.0
/* What samples say of the functions of the workloads. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "results/imc/part.h"
#include "results/summary.h"
#include "results/way_figures.h"

static const cs_truth_table function_table = {
    "CREATE TABLE function(name TEXT, base INTEGER, samples INTEGER, share REAL, expected REAL)",
    "INSERT INTO function VALUES(?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&function_table, NULL};

void cs_truth_functions(cs_truth *t, const cs_function_result *functions, size_t count)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &function_table);

    for (size_t i = 0; i < count; i++) {
        const cs_function_result *f = &functions[i];

        cs_truth_text(rows, 1, f->name);
        cs_truth_integers(rows, 2, (uint64_t[]){f->base, f->samples}, 2);
        cs_truth_real(rows, 4, f->share);
        cs_truth_real(rows, 5, f->expected);
        cs_truth_put(rows);
    }
}

static void recorded(void *state, const cs_soft_record *record)
{
    cs_functions_part *p = state;
    const cs_imc_sample *s = cs_told_imc_record(record);

    if (s->bytes == NULL)
        return;
    p->records++;
    cs_functions_add(p->of_records, s->cpu, s->pc);
}

static void sampled(void *state, const cs_soft_record *record)
{
    cs_functions_part *p = state;
    const cs_imc_perf_sample *s = cs_told_imc_sample(record);

    p->samples++;
    cs_functions_add(p->of_samples, s->cpu, s->ip);
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_imc_record, recorded}, {&cs_soft_imc_sample, sampled}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_functions_part *p;

    if (!cs_is_power(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for functions");
    p->run = run;
    const cs_status status = cs_functions_create(run->scenario, &p->of_records, diag);
    return status == CS_OK ? cs_functions_create(run->scenario, &p->of_samples, diag) : status;
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_functions_part *p = state;

    (void)diag;
    if (p->records != 0)
        p->list = cs_functions_finish(p->of_records, &p->count);
    else if (p->samples != 0)
        p->list = cs_functions_finish(p->of_samples, &p->count);
    cs_truth_functions(p->run->truth, p->list, p->count);
    return CS_OK;
}

static void destroy(void *state)
{
    cs_functions_part *p = state;

    cs_functions_destroy(p->of_records);
    cs_functions_destroy(p->of_samples);
    free(p);
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_functions_part *p = state;
    const size_t rows = cs_summary_rows(p->count, most);

    (void)s;
    if (p->count == 0)
        return;
    fprintf(out, "\n  %-24s %16s %9s %9s\n", "function",
            p->records != 0 ? "trace records" : "samples", "share", "truth");
    for (size_t i = 0; i < rows; i++) {
        const cs_function_result *f = &p->list[i];

        fprintf(out, "  %-24s %16s %8.2f%% %8.2f%%\n", f->name, cs_digits_of(f->samples).text,
                100.0 * f->share, 100.0 * f->expected);
    }
    cs_summary_more(out, p->count, rows, "functions");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_functions_part *p = state;

    (void)s;
    fprintf(out, ",\n  \"functions\": [");
    for (size_t i = 0; i < p->count; i++) {
        const cs_function_result *f = &p->list[i];

        fprintf(out, "%s\n    {\"name\": ", cs_json_comma(i));
        cs_json_string(out, f->name);
        fprintf(out, ", \"samples\": %" PRIu64 ", \"share\": %.9g, \"truth\": %.9g}", f->samples,
                f->share, f->expected);
    }
    fprintf(out, "\n  ]");
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_functions_part *p = state;
    double sum = 0;

    (void)s;
    for (size_t i = 0; i < p->count; i++)
        sum += fabs(p->list[i].share - p->list[i].expected);
    if (p->count != 0)
        f[CS_WAY_SHARE_ERROR] = sum / (double)p->count;
    return CS_OK;
}

const cs_part cs_part_functions = {
    .name = "functions",
    .tables = own_tables,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_TEXT] = 50, [CS_PART_JSON] = 40, [CS_PART_WAYS] = 80},
    .text = text,
    .json = json,
    .ways = ways,
};

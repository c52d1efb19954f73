// SPDX-License-Identifier: Apache-2.0
#include "sweep/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/ways.h"

static void put(cs_sweep_result *out, const char *name, double value)
{
    for (size_t i = 0; i < out->nr; i++)
        if (strcmp(out->figures[i].name, name) == 0)
            return;
    if (isnan(value) || out->nr == CS_SWEEP_RESULT_MOST || strlen(name) >= CS_SWEEP_NAME_BYTES)
        return;
    strcpy(out->figures[out->nr].name, name);
    out->figures[out->nr++].value = value;
}

cs_status cs_sweep_result_of(const cs_summary *summary, cs_sweep_result *out, cs_diag *diag)
{
    cs_way_result way;
    cs_figures figures;
    cs_status status = cs_way_result_of(summary, &way, diag);

    if (status != CS_OK)
        return status;
    for (unsigned i = 0; i < CS_WAY_NR; i++)
        put(out, cs_way_figure_key(i), way.figures[i]);
    cs_summary_figures(summary, &figures);
    for (size_t i = 0; i < figures.count; i++) {
        const cs_figure *f = &figures.list[i];

        if (f->kind != CS_FIGURE_PHRASE && strcmp(f->row->key, "wall_ns") != 0)
            put(out, f->row->key, f->kind == CS_FIGURE_FRACTION ? f->fraction : (double)f->count);
    }
    return CS_OK;
}

const char *cs_sweep_figure_text(const char *name, double value, char *out, size_t size)
{
    const cs_figure_row *row = cs_figure_row_of(name);

    if (row != NULL)
        return cs_figure_value_text(row, value, out, size);
    snprintf(out, size, isnan(value) ? "-" : "%.10g", value);
    return out;
}

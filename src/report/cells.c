// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "report/columns.h"

#define MOST_CELLS 4000000u /* of all layers together: 11 MB of the page */
#define MOST_BINS 512u

typedef struct cube {
    float *sums;
    uint32_t *counts;
    uint16_t *codes; /* of a layer */
    size_t bins;
} cube;

static size_t bins_of(const cs_report_grid *grid)
{
    const size_t most = MOST_CELLS / (grid->layers * grid->rows);
    size_t bins = grid->bins < MOST_BINS ? grid->bins : MOST_BINS;

    bins = bins < most ? bins : most;
    return bins != 0 ? bins : 1;
}

static int add_rows(cube *c, const cs_report_grid *grid, sqlite3_stmt *query, size_t *nr_rows)
{
    int step;

    while ((step = sqlite3_step(query)) == SQLITE_ROW) {
        const sqlite3_int64 layer = sqlite3_column_int64(query, 0);
        const sqlite3_int64 row = sqlite3_column_int64(query, 1);
        const double at = sqlite3_column_double(query, 2) / grid->last;

        if (layer < 0 || (size_t)layer >= grid->layers || row < 0 || (size_t)row >= grid->rows ||
            !(at >= 0) || at >= 1)
            continue;
        const size_t bin = (size_t)(at * (double)c->bins);
        const size_t cell = ((size_t)layer * grid->rows + (size_t)row) * c->bins + bin;

        c->sums[cell] += (float)sqlite3_column_double(query, 3);
        c->counts[cell]++;
        ++*nr_rows;
    }
    return step;
}

static void put_layer(cube *c, const cs_report_grid *grid, size_t layer, FILE *out)
{
    const size_t nr = grid->rows * c->bins, first = layer * nr;
    double low = (double)INFINITY, high = (double)-INFINITY;

    for (size_t i = 0; i < nr; i++)
        if (c->counts[first + i] != 0) {
            const double mean = (double)c->sums[first + i] / c->counts[first + i];

            low = mean < low ? mean : low;
            high = mean > high ? mean : high;
        }
    for (size_t i = 0; i < nr; i++) {
        const double mean =
            c->counts[first + i] != 0 ? (double)c->sums[first + i] / c->counts[first + i] : low;

        c->codes[i] = c->counts[first + i] == 0 ? 0
                      : high > low ? (uint16_t)(1.5 + (mean - low) / (high - low) * 65534)
                                   : 1;
    }
    if (low > high)
        low = high = 0;
    fprintf(out, "%s{\"low\":%.9g,\"high\":%.9g,\"u16\":", layer != 0 ? "," : "", low, high);
    cs_report_base64(out, c->codes, nr * sizeof *c->codes);
    fputc('}', out);
}

cs_status cs_report_cells(sqlite3_stmt *query, const cs_report_grid *grid, FILE *out,
                          size_t *nr_rows, cs_diag *diag)
{
    cube c = {0};
    cs_status status = CS_OK;

    *nr_rows = 0;
    if (grid->layers == 0 || grid->rows == 0 || !(grid->last > 0))
        return CS_OK;
    c.bins = bins_of(grid);
    const size_t cells = grid->layers * grid->rows * c.bins;

    c.sums = calloc(cells, sizeof *c.sums);
    c.counts = calloc(cells, sizeof *c.counts);
    c.codes = calloc(grid->rows * c.bins, sizeof *c.codes);
    if (c.sums == NULL || c.counts == NULL || c.codes == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    else if (add_rows(&c, grid, query, nr_rows) != SQLITE_DONE)
        status =
            cs_diag_set(diag, CS_ERR_FORMAT, NULL, "%s", sqlite3_errmsg(sqlite3_db_handle(query)));
    if (status == CS_OK && *nr_rows != 0) {
        fprintf(out, "{\"n\":%zu,\"bins\":%zu,\"rows\":%zu,\"step\":%.17g,\"layers\":[", *nr_rows,
                c.bins, grid->rows, grid->last / (double)c.bins);
        for (size_t i = 0; i < grid->layers; i++)
            put_layer(&c, grid, i, out);
        fputs("]}", out);
    }
    free(c.sums);
    free(c.counts);
    free(c.codes);
    return status;
}

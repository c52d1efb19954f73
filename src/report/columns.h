// SPDX-License-Identifier: Apache-2.0
/* Rows of a query as JSON that a page reads quickly: a column each. Long columns of numbers are bytes in
 * base64, little endian. */
#ifndef CS_REPORT_COLUMNS_H
#define CS_REPORT_COLUMNS_H

#include <sqlite3.h>
#include <stdio.h>

#include <countersink/base/diag.h>

/* More rows than these are cut, which the page tells. */
#define CS_REPORT_MOST_ROWS 2000000u

/* All rows of the query, as an object:
 *
 *   {"n": 2, "cut": false, "columns": {"cpu": COLUMN, ...}}
 *
 * A COLUMN is a list of numbers (null: none); {"u16": BYTES, "base": N} or {"u32": ..}, whole numbers from N
 * on; {"f64": BYTES}, NaN: none; {"all": N}, the same in all rows. One of texts has {"words": [..]}, too: its
 * numbers are those of words, of which word 0 is "" for none. *nr_rows 0: nothing was written. CS_ERR_FORMAT: the query fails. */
cs_status cs_report_columns(sqlite3_stmt *query, FILE *out, size_t *nr_rows, cs_diag *diag);

/* A matrix a layer, of means over bins of [0, last): of rows (layer, row, cycle, value).
 *
 *   {"n": .., "bins": B, "rows": R, "layers": [{"low": l, "high": h, "u16": BYTES}, ...], "step": cycles}
 *
 * Row by row; 0: no value, 1 to 65535: from low to high. */
typedef struct cs_report_grid {
    size_t layers, rows, bins;
    double last;
} cs_report_grid;

cs_status cs_report_cells(sqlite3_stmt *query, const cs_report_grid *grid, FILE *out,
                          size_t *nr_rows, cs_diag *diag);

/* Bytes as base64, in quotes. */
void cs_report_base64(FILE *out, const void *bytes, size_t count);

#endif

// SPDX-License-Identifier: Apache-2.0
/* The truth of a run as an SQLite database (schema: docs/traces/truth.md), so that it can be asked. Here is
 * the database; its rows come from the parts of a run, each into tables of its own (part.h). */
#ifndef CS_RESULTS_TRUTH_TRUTH_H
#define CS_RESULTS_TRUTH_TRUTH_H

#include <stdint.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_truth cs_truth;

/* A table, with the statement that adds a row. Known by its address. */
typedef struct cs_truth_table {
    const char *create;
    const char *insert;
} cs_truth_table;

/* Makes the file `path` (which must not exist) with its tables: those of the run and of all parts. */
cs_status cs_truth_create(const char *path, const cs_scenario *scenario, cs_truth **out,
                          cs_diag *diag);

/* A fact of the run, in table `run`. */
void cs_truth_fact(cs_truth *truth, const char *key, uint64_t value);

/* ---- rows ---- */

typedef struct cs_truth_rows cs_truth_rows;

/* The table, to be filled; valid as long as the truth. */
cs_truth_rows *cs_truth_rows_of(cs_truth *truth, const cs_truth_table *table);

/* Integer columns from `first` (1-based) on. SQLite's integers are signed: counts beyond
 * 2^63 come back negative with the same 64 bits. */
void cs_truth_integers(cs_truth_rows *rows, int first, const uint64_t *values, int count);
void cs_truth_real(cs_truth_rows *rows, int column, double value);
/* Valid until the row is put; NULL: NULL. */
void cs_truth_text(cs_truth_rows *rows, int column, const char *text);
void cs_truth_null(cs_truth_rows *rows, int column);
/* The row whose columns are bound. A failure is kept and reported by cs_truth_finish. */
void cs_truth_put(cs_truth_rows *rows);
/* All columns at once. */
void cs_truth_put_integers(cs_truth_rows *rows, const uint64_t *values, int count);

/* The column's text for cs_bus_resp and CS_SAMPLE_LOST. */
const char *cs_truth_response(uint8_t resp);
/* "read" or "write". */
const char *cs_truth_direction(const cs_probe_record *record);

/* ---- the end ---- */

/* Closes the file. The object is gone afterwards. */
cs_status cs_truth_finish(cs_truth *truth, cs_diag *diag);
/* Without finishing: the file stays as it is. NULL is allowed. */
void cs_truth_abandon(cs_truth *truth);

#ifdef __cplusplus
}
#endif

#endif

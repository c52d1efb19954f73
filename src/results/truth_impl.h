/* Internal to the truth: its tables, and how a row gets into one. */
#ifndef CS_RESULTS_TRUTH_IMPL_H
#define CS_RESULTS_TRUTH_IMPL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats/riscv/read/chain.h"
#include "results/truth.h"

typedef enum cs_truth_table {
    CS_TRUTH_RUN,
    CS_TRUTH_CPU,
    CS_TRUTH_EVENT,
    CS_TRUTH_SUBSAMPLE,
    CS_TRUTH_WINDOW,
    CS_TRUTH_SAMPLE,
    CS_TRUTH_TOTAL,
    CS_TRUTH_RECORD,
    CS_TRUTH_FUNCTION,
    CS_TRUTH_COUNT,
    CS_TRUTH_PERF_SAMPLE,
    CS_TRUTH_HART,
    CS_TRUTH_HART_SAMPLE,
    CS_TRUTH_CALL_PATH,
    CS_TRUTH_CALL_SHARE,
    CS_TRUTH_ROTATED,
    CS_TRUTH_UNIT,
    CS_TRUTH_IMAGE,
    CS_TRUTH_POSTED,
    CS_TRUTH_SNAPSHOT,
    CS_TRUTH_SWITCH,
    CS_TRUTH_STATE,
    CS_TRUTH_LINE,
    CS_TRUTH_ACCESS,
    CS_TRUTH_CSR,
    CS_TRUTH_POSTING,
    CS_TRUTH_TRANSFER,
    CS_TRUTH_LOAD,
    CS_TRUTH_SOFTWARE,
    CS_TRUTH_NR_TABLES
} cs_truth_table;

/* truth_tables.c: each with the statement that fills it. */
typedef struct cs_truth_table_sql {
    const char *create;
    const char *insert;
} cs_truth_table_sql;

extern const cs_truth_table_sql cs_truth_tables[CS_TRUTH_NR_TABLES];

struct cs_truth {
    sqlite3 *db;
    sqlite3_stmt *insert[CS_TRUTH_NR_TABLES];
    const cs_scenario *scenario;
    char path[4096];
    bool failed;
};

/* Integer columns from `first` (1-based) on. SQLite's integers are signed: counts beyond
 * 2^63 come back negative with the same 64 bits. */
void cs_truth_integers(cs_truth *truth, cs_truth_table table, int first, const uint64_t *values,
                       int count);
/* A static text; NULL: NULL. */
void cs_truth_text(cs_truth *truth, cs_truth_table table, int column, const char *text);
/* The row whose columns are bound; a failure is kept. */
void cs_truth_put(cs_truth *truth, cs_truth_table table);

/* truth_paths.c: the chain of a sample's interrupted workload, by the timeline; NULL: it has none. */
const char *cs_truth_chain(const cs_truth_hart_sample *sample, char text[CS_PERF_CHAIN_TEXT]);

/* Of cs_bus_resp and CS_SAMPLE_LOST. */
const char *cs_truth_response(uint8_t resp);

#endif

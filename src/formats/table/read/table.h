// SPDX-License-Identifier: Apache-2.0
/* Reads the tables of samples and of counts that a trace may be (docs/traces/traces.md, "Dumps and
 * tables"): CSV (RFC 4180) or a JSON array of objects, a row at a time. */
#ifndef CS_FORMATS_TABLE_READ_TABLE_H
#define CS_FORMATS_TABLE_READ_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_tableread_kind {
    CS_TABLEREAD_EMPTY, /* JSON without a row: it may be of both */
    CS_TABLEREAD_SAMPLES,
    CS_TABLEREAD_CHAINS, /* samples with their call chains */
    CS_TABLEREAD_COUNTS,
    CS_TABLEREAD_SOCKETS, /* counts with their CPUs' sockets */
    CS_TABLEREAD_ROTATED  /* counts of events that had counters in turns */
} cs_tableread_kind;

/* Cells of a row, in this order. */
enum {
    CS_SAMPLE_TIME,
    CS_SAMPLE_EVENT,
    CS_SAMPLE_CPU,
    CS_SAMPLE_PID,
    CS_SAMPLE_MODE,
    CS_SAMPLE_IP,
    CS_SAMPLE_PERIOD,
    CS_SAMPLE_CELLS,
    CS_SAMPLE_CHAIN = CS_SAMPLE_CELLS, /* "0x10124;0x1044c" */
    CS_CHAINS_CELLS
};
enum {
    CS_COUNT_FROM,
    CS_COUNT_TO,
    CS_COUNT_EVENT,
    CS_COUNT_CPU,
    CS_COUNT_RAW,
    CS_COUNT_VALUE,
    CS_COUNT_UNIT,
    CS_COUNT_TRUTH,
    CS_COUNT_CELLS,
    CS_COUNT_SOCKET = CS_COUNT_CELLS,
    CS_SOCKETS_CELLS
};

enum { /* of rotated counts: CS_COUNT_FROM .. CS_COUNT_CPU, then */
       CS_ROTATED_FINAL = CS_COUNT_CPU + 1,
       CS_ROTATED_RAW,
       CS_ROTATED_ENABLED,
       CS_ROTATED_RUNNING,
       CS_ROTATED_SCALED,
       CS_ROTATED_UNIT,
       CS_ROTATED_TRUTH,
       CS_TABLEREAD_CELLS
};

typedef struct cs_tableread_cell {
    const char *text; /* NULL: empty */
    int64_t number;   /* where it is a whole one; above 2^63 - 1 as two's complement */
    double real;      /* of CS_COUNT_VALUE and CS_ROTATED_SCALED */
} cs_tableread_cell;

typedef struct cs_tableread_row {
    cs_tableread_kind kind;
    uint64_t offset; /* of its first byte in the file */
    unsigned nr_cells;
    cs_tableread_cell cells[CS_TABLEREAD_CELLS];
} cs_tableread_row;

typedef struct cs_tableread cs_tableread;

/* `format`: CS_TABLE_CSV or CS_TABLE_JSON; `name` (borrowed) is for messages. CS_ERR_NO_MEMORY. */
cs_status cs_tableread_open(const cs_byte_source *source, const char *name, cs_table_format format,
                            cs_tableread **out, cs_diag *diag);
void cs_tableread_close(cs_tableread *table);

/* *row is the next row, valid until the next call; NULL at the end. CS_ERR_FORMAT: the file is no
 * such table, with the byte, what was expected and found; the same again after that. */
cs_status cs_tableread_next(cs_tableread *table, const cs_tableread_row **row, cs_diag *diag);

/* Known when the first row, or the end, has been read. */
cs_tableread_kind cs_tableread_get_kind(const cs_tableread *table);

/* Prints one row per row of the table, with its byte. */
cs_status cs_tableread_print(cs_tableread *table, cs_table_format format, const cs_text_sink *sink,
                             cs_diag *diag);

/* Whether a file that begins so is such a table in CSV; in JSON. */
bool cs_tableread_is_csv(const uint8_t *look, size_t bytes);
bool cs_tableread_is_json(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Rows of cells as text for people, as CSV and as JSON: columns are described once, rows are
 * handed over, the format decides what they look like. Nothing is kept but the current columns
 * and row, so that a table may be of any length. */
#ifndef CS_FORMATS_COMMON_TABLE_H
#define CS_FORMATS_COMMON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_table_format {
    CS_TABLE_TEXT, /* a line of names, then rows, columns aligned */
    CS_TABLE_CSV,  /* RFC 4180 with LF: a line of names, then rows */
    CS_TABLE_JSON  /* one array of objects, an object a line */
} cs_table_format;

typedef enum cs_cell_kind {
    CS_CELL_NUMBER, /* decimal */
    CS_CELL_SIGNED, /* likewise, two's complement */
    CS_CELL_HEX,    /* "0x0011" with at least `digits` digits; a string in JSON */
    CS_CELL_NAME,   /* text; NULL is empty, null in JSON */
    CS_CELL_REAL    /* a number as text, in JSON as it stands, as "1.5e+20"; NULL as in a name */
} cs_cell_kind;

typedef struct cs_table_column {
    const char *name;
    cs_cell_kind kind;
    unsigned digits; /* of CS_CELL_HEX, 1..16 */
    unsigned width;  /* text: at least so many characters; a name wider than that counts */
} cs_table_column;

typedef union cs_table_cell {
    uint64_t number;
    const char *name;
} cs_table_cell;

/* Takes all of text[0..bytes); anything but CS_OK ends the table. */
typedef struct cs_text_sink {
    cs_status (*write)(void *ctx, const char *text, size_t bytes);
    void *ctx;
} cs_text_sink;

#define CS_TABLE_LINE_BYTES 1024u

/* To be filled by cs_table_begin; the members are the writer's. */
typedef struct cs_table {
    cs_table_format format;
    cs_text_sink sink;
    const cs_table_column *columns; /* borrowed */
    size_t nr_columns;
    bool any_columns;
    bool any_rows;
    cs_status status; /* the first that the sink returned and that was not CS_OK */
    size_t held;      /* of line: what the sink gets at the row's end */
    char line[CS_TABLE_LINE_BYTES];
} cs_table;

/* CS_ERR_RANGE where `name` is none of "text", "csv", "json". */
cs_status cs_table_format_of(const char *name, cs_table_format *out, cs_diag *diag);

void cs_table_begin(cs_table *table, cs_table_format format, const cs_text_sink *sink);

/* The columns of the rows that follow, borrowed until the next call or the end. May be called
 * again: text and CSV get a new line of names, in text after an empty line. */
cs_status cs_table_columns(cs_table *table, const cs_table_column *columns, size_t nr_columns);

/* One row of as many cells as there are columns. */
cs_status cs_table_row(cs_table *table, const cs_table_cell *cells);

cs_status cs_table_end(cs_table *table);

#ifdef __cplusplus
}
#endif

#endif

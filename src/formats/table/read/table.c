// SPDX-License-Identifier: Apache-2.0
#include "formats/table/read/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/json_read.h"

#define ROW_BYTES 65536u

typedef enum cell_kind { WHOLE, HEX, TEXT, REAL, MODE, CHAIN } cell_kind;

typedef struct column {
    const char *name;
    cell_kind kind;
    bool may_be_empty;
} column;

static const column columns_of_samples[CS_CHAINS_CELLS] = {
    {"time_ns", WHOLE, false}, {"event", TEXT, false}, {"cpu", WHOLE, false},
    {"pid", WHOLE, false},     {"mode", MODE, true},   {"ip", HEX, false},
    {"period", WHOLE, false},  {"chain", CHAIN, true},
};
static const column columns_of_counts[CS_SOCKETS_CELLS] = {
    {"from_ns", WHOLE, false}, {"to_ns", WHOLE, false}, {"event", TEXT, false},
    {"cpu", WHOLE, false},     {"raw", WHOLE, false},   {"value", REAL, false},
    {"unit", TEXT, true},      {"truth", WHOLE, true},  {"socket", WHOLE, true},
};
static const column columns_of_rotated[CS_TABLEREAD_CELLS] = {
    {"from_ns", WHOLE, false},    {"to_ns", WHOLE, false},      {"event", TEXT, false},
    {"cpu", WHOLE, false},        {"final", WHOLE, false},      {"raw", WHOLE, false},
    {"enabled_ns", WHOLE, false}, {"running_ns", WHOLE, false}, {"scaled", REAL, true},
    {"unit", TEXT, true},         {"truth", WHOLE, true},
};
static const struct {
    const column *columns;
    unsigned nr_columns;
} kinds[] = {
    [CS_TABLEREAD_SAMPLES] = {columns_of_samples, CS_SAMPLE_CELLS},
    [CS_TABLEREAD_CHAINS] = {columns_of_samples, CS_CHAINS_CELLS},
    [CS_TABLEREAD_COUNTS] = {columns_of_counts, CS_COUNT_CELLS},
    [CS_TABLEREAD_SOCKETS] = {columns_of_counts, CS_SOCKETS_CELLS},
    [CS_TABLEREAD_ROTATED] = {columns_of_rotated, CS_TABLEREAD_CELLS},
};

struct cs_tableread {
    cs_byte_source source;
    const char *name;
    cs_json *json; /* NULL: it is CSV */
    cs_tableread_kind kind;
    bool begun, ended;
    cs_tableread_row row;
    size_t at[CS_TABLEREAD_CELLS]; /* where in text a cell begins */
    uint64_t offsets[CS_TABLEREAD_CELLS];
    bool empty[CS_TABLEREAD_CELLS];
    char text[ROW_BYTES];
    size_t bytes;
    uint8_t piece[16384];
    size_t had, given;
    uint64_t before;
    cs_status status;
    cs_diag diag;
};

cs_status cs_tableread_open(const cs_byte_source *source, const char *name, cs_table_format format,
                            cs_tableread **out, cs_diag *diag)
{
    cs_tableread *table = calloc(1, sizeof *table);
    cs_status status = CS_OK;

    *out = NULL;
    if (table == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    table->source = *source;
    table->name = name;
    if (format == CS_TABLE_JSON)
        status = cs_json_open(source, name, false, &table->json, diag);
    if (status == CS_OK)
        *out = table;
    else
        cs_tableread_close(table);
    return status;
}

void cs_tableread_close(cs_tableread *table)
{
    if (table != NULL)
        cs_json_close(table->json);
    free(table);
}

cs_tableread_kind cs_tableread_get_kind(const cs_tableread *table)
{
    return table->kind;
}

__attribute__((format(printf, 3, 4))) static cs_status bad(cs_tableread *table, uint64_t offset,
                                                           const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cs_diag_set(&table->diag, CS_ERR_FORMAT, table->name, "byte 0x%llx: %s",
                       (unsigned long long)offset, text);
}

/* ---- cells ---- */

/* Digits of one base; false: something else, or more than 64 bits. */
static bool whole(const char *text, int base, int64_t *out)
{
    const bool minus = base == 10 && text[0] == '-';
    const char *digits = text + (minus ? 1 : 0);
    char *end;

    if (base == 16 && strncmp(text, "0x", 2) != 0)
        return false;
    if (base == 16)
        digits += 2;
    if (digits[strspn(digits, base == 16 ? "0123456789abcdefABCDEF" : "0123456789")] != '\0' ||
        digits[0] == '\0')
        return false;
    errno = 0;
    const unsigned long long number = strtoull(digits, &end, base);
    if (errno != 0 || (minus && number > INT64_MAX))
        return false;
    *out = minus ? -(int64_t)number : (int64_t)number;
    return true;
}

static bool real(const char *text, double *out)
{
    char *end;

    if (text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

static int64_t misc_of(const char *mode)
{
    static const char *const modes[] = {"?", "kernel", "user", "?", "guest kernel", "guest user"};

    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(mode, modes[i]) == 0)
            return i;
    return -1;
}

static bool is_chain(const char *text)
{
    for (;;) {
        size_t length = strcspn(text, ";");
        char one[24];
        int64_t number;

        if (length >= sizeof one)
            return false;
        memcpy(one, text, length);
        one[length] = '\0';
        if (!whole(one, 16, &number))
            return false;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

/* Numbers of the texts, where they must be numbers. */
static cs_status take_cells(cs_tableread *table)
{
    static const char *const expected[] = {"a whole number",
                                           "a number as 0x1f",
                                           "a text",
                                           "a number",
                                           "kernel, user, guest kernel or guest user",
                                           "numbers as 0x1f with ; between them"};

    table->row.kind = table->kind;
    table->row.nr_cells = kinds[table->kind].nr_columns;
    for (unsigned i = 0; i < table->row.nr_cells; i++) {
        const column *column = &kinds[table->kind].columns[i];
        const char *text = table->text + table->at[i];
        cs_tableread_cell *cell = &table->row.cells[i];
        bool good = true;

        *cell = (cs_tableread_cell){.text = table->empty[i] ? NULL : text};
        if (table->empty[i]) {
            if (!column->may_be_empty)
                return bad(table, table->offsets[i], "%s is empty, expected %s", column->name,
                           expected[column->kind]);
            continue;
        }
        if (column->kind == WHOLE || column->kind == HEX)
            good = whole(text, column->kind == HEX ? 16 : 10, &cell->number);
        if (column->kind == REAL)
            good = real(text, &cell->real);
        if (column->kind == MODE) {
            cell->number = misc_of(text);
            good = cell->number >= 0;
        }
        if (column->kind == CHAIN)
            good = is_chain(text);
        if (!good)
            return bad(table, table->offsets[i], "%s: found '%.40s', expected %s", column->name,
                       text, expected[column->kind]);
    }
    return CS_OK;
}

static bool hold(cs_tableread *table, const char *text, size_t bytes)
{
    if (bytes >= ROW_BYTES - table->bytes)
        return false;
    memcpy(table->text + table->bytes, text, bytes);
    table->bytes += bytes;
    table->text[table->bytes] = '\0';
    return true;
}

/* ---- CSV ---- */

static cs_status look(cs_tableread *table, int *c)
{
    cs_status status = CS_OK;

    if (table->given == table->had) {
        table->before += table->had;
        table->given = table->had = 0;
        status = table->source.read(table->source.ctx, table->piece, sizeof table->piece,
                                    &table->had, &table->diag);
    }
    *c = status == CS_OK && table->given < table->had ? table->piece[table->given] : -1;
    return status;
}

/* One cell into text; *end is what stands behind it: ',', '\n' or -1. */
static cs_status csv_cell(cs_tableread *table, bool *empty, int *end)
{
    const uint64_t offset = table->before + table->given;
    bool quoted = false, inside = false;
    cs_status status;
    int c;

    *empty = true;
    while ((status = look(table, &c)) == CS_OK) {
        if (c < 0 && inside)
            return bad(table, offset, "the file ends inside of quotes, expected '\"'");
        if (!inside && (c == ',' || c == '\n' || c < 0))
            break;
        table->given++;
        if (c == '"' && inside) {
            inside = false;
            quoted = true;
            continue;
        }
        if (c == '"' && (*empty || quoted)) {
            /* a second one in a row stands for itself */
            if (quoted && !hold(table, "\"", 1))
                return bad(table, offset, "a row of more than %u bytes", ROW_BYTES);
            inside = true;
            *empty = false;
            continue;
        }
        if (!inside && c == '\r') {
            status = look(table, &c);
            if (status == CS_OK && c != '\n')
                return bad(table, table->before + table->given, "CR without LF");
            continue;
        }
        if (quoted && !inside)
            return bad(table, table->before + table->given - 1,
                       "found '%c' behind quotes, expected ',' or a new line", c);
        if (c == 0 || c == '"')
            return bad(table, table->before + table->given - 1, "found byte 0x%02x in a cell",
                       (unsigned)c);
        *empty = false;
        if (!hold(table, (const char[]){(char)c}, 1))
            return bad(table, offset, "a row of more than %u bytes", ROW_BYTES);
    }
    *end = c;
    return status;
}

/* A line, *nr = 0 at the end of the file. */
static cs_status csv_line(cs_tableread *table, unsigned *nr)
{
    cs_status status;
    int c;

    *nr = 0;
    table->bytes = 0;
    table->row.offset = table->before + table->given;
    status = look(table, &c);
    if (status != CS_OK || c < 0)
        return status;
    do {
        if (*nr == CS_TABLEREAD_CELLS)
            return bad(table, table->before + table->given,
                       "more than %u cells in a row, which begins at byte 0x%llx", *nr,
                       (unsigned long long)table->row.offset);
        table->at[*nr] = table->bytes;
        table->offsets[*nr] = table->before + table->given;
        status = csv_cell(table, &table->empty[*nr], &c);
        if (status != CS_OK)
            return status;
        if (c < 0)
            return bad(table, table->before + table->given,
                       "the file ends in a row, expected a new line");
        if (!hold(table, "", 1))
            return bad(table, table->row.offset, "a row of more than %u bytes", ROW_BYTES);
        table->given++;
        ++*nr;
    } while (c == ',');
    return CS_OK;
}

static bool is_named(const cs_tableread *table, cs_tableread_kind kind, unsigned nr)
{
    if (nr != kinds[kind].nr_columns)
        return false;
    for (unsigned i = 0; i < nr; i++)
        if (strcmp(table->text + table->at[i], kinds[kind].columns[i].name) != 0)
            return false;
    return true;
}

#define EXPECTED_COLUMNS "time_ns,event,cpu,.. or from_ns,to_ns,event,.."

static cs_status csv_next(cs_tableread *table)
{
    unsigned nr;
    cs_status status = csv_line(table, &nr);

    if (status == CS_OK && !table->begun) {
        table->begun = true;
        table->kind = is_named(table, CS_TABLEREAD_SAMPLES, nr)   ? CS_TABLEREAD_SAMPLES
                      : is_named(table, CS_TABLEREAD_CHAINS, nr)  ? CS_TABLEREAD_CHAINS
                      : is_named(table, CS_TABLEREAD_COUNTS, nr)  ? CS_TABLEREAD_COUNTS
                      : is_named(table, CS_TABLEREAD_SOCKETS, nr) ? CS_TABLEREAD_SOCKETS
                      : is_named(table, CS_TABLEREAD_ROTATED, nr) ? CS_TABLEREAD_ROTATED
                                                                  : CS_TABLEREAD_EMPTY;
        if (table->kind == CS_TABLEREAD_EMPTY)
            return bad(table, 0, "found %u columns from '%.40s' on, expected " EXPECTED_COLUMNS, nr,
                       nr > 0 ? table->text : "");
        status = csv_line(table, &nr);
    }
    if (status != CS_OK)
        return status;
    table->ended = nr == 0;
    if (table->ended)
        return CS_OK;
    if (nr != kinds[table->kind].nr_columns)
        return bad(table, table->row.offset, "%u cells in a row, expected %u", nr,
                   kinds[table->kind].nr_columns);
    return take_cells(table);
}

/* ---- JSON ---- */

static cs_status json_token(cs_tableread *table, cs_json_token *token)
{
    return cs_json_next(table->json, token, &table->diag);
}

static cs_status json_cell(cs_tableread *table, unsigned i, const cs_json_token *token)
{
    const column *column = &kinds[table->kind].columns[i];
    const bool is_text = column->kind == TEXT || column->kind == HEX || column->kind == MODE ||
                         column->kind == CHAIN;

    table->at[i] = table->bytes;
    table->offsets[i] = token->offset;
    table->empty[i] = token->kind == CS_JSON_NULL;
    if (!table->empty[i] && token->kind != (is_text ? CS_JSON_STRING : CS_JSON_NUMBER))
        return bad(table, token->offset, "%s: found something else, expected a %s", column->name,
                   is_text ? "string" : "number");
    if (!hold(table, token->text, token->bytes) || !hold(table, "", 1))
        return bad(table, token->offset, "%s is longer than %u bytes", column->name, ROW_BYTES);
    return CS_OK;
}

/* Keys may stand in any order. */
static cs_status json_row(cs_tableread *table)
{
    const bool first = table->kind == CS_TABLEREAD_EMPTY;
    unsigned there = 0;
    cs_json_token token;
    cs_status status;

    table->bytes = 0;
    while ((status = json_token(table, &token)) == CS_OK && token.kind == CS_JSON_KEY) {
        unsigned i = 0;

        if (table->kind == CS_TABLEREAD_EMPTY)
            table->kind =
                strcmp(token.text, "from_ns") == 0 ? CS_TABLEREAD_COUNTS : CS_TABLEREAD_SAMPLES;
        /* the first columns of both are the same */
        if (table->kind == CS_TABLEREAD_COUNTS && there == (1u << CS_ROTATED_FINAL) - 1 &&
            strcmp(token.text, "final") == 0)
            table->kind = CS_TABLEREAD_ROTATED;
        if (first && table->kind == CS_TABLEREAD_SAMPLES && strcmp(token.text, "chain") == 0)
            table->kind = CS_TABLEREAD_CHAINS;
        if (first && table->kind == CS_TABLEREAD_COUNTS && strcmp(token.text, "socket") == 0)
            table->kind = CS_TABLEREAD_SOCKETS;
        while (i < kinds[table->kind].nr_columns &&
               strcmp(kinds[table->kind].columns[i].name, token.text) != 0)
            i++;
        if (i == kinds[table->kind].nr_columns || (there & 1u << i) != 0)
            return bad(table, token.offset, "key '%.40s' is %s, expected " EXPECTED_COLUMNS,
                       token.text, i == kinds[table->kind].nr_columns ? "unknown" : "there twice");
        there |= 1u << i;
        status = json_token(table, &token);
        if (status == CS_OK)
            status = json_cell(table, i, &token);
        if (status != CS_OK)
            return status;
    }
    if (status != CS_OK)
        return status;
    for (unsigned i = 0; i < kinds[table->kind].nr_columns; i++)
        if ((there & 1u << i) == 0)
            return bad(table, table->row.offset, "a row without '%s'",
                       table->kind == CS_TABLEREAD_EMPTY ? "time_ns"
                                                         : kinds[table->kind].columns[i].name);
    return table->kind != CS_TABLEREAD_EMPTY
               ? take_cells(table)
               : bad(table, table->row.offset, "an empty row, expected " EXPECTED_COLUMNS);
}

static cs_status json_next(cs_tableread *table)
{
    cs_json_token token;
    cs_status status = json_token(table, &token);

    if (status == CS_OK && !table->begun) {
        if (token.kind != CS_JSON_ARRAY)
            return bad(table, token.offset, "expected '[', the begin of an array of rows");
        table->begun = true;
        status = json_token(table, &token);
    }
    if (status != CS_OK)
        return status;
    if (token.kind == CS_JSON_ARRAY_END) {
        table->ended = true;
        return json_token(table, &token); /* nothing may stand behind it */
    }
    if (token.kind != CS_JSON_OBJECT)
        return bad(table, token.offset, "expected '{', the begin of a row");
    table->row.offset = token.offset;
    return json_row(table);
}

cs_status cs_tableread_next(cs_tableread *table, const cs_tableread_row **row, cs_diag *diag)
{
    *row = NULL;
    if (table->status == CS_OK && !table->ended)
        table->status = table->json != NULL ? json_next(table) : csv_next(table);
    if (table->status != CS_OK && diag != NULL)
        *diag = table->diag;
    if (table->status == CS_OK && !table->ended)
        *row = &table->row;
    return table->status;
}

/* ---- what it looks like ---- */

bool cs_tableread_is_csv(const uint8_t *look, size_t bytes)
{
    static const char *const begins[] = {"time_ns,event,cpu,pid", "from_ns,to_ns,event,cpu"};

    for (unsigned i = 0; i < 2; i++)
        if (bytes > strlen(begins[i]) && memcmp(look, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

bool cs_tableread_is_json(const uint8_t *look, size_t bytes)
{
    static const char *const begins[] = {"{\"time_ns\":", "{\"from_ns\":", "]"};
    size_t at = 0;

    if (bytes == 0 || look[at++] != '[')
        return false;
    while (at < bytes && (look[at] == ' ' || look[at] == '\n' || look[at] == '\r'))
        at++;
    for (unsigned i = 0; i < 3; i++)
        if (bytes - at >= strlen(begins[i]) && memcmp(look + at, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* ---- rows for people ---- */

static unsigned width_of(cell_kind kind)
{
    switch (kind) {
    case TEXT:
    case REAL:
        return 20;
    case HEX:
        return 18;
    default:
        return 10;
    }
}

cs_status cs_tableread_print(cs_tableread *table, cs_table_format format, const cs_text_sink *sink,
                             cs_diag *diag)
{
    cs_table out;
    cs_table_column columns[CS_TABLEREAD_CELLS + 1] = {{"offset", CS_CELL_HEX, 1, 10}};
    const cs_tableread_row *row = NULL;
    cs_status status;

    cs_table_begin(&out, format, sink);
    while ((status = cs_tableread_next(table, &row, diag)) == CS_OK && row != NULL) {
        cs_table_cell cells[CS_TABLEREAD_CELLS + 1] = {{.number = row->offset}};

        if (!out.any_columns) {
            for (unsigned i = 0; i < row->nr_cells; i++) {
                const column *c = &kinds[row->kind].columns[i];

                columns[i + 1] = (cs_table_column){
                    c->name, c->kind == WHOLE || c->kind == REAL ? CS_CELL_REAL : CS_CELL_NAME, 0,
                    width_of(c->kind)};
            }
            cs_table_columns(&out, columns, row->nr_cells + 1);
        }
        for (unsigned i = 0; i < row->nr_cells; i++)
            cells[i + 1].name = row->cells[i].text;
        if (cs_table_row(&out, cells) != CS_OK)
            break;
    }
    cs_table_end(&out);
    if (status == CS_OK && out.status != CS_OK)
        return cs_diag_set(diag, out.status, NULL, "the table could not be written");
    return status;
}

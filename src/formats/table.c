#include "formats/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_BYTES 32

static void put(cs_table *table, const char *text, size_t bytes)
{
    if (table->status == CS_OK && bytes > 0)
        table->status = table->sink.write(table->sink.ctx, text, bytes);
}

static void puts_of(cs_table *table, const char *text)
{
    put(table, text, strlen(text));
}

/* ---- one cell in each of the formats ---- */

static const char *number_of(const cs_table_column *column, cs_table_cell cell,
                             char buffer[NUMBER_BYTES])
{
    if (column->kind == CS_CELL_HEX)
        snprintf(buffer, NUMBER_BYTES, "0x%0*" PRIx64,
                 (int)(column->digits < 16 ? column->digits : 16), cell.number);
    else
        snprintf(buffer, NUMBER_BYTES, "%" PRIu64, cell.number);
    return buffer;
}

static size_t width_of(const cs_table_column *column)
{
    size_t name = strlen(column->name);

    return name > column->width ? name : column->width;
}

/* Numbers stand at the right of their column, names at the left. */
static void put_aligned(cs_table *table, const cs_table_column *column, const char *text, bool last)
{
    static const char blanks[] = "                                ";
    size_t width = width_of(column);
    size_t length = strlen(text);
    size_t missing = length < width ? width - length : 0;
    bool left = column->kind == CS_CELL_NAME;

    if (left)
        put(table, text, length);
    for (; missing > 0 && !(left && last);) {
        size_t part = missing < sizeof blanks - 1 ? missing : sizeof blanks - 1;

        put(table, blanks, part);
        missing -= part;
    }
    if (!left)
        put(table, text, length);
}

static void put_csv(cs_table *table, const char *text)
{
    if (strpbrk(text, "\",\r\n") == NULL) {
        puts_of(table, text);
        return;
    }
    puts_of(table, "\"");
    for (const char *c = text; *c != '\0'; c++)
        put(table, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    puts_of(table, "\"");
}

static void put_json(cs_table *table, const char *text)
{
    char escape[8];

    puts_of(table, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;

        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            put(table, c, 1);
            continue;
        }
        snprintf(escape, sizeof escape, "\\u%04x", byte);
        puts_of(table, escape);
    }
    puts_of(table, "\"");
}

/* ---- rows ---- */

static void row_text(cs_table *table, const cs_table_cell *cells)
{
    char buffer[NUMBER_BYTES];

    for (size_t i = 0; i < table->nr_columns; i++) {
        const cs_table_column *column = &table->columns[i];
        const char *text = column->kind != CS_CELL_NAME ? number_of(column, cells[i], buffer)
                           : cells[i].name != NULL      ? cells[i].name
                                                        : "";

        if (i > 0)
            puts_of(table, "  ");
        put_aligned(table, column, text, i + 1 == table->nr_columns);
    }
    puts_of(table, "\n");
}

static void row_csv(cs_table *table, const cs_table_cell *cells)
{
    char buffer[NUMBER_BYTES];

    for (size_t i = 0; i < table->nr_columns; i++) {
        const cs_table_column *column = &table->columns[i];

        if (i > 0)
            puts_of(table, ",");
        if (column->kind != CS_CELL_NAME)
            puts_of(table, number_of(column, cells[i], buffer));
        else if (cells[i].name != NULL)
            put_csv(table, cells[i].name);
    }
    puts_of(table, "\n");
}

static void row_json(cs_table *table, const cs_table_cell *cells)
{
    char buffer[NUMBER_BYTES];

    puts_of(table, table->any_rows ? ",\n{" : "\n{");
    for (size_t i = 0; i < table->nr_columns; i++) {
        const cs_table_column *column = &table->columns[i];

        if (i > 0)
            puts_of(table, ", ");
        put_json(table, column->name);
        puts_of(table, ": ");
        if (column->kind == CS_CELL_NUMBER)
            puts_of(table, number_of(column, cells[i], buffer));
        else if (column->kind == CS_CELL_HEX)
            put_json(table, number_of(column, cells[i], buffer));
        else if (cells[i].name != NULL)
            put_json(table, cells[i].name);
        else
            puts_of(table, "null");
    }
    puts_of(table, "}");
}

/* ---- what leads a set of columns ---- */

static void names_text(cs_table *table)
{
    if (table->any_columns)
        puts_of(table, "\n");
    for (size_t i = 0; i < table->nr_columns; i++) {
        if (i > 0)
            puts_of(table, "  ");
        put_aligned(table, &table->columns[i], table->columns[i].name, i + 1 == table->nr_columns);
    }
    puts_of(table, "\n");
}

static void names_csv(cs_table *table)
{
    for (size_t i = 0; i < table->nr_columns; i++) {
        if (i > 0)
            puts_of(table, ",");
        put_csv(table, table->columns[i].name);
    }
    puts_of(table, "\n");
}

static void names_json(cs_table *table)
{
    (void)table; /* each object names its members */
}

static const struct format {
    const char *name;
    const char *begin;
    void (*names)(cs_table *table);
    void (*row)(cs_table *table, const cs_table_cell *cells);
    const char *end_empty;
    const char *end;
} formats[] = {
    [CS_TABLE_TEXT] = {"text", "", names_text, row_text, "", ""},
    [CS_TABLE_CSV] = {"csv", "", names_csv, row_csv, "", ""},
    [CS_TABLE_JSON] = {"json", "[", names_json, row_json, "]\n", "\n]\n"},
};

cs_status cs_table_format_of(const char *name, cs_table_format *out, cs_diag *diag)
{
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(name, formats[i].name) == 0) {
            *out = (cs_table_format)i;
            return CS_OK;
        }
    return cs_diag_set(diag, CS_ERR_RANGE, NULL, "format \"%s\": expected text, csv or json", name);
}

void cs_table_begin(cs_table *table, cs_table_format format, const cs_text_sink *sink)
{
    *table = (cs_table){.format = format, .sink = *sink, .status = CS_OK};
    puts_of(table, formats[format].begin);
}

cs_status cs_table_columns(cs_table *table, const cs_table_column *columns, size_t nr_columns)
{
    table->columns = columns;
    table->nr_columns = nr_columns;
    formats[table->format].names(table);
    table->any_columns = true;
    return table->status;
}

cs_status cs_table_row(cs_table *table, const cs_table_cell *cells)
{
    formats[table->format].row(table, cells);
    table->any_rows = true;
    return table->status;
}

cs_status cs_table_end(cs_table *table)
{
    const struct format *format = &formats[table->format];

    puts_of(table, table->any_rows ? format->end : format->end_empty);
    return table->status;
}

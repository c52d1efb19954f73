// SPDX-License-Identifier: Apache-2.0
#include "formats/common/table.h"

#include <stdio.h>
#include <string.h>

#include "base/shown.h"

#define NUMBER_BYTES 32

static void flush(cs_table *table)
{
    if (table->status == CS_OK && table->held > 0)
        table->status = table->sink.write(table->sink.ctx, table->line, table->held);
    table->held = 0;
}

static void put(cs_table *table, const char *text, size_t bytes)
{
    while (bytes > 0) {
        size_t part = sizeof table->line - table->held;

        if (part > bytes)
            part = bytes;
        memcpy(table->line + table->held, text, part);
        table->held += part;
        text += part;
        bytes -= part;
        if (table->held == sizeof table->line)
            flush(table);
    }
}

static void puts_of(cs_table *table, const char *text)
{
    put(table, text, strlen(text));
}

/* ---- one cell in each of the formats ---- */

/* Digits are written from the last to the first, without printf: rows by the million. */
static char *decimal(uint64_t number, char *end)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

static char *hex(uint64_t number, unsigned digits, char *end)
{
    const char *const least = end - (digits < 16 ? digits : 16);

    do {
        *--end = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number > 0 || end > least);
    *--end = 'x';
    *--end = '0';
    return end;
}

static const char *number_of(const cs_table_column *column, cs_table_cell cell,
                             char buffer[NUMBER_BYTES])
{
    char *end = buffer + NUMBER_BYTES - 1;

    *end = '\0';
    if (column->kind == CS_CELL_HEX)
        return hex(cell.number, column->digits, end);
    const bool minus = column->kind == CS_CELL_SIGNED && cell.number > INT64_MAX;
    end = decimal(minus ? -cell.number : cell.number, end);
    if (minus)
        *--end = '-';
    return end;
}

static bool is_text(const cs_table_column *column)
{
    return column->kind == CS_CELL_NAME || column->kind == CS_CELL_REAL;
}

static size_t width_of(const cs_table_column *column)
{
    size_t name = strlen(column->name);

    return name > column->width ? name : column->width;
}

/* For people, at a terminal: a name out of a file gives it no orders. */
static void put_shown(cs_table *table, const char *text)
{
    while (*text != '\0') {
        char shown[16];
        size_t plain = 0, control;

        while (text[plain] != '\0' && cs_shown_control(text + plain) == 0)
            plain++;
        put(table, text, plain);
        text += plain;
        control = cs_shown_control(text);
        for (size_t i = 0; i < control; i++) {
            snprintf(shown, sizeof shown, "\\x%02x", (unsigned)(unsigned char)text[i]);
            put(table, shown, 4);
        }
        text += control;
    }
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
        put_shown(table, text);
    for (; missing > 0 && !(left && last);) {
        size_t part = missing < sizeof blanks - 1 ? missing : sizeof blanks - 1;

        put(table, blanks, part);
        missing -= part;
    }
    if (!left)
        put_shown(table, text);
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

static bool is_plain(char c)
{
    return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

static void put_json(cs_table *table, const char *text)
{
    char escape[8];

    puts_of(table, "\"");
    while (*text != '\0') {
        size_t plain = 0;

        while (is_plain(text[plain]))
            plain++;
        put(table, text, plain);
        text += plain;
        if (*text == '\0')
            break;
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)*text++);
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
        const char *text = !is_text(column)        ? number_of(column, cells[i], buffer)
                           : cells[i].name != NULL ? cells[i].name
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
        if (!is_text(column))
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
        if (column->kind == CS_CELL_NUMBER || column->kind == CS_CELL_SIGNED)
            puts_of(table, number_of(column, cells[i], buffer));
        else if (column->kind == CS_CELL_HEX)
            put_json(table, number_of(column, cells[i], buffer));
        else if (cells[i].name == NULL)
            puts_of(table, "null");
        else if (column->kind == CS_CELL_REAL)
            puts_of(table, cells[i].name);
        else
            put_json(table, cells[i].name);
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
    flush(table);
}

cs_status cs_table_columns(cs_table *table, const cs_table_column *columns, size_t nr_columns)
{
    table->columns = columns;
    table->nr_columns = nr_columns;
    formats[table->format].names(table);
    flush(table);
    table->any_columns = true;
    return table->status;
}

cs_status cs_table_row(cs_table *table, const cs_table_cell *cells)
{
    formats[table->format].row(table, cells);
    flush(table);
    table->any_rows = true;
    return table->status;
}

cs_status cs_table_end(cs_table *table)
{
    const struct format *format = &formats[table->format];

    puts_of(table, table->any_rows ? format->end : format->end_empty);
    flush(table);
    return table->status;
}

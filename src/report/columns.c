// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "report/columns.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "results/figures.h"

#define MOST_COLUMNS 256
#define PART 3072u /* numbers at a time: their bytes are a multiple of three */
#define FEW 48u    /* rows: written as they are */

typedef struct column {
    const char *name;
    double *values; /* of texts: their numbers in `words` */
    char **words;   /* by number, from 1 on */
    uint32_t nr_words, room_words;
    uint32_t *table; /* of words' numbers, by hash; 0: free */
    uint32_t room_table;
    bool texts; /* one has been seen */
    bool whole;
    double low, high;
} column;

typedef struct columns {
    column list[MOST_COLUMNS];
    int nr;
    size_t nr_rows, room;
    bool cut;
} columns;

/* ---- texts ---- */

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static bool grow_words(column *c)
{
    const uint32_t room_table = c->room_table != 0 ? 2 * c->room_table : 64;
    uint32_t *table = calloc(room_table, sizeof *table);
    char **words = realloc(c->words, (room_table / 2) * sizeof *words);

    if (words != NULL)
        c->words = words;
    if (table == NULL || words == NULL) {
        free(table);
        return false;
    }
    for (uint32_t i = 1; i <= c->nr_words; i++) {
        uint32_t at = hash_of(words[i - 1]) % room_table;

        while (table[at] != 0)
            at = (at + 1) % room_table;
        table[at] = i;
    }
    free(c->table);
    c->table = table;
    c->room_table = room_table;
    c->room_words = room_table / 2;
    return true;
}

/* The number of a word; 0: no memory. */
static uint32_t word(column *c, const char *text)
{
    if (c->nr_words == c->room_words && !grow_words(c))
        return 0;
    uint32_t at = hash_of(text) % c->room_table;

    for (; c->table[at] != 0; at = (at + 1) % c->room_table)
        if (strcmp(c->words[c->table[at] - 1], text) == 0)
            return c->table[at];
    c->words[c->nr_words] = strdup(text);
    if (c->words[c->nr_words] == NULL)
        return 0;
    return c->table[at] = ++c->nr_words;
}

/* ---- rows ---- */

static bool more_room(columns *all)
{
    if (all->nr_rows < all->room)
        return true;
    all->room = all->room != 0 ? 2 * all->room : 256;
    for (int i = 0; i < all->nr; i++) {
        double *values = realloc(all->list[i].values, all->room * sizeof *values);

        if (values == NULL)
            return false;
        all->list[i].values = values;
    }
    return true;
}

static bool take_value(column *c, sqlite3_stmt *query, int at, size_t row)
{
    const int type = sqlite3_column_type(query, at);

    if (type == SQLITE_NULL) {
        c->values[row] = (double)NAN;
        c->whole = false;
        return true;
    }
    if (type == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_column_text(query, at);
        const uint32_t number = text != NULL ? word(c, text) : 0;

        c->texts = true;
        c->values[row] = number;
        return number != 0;
    }
    const double value = sqlite3_column_double(query, at);

    c->values[row] = value;
    c->whole &= type == SQLITE_INTEGER && fabs(value) < 9e15;
    c->low = value < c->low ? value : c->low;
    c->high = value > c->high ? value : c->high;
    return true;
}

/* SQLITE_DONE, SQLITE_NOMEM, or what SQLite says. */
static int take_rows(columns *all, sqlite3_stmt *query)
{
    int step;

    while ((step = sqlite3_step(query)) == SQLITE_ROW) {
        if (all->nr_rows == CS_REPORT_MOST_ROWS) {
            all->cut = true;
            return SQLITE_DONE;
        }
        if (!more_room(all))
            return SQLITE_NOMEM;
        for (int i = 0; i < all->nr; i++)
            if (!take_value(&all->list[i], query, i, all->nr_rows))
                return SQLITE_NOMEM;
        all->nr_rows++;
    }
    return step;
}

/* ---- JSON ---- */

static void put_base64(FILE *out, const void *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;

    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t three = (uint32_t)from[i] << 16 |
                               (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                               (left > 2 ? from[i + 2] : 0);
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                              left > 1 ? digits[three >> 6 & 63] : '=',
                              left > 2 ? digits[three & 63] : '='};

        fwrite(four, 1, sizeof four, out);
    }
}

void cs_report_base64(FILE *out, const void *bytes, size_t count)
{
    fputc('"', out);
    put_base64(out, bytes, count);
    fputc('"', out);
}

/* Whole numbers from `low` to `high`, in no more bytes than they need. Little endian, as the page reads
 * them and the machine has them. */
static void put_whole(FILE *out, const column *c, size_t nr, double low, double high)
{
    const bool narrow = high - low <= UINT16_MAX;
    const size_t size = narrow ? sizeof(uint16_t) : sizeof(uint32_t);
    unsigned char bytes[PART * sizeof(uint32_t)];

    if (low >= high) {
        fprintf(out, "\"all\":%.0f", low);
        return;
    }
    fprintf(out, "\"base\":%.0f,\"%s\":\"", low, narrow ? "u16" : "u32");
    for (size_t first = 0; first < nr; first += PART) {
        const size_t count = nr - first < PART ? nr - first : PART;

        for (size_t i = 0; i < count; i++) {
            const double value = c->values[first + i];
            const uint32_t number = isnan(value) ? 0 : (uint32_t)(value - low);

            memcpy(bytes + i * size, &number, size);
        }
        put_base64(out, bytes, count * size);
    }
    fputc('"', out);
}

static void put_column(FILE *out, const column *c, size_t nr)
{
    if (c->texts) {
        fputs("{\"words\":[\"\"", out);
        for (uint32_t i = 0; i < c->nr_words; i++) {
            fputc(',', out);
            cs_json_string(out, c->words[i]);
        }
        fputs("],", out);
        put_whole(out, c, nr, c->whole && c->nr_words == 1 ? 1 : 0, c->nr_words);
        fputc('}', out);
    } else if (nr <= FEW) {
        for (size_t i = 0; i < nr; i++) {
            fputc(i == 0 ? '[' : ',', out);
            if (isfinite(c->values[i]))
                fprintf(out, "%.17g", c->values[i]);
            else
                fputs("null", out);
        }
        fputc(']', out);
    } else if (c->whole && c->high - c->low <= UINT32_MAX) {
        fputc('{', out);
        put_whole(out, c, nr, c->low, c->high);
        fputc('}', out);
    } else {
        fputs("{\"f64\":", out);
        cs_report_base64(out, c->values, nr * sizeof *c->values);
        fputc('}', out);
    }
}

static void put_columns(FILE *out, const columns *all)
{
    fprintf(out, "{\"n\":%zu,\"cut\":%s,\"columns\":{", all->nr_rows, all->cut ? "true" : "false");
    for (int i = 0; i < all->nr; i++) {
        fputs(cs_json_comma((size_t)i), out);
        cs_json_string(out, all->list[i].name);
        fputc(':', out);
        put_column(out, &all->list[i], all->nr_rows);
    }
    fputs("}}", out);
}

cs_status cs_report_columns(sqlite3_stmt *query, FILE *out, size_t *nr_rows, cs_diag *diag)
{
    columns *all = calloc(1, sizeof *all);
    int step = SQLITE_NOMEM;

    *nr_rows = 0;
    if (all != NULL) {
        const int nr = sqlite3_column_count(query);

        all->nr = nr < MOST_COLUMNS ? nr : MOST_COLUMNS;
        for (int i = 0; i < all->nr; i++)
            all->list[i] = (column){.name = sqlite3_column_name(query, i),
                                    .whole = true,
                                    .low = (double)INFINITY,
                                    .high = (double)-INFINITY};
        step = take_rows(all, query);
        *nr_rows = all->nr_rows;
        if (step == SQLITE_DONE && all->nr_rows != 0)
            put_columns(out, all);
        for (int i = 0; i < all->nr; i++) {
            for (uint32_t k = 0; k < all->list[i].nr_words; k++)
                free(all->list[i].words[k]);
            free(all->list[i].words);
            free(all->list[i].table);
            free(all->list[i].values);
        }
        free(all);
    }
    if (step == SQLITE_DONE)
        return CS_OK;
    if (step == SQLITE_NOMEM)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    return cs_diag_set(diag, CS_ERR_FORMAT, NULL, "%s", sqlite3_errmsg(sqlite3_db_handle(query)));
}

// SPDX-License-Identifier: Apache-2.0
/* sum(a) of SQL in place of SQLite's own, which ends a query with an error where integers pass 2^63: a
 * damaged file must be able to say any number. Sums of integers are exact, of 128 bits; one of more than 64
 * is a text of its digits. All else is as in SQLite. */
#include <stdint.h>

#include "check/impl.h"

typedef struct sum {
    uint64_t low;
    int64_t high;
    int64_t nr;    /* values that are not NULL */
    int64_t reals; /* among them; then `real` is the sum */
    double real;
} sum;

static void add_integer(sum *s, int64_t value, bool back)
{
    const uint64_t bits = (uint64_t)value, before = s->low;
    const int64_t sign = value < 0 ? -1 : 0;

    if (back) {
        s->low -= bits;
        s->high -= sign + (before < bits);
    } else {
        s->low += bits;
        s->high += sign + (s->low < before);
    }
}

static void add_value(sqlite3_context *ctx, sqlite3_value *value, bool back)
{
    sum *s = sqlite3_aggregate_context(ctx, sizeof *s);
    const int type = sqlite3_value_numeric_type(value), way = back ? -1 : 1;

    if (s == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    if (type == SQLITE_NULL)
        return;
    s->nr += way;
    s->real += way * sqlite3_value_double(value);
    if (type == SQLITE_INTEGER)
        add_integer(s, sqlite3_value_int64(value), back);
    else
        s->reals += way;
}

static void add(sqlite3_context *ctx, int nr_values, sqlite3_value **values)
{
    (void)nr_values;
    add_value(ctx, values[0], false);
}

static void take_back(sqlite3_context *ctx, int nr_values, sqlite3_value **values)
{
    (void)nr_values;
    add_value(ctx, values[0], true);
}

/* The digits, from the last on: the number as four words of 32 bits, divided by ten each time. */
static void put_digits(sqlite3_context *ctx, const sum *s)
{
    const bool negative = s->high < 0;
    const uint64_t low = negative ? 0 - s->low : s->low;
    const uint64_t high = negative ? ~(uint64_t)s->high + (s->low == 0) : (uint64_t)s->high;
    uint32_t words[] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32),
                        (uint32_t)low};
    char digits[48];
    size_t at = sizeof digits;

    do {
        uint64_t rest = 0;

        for (size_t i = 0; i < 4; i++) {
            const uint64_t part = rest << 32 | words[i];

            words[i] = (uint32_t)(part / 10);
            rest = part % 10;
        }
        digits[--at] = (char)('0' + rest);
    } while (words[0] != 0 || words[1] != 0 || words[2] != 0 || words[3] != 0);
    if (negative)
        digits[--at] = '-';
    sqlite3_result_text(ctx, digits + at, (int)(sizeof digits - at), SQLITE_TRANSIENT);
}

static void tell(sqlite3_context *ctx)
{
    const sum *s = sqlite3_aggregate_context(ctx, 0);

    if (s == NULL || s->nr == 0)
        sqlite3_result_null(ctx);
    else if (s->reals != 0)
        sqlite3_result_double(ctx, s->real);
    else if (s->high == ((int64_t)s->low < 0 ? -1 : 0))
        sqlite3_result_int64(ctx, (int64_t)s->low);
    else
        put_digits(ctx, s);
}

cs_status cs_check_add_exact_sum(cs_checking *check)
{
    const int result =
        sqlite3_create_window_function(check->db, "sum", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                       NULL, add, tell, tell, take_back, NULL);

    return result == SQLITE_OK ? CS_OK
                               : cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
}

// SPDX-License-Identifier: Apache-2.0
/* rows_hash(a, b, ..), an aggregate of SQL: what row_hash.h makes of the rows. NULL, integers, reals and
 * texts are told apart, as GROUP BY does where it matters: where 1 and 1.0 are to be one value, two
 * numbers that differ are no proof of a difference. */
#include <string.h>

#include "check/impl.h"
#include "check/row_hash.h"

static void add_value(cs_row_hash *row, sqlite3_value *value)
{
    const int type = sqlite3_value_type(value);

    if (type == SQLITE_INTEGER) {
        cs_row_add(row, CS_ROW_NUMBER, (uint64_t)sqlite3_value_int64(value));
    } else if (type == SQLITE_NULL) {
        cs_row_add(row, CS_ROW_NOTHING, 0);
    } else if (type == SQLITE_FLOAT) {
        const double real = sqlite3_value_double(value);
        uint64_t bits;

        memcpy(&bits, &real, sizeof bits);
        cs_row_add(row, CS_ROW_REAL, bits);
    } else {
        const unsigned char *bytes = sqlite3_value_text(value);

        if (bytes != NULL)
            cs_row_add_text(row, (const char *)bytes, (size_t)sqlite3_value_bytes(value));
    }
}

static void step(sqlite3_context *ctx, int nr_values, sqlite3_value **values)
{
    cs_rows_sum *rows = sqlite3_aggregate_context(ctx, sizeof *rows);
    cs_row_hash row = cs_row_begin();

    if (rows == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    for (int i = 0; i < nr_values; i++)
        add_value(&row, values[i]);
    cs_rows_add(rows, &row);
}

static void finish(sqlite3_context *ctx)
{
    const cs_rows_sum *rows = sqlite3_aggregate_context(ctx, 0);
    const cs_rows_sum none = {.rows = 0};

    sqlite3_result_blob(ctx, rows != NULL ? rows : &none, sizeof none, SQLITE_TRANSIENT);
}

cs_status cs_check_add_rows_hash(cs_checking *check)
{
    const int result = sqlite3_create_function(
        check->db, "rows_hash", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, step, finish);

    return result == SQLITE_OK ? CS_OK
                               : cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
}

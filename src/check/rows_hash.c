/* rows_hash(a, b, ..), an aggregate of SQL: a number of 128 bits that tells the rows of a table, in
 * whatever order they come. Tables of the same rows have the same; by chance two others have it once
 * in 2^128 times. NULL, integers, reals and texts are told apart, as GROUP BY does where it matters:
 * where 1 and 1.0 are to be one value, two numbers that differ are no proof of a difference. */
#include <string.h>

#include "base/hash.h"
#include "check/impl.h"

#define LANES 2u

typedef struct rows_hash {
    uint64_t sums[LANES];
    uint64_t rows;
} rows_hash;

static uint64_t add(uint64_t hash, uint64_t value)
{
    return cs_hash_mix((hash ^ value) + CS_HASH_STEP);
}

static uint64_t add_bytes(uint64_t hash, const unsigned char *bytes, int count)
{
    uint64_t word = 0;

    for (int i = 0; i < count; i++) {
        word = word << 8 | bytes[i];
        if (i % 8 == 7) {
            hash = add(hash, word);
            word = 0;
        }
    }
    return add(add(hash, word), (uint64_t)count);
}

static uint64_t add_value(uint64_t hash, sqlite3_value *value)
{
    const int type = sqlite3_value_type(value);

    hash = add(hash, (uint64_t)type);
    if (type == SQLITE_INTEGER)
        return add(hash, (uint64_t)sqlite3_value_int64(value));
    if (type == SQLITE_NULL)
        return hash;
    if (type == SQLITE_FLOAT) {
        const double real = sqlite3_value_double(value);
        uint64_t bits;

        memcpy(&bits, &real, sizeof bits);
        return add(hash, bits);
    }
    const unsigned char *bytes = sqlite3_value_text(value);
    return bytes != NULL ? add_bytes(hash, bytes, sqlite3_value_bytes(value)) : hash;
}

static void step(sqlite3_context *ctx, int nr_values, sqlite3_value **values)
{
    rows_hash *h = sqlite3_aggregate_context(ctx, sizeof *h);

    if (h == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t hash = lane + 1;

        for (int i = 0; i < nr_values; i++)
            hash = add_value(hash, values[i]);
        h->sums[lane] += hash;
    }
    h->rows++;
}

static void finish(sqlite3_context *ctx)
{
    const rows_hash *h = sqlite3_aggregate_context(ctx, 0);
    const rows_hash none = {.rows = 0};

    sqlite3_result_blob(ctx, h != NULL ? h : &none, sizeof none, SQLITE_TRANSIENT);
}

cs_status cs_check_add_rows_hash(cs_checking *check)
{
    const int result = sqlite3_create_function(
        check->db, "rows_hash", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, step, finish);

    return result == SQLITE_OK ? CS_OK
                               : cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
}

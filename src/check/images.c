// SPDX-License-Identifier: Apache-2.0
/* Memory of the end of a run, doubleword by doubleword. */
#include <inttypes.h>
#include <string.h>

#include "base/bus/big.h"
#include "check/impl.h"
#include "formats/common/little.h"

#define WORD_BYTES 8u
#define MOST_BYTES 65536u

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, value INTEGER);"
    "CREATE TABLE image(number INTEGER, place INTEGER, address INTEGER, bytes INTEGER)";

/* Doublewords of zero are not kept: most of an image is. */
static cs_status fill(cs_checking *check, bool big, uint64_t *size)
{
    const cs_byte_source source = cs_check_source(check);
    uint8_t bytes[MOST_BYTES];
    sqlite3_stmt *insert = NULL;
    size_t got = sizeof bytes, held = 0;
    cs_status status = cs_check_prepare(check, "INSERT INTO found VALUES(?,?)", &insert);

    *size = 0;
    while (status == CS_OK && got != 0) {
        status = source.read(source.ctx, bytes + held, sizeof bytes - held, &got, check->diag);
        held += got;
        size_t at = 0;
        for (; status == CS_OK && at + WORD_BYTES <= held; at += WORD_BYTES) {
            const uint64_t value = big ? cs_big_get64(bytes + at) : cs_little_get64(bytes + at);

            if (value != 0)
                status = cs_check_insert(check, insert,
                                         (int64_t[]){(int64_t)(*size + at), (int64_t)value}, 2);
        }
        *size += at;
        memmove(bytes, bytes + at, held - at);
        held -= at;
    }
    *size += held;
    sqlite3_finalize(insert);
    return status;
}

/* The file is as many images as the run has of the format. */
cs_status cs_check_images(cs_checking *check, const char *format, bool big)
{
    cs_diag diag = {0};
    uint64_t size = 0;
    int64_t expected = 0;
    char sql[256];
    bool there = false;
    cs_status status =
        cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='image'", &there);

    if (status == CS_OK && !there)
        return cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth,
                           "the truth has no table `image`: it was written before there was one");
    if (status == CS_OK)
        status = cs_check_do(check, tables);
    snprintf(sql, sizeof sql,
             "INSERT INTO image SELECT number, place, address, bytes FROM truth.image WHERE "
             "format='%s'",
             format);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = fill(check, big, &size);
    if (status == CS_OK)
        status = cs_check_number(check, "SELECT sum(bytes) FROM image", &expected);
    if (status != CS_OK)
        return status;
    if (expected == 0)
        return cs_diag_set(check->diag, CS_ERR_RANGE, check->request->truth,
                           "the run has no image of format %s", format);
    if (size == (uint64_t)expected)
        return CS_OK;
    cs_diag_set(&diag, CS_ERR_FORMAT, check->request->path,
                "byte %" PRIu64 ": the file ends, expected %" PRId64
                " bytes: the images of the run",
                size, expected);
    return cs_check_ended(check, CS_ERR_FORMAT, &diag);
}

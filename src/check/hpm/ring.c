// SPDX-License-Identifier: Apache-2.0
/* The records that a hart's reader took out of perf's ring. */
#include <inttypes.h>

#include "check/checker.h"
#include "check/hpm/hpm.h"
#include "formats/riscv/read/ring.h"

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, event INTEGER, cpu INTEGER, time INTEGER, ip "
    "INTEGER, pid INTEGER, misc INTEGER, period INTEGER, chain TEXT);"
    "CREATE TABLE names(fe INTEGER PRIMARY KEY, name TEXT)";

static void bind_chain(cs_checking *check, sqlite3_stmt *insert, const cs_perf_record *record)
{
    char text[CS_PERF_CHAIN_MOST * 19 + 1] = "";
    size_t used = 0;

    for (unsigned i = 0; i < record->nr_chain; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s0x%" PRIx64, i > 0 ? ";" : "",
                                 record->chain[i]);
    if (record->has_chain)
        cs_check_text(check, insert, 9, text, -1);
    else
        sqlite3_bind_null(insert, 9);
}

static cs_status fill(cs_checking *check, cs_perf_ring *ring, sqlite3_stmt *insert)
{
    const cs_perf_record *record = NULL;
    cs_diag diag = {0};
    cs_status status = CS_OK;

    while (status == CS_OK) {
        cs_status read = cs_perf_ring_next(ring, &record, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (record == NULL)
            break;
        if (record->type != CS_PERF_REC_SAMPLE)
            continue;
        const int64_t values[] = {
            (int64_t)record->offset, (int64_t)record->id, record->cpu,  (int64_t)record->time,
            (int64_t)record->ip,     record->pid,         record->misc, (int64_t)record->period,
        };
        bind_chain(check, insert, record);
        status = cs_check_insert(check, insert, values, sizeof values / sizeof values[0]);
    }
    return status;
}

static cs_status check_ring(cs_checking *check)
{
    const cs_byte_source source = cs_check_source(check);
    cs_perf_ring *ring = NULL;
    sqlite3_stmt *insert = NULL;
    cs_status status =
        cs_perf_ring_open(&source, check->request->path, CS_PERF_EITHER, &ring, check->diag);

    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO found VALUES(?,?,?,?,?,?,?,?,?)", &insert);
    if (status == CS_OK)
        status = fill(check, ring, insert);
    sqlite3_finalize(insert);
    cs_perf_ring_close(ring);
    /* The ring counts harts, the truth CPUs of all kinds. */
    if (status == CS_OK)
        status = cs_check_do(check, "UPDATE found SET cpu=coalesce((SELECT h.cpu FROM truth.hart h "
                                    "WHERE h.hart=found.cpu), cpu)");
    check->partial = true; /* of one hart, of the host or of its guest */
    return status == CS_OK ? cs_check_samples(check, &(cs_check_sampled_how){.of = &cs_check_hpm})
                           : status;
}

const cs_checker cs_checker_riscv_ring = {.check = check_ring};

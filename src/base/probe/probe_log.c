// SPDX-License-Identifier: Apache-2.0
#include "base/probe/probe_log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct cs_probe_log {
    cs_probe_record *waiting;
    cs_probe_record *taken; /* as large as `waiting`, so that take needs no memory */
    size_t count;
    size_t capacity;
    cs_status status;
};

cs_status cs_probe_log_create(cs_probe_log **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a probe log");
    return CS_OK;
}

void cs_probe_log_destroy(cs_probe_log *log)
{
    if (log == NULL)
        return;
    free(log->waiting);
    free(log->taken);
    free(log);
}

void cs_probe_log_reset(cs_probe_log *log)
{
    log->count = 0;
    log->status = CS_OK;
}

static bool grow(cs_probe_log *log)
{
    size_t capacity = log->capacity > 0 ? 2 * log->capacity : 256;
    cs_probe_record *waiting = realloc(log->waiting, capacity * sizeof *waiting);

    if (waiting == NULL)
        return false;
    log->waiting = waiting;
    cs_probe_record *taken = realloc(log->taken, capacity * sizeof *taken);
    if (taken == NULL)
        return false;
    log->taken = taken;
    log->capacity = capacity;
    return true;
}

cs_status cs_probe_log_append(cs_probe_log *log, const cs_probe_record *record)
{
    if (log->count == log->capacity && !grow(log)) {
        log->status = CS_ERR_NO_MEMORY;
        return CS_ERR_NO_MEMORY;
    }
    log->waiting[log->count++] = *record;
    return CS_OK;
}

static void sink_record(void *ctx, const cs_probe_record *record)
{
    /* A failure stays in the log's status. */
    (void)cs_probe_log_append(ctx, record);
}

cs_probe_sink cs_probe_log_sink(cs_probe_log *log)
{
    return (cs_probe_sink){.record = sink_record, .ctx = log};
}

cs_status cs_probe_log_status(const cs_probe_log *log)
{
    return log->status;
}

size_t cs_probe_log_count(const cs_probe_log *log)
{
    return log->count;
}

/* A total order: what the probe's order leaves equal is told apart by the other
 * fields, as qsort keeps no order of arrival. */
static int total_order(const void *a, const void *b)
{
    const cs_probe_record *ra = a;
    const cs_probe_record *rb = b;
    const uint64_t pairs[][2] = {
        {ra->resp, rb->resp},       {ra->addr, rb->addr},   {ra->value, rb->value},
        {ra->request, rb->request}, {ra->grant, rb->grant}, {ra->bytes, rb->bytes},
    };
    int by_probe = cs_probe_order(ra, rb);

    if (by_probe != 0)
        return by_probe;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] != pairs[i][1])
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
    return 0;
}

size_t cs_probe_log_take(cs_probe_log *log, cs_cycle below, const cs_probe_record **records)
{
    size_t taken = 0;
    size_t kept = 0;

    for (size_t i = 0; i < log->count; i++) {
        if (log->waiting[i].cycle < below)
            log->taken[taken++] = log->waiting[i];
        else
            log->waiting[kept++] = log->waiting[i];
    }
    log->count = kept;
    if (taken > 1)
        qsort(log->taken, taken, sizeof *log->taken, total_order);
    *records = log->taken;
    return taken;
}

// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/read/record.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "base/bus/msb0.h"
#include "formats/imc/abi/fields.h"

#define NAME_BYTES 256
#define PIECE_BYTES 0x10000u
#define WORD_BYTES 8u

/* Where the kernel begins: PAGE_OFFSET of 64-bit Linux on POWER. */
#define KERNEL_BASE 0xc000000000000000u

struct cs_imc_trace {
    cs_byte_source source;
    char name[NAME_BYTES];
    uint64_t buffer_records;
    cs_imc_trace_record at;
    uint64_t next_index;
    uint64_t next_buffer;
    uint64_t next_place;
    uint64_t before; /* tb1 of the record before, in this scan */
    bool scan_ended;
    bool source_ended;
    cs_imc_trace_totals totals;
    size_t used; /* of piece */
    size_t held;
    uint8_t piece[PIECE_BYTES];
};

cs_status cs_imc_trace_open(const cs_byte_source *source, const char *name, uint64_t buffer_bytes,
                            cs_imc_trace **out, cs_diag *diag)
{
    cs_imc_trace *trace;

    *out = NULL;
    if (buffer_bytes == 0)
        buffer_bytes = CS_IMC_TRACE_BUFFER_BYTES;
    if (buffer_bytes % CS_IMC_TRACE_RECORD_BYTES != 0)
        return cs_diag_set(diag, CS_ERR_RANGE, name,
                           "a trace buffer of %" PRIu64
                           " bytes is not a whole number of records; expected a multiple of %u",
                           buffer_bytes, CS_IMC_TRACE_RECORD_BYTES);
    trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory to read an IMC trace");
    trace->source = *source;
    snprintf(trace->name, sizeof trace->name, "%s", name != NULL ? name : "");
    trace->buffer_records = buffer_bytes / CS_IMC_TRACE_RECORD_BYTES;
    *out = trace;
    return CS_OK;
}

void cs_imc_trace_close(cs_imc_trace *trace)
{
    free(trace);
}

const cs_imc_trace_totals *cs_imc_trace_get_totals(const cs_imc_trace *trace)
{
    return &trace->totals;
}

/* ---- words ---- */

static bool is_empty(const cs_imc_trace_record *record)
{
    uint64_t any = record->tb1 | record->ip | record->val | record->tb2;

    for (unsigned i = 0; i < CS_IMC_TRACE_COUNTERS; i++)
        any |= record->cpmc[i];
    return any == 0;
}

/* What a record is without those around it. */
static cs_imc_verdict judge(const cs_imc_trace_record *record)
{
    if (record->bytes < CS_IMC_TRACE_RECORD_BYTES)
        return CS_IMC_CUT;
    if (is_empty(record))
        return CS_IMC_EMPTY;
    if (record->tb1 == 0)
        return record->place == 0 ? CS_IMC_READ : CS_IMC_NO_TIME;
    if (cs_msb0(record->tb1, CS_IMC_TB2_TIMEBASE) != record->tb2)
        return CS_IMC_TB2;
    return CS_IMC_VALID;
}

static void decode_words(const uint8_t *bytes, cs_imc_trace_record *out)
{
    out->tb1 = cs_big_get64(bytes + CS_IMC_RECORD_TB1);
    out->ip = cs_big_get64(bytes + CS_IMC_RECORD_IP);
    out->val = cs_big_get64(bytes + CS_IMC_RECORD_VAL);
    for (unsigned i = 0; i < CS_IMC_TRACE_COUNTERS; i++)
        out->cpmc[i] = cs_big_get64(bytes + CS_IMC_RECORD_CPMC + WORD_BYTES * (size_t)i);
    out->tb2 = cs_big_get64(bytes + CS_IMC_RECORD_TB2);
}

void cs_imc_trace_decode(const uint8_t bytes[CS_IMC_TRACE_RECORD_BYTES], cs_imc_trace_record *out)
{
    *out = (cs_imc_trace_record){.bytes = CS_IMC_TRACE_RECORD_BYTES};
    decode_words(bytes, out);
    out->itself = out->scan = judge(out);
}

void cs_imc_trace_encode(const cs_imc_trace_record *record, uint8_t out[CS_IMC_TRACE_RECORD_BYTES])
{
    cs_big_put64(out + CS_IMC_RECORD_TB1, record->tb1);
    cs_big_put64(out + CS_IMC_RECORD_IP, record->ip);
    cs_big_put64(out + CS_IMC_RECORD_VAL, record->val);
    for (unsigned i = 0; i < CS_IMC_TRACE_COUNTERS; i++)
        cs_big_put64(out + CS_IMC_RECORD_CPMC + WORD_BYTES * (size_t)i, record->cpmc[i]);
    cs_big_put64(out + CS_IMC_RECORD_TB2, record->tb2);
}

/* ---- one after the other ---- */

/* The driver asks for a later timebase first, then for its copy; a timebase that is 0 is
 * refused by the first, for a reason that is known better. */
static cs_imc_verdict scan(const cs_imc_trace *trace)
{
    const cs_imc_trace_record *at = &trace->at;

    if (trace->scan_ended)
        return CS_IMC_ENDED;
    if (at->tb1 != 0 && at->tb1 <= trace->before && at->itself != CS_IMC_CUT)
        return CS_IMC_NOT_ABOVE;
    return at->itself;
}

static void count(cs_imc_trace *trace)
{
    const cs_imc_trace_record *at = &trace->at;
    cs_imc_trace_totals *totals = &trace->totals;

    totals->records++;
    totals->buffers += at->place == 0;
    totals->by_itself[at->itself]++;
    totals->by_scan[at->scan]++;
    totals->lost += at->itself == CS_IMC_VALID && at->scan != CS_IMC_VALID;
}

static void move_on(cs_imc_trace *trace)
{
    trace->scan_ended = trace->at.scan != CS_IMC_VALID;
    trace->before = trace->at.tb1;
    trace->next_index++;
    if (++trace->next_place == trace->buffer_records) {
        trace->next_place = 0;
        trace->next_buffer++;
        trace->scan_ended = false;
        trace->before = 0;
    }
}

static cs_status refill(cs_imc_trace *trace, cs_diag *diag)
{
    size_t got = 0;
    cs_status status =
        trace->source.read(trace->source.ctx, trace->piece, sizeof trace->piece, &got, diag);

    if (status != CS_OK)
        return status;
    trace->used = 0;
    trace->held = got < sizeof trace->piece ? got : sizeof trace->piece;
    trace->source_ended = got < sizeof trace->piece;
    return CS_OK;
}

/* Where the data end, the last record has less than 64 bytes; with 0 there is none. */
static cs_status take(cs_imc_trace *trace, const uint8_t **bytes, size_t *length, cs_diag *diag)
{
    if (trace->used == trace->held && !trace->source_ended) {
        cs_status status = refill(trace, diag);

        if (status != CS_OK)
            return status;
    }
    *bytes = trace->piece + trace->used;
    *length = trace->held - trace->used;
    if (*length > CS_IMC_TRACE_RECORD_BYTES)
        *length = CS_IMC_TRACE_RECORD_BYTES;
    trace->used += *length;
    return CS_OK;
}

static cs_status cut_short(const cs_imc_trace *trace, cs_diag *diag)
{
    const cs_imc_trace_record *at = &trace->at;

    return cs_diag_set(diag, CS_ERR_FORMAT, trace->name,
                       "byte %" PRIu64 ": the data end within record %" PRIu64
                       ", of which there are %" PRIu32 " of %u bytes",
                       at->index * CS_IMC_TRACE_RECORD_BYTES + at->bytes, at->index, at->bytes,
                       CS_IMC_TRACE_RECORD_BYTES);
}

cs_status cs_imc_trace_next(cs_imc_trace *trace, const cs_imc_trace_record **out, cs_diag *diag)
{
    cs_imc_trace_record *at = &trace->at;
    uint8_t whole[CS_IMC_TRACE_RECORD_BYTES] = {0};
    const uint8_t *bytes = whole;
    size_t length = 0;
    cs_status status;

    *out = NULL;
    if (trace->next_index > 0 && at->bytes < CS_IMC_TRACE_RECORD_BYTES)
        return cut_short(trace, diag);
    status = take(trace, &bytes, &length, diag);
    if (status != CS_OK || length == 0)
        return status;
    if (length < CS_IMC_TRACE_RECORD_BYTES) {
        memcpy(whole, bytes, length / WORD_BYTES * WORD_BYTES);
        bytes = whole;
    }
    at->index = trace->next_index;
    at->buffer = trace->next_buffer;
    at->place = trace->next_place;
    at->bytes = (uint32_t)length;
    decode_words(bytes, at);
    at->itself = judge(at);
    at->scan = scan(trace);
    count(trace);
    move_on(trace);
    *out = at;
    return CS_OK;
}

/* ---- in words ---- */

cs_imc_mode cs_imc_trace_mode(const cs_imc_trace_record *record, bool power10)
{
    if (power10)
        return (cs_imc_mode)cs_msb0(record->val, CS_IMC_VAL_HVPR);
    return record->ip >= KERNEL_BASE ? CS_IMC_KERNEL : CS_IMC_USER;
}

const char *cs_imc_mode_name(cs_imc_mode mode)
{
    static const char *const names[CS_IMC_NR_MODES] = {
        [CS_IMC_GUEST_KERNEL] = "guest kernel",
        [CS_IMC_GUEST_USER] = "guest user",
        [CS_IMC_HOST_KERNEL] = "host kernel",
        [CS_IMC_HOST_USER] = "host user",
        [CS_IMC_KERNEL] = "kernel",
        [CS_IMC_USER] = "user",
    };

    return (unsigned)mode < CS_IMC_NR_MODES ? names[mode] : "?";
}

const char *cs_imc_verdict_text(cs_imc_verdict verdict)
{
    static const char *const texts[CS_IMC_NR_VERDICTS] = {
        [CS_IMC_VALID] = "valid",
        [CS_IMC_EMPTY] = "never written (all zero)",
        [CS_IMC_READ] = "record 0 was read already (its timebase is cleared)",
        [CS_IMC_NO_TIME] = "timebase is zero",
        [CS_IMC_TB2] = "second timebase does not match",
        [CS_IMC_NOT_ABOVE] = "timebase not above that of the record before",
        [CS_IMC_ENDED] = "scan had ended before",
        [CS_IMC_CUT] = "cut short",
    };

    return (unsigned)verdict < CS_IMC_NR_VERDICTS ? texts[verdict] : "?";
}

const char *cs_imc_verdict_of(const cs_imc_trace_record *record, cs_imc_verdict verdict,
                              char buffer[CS_IMC_VERDICT_BYTES])
{
    if (verdict != CS_IMC_CUT)
        return cs_imc_verdict_text(verdict);
    snprintf(buffer, CS_IMC_VERDICT_BYTES, "cut short: %" PRIu32 " of %u bytes", record->bytes,
             CS_IMC_TRACE_RECORD_BYTES);
    return buffer;
}

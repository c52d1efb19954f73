// SPDX-License-Identifier: Apache-2.0
#include "formats/riscv/read/record.h"

#include "formats/common/little.h"

void cs_perf_record_head(const uint8_t bytes[CS_RING_HEAD_BYTES], cs_perf_record *out)
{
    *out = (cs_perf_record){
        .type = cs_little_get32(bytes + CS_RING_TYPE),
        .misc = (uint16_t)(bytes[CS_RING_MISC] | bytes[CS_RING_MISC + 1] << 8),
        .size = (uint16_t)(bytes[CS_RING_SIZE] | bytes[CS_RING_SIZE + 1] << 8),
    };
}

static void take_who(const uint8_t *bytes, cs_perf_record *out)
{
    out->pid = cs_little_get32(bytes + CS_RING_WHO_PID);
    out->tid = cs_little_get32(bytes + CS_RING_WHO_TID);
    out->time = cs_little_get64(bytes + CS_RING_WHO_TIME);
    out->cpu = cs_little_get32(bytes + CS_RING_WHO_CPU);
}

static void take_chain(const uint8_t *bytes, cs_perf_record *out, uint64_t *chain)
{
    out->has_chain = out->size >= CS_RING_CHAIN_WORDS;
    out->nr_chain = out->has_chain ? (uint16_t)((out->size - CS_RING_CHAIN_WORDS) / 8) : 0;
    out->chain = chain;
    for (unsigned i = 0; i < out->nr_chain; i++)
        chain[i] = cs_little_get64(bytes + CS_RING_CHAIN_WORDS + 8 * (size_t)i);
}

void cs_perf_record_body(const uint8_t *bytes, cs_perf_record *out,
                         uint64_t chain[CS_PERF_CHAIN_MOST])
{
    if (out->type == CS_PERF_REC_SAMPLE) {
        out->id = cs_little_get64(bytes + CS_RING_SAMPLE_ID);
        out->ip = cs_little_get64(bytes + CS_RING_SAMPLE_IP);
        out->period = cs_little_get64(bytes + CS_RING_SAMPLE_PERIOD);
        take_who(bytes + CS_RING_SAMPLE_WHO, out);
        take_chain(bytes, out, chain);
        return;
    }
    if (out->type == CS_PERF_REC_LOST) {
        out->id = cs_little_get64(bytes + CS_RING_LOST_ID);
        out->lost = cs_little_get64(bytes + CS_RING_LOST_RECORDS);
    } else {
        out->id = cs_little_get64(bytes + CS_RING_THROTTLE_ID);
    }
    take_who(bytes + out->size - CS_RING_TRAILER_BYTES, out);
}

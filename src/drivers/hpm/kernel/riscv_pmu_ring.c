// SPDX-License-Identifier: Apache-2.0
/* perf's ring in memory: the kernel's side and the reader's (docs/drivers/riscv_driver.md, "The ring"). */
#include <string.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"
#include "formats/common/little.h"
#include "formats/riscv/abi/ring.h"

#define PIECE_BYTES 4096u

/* ---- records ---- */

typedef struct record {
    uint8_t bytes[CS_PERF_RECORD_MOST];
    size_t length;
} record;

static void pmu_ring_begin(record *out, uint32_t type, uint16_t misc, size_t length)
{
    memset(out->bytes, 0, length);
    out->length = length;
    cs_little_put32(out->bytes + CS_RING_TYPE, type);
    cs_little_put32(out->bytes + CS_RING_MISC, misc | (uint32_t)length << 16); /* and the size */
}

static void put_who(uint8_t *out, uint32_t pid, uint32_t tid, uint64_t time, uint32_t cpu)
{
    cs_little_put32(out + CS_RING_WHO_PID, pid);
    cs_little_put32(out + CS_RING_WHO_TID, tid);
    cs_little_put64(out + CS_RING_WHO_TIME, time);
    cs_little_put32(out + CS_RING_WHO_CPU, cpu);
}

/* What perf puts behind a record that is no sample. */
static void put_trailer(record *out, cs_hart *hart, uint64_t id)
{
    uint8_t *trailer = out->bytes + out->length - CS_RING_TRAILER_BYTES;
    cs_context context;

    cs_hart_context(hart, &context);
    put_who(trailer, context.cid1, context.cid1, cs_hart_time(hart), cs_hart_number(hart));
    cs_little_put64(trailer + CS_RING_TRAILER_ID, id);
}

/* ---- to memory ---- */

static uint64_t pmu_ring_header(const cs_riscv_pmu *pmu, unsigned offset)
{
    return pmu->config.ring_base + offset;
}

void cs_riscv_ring_begin(cs_riscv_pmu *pmu, cs_hart *hart)
{
    uint8_t page[CS_PERF_PAGE_BYTES] = {0};

    if (pmu->config.ring_bytes == 0)
        return;
    cs_little_put32(page + CS_PERF_PAGE_CAPABILITIES, CS_PERF_CAPABILITIES);
    cs_little_put32(page + CS_PERF_PAGE_SIZE, CS_PERF_NAMED_BYTES);
    cs_little_put64(page + CS_PERF_PAGE_DATA_HEAD, pmu->head);
    cs_little_put64(page + CS_PERF_PAGE_DATA_TAIL, pmu->tail);
    cs_little_put64(page + CS_PERF_PAGE_DATA_OFFSET, CS_PERF_PAGE_BYTES);
    cs_little_put64(page + CS_PERF_PAGE_DATA_SIZE, pmu->config.ring_bytes);
    cs_riscv_store(pmu, hart, pmu->config.ring_base, page, sizeof page);
}

/* [at, at + bytes) of the data area, which is a circle. */
static uint64_t data_at(const cs_riscv_pmu *pmu, uint64_t at, uint64_t bytes, uint64_t *first)
{
    const uint64_t offset = at & (pmu->config.ring_bytes - 1);
    const uint64_t rest = pmu->config.ring_bytes - offset;

    *first = bytes < rest ? bytes : rest;
    return pmu_ring_header(pmu, CS_PERF_PAGE_BYTES) + offset;
}

static void pmu_ring_put(cs_riscv_pmu *pmu, cs_hart *hart, const record *what)
{
    uint64_t first;
    const uint64_t address = data_at(pmu, pmu->head, what->length, &first);

    cs_riscv_store(pmu, hart, address, what->bytes, (size_t)first);
    if (first < what->length)
        cs_riscv_store(pmu, hart, pmu_ring_header(pmu, CS_PERF_PAGE_BYTES), what->bytes + first,
                       what->length - (size_t)first);
    pmu->head += what->length;
    pmu->figures.ring_bytes += what->length;
}

static void lost_record(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t id, record *out)
{
    pmu_ring_begin(out, CS_PERF_REC_LOST, 0, CS_RING_LOST_BYTES);
    cs_little_put64(out->bytes + CS_RING_LOST_ID, id);
    cs_little_put64(out->bytes + CS_RING_LOST_RECORDS, pmu->lost);
    put_trailer(out, hart, id);
}

static bool pmu_ring_write(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t id, const record *what)
{
    record lost = {.length = 0};
    uint64_t tail;

    if (pmu->config.ring_bytes == 0)
        return true;
    if (pmu->lost > 0)
        lost_record(pmu, hart, id, &lost);
    tail = cs_riscv_load64(pmu, hart, pmu_ring_header(pmu, CS_PERF_PAGE_DATA_TAIL));
    if (pmu->head - tail + what->length + lost.length > pmu->config.ring_bytes - 1) {
        pmu->lost++;
        pmu->figures.lost++;
        return false;
    }
    if (lost.length > 0) {
        pmu_ring_put(pmu, hart, &lost);
        if (pmu->listener.lost != NULL)
            pmu->listener.lost(pmu->listener.ctx, pmu->lost);
        pmu->lost = 0;
    }
    pmu_ring_put(pmu, hart, what);
    cs_riscv_store64(pmu, hart, pmu_ring_header(pmu, CS_PERF_PAGE_DATA_HEAD), pmu->head);
    return true;
}

bool cs_riscv_ring_sample(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_sample *sample)
{
    const uint64_t id = sample->event->attr.id;
    record out;

    pmu_ring_begin(&out, CS_PERF_REC_SAMPLE, sample->misc,
                   sample->chain != NULL ? CS_RING_CHAIN_WORDS + 8 * sample->nr_chain
                                         : CS_RING_CHAIN);
    cs_little_put64(out.bytes + CS_RING_SAMPLE_ID, id);
    cs_little_put64(out.bytes + CS_RING_SAMPLE_IP, sample->ip);
    put_who(out.bytes + CS_RING_SAMPLE_WHO, sample->pid, sample->tid, sample->time, sample->hart);
    cs_little_put64(out.bytes + CS_RING_SAMPLE_PERIOD, sample->period);
    if (sample->chain != NULL)
        cs_little_put64(out.bytes + CS_RING_CHAIN, sample->nr_chain);
    for (size_t i = 0; sample->chain != NULL && i < sample->nr_chain; i++)
        cs_little_put64(out.bytes + CS_RING_CHAIN_WORDS + 8 * i, sample->chain[i]);
    return pmu_ring_write(pmu, hart, id, &out);
}

void cs_riscv_ring_throttle(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                            bool on)
{
    const uint64_t id = event->attr.id;
    record out;

    pmu_ring_begin(&out, on ? CS_PERF_REC_THROTTLE : CS_PERF_REC_UNTHROTTLE, 0,
                   CS_RING_THROTTLE_BYTES);
    cs_little_put64(out.bytes + CS_RING_THROTTLE_TIME, cs_hart_time(hart));
    cs_little_put64(out.bytes + CS_RING_THROTTLE_ID, id);
    cs_little_put64(out.bytes + CS_RING_THROTTLE_STREAM, id);
    put_trailer(&out, hart, id);
    pmu_ring_write(pmu, hart, id, &out);
}

/* ---- the reader ---- */

uint64_t cs_riscv_pmu_drain(cs_riscv_pmu *pmu, cs_hart *hart)
{
    uint8_t piece[PIECE_BYTES];
    uint64_t head, begin;

    if (pmu->config.ring_bytes == 0)
        return 0;
    begin = pmu->tail;
    head = cs_riscv_load64(pmu, hart, pmu_ring_header(pmu, CS_PERF_PAGE_DATA_HEAD));
    if (head - begin > pmu->config.ring_bytes) /* it could not be loaded, or somebody changed it */
        return 0;
    while (pmu->tail != head) {
        const uint64_t rest = head - pmu->tail;
        uint64_t length;
        const uint64_t address =
            data_at(pmu, pmu->tail, rest < PIECE_BYTES ? rest : PIECE_BYTES, &length);

        cs_riscv_load(pmu, hart, address, piece, (size_t)length);
        pmu->tail += length;
        if (pmu->listener.data != NULL)
            pmu->listener.data(pmu->listener.ctx, piece, (size_t)length);
    }
    if (pmu->tail != begin)
        cs_riscv_store64(pmu, hart, pmu_ring_header(pmu, CS_PERF_PAGE_DATA_TAIL), pmu->tail);
    return pmu->tail - begin;
}

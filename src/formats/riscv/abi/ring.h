// SPDX-License-Identifier: Apache-2.0
/* The layout of perf's ring as the RISC-V driver fills it (docs/drivers/riscv_driver.md, "The ring"): a page of header,
 * and a circle of records behind it. All numbers are little-endian. Types and modes of records are those of
 * countersink/formats/perf/abi/perf.h. */
#ifndef CS_FORMATS_RISCV_ABI_RING_H
#define CS_FORMATS_RISCV_ABI_RING_H

#include <stdint.h>

#include <countersink/formats/perf/abi/perf.h>

/* ---- the header page: offsets ---- */

#define CS_PERF_PAGE_BYTES 4096u
#define CS_PERF_PAGE_CAPABILITIES 0x028u
#define CS_PERF_PAGE_SIZE 0x048u
#define CS_PERF_PAGE_DATA_HEAD 0x400u
#define CS_PERF_PAGE_DATA_TAIL 0x408u
#define CS_PERF_PAGE_DATA_OFFSET 0x410u
#define CS_PERF_PAGE_DATA_SIZE 0x418u

/* What stands in it. */
#define CS_PERF_CAPABILITIES 2u /* bit 0 means nothing */
#define CS_PERF_NAMED_BYTES 96u

/* ---- records: offsets ---- */

/* All begin with it. */
#define CS_RING_TYPE 0u /* 4 bytes */
#define CS_RING_MISC 4u /* 2 bytes */
#define CS_RING_SIZE 6u /* 2 bytes: of the record, with its head */
#define CS_RING_HEAD_BYTES 8u

/* Who was interrupted, when and where: within a sample, and at the end of any other record. */
#define CS_RING_WHO_PID 0u /* 4 bytes */
#define CS_RING_WHO_TID 4u /* 4 bytes */
#define CS_RING_WHO_TIME 8u
#define CS_RING_WHO_CPU 16u      /* 4 bytes */
#define CS_RING_WHO_RESERVED 20u /* 4 bytes: 0 */

/* A sample; without a call chain it ends at CS_RING_CHAIN. */
#define CS_RING_SAMPLE_ID 8u
#define CS_RING_SAMPLE_IP 16u
#define CS_RING_SAMPLE_WHO 24u
#define CS_RING_SAMPLE_PERIOD 48u
#define CS_RING_CHAIN 56u       /* how many words .. */
#define CS_RING_CHAIN_WORDS 64u /* .. and the words */
#define CS_PERF_SAMPLE_BYTES CS_RING_CHAIN

#define CS_PERF_RECORD_MOST (CS_RING_CHAIN_WORDS + 8u * CS_PERF_CHAIN_MOST) /* bytes */

/* LOST */
#define CS_RING_LOST_ID 8u
#define CS_RING_LOST_RECORDS 16u
#define CS_RING_LOST_BYTES (24u + CS_RING_TRAILER_BYTES)

/* THROTTLE and UNTHROTTLE */
#define CS_RING_THROTTLE_TIME 8u
#define CS_RING_THROTTLE_ID 16u
#define CS_RING_THROTTLE_STREAM 24u /* the id again */
#define CS_RING_THROTTLE_BYTES (32u + CS_RING_TRAILER_BYTES)

/* At the end of records that are no samples: who, and the id. */
#define CS_RING_TRAILER_ID 24u
#define CS_RING_TRAILER_BYTES 32u

/* ---- ids of events ---- */

/* An id is the number of the perf command and of the event within it, as one number from 1 on. */
#define CS_RING_EVENTS 256u /* of a command, at most */

static inline uint64_t cs_ring_id(unsigned command, unsigned event)
{
    return (uint64_t)command * CS_RING_EVENTS + event + 1;
}

static inline unsigned cs_ring_command(uint64_t id)
{
    return (unsigned)((id - 1) / CS_RING_EVENTS);
}

static inline unsigned cs_ring_event(uint64_t id)
{
    return (unsigned)((id - 1) % CS_RING_EVENTS);
}

#endif

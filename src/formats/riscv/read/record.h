// SPDX-License-Identifier: Apache-2.0
/* One record of perf's ring (formats/riscv/abi/ring.h) out of its bytes. */
#ifndef CS_FORMATS_RISCV_READ_RECORD_H
#define CS_FORMATS_RISCV_READ_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/riscv/abi/ring.h"
#include <countersink/formats/perf/abi/perf.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perf_record {
    uint64_t index;  /* from 0 */
    uint64_t offset; /* of its first byte in the data handed over */
    uint32_t type;   /* CS_PERF_REC_.. */
    uint16_t misc;
    uint16_t size;
    uint64_t id;
    uint32_t pid;
    uint32_t tid;
    uint64_t time;
    uint32_t cpu;
    uint64_t ip;     /* of a sample; else 0 */
    uint64_t period; /* likewise */
    uint64_t lost;   /* of LOST; else 0 */
    bool has_chain;  /* a sample with a call chain */
    uint16_t nr_chain;
    const uint64_t *chain; /* [nr_chain] with its markers; valid as long as the record */
} cs_perf_record;

/* Type, misc and size, of the first CS_RING_HEAD_BYTES; all else is 0. */
void cs_perf_record_head(const uint8_t bytes[CS_RING_HEAD_BYTES], cs_perf_record *out);

/* All that follows it, of a record that has a size which its type may have; index and offset stay. The words of its
 * call chain are as many as its size says, and go into `chain`. */
void cs_perf_record_body(const uint8_t *bytes, cs_perf_record *out,
                         uint64_t chain[CS_PERF_CHAIN_MOST]);

#ifdef __cplusplus
}
#endif

#endif

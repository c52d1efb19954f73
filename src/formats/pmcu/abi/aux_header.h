// SPDX-License-Identifier: Apache-2.0
/* The header that the PMCU driver writes in front of its samples, once, at the start of
 * the first AUX buffer: seven words, the event numbers, zeros up to a multiple of 16. */
#ifndef CS_FORMATS_PMCU_ABI_AUX_HEADER_H
#define CS_FORMATS_PMCU_ABI_AUX_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMCU_AUX_WORDS 7u
#define CS_PMCU_AUX_FIXED_BYTES (4u * CS_PMCU_AUX_WORDS)
#define CS_PMCU_AUX_MAX_EVENTS 240u
#define CS_PMCU_AUX_NULL_EVENT 0xC000u /* only fills up a subsample */
#define CS_PMCU_AUX_MAX_COUNTERS 8u
#define CS_PMCU_AUX_MAX_COMP_COUNTERS 5u
#define CS_PMCU_AUX_MAX_CPUS 1024u
#define CS_PMCU_AUX_MAX_HEADER_BYTES 992u /* of 240 events */

/* Little endian words in this order, each at 4 times its place. */
typedef struct cs_pmcu_aux_header {
    uint32_t buffer_size; /* bytes of each AUX buffer */
    uint32_t nr_pmu;      /* events of a subsample */
    uint32_t nr_cpu;      /* CPU slots of the die */
    uint32_t comp_mode;   /* 1: no cycle counts */
    uint32_t subsample_size;
    uint32_t subsamples_per_sample;
    uint32_t nr_event; /* with the padding, a multiple of nr_pmu */
    uint32_t events[CS_PMCU_AUX_MAX_EVENTS];
} cs_pmcu_aux_header;

/* Bytes of the header with nr_event <= CS_PMCU_AUX_MAX_EVENTS events, rounded up to 16. */
size_t cs_pmcu_aux_header_bytes(uint32_t nr_event);

/* Bytes of a subsample: a field of 8 bytes a CPU for the context ids, each event and, not in
 * compatibility mode, the cycles. */
uint32_t cs_pmcu_aux_subsample_bytes(uint32_t nr_pmu, uint32_t nr_cpu, uint32_t comp_mode);

/* Writes the header as it stands, checked by nobody; returns cs_pmcu_aux_header_bytes. */
size_t cs_pmcu_aux_header_encode(const cs_pmcu_aux_header *header,
                                 uint8_t out[CS_PMCU_AUX_MAX_HEADER_BYTES]);

/* The seven words from their bytes, checked: ranges, and that they agree with each other.
 * CS_ERR_FORMAT names `name` (may be NULL) and the byte that is wrong. */
cs_status cs_pmcu_aux_header_decode(const uint8_t bytes[CS_PMCU_AUX_FIXED_BYTES], const char *name,
                                    cs_pmcu_aux_header *out, cs_diag *diag);

/* The event numbers from their 4 * out->nr_event bytes, which follow. */
cs_status cs_pmcu_aux_events_decode(const uint8_t *bytes, const char *name, cs_pmcu_aux_header *out,
                                    cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Reads the PMCU's AUX data as the driver leaves it: the stretches that were handed to perf,
 * one after the other. The first AUX buffer begins with the header (formats/pmcu/abi/aux_header.h); each
 * buffer but the last is whole, and what is left at its end, less than one sample, is a gap
 * without meaning. A subsample's layout is in docs/hw/pmcu.md, "What is written".
 *
 * The reader takes bytes in order and holds one subsample: memory does not grow with the data. */
#ifndef CS_FORMATS_PMCU_READ_AUX_H
#define CS_FORMATS_PMCU_READ_AUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/pmcu/abi/aux_header.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Slots of a cluster on silicon; the header does not have them. */
#define CS_PMCU_AUX_SLOTS 8u

/* A sample is one value of every event; a subsample holds one group of them. */
typedef struct cs_pmcu_aux_subsample {
    uint64_t sample;        /* from 0 */
    uint32_t subsample;     /* of its sample, from 0 */
    uint64_t offset;        /* its first byte in the data */
    const uint32_t *events; /* [nr_events]: their numbers */
    uint32_t nr_events;
    bool has_cycles;
} cs_pmcu_aux_subsample;

/* What one CPU counted in a subsample. */
typedef struct cs_pmcu_aux_row {
    uint32_t cid1; /* CONTEXTIDR_EL1 when the counters were read */
    uint32_t cid2; /* CONTEXTIDR_EL2 */
    uint64_t counts[CS_PMCU_AUX_MAX_COUNTERS];
    uint64_t cycles; /* 0 without cycle counts */
} cs_pmcu_aux_row;

typedef struct cs_pmcu_aux cs_pmcu_aux;

/* Reads the header. `name` (copied, may be NULL) is what errors call the data; `slots` the CPU
 * slots a cluster, 0 for CS_PMCU_AUX_SLOTS. Errors: CS_ERR_FORMAT with the byte that is wrong or
 * missing; CS_ERR_RANGE where nr_cpu is not a multiple of the slots; CS_ERR_NO_MEMORY; those of
 * the source. *out is NULL then. */
cs_status cs_pmcu_aux_open(const cs_byte_source *source, const char *name, unsigned slots,
                           cs_pmcu_aux **out, cs_diag *diag);
void cs_pmcu_aux_close(cs_pmcu_aux *aux); /* NULL is allowed */

const cs_pmcu_aux_header *cs_pmcu_aux_get_header(const cs_pmcu_aux *aux);

/* The next subsample in *out, NULL after the last; valid until the next call. Data that end
 * within a sample: CS_ERR_FORMAT with the byte at which they end. */
cs_status cs_pmcu_aux_next(cs_pmcu_aux *aux, const cs_pmcu_aux_subsample **out, cs_diag *diag);

/* CPU `cpu` (slot c of cluster k is CPU c + slots * k), 0..nr_cpu-1, of the subsample that
 * cs_pmcu_aux_next gave last. */
void cs_pmcu_aux_get_row(const cs_pmcu_aux *aux, uint32_t cpu, cs_pmcu_aux_row *row);

#ifdef __cplusplus
}
#endif

#endif

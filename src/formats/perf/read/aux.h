// SPDX-License-Identifier: Apache-2.0
/* The AUX data of a perf.data file as one stream of bytes: the payloads of its AUXTRACE records of
 * one index, one after the other. What they are depends on the PMU that they are of. */
#ifndef CS_FORMATS_PERF_READ_AUX_H
#define CS_FORMATS_PERF_READ_AUX_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/perf/read/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perfread_aux {
    cs_perfread *reader; /* borrowed */
    bool any;            /* no index was asked for: another than the first is an error */
    uint32_t idx;
    uint64_t offset; /* that the next record should have */
    bool ended;
} cs_perfread_aux;

/* Reads up to the first AUXTRACE record of index `idx`, of any for -1. CS_ERR_FORMAT where there
 * is none. */
cs_status cs_perfread_aux_begin(cs_perfread_aux *aux, cs_perfread *reader, int64_t idx,
                                cs_diag *diag);

/* The first event's PMU whose name has `word` in it ("": any); NULL: there is none. */
const char *cs_perfread_aux_pmu(const cs_perfread_aux *aux, const char *word);

/* Gives the payloads' bytes. CS_ERR_FORMAT: a record does not begin where the one before it ended
 * (its offset), so that bytes are missing or twice there; another index without one asked for. */
cs_byte_source cs_perfread_aux_source(cs_perfread_aux *aux);

/* Reads what follows, to its end: its errors. */
cs_status cs_perfread_aux_end(cs_perfread_aux *aux, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

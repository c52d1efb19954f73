// SPDX-License-Identifier: Apache-2.0
/* The part of the nest's posting engine. */
#ifndef CS_RESULTS_NEST_PART_H
#define CS_RESULTS_NEST_PART_H

#include "results/part.h"
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Its state. */
typedef struct cs_nest_part {
    cs_truth *truth; /* of postings; NULL unless keep.samples_truth */
    uint64_t postings;
} cs_nest_part;

/* The groups of chip c are numbered from 8 c on. */
static inline unsigned cs_nest_group_of(const cs_probe_record *r)
{
    return r->source == CS_UNIT_NEST ? r->index
                                     : r->index + 8u * (r->source - CS_UNIT_NEST_OF(1) + 1u);
}

/* A posting, of a record of kind CS_PROBE_SAMPLE. */
void cs_truth_posting(cs_truth *truth, const cs_probe_record *record);

#ifdef __cplusplus
}
#endif

#endif

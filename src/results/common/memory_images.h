// SPDX-License-Identifier: Apache-2.0
/* Memory that hardware and firmware leave behind, as images: where each of a kind is, and in which
 * order a trace file has them. Kinds are those of all parts (part.h). */
#ifndef CS_RESULTS_COMMON_MEMORY_IMAGES_H
#define CS_RESULTS_COMMON_MEMORY_IMAGES_H

#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_image {
    unsigned number; /* of what it belongs to, as the CPU; 0: there is but one */
    uint64_t address;
    uint64_t bytes;
} cs_image;

/* A kind of images. */
typedef struct cs_image_source {
    const char *format; /* the trace format that is images of this kind, by its name */
    const char *needs;  /* what a scenario must have so that there is one */
    unsigned (*count)(const cs_scenario *s);
    bool (*place)(const cs_scenario *s, unsigned i, cs_image *out); /* false: it is left out */
} cs_image_source;

/* Fills in image i of the source, from 0 on; false: there are no more. */
bool cs_image_of(const cs_image_source *source, const cs_scenario *scenario, unsigned i,
                 cs_image *out);

/* ---- the kinds by number, from 0 on ---- */

typedef unsigned cs_image_kind;

/* NULL: there are no more kinds. */
const char *cs_image_format(cs_image_kind kind);
const char *cs_image_needs(cs_image_kind kind);
bool cs_image_get(const cs_scenario *scenario, cs_image_kind kind, unsigned i, cs_image *out);

#ifdef __cplusplus
}
#endif

#endif

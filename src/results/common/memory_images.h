/* Memory that hardware and firmware leave behind, as images: where each of a kind is, and in which
 * order a trace file has them. */
#ifndef CS_RESULTS_COMMON_MEMORY_IMAGES_H
#define CS_RESULTS_COMMON_MEMORY_IMAGES_H

#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_image_kind {
    CS_IMAGE_TRACE,    /* a buffer of trace mode */
    CS_IMAGE_CORE,     /* counters of a core */
    CS_IMAGE_THREAD,   /* of a thread */
    CS_IMAGE_NEST,     /* the nest's window */
    CS_IMAGE_SNAPSHOT, /* a hart's page of SBI snapshots */
    CS_IMAGE_KINDS
} cs_image_kind;

typedef struct cs_image {
    unsigned number; /* of the CPU; of a core; nest: 0; of the hart */
    uint64_t address;
    uint64_t bytes;
} cs_image;

/* The trace format that is images of this kind, as "core-imc". */
const char *cs_image_format(cs_image_kind kind);

/* What a scenario must have so that there is one. */
const char *cs_image_needs(cs_image_kind kind);

/* Fills in image i of the kind, from 0 on; false: there are no more. */
bool cs_image_get(const cs_scenario *scenario, cs_image_kind kind, unsigned i, cs_image *out);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* What IMC's engines ought to have added to memory: it follows the registers, states and transfers
 * in the probe stream by the pages docs/hw/imc.md and nest.md, and takes the values from the
 * timelines. It never looks at the memory; from a transfer it takes when it was asked for, whether it
 * succeeded, and to which 8 KiB (nest: to which row) it went. Of data it looks at one thing: the command
 * that the nest's engine has read. */
#ifndef CS_RESULTS_IMC_POSTS_H
#define CS_RESULTS_IMC_POSTS_H

#include "results/imc/images.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_posts cs_posts;

/* A doubleword of an image to which something was added. */
typedef struct cs_posted {
    const cs_image_source *kind; /* core, thread or nest */
    unsigned number;             /* of the image */
    uint64_t offset;             /* in it */
    uint64_t posts;              /* how often something was added */
    uint64_t value;              /* the sum, modulo 2^64 */
} cs_posted;

/* `timelines` as in cs_environment. Both are borrowed. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_posts_create(const cs_scenario *scenario, cs_timeline *const timelines[],
                          cs_posts **out, cs_diag *diag);
void cs_posts_destroy(cs_posts *posts); /* NULL is allowed */
/* `data`: the bytes of a BUS record, if cs_posts_wants_data. */
void cs_posts_record(cs_posts *posts, const cs_probe_record *record, const uint8_t *data);
bool cs_posts_wants_data(const cs_posts *posts);

/* All records of cycles below `cycle` have been given: what is known of them is worked off. */
void cs_posts_known(cs_posts *posts, cs_cycle cycle);

/* What the run's windows of cores came to. */
typedef struct cs_posts_windows {
    uint64_t ended;  /* windows whose values were to be posted */
    uint64_t lost;   /* of these, because the post before still waited */
    uint64_t failed; /* posts that the bus answered with an error */
} cs_posts_windows;

/* Complete when the run has ended (cs_posts_finish). */
const cs_posts_windows *cs_posts_windows_of(const cs_posts *posts);

/* The run has ended: tells of every doubleword, by image and offset. CS_ERR_NO_MEMORY: there was
 * none on the way. */
cs_status cs_posts_finish(cs_posts *posts, void (*each)(void *ctx, const cs_posted *posted),
                          void *ctx, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif

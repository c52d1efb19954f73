// SPDX-License-Identifier: Apache-2.0
/* Internal to imc_posts: a unit's records in the order of cycles, and the sums. */
#ifndef CS_RESULTS_IMC_POSTS_IMPL_H
#define CS_RESULTS_IMC_POSTS_IMPL_H

#include "nest_rows.h"
#include "results/imc/posts.h"
#include <countersink/base/numbers.h>
#include <countersink/models/imc/imc_timebase.h>

#define CS_POSTS_CPMCS 4u
#define CS_POSTS_THREADS 4u

/* Something that a unit's state follows, from cycle `at` on. */
typedef struct cs_posts_item {
    cs_cycle at;
    uint64_t order; /* as they came */
    enum {
        CS_POSTS_TRANSFER,
        CS_POSTS_MASK,
        CS_POSTS_LDBAR,
        CS_POSTS_STATE,
        CS_POSTS_POWER,
        CS_POSTS_PAUSE
    } kind;
    uint8_t resp;
    uint16_t index; /* LDBAR: the thread */
    uint32_t bytes; /* of a transfer */
    uint64_t addr;
    uint64_t value;
} cs_posts_item;

typedef struct cs_posts_queue {
    cs_posts_item *items;
    size_t count, room;
    uint64_t order;
    cs_cycle heard; /* no transfer that was asked for before is still to come */
} cs_posts_queue;

/* A core: docs/hw/imc.md, "Accumulation". */
typedef struct cs_posts_core {
    cs_posts_queue queue;
    unsigned number;
    unsigned state;
    uint64_t mask; /* EVENT_MASK */
    uint64_t ldbar[CS_POSTS_THREADS];
    bool synced;
    unsigned slot, thread;
    uint32_t counts[CS_POSTS_CPMCS]; /* of the window, of the cycles below `since` */
    cs_cycle since;
    cs_cycle now;                /* boundaries below it are done */
    bool core_post, thread_post; /* they wait */
    uint64_t values[CS_POSTS_CPMCS];
    unsigned values_slot;
} cs_posts_core;

typedef struct cs_posts_counter {
    uint64_t value, prev;
    cs_cycle since;
} cs_posts_counter;

/* The nest: docs/hw/nest.md, "Counters". */
typedef struct cs_posts_nest {
    cs_posts_queue queue;
    unsigned chip;
    cs_posts_counter counters[CS_NEST_P10_COUNTERS_TOTAL]; /* the engine with most of them */
} cs_posts_nest;

typedef struct cs_posts_image {
    const cs_image_source *kind;
    cs_image place;
    uint64_t *values; /* by doubleword */
    uint64_t *posts;
} cs_posts_image;

struct cs_posts {
    const cs_scenario *scenario;
    cs_timeline *const *timelines;
    cs_imc_timebase timebase;
    bool cores_wanted, nest_wanted;
    cs_posts_core *cores;
    cs_posts_nest nests[CS_MAX_CHIPS];
    cs_posts_image *images;
    size_t nr_images;
    cs_posts_windows windows;
    bool failed; /* no memory */
};

/* One doubleword that is added; outside of all images it is nobody's. */
void cs_posts_add(cs_posts *posts, uint64_t addr, uint64_t value);
/* One doubleword that is written. */
void cs_posts_store(cs_posts *posts, uint64_t addr, uint64_t value);
/* Zeros are written. */
void cs_posts_clear(cs_posts *posts, uint64_t addr, uint64_t bytes);

/* What the nest's engine has read in LOOK, with its data, is a PAUSE. */
bool cs_posts_is_pause(const cs_posts *posts, const cs_posts_nest *nest,
                       const cs_probe_record *record, const uint8_t *data);

void cs_posts_core_apply(cs_posts *posts, cs_posts_core *core, const cs_posts_item *item);
void cs_posts_nest_apply(cs_posts *posts, cs_posts_nest *nest, const cs_posts_item *item);

#endif

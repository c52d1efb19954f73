// SPDX-License-Identifier: Apache-2.0
/* Which events are on which counters: perf's event scheduling with its rotation, as the kernel has
 * it, as the RFC of 2010 on units beside the cores complains about it, and as it wishes it
 * (docs/drivers/rotation.md). It knows neither hardware nor time: somebody calls it at every tick, and
 * carries out what it says. */
#ifndef CS_DRIVERS_ROTATION_ROTATION_H
#define CS_DRIVERS_ROTATION_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_ROTATION_MAX_EVENTS 1024u
#define CS_ROTATION_MAX_PMUS 64u
#define CS_ROTATION_MAX_COUNTERS 32u /* of a PMU */

typedef enum cs_rotation_list {
    CS_ROTATION_GLOBAL,  /* one list of all groups */
    CS_ROTATION_PER_PMU, /* a list a PMU */
    CS_ROTATION_NR_LISTS
} cs_rotation_list;

typedef struct cs_rotation_pmu {
    unsigned counters; /* 1..CS_ROTATION_MAX_COUNTERS */
    unsigned divider;  /* rotates at every so manyth tick; >= 1; of a global list that of PMU 0 */
    bool adaptive;     /* the divider follows the time that rotations take */
} cs_rotation_pmu;

/* Events of a group stand together in the list, and go on counters together or not at all; they are
 * of one PMU. */
typedef struct cs_rotation_event {
    unsigned pmu;
    unsigned group;   /* a number that the events of a group share */
    uint32_t allowed; /* counters that can count it, as bits; not 0 */
    bool pinned;      /* of the whole group: scheduled before all others, never rotated */
    bool error;       /* of the whole group, pinned: in error already, and stays there */
} cs_rotation_event;

/* Whoever alone knows what fits, because counters are handed out by somebody who can refuse (firmware):
 * no set of counters is looked for then, each event is tried in its turn, and what was on a counter has
 * been taken off before. Calls come from create, from the tick, and from cs_rotation_take_off. */
typedef struct cs_rotation_owner {
    /* Of `allowed` nothing is looked at. The event's counter, as cs_rotation_counters tells it; -1: it
     * has been refused, and so is its group. One that is on a counter already may stay. */
    int (*put)(void *ctx, unsigned event);
    void (*take)(void *ctx, unsigned event);
    void *ctx;
} cs_rotation_owner;

typedef struct cs_rotation_config {
    cs_rotation_list list;
    const cs_rotation_pmu *pmus;
    size_t nr_pmus;
    const cs_rotation_event *events; /* in the order in which they were opened */
    size_t nr_events;
    uint64_t tick_cycles;
    unsigned limit_percent;  /* adaptive: rotations may take so much of the time; 1..100 */
    unsigned most_divider;   /* adaptive: it grows no further */
    cs_rotation_owner owner; /* put NULL: counters fit as `allowed` says */
    bool first_to_end; /* a turn takes the first group to the end; false: the last to the front */
} cs_rotation_config;

typedef struct cs_rotation cs_rotation;

/* The config is copied. The events are scheduled for the first time. Errors: CS_ERR_RANGE with
 * what is wrong, CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_rotation_create(const cs_rotation_config *config, cs_rotation **out, cs_diag *diag);
void cs_rotation_destroy(cs_rotation *rotation); /* NULL is allowed */

/* By event: its counter; -1: it is on none. */
const int8_t *cs_rotation_counters(const cs_rotation *rotation);
/* The flexible groups in their present order, by number of their first event; of a global list
 * `pmu` does not matter. Returns how many. */
size_t cs_rotation_order(const cs_rotation *rotation, unsigned pmu, unsigned *out, size_t room);

/* The next tick: lists that are due are rotated, and their PMUs scheduled anew. Returns those, as a
 * mask (also where nothing moved: a list of which all is on counters stays as it is). */
uint64_t cs_rotation_tick(cs_rotation *rotation);
/* With an owner: takes what is not pinned off its counters, as before a change of the list. */
void cs_rotation_take_off(cs_rotation *rotation);
/* A group of the PMU's list is on no counter, so that the list turns whenever it is due. */
bool cs_rotation_waits(const cs_rotation *rotation, unsigned pmu);
/* How many ticks it is to the next one at which a list turns: those before need not come. 0: no
 * list will ever turn. */
unsigned cs_rotation_ahead(cs_rotation *rotation);
/* What the last tick cost for this PMU, and beside its PMUs, which each list that was due bears
 * whole; before the next one, and before cs_rotation_ahead. */
void cs_rotation_took(cs_rotation *rotation, unsigned pmu, uint64_t cycles);
void cs_rotation_took_beside(cs_rotation *rotation, uint64_t cycles);
/* The divider that is in force. */
unsigned cs_rotation_divider(const cs_rotation *rotation, unsigned pmu);

#ifdef __cplusplus
}
#endif

#endif

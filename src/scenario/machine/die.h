// SPDX-License-Identifier: Apache-2.0
/* A scenario's die: who is on its fabric, managers and targets in their order (docs/hw/bus.md), and
 * how large each unit is. The model system, the RTL system and the RTL's top are built from it. */
#ifndef CS_SCENARIO_DIE_H
#define CS_SCENARIO_DIE_H

#include "base/bus/die_shape.h"
#include "scenario/scenario.h"
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIE_MANAGERS (64u + CS_MAX_CPU_PORTS)
#define CS_DIE_TARGETS 48u

/* Where something of a unit stands among the unit's: `index` behind `row` rows, which in the RTL
 * are as long as the parameter `rows` says (1 where the shape has not got it). */
typedef struct cs_die_place {
    const char *rows; /* NULL: there are none */
    unsigned row;
    unsigned index;
} cs_die_place;

typedef struct cs_die_manager {
    const char *unit; /* whose it is; "": the first CPU port */
    cs_die_place place;
    uint16_t number; /* in records */
} cs_die_manager;

typedef struct cs_die_target {
    const char *unit; /* "": memory */
    cs_die_place place;
    unsigned kind;   /* CS_TARGET_.. (countersink/base/numbers.h) */
    unsigned number; /* of those of its kind */
    uint64_t base;
    uint64_t size;
    const char *what; /* is there: "the registers of a unit" */
} cs_die_target;

typedef struct cs_die {
    cs_die_manager managers[CS_DIE_MANAGERS];
    unsigned nr_managers;
    cs_die_target targets[CS_DIE_TARGETS]; /* without the hole */
    unsigned nr_targets;
    bool adds; /* units add to memory */
    cs_die_shape shape;
} cs_die;

void cs_die_of(const cs_scenario *s, cs_die *out);

/* For sections, which tell what their units are on the die. Managers and targets of a unit stand
 * together, in the order of these calls; their index is filled in where they are in no row. */
void cs_die_add_manager(cs_die *die, const char *unit, uint16_t number);
void cs_die_add_manager_at(cs_die *die, const char *unit, uint16_t number, cs_die_place place);
void cs_die_add_target(cs_die *die, cs_die_target target);

/* The place of a manager by its number, which must be there. */
unsigned cs_die_manager_place(const cs_die *die, uint16_t number);

#ifdef __cplusplus
}
#endif

#endif

/* A scenario's die: who is on its fabric, managers and targets in their order (docs/hw/bus.md), and
 * how large each unit is. The model system, the RTL system and the RTL's top are built from it. */
#ifndef CS_SCENARIO_DIE_H
#define CS_SCENARIO_DIE_H

#include "base/die_shape.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIE_MANAGERS 48u
#define CS_DIE_TARGETS 24u

typedef enum cs_target_kind {
    CS_TARGET_MEMORY,
    CS_TARGET_PMCU,
    CS_TARGET_CLUSTER,
    CS_TARGET_SPR,
    CS_TARGET_SCOM,
    CS_TARGET_UNCORE /* a bridge */
} cs_target_kind;

typedef struct cs_die_manager {
    const char *unit; /* whose it is; "": the CPU's port */
    unsigned index;   /* among the unit's */
    uint16_t number;  /* in records */
} cs_die_manager;

typedef struct cs_die_target {
    const char *unit; /* "": memory */
    unsigned index;   /* among the unit's */
    cs_target_kind kind;
    unsigned number; /* of a cluster, of an uncore bridge */
    uint64_t base;
    uint64_t size;
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

/* The place of a manager by its number, which must be there. */
unsigned cs_die_manager_place(const cs_die *die, uint16_t number);

#ifdef __cplusplus
}
#endif

#endif

/* Who is on the fabric of a scenario's die: managers and targets in their order
 * (docs/hw/bus.md). The model system and the RTL system are both built from it. */
#ifndef CS_SCENARIO_LAYOUT_H
#define CS_SCENARIO_LAYOUT_H

#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_LAYOUT_MANAGERS 48u
#define CS_LAYOUT_TARGETS 24u

typedef enum cs_target_kind {
    CS_TARGET_MEMORY,
    CS_TARGET_PMCU,
    CS_TARGET_CLUSTER,
    CS_TARGET_SPR,
    CS_TARGET_SCOM,
    CS_TARGET_UNCORE /* a bridge */
} cs_target_kind;

typedef struct cs_layout_target {
    cs_target_kind kind;
    unsigned number; /* of a cluster, of an uncore bridge */
    uint64_t base;
    uint64_t size;
} cs_layout_target;

typedef struct cs_layout {
    uint16_t managers[CS_LAYOUT_MANAGERS]; /* their numbers in records */
    unsigned nr_managers;
    cs_layout_target targets[CS_LAYOUT_TARGETS]; /* without the hole */
    unsigned nr_targets;
    bool adds; /* units add to memory */
} cs_layout;

void cs_layout_of(const cs_scenario *s, cs_layout *out);

/* The place of a manager by its number, which must be there. */
unsigned cs_layout_manager(const cs_layout *layout, uint16_t number);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. Ways: one machine and workload with one software or another (docs/scenarios.md,
 * keys `ways` and `way`). */
#ifndef CS_SCENARIO_WAYS_H
#define CS_SCENARIO_WAYS_H

#include "scenario/yaml/yaml.h"
#include <countersink/base/diag.h>

/* Lays the keys of the way that `way` names, or of the first one, over those of the document: maps
 * grow together, anything else takes the place of what was there. Nothing happens where there are no
 * ways. CS_ERR_SCENARIO where `way` names none; what else may be wrong with both keys is left to
 * those who read them. */
cs_status cs_ways_apply(cs_yaml *yaml, cs_yaml_node *root, cs_diag *diag);

/* Takes both keys out: what is left is the scenario of the one way. */
void cs_ways_forget(cs_yaml_node *root);

/* True for an assignment ("ways.0.set.a=1") that has to be made before the way is chosen. */
bool cs_ways_early(const char *assignment);

#endif

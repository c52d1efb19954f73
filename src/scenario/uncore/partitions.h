// SPDX-License-Identifier: Apache-2.0
/* Partitions: what each system sees of the PMUs (docs/drivers/uncore_driver.md, "Partitions"). */
#ifndef CS_SCENARIO_UNCORE_PARTITIONS_H
#define CS_SCENARIO_UNCORE_PARTITIONS_H

#include "formats/address/tree.h"
#include "scenario/check.h"
#include "scenario/uncore/uncore_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads their paths, and gives the units to them. The tree is complete. */
cs_status cs_uncore_partitions_check(cs_check *check);

/* The number of the partition with this name; nr_partitions: there is none. */
size_t cs_uncore_partition_named(const cs_uncore_spec *spec, const char *name);

/* Whether it has a PMU of the tree, or something of a place. */
bool cs_uncore_partition_sees(const struct cs_scenario *s, size_t partition,
                              const cs_pmu_path *path);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* The list of parts: a row each. It is the order in which they hear of things, and in which their
 * tables stand in the truth. */
#ifndef CS_RESULTS_PARTS_H
#define CS_RESULTS_PARTS_H

#include "results/part.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PARTS(X)                                                                                \
    X(pmcu)                                                                                        \
    X(pmcu_dies)                                                                                   \
    X(pmcu_outages)                                                                                \
    X(imc)                                                                                         \
    X(functions)                                                                                   \
    X(counts)                                                                                      \
    X(sockets)                                                                                     \
    X(imc_software)                                                                                \
    X(imc_interrupts)                                                                              \
    X(imc_processes)                                                                               \
    X(hpm)                                                                                         \
    X(vpmu)                                                                                        \
    X(rotation)                                                                                    \
    X(owners)                                                                                      \
    X(aux_loss)                                                                                    \
    X(uncore)                                                                                      \
    X(uncore_moves)                                                                                \
    X(uncore_opens)                                                                                \
    X(iommu_hpm)                                                                                   \
    X(images)                                                                                      \
    X(posts)                                                                                       \
    X(snapshots) /* asks hpm */                                                                    \
    X(outages)                                                                                     \
    X(switches)                                                                                    \
    X(throttles)                                                                                   \
    X(activity)                                                                                    \
    X(nest)                                                                                        \
    X(bus)                                                                                         \
    X(memory)                                                                                      \
    X(probe_log)

#define CS_PART_NUMBER(name) CS_PART_##name,
typedef enum cs_part_number { CS_PARTS(CS_PART_NUMBER) CS_NR_PARTS } cs_part_number;
#undef CS_PART_NUMBER

#define CS_PART_DECLARATION(name) extern const cs_part cs_part_##name;
CS_PARTS(CS_PART_DECLARATION)
#undef CS_PART_DECLARATION

extern const cs_part *const cs_parts[CS_NR_PARTS];

/* The numbers of those that have a place in the view, by their places; returns how many. */
size_t cs_parts_of_view(cs_part_view view, cs_part_number out[CS_NR_PARTS]);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* What the bus carried, by manager. */
#ifndef CS_RESULTS_BUS_PART_H
#define CS_RESULTS_BUS_PART_H

#include "results/part.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_BUS_MANAGERS CS_MANAGER_CPU_PORT(CS_MAX_CPU_PORTS) /* numbers of managers are below */

typedef struct cs_manager_result {
    uint64_t transactions;
    uint64_t bytes;
    uint64_t errors;
    uint64_t wait_cycles; /* request to grant */
    uint64_t held_cycles; /* grant to completion, inclusive */
} cs_manager_result;

/* The state of the part. */
typedef struct cs_bus_part {
    const cs_part_run *run; /* up to `finish` */
    struct {
        unsigned cpu;
        uint64_t software_cycles;
    } ports[CS_MAX_CPU_PORTS]; /* CPU ports, from `finish` on */
    unsigned nr_ports;         /* 0: there is one for all CPUs */
    uint64_t transactions;
    cs_manager_result managers[CS_BUS_MANAGERS];
} cs_bus_part;

/* A record of kind CS_PROBE_BUS. */
void cs_bus_part_transfer(void *bus_part, const cs_probe_record *record);

#ifdef __cplusplus
}
#endif

#endif

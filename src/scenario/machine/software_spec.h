// SPDX-License-Identifier: Apache-2.0
/* Who drives the hardware. */
#ifndef CS_SCENARIO_MACHINE_SOFTWARE_SPEC_H
#define CS_SCENARIO_MACHINE_SOFTWARE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_software_spec {
    uint32_t kinds;              /* CS_SOFTWARE_BIT of each that runs */
    unsigned cpu;                /* the CPU that runs what has none of its own */
    unsigned irq_latency_cycles; /* line high to first handler access */
    unsigned access_cycles;      /* CPU work before each register access */
    bool port_per_cpu;           /* each CPU that runs software has a port (machine/ports.h) */
    unsigned ipi_cycles;         /* from one CPU's signal to the other's line */
    unsigned irq_entry_cycles;   /* of an interrupt: exception to handler, */
    unsigned irq_exit_cycles;    /* and handler to workload */
    unsigned evicted_lines;      /* of the workload's cache, by a stay of software on a CPU */
    unsigned refill_cycles;      /* that each of them costs the workload afterwards */
} cs_software_spec;

#endif

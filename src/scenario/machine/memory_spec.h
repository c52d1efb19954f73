// SPDX-License-Identifier: Apache-2.0
/* RAM, and what goes wrong on the bus. */
#ifndef CS_SCENARIO_MACHINE_MEMORY_SPEC_H
#define CS_SCENARIO_MACHINE_MEMORY_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_region_spec {
    uint64_t base;
    uint64_t size;
    bool readable;
    bool writable;
} cs_region_spec;

typedef struct cs_fault_spec {
    uint64_t base;
    uint64_t size;
    bool on_read;
    bool on_write;
    uint64_t nth;   /* first access that is hit, from 1 */
    uint64_t count; /* how many; 0: all that follow */
    bool error;     /* SLVERR, else a stall */
    unsigned stall_cycles;
} cs_fault_spec;

typedef struct cs_memory_spec {
    uint64_t base;
    uint64_t size;
    unsigned read_cycles;
    unsigned write_cycles;
    unsigned gap_cycles;
    cs_region_spec *regions;
    size_t nr_regions;
    cs_fault_spec *faults;
    size_t nr_faults;
} cs_memory_spec;

#endif

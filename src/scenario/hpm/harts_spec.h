// SPDX-License-Identifier: Apache-2.0
/* RISC-V harts. */
#ifndef CS_SCENARIO_HPM_HARTS_SPEC_H
#define CS_SCENARIO_HPM_HARTS_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CS_MAX_HARTS 16u

typedef struct cs_harts_spec {
    unsigned count;
    unsigned xlen;
    unsigned modes; /* docs/hw/hpm.md, section 1 */
    unsigned counters;
    unsigned width;
    bool sscofpmf;
    bool smcntrpmf;
    bool smcdeleg;
    bool aia;
    unsigned lcofi_latency;
    unsigned timebase_mhz;
    uint64_t timebase_start;
    unsigned csr_cycles;
    unsigned trap_cycles;
    unsigned return_cycles;
    unsigned irq_latency_cycles;
    unsigned access_cycles;
} cs_harts_spec;

#endif

// SPDX-License-Identifier: Apache-2.0
/* What is at the pins of a hart's counters in a window of its time, written to a file, so that RTL can be driven
 * with it (tb/guest/replay_pins.cpp).
 *
 * The file begins with lines of text, and an empty one:
 *
 *   hpm COUNTERS WIDTH LATENCY SMCNTRPMF SMCDELEG MODES   as docs/hw/hpm.md, section 1, has them; RV64
 *   event NUMBER KINDS CYCLES                       what an event counts: instructions, or their cycles
 *   cost KIND CYCLES
 *   csr NUMBER VALUE                                what the window begins with
 *
 * Numbers are hexadecimal. Bytes follow, numbers in them little-endian:
 *
 *   0 mode:3 kind:4                       an instruction; its last cycle has all that it counts
 *   0x80 op csr:16 mode value:64 result:64 exception    the access of the next one, in that cycle
 *   0xc0+lines                            lcofi_o from the next cycle on
 *   0xff number:16 value:64 ..            the end: CSRs as they are then */
#ifndef CS_GUEST_HPM_PINS_H
#define CS_GUEST_HPM_PINS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/hpm/hart.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pins_config {
    const cs_hpm_config *hpm;
    const hart_event *events; /* HART_EVENTS */
    const uint8_t *cost;      /* CS_RISCV_KINDS */
    FILE *out;
    cs_cycle from, cycles;
} pins_config;

typedef struct pins pins;

/* What `config` points at must stay. NULL: no memory. */
pins *pins_create(const pins_config *config);
void pins_destroy(pins *p);

/* So many instructions can pass unseen; UINT64_MAX: all of them. */
uint64_t pins_left(const pins *p, cs_cycle now);

/* The instruction ends at `now`; its access, if there was one, comes before. `hpm` is the counters, up to date. */
void pins_access(pins *p, const cs_hpm_access *access, const cs_hpm_result *result);
void pins_instruction(pins *p, cs_cycle now, unsigned mode, unsigned kind, cs_hpm *hpm);

#ifdef __cplusplus
}
#endif

#endif

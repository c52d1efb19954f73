// SPDX-License-Identifier: Apache-2.0
/* A PMCU, the C model of docs/hw/pmcu.md, whose bus is the caller's. For the Python package. */
#ifndef CS_GOLDEN_PMCU_GOLDEN_PMCU_H
#define CS_GOLDEN_PMCU_GOLDEN_PMCU_H

#include <stdint.h>

#include "golden/api.h"

typedef struct cs_golden_pmcu cs_golden_pmcu;

/* A transfer of the PMCU: `bytes` bytes from `addr` on, to be read into data or written from there. `request`
 * is its first cycle. when[0], when[1]: the cycles of its grant and of its completion, request <= grant <
 * completion. Returns the response: 0, 2 (SLVERR) or 3 (DECERR). Must not call back. */
typedef unsigned (*cs_golden_pmcu_bus)(void *ctx, unsigned port, unsigned write, uint64_t addr,
                                       unsigned bytes, uint8_t *data, uint64_t request,
                                       uint64_t when[2]);

/* In reset, in cycle 0. `settings`: clusters, slots, lanes, broadcast, prefetch, ext64, tick_cycles, die, order
 * (0..3), posted. NULL: refused, cs_golden_error says why. */
CS_GOLDEN_API cs_golden_pmcu *cs_golden_pmcu_create(const char *settings, cs_golden_pmcu_bus bus,
                                                    void *ctx);
CS_GOLDEN_API void cs_golden_pmcu_destroy(cs_golden_pmcu *pmcu); /* NULL is allowed */

/* An access to its registers in this cycle; at most one write a cycle. A bus response: 0, or 2. */
CS_GOLDEN_API unsigned cs_golden_pmcu_access(cs_golden_pmcu *pmcu, unsigned offset, unsigned bytes,
                                             unsigned write, uint64_t *data);
/* Executes cycles below `to`, up to one in which the interrupt line changes. Returns this cycle's number. */
CS_GOLDEN_API uint64_t cs_golden_pmcu_advance(cs_golden_pmcu *pmcu, uint64_t to);
CS_GOLDEN_API uint64_t cs_golden_pmcu_cycle(const cs_golden_pmcu *pmcu);
/* The next cycle in which it does anything by itself; 2^64 - 1: none. */
CS_GOLDEN_API uint64_t cs_golden_pmcu_next(const cs_golden_pmcu *pmcu);
CS_GOLDEN_API unsigned cs_golden_pmcu_irq(const cs_golden_pmcu *pmcu);

#endif

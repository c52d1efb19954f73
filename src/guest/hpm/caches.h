// SPDX-License-Identifier: Apache-2.0
/* Caches and TLBs of a guest's hart: which access misses (docs/hw/caches.md). No QEMU here. */
#ifndef CS_GUEST_HPM_CACHES_H
#define CS_GUEST_HPM_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/hpm/kinds.h"
#include "scenario/guest/guest_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What can miss, of the outcomes of kinds.h. */
#define CACHES_MISS(of) CS_RISCV_OUTCOME(of##_MISS)

/* A byte as the hart finds it. */
typedef struct caches_byte {
    uint64_t virtual_at, physical_at;
    bool device; /* it is no memory */
} caches_byte;

typedef struct caches caches;

/* NULL: no memory. */
caches *caches_create(const cs_guest_cache shapes[CS_GUEST_CACHES]);
void caches_destroy(caches *c);

/* Misses, as bits. */
uint32_t caches_fetch(caches *c, caches_byte at);
uint32_t caches_access(caches *c, caches_byte first, caches_byte last, bool store);

void caches_empty_tlbs(caches *c);
void caches_empty_code(caches *c);

#ifdef __cplusplus
}
#endif

#endif

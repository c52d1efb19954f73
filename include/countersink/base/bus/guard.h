// SPDX-License-Identifier: Apache-2.0
/* The access guard of the fabric: who may touch what, and the faults that a
 * scenario orders. It is asked once a transaction, in the order in which the
 * fabric grants them, and counts accesses itself. */
#ifndef CS_BASE_GUARD_H
#define CS_BASE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest stall that a fabric knows (docs/hw/bus.md, "Guard"). */
#define CS_GUARD_MAX_STALL 65535u

/* Rights within [base, base + size). Outside all regions everything is allowed;
 * an access needs the right of every region that it overlaps. */
typedef struct cs_guard_region {
    uint64_t base;
    uint64_t size; /* >= 1; the region must end within the 64-bit space */
    bool readable;
    bool writable;
} cs_guard_region;

typedef enum cs_guard_direction {
    CS_GUARD_ANY = 0,
    CS_GUARD_READ = 1,
    CS_GUARD_WRITE = 2
} cs_guard_direction;

typedef enum cs_guard_action {
    CS_GUARD_ERROR = 0, /* the response is SLVERR */
    CS_GUARD_STALL = 1  /* the response is late by stall_cycles */
} cs_guard_action;

/* Every access that overlaps [base, base + size) in the given direction counts,
 * whatever its response. The fault lasts from access number nth (1-based) for
 * `count` accesses, 0: for ever. */
typedef struct cs_guard_fault {
    uint64_t base;
    uint64_t size; /* as of a region */
    cs_guard_direction direction;
    uint64_t nth; /* >= 1 */
    uint64_t count;
    cs_guard_action action;
    uint32_t stall_cycles; /* of CS_GUARD_STALL, >= 1; otherwise 0 */
} cs_guard_fault;

typedef struct cs_guard cs_guard;

/* Copies both lists; a list of length 0 may be NULL. CS_ERR_RANGE (what was
 * found and what is allowed), CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_guard_create(const cs_guard_region *regions, size_t nr_regions,
                          const cs_guard_fault *faults, size_t nr_faults, cs_guard **out,
                          cs_diag *diag);

/* NULL is allowed. */
void cs_guard_destroy(cs_guard *guard);

/* Allows everything, always: NULL, or a guard without regions and faults. */
bool cs_guard_is_open(const cs_guard *guard);

/* All counts as after create. */
void cs_guard_reset(cs_guard *guard);

/* The response, CS_BUS_OKAY or CS_BUS_SLVERR, of a transaction of `bytes` >= 1
 * bytes, and in *stall_cycles by how many cycles it is late (the sum of all
 * stalls that apply, also of a refused one, CS_GUARD_MAX_STALL at most). A NULL guard allows everything. */
cs_bus_resp cs_guard_check(cs_guard *guard, bool write, uint64_t addr, unsigned bytes,
                           uint64_t *stall_cycles);

#ifdef __cplusplus
}
#endif

#endif

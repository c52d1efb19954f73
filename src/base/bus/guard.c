// SPDX-License-Identifier: Apache-2.0
#include <countersink/base/bus/guard.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct armed_fault {
    cs_guard_fault fault;
    uint64_t seen; /* accesses that matched so far */
} armed_fault;

struct cs_guard {
    cs_guard_region *regions;
    size_t nr_regions;
    armed_fault *faults;
    size_t nr_faults;
};

static cs_status check_range(uint64_t base, uint64_t size, const char *what, size_t index,
                             cs_diag *diag)
{
    if (size != 0 && base <= UINT64_MAX - (size - 1))
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                       "%s %zu at 0x%" PRIx64 " of 0x%" PRIx64
                       " bytes: must have at least 1 byte and end within 64 bits",
                       what, index + 1, base, size);
}

static cs_status check_fault(const cs_guard_fault *fault, size_t index, cs_diag *diag)
{
    cs_status status = check_range(fault->base, fault->size, "fault", index, diag);

    if (status != CS_OK)
        return status;
    if ((unsigned)fault->direction > CS_GUARD_WRITE)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "fault %zu: direction %u: must be 0..2",
                           index + 1, (unsigned)fault->direction);
    if ((unsigned)fault->action > CS_GUARD_STALL)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "fault %zu: action %u: must be 0 or 1",
                           index + 1, (unsigned)fault->action);
    if (fault->nth == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "fault %zu: access 0: accesses are numbered from 1", index + 1);
    if ((fault->action == CS_GUARD_STALL) != (fault->stall_cycles > 0))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "fault %zu: stall of %" PRIu32
                           " cycles: must be at least 1 for a stall, 0 for an error",
                           index + 1, fault->stall_cycles);
    return CS_OK;
}

cs_status cs_guard_create(const cs_guard_region *regions, size_t nr_regions,
                          const cs_guard_fault *faults, size_t nr_faults, cs_guard **out,
                          cs_diag *diag)
{
    cs_status status = CS_OK;

    *out = NULL;
    for (size_t i = 0; i < nr_regions && status == CS_OK; i++)
        status = check_range(regions[i].base, regions[i].size, "region", i, diag);
    for (size_t i = 0; i < nr_faults && status == CS_OK; i++)
        status = check_fault(&faults[i], i, diag);
    if (status != CS_OK)
        return status;

    cs_guard *guard = calloc(1, sizeof *guard);
    if (guard != NULL) {
        guard->regions = calloc(nr_regions + 1, sizeof *guard->regions);
        guard->faults = calloc(nr_faults + 1, sizeof *guard->faults);
    }
    if (guard == NULL || guard->regions == NULL || guard->faults == NULL) {
        cs_guard_destroy(guard);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for an access guard");
    }
    if (nr_regions > 0)
        memcpy(guard->regions, regions, nr_regions * sizeof *regions);
    for (size_t i = 0; i < nr_faults; i++)
        guard->faults[i].fault = faults[i];
    guard->nr_regions = nr_regions;
    guard->nr_faults = nr_faults;
    *out = guard;
    return CS_OK;
}

void cs_guard_destroy(cs_guard *guard)
{
    if (guard == NULL)
        return;
    free(guard->regions);
    free(guard->faults);
    free(guard);
}

bool cs_guard_is_open(const cs_guard *guard)
{
    return guard == NULL || (guard->nr_regions == 0 && guard->nr_faults == 0);
}

void cs_guard_reset(cs_guard *guard)
{
    for (size_t i = 0; i < guard->nr_faults; i++)
        guard->faults[i].seen = 0;
}

/* Last bytes, not ends: a range may end at the top of the space. */
static bool overlaps(uint64_t base, uint64_t size, uint64_t addr, uint64_t last)
{
    return addr <= base + (size - 1) && last >= base;
}

static bool in_direction(cs_guard_direction direction, bool write)
{
    return direction == CS_GUARD_ANY || (direction == CS_GUARD_WRITE) == write;
}

cs_bus_resp cs_guard_check(cs_guard *guard, bool write, uint64_t addr, unsigned bytes,
                           uint64_t *stall_cycles)
{
    uint64_t last = addr > UINT64_MAX - (bytes - 1) ? UINT64_MAX : addr + (bytes - 1);
    bool refused = false;

    *stall_cycles = 0;
    if (guard == NULL)
        return CS_BUS_OKAY;
    for (size_t i = 0; i < guard->nr_regions; i++) {
        const cs_guard_region *region = &guard->regions[i];
        if (overlaps(region->base, region->size, addr, last))
            refused |= !(write ? region->writable : region->readable);
    }
    for (size_t i = 0; i < guard->nr_faults; i++) {
        armed_fault *armed = &guard->faults[i];
        const cs_guard_fault *fault = &armed->fault;
        if (!in_direction(fault->direction, write) ||
            !overlaps(fault->base, fault->size, addr, last))
            continue;
        armed->seen++;
        bool active = armed->seen >= fault->nth &&
                      (fault->count == 0 || armed->seen - fault->nth < fault->count);
        if (!active)
            continue;
        if (fault->action == CS_GUARD_ERROR)
            refused = true;
        else
            *stall_cycles += fault->stall_cycles;
    }
    if (*stall_cycles > CS_GUARD_MAX_STALL)
        *stall_cycles = CS_GUARD_MAX_STALL;
    return refused ? CS_BUS_SLVERR : CS_BUS_OKAY;
}

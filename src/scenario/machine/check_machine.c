/* Clocks, counters, address windows. */
#include "base/events.h"
#include "base/map.h"
#include "scenario/check.h"

#define HALF_MICROSECOND_PS 500000u
#define MAX_STALL_CYCLES 65535u /* docs/hw/bus.md, "Guard" */

cs_status cs_check_machine(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    bool ticks = cs_check_at(check, "pmcu.tick_cycles") != NULL;

    cs_check_at(check, "bus.clock_mhz");
    if (HALF_MICROSECOND_PS % s->bus->clock_mhz != 0)
        return cs_check_fail(check,
                             "%u does not divide 500000, so that half a cycle is no whole "
                             "number of picoseconds",
                             s->bus->clock_mhz);
    if (!ticks && cs_scenario_has_pmcu(s) && s->bus->clock_mhz % 50 != 0)
        return cs_check_fail(check,
                             "%u is not a multiple of 50, so that a tick of 20 ns is no "
                             "whole number of cycles; or give pmcu.tick_cycles",
                             s->bus->clock_mhz);

    cs_check_at(check, "corepmu.clock_mhz");
    if (s->corepmu->clock_mhz > CS_MAX_INCREMENT * s->bus->clock_mhz)
        return cs_check_fail(check,
                             "%u is more than 15 core cycles in a bus cycle of "
                             "bus.clock_mhz %u",
                             s->corepmu->clock_mhz, s->bus->clock_mhz);

    cs_check_at(check, "corepmu.hpmn");
    if (s->corepmu->hpmn > s->corepmu->counters)
        return cs_check_fail(check,
                             "%u is more than the %u counters of each core (corepmu.counters)",
                             s->corepmu->hpmn, s->corepmu->counters);
    return CS_OK;
}

static bool ends_beyond(uint64_t base, uint64_t size)
{
    return size - 1 > UINT64_MAX - base;
}

static cs_status check_windows(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "memory.size");
    if (ends_beyond(s->memory->base, s->memory->size))
        return cs_check_fail(check, "0x%llx from memory.base 0x%llx ends beyond 2^64",
                             (unsigned long long)s->memory->size,
                             (unsigned long long)s->memory->base);
    cs_check_at(check, "memory.base");
    const struct {
        uint64_t base, bytes;
        const char *what;
    } windows[] = {
        {CS_PMCU_BASE, cs_scenario_has_pmcu(s) ? CS_PMCU_BYTES : 0, "the registers of the PMCU"},
        {CS_CLUSTER_BASE, (uint64_t)s->pmcu->clusters * CS_CLUSTER_BYTES,
         "the registers of the cores"},
        {CS_SPR_BASE, s->imc->cores != 0 ? CS_SPR_BYTES : 0, "the SPRs of the IMC cores"},
        {CS_SCOM_BASE, s->imc->cores != 0 ? CS_SCOM_BYTES : 0, "the SCOM window"},
    };
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (windows[i].bytes != 0 &&
            cs_check_overlap(s->memory->base, s->memory->size, windows[i].base, windows[i].bytes))
            return cs_check_fail(check, "RAM 0x%llx..0x%llx overlaps %s, 0x%llx..0x%llx",
                                 (unsigned long long)s->memory->base,
                                 (unsigned long long)(s->memory->base + (s->memory->size - 1)),
                                 windows[i].what, (unsigned long long)windows[i].base,
                                 (unsigned long long)(windows[i].base + windows[i].bytes - 1));
    return CS_OK;
}

cs_status cs_check_memory(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t stalls = 0;
    cs_status status = check_windows(check);

    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < s->memory->nr_regions; i++) {
        cs_check_at(check, "memory.regions.%zu.size", i);
        if (ends_beyond(s->memory->regions[i].base, s->memory->regions[i].size))
            return cs_check_fail(check, "the region ends beyond 2^64");
    }
    for (size_t i = 0; i < s->memory->nr_faults; i++) {
        const cs_fault_spec *fault = &s->memory->faults[i];

        cs_check_at(check, "memory.faults.%zu.size", i);
        if (ends_beyond(fault->base, fault->size))
            return cs_check_fail(check, "the range ends beyond 2^64");
        stalls += fault->stall_cycles;
        cs_check_at(check, "memory.faults.%zu.stall_cycles", i);
        if (stalls > MAX_STALL_CYCLES)
            return cs_check_fail(check,
                                 "the stalls up to here add up to %llu cycles; one access "
                                 "can be late by at most %u",
                                 (unsigned long long)stalls, MAX_STALL_CYCLES);
    }
    return CS_OK;
}

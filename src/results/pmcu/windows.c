#include "results/pmcu/windows.h"

#include "base/numbers.h"
#include "corepmu_regs.h"
#include "formats/pmcu/abi/aux_header.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

#define SLOT_BYTES 0x10000u
#define BROADCAST_SLOT 15u
#define TYPERS 31u

/* docs/hw/pmcu.md, "States". */
enum { INIT = 1, PROGRAM = 3, START = 4, STOP = 6, READ = 7, BREAK = 10 };

void cs_windows_create(cs_windows *windows, const cs_scenario *scenario)
{
    *windows = (cs_windows){.scenario = scenario, .first_start = CS_NEVER};
}

void cs_windows_run(cs_windows *windows, unsigned first_counter)
{
    windows->first_counter = first_counter;
    /* What a group counted that was broken off belongs to no subsample. */
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++) {
        cs_slot_state *slot = &windows->slots[cpu];

        slot->window.counted = false;
        slot->window.spoilt = slot->spoilt_next = slot->spoilt_run = 0;
    }
}

/* ---- what takes effect in the cores ---- */

static unsigned typer_stride(const cs_windows *windows)
{
    return windows->scenario->corepmu->ext64 ? CS_COREPMU_EXT64_PMEVTYPER_STRIDE
                                             : CS_COREPMU_EXT32_PMEVTYPER_STRIDE;
}

/* The number of the counter whose PMEVTYPER is at the offset; false: it is none. */
static bool is_typer(const cs_windows *windows, uint64_t offset, unsigned *counter)
{
    const unsigned stride = typer_stride(windows);

    if (offset < CS_COREPMU_EXT32_PMEVTYPER ||
        offset >= CS_COREPMU_EXT32_PMEVTYPER + TYPERS * stride)
        return false;
    *counter = (unsigned)(offset - CS_COREPMU_EXT32_PMEVTYPER) / stride;
    return true;
}

static void core_write(cs_windows *windows, unsigned cpu, const cs_probe_record *r)
{
    cs_core_writes *writes = &windows->slots[cpu].writes;
    unsigned counter;

    if (r->addr == CS_COREPMU_EXT32_PMCNTENSET)
        writes->set = r->cycle;
    else if (r->addr == CS_COREPMU_EXT32_PMCNTENCLR)
        writes->clear = r->cycle;
    else if (is_typer(windows, r->addr, &counter)) {
        writes->typer_offset = r->addr;
        writes->typer = (uint32_t)r->value;
    }
}

static void reg_write(cs_windows *windows, const cs_probe_record *r)
{
    const cs_scenario *s = windows->scenario;
    const unsigned nr_cpus = cs_scenario_arm_cpus(s);

    if (r->source >= CS_UNIT_CORE(0) && r->source < CS_UNIT_CORE(nr_cpus)) {
        core_write(windows, r->source - CS_UNIT_CORE(0), r);
        return;
    }
    if (r->source < CS_UNIT_BROADCAST(0) || r->source >= CS_UNIT_BROADCAST(s->pmcu->clusters))
        return;
    for (unsigned slot = 0; slot < s->pmcu->slots; slot++) {
        const unsigned cpu = (r->source - CS_UNIT_BROADCAST(0)) * s->pmcu->slots + slot;

        if (!s->corepmu->absent[cpu] && !s->corepmu->offline[cpu] && !s->corepmu->locked[cpu])
            core_write(windows, cpu, r);
    }
}

/* ---- what the PMCU does ---- */

static bool within(const cs_probe_record *transfer, cycle_t effect)
{
    return effect > transfer->grant && effect <= transfer->cycle;
}

static void open_window(cs_windows *windows, cs_slot_state *slot)
{
    slot->window.start = slot->writes.set + 1;
    slot->window.stop = CS_NEVER;
    slot->window.counted = true;
    if (slot->window.start < windows->first_start)
        windows->first_start = slot->window.start;
}

static void close_window(cs_windows *windows, cs_slot_state *slot)
{
    if (!slot->window.counted || slot->window.stop != CS_NEVER)
        return;
    slot->window.stop = slot->writes.clear + 1;
    slot->counted_cycles += slot->window.stop - slot->window.start;
    if (slot->window.stop > windows->last_stop)
        windows->last_stop = slot->window.stop;
}

static void spoil(cs_windows *windows, cs_slot_state *slot, bool write)
{
    const uint8_t state = windows->state;
    const bool next = state == STOP || (state == READ && write);
    const bool now =
        state == PROGRAM || state == START || state == STOP || (state == READ && !write);

    if (state == INIT && slot->spoilt_run == 0)
        slot->spoilt_run = state;
    if (next && slot->spoilt_next == 0)
        slot->spoilt_next = state;
    if (now && slot->window.spoilt == 0)
        slot->window.spoilt = state;
}

static void slot_access(cs_windows *windows, unsigned cpu, const cs_probe_record *r)
{
    cs_slot_state *slot = &windows->slots[cpu];
    const uint64_t offset = r->addr % SLOT_BYTES;
    unsigned counter;

    if (r->resp != CS_BUS_OKAY) {
        spoil(windows, slot, r->write);
        return;
    }
    if (!r->write)
        return;
    if (windows->state == START && within(r, slot->writes.set))
        open_window(windows, slot);
    else if ((windows->state == STOP || windows->state == BREAK) && within(r, slot->writes.clear))
        close_window(windows, slot);
    else if (windows->state == PROGRAM && slot->writes.typer_offset == offset &&
             is_typer(windows, offset, &counter) && counter >= windows->first_counter &&
             counter - windows->first_counter < CS_WINDOWS_MAX_COUNTERS)
        windows->events[counter - windows->first_counter] = slot->writes.typer & 0xffff;
}

static void transfer(cs_windows *windows, const cs_probe_record *r)
{
    const cs_pmcu_spec *die = windows->scenario->pmcu;
    const uint64_t from = r->addr - CS_CLUSTER_BASE;
    const unsigned slot = (unsigned)(from / SLOT_BYTES % (CS_CLUSTER_BYTES / SLOT_BYTES));
    unsigned first;

    if (r->source < CS_MANAGER_PMCU(0) || r->source >= CS_MANAGER_PMCU(die->lanes) ||
        from >= (uint64_t)die->clusters * CS_CLUSTER_BYTES)
        return;
    first = (unsigned)(from / CS_CLUSTER_BYTES) * die->slots;
    if (slot < die->slots)
        slot_access(windows, first + slot, r);
    for (unsigned i = 0; i < die->slots && slot == BROADCAST_SLOT; i++)
        slot_access(windows, first + i, r);
}

void cs_windows_record(cs_windows *windows, const cs_probe_record *r)
{
    if (r->kind == CS_PROBE_BUS) {
        transfer(windows, r);
    } else if (r->kind == CS_PROBE_REG && r->write && r->resp == CS_BUS_OKAY) {
        reg_write(windows, r);
    } else if (r->kind == CS_PROBE_STATE && r->source == CS_UNIT_PMCU) {
        windows->state = (uint8_t)r->value;
        for (unsigned i = 0; r->value == PROGRAM && i < CS_WINDOWS_MAX_COUNTERS; i++)
            windows->events[i] = CS_PMCU_AUX_NULL_EVENT;
    }
}

/* ---- subsamples ---- */

cs_pmcu_window cs_windows_take(cs_windows *windows, unsigned cpu)
{
    cs_slot_state *slot = &windows->slots[cpu];
    cs_pmcu_window window = slot->window;
    const bool closed = window.counted && window.stop != CS_NEVER;

    if (slot->spoilt_run != 0)
        window.spoilt = slot->spoilt_run;
    window.counted = closed && window.spoilt == 0;
    if (closed && window.spoilt != 0)
        slot->counted_cycles -= window.stop - window.start;
    slot->window.counted = false;
    slot->window.spoilt = slot->spoilt_next;
    slot->spoilt_next = 0;
    return window;
}

// SPDX-License-Identifier: Apache-2.0
#include "results/pmcu/windows.h"

#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/outages.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/base/numbers.h>
#include <countersink/regs/corepmu_regs.h>

#define SLOT_BYTES 0x10000u
#define BROADCAST_SLOT 15u
#define TYPERS 31u
#define CYCLE_COUNTER 31u
#define COUNTER_BYTES 8u

/* docs/hw/pmcu.md, "States". */
enum { COUNTER = 2, RUNNING = 3 }; /* "Orders" */
enum { INIT = 1, PROGRAM = 3, START = 4, STOP = 6, READ = 7, SWITCH = 9, BREAK = 10 };

void cs_windows_create(cs_windows *windows, const cs_scenario *scenario, unsigned die)
{
    *windows = (cs_windows){.scenario = scenario, .die = die, .first_start = CS_NEVER};
}

void cs_windows_run(cs_windows *windows, unsigned first_counter, unsigned nr_counters,
                    bool has_cycles)
{
    windows->first_counter = first_counter;
    windows->nr_counters = nr_counters;
    windows->has_cycles = has_cycles;
    windows->first = true;
    for (unsigned i = 0; i < CS_WINDOWS_MAX_CLUSTERS; i++)
        cs_posted_disown(&windows->posted[i]);
    /* What a group counted that was broken off belongs to no subsample. */
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++) {
        cs_slot_state *slot = &windows->slots[cpu];

        slot->window.counted = slot->enabled = false;
        slot->window.spoilt = slot->spoilt_next = slot->spoilt_run = 0;
    }
}

/* ---- what takes effect in the cores ---- */

static unsigned typer_stride(const cs_windows *windows)
{
    return windows->scenario->corepmu->ext64 ? CS_COREPMU_EXT64_PMEVTYPER_STRIDE
                                             : CS_COREPMU_EXT32_PMEVTYPER_STRIDE;
}

static unsigned control_offset(const cs_windows *windows)
{
    return windows->scenario->corepmu->ext64 ? CS_COREPMU_EXT64_PMCR : CS_COREPMU_EXT32_PMCR;
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

/* The number of the counter, or of the cycle counter, whose low word is at the offset; false: none. */
static bool is_counter(uint64_t offset, unsigned *counter)
{
    *counter = (unsigned)(offset / COUNTER_BYTES);
    return offset % COUNTER_BYTES == 0 && *counter <= CYCLE_COUNTER;
}

static bool posts(const cs_windows *windows)
{
    return windows->scenario->corepmu->bus_posted != 0;
}

static void core_access(cs_windows *windows, unsigned cpu, const cs_probe_record *r)
{
    cs_core_accesses *last = &windows->slots[cpu].last;
    unsigned counter;

    if (is_counter(r->addr, &counter)) {
        last->counter = r->cycle;
        last->counter_number = counter;
    } else if (!r->write) {
        return;
    } else if (r->addr == CS_COREPMU_EXT32_PMCNTENSET) {
        last->set = r->cycle;
    } else if (r->addr == CS_COREPMU_EXT32_PMCNTENCLR) {
        last->clear = r->cycle;
        last->clear_mask = (uint32_t)r->value;
    } else if (r->addr == control_offset(windows)) {
        last->reset = r->cycle;
    } else if (is_typer(windows, r->addr, &counter)) {
        last->typer_offset = r->addr;
        last->typer = (uint32_t)r->value;
    }
}

/* Whether a broadcast reaches the CPU's core. */
static bool hears_broadcast(const cs_windows *windows, unsigned cpu, cs_cycle cycle)
{
    const cs_corepmu_spec *spec = windows->scenario->corepmu;

    return !spec->absent[cpu] && !spec->offline[cpu] && !spec->locked[cpu] &&
           !cs_outages_refuse(windows->scenario, cpu, cycle, cycle + 1);
}

static void reg_access(cs_windows *windows, const cs_probe_record *r)
{
    const cs_scenario *s = windows->scenario;
    const unsigned nr_cpus = cs_scenario_arm_cpus(s);

    if (r->source >= CS_UNIT_CORE(0) && r->source < CS_UNIT_CORE(nr_cpus)) {
        core_access(windows, r->source - CS_UNIT_CORE(0), r);
        return;
    }
    if (r->source < CS_UNIT_BROADCAST(0) ||
        r->source >= CS_UNIT_BROADCAST(cs_scenario_arm_clusters(s)))
        return;
    for (unsigned slot = 0; slot < s->pmcu->slots; slot++) {
        const unsigned cpu = (r->source - CS_UNIT_BROADCAST(0)) * s->pmcu->slots + slot;

        if (hears_broadcast(windows, cpu, r->cycle))
            core_access(windows, cpu, r);
    }
}

/* ---- what the PMCU does ---- */

static bool within(const cs_probe_record *transfer, cs_cycle effect)
{
    return effect > transfer->grant && effect <= transfer->cycle;
}

/* What the slot has of the counter that has this number in the core; NULL: the run does not use it. */
static cs_counter_window *used_counter(cs_windows *windows, cs_slot_state *slot, unsigned number)
{
    const unsigned i = number - windows->first_counter;

    if (number == CYCLE_COUNTER)
        return windows->has_cycles ? &slot->counters[windows->nr_counters] : NULL;
    return number >= windows->first_counter && i < windows->nr_counters ? &slot->counters[i] : NULL;
}

static void open_counter(cs_windows *windows, cs_slot_state *slot, unsigned number, cs_cycle effect)
{
    cs_counter_window *counter = used_counter(windows, slot, number);
    cs_pmcu_window *window = &slot->window;

    if (counter == NULL)
        return;
    *counter = (cs_counter_window){effect + 1, CS_NEVER};
    if (!window->counted)
        window->start = counter->start;
    window->stop = CS_NEVER;
    window->counted = true;
}

/* The core's window ends with the last of its counters'. */
static void close_window(cs_windows *windows, cs_slot_state *slot, cs_cycle stop)
{
    for (unsigned i = 0; i < windows->nr_counters + windows->has_cycles; i++)
        if (slot->counters[i].stop == CS_NEVER)
            return;
    slot->window.stop = stop;
}

static void close_counter(cs_windows *windows, cs_slot_state *slot, unsigned number, cs_cycle stop)
{
    cs_counter_window *counter = used_counter(windows, slot, number);

    if (counter == NULL || !slot->window.counted || counter->stop != CS_NEVER)
        return;
    counter->stop = stop;
    close_window(windows, slot, stop);
}

static void open_all(cs_windows *windows, cs_slot_state *slot, cs_cycle effect)
{
    for (unsigned number = 0; number <= CYCLE_COUNTER; number++)
        open_counter(windows, slot, number, effect);
}

/* docs/hw/pmcu.md, "Failed slots", with "Orders". */
static void spoil(cs_windows *windows, cs_slot_state *slot, const cs_probe_record *r)
{
    const uint8_t state = windows->state;
    const unsigned order = windows->scenario->pmcu->order;
    const bool read = state == READ && !r->write;
    const bool stop = state == STOP || (state == READ && r->write &&
                                        r->addr % SLOT_BYTES == CS_COREPMU_EXT32_PMCNTENCLR);
    const bool reset = state == READ && r->write && !stop;
    /* An error on a read may be that of any write before it, where writes are posted. */
    const bool late = read && posts(windows);
    const bool run =
        state == INIT || (state == START && order == RUNNING) || (late && windows->first);
    const bool next = stop || reset || (read && order == COUNTER) || late;
    const bool now = state == PROGRAM || state == START || stop || read;

    if (run && slot->spoilt_run == 0)
        slot->spoilt_run = state;
    if (next && slot->spoilt_next == 0)
        slot->spoilt_next = state;
    if (now && slot->window.spoilt == 0)
        slot->window.spoilt = state;
}

static void programmed(cs_windows *windows, cs_slot_state *slot, uint64_t offset)
{
    unsigned counter;

    if (slot->last.typer_offset == offset && is_typer(windows, offset, &counter) &&
        counter >= windows->first_counter &&
        counter - windows->first_counter < CS_WINDOWS_MAX_COUNTERS)
        windows->events[counter - windows->first_counter] = slot->last.typer & 0xffff;
}

/* Order "running": a reset begins the counters' next windows. */
static void reset(cs_windows *windows, cs_slot_state *slot, const cs_probe_record *r,
                  uint64_t offset)
{
    unsigned counter;

    if (offset == control_offset(windows) && within(r, slot->last.reset))
        open_all(windows, slot, slot->last.reset);
    else if (is_counter(offset, &counter) && counter == slot->last.counter_number &&
             within(r, slot->last.counter))
        open_counter(windows, slot, counter, slot->last.counter);
}

static void stopped(cs_windows *windows, cs_slot_state *slot, const cs_probe_record *r)
{
    if (!within(r, slot->last.clear))
        return;
    for (unsigned number = 0; number <= CYCLE_COUNTER; number++)
        if (slot->last.clear_mask >> number & 1)
            close_counter(windows, slot, number, slot->last.clear + 1);
}

static void slot_access(cs_windows *windows, unsigned cpu, const cs_probe_record *r)
{
    cs_slot_state *slot = &windows->slots[cpu];
    const uint64_t offset = r->addr % SLOT_BYTES;
    unsigned counter;

    if (r->resp != CS_BUS_OKAY) {
        spoil(windows, slot, r);
        return;
    }
    switch (windows->state) {
    case PROGRAM:
        programmed(windows, slot, offset);
        if (slot->enabled)
            reset(windows, slot, r, offset);
        break;
    case START:
        if (within(r, slot->last.set)) {
            slot->enabled = true;
            open_all(windows, slot, slot->last.set);
        }
        break;
    case STOP:
    case BREAK:
        slot->enabled = false;
        stopped(windows, slot, r);
        break;
    case READ:
        if (r->write && offset == CS_COREPMU_EXT32_PMCNTENCLR)
            stopped(windows, slot, r);
        else if (!r->write && is_counter(offset, &counter) &&
                 counter == slot->last.counter_number && within(r, slot->last.counter))
            close_counter(windows, slot, counter, slot->last.counter);
        break;
    default:
        break;
    }
}

/* ---- the same, where writes are posted ---- */

/* What a write of the PMCU has come to in a CPU: as if its transfer were complete with its effect. */
static void posted_in(cs_windows *windows, unsigned cpu, const cs_posted_transfer *asked,
                      const cs_probe_record *done)
{
    const cs_core_accesses last = windows->slots[cpu].last;
    const uint8_t state = windows->state;
    cs_probe_record r = asked->record;

    if (done->resp != CS_BUS_OKAY || !hears_broadcast(windows, cpu, done->cycle))
        return; /* an error is told by a later read */
    r.cycle = done->cycle;
    r.grant = done->cycle - 1;
    windows->state = asked->state;
    core_access(windows, cpu, done);
    slot_access(windows, cpu, &r);
    windows->state = state;
    windows->slots[cpu].last = last;
}

static void posted_meet(cs_windows *windows, unsigned cluster)
{
    const unsigned slots = windows->scenario->pmcu->slots;
    const unsigned first = (windows->die * windows->scenario->pmcu->clusters + cluster) * slots;
    const cs_posted_transfer *asked;
    const cs_probe_record *done;

    while (cs_posted_next(&windows->posted[cluster], &asked, &done)) {
        const unsigned to =
            (unsigned)(asked->record.addr / SLOT_BYTES % (CS_CLUSTER_BYTES / SLOT_BYTES));

        for (unsigned slot = 0; slot < slots && asked->state != CS_POSTED_NOBODY; slot++)
            if (to == slot || to == BROADCAST_SLOT)
                posted_in(windows, first + slot, asked, done);
    }
}

/* The die's own number of a cluster; false: it is another's. */
static bool own_cluster(const cs_windows *windows, uint64_t number, unsigned *cluster)
{
    const unsigned clusters = windows->scenario->pmcu->clusters;

    *cluster = (unsigned)(number - windows->die * clusters);
    return number >= windows->die * clusters && *cluster < clusters;
}

static void posted_transfer(cs_windows *windows, const cs_probe_record *r, bool of_lane)
{
    unsigned cluster;

    if (!own_cluster(windows, (r->addr - CS_CLUSTER_BASE) / CS_CLUSTER_BYTES, &cluster))
        return;
    cs_posted_asked(&windows->posted[cluster], r, of_lane ? windows->state : CS_POSTED_NOBODY);
    posted_meet(windows, cluster);
}

static void posted_effect(cs_windows *windows, const cs_probe_record *r)
{
    const cs_scenario *s = windows->scenario;
    unsigned number, cluster;

    if (r->source >= CS_UNIT_BROADCAST(0) &&
        r->source < CS_UNIT_BROADCAST(cs_scenario_arm_clusters(s)))
        number = r->source - CS_UNIT_BROADCAST(0);
    else if (r->source >= CS_UNIT_CORE(0) && r->source < CS_UNIT_CORE(cs_scenario_arm_cpus(s)))
        number = (unsigned)(r->source - CS_UNIT_CORE(0)) / s->pmcu->slots;
    else
        return;
    if (!own_cluster(windows, number, &cluster))
        return;
    cs_posted_done(&windows->posted[cluster], r);
    posted_meet(windows, cluster);
}

/* ---- records ---- */

static void transfer(cs_windows *windows, const cs_probe_record *r)
{
    const cs_pmcu_spec *die = windows->scenario->pmcu;
    const unsigned lane = CS_MANAGER_PMCU(windows->die * CS_PMCU_LANES);
    const bool of_lane = r->source >= lane && r->source < lane + die->lanes;
    const uint64_t from = r->addr - CS_CLUSTER_BASE;
    const unsigned slot = (unsigned)(from / SLOT_BYTES % (CS_CLUSTER_BYTES / SLOT_BYTES));
    unsigned first;

    if (from >= (uint64_t)cs_scenario_arm_clusters(windows->scenario) * CS_CLUSTER_BYTES)
        return;
    if (r->write && r->resp == CS_BUS_OKAY && posts(windows)) {
        posted_transfer(windows, r, of_lane);
        return;
    }
    if (!of_lane)
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
    } else if (r->kind == CS_PROBE_REG && r->write && posts(windows)) {
        posted_effect(windows, r);
    } else if (r->kind == CS_PROBE_REG && r->resp == CS_BUS_OKAY) {
        reg_access(windows, r);
    } else if (r->kind == CS_PROBE_STATE && r->source == CS_UNIT_PMCU + windows->die) {
        windows->state = (uint8_t)r->value;
        for (unsigned i = 0; r->value == PROGRAM && i < CS_WINDOWS_MAX_COUNTERS; i++)
            windows->events[i] = CS_WINDOWS_NO_EVENT;
        if (r->value == SWITCH)
            windows->first = false;
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
    if (window.counted)
        slot->counted_cycles += window.stop - window.start;
    if (closed && window.start < windows->first_start)
        windows->first_start = window.start;
    if (closed && window.stop > windows->last_stop)
        windows->last_stop = window.stop;
    slot->window.counted = false;
    slot->window.spoilt = slot->spoilt_next;
    slot->spoilt_next = 0;
    return window;
}

cs_counter_window cs_windows_counter(const cs_windows *windows, unsigned cpu, unsigned i)
{
    return windows->slots[cpu].counters[i];
}

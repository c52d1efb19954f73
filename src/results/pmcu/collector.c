// SPDX-License-Identifier: Apache-2.0
#include "results/pmcu/collector.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/outages.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/regs/corepmu_regs.h>
#include <countersink/regs/pmcu_regs.h>

#define MAX_EVENTS (0x10000u + 1)

/* The number that the cycle counter has among events in results: that of CPU_CYCLES. */
#define CYCLES_AS_EVENT 0x11u

/* Registers of the unit that say what a run does. */
typedef struct unit_registers {
    uint32_t fsm_cfg, comp, wait_cnt, pmcr, pmccfiltr, event_base_h, event_base_l;
} unit_registers;

CS_SOFT_PRINTED(pmcu_subsample, cs_pmcu_subsample, "pmcu subsample")
{
    fprintf(out,
            "die %u, subsample %" PRIu64 " (%" PRIu64 " of its trigger), %u bytes at 0x%" PRIx64
            ", %u events of %u cpus",
            what->die, what->of_die, what->of_trigger, what->bytes, what->addr, what->nr_events,
            what->nr_cpus);
}

struct cs_pmcu_collector {
    const cs_scenario *scenario;
    cs_memory *memory;
    cs_timeline *timelines[CS_MAX_CPUS];
    bool window_truth;
    const cs_soft_sink *soft;
    unsigned die, first_cpu, nr_cpus; /* arrays by CPU begin with first_cpu */
    cs_windows accesses;

    unit_registers written; /* as last written */
    unit_registers run;     /* copies at the trigger */
    uint64_t run_samples;   /* committed since */
    uint64_t *numbers;      /* the next subsample's; NULL: it counts its own */
    cs_cycle run_began;
    cs_cycle commits[2]; /* the last one, and the one before; those of the run */

    cs_pmcu_results results;
    cs_pmcu_event_result *events;
    uint64_t *nominal;          /* by event index: cycles for which it was to count, one core */
    uint64_t *counted;          /* likewise: for which it did, all cores */
    uint32_t index_of[0x10000]; /* event number -> index + 1 */
    size_t cycle_index;         /* + 1 */

    uint32_t event_numbers[CS_PMCU_COLLECTOR_MAX_COUNTERS];
    cs_pmcu_window windows[CS_MAX_CPUS];
    uint32_t cid1[CS_MAX_CPUS];
    uint32_t cid2[CS_MAX_CPUS];
    uint64_t values[(CS_PMCU_COLLECTOR_MAX_COUNTERS + 1) * CS_MAX_CPUS];
    uint64_t truths[(CS_PMCU_COLLECTOR_MAX_COUNTERS + 1) * CS_MAX_CPUS];
    uint8_t bytes[(CS_PMCU_COLLECTOR_MAX_COUNTERS + 2) * CS_MAX_CPUS * 8];
};

static unsigned field(uint32_t value, uint32_t mask, unsigned shift)
{
    return (value & mask) >> shift;
}

static uint64_t little_endian(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static unsigned first_counter(const cs_pmcu_collector *c)
{
    return c->run.comp ? 3 : 0;
}

static unsigned run_counters(const cs_pmcu_collector *c)
{
    return field(c->run.fsm_cfg, CS_PMCU_FSM_CFG_NR_PMU_MASK, CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
}

/* A write that the unit refuses (8 bytes) does nothing. */
static void pmcu_write(cs_pmcu_collector *c, const cs_probe_record *r)
{
    const uint32_t value = (uint32_t)r->value;

    if (r->resp != CS_BUS_OKAY)
        return;
    switch (r->addr) {
    case CS_PMCU_FSM_CFG:
        c->written.fsm_cfg = value;
        break;
    case CS_PMCU_COMP:
        c->written.comp = value & CS_PMCU_COMP_EN_MASK;
        break;
    case CS_PMCU_EVENT_BASE_H:
        c->written.event_base_h = value;
        break;
    case CS_PMCU_EVENT_BASE_L:
        c->written.event_base_l = value;
        break;
    case CS_PMCU_WAIT_CNT:
        c->written.wait_cnt = value;
        break;
    case CS_PMCU_PMCR:
        c->written.pmcr = value;
        break;
    case CS_PMCU_PMCCFILTR:
        c->written.pmccfiltr = value & CS_PMCU_PMCCFILTR_FILTER_MASK;
        break;
    case CS_PMCU_FSM_CTRL:
        c->results.triggers += (value & CS_PMCU_FSM_CTRL_TRIGGER_MASK) != 0;
        break;
    default:
        break;
    }
}

/* The copies that a run works on are those of the trigger that started it. */
static void state_changed(cs_pmcu_collector *c, const cs_probe_record *r)
{
    enum { STATE_INIT = 1 };

    if (r->value != STATE_INIT)
        return;
    c->run = c->written;
    c->run_samples = 0;
    c->run_began = c->commits[0] = c->commits[1] = r->cycle;
    cs_windows_run(&c->accesses, first_counter(c), run_counters(c), !c->run.comp);
}

static cs_pmcu_event_result *event_slot(cs_pmcu_collector *c, uint32_t event, bool cycle_counter)
{
    size_t *cycle_index = &c->cycle_index;
    size_t index = cycle_counter ? *cycle_index : c->index_of[event & 0xffff];

    if (index != 0)
        return &c->events[index - 1];
    index = ++c->results.nr_events;
    if (cycle_counter)
        *cycle_index = index;
    else
        c->index_of[event & 0xffff] = (uint32_t)index;
    c->events[index - 1] = (cs_pmcu_event_result){.event = event, .cycle_counter = cycle_counter};
    return &c->events[index - 1];
}

/* PROGRAM leaves the filters of events zero. */
static uint64_t truth(cs_pmcu_collector *c, uint32_t event, bool cycle_counter, unsigned cpu,
                      cs_cycle from, cs_cycle to)
{
    const cs_corepmu_spec *spec = c->scenario->corepmu;
    const cs_corepmu_config core = {.hpmn = spec->hpmn, .hpmd = spec->hpmd, .spme = spec->spme};
    const unsigned counter = cycle_counter ? CS_COREPMU_CYCLE_COUNTER : 0;
    const uint32_t modes =
        cs_corepmu_counted_modes(&core, counter, cycle_counter ? c->run.pmccfiltr : 0, c->run.pmcr);

    return cs_timeline_sum(c->timelines[cpu], cycle_counter ? CS_COREPMU_EVENT_CLOCK : event, modes,
                           from, to);
}

/* Skew of one edge of the windows: latest core minus earliest. */
static uint64_t skew(const cs_pmcu_collector *c, bool stop)
{
    cs_cycle low = CS_NEVER;
    cs_cycle high = 0;

    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++) {
        const cs_pmcu_window *window = &c->windows[cpu];
        cs_cycle edge = stop ? window->stop : window->start;

        if (!window->counted)
            continue;
        low = edge < low ? edge : low;
        high = edge > high ? edge : high;
    }
    return high > low ? high - low : 0;
}

static void parse(cs_pmcu_collector *c, const cs_probe_record *r, unsigned nr_events,
                  bool has_cycles)
{
    const unsigned clusters = c->scenario->pmcu->clusters; /* of the die */
    const unsigned slots = c->scenario->pmcu->slots;

    cs_memory_read(c->memory, r->addr, r->bytes, c->bytes);
    for (unsigned slot = 0; slot < slots; slot++)
        for (unsigned cluster = 0; cluster < clusters; cluster++) {
            unsigned idx = slot * clusters + cluster;
            unsigned cpu = slot + slots * cluster;

            c->cid1[cpu] = (uint32_t)little_endian(&c->bytes[4 * idx], 4);
            c->cid2[cpu] = (uint32_t)little_endian(&c->bytes[4 * c->nr_cpus + 4 * idx], 4);
            for (unsigned i = 0; i < nr_events + has_cycles; i++)
                c->values[i * c->nr_cpus + cpu] =
                    little_endian(&c->bytes[8 * c->nr_cpus * (1 + i) + 8 * idx], 8);
        }
}

/* What each core did in its window. */
static void find_truths(cs_pmcu_collector *c, const cs_pmcu_subsample *s)
{
    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++) {
        const bool cycle_counter = i == s->nr_events;
        const uint32_t event = cycle_counter ? CYCLES_AS_EVENT : s->events[i];

        for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
            const bool counted = s->windows[cpu].counted;
            const cs_counter_window w = cs_windows_counter(&c->accesses, c->first_cpu + cpu, i);

            c->truths[i * s->nr_cpus + cpu] =
                counted ? truth(c, event, cycle_counter, cpu, w.start, w.stop) : 0;
            c->results.values += counted;
            c->results.wrong_values +=
                counted && c->truths[i * s->nr_cpus + cpu] != c->values[i * s->nr_cpus + cpu];
        }
    }
}

/* docs/hw/pmcu.md, "WAIT" */
static uint64_t nominal_cycles(const cs_pmcu_collector *c)
{
    const uint64_t cycles = (uint64_t)c->run.wait_cnt * c->scenario->pmcu->tick_cycles;

    return cycles > 1 ? cycles : 1;
}

static void account(cs_pmcu_collector *c, const cs_pmcu_subsample *s, unsigned i)
{
    const bool cycle_counter = i == s->nr_events;
    const uint32_t event = cycle_counter ? CYCLES_AS_EVENT : s->events[i];
    cs_pmcu_event_result *result;

    if (event == CS_PMCU_AUX_NULL_EVENT)
        return;
    result = event_slot(c, event, cycle_counter);
    result->subsamples++;
    c->nominal[result - c->events] += nominal_cycles(c);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
        const cs_counter_window w = cs_windows_counter(&c->accesses, c->first_cpu + cpu, i);

        if (s->windows[cpu].counted)
            c->counted[result - c->events] += w.stop - w.start;
        result->sampled += s->values[i * s->nr_cpus + cpu];
        result->window_truth += c->truths[i * s->nr_cpus + cpu];
    }
}

/* Since when an error may have been made that spoilt the subsample. */
static cs_cycle spoilt_since(const cs_pmcu_collector *c, const cs_pmcu_window *window)
{
    enum { STATE_INIT = 1 };

    return window->spoilt == STATE_INIT || c->scenario->corepmu->bus_posted != 0 ? c->run_began
                                                                                 : c->commits[1];
}

/* Since when the core must have kept its registers to count right (docs/hw/pmcu.md, "A core that goes
 * off"): only INIT gives PMCCFILTR back, the reset before this subsample PMCR. */
static cs_cycle needed_since(const cs_pmcu_collector *c, const cs_pmcu_window *window)
{
    if (c->run.comp)
        return window->start;
    return c->run.pmccfiltr != 0 ? c->run_began : c->commits[0];
}

/* Without an error: did the core lose what it needs for this subsample, or miss a broadcast? */
static bool lost(const cs_pmcu_collector *c, unsigned cpu, cs_cycle now)
{
    const cs_pmcu_window *window = &c->windows[cpu];

    if (!window->counted)
        return cs_outages_refuse(c->scenario, c->first_cpu + cpu, c->commits[0], now);
    return cs_outages_lose(c->scenario, c->first_cpu + cpu, needed_since(c, window), window->stop);
}

/* A slot that failed with its core off, and one that does not say what happened to its core. */
static bool count_outage(cs_pmcu_collector *c, unsigned cpu, cs_cycle now)
{
    const cs_pmcu_window *window = &c->windows[cpu];
    const cs_scenario *s = c->scenario;
    const bool off = window->spoilt != 0 &&
                     cs_outages_refuse(s, c->first_cpu + cpu, spoilt_since(c, window), now);

    c->results.off_slots += off;
    c->results.lost_slots += window->spoilt == 0 && lost(c, cpu, now);
    return off;
}

static void count_window(cs_pmcu_collector *c, unsigned cpu, cs_cycle now)
{
    const cs_pmcu_window *window = &c->windows[cpu];
    const cs_corepmu_spec *core = c->scenario->corepmu;
    const unsigned number = c->first_cpu + cpu;

    if (window->counted) {
        c->results.windows++;
        c->results.window_cycles += window->stop - window->start;
        c->results.nominal_cycles += nominal_cycles(c);
    }
    if (core->absent[number]) {
        c->results.absent_slots += window->spoilt != 0;
        return;
    }
    c->results.failed_slots += window->spoilt != 0;
    if (!count_outage(c, cpu, now) && window->spoilt != 0 && !core->offline[number] &&
        !core->locked[number])
        c->results.failed_online++;
}

/* Where no core took an event's number, the subsample is of it all the same: the fields are zero. */
static void name_lost_events(cs_pmcu_collector *c, unsigned nr_events)
{
    const uint32_t cfg = c->run.fsm_cfg;
    const uint64_t base =
        ((uint64_t)c->run.event_base_h << 32 | c->run.event_base_l) & ~UINT64_C(3);
    const unsigned ev_len = field(cfg, CS_PMCU_FSM_CFG_EV_LEN_MASK, CS_PMCU_FSM_CFG_EV_LEN_SHIFT);
    const unsigned groups = nr_events != 0 ? (ev_len + nr_events - 1) / nr_events : 0;
    const unsigned first = groups != 0 ? (unsigned)(c->run_samples % groups) * nr_events : 0;

    for (unsigned i = 0; i < nr_events; i++) {
        uint8_t word[4];

        if (c->event_numbers[i] != CS_WINDOWS_NO_EVENT)
            continue;
        c->event_numbers[i] = CS_PMCU_AUX_NULL_EVENT;
        if (first + i >= ev_len)
            continue;
        cs_memory_read(c->memory, base + 4 * (first + i), sizeof word, word);
        c->event_numbers[i] = (uint32_t)little_endian(word, 2);
    }
}

static void sample_committed(cs_pmcu_collector *c, const cs_probe_record *r)
{
    const unsigned nr_events = run_counters(c);
    const bool has_cycles = !c->run.comp;
    cs_pmcu_subsample s = {
        .die = c->die,
        .number = c->numbers != NULL ? (*c->numbers)++ : c->results.samples,
        .of_die = c->results.samples,
        .of_trigger = c->run_samples,
        .cycle = r->cycle,
        .addr = r->addr,
        .bytes = r->bytes,
        .first_cpu = c->first_cpu,
        .nr_cpus = c->nr_cpus,
        .nr_events = nr_events,
        .has_cycles = has_cycles,
        .events = c->event_numbers,
        .windows = c->windows,
        .cid1 = c->cid1,
        .cid2 = c->cid2,
        .values = c->values,
        .truths = c->window_truth ? c->truths : NULL,
    };

    parse(c, r, nr_events, has_cycles);
    memcpy(c->event_numbers, c->accesses.events, sizeof c->event_numbers);
    name_lost_events(c, nr_events);
    c->results.samples++;
    c->run_samples++;
    c->results.sample_bytes += r->bytes;
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++) {
        c->windows[cpu] = cs_windows_take(&c->accesses, c->first_cpu + cpu);
        count_window(c, cpu, r->cycle);
    }
    c->commits[1] = c->commits[0];
    c->commits[0] = r->cycle;
    if (skew(c, false) > c->results.start_skew_cycles)
        c->results.start_skew_cycles = skew(c, false);
    if (skew(c, true) > c->results.stop_skew_cycles)
        c->results.stop_skew_cycles = skew(c, true);
    if (c->window_truth)
        find_truths(c, &s);
    for (unsigned i = 0; i < nr_events + has_cycles; i++)
        account(c, &s, i);
    cs_tell_pmcu_subsample(c->soft, r->cycle, c->scenario->software->cpu, &s);
}

void cs_pmcu_collector_record(cs_pmcu_collector *c, const cs_probe_record *r)
{
    const bool own = r->source == CS_UNIT_PMCU + c->die;

    cs_windows_record(&c->accesses, r);
    switch ((cs_probe_kind)r->kind) {
    case CS_PROBE_BUS:
        break;
    case CS_PROBE_REG:
        if (r->write && own)
            pmcu_write(c, r);
        break;
    case CS_PROBE_STATE:
        if (own)
            state_changed(c, r);
        break;
    case CS_PROBE_IRQ:
        c->results.interrupts += own && r->value != 0;
        break;
    case CS_PROBE_SAMPLE:
        if (own)
            sample_committed(c, r);
        break;
    }
}

cs_status cs_pmcu_collector_create(const cs_scenario *scenario, unsigned die, cs_memory *memory,
                                   cs_timeline *const timelines[], bool window_truth,
                                   const cs_soft_sink *soft, cs_pmcu_collector **out, cs_diag *diag)
{
    cs_pmcu_collector *c = calloc(1, sizeof *c);

    *out = NULL;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    /* Room for every event number and the cycle counter; untouched pages cost nothing. */
    c->events = calloc(MAX_EVENTS, sizeof *c->events);
    c->nominal = calloc(MAX_EVENTS, sizeof *c->nominal);
    c->counted = calloc(MAX_EVENTS, sizeof *c->counted);
    if (c->events == NULL || c->nominal == NULL || c->counted == NULL) {
        cs_pmcu_collector_destroy(c);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    }
    c->scenario = scenario;
    c->memory = memory;
    c->window_truth = window_truth;
    c->die = die;
    c->nr_cpus = cs_scenario_die_cpus(scenario);
    c->first_cpu = die * c->nr_cpus;
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++)
        c->timelines[cpu] = timelines[c->first_cpu + cpu];
    c->soft = soft;
    c->written = (unit_registers){.wait_cnt = CS_PMCU_WAIT_CNT_RESET, .pmcr = CS_PMCU_PMCR_RESET};
    cs_windows_create(&c->accesses, scenario, die);
    *out = c;
    return CS_OK;
}

void cs_pmcu_collector_share(cs_pmcu_collector *c, uint64_t *numbers)
{
    c->numbers = numbers;
}

void cs_pmcu_collector_destroy(cs_pmcu_collector *c)
{
    if (c == NULL)
        return;
    free(c->events);
    free(c->nominal);
    free(c->counted);
    free(c);
}

uint64_t cs_pmcu_collector_span_truth(cs_pmcu_collector *c, const cs_pmcu_event_result *event,
                                      unsigned cpu)
{
    if (c->accesses.slots[cpu].counted_cycles == 0)
        return 0;
    return truth(c, event->event, event->cycle_counter, cpu - c->first_cpu, c->results.first_start,
                 c->results.last_stop);
}

/* The cycle counter was met with the first subsample; people look for it at the end. */
static void cycle_counter_last(cs_pmcu_collector *c)
{
    size_t last = c->results.nr_events;
    size_t index = c->cycle_index;

    if (index == 0)
        return;
    cs_pmcu_event_result counter = c->events[index - 1];
    uint64_t nominal = c->nominal[index - 1];
    uint64_t counted = c->counted[index - 1];

    memmove(&c->events[index - 1], &c->events[index], (last - index) * sizeof *c->events);
    memmove(&c->nominal[index - 1], &c->nominal[index], (last - index) * sizeof *c->nominal);
    memmove(&c->counted[index - 1], &c->counted[index], (last - index) * sizeof *c->counted);
    c->events[last - 1] = counter;
    c->nominal[last - 1] = nominal;
    c->counted[last - 1] = counted;
}

static void finish_event(cs_pmcu_collector *c, size_t index, cs_cycle span)
{
    cs_pmcu_event_result *event = &c->events[index];

    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++)
        event->truth += cs_pmcu_collector_span_truth(c, event, c->first_cpu + cpu);
    if (c->counted[index] != 0)
        event->scaled = (double)event->sampled * (double)span * c->results.armed_cpus /
                        (double)c->counted[index];
    if (c->nominal[index] != 0)
        event->nominal = (double)event->sampled * (double)span / (double)c->nominal[index];
    if (event->truth != 0) {
        event->error = event->scaled / (double)event->truth - 1.0;
        event->nominal_error = event->nominal / (double)event->truth - 1.0;
    }
}

const cs_pmcu_results *cs_pmcu_collector_finish(cs_pmcu_collector *c)
{
    cs_pmcu_results *r = &c->results;
    cs_cycle span;

    r->first_start = c->accesses.first_start != CS_NEVER ? c->accesses.first_start : 0;
    r->last_stop = c->accesses.last_stop;
    span = r->last_stop > r->first_start ? r->last_stop - r->first_start : 0;
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++) {
        const cs_slot_state *slot = &c->accesses.slots[c->first_cpu + cpu];

        r->armed_cpus += slot->counted_cycles != 0;
        r->counted_cycles += slot->counted_cycles;
    }
    if (r->armed_cpus != 0 && span != 0) {
        r->blind_cycles = span - r->counted_cycles / r->armed_cpus;
        r->blind_fraction = (double)r->blind_cycles / (double)span;
    }
    cycle_counter_last(c);
    for (size_t i = 0; i < r->nr_events; i++)
        finish_event(c, i, span);
    r->events = c->events;
    return r;
}

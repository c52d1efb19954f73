#include "results/pmcu/collector.h"

#include <stdlib.h>
#include <string.h>

#include "corepmu_regs.h"
#include "models/corepmu/corepmu.h"
#include "pmcu_regs.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

#define MAX_EVENTS (0x10000u + 1)

/* What the records have said so far about one core. */
typedef struct core_state {
    cs_pmcu_window window; /* the one that is open, or was closed last */
    uint32_t typer[CS_PMCU_COLLECTOR_MAX_COUNTERS];
    uint32_t cycle_filter;
    uint64_t counted_cycles;
} core_state;

const cs_soft_kind cs_soft_pmcu_subsample = {"pmcu subsample"};

struct cs_pmcu_collector {
    const cs_scenario *scenario;
    cs_memory *memory;
    cs_timeline *timelines[CS_MAX_CPUS];
    bool window_truth;
    const cs_soft_sink *soft;
    unsigned nr_cpus;
    core_state cores[CS_MAX_CPUS];

    uint32_t fsm_cfg; /* registers of the unit, as last written */
    uint32_t comp;
    uint32_t wait_cnt;
    uint32_t run_cfg; /* copies at the trigger */
    uint32_t run_comp;
    uint32_t run_wait;
    uint64_t run_samples; /* committed since */

    cs_pmcu_results results;
    cs_pmcu_event_result *events;
    uint64_t *nominal;          /* by event index: cycles for which it was to count, one core */
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
    return c->run_comp ? 3 : 0;
}

/* Bits of the enables that the unit uses in this run. */
static uint32_t enable_mask(const cs_pmcu_collector *c)
{
    unsigned p = field(c->run_cfg, CS_PMCU_FSM_CFG_NR_PMU_MASK, CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
    uint32_t mask = ((1u << p) - 1) << first_counter(c);

    return c->run_comp ? mask : mask | 1u << 31;
}

static void open_window(cs_pmcu_collector *c, unsigned cpu, cycle_t effect)
{
    cs_pmcu_window *window = &c->cores[cpu].window;

    window->start = effect + 1;
    window->stop = CS_NEVER;
    window->counted = true;
    if (window->start < c->results.first_start)
        c->results.first_start = window->start;
}

static void close_window(cs_pmcu_collector *c, unsigned cpu, cycle_t effect)
{
    core_state *core = &c->cores[cpu];

    if (!core->window.counted || core->window.stop != CS_NEVER)
        return;
    core->window.stop = effect + 1;
    core->counted_cycles += core->window.stop - core->window.start;
    if (core->window.stop > c->results.last_stop)
        c->results.last_stop = core->window.stop;
}

static void core_write(cs_pmcu_collector *c, unsigned cpu, const cs_probe_record *r)
{
    const bool ext64 = c->scenario->corepmu->ext64;
    const uint32_t typer = ext64 ? CS_COREPMU_EXT64_PMEVTYPER : CS_COREPMU_EXT32_PMEVTYPER;
    const uint32_t stride =
        ext64 ? CS_COREPMU_EXT64_PMEVTYPER_STRIDE : CS_COREPMU_EXT32_PMEVTYPER_STRIDE;
    const uint32_t ccfiltr = ext64 ? CS_COREPMU_EXT64_PMCCFILTR : CS_COREPMU_EXT32_PMCCFILTR;
    const uint32_t value = (uint32_t)r->value;

    if (cpu >= c->nr_cpus || r->resp != CS_BUS_OKAY)
        return;
    if (r->addr == CS_COREPMU_EXT32_PMCNTENSET && (value & enable_mask(c)) != 0)
        open_window(c, cpu, r->cycle);
    else if (r->addr == CS_COREPMU_EXT32_PMCNTENCLR && (value & enable_mask(c)) != 0)
        close_window(c, cpu, r->cycle);
    else if (r->addr == ccfiltr)
        c->cores[cpu].cycle_filter = value;
    else if (r->addr >= typer && r->addr < typer + stride * CS_PMCU_COLLECTOR_MAX_COUNTERS)
        c->cores[cpu].typer[(r->addr - typer) / stride] = value;
}

static void pmcu_write(cs_pmcu_collector *c, const cs_probe_record *r)
{
    const uint32_t value = (uint32_t)r->value;

    switch (r->addr) {
    case CS_PMCU_FSM_CFG:
        c->fsm_cfg = value;
        break;
    case CS_PMCU_COMP:
        c->comp = value & CS_PMCU_COMP_EN_MASK;
        break;
    case CS_PMCU_WAIT_CNT:
        c->wait_cnt = value;
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
    c->run_cfg = c->fsm_cfg;
    c->run_comp = c->comp;
    c->run_wait = c->wait_cnt;
    c->run_samples = 0;
    /* What a group counted that was broken off belongs to no subsample. */
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++)
        c->cores[cpu].window.counted = false;
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

static uint32_t filter_of(const cs_pmcu_collector *c, bool cycle_counter, unsigned cpu)
{
    return cycle_counter ? c->cores[cpu].cycle_filter : 0;
}

static uint64_t truth(cs_pmcu_collector *c, uint32_t event, bool cycle_counter, unsigned cpu,
                      cycle_t from, cycle_t to)
{
    uint32_t modes = cs_corepmu_filter_modes(filter_of(c, cycle_counter, cpu));

    return cs_timeline_sum(c->timelines[cpu], event, modes, from, to);
}

/* Skew of one edge of the windows: latest core minus earliest. */
static uint64_t skew(const cs_pmcu_collector *c, bool stop)
{
    cycle_t low = CS_NEVER;
    cycle_t high = 0;

    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++) {
        const cs_pmcu_window *window = &c->windows[cpu];
        cycle_t edge = stop ? window->stop : window->start;

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
    const unsigned clusters = c->scenario->pmcu->clusters;
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
        const uint32_t event = cycle_counter ? CS_COREPMU_EVENT_CYCLES : s->events[i];

        for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
            const cs_pmcu_window *w = &s->windows[cpu];

            c->truths[i * s->nr_cpus + cpu] =
                w->counted ? truth(c, event, cycle_counter, cpu, w->start, w->stop) : 0;
        }
    }
}

static void account(cs_pmcu_collector *c, const cs_pmcu_subsample *s, unsigned i)
{
    const bool cycle_counter = i == s->nr_events;
    const uint32_t event = cycle_counter ? CS_COREPMU_EVENT_CYCLES : s->events[i];
    cs_pmcu_event_result *result;

    if (event == CS_PMCU_AUX_NULL_EVENT)
        return;
    result = event_slot(c, event, cycle_counter);
    result->subsamples++;
    c->nominal[result - c->events] += (uint64_t)c->run_wait * c->scenario->pmcu->tick_cycles;
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
        result->sampled += s->values[i * s->nr_cpus + cpu];
        result->window_truth += c->truths[i * s->nr_cpus + cpu];
    }
}

static void sample_committed(cs_pmcu_collector *c, const cs_probe_record *r)
{
    const unsigned nr_events =
        field(c->run_cfg, CS_PMCU_FSM_CFG_NR_PMU_MASK, CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
    const bool has_cycles = !c->run_comp;
    cs_pmcu_subsample s = {
        .number = c->results.samples,
        .of_trigger = c->run_samples,
        .cycle = r->cycle,
        .addr = r->addr,
        .bytes = r->bytes,
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

    c->results.samples++;
    c->run_samples++;
    c->results.sample_bytes += r->bytes;
    parse(c, r, nr_events, has_cycles);
    memset(c->event_numbers, 0, sizeof c->event_numbers);
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++) {
        core_state *core = &c->cores[cpu];

        c->windows[cpu] = core->window;
        c->windows[cpu].counted = core->window.counted && core->window.stop != CS_NEVER;
        if (core->window.counted)
            for (unsigned i = 0; i < nr_events; i++)
                c->event_numbers[i] = core->typer[first_counter(c) + i] & 0xffff;
        core->window.counted = false;
    }
    if (skew(c, false) > c->results.start_skew_cycles)
        c->results.start_skew_cycles = skew(c, false);
    if (skew(c, true) > c->results.stop_skew_cycles)
        c->results.stop_skew_cycles = skew(c, true);
    if (c->window_truth)
        find_truths(c, &s);
    for (unsigned i = 0; i < nr_events + has_cycles; i++)
        account(c, &s, i);
    cs_soft_emit(c->soft, &cs_soft_pmcu_subsample, r->cycle, c->scenario->software->cpu, &s);
}

static void reg_access(cs_pmcu_collector *c, const cs_probe_record *r)
{
    if (!r->write)
        return;
    if (r->source == CS_UNIT_PMCU) {
        pmcu_write(c, r);
    } else if (r->source >= CS_UNIT_CORE(0) && r->source < CS_UNIT_BROADCAST(0)) {
        core_write(c, r->source - CS_UNIT_CORE(0), r);
    } else if (r->source >= CS_UNIT_BROADCAST(0) &&
               r->source < CS_UNIT_BROADCAST(c->scenario->pmcu->clusters)) {
        unsigned cluster = r->source - CS_UNIT_BROADCAST(0);

        for (unsigned slot = 0; slot < c->scenario->pmcu->slots; slot++) {
            unsigned cpu = cluster * c->scenario->pmcu->slots + slot;

            if (!c->scenario->corepmu->absent[cpu] && !c->scenario->corepmu->offline[cpu] &&
                !c->scenario->corepmu->locked[cpu])
                core_write(c, cpu, r);
        }
    }
}

void cs_pmcu_collector_record(cs_pmcu_collector *c, const cs_probe_record *r)
{
    switch ((cs_probe_kind)r->kind) {
    case CS_PROBE_BUS:
        break;
    case CS_PROBE_REG:
        reg_access(c, r);
        break;
    case CS_PROBE_STATE:
        if (r->source == CS_UNIT_PMCU)
            state_changed(c, r);
        break;
    case CS_PROBE_IRQ:
        c->results.interrupts += r->source == CS_UNIT_PMCU && r->value != 0;
        break;
    case CS_PROBE_SAMPLE:
        if (r->source == CS_UNIT_PMCU)
            sample_committed(c, r);
        break;
    }
}

cs_status cs_pmcu_collector_create(const cs_scenario *scenario, cs_memory *memory,
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
    if (c->events == NULL || c->nominal == NULL) {
        cs_pmcu_collector_destroy(c);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    }
    c->scenario = scenario;
    c->memory = memory;
    c->window_truth = window_truth;
    c->nr_cpus = cs_scenario_arm_cpus(scenario);
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++)
        c->timelines[cpu] = timelines[cpu];
    c->soft = soft;
    c->wait_cnt = CS_PMCU_WAIT_CNT_RESET;
    c->results.first_start = CS_NEVER;
    *out = c;
    return CS_OK;
}

void cs_pmcu_collector_destroy(cs_pmcu_collector *c)
{
    if (c == NULL)
        return;
    free(c->events);
    free(c->nominal);
    free(c);
}

uint64_t cs_pmcu_collector_span_truth(cs_pmcu_collector *c, const cs_pmcu_event_result *event,
                                      unsigned cpu)
{
    if (c->cores[cpu].counted_cycles == 0)
        return 0;
    return truth(c, event->event, event->cycle_counter, cpu, c->results.first_start,
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

    memmove(&c->events[index - 1], &c->events[index], (last - index) * sizeof *c->events);
    memmove(&c->nominal[index - 1], &c->nominal[index], (last - index) * sizeof *c->nominal);
    c->events[last - 1] = counter;
    c->nominal[last - 1] = nominal;
}

static void finish_event(cs_pmcu_collector *c, size_t index, cycle_t span)
{
    cs_pmcu_event_result *event = &c->events[index];

    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++)
        event->truth += cs_pmcu_collector_span_truth(c, event, cpu);
    if (c->nominal[index] != 0)
        event->scaled = (double)event->sampled * (double)span / (double)c->nominal[index];
    if (event->truth != 0)
        event->error = event->scaled / (double)event->truth - 1.0;
}

const cs_pmcu_results *cs_pmcu_collector_finish(cs_pmcu_collector *c)
{
    cs_pmcu_results *r = &c->results;
    cycle_t span = r->last_stop > r->first_start ? r->last_stop - r->first_start : 0;

    if (r->first_start == CS_NEVER)
        r->first_start = 0;
    for (unsigned cpu = 0; cpu < c->nr_cpus; cpu++) {
        r->armed_cpus += c->cores[cpu].counted_cycles != 0;
        r->counted_cycles += c->cores[cpu].counted_cycles;
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

// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/collector.h"

#include <stdlib.h>

#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_spec.h"

#define COUNTERS 32u
#define OF ((uint64_t)1 << 63)
#define MINH ((uint64_t)1 << 62) /* out of S mode's reach */
#define EVENT 0xffffu

/* What a counter is set to, and how far its truth is known. */
typedef struct counter {
    unsigned width;
    uint64_t event;     /* mhpmevent; of 0 and 2: their cfg register */
    uint64_t value;     /* at `since` */
    cs_cycle since;     /* cycles below it are in `counted` and `value` */
    uint64_t counted;   /* of all cycles in which it counted */
    cs_cycle opened;    /* it began to count */
    uint64_t opened_at; /* `counted` then */
    cs_cycle closed;    /* it stopped */
    cs_cycle read;      /* it was read */
    uint64_t read_at;   /* `counted` then */
    cs_cycle overflow;  /* the first since OF was cleared; CS_NEVER: none */
} counter;

/* A virtual counter of KVM's: what counts for it. */
typedef struct virtual_counter {
    bool on;
    unsigned counter;
    uint64_t at;       /* `counted` of that when it began, */
    uint64_t done;     /* and of those before it */
    cs_cycle overflow; /* that the guest has not been told of; CS_NEVER: none */
} virtual_counter;

typedef struct hart {
    virtual_counter virtual[COUNTERS];
    cs_timeline *timeline;
    counter counters[COUNTERS];
    uint32_t inhibit;
    uint64_t siselect;
} hart;

/* An event of a perf command on a hart. */
typedef struct opened {
    uint32_t event; /* of the timeline */
    uint32_t modes;
    uint64_t counted;  /* of the counter, at the last count */
    cs_cycle from;     /* likewise */
    cs_cycle overflow; /* the last, or the cycle before the beginning */
    /* In turns: */
    int counter;      /* that it has; below 0: none of the hardware */
    uint64_t done;    /* counted by those that it had before, */
    uint64_t last;    /* and in all at the last interval */
    uint64_t carried; /* counted by those since the last overflow */
} opened;

struct cs_hart_collector {
    const cs_scenario *scenario;
    hart harts[CS_MAX_HARTS];
    opened *opened;   /* by hart, command and event */
    size_t *first;    /* of a command among those of a hart */
    size_t nr_events; /* of a hart */
    const cs_riscv_pmu_map *map;
    cs_riscv_pmu_map built_in;
    cs_hart_results results;
};

/* ---- what a counter counts ---- */

static uint32_t event_of(const counter *c, unsigned n)
{
    const unsigned fixed[] = {CS_RISCV_CYCLES, 0, CS_RISCV_INSTRET};

    return CS_EVENT_HART(n < 3 ? fixed[n] : c->event & EVENT);
}

static uint32_t modes_of(const cs_scenario *s, const counter *c, unsigned n)
{
    static const struct {
        unsigned bit;
        cs_privilege mode;
    } filters[] = {
        {62, CS_MODE_M}, {61, CS_MODE_S}, {60, CS_MODE_U}, {59, CS_MODE_VS}, {58, CS_MODE_VU}};
    uint32_t modes = CS_MODE_ALL;

    if (n < 3 ? !s->harts->smcntrpmf : !s->harts->sscofpmf)
        return modes;
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (c->event >> filters[i].bit & 1)
            modes &= ~CS_MODE_MASK(filters[i].mode);
    return modes;
}

static bool counts(const hart *h, unsigned n)
{
    return !(h->inhibit >> n & 1) && event_of(&h->counters[n], n) != CS_EVENT_HART(0);
}

/* Brings the truth of counter n up to the cycles below `to`. */
static void settle(const cs_hart_collector *collector, hart *h, unsigned n, cs_cycle to)
{
    counter *c = &h->counters[n];
    const uint32_t modes = modes_of(collector->scenario, c, n), event = event_of(c, n);
    const uint64_t mask = ~(uint64_t)0 >> (64 - c->width);

    if (counts(h, n) && to > c->since) {
        const uint64_t sum = cs_timeline_sum(h->timeline, event, modes, c->since, to);

        if (c->overflow == CS_NEVER && sum > mask - c->value)
            c->overflow =
                cs_timeline_reach(h->timeline, event, modes, c->since, mask - c->value + 1) - 1;
        c->counted += sum;
        c->value = (c->value + sum) & mask;
    }
    c->since = to > c->since ? to : c->since;
}

/* ---- CSR writes ---- */

static uint64_t with_half(uint64_t old, uint64_t value, bool high)
{
    return high ? (old & 0xffffffffu) | value << 32 : (old & ~(uint64_t)0xffffffffu) | value;
}

static void write_inhibit(const cs_hart_collector *collector, hart *h, uint32_t value, cs_cycle e)
{
    for (uint32_t rest = h->inhibit ^ value; rest != 0; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctz(rest);
        counter *c = &h->counters[n];

        settle(collector, h, n, e + 1);
        if (value >> n & 1) {
            c->closed = e + 1;
        } else {
            c->opened = e + 1;
            c->opened_at = c->counted;
        }
    }
    h->inhibit = value;
}

/* The increment of the cycle of the write is lost. */
static void write_counter(const cs_hart_collector *collector, hart *h, unsigned n, uint64_t value,
                          bool high, cs_cycle e)
{
    counter *c = &h->counters[n];
    const uint64_t mask = ~(uint64_t)0 >> (64 - c->width);

    settle(collector, h, n, e);
    c->value =
        (collector->scenario->harts->xlen == 32 ? with_half(c->value, value, high) : value) & mask;
    c->since = e + 1;
}

static void write_event(const cs_hart_collector *collector, hart *h, unsigned n, uint64_t value,
                        bool high, bool indirect, cs_cycle e)
{
    counter *c = &h->counters[n];
    const uint64_t kept = indirect ? c->event & MINH : 0;

    settle(collector, h, n, e + 1);
    c->event = collector->scenario->harts->xlen == 32 ? with_half(c->event, value, high) : value;
    if (indirect)
        c->event = (c->event & ~MINH) | kept;
    if ((high || collector->scenario->harts->xlen == 64) && !(c->event & OF))
        c->overflow = CS_NEVER;
}

/* Which register of a counter a CSR number names, sireg with its siselect among them. */
typedef enum part { NOTHING, COUNTER, COUNTER_HIGH, SELECT, SELECT_HIGH } part;

static part part_of(const hart *h, unsigned csr, unsigned *n)
{
    static const struct {
        uint16_t first;
        part part;
    } ranges[] = {{0xb00, COUNTER}, {0xb80, COUNTER_HIGH}, {0x320, SELECT}, {0x720, SELECT_HIGH}};
    static const part indirect[] = {
        [1] = COUNTER, [2] = SELECT, [5] = COUNTER_HIGH, [6] = SELECT_HIGH};

    *n = csr % COUNTERS;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (csr >= ranges[i].first && csr < ranges[i].first + COUNTERS)
            return ranges[i].part;
    if (csr < 0x151 || csr > 0x156 || h->siselect < 0x40 || h->siselect > 0x5f)
        return NOTHING;
    *n = (unsigned)h->siselect % COUNTERS;
    return indirect[csr - 0x150];
}

/* mcyclecfg and minstretcfg are 0x321 and 0x322. */
static unsigned selected(unsigned csr, unsigned n)
{
    const bool direct = csr == 0x321 || csr == 0x721;

    return direct ? 0 : n;
}

static void written(const cs_hart_collector *collector, hart *h, unsigned csr, uint64_t value,
                    cs_cycle e)
{
    unsigned n;
    const part part = csr == 0x320 ? NOTHING : part_of(h, csr, &n);

    switch (part) {
    case COUNTER:
    case COUNTER_HIGH:
        write_counter(collector, h, n, value, part == COUNTER_HIGH, e);
        return;
    case SELECT:
    case SELECT_HIGH:
        write_event(collector, h, selected(csr, n), value, part == SELECT_HIGH, csr < 0x320, e);
        return;
    case NOTHING:
        break;
    }
    if (csr == 0x320 || csr == 0x120)
        write_inhibit(collector, h, (uint32_t)value, e);
    else if (csr == 0x150)
        h->siselect = value;
}

static void read_counter(const cs_hart_collector *collector, hart *h, unsigned n, cs_cycle e)
{
    counter *c = &h->counters[n];

    settle(collector, h, n, e);
    c->read = e;
    c->read_at = c->counted;
}

void cs_hart_collector_record(cs_hart_collector *collector, const cs_probe_record *r)
{
    if (r->kind != CS_PROBE_REG || r->resp != 0 || r->source < CS_UNIT_HART(0) ||
        r->source >= CS_UNIT_HART(CS_MAX_HARTS))
        return;
    hart *h = &collector->harts[r->source - CS_UNIT_HART(0)];
    if (r->write)
        written(collector, h, (unsigned)r->addr, r->value, r->cycle);
    else if (r->addr >= 0xc00 && r->addr < 0xc00 + COUNTERS)
        read_counter(collector, h, (unsigned)r->addr - 0xc00, r->cycle);
}

/* ---- what software reports ---- */

static opened *opened_of(const cs_hart_collector *c, const cs_riscv_which *which)
{
    return &c->opened[which->hart * c->nr_events + c->first[which->command] + which->event];
}

/* What the base PMU was asked to leave out: it opens such an event, and counts all the same. */
static uint32_t left_out(const cs_scenario *s, const cs_riscv_perf_spec *command)
{
    const cs_riscv_driver_spec *driver = command->guest ? &s->riscv->guest : &s->riscv->driver;

    if (driver->kind != CS_RISCV_BASE)
        return 0;
    return (command->exclude_user ? CS_MODE_MASK(CS_MODE_U) : 0) |
           (command->exclude_kernel ? CS_MODE_MASK(CS_MODE_S) : 0);
}

/* What the event's configuration asks for, where no counter has been set to it. */
static void expect(const cs_hart_collector *collector, const cs_riscv_which *which, opened *o)
{
    const cs_riscv_perf_spec *p = &collector->scenario->riscv->perf[which->command];
    const cs_riscv_perf_config *config = &p->configs[which->event];
    const uint32_t idx = cs_riscv_perf_config_idx(config);
    const uint64_t select = cs_riscv_pmu_map_select(collector->map, idx);
    const struct {
        bool out;
        cs_privilege mode;
    } filters[] = {
        {p->guest_events ? p->exclude_hv : p->exclude_kernel, CS_MODE_S},
        {!p->guest_events && p->exclude_user, CS_MODE_U},
        {p->guest_events && p->exclude_kernel, CS_MODE_VS},
        {p->guest_events && p->exclude_user, CS_MODE_VU},
        {p->exclude_host, CS_MODE_S},
        {p->exclude_host, CS_MODE_U},
        {p->exclude_guest, CS_MODE_VS},
        {p->exclude_guest, CS_MODE_VU},
    };

    o->event = CS_EVENT_HART((idx == 0 ? config->config : select != 0 ? select : idx) & EVENT);
    o->modes = CS_MODE_ALL;
    if (!collector->scenario->harts->sscofpmf)
        return;
    if (p->guest) /* docs/drivers/riscv_software.md, "Guest" */
        o->modes = (p->exclude_kernel ? 0 : CS_MODE_MASK(CS_MODE_VS)) |
                   (p->exclude_user ? 0 : CS_MODE_MASK(CS_MODE_VU));
    for (size_t i = 0; i < sizeof filters / sizeof filters[0] && !p->guest; i++)
        if (filters[i].out)
            o->modes &= ~CS_MODE_MASK(filters[i].mode);
}

/* ---- KVM's ---- */

/* The counter is KVM's, and its number says nothing of the hardware's. */
static bool is_virtual(const cs_hart_collector *collector, const cs_riscv_which *which)
{
    const cs_riscv_spec *riscv = collector->scenario->riscv;

    return riscv->hypervisor == CS_RISCV_KVM && riscv->perf[which->command].guest;
}

/* Up to now; the counter stands, or has just been read. */
static uint64_t counted_of(const hart *h, unsigned n)
{
    return counts(h, n) ? h->counters[n].read_at : h->counters[n].counted;
}

static uint64_t virtual_of(const hart *h, unsigned n)
{
    const virtual_counter *v = &h->virtual[n];

    return v->done + (v->on ? counted_of(h, v->counter) - v->at : 0);
}

void cs_hart_collector_virtual(cs_hart_collector *collector, const cs_riscv_virtual *what)
{
    hart *h = &collector->harts[what->hart];
    virtual_counter *v = &h->virtual[what->number % COUNTERS];
    const counter *c = &h->counters[what->counter % COUNTERS];

    switch (what->what) {
    case CS_RISCV_VIRTUAL_ON:
        v->on = true;
        v->counter = what->counter % COUNTERS;
        v->at = c->opened >= what->cycle ? c->opened_at : c->read_at;
        v->overflow = CS_NEVER;
        break;
    case CS_RISCV_VIRTUAL_OFF:
        v->done = virtual_of(h, what->number % COUNTERS);
        v->on = false;
        break;
    case CS_RISCV_VIRTUAL_OVERFLOW:
        v->overflow = c->overflow;
        break;
    }
}

static void begin_virtual(cs_hart_collector *collector, const cs_riscv_which *which, unsigned n,
                          cs_cycle adding)
{
    opened *o = opened_of(collector, which);

    expect(collector, which, o);
    o->from = adding;
    o->counted = collector->harts[which->hart].virtual[n].done;
    o->overflow = adding - 1;
}

void cs_hart_collector_begun(cs_hart_collector *collector, const cs_riscv_which *which,
                             int counter_, cs_cycle adding)
{
    opened *o = opened_of(collector, which);

    if (counter_ < 0)
        return;
    if (is_virtual(collector, which)) {
        begin_virtual(collector, which, (unsigned)counter_, adding);
        return;
    }
    const unsigned n = (unsigned)counter_;
    const counter *c = &collector->harts[which->hart].counters[n];

    o->event = event_of(c, n);
    o->modes = modes_of(collector->scenario, c, n) &
               ~left_out(collector->scenario, &collector->scenario->riscv->perf[which->command]);
    /* One that ran already counts from where the driver has read it. */
    o->from = c->opened >= adding ? c->opened : c->read;
    o->counted = c->opened >= adding ? c->opened_at : c->read_at;
    o->overflow = o->from - 1;
}

/* ---- events in turns: docs/drivers/riscv_driver.md, "Turns" ---- */

void cs_hart_collector_opened(cs_hart_collector *collector, const cs_riscv_which *which)
{
    opened *o = opened_of(collector, which);

    *o = (opened){.counter = -1};
    expect(collector, which, o);
}

static uint64_t value_of(const hart *h, unsigned n, bool virtual)
{
    return virtual ? virtual_of(h, n) : counted_of(h, n);
}

void cs_hart_collector_placed(cs_hart_collector *collector, const cs_riscv_placed *p)
{
    opened *o = opened_of(collector, &p->which);
    hart *h = &collector->harts[p->which.hart];

    if (p->counter < 0)
        return;
    if (p->on) {
        cs_hart_collector_begun(collector, &p->which, p->counter, p->adding);
        o->counter = p->counter;
        return;
    }
    const bool virtual = is_virtual(collector, &p->which);
    const cs_cycle closed = virtual ? p->adding : h->counters[p->counter].closed;

    o->done += value_of(h, (unsigned)p->counter, virtual) - o->counted;
    if (closed > o->overflow + 1)
        o->carried += cs_timeline_sum(h->timeline, o->event, o->modes, o->overflow + 1, closed);
    o->counter = -1;
}

static cs_hart_count count_turns(cs_hart_collector *collector, const cs_count *count)
{
    const cs_riscv_reading *reading = count->own;
    opened *o = opened_of(collector, &reading->which);
    hart *h = &collector->harts[reading->which.hart];
    cs_hart_count out = {
        .from = count->from, .to = count->to, .counted = reading->told_on, .truth = reading->told};

    if (cs_riscv_perf_config_is_firmware(&collector->scenario->riscv->perf[reading->which.command]
                                              .configs[reading->which.event]))
        return out;
    const uint64_t all =
        o->done + (o->counter >= 0
                       ? value_of(h, (unsigned)o->counter, is_virtual(collector, &reading->which)) -
                             o->counted
                       : 0);

    out.counted = count->final ? all : all - o->last;
    out.truth = cs_timeline_sum(h->timeline, o->event, o->modes, out.from, out.to);
    o->last = all;
    return out;
}

static void add_count(cs_hart_results *results, uint64_t value, uint64_t counted)
{
    results->counts++;
    results->wrong_counts += value != counted;
}

cs_hart_count cs_hart_collector_count(cs_hart_collector *collector, const cs_count *count)
{
    const cs_riscv_reading *reading = count->own;
    opened *o = opened_of(collector, &reading->which);
    hart *h = &collector->harts[reading->which.hart];
    cs_hart_count out = {
        .from = count->from, .to = count->to, .counted = reading->told, .truth = reading->told};

    if (count->turns) {
        out = count_turns(collector, count);
    } else if (reading->counter >= 0 && is_virtual(collector, &reading->which)) {
        const uint64_t counted = virtual_of(h, (unsigned)reading->counter);

        out.from = o->from;
        out.counted = counted - o->counted;
        out.truth = cs_timeline_sum(h->timeline, o->event, o->modes, out.from, out.to);
        o->counted = counted;
        o->from = out.to;
    } else if (reading->counter >= 0) {
        const counter *c = &h->counters[reading->counter];
        const bool runs = counts(h, (unsigned)reading->counter);
        const uint64_t counted = runs ? c->read_at : c->counted;

        out.from = o->from;
        out.to = runs ? c->read : c->closed;
        out.counted = counted - o->counted;
        out.truth = cs_timeline_sum(h->timeline, o->event, o->modes, out.from, out.to);
        o->counted = counted;
        o->from = out.to;
    }
    add_count(&collector->results, count->raw, out.counted);
    return out;
}

static void add_sample(cs_hart_results *r, const cs_riscv_sample *sample, const cs_hart_sample *s)
{
    r->samples++;
    if (s->overflow == CS_NEVER) {
        r->without_overflow++;
        return;
    }
    const double error = (double)s->period / (double)sample->period - 1;

    const uint64_t skid = s->skid_cycles > 0 ? (uint64_t)s->skid_cycles : 0;

    r->skid_cycles += skid;
    if (skid > r->most_skid_cycles)
        r->most_skid_cycles = skid;
    r->same_pc += s->at.pc == sample->ip;
    r->irqs_off += s->at.irqs_off;
    r->irqs_off_there += s->at.irqs_off && s->interrupted.irqs_off;
    r->in_software += sample->in_software;
    r->period_error += (error - r->period_error) / (double)(r->samples - r->without_overflow);
    if (error > r->most_period_error)
        r->most_period_error = error;
}

cs_hart_sample cs_hart_collector_sample(cs_hart_collector *collector, const cs_riscv_which *which,
                                        const cs_riscv_sample *sample)
{
    opened *o = opened_of(collector, which);
    hart *h = &collector->harts[which->hart];
    cs_hart_sample out = {.overflow = is_virtual(collector, which)
                                          ? h->virtual[sample->counter].overflow
                                          : h->counters[sample->counter].overflow};

    if (sample->in_software)
        out.interrupted = (cs_context){.pc = sample->ip, .mode = CS_MODE_S};
    else
        cs_timeline_workload(h->timeline, sample->cycle, &out.interrupted);
    if (out.overflow != CS_NEVER) {
        cs_timeline_context(h->timeline, out.overflow, &out.at);
        out.skid_cycles = (int64_t)(sample->cycle - out.overflow);
        out.period = o->carried + cs_timeline_sum(h->timeline, o->event, o->modes, o->overflow + 1,
                                                  out.overflow + 1);
        o->overflow = out.overflow;
        o->carried = 0;
    }
    add_sample(&collector->results, sample, &out);
    return out;
}

cs_hart_counter cs_hart_collector_counter(cs_hart_collector *collector, unsigned number, unsigned n,
                                          cs_cycle cycle)
{
    hart *h = &collector->harts[number];
    const counter *c = &h->counters[n];

    settle(collector, h, n, cycle);
    return (cs_hart_counter){c->value, n >= 3 && collector->scenario->harts->sscofpmf &&
                                           ((c->event & OF) != 0 || c->overflow != CS_NEVER)};
}

const cs_hart_results *cs_hart_collector_results(const cs_hart_collector *collector)
{
    return &collector->results;
}

/* ---- create, destroy ---- */

static void reset(const cs_scenario *s, hart *h)
{
    for (unsigned n = 0; n < COUNTERS; n++) {
        h->counters[n].width = n < 3 ? 64 : s->harts->width;
        h->counters[n].overflow = CS_NEVER;
        h->virtual[n].overflow = CS_NEVER;
    }
}

cs_status cs_hart_collector_create(const cs_scenario *s, cs_timeline *const timelines[],
                                   cs_hart_collector **out, cs_diag *diag)
{
    cs_hart_collector *c = calloc(1, sizeof *c);

    *out = NULL;
    if (c != NULL)
        c->first = calloc(s->riscv->nr_perf + 1, sizeof *c->first);
    for (size_t i = 0; c != NULL && c->first != NULL && i < s->riscv->nr_perf; i++) {
        c->first[i] = c->nr_events;
        c->nr_events += s->riscv->perf[i].nr_events;
    }
    if (c != NULL && c->first != NULL)
        c->opened = calloc(s->harts->count * c->nr_events + 1, sizeof *c->opened);
    if (c == NULL || c->first == NULL || c->opened == NULL) {
        cs_hart_collector_destroy(c);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    }
    c->scenario = s;
    cs_riscv_pmu_map_default(&c->built_in);
    c->map = s->riscv->map != NULL ? s->riscv->map : &c->built_in;
    for (unsigned i = 0; i < s->harts->count; i++) {
        c->harts[i].timeline = timelines[cs_scenario_hart_cpu(s, i)];
        reset(s, &c->harts[i]);
    }
    *out = c;
    return CS_OK;
}

void cs_hart_collector_destroy(cs_hart_collector *c)
{
    if (c == NULL)
        return;
    free(c->opened);
    free(c->first);
    free(c);
}

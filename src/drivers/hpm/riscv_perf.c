// SPDX-License-Identifier: Apache-2.0
/* The perf commands of a hart: events opened, read, printed, closed (docs/drivers/riscv_software.md). */
#include <stdlib.h>
#include <string.h>

#include "drivers/hpm/riscv_impl.h"
#include "formats/riscv/abi/ring.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_spec.h"

/* ---- events ---- */

static cs_riscv_which which_of(const cs_riscv *r, uint64_t id)
{
    return (cs_riscv_which){r->config.hart, cs_ring_command(id), cs_ring_event(id)};
}

void cs_riscv_sample_taken(void *ctx, const cs_riscv_sample *s)
{
    const cs_riscv *r = ctx;
    const cs_riscv_taken taken = {which_of(r, cs_riscv_perf_attr(s->event)->id), s};

    cs_tell_riscv_sample(r->config.soft, s->cycle, r->config.cpu, &taken);
    cs_tell_sampled(r->config.soft, s->cycle, r->config.cpu, NULL);
}

static bool is_open(const event *e)
{
    return e->perf.core != NULL;
}

/* From `e` on; NULL: there is none. */
static event *next_open(const command *c, event *e)
{
    while (e < c->events + c->spec->nr_events && !is_open(e))
        e++;
    return e < c->events + c->spec->nr_events ? e : NULL;
}

static bool takes_turns(const kernel *k)
{
    return cs_hart_perf_takes_turns(k->perf);
}

static cs_riscv_attr attr_of(const command *c, unsigned i)
{
    const cs_riscv_perf_spec *p = c->spec;

    return (cs_riscv_attr){
        .type = p->configs[i].type,
        .config = p->configs[i].config,
        .sample_period = p->sample_period,
        .sample_freq = p->freq,
        .id = cs_ring_id(c->number, i),
        .exclude_user = p->exclude_user,
        .exclude_kernel = p->exclude_kernel,
        .exclude_hv = p->exclude_hv,
        .exclude_host = p->exclude_host,
        .exclude_guest = p->exclude_guest,
        .guest_events = p->guest_events,
        .mmapped = p->mmapped,
        .callchain = p->callchain,
    };
}

/* What the firmware had to do of what the event counts. */
static uint64_t riscv_told(const cs_riscv *r, const cs_riscv_perf_event *perf)
{
    uint64_t unused, sum = 0;
    const uint32_t idx = cs_riscv_perf_idx(perf, &unused);

    for (size_t i = 0; i < r->config.spec->nr_firmware_events; i++)
        if (r->config.spec->firmware_events[i].code == CS_SBI_EVENT_CODE(idx))
            sum += r->told[i];
    return sum;
}

static int counter_of(const kernel *k, const cs_riscv_perf_event *perf)
{
    const unsigned csr = cs_riscv_pmu_csr(k->pmu, (unsigned)cs_riscv_perf_index(perf));

    return csr != 0 ? (int)(csr & 0x1f) : CS_RISCV_FIRMWARE_COUNTER;
}

static bool is_virtual(const cs_riscv *r, const command *c, const event *e)
{
    return c->spec->guest && r->kvm != NULL && e->counter != CS_RISCV_FIRMWARE_COUNTER;
}

/* Of what perf record opens some is on a counter that cannot interrupt. A guest of kvm has virtual ones,
 * which can if the host's counter behind them can. */
static void warn_without_overflow(cs_riscv *r, const command *c, unsigned i)
{
    static const char *const names[] = {"mcycle", "", "minstret"};
    event *e = &c->events[i];
    const bool firmware = e->counter == CS_RISCV_FIRMWARE_COUNTER;
    const bool virtual = is_virtual(r, c, e);
    const int counter = virtual ? cs_kvm_host_counter(r->kvm, (unsigned)e->counter) : e->counter;
    const bool turns = takes_turns(kernel_of(r, c)) || (virtual && takes_turns(&r->host));

    if (c->spec->sample_period == 0 || e->warned ||
        (!firmware && (counter < 0 || counter >= (int)(sizeof names / sizeof names[0]))))
        return;
    e->warned = true;
    cs_soft_warn(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                 "riscv.perf.%u: on hart %u %s gets %s%s%s, which cannot overflow: no samples%s",
                 c->number, r->config.hart, c->spec->events[i],
                 virtual ? "a virtual counter on the host's " : "",
                 firmware ? "a firmware counter" : names[counter], turns ? " in some turns" : "",
                 turns ? " then" : "");
}

void cs_riscv_virtual_placed(cs_riscv *r, unsigned number)
{
    for (size_t k = 0; k < r->nr_commands; k++) {
        const command *c = &r->commands[k];

        for (unsigned i = 0; c->spec->guest && i < c->spec->nr_events; i++)
            if (is_open(&c->events[i]) && c->events[i].counter == (int)number)
                warn_without_overflow(r, c, i);
    }
}

static void tell_opened(const cs_riscv *r, const command *c, unsigned i, int error, cs_cycle adding)
{
    const event *e = &c->events[i];
    const cs_riscv_opened opened = {
        .which = {r->config.hart, c->number, i},
        .error = error,
        .turns = takes_turns(kernel_of((cs_riscv *)r, c)),
        .counter = e->counter,
        .adding = adding,
    };

    cs_tell_riscv_opened(r->config.soft, cs_hart_now(r->hart), r->config.cpu, &opened);
    if (error != 0)
        cs_soft_warn(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                     "riscv.perf.%u: the kernel refuses %s on hart %u: %s", c->number,
                     c->spec->events[i], r->config.hart, strerror(-error));
}

static void event_placed(cs_hart_event *core, cs_hart *hart, bool on, cs_cycle since)
{
    event *e = core->whose;
    const command *c = e->command;
    cs_riscv *r = c->riscv;
    const unsigned i = (unsigned)(e - c->events);

    if (on) {
        e->counter = counter_of(kernel_of(r, c), core->perf);
        e->told_at = riscv_told(r, core->perf);
        warn_without_overflow(r, c, i);
    } else {
        e->told_on += riscv_told(r, core->perf) - e->told_at;
    }
    if (takes_turns(kernel_of(r, c)))
        cs_tell_riscv_placed(
            r->config.soft, cs_hart_now(hart), r->config.cpu,
            &(cs_riscv_placed){{r->config.hart, c->number, i}, on, e->counter, since});
}

/* The first of its group that is open; NULL: none is, or groups are of no interest. */
static cs_hart_event *leader_of(kernel *k, const command *c, unsigned i)
{
    for (unsigned j = 0; j < i && takes_turns(k); j++)
        if (is_open(&c->events[j]) && c->spec->configs[j].group == c->spec->configs[i].group)
            return &c->events[j].perf;
    return NULL;
}

static int open_event(cs_riscv *r, kernel *k, command *c, unsigned i)
{
    event *e = &c->events[i];

    *e = (event){
        .perf = {.attr = attr_of(c, i),
                 .pinned = c->spec->configs[i].pinned,
                 .placed = event_placed,
                 .whose = e},
        .command = c,
        .counter = CS_RISCV_FIRMWARE_COUNTER,
    };
    return cs_hart_perf_open(k->perf, r->hart, &e->perf, leader_of(k, c, i));
}

/* What perf counts from now on. */
static void begin_count(const cs_riscv *r, event *e, cs_cycle from)
{
    e->opened = e->from = from;
    e->first.told = e->last.told = riscv_told(r, e->perf.perf);
}

/* Without turns an event has a counter at once, or is refused. */
static int start_alone(cs_riscv *r, kernel *k, event *e)
{
    cs_hart_perf_begin(k->perf, r->hart);
    cs_hart_event_enable(&e->perf);
    cs_hart_perf_schedule(k->perf);
    if (!cs_hart_event_is_on(&e->perf)) {
        cs_hart_perf_close(k->perf, r->hart, &e->perf);
        return e->perf.error;
    }
    begin_count(r, e, cs_hart_now(r->hart));
    return 0;
}

static void begin_event(cs_riscv *r, kernel *k, command *c, unsigned i)
{
    const cs_cycle adding = cs_hart_now(r->hart);
    int error = open_event(r, k, c, i);

    if (error == 0 && !takes_turns(k))
        error = start_alone(r, k, &c->events[i]);
    tell_opened(r, c, i, error, adding);
}

/* All of a command are scheduled at once. */
static void start_turns(cs_riscv *r, kernel *k, command *c)
{
    const cs_cycle from = cs_hart_now(r->hart);

    cs_hart_perf_begin(k->perf, r->hart);
    for (event *e = next_open(c, c->events); e != NULL; e = next_open(c, e + 1))
        cs_hart_event_enable(&e->perf);
    cs_hart_perf_schedule(k->perf);
    for (event *e = next_open(c, c->events); e != NULL; e = next_open(c, e + 1))
        begin_count(r, e, from);
}

/* ---- counts ---- */

static counts counts_of(const cs_riscv *r, const event *e)
{
    const uint64_t told = riscv_told(r, e->perf.perf);

    return (counts){
        .value = e->perf.core->count,
        .running = e->perf.core->running_ns,
        .told = told,
        .told_on = e->told_on + (cs_hart_event_is_on(&e->perf) ? told - e->told_at : 0),
    };
}

const cs_count_family cs_riscv_family = {.name = "riscv", .of_cpus = true, .followed = true};

/* What the event came to up to cycle `to`: since it was opened, or since the last time. */
static void riscv_print(cs_riscv *r, event *e, cs_cycle to, bool final)
{
    const command *c = e->command;
    const bool turns = takes_turns(kernel_of(r, c));
    const counts now = counts_of(r, e), *last = final ? &e->first : &e->last;
    const cs_cycle from = final ? e->opened : e->from;
    const cs_riscv_reading reading = {
        .which = {r->config.hart, c->number, (unsigned)(e - c->events)},
        .counter = e->counter,
        .told = now.told - last->told,
        .told_on = turns ? now.told_on - last->told_on : 0,
    };
    const cs_count count = {
        .command = c->number,
        .pmu = c->spec->guest ? CS_RISCV_PMU_GUEST : CS_RISCV_PMU_HART,
        .cpu = r->config.cpu,
        .event = reading.which.event,
        .from = from,
        .to = to,
        .enabled = to - from,
        .running = turns ? now.running - last->running : to - from,
        .raw = now.value - last->value,
        .turns = turns,
        .final = final,
        .family = &cs_riscv_family,
        .pinned = turns && e->perf.pinned,
        .name = c->spec->events[reading.which.event],
        .own = &reading,
    };

    cs_tell_count(r->config.soft, cs_hart_now(r->hart), r->config.cpu, &count);
    e->last = now;
    e->from = to;
}

static void read_event(cs_riscv *r, kernel *k, event *e)
{
    const cs_cycle now = cs_hart_now(r->hart);

    cs_hart_perf_begin(k->perf, r->hart);
    cs_hart_perf_read(k->perf, &e->perf);
    riscv_print(r, e, takes_turns(k) ? now : cs_hart_now(r->hart), false);
}

static void end_event(cs_riscv *r, kernel *k, event *e)
{
    cs_hart_perf_begin(k->perf, r->hart);
    cs_perf_remove(e->perf.core);
    riscv_print(r, e, cs_hart_now(r->hart), false);
    cs_hart_perf_close(k->perf, r->hart, &e->perf);
}

/* All leave at once; who waits may have their counters. */
static void end_turns(cs_riscv *r, kernel *k, const command *c)
{
    const cs_cycle now = cs_hart_now(r->hart);

    cs_hart_perf_begin(k->perf, r->hart);
    for (event *e = next_open(c, c->events); e != NULL; e = next_open(c, e + 1))
        cs_perf_remove(e->perf.core);
    cs_hart_perf_fill(k->perf);
    for (event *e = next_open(c, c->events); e != NULL; e = next_open(c, e + 1)) {
        if (c->spec->interval_us != 0)
            riscv_print(r, e, now, false);
        riscv_print(r, e, now, true);
        cs_hart_perf_close(k->perf, r->hart, &e->perf);
    }
}

/* ---- perf commands ---- */

static cs_cycle next_due(const cs_riscv *r, const command *c, cs_cycle after)
{
    const cs_cycle stop = us(r, c->spec->stop_us);
    const cs_cycle step = us(r, c->spec->interval_us);

    return step != 0 && after + step < stop ? after + step : stop;
}

static void start_command(cs_riscv *r, command *c)
{
    kernel *k = kernel_of(r, c);

    cs_hart_trap(r->hart, k->track);
    for (unsigned i = 0; i < c->spec->nr_events; i++)
        begin_event(r, k, c, i);
    if (takes_turns(k))
        start_turns(r, k, c);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    c->runs = true;
    c->due = next_due(r, c, c->due);
}

static void end_command(cs_riscv *r, command *c)
{
    kernel *k = kernel_of(r, c);

    if (takes_turns(k))
        end_turns(r, k, c);
    else
        for (event *e = next_open(c, c->events); e != NULL; e = next_open(c, e + 1))
            end_event(r, k, e);
    if (c->spec->sample_period != 0)
        cs_riscv_pmu_drain(k->pmu, r->hart);
    c->due = CS_NEVER;
}

static void read_command(cs_riscv *r, command *c)
{
    for (event *e = next_open(c, c->events); e != NULL; e = next_open(c, e + 1))
        read_event(r, kernel_of(r, c), e);
    c->due = next_due(r, c, c->due);
}

void cs_riscv_run_command(cs_riscv *r, command *c)
{
    if (!c->runs) {
        start_command(r, c);
        return;
    }
    cs_hart_trap(r->hart, kernel_of(r, c)->track);
    if (c->due == us(r, c->spec->stop_us))
        end_command(r, c);
    else
        read_command(r, c);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

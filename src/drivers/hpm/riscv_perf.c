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
    const bool turns = kernel_of(r, c)->turns != NULL || (virtual && r->host.turns != NULL);

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
            if (c->events[i].perf != NULL && c->events[i].counter == (int)number)
                warn_without_overflow(r, c, i);
    }
}

static void tell_opened(const cs_riscv *r, const command *c, unsigned i, int error, cs_cycle adding)
{
    const event *e = &c->events[i];
    const cs_riscv_opened opened = {
        .which = {r->config.hart, c->number, i},
        .error = error,
        .turns = kernel_of((cs_riscv *)r, c)->turns != NULL,
        .counter = e->counter,
        .adding = adding,
    };

    cs_tell_riscv_opened(r->config.soft, cs_hart_now(r->hart), r->config.cpu, &opened);
    if (error != 0)
        cs_soft_warn(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                     "riscv.perf.%u: the kernel refuses %s on hart %u: %s", c->number,
                     c->spec->events[i], r->config.hart, strerror(-error));
}

static void begin_event(cs_riscv *r, kernel *k, command *c, unsigned i)
{
    const cs_cycle adding = cs_hart_now(r->hart);
    const cs_riscv_attr attr = attr_of(c, i);
    event *e = &c->events[i];
    int error = cs_riscv_perf_open(k->pmu, r->hart, &attr, &e->perf);

    if (error == 0)
        error = cs_riscv_perf_add(k->pmu, r->hart, e->perf, CS_RISCV_EF_START);
    if (error == 0) {
        e->counter = counter_of(k, e->perf);
        e->from = cs_hart_now(r->hart);
        e->told = riscv_told(r, e->perf);
        e->value = 0;
        warn_without_overflow(r, c, i);
    } else if (e->perf != NULL) {
        cs_riscv_perf_close(k->pmu, r->hart, e->perf);
        e->perf = NULL;
    }
    tell_opened(r, c, i, error, adding);
}

/* The event has been read. */
static void riscv_print(cs_riscv *r, const command *c, unsigned i)
{
    event *e = &c->events[i];
    const uint64_t value = cs_riscv_perf_count(e->perf), all_told = riscv_told(r, e->perf);
    const cs_riscv_count count = {
        .which = {r->config.hart, c->number, i},
        .counter = e->counter,
        .from = e->from,
        .to = cs_hart_now(r->hart),
        .value = value - e->value,
        .told = all_told - e->told,
    };

    cs_tell_riscv_count(r->config.soft, count.to, r->config.cpu, &count);
    e->value = value;
    e->told = all_told;
    e->from = count.to;
}

/* ---- events in turns ---- */

void cs_riscv_turn_placed(void *ctx, cs_riscv_turn *turn, cs_cycle adding)
{
    cs_riscv *r = ctx;
    event *e = turn->whose;
    const command *c = e->command;

    if (turn->on) {
        e->counter = counter_of(kernel_of(r, c), e->perf);
        e->told_at = riscv_told(r, e->perf);
        warn_without_overflow(r, c, (unsigned)(e - c->events));
    } else {
        e->told_on += riscv_told(r, e->perf) - e->told_at;
    }
    cs_tell_riscv_placed(
        r->config.soft, cs_hart_now(r->hart), r->config.cpu,
        &(cs_riscv_placed){
            {r->config.hart, c->number, (unsigned)(e - c->events)}, turn->on, e->counter, adding});
}

/* Opens all that can be; returns how many, and which. */
static size_t open_turns(cs_riscv *r, kernel *k, command *c, cs_riscv_turn **turns)
{
    const cs_riscv_perf_spec *p = c->spec;
    size_t nr = 0;

    for (unsigned i = 0; i < p->nr_events; i++) {
        const cs_cycle opening = cs_hart_now(r->hart);
        const cs_riscv_attr attr = attr_of(c, i);
        event *e = &c->events[i];
        const int error = cs_riscv_perf_open(k->pmu, r->hart, &attr, &e->perf);

        e->counter = CS_RISCV_FIRMWARE_COUNTER;
        e->command = c;
        e->turn = (cs_riscv_turn){
            .perf = e->perf,
            .group = c->number * CS_RISCV_MAX_TURNS + p->configs[i].group,
            .pinned = p->configs[i].pinned,
            .whose = e,
        };
        if (error == 0)
            turns[nr++] = &e->turn;
        tell_opened(r, c, i, error, opening);
    }
    return nr;
}

/* Those of the command that perf has. */
static size_t turns_of(const command *c, cs_riscv_turn **turns)
{
    size_t nr = 0;

    for (unsigned i = 0; i < c->spec->nr_events; i++)
        if (c->events[i].perf != NULL)
            turns[nr++] = &c->events[i].turn;
    return nr;
}

static void no_memory(const cs_riscv *r, const command *c)
{
    cs_soft_warn(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                 "riscv.perf.%u: no memory for events in turns", c->number);
}

static void start_turns(cs_riscv *r, kernel *k, command *c)
{
    cs_riscv_turn **turns = calloc(c->spec->nr_events + 1, sizeof *turns);
    const size_t nr = turns != NULL ? open_turns(r, k, c, turns) : 0;

    if (turns == NULL || !cs_riscv_turns_open(k->turns, r->hart, turns, nr))
        no_memory(r, c);
    for (size_t i = 0; i < nr; i++) {
        event *e = turns[i]->whose;

        e->from = turns[i]->from;
        e->told = e->told_first = riscv_told(r, e->perf);
    }
    free(turns);
}

/* A count of an event up to cycle `to`, where it has run so long. */
static void print_turn(cs_riscv *r, event *e, cs_cycle to, uint64_t running, bool final)
{
    const command *c = e->command;
    const uint64_t value = cs_riscv_perf_count(e->perf), all_told = riscv_told(r, e->perf);
    const uint64_t told_on = e->told_on + (e->turn.on ? all_told - e->told_at : 0);
    const cs_riscv_count count = {
        .which = {r->config.hart, c->number, (unsigned)(e - c->events)},
        .counter = e->counter,
        .from = final ? e->turn.from : e->from,
        .to = to,
        .value = final ? value : value - e->value,
        .told = final ? all_told - e->told_first : all_told - e->told,
        .turns = true,
        .final = final,
        .pinned = e->turn.pinned,
        .running = final ? running : running - e->running,
        .told_on = final ? told_on : told_on - e->told_last,
    };

    cs_tell_riscv_count(r->config.soft, cs_hart_now(r->hart), r->config.cpu, &count);
    e->value = value;
    e->told = all_told;
    e->told_last = told_on;
    e->running = running;
    e->from = to;
}

static void read_turns(cs_riscv *r, kernel *k, const command *c)
{
    for (unsigned i = 0; i < c->spec->nr_events; i++) {
        event *e = &c->events[i];
        const cs_cycle now = cs_hart_now(r->hart);

        if (e->perf == NULL)
            continue;
        cs_riscv_perf_read(k->pmu, r->hart, e->perf);
        print_turn(r, e, now, cs_riscv_turn_running(&e->turn, now), false);
    }
}

static void end_turns(cs_riscv *r, kernel *k, const command *c)
{
    cs_riscv_turn **turns = calloc(c->spec->nr_events + 1, sizeof *turns);
    const cs_cycle now = cs_hart_now(r->hart);
    const size_t nr = turns != NULL ? turns_of(c, turns) : 0;

    if (turns == NULL || !cs_riscv_turns_close(k->turns, r->hart, turns, nr))
        no_memory(r, c);
    for (size_t i = 0; i < nr; i++) {
        event *e = turns[i]->whose;

        if (c->spec->interval_us != 0)
            print_turn(r, e, now, e->turn.running, false);
        print_turn(r, e, now, e->turn.running, true);
        cs_riscv_perf_close(k->pmu, r->hart, e->perf);
        e->perf = NULL;
    }
    free(turns);
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
    if (k->turns != NULL)
        start_turns(r, k, c);
    for (unsigned i = 0; i < c->spec->nr_events && k->turns == NULL; i++)
        begin_event(r, k, c, i);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    c->runs = true;
    c->due = next_due(r, c, c->due);
}

static void end_command(cs_riscv *r, command *c)
{
    kernel *k = kernel_of(r, c);

    if (k->turns != NULL)
        end_turns(r, k, c);
    for (unsigned i = 0; i < c->spec->nr_events && k->turns == NULL; i++)
        if (c->events[i].perf != NULL) {
            cs_riscv_perf_del(k->pmu, r->hart, c->events[i].perf);
            riscv_print(r, c, i);
            cs_riscv_perf_close(k->pmu, r->hart, c->events[i].perf);
        }
    if (c->spec->sample_period != 0)
        cs_riscv_pmu_drain(k->pmu, r->hart);
    c->due = CS_NEVER;
}

static void read_command(cs_riscv *r, command *c)
{
    kernel *k = kernel_of(r, c);

    if (k->turns != NULL)
        read_turns(r, k, c);
    for (unsigned i = 0; i < c->spec->nr_events && k->turns == NULL; i++)
        if (c->events[i].perf != NULL) {
            cs_riscv_perf_read(k->pmu, r->hart, c->events[i].perf);
            riscv_print(r, c, i);
        }
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

// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/pmi.h"

#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "drivers/perf_frequency.h"
#include "drivers/routine.h"
#include "drivers/told.h"
#include <countersink/models/imc/imc_core.h>

#define RING_BYTES 0x40000u
#define SAMPLE_BYTES 64u
#define MOST_COUNTED 0x7fffffffu /* POWER's PMC: an interrupt when bit 0 of 32 becomes 1 */
#define SAMPLE_BEATS (SAMPLE_BYTES / CS_BUS_BEAT_BYTES)

/* A CPU that is sampled. */
typedef struct pmi_cpu {
    cs_event_source events;
    bool inside;      /* its handler runs */
    cs_cycle due;     /* inside: the handler's work is done; else the interrupt; CS_NEVER: none */
    cs_cycle entered; /* inside */
    uint64_t written; /* samples */
    cs_context interrupted;

    /* Of frequency mode (docs/drivers/perf_frequency.md). With a fixed period throttle alone, and next_tick is
     * CS_NEVER unless the counter is stopped. */
    cs_perf_frequency frequency;
    cs_perf_period period;
    cs_perf_throttle throttle;
    cs_cycle next_tick;
    bool ticks;       /* inside: it is a tick */
    cs_cycle loaded;  /* the counter runs since then; CS_NEVER: it stands still */
    uint64_t amount;  /* how far it is to count */
    uint64_t count;   /* of all, */
    uint64_t sampled; /* at the last sample */
    uint64_t counted; /* between the last two */
} pmi_cpu;

struct cs_pmi {
    cs_pmi_config config; /* its events are copied to the CPUs */
    pmi_cpu cpus[CS_MAX_CPUS];
    cs_routine routine;
    uint8_t sample[SAMPLE_BYTES];
    cs_pmi_report report;
};

/* The next interrupt of a CPU whose counter starts anew in `from`. */
static cs_cycle next_interrupt(const pmi_cpu *c, cs_cycle from)
{
    return c->events.reach(c->events.ctx, CS_IMC_EVENT_CPMC4, CS_MODE_ALL, from, c->amount);
}

static uint64_t pmi_counted(const pmi_cpu *c, cs_cycle from, cs_cycle to)
{
    return c->events.sum(c->events.ctx, CS_IMC_EVENT_CPMC4, CS_MODE_ALL, from, to);
}

static cs_cycle turn_of(const pmi_cpu *c)
{
    return c->inside || c->due < c->next_tick ? c->due : c->next_tick;
}

static unsigned number_of(const cs_pmi *p, const pmi_cpu *c)
{
    return (unsigned)(c - p->cpus);
}

/* Whose turn is next: NULL where no handler runs and no interrupt comes before the end. */
static pmi_cpu *first_due(cs_pmi *p, cs_cycle stop)
{
    pmi_cpu *first = NULL;

    for (unsigned i = 0; i < p->config.nr_cpus; i++) {
        pmi_cpu *c = &p->cpus[i];

        if ((c->inside || turn_of(c) < stop) && (first == NULL || turn_of(c) < turn_of(first)))
            first = c;
    }
    return first;
}

/* Word 2 of a record (docs/hw/imc.md, "Trace mode"). */
static uint64_t pmi_who(const cs_pmi *p, const cs_context *at)
{
    const uint64_t lpid = at->cid2 & 0xfff, mode = at->mode & 3;

    return (p->config.power10 ? mode << 62 : 0) | lpid << 32 | at->cid1;
}

/* The same words as an IMC record, without counters. */
static void fill_sample(cs_pmi *p, const pmi_cpu *c, cs_cycle now)
{
    const uint64_t tb = cs_imc_timebase_at(&p->config.timebase, now);

    memset(p->sample, 0, sizeof p->sample);
    cs_big_put64(p->sample, tb);
    cs_big_put64(p->sample + 8, c->interrupted.pc);
    cs_big_put64(p->sample + 16, pmi_who(p, &c->interrupted));
    cs_big_put64(p->sample + 56, tb & 0x3ffffffffff);
}

/* How often the counter has come round since its interrupt was due. */
static uint64_t pmi_rounds(const cs_pmi *p, const pmi_cpu *c, cs_cycle now)
{
    return p->config.spec->freq != 0 ? 0 : pmi_counted(c, c->due, now) / c->amount;
}

/* ---- frequency mode ---- */

/* The counter is stopped and read. */
static void stop_counter(pmi_cpu *c, cs_cycle now)
{
    const uint64_t more = c->loaded == CS_NEVER ? 0 : pmi_counted(c, c->loaded, now);

    c->loaded = CS_NEVER;
    c->count += more;
    c->period.left -= (int64_t)more;
}

static void load_counter(pmi_cpu *c)
{
    c->amount = cs_perf_period_load(&c->period, MOST_COUNTED, NULL);
}

/* The record stands before that of the sample. */
static void tell_throttled(const cs_pmi *p, const pmi_cpu *c, cs_cycle now, bool stopped)
{
    cs_tell_throttled(p->config.soft, now, number_of(p, c), &(cs_throttled){0, stopped});
}

/* A sample more in this tick: perhaps too many. */
static void pmi_throttle(cs_pmi *p, pmi_cpu *c, cs_cycle now)
{
    const cs_pmi_spec *spec = p->config.spec;
    const uint64_t length = spec->tick_us * p->config.clock_mhz;

    if (!cs_perf_throttle_overflow(&c->throttle, now / length, spec->max_samples_per_tick))
        return;
    p->report.throttled++;
    tell_throttled(p, c, now, true);
    if (spec->freq == 0)
        c->next_tick = (now / length + 1) * length;
}

/* What POWER's handler does: the counter gets its next stretch, and only then perf's core hears of
 * the sample. So a sample tells the period of the stretch that follows it. */
static void adapt_at_overflow(cs_pmi *p, pmi_cpu *c, cs_cycle now)
{
    c->counted = c->count - c->sampled;
    c->sampled = c->count;
    load_counter(c);
    pmi_throttle(p, c, now);
    if (cs_perf_frequency_overflow(&c->frequency, &c->period, now * 1000 / p->config.clock_mhz))
        load_counter(c);
}

static void adapt_at_tick(const cs_pmi *p, pmi_cpu *c, cs_cycle now)
{
    if (cs_perf_throttle_tick(&c->throttle))
        tell_throttled(p, c, now, false);
    if (p->config.spec->freq == 0) {
        c->next_tick = CS_NEVER; /* other ticks are no matter to it */
        return;
    }
    (void)cs_perf_frequency_tick(&c->frequency, &c->period, c->count);
    load_counter(c); /* where nothing was adapted this is what was left */
}

/* ---- what a CPU does in its turn: comes into the handler, or leaves it ---- */

static void pmi_enter(cs_pmi *p, pmi_cpu *c, uint64_t cycles)
{
    c->inside = true;
    c->entered = p->routine.now;
    c->due = p->routine.now + cycles;
    cs_routine_enter(&p->routine, (uint16_t)(1 + number_of(p, c)));
}

/* Its counter begins anew, or goes on after a tick. */
static void pmi_leave(cs_pmi *p, pmi_cpu *c)
{
    const cs_cycle now = p->routine.now;

    cs_routine_leave(&p->routine, (uint16_t)(1 + number_of(p, c)));
    *(c->ticks ? &p->report.tick_cycles : &p->report.handler_cycles) += now - c->entered;
    c->inside = c->ticks = false;
    c->loaded = c->throttle.stopped ? CS_NEVER : now;
    c->due = c->throttle.stopped ? CS_NEVER : next_interrupt(c, now);
}

static void begin_tick(cs_pmi *p, pmi_cpu *c)
{
    const uint64_t length = p->config.spec->tick_us * p->config.clock_mhz;

    p->report.ticks++;
    c->next_tick = (p->routine.now / length + 1) * length;
    c->ticks = true;
    stop_counter(c, p->routine.now);
    pmi_enter(p, c, p->config.spec->tick_cycles);
}

static void begin_interrupt(cs_pmi *p, pmi_cpu *c)
{
    const cs_cycle now = p->routine.now;

    p->report.interrupts++;
    p->report.lost += pmi_rounds(p, c, now);
    c->events.context(c->events.ctx, now - 1, &c->interrupted);
    if (p->config.spec->freq != 0)
        stop_counter(c, now);
    pmi_enter(p, c, p->config.irq_cycles + p->config.spec->handler_cycles);
}

/* perf gets it at once; the CPU mode is that of MSR[HV PR]. */
static void pmi_tell(const cs_pmi *p, const pmi_cpu *c, cs_cycle now)
{
    static const uint16_t misc[] = {[CS_MODE_GUEST_KERNEL] = 4,
                                    [CS_MODE_GUEST_USER] = 5,
                                    [CS_MODE_HOST_KERNEL] = 1,
                                    [CS_MODE_HOST_USER] = 2};
    const cs_imc_perf_sample sample = {
        .cpu = number_of(p, c),
        .time = now,
        .ip = c->interrupted.pc,
        .timebase = cs_imc_timebase_at(&p->config.timebase, now),
        .pid = c->interrupted.cid1,
        .misc = misc[c->interrupted.mode & 3],
        .period = p->config.spec->freq != 0 ? c->period.last : p->config.spec->period,
        .by_interrupt = true,
        .counted = c->counted,
    };

    cs_tell_imc_sample(p->config.soft, now, sample.cpu, &sample);
    cs_tell_sampled(p->config.soft, now, sample.cpu, NULL);
}

static void write_sample(cs_pmi *p, pmi_cpu *c)
{
    const cs_cycle now = p->routine.now;

    if (p->config.spec->freq != 0)
        adapt_at_overflow(p, c, now);
    else
        pmi_throttle(p, c, now);
    fill_sample(p, c, now);
    pmi_tell(p, c, now);
    p->report.samples++;
    const uint64_t ring = p->config.spec->ring_base + (uint64_t)number_of(p, c) * RING_BYTES;
    cs_routine_perform(&p->routine, (cs_op){.kind = CS_OP_WRITE_BURST,
                                            .addr = ring + c->written++ * SAMPLE_BYTES % RING_BYTES,
                                            .data = p->sample,
                                            .beats = SAMPLE_BEATS});
}

/* Handlers run side by side: the next turn is that of the CPU that is due first. */
static void pmi_turn(cs_pmi *p, pmi_cpu *c)
{
    if (!c->inside && c->next_tick < c->due) {
        begin_tick(p, c);
        return;
    }
    if (!c->inside) {
        begin_interrupt(p, c);
        return;
    }
    if (c->ticks)
        adapt_at_tick(p, c, p->routine.now);
    else
        write_sample(p, c);
    pmi_leave(p, c);
}

static void pmi_run(void *ctx)
{
    cs_pmi *p = ctx;
    const cs_cycle stop = p->config.spec->stop_us * p->config.clock_mhz;

    for (;;) {
        pmi_cpu *c = first_due(p, stop);
        const cs_cycle due = c != NULL ? turn_of(c) : stop;

        if (due > p->routine.now)
            cs_routine_sleep_until(&p->routine, due);
        else if (c != NULL)
            pmi_turn(p, c);
        else
            return;
    }
}

static void begin_frequency(const cs_pmi *p, pmi_cpu *c)
{
    const cs_pmi_spec *spec = p->config.spec;

    c->frequency =
        (cs_perf_frequency){.frequency = spec->freq, .tick_ns = spec->tick_us * UINT64_C(1000)};
    c->period = cs_perf_period_begin(spec->freq, spec->period);
    c->next_tick = spec->tick_us * p->config.clock_mhz;
    load_counter(c);
}

cs_status cs_pmi_create(const cs_pmi_config *config, cs_pmi **out, cs_diag *diag)
{
    cs_pmi *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the sampling software");
    p->config = *config;
    for (unsigned cpu = 0; cpu < config->nr_cpus; cpu++) {
        pmi_cpu *c = &p->cpus[cpu];

        c->events = config->events[cpu];
        c->amount = config->spec->period;
        c->next_tick = CS_NEVER;
        if (config->spec->freq != 0)
            begin_frequency(p, c);
        if (!config->spec->cpus[cpu])
            c->due = c->next_tick = CS_NEVER;
        else
            c->due = next_interrupt(c, 0);
    }
    const cs_status status = cs_routine_create(&p->routine, pmi_run, p, diag);
    if (status == CS_OK)
        *out = p;
    else
        cs_pmi_destroy(p);
    return status;
}

void cs_pmi_destroy(cs_pmi *p)
{
    if (p != NULL)
        cs_routine_destroy(&p->routine);
    free(p);
}

cs_software cs_pmi_software(cs_pmi *p)
{
    return cs_routine_software(&p->routine);
}

const cs_pmi_report *cs_pmi_get_report(const cs_pmi *p)
{
    return &p->report;
}

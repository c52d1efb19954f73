// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/pmi.h"

#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "drivers/perf_frequency.h"
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
    pmi_cpu *writing; /* its sample is on the bus; NULL: nobody's */
    pmi_cpu *leaving; /* its LEAVE was ordered last */
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

static void begin_tick(cs_pmi *p, pmi_cpu *c, cs_cycle now, cs_op *op)
{
    const uint64_t length = p->config.spec->tick_us * p->config.clock_mhz;

    p->report.ticks++;
    c->next_tick = (now / length + 1) * length;
    c->inside = c->ticks = true;
    c->entered = now;
    c->due = now + p->config.spec->tick_cycles;
    stop_counter(c, now);
    *op = (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + number_of(p, c))};
}

static void end_tick(cs_pmi *p, pmi_cpu *c, cs_cycle now, cs_op *op)
{
    adapt_at_tick(p, c, now);
    *op = (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + number_of(p, c))};
    p->leaving = c;
}

/* ---- a handler ---- */

static void pmi_begin(cs_pmi *p, pmi_cpu *c, cs_cycle now, cs_op *op)
{
    p->report.interrupts++;
    p->report.lost += pmi_rounds(p, c, now);
    c->events.context(c->events.ctx, now - 1, &c->interrupted);
    c->inside = true;
    c->entered = now;
    c->due = now + p->config.irq_cycles + p->config.spec->handler_cycles;
    if (p->config.spec->freq != 0)
        stop_counter(c, now);
    *op = (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + number_of(p, c))};
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

static void write_sample(cs_pmi *p, pmi_cpu *c, cs_cycle now, cs_op *op)
{
    const unsigned cpu = number_of(p, c);

    if (p->config.spec->freq != 0)
        adapt_at_overflow(p, c, now);
    else
        pmi_throttle(p, c, now);
    fill_sample(p, c, now);
    pmi_tell(p, c, now);
    *op = (cs_op){
        .kind = CS_OP_WRITE_BURST,
        .addr = p->config.spec->ring_base + (uint64_t)cpu * RING_BYTES +
                c->written++ * SAMPLE_BYTES % RING_BYTES,
        .data = p->sample,
        .beats = SAMPLE_BEATS,
    };
    p->report.samples++;
    p->writing = c;
}

/* The handler has ended: its counter begins anew, or goes on after a tick. */
static void pmi_finish(cs_pmi *p, pmi_cpu *c, cs_cycle now)
{
    *(c->ticks ? &p->report.tick_cycles : &p->report.handler_cycles) += now - c->entered;
    c->inside = c->ticks = false;
    c->loaded = c->throttle.stopped ? CS_NEVER : now;
    c->due = c->throttle.stopped ? CS_NEVER : next_interrupt(c, now);
}

static void pmi_next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    cs_pmi *p = ctx;
    const cs_cycle stop = p->config.spec->stop_us * p->config.clock_mhz;

    (void)last;
    if (p->writing != NULL) {
        *op = (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + number_of(p, p->writing))};
        p->leaving = p->writing;
        p->writing = NULL;
        return;
    }
    if (p->leaving != NULL)
        pmi_finish(p, p->leaving, now);
    p->leaving = NULL;

    pmi_cpu *c = first_due(p, stop);
    if (c == NULL && now >= stop)
        *op = (cs_op){.kind = CS_OP_END};
    else if (c == NULL || turn_of(c) > now)
        *op = (cs_op){.kind = CS_OP_SLEEP, .cycles = (c != NULL ? turn_of(c) : stop) - now};
    else if (c->inside && c->ticks)
        end_tick(p, c, now, op);
    else if (c->inside)
        write_sample(p, c, now, op);
    else if (c->next_tick < c->due)
        begin_tick(p, c, now, op);
    else
        pmi_begin(p, c, now, op);
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
    *out = p;
    return CS_OK;
}

void cs_pmi_destroy(cs_pmi *p)
{
    free(p);
}

cs_software cs_pmi_software(cs_pmi *p)
{
    return (cs_software){pmi_next, p};
}

const cs_pmi_report *cs_pmi_get_report(const cs_pmi *p)
{
    return &p->report;
}

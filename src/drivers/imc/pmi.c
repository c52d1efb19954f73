#include "drivers/imc/pmi.h"

#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "drivers/told.h"
#include "models/imc/imc_core.h"

#define RING_BYTES 0x40000u
#define SAMPLE_BYTES 64u
#define SAMPLE_BEATS (SAMPLE_BYTES / CS_BUS_BEAT_BYTES)

/* A CPU that is sampled. */
typedef struct pmi_cpu {
    cs_event_source events;
    bool inside;      /* its handler runs */
    cycle_t due;      /* inside: the handler's work is done; else the interrupt; CS_NEVER: none */
    cycle_t entered;  /* inside */
    uint64_t written; /* samples */
    cs_context interrupted;
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
static cycle_t next_interrupt(const cs_pmi *p, const pmi_cpu *c, cycle_t from)
{
    return c->events.reach(c->events.ctx, CS_IMC_EVENT_CPMC4, CS_MODE_ALL, from,
                           p->config.spec->period);
}

static unsigned number_of(const cs_pmi *p, const pmi_cpu *c)
{
    return (unsigned)(c - p->cpus);
}

/* Whose turn is next: NULL where no handler runs and no interrupt comes before the end. */
static pmi_cpu *first_due(cs_pmi *p, cycle_t stop)
{
    pmi_cpu *first = NULL;

    for (unsigned i = 0; i < p->config.nr_cpus; i++) {
        pmi_cpu *c = &p->cpus[i];

        if ((c->inside || c->due < stop) && (first == NULL || c->due < first->due))
            first = c;
    }
    return first;
}

/* Word 2 of a record (docs/hw/imc.md, "Trace mode"). */
static uint64_t who(const cs_pmi *p, const cs_context *at)
{
    const uint64_t lpid = at->cid2 & 0xfff, mode = at->mode & 3;

    return (p->config.power10 ? mode << 62 : 0) | lpid << 32 | at->cid1;
}

/* The same words as an IMC record, without counters. */
static void fill_sample(cs_pmi *p, const pmi_cpu *c, cycle_t now)
{
    const uint64_t tb = cs_imc_timebase_at(&p->config.timebase, now);

    memset(p->sample, 0, sizeof p->sample);
    cs_big_put64(p->sample, tb);
    cs_big_put64(p->sample + 8, c->interrupted.pc);
    cs_big_put64(p->sample + 16, who(p, &c->interrupted));
    cs_big_put64(p->sample + 56, tb & 0x3ffffffffff);
}

/* How often the counter has come round since its interrupt was due. */
static uint64_t rounds(const cs_pmi *p, const pmi_cpu *c, cycle_t now)
{
    return c->events.sum(c->events.ctx, CS_IMC_EVENT_CPMC4, CS_MODE_ALL, c->due, now) /
           p->config.spec->period;
}

static void begin(cs_pmi *p, pmi_cpu *c, cycle_t now, cs_op *op)
{
    p->report.interrupts++;
    p->report.lost += rounds(p, c, now);
    c->events.context(c->events.ctx, now - 1, &c->interrupted);
    c->inside = true;
    c->entered = now;
    c->due = now + p->config.spec->handler_cycles;
    *op = (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + number_of(p, c))};
}

/* perf gets it at once; the CPU mode is that of MSR[HV PR]. */
static void tell(const cs_pmi *p, const pmi_cpu *c, cycle_t now)
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
        .period = p->config.spec->period,
        .by_interrupt = true,
    };

    cs_soft_emit(p->config.soft, &cs_soft_imc_sample, now, sample.cpu, &sample);
    cs_soft_emit(p->config.soft, &cs_soft_sampled, now, sample.cpu, NULL);
}

static void write_sample(cs_pmi *p, pmi_cpu *c, cycle_t now, cs_op *op)
{
    const unsigned cpu = number_of(p, c);

    fill_sample(p, c, now);
    tell(p, c, now);
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

/* The handler has ended: its counter begins anew. */
static void finish(cs_pmi *p, pmi_cpu *c, cycle_t now)
{
    p->report.handler_cycles += now - c->entered;
    c->inside = false;
    c->due = next_interrupt(p, c, now);
}

static void next(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    cs_pmi *p = ctx;
    const cycle_t stop = p->config.spec->stop_us * p->config.clock_mhz;

    (void)last;
    if (p->writing != NULL) {
        *op = (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + number_of(p, p->writing))};
        p->leaving = p->writing;
        p->writing = NULL;
        return;
    }
    if (p->leaving != NULL)
        finish(p, p->leaving, now);
    p->leaving = NULL;

    pmi_cpu *c = first_due(p, stop);
    if (c == NULL && now >= stop)
        *op = (cs_op){.kind = CS_OP_END};
    else if (c == NULL || c->due > now)
        *op = (cs_op){.kind = CS_OP_SLEEP, .cycles = (c != NULL ? c->due : stop) - now};
    else if (c->inside)
        write_sample(p, c, now, op);
    else
        begin(p, c, now, op);
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
        c->due = config->spec->cpus[cpu] ? next_interrupt(p, c, 0) : CS_NEVER;
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
    return (cs_software){next, p};
}

const cs_pmi_report *cs_pmi_get_report(const cs_pmi *p)
{
    return &p->report;
}

#include "drivers/power/pmi.h"

#include <stdlib.h>
#include <string.h>

#include "base/big.h"
#include "models/imc/imc_core.h"

#define RING_BYTES 0x40000u
#define SAMPLE_BYTES 64u
#define SAMPLE_BEATS (SAMPLE_BYTES / CS_BUS_BEAT_BYTES)

typedef enum pmi_step { STEP_WAIT, STEP_ENTER, STEP_WORK, STEP_WRITE, STEP_LEAVE } pmi_step;

struct cs_pmi {
    const cs_scenario *scenario;
    cs_event_source events[CS_MAX_CPUS];
    cycle_t due[CS_MAX_CPUS];      /* the interrupt; CS_NEVER: not sampled */
    uint64_t written[CS_MAX_CPUS]; /* samples of the CPU */
    pmi_step step;
    unsigned cpu; /* whose handler runs */
    cycle_t entered;
    cs_context interrupted;
    uint8_t sample[SAMPLE_BYTES];
    cs_pmi_report report;
};

/* The next interrupt of a CPU whose counter starts anew in `from`. */
static cycle_t next_interrupt(const cs_pmi *p, unsigned cpu, cycle_t from)
{
    const cs_event_source *e = &p->events[cpu];

    return e->reach(e->ctx, CS_IMC_EVENT_CPMC4, CS_MODE_ALL, from, p->scenario->pmi.period);
}

static unsigned first_due(const cs_pmi *p)
{
    unsigned first = 0;

    for (unsigned cpu = 1; cpu < cs_scenario_cpus(p->scenario); cpu++)
        if (p->due[cpu] < p->due[first])
            first = cpu;
    return first;
}

static uint64_t timebase(const cs_scenario *s, cycle_t cycle)
{
    const cs_imc_timebase tb = {s->imc.timebase_start, s->imc.timebase_mhz, s->bus.clock_mhz};

    return cs_imc_tb(&tb, cycle);
}

/* Word 2 of a record (docs/hw/imc.md, "Trace mode"). */
static uint64_t who(const cs_pmi *p)
{
    const uint64_t lpid = p->interrupted.cid2 & 0xfff, mode = p->interrupted.mode & 3;

    return (p->scenario->imc.power10 ? mode << 62 : 0) | lpid << 32 | p->interrupted.cid1;
}

/* The same words as an IMC record, without counters. */
static void fill_sample(cs_pmi *p, cycle_t now)
{
    const uint64_t tb = timebase(p->scenario, now);

    memset(p->sample, 0, sizeof p->sample);
    cs_big_put64(p->sample, tb);
    cs_big_put64(p->sample + 8, p->interrupted.pc);
    cs_big_put64(p->sample + 16, who(p));
    cs_big_put64(p->sample + 56, tb & 0x3ffffffffff);
}

/* How often a CPU's counter has come round since its interrupt was due. */
static uint64_t rounds(const cs_pmi *p, unsigned cpu, cycle_t now)
{
    const cs_event_source *e = &p->events[cpu];

    return e->sum(e->ctx, CS_IMC_EVENT_CPMC4, CS_MODE_ALL, p->due[cpu], now) /
           p->scenario->pmi.period;
}

/* What was due while the handler of another CPU ran is one interrupt, not several. */
static void begin(cs_pmi *p, cycle_t now)
{
    const cs_event_source *e = &p->events[p->cpu];

    p->report.interrupts++;
    p->report.lost += rounds(p, p->cpu, now);
    e->context(e->ctx, now - 1, &p->interrupted);
    p->entered = now;
}

static void finish(cs_pmi *p, cycle_t now)
{
    p->report.handler_cycles += now - p->entered;
    p->due[p->cpu] = next_interrupt(p, p->cpu, now);
}

/* Interrupts whose turn has not come before the end. */
static void give_up(cs_pmi *p, cycle_t stop)
{
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(p->scenario); cpu++) {
        if (p->due[cpu] < stop)
            p->report.lost += 1 + rounds(p, cpu, stop - 1);
        p->due[cpu] = CS_NEVER;
    }
}

static void end_or_wait(cs_pmi *p, cycle_t now, cs_op *op)
{
    const cycle_t stop = cs_scenario_us(p->scenario, p->scenario->pmi.stop_us);
    const unsigned cpu = first_due(p);
    const cycle_t due = p->due[cpu];

    p->step = STEP_WAIT;
    if (now >= stop) {
        give_up(p, stop);
        *op = (cs_op){.kind = CS_OP_END};
        return;
    }
    if (due > now) {
        *op = (cs_op){.kind = CS_OP_SLEEP, .cycles = (due < stop ? due : stop) - now};
        return;
    }
    p->cpu = cpu;
    begin(p, now);
    *op = (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu)};
    p->step = STEP_ENTER;
}

static void next(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    cs_pmi *p = ctx;

    (void)last;
    switch (p->step) {
    case STEP_ENTER:
        *op = (cs_op){.kind = CS_OP_DELAY, .cycles = p->scenario->pmi.handler_cycles};
        p->step = STEP_WORK;
        return;
    case STEP_WORK:
        fill_sample(p, now);
        *op = (cs_op){
            .kind = CS_OP_WRITE_BURST,
            .addr = p->scenario->pmi.ring_base + (uint64_t)p->cpu * RING_BYTES +
                    p->written[p->cpu]++ * SAMPLE_BYTES % RING_BYTES,
            .data = p->sample,
            .beats = SAMPLE_BEATS,
        };
        p->report.samples++;
        p->step = STEP_WRITE;
        return;
    case STEP_WRITE:
        *op = (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + p->cpu)};
        p->step = STEP_LEAVE;
        return;
    case STEP_LEAVE:
        finish(p, now);
        break;
    case STEP_WAIT:
        break;
    }
    end_or_wait(p, now, op);
}

cs_status cs_pmi_create(const cs_scenario *s, const cs_event_source *events, cs_pmi **out,
                        cs_diag *diag)
{
    cs_pmi *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the sampling software");
    p->scenario = s;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        p->events[cpu] = events[cpu];
        p->due[cpu] = s->pmi.cpus[cpu] ? next_interrupt(p, cpu, 0) : CS_NEVER;
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

// SPDX-License-Identifier: Apache-2.0
#include "drivers/hpm/hart_perf.h"

#include <errno.h>
#include <stdlib.h>

struct cs_hart_perf {
    cs_pmu pmu; /* what the core calls us */
    cs_hart_perf_config config;
    cs_perf *perf;
    cs_perf_cpu *cpu;
    cs_hart *hart; /* NULL: it is gone, or has not begun */
    cs_cycle due;
    cs_rotating_report report;
};

static cs_hart_perf *hart_perf_of(cs_pmu *pmu)
{
    return (cs_hart_perf *)pmu;
}

/* ---- what the core asks of its PMU; at the end the hart may be gone already ---- */

static int hart_perf_init(cs_pmu *pmu, cs_perf_event *core)
{
    cs_hart_perf *p = hart_perf_of(pmu);
    cs_hart_event *e = cs_perf_user(core);
    const int error = cs_riscv_perf_open(p->config.pmu, p->hart, &e->attr, &e->perf);

    core->hw.held = error == 0;
    return error;
}

static void hart_perf_free(cs_pmu *pmu, cs_perf_event *core)
{
    cs_hart_perf *p = hart_perf_of(pmu);
    cs_hart_event *e = cs_perf_user(core);

    if (p->hart == NULL)
        return;
    cs_riscv_perf_close(p->config.pmu, p->hart, e->perf);
    e->perf = NULL;
}

static int hart_perf_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *core)
{
    cs_hart_perf *p = hart_perf_of(pmu);
    cs_hart_event *e = cs_perf_user(core);

    (void)cpu;
    if (p->hart == NULL)
        return -ENODEV;
    const cs_cycle since = cs_hart_now(p->hart);
    e->error = cs_riscv_perf_add(p->config.pmu, p->hart, e->perf, CS_RISCV_EF_START);
    if (e->error == 0)
        e->placed(e, p->hart, true, since);
    return e->error;
}

static void hart_perf_del(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *core)
{
    cs_hart_perf *p = hart_perf_of(pmu);
    cs_hart_event *e = cs_perf_user(core);

    (void)cpu;
    if (p->hart == NULL)
        return;
    const cs_cycle since = cs_hart_now(p->hart);
    cs_riscv_perf_del(p->config.pmu, p->hart, e->perf);
    core->count = cs_riscv_perf_count(e->perf);
    e->placed(e, p->hart, false, since);
}

static void hart_perf_update(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *core)
{
    cs_hart_perf *p = hart_perf_of(pmu);
    const cs_hart_event *e = cs_perf_user(core);

    (void)cpu;
    if (p->hart != NULL)
        core->count = cs_riscv_perf_read(p->config.pmu, p->hart, e->perf);
}

/* What a period's end and a tick of the timer do is the driver's (kernel/riscv_pmu_irq.c): the core never
 * starts or stops an event. */
static const cs_pmu_ops hart_perf_ops = {
    .event_init = hart_perf_init,
    .event_free = hart_perf_free,
    .add = hart_perf_add,
    .del = hart_perf_del,
    .read = hart_perf_update,
};

/* ---- create, destroy ---- */

static cs_status hart_perf_begin(cs_hart_perf *p, cs_diag *diag)
{
    const cs_perf_system ours = {.pmu = &p->pmu};
    const cs_perf_machine machine = {.nr_cpus = 1,
                                     .clock_mhz = 1,
                                     .systems = &ours,
                                     .nr_systems = 1,
                                     .last_first = true,
                                     .each_pinned = true};
    const cs_perf_calls calls = {0};

    p->pmu = (cs_pmu){.ops = &hart_perf_ops, .name = "cpu", .type = CS_PERF_TYPE_RAW};
    p->due = CS_NEVER;
    return cs_perf_create(&machine, &calls, &p->perf, diag);
}

cs_status cs_hart_perf_create(const cs_hart_perf_config *config, cs_hart_perf **out, cs_diag *diag)
{
    cs_hart_perf *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on a hart");
    p->config = *config;
    const cs_status status = hart_perf_begin(p, diag);
    if (status != CS_OK) {
        free(p);
        return status;
    }
    p->cpu = &p->perf->cpus[0];
    *out = p;
    return CS_OK;
}

void cs_hart_perf_destroy(cs_hart_perf *p)
{
    if (p == NULL)
        return;
    p->hart = NULL;
    cs_perf_destroy(p->perf);
    free(p);
}

/* ---- events ---- */

void cs_hart_perf_begin(cs_hart_perf *p, cs_hart *hart)
{
    p->hart = hart;
    p->cpu->now_ns = cs_hart_now(hart);
}

int cs_hart_perf_open(cs_hart_perf *p, cs_hart *hart, cs_hart_event *e, cs_hart_event *leader)
{
    const bool pinned = e->pinned && leader == NULL;
    const cs_perf_attr attr = {
        .type = e->attr.type,
        .config = e->attr.config,
        .sample_period = e->attr.sample_period,
        .flags = CS_PERF_ATTR_DISABLED | (pinned ? CS_PERF_ATTR_PINNED : 0),
    };
    const cs_perf_asked asked = {
        .attr = &attr,
        .privileged = true,
        .pid = -1,
        .group = leader != NULL ? leader->core : NULL,
        .user = e,
    };

    p->hart = hart;
    return cs_perf_open(p->perf, &asked, &e->core);
}

void cs_hart_perf_close(cs_hart_perf *p, cs_hart *hart, cs_hart_event *e)
{
    p->hart = hart;
    cs_perf_remove(e->core);
    cs_perf_close(e->core);
    e->core = NULL;
}

uint64_t cs_hart_perf_read(cs_hart_perf *p, cs_hart_event *e)
{
    if (cs_hart_event_is_on(e))
        cs_perf_update_count(e->core);
    else
        cs_riscv_perf_read(p->config.pmu, p->hart, e->perf); /* finds no counter */
    return e->core->count;
}

/* ---- passes ---- */

/* The timer runs while somebody waits. */
static void hart_perf_expect(cs_hart_perf *p)
{
    const uint64_t turn = p->config.turn_cycles;
    const bool waits = turn != 0 && cs_perf_waits(p->cpu, p->pmu.number);

    p->due = waits ? (cs_hart_now(p->hart) / turn + 1) * turn : CS_NEVER;
}

static void hart_perf_pass(cs_hart_perf *p, cs_perf_out out)
{
    cs_perf_resched(p->cpu, p->pmu.number, out);
    hart_perf_expect(p);
}

void cs_hart_perf_schedule(cs_hart_perf *p)
{
    hart_perf_pass(p, cs_hart_perf_takes_turns(p) ? CS_PERF_OUT_FLEXIBLE : CS_PERF_OUT_NONE);
}

void cs_hart_perf_fill(cs_hart_perf *p)
{
    hart_perf_pass(p, CS_PERF_OUT_NONE);
}

/* ---- turns ---- */

bool cs_hart_perf_takes_turns(const cs_hart_perf *p)
{
    return p->config.turn_cycles != 0;
}

cs_cycle cs_hart_perf_due(const cs_hart_perf *p)
{
    return p->due;
}

void cs_hart_perf_tick(cs_hart_perf *p, cs_hart *hart)
{
    cs_hart_perf_begin(p, hart);
    p->report.ticks++;
    p->report.late_ticks += (p->cpu->now_ns - p->due) / p->config.turn_cycles;
    cs_hart_work(hart, p->config.rotation_cycles);
    cs_perf_rotate(p->cpu, p->pmu.number);
    p->report.rotations++;
    p->report.rotating_cycles += cs_hart_now(hart) - p->cpu->now_ns;
    hart_perf_expect(p);
}

const cs_rotating_report *cs_hart_perf_report(const cs_hart_perf *p)
{
    return cs_hart_perf_takes_turns(p) ? &p->report : NULL;
}

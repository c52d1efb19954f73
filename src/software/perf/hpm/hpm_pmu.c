// SPDX-License-Identifier: Apache-2.0
/* The counters of a RISC-V hart, on our model of them (models/hpm): CSR accesses of M mode, as the
 * firmware of the SBI makes them for the kernel. */
#include "software/perf/hpm/hpm_pmu.h"

#include "software/perf/counters/core_events.h"
#include "software/perf/counters/counters.h"

#include <errno.h>
#include <stdlib.h>

#include <countersink/models/hpm/hpm.h>

#define CSR_MCOUNTER 0xb00u
#define CSR_MCOUNTINHIBIT 0x320u
#define CSR_MHPMEVENT 0x320u /* of counter n at + n */
#define CSR_SCOUNTOVF 0xda0u
#define CSR_MIE 0x304u
#define CSR_MIP 0x344u

#define CYCLE 0u
#define INSTRET 2u
#define FIRST 3u /* mhpmcounter3 */

#define LCOFI (UINT64_C(1) << 13)
#define MINH (UINT64_C(1) << 62)
#define SINH (UINT64_C(1) << 61)
#define UINH (UINT64_C(1) << 60)

typedef struct hart_cpu {
    cs_perf_counters counters;
    cs_hpm *hpm;
    uint32_t inhibited; /* but for a pause */
} hart_cpu;

typedef struct hart_pmu {
    cs_perf_counter_pmu pmu;
    cs_perf_core core;
    hart_cpu *cpus;
    unsigned nr_cpus;
} hart_pmu;

static cs_perf_counters *hart_on(cs_pmu *pmu, unsigned cpu)
{
    return &((hart_pmu *)pmu)->cpus[cpu].counters;
}

/* ---- CSRs ---- */

static cs_hpm_access hart_access_of(uint32_t csr, cs_hpm_op op, uint64_t value)
{
    return (cs_hpm_access){
        .csr = (uint16_t)csr,
        .op = (uint8_t)op,
        .mode = CS_HPM_MODE_M,
        .value = value,
        .stateen_m = true,
        .stateen_h = true,
    };
}

static uint64_t hart_access(cs_perf_counters *c, uint32_t csr, cs_hpm_op op, uint64_t value)
{
    const cs_hpm_access access = hart_access_of(csr, op, value);

    return cs_hpm_access_csr(((hart_cpu *)c)->hpm, c->window.now++, &access).value;
}

static uint64_t hart_get(cs_perf_counters *c, uint32_t csr)
{
    return hart_access(c, csr, CS_HPM_OP_READ, 0);
}

static void hart_set(cs_perf_counters *c, uint32_t csr, uint64_t value)
{
    hart_access(c, csr, CS_HPM_OP_WRITE, value);
}

/* ---- counters ---- */

static void hart_inhibit(cs_perf_counters *c, uint32_t counters)
{
    hart_set(c, CSR_MCOUNTINHIBIT, counters);
}

static void hart_pause(cs_perf_counters *c)
{
    hart_inhibit(c, UINT32_MAX);
}

static void hart_resume(cs_perf_counters *c)
{
    hart_inhibit(c, ((hart_cpu *)c)->inhibited);
}

static void hart_settle(cs_perf_counters *c)
{
    cs_hpm *hpm = ((hart_cpu *)c)->hpm;

    cs_hpm_advance(hpm, c->window.now);
    cs_hpm_settle_all(hpm);
}

/* cycle and instret have no choice. */
static void hart_choose(cs_perf_counters *c, cs_perf_event *e)
{
    const uint32_t n = (uint32_t)e->hw.counter;

    if (n >= FIRST)
        hart_set(c, CSR_MHPMEVENT + n, (uint64_t)e->hw.filter << 32 | (e->hw.event & UINT16_MAX));
}

/* Without an access of its own, so that the window is not broken. */
static uint64_t hart_read(cs_perf_counters *c, cs_perf_event *e)
{
    const cs_hpm_access access =
        hart_access_of(CSR_MCOUNTER + (uint32_t)e->hw.counter, CS_HPM_OP_READ, 0);
    cs_hpm *hpm = ((hart_cpu *)c)->hpm;

    cs_hpm_advance(hpm, c->window.now);
    return cs_hpm_ask(hpm, &access).value;
}

static void hart_write(cs_perf_counters *c, cs_perf_event *e, uint64_t value)
{
    hart_set(c, CSR_MCOUNTER + (uint32_t)e->hw.counter, value);
}

static void hart_run(cs_perf_counters *c, cs_perf_event *e)
{
    hart_cpu *h = (hart_cpu *)c;

    hart_choose(c, e); /* OF is clear: it may ask again */
    h->inhibited &= ~(UINT32_C(1) << e->hw.counter);
    if (c->disabled == 0)
        hart_resume(c);
}

static void hart_halt(cs_perf_counters *c, cs_perf_event *e)
{
    hart_cpu *h = (hart_cpu *)c;

    h->inhibited |= UINT32_C(1) << e->hw.counter;
    if (c->disabled == 0)
        hart_resume(c);
}

/* Without an access, so that the model's time is that of the next one. */
static cs_cycle hart_irq(cs_perf_counters *c, cs_cycle from, cs_cycle to)
{
    cs_hpm *hpm = ((hart_cpu *)c)->hpm;
    cs_cycle at;

    cs_hpm_advance(hpm, from);
    if (cs_hpm_irq(hpm) != 0)
        return from;
    at = cs_hpm_next(hpm);
    return at < to ? at : to;
}

static uint32_t hart_overflowed(cs_perf_counters *c)
{
    const uint32_t flags = (uint32_t)hart_get(c, CSR_SCOUNTOVF);

    for (unsigned i = 0; i < c->nr; i++)
        if ((flags >> c->events[i]->hw.counter & 1) != 0)
            hart_choose(c, c->events[i]);
    hart_access(c, CSR_MIP, CS_HPM_OP_CLEAR, LCOFI);
    return flags;
}

static int hart_place(const cs_perf_counters *c, int place)
{
    (void)c;
    return place == 0 ? (int)CYCLE : place == 1 ? (int)INSTRET : place - 2 + (int)FIRST;
}

static const cs_perf_counters_ops hart_counters = {
    .pause = hart_pause,
    .resume = hart_resume,
    .settle = hart_settle,
    .choose = hart_choose,
    .read = hart_read,
    .write = hart_write,
    .run = hart_run,
    .halt = hart_halt,
    .irq = hart_irq,
    .overflowed = hart_overflowed,
    .place = hart_place,
    .most = UINT64_MAX,
};

/* ---- events ---- */

/* cycle and instret count in all modes, and never overflow into an interrupt. */
static uint32_t hart_allowed(const cs_perf_core *core, const cs_perf_event *e, uint32_t event)
{
    const uint32_t general = (uint32_t)(((UINT64_C(1) << core->counters) - 1) << 2);

    if (cs_perf_samples(e) || !cs_perf_counts_user(e) || !cs_perf_counts_kernel(e))
        return general;
    return general | (event == CS_HPM_EVENT_CYCLES) |
           (uint32_t)(event == CS_HPM_EVENT_INSTRET) << 1;
}

/* The upper half of mhpmevent; without filters there are no such bits. */
static uint32_t hart_filter(const cs_perf_core *core, const cs_perf_event *e)
{
    uint64_t filter = core->no_exclude ? 0 : MINH;

    if (!cs_perf_counts_user(e))
        filter |= UINH;
    if (!cs_perf_counts_kernel(e))
        filter |= SINH;
    return (uint32_t)(filter >> 32);
}

static uint32_t hart_modes(const cs_perf_event *e)
{
    uint32_t modes = CS_MODE_MASK(CS_MODE_U) | CS_MODE_MASK(CS_MODE_S);

    if (!cs_perf_counts_user(e))
        modes &= ~CS_MODE_MASK(CS_MODE_U);
    if (!cs_perf_counts_kernel(e))
        modes &= ~CS_MODE_MASK(CS_MODE_S);
    return modes;
}

static int hart_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    const cs_perf_core *core = &((const hart_pmu *)pmu)->core;
    cs_perf_map map;
    const int error = cs_perf_core_find(core, &e->attr, &map);

    if (error != 0)
        return error;
    e->hw.event = core->first_event + map.event;
    e->hw.filter = hart_filter(core, e);
    e->hw.modes = hart_modes(e);
    e->hw.allowed = hart_allowed(core, e, map.event);
    return e->hw.allowed != 0 ? 0 : -ENOENT;
}

/* ---- begin and end ---- */

static void hart_destroy(cs_pmu *pmu)
{
    hart_pmu *p = (hart_pmu *)pmu;

    for (unsigned i = 0; i < p->nr_cpus; i++)
        cs_hpm_destroy(p->cpus[i].hpm);
    free(p->cpus);
    free(p);
}

static cs_hpm_config hart_config(const cs_perf_core *core)
{
    cs_hpm_config config = cs_hpm_default_config();

    config.modes = CS_HPM_MODES_M_S_U;
    config.counters = (uint32_t)(((UINT64_C(1) << core->counters) - 1) << FIRST);
    config.sscofpmf = !core->no_interrupt;
    config.smcntrpmf = config.smcdeleg = config.aia = false;
    return config;
}

static cs_status hart_cpu_init(const cs_perf_core *core, hart_cpu *h, cs_diag *diag)
{
    const cs_hpm_config config = hart_config(core);
    cs_status status;

    cs_perf_counters_init(&h->counters, &hart_counters);
    h->counters.window.first = core->first_event;
    h->inhibited = UINT32_MAX;
    const cs_hpm_env env = {.events = cs_perf_window_source(&h->counters.window)};
    status = cs_hpm_create(&config, &env, &h->hpm, diag);
    if (status != CS_OK)
        return status;
    hart_pause(&h->counters);
    hart_set(&h->counters, CSR_MIE, LCOFI);
    return CS_OK;
}

static cs_status hart_init(hart_pmu *p, unsigned nr_cpus, cs_diag *diag)
{
    p->cpus = calloc(nr_cpus, sizeof *p->cpus);
    if (p->cpus == NULL)
        return CS_ERR_NO_MEMORY;
    for (; p->nr_cpus < nr_cpus; p->nr_cpus++) {
        const cs_status status = hart_cpu_init(&p->core, &p->cpus[p->nr_cpus], diag);

        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

static const cs_pmu_ops hart_ops = {
    .event_init = hart_event_init,
    .destroy = hart_destroy,
    CS_PERF_COUNTERS_OPS,
};

static cs_status hart_create(cs_perf *perf, const cs_perf_core *core, cs_pmu **out, cs_diag *diag)
{
    hart_pmu *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    p->core = *core;
    p->pmu.on = hart_on;
    p->pmu.pmu = (cs_pmu){.ops = &hart_ops,
                          .name = core->name,
                          .type = core->type,
                          .no_interrupt = core->no_interrupt,
                          .no_exclude = core->no_exclude};
    const cs_status status = hart_init(p, perf->machine.nr_cpus, diag);
    if (status != CS_OK) {
        hart_destroy(&p->pmu.pmu);
        return status;
    }
    *out = &p->pmu.pmu;
    return CS_OK;
}

const cs_perf_core_driver cs_perf_hpm_driver = {hart_create};

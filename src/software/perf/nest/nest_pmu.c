// SPDX-License-Identifier: Apache-2.0
/* What the kernel's driver does for an event of the nest: it reads a counter in memory, and tells the
 * firmware when the first one comes and the last one goes. */
#include "software/perf/nest/nest_pmu.h"

#include <errno.h>
#include <stdlib.h>

#include "drivers/imc/imc_rules.h"
#include "software/perf/nest/nest_chip.h"
#include <countersink/base/numbers.h>

#define OFFSET_MASK UINT64_C(0xffffffff)

typedef struct nest_pmu {
    cs_pmu pmu;
    cs_perf_nest nest;
} nest_pmu;

static uint64_t nest_now(const cs_pmu *pmu, const cs_perf_event *e)
{
    return cs_perf_nest_chip_read(((const nest_pmu *)pmu)->nest.chip,
                                  (uint32_t)(e->attr.config & OFFSET_MASK));
}

/* ---- events ---- */

static int nest_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    const cs_perf_nest *nest = &((const nest_pmu *)pmu)->nest;
    const cs_imc_request request = {
        .pmu = CS_PERF_NEST,
        .config = e->attr.config,
        .size = nest->size,
        .sample_period = e->attr.sample_period,
        .task = e->who.tid != 0,
        .privileged = e->privileged,
    };
    int error = -(int)cs_imc_event_init(&request, NULL);

    if (e->attr.type != pmu->type)
        return -ENOENT;
    if (error != 0)
        return error;
    e->hw.event = CS_EVENT_NEST((uint32_t)((e->attr.config & OFFSET_MASK) / 8));
    e->hw.modes = CS_MODE_ALL;
    if (cs_perf_nest_chip_begin(nest->chip))
        pmu->works = true;
    error = cs_perf_nest_chip_get(nest->chip);
    e->hw.held = error == 0;
    return error;
}

static void nest_event_free(cs_pmu *pmu, cs_perf_event *e)
{
    (void)e;
    cs_perf_nest_chip_put(((const nest_pmu *)pmu)->nest.chip);
}

static void nest_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    (void)cpu;
    e->hw.before = nest_now(pmu, e);
}

static int nest_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    nest_start(pmu, cpu, e);
    return 0;
}

static void nest_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    const uint64_t now = nest_now(pmu, e);

    (void)cpu;
    e->count += now - e->hw.before;
    e->hw.before = now;
}

/* ---- begin and end ---- */

static void nest_destroy(cs_pmu *pmu)
{
    free(pmu);
}

static cs_status nest_create(cs_perf *perf, const cs_perf_system *system, cs_pmu **out,
                             cs_diag *diag)
{
    static const cs_pmu_ops ops = {
        .event_init = nest_event_init,
        .event_free = nest_event_free,
        .add = nest_add,
        .del = nest_read,
        .start = nest_start,
        .stop = nest_read,
        .read = nest_read,
        .destroy = nest_destroy,
    };
    nest_pmu *p = calloc(1, sizeof *p);

    (void)perf;
    (void)diag;
    *out = NULL;
    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    p->nest = *(const cs_perf_nest *)system->config;
    p->pmu = (cs_pmu){.ops = &ops,
                      .name = system->name,
                      .type = system->type,
                      .no_exclude = true,
                      .worker = cs_perf_nest_chip_worker(p->nest.chip)};
    *out = &p->pmu;
    return CS_OK;
}

const cs_perf_system_driver cs_perf_nest_driver = {nest_create};

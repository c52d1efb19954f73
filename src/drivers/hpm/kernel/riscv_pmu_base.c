// SPDX-License-Identifier: Apache-2.0
/* The base PMU of 2018, the first that Linux had for RISC-V: cycle and instret as they run. Nothing
 * stops, nothing is written, nothing interrupts; what it cannot do it does not refuse
 * (docs/drivers/riscv_driver.md, "The base PMU"). */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define STOPPED CS_RISCV_HES_STOPPED
#define UPTODATE CS_RISCV_HES_UPTODATE

#define EVENTS 7u      /* of PERF_TYPE_HARDWARE that its table has */
#define AT_ONCE 2u     /* events that are added */
#define WIDTH (63 - 1) /* its counter_width, as bits - 1 */

static int pmu_base_map(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                        uint64_t *data)
{
    (void)pmu;
    (void)data;
    if (attr->type == CS_RISCV_PERF_RAW)
        return -EOPNOTSUPP;
    if (attr->type != CS_RISCV_PERF_HARDWARE)
        return -ENOENT;
    if (attr->config >= EVENTS)
        return -EINVAL;
    if (attr->config > EVENT_INSTRUCTIONS - EVENT_CYCLES)
        return -EOPNOTSUPP;
    *event_idx = EVENT_CYCLES + (uint32_t)attr->config;
    return 0;
}

static int find_counters(cs_riscv_pmu *pmu, cs_hart *hart)
{
    static const unsigned fixed[] = {COUNTER_CYCLE, COUNTER_INSTRET};

    (void)hart;
    for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        cs_riscv_found(pmu, fixed[i],
                       (counter){.csr = (uint16_t)(CSR_CYCLE + fixed[i]), .width = WIDTH});
    return 0;
}

static int get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    unsigned added = 0;

    (void)hart;
    for (const cs_riscv_perf_event *other = pmu->all; other != NULL; other = other->next)
        added += other->index >= 0;
    if (added >= AT_ONCE)
        return -ENOSPC;
    return event->event_idx == EVENT_CYCLES ? COUNTER_CYCLE : COUNTER_INSTRET;
}

/* One instruction: with XLEN 32 the low half. */
static uint64_t pmu_base_read(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    return cs_hart_csr_read(hart, pmu->counters[event->index].csr);
}

static void pmu_base_update(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    const uint64_t now = pmu_base_read(pmu, hart, event);

    event->count += (now - event->prev) & cs_riscv_mask_of(pmu, event->index);
    event->prev = now;
}

/* RELOAD or not, nothing is written. */
static void pmu_base_start(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                           unsigned flags)
{
    if (!(event->state & STOPPED)) {
        pmu->figures.warnings++;
        return;
    }
    pmu->figures.warnings += (flags & CS_RISCV_EF_RELOAD) && !(event->state & UPTODATE);
    event->state = 0;
    event->prev = pmu_base_read(pmu, hart, event);
}

static void pmu_base_stop(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                          unsigned flags)
{
    pmu->figures.warnings += (event->state & STOPPED) != 0;
    event->state |= STOPPED;
    if (!(flags & CS_RISCV_EF_UPDATE) || (event->state & UPTODATE))
        return;
    pmu_base_update(pmu, hart, event);
    event->state |= UPTODATE;
}

static const event_ops in_its_way = {
    .start = pmu_base_start, .stop = pmu_base_stop, .read = pmu_base_update};

const kind_ops cs_riscv_base_ops = {
    .takes_all = true,
    .map = pmu_base_map,
    .find_counters = find_counters,
    .get_index = get_index,
    .read = pmu_base_read,
    .event = &in_its_way,
};

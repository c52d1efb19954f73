// SPDX-License-Identifier: Apache-2.0
/* The core PMU as an object, and the rules that hold for every access. */
#include <countersink/models/corepmu/corepmu.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/require.h"
#include "models/corepmu/corepmu_internal.h"

#define MAX_HPMN 31u

/* Bits 0..n-1; n below 32. */
static uint32_t low_bits(unsigned n)
{
    return (1u << n) - 1;
}

cs_status cs_corepmu_create(const cs_corepmu_config *config, const cs_corepmu_env *env,
                            cs_corepmu **out, cs_diag *diag)
{
    *out = NULL;
    if (config->counters < 1 || config->counters > CS_COREPMU_MAX_COUNTERS)
        return cs_diag_set(diag, CS_ERR_RANGE, "core PMU", "counters is %u: must be 1..%u",
                           config->counters, CS_COREPMU_MAX_COUNTERS);
    if (config->hpmn > MAX_HPMN)
        return cs_diag_set(diag, CS_ERR_RANGE, "core PMU", "hpmn is %u: must be 0..%u",
                           config->hpmn, MAX_HPMN);
    if (env == NULL || env->events.sum == NULL || env->events.reach == NULL ||
        env->events.context == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "core PMU",
                           "env: events.sum, events.reach and events.context must be set");

    cs_corepmu *pmu = calloc(1, sizeof(*pmu));
    if (pmu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "core PMU", "out of memory");
    pmu->config = *config;
    pmu->events = env->events;
    pmu->event_mask = low_bits(config->counters);
    pmu->first_range = pmu->event_mask & low_bits(config->hpmn);
    cs_corepmu_reset(pmu, 0);
    *out = pmu;
    return CS_OK;
}

void cs_corepmu_destroy(cs_corepmu *pmu)
{
    free(pmu);
}

void cs_corepmu_reset(cs_corepmu *pmu, cs_cycle now)
{
    pmu->pmcr = 0;
    for (unsigned n = 0; n < CS_COREPMU_SLOTS; n++) {
        cs_corepmu_set_counter(pmu, n, 0, now);
        cs_corepmu_set_type(pmu, n, 0);
    }
    pmu->enabled = 0;
    pmu->int_enabled = 0;
    pmu->reached = now;
    pmu->framed = CS_NEVER;
    pmu->counting = 0;
    pmu->overflow = 0;
    pmu->pc_high = 0;
    pmu->cid1 = 0;
    pmu->cid2 = 0;
}

/* The events of a core without power stand still, and nobody can look: the reset may as well be at
 * once. */
void cs_corepmu_set_power(cs_corepmu *pmu, cs_cycle cycle, bool offline, bool locked)
{
    if (offline && !pmu->config.offline)
        cs_corepmu_reset(pmu, cycle);
    pmu->config.offline = offline;
    pmu->config.locked = locked;
}

/* docs/hw/corepmu.md, "Access": answered with an error. */
static bool refuses(const cs_corepmu *pmu, bool wide)
{
    return pmu->config.offline || pmu->config.locked || (wide && !pmu->config.ext64);
}

/* An access in this cycle: none comes before an earlier one. */
static void begin(cs_corepmu *pmu, cs_cycle cycle)
{
    CS_REQUIRE(cycle >= pmu->reached,
               "core PMU: an access in cycle %" PRIu64 ": must be in %" PRIu64 " or later", cycle,
               pmu->reached);
    pmu->reached = cycle;
}

/* The frame is at the registers in this cycle. False: it is refused. */
static bool frame(cs_corepmu *pmu, cs_cycle cycle, bool wide)
{
    begin(pmu, cycle);
    pmu->framed = cycle;
    pmu->framed_line = false;
    if (pmu->int_enabled != 0) {
        cs_corepmu_settle(pmu, pmu->int_enabled, cycle);
        pmu->framed_line = cs_corepmu_line(pmu);
    }
    if (refuses(pmu, wide))
        return false;
    pmu->view = (cs_corepmu_view){cs_corepmu_existing(pmu), pmu->config.ext64, false};
    return true;
}

/* The low word comes first: it captures what the high word then shows. */
cs_bus_resp cs_corepmu_read(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, bool wide,
                            uint64_t *data)
{
    *data = 0;
    if (!frame(pmu, cycle, wide))
        return CS_BUS_SLVERR;
    *data = cs_corepmu_read_word(pmu, cycle, offset);
    if (wide)
        *data |= (uint64_t)cs_corepmu_read_word(pmu, cycle, offset + 4) << 32;
    return CS_BUS_OKAY;
}

cs_bus_resp cs_corepmu_ask(const cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, bool wide,
                           uint64_t *data)
{
    cs_corepmu copy = *pmu;

    return cs_corepmu_read(&copy, cycle > copy.reached ? cycle : copy.reached, offset, wide, data);
}

cs_bus_resp cs_corepmu_write(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, bool wide,
                             uint64_t data)
{
    if (!frame(pmu, cycle, wide))
        return CS_BUS_SLVERR;
    cs_corepmu_write_word(pmu, cycle, offset, (uint32_t)data);
    if (wide)
        cs_corepmu_write_word(pmu, cycle, offset + 4, (uint32_t)(data >> 32));
    return CS_BUS_OKAY;
}

/* ---- the core itself ---- */

bool cs_corepmu_system(cs_corepmu *pmu, cs_cycle cycle, const cs_corepmu_access *access,
                       uint64_t *data)
{
    begin(pmu, cycle);
    *data = 0;
    if (pmu->framed == cycle)
        return false;
    pmu->view = (cs_corepmu_view){cs_corepmu_existing(pmu), true, true};
    if (access->guest)
        pmu->view.visible = pmu->first_range | CS_COREPMU_CYCLE_BIT;
    if (access->write) {
        cs_corepmu_write_word(pmu, cycle, access->offset, (uint32_t)access->value);
        cs_corepmu_write_word(pmu, cycle, access->offset + 4u, (uint32_t)(access->value >> 32));
        return true;
    }
    *data = cs_corepmu_read_word(pmu, cycle, access->offset);
    *data |= (uint64_t)cs_corepmu_read_word(pmu, cycle, access->offset + 4u) << 32;
    return true;
}

/* The first cycle in which counter n has its flag, if all goes on as it is; `to`: not below it. */
static cs_cycle overflow_cycle(const cs_corepmu *pmu, unsigned n, cs_cycle to)
{
    const cs_corepmu_counter *c = &pmu->counter[n];
    const uint64_t wraps = cs_corepmu_long(pmu) >> n & 1 ? 0 : (uint64_t)1 << 32;
    const uint64_t value = wraps != 0 ? c->value % wraps : c->value;
    const uint64_t left = wraps - value; /* of the addition that carries; 0: 2^64 */
    cs_cycle at;

    if (to <= c->since || left == 0 || left / CS_MAX_INCREMENT > to - c->since)
        return to;
    at = pmu->events.reach(pmu->events.ctx, cs_corepmu_event_of(pmu, n), c->modes, c->since, left);
    return at < to ? at : to;
}

cs_cycle cs_corepmu_irq(cs_corepmu *pmu, cs_cycle from, cs_cycle to)
{
    cs_cycle first = to;

    if (from >= to)
        return to;
    if (from == pmu->framed && pmu->framed_line)
        return from;
    if (from == pmu->framed && ++from == to)
        return to;
    cs_corepmu_settle(pmu, pmu->int_enabled, from);
    if (cs_corepmu_line(pmu))
        return from;
    for (uint32_t rest = pmu->counting & pmu->int_enabled; rest != 0; rest &= rest - 1) {
        const cs_cycle at = overflow_cycle(pmu, (unsigned)__builtin_ctz(rest), to);

        first = at < first ? at : first;
    }
    return first;
}

cs_cycle cs_corepmu_next(const cs_corepmu *pmu)
{
    (void)pmu;
    return CS_NEVER;
}

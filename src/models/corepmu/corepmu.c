/* The core PMU as an object, and the rules that hold for every access. */
#include "models/corepmu/corepmu.h"

#include <stdlib.h>

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

void cs_corepmu_reset(cs_corepmu *pmu, cycle_t now)
{
    pmu->pmcr = 0;
    for (unsigned n = 0; n < CS_COREPMU_SLOTS; n++) {
        cs_corepmu_set_counter(pmu, n, 0, now);
        cs_corepmu_set_type(pmu, n, 0);
    }
    pmu->enabled = 0;
    pmu->counting = 0;
    pmu->overflow = 0;
    pmu->pc_high = 0;
    pmu->cid1 = 0;
    pmu->cid2 = 0;
}

/* docs/hw/corepmu.md, "Access": answered with an error. */
static bool refuses(const cs_corepmu *pmu, bool wide)
{
    return pmu->config.offline || pmu->config.locked || (wide && !pmu->config.ext64);
}

/* The low word comes first: it captures what the high word then shows. */
cs_bus_resp cs_corepmu_read(cs_corepmu *pmu, cycle_t cycle, uint32_t offset, bool wide,
                            uint64_t *data)
{
    *data = 0;
    if (refuses(pmu, wide))
        return CS_BUS_SLVERR;
    *data = cs_corepmu_read_word(pmu, cycle, offset);
    if (wide)
        *data |= (uint64_t)cs_corepmu_read_word(pmu, cycle, offset + 4) << 32;
    return CS_BUS_OKAY;
}

cs_bus_resp cs_corepmu_write(cs_corepmu *pmu, cycle_t cycle, uint32_t offset, bool wide,
                             uint64_t data)
{
    if (refuses(pmu, wide))
        return CS_BUS_SLVERR;
    cs_corepmu_write_word(pmu, cycle, offset, (uint32_t)data);
    if (wide)
        cs_corepmu_write_word(pmu, cycle, offset + 4, (uint32_t)(data >> 32));
    return CS_BUS_OKAY;
}

cycle_t cs_corepmu_next(const cs_corepmu *pmu)
{
    (void)pmu;
    return CS_NEVER;
}

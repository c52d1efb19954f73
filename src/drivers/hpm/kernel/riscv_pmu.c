// SPDX-License-Identifier: Apache-2.0
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

/* ---- create, destroy ---- */

static const kind_ops *const kinds[CS_RISCV_NR_KINDS] = {
    [CS_RISCV_SBI] = &cs_riscv_sbi_ops,
    [CS_RISCV_LEGACY] = &cs_riscv_legacy_ops,
    [CS_RISCV_DELEGATED] = &cs_riscv_delegated_ops,
    [CS_RISCV_V3] = &cs_riscv_v3_ops,
    [CS_RISCV_POSTED] = &cs_riscv_posted_ops,
    [CS_RISCV_BASE] = &cs_riscv_base_ops,
};

/* What is wrong with it; NULL: nothing. */
static const char *pmu_problem(const cs_riscv_pmu_config *config)
{
    if ((unsigned)config->kind >= CS_RISCV_NR_KINDS)
        return "there is no such kind of driver";
    if ((config->kind == CS_RISCV_SBI && config->find > CS_RISCV_FIND_ALL) ||
        (config->kind == CS_RISCV_V3 && config->find == CS_RISCV_FIND_ALL))
        return "this kind does not find counters so";
    if (config->bugs >> CS_RISCV_NR_BUGS != 0)
        return "there is no such bug";
    if (config->guest && cs_riscv_is_delegated(config->kind))
        return "a guest has no delegated counters: expected sbi, legacy or v3";
    if (config->map == NULL && cs_riscv_is_delegated(config->kind))
        return "delegated counters need a map of events";
    if (kinds[config->kind]->needs_sbi && config->sbi.call == NULL)
        return "the kind needs somebody who answers SBI calls";
    if ((config->ring_bytes & (config->ring_bytes - 1)) != 0)
        return "the ring's data are no power of two";
    if (config->use_snapshot && config->snapshot_address % CS_SBI_SNAPSHOT_BYTES != 0)
        return "the snapshot's address is no multiple of 4096";
    if (config->use_sse && (config->kind != CS_RISCV_SBI || config->guest))
        return "only the kind sbi has software events, and no guest";
    if (config->sse_address % 8 != 0)
        return "the address for attributes is no multiple of 8";
    if (config->info_address % 16 != 0)
        return "the address for event infos is no multiple of 16";
    if (config->max_samples_per_tick != 0 && config->tick_cycles == 0)
        return "throttling needs a tick";
    return NULL;
}

cs_status cs_riscv_pmu_create(const cs_riscv_pmu_config *config, const cs_riscv_listener *listener,
                              cs_riscv_pmu **out, cs_diag *diag)
{
    const char *wrong = pmu_problem(config);
    cs_riscv_pmu *pmu;

    *out = NULL;
    if (wrong != NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "riscv_pmu", "%s", wrong);
    pmu = calloc(1, sizeof *pmu);
    if (pmu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "riscv_pmu", "no memory for a driver");
    pmu->config = *config;
    if (listener != NULL)
        pmu->listener = *listener;
    pmu->ops = kinds[config->kind];
    *out = pmu;
    return CS_OK;
}

void cs_riscv_pmu_destroy(cs_riscv_pmu *pmu)
{
    cs_riscv_perf_event *next;

    if (pmu == NULL)
        return;
    for (cs_riscv_perf_event *event = pmu->all; event != NULL; event = next) {
        next = event->next;
        free(event);
    }
    free(pmu);
}

/* ---- counters ---- */

void cs_riscv_found(cs_riscv_pmu *pmu, unsigned i, counter what)
{
    pmu->counters[i] = what;
    pmu->present |= bit(i);
}

uint64_t cs_riscv_mask_of(const cs_riscv_pmu *pmu, int index)
{
    return ~(uint64_t)0 >> (63 - pmu->counters[index < 0 ? 0 : index].width);
}

uint64_t cs_riscv_running(const cs_riscv_pmu *pmu)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++) {
        const cs_riscv_perf_event *event = pmu->events[i];

        if (event != NULL && !pmu->counters[i].software && !(event->state & CS_RISCV_HES_STOPPED))
            set |= bit(i);
    }
    return set;
}

uint64_t cs_riscv_pmu_counters(const cs_riscv_pmu *pmu)
{
    return pmu->present;
}

unsigned cs_riscv_pmu_width(const cs_riscv_pmu *pmu, unsigned i)
{
    return i < CS_RISCV_MAX_COUNTERS && pmu->present >> i & 1 ? pmu->counters[i].width + 1u : 0;
}

unsigned cs_riscv_pmu_csr(const cs_riscv_pmu *pmu, unsigned i)
{
    return cs_riscv_pmu_width(pmu, i) != 0 ? pmu->counters[i].csr : 0;
}

bool cs_riscv_pmu_has_snapshot(const cs_riscv_pmu *pmu)
{
    return pmu->snapshot;
}

const cs_riscv_figures *cs_riscv_pmu_figures(const cs_riscv_pmu *pmu)
{
    return &pmu->figures;
}

/* ---- lent counters: they are used, and have no event ---- */

uint64_t cs_riscv_pmu_taken(const cs_riscv_pmu *pmu)
{
    return pmu->used;
}

void cs_riscv_pmu_lend(cs_riscv_pmu *pmu, uint64_t set)
{
    pmu->used |= set;
}

void cs_riscv_pmu_give_back(cs_riscv_pmu *pmu, uint64_t set)
{
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if ((set >> i & 1) && pmu->events[i] == NULL)
            pmu->used &= ~bit(i);
}

/* ---- up and down ---- */

static int ask_base(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const uint64_t extension[6] = {CS_SBI_EID_PMU};
    const uint64_t nothing[6] = {0};
    cs_sbi_ret ret =
        cs_riscv_call(pmu, hart, CS_SBI_EID_BASE, CS_SBI_BASE_GET_SPEC_VERSION, nothing);

    if (pmu->config.kind != CS_RISCV_V3 && (ret.error != CS_SBI_SUCCESS || ret.value < 3))
        return -ENODEV; /* below 0.3 */
    pmu->spec_major = (unsigned)(ret.value >> 24 & 0x7f);
    ret = cs_riscv_call(pmu, hart, CS_SBI_EID_BASE, CS_SBI_BASE_PROBE_EXTENSION, extension);
    return ret.error != CS_SBI_SUCCESS || ret.value == 0 ? -ENODEV : 0;
}

int cs_riscv_pmu_probe(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const bool legacy = pmu->config.user_access == CS_RISCV_USER_LEGACY;
    int error = pmu->ops->needs_sbi ? ask_base(pmu, hart) : 0;

    if (error == 0)
        error = pmu->ops->find_counters(pmu, hart);
    if (error != 0)
        return error;
    if (pmu->ops->event == NULL)
        cs_hart_csr_write(hart, CSR_SCOUNTEREN, legacy ? 7 : 2);
    if (pmu->ops->stop_all != NULL)
        pmu->ops->stop_all(pmu, hart);
    if (pmu->config.sscofpmf && pmu->ops->samples && !cs_riscv_sse_setup(pmu, hart)) {
        cs_hart_csr_clear(hart, CSR_SIP, LCOFI);
        cs_hart_csr_set(hart, CSR_SIE, LCOFI);
    }
    if (pmu->config.kind == CS_RISCV_SBI && pmu->config.use_snapshot && pmu->spec_major >= 2)
        cs_riscv_snapshot_set(pmu, hart, true);
    cs_riscv_ring_begin(pmu, hart);
    if (pmu->ops->check_events != NULL)
        pmu->ops->check_events(pmu, hart);
    return 0;
}

void cs_riscv_pmu_dying(cs_riscv_pmu *pmu, cs_hart *hart)
{
    if (pmu->sse)
        cs_riscv_sse_down(pmu, hart);
    else if (pmu->config.sscofpmf && pmu->ops->samples)
        cs_hart_csr_clear(hart, CSR_SIE, LCOFI);
    if (pmu->ops->event == NULL)
        cs_hart_csr_write(hart, CSR_SCOUNTEREN, 0);
    if (pmu->snapshot)
        cs_riscv_snapshot_set(pmu, hart, false);
}

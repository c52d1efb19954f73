// SPDX-License-Identifier: Apache-2.0
/* What a caller may not do, one mistake a call: misuse NUMBER. Ends by abort(), or prints what was refused;
 * exit status 3: there is no such mistake. */
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/models/hpm/hpm.h>
#include <countersink/models/iommu_hpm/iommu_hpm.h>
#include <countersink/models/pmcu/pmcu.h>
#include <countersink/models/uncore/uncore.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    (void)ctx, (void)event, (void)modes;
    return to > from ? to - from : 0;
}

static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    (void)ctx, (void)event, (void)modes;
    return from + n;
}

static void context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx, (void)cycle;
    *out = (cs_context){0};
}

static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    (void)ctx, (void)port, (void)txn;
    return CS_BUS_PENDING;
}

static const cs_event_source events = {sum, reach, context, NULL, NULL};

static cs_hpm *make_hpm(void)
{
    const cs_hpm_config config = cs_hpm_default_config();
    const cs_hpm_env env = {events, NULL};
    cs_hpm *hpm;

    cs_hpm_create(&config, &env, &hpm, NULL);
    cs_hpm_advance(hpm, 1000);
    return hpm;
}

static cs_uncore *make_uncore(void)
{
    const cs_uncore_config config = {.counters = 4, .width = 48};
    const cs_uncore_env env = {.events = events};
    cs_uncore *uncore;

    cs_uncore_create(&config, &env, &uncore, NULL);
    cs_uncore_advance(uncore, 1000);
    return uncore;
}

static uint64_t sum_of_fits(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to)
{
    (void)ctx, (void)evt;
    return to > from ? to - from : 0;
}

static cs_iommu_hpm *make_iommu(void)
{
    const cs_iommu_hpm_config config = {.counters = 7, .width = 64};
    const cs_iommu_hpm_env env = {.sum = sum_of_fits};
    cs_iommu_hpm *iommu;

    cs_iommu_hpm_create(&config, &env, &iommu, NULL);
    cs_iommu_hpm_advance(iommu, 1000);
    return iommu;
}

static cs_corepmu *make_corepmu(void)
{
    const cs_corepmu_config config = {.counters = 8, .hpmn = 8};
    const cs_corepmu_env env = {events};
    cs_corepmu *pmu;
    uint64_t data;

    cs_corepmu_create(&config, &env, &pmu, NULL);
    cs_corepmu_read(pmu, 1000, 0, false, &data);
    return pmu;
}

static cs_pmcu *make_pmcu(void)
{
    const cs_pmcu_config config = {.clusters = 1, .slots = 1, .lanes = 1, .tick_cycles = 1};
    const cs_pmcu_env env = {.bus = {submit, NULL}};
    cs_pmcu *pmcu;

    cs_pmcu_create(&config, &env, &pmcu, NULL);
    cs_pmcu_advance(pmcu, 1000);
    return pmcu;
}

static void without_functions(void)
{
    const cs_hpm_config config = cs_hpm_default_config();
    const cs_hpm_env none = {0};
    cs_diag diag;
    cs_hpm *hpm;

    printf("%s: ", cs_status_name(cs_hpm_create(&config, &none, &hpm, &diag)));
    printf("%s: %s\n", diag.where, diag.text);
}

int main(int argc, char **argv)
{
    const cs_hpm_access mcycle = {.csr = 0xb00, .mode = CS_HPM_MODE_M};
    uint64_t data;

    switch (argc > 1 ? atoi(argv[1]) : -1) {
    case 0:
        without_functions();
        return 0;
    case 1:
        cs_hpm_access_csr(make_hpm(), 500, &mcycle);
        return 0;
    case 2:
        cs_hpm_reset(make_hpm(), 500);
        return 0;
    case 3:
        cs_uncore_read(make_uncore(), 500, 0, true, &data);
        return 0;
    case 4:
        cs_uncore_write(make_uncore(), 500, 8, true, 1);
        return 0;
    case 5:
        cs_corepmu_read(make_corepmu(), 500, 0, false, &data);
        return 0;
    case 6:
        cs_pmcu_write(make_pmcu(), 500, 0x20, false, 1);
        return 0;
    case 7:
        cs_iommu_hpm_read(make_iommu(), 500, 0x60, true, &data);
        return 0;
    case 8:
        cs_iommu_hpm_reset(make_iommu(), 500);
        return 0;
    default:
        return 3;
    }
}

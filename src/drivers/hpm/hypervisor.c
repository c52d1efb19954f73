// SPDX-License-Identifier: Apache-2.0
#include "drivers/hpm/hypervisor.h"

#include <stdlib.h>
#include <string.h>

#define CSR_HCOUNTEREN 0x606u
#define CSR_HIDELEG 0x603u
#define CSR_SCOUNTOVF 0xda0u
#define LCOFI (1u << 13)
#define TIME (1u << 1)
#define FIXED 7u
#define HARDWARE 0xffffffffu

struct cs_hypervisor {
    cs_hypervisor_config config;
    uint64_t lent; /* counters that the guest has */
    bool running;  /* LCOFI is the guest's */
};

/* The set of a call as counters; false: beyond the last that there can be. */
static bool set_of(const cs_hart *hart, const uint64_t args[6], uint64_t *set)
{
    const uint64_t mask = cs_hart_xlen(hart) == 32 ? args[1] & 0xffffffffu : args[1];

    if (args[0] >= CS_RISCV_MAX_COUNTERS)
        return false;
    *set = mask << args[0];
    return *set >> args[0] == mask;
}

static void put_set(uint64_t args[6], uint64_t set)
{
    args[1] = set >> args[0];
}

static cs_sbi_ret hypervisor_forward(cs_hypervisor *h, cs_hart *hart, uint64_t eid, uint64_t fid,
                                     const uint64_t args[6])
{
    return h->config.firmware.call(h->config.firmware.ctx, hart, eid, fid, args);
}

/* ---- what the guest may touch ---- */

static void open_counters(cs_hypervisor *h, cs_hart *hart, uint64_t set)
{
    if (set == 0)
        return;
    if ((set & HARDWARE) != 0)
        cs_hart_csr_set(hart, CSR_HCOUNTEREN, set & HARDWARE);
    if (h->config.sscofpmf && !h->running)
        cs_hart_csr_set(hart, CSR_HIDELEG, LCOFI);
    h->running = true;
}

/* A set that the guest has. */
static void take_back(cs_hypervisor *h, cs_hart *hart, uint64_t set)
{
    if (set == 0)
        return;
    h->lent &= ~set;
    cs_riscv_pmu_give_back(h->config.host, set);
    if ((set & HARDWARE) != 0)
        cs_hart_csr_clear(hart, CSR_HCOUNTEREN, set & HARDWARE);
    if (h->lent != 0 || !h->running)
        return;
    if (h->config.sscofpmf)
        cs_hart_csr_clear(hart, CSR_HIDELEG, LCOFI);
    h->running = false;
}

/* ---- calls ---- */

/* A guest's modes are the hart's virtual ones, and nothing else is its business. */
static uint64_t guest_flags(uint64_t flags)
{
    const uint64_t others = CS_SBI_CFG_SET_UINH | CS_SBI_CFG_SET_SINH | CS_SBI_CFG_SET_MINH;
    uint64_t out = (flags & ~(CS_SBI_CFG_SET_VUINH | CS_SBI_CFG_SET_VSINH | others)) | others;

    if (flags & CS_SBI_CFG_SET_UINH)
        out |= CS_SBI_CFG_SET_VUINH;
    if (flags & CS_SBI_CFG_SET_SINH)
        out |= CS_SBI_CFG_SET_VSINH;
    return out;
}

static cs_sbi_ret config_matching(cs_hypervisor *h, cs_hart *hart, uint64_t args[6], uint64_t set)
{
    const uint64_t may = set & ~(cs_riscv_pmu_taken(h->config.host) & ~h->lent);

    if (set != 0 && may == 0)
        return (cs_sbi_ret){CS_SBI_ERR_NOT_SUPPORTED, 0};
    put_set(args, may);
    args[2] = guest_flags(args[2]);
    const cs_sbi_ret ret =
        hypervisor_forward(h, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_CONFIG_MATCHING, args);
    if (ret.error == CS_SBI_SUCCESS && ret.value < CS_RISCV_MAX_COUNTERS) {
        const uint64_t counter = (uint64_t)1 << ret.value;

        h->lent |= counter;
        cs_riscv_pmu_lend(h->config.host, counter);
        if (args[2] & CS_SBI_CFG_AUTO_START)
            open_counters(h, hart, counter);
    }
    return ret;
}

/* Counters that are not the guest's stand still for it. */
static cs_sbi_ret hypervisor_start(cs_hypervisor *h, cs_hart *hart, uint64_t args[6], uint64_t set)
{
    if ((set & ~h->lent) != 0)
        return (cs_sbi_ret){CS_SBI_ERR_INVALID_PARAM, 0};
    open_counters(h, hart, set);
    return hypervisor_forward(h, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_START, args);
}

static cs_sbi_ret hypervisor_stop(cs_hypervisor *h, cs_hart *hart, uint64_t args[6], uint64_t set)
{
    const uint64_t own = set & h->lent;

    if (set != 0 && own == 0)
        return (cs_sbi_ret){CS_SBI_ERR_ALREADY_STOPPED, 0};
    put_set(args, own);
    cs_sbi_ret ret = hypervisor_forward(h, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, args);
    if (ret.error == CS_SBI_ERR_INVALID_PARAM || ret.error == CS_SBI_ERR_NO_SHMEM)
        return ret; /* nothing was done */
    if (args[2] & CS_SBI_STOP_RESET)
        take_back(h, hart, own);
    if (ret.error == CS_SBI_SUCCESS && own != set)
        ret.error = CS_SBI_ERR_ALREADY_STOPPED;
    return ret;
}

static cs_sbi_ret pmu_call(cs_hypervisor *h, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    static cs_sbi_ret (*const functions[])(cs_hypervisor *, cs_hart *, uint64_t *, uint64_t) = {
        [CS_SBI_PMU_COUNTER_CONFIG_MATCHING] = config_matching,
        [CS_SBI_PMU_COUNTER_START] = hypervisor_start,
        [CS_SBI_PMU_COUNTER_STOP] = hypervisor_stop,
    };
    uint64_t mine[6], set;

    if (fid >= sizeof functions / sizeof functions[0] || functions[fid] == NULL)
        return hypervisor_forward(h, hart, CS_SBI_EID_PMU, fid, args);
    memcpy(mine, args, sizeof mine);
    if (!set_of(hart, args, &set))
        return (cs_sbi_ret){CS_SBI_ERR_INVALID_PARAM, 0};
    return functions[fid](h, hart, mine, set);
}

static cs_sbi_ret hypervisor_call(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                                  const uint64_t args[6])
{
    cs_hypervisor *h = ctx;
    const cs_hart_track guest = cs_hart_trap(hart, CS_HART_KERNEL);

    cs_hart_work(hart, h->config.call_cycles);
    const cs_sbi_ret ret = eid == CS_SBI_EID_PMU ? pmu_call(h, hart, fid, args)
                                                 : hypervisor_forward(h, hart, eid, fid, args);
    cs_hart_return(hart, guest);
    return ret;
}

/* With delegated counters a guest's read of scountovf traps: it gets what is its own. */
static bool hypervisor_emulate(void *ctx, cs_hart *hart, uint16_t csr, cs_hpm_op op, uint64_t value,
                               uint64_t *old)
{
    const cs_hypervisor *h = ctx;

    (void)value;
    if (csr != CSR_SCOUNTOVF || op != CS_HPM_OP_READ)
        return false;
    const cs_hart_track guest = cs_hart_trap(hart, CS_HART_KERNEL);
    cs_hart_work(hart, h->config.call_cycles);
    *old = cs_hart_csr_read(hart, CSR_SCOUNTOVF) & h->lent;
    cs_hart_return(hart, guest);
    return true;
}

/* ---- create, destroy ---- */

cs_status cs_hypervisor_create(const cs_hypervisor_config *config, cs_hypervisor **out,
                               cs_diag *diag)
{
    cs_hypervisor *h = calloc(1, sizeof *h);

    *out = h;
    if (h == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a hypervisor");
    h->config = *config;
    return CS_OK;
}

void cs_hypervisor_destroy(cs_hypervisor *h)
{
    free(h);
}

void cs_hypervisor_boot(cs_hypervisor *h, cs_hart *hart)
{
    cs_hart_emulate(hart, hypervisor_emulate, h);
    cs_hart_csr_write(hart, CSR_HCOUNTEREN, h->config.open_fixed ? FIXED : TIME);
    if (h->config.sscofpmf)
        cs_hart_csr_clear(hart, CSR_HIDELEG, LCOFI);
}

cs_sbi cs_hypervisor_interface(cs_hypervisor *h)
{
    return (cs_sbi){hypervisor_call, h};
}

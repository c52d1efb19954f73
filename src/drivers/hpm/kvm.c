// SPDX-License-Identifier: Apache-2.0
/* The calls of a guest, as KVM answers them. */
#include "drivers/hpm/kvm.h"

#include <stdlib.h>

#include "drivers/hpm/kvm_impl.h"

#define CSR_HCOUNTEREN 0x606u
#define CSR_HIDELEG 0x603u
#define CSR_HVIEN 0x608u
#define CSR_CYCLE 0xc00u
#define LCOFI (1u << 13)
#define TIME (1u << 1)
#define HARDWARE_MOST 32u

static cs_sbi_ret kvm_answer(int64_t error, uint64_t value)
{
    return (cs_sbi_ret){error, value};
}

/* ---- sets ---- */

static unsigned kvm_highest(uint64_t mask)
{
    unsigned at = 0;

    while (mask >>= 1)
        at++;
    return at;
}

static bool is_set(const cs_kvm *kvm, const uint64_t args[6])
{
    return args[1] != 0 && args[0] < kvm->nr && args[0] + kvm_highest(args[1]) < kvm->nr;
}

/* ---- CONFIG_MATCHING ---- */

/* Cycles and instructions have their counters, in the set or not, used or not. */
static int kvm_fixed(uint32_t event_idx)
{
    if (CS_SBI_EVENT_TYPE(event_idx) != CS_SBI_TYPE_HW)
        return -1;
    return CS_SBI_EVENT_CODE(event_idx) == 1 ? 0 : CS_SBI_EVENT_CODE(event_idx) == 2 ? 2 : -1;
}

static int kvm_find(const cs_kvm *kvm, const uint64_t args[6], uint32_t event_idx, bool firmware)
{
    const unsigned least = firmware ? kvm->nr_hardware : 3;
    const unsigned end = firmware ? kvm->nr : kvm->nr_hardware;
    const int index = kvm_fixed(event_idx);

    if (index >= 0)
        return index;
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t at = args[0] + i;

        if ((args[1] >> i & 1) && at >= least && at < end && !kvm->counters[at].used)
            return (int)at;
    }
    return -1;
}

static cs_sbi_ret config_matching(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    const uint32_t event_idx = (uint32_t)args[3];
    const bool firmware = CS_SBI_EVENT_TYPE(event_idx) == CS_SBI_TYPE_FW;
    unsigned first = 0;
    int index;

    if (!is_set(kvm, args))
        return kvm_answer(CS_SBI_ERR_INVALID_PARAM, 0);
    if (firmware && CS_SBI_EVENT_CODE(event_idx) >= KVM_FIRMWARE_EVENTS)
        return kvm_answer(CS_SBI_ERR_NOT_SUPPORTED, 0);
    while ((args[1] >> first & 1) == 0)
        first++;
    if (args[2] & CS_SBI_CFG_SKIP_MATCH) {
        index = (int)(args[0] + first);
        if (!kvm->counters[index].used)
            return kvm_answer(CS_SBI_ERR_FAILED, 0);
    } else {
        index = kvm_find(kvm, args, event_idx, firmware);
        if (index < 0)
            return kvm_answer(CS_SBI_ERR_NOT_SUPPORTED, 0);
    }
    kvm_counter *c = &kvm->counters[index];
    if (firmware && (args[2] & CS_SBI_CFG_AUTO_START))
        kvm->firmware_started[CS_SBI_EVENT_CODE(event_idx)] = true;
    if (!firmware) {
        if (cs_kvm_make_event(c, hart, args[2], event_idx, args[4]) != 0)
            return kvm_answer(CS_SBI_ERR_NOT_SUPPORTED, 0);
        if (args[2] & CS_SBI_CFG_AUTO_START)
            cs_kvm_enable(c, hart);
    }
    c->used = true;
    c->event_idx = event_idx;
    return kvm_answer(CS_SBI_SUCCESS, (uint64_t)index);
}

/* ---- START ---- */

/* The guest's own calls are not simulated: what a firmware counter counts never happens. */
static int64_t start_firmware(cs_kvm *kvm, const kvm_counter *c)
{
    bool *started = &kvm->firmware_started[CS_SBI_EVENT_CODE(c->event_idx)];
    const bool ran = *started;

    *started = true;
    return ran ? CS_SBI_ERR_ALREADY_STARTED : CS_SBI_SUCCESS;
}

static int64_t start_one(cs_kvm *kvm, cs_hart *hart, kvm_counter *c, bool anew, uint64_t value)
{
    c->overflown = false;
    if (anew)
        c->value = value;
    if (c->firmware)
        return start_firmware(kvm, c);
    if (!kvm_is_open(c))
        return CS_SBI_ERR_INVALID_PARAM;
    if (c->started)
        return CS_SBI_ERR_ALREADY_STARTED;
    cs_kvm_set_value(c, c->value);
    cs_kvm_enable(c, hart);
    c->started = true;
    return CS_SBI_SUCCESS;
}

static cs_sbi_ret kvm_start(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    const bool page = (args[2] & CS_SBI_START_INIT_SNAPSHOT) != 0;
    const bool given = (args[2] & CS_SBI_START_SET_INIT_VALUE) != 0;
    int64_t error = CS_SBI_SUCCESS;

    if (!is_set(kvm, args))
        return kvm_answer(CS_SBI_ERR_INVALID_PARAM, 0);
    if (page && kvm->snapshot == NO_PAGE)
        return kvm_answer(CS_SBI_ERR_NO_SHMEM, 0);
    if (page && !cs_kvm_load_page(kvm, hart))
        return kvm_answer(CS_SBI_ERR_FAILED, 0);
    for (unsigned i = 0; i < 64; i++) {
        if ((args[1] >> i & 1) == 0 || !kvm->counters[args[0] + i].used)
            continue;
        const int64_t one = start_one(kvm, hart, &kvm->counters[args[0] + i], given || page,
                                      given ? args[3] : cs_kvm_slot(kvm, i));

        error = one != CS_SBI_SUCCESS ? one : error;
    }
    return kvm_answer(error, 0);
}

/* ---- STOP ---- */

static int64_t stop_one(cs_kvm *kvm, cs_hart *hart, kvm_counter *c, bool reset)
{
    int64_t error = CS_SBI_SUCCESS;

    if (c->firmware) {
        bool *started = &kvm->firmware_started[CS_SBI_EVENT_CODE(c->event_idx)];

        error = *started ? CS_SBI_SUCCESS : CS_SBI_ERR_ALREADY_STOPPED;
        *started = false;
        return error;
    }
    if (!kvm_is_open(c))
        return CS_SBI_ERR_INVALID_PARAM;
    if (!c->started)
        error = CS_SBI_ERR_ALREADY_STOPPED;
    else
        cs_kvm_disable(c, hart);
    c->started = false;
    if (reset)
        cs_kvm_release_event(c, hart);
    return error;
}

/* An error of one keeps those behind it out of the page. */
static cs_sbi_ret kvm_stop(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    const bool page = (args[2] & CS_SBI_STOP_TAKE_SNAPSHOT) != 0;
    const bool reset = (args[2] & CS_SBI_STOP_RESET) != 0;
    int64_t error = CS_SBI_SUCCESS;
    bool changed = false;

    if (!is_set(kvm, args))
        return kvm_answer(CS_SBI_ERR_INVALID_PARAM, 0);
    if (page && kvm->snapshot == NO_PAGE)
        return kvm_answer(CS_SBI_ERR_NO_SHMEM, 0);
    for (unsigned i = 0; i < 64; i++) {
        kvm_counter *c = &kvm->counters[(args[0] + i) % KVM_COUNTERS];

        if ((args[1] >> i & 1) == 0 || !c->used)
            continue;
        const int64_t one = stop_one(kvm, hart, c, reset);

        error = one != CS_SBI_SUCCESS ? one : error;
        if (page && error == CS_SBI_SUCCESS) {
            if (c->overflown)
                cs_kvm_mark(kvm, i, true);
            cs_kvm_put_slot(kvm, i, cs_kvm_look(c, hart));
            changed = true;
        }
        if (!reset)
            continue;
        c->used = c->overflown = false;
        if (page) {
            cs_kvm_mark(kvm, i, false);
            changed = true;
        }
    }
    if (changed && !cs_kvm_store_page(kvm, hart))
        error = CS_SBI_ERR_FAILED;
    return kvm_answer(error, 0);
}

/* ---- the others ---- */

static cs_sbi_ret kvm_info(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    const uint64_t i = args[0];

    (void)hart;
    if (i >= KVM_COUNTERS || i == 1)
        return kvm_answer(CS_SBI_ERR_INVALID_PARAM, 0);
    if (i >= kvm->nr)
        return kvm_answer(CS_SBI_SUCCESS, 0);
    const uint64_t type = kvm->counters[i].firmware ? (uint64_t)1 << 63 : CSR_CYCLE + i;
    return kvm_answer(CS_SBI_SUCCESS, type | (uint64_t)kvm->counters[i].width << 12);
}

static cs_sbi_ret kvm_count(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    (void)hart;
    (void)args;
    return kvm_answer(CS_SBI_SUCCESS, kvm->nr);
}

static cs_sbi_ret read_firmware(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    kvm_counter *c = args[0] < kvm->nr && args[0] != 1 ? &kvm->counters[args[0]] : NULL;

    if (c == NULL || !(c->firmware ? c->used : kvm_is_open(c)))
        return kvm_answer(CS_SBI_ERR_INVALID_PARAM, 0);
    return kvm_answer(CS_SBI_SUCCESS, cs_kvm_look(c, hart));
}

static cs_sbi_ret kvm_refuse(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    (void)kvm;
    (void)hart;
    (void)args;
    return kvm_answer(CS_SBI_ERR_INVALID_PARAM, 0);
}

static cs_sbi_ret pmu_call(cs_kvm *kvm, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    static cs_sbi_ret (*const functions[])(cs_kvm *, cs_hart *, const uint64_t *) = {
        [CS_SBI_PMU_NUM_COUNTERS] = kvm_count,
        [CS_SBI_PMU_COUNTER_GET_INFO] = kvm_info,
        [CS_SBI_PMU_COUNTER_CONFIG_MATCHING] = config_matching,
        [CS_SBI_PMU_COUNTER_START] = kvm_start,
        [CS_SBI_PMU_COUNTER_STOP] = kvm_stop,
        [CS_SBI_PMU_COUNTER_FW_READ] = read_firmware,
        [CS_SBI_PMU_COUNTER_FW_READ_HI] = kvm_refuse,
        [CS_SBI_PMU_SNAPSHOT_SET_SHMEM] = cs_kvm_set_page,
        [CS_SBI_PMU_EVENT_GET_INFO] = cs_kvm_event_info,
    };

    if (kvm->nr == 0 || fid >= sizeof functions / sizeof functions[0])
        return kvm_answer(CS_SBI_ERR_NOT_SUPPORTED, 0);
    return functions[fid](kvm, hart, args);
}

static cs_sbi_ret base_call(const cs_kvm *kvm, uint64_t fid, const uint64_t args[6])
{
    switch (fid) {
    case CS_SBI_BASE_GET_SPEC_VERSION:
        return kvm_answer(CS_SBI_SUCCESS, KVM_VERSION);
    case CS_SBI_BASE_PROBE_EXTENSION:
        return kvm_answer(CS_SBI_SUCCESS, args[0] == CS_SBI_EID_PMU && kvm->nr != 0);
    default:
        return kvm_answer(CS_SBI_ERR_NOT_SUPPORTED, 0);
    }
}

/* ---- exits ---- */

static void leave_guest(cs_kvm *kvm, cs_hart *hart, uint64_t *of)
{
    kvm->figures.exits++;
    (*of)++;
    cs_hart_work(hart, kvm->config.exit_cycles);
}

static cs_sbi_ret kvm_call(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                           const uint64_t args[6])
{
    cs_kvm *kvm = ctx;
    const cs_hart_track guest = cs_hart_trap(hart, CS_HART_KERNEL);
    cs_sbi_ret ret = {CS_SBI_ERR_NOT_SUPPORTED, 0};

    leave_guest(kvm, hart, &kvm->figures.calls);
    cs_hart_work(hart, kvm->config.call_cycles);
    if (eid == CS_SBI_EID_PMU)
        ret = pmu_call(kvm, hart, fid, args);
    else if (eid == CS_SBI_EID_BASE)
        ret = base_call(kvm, fid, args);
    cs_hart_return(hart, guest);
    return ret;
}

/* A guest's read of a counter traps: hcounteren has none. */
static bool kvm_emulate(void *ctx, cs_hart *hart, uint16_t csr, cs_hpm_op op, uint64_t value,
                        uint64_t *old)
{
    cs_kvm *kvm = ctx;
    const unsigned i = csr - CSR_CYCLE;

    (void)value;
    if (op != CS_HPM_OP_READ || csr < CSR_CYCLE || i >= kvm->nr_hardware || i == 1 ||
        !kvm_is_open(&kvm->counters[i]))
        return false;
    const cs_hart_track guest = cs_hart_trap(hart, CS_HART_KERNEL);
    leave_guest(kvm, hart, &kvm->figures.reads);
    cs_hart_work(hart, kvm->config.call_cycles);
    *old = cs_kvm_look(&kvm->counters[i], hart);
    cs_hart_return(hart, guest);
    return true;
}

void cs_kvm_interrupted(cs_kvm *kvm, cs_hart *hart)
{
    leave_guest(kvm, hart, &kvm->figures.interrupts);
}

/* ---- boot ---- */

/* As many as the host has, one behind the other whatever holes it has; index 1 is the time's. */
static void kvm_number(cs_kvm *kvm)
{
    const cs_riscv_pmu *host = kvm->config.host;
    unsigned hardware = 0, width = 0;

    for (unsigned i = 0; i < KVM_COUNTERS; i++) {
        if (cs_riscv_pmu_csr(host, i) == 0)
            continue;
        hardware++;
        if (i > 2 && width == 0)
            width = cs_riscv_pmu_width(host, i);
    }
    if (hardware == 0 || width == 0)
        return;
    kvm->nr_hardware = hardware + 1 < HARDWARE_MOST ? hardware + 1 : HARDWARE_MOST;
    kvm->nr = kvm->nr_hardware + KVM_FIRMWARE_EVENTS;
    for (unsigned i = 0; i < kvm->nr; i++)
        kvm->counters[i] = (kvm_counter){
            .kvm = kvm,
            .number = i,
            .firmware = i >= kvm->nr_hardware,
            .width = (uint8_t)(i < 3 || i >= kvm->nr_hardware ? 63 : width - 1),
        };
}

void cs_kvm_boot(cs_kvm *kvm, cs_hart *hart)
{
    kvm_number(kvm);
    cs_hart_emulate(hart, kvm_emulate, kvm);
    cs_hart_csr_write(hart, CSR_HCOUNTEREN, TIME);
    cs_hart_csr_clear(hart, CSR_HIDELEG, LCOFI);
    if (kvm->config.interrupts)
        cs_hart_csr_set(hart, CSR_HVIEN, LCOFI);
}

/* ---- create, destroy ---- */

cs_status cs_kvm_create(const cs_kvm_config *config, cs_kvm **out, cs_diag *diag)
{
    cs_kvm *kvm = calloc(1, sizeof *kvm);

    *out = kvm;
    if (kvm == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a hypervisor");
    kvm->config = *config;
    kvm->snapshot = NO_PAGE;
    return CS_OK;
}

void cs_kvm_destroy(cs_kvm *kvm)
{
    free(kvm);
}

cs_sbi cs_kvm_interface(cs_kvm *kvm)
{
    return (cs_sbi){kvm_call, kvm};
}

int cs_kvm_host_counter(const cs_kvm *kvm, unsigned number)
{
    const kvm_counter *c = &kvm->counters[number];

    return kvm_is_open(c) && cs_hart_event_is_on(&c->event) ? (int)c->host : -1;
}

const cs_kvm_figures *cs_kvm_get_figures(const cs_kvm *kvm)
{
    return &kvm->figures;
}

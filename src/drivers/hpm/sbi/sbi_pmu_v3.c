// SPDX-License-Identifier: Apache-2.0
/* The SBI proposal of July 2020 (docs/sources.md). Its errors have no numbers; these are decided in
 * docs/drivers/sbi_pmu.md. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define LAST_SOFTWARE 11u
#define LAST_GENERAL 9u
#define SOFTWARE_CSR 0xfffu
#define SOFTWARE_BITS 64u

typedef cs_sbi_ret (*v3_function)(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);

/* ---- events ---- */

/* The ratified event_idx: general events count from 1 there. CS_SBI_NO_EVENT: there is none. */
static uint32_t sbi_v3_ratified(const cs_sbi_pmu *fw, uint64_t event)
{
    const uint32_t code = CS_SBI_EVENT_CODE((uint32_t)event);

    if (event >> 20 != 0)
        return CS_SBI_NO_EVENT;
    switch (CS_SBI_EVENT_TYPE((uint32_t)event)) {
    case CS_SBI_TYPE_HW:
        return code <= LAST_GENERAL ? code + 1 : CS_SBI_NO_EVENT;
    case CS_SBI_TYPE_CACHE:
    case CS_SBI_TYPE_RAW:
        return cs_sbi_event_kind(fw, event) != CS_SBI_KIND_NONE ? (uint32_t)event : CS_SBI_NO_EVENT;
    default:
        return CS_SBI_NO_EVENT;
    }
}

static bool is_software(uint64_t event)
{
    return event >> 16 == CS_SBI_TYPE_FW && CS_SBI_EVENT_CODE((uint32_t)event) <= LAST_SOFTWARE;
}

static bool can_count(const cs_sbi_pmu *fw, uint64_t index, uint64_t event, uint64_t info)
{
    const uint32_t known = sbi_v3_ratified(fw, event);

    if (cs_sbi_is_firmware(fw, index))
        return is_software(event);
    if (known == CS_SBI_NO_EVENT)
        return false;
    return (cs_sbi_event_counters(fw, known, info) >> index & 1) != 0;
}

/* "lower 20bits are event_idx and upper XLEN-20 bits are lower XLEN-20 bits of event_info" */
static uint64_t select_of(const cs_sbi_pmu *fw, uint64_t event, uint64_t info)
{
    uint64_t value;

    if (CS_SBI_EVENT_TYPE((uint32_t)event) == CS_SBI_TYPE_RAW)
        return info;
    value = cs_riscv_pmu_map_select(&fw->map, sbi_v3_ratified(fw, event));
    if (value != 0)
        return value;
    value = event | info << 20;
    return fw->xlen == 32 ? (uint32_t)value : value;
}

static void set_event(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, uint64_t event, uint64_t info)
{
    fw->counters[index].event_idx = (uint32_t)event;
    fw->counters[index].data = info;
    if (!cs_sbi_is_firmware(fw, index) && index > 2)
        cs_sbi_event_write(fw, hart, (unsigned)index, select_of(fw, event, info));
}

/* ---- the cell ---- */

static bool sbi_v3_post(const cs_sbi_counter *counter, cs_hart *hart)
{
    return !counter->has_address ||
           cs_hart_store64(hart, counter->address, counter->cell.value) == CS_BUS_OKAY;
}

void cs_sbi_v3_event(cs_sbi_pmu *fw, cs_hart *hart, unsigned code, uint64_t count)
{
    for (unsigned i = fw->nr_hardware; i < fw->nr_counters; i++) {
        cs_sbi_counter *counter = &fw->counters[i];

        if (!counter->cell.started || counter->event_idx != (CS_SBI_TYPE_FW << 16 | code))
            continue;
        counter->cell.value += count;
        sbi_v3_post(counter, hart);
    }
}

/* ---- the calls ---- */

static cs_sbi_ret num_counters(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    (void)hart;
    (void)args;
    return cs_sbi_value_of(fw->nr_counters);
}

static cs_sbi_ret get_csr(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    (void)hart;
    if (!cs_sbi_is_counter(fw, args[0]))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (cs_sbi_is_firmware(fw, args[0]))
        return cs_sbi_value_of(SOFTWARE_CSR | SOFTWARE_BITS << 12);
    return cs_sbi_value_of((0xc00u + args[0]) | (uint64_t)fw->width[args[0]] << 12);
}

/* The counters of hardware that can count the event and that mcounteren opens, as a mask. */
static uint64_t sbi_v3_able(const cs_sbi_pmu *fw, cs_hart *hart, uint64_t event, uint64_t info)
{
    const uint32_t open = (uint32_t)cs_hart_csr_read(hart, CS_CSR_MCOUNTEREN);
    uint64_t mask = 0;

    for (unsigned i = 0; i < fw->nr_hardware; i++)
        if (cs_sbi_is_counter(fw, i) && (open >> i & 1) && can_count(fw, i, event, info))
            mask |= UINT64_C(1) << i;
    return mask;
}

/* The lowest counter that stands and can count the event. Who owns it the firmware does not know. */
static cs_sbi_ret set_event_of_any(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const uint64_t stands = cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT);
    uint64_t left = sbi_v3_able(fw, hart, args[1], args[2]) & stands;

    for (unsigned i = fw->nr_hardware; i < fw->nr_counters && left == 0; i++)
        if (!fw->counters[i].cell.started && can_count(fw, i, args[1], args[2])) {
            set_event(fw, hart, i, args[1], args[2]);
            return cs_sbi_value_of(i);
        }
    if (left == 0)
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    set_event(fw, hart, cs_sbi_first(left), args[1], args[2]);
    return cs_sbi_value_of(cs_sbi_first(left));
}

static cs_sbi_ret counter_set_event(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const cs_riscv_set_event form = fw->config.set_event;

    if (!cs_sbi_is_counter(fw, args[0]))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (form == CS_RISCV_SET_EVENT_BOOLEAN && args[3] != 0)
        return set_event_of_any(fw, hart, args);
    if (can_count(fw, args[0], args[1], args[2])) {
        set_event(fw, hart, args[0], args[1], args[2]);
        return cs_sbi_value_of(form == CS_RISCV_SET_EVENT_BOOLEAN ? args[0] : 0);
    }
    return (cs_sbi_ret){
        .error = CS_SBI_ERR_NOT_SUPPORTED,
        .value = form == CS_RISCV_SET_EVENT_MASK ? sbi_v3_able(fw, hart, args[1], args[2]) : 0};
}

static cs_sbi_ret set_phys_addr(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    (void)hart;
    if (!cs_sbi_is_firmware(fw, args[0]) || args[1] % 8 != 0)
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (!cs_sbi_in_memory(fw, args[1], 8))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_ADDRESS);
    fw->counters[args[0]].has_address = true;
    fw->counters[args[0]].address = args[1];
    return cs_sbi_value_of(0);
}

static cs_sbi_ret sbi_v3_start(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const uint64_t index = args[0], value = cs_sbi_wide(fw, args, 1);
    cs_sbi_counter *counter;

    if (!cs_sbi_is_counter(fw, index))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (cs_sbi_is_firmware(fw, index)) {
        counter = &fw->counters[index];
        counter->cell = (cs_sbi_cell){.value = value, .started = true};
        return cs_sbi_error_of(sbi_v3_post(counter, hart) ? CS_SBI_SUCCESS : CS_SBI_ERR_FAILED);
    }
    cs_sbi_arm(fw, hart, (unsigned)index);
    cs_sbi_counter_write(fw, hart, (unsigned)index, value);
    cs_hart_csr_clear(hart, CS_CSR_MCOUNTINHIBIT, UINT64_C(1) << index);
    return cs_sbi_value_of(0);
}

static cs_sbi_ret sbi_v3_stop(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    if (!cs_sbi_is_counter(fw, args[0]))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (cs_sbi_is_firmware(fw, args[0]))
        fw->counters[args[0]].cell.started = false;
    else
        cs_hart_csr_set(hart, CS_CSR_MCOUNTINHIBIT, UINT64_C(1) << args[0]);
    return cs_sbi_value_of(0);
}

static cs_sbi_ret config_matching(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    cs_sbi_set set;

    if (!cs_sbi_set_of(fw, args[0], args[1], &set))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    for (uint64_t left = set.mask; left != 0; left &= left - 1) {
        const uint64_t index = set.base + cs_sbi_first(left);

        if (can_count(fw, index, args[2], args[3])) {
            set_event(fw, hart, index, args[2], args[3]);
            return cs_sbi_value_of(index);
        }
    }
    return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
}

cs_sbi_ret cs_sbi_v3_call(cs_sbi_pmu *fw, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    static const v3_function functions[] = {
        [CS_SBI_V3_NUM_COUNTERS] = num_counters,
        [CS_SBI_V3_COUNTER_GET_CSR] = get_csr,
        [CS_SBI_V3_COUNTER_SET_EVENT] = counter_set_event,
        [CS_SBI_V3_COUNTER_SET_PHYS_ADDR] = set_phys_addr,
        [CS_SBI_V3_COUNTER_START] = sbi_v3_start,
        [CS_SBI_V3_COUNTER_STOP] = sbi_v3_stop,
        [CS_SBI_V3_COUNTER_CONFIG_MATCHING] = config_matching,
    };

    if (fid >= sizeof functions / sizeof functions[0])
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    return functions[fid](fw, hart, args);
}

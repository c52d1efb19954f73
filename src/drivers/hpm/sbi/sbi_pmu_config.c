// SPDX-License-Identifier: Apache-2.0
/* CONFIG_MATCHING. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

/* ---- SKIP_MATCH ---- */

/* CS_SBI_NO_COUNTER: there is no first. */
static uint64_t first_of(const cs_sbi_pmu *fw, const cs_sbi_request *r)
{
    if (cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_TAKES_BASE))
        return r->base;
    return r->set.mask != 0 ? cs_sbi_index(fw, r->set, cs_sbi_first(r->set.mask))
                            : CS_SBI_NO_COUNTER;
}

/* The first of the set, as it is. */
static cs_sbi_error skip_match(cs_sbi_pmu *fw, const cs_sbi_request *r, uint64_t *index)
{
    *index = first_of(fw, r);
    if (!cs_sbi_is_counter(fw, *index))
        return CS_SBI_ERR_INVALID_PARAM;
    if (!cs_sbi_is_configured(fw, *index)) {
        if (cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_NEEDS_EVENT))
            return CS_SBI_ERR_INVALID_PARAM;
        if (cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_FAILS))
            return CS_SBI_ERR_FAILED;
    }
    if (cs_sbi_is_firmware(fw, *index) != (r->kind == CS_SBI_KIND_FIRMWARE) &&
        !cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_NEEDS_EVENT))
        return CS_SBI_ERR_NOT_SUPPORTED;
    return CS_SBI_SUCCESS;
}

/* ---- configuring ---- */

static void sbi_configure(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, const cs_sbi_request *r)
{
    cs_sbi_counter *counter = &fw->counters[index];
    const bool filters = index <= 2 ? fw->config.smcntrpmf : fw->config.sscofpmf;

    counter->event_idx = (uint32_t)r->event_idx;
    /* Only the platform's events have data; elsewhere it may be there unchecked. */
    counter->data = CS_SBI_EVENT_CODE(counter->event_idx) == CS_SBI_FW_PLATFORM ? r->data : 0;
    if (r->kind == CS_SBI_KIND_FIRMWARE) {
        if (cs_sbi_is_unit_event(fw, r->event_idx, r->data))
            cs_sbi_unit_take(fw, hart, index, r->data);
        return;
    }
    counter->selected = cs_sbi_event_select(fw, r->event_idx, r->data);
    if (filters)
        counter->selected |= cs_sbi_filters_of(r->flags);
    cs_sbi_event_write(
        fw, hart, (unsigned)index,
        counter->selected |
            (fw->config.sscofpmf && cs_sbi_deviates(fw, CS_SBI_DEV_OF_PRESET) ? CS_SBI_OF : 0));
}

static void clear_and_start(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, const cs_sbi_request *r)
{
    const bool clear = (r->flags & CS_SBI_CFG_CLEAR_VALUE) != 0;
    const bool start = (r->flags & CS_SBI_CFG_AUTO_START) != 0;

    /* After SKIP_MATCH it may be a counter of the other kind: nothing can be done with it. */
    if (cs_sbi_is_firmware(fw, index) != (r->kind == CS_SBI_KIND_FIRMWARE))
        return;
    if (r->kind == CS_SBI_KIND_FIRMWARE) {
        cs_sbi_cell *cell = cs_sbi_cell_for(fw, index, CS_SBI_EVENT_CODE((uint32_t)r->event_idx));

        if (clear)
            cell->value = 0;
        if (start && cs_sbi_unit_begin(fw, hart, index))
            cell->started = true;
        return;
    }
    if (cs_sbi_deviates(fw, CS_SBI_DEV_GENERAL_ONLY) &&
        CS_SBI_EVENT_TYPE(r->event_idx) != CS_SBI_TYPE_HW)
        return;
    if (clear)
        cs_sbi_counter_write(fw, hart, (unsigned)index, 0);
    if (start)
        cs_sbi_arm_and_enable(fw, hart, (unsigned)index);
}

static bool is_event(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    const cs_sbi_kind kind = cs_sbi_event_kind(fw, event_idx);

    return kind != CS_SBI_KIND_NONE && cs_sbi_event_data_valid(fw, event_idx, data) &&
           (kind != CS_SBI_KIND_FIRMWARE || cs_sbi_event_in_firmware(fw, event_idx, data));
}

static cs_sbi_error sbi_find(cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_request *r,
                             uint64_t *index)
{
    cs_sbi_error error = CS_SBI_SUCCESS;
    const bool skips = (r->flags & CS_SBI_CFG_SKIP_MATCH) != 0;

    if (skips)
        error = skip_match(fw, r, index);
    else if (r->kind == CS_SBI_KIND_FIRMWARE)
        *index = cs_sbi_choose_firmware(fw, r);
    else
        *index = cs_sbi_choose_hardware(fw, hart, r);
    if (error != CS_SBI_SUCCESS)
        return error;
    if (*index == CS_SBI_NO_COUNTER)
        return CS_SBI_ERR_NOT_SUPPORTED;
    if (cs_sbi_is_unit_event(fw, r->event_idx, r->data) &&
        !cs_sbi_unit_has_room(fw, *index, r->data))
        return CS_SBI_ERR_NOT_SUPPORTED;
    if (cs_sbi_is_firmware(fw, *index))
        cs_sbi_unit_release(fw, hart, *index);
    if (!skips || !cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_NEEDS_EVENT))
        sbi_configure(fw, hart, *index, r);
    return CS_SBI_SUCCESS;
}

cs_sbi_ret cs_sbi_config_matching(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const uint64_t flags = args[2];
    cs_sbi_request r = {.base = args[0],
                        .flags = (uint32_t)flags,
                        .event_idx = cs_sbi_event_taken(fw, args[3]),
                        .data = cs_sbi_wide(fw, args, 4)};
    cs_sbi_error error;
    uint64_t index;

    if ((flags & ~(uint64_t)CS_SBI_CFG_ALL) != 0 &&
        !cs_sbi_deviates(fw, CS_SBI_DEV_RESERVED_UNCHECKED))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (!cs_sbi_set_of(fw, args[0], args[1], &r.set))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (!is_event(fw, r.event_idx, r.data))
        return cs_sbi_error_of(cs_sbi_deviates(fw, CS_SBI_DEV_UNKNOWN_EVENT_INVALID)
                                   ? CS_SBI_ERR_INVALID_PARAM
                                   : CS_SBI_ERR_NOT_SUPPORTED);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_MINH_IMPLIED))
        r.flags |= CS_SBI_CFG_SET_MINH;
    r.kind = cs_sbi_event_kind(fw, r.event_idx);
    error = sbi_find(fw, hart, &r, &index);
    if (error != CS_SBI_SUCCESS)
        return cs_sbi_error_of(error);
    clear_and_start(fw, hart, index, &r);
    return cs_sbi_value_of(index);
}

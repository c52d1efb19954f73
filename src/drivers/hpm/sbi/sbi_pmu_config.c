/* CONFIG_MATCHING. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define NO_COUNTER UINT64_MAX

/* What a call asks for. */
typedef struct request {
    cs_sbi_set set;
    uint32_t flags;
    uint32_t event_idx;
    uint64_t data;
    cs_sbi_kind kind;
} request;

static uint64_t filters_of(uint32_t flags)
{
    static const struct {
        uint32_t flag;
        unsigned bit; /* of mhpmevent, mcyclecfg, minstretcfg */
    } filters[] = {
        {CS_SBI_CFG_SET_MINH, 62},  {CS_SBI_CFG_SET_SINH, 61},  {CS_SBI_CFG_SET_UINH, 60},
        {CS_SBI_CFG_SET_VSINH, 59}, {CS_SBI_CFG_SET_VUINH, 58},
    };
    uint64_t bits = 0;

    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if ((flags & filters[i].flag) != 0)
            bits |= UINT64_C(1) << filters[i].bit;
    return bits;
}

/* ---- choosing ---- */

static uint64_t choose_firmware(cs_sbi_pmu *fw, const request *r)
{
    for (uint64_t left = r->set.mask; left != 0; left &= left - 1) {
        const uint64_t index = r->set.base + cs_sbi_first(left);
        const bool taken = cs_sbi_deviates(fw, CS_SBI_DEV_MAPPED_TAKEN)
                               ? cs_sbi_is_configured(fw, index)
                               : cs_sbi_cell_of(fw, index)->started;

        if (cs_sbi_is_firmware(fw, index) && !taken)
            return index;
    }
    return NO_COUNTER;
}

static uint32_t with_events(const cs_sbi_pmu *fw)
{
    uint32_t mapped = 0;

    for (unsigned n = 0; n < fw->nr_hardware; n++)
        if (fw->counters[n].event_idx != CS_SBI_NO_EVENT)
            mapped |= 1u << n;
    return mapped;
}

/* Where some counters can filter, one that cannot is no match for a request with filters. */
static bool fixed_will_do(const cs_sbi_pmu *fw, uint32_t flags)
{
    return filters_of(flags) == 0 || !fw->config.sscofpmf || fw->config.smcntrpmf ||
           cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_UNFILTERED);
}

static uint64_t choose_hardware(const cs_sbi_pmu *fw, cs_hart *hart, const request *r)
{
    const uint32_t can = cs_sbi_event_counters(fw, r->event_idx, r->data);
    uint32_t stands = (uint32_t)cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT), free, fixed;

    if (cs_sbi_deviates(fw, CS_SBI_DEV_MAPPED_TAKEN))
        stands &= ~with_events(fw);
    free = can & stands & cs_sbi_set_hardware(fw, r->set);
    fixed = cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_FROM_OUTSIDE) ? can : free;
    fixed = fixed_will_do(fw, r->flags) ? fixed & CS_SBI_FIXED : 0;
    free &= ~CS_SBI_FIXED;
    /* With Sscofpmf one that can overflow is better. */
    if (fixed != 0 && (free == 0 || !fw->config.sscofpmf))
        return cs_sbi_first(fixed);
    if (free == 0)
        return NO_COUNTER;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_HIGHEST_FIRST))
        return 31u - (unsigned)__builtin_clz(free);
    return cs_sbi_first(free);
}

/* The first of the set, as it is. */
static cs_sbi_error skip_match(cs_sbi_pmu *fw, const request *r, uint64_t *index)
{
    *index = r->set.base + cs_sbi_first(r->set.mask);
    if (!cs_sbi_is_counter(fw, *index))
        return CS_SBI_ERR_INVALID_PARAM;
    if (!cs_sbi_is_configured(fw, *index)) {
        if (cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_NEEDS_EVENT))
            return CS_SBI_ERR_INVALID_PARAM;
        if (cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_FAILS))
            return CS_SBI_ERR_FAILED;
    }
    if (cs_sbi_is_firmware(fw, *index) != (r->kind == CS_SBI_KIND_FIRMWARE))
        return CS_SBI_ERR_NOT_SUPPORTED;
    return CS_SBI_SUCCESS;
}

/* ---- configuring ---- */

static void configure(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, const request *r)
{
    cs_sbi_counter *counter = &fw->counters[index];
    const bool filters = index <= 2 ? fw->config.smcntrpmf : fw->config.sscofpmf;

    counter->event_idx = r->event_idx;
    /* Only the platform's events have data; elsewhere it may be there unchecked. */
    counter->data = CS_SBI_EVENT_CODE(r->event_idx) == CS_SBI_FW_PLATFORM ? r->data : 0;
    if (r->kind == CS_SBI_KIND_FIRMWARE)
        return;
    counter->selected = cs_sbi_event_select(fw, r->event_idx, r->data);
    if (filters)
        counter->selected |= filters_of(r->flags);
    cs_sbi_event_write(
        fw, hart, (unsigned)index,
        counter->selected |
            (fw->config.sscofpmf && cs_sbi_deviates(fw, CS_SBI_DEV_OF_PRESET) ? CS_SBI_OF : 0));
}

static void clear_and_start(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, const request *r)
{
    const bool clear = (r->flags & CS_SBI_CFG_CLEAR_VALUE) != 0;
    const bool start = (r->flags & CS_SBI_CFG_AUTO_START) != 0;

    if (r->kind == CS_SBI_KIND_FIRMWARE) {
        cs_sbi_cell *cell = cs_sbi_cell_of(fw, index);

        if (clear)
            cell->value = 0;
        if (start)
            cell->started = true;
        return;
    }
    if (cs_sbi_deviates(fw, CS_SBI_DEV_GENERAL_ONLY) &&
        CS_SBI_EVENT_TYPE(r->event_idx) != CS_SBI_TYPE_HW)
        return;
    if (clear)
        cs_sbi_counter_write(fw, hart, (unsigned)index, 0);
    if (start) {
        cs_sbi_arm(fw, hart, (unsigned)index);
        cs_sbi_enable(fw, hart, 1u << index);
    }
}

static bool is_event(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    return cs_sbi_event_kind(fw, event_idx) != CS_SBI_KIND_NONE &&
           (cs_sbi_event_data_valid(fw, event_idx, data) ||
            cs_sbi_deviates(fw, CS_SBI_DEV_RESERVED_UNCHECKED)) &&
           (cs_sbi_event_kind(fw, event_idx) != CS_SBI_KIND_FIRMWARE ||
            cs_sbi_event_in_firmware(fw, event_idx, data));
}

cs_sbi_ret cs_sbi_config_matching(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    request r = {.set = {args[0], args[1]}, .data = cs_sbi_wide(fw, args, 4)};
    const uint64_t flags = args[2], event_idx = args[3];
    uint64_t index;

    if ((flags & ~(uint64_t)CS_SBI_CFG_ALL) != 0 &&
        !cs_sbi_deviates(fw, CS_SBI_DEV_RESERVED_UNCHECKED))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (!cs_sbi_set_valid(fw, r.set))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (!is_event(fw, event_idx, r.data))
        return cs_sbi_error_of(cs_sbi_deviates(fw, CS_SBI_DEV_UNKNOWN_EVENT_INVALID)
                                   ? CS_SBI_ERR_INVALID_PARAM
                                   : CS_SBI_ERR_NOT_SUPPORTED);
    r.flags = (uint32_t)flags;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_MINH_IMPLIED))
        r.flags |= CS_SBI_CFG_SET_MINH;
    r.event_idx = (uint32_t)event_idx;
    r.kind = cs_sbi_event_kind(fw, event_idx);

    if ((flags & CS_SBI_CFG_SKIP_MATCH) != 0) {
        const cs_sbi_error error = skip_match(fw, &r, &index);

        if (error != CS_SBI_SUCCESS)
            return cs_sbi_error_of(error);
        if (!cs_sbi_deviates(fw, CS_SBI_DEV_SKIP_NEEDS_EVENT))
            configure(fw, hart, index, &r);
    } else {
        index = r.kind == CS_SBI_KIND_FIRMWARE ? choose_firmware(fw, &r)
                                               : choose_hardware(fw, hart, &r);
        if (index == NO_COUNTER)
            return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
        configure(fw, hart, index, &r);
    }
    clear_and_start(fw, hart, index, &r);
    return cs_sbi_value_of(index);
}

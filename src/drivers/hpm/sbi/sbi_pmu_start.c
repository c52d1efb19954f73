// SPDX-License-Identifier: Apache-2.0
/* COUNTER_START. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define FLAGS (CS_SBI_START_SET_INIT_VALUE | CS_SBI_START_INIT_SNAPSHOT)

/* A call under way. */
typedef struct start {
    bool has_value;
    uint64_t value;
    bool looked; /* `inhibited` is what mcountinhibit was */
    uint32_t inhibited;
    uint32_t ready; /* to be enabled at the end */
} start;

static cs_sbi_error start_firmware(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, const start *s)
{
    cs_sbi_cell *cell = cs_sbi_cell_of(fw, index);

    if (cell->started && !cs_sbi_deviates(fw, CS_SBI_DEV_FW_NEVER_ALREADY))
        return CS_SBI_ERR_ALREADY_STARTED;
    if (s->has_value)
        cell->value = s->value;
    if (!cs_sbi_unit_begin(fw, hart, index))
        return CS_SBI_ERR_FAILED;
    cell->started = true;
    return CS_SBI_SUCCESS;
}

/* mhpmevent anew, as some firmware has it. */
static void rewrite_event(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n)
{
    const bool lost = cs_sbi_deviates(fw, CS_SBI_DEV_FILTERS_LOST);
    const bool anew = cs_sbi_deviates(fw, CS_SBI_DEV_START_REWRITES) && fw->config.sscofpmf;
    uint64_t value = fw->counters[n].selected;

    if (n <= 2 || (!lost && !anew))
        return;
    if (lost)
        value &= CS_SBI_EVENT_BITS;
    cs_sbi_event_write(fw, hart, n, value | (anew ? CS_SBI_OF : 0));
}

/* The value and OF come before the counter counts (but for value_late). */
static cs_sbi_error start_hardware(cs_sbi_pmu *fw, cs_hart *hart, unsigned n, start *s)
{
    const bool late = cs_sbi_deviates(fw, CS_SBI_DEV_VALUE_LATE);
    const bool at_once = late || cs_sbi_deviates(fw, CS_SBI_DEV_ONE_BY_ONE);

    rewrite_event(fw, hart, n);
    if (!s->looked || at_once)
        s->inhibited = (uint32_t)cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT);
    s->looked = true;
    if ((s->inhibited >> n & 1) == 0)
        return CS_SBI_ERR_ALREADY_STARTED;
    cs_sbi_arm(fw, hart, n);
    if (s->has_value && !late)
        cs_sbi_counter_write(fw, hart, n, s->value);
    if (at_once)
        cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, s->inhibited & ~(1u << n));
    else
        s->ready |= 1u << n;
    if (s->has_value && late)
        cs_sbi_counter_write(fw, hart, n, s->value);
    return CS_SBI_SUCCESS;
}

static cs_sbi_error sbi_start_check(const cs_sbi_pmu *fw, bool valid, uint64_t flags)
{
    const bool snapshots = cs_sbi_has_snapshots(fw);
    const uint64_t known = snapshots ? FLAGS : CS_SBI_START_SET_INIT_VALUE;

    if (((flags & ~known) != 0 || (flags & FLAGS) == FLAGS) &&
        !cs_sbi_deviates(fw, CS_SBI_DEV_RESERVED_UNCHECKED))
        return CS_SBI_ERR_INVALID_PARAM;
    if (!valid)
        return CS_SBI_ERR_INVALID_PARAM;
    if (snapshots && (flags & CS_SBI_START_INIT_SNAPSHOT) != 0 && !fw->page_set)
        return CS_SBI_ERR_NO_SHMEM;
    return CS_SBI_SUCCESS;
}

cs_sbi_ret cs_sbi_counter_start(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const bool last = cs_sbi_deviates(fw, CS_SBI_DEV_LAST_RESULT);
    const bool given = (args[2] & CS_SBI_START_SET_INIT_VALUE) != 0;
    const bool load = cs_sbi_has_snapshots(fw) && (args[2] & CS_SBI_START_INIT_SNAPSHOT) != 0;
    start s = {.has_value = given || load, .value = cs_sbi_wide(fw, args, 3)};
    uint64_t values[CS_SBI_SLOTS];
    cs_sbi_set set;
    cs_sbi_error error = sbi_start_check(fw, cs_sbi_set_of(fw, args[0], args[1], &set), args[2]);

    if (error != CS_SBI_SUCCESS)
        return cs_sbi_error_of(error);
    if (load && !cs_sbi_page_load(fw, hart, set.mask, values))
        return cs_sbi_error_of(CS_SBI_ERR_FAILED);
    if (last)
        error = CS_SBI_ERR_INVALID_PARAM;
    for (uint64_t left = set.mask; left != 0; left &= left - 1) {
        const unsigned slot = cs_sbi_first(left);
        const uint64_t index = cs_sbi_index(fw, set, slot);
        cs_sbi_error one;

        if (cs_sbi_passed_over(fw, index))
            continue;
        if (load && !given)
            s.value = values[slot];
        one = cs_sbi_is_firmware(fw, index) ? start_firmware(fw, hart, index, &s)
                                            : start_hardware(fw, hart, (unsigned)index, &s);
        if (last || one != CS_SBI_SUCCESS)
            error = one;
    }
    if (s.ready != 0)
        cs_sbi_enable(hart, s.ready);
    return cs_sbi_error_of(error);
}

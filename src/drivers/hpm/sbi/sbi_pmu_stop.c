// SPDX-License-Identifier: Apache-2.0
/* COUNTER_STOP. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define FLAGS (CS_SBI_STOP_RESET | CS_SBI_STOP_TAKE_SNAPSHOT)

/* A call under way. */
typedef struct stop {
    bool one_by_one;
    uint32_t stood;  /* counters of hardware that did before */
    uint64_t failed; /* slots of those that were ALREADY_STOPPED */
    bool looked;     /* `overflow` is scountovf */
    uint32_t overflow;
    cs_sbi_snapshot snapshot;
} stop;

static cs_sbi_error stop_firmware(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index)
{
    cs_sbi_cell *cell = cs_sbi_cell_of(fw, index);
    const bool started = cell->started;
    const bool looked = cs_sbi_unit_look(fw, hart, index);

    cell->started = false;
    if (!looked)
        return CS_SBI_ERR_FAILED;
    return started || cs_sbi_deviates(fw, CS_SBI_DEV_FW_NEVER_ALREADY) ? CS_SBI_SUCCESS
                                                                       : CS_SBI_ERR_ALREADY_STOPPED;
}

static cs_sbi_error stop_hardware(cs_hart *hart, unsigned n, stop *s)
{
    if (s->one_by_one) {
        s->stood = (uint32_t)cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT);
        if ((s->stood >> n & 1) == 0)
            cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, s->stood | 1u << n);
    }
    return (s->stood >> n & 1) == 0 ? CS_SBI_SUCCESS : CS_SBI_ERR_ALREADY_STOPPED;
}

static void sbi_stop_take(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, unsigned slot, stop *s)
{
    s->snapshot.slots |= UINT64_C(1) << slot;
    if (cs_sbi_is_firmware(fw, index)) {
        s->snapshot.values[slot] = cs_sbi_cell_of(fw, index)->value;
        return;
    }
    if (fw->config.sscofpmf && !s->looked) {
        s->overflow = (uint32_t)cs_hart_csr_read(hart, CS_CSR_SCOUNTOVF);
        s->looked = true;
    }
    s->snapshot.bitmap |= (uint64_t)(s->overflow >> index & 1) << slot;
    s->snapshot.values[slot] = cs_sbi_counter_read(fw, hart, (unsigned)index);
}

static void sbi_stop_reset(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index)
{
    if (index <= 2 && cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_KEEP_EVENT))
        return;
    fw->counters[index].event_idx = CS_SBI_NO_EVENT;
    fw->counters[index].selected = 0;
    if (cs_sbi_is_firmware(fw, index))
        cs_sbi_unit_release(fw, hart, index);
    if (!cs_sbi_is_firmware(fw, index) ||
        (index < CS_SBI_HARDWARE && cs_sbi_deviates(fw, CS_SBI_DEV_FW_RESET_EVENT)))
        cs_sbi_event_write(fw, hart, (unsigned)index, 0);
}

static cs_sbi_error sbi_stop_check(const cs_sbi_pmu *fw, bool valid, uint64_t flags)
{
    const bool snapshots = cs_sbi_has_snapshots(fw);
    const uint64_t known = snapshots ? FLAGS : CS_SBI_STOP_RESET;

    if ((flags & ~known) != 0 && !cs_sbi_deviates(fw, CS_SBI_DEV_RESERVED_UNCHECKED))
        return CS_SBI_ERR_INVALID_PARAM;
    if (!valid)
        return CS_SBI_ERR_INVALID_PARAM;
    if (snapshots && (flags & CS_SBI_STOP_TAKE_SNAPSHOT) != 0 && !fw->page_set)
        return CS_SBI_ERR_NO_SHMEM;
    return CS_SBI_SUCCESS;
}

/* The set without what is passed over. */
static cs_sbi_set sbi_stop_concerned(const cs_sbi_pmu *fw, cs_sbi_set set)
{
    for (uint64_t left = set.mask; left != 0; left &= left - 1)
        if (cs_sbi_passed_over(fw, cs_sbi_index(fw, set, cs_sbi_first(left))))
            set.mask &= ~(left & (~left + 1));
    return set;
}

/* Stops them all, and answers for them. */
static cs_sbi_error stop_all(cs_sbi_pmu *fw, cs_hart *hart, cs_sbi_set set, stop *s)
{
    const bool last = cs_sbi_deviates(fw, CS_SBI_DEV_LAST_RESULT);
    const uint32_t hardware = cs_sbi_set_hardware(fw, set);
    cs_sbi_error error = last ? CS_SBI_ERR_INVALID_PARAM : CS_SBI_SUCCESS;

    if (!s->one_by_one && hardware != 0)
        s->stood = (uint32_t)cs_hart_csr_set(hart, CS_CSR_MCOUNTINHIBIT, hardware);
    for (uint64_t left = set.mask; left != 0; left &= left - 1) {
        const unsigned slot = cs_sbi_first(left);
        const uint64_t index = cs_sbi_index(fw, set, slot);
        const cs_sbi_error one = cs_sbi_is_firmware(fw, index)
                                     ? stop_firmware(fw, hart, index)
                                     : stop_hardware(hart, (unsigned)index, s);

        if (one != CS_SBI_SUCCESS)
            s->failed |= UINT64_C(1) << slot;
        if (last || one != CS_SBI_SUCCESS)
            error = one;
    }
    return error;
}

static bool take_all(cs_sbi_pmu *fw, cs_hart *hart, cs_sbi_set set, stop *s)
{
    uint64_t slots = set.mask;

    if (s->failed != 0 && cs_sbi_deviates(fw, CS_SBI_DEV_ERROR_STICKS))
        slots &= (UINT64_C(1) << cs_sbi_first(s->failed)) - 1;
    for (uint64_t left = slots; left != 0; left &= left - 1)
        sbi_stop_take(fw, hart, cs_sbi_index(fw, set, cs_sbi_first(left)), cs_sbi_first(left), s);
    return cs_sbi_page_store(fw, hart, &s->snapshot);
}

cs_sbi_ret cs_sbi_counter_stop(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const bool resets = (args[2] & CS_SBI_STOP_RESET) != 0;
    const bool takes = cs_sbi_has_snapshots(fw) && (args[2] & CS_SBI_STOP_TAKE_SNAPSHOT) != 0;
    stop s = {.one_by_one = cs_sbi_deviates(fw, CS_SBI_DEV_ONE_BY_ONE)};
    cs_sbi_set set;
    cs_sbi_error error = sbi_stop_check(fw, cs_sbi_set_of(fw, args[0], args[1], &set), args[2]);

    if (error != CS_SBI_SUCCESS)
        return cs_sbi_error_of(error);
    set = sbi_stop_concerned(fw, set);
    error = stop_all(fw, hart, set, &s);
    s.snapshot.reset = resets ? set.mask : 0;
    if (takes && !take_all(fw, hart, set, &s))
        error = CS_SBI_ERR_FAILED;
    cs_sse_stopped(fw, hart);
    for (uint64_t left = s.snapshot.reset; left != 0; left &= left - 1)
        sbi_stop_reset(fw, hart, cs_sbi_index(fw, set, cs_sbi_first(left)));
    return cs_sbi_error_of(error);
}

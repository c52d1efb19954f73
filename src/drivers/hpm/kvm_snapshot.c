// SPDX-License-Identifier: Apache-2.0
/* What KVM keeps of its guest's memory: the page of snapshots, which it copies whole. */
#include <string.h>

#include "drivers/hpm/kvm_impl.h"
#include "formats/common/little.h"

#define ENTRY_BYTES 16u
#define ENTRY_OUTPUT 4u
#define ENTRY_DATA 8u
#define ENTRIES_AT_ONCE 64u

static cs_sbi_ret kvm_snapshot_answer(int64_t error)
{
    return (cs_sbi_ret){error, 0};
}

bool cs_kvm_load_page(cs_kvm *kvm, cs_hart *hart)
{
    return cs_hart_load(hart, kvm->snapshot, kvm->page, sizeof kvm->page) == CS_BUS_OKAY;
}

bool cs_kvm_store_page(cs_kvm *kvm, cs_hart *hart)
{
    return cs_hart_store(hart, kvm->snapshot, kvm->page, sizeof kvm->page) == CS_BUS_OKAY;
}

cs_sbi_ret cs_kvm_set_page(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    if (args[2] != 0)
        return kvm_snapshot_answer(CS_SBI_ERR_INVALID_PARAM);
    kvm->snapshot = NO_PAGE;
    if (args[0] == UINT64_MAX && args[1] == UINT64_MAX)
        return kvm_snapshot_answer(CS_SBI_SUCCESS);
    if (args[1] != 0)
        return kvm_snapshot_answer(CS_SBI_ERR_INVALID_ADDRESS);
    memset(kvm->page, 0, sizeof kvm->page);
    kvm->snapshot = args[0];
    if (cs_kvm_store_page(kvm, hart))
        return kvm_snapshot_answer(CS_SBI_SUCCESS);
    kvm->snapshot = NO_PAGE;
    return kvm_snapshot_answer(CS_SBI_ERR_INVALID_ADDRESS);
}

static uint8_t *kvm_snapshot_slot(cs_kvm *kvm, unsigned i)
{
    return kvm->page + CS_SBI_SNAPSHOT_VALUES + sizeof(uint64_t) * i;
}

uint64_t cs_kvm_slot(const cs_kvm *kvm, unsigned i)
{
    return cs_little_get64(kvm_snapshot_slot((cs_kvm *)kvm, i));
}

void cs_kvm_put_slot(cs_kvm *kvm, unsigned i, uint64_t value)
{
    cs_little_put64(kvm_snapshot_slot(kvm, i), value);
}

void cs_kvm_mark(cs_kvm *kvm, unsigned i, bool on)
{
    const uint64_t bit = (uint64_t)1 << i, marks = cs_little_get64(kvm->page);

    cs_little_put64(kvm->page, on ? marks | bit : marks & ~bit);
}

/* Read all, then written all. */
cs_sbi_ret cs_kvm_event_info(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6])
{
    uint8_t entries[ENTRIES_AT_ONCE * ENTRY_BYTES];
    const uint64_t address = args[0], nr = args[2];

    if (args[3] != 0 || address % ENTRY_BYTES != 0 || nr == 0 || nr > UINT64_MAX / ENTRY_BYTES)
        return kvm_snapshot_answer(CS_SBI_ERR_INVALID_PARAM);
    if (args[1] != 0)
        return kvm_snapshot_answer(CS_SBI_ERR_INVALID_ADDRESS);
    for (uint64_t at = 0; at < nr; at += ENTRIES_AT_ONCE) {
        const uint64_t now = nr - at < ENTRIES_AT_ONCE ? nr - at : ENTRIES_AT_ONCE;
        const uint64_t place = address + ENTRY_BYTES * at;

        if (cs_hart_load(hart, place, entries, now * ENTRY_BYTES) != CS_BUS_OKAY)
            return kvm_snapshot_answer(CS_SBI_ERR_FAILED);
        for (uint64_t i = 0; i < now; i++) {
            uint8_t *entry = entries + ENTRY_BYTES * i;

            cs_little_put32(
                entry + ENTRY_OUTPUT,
                cs_kvm_has_event(kvm, cs_little_get32(entry), cs_little_get64(entry + ENTRY_DATA)));
        }
        if (cs_hart_store(hart, place, entries, now * ENTRY_BYTES) != CS_BUS_OKAY)
            return kvm_snapshot_answer(CS_SBI_ERR_INVALID_ADDRESS);
    }
    return kvm_snapshot_answer(CS_SBI_SUCCESS);
}

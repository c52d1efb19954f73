// SPDX-License-Identifier: Apache-2.0
#include <countersink/scenario/hpm/riscv_bug.h>

#include <stddef.h>
#include <string.h>

static const cs_riscv_bug bugs[CS_RISCV_NR_BUGS] = {
    {"rv32_shift", CS_RISCV_BUG_RV32_SHIFT, "XLEN 32: the high half is shifted by 31"},
    {"rv32_masks", CS_RISCV_BUG_RV32_MASKS, "XLEN 32: sets of overflowed counters have 32 bits"},
    {"snapshot_base", CS_RISCV_BUG_SNAPSHOT_BASE, "counters are started from a base out of range"},
    {"spurious_stops", CS_RISCV_BUG_SPURIOUS_STOPS,
     "an interrupt without an overflow leaves the counters stopped"},
    {"stale_overflow", CS_RISCV_BUG_STALE_OVERFLOW,
     "overflow marks in the snapshot page are never cleared"},
    {"torn_read", CS_RISCV_BUG_TORN_READ, "XLEN 32: low half, then high half, no second look"},
    {"throttle_ignored", CS_RISCV_BUG_THROTTLE_IGNORED, "a throttled event goes on"},
    {"rv32_delta", CS_RISCV_BUG_RV32_DELTA,
     "XLEN 32: what was counted since the last look is cut to 32 bits"},
    {"starts_stopped", CS_RISCV_BUG_STARTS_STOPPED,
     "the overflow handler starts the counters of stopped events, too"},
};

const cs_riscv_bug *cs_riscv_bug_at(unsigned i)
{
    return i < CS_RISCV_NR_BUGS ? &bugs[i] : NULL;
}

const cs_riscv_bug *cs_riscv_bug_of(const char *name)
{
    for (unsigned i = 0; i < CS_RISCV_NR_BUGS; i++)
        if (strcmp(bugs[i].name, name) == 0)
            return &bugs[i];
    return NULL;
}

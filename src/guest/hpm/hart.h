// SPDX-License-Identifier: Apache-2.0
/* A guest's hart and our counters of it: time, events, overflows. No QEMU here.
 *
 * The hart's time is the cycles that its instructions take: each as many as its kind costs, and all that
 * an instruction counts it counts in the last of them. While the hart waits (WFI) its clock stands. Whoever
 * executes tells what was executed at the instructions where the counters must look: hart_left() says how
 * far that is in each mode. */
#ifndef CS_GUEST_HPM_HART_H
#define CS_GUEST_HPM_HART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/hpm/caches.h"
#include "guest/hpm/kinds.h"
#include <countersink/base/diag.h>
#include <countersink/models/hpm/hpm.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HART_MODES 8u   /* CS_HPM_MODE_.. */
#define HART_EVENTS 64u /* that mhpmevent can choose, from 1 */

typedef struct hart_executed {
    uint64_t of[HART_MODES][CS_RISCV_KINDS];
    uint64_t outcomes[HART_MODES][CS_RISCV_OUTCOMES];
} hart_executed;

/* What an event counts: instructions of these kinds, or their cycles; and outcomes. */
typedef struct hart_event {
    uint32_t kinds;
    bool cycles;
    uint32_t outcomes; /* CS_RISCV_OUTCOME */
} hart_event;

/* An instruction that was executed. */
typedef struct hart_instruction {
    unsigned mode, kind;
    uint32_t outcomes; /* CS_RISCV_OUTCOME: of its mode, */
    unsigned from;     /* but a trap is of the one that it came from */
} hart_instruction;

typedef struct hart hart;
struct pins;

/* `config` is copied. `cost`: cycles of a kind, 1 to 15. */
cs_status hart_create(const cs_hpm_config *config, const hart_event events[HART_EVENTS],
                      const uint8_t cost[CS_RISCV_KINDS], hart **out, cs_diag *diag);
void hart_destroy(hart *h);

/* All that has been executed up to an instruction, which was the last. */
void hart_tell(hart *h, const hart_executed *executed, hart_instruction last);
/* `executed` without it. */
hart_executed hart_before(const hart_executed *executed, hart_instruction last);

/* The CSR instruction that was told last, on one of ours. */
cs_hpm_result hart_access(hart *h, const cs_hpm_access *access);

/* Bit 13 of mip and mie, after what was told last. That of mip is up to date where that of mie is 1: else
 * nobody has to look for it. */
bool hart_pending(hart *h);
bool hart_enabled(hart *h);

/* Outcomes that a counter counts now, as bits: others need not be told. */
uint32_t hart_wanted(hart *h);

/* Bits of mhpmevent that say so, as scountovf has them. */
uint32_t hart_overflowed(hart *h);

uint64_t hart_value(hart *h, unsigned counter);

/* What a counter counts, by its registers. */
typedef struct hart_setting {
    bool counting;
    uint32_t event;
    uint32_t modes;
} hart_setting;

hart_setting hart_setting_of(hart *h, unsigned counter);

/* All instructions of a mode. */
uint64_t hart_executed_in(const hart_executed *executed, unsigned mode);

/* What would have been counted of that. */
uint64_t hart_count(const hart *h, const hart_setting *setting, const hart_executed *executed);

/* So many instructions can be executed in that mode, the last one included, until the next must be told.
 * Asked for all modes after hart_tell and hart_access. */
uint64_t hart_left(hart *h, unsigned mode);

/* The same for outcomes: so many in all, of any kind. */
uint64_t hart_outcomes_left(const hart *h);

/* From now on all that happens at the counters' pins goes there (pins.h); it must stay. */
void hart_record(hart *h, struct pins *pins);

cs_cycle hart_now(const hart *h);

/* Why it no longer holds; NULL: it does. */
const char *hart_failed(const hart *h);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What instructions of all harts bring about beside being executed (kinds.h): it is added to what was executed.
 * Branches and traps are looked at here, while a counter counts them. Licensed as qemu-plugin.h, which it
 * includes. */
#ifndef CS_GUEST_HPM_PLUGIN_OUTCOMES_H
#define CS_GUEST_HPM_PLUGIN_OUTCOMES_H

#include "guest/hpm/plugin/cells.h"
#include "guest/plugin/counts.h"

/* They go to `of` as executions do, of kinds from OUTCOMES_KIND on. */
#define OUTCOMES_KIND CS_RISCV_KINDS
void outcomes_create(counts *of);

/* Watches a block's instruction nr, at that place; to be called before it is counted. */
void outcomes_watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word, size_t nr);

/* The instruction has these outcomes. `ahead`: it is not counted yet. */
void outcomes_note(unsigned cpu, const place *p, uint32_t outcomes, bool ahead);

/* After so many the hart must look; `wanted` are those that a counter counts. */
void outcomes_plan(unsigned cpu, uint64_t left, uint32_t wanted);

/* The instruction, which was executed last, with what it brought about. */
hart_instruction outcomes_last(unsigned cpu, const place *p);

#endif

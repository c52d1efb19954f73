/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Caches and TLBs of all harts: what they miss is added to what was executed (docs/hw/caches.md). Licensed as
 * qemu-plugin.h, which it includes. */
#ifndef CS_GUEST_HPM_PLUGIN_CACHED_H
#define CS_GUEST_HPM_PLUGIN_CACHED_H

#include "guest/hpm/plugin/cells.h"
#include "guest/hpm/plugin/settings.h"
#include "guest/imc/bridge.h"
#include "guest/plugin/counts.h"

/* Misses go to `of` as executions do, of kinds from CACHED_KIND on. Memory, which the guest has from `at` on,
 * may be found later. False: no memory. */
#define CACHED_KIND CS_RISCV_KINDS
bool cached_create(const settings *s, counts *of, const bridge_memory *memory, uint64_t at);

/* Watches a block's instruction nr, at that place; to be called before it is counted. */
void cached_watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word, size_t nr);

/* After so many misses the hart must look. */
void cached_plan(unsigned cpu, uint64_t misses);

/* What the instruction that was executed last has missed, as bits. */
uint32_t cached_missed(unsigned cpu, unsigned mode);

#endif

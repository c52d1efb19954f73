/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Caches and TLBs of all harts: what they miss are outcomes (outcomes.h, docs/hw/caches.md). Licensed as
 * qemu-plugin.h, which it includes. */
#ifndef CS_GUEST_HPM_PLUGIN_CACHED_H
#define CS_GUEST_HPM_PLUGIN_CACHED_H

#include "guest/hpm/plugin/cells.h"
#include "guest/hpm/plugin/settings.h"
#include "guest/imc/bridge.h"

/* Memory, which the guest has from `at` on, may be found later. False: no memory. */
bool cached_create(const settings *s, const bridge_memory *memory, uint64_t at);

/* Watches a block's instruction nr, at that place; to be called before it is counted. */
void cached_watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word, size_t nr);

#endif

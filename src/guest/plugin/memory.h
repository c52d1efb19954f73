// SPDX-License-Identifier: Apache-2.0
/* Where the guest's memory is in QEMU's process. */
#ifndef CS_GUEST_PLUGIN_MEMORY_H
#define CS_GUEST_PLUGIN_MEMORY_H

#include <stdbool.h>

#include "guest/imc/bridge.h"

/* False: it is not there. HOMER can be found when the guest's first instruction is executed. */
bool plugin_find_ram(bridge_memory *memory);
bool plugin_find_homer(bridge_memory *memory);

#endif

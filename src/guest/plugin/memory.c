// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "guest/log.h"

#define ALIGNED (UINT64_C(2) << 20)

typedef struct mapping {
    uint64_t from, to, inode;
    char kind[8], line[512];
} mapping;

static bool next(FILE *maps, mapping *m)
{
    while (maps != NULL && fgets(m->line, sizeof m->line, maps) != NULL)
        if (sscanf(m->line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %" SCNu64, &m->from, &m->to,
                   m->kind, &m->inode) == 4)
            return true;
    return false;
}

/* A shared mapping with a name. */
bool plugin_find_ram(bridge_memory *memory)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    mapping m;

    while (next(maps, &m))
        if (strstr(m.line, "memory-backend-memfd") != NULL)
            *memory = (bridge_memory){(uint8_t *)(uintptr_t)m.from, 0, m.to - m.from};
    if (maps != NULL)
        fclose(maps);
    return memory->bytes != NULL;
}

/* Memory without a name, from a multiple of 2 MiB on: the one with the words that QEMU was told to put
 * there. */
static uint8_t *homer_in(const mapping *m)
{
    const uint64_t marks[2] = {CS_GUEST_HOMER_MARK, ~CS_GUEST_HOMER_MARK};

    for (uint64_t at = (m->from + ALIGNED - 1) / ALIGNED * ALIGNED;
         at + CS_GUEST_HOMER_BYTES <= m->to; at += ALIGNED) {
        uint8_t *const bytes = (uint8_t *)(uintptr_t)at;

        if (memcmp(bytes + CS_GUEST_HOMER_MARK_AT, marks, sizeof marks) == 0)
            return bytes;
    }
    return NULL;
}

bool plugin_find_homer(bridge_memory *memory)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    mapping m;

    *memory = (bridge_memory){NULL, CS_GUEST_HOMER, CS_GUEST_HOMER_BYTES};
    while (memory->bytes == NULL && next(maps, &m))
        if (strncmp(m.kind, "rw", 2) == 0 && m.inode == 0)
            memory->bytes = homer_in(&m);
    if (maps != NULL)
        fclose(maps);
    return memory->bytes != NULL;
}

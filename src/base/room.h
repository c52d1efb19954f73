// SPDX-License-Identifier: Apache-2.0
/* Lists that grow. */
#ifndef CS_BASE_ROOM_H
#define CS_BASE_ROOM_H

#include <stddef.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Room for one more behind the `nr` items of a list that has *room: the list, moved perhaps. NULL: no
 * memory, and the list is as it was. */
static inline void *cs_room(void *items, size_t *room, size_t nr, size_t item_bytes)
{
    const size_t more = *room != 0 ? 2 * *room : 16;
    void *moved;

    if (nr < *room)
        return items;
    moved = realloc(items, more * item_bytes);
    if (moved != NULL)
        *room = more;
    return moved;
}

#ifdef __cplusplus
}
#endif

#endif

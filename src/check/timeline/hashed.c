// SPDX-License-Identifier: Apache-2.0
#include "check/timeline/hashed.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

/* Its slot, or the free one that it would take; there is one. */
static uint32_t *slot_of(const cs_hashed *list, const cs_row_hash *key)
{
    size_t at = key->lanes[0] & (list->nr_slots - 1);

    while (list->slots[at] != 0) {
        const cs_row_hash *item = cs_hashed_at(list, list->slots[at] - 1u);

        if (item->lanes[0] == key->lanes[0] && item->lanes[1] == key->lanes[1])
            break;
        at = (at + 1) & (list->nr_slots - 1);
    }
    return &list->slots[at];
}

/* At most half of the slots are taken. */
static bool widen(cs_hashed *list)
{
    const size_t wanted = list->nr_slots == 0 ? 256 : 2 * list->nr_slots;

    if (2 * (list->nr + 1) <= list->nr_slots)
        return true;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    free(list->slots);
    list->slots = slots;
    list->nr_slots = wanted;
    for (size_t i = 0; i < list->nr; i++)
        *slot_of(list, cs_hashed_at(list, i)) = (uint32_t)i + 1;
    return true;
}

void *cs_hashed_find(const cs_hashed *list, const cs_row_hash *key)
{
    const uint32_t at = list->nr_slots > 0 ? *slot_of(list, key) : 0;

    return at != 0 ? cs_hashed_at(list, at - 1) : NULL;
}

void *cs_hashed_for(cs_hashed *list, const cs_row_hash *key, bool *is_new)
{
    *is_new = false;
    if (!widen(list))
        return NULL;
    uint32_t *slot = slot_of(list, key);
    if (*slot != 0)
        return cs_hashed_at(list, *slot - 1u);
    void *items = cs_room(list->items, &list->room, list->nr, list->item_bytes);
    if (items == NULL)
        return NULL;
    list->items = items;
    *is_new = true;
    *slot = (uint32_t)++list->nr;
    void *item = cs_hashed_at(list, list->nr - 1);
    memset(item, 0, list->item_bytes);
    memcpy(item, key, sizeof *key);
    return item;
}

void cs_hashed_free(cs_hashed *list)
{
    free(list->items);
    free(list->slots);
}

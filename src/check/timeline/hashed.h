// SPDX-License-Identifier: Apache-2.0
/* Internal to a timeline's stream: a list whose items are found by a hash of 128 bits, which comes first in
 * each. Nothing else tells them apart. */
#ifndef CS_CHECK_TIMELINE_HASHED_H
#define CS_CHECK_TIMELINE_HASHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/row_hash.h"

/* To be zeroed at first but for item_bytes, and freed at last. */
typedef struct cs_hashed {
    size_t item_bytes, nr, room;
    void *items;
    uint32_t *slots; /* items, from 1; 0: free */
    size_t nr_slots;
} cs_hashed;

static inline void *cs_hashed_at(const cs_hashed *list, size_t nr)
{
    return (char *)list->items + nr * list->item_bytes;
}

/* NULL: there is none. */
void *cs_hashed_find(const cs_hashed *list, const cs_row_hash *key);
/* A new one is zeroed but for its key. Moves others. NULL: no memory. */
void *cs_hashed_for(cs_hashed *list, const cs_row_hash *key, bool *is_new);
void cs_hashed_free(cs_hashed *list);

#endif

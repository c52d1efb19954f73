// SPDX-License-Identifier: Apache-2.0
#include "drivers/pmcu/aux_area.h"

#include <stddef.h>

uint64_t cs_aux_area_start(const cs_aux_area *area)
{
    return area->base + area->current * area->buffer_bytes;
}

uint64_t cs_aux_area_head(const cs_aux_area *area)
{
    return cs_aux_area_start(area) + area->head;
}

uint64_t cs_aux_area_end(const cs_aux_area *area)
{
    return cs_aux_area_start(area) + area->buffer_bytes;
}

uint64_t cs_aux_area_room(const cs_aux_area *area)
{
    return area->buffer_bytes - area->head;
}

bool cs_aux_area_hand_over(cs_aux_area *area, cs_cycle now)
{
    if (area->free_at == NULL)
        return false;
    area->reader_done = (area->reader_done > now ? area->reader_done : now) + area->reader_cycles;
    area->free_at[area->current] = area->reader_done;
    return area->free_at[(area->current + 1) % area->nr_buffers] > now;
}

cs_cycle cs_aux_area_turn(cs_aux_area *area)
{
    area->current = (area->current + 1) % area->nr_buffers;
    area->head = 0;
    return area->free_at != NULL ? area->free_at[area->current] : 0;
}

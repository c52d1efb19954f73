#include "drivers/pmcu/aux_area.h"

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

void cs_aux_area_turn(cs_aux_area *area)
{
    area->current = (area->current + 1) % area->nr_buffers;
    area->head = 0;
}

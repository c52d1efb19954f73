/* The AUX buffers of the PMCU driver: equal pieces of simulated memory, used in turn. */
#ifndef CS_DRIVERS_PMCU_AUX_AREA_H
#define CS_DRIVERS_PMCU_AUX_AREA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_aux_area {
    uint64_t base; /* physical address of buffer 0; the others follow it */
    uint64_t buffer_bytes;
    unsigned nr_buffers;
    unsigned current;
    uint64_t head; /* bytes of the current buffer that are in use */
} cs_aux_area;

/* Where the current buffer begins, where its next byte goes, where it ends (exclusive). */
uint64_t cs_aux_area_start(const cs_aux_area *area);
uint64_t cs_aux_area_head(const cs_aux_area *area);
uint64_t cs_aux_area_end(const cs_aux_area *area);

uint64_t cs_aux_area_room(const cs_aux_area *area);

/* The next buffer, empty; the first after the last. */
void cs_aux_area_turn(cs_aux_area *area);

#ifdef __cplusplus
}
#endif

#endif

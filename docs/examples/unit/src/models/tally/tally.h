// SPDX-License-Identifier: Apache-2.0
/* The tally (docs/hw/tally.md). Accesses come in order of cycles. */
#ifndef CS_MODELS_TALLY_TALLY_H
#define CS_MODELS_TALLY_TALLY_H

#include <stdbool.h>

#include <countersink/base/cycle.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct cs_tally {
    cs_event_source events;
    uint32_t ctrl;
    uint64_t count; /* of the cycles below `since` */
    cs_cycle since;
} cs_tally;

/* The state of a reset in cycle 0. What `events` points at must outlive the tally. */
void cs_tally_init(cs_tally *tally, const cs_event_source *events);

/* True: an error response; a read gives 0 then. `wide`: 8 bytes, else 4. */
bool cs_tally_read(cs_tally *tally, cs_cycle cycle, uint32_t offset, bool wide, uint64_t *data);
bool cs_tally_write(cs_tally *tally, cs_cycle cycle, uint32_t offset, bool wide, uint64_t data);
#ifdef __cplusplus
}
#endif
#endif

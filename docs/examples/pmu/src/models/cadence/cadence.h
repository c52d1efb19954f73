// SPDX-License-Identifier: Apache-2.0
/* Counters of a core (docs/hw/cadence.md). Accesses come in order of cycles. */
#ifndef CS_MODELS_CADENCE_CADENCE_H
#define CS_MODELS_CADENCE_CADENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/cycle.h>
#include <countersink/base/stream/events.h>

#define CS_CADENCE_COUNTERS 3u
#define CS_CADENCE_BITS 40u
#define CS_CADENCE_CTRL 0x0u
#define CS_CADENCE_OVF 0x8u
#define CS_CADENCE_SELECT(n) (0x10u + 0x10u * (n))
#define CS_CADENCE_COUNT(n) (0x18u + 0x10u * (n))
#define CS_CADENCE_RUN 1u
#define CS_CADENCE_USER (1u << 16)
#define CS_CADENCE_ON (1u << 17)
#define CS_CADENCE_KERNEL (1u << 18)
#define CS_CADENCE_IE (1u << 19)

#ifdef __cplusplus
extern "C" {
#endif
typedef struct cs_cadence {
    cs_event_source events;
    bool run;
    uint32_t ovf;
    uint32_t select[CS_CADENCE_COUNTERS];
    uint64_t count[CS_CADENCE_COUNTERS]; /* of the cycles below `since` */
    cs_cycle since;
} cs_cadence;

/* The modes that USER and KERNEL of a SELECT mean. */
uint32_t cs_cadence_modes(uint32_t select);

uint64_t cs_cadence_read(cs_cadence *c, cs_cycle cycle, uint32_t offset);
void cs_cadence_write(cs_cadence *c, cs_cycle cycle, uint32_t offset, uint64_t value);
/* The first cycle of [from, to) in which the line is high; `to`: none. */
cs_cycle cs_cadence_irq(cs_cadence *c, cs_cycle from, cs_cycle to);
#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: Apache-2.0
/* What the files of the uncore model share; nobody else includes it. */
#ifndef CS_MODELS_UNCORE_UNCORE_INTERNAL_H
#define CS_MODELS_UNCORE_UNCORE_INTERNAL_H

#include <countersink/models/uncore/uncore.h>

#define CS_UNCORE_CTL_EN 0x1u
#define CS_UNCORE_CTL_FREEZE 0x2u
#define CS_UNCORE_CTL_RESET 0x100u
#define CS_UNCORE_SELECT_EVENT 0xffffu
#define CS_UNCORE_SELECT_ON 0x10000u

#define CS_UNCORE_MIN_WIDTH 8u
#define CS_UNCORE_MAX_WIDTH 64u

typedef struct cs_uncore_counter {
    uint64_t value; /* in cycle `since` */
    cs_cycle since;
    uint32_t select;
    uint64_t match, mask; /* of tags */
} cs_uncore_counter;

/* Counters are behind `now` until somebody asks, and so are their flags; but an overflow below
 * `now` that clears EN or raises the line has been executed. */
struct cs_uncore {
    cs_uncore_config config;
    cs_event_source events;
    const cs_probe_sink *probe;
    cs_uncore_tagged tagged;
    cs_cycle now;
    cs_cycle free; /* the first cycle in which an access may take effect */
    uint32_t ctl;  /* EN and FREEZE */
    uint32_t ovf;
    uint32_t ie;
    bool line;
    cs_uncore_counter counter[CS_UNCORE_MAX_COUNTERS];
};

/* Masks have bit n for counter n. */
uint32_t cs_uncore_existing(const cs_uncore *uncore);
uint64_t cs_uncore_value_mask(const cs_uncore *uncore);
/* Those that count in cycle `now`. */
uint32_t cs_uncore_counting(const cs_uncore *uncore);
/* Those that may overflow below `to` and then clear EN or raise the line. */
uint32_t cs_uncore_near(const cs_uncore *uncore, cs_cycle to);
/* Brings counters of mask up to cycle `to`, their flags too; returns which overflowed. */
uint32_t cs_uncore_settle(cs_uncore *uncore, uint32_t mask, cs_cycle to);
/* Recomputes irq for cycle `now`. */
void cs_uncore_show_line(cs_uncore *uncore);

#endif

// SPDX-License-Identifier: Apache-2.0
/* perf's frequency mode: which period gives so many samples a second, found while they are taken
 * (docs/drivers/perf_frequency.md). It knows neither counters nor interrupts: a driver calls it at each
 * overflow and at each tick of the timer, and loads its counter anew where it says so. All times
 * are nanoseconds of perf's clock. */
#ifndef CS_DRIVERS_PERF_FREQUENCY_H
#define CS_DRIVERS_PERF_FREQUENCY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What perf knows of the period of an event. */
typedef struct cs_perf_period {
    uint64_t sample; /* the period of the next load */
    uint64_t last;   /* that of the stretch which goes on: what a sample tells */
    int64_t left;    /* to the end of the stretch, when the counter was read last */
} cs_perf_period;

typedef struct cs_perf_frequency {
    uint64_t frequency;   /* wanted samples a second; not 0 */
    uint64_t tick_ns;     /* of the timer; not 0 */
    bool overflowed;      /* time_stamp is there; false at first */
    uint64_t time_stamp;  /* when the last overflow was handled */
    uint64_t count_stamp; /* the event's count at the last tick; 0 at first */
} cs_perf_frequency;

/* What a new event begins with; a frequency of 0: the period is fixed. */
cs_perf_period cs_perf_period_begin(uint64_t frequency, uint64_t period);
/* The counter is loaded: how far it is to count now. A stretch that has ended begins anew
 * (*ended, which may be NULL). `most`: what the counter can hold. */
uint64_t cs_perf_period_load(cs_perf_period *period, uint64_t most, bool *ended);

/* The period that would have given `frequency` overflows a second where `count` events took
 * `nsec`. */
uint64_t cs_perf_frequency_period(uint64_t frequency, uint64_t nsec, uint64_t count);

/* An overflow is handled; the counter has been read and loaded again before. True: stop the
 * counter, and load it anew from `period`. */
bool cs_perf_frequency_overflow(cs_perf_frequency *f, cs_perf_period *period, uint64_t now);
/* A tick, of an event that is on a counter; it has been stopped and read, and has counted `count`
 * since it was opened. True: it goes on with a load from `period`; false: where it was. */
bool cs_perf_frequency_tick(cs_perf_frequency *f, cs_perf_period *period, uint64_t count);

/* Throttling: no event has more than so many samples a tick. */
typedef struct cs_perf_throttle {
    uint64_t tick;    /* that of `samples` */
    uint64_t samples; /* in that tick */
    bool stopped;     /* until the next tick */
} cs_perf_throttle;

/* An overflow in a tick, by its number; the sample is taken in either case. True: the event stops.
 * most: 0: no throttling. */
bool cs_perf_throttle_overflow(cs_perf_throttle *t, uint64_t tick, unsigned most);
/* A tick. True: the event had been stopped, and goes on. */
bool cs_perf_throttle_tick(cs_perf_throttle *t);

#ifdef __cplusplus
}
#endif

#endif

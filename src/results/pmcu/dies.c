// SPDX-License-Identifier: Apache-2.0
/* Several dies as one: sums, and each event once. */
#include <stdlib.h>

#include "results/pmcu/part.h"

#define MAX_EVENTS (0x10000u + 1) /* every number, and the cycle counter */

const cs_pmcu_event_result *cs_pmcu_event_of(const cs_pmcu_die *die,
                                             const cs_pmcu_event_result *event)
{
    for (size_t i = 0; i < die->results->nr_events; i++) {
        const cs_pmcu_event_result *own = &die->results->events[i];

        if (own->event == event->event && own->cycle_counter == event->cycle_counter)
            return own;
    }
    return NULL;
}

static cs_pmcu_event_result *slot(cs_pmcu_event_result *events, size_t *nr, uint32_t *index_of,
                                  const cs_pmcu_event_result *e)
{
    uint32_t *index = &index_of[e->cycle_counter ? MAX_EVENTS - 1 : e->event & 0xffff];

    if (*index == 0) {
        *index = (uint32_t)++ * nr;
        events[*nr - 1] =
            (cs_pmcu_event_result){.event = e->event, .cycle_counter = e->cycle_counter};
    }
    return &events[*index - 1];
}

static void add_event(cs_pmcu_event_result *to, const cs_pmcu_event_result *e)
{
    to->subsamples += e->subsamples;
    to->sampled += e->sampled;
    to->window_truth += e->window_truth;
    to->truth += e->truth;
    to->scaled += e->scaled;
    to->nominal += e->nominal;
}

/* The cycle counter comes last, as on each die. */
static bool add_events(cs_pmcu_part *p)
{
    size_t most = 0, nr = 0;
    uint32_t *index_of = calloc(MAX_EVENTS, sizeof *index_of);

    for (unsigned i = 0; i < p->nr_dies; i++)
        most += p->dies[i].results->nr_events;
    cs_pmcu_event_result *events = calloc(most + 1, sizeof *events);
    for (unsigned last = 0; last < 2 && events != NULL && index_of != NULL; last++)
        for (unsigned i = 0; i < p->nr_dies; i++)
            for (size_t k = 0; k < p->dies[i].results->nr_events; k++) {
                const cs_pmcu_event_result *e = &p->dies[i].results->events[k];

                if (e->cycle_counter == (last != 0))
                    add_event(slot(events, &nr, index_of, e), e);
            }
    for (size_t k = 0; k < nr; k++)
        if (events[k].truth != 0) {
            events[k].error = events[k].scaled / (double)events[k].truth - 1.0;
            events[k].nominal_error = events[k].nominal / (double)events[k].truth - 1.0;
        }
    p->sum.events = events;
    p->sum.nr_events = nr;
    const bool good = events != NULL && index_of != NULL;
    free(index_of);
    return good;
}

static void most(uint64_t *to, uint64_t value)
{
    if (value > *to)
        *to = value;
}

static void add(cs_pmcu_results *to, const cs_pmcu_results *r)
{
    to->samples += r->samples;
    to->sample_bytes += r->sample_bytes;
    if (r->armed_cpus != 0 && (to->armed_cpus == 0 || r->first_start < to->first_start))
        to->first_start = r->first_start;
    most(&to->last_stop, r->last_stop);
    to->counted_cycles += r->counted_cycles;
    to->blind_cycles += r->blind_cycles * r->armed_cpus; /* the mean follows */
    most(&to->start_skew_cycles, r->start_skew_cycles);
    most(&to->stop_skew_cycles, r->stop_skew_cycles);
    to->interrupts += r->interrupts;
    to->triggers += r->triggers;
    to->windows += r->windows;
    to->window_cycles += r->window_cycles;
    to->nominal_cycles += r->nominal_cycles;
    to->absent_slots += r->absent_slots;
    to->failed_slots += r->failed_slots;
    to->failed_online += r->failed_online;
    to->off_slots += r->off_slots;
    to->lost_slots += r->lost_slots;
    to->values += r->values;
    to->wrong_values += r->wrong_values;
    to->armed_cpus += r->armed_cpus;
}

bool cs_pmcu_sum(cs_pmcu_part *p)
{
    cs_pmcu_results *sum = &p->sum;
    double span = 0;

    for (unsigned i = 0; i < p->nr_dies; i++) {
        const cs_pmcu_results *r = p->dies[i].results;

        add(sum, r);
        span += (double)(r->last_stop - r->first_start) * r->armed_cpus;
    }
    if (span > 0)
        sum->blind_fraction = (double)sum->blind_cycles / span;
    if (sum->armed_cpus != 0)
        sum->blind_cycles /= sum->armed_cpus;
    p->results = sum;
    return add_events(p);
}

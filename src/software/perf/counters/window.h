// SPDX-License-Identifier: Apache-2.0
/* The time of a PMU's model. A thread's cycles are laid into it one stretch after the other;
 * between them are the cycles of the driver's accesses, in which nobody does anything. So what a
 * counter has counted is exactly what the thread did while it was enabled. */
#ifndef CS_SOFTWARE_PERF_WINDOW_H
#define CS_SOFTWARE_PERF_WINDOW_H

#include "software/perf/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The model's cycles [from, to) are those of the task from `local` on. Counters that count must
 * be right up to `from` at least: a driver settles them before a window is opened anew. */
typedef struct cs_perf_window {
    cs_cycle now;       /* of the model: that of the next access */
    cs_perf_task *task; /* whose cycles they are; NULL: nobody's */
    uint64_t seen;      /* of the task's own: so many have happened in the model */
    cs_cycle from, to;
    uint64_t local;
    uint32_t first;        /* the model's event 0, as the streams number it */
    uint32_t alias, event; /* but what it calls `alias` is the streams' `event`; both 0: nothing */
} cs_perf_window;

/* What the model is handed; valid as long as the window. */
cs_event_source cs_perf_window_source(cs_perf_window *w);

/* The task has done something that has not happened in the model. */
static inline bool cs_perf_window_is_behind(const cs_perf_window *w)
{
    return w->task != NULL && w->task->local != w->seen;
}

/* No access since the last stretch: the next one joins it. */
static inline bool cs_perf_window_joins(const cs_perf_window *w)
{
    return w->to == w->now;
}

static inline void cs_perf_window_open(cs_perf_window *w)
{
    w->from = w->to = w->now;
    w->local = w->seen;
}

static inline void cs_perf_window_catch_up(cs_perf_window *w)
{
    w->now += w->task->local - w->seen;
    w->to = w->now;
    w->seen = w->task->local;
}

/* From now on it is this task's. */
static inline void cs_perf_window_give(cs_perf_window *w, cs_perf_task *task)
{
    w->task = task;
    w->seen = task != NULL ? task->local : 0;
    cs_perf_window_open(w);
}

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Inside perf: events, contexts, tasks, CPUs. A picture of who has whom is in
 * docs/drivers/perf.md. */
#ifndef CS_SOFTWARE_PERF_IMPL_H
#define CS_SOFTWARE_PERF_IMPL_H

#include <sys/queue.h>

#include "drivers/perf_frequency.h"
#include "software/perf/abi.h"
#include "software/perf/perf.h"
#include "software/perf/pmu.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_MOST_PMUS (2u + CS_PERF_MOST_SYSTEMS)
#define CS_PERF_NO_STREAM 0x1ffffu /* an event that no stream has */
#define CS_PERF_TASK_SLOTS 1024u
#define CS_PERF_RECORD_MOST_BYTES 65528u
#define CS_PERF_TEXT_MOST_BYTES 4096u /* of a name in a record */

typedef struct cs_perf_context cs_perf_context;
typedef struct cs_perf_buffer cs_perf_buffer;
typedef struct cs_perf_sums cs_perf_sums;

typedef TAILQ_HEAD(cs_perf_event_list, cs_perf_event) cs_perf_event_list;
typedef TAILQ_HEAD(cs_perf_buffer_list, cs_perf_buffer) cs_perf_buffer_list;

/* ---- events ---- */

/* In rising order: what is at least INACTIVE is enabled. */
typedef enum cs_perf_state {
    CS_PERF_STATE_EXIT = -3,  /* its task has ended */
    CS_PERF_STATE_ERROR = -2, /* pinned, and there was no counter */
    CS_PERF_STATE_OFF = -1,
    CS_PERF_STATE_INACTIVE = 0, /* waits for its context, or for a counter */
    CS_PERF_STATE_ACTIVE = 1    /* counts */
} cs_perf_state;

/* What a PMU's driver keeps of an event. */
typedef struct cs_perf_hw {
    uint32_t event;   /* for the streams */
    uint32_t modes;   /* in which it counts, CS_MODE_MASK */
    uint32_t filter;  /* the same, as the hardware wants it */
    uint32_t allowed; /* counters */
    int counter;      /* -1: none */
    bool counts;
    bool held;         /* its end is to be told to the driver */
    uint64_t timer_ns; /* of a clock that samples: when it is due */
    uint64_t before;   /* the counter, or the clock, as last read */
    cs_perf_period period;
    cs_perf_frequency frequency; /* with CS_PERF_ATTR_FREQ */
    cs_perf_throttle throttle;
} cs_perf_hw;

/* How often it really happened while the event was enabled. */
typedef struct cs_perf_truth {
    uint64_t sum;
    cs_perf_task *task;  /* is watched now; NULL: nobody */
    uint64_t from_local; /* since this cycle of its */
} cs_perf_truth;

struct cs_perf_event {
    cs_perf *perf;
    uint64_t id;
    cs_perf_attr attr;
    cs_pmu *pmu;
    cs_perf_hw hw;
    cs_perf_truth truth;
    int cpu;              /* -1: all */
    cs_perf_who who;      /* {0, 0}: whoever runs on the CPU */
    cs_perf_context *ctx; /* NULL: its task has ended */
    unsigned pmu_at;      /* in the context: that of its group */
    bool privileged;      /* when it was opened */

    cs_perf_event *leader; /* of its group; itself */
    cs_perf_event_list siblings;
    unsigned nr_siblings;
    TAILQ_ENTRY(cs_perf_event) in_group; /* of a leader: in the context's list */
    TAILQ_ENTRY(cs_perf_event) in_ctx;
    bool software_group; /* of a leader: all of it */

    cs_perf_state state;
    uint64_t stamp_ns; /* of the context: the two below are right up to it */
    uint64_t enabled_ns, running_ns;
    uint64_t count;
    uint64_t refresh;     /* overflows that are left; 0: any number */
    bool overflowed_last; /* they have come to 0: it is about to be disabled */

    cs_perf_event *parent; /* it is inherited from; NULL: opened */
    cs_perf_event_list children;
    TAILQ_ENTRY(cs_perf_event) in_parent;
    uint64_t child_count, child_enabled_ns, child_running_ns, child_truth; /* of those that ended */

    cs_perf_buffer *buffer;
    TAILQ_ENTRY(cs_perf_event) in_buffer;
    unsigned nr_maps;
    uint64_t lost;
    bool async;
    void *user;
    TAILQ_ENTRY(cs_perf_event) in_perf; /* of those that are open */
};

/* ---- contexts ---- */

typedef struct cs_perf_pmu_context {
    cs_perf_event_list pinned, flexible; /* leaders */
    bool rotate;                         /* a flexible group found no counter */
    bool strays;                         /* software events are among them, left by their group */
} cs_perf_pmu_context;

/* The events of a task, or of a CPU. */
struct cs_perf_context {
    cs_perf_task *task; /* NULL: of a CPU */
    cs_perf_cpu *cpu;   /* on which it is in; NULL: the task does not run */
    uint64_t time_ns;   /* that it was in, up to stamp_ns of the CPU */
    uint64_t stamp_ns;
    cs_perf_event_list events;
    unsigned nr_events;
    /* Of all events since there were none: a switch of threads goes through them only where one cares. */
    uint64_t flags; /* of their attrs */
    bool bound;     /* to a CPU */
    bool sampled;   /* a software event takes samples */
    cs_perf_pmu_context pmus[CS_PERF_MOST_PMUS];
};

/* ---- tasks and CPUs ---- */

struct cs_perf_task {
    cs_perf *perf;
    cs_perf_who who, parent;
    char comm[CS_PERF_COMM_BYTES];
    cs_event_source work;
    uint64_t local; /* core cycles that it has run */
    unsigned cpu;   /* that it runs on, or ran on last */
    bool current;   /* it is the CPU's task */
    bool ran;       /* ever */
    uint64_t nr_switches, nr_migrations;
    cs_perf_faults faults;      /* that count */
    cs_perf_faults seen_faults; /* since it began */
    bool knows_faults;          /* seen_faults is so */
    cs_perf_context ctx;
    TAILQ_ENTRY(cs_perf_task) in_slot;
};
typedef TAILQ_HEAD(cs_perf_task_list, cs_perf_task) cs_perf_task_list;

struct cs_perf_cpu {
    cs_perf *perf;
    unsigned number;
    uint64_t now_ns;
    uint64_t cycle;     /* of the core's clock */
    cs_perf_task *task; /* NULL: it idles */
    cs_perf_context ctx;
    uint64_t nr_switches, nr_migrations;
    cs_perf_faults faults;
    uint64_t rotate_ns[CS_PERF_MOST_PMUS]; /* the timer of rotation; CS_NEVER: off */
    bool overflowed_last;                  /* some event of its has */
    unsigned nr_active[CS_PERF_MOST_PMUS];
    cs_perf_event *exclusive[CS_PERF_MOST_PMUS]; /* an active leader that shares with nobody */
    unsigned nr_ticking; /* active events that need the timer's tick: by frequency, or throttled */
};

struct cs_perf {
    cs_perf_machine machine;
    cs_perf_calls calls;
    uint64_t now_ns;
    uint64_t tick_ns;
    unsigned most_samples; /* of an event in a tick */
    uint64_t last_id;
    cs_pmu *pmus[CS_PERF_MOST_PMUS];
    unsigned nr_pmus;
    cs_perf_cpu *cpus;
    unsigned nr_cpu_events; /* in contexts of CPUs */
    bool counts_faults;     /* some event has asked for page faults */
    cs_perf_task_list tasks[CS_PERF_TASK_SLOTS];
    cs_perf_event_list events;
    size_t nr_events;
    unsigned held;              /* cs_perf_hold, so many times */
    cs_perf_buffer_list hidden; /* rings that have been written to since */
    unsigned char record[CS_PERF_RECORD_MOST_BYTES];
};

/* The thread has run on this CPU, and what page faults it had there counts; NULL: what it had does not. */
void cs_perf_take_faults(cs_perf_task *task, cs_perf_cpu *cpu);

static inline bool cs_perf_has(const cs_perf_event *event, uint64_t flag)
{
    return (event->attr.flags & flag) != 0;
}

/* There are no guests: what is theirs alone is nothing. */
static inline bool cs_perf_counts_user(const cs_perf_event *event)
{
    return !cs_perf_has(event, CS_PERF_ATTR_EXCLUDE_USER | CS_PERF_ATTR_EXCLUDE_HOST);
}

static inline bool cs_perf_counts_kernel(const cs_perf_event *event)
{
    return !cs_perf_has(event, CS_PERF_ATTR_EXCLUDE_KERNEL | CS_PERF_ATTR_EXCLUDE_HOST);
}

static inline bool cs_perf_samples(const cs_perf_event *event)
{
    return event->attr.sample_period != 0;
}

/* ---- task.c ---- */

/* NULL: there is none. */
cs_perf_task *cs_perf_task_find(const cs_perf *perf, uint32_t tid);
void cs_perf_task_free(cs_perf_task *task);

/* ---- context.c ---- */

void cs_perf_context_init(cs_perf_context *ctx, cs_perf_task *task);
/* A group enters the list of its PMU, at its end, or leaves it. */
void cs_perf_context_link(cs_perf_event *leader);
void cs_perf_context_unlink(cs_perf_event *leader);
/* How long the context has been in. */
uint64_t cs_perf_context_time(const cs_perf_context *ctx);
/* The context is in on the CPU from now on, or is out; events are not looked at. */
void cs_perf_context_enter(cs_perf_context *ctx, cs_perf_cpu *cpu);
void cs_perf_context_leave(cs_perf_context *ctx);
/* The event may count on the CPU on which its context is in. */
bool cs_perf_context_matches(const cs_perf_event *event);

/* ---- state.c ---- */

/* A change of state, with the times and the truth that belong to it. */
void cs_perf_set_state(cs_perf_event *event, cs_perf_state state);
void cs_perf_update_times(cs_perf_event *event);
/* For a driver that carries out add and del later: up to this time of its context the event went on as it
 * did before, with a counter or without, whatever its state says. */
void cs_perf_correct_times(cs_perf_event *event, uint64_t until_ns, bool counted);
/* It begins or ceases to be watched, as it is enabled and its thread runs. */
void cs_perf_truth_update(cs_perf_event *event);
/* The truth is right up to now. */
void cs_perf_truth_settle(cs_perf_event *event);

/* ---- schedule.c ---- */

/* Whose groups leave their counters before all are tried: nobody's, flexible ones, all. */
typedef enum cs_perf_out { CS_PERF_OUT_NONE, CS_PERF_OUT_FLEXIBLE, CS_PERF_OUT_ALL } cs_perf_out;
/* Events of one PMU on one CPU: those of both contexts that can count do so; the order is
 * Linux's. */
void cs_perf_resched(cs_perf_cpu *cpu, unsigned pmu, cs_perf_out out);
/* Another thread, or none, runs on the CPU. */
void cs_perf_switch(cs_perf_cpu *cpu, cs_perf_task *next);
void cs_perf_rotate(cs_perf_cpu *cpu, unsigned pmu);
/* A flexible group of the CPU's own list waits for counters. */
bool cs_perf_waits(const cs_perf_cpu *cpu, unsigned pmu);
/* The PMUs have counted what the thread has done so far. */
void cs_perf_settle(cs_perf_cpu *cpu);
/* An event that counts does so no more: it waits. */
void cs_perf_sched_out(cs_perf_event *event);
void cs_perf_group_sched_out(cs_perf_event *leader);
/* The event, or of a leader its whole group, from outside of a scheduling. */
void cs_perf_out_alone(cs_perf_event *event);

/* ---- event.c ---- */

/* With those that inherited it, or alone. */
void cs_perf_enable(cs_perf_event *event);
void cs_perf_enable_one(cs_perf_event *event);
void cs_perf_disable(cs_perf_event *event);
/* It becomes part of a context, and of leader's group (itself: a group of its own). */
void cs_perf_attach(cs_perf_event *event, cs_perf_context *ctx, cs_perf_event *leader);
/* It leaves its context and is EXIT; its group is as it was. */
void cs_perf_leave_context(cs_perf_event *event);
/* It leaves its group, too, of which those that it led are groups of one each. */
void cs_perf_remove(cs_perf_event *event);
/* And the CPU looks again. */
void cs_perf_detach(cs_perf_event *event);
/* event->count is what it has come to by now. */
void cs_perf_update_count(cs_perf_event *event);
/* Its sums with those of its children, as read(2) has them. */
struct cs_perf_sums {
    uint64_t count, enabled_ns, running_ns, truth;
};
cs_perf_sums cs_perf_sums_of(cs_perf_event *event);
cs_perf_event *cs_perf_event_new(cs_perf *perf, const cs_perf_attr *attr);
void cs_perf_event_free(cs_perf_event *event);

/* ---- inherit.c ---- */

/* 0 or -ENOMEM. */
int cs_perf_inherit(cs_perf_task *parent, cs_perf_task *child);
/* What the task's end does to its events, or to one. */
void cs_perf_leave_task(cs_perf_task *task);
void cs_perf_leave_event(cs_perf_event *event);
/* A child's sums are its parent's from now on; the child is gone. */
void cs_perf_child_ends(cs_perf_event *child);

/* ---- ring/sample.c ---- */

/* A driver's interrupt: a period is over. True: the event has to stop. */
bool cs_perf_overflow(cs_perf_cpu *cpu, cs_perf_event *event, uint64_t period);
/* A sample of a place that hardware has recorded by itself: now, of whoever runs; no period is over. */
void cs_perf_sample_at(cs_perf_cpu *cpu, cs_perf_event *event, uint64_t ip, bool kernel);
/* An event that was stopped gets a counter anew: it need not wait for the tick. */
void cs_perf_unthrottle(cs_perf_cpu *cpu, cs_perf_event *event);
/* The timer's tick on the CPU. */
void cs_perf_tick(cs_perf_cpu *cpu);

/* ---- software_pmu.c ---- */

/* A switch or a migration of the CPU's task has been counted. */
void cs_perf_software_happened(cs_perf_cpu *cpu, uint32_t what);

/* ---- ring/record.c ---- */

/* A record as it is put together, from its header on. */
typedef struct cs_perf_record {
    unsigned char *bytes; /* of CS_PERF_RECORD_MOST_BYTES */
    size_t n;             /* never more: what is too long is cut */
} cs_perf_record;

/* Who and where, for the identifying words of a record. */
typedef struct cs_perf_at {
    cs_perf_who who;
    unsigned cpu;
    uint64_t time_ns;
} cs_perf_at;

/* The perf's own memory for records, with a header. */
cs_perf_record cs_perf_record_begin(cs_perf *perf, uint32_t type, uint16_t misc);
void cs_perf_put(cs_perf_record *r, const void *bytes, size_t n);
void cs_perf_put_u64(cs_perf_record *r, uint64_t value);
void cs_perf_put_pair(cs_perf_record *r, uint32_t first, uint32_t second);
/* Padded with zeros to 8 bytes. */
void cs_perf_put_text(cs_perf_record *r, const char *text);
/* What every record but a sample ends with. */
void cs_perf_put_id(cs_perf_record *r, const cs_perf_event *event, const cs_perf_at *at);
/* read_format's words; `own`: of the event alone, without those that inherited it, and untold. */
void cs_perf_put_values(cs_perf_record *r, cs_perf_event *event, bool own);
size_t cs_perf_read_bytes(uint64_t format, unsigned nr_siblings);
void cs_perf_tell(cs_perf_event *event, cs_perf_told_kind kind, const cs_perf_sums *sums);

/* ---- ring/sideband.c: what happens to threads, for events that asked for it ---- */

void cs_perf_tell_fork(cs_perf_task *child);
void cs_perf_tell_exit(cs_perf_task *task);
void cs_perf_tell_comm(cs_perf_task *task, bool exec);
/* The thread goes to the CPU, or leaves it, to or from `other` (NULL: the CPU idles). */
void cs_perf_tell_switch(cs_perf_cpu *cpu, cs_perf_task *task, const cs_perf_task *other, bool out);
/* READ: what an inherited event came to. */
void cs_perf_tell_read(cs_perf_event *event);

/* ---- ring/buffer.c ---- */

/* The record (its header's size is filled in) goes into the ring of the event; false: it is lost. */
bool cs_perf_output(cs_perf_event *event, cs_perf_record *record, const cs_perf_at *at);
int cs_perf_set_output(cs_perf_event *event, cs_perf_event *to);
int cs_perf_pause_output(cs_perf_event *event, bool pause);
void cs_perf_buffer_wake(cs_perf_buffer *buffer);

/* ---- aux.c: an AUX area ---- */

/* For a driver: the area of the event's ring, and where hardware may write. */
typedef struct cs_perf_aux_room {
    unsigned char *memory;
    size_t bytes;     /* of the whole area: a power of two */
    size_t watermark; /* so often the program wants to hear of it */
    uint64_t head;    /* bytes that have been handed over so far */
    size_t free;      /* from there on, as a ring */
} cs_perf_aux_room;

/* 0 or -errno of mmap(2); the event has a ring. */
int cs_perf_aux_check(const cs_perf_event *event, const cs_perf_mapped *mapped);
int cs_perf_aux_map(cs_perf_event *event, const cs_perf_mapped *mapped);
/* False: nobody has mapped an area. */
bool cs_perf_aux_look(const cs_perf_event *event, cs_perf_aux_room *out);
/* `bytes` more are handed over: AUX record, head, and waking. */
void cs_perf_aux_hand_over(cs_perf_event *event, uint64_t bytes, uint64_t flags);
void cs_perf_buffer_drop(cs_perf_event *event);
void cs_perf_wakeup(cs_perf_event *event, cs_perf_wake wake);

#ifdef __cplusplus
}
#endif

#endif

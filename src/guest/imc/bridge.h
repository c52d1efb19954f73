// SPDX-License-Identifier: Apache-2.0
/* Between a guest's instructions and our engines of its cores and nest: time, events, memory. No QEMU
 * here.
 *
 * CPU n is thread n % guest_threads of core n / guest_threads. One at a time executes. An instruction is
 * named by the last of the cycles that it takes (events.h). Cycles in which all CPUs stand still are
 * added when it is known how many they were: the guest's own timebase says so. */
#ifndef CS_GUEST_IMC_BRIDGE_H
#define CS_GUEST_IMC_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/imc/events.h"
#include "guest/imc/segments.h"
#include <countersink/base/diag.h>
#include <countersink/models/imc/imc_core.h>
#include <countersink/models/nest/nest.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BRIDGE_TB_NUM 512u  /* ticks of the timebase.. */
#define BRIDGE_TB_DEN 1000u /* .. in as many cycles */
#define BRIDGE_SLOTS 65536u /* records of the largest buffer */

typedef enum bridge_fault { BRIDGE_NO_FAULT, BRIDGE_WRONG_ADDRESS, BRIDGE_LOST } bridge_fault;

/* Which of the driver's functions touches memory. */
typedef enum bridge_role {
    BRIDGE_TRACE, /* the scan of a trace buffer */
    BRIDGE_BEGIN, /* an event begins: what it reads is taken off */
    BRIDGE_READ,  /* it is read */
    BRIDGE_END,   /* it is read, and ends */
    BRIDGE_ROLES
} bridge_role;

/* Tables of counters, as the catalog numbers what they are of (cs_imc_domain). */
enum { BRIDGE_CORE_TABLE = 2, BRIDGE_THREAD_TABLE = 3 };

typedef struct bridge_record {
    uint64_t number, tb;
    bool there; /* the engine has written it; neither it nor the driver has overwritten it since */
} bridge_record;

typedef struct bridge_who {
    uint64_t pc, pid, lpid;
    uint64_t mode;  /* cs_privilege */
    uint32_t image; /* plugin/tasks.h */
} bridge_who;

/* Memory that engines reach: RAM, and HOMER, which lies apart. */
typedef struct bridge_memory {
    uint8_t *bytes; /* NULL: there is none */
    uint64_t first, size;
} bridge_memory;

/* Tables of counters, of a core or a CPU. */
typedef struct bridge_table {
    uint64_t first;
    events_cpus cpus;
} bridge_table;

typedef struct bridge_cpu {
    struct bridge *bridge;
    unsigned number;
    uint32_t process;   /* that runs, as the guest has it */
    bridge_who now;     /* at the last instruction in whose cycle an engine did something */
    bridge_who sampled; /* at the last snapshot */
    cs_cycle sampled_at;
    uint64_t ldbar; /* as written last */
    uint64_t session;
    uint32_t event;  /* of perf, for which it traces; 0: for none, or for one that is not known */
    uint32_t reads;  /* the event of perf whose counter the driver reads */
    uint64_t buffer; /* of trace mode */
    bridge_record *slots;
    uint32_t ends;    /* the event that ends as soon as the buffer has been read */
    uint32_t dumped;  /* the event for which the driver reads the buffer, */
    size_t next_slot; /* that it reads next, */
    uint64_t last_tb; /* and the timebase of the one before */
    bridge_table table;
} bridge_cpu;

typedef struct bridge_core {
    cs_imc_core *engine;
    uint64_t htm_mode, event_mask; /* as written last */
    bool counted; /* the driver has read its table since the engine was switched on */
    bridge_table table;
} bridge_core;

typedef struct bridge_config {
    unsigned cores;
    unsigned threads;       /* of a core's engine, */
    unsigned guest_threads; /* and those that are CPUs of the guest; the others stand still */
    unsigned tap_log2;      /* cs_imc_core.h */
    uint64_t nest_base;     /* of the nest's window; 0: no nest */
    uint32_t nest_tick;     /* cycles */
} bridge_config;

typedef struct bridge {
    bridge_config config;
    unsigned nr_cpus;
    bridge_cpu cpus[EVENTS_CPUS];
    bridge_core cores[EVENTS_CPUS];
    cs_nest *nest;    /* NULL: nobody posts */
    bool nest_paused; /* once */
    FILE *log;
    bridge_memory ram, homer;
    events events;
    segments *segments; /* what the nest does by itself; NULL: nothing */
    cs_cycle at;        /* cycle of the instruction */
    uint64_t sessions, number, posts;
    bridge_fault fault;
    uint64_t faulty; /* number of the record, or of the posting, that has it */
} bridge;

/* `log` stays the caller's. Memory, fault and segments are the caller's to set. */
cs_status bridge_create(bridge *b, const bridge_config *config, FILE *log, cs_diag *diag);
void bridge_destroy(bridge *b);

/* The last cycle of an instruction that is executed now. */
cs_cycle bridge_cycle(const bridge *b, uint64_t instruction);
/* The first cycle, as those of instructions are named, in which an engine does something next, if it is
 * given nothing. */
uint64_t bridge_next(const bridge *b, uint64_t instruction);
/* What each CPU has executed, this instruction among it. Comes before what it does. `current`: this
 * instruction, which is not to be NULL if bridge_execute comes next and not all cost one. */
void bridge_executed(bridge *b, uint64_t instruction, const events_executed executed[],
                     const events_current *current);
/* What comes after this instruction, which was told, is the CPU's. */
void bridge_turn(bridge *b, unsigned cpu);
/* Whose instruction it is stands in b->cpus[].now of the CPU whose turn it is. */
void bridge_execute(bridge *b, uint64_t instruction);
/* The timebase, as the guest has read it just before the instruction with that first cycle. */
void bridge_timebase(bridge *b, uint64_t first, uint64_t tb);
void bridge_scom(bridge *b, uint64_t instruction, uint32_t scom, uint64_t value);
/* By the CPU whose turn it is, as what the driver does. */
void bridge_ldbar(bridge *b, uint64_t instruction, uint64_t value);
/* What counts what the CPU does now: the first of these. */
typedef enum bridge_counting {
    BRIDGE_NOBODY,
    BRIDGE_BY_TRACE, /* trace mode, */
    BRIDGE_LEFT_OUT, /* nobody: trace mode, where it was left, keeps it out of its core's counters */
    BRIDGE_BY_THREAD, /* its thread's counters, */
    BRIDGE_BY_CORE,   /* its core's, */
    BRIDGE_BY_NEST,   /* the nest, which runs from its reset on: since it was first stopped */
} bridge_counting;
bridge_counting bridge_counts(const bridge *b, unsigned cpu);
/* For which event of perf, in trace mode; 0: for none. */
uint32_t bridge_event(const bridge *b, unsigned cpu);
/* The driver begins trace mode on the CPU for that event of perf (its id; 0: not known). */
void bridge_begin(bridge *b, uint64_t event);
/* It begins to read the CPU's buffer for it. */
void bridge_dump(bridge *b, uint64_t event);
/* It begins to take the event from the CPU: what it reads is the last of it. */
void bridge_end(bridge *b, uint64_t event);
/* It begins to read a counter for that event. */
void bridge_count(bridge *b, uint64_t event);
/* The driver reads or clears eight bytes of memory. */
void bridge_driver(bridge *b, uint64_t instruction, bridge_role role, uint64_t address, bool store);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* Inside an IMC core: what its files share. docs/hw/imc.md is cited as "spec".
 *
 * imc_core.c    the object, time, power
 * imc_regs.c    the registers
 * imc_count.c   the counters of all threads
 * imc_window.c  accumulation: the state machine, boundaries, posts
 * imc_trace.c   trace mode: LDBAR writes, overflows, snapshots
 * imc_writer.c  the writer
 *
 * A cycle t is executed once, from the state of t to that of t+1. What must be known of t itself
 * when something has changed already is kept beside it (`waited`, `set`). */
#ifndef CS_MODELS_IMC_INTERNAL_H
#define CS_MODELS_IMC_INTERNAL_H

#include "base/bus/msb0.h"
#include <countersink/models/imc/imc_core.h>

#define CS_IMC_CPMCS 4u
#define CS_IMC_NR_REGS (CS_IMC_REG_LDBAR + CS_IMC_MAX_THREADS)

/* Fields, as the two bit numbers that cs_msb0 takes. */
#define CS_IMC_HTM_ENABLE 0, 0
#define CS_IMC_HTM_CONTENT_SEL 1, 2
#define CS_IMC_HTM_HPMC_IMA 4, 4

#define CS_IMC_STATUS_ERROR 0, 0
#define CS_IMC_STATUS_TRACE_ACTIVE 1, 1
#define CS_IMC_STATUS_PDBAR_ERROR 2, 2
#define CS_IMC_STATUS_STATE 5, 11
#define CS_IMC_STATUS_COUNT 12, 15

#define CS_IMC_PDBAR_SPLIT 1, 1
#define CS_IMC_PDBAR_ADDRESS_P9 8, 50
#define CS_IMC_PDBAR_ADDRESS_P10 12, 52

#define CS_IMC_MASK_IC_TAP 30, 32
#define CS_IMC_MASK_DISABLE_WRAP 33, 33
#define CS_IMC_MASK_FREEZE 34, 34
#define CS_IMC_MASK_ONE_EVENT 38, 38
#define CS_IMC_MASK_EVENT_VTID 39, 40
#define CS_IMC_MASK_EVENT_SELECT 41, 45

#define CS_IMC_TRACE_SAMPSEL 0, 1
#define CS_IMC_TRACE_CPMC_LOAD 2, 33
#define CS_IMC_TRACE_CPMC1SEL 34, 40
#define CS_IMC_TRACE_CPMC2SEL 41, 47
#define CS_IMC_TRACE_BUFFERSIZE 48, 50

#define CS_IMC_FIR_CRESP_ADDR_ERR 12, 12
#define CS_IMC_FIR_ACK_DEAD 13, 13
#define CS_IMC_ERR_RPT_FSM_TIMEOUT 24, 24

#define CS_IMC_LDBAR_ENABLE 0, 0
#define CS_IMC_LDBAR_TRACE 1, 1
#define CS_IMC_LDBAR_ADDRESS 8, 50

/* Spec, "Counters and states". */
typedef enum cs_imc_state {
    CS_IMC_OFF = 0,
    CS_IMC_SYNC = 1,
    CS_IMC_RUN = 2,
    CS_IMC_DONE = 3,
    CS_IMC_FROZEN = 4
} cs_imc_state;

/* What can wait for the writer, as bits in the order in which the writer looks at them. */
#define CS_IMC_CORE_POST 1u
#define CS_IMC_THREAD_POST 2u
#define CS_IMC_POSTS (CS_IMC_CORE_POST | CS_IMC_THREAD_POST)
#define CS_IMC_RECORD(thread) (4u << (thread))

/* What is foreseen and has to be looked for again. */
#define CS_IMC_PLAN_OVERFLOW(thread) (1u << (thread))
#define CS_IMC_PLAN_BOUNDARY (1u << CS_IMC_MAX_THREADS)
#define CS_IMC_PLAN_ALL ((CS_IMC_PLAN_BOUNDARY << 1) - 1)

#define CS_IMC_RECORD_WORDS 8u

typedef struct cs_imc_record {
    cs_cycle snapshot; /* u */
    uint64_t addr;
    uint64_t words[CS_IMC_RECORD_WORDS];
} cs_imc_record;

typedef struct cs_imc_thread {
    uint32_t cpmc[CS_IMC_CPMCS]; /* in cycle `since` */
    cs_cycle since;
    cs_cycle overflow; /* the cycle of the next one; CS_NEVER: none */
    unsigned index;    /* of the next record */
    cs_imc_record record;
} cs_imc_thread;

typedef struct cs_imc_window {
    bool synced, done;
    unsigned slot, thread;
    cs_cycle boundary; /* the next that acts; CS_NEVER: none */
} cs_imc_window;

typedef struct cs_imc_post {
    uint64_t values[CS_IMC_CPMCS];
    uint64_t core_addr, thread_addr;
} cs_imc_post;

/* All that power loss takes away. */
typedef struct cs_imc_live {
    uint64_t regs[CS_IMC_NR_REGS]; /* of STATUS the bits that stick */
    cs_imc_thread threads[CS_IMC_MAX_THREADS];
    cs_cycle overflow; /* the first of the threads' */
    cs_imc_window window;
    cs_imc_post post;
    unsigned waits;     /* bits as above */
    unsigned snapshots; /* bit v: now is a snapshot cycle of thread v */
} cs_imc_live;

/* Not touched by power. */
typedef struct cs_imc_writer {
    bool busy;
    unsigned what;                        /* bit as above */
    unsigned turn;                        /* the thread at which the search for records starts */
    cs_cycle completes;                   /* CS_NEVER: the platform will tell */
    cs_cycle snapshot;                    /* of the record that is being written */
    uint64_t numbers[CS_IMC_MAX_THREADS]; /* records carried out */
    cs_bus_txn txn;
} cs_imc_writer;

struct cs_imc_core {
    cs_imc_core_config config;
    cs_imc_core_env env;
    cs_event_source events[CS_IMC_MAX_THREADS];

    cs_cycle now;
    cs_imc_state state;

    /* Inputs that are posted, by the cycle in which they act. */
    bool power;
    bool lose;         /* power is low, and the state is not yet that of reset */
    cs_cycle power_at; /* CS_NEVER: none */
    bool power_then;
    cs_cycle written; /* CS_NEVER: none */
    unsigned writes;  /* bit n: register n */
    uint64_t write_values[CS_IMC_NR_REGS];

    unsigned waited;              /* `waits` as it was when the cycle began */
    uint64_t set[CS_IMC_NR_REGS]; /* bits that hardware sets in the cycle being executed */
    unsigned plan;                /* bits as above */

    cs_imc_live live;
    cs_imc_writer writer;
};

static inline bool cs_imc_tracing(const cs_imc_core *core, unsigned thread)
{
    return cs_msb0(core->live.regs[CS_IMC_REG_LDBAR + thread], CS_IMC_LDBAR_TRACE) != 0;
}

static inline bool cs_imc_ldbar_written(const cs_imc_core *core, unsigned thread)
{
    return core->written == core->now && (core->writes >> (CS_IMC_REG_LDBAR + thread) & 1) != 0;
}

/* The counter that samples, 0..3, and what it is loaded with. */
static inline unsigned cs_imc_sampler(const cs_imc_core *core)
{
    return (unsigned)cs_msb0(core->live.regs[CS_IMC_REG_TRACE], CS_IMC_TRACE_SAMPSEL);
}

static inline uint32_t cs_imc_load(const cs_imc_core *core)
{
    return (uint32_t)cs_msb0(core->live.regs[CS_IMC_REG_TRACE], CS_IMC_TRACE_CPMC_LOAD);
}

/* Addresses are sums modulo 2^56. */
static inline uint64_t cs_imc_address(uint64_t sum)
{
    return sum & ((UINT64_C(1) << 56) - 1);
}

/* imc_regs.c */
bool cs_imc_regs_readable(const cs_imc_core *core, unsigned reg);
bool cs_imc_regs_writable(const cs_imc_core *core, unsigned reg);
uint64_t cs_imc_regs_read(const cs_imc_core *core, unsigned reg);
/* What is written in cycle `now`, and what hardware sets in it. */
void cs_imc_regs_execute(cs_imc_core *core);

/* imc_count.c */
bool cs_imc_on(const cs_imc_core *core);
bool cs_imc_frozen(const cs_imc_core *core);
/* The thread's counters become those of cycle `to`, by the registers and the window as they are;
 * to be called before either changes. */
void cs_imc_count_settle(cs_imc_core *core, unsigned thread, cs_cycle to);
void cs_imc_count_settle_all(cs_imc_core *core, cs_cycle to);
/* In cycle `now` the sampling counter overflows. */
void cs_imc_count_overflow(cs_imc_core *core, unsigned thread);
/* The thread's next overflow, by the state of the next cycle. */
void cs_imc_count_plan(cs_imc_core *core, unsigned thread);

/* imc_window.c */
cs_imc_state cs_imc_window_state(const cs_imc_core *core);
void cs_imc_window_execute(cs_imc_core *core);
/* The next boundary from `from` on. */
void cs_imc_window_plan(cs_imc_core *core, cs_cycle from);

/* imc_trace.c */
void cs_imc_trace_execute(cs_imc_core *core);
void cs_imc_trace_write_ldbar(cs_imc_core *core, unsigned thread, uint64_t value);
/* Sends a SAMPLE record; what all of them have is filled in. */
void cs_imc_trace_emit(const cs_imc_core *core, unsigned thread, cs_probe_record *record);

/* imc_writer.c */
/* The transfer that is out is complete in cycle `now`. */
void cs_imc_writer_complete(cs_imc_core *core);
/* The writer was idle and something waited: takes it. It is asked for by the second call. */
void cs_imc_writer_take(cs_imc_core *core);
void cs_imc_writer_submit(cs_imc_core *core);

#endif

// SPDX-License-Identifier: Apache-2.0
/* Inside the PMCU: what its files share. docs/hw/pmcu.md is cited as "spec".
 *
 * pmcu.c         the object, time, inputs
 * pmcu_regs.c    the registers
 * pmcu_fsm.c     the states and what follows what
 * pmcu_walk.c    walks: the lanes and their accesses
 * pmcu_engine.c  the engine: bursts of FETCH and STORE
 *
 * A cycle t is executed once, from the state of t to that of t+1. What the state machine
 * must know about t itself (`busy`) is taken before anything changes. */
#ifndef CS_MODELS_PMCU_INTERNAL_H
#define CS_MODELS_PMCU_INTERNAL_H

#include <countersink/models/pmcu/pmcu.h>

#define CS_PMCU_MAX_CPUS (CS_PMCU_MAX_CLUSTERS * CS_PMCU_MAX_SLOTS)
#define CS_PMCU_MAX_NR_PMU 8u
#define CS_PMCU_MAX_NR_PMU_COMP 5u
#define CS_PMCU_NULL_EVENT 0xC000u

/* Context IDs, events and cycles of every CPU, 8 bytes each. */
#define CS_PMCU_MAX_SAMPLE_BYTES ((CS_PMCU_MAX_NR_PMU + 2) * 8 * CS_PMCU_MAX_CPUS)

/* The longest is READ in compatibility mode with ext32: the program counter, two context
 * IDs, then two words of five counters read and written: 23. */
#define CS_PMCU_MAX_ACCESSES 32u

/* Spec, "States". */
typedef enum cs_pmcu_state {
    CS_PMCU_IDLE = 0,
    CS_PMCU_INIT = 1,
    CS_PMCU_FETCH = 2,
    CS_PMCU_PROGRAM = 3,
    CS_PMCU_START = 4,
    CS_PMCU_WAIT = 5,
    CS_PMCU_STOP = 6,
    CS_PMCU_READ = 7,
    CS_PMCU_STORE = 8,
    CS_PMCU_SWITCH = 9,
    CS_PMCU_BREAK = 10,
    CS_PMCU_NR_STATES
} cs_pmcu_state;

typedef struct cs_pmcu_registers {
    uint32_t fsm_cfg;
    uint32_t event_base_h, event_base_l;
    uint32_t kill_base_h, kill_base_l;
    uint32_t store_base_h, store_base_l;
    uint32_t wait_cnt;
    uint32_t comp;
    uint32_t int_en, int_msk, int_stat;
    uint32_t pmcr, pmccfiltr;
    uint32_t errors; /* bits 8..13 of FSM_STATUS */
} cs_pmcu_registers;

/* A run: what was copied at its trigger, and how far it is. */
typedef struct cs_pmcu_run {
    unsigned ev_len; /* E */
    unsigned nr_loop;
    unsigned nr_pmu; /* p */
    unsigned nr_groups;
    bool comp;
    unsigned first_counter;
    uint32_t enable_mask; /* M */
    uint32_t pmcr, pmccfiltr;
    uint64_t event_base;
    uint64_t kill_base;
    uint64_t wait_cycles;  /* W */
    uint32_t sample_words; /* of 8 bytes */

    unsigned group, loop;
    uint64_t store_pointer;
    uint64_t sample_addr;
    uint32_t sample_number;
    uint16_t events[CS_PMCU_MAX_NR_PMU]; /* of the group */
} cs_pmcu_run;

/* One access of a slot, the same for every slot of a walk. */
typedef struct cs_pmcu_access {
    uint16_t offset; /* in the frame of the core PMU */
    uint8_t bytes;   /* 4 or 8 */
    bool write;
    uint32_t data; /* writes; the high half of 8 bytes is zero */
    /* Reads: where the low and the high half go in the sample, for idx 0, and the
     * distance to idx + 1. */
    uint16_t field[2];
    uint16_t stride;
} cs_pmcu_access;

#define CS_PMCU_NO_FIELD UINT16_MAX

/* What of a slot has failed (spec, "Failed slots"). */
#define CS_PMCU_FAILED_NOW 1u  /* this subsample */
#define CS_PMCU_FAILED_NEXT 2u /* the one after it */
#define CS_PMCU_FAILED_RUN 4u  /* all of the run */

/* A walker: which access it is at. */
typedef struct cs_pmcu_lane {
    unsigned cluster, slot, access;
} cs_pmcu_lane;

typedef struct cs_pmcu_engine {
    uint64_t at;    /* the next burst */
    uint32_t left;  /* 8-byte words, from `at` on */
    unsigned words; /* FETCH: 4-byte words that are wanted */
    int next_word;  /* FETCH: the one in the low half at `at`; -1: not wanted */
} cs_pmcu_engine;

struct cs_pmcu {
    cs_pmcu_config config;
    cs_pmcu_env env;

    cs_cycle now;
    cs_pmcu_state state;
    cs_cycle entered; /* the state's first cycle */
    bool brk;         /* the flag of FSM_BRK */
    bool irq;
    cs_pmcu_registers regs;
    /* In the cycle being executed; zero between two. */
    uint32_t int_set; /* what hardware sets in INT_STAT */
    uint32_t int_clear;

    /* Inputs that are posted, by the cycle in which they act. */
    cs_cycle written; /* CS_NEVER: none */
    uint32_t write_offset, write_data;
    cs_cycle completes[CS_PMCU_MAX_LANES]; /* CS_NEVER: none, or the platform will tell */

    unsigned out; /* ports with a request out: the busy lanes, or the engine (port 0) */
    unsigned ask; /* ports that ask in the next cycle; zero between two */
    cs_bus_txn txn[CS_PMCU_MAX_LANES];

    unsigned nr_accesses;
    unsigned reset_at; /* READ: the first access of the reset */
    cs_pmcu_access accesses[CS_PMCU_MAX_ACCESSES];
    cs_pmcu_lane lanes[CS_PMCU_MAX_LANES];
    cs_pmcu_engine engine;
    cs_pmcu_run run;

    uint8_t sample[CS_PMCU_MAX_SAMPLE_BYTES]; /* as it will be in memory */
    uint8_t failed[CS_PMCU_MAX_CPUS];         /* by idx */
};

static inline unsigned cs_pmcu_nr_cpu(const cs_pmcu *pmcu)
{
    return pmcu->config.clusters * pmcu->config.slots;
}

/* Whether the flag keeps new requests back and leads to BREAK (spec, "BRK"). */
static inline bool cs_pmcu_breaking(const cs_pmcu *pmcu)
{
    return pmcu->brk && pmcu->state != CS_PMCU_BREAK;
}

static inline uint32_t cs_pmcu_load32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline void cs_pmcu_store32(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    to[2] = (uint8_t)(value >> 16);
    to[3] = (uint8_t)(value >> 24);
}

/* pmcu_regs.c */
void cs_pmcu_regs_reset(cs_pmcu *pmcu);
uint32_t cs_pmcu_regs_read(const cs_pmcu *pmcu, uint32_t offset);
/* The write acts in the next cycle; called after the state machine, which was in `state`. */
void cs_pmcu_regs_write(cs_pmcu *pmcu, cs_pmcu_state state, uint32_t offset, uint32_t data);
bool cs_pmcu_regs_irq(const cs_pmcu_registers *regs);

/* pmcu_fsm.c */
void cs_pmcu_fsm_enter(cs_pmcu *pmcu, cs_pmcu_state state);
/* Executes the state's part of cycle `now`; busy: some request was out in it. */
void cs_pmcu_fsm_execute(cs_pmcu *pmcu, bool busy);
/* Fills the port's transaction with what the state has to ask for. */
void cs_pmcu_fsm_request(cs_pmcu *pmcu, unsigned port);
/* A transfer of `port` is complete in cycle `now`. */
void cs_pmcu_fsm_complete(cs_pmcu *pmcu, unsigned port);
/* The next cycle in which cs_pmcu_fsm_execute does anything, without inputs. */
cs_cycle cs_pmcu_fsm_next(const cs_pmcu *pmcu);

/* pmcu_walk.c; a port that has something to ask for is put into pmcu->ask. */
void cs_pmcu_walk_start(cs_pmcu *pmcu);
void cs_pmcu_walk_complete(cs_pmcu *pmcu, unsigned port);
void cs_pmcu_walk_request(cs_pmcu *pmcu, unsigned port);
/* Puts zeros into the sample, where a slot has failed. */
void cs_pmcu_clear_failed(cs_pmcu *pmcu);
/* The subsample is committed: what has failed next fails now. */
void cs_pmcu_next_subsample(cs_pmcu *pmcu);

/* pmcu_engine.c; likewise. */
void cs_pmcu_fetch_start(cs_pmcu *pmcu);
void cs_pmcu_prefetch_start(cs_pmcu *pmcu); /* the events of the group after this one */
void cs_pmcu_fetch_complete(cs_pmcu *pmcu, unsigned port);
void cs_pmcu_fetch_request(cs_pmcu *pmcu, unsigned port);
void cs_pmcu_store_start(cs_pmcu *pmcu);
void cs_pmcu_store_complete(cs_pmcu *pmcu, unsigned port);
void cs_pmcu_store_request(cs_pmcu *pmcu, unsigned port);
/* Whether another group comes after this one in the run. */
bool cs_pmcu_another_group(const cs_pmcu_run *run);

#endif

// SPDX-License-Identifier: Apache-2.0
/* Inside the firmware: its state, and what its parts hand to each other. */
#ifndef CS_DRIVERS_HPM_SBI_SBI_PMU_IMPL_H
#define CS_DRIVERS_HPM_SBI_SBI_PMU_IMPL_H

#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

#define CS_SBI_NO_EVENT UINT32_MAX
#define CS_SBI_HARDWARE 32u /* counters at most; index is the counter's number */
#define CS_SBI_FIXED 0x5u   /* mcycle, minstret */
#define CS_SBI_SLOTS 64u
#define CS_SBI_FW_EVENTS 22u /* codes that the specification names: below it */
#define CS_SBI_FW_SPECIFIC 256u
#define CS_SBI_FW_CELLS 32u /* codes that have one of their own (fw_per_event) */
#define CS_SBI_IDX_BITS 20u /* of event_idx; those above are reserved */
#define CS_SBI_NO_COUNTER UINT64_MAX
#define CS_SBI_CPU_CYCLES 1u
#define CS_SBI_INSTRUCTIONS 2u
#define CS_SBI_RAW_IDX (CS_SBI_TYPE_RAW << 16)
#define CS_SBI_RAW_V2_IDX (CS_SBI_TYPE_RAW_V2 << 16)

#define CS_SBI_OF (UINT64_C(1) << 63)
#define CS_SBI_EVENT_BITS ((UINT64_C(1) << 56) - 1) /* of mhpmevent, but for OF and filters */

#define CS_CSR_MCOUNTEREN 0x306u
#define CS_CSR_MCOUNTINHIBIT 0x320u
#define CS_CSR_SCOUNTOVF 0xda0u
#define CS_CSR_MIP 0x344u
#define CS_MIP_LCOFIP (1u << 13)

/* A firmware counter's state. */
typedef struct cs_sbi_cell {
    uint64_t value;
    bool started;
} cs_sbi_cell;

typedef struct cs_sbi_counter {
    uint32_t event_idx; /* CS_SBI_NO_EVENT: none */
    uint64_t data;
    uint64_t selected; /* mhpmevent as configured, OF 0 */
    cs_sbi_cell cell;
    bool has_address; /* the proposal's */
    uint64_t address;
    bool has_unit; /* counter `number` of a unit counts for it */
    uint8_t unit, number;
    uint64_t since; /* what that was at the last look */
} cs_sbi_counter;

struct cs_sbi_pmu {
    cs_sbi_pmu_config config;
    cs_riscv_pmu_map map;
    bool booted;
    unsigned xlen;
    uint32_t there;       /* counters of hardware */
    unsigned nr_hardware; /* firmware counters begin here */
    unsigned nr_counters;
    uint8_t width[CS_SBI_HARDWARE];
    cs_sbi_counter counters[CS_SBI_HARDWARE + CS_SBI_PMU_MAX_FIRMWARE];
    cs_sbi_cell per_event[CS_SBI_FW_CELLS]; /* fw_per_event */
    cs_sbi_sse *sse;                        /* NULL: the firmware has no software events */
    cs_sse_supervisor supervisor;
    cs_sse_handler handler;
    void *handler_ctx;
    unsigned handlers; /* that run, one within the other */
    bool completed;    /* the last call ended one */
    bool lcofi_ours;   /* not S mode's: mideleg[13] is 0 for the event's sake, */
    bool lcofi_on;     /* and mie[13] is 1 */
    bool page_set;
    uint64_t page;
    uint64_t
        copy[1 + CS_SBI_SLOTS]; /* of the page: bitmap and values (page_whole, bitmap_sticks) */
};

/* A counter set: bit i of mask is counter base + i. */
typedef struct cs_sbi_set {
    uint64_t base, mask;
} cs_sbi_set;

static inline bool cs_sbi_has_snapshots(const cs_sbi_pmu *fw)
{
    return fw->config.version >= CS_SBI_VERSION_2_0;
}

/* All bits of a register. */
static inline uint64_t cs_sbi_ones(const cs_sbi_pmu *fw)
{
    return fw->xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

/* The counter of bit i. */
static inline uint64_t cs_sbi_index(const cs_sbi_pmu *fw, cs_sbi_set set, unsigned i)
{
    return (set.base + i) & cs_sbi_ones(fw);
}

static inline bool cs_sbi_deviates(const cs_sbi_pmu *fw, uint64_t deviation)
{
    return (fw->config.deviations & deviation) != 0;
}

static inline cs_sbi_ret cs_sbi_error_of(cs_sbi_error error)
{
    return (cs_sbi_ret){.error = error};
}

static inline cs_sbi_ret cs_sbi_value_of(uint64_t value)
{
    return (cs_sbi_ret){.error = CS_SBI_SUCCESS, .value = value};
}

/* The lowest bit of a mask that is not 0. */
static inline unsigned cs_sbi_first(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* The 64 bits that begin at argument `low`. */
static inline uint64_t cs_sbi_wide(const cs_sbi_pmu *fw, const uint64_t args[6], unsigned low)
{
    return fw->xlen == 32 ? args[low] | args[low + 1] << 32 : args[low];
}

/* ---- sbi_pmu_counter.c: which counters there are, and their CSRs ---- */

bool cs_sbi_is_counter(const cs_sbi_pmu *fw, uint64_t index);
bool cs_sbi_is_firmware(const cs_sbi_pmu *fw, uint64_t index);
/* Has it an event, or one from boot on? */
bool cs_sbi_is_configured(const cs_sbi_pmu *fw, uint64_t index);
/* The set that a caller means by base and mask. False: it is refused, for it is empty or (but for
 * unconfigured_skipped, holes_have_info) not all of it is there. */
bool cs_sbi_set_of(const cs_sbi_pmu *fw, uint64_t base, uint64_t mask, cs_sbi_set *set);
/* START and STOP leave it out. */
bool cs_sbi_passed_over(const cs_sbi_pmu *fw, uint64_t index);
/* The counters of hardware in it. */
uint32_t cs_sbi_set_hardware(const cs_sbi_pmu *fw, cs_sbi_set set);
cs_sbi_cell *cs_sbi_cell_of(cs_sbi_pmu *fw, uint64_t index);
/* The cell that counter `index` has for an event. */
cs_sbi_cell *cs_sbi_cell_for(cs_sbi_pmu *fw, uint64_t index, uint32_t code);

uint64_t cs_sbi_counter_read(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n);
void cs_sbi_counter_write(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n, uint64_t value);
/* mhpmevent n; for 0 and 2 the filters in mcyclecfg, minstretcfg where there are any. */
void cs_sbi_event_write(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n, uint64_t value);
/* OF = 0, so that the next overflow asks for an interrupt. */
void cs_sbi_arm(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n);
/* For one that stands: OF = 0, and it counts. */
void cs_sbi_arm_and_enable(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n);
/* They count from the next cycle on. */
void cs_sbi_enable(cs_hart *hart, uint32_t counters);

/* ---- sbi_pmu_event.c: which events there are ---- */

typedef enum cs_sbi_kind {
    CS_SBI_KIND_NONE, /* the specification has no such event */
    CS_SBI_KIND_HARDWARE,
    CS_SBI_KIND_RAW,
    CS_SBI_KIND_FIRMWARE
} cs_sbi_kind;

/* event_idx as the firmware takes it from a caller. */
uint64_t cs_sbi_event_taken(const cs_sbi_pmu *fw, uint64_t event_idx);
cs_sbi_kind cs_sbi_event_kind(const cs_sbi_pmu *fw, uint64_t event_idx);
bool cs_sbi_event_data_valid(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data);
/* What mhpmevent gets, without OF and filters; 0: nothing. */
uint64_t cs_sbi_event_select(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data);
/* The counters of hardware that can count an event of hardware. */
uint32_t cs_sbi_event_counters(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data);
bool cs_sbi_event_in_firmware(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data);

/* ---- the calls ---- */

/* What a call asks for. */
typedef struct cs_sbi_request {
    uint64_t base; /* as it came */
    cs_sbi_set set;
    uint32_t flags;
    uint64_t event_idx;
    uint64_t data;
    cs_sbi_kind kind;
} cs_sbi_request;

/* sbi_pmu_choose.c: CS_SBI_NO_COUNTER when there is none */
uint64_t cs_sbi_choose_firmware(cs_sbi_pmu *fw, const cs_sbi_request *r);
uint64_t cs_sbi_choose_hardware(const cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_request *r);
/* The bits of mhpmevent, mcyclecfg, minstretcfg for CS_SBI_CFG_SET_*. */
uint64_t cs_sbi_filters_of(uint32_t flags);
/* sbi_pmu_config.c */
cs_sbi_ret cs_sbi_config_matching(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);
/* sbi_pmu_start.c, sbi_pmu_stop.c */
cs_sbi_ret cs_sbi_counter_start(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);
cs_sbi_ret cs_sbi_counter_stop(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);
/* sbi_pmu_memory.c */
cs_sbi_ret cs_sbi_set_shmem(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);
cs_sbi_ret cs_sbi_event_get_info(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);
/* sbi_pmu_v3.c: a call of the proposal, and what a firmware event does in it. */
cs_sbi_ret cs_sbi_v3_call(cs_sbi_pmu *fw, cs_hart *hart, uint64_t fid, const uint64_t args[6]);
void cs_sbi_v3_event(cs_sbi_pmu *fw, cs_hart *hart, unsigned code, uint64_t count);

/* ---- sbi_pmu_memory.c: the snapshot page, and memory in general ---- */

bool cs_sbi_in_memory(const cs_sbi_pmu *fw, uint64_t address, uint64_t bytes);
/* The page's values of the slots of `mask`; false: they cannot be loaded. */
bool cs_sbi_page_load(cs_sbi_pmu *fw, cs_hart *hart, uint64_t mask, uint64_t values[CS_SBI_SLOTS]);

typedef struct cs_sbi_snapshot {
    uint64_t slots;  /* those that are written */
    uint64_t bitmap; /* of counters that have overflowed */
    uint64_t reset;  /* of counters that lost their event */
    uint64_t values[CS_SBI_SLOTS];
} cs_sbi_snapshot;

/* false: it cannot be stored. */
bool cs_sbi_page_store(cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_snapshot *snapshot);

/* ---- sbi_pmu_unit.c: counters of shared units; false: the unit cannot be reached ---- */

bool cs_sbi_is_unit_event(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data);
/* Is one of this hart's counters of the unit free? `index` would give its own back. */
bool cs_sbi_unit_has_room(const cs_sbi_pmu *fw, uint64_t index, uint64_t data);
void cs_sbi_unit_boot(const cs_sbi_pmu *fw, cs_hart *hart);
/* Of firmware counter `index`; where no unit counts for it they do nothing. */
bool cs_sbi_unit_take(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, uint64_t data);
bool cs_sbi_unit_release(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index);
bool cs_sbi_unit_begin(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index);
/* The firmware counter gets what has happened since the last look. */
bool cs_sbi_unit_look(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index);

/* ---- sbi_sse_hart.c: without software events the first does nothing, and leave only returns ---- */

/* What a trap is about to interrupt. */
void cs_sse_capture(cs_sbi_pmu *fw, cs_hart *hart, cs_sse_entry *from);
cs_sbi_ret cs_sse_ecall(cs_sbi_pmu *fw, cs_hart *hart, uint64_t fid, const uint64_t args[6]);
/* Back to what was interrupted; what is ready comes first. */
void cs_sse_leave(cs_sbi_pmu *fw, cs_hart *hart, cs_hart_track track, cs_sse_entry *from);
/* Counters have been stopped: an overflow of theirs is no longer pending. */
void cs_sse_stopped(cs_sbi_pmu *fw, cs_hart *hart);

#endif

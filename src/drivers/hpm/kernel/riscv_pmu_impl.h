// SPDX-License-Identifier: Apache-2.0
/* Internal: the driver's parts among themselves (docs/drivers/riscv_driver.md). */
#ifndef CS_DRIVERS_HPM_KERNEL_RISCV_PMU_IMPL_H
#define CS_DRIVERS_HPM_KERNEL_RISCV_PMU_IMPL_H

#include "drivers/perf_frequency.h"
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>

/* CSRs that the driver touches. */
#define CSR_SCOUNTEREN 0x106u
#define CSR_SCOUNTINHIBIT 0x120u
#define CSR_SIE 0x104u
#define CSR_SIP 0x144u
#define CSR_SISELECT 0x150u
#define CSR_SIREG 0x151u
#define CSR_SIREG2 0x152u
#define CSR_SIREG4 0x155u
#define CSR_SIREG5 0x156u
#define CSR_CYCLE 0xc00u
#define CSR_CYCLEH 0xc80u
#define CSR_SCOUNTOVF 0xda0u
#define LCOFI (1u << 13)

#define COUNTER_CYCLE 0u
#define COUNTER_INSTRET 2u
#define COUNTER_HPM 3u /* the first */

#define EVENT_CYCLES 1u /* event_idx */
#define EVENT_INSTRUCTIONS 2u

#define NR_STANDARD_HW 10u
#define NR_CACHES 7u
#define NR_CACHE_OPS 3u
#define NR_CACHE_RESULTS 2u
#define NR_STANDARD (NR_STANDARD_HW + NR_CACHES * NR_CACHE_OPS * NR_CACHE_RESULTS)

typedef struct counter {
    bool present;
    bool software; /* firmware's */
    uint16_t csr;  /* of a hardware one */
    uint8_t width; /* bits - 1 */
} counter;

struct cs_riscv_perf_event {
    cs_riscv_attr attr;
    uint32_t event_idx;
    uint64_t data;
    int index;
    unsigned state;
    uint64_t count;
    uint64_t prev;
    cs_perf_period period;
    cs_perf_frequency frequency; /* of an event with sample_freq */
    cs_perf_throttle throttle;
    bool wanted; /* started, and not stopped, by the caller */
    bool asleep; /* stopped by pm_enter */
    cs_riscv_perf_event *next;
};

/* How a kind starts, stops and reads an event that is not as all others do it. */
typedef struct event_ops {
    void (*start)(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, unsigned flags);
    void (*stop)(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, unsigned flags);
    void (*read)(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);
} event_ops;

/* What a kind does. Sets are masks of counters. */
typedef struct kind_ops {
    bool needs_sbi;
    bool samples;           /* where there is Sscofpmf */
    bool filters;           /* likewise */
    bool takes_all;         /* opens an event that asks for what it cannot do, and does not do it */
    const event_ops *event; /* NULL: as all others */
    int (*map)(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
               uint64_t *data);
    int (*find_counters)(cs_riscv_pmu *pmu, cs_hart *hart);
    void (*stop_all)(cs_riscv_pmu *pmu, cs_hart *hart);     /* NULL: they cannot be */
    void (*check_events)(cs_riscv_pmu *pmu, cs_hart *hart); /* NULL: nothing to check */
    /* A free counter that counts the event from its start on, or an error. */
    int (*get_index)(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);
    void (*start)(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                  uint64_t value);
    /* NULL: nothing stops. */
    void (*stop)(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);
    void (*release)(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);
    uint64_t (*read)(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);
    /* The handler's: stops the set and returns what tells the overflows. */
    uint64_t (*stop_set)(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set);
    /* The bit of counter i in that. */
    bool (*overflowed)(const cs_riscv_pmu *pmu, uint64_t overflow, unsigned i);
    /* `same` go on from where they are, `anew` from their event's prev. */
    void (*start_set)(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew);
} kind_ops;

struct cs_riscv_pmu {
    cs_riscv_pmu_config config;
    cs_riscv_listener listener;
    const kind_ops *ops;
    counter counters[CS_RISCV_MAX_COUNTERS];
    uint64_t present; /* counters, as a mask */
    uint64_t used;    /* taken by events */
    cs_riscv_perf_event *events[CS_RISCV_MAX_COUNTERS];
    cs_riscv_perf_event *all; /* opened */
    unsigned spec_major;
    bool sse;                              /* overflows come by software events */
    unsigned held;                         /* so often their event is held off */
    const cs_sse_entry *entry;             /* of the handler that runs; NULL: by interrupt */
    bool snapshot;                         /* the page is set */
    uint64_t slots[CS_RISCV_MAX_COUNTERS]; /* of the page, as the handler found them */
    bool unsupported[NR_STANDARD];
    uint64_t head; /* of the ring */
    uint64_t tail; /* the reader's */
    uint64_t lost; /* records since the last LOST */
    cs_riscv_figures figures;
};

extern const kind_ops cs_riscv_sbi_ops;
extern const kind_ops cs_riscv_legacy_ops;
extern const kind_ops cs_riscv_delegated_ops;
extern const kind_ops cs_riscv_v3_ops;
extern const kind_ops cs_riscv_posted_ops;
extern const kind_ops cs_riscv_base_ops;

static inline uint64_t bit(unsigned i)
{
    return (uint64_t)1 << i;
}

static inline bool has_bug(const cs_riscv_pmu *pmu, uint32_t bug)
{
    return (pmu->config.bugs & bug) != 0;
}

/* That of a counter, not of its high half. */
static inline bool is_counter_csr(uint64_t csr)
{
    return csr >= CSR_CYCLE && csr < CSR_CYCLE + 32;
}

static inline bool is_sampling(const cs_riscv_perf_event *event)
{
    return event->attr.sample_period != 0;
}

/* ---- riscv_pmu.c ---- */

/* Takes what the counter is into the tables. */
void cs_riscv_found(cs_riscv_pmu *pmu, unsigned i, counter what);
/* The counter's bits as a mask; of an event without one, of counter 0. */
uint64_t cs_riscv_mask_of(const cs_riscv_pmu *pmu, int index);
/* Hardware counters whose events run. */
uint64_t cs_riscv_running(const cs_riscv_pmu *pmu);

/* ---- riscv_pmu_call.c: SBI ---- */

cs_sbi_ret cs_riscv_call(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t eid, uint64_t fid,
                         const uint64_t args[6]);
/* A call of the PMU extension one of whose arguments, number `at`, has 64 bits. */
cs_sbi_ret cs_riscv_call64(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t fid, const uint64_t args[6],
                           unsigned at, uint64_t value);
/* The errno of SBI's error. */
int cs_riscv_errno(int64_t error);
/* Counts an error that nobody does anything about. */
void cs_riscv_note(cs_riscv_pmu *pmu, cs_sbi_ret ret);
/* A STOP has done what it was asked to; some may have stood before. */
bool cs_riscv_has_stopped(cs_sbi_ret ret);
/* A set of counters as the calls take it: so many words, and word i. */
unsigned cs_riscv_words(const cs_hart *hart);
uint64_t cs_riscv_word(const cs_hart *hart, uint64_t set, unsigned i);

/* ---- riscv_pmu_map.c ---- */

int cs_riscv_map_standard(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, unsigned first_code,
                          uint32_t *event_idx);
int cs_riscv_map_sbi(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                     uint64_t *data);
/* The standard event number i: its event_idx with hardware's codes from `first_code` on. */
uint32_t cs_riscv_standard_idx(unsigned i, unsigned first_code);
/* CS_SBI_CFG_SET_*. */
uint64_t cs_riscv_filters(const cs_riscv_attr *attr);

/* ---- riscv_pmu_check.c ---- */

void cs_riscv_check_events(cs_riscv_pmu *pmu, cs_hart *hart);

/* ---- riscv_pmu_counter.c ---- */

uint64_t cs_riscv_read_csr(const cs_riscv_pmu *pmu, cs_hart *hart, unsigned csr);
/* By the number of the CSR in scountovf. */
bool cs_riscv_by_csr(const cs_riscv_pmu *pmu, uint64_t overflow, unsigned i);

/* ---- riscv_pmu_sbi.c: firmware's counters are the delegated kind's, too ---- */

int cs_riscv_sbi_find(cs_riscv_pmu *pmu, cs_hart *hart, bool hardware_too);
void cs_riscv_sbi_stop_all(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set, uint64_t flags);
/* CONFIG_MATCHING. */
cs_sbi_ret cs_riscv_sbi_match(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set, uint64_t flags,
                              uint32_t event_idx, uint64_t data);
/* One of the set; `flags` beside those of its filters. */
int cs_riscv_sbi_get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                           uint64_t set, uint64_t flags);
void cs_riscv_sbi_start(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                        uint64_t value);
void cs_riscv_sbi_stop(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);
void cs_riscv_sbi_release(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);
uint64_t cs_riscv_sbi_read(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event);

/* ---- riscv_pmu_delegated.c: what the driver as it was posted shares ---- */

#define CS_RISCV_OF bit(63)
#define CS_RISCV_CFG_TO_XINH (58 - 3) /* from SBI's flags to mhpmevent's bits, in the same order */
#define CS_RISCV_HARDWARE_COUNTERS 32u

int cs_riscv_deleg_map(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                       uint64_t *data);
void cs_riscv_deleg_select(cs_hart *hart, unsigned i);
/* Of the counter that is selected. */
void cs_riscv_deleg_write_counter(cs_hart *hart, uint64_t value);
void cs_riscv_deleg_write_event(const cs_riscv_pmu *pmu, cs_hart *hart, uint64_t value);
/* OF, where there is one. */
uint64_t cs_riscv_deleg_of_bit(const cs_riscv_pmu *pmu);
bool cs_riscv_deleg_is_software(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event);
uint64_t cs_riscv_deleg_firmware_set(const cs_riscv_pmu *pmu);

/* ---- riscv_pmu_snapshot.c ---- */

void cs_riscv_snapshot_set(cs_riscv_pmu *pmu, cs_hart *hart, bool on);
/* After a STOP of counter i alone. */
void cs_riscv_snapshot_stopped(cs_riscv_pmu *pmu, cs_hart *hart, unsigned i);
uint64_t cs_riscv_snapshot_value(cs_riscv_pmu *pmu, cs_hart *hart, unsigned i);
uint64_t cs_riscv_snapshot_stop_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set);
void cs_riscv_snapshot_start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew);

/* ---- riscv_pmu_event.c ---- */

/* Cycles by perf's clock. */
uint64_t cs_riscv_ns(const cs_riscv_pmu *pmu, cs_cycle cycles);

/* True: a period has ended. */
bool cs_riscv_set_period(const cs_riscv_pmu *pmu, cs_riscv_perf_event *event);
void cs_riscv_update(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);
void cs_riscv_start(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, unsigned flags);
void cs_riscv_stop(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);
/* User space may read a mapped event's counter while it runs. */
void cs_riscv_let_users_read(const cs_riscv_pmu *pmu, cs_hart *hart,
                             const cs_riscv_perf_event *event, bool on);
/* What the event's counter starts from: prev, as wide as it is. */
uint64_t cs_riscv_start_value(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event);

/* ---- riscv_pmu_chain.c ---- */

/* The call chain of who was interrupted, into words[CS_PERF_CHAIN_MOST]; takes its time. Returns how
 * many words there are. */
size_t cs_riscv_chain(const cs_riscv_pmu *pmu, cs_hart *hart, uint16_t misc,
                      const cs_context *context, uint64_t words[]);

/* ---- riscv_pmu_ring.c ---- */

void cs_riscv_ring_begin(cs_riscv_pmu *pmu, cs_hart *hart);
/* False: there was no room. */
bool cs_riscv_ring_sample(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_sample *sample);
void cs_riscv_ring_throttle(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                            bool on);

/* ---- riscv_pmu_irq.c ---- */

/* What to do about an overflow; true: there was one. */
bool cs_riscv_overflow(cs_riscv_pmu *pmu, cs_hart *hart);

/* ---- riscv_pmu_sse.c ---- */

/* False: the firmware has none for overflows. */
bool cs_riscv_sse_setup(cs_riscv_pmu *pmu, cs_hart *hart);
void cs_riscv_sse_down(cs_riscv_pmu *pmu, cs_hart *hart);
/* No handler runs from hold to release; what overflows meanwhile is handled then. Without software
 * events nothing is done. */
void cs_riscv_sse_hold(cs_riscv_pmu *pmu, cs_hart *hart);
void cs_riscv_sse_release(cs_riscv_pmu *pmu, cs_hart *hart);

/* ---- riscv_pmu_memory.c: what cannot be loaded is 0 ---- */

void cs_riscv_store(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address, const void *data,
                    size_t bytes);
void cs_riscv_load(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address, void *data, size_t bytes);
uint64_t cs_riscv_load64(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address);
void cs_riscv_store64(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address, uint64_t value);

#endif

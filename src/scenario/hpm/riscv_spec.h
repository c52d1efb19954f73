// SPDX-License-Identifier: Apache-2.0
/* The harts' firmware, driver, and perf. */
#ifndef CS_SCENARIO_HPM_RISCV_SPEC_H
#define CS_SCENARIO_HPM_RISCV_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"
#include <countersink/scenario/hpm/riscv_kind.h>

/* A unit whose counters the firmware offers. */
#define CS_RISCV_MAX_UNITS 8u
typedef struct cs_riscv_unit_spec {
    const char *name;
    uint64_t address;
    unsigned counters, width;
    uint16_t source;   /* of its records */
    unsigned timeline; /* its own */
    uint32_t event;    /* its event 0 there */
} cs_riscv_unit_spec;

/* The kernel's PMU driver on a hart, or that of a guest (docs/drivers/riscv_driver.md). */
typedef struct cs_riscv_driver_spec {
    cs_riscv_kind kind;
    cs_riscv_find find;
    const char **bug_names;
    size_t nr_bugs;
    uint32_t bugs; /* the same as a mask */
    bool snapshot;
    bool event_info;
    bool sse;
    unsigned sse_cycles;
    bool legacy_user_access;
    uint64_t base;         /* of its pages: those of hart n at n x cs_scenario_riscv_bytes */
    uint64_t ring_bytes;   /* of data; a power of two, or 0 */
    uint64_t wakeup_bytes; /* so much in the ring wakes the reader up; 0: only the command's end */
    unsigned handler_cycles;
    unsigned event_cycles;
    unsigned sample_cycles;
    unsigned frame_cycles;
    unsigned max_samples_per_tick;
    unsigned tick_us;
    unsigned mux_us; /* events take turns; 0: one without a counter is refused */
    unsigned rotation_cycles;
} cs_riscv_driver_spec;

/* One perf command on harts: stat (sample_period 0) or record. */
typedef struct cs_riscv_perf_spec {
    const char **events;
    size_t nr_events;
    struct cs_riscv_perf_config *configs; /* the same, as perf opens them */
    bool cpus[CS_MAX_CPUS];
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us;   /* stat -I; 0: only at the end */
    uint64_t sample_period; /* with freq: 1, the first one */
    uint64_t freq;          /* perf record -F; 0: -c */
    bool callchain;         /* -g */
    bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest;
    bool guest_events; /* the first three mean the guest's modes */
    bool mmapped;
    bool guest; /* the guest's perf does it */
} cs_riscv_perf_spec;

/* What the rest of the firmware has to do, again and again. */
typedef struct cs_firmware_event_spec {
    char name[CS_NAME_BYTES];
    unsigned code;
    bool cpus[CS_MAX_CPUS];
    uint64_t every_us;
    uint64_t count;
} cs_firmware_event_spec;

/* A CSR instruction that is carried out again and again. */
typedef enum cs_riscv_by { CS_RISCV_WORKLOAD, CS_RISCV_KERNEL, CS_RISCV_FIRMWARE } cs_riscv_by;
typedef enum cs_riscv_op {
    CS_RISCV_READ,
    CS_RISCV_WRITE,
    CS_RISCV_SET,
    CS_RISCV_CLEAR
} cs_riscv_op;
typedef struct cs_riscv_access_spec {
    cs_riscv_by by;
    unsigned csr;
    cs_riscv_op op;
    uint64_t value;
    bool cpus[CS_MAX_CPUS];
    uint64_t every_us;
} cs_riscv_access_spec;

/* How a guest gets counters. */
typedef enum cs_riscv_hypervisor {
    CS_RISCV_LENDS, /* those of the hardware, lent */
    CS_RISCV_KVM    /* virtual ones: events of the host's perf */
} cs_riscv_hypervisor;

typedef struct cs_riscv_spec {
    struct {
        bool proposal_v3;
        cs_riscv_set_event set_event; /* the proposal's */
        unsigned version;             /* as the SBI says it: 0x02000000 */
        unsigned counters;
        unsigned specific_events;
        uint64_t platform_events;
        const char **deviation_names;
        size_t nr_deviations;
        uint64_t deviations; /* the same as a mask */
        unsigned call_cycles;
        const char **unit_names;
        size_t nr_units;
        cs_riscv_unit_spec units[CS_RISCV_MAX_UNITS]; /* the same */
        bool sse;
    } firmware;
    struct cs_riscv_pmu_map *map; /* NULL: the built-in one */
    cs_riscv_driver_spec driver;
    bool has_guest;
    cs_riscv_hypervisor hypervisor;
    unsigned hypervisor_cycles; /* work of the hypervisor for a call of its guest */
    unsigned exit_cycles;       /* KVM: out of the guest, and back */
    bool kvm_reads_add;         /* its published fault */
    cs_riscv_driver_spec guest;
    cs_firmware_event_spec *firmware_events;
    size_t nr_firmware_events;
    cs_riscv_access_spec *accesses;
    size_t nr_accesses;
    cs_riscv_perf_spec *perf;
    size_t nr_perf;
} cs_riscv_spec;

#define CS_RISCV_MAX_TURNS 1024u /* events that take turns on a hart, of one kernel */

/* What a driver on a hart has in memory: snapshot page, a page for EVENT_GET_INFO, ring. */
#define CS_RISCV_PAGE 4096u
static inline uint64_t cs_scenario_riscv_bytes(const cs_riscv_driver_spec *driver)
{
    return 3 * (uint64_t)CS_RISCV_PAGE + driver->ring_bytes;
}

#endif

// SPDX-License-Identifier: Apache-2.0
/* What runs on a hart of a scenario: the firmware, the kernel's driver with the perf commands, a
 * guest's driver above a hypervisor (docs/drivers/riscv_software.md). One object a hart. */
#ifndef CS_DRIVERS_HPM_RISCV_H
#define CS_DRIVERS_HPM_RISCV_H

#include "drivers/count.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include <countersink/base/diag.h>
#include <countersink/drivers/hpm/hart.h>
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;
struct cs_rotating_report;

typedef struct cs_riscv cs_riscv;

typedef struct cs_riscv_config {
    const cs_riscv_spec *spec;         /* borrowed; in the ranges of the scenario's keys */
    const cs_harts_spec *harts;        /* likewise: what a hart has */
    unsigned hart;                     /* its number, */
    unsigned cpu;                      /* and that among all CPUs */
    unsigned clock_mhz;                /* bus cycles of a microsecond */
    uint64_t memory_base, memory_size; /* RAM */
    const cs_soft_sink *soft;          /* what it tells; borrowed, may be NULL */
} cs_riscv_config;

/* An event of a perf command on this hart. */
typedef struct cs_riscv_which {
    unsigned hart;
    unsigned command; /* its number in the scenario */
    unsigned event;   /* its number in the command */
} cs_riscv_which;

/* Whose perf counts: the names of the PMUs in what is told. */
#define CS_RISCV_PMU_HART "riscv"
#define CS_RISCV_PMU_GUEST "guest"

#define CS_RISCV_FIRMWARE_COUNTER (-1)

/* perf opened an event, or could not. */
typedef struct cs_riscv_opened {
    cs_riscv_which which;
    int error; /* 0: the event has a counter and counts; else the errno with which perf refuses it */
    bool turns; /* it has counters in turns: cs_riscv_placed tells which, and when */
    int counter;
    cs_cycle adding; /* when it began to */
} cs_riscv_opened;

/* An event in turns has got a counter, or has lost the one that it had. */
typedef struct cs_riscv_placed {
    cs_riscv_which which;
    bool on;
    int counter;     /* of the hardware; CS_RISCV_FIRMWARE_COUNTER */
    cs_cycle adding; /* when that began */
} cs_riscv_placed;

/* perf stat printed a count, or perf record ended: cs_count.own of its record. */
typedef struct cs_riscv_reading {
    cs_riscv_which which;
    int counter;      /* of the hardware; CS_RISCV_FIRMWARE_COUNTER */
    uint64_t told;    /* firmware counter: what the firmware had to do in that time */
    uint64_t told_on; /* as `told`, of the cycles in which an event in turns had a counter */
} cs_riscv_reading;

extern const cs_count_family cs_riscv_family;

/* A driver took a sample. */
typedef struct cs_riscv_taken {
    cs_riscv_which which;
    const cs_riscv_sample *sample;
} cs_riscv_taken;

/* The reader of a driver's ring has taken bytes: records, cut anywhere. */
typedef struct cs_riscv_data {
    unsigned hart;
    bool guest; /* of the guest's driver */
    const void *bytes;
    size_t length;
} cs_riscv_data;

/* What a hart's software tells. */
CS_SOFT_KIND(riscv_opened, cs_riscv_opened)
CS_SOFT_KIND(riscv_placed, cs_riscv_placed)
CS_SOFT_KIND(riscv_sample, cs_riscv_taken)
CS_SOFT_KIND(riscv_data, cs_riscv_data)

/* riscv.accesses: an instruction has been carried out, or has trapped. */
typedef struct cs_riscv_accessed {
    unsigned hart;
    const cs_riscv_access_spec *spec;
    cs_hpm_result result;
} cs_riscv_accessed;
CS_SOFT_KIND(riscv_access, cs_riscv_accessed)

/* KVM's virtual counters: what stands behind one. */
typedef enum cs_riscv_virtual_what {
    CS_RISCV_VIRTUAL_ON,      /* a counter of the hardware counts for it */
    CS_RISCV_VIRTUAL_OFF,     /* no longer */
    CS_RISCV_VIRTUAL_OVERFLOW /* that counter has overflowed, and has not been started again */
} cs_riscv_virtual_what;

typedef struct cs_riscv_virtual {
    unsigned hart;
    unsigned number; /* as the guest has it */
    cs_riscv_virtual_what what;
    unsigned counter; /* of the hardware */
    cs_cycle cycle;   /* ON: when it was asked for */
} cs_riscv_virtual;
CS_SOFT_KIND(riscv_virtual, cs_riscv_virtual)

/* What KVM did for its guest. */
typedef struct cs_kvm_figures {
    uint64_t exits;      /* out of the guest, in all */
    uint64_t calls;      /* of them for SBI calls, */
    uint64_t reads;      /* for reads of counters, */
    uint64_t interrupts; /* for interrupts of the host's */
    uint64_t injections; /* overflows that the guest was told of */
    uint64_t without;    /* starts of a virtual counter for which no counter was left */
} cs_kvm_figures;

typedef struct cs_riscv_report {
    const char *failed;    /* a CSR instruction that trapped, or the like; NULL: none */
    cs_riscv_figures host; /* of the driver */
    cs_riscv_figures guest;
    bool has_kvm;
    cs_kvm_figures kvm;
    uint64_t cycles[CS_HART_TRACKS]; /* what ran, by cs_hart_track */
} cs_riscv_report;

/* Errors: CS_ERR_RANGE, CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_riscv_create(const cs_riscv_config *config, cs_riscv **out, cs_diag *diag);
void cs_riscv_destroy(cs_riscv *riscv); /* NULL is allowed */

/* Fits cs_hart_config.software. */
void cs_riscv_run(void *riscv, cs_hart *hart);

/* Up to cycle `now`; the hart still lives. */
cs_riscv_report cs_riscv_get_report(const cs_riscv *riscv, cs_cycle now);

/* Adds up what turns have cost; false: no event has them. */
bool cs_riscv_rotating(const cs_riscv *riscv, struct cs_rotating_report *all);

/* Of a scenario with this hart. */
cs_riscv *cs_riscv_of(const struct cs_environment *environment, unsigned hart);

#ifdef __cplusplus
}
#endif

#endif

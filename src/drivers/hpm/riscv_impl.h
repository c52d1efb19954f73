// SPDX-License-Identifier: Apache-2.0
/* Internal: what the files of a hart's software share (docs/drivers/riscv_software.md). */
#ifndef CS_DRIVERS_HPM_RISCV_IMPL_H
#define CS_DRIVERS_HPM_RISCV_IMPL_H

#include "drivers/hpm/hart_perf.h"
#include "drivers/hpm/hypervisor.h"
#include "drivers/hpm/kvm.h"
#include "drivers/hpm/riscv.h"
#include "drivers/told.h"
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

/* A driver, and its reader of samples. */
typedef struct kernel {
    cs_riscv_pmu *pmu; /* NULL: there is none */
    const cs_riscv_driver_spec *spec;
    cs_hart_track track;
    cs_hart_perf *perf; /* NULL: likewise */
    uint64_t drained;   /* bytes of the ring */
    int error;          /* of the probe */
} kernel;

/* What an event has come to. */
typedef struct counts {
    uint64_t value;
    uint64_t running; /* cycles on a counter */
    uint64_t told;    /* what the firmware had to do of it, */
    uint64_t told_on; /* and of that while it was on one */
} counts;

typedef struct event {
    cs_hart_event perf; /* not open: perf refused it, or the command has ended */
    const struct command *command;
    int counter;           /* that it has, or had last */
    cs_cycle opened, from; /* from: of the next count */
    counts first, last;    /* when it was opened; at the last count */
    uint64_t told_at;      /* what the firmware had had to do when it got its counter, */
    uint64_t told_on;      /* and while it had those before */
    bool warned;           /* it samples, and its counter has no overflow */
} event;

typedef struct command {
    struct cs_riscv *riscv;
    const cs_riscv_perf_spec *spec;
    unsigned number;
    event *events;
    cs_cycle due; /* what it does next; CS_NEVER: it has ended */
    bool runs;
} command;

struct cs_riscv {
    cs_riscv_config config;
    cs_riscv_pmu_map map; /* the driver's, if the scenario has none */
    cs_sbi_pmu *firmware;
    kernel host, guest;
    cs_hypervisor *hypervisor; /* one of them, with a guest */
    cs_kvm *kvm;
    command *commands;
    size_t nr_commands;
    cs_cycle *firmware_due; /* by firmware_events */
    uint64_t *told;         /* likewise: so often it has happened */
    cs_cycle *access_due;   /* by accesses */
    cs_cycle seen;          /* ticks before it have been looked at */
    bool sse;               /* overflows are taken in M mode, and handed on */
    cs_hart *hart;          /* NULL: not yet begun */
};

static inline cs_cycle us(const cs_riscv *r, uint64_t count)
{
    return count * r->config.clock_mhz;
}

static inline kernel *kernel_of(cs_riscv *r, const command *c)
{
    return c->spec->guest ? &r->guest : &r->host;
}

/* ---- riscv_else.c: what happens beside perf commands ---- */

/* What is due by the scenario: a firmware event, or an access. */
typedef struct chore {
    cs_cycle due; /* CS_NEVER: there is none */
    bool access;
    size_t number;
} chore;

cs_status cs_riscv_create_chores(cs_riscv *r, cs_diag *diag);
void cs_riscv_destroy_chores(cs_riscv *r);
/* The first one. */
chore cs_riscv_next_chore(const cs_riscv *r);
void cs_riscv_do_chore(cs_riscv *r, const chore *c);
/* It waits until the workload takes interrupts. */
bool cs_riscv_chore_needs_irqs(const cs_riscv *r, const chore *c);

static inline bool cs_riscv_is_here(const cs_riscv *r, const bool cpus[CS_MAX_CPUS])
{
    return cpus[r->config.cpu];
}

/* ---- riscv_perf.c: perf commands ---- */

/* The listener of a driver. */
void cs_riscv_sample_taken(void *ctx, const cs_riscv_sample *sample);
/* The guest's counter `number` counts on a counter of the host that it had not before. */
void cs_riscv_virtual_placed(cs_riscv *r, unsigned number);
/* Does what is due. */
void cs_riscv_run_command(cs_riscv *r, command *c);

#endif

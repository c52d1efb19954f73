// SPDX-License-Identifier: Apache-2.0
/* The firmware below a PMU driver: the SBI PMU extension in M mode, one object a hart
 * (docs/drivers/sbi_pmu.md). By default what the specification says; what OpenSBI and KVM do otherwise
 * can be switched on; instead of it, the SBI proposal of July 2020 (docs/sources.md).
 *
 * A call runs on the hart and takes its time; nothing is allocated in it. */
#ifndef CS_DRIVERS_HPM_SBI_SBI_PMU_H
#define CS_DRIVERS_HPM_SBI_SBI_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/diag.h>
#include <countersink/drivers/hpm/sbi/sbi.h>
#include <countersink/drivers/hpm/sbi/sbi_sse.h>
#include <countersink/formats/riscv/read/pmu_map.h>
#include <countersink/scenario/hpm/riscv_kind.h>
#include <countersink/scenario/hpm/sbi_deviation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_sbi_form { CS_SBI_RATIFIED = 0, CS_SBI_PROPOSAL_V3 = 1 } cs_sbi_form;

/* Versions of the SBI as GET_SPEC_VERSION returns them. */
#define CS_SBI_VERSION_0_3 0x00000003u
#define CS_SBI_VERSION_2_0 0x02000000u
#define CS_SBI_VERSION_3_0 0x03000000u

#define CS_SBI_PMU_MAX_FIRMWARE 64u

/* A unit with counters that are no CSRs of a hart (docs/drivers/sbi_pmu.md, "Counters of shared units"). */
typedef struct cs_sbi_unit {
    uint64_t address;
    unsigned counters, width;
} cs_sbi_unit;

#define CS_SBI_MAX_UNITS 8u
/* event_data of PLATFORM for event `event` of unit `unit`. */
#define CS_SBI_UNIT_DATA(unit, event) (UINT64_C(1) << 32 | (uint64_t)(unit) << 16 | (event))

typedef struct cs_sbi_pmu_config {
    cs_sbi_form form;
    cs_riscv_set_event set_event; /* the proposal's */
    uint64_t deviations;          /* of CS_SBI_DEV_*; the proposal looks at none */
    unsigned version;             /* functions beyond it answer NOT_SUPPORTED */
    const cs_riscv_pmu_map *map;  /* copied; NULL: the built-in one */
    unsigned firmware_counters;   /* 0..CS_SBI_PMU_MAX_FIRMWARE */
    unsigned specific_events;     /* firmware events 256.. that there are, 0..65279 */
    uint64_t platform_events;     /* of PLATFORM, the event_data below it */
    unsigned call_cycles;         /* decoding and work of a call, beside its accesses */
    /* What the firmware takes the hart to have; xlen and counters it finds out itself. */
    bool sscofpmf, smcntrpmf, smcdeleg, hypervisor;
    uint64_t memory_base, memory_size; /* where shared memory may be */
    bool sse;             /* software events, too; needs the ratified form and version 3.0 */
    unsigned hart, harts; /* its number, and how many there are; 0 harts is 1 */
    cs_sbi_unit units[CS_SBI_MAX_UNITS];
    unsigned nr_units;
} cs_sbi_pmu_config;

typedef struct cs_sbi_pmu cs_sbi_pmu;

/* Ratified, version 3.0, 16 firmware counters, sscofpmf, smcntrpmf, hypervisor; no memory. */
cs_sbi_pmu_config cs_sbi_pmu_defaults(void);

/* Errors: CS_ERR_RANGE, CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_sbi_pmu_create(const cs_sbi_pmu_config *config, cs_sbi_pmu **out, cs_diag *diag);
void cs_sbi_pmu_destroy(cs_sbi_pmu *fw); /* NULL is allowed */

/* Runs once, before the first call, on the firmware's track; afterwards the track runs that ran
 * before. */
void cs_sbi_pmu_boot(cs_sbi_pmu *fw, cs_hart *hart);

/* The calls of this firmware; valid as long as it. */
cs_sbi cs_sbi_pmu_interface(cs_sbi_pmu *fw);

/* ---- software events (docs/drivers/sbi_sse.md), where config.sse is set ---- */

/* An event is handed to the supervisor. */
typedef struct cs_sse_entry {
    uint32_t event;
    uint64_t pc, arg;       /* ENTRY_PC, ENTRY_ARG */
    cs_context interrupted; /* who was, and */
    cs_cycle trap;          /* the first cycle of the trap that did */
    bool in_software;       /* it was no workload, but software of the kernel's */
} cs_sse_entry;

/* The supervisor's code at whatever ENTRY_PC. It is called on the kernel's track. Its last call is COMPLETE;
 * then it returns. */
typedef void (*cs_sse_handler)(void *ctx, cs_hart *hart, const cs_sse_entry *entry);
void cs_sbi_pmu_on_sse(cs_sbi_pmu *fw, cs_sse_handler handler, void *ctx);
/* LCOFI of M mode is high: the trap, the event that it is, and back. */
void cs_sbi_pmu_lcofi(cs_sbi_pmu *fw, cs_hart *hart);
/* NULL: the firmware has none. */
const cs_sbi_sse *cs_sbi_pmu_sse(const cs_sbi_pmu *fw);

/* Something that firmware events count has happened `count` times: the caller, on the firmware's
 * track, is the rest of the firmware. `code` is that of the form: 0..21, 256.. in the ratified one
 * (CS_SBI_FW_PLATFORM has the function below), 0..11 in the proposal, which stores the counters
 * in their cells. */
void cs_sbi_pmu_firmware_event(cs_sbi_pmu *fw, cs_hart *hart, unsigned code, uint64_t count);
/* The same for an event of the platform's by its encoding. */
void cs_sbi_pmu_platform_event(cs_sbi_pmu *fw, cs_hart *hart, uint64_t encoding, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif

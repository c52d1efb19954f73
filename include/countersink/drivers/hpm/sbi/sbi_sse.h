// SPDX-License-Identifier: Apache-2.0
/* SBI's Supervisor Software Events extension on one hart (docs/drivers/sbi_sse.md): states, priorities,
 * attributes, what an injection saves of the supervisor and a completion brings back. It takes no
 * time and touches no register: sbi_sse_hart.c puts it on a hart.
 *
 *     cs_sse_supervisor s = {.pc = 0x80001000, .privileged = true, .sie = true};
 *     cs_sbi_sse_signal(sse, CS_SSE_PMU_OVERFLOW);
 *     if (cs_sbi_sse_ready(sse) != NULL)
 *         cs_sbi_sse_inject(sse, &s);   // s.pc is the handler's now
 */
#ifndef CS_DRIVERS_HPM_SBI_SBI_SSE_H
#define CS_DRIVERS_HPM_SBI_SBI_SSE_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/diag.h>
#include <countersink/drivers/hpm/sbi/sbi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Event numbers that the specification names. */
#define CS_SSE_LOCAL_HIGH_RAS 0x00000000u
#define CS_SSE_DOUBLE_TRAP 0x00000001u
#define CS_SSE_GLOBAL_HIGH_RAS 0x00008000u
#define CS_SSE_PMU_OVERFLOW 0x00010000u
#define CS_SSE_LOCAL_LOW_RAS 0x00100000u
#define CS_SSE_GLOBAL_LOW_RAS 0x00108000u
#define CS_SSE_LOCAL_SOFTWARE 0xffff0000u
#define CS_SSE_GLOBAL_SOFTWARE 0xffff8000u
/* The first platform specific local events are the configuration's. */
#define CS_SSE_PLATFORM 0x00004000u
#define CS_SSE_MAX_PLATFORM 8u

typedef enum cs_sse_state {
    CS_SSE_UNUSED = 0,
    CS_SSE_REGISTERED = 1,
    CS_SSE_ENABLED = 2,
    CS_SSE_RUNNING = 3
} cs_sse_state;

/* Attribute STATUS. */
#define CS_SSE_STATUS_STATE 0x3u
#define CS_SSE_STATUS_PENDING 0x4u
#define CS_SSE_STATUS_INJECTABLE 0x8u
/* Attribute CONFIG. */
#define CS_SSE_CONFIG_ONESHOT 0x1u
/* Attribute INTERRUPTED_FLAGS. */
#define CS_SSE_FLAG_SPP 0x1u
#define CS_SSE_FLAG_SPIE 0x2u
#define CS_SSE_FLAG_SPV 0x4u
#define CS_SSE_FLAG_SPVP 0x8u

typedef enum cs_sse_attr {
    CS_SSE_STATUS,
    CS_SSE_PRIORITY,
    CS_SSE_CONFIG,
    CS_SSE_PREFERRED_HART,
    CS_SSE_ENTRY_PC,
    CS_SSE_ENTRY_ARG,
    CS_SSE_INTERRUPTED_SEPC,
    CS_SSE_INTERRUPTED_FLAGS,
    CS_SSE_INTERRUPTED_A6,
    CS_SSE_INTERRUPTED_A7,
    CS_SSE_NR_ATTRS
} cs_sse_attr;

/* What of a hart an injection and a completion are about. */
typedef struct cs_sse_supervisor {
    uint64_t pc;
    bool privileged; /* S or VS; else U or VU */
    bool virtualized;
    uint64_t sepc;
    bool spp, spie, sie; /* of sstatus */
    bool spv, spvp;      /* of hstatus */
    uint64_t a6, a7;
} cs_sse_supervisor;

typedef struct cs_sbi_sse_config {
    unsigned hart, harts;              /* its number, and how many there are */
    bool pmu_overflow;                 /* there are overflow interrupts */
    bool hypervisor;                   /* the H extension is the supervisor's */
    unsigned platform;                 /* events from CS_SSE_PLATFORM on, 0..CS_SSE_MAX_PLATFORM */
    uint64_t memory_base, memory_size; /* where shared memory may be */
} cs_sbi_sse_config;

/* An event as it is. */
typedef struct cs_sse_event {
    uint32_t id;
    cs_sse_state state;
    bool pending;
    uint64_t attrs[CS_SSE_NR_ATTRS]; /* but STATUS, which is the two above */
} cs_sse_event;

typedef struct cs_sbi_sse cs_sbi_sse;

/* Errors: CS_ERR_RANGE, CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_sbi_sse_create(const cs_sbi_sse_config *config, cs_sbi_sse **out, cs_diag *diag);
void cs_sbi_sse_destroy(cs_sbi_sse *sse); /* NULL is allowed */

/* A call of the extension. Attributes that are read or written take their time on the hart.
 * COMPLETE resumes: *s is the supervisor, as the call interrupted it, and becomes what goes on. */
cs_sbi_ret cs_sbi_sse_call(cs_sbi_sse *sse, cs_hart *hart, uint64_t fid, const uint64_t args[6],
                           cs_sse_supervisor *s);

/* The event's source has it happen. Of an event that there is not: nothing. */
void cs_sbi_sse_signal(cs_sbi_sse *sse, uint32_t id);
/* The event that is to be injected now; NULL: none. */
const cs_sse_event *cs_sbi_sse_ready(const cs_sbi_sse *sse);
/* That event runs: what *s was is saved, and *s goes on in its handler. */
void cs_sbi_sse_inject(cs_sbi_sse *sse, cs_sse_supervisor *s);

/* NULL: there is no such event. */
const cs_sse_event *cs_sbi_sse_event(const cs_sbi_sse *sse, uint32_t id);
bool cs_sbi_sse_masked(const cs_sbi_sse *sse);

#ifdef __cplusplus
}
#endif

#endif

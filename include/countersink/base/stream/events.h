// SPDX-License-Identifier: Apache-2.0
/* What a core does, as a counter sees it. A unit's model is handed one of these
 * for each core; behind it is the core's timeline (countersink/base/stream/timeline.h), or whatever
 * the embedding program has. All functions are pure: the same arguments give the
 * same answer, except that software inserted later than `to` may still come. */
#ifndef CS_BASE_EVENTS_H
#define CS_BASE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/cycle.h>

/* Privilege modes, architecture neutral numbers; a set of modes is a mask. */
typedef enum cs_privilege {
    CS_MODE_EL0 = 0,
    CS_MODE_EL1 = 1,
    CS_MODE_EL2 = 2,
    CS_MODE_EL3 = 3,
    /* Of a POWER thread: MSR[HV PR] as a number. */
    CS_MODE_GUEST_KERNEL = 0,
    CS_MODE_GUEST_USER = 1,
    CS_MODE_HOST_KERNEL = 2,
    CS_MODE_HOST_USER = 3,
    /* Of RISC-V: 4 V + privilege. */
    CS_MODE_U = 0,
    CS_MODE_S = 1,
    CS_MODE_M = 3,
    CS_MODE_VU = 4,
    CS_MODE_VS = 5
} cs_privilege;
#define CS_MODE_MASK(mode) (1u << (mode))
#define CS_MODE_ALL 0xffffu

/* The largest increment of one event in one bus cycle, and the largest of those that most units
 * have pins for. */
#define CS_MAX_INCREMENT 255u
#define CS_NARROW_INCREMENT 15u

struct cs_function;

/* What runs at a cycle. */
typedef struct cs_context {
    uint64_t pc;
    uint32_t cid1; /* CONTEXTIDR_EL1 */
    uint32_t cid2; /* CONTEXTIDR_EL2 */
    uint8_t mode;  /* cs_privilege */
    /* In which the pc lies, and how it was called (countersink/base/stream/timeline.h); NULL: nobody knows. */
    const struct cs_function *function;
    bool irqs_off; /* it takes no interrupts here (cs_segment) */
    uint32_t pid;  /* of a timeline: the process, which the kernel keeps in cid1 or cid2 */
} cs_context;

typedef struct cs_event_source {
    /* The sum of the event's increments over the cycles [from, to) in which the
     * core was in one of the modes of mode_mask. An event that the core does not
     * know counts nothing. */
    uint64_t (*sum)(void *ctx, uint32_t event, uint32_t mode_mask, cs_cycle from, cs_cycle to);
    /* The first cycle t such that sum(from, t) >= n; CS_NEVER if there is none. */
    cs_cycle (*reach)(void *ctx, uint32_t event, uint32_t mode_mask, cs_cycle from, uint64_t n);
    void (*context)(void *ctx, cs_cycle cycle, cs_context *out);
    void *ctx;
    /* Those events' sums over [from, to) are asked for next: what is found for all of them at once may
     * be kept, and changes no answer. n <= CS_EVENTS_AT_ONCE. NULL: the source has no use for it. */
    void (*prepare)(void *ctx, const uint32_t events[], unsigned n, uint32_t mode_mask,
                    cs_cycle from, cs_cycle to);
} cs_event_source;

#define CS_EVENTS_AT_ONCE 32u

static inline void cs_events_prepare(const cs_event_source *source, const uint32_t events[],
                                     unsigned n, uint32_t mode_mask, cs_cycle from, cs_cycle to)
{
    if (source->prepare != NULL && n > 1)
        source->prepare(source->ctx, events, n, mode_mask, from, to);
}

#endif

// SPDX-License-Identifier: Apache-2.0
/* An Arm core that runs software of its own beside whatever the CPU port does: straight-line C code
 * on a stack of its own (base/fiber.h), which reaches the core's PMU by system registers
 * (docs/hw/corepmu.md, "The core's own access"). A call takes simulated time and comes back with
 * its result. The second half is for whoever builds a core into something.
 *
 * Time: cs_arm_core_now is the cycle in which the next operation begins. */
#ifndef CS_DRIVERS_COREPMU_ARM_CORE_H
#define CS_DRIVERS_COREPMU_ARM_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_arm_core cs_arm_core;

/* ---- for software ---- */

cs_cycle cs_arm_core_now(const cs_arm_core *core);
unsigned cs_arm_core_number(const cs_arm_core *core);

/* The system register at an offset of the ext64 map. */
uint64_t cs_arm_core_read(cs_arm_core *core, uint16_t offset);
void cs_arm_core_write(cs_arm_core *core, uint16_t offset, uint64_t value);

/* Work of `cycles` cycles that nobody else sees. */
void cs_arm_core_work(cs_arm_core *core, uint64_t cycles);

/* From now on the core runs its software, or its workload; takes no time. */
void cs_arm_core_enter(cs_arm_core *core);
void cs_arm_core_leave(cs_arm_core *core);

/* Nothing, until the overflow interrupt is high (true), or it is cycle `until`, or somebody has
 * called cs_arm_core_poke (false). */
bool cs_arm_core_wait(cs_arm_core *core, cs_cycle until);

/* Nothing at all up to cycle `until`, in which the next operation may begin: the core is off. */
void cs_arm_core_sleep(cs_arm_core *core, cs_cycle until);

/* ---- for those who build one in ---- */

typedef struct cs_arm_core_op {
    uint16_t offset;
    bool write;
    uint64_t value;
} cs_arm_core_op;

typedef struct cs_arm_core_env {
    /* The access with effect in `cycle`; calls come in rising cycles. False: it has to wait, and is
     * asked for again. */
    bool (*access)(void *ctx, cs_cycle cycle, const cs_arm_core_op *op, uint64_t *data);
    /* The first cycle of [from, to) in which the interrupt is high, as far as is known; `to`: none. */
    cs_cycle (*line)(void *ctx, cs_cycle from, cs_cycle to);
    /* From `cycle` on the core runs software, or its workload. */
    void (*enter)(void *ctx, cs_cycle cycle);
    void (*leave)(void *ctx, cs_cycle cycle);
    /* The core's plans have changed by cs_arm_core_poke; may be NULL. */
    void (*woken)(void *ctx);
    void *ctx;
} cs_arm_core_env;

typedef struct cs_arm_core_config {
    unsigned number;
    unsigned read_cycles; /* of a system register; >= 1 */
    unsigned write_cycles;
    void (*software)(void *ctx, cs_arm_core *core);
    void *ctx;
} cs_arm_core_config;

/* Errors: CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_arm_core_create(const cs_arm_core_config *config, const cs_arm_core_env *env,
                             cs_arm_core **out, cs_diag *diag);
void cs_arm_core_destroy(cs_arm_core *core); /* NULL is allowed */

/* The next cycle whose execution does anything; CS_NEVER: none. */
cs_cycle cs_arm_core_next(const cs_arm_core *core);
/* Executes the cycles below `to`. */
void cs_arm_core_advance(cs_arm_core *core, cs_cycle to);
/* The access that is to have its effect in `cycle`; NULL: none. */
const cs_arm_core_op *cs_arm_core_access(const cs_arm_core *core, cs_cycle cycle);
/* Other software tells it something in `cycle`: a wait ends in the cycle after. */
void cs_arm_core_poke(cs_arm_core *core, cs_cycle cycle);
/* The cycle in which the software ended; CS_NEVER before. */
cs_cycle cs_arm_core_end_cycle(const cs_arm_core *core);

#ifdef __cplusplus
}
#endif

#endif

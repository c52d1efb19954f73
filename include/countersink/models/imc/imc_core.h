// SPDX-License-Identifier: Apache-2.0
/* The IMC engine of one core (docs/hw/imc.md): counts for the core's threads, and carries the
 * counts into memory, as sums of windows or as trace records.
 *
 * Time: all cycles below cs_imc_core_now() have been executed; the state is that of cycle
 * cs_imc_core_now(). Inputs (register writes, power, completions) are posted for a cycle that has
 * not been executed yet and act when it is. Inputs of one cycle may be posted in any order, but
 * for power: it says how accesses are answered, and comes before those of its cycle.
 *
 * The model costs what it sends: a counter is a value as of a cycle, brought up to date by one
 * exact sum over the event source when it is looked at, and overflows are foreseen.
 *
 *     const cs_imc_core_config config = {
 *         .threads = 4, .tap_log2 = 18, .timebase = {0, 512, 2000}, .unit = CS_UNIT_IMC(0)};
 *     const cs_imc_core_env env = {.bus = {submit, my_bus}, .events = threads};
 *     cs_imc_core *core;
 *
 *     cs_imc_core_create(&config, &env, &core, NULL);
 *     cs_imc_core_write(core, 10, CS_IMC_REG_TRACE, trace);
 *     cs_imc_core_write(core, 11, CS_IMC_REG_LDBAR + 0, buffer);
 *     cs_imc_core_advance(core, cs_imc_core_next(core) + 1);  may call submit */
#ifndef CS_MODELS_IMC_CORE_H
#define CS_MODELS_IMC_CORE_H

#include <stdbool.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/events.h>
#include <countersink/models/imc/imc_timebase.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_imc_core cs_imc_core;

#define CS_IMC_MAX_THREADS 4u

/* Event numbers; code 0..127. */
#define CS_IMC_EVENT_CPMC1(code) (code)
#define CS_IMC_EVENT_CPMC2(code) (128u + (code))
#define CS_IMC_EVENT_CPMC3 256u
#define CS_IMC_EVENT_CPMC4 257u

/* Registers, by the numbers of the register port; imc_scom.h has their addresses. */
typedef enum cs_imc_reg {
    CS_IMC_REG_HTM_MODE = 0,
    CS_IMC_REG_STATUS = 1,
    CS_IMC_REG_PDBAR = 2,
    CS_IMC_REG_EVENT_MASK = 3,
    CS_IMC_REG_TRACE = 4,
    CS_IMC_REG_FIR = 5,
    CS_IMC_REG_ERR_RPT = 6,
    CS_IMC_REG_LDBAR = 8 /* + thread */
} cs_imc_reg;

/* The straps. */
typedef struct cs_imc_core_config {
    bool power10;      /* false: POWER9 */
    unsigned threads;  /* 1, 2, 4 */
    unsigned tap_log2; /* 2..18: log2 of the timebase's ticks of the shortest window */
    cs_imc_timebase timebase;
    uint16_t unit; /* source of the probe records */
} cs_imc_core_config;

typedef struct cs_imc_core_env {
    cs_bus_port bus;
    unsigned port; /* handed to submit */
    /* [threads], copied; sum, reach and context are used. Of a context cid1 is the PID, cid2 the LPID, mode MSR[HV PR] as a number
     * 0..3. */
    const cs_event_source *events;
    const cs_probe_sink *probe; /* may be NULL */
} cs_imc_core_env;

/* The state is that of a reset in cycle 0, with power. *config and *env are copied; what *env
 * points at must outlive the model, but for the array `events`. On failure (CS_ERR_RANGE,
 * CS_ERR_NO_MEMORY) *out is NULL. Nothing is allocated later. */
cs_status cs_imc_core_create(const cs_imc_core_config *config, const cs_imc_core_env *env,
                             cs_imc_core **out, cs_diag *diag);
void cs_imc_core_destroy(cs_imc_core *core); /* NULL is allowed */

/* The state of cycle `now` is the reset state; `now` is not before cs_imc_core_now(). The timebase, which is
 * outside, goes on, and power stays as it is. A transfer in flight is forgotten: its completion must not be
 * reported. */
void cs_imc_core_reset(cs_imc_core *core, cs_cycle now);

/* Register access with effect in `cycle` >= now, of all 64 bits. The model is advanced to `cycle`
 * by the call itself (inputs of earlier cycles must have been posted). A write is posted for
 * `cycle`, one a register and cycle: cs_imc_core_next() may be `cycle` afterwards. CS_BUS_OKAY, or
 * CS_BUS_SLVERR (no power, no such register or thread, a write of STATUS); *value is 0 then. */
cs_bus_resp cs_imc_core_read(cs_imc_core *core, cs_cycle cycle, unsigned reg, uint64_t *value);
cs_bus_resp cs_imc_core_write(cs_imc_core *core, cs_cycle cycle, unsigned reg, uint64_t value);

/* What a read in cycle cs_imc_core_now() would answer. Nothing happens: it is no access. */
cs_bus_resp cs_imc_core_ask(const cs_imc_core *core, unsigned reg, uint64_t *value);

/* The power pin has this level from `cycle` >= now on. Changes come in the order of their cycles;
 * a change that is reported before the last one has been reached advances the model to that one. */
void cs_imc_core_set_power(cs_imc_core *core, cs_cycle cycle, bool on);

cs_cycle cs_imc_core_now(const cs_imc_core *core);

/* The earliest cycle whose execution changes anything if no further input comes; CS_NEVER when it
 * waits for an input. A transfer that is CS_BUS_PENDING does not count (its completion is an
 * input). */
cs_cycle cs_imc_core_next(const cs_imc_core *core);

/* Executes cycles up to, not including, `to`, and returns the new now (`to` below now is no error).
 * It comes back before `to`, after the cycle in which submit() answered CS_BUS_PENDING: the
 * completion may be soon. */
cs_cycle cs_imc_core_advance(cs_imc_core *core, cs_cycle to);

/* The transfer that was CS_BUS_PENDING is complete at txn->complete >= now. */
void cs_imc_core_bus_done(cs_imc_core *core, const cs_bus_txn *txn);

/* What a thread will do in cycles >= now is no longer what its event source said before (software
 * was inserted): foreseen overflows are looked for again. cs_imc_core_next() may change. */
void cs_imc_core_events_changed(cs_imc_core *core, unsigned thread);

#ifdef __cplusplus
}
#endif

#endif

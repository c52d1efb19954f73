// SPDX-License-Identifier: Apache-2.0
/* Software runs on a stack of its own (base/fiber.h). An operation that cannot end yet leaves it;
 * cs_hart_advance comes back to it when its cycle has come. Transfers are handed to the bus from
 * outside: what the platform does in there is no business of that stack. */
#include <countersink/drivers/hpm/hart.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fiber.h"
#include "base/require.h"

typedef enum state {
    IDLE,    /* the software is at work, or has not begun */
    CSR,     /* an access with effect in `due` */
    WAIT,    /* cycles below `due` have been looked at */
    ASKS,    /* for a transfer: `due` is the cycle before its request */
    PENDING, /* a transfer is under way */
    DONE,    /* a transfer ends in `due` */
    ENDED
} state;

struct cs_hart {
    cs_hart_config config;
    cs_hart_env env;
    cs_fiber *fiber; /* NULL: the caller is the software */
    cs_cycle now;
    cs_cycle to, ahead; /* of the advance that goes on */
    state state;
    cs_cycle due;
    cs_hart_track track;
    cs_cycle since;  /* it runs */
    cs_context left; /* the workload's, when it was left */
    uint64_t cycles[CS_HART_TRACKS];
    cs_hpm_access access;
    cs_bus_txn txn;
    cs_hart_emulator emulator; /* NULL: none */
    void *emulator_ctx;
    unsigned lines; /* that interrupt software */
    cs_hart_interceptor interceptor;
    void *interceptor_ctx;
    const char *failed;
    char failure[64];
};

/* ---- small questions ---- */

cs_cycle cs_hart_now(const cs_hart *hart)
{
    return hart->now;
}

static uint64_t time_at(const cs_hart *hart, cs_cycle cycle)
{
    const cs_hart_config *c = &hart->config;

    return c->time_start + cycle / c->clock_mhz * c->time_mhz +
           cycle % c->clock_mhz * c->time_mhz / c->clock_mhz;
}

uint64_t cs_hart_time(const cs_hart *hart)
{
    return time_at(hart, hart->now);
}

const cs_hart_costs *cs_hart_get_costs(const cs_hart *hart)
{
    return &hart->config.costs;
}

unsigned cs_hart_xlen(const cs_hart *hart)
{
    return hart->config.xlen;
}

unsigned cs_hart_number(const cs_hart *hart)
{
    return hart->config.number;
}

cs_hart_track cs_hart_running(const cs_hart *hart)
{
    return hart->track;
}

const char *cs_hart_failed(const cs_hart *hart)
{
    return hart->failed;
}

static void hart_fail(cs_hart *hart, uint16_t csr)
{
    if (hart->failed != NULL)
        return;
    snprintf(hart->failure, sizeof hart->failure, "an instruction for CSR 0x%03x trapped", csr);
    hart->failed = hart->failure;
}

void cs_hart_emulate(cs_hart *hart, cs_hart_emulator emulator, void *ctx)
{
    hart->emulator = emulator;
    hart->emulator_ctx = ctx;
}

/* ---- operations ---- */

/* Until somebody has changed what the state waits for. */
static void hart_suspend(cs_hart *hart)
{
    CS_REQUIRE(hart->fiber != NULL, "hart: a wait without an end: must be in config.software");
    cs_fiber_suspend(hart->fiber);
}

cs_hart_track cs_hart_run(cs_hart *hart, cs_hart_track track)
{
    const cs_hart_track before = hart->track;

    if (track == before)
        return before;
    if (before == CS_HART_WORKLOAD)
        cs_hart_context(hart, &hart->left);
    hart->cycles[before] += hart->now - hart->since;
    hart->since = hart->now;
    hart->track = track;
    hart->env.run(hart->env.ctx, hart->now, track);
    return before;
}

cs_hart_track cs_hart_trap(cs_hart *hart, cs_hart_track track)
{
    const cs_hart_track before = cs_hart_run(hart, track);

    cs_hart_work(hart, hart->config.costs.trap_cycles);
    return before;
}

void cs_hart_return(cs_hart *hart, cs_hart_track track)
{
    cs_hart_work(hart, hart->config.costs.return_cycles);
    cs_hart_run(hart, track);
}

void cs_hart_intercept(cs_hart *hart, unsigned lines, cs_hart_interceptor handler, void *ctx)
{
    hart->lines = lines;
    hart->interceptor = handler;
    hart->interceptor_ctx = ctx;
}

/* The interrupted goes on during the interrupt's latency, and with what is left behind it. */
static void interruptible_work(cs_hart *hart, uint64_t cycles)
{
    const uint64_t latency = hart->config.costs.irq_latency_cycles;

    while (cycles > 0) {
        const cs_cycle begin = hart->now;
        const unsigned high = cs_hart_wait(hart, begin + cycles - 1, hart->lines);

        cycles -= hart->now - begin;
        if (high == 0)
            continue;
        hart->now += latency;
        cycles -= cycles < latency ? cycles : latency;
        hart->interceptor(hart->interceptor_ctx, hart);
    }
}

void cs_hart_work(cs_hart *hart, uint64_t cycles)
{
    if (hart->lines != 0 && (hart->track == CS_HART_KERNEL || hart->track == CS_HART_GUEST))
        interruptible_work(hart, cycles);
    else
        hart->now += cycles;
}

void cs_hart_context(cs_hart *hart, cs_context *out)
{
    if (hart->track != CS_HART_WORKLOAD) {
        *out = hart->left;
        return;
    }
    *out = (cs_context){0}; /* not everybody knows of functions */
    hart->env.context(hart->env.ctx, hart->now, out);
}

void cs_hart_here(cs_hart *hart, cs_context *out)
{
    cs_context workload;

    cs_hart_context(hart, &workload);
    *out = workload;
    if (hart->track == CS_HART_WORKLOAD)
        return;
    hart->env.context(hart->env.ctx, hart->now, out);
    out->cid1 = workload.cid1;
    out->cid2 = workload.cid2;
    out->pid = workload.pid;
}

cs_cycle cs_hart_irqs_on(const cs_hart *hart)
{
    return hart->env.irqs_on != NULL ? hart->env.irqs_on(hart->env.ctx, hart->now) : hart->now;
}

static uint8_t mode_of(const cs_hart *hart, cs_cycle cycle)
{
    static const uint8_t modes[CS_HART_TRACKS] = {
        [CS_HART_KERNEL] = CS_HPM_MODE_S,
        [CS_HART_FIRMWARE] = CS_HPM_MODE_M,
        [CS_HART_GUEST] = CS_HPM_MODE_VS,
    };
    cs_context context;

    if (hart->track != CS_HART_WORKLOAD)
        return modes[hart->track];
    hart->env.context(hart->env.ctx, cycle, &context);
    return context.mode;
}

cs_hpm_result cs_hart_csr(cs_hart *hart, uint16_t csr, cs_hpm_op op, uint64_t value)
{
    const cs_cycle effect = hart->now + hart->config.costs.csr_cycles - 1;
    cs_hpm_result result;

    hart->access = (cs_hpm_access){
        .csr = csr,
        .op = (uint8_t)op,
        .mode = mode_of(hart, effect),
        .value = value,
        .time = time_at(hart, effect),
        .stateen_m = true,
        .stateen_h = true,
    };
    hart->state = CSR;
    hart->due = effect;
    while (effect >= hart->ahead)
        hart_suspend(hart);
    result = hart->env.csr(hart->env.ctx, effect, &hart->access);
    hart->state = IDLE;
    hart->now = effect + 1;
    return result;
}

static uint64_t hart_expected(cs_hart *hart, uint16_t csr, cs_hpm_op op, uint64_t value)
{
    const cs_hpm_result result = cs_hart_csr(hart, csr, op, value);
    uint64_t old;

    if (result.exception == CS_HPM_EXCEPTION_VIRTUAL && hart->emulator != NULL &&
        hart->emulator(hart->emulator_ctx, hart, csr, op, value, &old))
        return old;
    if (result.exception != CS_HPM_EXCEPTION_NONE)
        hart_fail(hart, csr);
    return result.value;
}

uint64_t cs_hart_csr_read(cs_hart *hart, uint16_t csr)
{
    return hart_expected(hart, csr, CS_HPM_OP_READ, 0);
}

void cs_hart_csr_write(cs_hart *hart, uint16_t csr, uint64_t value)
{
    hart_expected(hart, csr, CS_HPM_OP_WRITE, value);
}

uint64_t cs_hart_csr_set(cs_hart *hart, uint16_t csr, uint64_t bits)
{
    return hart_expected(hart, csr, CS_HPM_OP_SET, bits);
}

uint64_t cs_hart_csr_clear(cs_hart *hart, uint16_t csr, uint64_t bits)
{
    return hart_expected(hart, csr, CS_HPM_OP_CLEAR, bits);
}

unsigned cs_hart_wait(cs_hart *hart, cs_cycle until, unsigned lines)
{
    const cs_cycle last = until > hart->now ? until : hart->now;
    unsigned high = 0;

    hart->state = WAIT;
    hart->due = hart->now;
    for (;;) {
        const cs_cycle end = last < hart->ahead ? last + 1 : hart->ahead;

        if (hart->due < end) {
            hart->due = hart->env.line(hart->env.ctx, hart->due, end, lines, &high);
            if (hart->due < end)
                break;
        }
        if (hart->due > last)
            break;
        hart_suspend(hart);
    }
    hart->state = IDLE;
    hart->now = (hart->due > last ? last : hart->due) + 1;
    return high;
}

/* ---- transfers ---- */

static void hart_submit(cs_hart *hart)
{
    hart->state = PENDING;
    hart->due = CS_NEVER;
    if (hart->env.bus.submit(hart->env.bus.ctx, 0, &hart->txn) == CS_BUS_DONE)
        cs_hart_bus_done(hart, &hart->txn);
}

void cs_hart_bus_done(cs_hart *hart, const cs_bus_txn *txn)
{
    if (txn != &hart->txn)
        hart->txn = *txn;
    hart->state = DONE;
    hart->due = hart->txn.complete;
}

static void hart_transfer(cs_hart *hart)
{
    hart->now += hart->config.costs.access_cycles;
    hart->txn.request = hart->now;
    hart->state = ASKS;
    hart->due = hart->now - 1;
    if (hart->fiber == NULL) {
        hart_submit(hart);
        CS_REQUIRE(hart->state == DONE,
                   "hart: a transfer is pending: without config.software the bus must complete it "
                   "at once");
    } else {
        hart_suspend(hart);
    }
    hart->state = IDLE;
    hart->now = hart->txn.complete + 1;
}

/* The largest transfer at the address that is no longer than `bytes`. */
static void hart_shape(cs_bus_txn *txn, uint64_t address, size_t bytes)
{
    size_t room = 4096 - address % 4096;
    size_t beats = (bytes < room ? bytes : room) / CS_BUS_BEAT_BYTES;
    uint8_t size = CS_BUS_BEAT_BYTES;

    if (address % CS_BUS_BEAT_BYTES != 0 || beats == 0) {
        beats = 1;
        while (address % size != 0 || size > bytes)
            size /= 2;
    }
    txn->addr = address;
    txn->size = size;
    txn->beats = (uint8_t)(beats < CS_BUS_MAX_BEATS ? beats : CS_BUS_MAX_BEATS);
}

/* `in` or `out` is NULL. */
static cs_bus_resp hart_move(cs_hart *hart, uint64_t address, uint8_t *in, const uint8_t *out,
                             size_t bytes)
{
    uint8_t worst = CS_BUS_OKAY;

    for (size_t done = 0; done < bytes;) {
        cs_bus_txn *txn = &hart->txn;

        memset(txn, 0, offsetof(cs_bus_txn, data));
        hart_shape(txn, address + done, bytes - done);
        txn->write = out != NULL;
        if (out != NULL)
            memcpy(txn->data, out + done, cs_bus_txn_bytes(txn));
        hart_transfer(hart);
        if (in != NULL)
            memcpy(in + done, txn->data, cs_bus_txn_bytes(txn));
        worst = txn->resp > worst ? txn->resp : worst;
        done += cs_bus_txn_bytes(txn);
    }
    return (cs_bus_resp)worst;
}

cs_bus_resp cs_hart_load(cs_hart *hart, uint64_t address, void *data, size_t bytes)
{
    return hart_move(hart, address, data, NULL, bytes);
}

cs_bus_resp cs_hart_store(cs_hart *hart, uint64_t address, const void *data, size_t bytes)
{
    return hart_move(hart, address, NULL, data, bytes);
}

cs_bus_resp cs_hart_store64(cs_hart *hart, uint64_t address, uint64_t value)
{
    uint8_t data[8];

    for (unsigned i = 0; i < 8; i++)
        data[i] = (uint8_t)(value >> (8 * i));
    return cs_hart_store(hart, address, data, sizeof data);
}

cs_bus_resp cs_hart_load64(cs_hart *hart, uint64_t address, uint64_t *value)
{
    uint8_t data[8];
    const cs_bus_resp resp = cs_hart_load(hart, address, data, sizeof data);

    *value = 0;
    for (unsigned i = 0; i < 8; i++)
        *value |= (uint64_t)data[i] << (8 * i);
    return resp;
}

/* ---- the way through time ---- */

cs_cycle cs_hart_next(const cs_hart *hart)
{
    return hart->state == ENDED ? CS_NEVER : hart->due;
}

/* Can the software go on? */
static bool hart_ready(const cs_hart *hart)
{
    switch (hart->state) {
    case IDLE: /* the very first time */
    case CSR:
    case WAIT:
    case DONE:
        return hart->due < hart->ahead;
    default:
        return false;
    }
}

void cs_hart_advance(cs_hart *hart, cs_cycle to, cs_cycle ahead)
{
    hart->to = to;
    hart->ahead = ahead > to ? ahead : to;
    for (;;) {
        if (hart->state == ASKS && hart->due < hart->to)
            hart_submit(hart);
        if (!hart_ready(hart))
            return;
        cs_fiber_resume(hart->fiber);
    }
}

const cs_hpm_access *cs_hart_access(const cs_hart *hart, cs_cycle cycle)
{
    return hart->state == CSR && hart->due == cycle ? &hart->access : NULL;
}

bool cs_hart_ended(const cs_hart *hart)
{
    return hart->state == ENDED;
}

cs_cycle cs_hart_end_cycle(const cs_hart *hart)
{
    return hart->state == ENDED ? hart->now : CS_NEVER;
}

uint64_t cs_hart_cycles(const cs_hart *hart, cs_hart_track track, cs_cycle now)
{
    return hart->cycles[track] +
           (hart->track == track && now > hart->since ? now - hart->since : 0);
}

/* ---- create, destroy ---- */

static void run_software(void *ctx)
{
    cs_hart *hart = ctx;

    hart->config.software(hart->config.software_ctx, hart);
    hart->state = ENDED;
}

cs_status cs_hart_create(const cs_hart_config *config, const cs_hart_env *env, cs_hart **out,
                         cs_diag *diag)
{
    cs_status status = CS_OK;

    *out = NULL;
    if (env == NULL || env->csr == NULL || env->line == NULL || env->run == NULL ||
        env->context == NULL || env->bus.submit == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "hart",
                           "env: csr, line, run, context and bus.submit must be set");

    cs_hart *hart = calloc(1, sizeof *hart);
    if (hart == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "hart", "no memory for a hart");
    hart->config = *config;
    hart->env = *env;
    hart->now = 1;
    hart->ahead = CS_NEVER;
    if (config->software != NULL)
        status = cs_fiber_create(run_software, hart, &hart->fiber, diag);
    if (status != CS_OK) {
        cs_hart_destroy(hart);
        return status;
    }
    *out = hart;
    return CS_OK;
}

void cs_hart_destroy(cs_hart *hart)
{
    if (hart == NULL)
        return;
    cs_fiber_destroy(hart->fiber);
    free(hart);
}

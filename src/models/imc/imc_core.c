// SPDX-License-Identifier: Apache-2.0
/* An IMC core as an object: time, power and other inputs. */
#include <countersink/models/imc/imc_core.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "models/imc/imc_internal.h"

#define MIN_TAP_LOG2 2u
#define MAX_TAP_LOG2 18u
#define MAX_TB_PART 65535u

/* ---- creation ---- */

typedef struct limit {
    const char *name;
    unsigned value, low, high;
} limit;

static cs_status check(const cs_imc_core_config *config, cs_diag *diag)
{
    const limit limits[] = {
        {"tap_log2", config->tap_log2, MIN_TAP_LOG2, MAX_TAP_LOG2},
        {"tb_num", config->timebase.num, 1, MAX_TB_PART},
        {"tb_den", config->timebase.den, 1, MAX_TB_PART},
        {"tb_num, with this tb_den,", config->timebase.num, 1, config->timebase.den},
    };

    if (config->threads != 1 && config->threads != 2 && config->threads != 4)
        return cs_diag_set(diag, CS_ERR_RANGE, "IMC core", "threads is %u: must be 1, 2 or 4",
                           config->threads);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].value < limits[i].low || limits[i].value > limits[i].high)
            return cs_diag_set(diag, CS_ERR_RANGE, "IMC core", "%s is %u: must be %u..%u",
                               limits[i].name, limits[i].value, limits[i].low, limits[i].high);
    return CS_OK;
}

static cs_status check_env(const cs_imc_core_config *config, const cs_imc_core_env *env,
                           cs_diag *diag)
{
    if (env == NULL || env->bus.submit == NULL || env->events == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "IMC core",
                           "env: bus.submit and events must be set");
    for (unsigned thread = 0; thread < config->threads; thread++) {
        const cs_event_source *events = &env->events[thread];

        if (events->sum == NULL || events->reach == NULL || events->context == NULL)
            return cs_diag_set(diag, CS_ERR_RANGE, "IMC core",
                               "env: sum, reach and context of events[%u] must be set", thread);
    }
    return CS_OK;
}

/* Nothing counts before the first write, which brings all counters to its cycle. */
static void reset_live(cs_imc_core *core)
{
    core->live = (cs_imc_live){.overflow = CS_NEVER, .window = {.boundary = CS_NEVER}};
    for (unsigned thread = 0; thread < CS_IMC_MAX_THREADS; thread++)
        core->live.threads[thread].overflow = CS_NEVER;
}

static void take_power(cs_imc_core *core)
{
    if (core->power_at > core->now)
        return;
    core->power = core->power_then;
    core->lose = !core->power;
    core->power_at = CS_NEVER;
}

cs_status cs_imc_core_create(const cs_imc_core_config *config, const cs_imc_core_env *env,
                             cs_imc_core **out, cs_diag *diag)
{
    *out = NULL;
    cs_status status = check(config, diag);
    if (status == CS_OK)
        status = check_env(config, env, diag);
    if (status != CS_OK)
        return status;

    cs_imc_core *core = calloc(1, sizeof *core);
    if (core == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "IMC core", "out of memory");
    core->config = *config;
    core->env = *env;
    memcpy(core->events, env->events, config->threads * sizeof core->events[0]);
    core->power = true;
    core->power_at = CS_NEVER;
    cs_imc_core_reset(core, 0);
    *out = core;
    return CS_OK;
}

void cs_imc_core_reset(cs_imc_core *core, cs_cycle now)
{
    core->now = now;
    take_power(core);
    core->lose = false;
    core->state = CS_IMC_OFF;
    core->written = CS_NEVER;
    core->writes = core->plan = 0;
    core->writer = (cs_imc_writer){.completes = CS_NEVER};
    reset_live(core);
}

void cs_imc_core_destroy(cs_imc_core *core)
{
    free(core);
}

/* ---- a cycle ---- */

/* What the cycle would have set or written is lost with the rest. */
static void lose_state(cs_imc_core *core)
{
    reset_live(core);
    memset(core->set, 0, sizeof core->set);
    core->written = CS_NEVER;
    core->writes = 0;
    core->plan = CS_IMC_PLAN_BOUNDARY;
    core->lose = false;
}

/* With power. `idle`: the writer was when the cycle began. */
static void execute(cs_imc_core *core, bool idle)
{
    const bool take = idle && core->waited != 0;

    /* 1. The writer takes what waited. */
    if (take)
        cs_imc_writer_take(core);
    /* 2. Snapshots, and overflows that make snapshots of the next cycle. */
    cs_imc_trace_execute(core);
    /* 3. A boundary; or what being off clears. */
    cs_imc_window_execute(core);
    /* 4. Register writes. */
    cs_imc_regs_execute(core);
    /* 5. The request of the next cycle. */
    if (take)
        cs_imc_writer_submit(core);
}

static void update_state(cs_imc_core *core)
{
    const cs_imc_state state = cs_imc_window_state(core);

    if (state == core->state)
        return;
    core->state = state;
    cs_probe_record record = {.cycle = core->now + 1,
                              .kind = CS_PROBE_STATE,
                              .source = core->config.unit,
                              .value = state};
    cs_probe_emit(core->env.probe, &record);
}

/* What comes after cycle `now`. */
static void plan(cs_imc_core *core)
{
    for (unsigned thread = 0; thread < core->config.threads; thread++)
        if (core->plan & CS_IMC_PLAN_OVERFLOW(thread))
            cs_imc_count_plan(core, thread);
    if (core->plan & CS_IMC_PLAN_BOUNDARY) {
        update_state(core);
        cs_imc_window_plan(core, core->now + 1);
    }
    core->plan = 0;
}

/* Executes cycle `now`. */
static void step(cs_imc_core *core)
{
    const bool busy = core->writer.busy;

    take_power(core);
    core->waited = core->live.waits;
    if (busy && core->writer.completes == core->now)
        cs_imc_writer_complete(core);
    if (core->power)
        execute(core, !busy);
    else
        lose_state(core);
    if (core->plan != 0)
        plan(core);
    core->now++;
}

/* ---- time ---- */

cs_cycle cs_imc_core_now(const cs_imc_core *core)
{
    return core->now;
}

static cs_cycle earlier(cs_cycle a, cs_cycle b)
{
    return a < b ? a : b;
}

cs_cycle cs_imc_core_next(const cs_imc_core *core)
{
    const cs_imc_live *live = &core->live;
    const bool takes = live->waits != 0 && !core->writer.busy;
    cs_cycle next = earlier(earlier(core->written, core->power_at),
                            earlier(live->window.boundary, live->overflow));

    if (takes || live->snapshots != 0 || core->lose)
        return core->now;
    if (core->writer.busy)
        next = earlier(next, core->writer.completes);
    return next > core->now ? next : core->now;
}

cs_cycle cs_imc_core_advance(cs_imc_core *core, cs_cycle to)
{
    while (core->now < to) {
        const cs_cycle next = cs_imc_core_next(core);

        if (next >= to) {
            core->now = to;
            break;
        }
        core->now = next;
        const bool busy = core->writer.busy;
        step(core);
        if (!busy && core->writer.busy && core->writer.completes == CS_NEVER)
            break;
    }
    return core->now;
}

/* ---- inputs ---- */

static void require_not_past(const cs_imc_core *core, const char *what, cs_cycle cycle)
{
    CS_REQUIRE(cycle >= core->now,
               "IMC core: %s in cycle %" PRIu64 ": must be in %" PRIu64 " or later", what, cycle,
               core->now);
}

/* The state is that of `cycle`, and so is power. */
static void reach(cs_imc_core *core, cs_cycle cycle)
{
    require_not_past(core, "an access", cycle);
    cs_imc_core_advance(core, cycle);
    take_power(core);
}

cs_bus_resp cs_imc_core_ask(const cs_imc_core *core, unsigned reg, uint64_t *value)
{
    const bool power = core->power_at <= core->now ? core->power_then : core->power;
    const bool good = power && cs_imc_regs_readable(core, reg);

    *value = good ? cs_imc_regs_read(core, reg) : 0;
    return good ? CS_BUS_OKAY : CS_BUS_SLVERR;
}

cs_bus_resp cs_imc_core_read(cs_imc_core *core, cs_cycle cycle, unsigned reg, uint64_t *value)
{
    reach(core, cycle);
    return cs_imc_core_ask(core, reg, value);
}

cs_bus_resp cs_imc_core_write(cs_imc_core *core, cs_cycle cycle, unsigned reg, uint64_t value)
{
    reach(core, cycle);
    if (!core->power || !cs_imc_regs_writable(core, reg))
        return CS_BUS_SLVERR;
    core->written = cycle;
    core->writes |= 1u << reg;
    core->write_values[reg] = value;
    return CS_BUS_OKAY;
}

void cs_imc_core_set_power(cs_imc_core *core, cs_cycle cycle, bool on)
{
    if (core->power_at < cycle)
        reach(core, core->power_at);
    require_not_past(core, "a change of power", cycle);
    core->power_at = cycle;
    core->power_then = on;
}

/* The transaction is the unit's own; a platform may hand in a copy that it filled. */
void cs_imc_core_bus_done(cs_imc_core *core, const cs_bus_txn *txn)
{
    if (core->writer.busy)
        require_not_past(core, "a completion", txn->complete);
    core->writer.txn.resp = txn->resp;
    core->writer.completes = txn->complete;
}

void cs_imc_core_events_changed(cs_imc_core *core, unsigned thread)
{
    if (thread < core->config.threads)
        cs_imc_count_plan(core, thread);
}

#include "drivers/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "scenario/build.h"
#include "scenario/cpus.h"

/* The published driver looks for the answer to a break every 10 us, and gives up at 2 ms. */
#define POLL_US 10u
#define GIVE_UP_US 2000u

static void keep(cs_environment *env, cs_status status)
{
    if (env->status == CS_OK)
        env->status = status;
}

/* ---- events by the numbers that a unit knows ---- */

static uint32_t event_at(const struct cs_unit_events *e, uint32_t event)
{
    return e->first + (e->event_of != NULL ? e->event_of[event] : event);
}

static uint64_t unit_sum(void *ctx, uint32_t event, uint32_t modes, cycle_t from, cycle_t to)
{
    const struct cs_unit_events *e = ctx;

    return e->source.sum(e->source.ctx, event_at(e, event), modes, from, to);
}

static cycle_t unit_reach(void *ctx, uint32_t event, uint32_t modes, cycle_t from, uint64_t n)
{
    const struct cs_unit_events *e = ctx;

    return e->source.reach(e->source.ctx, event_at(e, event), modes, from, n);
}

static void unit_context(void *ctx, cycle_t cycle, cs_context *out)
{
    const struct cs_unit_events *e = ctx;

    e->source.context(e->source.ctx, cycle, out);
}

cs_event_source cs_environment_events(const cs_environment *env, unsigned timeline)
{
    return (cs_event_source){unit_sum, unit_reach, unit_context,
                             (void *)&env->unit_events[timeline]};
}

static void name_events(cs_environment *env)
{
    const cs_scenario *s = env->scenario;

    for (unsigned i = 0; i < CS_MAX_TIMELINES; i++) {
        struct cs_unit_events *e = &env->unit_events[i];

        if (env->timelines[i] == NULL)
            continue;
        e->source = cs_timeline_event_source(env->timelines[i]);
        e->first = cs_scenario_first_event(s, i);
        e->event_of = cs_scenario_event_of(s, i);
    }
}

/* ---- harts ---- */

cs_hpm_config cs_environment_hpm(const cs_environment *env, unsigned hart)
{
    const cs_scenario *s = env->scenario;
    cs_hpm_config config = {
        .xlen = s->harts->xlen,
        .modes = s->harts->modes,
        .counters = (uint32_t)(((UINT64_C(1) << s->harts->counters) - 1) << 3),
        .sscofpmf = s->harts->sscofpmf,
        .smcntrpmf = s->harts->smcntrpmf,
        .smcdeleg = s->harts->smcdeleg,
        .aia = s->harts->aia,
        .lcofi_latency = s->harts->lcofi_latency,
        .unit = (uint16_t)CS_UNIT_HART(hart),
    };

    memset(config.width, (int)s->harts->width, sizeof config.width);
    return config;
}

cs_hart_config cs_environment_hart(const cs_environment *env, unsigned hart)
{
    const cs_scenario *s = env->scenario;

    return (cs_hart_config){
        .number = hart,
        .xlen = s->harts->xlen,
        .costs = {s->harts->csr_cycles, s->harts->trap_cycles, s->harts->return_cycles,
                  s->harts->irq_latency_cycles, s->harts->access_cycles},
        .time_start = s->harts->timebase_start,
        .time_mhz = s->harts->timebase_mhz,
        .clock_mhz = s->bus->clock_mhz,
        .software = cs_riscv_run,
        .software_ctx = env->riscv[hart],
    };
}

const cs_soft_kind cs_soft_track = {"track"};

static void tell_track(const cs_environment *env, unsigned cpu, cycle_t cycle, unsigned track)
{
    cs_soft_emit(&env->soft, &cs_soft_track, cycle, cpu, &(cs_track_change){track});
}

void cs_environment_hart_run(cs_environment *env, unsigned hart, cycle_t cycle, cs_hart_track track)
{
    const unsigned cpu = cs_scenario_hart_cpu(env->scenario, hart);
    cs_timeline *timeline = env->timelines[cpu];

    if (cs_timeline_inserted(timeline))
        keep(env, cs_timeline_leave(timeline, cycle, NULL));
    if (track != CS_HART_WORKLOAD)
        keep(env, cs_timeline_enter(timeline, cycle, track, NULL));
    tell_track(env, cpu, cycle, track);
}

static cs_status make_riscv(cs_environment *env, cs_diag *diag)
{
    cs_status status = CS_OK;

    for (unsigned i = 0; i < env->scenario->harts->count && status == CS_OK; i++)
        status = cs_riscv_create(env->scenario, i, &env->soft, &env->riscv[i], diag);
    return status;
}

/* ---- create, destroy ---- */

static cs_status make_driver(cs_environment *env, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    const cs_pmcu_driver_config config = {
        .registers = CS_PMCU_BASE,
        .user_events = s->pmcu_driver->user_events,
        .nr_user_events = s->pmcu_driver->nr_user_events,
        .nr_sample = s->pmcu_driver->nr_sample,
        .sample_period_ticks = s->pmcu_driver->sample_period_ticks,
        .pmccfiltr = (uint8_t)s->pmcu_driver->pmccfiltr,
        .comp = s->pmcu_driver->comp,
        .hpmn = s->corepmu->hpmn,
        .nr_cpus = cs_scenario_arm_cpus(s),
        .cpu = s->software->cpu,
        .aux_base = s->pmcu_driver->aux_base,
        .aux_buffer_bytes = s->pmcu_driver->aux_buffer_bytes,
        .aux_buffers = s->pmcu_driver->aux_buffers,
        .data_base = s->pmcu_driver->data_base,
        .stop_at_cycle = s->pmcu_driver->stop_at_cycle,
        .access_cycles = s->software->access_cycles,
        .irq_latency_cycles = s->software->irq_latency_cycles,
        .poll_cycles = (uint64_t)POLL_US * s->bus->clock_mhz,
        .give_up_cycles = (uint64_t)GIVE_UP_US * s->bus->clock_mhz,
    };
    cs_status status = cs_pmcu_driver_create(&config, &env->soft, &env->driver, diag);

    if (status == CS_OK) {
        env->software = cs_pmcu_driver_software(env->driver);
        env->hpme = s->corepmu->hpme || cs_pmcu_driver_get_report(env->driver)->comp;
    }
    return status;
}

static cs_status make_script(cs_environment *env, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    cs_status status = cs_script_create(s->script, s->nr_script, &env->script, diag);

    if (status == CS_OK)
        env->software = cs_script_software(env->script);
    return status;
}

/* ---- POWER's software ---- */

static void all_events(const cs_environment *env, cs_event_source events[CS_MAX_CPUS])
{
    for (unsigned cpu = 0; cpu < env->nr_cpus; cpu++)
        events[cpu] = cs_environment_events(env, cpu);
}

static cs_status make_imc_driver(cs_environment *env, cs_diag *diag)
{
    cs_event_source events[CS_MAX_CPUS];

    all_events(env, events);
    const cs_status status =
        cs_imc_driver_create(env->scenario, events, &env->soft, &env->imc_driver, diag);

    if (status == CS_OK)
        env->software = cs_imc_driver_software(env->imc_driver);
    return status;
}

static cs_status make_pmi(cs_environment *env, cs_diag *diag)
{
    cs_event_source events[CS_MAX_CPUS];

    all_events(env, events);
    const cs_status status = cs_pmi_create(env->scenario, events, &env->soft, &env->pmi, diag);
    if (status == CS_OK)
        env->software = cs_pmi_software(env->pmi);
    return status;
}

static cs_status make_multiplex(cs_environment *env, cs_diag *diag)
{
    cs_event_source events[CS_MAX_CPUS];
    const cs_multiplex_config config = {
        .spec = env->scenario->multiplex,
        .clock_mhz = env->scenario->bus->clock_mhz,
        .nr_cpus = env->nr_cpus,
        .tool_cpu = env->scenario->software->cpu,
        .events = events,
        .soft = &env->soft,
    };

    all_events(env, events);
    const cs_status status = cs_multiplex_create(&config, &env->multiplex, diag);
    if (status == CS_OK) {
        env->software = cs_multiplex_software(env->multiplex);
        env->rotating[CS_ROTATING_CPU] = &cs_multiplex_get_report(env->multiplex)->rotating;
    }
    return status;
}

static cs_status make_uncore_driver(cs_environment *env, cs_diag *diag)
{
    const cs_status status =
        cs_uncore_driver_create(env->scenario, &env->soft, &env->uncore_driver, diag);

    if (status == CS_OK) {
        env->software = cs_uncore_driver_software(env->uncore_driver);
        env->rotating[CS_ROTATING_UNCORE] = cs_uncore_driver_get_report(env->uncore_driver);
    }
    return status;
}

/* Ends at once. */
static void nothing(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    (void)ctx, (void)now, (void)last;
    op->kind = CS_OP_END;
}

static cs_status make_none(cs_environment *env, cs_diag *diag)
{
    (void)diag;
    env->software = (cs_software){nothing, NULL};
    return CS_OK;
}

static cs_status make_software(cs_environment *env, cs_diag *diag)
{
    static cs_status (*const makers[])(cs_environment *, cs_diag *) = {
        [CS_SOFTWARE_PMCU_DRIVER] = make_driver,
        [CS_SOFTWARE_SCRIPT] = make_script,
        [CS_SOFTWARE_IMC] = make_imc_driver,
        [CS_SOFTWARE_PMI] = make_pmi,
        [CS_SOFTWARE_NONE] = make_none,
        [CS_SOFTWARE_MULTIPLEX] = make_multiplex,
        [CS_SOFTWARE_UNCORE] = make_uncore_driver,
    };

    const uint32_t kinds = env->scenario->software->kinds;
    const bool several = (kinds & (kinds - 1)) != 0;
    cs_status status = CS_OK;

    env->hpme = env->scenario->corepmu->hpme;
    if (several)
        status = cs_tasks_create(&env->tasks, diag);
    for (unsigned kind = 0; kind < CS_NR_SOFTWARE && status == CS_OK; kind++) {
        if ((kinds & CS_SOFTWARE_BIT(kind)) == 0)
            continue;
        status = makers[kind](env, diag);
        if (several && status == CS_OK)
            cs_tasks_add(env->tasks, env->software);
    }
    if (several && status == CS_OK)
        env->software = cs_tasks_software(env->tasks);
    return status;
}

static cs_status fill(cs_environment *env, cs_diag *diag)
{
    cs_status status = cs_scenario_timelines(env->scenario, &env->timeline_set, diag);

    for (unsigned cpu = 0; status == CS_OK && cpu < env->nr_cpus; cpu++)
        env->timelines[cpu] = cs_timelines_cpu(env->timeline_set, cpu);
    if (status == CS_OK) {
        for (unsigned i = CS_NEST_TIMELINE; i < CS_MAX_TIMELINES; i++)
            env->timelines[i] = cs_timelines_cpu(env->timeline_set, i);
        name_events(env);
    }
    if (status == CS_OK)
        status = cs_scenario_guard(env->scenario, &env->guard, diag);
    if (status == CS_OK)
        status = cs_memory_create(&env->memory, diag);
    if (status == CS_OK)
        status = make_software(env, diag);
    if (status == CS_OK)
        status = make_riscv(env, diag);
    return status;
}

cs_status cs_environment_create(const cs_scenario *scenario, const cs_probe_sink *probe,
                                cs_environment **out, cs_diag *diag)
{
    cs_environment *env = calloc(1, sizeof *env);

    *out = NULL;
    if (env == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, scenario->name, "no memory for its environment");
    env->scenario = scenario;
    env->nr_cpus = cs_scenario_cpus(scenario);
    env->probe = probe;
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        env->entered[cpu] = CS_NEVER;
    env->status = CS_OK;

    cs_status status = fill(env, diag);
    if (status != CS_OK) {
        cs_environment_destroy(env);
        return status;
    }
    *out = env;
    return CS_OK;
}

void cs_environment_destroy(cs_environment *env)
{
    if (env == NULL)
        return;
    for (unsigned i = 0; i < CS_MAX_HARTS; i++)
        cs_riscv_destroy(env->riscv[i]);
    cs_script_destroy(env->script);
    cs_imc_driver_destroy(env->imc_driver);
    cs_pmi_destroy(env->pmi);
    cs_multiplex_destroy(env->multiplex);
    cs_uncore_driver_destroy(env->uncore_driver);
    cs_pmcu_driver_destroy(env->driver);
    cs_tasks_destroy(env->tasks);
    cs_memory_destroy(env->memory);
    cs_guard_destroy(env->guard);
    cs_timelines_destroy(env->timeline_set);
    free(env);
}

/* ---- the core ---- */

unsigned cs_environment_cpu(const cs_environment *env, unsigned core)
{
    return core == 0 ? env->scenario->software->cpu : core - 1;
}

void cs_environment_enter(void *environment, cycle_t cycle, unsigned core)
{
    cs_environment *env = environment;
    const unsigned cpu = cs_environment_cpu(env, core);

    keep(env, cs_timeline_enter(env->timelines[cpu], cycle, CS_TRACK_HANDLER, NULL));
    env->entered[cpu] = cycle;
    tell_track(env, cpu, cycle, CS_TRACK_HANDLER);
}

void cs_environment_leave(void *environment, cycle_t cycle, unsigned core)
{
    cs_environment *env = environment;
    const unsigned cpu = cs_environment_cpu(env, core);

    keep(env, cs_timeline_leave(env->timelines[cpu], cycle, NULL));
    env->software_cycles[cpu] = cs_environment_cpu_software_cycles(env, cpu, cycle);
    env->entered[cpu] = CS_NEVER;
    tell_track(env, cpu, cycle, 0);
}

uint64_t cs_environment_cpu_software_cycles(const cs_environment *env, unsigned cpu, cycle_t now)
{
    const cycle_t entered = env->entered[cpu];

    return env->software_cycles[cpu] + (entered < now ? now - entered : 0);
}

uint64_t cs_environment_software_cycles(const cs_environment *env, cycle_t now)
{
    uint64_t cycles = 0;

    for (unsigned cpu = 0; cpu < env->nr_cpus; cpu++)
        cycles += cs_environment_cpu_software_cycles(env, cpu, now);
    return cycles;
}

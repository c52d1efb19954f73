// SPDX-License-Identifier: Apache-2.0
/* The PMCU's drivers, one a die, as the environment knows them. */
#include <stdlib.h>

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/environment.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_moves.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/base/numbers.h>

/* The published driver (docs/sources.md) looks for the answer to a break every 10 us, and gives up
 * at 2 ms. */
#define POLL_US 10u
#define GIVE_UP_US 2000u

/* Who asks for the counters of a die. */
typedef struct asker {
    cs_environment *env;
    unsigned die;
} asker;

/* The drivers, by die; NULL: none runs there. */
typedef struct drivers {
    cs_pmcu_driver *list[CS_MAX_DIES];
    asker askers[CS_MAX_DIES];
    cs_pmcu_cpu_move moves[CS_MAX_DIES][CS_PMCU_MOST_MOVES];
} drivers;

/* perf by the kernel's own driver, where the scenario has the two know of each other. It is made
 * later than this driver. */
static cs_pmcu_claim pmcu_claim(void *ctx, cs_cycle now)
{
    const asker *by = ctx;
    static const cs_pmcu_claim answers[] = {
        [CS_ARM_CLAIM_GRANTED] = CS_PMCU_CLAIM_GRANTED,
        [CS_ARM_CLAIM_WAIT] = CS_PMCU_CLAIM_WAIT,
        [CS_ARM_CLAIM_BUSY] = CS_PMCU_CLAIM_BUSY,
    };

    return answers[cs_arm_pmu_claim(cs_arm_pmu_of(by->env), by->die, now)];
}

static void pmcu_release(void *ctx, cs_cycle now)
{
    const asker *by = ctx;

    cs_arm_pmu_release(cs_arm_pmu_of(by->env), by->die, now);
}

static cs_pmcu_owner owner_of(asker *by)
{
    const cs_scenario *s = by->env->scenario;
    const bool asks = cs_scenario_runs(s, CS_SOFTWARE_arm_pmu) &&
                      (s->arm_pmu->owner == CS_ARM_YIELD || s->arm_pmu->owner == CS_ARM_REFUSE);

    return asks ? (cs_pmcu_owner){pmcu_claim, pmcu_release, by} : (cs_pmcu_owner){0};
}

static size_t put_moves(const cs_scenario *s, unsigned die, cs_pmcu_cpu_move *out)
{
    cs_pmcu_move moves[CS_PMCU_MOST_MOVES];
    const size_t n = cs_pmcu_moves(s, die, moves);

    for (size_t i = 0; i < n; i++)
        out[i] = (cs_pmcu_cpu_move){moves[i].at, moves[i].to};
    return n;
}

static cs_status create_one(asker *by, cs_pmcu_cpu_move *moves, cs_pmcu_driver **out, cs_diag *diag)
{
    cs_environment *env = by->env;
    const unsigned die = by->die;
    const cs_scenario *s = env->scenario;
    const cs_pmcu_program *p = &s->pmcu_driver->programs[die];
    const cs_pmcu_driver_config config = {
        .die = die,
        .registers = CS_PMCU_BASE + die * CS_PMCU_STRIDE,
        .user_events = p->user_events,
        .nr_user_events = p->nr_user_events,
        .nr_sample = p->nr_sample,
        .sample_period_ticks = p->sample_period_ticks,
        .pmccfiltr = (uint8_t)p->pmccfiltr,
        .comp = s->pmcu_driver->comp,
        .hpmn = s->corepmu->hpmn,
        .nr_cpus = cs_scenario_die_cpus(s),
        .cpu = p->cpu,
        .moves = moves,
        .nr_moves = put_moves(s, die, moves),
        .aux_base = p->aux_base,
        .aux_buffer_bytes = s->pmcu_driver->aux_buffer_bytes,
        .aux_buffers = s->pmcu_driver->aux_buffers,
        .reader_cycles = cs_scenario_us(s, s->pmcu_driver->reader_us),
        .quirks = s->pmcu_driver->quirks,
        .data_base = p->data_base,
        .start_at_cycle = s->pmcu_driver->start_at_cycle,
        .stop_at_cycle = p->stop_at_cycle,
        .owner = owner_of(by),
        .claim_cycles = cs_scenario_us(s, CS_PMCU_CLAIM_POLL_US),
        .access_cycles = s->software->access_cycles,
        .irq_latency_cycles = s->software->irq_latency_cycles,
        .irq_entry_cycles = s->software->irq_entry_cycles,
        .irq_exit_cycles = s->software->irq_exit_cycles,
        .perf_wakeup_cycles = s->pmcu_driver->perf_wakeup_cycles,
        .perf_kib_cycles = s->pmcu_driver->perf_kib_cycles,
        .poll_cycles = cs_scenario_us(s, POLL_US),
        .give_up_cycles = cs_scenario_us(s, GIVE_UP_US),
    };
    const cs_status status = cs_pmcu_driver_create(&config, &env->soft, out, diag);

    return status == CS_OK
               ? cs_environment_add_task(env, p->cpu, cs_pmcu_driver_software(*out), diag)
               : status;
}

static cs_status pmcu_create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    drivers *all = calloc(1, sizeof *all);
    cs_status status = CS_OK;

    *object = all;
    if (all == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "pmcu driver", "no memory for the drivers");
    for (unsigned die = 0; die < s->pmcu->dies && status == CS_OK; die++) {
        all->askers[die] = (asker){env, die};
        if (s->pmcu_driver->programs[die].runs)
            status = create_one(&all->askers[die], all->moves[die], &all->list[die], diag);
    }
    return status;
}

static void pmcu_destroy(void *object)
{
    drivers *all = object;

    for (unsigned die = 0; die < CS_MAX_DIES; die++)
        cs_pmcu_driver_destroy(all->list[die]);
    free(all);
}

const cs_software_row cs_software_row_pmcu_driver = {
    .create = pmcu_create,
    .destroy = pmcu_destroy,
};

cs_pmcu_driver *cs_pmcu_driver_of(const cs_environment *env, unsigned die)
{
    const drivers *all = env->objects[CS_SOFTWARE_pmcu_driver];

    return all != NULL ? all->list[die] : NULL;
}

bool cs_pmcu_driver_hpme(const cs_environment *env, unsigned cpu)
{
    const cs_pmcu_driver *driver = cs_pmcu_driver_of(env, cs_scenario_die_of(env->scenario, cpu));

    return env->scenario->corepmu->hpme ||
           (driver != NULL && cs_pmcu_driver_get_report(driver)->comp);
}

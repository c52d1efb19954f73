// SPDX-License-Identifier: Apache-2.0
#include "scenario/pmcu/pmcu_moves.h"

#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"

/* The system begins so long before the CPU is off: longer than the driver waits for the answer to a
 * break (2 ms), and what it does beside. */
#define LEAD_US 3000u

/* The next outage of the CPU that is not over at `us`; NULL: none. */
static const cs_outage_spec *next_outage(const cs_scenario *s, unsigned cpu, uint64_t us)
{
    const cs_outage_spec *next = NULL;

    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];

        if (o->cpu == cpu && o->at_us + o->for_us > us && (next == NULL || o->at_us < next->at_us))
            next = o;
    }
    return next;
}

/* Only CPUs that are taken away hand their PMCU over. */
static bool stays_awake(const cs_scenario *s, unsigned cpu, uint64_t us)
{
    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];

        if (o->cpu == cpu && o->kind != CS_OUTAGE_HOTPLUG && o->at_us + o->for_us > us)
            return false;
    }
    return true;
}

/* The die's first CPU that is there from `us` until after `to_us`; false: none. */
static bool find_target(const cs_scenario *s, unsigned die, uint64_t us, uint64_t to_us,
                        unsigned *to)
{
    const unsigned cpus = cs_scenario_die_cpus(s);

    for (unsigned cpu = die * cpus; cpu < (die + 1) * cpus; cpu++) {
        const cs_outage_spec *next = next_outage(s, cpu, us);

        if (cs_scenario_cpu_state(s, cpu) != CS_CPU_ONLINE || !stays_awake(s, cpu, us) ||
            (next != NULL && next->at_us <= to_us + LEAD_US))
            continue;
        *to = cpu;
        return true;
    }
    return false;
}

/* The next move from `cpu`, where it has been since `since_us`. *stuck: it would have to, and cannot. */
static bool next_move(const cs_scenario *s, unsigned die, unsigned cpu, uint64_t *since_us,
                      unsigned *to, bool *stuck)
{
    const cs_outage_spec *o = next_outage(s, cpu, *since_us);
    uint64_t at;

    if (o == NULL)
        return false;
    at = o->at_us > LEAD_US ? o->at_us - LEAD_US : 0;
    at = at > *since_us ? at : *since_us;
    *stuck = !stays_awake(s, cpu, *since_us) || !find_target(s, die, at, o->at_us, to);
    *since_us = at;
    return !*stuck;
}

static size_t moves(const cs_scenario *s, unsigned die, cs_pmcu_move *out, bool *stuck)
{
    unsigned cpu = s->pmcu_driver->programs[die].cpu;
    uint64_t since_us = 0;
    size_t n = 0;

    *stuck = false;
    while (n < CS_PMCU_MOST_MOVES && next_move(s, die, cpu, &since_us, &cpu, stuck)) {
        if (out != NULL)
            out[n] = (cs_pmcu_move){cs_scenario_us(s, since_us), cpu};
        n++;
    }
    *stuck = *stuck || n == CS_PMCU_MOST_MOVES;
    return n;
}

size_t cs_pmcu_moves(const cs_scenario *s, unsigned die, cs_pmcu_move out[CS_PMCU_MOST_MOVES])
{
    bool stuck;

    return moves(s, die, out, &stuck);
}

static cs_status check_die(cs_check *check, unsigned die)
{
    const cs_scenario *s = check->scenario;
    const cs_pmcu_program *p = &s->pmcu_driver->programs[die];
    bool stuck;
    const size_t n = moves(s, die, NULL, &stuck);

    cs_check_at(check, "corepmu.outages");
    if (stuck)
        return cs_check_fail(check,
                             "CPU %u runs the PMCU's driver and goes off: it needs another CPU of "
                             "the die that is there then, and of its own outages only hotplug "
                             "hands over",
                             p->cpu);
    if (n == 0)
        return CS_OK;
    if (s->software->port_per_cpu)
        return cs_check_fail(check,
                             "CPU %u runs the PMCU's driver, which goes to another CPU only with "
                             "software.ports one",
                             p->cpu);
    if (s->pmcu_driver->reader_us != 0 || s->pmcu_driver->quirks != 0)
        return cs_check_fail(check,
                             "CPU %u runs the PMCU's driver, which goes to another CPU only "
                             "without pmcu_driver.reader_us and pmcu_driver.quirks",
                             p->cpu);
    return CS_OK;
}

cs_status cs_pmcu_moves_check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;

    if (s->corepmu->nr_outages == 0 || !cs_scenario_runs(s, CS_SOFTWARE_pmcu_driver))
        return CS_OK;
    for (unsigned die = 0; die < s->pmcu->dies && status == CS_OK; die++)
        if (s->pmcu_driver->programs[die].runs)
            status = check_die(check, die);
    return status;
}

/* perf's multiplexing of the CPUs' events. */
#include <string.h>

#include "scenario/check.h"

#define EVENT_BITS 16u

void cs_check_compute_multiplex(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "multiplex.counters") == NULL)
        s->multiplex->counters = s->corepmu->counters;
}

static cs_status check_events(cs_check *check)
{
    const cs_multiplex_spec *spec = check->scenario->multiplex;
    unsigned silent = 0;
    uint32_t first = 0;

    cs_check_at(check, "multiplex.events");
    if (spec->nr_events == 0)
        return cs_check_fail(check, "empty; software.kind multiplex needs events");
    if (spec->nr_ignored_events != 0)
        return cs_check_fail(check, "%llu events; at most %u are allowed",
                             (unsigned long long)spec->nr_events + spec->nr_ignored_events,
                             CS_MAX_USER_EVENTS);
    for (unsigned i = spec->nr_events; i-- > 0;) {
        const uint32_t event = spec->events[i];

        if (event >> EVENT_BITS != 0)
            return cs_check_fail(check, "event %u of the list is none of an Arm core", i);
        if (!cs_check_somewhere_counts(check->scenario, event)) {
            first = event;
            silent++;
        }
    }
    if (silent == 0)
        return CS_OK;
    return cs_check_warn(check,
                         "%u of %u count nothing, the first is 0x%x: no workload has a stream for "
                         "it",
                         silent, spec->nr_events, first);
}

/* perf opens events on online CPUs alone; "all" means these. */
static cs_status check_cpus(cs_check *check)
{
    cs_scenario *s = check->scenario;
    const cs_yaml_node *node = cs_check_at(check, "multiplex.cpus");
    const bool all =
        node == NULL || (node->kind == CS_YAML_SCALAR && strcmp(node->text, "all") == 0);
    unsigned cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        const bool arm = cs_scenario_cpu_kind(s, cpu) == CS_CPU_ARM;
        const bool there = arm && !s->corepmu->absent[cpu] && !s->corepmu->offline[cpu];

        if (s->multiplex->cpus[cpu] && !there && !all)
            return cs_check_fail(check, "CPU %u is %s", cpu,
                                 !arm                      ? "no Arm core"
                                 : s->corepmu->absent[cpu] ? "absent (corepmu.absent)"
                                                           : "offline (corepmu.offline)");
        s->multiplex->cpus[cpu] = s->multiplex->cpus[cpu] && there;
        cpus += s->multiplex->cpus[cpu];
    }
    return cpus != 0 ? CS_OK : cs_check_fail(check, "no CPU; at least one is expected");
}

static cs_status check_counters(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "multiplex.counters");
    if (s->multiplex->counters <= s->corepmu->counters)
        return CS_OK;
    return cs_check_fail(check, "%u is more than the %u counters of each core (corepmu.counters)",
                         s->multiplex->counters, s->corepmu->counters);
}

cs_status cs_check_multiplex(cs_check *check)
{
    if (!cs_scenario_runs(check->scenario, CS_SOFTWARE_MULTIPLEX))
        return CS_OK;
    cs_status status = check_cpus(check);
    if (status == CS_OK)
        status = check_events(check);
    return status == CS_OK ? check_counters(check) : status;
}

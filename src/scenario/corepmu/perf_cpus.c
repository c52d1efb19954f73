// SPDX-License-Identifier: Apache-2.0
#include "scenario/corepmu/perf_cpus.h"

#include <string.h>

#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/cpus.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/scenario.h"

#define EVENT_BITS 16u

cs_status cs_check_perf_cpus(cs_check *check, const char *key, bool cpus[CS_MAX_CPUS])
{
    const cs_scenario *s = check->scenario;
    const cs_yaml_node *node = cs_check_at(check, "%s", key);
    const bool all =
        node == NULL || (node->kind == CS_YAML_SCALAR && strcmp(node->text, "all") == 0);
    unsigned left = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        const bool arm = cs_scenario_is_arm(s, cpu);
        const bool there = arm && !s->corepmu->absent[cpu] && !s->corepmu->offline[cpu];

        if (cpus[cpu] && !there && !all)
            return cs_check_fail(check, "CPU %u is %s", cpu,
                                 !arm                      ? "no Arm core"
                                 : s->corepmu->absent[cpu] ? "absent (corepmu.absent)"
                                                           : "offline (corepmu.offline)");
        cpus[cpu] = cpus[cpu] && there;
        left += cpus[cpu];
    }
    return left != 0 ? CS_OK : cs_check_fail(check, "no CPU; at least one is expected");
}

cs_status cs_check_perf_events(cs_check *check, const char *key, const char *kind,
                               const uint32_t *events, unsigned nr, unsigned ignored)
{
    unsigned silent = 0;
    uint32_t first = 0;

    cs_check_at(check, "%s", key);
    if (nr == 0)
        return cs_check_fail(check, "empty; software.kind %s needs events", kind);
    if (ignored != 0)
        return cs_check_fail(check, "%llu events; at most %u are allowed",
                             (unsigned long long)nr + ignored, CS_MAX_USER_EVENTS);
    for (unsigned i = nr; i-- > 0;) {
        if (events[i] >> EVENT_BITS != 0)
            return cs_check_fail(check, "event %u of the list is none of an Arm core", i);
        if (!cs_check_somewhere_counts(check->scenario, events[i])) {
            first = events[i];
            silent++;
        }
    }
    if (silent == 0)
        return CS_OK;
    return cs_check_warn(check,
                         "%u of %u count nothing, the first is 0x%x: no workload has a stream for "
                         "it",
                         silent, nr, first);
}

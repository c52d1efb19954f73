// SPDX-License-Identifier: Apache-2.0
/* Where the kernel keeps the process that runs: in cid1 (CONTEXTIDR_EL1), or, of an Arm kernel at
 * EL2, in cid2 (CONTEXTIDR_EL2). */
#include <stdio.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/work/workload_spec.h"

/* Of the first CPU that runs it. */
static const cs_cpu_class *class_of(const cs_scenario *s, const cs_workload_spec *w)
{
    unsigned cpu = 0;

    while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
        cpu++;
    return cs_scenario_cpu_class(s, cpu);
}

static bool in_cid2(const cs_scenario *s, const cs_cpu_class *class)
{
    return class->pid_in_cid2 != NULL && class->pid_in_cid2(s);
}

/* Whether `pid` is given. Where the register that it goes to is given, too, in an earlier turn, or in
 * a later one, one of them goes; in the same turn that is an error later (check_pid). */
static bool pid_given(cs_check *check, const cs_cpu_class *class, const char *path)
{
    char pid[sizeof check->path], reg[sizeof check->path];

    snprintf(pid, sizeof pid, "%s.pid", path);
    snprintf(reg, sizeof reg, "%s.%s", path, in_cid2(check->scenario, class) ? "cid2" : "cid1");
    if (cs_yaml_turn(check->root, pid) != cs_yaml_turn(check->root, reg))
        (void)cs_check_one_name(check, reg, pid);
    return cs_check_at(check, "%s", pid) != NULL;
}

/* Without `pid` whoever wrote the scenario has filled the registers: the process is in the one that
 * is not 0. */
static void compute_pid(const cs_scenario *s, const cs_cpu_class *class, bool given,
                        cs_segment_spec *segment)
{
    if (given && in_cid2(s, class))
        segment->cid2 = segment->pid;
    else if (given)
        segment->cid1 = segment->pid;
    else
        segment->pid =
            segment->cid1 == 0 && class->pid_in_cid2 != NULL ? segment->cid2 : segment->cid1;
}

void cs_check_compute_pids(cs_check *check)
{
    cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_workloads; i++) {
        cs_workload_spec *w = &s->workloads[i];

        for (size_t k = 0; k < w->nr_segments; k++) {
            const cs_cpu_class *class = class_of(s, w);
            char path[64];

            snprintf(path, sizeof path, "workloads.%zu.segments.%zu", i, k);
            compute_pid(s, class, pid_given(check, class, path), &w->segments[k]);
        }
    }
    const cs_cpu_class *class = cs_scenario_cpu_class(s, s->software->cpu);

    compute_pid(s, class, pid_given(check, class, "handler"), &s->handler);
}

/* `path` is that of the segment. */
static cs_status check_pid(cs_check *check, const cs_cpu_class *class, const char *path)
{
    const char *beside = in_cid2(check->scenario, class) ? "cid2" : "cid1";

    if (cs_check_at(check, "%s.pid", path) == NULL ||
        cs_check_at(check, "%s.%s", path, beside) == NULL)
        return CS_OK;
    return cs_check_fail(check, "not allowed beside pid, which goes there");
}

cs_status cs_check_pids(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = check_pid(check, cs_scenario_cpu_class(s, s->software->cpu), "handler");

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments && status == CS_OK; k++) {
            char path[64];

            snprintf(path, sizeof path, "workloads.%zu.segments.%zu", i, k);
            status = check_pid(check, class_of(s, &s->workloads[i]), path);
        }
    return status;
}

// SPDX-License-Identifier: Apache-2.0
/* The modes that CPUs are in; each kind of CPU has its own. */
#include <string.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/work/workload_spec.h"

static bool has_mode(const cs_scenario *s, const cs_cpu_class *class, cs_privilege mode)
{
    return class->has_mode == NULL || class->has_mode(s, mode);
}

static cs_privilege mode_for(const cs_scenario *s, const cs_cpu_class *class, cs_privilege mode)
{
    if (mode == CS_MODE_KERNEL && class->kernel_mode != NULL)
        return class->kernel_mode(s);
    return has_mode(s, class, mode) ? mode : class->least_mode;
}

cs_privilege cs_scenario_idle_mode(const cs_scenario *s, unsigned cpu)
{
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);

    return mode_for(s, class, class->idle);
}

cs_privilege cs_scenario_handler_mode(const cs_scenario *s, unsigned cpu)
{
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);

    return s->handler_mode ? s->handler.mode : mode_for(s, class, class->handler);
}

void cs_check_compute_modes(cs_check *check)
{
    cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_workloads; i++) {
        cs_workload_spec *w = &s->workloads[i];
        unsigned cpu = 0;

        while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
            cpu++;
        const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);
        for (size_t k = 0; k < w->nr_segments; k++) {
            cs_segment_spec *segment = &w->segments[k];

            if (cs_check_at(check, "workloads.%zu.segments.%zu.mode", i, k) == NULL)
                segment->mode = mode_for(s, class, class->work);
            else if (segment->mode == CS_MODE_KERNEL)
                segment->mode = mode_for(s, class, CS_MODE_KERNEL);
        }
    }
    const cs_cpu_class *driving = cs_scenario_cpu_class(s, s->software->cpu);
    s->handler_mode = cs_check_at(check, "handler.mode") != NULL;
    if (!s->handler_mode || s->handler.mode == CS_MODE_KERNEL)
        s->handler.mode = mode_for(s, driving, s->handler_mode ? CS_MODE_KERNEL : driving->handler);
}

static bool owns_mode(const cs_cpu_class *class, const char *name)
{
    const cs_key_choice *mode = class->modes;

    while (mode->name != NULL && strcmp(mode->name, name) != 0)
        mode++;
    return mode->name != NULL;
}

static cs_status check_mode(cs_check *check, const cs_yaml_node *node, unsigned cpu,
                            cs_privilege mode)
{
    const cs_scenario *s = check->scenario;
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);

    if (node != NULL && !owns_mode(class, node->text))
        return cs_check_fail(check, "%s is no mode of CPU %u, %s", node->text, cpu,
                             class->words.one);
    if (!has_mode(s, class, mode))
        return cs_check_fail(check, "%s", class->no_mode);
    return CS_OK;
}

cs_status cs_check_modes(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++) {
            const cs_yaml_node *node = cs_check_at(check, "workloads.%zu.segments.%zu.mode", i, k);

            for (unsigned cpu = 0; cpu < cs_scenario_cpus(s) && status == CS_OK; cpu++)
                if (s->workloads[i].cpus[cpu])
                    status = check_mode(check, node, cpu, s->workloads[i].segments[k].mode);
        }
    return status;
}

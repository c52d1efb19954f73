/* RISC-V harts; and the modes, which each kind of CPU has its own of. */
#include <string.h>

#include "scenario/check.h"

/* By cs_cpu_kind. */
static const struct {
    const char *name;
    cs_mode work, idle, handler;
} kinds[] = {
    [CS_CPU_ARM] = {"a CPU of the PMCU", CS_MODE_EL1, CS_MODE_EL1, CS_MODE_EL1},
    [CS_CPU_IMC] = {"a thread of an IMC core", CS_MODE_HOST_USER, CS_MODE_HOST_KERNEL,
                    CS_MODE_HOST_KERNEL},
    [CS_CPU_HART] = {"a hart", CS_MODE_U, CS_MODE_S, CS_MODE_S},
};

static bool has_mode(const cs_scenario *s, cs_mode mode)
{
    static const unsigned least[] = {
        [CS_MODE_U] = 1, [CS_MODE_S] = 2, [CS_MODE_M] = 0, [CS_MODE_VU] = 3, [CS_MODE_VS] = 3};

    return s->harts->modes >= least[mode];
}

/* A hart that does not have it is in M. */
static cs_mode mode_for(const cs_scenario *s, unsigned cpu, cs_mode mode)
{
    return cs_scenario_cpu_kind(s, cpu) == CS_CPU_HART && !has_mode(s, mode) ? CS_MODE_M : mode;
}

cs_mode cs_scenario_idle_mode(const cs_scenario *s, unsigned cpu)
{
    return mode_for(s, cpu, kinds[cs_scenario_cpu_kind(s, cpu)].idle);
}

cs_mode cs_scenario_handler_mode(const cs_scenario *s, unsigned cpu)
{
    return s->handler_mode ? s->handler.mode
                           : mode_for(s, cpu, kinds[cs_scenario_cpu_kind(s, cpu)].handler);
}

/* The kind of CPU that has a mode of this name. */
static cs_cpu_kind kind_of(const char *mode)
{
    if (strncmp(mode, "el", 2) == 0)
        return CS_CPU_ARM;
    return strchr(mode, '_') != NULL ? CS_CPU_IMC : CS_CPU_HART;
}

void cs_check_compute_modes(cs_check *check)
{
    cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_workloads; i++) {
        cs_workload_spec *w = &s->workloads[i];
        unsigned cpu = 0;

        while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
            cpu++;
        for (size_t k = 0; k < w->nr_segments; k++)
            if (cs_check_at(check, "workloads.%zu.segments.%zu.mode", i, k) == NULL)
                w->segments[k].mode = mode_for(s, cpu, kinds[cs_scenario_cpu_kind(s, cpu)].work);
    }
    s->handler_mode = cs_check_at(check, "handler.mode") != NULL;
    if (!s->handler_mode)
        s->handler.mode = kinds[cs_scenario_cpu_kind(s, s->software->cpu)].handler;
}

static cs_status check_mode(cs_check *check, const cs_yaml_node *node, unsigned cpu, cs_mode mode)
{
    const cs_scenario *s = check->scenario;
    const cs_cpu_kind kind = cs_scenario_cpu_kind(s, cpu);

    if (node != NULL && kind_of(node->text) != kind)
        return cs_check_fail(check, "%s is no mode of CPU %u, %s", node->text, cpu,
                             kinds[kind].name);
    if (kind == CS_CPU_HART && !has_mode(s, mode))
        return cs_check_fail(check, "harts.modes has no such mode");
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

void cs_check_compute_harts(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "harts.smcdeleg") == NULL)
        s->harts->smcdeleg = s->harts->modes >= 2;
    if (cs_check_at(check, "software.kind") == NULL)
        s->software->kinds =
            CS_SOFTWARE_BIT(s->harts->count != 0 && s->harts->count == cs_scenario_cpus(s)
                                ? CS_SOFTWARE_NONE
                                : CS_SOFTWARE_PMCU_DRIVER);
}

cs_status cs_check_harts(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (s->harts->count == 0)
        return CS_OK;
    cs_check_at(check, "harts.smcdeleg");
    if (s->harts->smcdeleg && s->harts->modes < 2)
        return cs_check_fail(check, "needs S-mode (harts.modes)");
    cs_check_at(check, "harts.aia");
    if (s->harts->aia && (s->harts->modes < 2 || !s->harts->sscofpmf))
        return cs_check_fail(check, "needs S-mode (harts.modes) and harts.sscofpmf");
    cs_check_at(check, "harts.timebase_mhz");
    if (s->harts->timebase_mhz > s->bus->clock_mhz)
        return cs_check_fail(check, "%u is more than bus.clock_mhz %u", s->harts->timebase_mhz,
                             s->bus->clock_mhz);
    return CS_OK;
}

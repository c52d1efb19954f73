/* perf by the kernel's driver, as the environment knows it: its code runs on the cores themselves, not
 * on the CPU port. */
#include "drivers/corepmu/arm_pmu_impl.h"
#include "drivers/environment.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    const cs_arm_pmu_config config = {
        .spec = s->arm_pmu,
        .clock_mhz = s->bus->clock_mhz,
        .nr_cpus = cs_scenario_arm_cpus(s),
        .timelines = env->timelines,
        .soft = &env->soft,
    };

    return cs_arm_pmu_create(&config, (cs_arm_pmu **)object, diag);
}

static void destroy(void *object)
{
    cs_arm_pmu_destroy(object);
}

/* Events of perf stat have their counters all the time, but where they yield them: their counts are told
 * as those of events that take turns. */
static const cs_rotating_report *rotating(const void *object)
{
    const cs_arm_pmu *pmu = object;
    const cs_arm_pmu_spec *spec = pmu->config.spec;

    return spec->command == CS_ARM_STAT && !spec->guest ? &pmu->report.rotating : NULL;
}

const cs_software_row cs_software_row_arm_pmu = {
    .create = create, .destroy = destroy, .rotating = rotating};

cs_arm_pmu *cs_arm_pmu_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_arm_pmu];
}

bool cs_environment_arm_core(const cs_environment *env, unsigned cpu, cs_arm_core_config *out)
{
    cs_arm_pmu *pmu = cs_arm_pmu_of(env);

    if (pmu == NULL || !cs_arm_pmu_uses(pmu, cpu))
        return false;
    cs_arm_pmu_core(pmu, cpu, out);
    return true;
}

void cs_environment_arm_core_made(const cs_environment *env, unsigned cpu, cs_arm_core *core)
{
    cs_arm_pmu_made(cs_arm_pmu_of(env), cpu, core);
}

bool cs_environment_arm_guest(const cs_environment *env)
{
    return env->scenario->arm_pmu->guest;
}

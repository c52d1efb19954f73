// SPDX-License-Identifier: Apache-2.0
/* perf stat on IOMMUs as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/iommu_hpm/iommu_driver.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"

static cs_status iommu_create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    const cs_iommu_driver_config config = {
        .spec = s->iommu_driver,
        .units = s->iommu_hpm,
        .cpu = s->software->cpu,
        .interrupts = cs_scenario_can_manage(s, s->software->cpu),
        .clock_mhz = s->bus->clock_mhz,
        .access_cycles = s->software->access_cycles,
        .irq_latency_cycles = s->software->irq_latency_cycles,
        .soft = &env->soft,
    };
    cs_iommu_driver *driver;
    const cs_status status = cs_iommu_driver_create(&config, &driver, diag);

    *object = driver;
    return status == CS_OK ? cs_environment_add_task(env, s->software->cpu,
                                                     cs_iommu_driver_software(driver), diag)
                           : status;
}

static void iommu_destroy(void *object)
{
    cs_iommu_driver_destroy(object);
}

static const cs_rotating_report *iommu_rotating(const void *object)
{
    return cs_iommu_driver_get_report(object);
}

const cs_software_row cs_software_row_iommu_driver = {
    .create = iommu_create, .destroy = iommu_destroy, .rotating = iommu_rotating};

cs_iommu_driver *cs_iommu_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_iommu_driver];
}

/* What software and hardware write must not lie in one place. */
#include "scenario/check.h"

#define MAX_AREAS 8u

typedef struct area {
    const char *key;
    const char *what;
    uint64_t base, bytes;
} area;

static size_t find_areas(const cs_scenario *s, area *out)
{
    const bool pmcu = cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER);
    const bool harts = s->harts->count != 0 && s->harts->modes >= 2;
    size_t n = 0;

    if (pmcu) {
        out[n++] = (area){"pmcu_driver.aux_base", "the AUX buffers", s->pmcu_driver->aux_base,
                          s->pmcu_driver->aux_buffer_bytes * s->pmcu_driver->aux_buffers};
        out[n++] = (area){"pmcu_driver.data_base", "the driver's data", s->pmcu_driver->data_base,
                          CS_DRIVER_DATA_BYTES};
    }
    if (s->nest->present)
        out[n++] = (area){"nest.base", "the nest's window", s->nest->base, CS_NEST_WINDOW_BYTES};
    if (cs_scenario_runs(s, CS_SOFTWARE_IMC))
        out[n++] = (area){"imc_driver.buffers_base", "the kernel's IMC buffers",
                          s->imc_driver->buffers_base, cs_check_imc_bytes(s)};
    if (cs_scenario_runs(s, CS_SOFTWARE_PMI))
        out[n++] = (area){"pmi.ring_base", "the rings of samples", s->pmi->ring_base,
                          (uint64_t)cs_scenario_cpus(s) * CS_PMI_RING_BYTES};
    if (harts)
        out[n++] = (area){"riscv.driver.base", "the pages and rings of riscv.driver",
                          s->riscv->driver.base,
                          s->harts->count * cs_scenario_riscv_bytes(&s->riscv->driver)};
    if (harts && s->riscv->has_guest)
        out[n++] =
            (area){"riscv.guest.base", "the pages and rings of riscv.guest", s->riscv->guest.base,
                   s->harts->count * cs_scenario_riscv_bytes(&s->riscv->guest)};
    return n;
}

cs_status cs_check_areas(cs_check *check)
{
    area areas[MAX_AREAS];
    const size_t count = find_areas(check->scenario, areas);

    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            if (!cs_check_overlap(areas[i].base, areas[i].bytes, areas[k].base, areas[k].bytes))
                continue;
            cs_check_at(check, "%s", areas[i].key);
            return cs_check_fail(check, "%s at 0x%llx overlap %s at 0x%llx", areas[i].what,
                                 (unsigned long long)areas[i].base, areas[k].what,
                                 (unsigned long long)areas[k].base);
        }
    return CS_OK;
}

#include "results/common/memory_images.h"

#include "drivers/power/imc_driver.h"

#define CORE_BYTES 0x2000u /* of a core's or thread's counters */
#define NEST_BYTES 0x40000u

static bool has_command(const cs_scenario *s, cs_perf_pmu pmu, unsigned cpu)
{
    if (!cs_scenario_runs(s, CS_SOFTWARE_IMC))
        return false;
    for (size_t i = 0; i < s->imc_driver->nr_perf; i++)
        if (s->imc_driver->perf[i].pmu == pmu &&
            (cpu == CS_MAX_CPUS || s->imc_driver->perf[i].cpus[cpu]))
            return true;
    return false;
}

static unsigned imc_threads(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_IMC) ? s->imc->cores * s->imc->threads : 0;
}

/* Of the CPUs that a command of trace mode has. */
static bool trace_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    const unsigned cpu = cs_scenario_arm_cpus(s) + i;

    *out = (cs_image){cpu, cs_imc_trace_buffer(s, cpu), cs_imc_trace_bytes(s)};
    return has_command(s, CS_PERF_TRACE, cpu);
}

static bool thread_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    const unsigned cpu = cs_scenario_arm_cpus(s) + i;

    *out = (cs_image){cpu, cs_imc_thread_memory(s, cpu), CORE_BYTES};
    return has_command(s, CS_PERF_THREAD, cpu);
}

static unsigned cores(const cs_scenario *s)
{
    return has_command(s, CS_PERF_CORE, CS_MAX_CPUS) ? s->imc->cores : 0;
}

static bool core_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    *out = (cs_image){i, cs_imc_core_memory(s, i), CORE_BYTES};
    return true;
}

static unsigned nests(const cs_scenario *s)
{
    return s->nest->present && has_command(s, CS_PERF_NEST, CS_MAX_CPUS);
}

static bool nest_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    *out = (cs_image){i, s->nest->base, NEST_BYTES};
    return true;
}

static unsigned snapshots(const cs_scenario *s)
{
    return s->riscv->driver.snapshot && s->riscv->driver.kind == CS_RISCV_SBI ? s->harts->count : 0;
}

static bool snapshot_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    *out = (cs_image){i, s->riscv->driver.base + i * cs_scenario_riscv_bytes(&s->riscv->driver),
                      CS_RISCV_PAGE};
    return true;
}

static const struct {
    const char *format;
    const char *needs;
    unsigned (*count)(const cs_scenario *s);
    bool (*place)(const cs_scenario *s, unsigned i, cs_image *out); /* false: it is left out */
} kinds[CS_IMAGE_KINDS] = {
    [CS_IMAGE_TRACE] = {"imc", "a command of imc_driver.perf with pmu: trace", imc_threads,
                        trace_place},
    [CS_IMAGE_CORE] = {"core-imc", "a command of imc_driver.perf with pmu: core", cores,
                       core_place},
    [CS_IMAGE_THREAD] = {"thread-imc", "a command of imc_driver.perf with pmu: thread", imc_threads,
                         thread_place},
    [CS_IMAGE_NEST] = {"nest-imc", "a command of imc_driver.perf with pmu: nest", nests,
                       nest_place},
    [CS_IMAGE_SNAPSHOT] = {"snapshot", "riscv.driver.snapshot with SBI firmware", snapshots,
                           snapshot_place},
};

const char *cs_image_format(cs_image_kind kind)
{
    return kinds[kind].format;
}

const char *cs_image_needs(cs_image_kind kind)
{
    return kinds[kind].needs;
}

bool cs_image_get(const cs_scenario *s, cs_image_kind kind, unsigned i, cs_image *out)
{
    const unsigned count = kinds[kind].count(s);

    for (unsigned n = 0; n < count; n++)
        if (kinds[kind].place(s, n, out) && i-- == 0)
            return true;
    return false;
}

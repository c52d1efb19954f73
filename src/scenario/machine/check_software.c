/* The driver's settings, scripts, and what is allowed but hardly meant. */
#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"

/* docs/hw/pmcu.md: counters that a run uses */
#define NORMAL_COUNTERS 8u
#define COMP_COUNTERS 5u
#define COMP_FIRST 3u

#define HEADER_WORDS 7u

static cs_status check_script(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_script; i++) {
        const cs_script_step *step = &s->script[i];
        const char *kind = step->kind == CS_STEP_WRITE ? "write" : "read";

        if (step->kind != CS_STEP_WRITE && step->kind != CS_STEP_READ)
            continue;
        if (step->addr % step->size != 0) {
            cs_check_at(check, "script.%zu.%s.at", i, kind);
            return cs_check_fail(check, "0x%llx is not a multiple of the size %u",
                                 (unsigned long long)step->addr, step->size);
        }
        if (step->size < 8 && step->value >> (8u * step->size) != 0) {
            cs_check_at(check, "script.%zu.%s.value", i, kind);
            return cs_check_fail(check, "0x%llx does not fit into %u bytes",
                                 (unsigned long long)step->value, step->size);
        }
    }
    return CS_OK;
}

/* Each kind of software has a section of its own; that of one that does not run is not allowed.
 * Those that stand alone share the CPU port with nobody. */
static cs_status check_kinds(cs_check *check)
{
    static const struct {
        const char *section, *kind;
        bool alone;
    } kinds[CS_NR_SOFTWARE] = {
        [CS_SOFTWARE_PMCU_DRIVER] = {"pmcu_driver", "pmcu_driver", false},
        [CS_SOFTWARE_SCRIPT] = {"script", "script", true},
        [CS_SOFTWARE_IMC] = {"imc_driver", "imc", false},
        [CS_SOFTWARE_PMI] = {"pmi", "pmi", true},
        [CS_SOFTWARE_NONE] = {"none", "none", true},
        [CS_SOFTWARE_MULTIPLEX] = {"multiplex", "multiplex", true},
        [CS_SOFTWARE_UNCORE] = {"uncore_driver", "uncore", false},
    };
    const uint32_t runs = check->scenario->software->kinds;

    for (unsigned i = 0; i < CS_NR_SOFTWARE; i++) {
        const uint32_t own = CS_SOFTWARE_BIT(i);

        if ((runs & own) != 0 && kinds[i].alone && runs != own) {
            cs_check_at(check, "software.kind");
            return cs_check_fail(check, "%s stands alone, not in a list with others",
                                 kinds[i].kind);
        }
        if ((runs & own) == 0 && cs_check_at(check, "%s", kinds[i].section) != NULL)
            return cs_check_fail(check, "not allowed without software.kind %s", kinds[i].kind);
    }
    return CS_OK;
}

cs_status cs_check_software(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned cpus = cs_scenario_cpus(s);

    cs_check_at(check, "software.cpu");
    if (s->software->cpu >= cpus)
        return cs_check_fail(check,
                             "%u is outside the CPUs 0..%u (pmcu.clusters %u, pmcu.slots "
                             "%u, imc.cores %u, imc.threads %u, harts.count %u)",
                             s->software->cpu, cpus - 1, s->pmcu->clusters, s->pmcu->slots,
                             s->imc->cores, s->imc->threads, s->harts->count);
    if (s->corepmu->absent[s->software->cpu] || s->corepmu->offline[s->software->cpu])
        return cs_check_fail(check, "CPU %u is %s (corepmu.%s), no software can run on it",
                             s->software->cpu,
                             s->corepmu->absent[s->software->cpu] ? "absent" : "offline",
                             s->corepmu->absent[s->software->cpu] ? "absent" : "offline");

    cs_check_at(check, "software.kind");
    if (cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER) && !cs_scenario_has_pmcu(s))
        return cs_check_fail(check, "pmcu_driver needs a PMCU (pmcu.clusters)");
    cs_status status = check_kinds(check);
    if (status != CS_OK || !cs_scenario_runs(s, CS_SOFTWARE_SCRIPT))
        return status;
    cs_check_at(check, "script");
    return s->nr_script > 0 ? check_script(check)
                            : cs_check_fail(check, "empty; software.kind script needs steps");
}

cs_status cs_check_in_ram(cs_check *check, uint64_t base, uint64_t bytes, const char *what)
{
    const cs_scenario *s = check->scenario;

    if (base >= s->memory->base && bytes <= s->memory->size &&
        base - s->memory->base <= s->memory->size - bytes)
        return CS_OK;
    return cs_check_fail(check, "%s, 0x%llx bytes at 0x%llx, do not lie in RAM 0x%llx..0x%llx",
                         what, (unsigned long long)bytes, (unsigned long long)base,
                         (unsigned long long)s->memory->base,
                         (unsigned long long)(s->memory->base + (s->memory->size - 1)));
}

/* One whole sample, and the header in the first buffer, must fit into an AUX buffer. */
static cs_status check_sample(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned most = s->pmcu_driver->comp ? COMP_COUNTERS : NORMAL_COUNTERS;
    unsigned events = s->pmcu_driver->nr_user_events;
    unsigned pmus = events < most ? events : most;

    if (events == 0)
        return CS_OK;
    uint64_t groups = (events + pmus - 1) / pmus;
    uint64_t subsample =
        (uint64_t)(pmus + (s->pmcu_driver->comp ? 1 : 2)) * 8 * cs_scenario_arm_cpus(s);
    uint64_t header = ((HEADER_WORDS + groups * pmus) * 4 + 15) / 16 * 16;
    uint64_t bytes = header + groups * subsample;

    cs_check_at(check, "pmcu_driver.aux_buffer_bytes");
    if (bytes > s->pmcu_driver->aux_buffer_bytes)
        return cs_check_fail(check, "%llu is less than the %llu bytes of header and one sample",
                             (unsigned long long)s->pmcu_driver->aux_buffer_bytes,
                             (unsigned long long)bytes);
    return CS_OK;
}

cs_status cs_check_driver(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t aux_bytes = s->pmcu_driver->aux_buffer_bytes * s->pmcu_driver->aux_buffers;

    if (!cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER))
        return CS_OK;
    if (cs_check_at(check, "pmcu_driver.sample_period_ticks") != NULL &&
        cs_yaml_find(check->root, "pmcu_driver.sample_period_ms", NULL) != NULL)
        return cs_check_fail(check, "not allowed beside pmcu_driver.sample_period_ms");

    cs_check_at(check, "pmcu_driver.aux_base");
    cs_status status =
        cs_check_in_ram(check, s->pmcu_driver->aux_base, aux_bytes, "the AUX buffers");
    if (status == CS_OK) {
        cs_check_at(check, "pmcu_driver.data_base");
        status = cs_check_in_ram(check, s->pmcu_driver->data_base, CS_DRIVER_DATA_BYTES,
                                 "the driver's data");
    }
    return status == CS_OK ? check_sample(check) : status;
}

static bool segment_counts(const cs_segment_spec *segment, uint32_t event)
{
    for (size_t i = 0; i < segment->nr_streams; i++)
        if (event >= segment->streams[i].first_event && event <= segment->streams[i].last_event)
            return true;
    return event == CS_ARM_CPU_CYCLES;
}

bool cs_check_somewhere_counts(const cs_scenario *s, uint32_t event)
{
    bool counts = segment_counts(&s->handler, event);

    for (size_t i = 0; i < s->nr_workloads && !counts; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments && !counts; k++)
            counts = segment_counts(&s->workloads[i].segments[k], event);
    return counts;
}

static cs_status warn_of_events(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned silent = 0;
    uint32_t first = 0;
    cs_status status = CS_OK;

    cs_check_at(check, "pmcu_driver.user_events");
    if (s->pmcu_driver->nr_user_events == 0)
        status = cs_check_warn(check, "empty; the driver triggers the PMCU with FSM_CFG 0");
    if (s->pmcu_driver->nr_ignored_events > 0)
        status = cs_check_warn(check, "%u events beyond %u are ignored, as the driver does",
                               s->pmcu_driver->nr_ignored_events, CS_MAX_USER_EVENTS);
    for (unsigned i = s->pmcu_driver->nr_user_events; i-- > 0;) {
        if (!cs_check_somewhere_counts(s, s->pmcu_driver->user_events[i])) {
            first = s->pmcu_driver->user_events[i];
            silent++;
        }
    }
    if (silent > 0 && status == CS_OK)
        status = cs_check_warn(check,
                               "%u of %u count nothing, the first is 0x%x: no workload has "
                               "a stream for it",
                               silent, s->pmcu_driver->nr_user_events, first);
    return status;
}

static cs_status warn_of_counters(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    unsigned most = s->pmcu_driver->comp ? COMP_COUNTERS : NORMAL_COUNTERS;
    unsigned first = s->pmcu_driver->comp ? COMP_FIRST : 0;
    unsigned events = s->pmcu_driver->nr_user_events;
    unsigned used = first + (events < most ? events : most);
    cs_status status = CS_OK;

    cs_check_at(check, "corepmu.hpmn");
    if (s->pmcu_driver->comp && s->corepmu->hpmn > COMP_FIRST)
        return cs_check_warn(check,
                             "%u is more than %u: the driver will refuse compatibility mode "
                             "and run in normal mode",
                             s->corepmu->hpmn, COMP_FIRST);
    if (used > s->corepmu->hpmn && s->corepmu->counters > s->corepmu->hpmn && !s->corepmu->hpme &&
        !s->pmcu_driver->comp)
        status = cs_check_warn(check,
                               "counters %u to %u belong to the second range, which does "
                               "not count without corepmu.hpme",
                               s->corepmu->hpmn, used - 1);
    cs_check_at(check, "corepmu.counters");
    if (status == CS_OK && used > s->corepmu->counters)
        status = cs_check_warn(check,
                               "%u is less than the %u that the PMCU uses; the others read "
                               "as zero",
                               s->corepmu->counters, used);
    return status;
}

cs_status cs_check_warnings(cs_check *check)
{
    if (!cs_scenario_runs(check->scenario, CS_SOFTWARE_PMCU_DRIVER))
        return CS_OK;
    cs_status status = warn_of_events(check);
    return status == CS_OK ? warn_of_counters(check) : status;
}

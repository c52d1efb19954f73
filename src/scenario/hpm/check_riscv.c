/* The software of RISC-V harts. */
#include <string.h>

#include "scenario/check.h"
#include "scenario/hpm/riscv_bug.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_kind.h"
#include "scenario/hpm/sbi_deviation.h"
#include "scenario/yaml/suggest.h"

#define MIB ((uint64_t)1 << 20)

static void compute_driver(cs_check *check, const char *path, cs_riscv_driver_spec *driver,
                           uint64_t base)
{
    const cs_scenario *s = check->scenario;

    if (cs_check_at(check, "%s.kind", path) == NULL)
        driver->kind = s->riscv->firmware.proposal_v3 ? CS_RISCV_V3 : CS_RISCV_SBI;
    if (cs_check_at(check, "%s.base", path) == NULL)
        driver->base = base;
    if (cs_check_at(check, "%s.wakeup_bytes", path) == NULL)
        driver->wakeup_bytes = driver->ring_bytes / 2;
}

/* "all" is all harts. */
static void compute_cpus(cs_check *check, const char *path, size_t i, bool cpus[CS_MAX_CPUS])
{
    const cs_scenario *s = check->scenario;
    const cs_yaml_node *node = cs_check_at(check, "riscv.%s.%zu.cpus", path, i);
    const unsigned first = cs_scenario_hart_cpu(s, 0);

    if (node == NULL || (node->kind == CS_YAML_SCALAR && strcmp(node->text, "all") == 0))
        memset(cpus, 0, first * sizeof cpus[0]);
}

void cs_check_compute_riscv(cs_check *check)
{
    cs_scenario *s = check->scenario;

    compute_driver(check, "riscv.driver", &s->riscv->driver, s->memory->base + 16 * MIB);
    compute_driver(check, "riscv.guest", &s->riscv->guest, s->memory->base + 32 * MIB);
    for (size_t i = 0; i < s->riscv->nr_perf; i++)
        compute_cpus(check, "perf", i, s->riscv->perf[i].cpus);
    for (size_t i = 0; i < s->riscv->nr_firmware_events; i++)
        compute_cpus(check, "firmware_events", i, s->riscv->firmware_events[i].cpus);
}

static cs_status fail_unknown(cs_check *check, const char *what, const char *name,
                              const cs_suggest *suggest)
{
    const char *near = cs_suggest_end(suggest);

    return cs_check_fail(check, "there is no %s %s%s%s%s", what, name,
                         near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                         near != NULL ? "?" : "");
}

static cs_status check_deviations(cs_check *check)
{
    cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->riscv->firmware.nr_deviations; i++) {
        const char *name = s->riscv->firmware.deviation_names[i];
        cs_suggest suggest = cs_suggest_begin(name);
        uint32_t mask;

        cs_check_at(check, "riscv.firmware.deviations.%zu", i);
        if (!cs_sbi_deviation_named(name, &mask)) {
            for (size_t k = 0; cs_sbi_deviation_at(k) != NULL; k++)
                cs_suggest_offer(&suggest, cs_sbi_deviation_at(k)->name);
            return fail_unknown(check, "deviation", name, &suggest);
        }
        s->riscv->firmware.deviations |= mask;
    }
    cs_check_at(check, "riscv.firmware.deviations");
    if (s->riscv->firmware.proposal_v3 && s->riscv->firmware.deviations != 0)
        return cs_check_fail(check, "the proposal has none; expected firmware.form ratified");
    return CS_OK;
}

static cs_status check_bugs(cs_check *check, const char *path, cs_riscv_driver_spec *driver)
{
    for (size_t i = 0; i < driver->nr_bugs; i++) {
        const cs_riscv_bug *bug = cs_riscv_bug_of(driver->bug_names[i]);
        cs_suggest suggest = cs_suggest_begin(driver->bug_names[i]);

        cs_check_at(check, "%s.bugs.%zu", path, i);
        if (bug == NULL) {
            for (unsigned k = 0; cs_riscv_bug_at(k) != NULL; k++)
                cs_suggest_offer(&suggest, cs_riscv_bug_at(k)->name);
            return fail_unknown(check, "bug", driver->bug_names[i], &suggest);
        }
        driver->bugs |= bug->bit;
    }
    return CS_OK;
}

/* What the driver needs of the hardware and the firmware. */
static cs_status check_kind(cs_check *check, const char *path, const cs_riscv_driver_spec *driver)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "%s.kind", path);
    if (driver->kind == CS_RISCV_V3 && !s->riscv->firmware.proposal_v3)
        return cs_check_fail(check, "v3 needs riscv.firmware.form proposal_v3");
    if (driver->kind == CS_RISCV_SBI && s->riscv->firmware.proposal_v3)
        return cs_check_fail(check, "sbi needs riscv.firmware.form ratified");
    if (driver->kind == CS_RISCV_DELEGATED &&
        (!s->harts->smcdeleg || s->riscv->firmware.proposal_v3))
        return cs_check_fail(check,
                             "delegated needs harts.smcdeleg and riscv.firmware.form ratified");
    if (driver->kind == CS_RISCV_DELEGATED && driver == &s->riscv->guest)
        return cs_check_fail(check, "a guest has no delegated counters; expected sbi, legacy");
    cs_check_at(check, "%s.snapshot", path);
    if (driver->snapshot && driver->kind != CS_RISCV_SBI)
        return cs_check_fail(check, "snapshots need kind sbi");
    return CS_OK;
}

static cs_status check_driver(cs_check *check, const char *path, cs_riscv_driver_spec *driver)
{
    const cs_scenario *s = check->scenario;
    const uint64_t ring = driver->ring_bytes;
    cs_status status = check_kind(check, path, driver);

    if (status == CS_OK)
        status = check_bugs(check, path, driver);
    if (status != CS_OK)
        return status;
    cs_check_at(check, "%s.ring_bytes", path);
    if ((ring & (ring - 1)) != 0)
        return cs_check_fail(check, "%llu is no power of two", (unsigned long long)ring);
    cs_check_at(check, "%s.wakeup_bytes", path);
    if (driver->wakeup_bytes > ring)
        return cs_check_fail(check, "%llu is more than ring_bytes %llu",
                             (unsigned long long)driver->wakeup_bytes, (unsigned long long)ring);
    cs_check_at(check, "%s.base", path);
    return cs_check_in_ram(check, driver->base, s->harts->count * cs_scenario_riscv_bytes(driver),
                           "the driver's pages and rings");
}

static cs_status check_cpus(cs_check *check, const bool cpus[CS_MAX_CPUS])
{
    const cs_scenario *s = check->scenario;
    unsigned count = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        count += cpus[cpu];
        if (cpus[cpu] && cs_scenario_cpu_kind(s, cpu) != CS_CPU_HART)
            return cs_check_fail(check, "CPU %u is no hart; harts are CPUs %u..%u", cpu,
                                 cs_scenario_hart_cpu(s, 0), cs_scenario_cpus(s) - 1);
    }
    return count != 0 ? CS_OK : cs_check_fail(check, "no CPU");
}

static cs_status check_firmware_event(cs_check *check, size_t i)
{
    cs_firmware_event_spec *f = &check->scenario->riscv->firmware_events[i];
    cs_suggest suggest = cs_suggest_begin(f->name);

    cs_check_at(check, "riscv.firmware_events.%zu.event", i);
    if (!cs_riscv_firmware_event_number(f->name, check->scenario->riscv->firmware.proposal_v3,
                                        &f->code, &suggest))
        return fail_unknown(check, "firmware event", f->name, &suggest);
    cs_check_at(check, "riscv.firmware_events.%zu.cpus", i);
    return check_cpus(check, f->cpus);
}

static cs_status check_perf_events(cs_check *check, size_t i)
{
    cs_riscv_perf_spec *p = &check->scenario->riscv->perf[i];

    cs_check_at(check, "riscv.perf.%zu.events", i);
    if (p->nr_events == 0)
        return cs_check_fail(check, "no event");
    p->configs = cs_yaml_alloc(check->memory, p->nr_events * sizeof *p->configs, check->diag);
    if (p->configs == NULL)
        return CS_ERR_NO_MEMORY;
    for (size_t k = 0; k < p->nr_events; k++) {
        cs_suggest suggest = cs_suggest_begin(p->events[k]);

        cs_check_at(check, "riscv.perf.%zu.events.%zu", i, k);
        if (!cs_riscv_perf_event_number(p->events[k], check->scenario->riscv->firmware.proposal_v3,
                                        &p->configs[k], &suggest))
            return fail_unknown(check, "event", p->events[k], &suggest);
    }
    return CS_OK;
}

static cs_status check_perf(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_riscv_perf_spec *p = &s->riscv->perf[i];
    const cs_riscv_driver_spec *driver = p->guest ? &s->riscv->guest : &s->riscv->driver;

    cs_check_at(check, "riscv.perf.%zu.stop_us", i);
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after start_us %llu",
                             (unsigned long long)p->stop_us, (unsigned long long)p->start_us);
    cs_check_at(check, "riscv.perf.%zu.guest", i);
    if (p->guest && !s->riscv->has_guest)
        return cs_check_fail(check, "there is none (riscv.has_guest)");
    cs_check_at(check, "riscv.perf.%zu.sample_period", i);
    if (p->sample_period != 0 && driver->ring_bytes == 0)
        return cs_check_fail(check, "samples need a ring (ring_bytes)");
    cs_check_at(check, "riscv.perf.%zu.callchain", i);
    if (p->callchain && p->sample_period == 0)
        return cs_check_fail(check, "only samples have call chains: sample_period is 0");
    cs_check_at(check, "riscv.perf.%zu.interval_us", i);
    if (p->sample_period != 0 && p->interval_us != 0)
        return cs_check_fail(check, "not allowed beside sample_period");
    cs_check_at(check, "riscv.perf.%zu.cpus", i);
    cs_status status = check_cpus(check, p->cpus);
    return status == CS_OK ? check_perf_events(check, i) : status;
}

static cs_status check_guest(cs_check *check)
{
    cs_scenario *s = check->scenario;

    cs_check_at(check, "riscv.has_guest");
    if (!s->riscv->has_guest) {
        if (cs_check_at(check, "riscv.guest") != NULL)
            return cs_check_fail(check, "not allowed without riscv.has_guest");
        return CS_OK;
    }
    if (s->harts->modes < 3)
        return cs_check_fail(check, "needs VS (harts.modes msuh)");
    if (s->riscv->firmware.proposal_v3)
        return cs_check_fail(check, "needs riscv.firmware.form ratified");
    if (s->riscv->guest.snapshot && s->riscv->driver.snapshot)
        return cs_check_fail(check, "a hart has one snapshot page: of the guest or of the driver");
    return check_driver(check, "riscv.guest", &s->riscv->guest);
}

cs_status cs_check_riscv(cs_check *check)
{
    cs_scenario *s = check->scenario;
    cs_status status;

    cs_check_at(check, "riscv");
    if (s->harts->count == 0 && cs_check_at(check, "riscv") != NULL)
        return cs_check_fail(check, "not allowed without harts (harts.count)");
    if (s->harts->count == 0)
        return CS_OK;
    cs_check_at(check, "harts.modes");
    if (s->harts->modes < 2 && cs_check_at(check, "riscv") != NULL)
        return cs_check_fail(check, "firmware and driver (riscv) need S-mode (msu, msuh)");
    if (s->harts->modes < 2)
        return CS_OK;
    status = check_deviations(check);
    if (status == CS_OK)
        status = check_driver(check, "riscv.driver", &s->riscv->driver);
    if (status == CS_OK)
        status = check_guest(check);
    for (size_t i = 0; i < s->riscv->nr_firmware_events && status == CS_OK; i++)
        status = check_firmware_event(check, i);
    for (size_t i = 0; i < s->riscv->nr_perf && status == CS_OK; i++)
        status = check_perf(check, i);
    return status;
}

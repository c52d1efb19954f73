// SPDX-License-Identifier: Apache-2.0
/* The perf commands of section riscv. */
#include <string.h>

#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_commands.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_item.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/hpm/riscv_units.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"
#include <countersink/scenario/hpm/sbi_deviation.h>

#define P cs_riscv_perf_spec
static const cs_key riscv_perf_keys[] = {
    {NAMES("events",
           "what perf -e takes: cycles, LLC-load-misses, r21 (raw), fw_set_timer; names of "
           "the hart's events; with mux_us \"{cycles,instructions}\" (a group) and "
           "\"cycles:D\" (pinned)"),
     AT_LIST(P, events, nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf -C: harts by CPU number"), AT(P, cpus)},
    {NUMBER("start_us", "us", 1, MAX_US, "100", "when the command begins"), AT(P, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(P, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "stat: counts are printed at this interval (-I); 0: only at the end"),
     AT(P, interval_us)},
    {NUMBER("sample_period", "", 0, INT64_MAX, "0", "0: perf stat; else perf record -c"),
     AT(P, sample_period)},
    {NUMBER("freq", "Hz", 0, 100000, "0",
            "perf record -F, samples per second, for which perf adapts the period; 0: "
            "`sample_period`"),
     AT(P, freq)},
    {OTHER("callchain", CS_KEY_FLAG, "false", "perf record -g: samples with their call chains"),
     AT(P, callchain)},
    {OTHER("exclude_user", CS_KEY_FLAG, "false", "do not count user space (perf's :k)"),
     AT(P, exclude_user)},
    {OTHER("exclude_kernel", CS_KEY_FLAG, "false", "do not count the kernel (perf's :u)"),
     AT(P, exclude_kernel)},
    {OTHER("exclude_hv", CS_KEY_FLAG, "false", "do not count the hypervisor; with guest_events"),
     AT(P, exclude_hv)},
    {OTHER("exclude_host", CS_KEY_FLAG, "false", "count the guest only (perf's :G)"),
     AT(P, exclude_host)},
    {OTHER("exclude_guest", CS_KEY_FLAG, "false", "count the host only (perf's :H)"),
     AT(P, exclude_guest)},
    {OTHER("guest_events", CS_KEY_FLAG, "false",
           "exclude_user and exclude_kernel refer to the guest's modes"),
     AT(P, guest_events)},
    {OTHER("mmapped", CS_KEY_FLAG, "false", "user space reads the counter"), AT(P, mmapped)},
    {OTHER("guest", CS_KEY_FLAG, "false", "a command of the guest's perf (riscv.has_guest)"),
     AT(P, guest)},
};
#undef P
const cs_key_shape cs_riscv_perf_shape = {SHAPE("riscv_perf", riscv_perf_keys, cs_riscv_perf_spec)};

/* ---- checks that others share ---- */

cs_status cs_riscv_fail_unknown(cs_check *check, const char *what, const char *name,
                                const cs_suggest *suggest)
{
    const char *near = cs_suggest_end(suggest);

    return cs_check_fail(check, "there is no %s %s%s%s%s", what, name,
                         near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                         near != NULL ? "?" : "");
}

cs_status cs_riscv_check_cpus(cs_check *check, const bool cpus[CS_MAX_CPUS])
{
    const cs_scenario *s = check->scenario;
    unsigned count = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        count += cpus[cpu];
        if (cpus[cpu] && !cs_scenario_is_hart(s, cpu))
            return cs_check_fail(check, "CPU %u is no hart; harts are CPUs %u..%u", cpu,
                                 cs_scenario_hart_cpu(s, 0), cs_scenario_cpus(s) - 1);
    }
    return count != 0 ? CS_OK : cs_check_fail(check, "no CPU");
}

/* ---- events ---- */

/* A firmware that puts cycles and instructions on mcycle and minstret, whatever else is free, leaves
 * nothing of them that could overflow. */
static bool is_never_sampled(const cs_scenario *s, const cs_riscv_perf_spec *p,
                             const cs_riscv_perf_config *config)
{
    const bool virtual = p->guest && s->riscv->hypervisor == CS_RISCV_KVM;
    const cs_riscv_driver_spec *caller = p->guest && !virtual ? &s->riscv->guest
                                                              : &s->riscv->driver;
    const uint32_t idx = cs_riscv_perf_config_idx(config);

    return p->sample_period != 0 && (idx == CS_RISCV_CYCLES || idx == CS_RISCV_INSTRET) &&
           !cs_riscv_is_delegated(caller->kind) &&
           (s->riscv->firmware.deviations & CS_SBI_DEV_FIXED_ALWAYS) != 0;
}

/* What stands at place k of the list joins the events: one, or those of a group. */
static cs_status check_perf_item(cs_check *check, size_t i, size_t k, const char *text, bool turns)
{
    cs_riscv_perf_spec *p = &check->scenario->riscv->perf[i];
    cs_riscv_perf_item item = cs_riscv_perf_item_of(text);
    const char *name;
    unsigned unit;
    uint32_t event;

    cs_check_at(check, "riscv.perf.%zu.events.%zu", i, k);
    if ((item.group || item.pinned) && !turns)
        return cs_check_fail(check, "groups and pinned events need riscv.%s.mux_us",
                             p->guest ? "guest" : "driver");
    if (item.broken)
        return cs_check_fail(check, "found %s; expected {event,event} or {event,event}:D", text);
    while ((name = cs_riscv_perf_item_next(&item, check->memory, check->diag)) != NULL) {
        cs_riscv_perf_config *config = &p->configs[p->nr_events];
        cs_suggest suggest = cs_suggest_begin(name);

        if (!cs_riscv_units_event(check->scenario, name, config) &&
            !cs_riscv_perf_event_number(name, check->scenario->riscv->firmware.proposal_v3, config,
                                        &suggest))
            return cs_riscv_fail_unknown(check, "event", name, &suggest);
        if (p->guest && check->scenario->riscv->hypervisor == CS_RISCV_KVM &&
            cs_riscv_perf_config_is_firmware(config))
            return cs_check_fail(check, "a guest of kvm makes no calls that %s would count", name);
        if (p->sample_period != 0 && cs_riscv_units_of(check->scenario, config, &unit, &event))
            return cs_check_fail(check,
                                 "%s cannot be sampled: a unit behind SBI has no overflow "
                                 "interrupt; expected a command that counts (sample_period 0)",
                                 name);
        if (is_never_sampled(check->scenario, p, config))
            return cs_check_fail(check,
                                 "%s cannot be sampled: with fixed_always (in kvm) the firmware "
                                 "puts it on a counter without overflow; expected a command that "
                                 "counts (sample_period 0), or %s",
                                 name,
                                 check->scenario->riscv->hypervisor == CS_RISCV_KVM
                                     ? "firmware without it (riscv.firmware.deviations): "
                                       "hypervisor kvm does not need group kvm below it"
                                     : "counters as KVM has them (riscv.hypervisor: kvm)");
        config->group = (unsigned)k;
        config->pinned = item.pinned;
        p->events[p->nr_events++] = name;
    }
    return item.status;
}

static cs_status check_perf_events(cs_check *check, size_t i)
{
    cs_riscv_perf_spec *p = &check->scenario->riscv->perf[i];
    const cs_riscv_driver_spec *driver =
        p->guest ? &check->scenario->riscv->guest : &check->scenario->riscv->driver;
    const char **items = p->events;
    const size_t nr_items = p->nr_events;
    cs_status status = CS_OK;
    size_t most = 0;

    cs_check_at(check, "riscv.perf.%zu.events", i);
    if (nr_items == 0)
        return cs_check_fail(check, "no event");
    for (size_t k = 0; k < nr_items; k++)
        most += cs_riscv_perf_item_events(items[k]);
    if (driver->mux_us != 0 && most > CS_RISCV_MAX_TURNS)
        return cs_check_fail(check, "found %zu, expected at most %u", most, CS_RISCV_MAX_TURNS);
    p->configs = cs_yaml_alloc(check->memory, most * sizeof *p->configs, check->diag);
    p->events = cs_yaml_alloc(check->memory, most * sizeof *p->events, check->diag);
    p->nr_events = 0;
    if (p->configs == NULL || p->events == NULL)
        return CS_ERR_NO_MEMORY;
    for (size_t k = 0; k < nr_items && status == CS_OK; k++)
        status = check_perf_item(check, i, k, items[k], driver->mux_us != 0);
    return status;
}

/* Of one kernel: they stand in one list. */
static cs_status check_turns(cs_check *check, bool guest)
{
    const cs_scenario *s = check->scenario;
    size_t events = 0;

    if ((guest ? &s->riscv->guest : &s->riscv->driver)->mux_us == 0)
        return CS_OK;
    for (size_t i = 0; i < s->riscv->nr_perf; i++)
        events += s->riscv->perf[i].guest == guest ? s->riscv->perf[i].nr_events : 0;
    cs_check_at(check, "riscv.perf");
    return events <= CS_RISCV_MAX_TURNS
               ? CS_OK
               : cs_check_fail(check,
                               "%zu events of all commands; expected at most %u, for they "
                               "take turns in one list",
                               events, CS_RISCV_MAX_TURNS);
}

static cs_status check_perf(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    cs_riscv_perf_spec *p = &s->riscv->perf[i];
    const cs_riscv_driver_spec *driver = p->guest ? &s->riscv->guest : &s->riscv->driver;

    cs_check_at(check, "riscv.perf.%zu.stop_us", i);
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after start_us %llu",
                             (unsigned long long)p->stop_us, (unsigned long long)p->start_us);
    cs_check_at(check, "riscv.perf.%zu.guest", i);
    if (p->guest && !s->riscv->has_guest)
        return cs_check_fail(check, "there is none (riscv.has_guest)");
    cs_check_at(check, "riscv.perf.%zu.freq", i);
    if (p->freq != 0 && p->sample_period != 0)
        return cs_check_fail(check, "not allowed with sample_period: it is -F or -c");
    if (p->freq != 0)
        p->sample_period = 1;
    cs_check_at(check, "riscv.perf.%zu.sample_period", i);
    if (p->sample_period != 0 && driver->ring_bytes == 0)
        return cs_check_fail(check, "samples need a ring (ring_bytes)");
    if (p->guest && s->riscv->hypervisor == CS_RISCV_KVM && p->sample_period != 0 &&
        !(s->harts->aia && s->riscv->guest.snapshot))
        return cs_check_fail(check, "a guest of kvm learns of overflows by interrupts that are "
                                    "injected (harts.aia) and by its page (riscv.guest.snapshot)");
    cs_check_at(check, "riscv.perf.%zu.callchain", i);
    if (p->callchain && p->sample_period == 0)
        return cs_check_fail(check, "only samples have call chains: sample_period is 0");
    cs_check_at(check, "riscv.perf.%zu.interval_us", i);
    if (p->sample_period != 0 && p->interval_us != 0)
        return cs_check_fail(check, "not allowed beside sample_period");
    cs_check_at(check, "riscv.perf.%zu.cpus", i);
    cs_status status = cs_riscv_check_cpus(check, p->cpus);
    return status == CS_OK ? check_perf_events(check, i) : status;
}

cs_status cs_riscv_check_perf(cs_check *check)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < check->scenario->riscv->nr_perf && status == CS_OK; i++)
        status = check_perf(check, i);
    if (status == CS_OK)
        status = check_turns(check, false);
    return status == CS_OK ? check_turns(check, true) : status;
}

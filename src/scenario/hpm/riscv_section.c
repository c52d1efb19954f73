// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_commands.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_find.h"
#include "scenario/hpm/riscv_perf_owner.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/hpm/riscv_sse.h"
#include "scenario/hpm/riscv_units.h"
#include "scenario/key_macros.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/scenario.h"
#include "scenario/yaml/suggest.h"
#include <countersink/formats/riscv/read/pmu_map.h>
#include <countersink/scenario/hpm/riscv_bug.h>
#include <countersink/scenario/hpm/riscv_kind.h>
#include <countersink/scenario/hpm/sbi_deviation.h>

#define S cs_riscv_spec

static const cs_key_choice form_choices[] = {
    {"ratified", 0, NULL, NULL, "the SBI PMU extension"},
    {"proposal_v3", 1, NULL, NULL, "the SBI proposal of July 2020 (docs/drivers/sbi_pmu.md)"},
    {0},
};
static const cs_key_choice version_choices[] = {
    {"v3", 0x03000000, NULL, NULL, "3.0: with event info"},
    {"v2", 0x02000000, NULL, NULL, "2.0: with snapshots"},
    {"v1", 0x01000000, NULL, NULL, "1.0"},
    {"v03", 0x00000003, NULL, NULL, "0.3"},
    {0},
};
static const cs_key_choice driver_kind_choices[] = {
    {"sbi", CS_RISCV_SBI, NULL, NULL, "the SBI PMU extension"},
    {"legacy", CS_RISCV_LEGACY, NULL, NULL, "cycle and instret as they run"},
    {"delegated", CS_RISCV_DELEGATED, NULL, NULL, "Smcdeleg: counters without calls"},
    {"delegated_posted", CS_RISCV_POSTED, NULL, NULL,
     "the same, as the driver that was posted for Linux (v7)"},
    {"v3", CS_RISCV_V3, NULL, NULL, "the SBI proposal of July 2020 (docs/drivers/sbi_pmu.md)"},
    {"base", CS_RISCV_BASE, NULL, NULL, "Linux's base PMU of 2018: cycle and instret"},
    {0},
};
static const cs_key_choice hypervisor_choices[] = {
    {"lends", CS_RISCV_LENDS, NULL, NULL, "counters of the hardware are lent to it"},
    {"kvm", CS_RISCV_KVM, NULL, NULL, "virtual counters, each an event of the host's perf"},
    {0},
};
static const cs_key_choice user_access_choices[] = {
    {"mapped", 0, NULL, NULL, "counters of events that user space has mapped"},
    {"legacy", 1, NULL, NULL, "cycle, time and instret always"},
    {0},
};

static cs_status load_map(cs_scenario *s, cs_yaml *memory, const char *path, cs_diag *diag)
{
    s->riscv->map = cs_yaml_alloc(memory, sizeof *s->riscv->map, diag);
    return s->riscv->map != NULL ? cs_riscv_pmu_map_load(path, s->riscv->map, diag)
                                 : CS_ERR_NO_MEMORY;
}

static const cs_key firmware_keys[] = {
    {CHOICE("form", form_choices, "ratified", "which calls it answers"),
     AT(S, firmware.proposal_v3)},
    {CHOICE("set_event", cs_riscv_set_event_choices, "plain", "the proposal's SET_EVENT"),
     AT(S, firmware.set_event)},
    {CHOICE("version", version_choices, "=v3, or that of OpenSBI's release in deviations",
            "version of the SBI; newer calls are not supported"),
     AT(S, firmware.version)},
    {NUMBER("counters", "", 0, 64, "16", "firmware counters"), AT(S, firmware.counters)},
    {NUMBER("specific_events", "", 0, 65279, "0", "firmware events of its own, from 256 on"),
     AT(S, firmware.specific_events)},
    {NUMBER("platform_events", "", 0, UINT64_MAX, "0",
            "PLATFORM events have event_data below this"),
     AT(S, firmware.platform_events)},
    {NAMES("deviations",
           "deviations from the specification, by name "
           "(docs/drivers/sbi_pmu.md): of_waits ..., opensbi_1_1, opensbi_1_6, opensbi_1_9, kvm"),
     AT_LIST(S, firmware.deviation_names, firmware.nr_deviations)},
    {NAMES("units",
           "units outside the cores whose counters it offers as firmware counters, by name; events "
           "are \"NAME:NUMBER\" (docs/drivers/sbi_pmu.md)"),
     AT_LIST(S, firmware.unit_names, firmware.nr_units)},
    {OTHER("sse", CS_KEY_FLAG, "=with version v3 of the ratified form",
           "supervisor software events (docs/drivers/sbi_sse.md)"),
     AT(S, firmware.sse)},
    {NUMBER("call_cycles", "bus cycles", 0, 1000000, "60", "work of a call, beside its accesses"),
     AT(S, firmware.call_cycles)},
    {OTHER("pmu", CS_KEY_LOADED, "=the built-in map",
           "device tree (DTB or DTS) with a riscv,pmu node: which counter counts what"),
     .load = load_map},
};
static const cs_key_shape firmware_shape = {SHAPE("firmware", firmware_keys, S)};

#define D cs_riscv_driver_spec
static const cs_key riscv_driver_keys[] = {
    {CHOICE("kind", driver_kind_choices, "=sbi, or v3 with firmware.form proposal_v3",
            "which driver"),
     AT(D, kind)},
    {CHOICE("find", cs_riscv_find_choices, "=free; of v3 what firmware.set_event has, else each",
            "how the driver asks for a counter"),
     AT(D, find)},
    {NAMES("bugs", "bugs of published kernels by name (docs/drivers/riscv_driver.md)"),
     AT_LIST(D, bug_names, nr_bugs)},
    {OTHER("snapshot", CS_KEY_FLAG, "false", "counters and overflow marks by snapshot page"),
     AT(D, snapshot)},
    {OTHER("event_info", CS_KEY_FLAG, "true", "ask for events by EVENT_GET_INFO"),
     AT(D, event_info)},
    {OTHER("sse", CS_KEY_FLAG, "false",
           "overflows by software events, where the firmware has them; else by LCOFI"),
     AT(D, sse)},
    {NUMBER("sse_cycles", "bus cycles", 0, 1000000, "150",
            "work of getting into and out of a software event's handler"),
     AT(D, sse_cycles)},
    {CHOICE("user_access", user_access_choices, "mapped", "what user space may read"),
     AT(D, legacy_user_access)},
    {BYTES("base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB, a guest's + 32 MiB",
           "where its pages and rings are"),
     AT(D, base)},
    {BYTES("ring_bytes", 0, (uint64_t)1 << 28, PAGE, "64 KiB",
           "data of a hart's ring of samples, a power of two"),
     AT(D, ring_bytes)},
    {BYTES("wakeup_bytes", 0, (uint64_t)1 << 28, 1, "=ring_bytes / 2",
           "bytes in the ring that wake up its reader; 0: it reads at the end only"),
     AT(D, wakeup_bytes)},
    {NUMBER("handler_cycles", "bus cycles", 0, 1000000, "300",
            "work of the overflow handler, beside its accesses"),
     AT(D, handler_cycles)},
    {NUMBER("event_cycles", "bus cycles", 0, 1000000, "100",
            "work of opening, adding, starting, stopping, reading an event"),
     AT(D, event_cycles)},
    {NUMBER("sample_cycles", "bus cycles", 0, 1000000, "200", "work of a sample"),
     AT(D, sample_cycles)},
    {NUMBER("frame_cycles", "bus cycles", 0, 1000000, "40",
            "work for each address of a sample's call chain"),
     AT(D, frame_cycles)},
    {NUMBER("max_samples_per_tick", "", 0, 1000000, "0",
            "an event with more in a tick is throttled; 0: never"),
     AT(D, max_samples_per_tick)},
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "the timer's tick"), AT(D, tick_us)},
    {NUMBER("mux_us", "us", 0, 1000000, "0",
            "perf_event_mux_interval_ms: events that find no counter take turns at its ticks; 0: "
            "they are refused"),
     AT(D, mux_us)},
    {NUMBER("rotation_cycles", "bus cycles", 0, 1000000, "300",
            "work of such a tick, beside that of the events"),
     AT(D, rotation_cycles)},
};
#undef D
static const cs_key_shape riscv_driver_shape = {
    SHAPE("riscv_driver", riscv_driver_keys, cs_riscv_driver_spec)};

static const cs_key firmware_event_keys[] = {
    {TEXT("event", CS_NAME_BYTES - 1, NULL, "a firmware event: fw_set_timer ..., \"fw:256\""),
     AT(cs_firmware_event_spec, name)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the harts on which it happens"),
     AT(cs_firmware_event_spec, cpus)},
    {NUMBER("every_us", "us", 1, MAX_US, NULL, "how often"), AT(cs_firmware_event_spec, every_us)},
    {NUMBER("count", "", 1, UINT32_MAX, "1", "how many at once"),
     AT(cs_firmware_event_spec, count)},
};
static const cs_key_shape firmware_event_shape = {
    SHAPE("firmware_event", firmware_event_keys, cs_firmware_event_spec)};

static const cs_key_choice by_choices[] = {
    {"workload", CS_RISCV_WORKLOAD, NULL, NULL, "the program, in its own mode"},
    {"kernel", CS_RISCV_KERNEL, NULL, NULL, "in S"},
    {"firmware", CS_RISCV_FIRMWARE, NULL, NULL, "in M"},
    {0},
};
static const cs_key_choice op_choices[] = {
    {"read", CS_RISCV_READ, NULL, NULL, "csrr"},
    {"write", CS_RISCV_WRITE, NULL, NULL, "csrw"},
    {"set", CS_RISCV_SET, NULL, NULL, "csrs"},
    {"clear", CS_RISCV_CLEAR, NULL, NULL, "csrc"},
    {0},
};
#define A cs_riscv_access_spec
static const cs_key access_keys[] = {
    {NUMBER("csr", "", 0, 4095, NULL, "its number: 0xC00 is cycle (docs/hw/hpm.md)"), AT(A, csr)},
    {CHOICE("op", op_choices, "read", "which instruction"), AT(A, op)},
    {NUMBER("value", "", 0, UINT64_MAX, "0", "its operand; a read has none"), AT(A, value)},
    {CHOICE("by", by_choices, "workload", "who executes it"), AT(A, by)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "on these harts"), AT(A, cpus)},
    {NUMBER("every_us", "us", 1, MAX_US, NULL, "how often"), AT(A, every_us)},
};
#undef A
static const cs_key_shape access_shape = {SHAPE("riscv_access", access_keys, cs_riscv_access_spec)};

static const cs_key riscv_keys[] = {
    {MAP("firmware", &firmware_shape, "what runs in M mode")},
    {MAP("driver", &riscv_driver_shape, "the kernel's PMU driver"), AT(S, driver)},
    {OTHER("has_guest", CS_KEY_FLAG, "false",
           "a guest in VS mode on each hart, with a PMU driver of its own"),
     AT(S, has_guest)},
    {CHOICE("hypervisor", hypervisor_choices, "lends", "how the guest gets counters"),
     AT(S, hypervisor)},
    {NUMBER("exit_cycles", "bus cycles", 0, 1000000, "1000",
            "kvm: out of the guest and back, at each call, read of a counter, and interrupt"),
     AT(S, exit_cycles)},
    {OTHER("kvm_reads_add", CS_KEY_FLAG, "false",
           "kvm, as published: each look at a virtual counter adds all that its event has counted"),
     AT(S, kvm_reads_add)},
    {NUMBER("hypervisor_cycles", "bus cycles", 0, 1000000, "200",
            "work of the hypervisor for a call of its guest"),
     AT(S, hypervisor_cycles)},
    {MAP("guest", &riscv_driver_shape, "the guest's PMU driver"), AT(S, guest)},
    {LIST("firmware_events", &firmware_event_shape, 0, 64, "[]",
          "other work of the firmware, which firmware counters count"),
     AT_LIST(S, firmware_events, nr_firmware_events)},
    {LIST("accesses", &access_shape, 0, 64, "[]",
          "CSR instructions beside those of firmware and drivers, as of a program that reads a "
          "counter itself (docs/drivers/riscv_software.md)"),
     AT_LIST(S, accesses, nr_accesses)},
    {LIST("perf", &cs_riscv_perf_shape, 0, 64, "[]", "perf commands"), AT_LIST(S, perf, nr_perf)},
};
static const cs_key_shape shape = {SHAPE("riscv", riscv_keys, S)};

#define MIB ((uint64_t)1 << 20)

static void compute_driver(cs_check *check, const char *path, cs_riscv_driver_spec *driver,
                           uint64_t base)
{
    const cs_scenario *s = check->scenario;

    if (cs_check_at(check, "%s.kind", path) == NULL)
        driver->kind = s->riscv->firmware.proposal_v3 ? CS_RISCV_V3 : CS_RISCV_SBI;
    cs_riscv_find_compute(check, path, driver);
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

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "riscv.firmware.version") == NULL)
        s->riscv->firmware.version = (unsigned)version_choices[0].value;
    compute_driver(check, "riscv.driver", &s->riscv->driver, s->memory->base + 16 * MIB);
    compute_driver(check, "riscv.guest", &s->riscv->guest, s->memory->base + 32 * MIB);
    for (size_t i = 0; i < s->riscv->nr_perf; i++)
        compute_cpus(check, "perf", i, s->riscv->perf[i].cpus);
    for (size_t i = 0; i < s->riscv->nr_firmware_events; i++)
        compute_cpus(check, "firmware_events", i, s->riscv->firmware_events[i].cpus);
    for (size_t i = 0; i < s->riscv->nr_accesses; i++)
        compute_cpus(check, "accesses", i, s->riscv->accesses[i].cpus);
}

static cs_status fail_deviation(cs_check *check, const char *name)
{
    const char *now = cs_sbi_deviation_renamed(name);
    cs_suggest suggest = cs_suggest_begin(name);
    cs_sbi_deviation one;

    if (now != NULL)
        return cs_check_fail(check, "%s is no release; expected %s", name, now);
    for (size_t i = 0; cs_sbi_deviation_at(i, &one); i++)
        cs_suggest_offer(&suggest, one.name);
    return cs_riscv_fail_unknown(check, "deviation", name, &suggest);
}

static const char *version_name(unsigned version)
{
    for (const cs_key_choice *v = version_choices; v->name != NULL; v++)
        if ((unsigned)v->value == version)
            return v->name;
    return "";
}

/* A release tells the version that it was made for. */
static cs_status check_version(cs_check *check, const char *name, unsigned version)
{
    cs_scenario *s = check->scenario;

    if (version == 0)
        return CS_OK;
    if (cs_check_at(check, "riscv.firmware.version") == NULL)
        s->riscv->firmware.version = version;
    if (s->riscv->firmware.version != version)
        return cs_check_fail(check, "%s tells %s; expected that, or no version", name,
                             version_name(version));
    return CS_OK;
}

static cs_status check_deviations(cs_check *check)
{
    cs_scenario *s = check->scenario;
    const char *release = NULL;
    cs_sbi_group group;
    uint64_t mask;

    for (size_t i = 0; i < s->riscv->firmware.nr_deviations; i++) {
        const char *name = s->riscv->firmware.deviation_names[i];

        cs_check_at(check, "riscv.firmware.deviations.%zu", i);
        if (!cs_sbi_deviation_named(name, &mask))
            return fail_deviation(check, name);
        s->riscv->firmware.deviations |= mask;
        if (!cs_sbi_group_named(name, &group))
            continue;
        if (release != NULL)
            return cs_check_fail(check, "%s beside %s; expected one of them", name, release);
        release = name;
    }
    cs_check_at(check, "riscv.firmware.deviations");
    if (s->riscv->firmware.proposal_v3 && s->riscv->firmware.deviations != 0)
        return cs_check_fail(check, "the proposal has none; expected firmware.form ratified");
    return release != NULL ? check_version(check, release, cs_sbi_group_version(group)) : CS_OK;
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
            return cs_riscv_fail_unknown(check, "bug", driver->bug_names[i], &suggest);
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
    if (cs_riscv_is_delegated(driver->kind) &&
        (!s->harts->smcdeleg || s->riscv->firmware.proposal_v3))
        return cs_check_fail(check,
                             "delegated needs harts.smcdeleg and riscv.firmware.form ratified");
    if (cs_riscv_is_delegated(driver->kind) &&
        !cs_sbi_knows_smcdeleg(s->riscv->firmware.deviations))
        return cs_check_fail(check, "delegated needs firmware that sets menvcfg.CDE; opensbi_1_1 "
                                    "(riscv.firmware.deviations) is older than that");
    if (cs_riscv_is_delegated(driver->kind) && driver == &s->riscv->guest)
        return cs_check_fail(check, "a guest has no delegated counters; expected sbi, legacy");
    cs_check_at(check, "%s.mux_us", path);
    if (driver->mux_us != 0 && driver->kind == CS_RISCV_LEGACY)
        return cs_check_fail(check, "the legacy driver hands out no counters; expected 0");
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
        status = cs_riscv_find_check(check, path, driver);
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

static cs_status check_firmware_event(cs_check *check, size_t i)
{
    cs_firmware_event_spec *f = &check->scenario->riscv->firmware_events[i];
    cs_suggest suggest = cs_suggest_begin(f->name);

    cs_check_at(check, "riscv.firmware_events.%zu.event", i);
    if (!cs_riscv_firmware_event_number(f->name, check->scenario->riscv->firmware.proposal_v3,
                                        &f->code, &suggest))
        return cs_riscv_fail_unknown(check, "firmware event", f->name, &suggest);
    cs_check_at(check, "riscv.firmware_events.%zu.cpus", i);
    return cs_riscv_check_cpus(check, f->cpus);
}

static cs_status check_access(cs_check *check, size_t i)
{
    cs_check_at(check, "riscv.accesses.%zu.cpus", i);
    return cs_riscv_check_cpus(check, check->scenario->riscv->accesses[i].cpus);
}

static cs_status check_kvm(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "riscv.hypervisor");
    if (!s->harts->sscofpmf)
        return cs_check_fail(check, "kvm needs filters (harts.sscofpmf)");
    if (s->harts->xlen != 64)
        return cs_check_fail(check, "kvm needs harts.xlen 64: it has no high halves of counters");
    if (s->riscv->driver.kind != CS_RISCV_SBI && !cs_riscv_is_delegated(s->riscv->driver.kind))
        return cs_check_fail(check, "kvm needs riscv.driver.kind sbi or delegated");
    cs_check_at(check, "riscv.guest.kind");
    if (s->riscv->guest.kind != CS_RISCV_SBI)
        return cs_check_fail(check, "a guest of kvm has SBI calls; expected sbi");
    return CS_OK;
}

static cs_status check_guest(cs_check *check)
{
    cs_scenario *s = check->scenario;

    cs_check_at(check, "riscv.has_guest");
    if (!s->riscv->has_guest) {
        if (cs_check_at(check, "riscv.guest") != NULL)
            return cs_check_fail(check, "not allowed without riscv.has_guest");
        cs_check_at(check, "riscv.hypervisor");
        if (s->riscv->hypervisor == CS_RISCV_KVM)
            return cs_check_fail(check, "kvm needs a guest (riscv.has_guest)");
        return CS_OK;
    }
    if (s->harts->modes < 3)
        return cs_check_fail(check, "needs VS (harts.modes msuh)");
    if (s->riscv->firmware.proposal_v3)
        return cs_check_fail(check, "needs riscv.firmware.form ratified");
    if (s->riscv->hypervisor == CS_RISCV_KVM && check_kvm(check) != CS_OK)
        return CS_ERR_SCENARIO;
    cs_check_at(check, "riscv.has_guest");
    if (s->riscv->guest.snapshot && s->riscv->driver.snapshot &&
        s->riscv->hypervisor == CS_RISCV_LENDS)
        return cs_check_fail(check, "a hart has one snapshot page: of the guest or of the driver");
    return check_driver(check, "riscv.guest", &s->riscv->guest);
}

static cs_status check(cs_check *check)
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
        status = cs_riscv_units_check(check);
    if (status == CS_OK)
        status = check_driver(check, "riscv.driver", &s->riscv->driver);
    if (status == CS_OK)
        status = check_guest(check);
    if (status == CS_OK)
        status = cs_riscv_sse_check(check);
    for (size_t i = 0; i < s->riscv->nr_firmware_events && status == CS_OK; i++)
        status = check_firmware_event(check, i);
    for (size_t i = 0; i < s->riscv->nr_accesses && status == CS_OK; i++)
        status = check_access(check, i);
    return status == CS_OK ? cs_riscv_check_perf(check) : status;
}

static size_t areas(const cs_scenario *s, cs_area out[])
{
    size_t n = 0;

    if (s->harts->count == 0 || s->harts->modes < 2)
        return 0;
    out[n++] =
        (cs_area){"riscv.driver.base", "the pages and rings of riscv.driver", s->riscv->driver.base,
                  s->harts->count * cs_scenario_riscv_bytes(&s->riscv->driver)};
    if (s->riscv->has_guest)
        out[n++] = (cs_area){"riscv.guest.base", "the pages and rings of riscv.guest",
                             s->riscv->guest.base,
                             s->harts->count * cs_scenario_riscv_bytes(&s->riscv->guest)};
    return n;
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    static const char *const modes[] = {"M", "M U", "M S U", "M S U, and VS VU"};
    static const char *const kinds[] = {"SBI",        "legacy",           "delegated",
                                        "proposal's", "posted delegated", "base"};

    if (s->harts->count != 0)
        snprintf(out, size,
                 "%u RV%u hart%s at %u MHz, modes %s, %u counters of %u bits; %s driver%s",
                 s->harts->count, s->harts->xlen, s->harts->count == 1 ? "" : "s",
                 s->core_clock.mhz, modes[s->harts->modes], s->harts->counters, s->harts->width,
                 kinds[s->riscv->driver.kind],
                 !s->riscv->has_guest                   ? ""
                 : s->riscv->hypervisor == CS_RISCV_KVM ? ", a guest of KVM"
                                                        : ", a guest");
}

static const cs_key keys[] = {{MAP("riscv", &shape, "firmware, driver and perf of the harts")}};
/* The last command's end. */
static uint64_t least_cycles(const cs_scenario *s)
{
    uint64_t last = 0;

    for (size_t i = 0; i < s->riscv->nr_perf; i++)
        if (s->riscv->perf[i].stop_us > last)
            last = s->riscv->perf[i].stop_us;
    return cs_scenario_us(s, last);
}

static unsigned nr_commands(const cs_scenario *s)
{
    return s->harts->count != 0 ? (unsigned)s->riscv->nr_perf : 0;
}

static uint64_t period(const cs_scenario *s, unsigned number)
{
    return s->riscv->perf[number].sample_period;
}

static uint64_t interval_us(const cs_scenario *s, unsigned number)
{
    return s->riscv->perf[number].interval_us;
}

static uint64_t frequency(const cs_scenario *s, unsigned number)
{
    return s->riscv->perf[number].freq;
}

static const cs_section_commands commands = {
    .count = nr_commands, .period = period, .interval_us = interval_us, .frequency = frequency};

const cs_section cs_section_riscv = {SECTION("riscv", keys, S),
                                     .compute = compute,
                                     .check = check,
                                     .least_cycles = least_cycles,
                                     .areas = areas,
                                     .tell = tell,
                                     .commands = &commands,
                                     .perf = &cs_riscv_perf_owner};

// SPDX-License-Identifier: Apache-2.0
/* Section perf: commands as people type them, for every PMU. */
#include <string.h>

#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/perf/perf_owner.h"
#include "scenario/perf/perf_spec.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

static const cs_key_choice mode_choices[] = {
    {"user", CS_PERF_USER, NULL, NULL, "user space"},
    {"kernel", CS_PERF_KERNEL, NULL, NULL, "the kernel"},
    {"hv", CS_PERF_HV, NULL, NULL, "the hypervisor"},
    {"host", CS_PERF_HOST, NULL, NULL, "the host (:G)"},
    {"guest", CS_PERF_GUEST, NULL, NULL, "guests (:H)"},
    {0},
};

#define P cs_perf_command_spec
static const cs_key command_keys[] = {
    {NAMES("stat", "perf stat of these events: what -e takes, as \"PMU/event=1/\"; a group is "
                   "\"{PMU/event=1/,PMU/event=2/}\", and \":D\" behind it pins"),
     AT_LIST(P, stat, nr_stat)},
    {NAMES("record", "perf record of these events, as stat"), AT_LIST(P, record, nr_record)},
    {TIME("start", 1, MAX_US, "=as soon as the PMU's driver can", "when the command begins"),
     AT(P, start_us)},
    {TIME("stop", 1, MAX_US, "=when the PMU has its samples; without such an end required",
          "when it ends"),
     AT(P, stop_us)},
    {TIME("interval", 0, MAX_US, "0us",
          "-I: counts are printed at this interval; 0us: only at the end"),
     AT(P, interval_us)},
    {OTHER("cpus", CS_KEY_CPUS, "=those that the PMU counts on", "-C"), AT(P, cpus)},
    {TEXT("pid", 255, "=none", "-p: processes, wherever they run, as \"100,101\""), AT(P, pid)},
    {OTHER("inherit", CS_KEY_FLAG, "true", "with pid: all of them; false (-i): the first alone"),
     AT(P, inherit)},
    {OTHER("task", CS_KEY_FLAG, "false", "a process on these CPUs, not the CPUs"), AT(P, task)},
    {OTHER("per_socket", CS_KEY_FLAG, "false", "--per-socket: counts are added up by chip"),
     AT(P, per_socket)},
    {OTHER("privileged", CS_KEY_FLAG, "true", "the user may (perfmon_capable)"), AT(P, privileged)},
    {NUMBER("period", "events", 1, INT64_MAX, "=freq",
            "record -c: a sample after this many events"),
     AT(P, period)},
    {NUMBER("freq", "Hz", 1, 100000, "=4000, as perf's",
            "record -F: samples per second, for which perf adapts the period"),
     AT(P, freq)},
    {OTHER("callchain", CS_KEY_FLAG, "false", "record -g: samples with their call chains"),
     AT(P, callchain)},
    {OTHER("exclude", CS_KEY_CHOICES, "[]",
           "exclude_ bits, beside those of modifiers as :u; a list"),
     AT(P, exclude), .choices = mode_choices},
    {OTHER("guest", CS_KEY_FLAG, "false", "a command of the perf in a guest"), AT(P, guest)},
    {OTHER("guest_events", CS_KEY_FLAG, "false", "user and kernel of exclude are the guest's"),
     AT(P, guest_events)},
    {OTHER("mmapped", CS_KEY_FLAG, "false", "user space reads the counter"), AT(P, mmapped)},
    {NAMES("pmus", "PMUs by name, by address (0x4231: the system call's cpu argument) or by path, "
                   "in place of those that the events name"),
     AT_LIST(P, pmus, nr_pmus)},
    {TEXT("partition", CS_NAME_BYTES - 1, "=none",
          "the system of several that the command runs in"),
     AT(P, partition)},
};
#undef P
static const cs_key_shape command_shape = {
    SHAPE("perf_command", command_keys, cs_perf_command_spec), .only_one = {"stat", "record"}};

static const cs_key keys[] = {{LIST("perf", &command_shape, 0, 64, "[]",
                                    "perf commands, for every PMU (docs/drivers/perf_language.md)"),
                               AT_LIST(cs_scenario, perf, nr_perf)}};

/* A key of a driver's section that says what a command of section perf does; NULL: there is none. */
static const char *former_key(const cs_yaml_node *map, const cs_perf_owner *owner)
{
    const char *former = owner->single != NULL ? owner->single : "perf";

    for (const cs_yaml_node *key = map->first; key != NULL; key = key->next)
        if (key->written == NULL && cs_key_in(former, key->key) &&
            (owner->single != NULL || key->first != NULL))
            return key->key;
    return NULL;
}

/* Once, for the first. */
static cs_status warn(cs_check *check)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;
        const cs_yaml_node *map = cs_yaml_child(check->root, section->name, strlen(section->name));

        if (section->perf == NULL || map == NULL || map->kind != CS_YAML_MAP)
            continue;
        const char *key = former_key(map, section->perf);

        if (key == NULL)
            continue;
        cs_check_at(check, "%s.%s", section->name, key);
        return cs_check_warn(check, "a former way to say what perf does; now a command of "
                                    "section perf says it (docs/drivers/perf_language.md)");
    }
    return CS_OK;
}

const cs_section cs_section_perf = {PART("perf", keys), .warn = warn};

// SPDX-License-Identifier: Apache-2.0
#include "scenario/corepmu/arm_perf_owner.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "scenario/corepmu/arm_events.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/yaml/suggest.h"

#define NAME_BYTES 64u

static const char *pmu(const cs_scenario *s, size_t nr)
{
    return cs_scenario_arm_cpus(s) != 0 && nr == 0 ? "armv8_pmuv3" : NULL;
}

/* What the kernel's driver has for perf's general events (drivers/perf/arm_pmuv3.c). */
static const char *const general[][2] = {
    {"cycles", "CPU_CYCLES"},
    {"cpu-cycles", "CPU_CYCLES"},
    {"instructions", "INST_RETIRED"},
    {"cache-references", "L1D_CACHE"},
    {"cache-misses", "L1D_CACHE_REFILL"},
    {"branches", "BR_RETIRED"},
    {"branch-instructions", "BR_RETIRED"},
    {"branch-misses", "BR_MIS_PRED"},
    {"bus-cycles", "BUS_CYCLES"},
    {"stalled-cycles-frontend", "STALL_FRONTEND"},
    {"stalled-cycles-backend", "STALL_BACKEND"},
};

static const char *event_name(const cs_scenario *s, size_t of, size_t nr)
{
    static _Thread_local char lower[NAME_BYTES];
    const size_t first = sizeof general / sizeof general[0];
    size_t n = 0;

    (void)s, (void)of;
    if (nr < first)
        return general[nr][0];
    if (nr - first >= cs_arm_event_count())
        return NULL;
    for (const char *c = cs_arm_event_at(nr - first)->name; *c != '\0' && n + 1 < sizeof lower; c++)
        lower[n++] = (char)tolower((unsigned char)*c);
    lower[n] = '\0';
    return lower;
}

static void fail_unknown(cs_asked_part *part, const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);
    char near[NAME_BYTES] = "";

    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++)
        cs_suggest_offer(&suggest, general[i][0]);
    for (size_t i = 0; i < cs_arm_event_count(); i++)
        cs_suggest_offer(&suggest, cs_arm_event_at(i)->name);
    if (cs_suggest_end(&suggest) != NULL)
        snprintf(near, sizeof near, "%s", cs_suggest_end(&suggest));
    for (char *c = near; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    cs_asked_fail(part, "armv8_pmuv3 has no event %s%s%s%s", name,
                  near[0] != '\0' ? "; did you mean " : "", near, near[0] != '\0' ? "?" : "");
}

/* "inst_retired", "instructions", "r8": a name or a number of key events. */
static void put_name(cs_asked_part *part, cs_yaml_node *events, const char *name)
{
    char upper[NAME_BYTES];
    uint32_t number;
    size_t n = 0;

    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++)
        if (strcmp(name, general[i][0]) == 0) {
            cs_asked_put_text(part, events, NULL, "%s", general[i][1]);
            return;
        }
    if (name[0] == 'r' && name[1] != '\0' &&
        name[strspn(name + 1, "0123456789abcdefABCDEF") + 1] == '\0') {
        cs_asked_put_text(part, events, NULL, "0x%s", name + 1);
        return;
    }
    for (; name[n] != '\0' && n + 1 < sizeof upper; n++)
        upper[n] = (char)toupper((unsigned char)name[n]);
    upper[n] = '\0';
    if (!cs_arm_event_number(upper, &number))
        fail_unknown(part, name);
    cs_asked_put_text(part, events, NULL, "%s", upper);
}

static void write_event(cs_asked_part *part, cs_yaml_node *events, const cs_asked_event *event)
{
    const char *terms = event->what;
    cs_asked_term term;

    cs_asked_at_event(part, event);
    if (event->group != 0)
        cs_asked_fail(part, "found a group; expected single events: on an Arm core they are not "
                            "simulated");
    while (cs_asked_term_next(&terms, &term)) {
        if (term.value[0] == '\0')
            put_name(part, events, term.name);
        else if (strcmp(term.name, "event") == 0)
            cs_asked_put_text(part, events, NULL, "%s", term.value);
        else
            cs_asked_fail(part, "found term %s; expected an event's name, or event=N", term.name);
    }
}

static void write_command(cs_asked_part *part)
{
    const cs_perf_command_spec *c = part->command;

    cs_asked_at_event(part, &part->events[0]);
    cs_asked_put_text(part, part->to, "command", "%s",
                      c->nr_record != 0   ? "record"
                      : c->pid[0] != '\0' ? "task"
                                          : "stat");
    if (c->nr_record != 0 && c->pid[0] != '\0')
        cs_asked_fail(part,
                      "found pid; expected CPUs: perf record of a process is not simulated on "
                      "an Arm core");
    if (c->nr_record != 0 && c->period == 0)
        cs_asked_fail(part, "found no period; expected one: perf record -F is not simulated on an "
                            "Arm core");
}

static void write(cs_asked_part *part)
{
    write_command(part);
    cs_yaml_node *events = cs_asked_put(part, part->to, "events", CS_YAML_LIST);

    for (size_t i = 0; i < part->nr_events; i++)
        write_event(part, events, &part->events[i]);
    cs_asked_put_key(part, "cpus", "cpus");
    if (part->command->pid[0] != '\0') {
        cs_asked_at_key(part, "pid");
        cs_asked_put_text(part, part->to, "process", "%s", part->command->pid);
    }
    cs_asked_put_key(part, "period", "period");
    cs_asked_put_key(part, "guest", "guest");
    cs_asked_put_times(part);
}

static const cs_perf_refusal refusals[] = {{0}};

const cs_perf_owner cs_arm_perf_owner = {.of = "an Arm core",
                                         .keys = "record interval cpus pid period guest",
                                         .modifiers = "",
                                         .core = true,
                                         .single =
                                             "command events cpus process period guest start_us "
                                             "stop_us interval_us",
                                         .refusals = refusals,
                                         .pmu = pmu,
                                         .event = event_name,
                                         .terms = "event=N",
                                         .write = write};

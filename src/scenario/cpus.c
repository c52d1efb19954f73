// SPDX-License-Identifier: Apache-2.0
#include "scenario/cpus.h"

#include <stdio.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/section_list.h"

const cs_cpu_class *cs_cpu_classes[CS_MAX_CPU_CLASSES + 1];

void cs_cpu_classes_gather(void)
{
    size_t count = 0;

    for (size_t i = 0; i < cs_nr_sections && count < CS_MAX_CPU_CLASSES; i++)
        if (cs_sections[i].section->cpus != NULL)
            cs_cpu_classes[count++] = cs_sections[i].section->cpus;
}

const cs_cpu_class *cs_cpu_class_before(const cs_cpu_class *kind)
{
    size_t i = 1;

    while (cs_cpu_classes[i] != kind)
        i++;
    return cs_cpu_classes[i - 1];
}

void cs_scenario_count_cpus(cs_scenario *s)
{
    s->nr_cpus = 0;
    for (size_t i = 0; cs_cpu_classes[i] != NULL; i++) {
        s->first_cpus[i] = s->nr_cpus;
        s->nr_cpus += cs_cpu_classes[i]->count(s);
    }
}

const cs_cpu_class *cs_scenario_cpu_class(const cs_scenario *s, unsigned cpu)
{
    size_t i = 0;

    while (cs_cpu_classes[i + 1] != NULL && cpu >= s->first_cpus[i + 1])
        i++;
    return cs_cpu_classes[i];
}

unsigned cs_scenario_first_cpu(const cs_scenario *s, const cs_cpu_class *kind)
{
    size_t i = 0;

    while (cs_cpu_classes[i] != kind)
        i++;
    return s->first_cpus[i];
}

void cs_scenario_cpu_place(const cs_scenario *s, unsigned cpu, unsigned *group, unsigned *number)
{
    const cs_cpu_class *kind = cs_scenario_cpu_class(s, cpu);
    const unsigned first = cs_scenario_first_cpu(s, kind);
    const unsigned together = kind->together != NULL ? kind->together(s) : 1;

    *group = (cpu - first) / together;
    *number = (cpu - first) % together;
}

const char *cs_scenario_track_name(const cs_scenario *s, unsigned cpu, unsigned track)
{
    const cs_cpu_class *kind = cs_scenario_cpu_class(s, cpu);

    if (kind->tracks == NULL)
        return track == CS_TRACK_HANDLER ? "handler" : NULL;
    return track >= 1 && track <= kind->nr_tracks ? kind->tracks[track - 1].name : NULL;
}

cs_cpu_state cs_scenario_cpu_state(const cs_scenario *s, unsigned cpu)
{
    const cs_cpu_class *kind = cs_scenario_cpu_class(s, cpu);

    return kind->state != NULL ? kind->state(s, cpu) : CS_CPU_ONLINE;
}

const char *cs_cpu_state_name(cs_cpu_state state)
{
    static const char *const names[] = {[CS_CPU_ONLINE] = "online",
                                        [CS_CPU_LOCKED] = "locked",
                                        [CS_CPU_OFFLINE] = "offline",
                                        [CS_CPU_ABSENT] = "absent"};

    return names[state];
}

bool cs_scenario_can_manage(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_cpu_class(s, cpu)->manager != NULL &&
           cs_scenario_cpu_state(s, cpu) < CS_CPU_OFFLINE;
}

bool cs_scenario_cpu_waits(const cs_scenario *s, unsigned cpu, uint64_t local)
{
    const cs_workload_spec *w = NULL;
    uint64_t length = 0;
    size_t i = 0;

    for (size_t k = 0; k < s->nr_workloads; k++)
        if (s->workloads[k].cpus[cpu])
            w = &s->workloads[k];
    if (w == NULL || w->nr_segments == 0)
        return true;
    for (size_t k = 0; k < w->nr_segments; k++)
        length += w->segments[k].cycles;
    local = length != 0 ? local % length : 0;
    while (i + 1 < w->nr_segments && local >= w->segments[i].cycles)
        local -= w->segments[i++].cycles;
    return w->segments[i].wfi;
}

static bool has_key(const cs_section *section, const char *name)
{
    for (size_t k = 0; k < section->nr_keys; k++)
        if (strcmp(section->keys[k].name, name) == 0)
            return true;
    return false;
}

const char *cs_scenario_cpu_keys(const cs_scenario *s, const char *before, char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < cs_nr_sections && n < size; i++) {
        const cs_section *section = cs_sections[i].section;

        if (before != NULL && has_key(section, before))
            break;
        if (section->cpus == NULL)
            continue;
        if (n > 0)
            n += (size_t)snprintf(out + n, size - n, ", ");
        if (n < size)
            n += section->cpus->keys(s, out + n, size - n);
    }
    return out;
}

const cs_unit_class *cs_scenario_unit_class(const cs_scenario *s, unsigned timeline)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_class *units = cs_sections[i].section->units;

        for (unsigned n = units != NULL ? units->count(s) : 0; n-- > 0;)
            if (timeline == cs_unit_timeline(units, n))
                return units;
    }
    return NULL;
}

static size_t of_unit(const cs_scenario *s, const cs_unit_class *units,
                      cs_implicit_event out[CS_MAX_IMPLICIT])
{
    return units != NULL && units->implicit != NULL ? units->implicit(s, out) : 0;
}

size_t cs_implicit_events(const cs_scenario *s, unsigned timeline, bool idle,
                          cs_implicit_event out[CS_MAX_IMPLICIT])
{
    if (timeline >= CS_MAX_CPUS)
        return of_unit(s, cs_scenario_unit_class(s, timeline), out);
    return cs_scenario_cpu_class(s, timeline)->implicit(s, idle, out);
}

bool cs_is_implicit_event(const cs_scenario *s, uint32_t event)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;
        cs_implicit_event events[CS_MAX_IMPLICIT];
        size_t count = of_unit(s, section->units, events);

        if (section->cpus != NULL)
            count = section->cpus->implicit(s, false, events);
        for (size_t k = 0; k < count; k++)
            if (events[k].event == event)
                return true;
    }
    return false;
}

static unsigned most_of(const cs_cpu_class *class)
{
    return class != NULL && class->most_increment != 0 ? class->most_increment
                                                       : CS_NARROW_INCREMENT;
}

unsigned cs_timeline_most_increment(const cs_scenario *s, unsigned timeline)
{
    return most_of(timeline < CS_MAX_CPUS ? cs_scenario_cpu_class(s, timeline) : NULL);
}

unsigned cs_scenario_most_increment(const cs_scenario *s)
{
    unsigned most = CS_MAX_INCREMENT;

    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_cpu_class *class = cs_sections[i].section->cpus;

        if (class != NULL && class->count(s) != 0 && most_of(class) < most)
            most = most_of(class);
    }
    return most;
}

uint32_t cs_scenario_first_event(const cs_scenario *s, unsigned timeline)
{
    return timeline >= CS_MAX_CPUS ? cs_scenario_unit_class(s, timeline)->first_event
                                   : cs_scenario_cpu_class(s, timeline)->first_event;
}

const uint16_t *cs_scenario_event_of(const cs_scenario *s, unsigned timeline)
{
    const cs_cpu_class *class = timeline < CS_MAX_CPUS ? cs_scenario_cpu_class(s, timeline) : NULL;

    return class != NULL && class->event_of != NULL ? class->event_of(s) : NULL;
}

// SPDX-License-Identifier: Apache-2.0
#include "scenario/iommu_hpm/iommu_perf_owner.h"

#include <string.h>

#include "scenario/iommu_hpm/iommu_events.h"
#include "scenario/iommu_hpm/iommu_hpm_spec.h"

#define ALL "iommu_hpm"

static const char *pmu(const cs_scenario *s, size_t nr)
{
    if (s->iommu_hpm->nr_units == 0 || nr > s->iommu_hpm->nr_units)
        return NULL;
    return nr == 0 ? ALL : s->iommu_hpm->units[nr - 1].name;
}

static const char *event_name(const cs_scenario *s, size_t of, size_t nr)
{
    const char *name = nr <= CS_IOMMU_EVENTS ? cs_iommu_event_name((uint32_t)nr) : NULL;

    (void)s, (void)of;
    return name != NULL ? name + strlen(ALL ":") : NULL;
}

/* A term that says whose transactions count. */
static void write_filter(cs_asked_part *part, cs_yaml_node *keys, const cs_asked_term *term)
{
    static const char *const filters[] = {"device_id", "process_id", "gscid", "pscid"};

    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (strcmp(term->name, filters[i]) == 0) {
            cs_asked_put_text(part, keys, filters[i], "%s", term->value);
            return;
        }
    cs_asked_fail(part,
                  "found term %s; expected an event's name, device_id, process_id, gscid, pscid or "
                  "partial",
                  term->name);
}

static void write_event(cs_asked_part *part, cs_yaml_node *events, const cs_asked_event *event)
{
    const char *terms = event->what;
    bool named = false;
    cs_asked_term term;

    cs_asked_at_event(part, event);
    cs_yaml_node *keys = cs_asked_put(part, events, NULL, CS_YAML_MAP);

    while (cs_asked_term_next(&terms, &term)) {
        if (term.value[0] != '\0')
            write_filter(part, keys, &term);
        else if (strcmp(term.name, "partial") == 0)
            cs_asked_put_text(part, keys, "partial", "true");
        else if (named)
            cs_asked_fail(part, "found two events in %s; expected one", event->what);
        else {
            named = true;
            cs_asked_put_text(part, keys, "event", ALL ":%s", term.name);
        }
    }
    if (!named)
        cs_asked_fail(part, "found %s; expected an event's name among the terms", event->what);
    cs_asked_put_group(part, keys, event);
}

static void write(cs_asked_part *part)
{
    cs_asked_put_fitting(part, "iommus");
    cs_asked_at_event(part, &part->events[0]);
    cs_yaml_node *events = cs_asked_put(part, part->to, "events", CS_YAML_LIST);

    for (size_t i = 0; i < part->nr_events; i++)
        write_event(part, events, &part->events[i]);
    cs_asked_put_times(part);
}

static const cs_perf_refusal refusals[] = {
    {"record", "EOPNOTSUPP", "a counter of a monitor samples no CPU"},
    {0},
};

const cs_perf_owner cs_iommu_perf_owner = {.of = "an IOMMU",
                                           .keys = "interval",
                                           .modifiers = "D",
                                           .refusals = refusals,
                                           .pmu = pmu,
                                           .event = event_name,
                                           .terms =
                                               "device_id=N,process_id=N,gscid=N,pscid=N,partial",
                                           .write = write};

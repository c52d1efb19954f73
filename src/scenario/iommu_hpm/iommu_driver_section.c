// SPDX-License-Identifier: Apache-2.0
#include "scenario/iommu_hpm/iommu_driver_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/iommu_hpm/iommu_events.h"
#include "scenario/iommu_hpm/iommu_perf_owner.h"
#include "scenario/key_macros.h"
#include "scenario/machine/ports.h"
#include "scenario/scenario.h"

#define S cs_iommu_driver_spec
typedef unsigned long long ull;

#define E cs_iommu_event_spec
static const cs_key event_keys[] = {
    {OTHER("event", CS_KEY_EVENT, NULL, "\"iommu_hpm:tlb_miss\", another of them, or :cycles"),
     AT(E, event)},
    {NUMBER("device_id", "", 0, 0xffffff, "=any", "of this device alone"), AT(E, device_id)},
    {NUMBER("process_id", "", 0, 0xfffff, "=any", "of this process of a device alone"),
     AT(E, process_id)},
    {NUMBER("gscid", "", 0, 0xffff, "=any", "of this guest's address space alone"), AT(E, gscid)},
    {NUMBER("pscid", "", 0, 0xfffff, "=any", "of this process's address space alone"),
     AT(E, pscid)},
    {OTHER("partial", CS_KEY_FLAG, "false",
           "of device_id or gscid the bits up to the lowest 0 may be any"),
     AT(E, partial)},
    {NUMBER("group", "", 0, 65535, "0",
            "events with the same number are on counters together or not at all; 0: it is alone"),
     AT(E, group)},
    {OTHER("pinned", CS_KEY_FLAG, "false", "on a counter before all others, always"),
     AT(E, pinned)},
};
#undef E
static const cs_key_shape event_shape = {SHAPE("iommu_event", event_keys, cs_iommu_event_spec)};

#define P cs_iommu_perf_spec
static const cs_key perf_keys[] = {
    {NAMES("iommus", "IOMMUs by name; none: all"), AT_LIST(P, unit_names, nr_unit_names)},
    {LIST("events", &event_shape, 1, CS_MAX_IOMMU_EVENTS, NULL, "what is counted on each"),
     AT_LIST(P, events, nr_events)},
    {NUMBER("start_us", "us", 1, MAX_US, "1", "when the command begins"), AT(P, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(P, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "counts are printed at this interval (-I); 0: only at the end"),
     AT(P, interval_us)},
};
#undef P
static const cs_key_shape perf_shape = {SHAPE("iommu_perf", perf_keys, cs_iommu_perf_spec)};

static const cs_key driver_keys[] = {
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "the timer's tick, at which events take turns"),
     AT(S, tick_us)},
    {NUMBER("handler_cycles", "bus cycles", 1, 1000000, "300",
            "work of a tick, an interrupt or a call, beside what it finds to do"),
     AT(S, handler_cycles)},
    {NUMBER("event_cycles", "bus cycles", 0, 1000000, "100",
            "work for an event that comes to a counter, or leaves it"),
     AT(S, event_cycles)},
    {LIST("perf", &perf_shape, 0, 16, "[]", "perf stat commands"), AT_LIST(S, perf, nr_perf)},
};
static const cs_key_shape shape = {SHAPE("iommu_driver", driver_keys, S)};

/* ---- what follows ---- */

static bool has(cs_check *check, size_t command, size_t event, const char *key)
{
    return cs_check_at(check, "iommu_driver.perf.%zu.events.%zu.%s", command, event, key) != NULL;
}

/* As perf prints it: the event, then what is asked for. */
static void name_event(cs_iommu_event_spec *e)
{
    const struct {
        bool there;
        const char *key;
        uint32_t id;
    } ids[] = {{e->by_device, "device_id", e->device_id},
               {e->by_process, "process_id", e->process_id},
               {e->by_gscid, "gscid", e->gscid},
               {e->by_pscid, "pscid", e->pscid}};
    const char *event = cs_iommu_event_name(e->event - CS_EVENT_IOMMU(0));
    size_t n = (size_t)snprintf(e->name, sizeof e->name, "%s",
                                event != NULL ? strchr(event, ':') + 1 : "?");

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (ids[i].there)
            n += (size_t)snprintf(e->name + n, sizeof e->name - n, ",%s=0x%" PRIx32, ids[i].key,
                                  ids[i].id);
    if (e->partial)
        snprintf(e->name + n, sizeof e->name - n, ",partial");
}

/* docs/hw/iommu_hpm.md, iohpmevt. */
static uint64_t config_of(const cs_iommu_event_spec *e)
{
    const bool idt = e->by_gscid || e->by_pscid;
    const uint64_t device = idt ? e->gscid : e->device_id, process = idt ? e->pscid : e->process_id;

    return (e->event - CS_EVENT_IOMMU(0)) | (uint64_t)e->partial << 15 | process << 16 |
           device << 36 | (uint64_t)(e->by_process || e->by_pscid) << 60 |
           (uint64_t)(e->by_device || e->by_gscid) << 61 | (uint64_t)idt << 62;
}

static void compute_units(const cs_scenario *s, cs_iommu_perf_spec *p)
{
    for (unsigned unit = 0; unit < s->iommu_hpm->nr_units; unit++) {
        bool named = p->nr_unit_names == 0;

        for (size_t i = 0; i < p->nr_unit_names; i++)
            named |= strcmp(p->unit_names[i], s->iommu_hpm->units[unit].name) == 0;
        if (named)
            p->units[p->nr_units++] = unit;
    }
}

static void compute(cs_check *check)
{
    const cs_iommu_driver_spec *d = check->scenario->iommu_driver;

    for (size_t i = 0; i < d->nr_perf; i++) {
        compute_units(check->scenario, &d->perf[i]);
        for (size_t k = 0; k < d->perf[i].nr_events; k++) {
            cs_iommu_event_spec *e = &d->perf[i].events[k];

            e->by_device = has(check, i, k, "device_id");
            e->by_process = has(check, i, k, "process_id");
            e->by_gscid = has(check, i, k, "gscid");
            e->by_pscid = has(check, i, k, "pscid");
            e->config = config_of(e);
            name_event(e);
        }
    }
}

/* ---- what excludes what ---- */

static cs_status check_filters(cs_check *check, const cs_iommu_event_spec *e)
{
    const bool device = e->by_device || e->by_process, guest = e->by_gscid || e->by_pscid;
    const uint32_t number = e->event - CS_EVENT_IOMMU(0);

    if (number == CS_IOMMU_CYCLES && (device || guest || e->partial))
        return cs_check_fail(check, "cycles are nobody's: found a filter, expected none");
    if (device && guest)
        return cs_check_fail(check, "found device_id or process_id beside gscid or pscid; expected "
                                    "one kind, as iohpmevt has one bit for it (IDT)");
    if (guest && !cs_iommu_event_has_gscid(number))
        return cs_check_fail(check,
                             "%s cannot be filtered by gscid or pscid; expected tlb_miss, "
                             "s_vs_pt_walks or g_pt_walks",
                             cs_iommu_event_name(number));
    if (e->partial && !e->by_device && !e->by_gscid)
        return cs_check_fail(check, "partial is of device_id or gscid: found neither");
    return CS_OK;
}

static cs_status check_event(cs_check *check, size_t command, size_t number)
{
    const cs_iommu_event_spec *e = &check->scenario->iommu_driver->perf[command].events[number];

    cs_check_at(check, "iommu_driver.perf.%zu.events.%zu.event", command, number);
    if (e->event < CS_EVENT_IOMMU(0) || e->event > CS_EVENT_IOMMU(CS_IOMMU_EVENTS))
        return cs_check_fail(check, "no event of an IOMMU; expected \"iommu_hpm:tlb_miss\" or "
                                    "another of list --events");
    return check_filters(check, e);
}

/* All of a group fit on the smallest of the units. */
static cs_status check_group(cs_check *check, size_t command, unsigned group)
{
    const cs_scenario *s = check->scenario;
    const cs_iommu_perf_spec *p = &s->iommu_driver->perf[command];
    unsigned cycles = 0, events = 0, pinned = 0;

    for (size_t i = 0; i < p->nr_events; i++) {
        if (p->events[i].group != group)
            continue;
        cs_check_at(check, "iommu_driver.perf.%zu.events.%zu", command, i);
        cycles += p->events[i].event == CS_EVENT_IOMMU(CS_IOMMU_CYCLES);
        events += p->events[i].event != CS_EVENT_IOMMU(CS_IOMMU_CYCLES);
        pinned += p->events[i].pinned;
    }
    if (pinned != 0 && pinned != cycles + events)
        return cs_check_fail(check, "events of group %u are pinned and not pinned", group);
    for (size_t i = 0; i < p->nr_units; i++) {
        const cs_iommu_spec *unit = &s->iommu_hpm->units[p->units[i]];

        if (cycles > 1 || events > unit->counters)
            return cs_check_fail(check,
                                 "group %u has no place on %s: found %u events and %u of cycles; "
                                 "expected at most %u and 1",
                                 group, unit->name, events, cycles, unit->counters);
    }
    return CS_OK;
}

static cs_status check_names(cs_check *check, size_t command)
{
    const cs_scenario *s = check->scenario;
    const cs_iommu_perf_spec *p = &s->iommu_driver->perf[command];

    for (size_t i = 0; i < p->nr_unit_names; i++) {
        bool found = false;

        cs_check_at(check, "iommu_driver.perf.%zu.iommus.%zu", command, i);
        for (size_t k = 0; k < s->iommu_hpm->nr_units; k++)
            found |= strcmp(p->unit_names[i], s->iommu_hpm->units[k].name) == 0;
        if (!found)
            return cs_check_fail(check, "there is no IOMMU %s (iommu_hpm.units)", p->unit_names[i]);
    }
    return CS_OK;
}

static cs_status check_perf(cs_check *check, size_t command, size_t *events)
{
    const cs_iommu_perf_spec *p = &check->scenario->iommu_driver->perf[command];

    cs_check_at(check, "iommu_driver.perf.%zu.stop_us", command);
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after start_us %llu", (ull)p->stop_us,
                             (ull)p->start_us);
    cs_status status = check_names(check, command);
    for (size_t i = 0; i < p->nr_events && status == CS_OK; i++) {
        status = check_event(check, command, i);
        if (status == CS_OK && p->events[i].group != 0)
            status = check_group(check, command, p->events[i].group);
    }
    *events += p->nr_events * p->nr_units;
    cs_check_at(check, "iommu_driver.perf.%zu.events", command);
    if (status == CS_OK && *events > CS_MAX_IOMMU_EVENTS)
        return cs_check_fail(check, "with these there are %zu events on all IOMMUs; at most %u",
                             *events, CS_MAX_IOMMU_EVENTS);
    return status;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;
    size_t events = 0;

    cs_check_at(check, "iommu_hpm.units");
    if (s->iommu_hpm->nr_units == 0)
        return cs_check_fail(check, "software.kind iommu needs IOMMUs");
    cs_check_at(check, "iommu_driver.perf");
    if (s->iommu_driver->nr_perf == 0)
        return cs_check_fail(check, "empty; software.kind iommu needs commands");
    for (size_t i = 0; i < s->iommu_driver->nr_perf && status == CS_OK; i++)
        status = check_perf(check, i, &events);
    return status;
}

/* Nobody on any of the units, and at no time. */
static bool counts_somewhere(const cs_scenario *s, const cs_iommu_perf_spec *p,
                             const cs_iommu_event_spec *e)
{
    for (size_t i = 0; i < p->nr_units; i++)
        if (cs_iommu_counts(&s->iommu_hpm->units[p->units[i]], e))
            return true;
    return false;
}

static cs_status warn(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->iommu_driver->nr_perf; i++)
        for (size_t k = 0; k < s->iommu_driver->perf[i].nr_events; k++) {
            const cs_iommu_perf_spec *p = &s->iommu_driver->perf[i];

            if (counts_somewhere(s, p, &p->events[k]))
                continue;
            cs_check_at(check, "iommu_driver.perf.%zu.events.%zu", i, k);
            return cs_check_warn(check,
                                 "%s counts nothing: no source of the command's IOMMUs has "
                                 "it with these IDs",
                                 p->events[k].name);
        }
    return CS_OK;
}

static uint64_t least_cycles(const cs_scenario *s)
{
    uint64_t last = 0;

    for (size_t i = 0; i < s->iommu_driver->nr_perf; i++)
        if (s->iommu_driver->perf[i].stop_us > last)
            last = s->iommu_driver->perf[i].stop_us;
    return cs_scenario_us(s, last);
}

static unsigned nr_commands(const cs_scenario *s)
{
    return (unsigned)s->iommu_driver->nr_perf;
}

static uint64_t interval_us(const cs_scenario *s, unsigned number)
{
    return s->iommu_driver->perf[number].interval_us;
}

static const cs_section_commands commands = {.count = nr_commands, .interval_us = interval_us};

static const cs_software_rule software = {.kind = CS_SOFTWARE_iommu_driver,
                                          .runs_on = cs_scenario_on_software_cpu,
                                          .needs = {"iommu_hpm"}};

static const cs_key keys[] = {{MAP("iommu_driver", &shape, "the settings of software.kind iommu")}};
const cs_section cs_section_iommu_driver = {SECTION("iommu_driver", keys, S),
                                            .compute = compute,
                                            .check = check,
                                            .warn = warn,
                                            .software = &software,
                                            .least_cycles = least_cycles,
                                            .commands = &commands,
                                            .perf = &cs_iommu_perf_owner};

// SPDX-License-Identifier: Apache-2.0
#include "scenario/iommu_hpm/iommu_hpm_spec.h"

#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/iommu_hpm/iommu_events.h"
#include "scenario/key_macros.h"
#include "scenario/machine/die.h"
#include "scenario/scenario.h"

#define S cs_iommu_hpm_spec

#define O cs_iommu_source_spec
static const cs_key source_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called"), AT(O, name), .min = 1,
     .max = CS_NAME_BYTES - 1},
    {NUMBER("device_id", "", 0, 0xffffff, NULL, "of its transactions"), AT(O, device_id)},
    {NUMBER("process_id", "", 0, 0xfffff, "=none", "of its transactions"), AT(O, process_id)},
    {NUMBER("gscid", "", 0, 0xffff, "=none", "the address space of its guest"), AT(O, gscid)},
    {NUMBER("pscid", "", 0, 0xfffff, "=none", "the address space of its process"), AT(O, pscid)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]",
          "what it does: events \"iommu_hpm:tlb_miss\" and others, in segments that repeat"),
     .without = "mode", AT_LIST(O, segments, nr_segments)},
};
#undef O
static const cs_key_shape source_shape = {SHAPE("iommu_source", source_keys, cs_iommu_source_spec)};

#define U cs_iommu_spec
static const cs_key unit_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called"), AT(U, name), .min = 1,
     .max = CS_NAME_BYTES - 1},
    {NUMBER("counters", "", 1, 31, "7", "counters of events"), AT(U, counters)},
    {NUMBER("width", "bits", 32, 64, "64", "width of each; of the cycles counter 63 at most"),
     AT(U, width)},
    {NUMBER("access_cycles", "bus cycles", 1, 65535, "10", "length of an access of its registers"),
     AT(U, access_cycles)},
    {LIST("sources", &source_shape, 1, CS_IOMMU_SOURCES, NULL,
          "devices, each with the address space that it works in"),
     AT_LIST(U, sources, nr_sources)},
};
#undef U
static const cs_key_shape unit_shape = {SHAPE("iommu", unit_keys, cs_iommu_spec)};

static const cs_key iommu_keys[] = {
    {LIST("units", &unit_shape, 0, CS_MAX_IOMMUS, "[]",
          "IOMMUs with their monitors (docs/hw/iommu_hpm.md)"),
     AT_LIST(S, units, nr_units)},
};
static const cs_key_shape shape = {SHAPE("iommu_hpm", iommu_keys, S)};

static void compute(cs_check *check)
{
    const cs_iommu_hpm_spec *spec = check->scenario->iommu_hpm;
    unsigned sources = 0;

    for (size_t i = 0; i < spec->nr_units; i++) {
        cs_iommu_spec *unit = &spec->units[i];

        unit->first_source = sources;
        sources += (unsigned)unit->nr_sources;
        for (size_t k = 0; k < unit->nr_sources; k++) {
            cs_iommu_source_spec *o = &unit->sources[k];
            static const char key[] = "iommu_hpm.units.%zu.sources.%zu.%s";

            o->has_process = cs_check_at(check, key, i, k, "process_id") != NULL;
            o->has_gscid = cs_check_at(check, key, i, k, "gscid") != NULL;
            o->has_pscid = cs_check_at(check, key, i, k, "pscid") != NULL;
        }
    }
}

/* Events of streams are those of the page; 0 is the clock, which has none. */
static cs_status check_segments(cs_check *check, size_t unit, size_t number)
{
    const cs_iommu_source_spec *o = &check->scenario->iommu_hpm->units[unit].sources[number];

    for (size_t i = 0; i < o->nr_segments; i++)
        for (size_t k = 0; k < o->segments[i].nr_streams; k++) {
            const cs_stream_spec *stream = &o->segments[i].streams[k];

            cs_check_at(check, "iommu_hpm.units.%zu.sources.%zu.segments.%zu.events.%zu.event",
                        unit, number, i, k);
            if (stream->first_event / CS_EVENT_SPACE == CS_EVENT_IOMMU(0) / CS_EVENT_SPACE &&
                (stream->first_event < CS_EVENT_IOMMU(1) ||
                 stream->last_event > CS_EVENT_IOMMU(CS_IOMMU_EVENTS)))
                return cs_check_fail(check, "found event %u; expected 1..%u",
                                     (stream->first_event < CS_EVENT_IOMMU(1)
                                          ? stream->first_event
                                          : stream->last_event) -
                                         CS_EVENT_IOMMU(0),
                                     CS_IOMMU_EVENTS);
        }
    return CS_OK;
}

static cs_status check_unit(cs_check *check, size_t number)
{
    const cs_iommu_hpm_spec *spec = check->scenario->iommu_hpm;
    const cs_iommu_spec *unit = &spec->units[number];
    cs_status status = CS_OK;

    for (size_t i = 0; i < number; i++)
        if (strcmp(spec->units[i].name, unit->name) == 0) {
            cs_check_at(check, "iommu_hpm.units.%zu.name", number);
            return cs_check_fail(check, "%s is the name of iommu_hpm.units.%zu, too", unit->name,
                                 i);
        }
    for (size_t k = 0; k < unit->nr_sources && status == CS_OK; k++)
        status = check_segments(check, number, k);
    return status;
}

static unsigned count(const cs_scenario *s)
{
    const cs_iommu_hpm_spec *spec = s->iommu_hpm;

    return spec->nr_units == 0 ? 0
                               : spec->units[spec->nr_units - 1].first_source +
                                     (unsigned)spec->units[spec->nr_units - 1].nr_sources;
}

static cs_status check(cs_check *check)
{
    const cs_iommu_hpm_spec *spec = check->scenario->iommu_hpm;
    cs_status status = CS_OK;

    cs_check_at(check, "iommu_hpm.units");
    if (count(check->scenario) > CS_MAX_IOMMU_SOURCES)
        return cs_check_fail(check, "found %u sources of all IOMMUs; expected at most %u",
                             count(check->scenario), CS_MAX_IOMMU_SOURCES);
    for (size_t i = 0; i < spec->nr_units && status == CS_OK; i++)
        status = check_unit(check, i);
    return status;
}

/* ---- sources as things that have events ---- */

static size_t unit_of(const cs_scenario *s, unsigned source)
{
    size_t unit = 0;

    while (source >= s->iommu_hpm->units[unit].first_source + s->iommu_hpm->units[unit].nr_sources)
        unit++;
    return unit;
}

static const cs_segment_spec *segments(const cs_scenario *s, unsigned number, size_t *nr)
{
    const cs_iommu_spec *unit = &s->iommu_hpm->units[unit_of(s, number)];
    const cs_iommu_source_spec *o = &unit->sources[number - unit->first_source];

    *nr = o->nr_segments;
    return o->segments;
}

static void path(const cs_scenario *s, unsigned number, char *out, size_t size)
{
    const size_t unit = unit_of(s, number);

    snprintf(out, size, "iommu_hpm.units.%zu.sources.%u", unit,
             number - s->iommu_hpm->units[unit].first_source);
}

static const cs_unit_class units = {
    .timeline = CS_IOMMU_TIMELINE(0),
    .count = count,
    .segments = segments,
    .path = path,
    .first_event = CS_EVENT_IOMMU(0),
    .numbered = true,
    .other = "an event of IOMMUs; those go to iommu_hpm.units.sources",
};

/* ---- the die, and what people are shown ---- */

static void die(const cs_scenario *s, cs_die *die)
{
    unsigned counters = 1, records = 1;

    if (s->iommu_hpm->nr_units == 0)
        return;
    for (unsigned i = 0; i < s->iommu_hpm->nr_units; i++) {
        const cs_iommu_spec *unit = &s->iommu_hpm->units[i];

        cs_die_add_target(die,
                          (cs_die_target){.unit = "iommu_hpm",
                                          .kind = CS_TARGET_IOMMU,
                                          .number = i,
                                          .base = CS_IOMMU_BASE + (uint64_t)i * CS_IOMMU_STRIDE,
                                          .size = CS_IOMMU_BYTES,
                                          .what = "the registers of an IOMMU's monitor"});
        counters = unit->counters > counters ? unit->counters : counters;
        records = unit->nr_sources > records ? (unsigned)unit->nr_sources : records;
    }
    cs_die_shape_add(&die->shape, "iommu_hpm", "NrUnit", (unsigned)s->iommu_hpm->nr_units);
    cs_die_shape_add(&die->shape, "iommu_hpm", "NrCounter", counters);
    cs_die_shape_add(&die->shape, "iommu_hpm", "NrRecord", records);
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    if (s->iommu_hpm->nr_units != 0)
        snprintf(out, size, "%zu IOMMU%s with %u source%s of transactions", s->iommu_hpm->nr_units,
                 s->iommu_hpm->nr_units == 1 ? "" : "s", count(s), count(s) == 1 ? "" : "s");
}

static bool event(const cs_scenario *s, const char *name, uint32_t *number, char why[])
{
    uint32_t of_iommu;

    (void)s, (void)why;
    if (!cs_iommu_event_number(name, &of_iommu))
        return false;
    *number = CS_EVENT_IOMMU(of_iommu);
    return true;
}

static const char *name_at(size_t nr, uint32_t *number)
{
    *number = (uint32_t)nr;
    return cs_iommu_event_name((uint32_t)nr);
}

static const cs_event_names names = {.prefix = "iommu_hpm:", .at = name_at};

/* docs/hw/iommu_hpm.md, "Registers". */
static const cs_unit_register unit_registers[] = {
    {"ipsr", 0x054, 1, 0, "rw1c", 0, "pmip: a counter has overflowed"},
    {"iocountovf", 0x058, 1, 0, "ro", 0, "one bit per counter: its OF"},
    {"iocountinh", 0x05c, 1, 0, "rw", 0, "one bit per counter: it does not count"},
    {"iohpmcycles", 0x060, 1, 0, "rw", 0, "the cycles counter, OF"},
    {"iohpmctr", 0x068, 31, 8, "rw", 0, "the counter of an event"},
    {"iohpmevt", 0x160, 31, 8, "rw", 0, "which event, of whom, OF"},
    {0}};

static const cs_unit_page unit = {.unit = "iommu_hpm",
                                  .about =
                                      "counters of an IOMMU, with filters by device and process",
                                  .page = "docs/hw/iommu_hpm.md",
                                  .registers = unit_registers};

static const cs_key keys[] = {{MAP("iommu_hpm", &shape, "IOMMUs and who goes through them")}};
const cs_section cs_section_iommu_hpm = {SECTION("iommu_hpm", keys, S),
                                         .compute = compute,
                                         .check = check,
                                         .units = &units,
                                         .die = die,
                                         .tell = tell,
                                         .event = event,
                                         .names = &names,
                                         .unit = &unit};

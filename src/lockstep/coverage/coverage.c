// SPDX-License-Identifier: Apache-2.0
#include "lockstep/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "lockstep/coverage/coverage_impl.h"

/* ---- one record ---- */

static uint64_t mask_of(unsigned width)
{
    return width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0;
}

/* The bits of the register, or of the field, that the access reached. False: none of the field. */
static bool value_of(const cs_page *page, const cs_page_event *event, const cs_probe_record *record,
                     const cs_page_place *place, uint64_t *value, unsigned *width)
{
    const unsigned reached = record->bytes >= 8 || record->bytes == 0 ? 64 : 8 * record->bytes;

    *value = record->value << place->shift;
    *width = place->reg->bits < reached ? place->reg->bits : reached;
    if (event->field == NULL) {
        *value = record->value;
        return true;
    }
    for (size_t i = 0; i < place->reg->nr_fields; i++) {
        const cs_page_field *field = &page->fields[place->reg->first_field + i];

        if (strcmp(field->name, event->field) != 0)
            continue;
        *value = *value >> field->lsb & mask_of(field->width);
        *width = field->width;
        return field->lsb >= place->shift && field->lsb < place->shift + reached;
    }
    return false;
}

static bool register_fits(const cs_page *page, const cs_page_event *event,
                          const cs_probe_record *record, const cs_page_place *place)
{
    uint64_t value;
    unsigned width;

    if (event->key == NULL)
        return true;
    if (place->reg == NULL || strcmp(place->reg->key, event->key) != 0)
        return false;
    if (event->any_value)
        return true;
    if (!value_of(page, event, record, place, &value, &width))
        return false;
    return event->is_max ? value == mask_of(width) : value >= event->low && value <= event->high;
}

static bool event_fits(const cs_page *page, const cs_page_event *event,
                       const cs_probe_record *record, const cs_page_place *place, uint64_t before)
{
    switch (event->kind) {
    case CS_EVENT_WRITE:
    case CS_EVENT_READ:
        return record->kind == CS_PROBE_REG && record->resp == 0 &&
               record->write == (event->kind == CS_EVENT_WRITE) &&
               register_fits(page, event, record, place);
    case CS_EVENT_REFUSED:
        return record->kind == CS_PROBE_REG && record->resp != 0 &&
               (event->any_direction || record->write == event->write) &&
               register_fits(page, event, record, place);
    case CS_EVENT_ENTER:
        return record->kind == CS_PROBE_STATE && record->value == event->to;
    case CS_EVENT_ARC:
        return record->kind == CS_PROBE_STATE && before == event->from &&
               record->value == event->to;
    case CS_EVENT_TRANSFER:
        return record->kind == CS_PROBE_BUS && record->write == event->write &&
               (event->any_resp || record->resp == event->resp);
    case CS_EVENT_LINE:
        return record->kind == CS_PROBE_IRQ && record->index == event->line &&
               (record->value != 0) == event->level;
    case CS_EVENT_SAMPLED:
        return record->kind == CS_PROBE_SAMPLE && (event->any_resp || record->resp == event->resp);
    }
    return false;
}

static bool holds(const cs_page_condition *condition, const cs_coverage_unit *unit)
{
    const bool flag = (unit->flags >> condition->flag & 1) != 0;

    switch (condition->kind) {
    case CS_WHILE_STATE:
        return unit->state == condition->state;
    case CS_WHILE_NOT_STATE:
        return unit->state != condition->state;
    case CS_WHILE_FLAG:
        return flag;
    case CS_WHILE_NO_FLAG:
        return !flag;
    }
    return false;
}

typedef struct seen {
    const cs_page *page;
    const cs_probe_record *record;
    const cs_page_place *place;
    const cs_coverage_unit *unit;
    uint64_t before; /* the state before the record */
} seen;

static bool rule_fits(const cs_page_rule *rule, const seen *s)
{
    bool any = false;

    for (size_t i = 0; i < rule->nr_events && !any; i++)
        any = event_fits(s->page, &rule->events[i], s->record, s->place, s->before);
    for (size_t i = 0; i < rule->nr_conditions && any; i++)
        any = holds(&rule->conditions[i], s->unit);
    return any;
}

static void see(cs_coverage *c, cs_coverage_side side, const cs_probe_record *record)
{
    unsigned number;
    size_t nr;
    const cs_page *page = cs_pages_of(&c->pages, record, &number);
    cs_page_place place = {0};

    if (page == NULL || number >= CS_COVERAGE_UNITS)
        return;
    for (nr = 0; c->pages.list[nr] != page; nr++)
        continue;
    cs_coverage_unit *unit =
        &c->units[(nr * CS_COVERAGE_SIDES + side) * CS_COVERAGE_UNITS + number];
    const uint64_t before = unit->state;
    const seen s = {page, record, &place, unit, before};
    uint64_t flags = unit->flags;

    if (record->kind == CS_PROBE_REG)
        cs_page_find(page, c->variants[nr], record, &place);
    if (record->kind == CS_PROBE_STATE)
        unit->state = record->value;
    for (size_t i = 0; i < page->nr_points; i++)
        if (page->points[i].rule.nr_events != 0 && rule_fits(&page->points[i].rule, &s))
            c->points[c->first[nr] + i].hits[side]++;
    for (size_t i = 0; i < page->nr_flags && i < 64; i++) {
        if (rule_fits(&page->flags[i].clear, &s))
            flags &= ~((uint64_t)1 << i);
        if (rule_fits(&page->flags[i].set, &s))
            flags |= (uint64_t)1 << i;
    }
    unit->flags = flags;
}

/* A state belongs to the whole cycle, so what changes it comes first. */
void cs_coverage_see(cs_coverage *c, cs_coverage_side side, const cs_probe_record *records,
                     size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && records[end].cycle == records[i].cycle; end++)
            if (records[end].kind == CS_PROBE_STATE)
                see(c, side, &records[end]);
        for (size_t n = i; n < end; n++)
            if (records[n].kind != CS_PROBE_STATE)
                see(c, side, &records[n]);
    }
}

/* ---- its life ---- */

void cs_coverage_begin(cs_coverage *c, const struct cs_scenario *scenario)
{
    for (size_t i = 0; i < c->pages.count; i++)
        c->variants[i] = cs_page_variant(c->pages.list[i], scenario);
    memset(c->units, 0, c->pages.count * CS_COVERAGE_SIDES * CS_COVERAGE_UNITS * sizeof *c->units);
}

static cs_status fill(cs_coverage *c, cs_diag *diag)
{
    for (size_t i = 0; i < c->pages.count; i++)
        c->count += c->pages.list[i]->nr_points;
    c->first = calloc(c->pages.count + 1, sizeof *c->first);
    c->points = calloc(c->count + 1, sizeof *c->points);
    c->units = calloc(c->pages.count * CS_COVERAGE_SIDES * CS_COVERAGE_UNITS + 1, sizeof *c->units);
    c->variants = calloc(c->pages.count + 1, sizeof *c->variants);
    if (c->variants == NULL || c->first == NULL || c->points == NULL || c->units == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for coverage");
    for (size_t i = 0; i < c->pages.count; i++) {
        const cs_page *page = c->pages.list[i];

        for (size_t n = 0; n < page->nr_points; n++)
            c->points[c->first[i] + n] = (cs_coverage_point){.unit = page->unit,
                                                             .group = page->points[n].group,
                                                             .name = page->points[n].name,
                                                             .page = page->page,
                                                             .reason = page->points[n].reason};
        c->first[i + 1] = c->first[i] + page->nr_points;
    }
    return CS_OK;
}

cs_status cs_coverage_create(cs_coverage **out, cs_diag *diag)
{
    cs_coverage *c = calloc(1, sizeof *c);
    cs_status status;

    *out = NULL;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for coverage");
    status = cs_pages_create(&c->pages, diag);
    if (status == CS_OK)
        status = fill(c, diag);
    if (status == CS_OK)
        *out = c;
    else
        cs_coverage_destroy(c);
    return status;
}

void cs_coverage_destroy(cs_coverage *c)
{
    if (c == NULL)
        return;
    cs_pages_destroy(&c->pages);
    free(c->first);
    free(c->variants);
    free(c->points);
    free(c->units);
    free(c);
}

size_t cs_coverage_count(const cs_coverage *c)
{
    return c->count;
}

const cs_coverage_point *cs_coverage_at(const cs_coverage *c, size_t nr)
{
    return &c->points[nr];
}

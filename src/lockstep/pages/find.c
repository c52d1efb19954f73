// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "lockstep/pages/page.h"
#include "scenario/section_list.h"

static bool is_of(const cs_page_source *source, const cs_probe_record *record, const char *name)
{
    return source->manager == (record->kind == CS_PROBE_BUS) && strcmp(source->name, name) == 0;
}

const cs_page *cs_pages_of(const cs_pages *pages, const cs_probe_record *record, unsigned *number)
{
    const char *name = cs_probe_source_kind(record->kind, record->source, number);

    for (size_t i = 0; name != NULL && i < pages->count; i++) {
        const cs_page *page = pages->list[i];

        for (size_t n = 0; n < page->nr_sources; n++) {
            const cs_page_source *source = &page->sources[n];
            cs_page_place place;

            if (!is_of(source, record, name))
                continue;
            if (source->by_register)
                *number =
                    cs_page_find(page, NULL, record, &place) ? place.index / place.reg->divisor : 0;
            else
                *number = source->first + *number / source->divisor;
            return page;
        }
    }
    return NULL;
}

static bool lies_in(const cs_page_register *reg, uint64_t addr, cs_page_place *out)
{
    for (unsigned a = 0; a < reg->nr_addresses; a++) {
        const uint64_t base = reg->addresses[a];
        const uint64_t n = reg->stride != 0 && addr >= base ? (addr - base) / reg->stride : 0;
        const uint64_t at = base + n * reg->stride;

        if (n >= reg->count || addr < at || addr >= at + reg->span)
            continue;
        *out = (cs_page_place){.reg = reg,
                               .index = (unsigned)n * reg->nr_addresses + a,
                               .shift = (unsigned)(addr - at) * 8};
        return true;
    }
    return false;
}

/* What the source itself says comes before the scenario. */
static const char *variant_of(const cs_page *page, const char *variant,
                              const cs_probe_record *record)
{
    unsigned number;
    const char *name = cs_probe_source_kind(record->kind, record->source, &number);

    for (size_t i = 0; i < page->nr_sources && name != NULL; i++)
        if (page->sources[i].variant != NULL && is_of(&page->sources[i], record, name))
            return page->sources[i].variant;
    return variant;
}

bool cs_page_find(const cs_page *page, const char *variant, const cs_probe_record *record,
                  cs_page_place *out)
{
    variant = variant_of(page, variant, record);
    for (size_t i = 0; i < page->nr_registers; i++) {
        const cs_page_register *reg = &page->registers[i];

        if (variant != NULL && *reg->variant != '\0' && strcmp(variant, reg->variant) != 0)
            continue;
        if (lies_in(reg, record->addr, out))
            return true;
    }
    return false;
}

const char *cs_page_register_name(const cs_page_place *place, char *buffer, size_t size)
{
    const char *open = strchr(place->reg->name, '<');
    const char *close = open != NULL ? strchr(open, '>') : NULL;
    unsigned first = 0;

    if (close == NULL)
        return place->reg->name;
    sscanf(open + 1, "%u", &first);
    snprintf(buffer, size, "%.*s%u%s", (int)(open - place->reg->name), place->reg->name,
             first + place->index, close + 1);
    return buffer;
}

static const char *name_of(const cs_page_value *values, size_t nr, uint64_t value)
{
    for (size_t i = 0; i < nr; i++)
        if (values[i].value == value)
            return values[i].name;
    return NULL;
}

const char *cs_page_state_name(const cs_page *page, uint64_t state)
{
    return name_of(page->states, page->nr_states, state);
}

const char *cs_page_value_name(const cs_page *page, const cs_page_field *field, uint64_t value)
{
    return field->nr_values != 0
               ? name_of(&page->values[field->first_value], field->nr_values, value)
               : NULL;
}

/* What a section may be for: the register's key, the state. */
static const char *what_of(const cs_page *page, const char *variant, const cs_probe_record *record)
{
    cs_page_place place;
    const char *name = NULL;

    if (record->kind == CS_PROBE_REG && cs_page_find(page, variant, record, &place))
        name = place.reg->key;
    else if (record->kind == CS_PROBE_STATE)
        name = cs_page_state_name(page, record->value);
    return name != NULL ? name : "";
}

const cs_page_section *cs_page_governs(const cs_page *page, const char *variant,
                                       const cs_probe_record *record)
{
    static const cs_page_topic topics[] = {[CS_PROBE_BUS] = CS_PAGE_TRANSFER,
                                           [CS_PROBE_REG] = CS_PAGE_REGISTER,
                                           [CS_PROBE_STATE] = CS_PAGE_STATE,
                                           [CS_PROBE_IRQ] = CS_PAGE_IRQ,
                                           [CS_PROBE_SAMPLE] = CS_PAGE_SAMPLE};
    const char *what = what_of(page, variant, record);
    const cs_page_section *found = NULL;

    for (size_t i = 0; i < page->nr_sections; i++) {
        const cs_page_section *section = &page->sections[i];

        if (section->topic != topics[record->kind])
            continue;
        if (strcmp(section->what, what) == 0)
            return section;
        if (*section->what == '\0')
            found = section;
    }
    return found;
}

const char *cs_page_variant(const cs_page *page, const struct cs_scenario *scenario)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_page *unit = cs_sections[i].section->unit;

        if (unit != NULL && unit->variant != NULL && strcmp(unit->unit, page->unit) == 0)
            return unit->variant(scenario);
    }
    return NULL;
}

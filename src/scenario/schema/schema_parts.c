// SPDX-License-Identifier: Apache-2.0
#include "scenario/schema/schema_parts.h"

#include <stdio.h>

#include "scenario/scenario.h"
#include "scenario/section_list.h"

#define EVENT_NUMBER "(0[xX][0-9a-fA-F]{1,4}|0|[1-9][0-9]{0,4})"

void cs_schema_reference(cs_schema_json *json, const char *key, const char *name)
{
    char text[64];

    snprintf(text, sizeof text, "#/$defs/%s", name);
    cs_schema_json_string(json, key, text);
}

void cs_schema_refer(cs_schema_json *json, const char *name)
{
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_reference(json, "$ref", name);
    cs_schema_json_end(json, '}');
}

void cs_schema_range(cs_schema_json *json, const char *type, uint64_t min, uint64_t max,
                     uint64_t step)
{
    cs_schema_json_string(json, "type", type);
    cs_schema_json_number(json, "minimum", min);
    cs_schema_json_number(json, "maximum", max);
    if (step > 1)
        cs_schema_json_number(json, "multipleOf", step);
}

void cs_schema_integer(cs_schema_json *json, uint64_t min, uint64_t max, uint64_t step)
{
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_range(json, "integer", min, max, step);
    cs_schema_json_end(json, '}');
}

void cs_schema_pattern(cs_schema_json *json, const char *text)
{
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_string(json, "type", "string");
    cs_schema_json_string(json, "pattern", text);
    cs_schema_json_end(json, '}');
}

/* "x:0x21": events that are named by number, of CPUs and of units. */
static void numbered_pattern(cs_schema_json *json)
{
    char text[256];
    size_t n = (size_t)snprintf(text, sizeof text, "^(");
    const char *between = "";

    for (size_t i = 0; i < cs_nr_sections && n < sizeof text; i++) {
        const cs_section *section = cs_sections[i].section;
        const bool numbered = section->units != NULL && section->units->numbered;
        const char *prefix = numbered                ? section->name
                             : section->cpus != NULL ? section->cpus->prefix
                                                     : NULL;

        if (prefix == NULL)
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", between, prefix);
        between = "|";
    }
    if (n < sizeof text)
        snprintf(text + n, sizeof text - n, "):" EVENT_NUMBER "$");
    cs_schema_pattern(json, text);
}

/* All names, behind "<of>." if that is not empty; name_at may be NULL. */
static void put_names(cs_schema_json *json, const char *of, const char *(*name_at)(size_t index))
{
    for (size_t i = 0; name_at != NULL && name_at(i) != NULL; i++) {
        char name[96];

        snprintf(name, sizeof name, "%s%s%s", of, of[0] != '\0' ? "." : "", name_at(i));
        cs_schema_json_string(json, NULL, name);
    }
}

static void put_event_names(cs_schema_json *json, const cs_event_names *names)
{
    uint32_t number;

    for (size_t i = 0; names != NULL && names->at(i, &number) != NULL; i++)
        cs_schema_json_string(json, NULL, names->at(i, &number));
}

static void event_definitions(cs_schema_json *json)
{
    cs_schema_json_begin(json, "event_name", '{');
    cs_schema_json_begin(json, "enum", '[');
    for (size_t i = 0; i < cs_nr_sections; i++)
        put_event_names(json, cs_sections[i].section->names);
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');

    cs_schema_json_begin(json, "unit_event", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    for (size_t i = 0; i < cs_nr_sections; i++)
        for (const char *const *p = cs_sections[i].section->event_patterns; p != NULL && *p != NULL;
             p++)
            cs_schema_pattern(json, *p);
    numbered_pattern(json);
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');

    cs_schema_json_begin(json, "event_number", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_integer(json, 0, 0xffff, 1);
    cs_schema_refer(json, "event_name");
    cs_schema_refer(json, "unit_event");
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');

    cs_schema_json_begin(json, "events", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_refer(json, "event_number");
    cs_schema_pattern(json, "^" EVENT_NUMBER "(-" EVENT_NUMBER ")?$");
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
}

static void cpu_definitions(cs_schema_json *json)
{
    cs_schema_json_begin(json, "cpu", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_integer(json, 0, CS_MAX_CPUS - 1, 1);
    cs_schema_pattern(json, "^[0-9]{1,3}-[0-9]{1,3}$");
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');

    cs_schema_json_begin(json, "cpus", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_string(json, "const", "all");
    cs_schema_json_end(json, '}');
    cs_schema_refer(json, "cpu");
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_string(json, "type", "array");
    cs_schema_json_begin(json, "items", '{');
    cs_schema_reference(json, "$ref", "cpu");
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
}

static void address_definition(cs_schema_json *json)
{
    cs_schema_json_begin(json, "address", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_integer(json, 0, UINT64_MAX, 1);
    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->registers != NULL &&
            cs_sections[i].section->registers->pattern != NULL)
            cs_schema_pattern(json, cs_sections[i].section->registers->pattern);
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_begin(json, "enum", '[');
    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->registers != NULL)
            put_names(json, cs_sections[i].section->name, cs_sections[i].section->registers->name);
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
}

static void require(cs_schema_json *json, const char *const names[], size_t count)
{
    cs_schema_json_begin(json, "required", '[');
    for (size_t i = 0; i < count && names[i] != NULL; i++)
        cs_schema_json_string(json, NULL, names[i]);
    cs_schema_json_end(json, ']');
}

/* "if" software.kind is this one, or a list with it. The default also where the key is left out. */
static void if_kind(cs_schema_json *json, const cs_software_rule *rule)
{
    const bool fallback = rule->kind == 0;

    cs_schema_json_begin(json, "if", '{');
    cs_schema_json_begin(json, "properties", '{');
    cs_schema_json_begin(json, "software", '{');
    cs_schema_json_begin(json, "properties", '{');
    cs_schema_json_begin(json, "kind", '{');
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_string(json, "const", cs_software_name(rule->kind));
    cs_schema_json_end(json, '}');
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_string(json, "type", "array");
    cs_schema_json_begin(json, "contains", '{');
    cs_schema_json_string(json, "const", cs_software_name(rule->kind));
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    if (!fallback)
        require(json, (const char *const[]){"kind"}, 1);
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    if (!fallback)
        require(json, (const char *const[]){"software"}, 1);
    cs_schema_json_end(json, '}');
}

/* Each kind of software has its own section, which is not allowed without it; section perf says kinds,
 * and what they do, in place of both. */
static void else_without(cs_schema_json *json, const cs_section *section)
{
    const bool named = section->perf != NULL;

    cs_schema_json_begin(json, "else", '{');
    if (named) {
        cs_schema_json_begin(json, "anyOf", '[');
        cs_schema_json_begin(json, NULL, '{');
        require(json, (const char *const[]){"perf"}, 1);
        cs_schema_json_end(json, '}');
        cs_schema_json_begin(json, NULL, '{');
    }
    cs_schema_json_begin(json, "properties", '{');
    cs_schema_json_word(json, section->name, "false");
    cs_schema_json_end(json, '}');
    if (named) {
        cs_schema_json_end(json, '}');
        cs_schema_json_end(json, ']');
    }
    cs_schema_json_end(json, '}');
}

void cs_schema_software(cs_schema_json *json)
{
    cs_schema_json_begin(json, "allOf", '[');
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;
        const cs_software_rule *rule = section->software;

        if (rule == NULL)
            continue;
        cs_schema_json_begin(json, NULL, '{');
        if_kind(json, rule);
        cs_schema_json_begin(json, "then", '{');
        require(json, rule->needs, sizeof rule->needs / sizeof rule->needs[0]);
        cs_schema_json_end(json, '}');
        else_without(json, section);
        cs_schema_json_end(json, '}');
    }
    cs_schema_json_end(json, ']');
}

void cs_schema_definitions(cs_schema_json *json)
{
    event_definitions(json);
    cpu_definitions(json);
    address_definition(json);
}

#include "scenario/schema/schema_parts.h"

#include <stdio.h>

#include "formats/riscv/read/pmu_map.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/pmcu/pmcu_registers.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

#define EVENT_NUMBER "(0[xX][0-9a-fA-F]{1,4}|0|[1-9][0-9]{0,4})"
#define IMC_CODE "(0[xX]0*[0-7]?[0-9a-fA-F]|0|[1-9][0-9]?|1[01][0-9]|12[0-7])"
#define NEST_OFFSET "(0[xX]0*[0-7]?[0-9a-fA-F]?[08]|0|[1-9][0-9]{0,3})"

void cs_schema_reference(cs_json *json, const char *key, const char *name)
{
    char text[64];

    snprintf(text, sizeof text, "#/$defs/%s", name);
    cs_json_string(json, key, text);
}

void cs_schema_refer(cs_json *json, const char *name)
{
    cs_json_begin(json, NULL, '{');
    cs_schema_reference(json, "$ref", name);
    cs_json_end(json, '}');
}

void cs_schema_range(cs_json *json, const char *type, uint64_t min, uint64_t max, uint64_t step)
{
    cs_json_string(json, "type", type);
    cs_json_number(json, "minimum", min);
    cs_json_number(json, "maximum", max);
    if (step > 1)
        cs_json_number(json, "multipleOf", step);
}

void cs_schema_integer(cs_json *json, uint64_t min, uint64_t max, uint64_t step)
{
    cs_json_begin(json, NULL, '{');
    cs_schema_range(json, "integer", min, max, step);
    cs_json_end(json, '}');
}

void cs_schema_pattern(cs_json *json, const char *text)
{
    cs_json_begin(json, NULL, '{');
    cs_json_string(json, "type", "string");
    cs_json_string(json, "pattern", text);
    cs_json_end(json, '}');
}

/* "hpm:0x21", and the events of units that are named by number. */
static void numbered_pattern(cs_json *json)
{
    char text[256];
    size_t n = (size_t)snprintf(text, sizeof text, "^(hpm");

    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->units != NULL && cs_sections[i].section->units->numbered)
            n += (size_t)snprintf(text + n, sizeof text - n, "|%s", cs_sections[i].section->name);
    snprintf(text + n, sizeof text - n, "):" EVENT_NUMBER "$");
    cs_schema_pattern(json, text);
}

static void event_definitions(cs_json *json)
{
    cs_json_begin(json, "event_name", '{');
    cs_json_begin(json, "enum", '[');
    for (size_t i = 0; i < cs_arm_event_count(); i++)
        cs_json_string(json, NULL, cs_arm_event_at(i)->name);
    for (size_t i = 0; cs_riscv_event_at(i) != NULL; i++)
        cs_json_string(json, NULL, cs_riscv_event_at(i)->name);
    cs_json_end(json, ']');
    cs_json_end(json, '}');

    /* A catalog's names begin as the kernel's do; others can be given as PMU/EVENT. */
    cs_json_begin(json, "unit_event", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_schema_pattern(json, "^cpmc([12]:" IMC_CODE "|[34])$");
    cs_schema_pattern(json, "^nest:" NEST_OFFSET "$");
    cs_schema_pattern(json, "^C?PM_[0-9A-Za-z_]+$");
    cs_schema_pattern(json, "^[^/]+/[^/]+/?$");
    numbered_pattern(json);
    cs_json_end(json, ']');
    cs_json_end(json, '}');

    cs_json_begin(json, "event_number", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_schema_integer(json, 0, 0xffff, 1);
    cs_schema_refer(json, "event_name");
    cs_schema_refer(json, "unit_event");
    cs_json_end(json, ']');
    cs_json_end(json, '}');

    cs_json_begin(json, "events", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_schema_refer(json, "event_number");
    cs_schema_pattern(json, "^" EVENT_NUMBER "(-" EVENT_NUMBER ")?$");
    cs_json_end(json, ']');
    cs_json_end(json, '}');
}

static void cpu_definitions(cs_json *json)
{
    cs_json_begin(json, "cpu", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_schema_integer(json, 0, CS_MAX_CPUS - 1, 1);
    cs_schema_pattern(json, "^[0-9]{1,3}-[0-9]{1,3}$");
    cs_json_end(json, ']');
    cs_json_end(json, '}');

    cs_json_begin(json, "cpus", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_json_begin(json, NULL, '{');
    cs_json_string(json, "const", "all");
    cs_json_end(json, '}');
    cs_schema_refer(json, "cpu");
    cs_json_begin(json, NULL, '{');
    cs_json_string(json, "type", "array");
    cs_json_begin(json, "items", '{');
    cs_schema_reference(json, "$ref", "cpu");
    cs_json_end(json, '}');
    cs_json_end(json, '}');
    cs_json_end(json, ']');
    cs_json_end(json, '}');
}

static void address_definition(cs_json *json)
{
    cs_json_begin(json, "address", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_schema_integer(json, 0, UINT64_MAX, 1);
    cs_schema_pattern(json, "^imc\\.[0-9]+\\.([A-Z_]+|[0-3]\\.LDBAR)$");
    cs_json_begin(json, NULL, '{');
    cs_json_begin(json, "enum", '[');
    for (size_t i = 0; cs_pmcu_register_name(i) != NULL; i++) {
        char name[64];

        snprintf(name, sizeof name, "pmcu.%s", cs_pmcu_register_name(i));
        cs_json_string(json, NULL, name);
    }
    cs_json_end(json, ']');
    cs_json_end(json, '}');
    cs_json_end(json, ']');
    cs_json_end(json, '}');
}

static void require(cs_json *json, const char *const names[], size_t count)
{
    cs_json_begin(json, "required", '[');
    for (size_t i = 0; i < count && names[i] != NULL; i++)
        cs_json_string(json, NULL, names[i]);
    cs_json_end(json, ']');
}

/* "if" software.kind is this one, or a list with it. The default also where the key is left out. */
static void if_kind(cs_json *json, const cs_software_rule *rule)
{
    const bool fallback = rule->kind == 0;

    cs_json_begin(json, "if", '{');
    cs_json_begin(json, "properties", '{');
    cs_json_begin(json, "software", '{');
    cs_json_begin(json, "properties", '{');
    cs_json_begin(json, "kind", '{');
    cs_json_begin(json, "anyOf", '[');
    cs_json_begin(json, NULL, '{');
    cs_json_string(json, "const", rule->name);
    cs_json_end(json, '}');
    cs_json_begin(json, NULL, '{');
    cs_json_string(json, "type", "array");
    cs_json_begin(json, "contains", '{');
    cs_json_string(json, "const", rule->name);
    cs_json_end(json, '}');
    cs_json_end(json, '}');
    cs_json_end(json, ']');
    cs_json_end(json, '}');
    cs_json_end(json, '}');
    if (!fallback)
        require(json, (const char *const[]){"kind"}, 1);
    cs_json_end(json, '}');
    cs_json_end(json, '}');
    if (!fallback)
        require(json, (const char *const[]){"software"}, 1);
    cs_json_end(json, '}');
}

/* Each kind of software has its own section, which is not allowed without it. */
void cs_schema_software(cs_json *json)
{
    cs_json_begin(json, "allOf", '[');
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;
        const cs_software_rule *rule = section->software;

        if (rule == NULL)
            continue;
        cs_json_begin(json, NULL, '{');
        if_kind(json, rule);
        cs_json_begin(json, "then", '{');
        require(json, rule->needs, sizeof rule->needs / sizeof rule->needs[0]);
        cs_json_end(json, '}');
        cs_json_begin(json, "else", '{');
        cs_json_begin(json, "properties", '{');
        cs_json_word(json, section->name, "false");
        cs_json_end(json, '}');
        cs_json_end(json, '}');
        cs_json_end(json, '}');
    }
    cs_json_end(json, ']');
}

void cs_schema_definitions(cs_json *json)
{
    event_definitions(json);
    cpu_definitions(json);
    address_definition(json);
}

// SPDX-License-Identifier: Apache-2.0
#include "scenario/schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "scenario/keys.h"
#include "scenario/schema/schema_parts.h"
#include "scenario/yaml/number.h"

#define MAX_SHAPES 64u
#define HEX_WORD "(0[xX])?0*[0-9a-fA-F]{1,4}"

/* Shapes that are referred to, each once. */
typedef struct shape_list {
    const cs_key_shape *shapes[MAX_SHAPES];
    size_t count;
} shape_list;

static void collect(shape_list *list, const cs_key_shape *shape)
{
    for (size_t i = 0; i < shape->nr_keys; i++) {
        const cs_key *key = &shape->keys[i];
        bool known = key->shape == NULL;

        if (key->type == CS_KEY_LIST || key->without != NULL) {
            for (size_t k = 0; k < list->count; k++)
                known |= list->shapes[k] == key->shape;
            if (!known && list->count < MAX_SHAPES)
                list->shapes[list->count++] = key->shape;
        }
        if (!known)
            collect(list, key->shape);
    }
}

static void choices(cs_schema_json *json, const cs_key *key)
{
    cs_schema_json_begin(json, "enum", '[');
    for (const cs_key_choice *c = key->choices; c->name != NULL; c++) {
        if (c->name[strspn(c->name, "0123456789")] == '\0')
            cs_schema_json_word(json, NULL, c->name);
        else
            cs_schema_json_string(json, NULL, c->name);
    }
    cs_schema_json_end(json, ']');
}

static void user_events(cs_schema_json *json)
{
    cs_schema_json_begin(json, "anyOf", '[');
    cs_schema_pattern(json, "^\\s*(" HEX_WORD "(-" HEX_WORD ")?(\\s+|$))*$");
    cs_schema_integer(json, 0, 9999, 1); /* "11" is 0x11 and looks like a number */
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_string(json, "type", "array");
    cs_schema_json_begin(json, "items", '{');
    cs_schema_reference(json, "$ref", "events");
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, ']');
}

/* A reference to the key's shape, less the key that is not allowed here. */
static void reference_of(cs_schema_json *json, const cs_key *key)
{
    cs_schema_reference(json, "$ref", key->shape->name);
    if (key->without == NULL)
        return;
    cs_schema_json_begin(json, "not", '{');
    cs_schema_json_begin(json, "required", '[');
    cs_schema_json_string(json, NULL, key->without);
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
}

static void list_of(cs_schema_json *json, const cs_key *key)
{
    cs_schema_json_string(json, "type", "array");
    cs_schema_json_number(json, "minItems", key->min);
    cs_schema_json_number(json, "maxItems", key->max);
    cs_schema_json_begin(json, "items", '{');
    reference_of(json, key);
    cs_schema_json_end(json, '}');
}

/* What an editor shows of the key: its text, and the words that it takes with what they mean. */
static void description_of(cs_schema_json *json, const cs_key *key)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", key->text);
    const char *between = ". ";

    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL; c++) {
        if (c->text == NULL || *c->text == '\0' || used >= sizeof text)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s", between, c->name,
                                 c->text);
        between = "; ";
    }
    cs_schema_json_string(json, "description", text);
}

static void shape_of(cs_schema_json *json, const cs_key_shape *shape);

static void map_of(cs_schema_json *json, const cs_key *key)
{
    if (key->without == NULL)
        shape_of(json, key->shape);
    else
        reference_of(json, key);
}

/* Any of the top's keys, none of them needed. */
static void overlay_of(cs_schema_json *json)
{
    const cs_key_shape *top = cs_scenario_shape();

    cs_schema_json_string(json, "type", "object");
    cs_schema_json_word(json, "additionalProperties", "false");
    cs_schema_json_begin(json, "properties", '{');
    for (size_t i = 0; i < top->nr_keys; i++) {
        char text[64];

        if (strncmp(top->keys[i].name, "way", 3) == 0)
            continue;
        snprintf(text, sizeof text, "#/properties/%s", top->keys[i].name);
        cs_schema_json_begin(json, top->keys[i].name, '{');
        cs_schema_json_string(json, "$ref", text);
        cs_schema_json_end(json, '}');
    }
    cs_schema_json_end(json, '}');
}

static void type_of(cs_schema_json *json, const cs_key *key)
{
    switch (key->type) {
    case CS_KEY_MAP:
        map_of(json, key);
        break;
    case CS_KEY_LIST:
        list_of(json, key);
        break;
    case CS_KEY_NUMBER:
        cs_schema_range(json, "integer", key->min, key->max, key->step);
        break;
    case CS_KEY_SIZE:
        cs_schema_json_begin(json, "anyOf", '[');
        cs_schema_integer(json, key->min, key->max, key->step);
        cs_schema_pattern(json, "^(0|[1-9][0-9]*) ?(KiB|MiB|GiB)$");
        cs_schema_json_end(json, ']');
        break;
    case CS_KEY_TIME:
        cs_schema_json_string(json, "type", "string");
        cs_schema_json_string(json, "pattern", "^(0|[1-9][0-9]*)(\\.[0-9]+)?(us|ms|s)$");
        break;
    case CS_KEY_FLAG:
        cs_schema_json_string(json, "type", "boolean");
        break;
    case CS_KEY_CHOICE:
        choices(json, key);
        break;
    case CS_KEY_CHOICES:
        cs_schema_json_begin(json, "anyOf", '[');
        cs_schema_json_begin(json, NULL, '{');
        choices(json, key);
        cs_schema_json_end(json, '}');
        cs_schema_json_begin(json, NULL, '{');
        cs_schema_json_string(json, "type", "array");
        cs_schema_json_number(json, "minItems", strcmp(key->fallback, "[]") != 0);
        cs_schema_json_word(json, "uniqueItems", "true");
        cs_schema_json_begin(json, "items", '{');
        choices(json, key);
        cs_schema_json_end(json, '}');
        cs_schema_json_end(json, '}');
        cs_schema_json_end(json, ']');
        break;
    case CS_KEY_RATE:
        cs_schema_range(json, "number", key->min, key->max, 1);
        break;
    case CS_KEY_LABEL:
        cs_schema_json_string(json, "type", "string");
        cs_schema_json_string(json, "pattern", "^[A-Za-z0-9_-][A-Za-z0-9_.-]*$");
        cs_schema_json_number(json, "maxLength", key->max);
        break;
    case CS_KEY_NAME:
    case CS_KEY_FILE:
        cs_schema_json_string(json, "type", "string");
        cs_schema_json_number(json, "minLength", key->min);
        cs_schema_json_number(json, "maxLength", key->max);
        break;
    case CS_KEY_LOADED:
        cs_schema_json_string(json, "type", "string");
        cs_schema_json_number(json, "minLength", 1);
        break;
    case CS_KEY_NAMES:
        cs_schema_json_string(json, "type", "array");
        cs_schema_json_begin(json, "items", '{');
        cs_schema_json_string(json, "type", "string");
        cs_schema_json_number(json, "minLength", 1);
        cs_schema_json_number(json, "maxLength", key->max);
        cs_schema_json_end(json, '}');
        break;
    case CS_KEY_OVERLAY:
        overlay_of(json);
        break;
    case CS_KEY_CPUS:
        cs_schema_reference(json, "$ref", "cpus");
        break;
    case CS_KEY_EVENT:
        cs_schema_reference(json, "$ref", "event_number");
        break;
    case CS_KEY_EVENTS:
        cs_schema_reference(json, "$ref", "events");
        break;
    case CS_KEY_USER_EVENTS:
        user_events(json);
        break;
    case CS_KEY_ADDRESS:
        cs_schema_reference(json, "$ref", "address");
        break;
    }
}

static void fallback_of(cs_schema_json *json, const cs_key *key)
{
    uint64_t number;

    if (key->fallback == NULL || key->fallback[0] == '=' || key->fallback[0] == '[' ||
        key->fallback[0] == '{')
        return;
    if (key->type == CS_KEY_FLAG)
        cs_schema_json_word(json, "default", key->fallback);
    else if (cs_number_read(key->fallback, strlen(key->fallback), &number) == CS_NUMBER_OK)
        cs_schema_json_number(json, "default", number);
    else
        cs_schema_json_string(json, "default", key->fallback);
}

static void name_list(cs_schema_json *json, const cs_key *selector, const cs_key_choice *choice,
                      const cs_key_shape *shape, cs_key_need need)
{
    for (size_t i = 0; i < shape->nr_keys; i++) {
        const char *name = shape->keys[i].name;

        if (cs_key_need_of(selector, choice, name) != need)
            continue;
        if (need == CS_KEY_NEEDED)
            cs_schema_json_string(json, NULL, name);
        else
            cs_schema_json_word(json, name, "false");
    }
}

/* What a choice needs and excludes. `if` without "required" also holds where the
 * key is left out: right for the choice that is the default. */
static void condition(cs_schema_json *json, const cs_key *selector, const cs_key_choice *choice,
                      const cs_key_shape *shape)
{
    cs_schema_json_begin(json, NULL, '{');
    cs_schema_json_begin(json, "if", '{');
    cs_schema_json_begin(json, "properties", '{');
    cs_schema_json_begin(json, selector->name, '{');
    cs_schema_json_string(json, "const", choice->name);
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    if (selector->fallback == NULL || strcmp(selector->fallback, choice->name) != 0) {
        cs_schema_json_begin(json, "required", '[');
        cs_schema_json_string(json, NULL, selector->name);
        cs_schema_json_end(json, ']');
    }
    cs_schema_json_end(json, '}');
    cs_schema_json_begin(json, "then", '{');
    cs_schema_json_begin(json, "required", '[');
    name_list(json, selector, choice, shape, CS_KEY_NEEDED);
    cs_schema_json_end(json, ']');
    cs_schema_json_begin(json, "properties", '{');
    name_list(json, selector, choice, shape, CS_KEY_REFUSED);
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
    cs_schema_json_end(json, '}');
}

static bool selects(const cs_key *key)
{
    bool any = false;

    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL; c++)
        any |= c->needs != NULL || c->may != NULL;
    return any;
}

static void conditions(cs_schema_json *json, const cs_key_shape *shape)
{
    bool any = false;

    for (size_t i = 0; i < shape->nr_keys; i++)
        any |= selects(&shape->keys[i]);
    if (!any)
        return;
    cs_schema_json_begin(json, "allOf", '[');
    for (size_t i = 0; i < shape->nr_keys; i++)
        if (selects(&shape->keys[i]))
            for (const cs_key_choice *c = shape->keys[i].choices; c->name != NULL; c++)
                condition(json, &shape->keys[i], c, shape);
    cs_schema_json_end(json, ']');
}

/* Two keys of one map that exclude each other. */
static void not_both(cs_schema_json *json, const char *a, const char *b)
{
    cs_schema_json_begin(json, "not", '{');
    cs_schema_json_begin(json, "required", '[');
    cs_schema_json_string(json, NULL, a);
    cs_schema_json_string(json, NULL, b);
    cs_schema_json_end(json, ']');
    cs_schema_json_end(json, '}');
}

static void shape_of(cs_schema_json *json, const cs_key_shape *shape)
{
    cs_schema_json_string(json, "type", "object");
    cs_schema_json_word(json, "additionalProperties", "false");
    if (shape->one) {
        cs_schema_json_number(json, "minProperties", 1);
        cs_schema_json_number(json, "maxProperties", 1);
    } else {
        cs_schema_json_begin(json, "required", '[');
        for (size_t i = 0; i < shape->nr_keys; i++)
            if (shape->keys[i].fallback == NULL)
                cs_schema_json_string(json, NULL, shape->keys[i].name);
        cs_schema_json_end(json, ']');
    }
    cs_schema_json_begin(json, "properties", '{');
    for (size_t i = 0; i < shape->nr_keys; i++) {
        const cs_key *key = &shape->keys[i];

        cs_schema_json_begin(json, key->name, '{');
        description_of(json, key);
        type_of(json, key);
        fallback_of(json, key);
        cs_schema_json_end(json, '}');
    }
    cs_schema_json_end(json, '}');
    conditions(json, shape);
    if (shape->only_one[0] != NULL)
        not_both(json, shape->only_one[0], shape->only_one[1]);
}

void cs_scenario_schema(cs_scenario_writer write, void *ctx)
{
    cs_schema_json json = {.write = write, .ctx = ctx, .first = true};
    shape_list list = {.count = 0};

    collect(&list, cs_scenario_shape());
    cs_schema_json_begin(&json, NULL, '{');
    cs_schema_json_string(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cs_schema_json_string(&json, "title", "Countersink scenario");
    shape_of(&json, cs_scenario_shape());
    cs_schema_software(&json);
    cs_schema_json_begin(&json, "$defs", '{');
    for (size_t i = 0; i < list.count; i++) {
        cs_schema_json_begin(&json, list.shapes[i]->name, '{');
        shape_of(&json, list.shapes[i]);
        cs_schema_json_end(&json, '}');
    }
    cs_schema_definitions(&json);
    cs_schema_json_end(&json, '}');
    cs_schema_json_end(&json, '}');
    write(ctx, "\n", 1);
}

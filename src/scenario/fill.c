// SPDX-License-Identifier: Apache-2.0
#include "scenario/fill.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenario/cpus.h"
#include "scenario/perf/perf_lower.h"
#include "scenario/section_list.h"
#include "scenario/yaml/suggest.h"

#define MAX_KEYS 48u
#define FOUND_BYTES 64u

static cs_status error_at(const cs_fill *fill, const char *where, unsigned line, unsigned column,
                          const char *format, va_list args)
{
    char text[400], written[sizeof fill->path];

    vsnprintf(text, sizeof text, format, args);
    cs_yaml_written(fill->root, fill->path, written, sizeof written);
    return cs_diag_set_at(fill->diag, CS_ERR_SCENARIO, where, line, column, "%s%s%s", written,
                          written[0] != '\0' ? ": " : "", text);
}

cs_status cs_fill_error(const cs_fill *fill, const cs_yaml_node *node, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cs_status status = error_at(fill, node->where, node->line, node->column, format, args);
    va_end(args);
    return status;
}

cs_status cs_fill_key_error(const cs_fill *fill, const cs_yaml_node *node, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cs_status status = error_at(fill, node->where, node->key_line, node->key_column, format, args);
    va_end(args);
    return status;
}

const char *cs_fill_found(const cs_yaml_node *node, char *buffer, size_t size)
{
    if (node->kind != CS_YAML_SCALAR)
        snprintf(buffer, size, "%s", node->kind == CS_YAML_LIST ? "a list" : "a map");
    else if (node->text[0] == '\0')
        snprintf(buffer, size, "nothing");
    else
        snprintf(buffer, size, "\"%.40s%s\"", node->text, strlen(node->text) > 40 ? "..." : "");
    for (char *c = buffer; *c != '\0'; c++)
        if (*c == '\n' || *c == '\t' || *c == '\r')
            *c = ' ';
    return buffer;
}

static size_t push(cs_fill *fill, const char *step)
{
    size_t length = strlen(fill->path);

    snprintf(fill->path + length, sizeof fill->path - length, "%s%s", length > 0 ? "." : "", step);
    return length;
}

static void pop(cs_fill *fill, size_t length)
{
    fill->path[length] = '\0';
}

static cs_status fill_map(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node,
                          const char *without, void *object);

/* The value as a node, for the defaults. */
static cs_yaml_node fallback_node(const cs_key *key)
{
    return (cs_yaml_node){
        .kind = strcmp(key->fallback, "[]") == 0   ? CS_YAML_LIST
                : strcmp(key->fallback, "{}") == 0 ? CS_YAML_MAP
                                                   : CS_YAML_SCALAR,
        .plain = true,
        .where = "",
        .text = key->fallback,
    };
}

static cs_status fill_list(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    char found[FOUND_BYTES], allowed[64];

    if (node->kind != CS_YAML_LIST)
        return cs_fill_error(fill, node, "%s is not a list",
                             cs_fill_found(node, found, sizeof found));
    if (node->count < key->min || node->count > key->max)
        return cs_fill_error(fill, node, "%zu elements; %s is allowed", node->count,
                             cs_key_allowed(key, allowed, sizeof allowed));

    char *elements = NULL;
    if (node->count > 0) {
        elements = cs_yaml_alloc(fill->memory, node->count * key->shape->bytes, fill->diag);
        if (elements == NULL)
            return CS_ERR_NO_MEMORY;
    }
    memcpy((char *)object + key->offset, &elements, sizeof elements);
    memcpy((char *)object + key->count_offset, &node->count, sizeof node->count);

    size_t number = 0;
    for (const cs_yaml_node *child = node->first; child != NULL; child = child->next, number++) {
        char step[24];

        snprintf(step, sizeof step, "%zu", number);
        size_t length = push(fill, step);
        cs_status status =
            fill_map(fill, key->shape, child, key->without, elements + number * key->shape->bytes);
        if (cs_fill_keep_error(fill, status, length) != CS_OK)
            return status;
        pop(fill, length);
    }
    return CS_OK;
}

static cs_status fill_key(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    size_t length = push(fill, key->name);
    cs_status status;

    if (key->through != 0)
        memcpy(&object, (char *)object + key->through - 1, sizeof object);

    if (key->type == CS_KEY_MAP)
        status = fill_map(fill, key->shape, node, key->without, (char *)object + key->offset);
    else if (key->type == CS_KEY_LIST)
        status = fill_list(fill, key, node, object);
    else
        status = cs_fill_value(fill, key, node, object);
    if (status == CS_OK)
        pop(fill, length);
    return status;
}

/* perf[0], as other tools write it. */
static cs_status bracketed_key(cs_fill *fill, const cs_yaml_node *node)
{
    const size_t name = strcspn(node->key, "[");
    const char *item = node->key + name + 1;

    return cs_fill_key_error(fill, node,
                             "there is no such key; an item of a list is written %.*s.%.*s",
                             (int)name, node->key, (int)strcspn(item, "]"), item);
}

static cs_status unknown_key(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node)
{
    cs_suggest suggest = cs_suggest_begin(node->key);
    char known[300] = "";
    size_t n = 0;

    for (size_t i = 0; i < shape->nr_keys; i++) {
        cs_suggest_offer(&suggest, shape->keys[i].name);
        if (n < sizeof known)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i > 0 ? ", " : "",
                                  shape->keys[i].name);
    }
    char shown[FOUND_BYTES];
    snprintf(shown, sizeof shown, "%.48s", node->key);
    push(fill, shown);
    const char *now = shape == cs_scenario_shape() ? cs_scenario_key_now(node->key) : NULL;
    if (now != NULL)
        return cs_fill_key_error(fill, node, "this section is called %s now", now);
    if (strchr(node->key, '[') != NULL)
        return bracketed_key(fill, node);
    const char *near = cs_suggest_end(&suggest);
    if (near != NULL)
        return cs_fill_key_error(fill, node, "there is no such key; did you mean %s?", near);
    return cs_fill_key_error(fill, node, "there is no such key; here are %s", known);
}

static cs_status refused_key(cs_fill *fill, const cs_yaml_node *node, const cs_yaml_node *before)
{
    push(fill, node->key);
    return before != NULL
               ? cs_fill_key_error(fill, node, "given twice, first in line %u", before->key_line)
               : cs_fill_key_error(fill, node, "not allowed here");
}

/* Which keys of the shape the map gives; each at most once. */
static cs_status sort_keys(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node,
                           const char *without, const cs_yaml_node *given[])
{
    const size_t length = strlen(fill->path);
    cs_status status = CS_OK;

    for (const cs_yaml_node *child = node->first; child != NULL && status == CS_OK;
         child = child->next) {
        size_t i = 0;

        while (i < shape->nr_keys && strcmp(shape->keys[i].name, child->key) != 0)
            i++;
        if (i == shape->nr_keys)
            status = unknown_key(fill, shape, child);
        else if (given[i] != NULL || (without != NULL && strcmp(without, child->key) == 0))
            status = refused_key(fill, child, given[i]);
        else
            given[i] = child;
        status = cs_fill_keep_error(fill, status, length);
    }
    return status;
}

/* Exactly one of the keys. */
static cs_status fill_one(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node,
                          const cs_yaml_node *given[], void *object)
{
    for (size_t i = 0; i < shape->nr_keys; i++) {
        if (given[i] == NULL)
            continue;
        if (node->count != 1)
            break;
        const unsigned which = (unsigned)i;
        memcpy((char *)object + shape->which, &which, sizeof which);
        return fill_key(fill, &shape->keys[i], given[i], object);
    }
    return cs_fill_error(fill, node, "%zu keys where exactly one is expected", node->count);
}

/* The keys that a choice needs, and those that it excludes. */
static cs_status check_choice(cs_fill *fill, const cs_key_shape *shape, const cs_key *selector,
                              const cs_yaml_node *node, const cs_yaml_node *chosen,
                              const cs_yaml_node *given[])
{
    if (chosen == NULL && selector->fallback[0] == '=')
        return CS_OK; /* computed later; such a choice needs no other key */
    const char *word = chosen != NULL ? chosen->text : selector->fallback;
    const cs_key_choice *choice = selector->choices;

    while (strcmp(choice->name, word) != 0)
        choice++;
    for (size_t i = 0; i < shape->nr_keys; i++) {
        const char *name = shape->keys[i].name;
        cs_key_need need = cs_key_need_of(selector, choice, name);

        if (need == CS_KEY_NEEDED && given[i] == NULL) {
            push(fill, name);
            return cs_fill_error(fill, node, "required by %s %s", selector->name, word);
        }
        if (need == CS_KEY_REFUSED && given[i] != NULL) {
            push(fill, name);
            return cs_fill_key_error(fill, given[i], "not allowed with %s %s", selector->name,
                                     word);
        }
    }
    return CS_OK;
}

/* The key's value, or its default. `sure`: a key that is not given was not misspelt either. */
static cs_status fill_or_default(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                                 const cs_yaml_node *given, bool sure, void *object)
{
    if (given != NULL)
        return fill_key(fill, key, given, object);
    if (key->fallback == NULL && !sure)
        return CS_OK;
    if (key->fallback == NULL) {
        push(fill, key->name);
        return cs_fill_error(fill, node, "missing; it is required");
    }
    if (key->fallback[0] == '=')
        return CS_OK;
    const cs_yaml_node fallback = fallback_node(key);

    return fill_key(fill, key, &fallback, object);
}

/* Those that are read last, or all others; which of them are wrong. */
static cs_status fill_some(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node,
                           const cs_yaml_node *given[], bool sure, void *object, bool last,
                           bool bad[])
{
    const size_t length = strlen(fill->path);
    cs_status status = CS_OK;

    for (size_t i = 0; i < shape->nr_keys && status == CS_OK; i++) {
        const cs_key *key = &shape->keys[i];

        if (key->last != last)
            continue;
        if (object == (void *)fill->scenario)
            fill->nr_before = fill->nr_errors;
        status = fill_or_default(fill, key, node, given[i], sure, object);
        bad[i] = status != CS_OK;
        fill->no_events |= bad[i] && key->type == CS_KEY_LOADED;
        status = cs_fill_keep_error(fill, status, length);
        if (object == (void *)fill->scenario)
            cs_scenario_count_cpus(fill->scenario);
    }
    return status;
}

/* perf's commands are known: they become keys of the drivers that carry them out, which are read last. */
static cs_status fill_last(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *given[],
                           bool bad[])
{
    const cs_status status = cs_perf_lower(fill);

    for (size_t i = 0; i < shape->nr_keys; i++)
        if (shape->keys[i].last && fill->nr_errors == 0)
            given[i] = cs_yaml_child(fill->root, shape->keys[i].name, strlen(shape->keys[i].name));
    return status == CS_OK
               ? fill_some(fill, shape, fill->root, given, true, fill->scenario, true, bad)
               : status;
}

static cs_status fill_all(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node,
                          const cs_yaml_node *given[], bool sure, void *object)
{
    const size_t length = strlen(fill->path);
    bool bad[MAX_KEYS] = {false};
    cs_status status = fill_some(fill, shape, node, given, sure, object, false, bad);

    if (status == CS_OK && object == (void *)fill->scenario)
        status = fill_last(fill, shape, given, bad);
    for (size_t i = 0; i < shape->nr_keys && status == CS_OK; i++)
        if (shape->keys[i].type == CS_KEY_CHOICE && !bad[i] && sure) {
            status = check_choice(fill, shape, &shape->keys[i], node, given[i], given);
            status = cs_fill_keep_error(fill, status, length);
        }
    return status;
}

static cs_status fill_map(cs_fill *fill, const cs_key_shape *shape, const cs_yaml_node *node,
                          const char *without, void *object)
{
    const cs_yaml_node *given[MAX_KEYS] = {NULL};
    char found[FOUND_BYTES];

    if (node->kind != CS_YAML_MAP)
        return cs_fill_error(fill, node, "%s is not a map of keys and values",
                             cs_fill_found(node, found, sizeof found));
    if (shape->line != 0) {
        const unsigned place[2] = {node->line, node->column};

        memcpy((char *)object + shape->line, place, sizeof place);
    }
    const size_t errors = fill->nr_errors;
    const cs_status status = sort_keys(fill, shape, node, without, given);
    const bool sure = fill->nr_errors == errors;

    if (status != CS_OK)
        return status;
    if (shape->one)
        return sure ? fill_one(fill, shape, node, given, object) : CS_OK;
    return fill_all(fill, shape, node, given, sure, object);
}

cs_status cs_fill_scenario(cs_fill *fill, cs_yaml_node *root)
{
    const cs_key_shape *shape = cs_scenario_shape();

    fill->path[0] = '\0';
    fill->root = root;
    cs_status status = CS_OK;

    for (size_t i = 0; i < cs_nr_sections && root->kind == CS_YAML_MAP && status == CS_OK; i++)
        if (cs_sections[i].section->prepare != NULL)
            status =
                cs_sections[i].section->prepare(fill->scenario, fill->memory, root, fill->diag);
    if (status != CS_OK)
        return status;
    status = cs_fill_keep_error(fill, fill_map(fill, shape, root, NULL, fill->scenario), 0);
    return status == CS_OK ? cs_fill_errors(fill) : status;
}

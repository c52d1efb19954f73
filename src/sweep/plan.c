// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "sweep/plan.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "scenario/yaml/suggest.h"
#include "scenario/yaml/yaml.h"
#include "sweep/range.h"

typedef struct reading {
    cs_sweep_plan *plan;
    cs_diag *diag;
} reading;

static cs_status refuse(const reading *r, const cs_yaml_node *node, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return cs_diag_set_at(r->diag, CS_ERR_SCENARIO, node->where, node->line, node->column, "%s",
                          text);
}

static cs_status scalar(const reading *r, const cs_yaml_node *node, const char **out)
{
    if (node->kind != CS_YAML_SCALAR || node->text[0] == '\0')
        return refuse(r, node, "%s: a word or number is expected", node->key);
    *out = node->text;
    return CS_OK;
}

/* ---- values ---- */

static cs_status make_value(const reading *r, const char *key, const cs_yaml_node *node,
                            cs_sweep_value *out)
{
    const size_t key_bytes = strlen(key);
    char *printed = cs_yaml_print(node, NULL);
    char *assignment, *shown;
    size_t bytes;

    if (printed == NULL)
        return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    if (node->kind == CS_YAML_SCALAR && node->plain && strcmp(node->text, "~") == 0) {
        free(printed);
        *out = (cs_sweep_value){.shown = node->text};
        return CS_OK;
    }
    bytes = strlen(printed);
    while (bytes > 0 && printed[bytes - 1] == '\n')
        printed[--bytes] = '\0';
    assignment = cs_yaml_alloc(r->plan->memory, key_bytes + bytes + 2, r->diag);
    shown = cs_yaml_copy(r->plan->memory, printed, bytes, r->diag);
    if (assignment != NULL)
        sprintf(assignment, "%s=%s", key, printed + strspn(printed, " "));
    free(printed);
    if (assignment == NULL || shown == NULL)
        return CS_ERR_NO_MEMORY;
    for (char *c = shown; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    shown += strspn(shown, " ");
    out->assignment = assignment;
    out->shown = node->kind == CS_YAML_SCALAR ? node->text : shown;
    return CS_OK;
}

static cs_status listed(const reading *r, const char *key, const cs_yaml_node *list,
                        cs_sweep_value **out, size_t *count)
{
    cs_status status = CS_OK;
    cs_sweep_value *values;

    if (list->count == 0)
        return refuse(r, list, "vary: %s: the list is empty", key);
    values = cs_yaml_alloc(r->plan->memory, list->count * sizeof *values, r->diag);
    if (values == NULL)
        return CS_ERR_NO_MEMORY;
    *count = 0;
    for (const cs_yaml_node *n = list->first; n != NULL && status == CS_OK; n = n->next)
        status = make_value(r, key, n, &values[(*count)++]);
    *out = values;
    return status;
}

static cs_status ranged(const reading *r, const char *key, const cs_yaml_node *map,
                        cs_sweep_value **out, size_t *count)
{
    cs_sweep_range range;
    cs_status status = cs_sweep_range_read(map, key, r->plan->seed, &range, r->diag);
    cs_sweep_value *values;

    if (status != CS_OK)
        return status;
    values = cs_yaml_alloc(r->plan->memory, range.count * sizeof *values, r->diag);
    if (values == NULL)
        return CS_ERR_NO_MEMORY;
    for (size_t i = 0; i < range.count && status == CS_OK; i++) {
        char text[CS_SWEEP_RANGE_TEXT];
        const char *kept = cs_sweep_range_text(&range, i, text);
        cs_yaml_node node = {.kind = CS_YAML_SCALAR, .plain = true, .text = kept};

        kept = cs_yaml_copy(r->plan->memory, text, strlen(text), r->diag);
        node.text = kept;
        status = kept != NULL ? make_value(r, key, &node, &values[i]) : CS_ERR_NO_MEMORY;
    }
    *out = values;
    *count = range.count;
    return status;
}

/* ---- axes ---- */

static bool is_varied(const cs_sweep_plan *plan, const char *key)
{
    for (size_t i = 0; i < plan->nr_keys; i++)
        if (strcmp(cs_sweep_key(plan, i), key) == 0)
            return true;
    return false;
}

static cs_status add_key(const reading *r, cs_sweep_axis *axis, const cs_yaml_node *node)
{
    cs_sweep_value **values = &axis->values[axis->nr_keys];
    cs_status status;
    size_t count = 0;

    if (is_varied(r->plan, node->key))
        return refuse(r, node, "vary: %s varies twice", node->key);
    if (r->plan->nr_keys == CS_SWEEP_MOST_KEYS)
        return refuse(r, node, "vary: more than %u keys", CS_SWEEP_MOST_KEYS);
    if (node->kind == CS_YAML_SCALAR)
        return refuse(r, node, "vary: %s: a list of values is expected, or {from: .., to: ..}",
                      node->key);
    status = node->kind == CS_YAML_LIST ? listed(r, node->key, node, values, &count)
                                        : ranged(r, node->key, node, values, &count);
    if (status != CS_OK)
        return status;
    if (axis->nr_keys != 0 && count != axis->count)
        return refuse(r, node, "vary: %s has %zu values, %s beside it has %zu", node->key, count,
                      axis->keys[0], axis->count);
    axis->count = count;
    axis->keys[axis->nr_keys++] = node->key;
    r->plan->nr_keys++;
    return CS_OK;
}

static cs_status read_vary(const reading *r, const cs_yaml_node *node)
{
    cs_sweep_plan *plan = r->plan;
    cs_status status = CS_OK;

    if (node->kind != CS_YAML_LIST || node->count == 0)
        return refuse(r, node, "vary: a list is expected, each item of it a key with its values");
    for (const cs_yaml_node *item = node->first; item != NULL && status == CS_OK;
         item = item->next) {
        if (item->kind != CS_YAML_MAP || item->count == 0)
            return refuse(r, item, "vary: a key with its values is expected");
        if (plan->nr_axes == CS_SWEEP_MOST_AXES)
            return refuse(r, item, "vary: more than %u items", CS_SWEEP_MOST_AXES);
        cs_sweep_axis *axis = &plan->axes[plan->nr_axes++];

        for (const cs_yaml_node *key = item->first; key != NULL && status == CS_OK; key = key->next)
            status = add_key(r, axis, key);
        if (status == CS_OK && plan->nr_points > CS_SWEEP_MOST_POINTS / axis->count)
            return refuse(r, item, "vary: more than %u points", CS_SWEEP_MOST_POINTS);
        plan->nr_points *= axis->count;
    }
    return status;
}

/* ---- the other keys ---- */

static cs_status read_name(const reading *r, const cs_yaml_node *node)
{
    return scalar(r, node, &r->plan->name);
}

static cs_status read_text(const reading *r, const cs_yaml_node *node)
{
    return scalar(r, node, &r->plan->about);
}

/* A path beside the file. */
static cs_status read_scenario(const reading *r, const cs_yaml_node *node)
{
    const char *slash = strrchr(r->plan->path, '/');
    char path[PATH_MAX];
    const char *name = "";
    cs_status status = scalar(r, node, &name);

    if (status != CS_OK)
        return status;
    if (name[0] == '/' || slash == NULL)
        snprintf(path, sizeof path, "%s", name);
    else
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - r->plan->path), r->plan->path, name);
    r->plan->scenario = cs_yaml_copy(r->plan->memory, path, strlen(path), r->diag);
    return r->plan->scenario != NULL ? CS_OK : CS_ERR_NO_MEMORY;
}

static cs_status read_seed(const reading *r, const cs_yaml_node *node)
{
    if (node->kind != CS_YAML_SCALAR || !cs_number_of(node->text, UINT64_MAX, &r->plan->seed))
        return refuse(r, node, "seed: a number is expected");
    return CS_OK;
}

static cs_status read_set(const reading *r, const cs_yaml_node *node)
{
    cs_status status = CS_OK;
    cs_sweep_value value;

    if (node->kind != CS_YAML_MAP)
        return refuse(r, node, "set: keys with a value each are expected");
    for (const cs_yaml_node *n = node->first; n != NULL && status == CS_OK; n = n->next) {
        if (r->plan->nr_sets == CS_SWEEP_MOST_SETS)
            return refuse(r, n, "set: more than %u keys", CS_SWEEP_MOST_SETS);
        status = make_value(r, n->key, n, &value);
        if (status == CS_OK && value.assignment == NULL)
            return refuse(r, n, "set: %s: ~ leaves a key as it is, which has no use here", n->key);
        r->plan->sets[r->plan->nr_sets++] = value.assignment;
    }
    return status;
}

static cs_status read_figures(const reading *r, const cs_yaml_node *node)
{
    cs_status status = CS_OK;

    if (node->kind != CS_YAML_LIST)
        return refuse(r, node, "figures: a list of names is expected");
    for (const cs_yaml_node *n = node->first; n != NULL && status == CS_OK; n = n->next) {
        if (r->plan->nr_figures == CS_SWEEP_MOST_FIGURES)
            return refuse(r, n, "figures: more than %u", CS_SWEEP_MOST_FIGURES);
        if (n->kind != CS_YAML_SCALAR)
            return refuse(r, n, "figures: a name is expected");
        r->plan->figures[r->plan->nr_figures++] = n->text;
    }
    return status;
}

/* In the order in which they are read: the seed is needed by `vary`. */
static const struct {
    const char *name;
    bool required;
    cs_status (*read)(const reading *r, const cs_yaml_node *node);
} keys[] = {
    {"sweep", true, read_name},       {"text", false, read_text}, {"scenario", true, read_scenario},
    {"seed", false, read_seed},       {"set", false, read_set},   {"vary", true, read_vary},
    {"figures", false, read_figures},
};

#define NR_KEYS (sizeof keys / sizeof keys[0])

static cs_status check_key(const reading *r, const cs_yaml_node *root, const cs_yaml_node *node)
{
    cs_suggest suggest = cs_suggest_begin(node->key);
    const char *near;

    for (const cs_yaml_node *n = root->first; n != node; n = n->next)
        if (strcmp(n->key, node->key) == 0)
            return refuse(r, node, "%s: given twice, first in line %u", node->key, n->key_line);
    for (size_t i = 0; i < NR_KEYS; i++) {
        if (strcmp(keys[i].name, node->key) == 0)
            return CS_OK;
        cs_suggest_offer(&suggest, keys[i].name);
    }
    near = cs_suggest_end(&suggest);
    return near != NULL
               ? refuse(r, node, "%s: there is no such key; did you mean %s?", node->key, near)
               : refuse(r, node,
                        "%s: there is no such key; a sweep has sweep, text, scenario, seed, "
                        "set, vary, figures",
                        node->key);
}

static cs_status read_document(const reading *r, const cs_yaml_node *root)
{
    cs_status status = CS_OK;

    if (root->kind != CS_YAML_MAP)
        return refuse(r, root, "a sweep is a map of keys and values");
    for (const cs_yaml_node *n = root->first; n != NULL && status == CS_OK; n = n->next)
        status = check_key(r, root, n);
    for (size_t i = 0; i < NR_KEYS && status == CS_OK; i++) {
        const cs_yaml_node *node = cs_yaml_child(root, keys[i].name, strlen(keys[i].name));

        if (node != NULL)
            status = keys[i].read(r, node);
        else if (keys[i].required)
            status = refuse(r, root, "%s: missing; it is required", keys[i].name);
    }
    return status;
}

/* What figures are shown, and what is said of a sweep, changes nothing of its points. */
static cs_status keep_what(const reading *r, cs_yaml_node *root)
{
    cs_yaml_node shorter = *root;
    cs_status status = CS_OK;
    char *printed;

    shorter.first = shorter.last = NULL;
    shorter.count = 0;
    for (cs_yaml_node *n = root->first; n != NULL && status == CS_OK; n = n->next) {
        cs_yaml_node *copy;

        if (strcmp(n->key, "figures") == 0 || strcmp(n->key, "text") == 0)
            continue;
        copy = cs_yaml_alloc(r->plan->memory, sizeof *copy, r->diag);
        if (copy == NULL)
            return CS_ERR_NO_MEMORY;
        *copy = *n;
        copy->next = NULL;
        cs_yaml_append(&shorter, copy);
    }
    printed = cs_yaml_print(&shorter, NULL);
    if (printed == NULL)
        return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    r->plan->what = cs_yaml_copy(r->plan->memory, printed, strlen(printed), r->diag);
    free(printed);
    return r->plan->what != NULL ? CS_OK : CS_ERR_NO_MEMORY;
}

cs_status cs_sweep_load(const char *path, const char *const sets[], size_t nr_sets,
                        cs_sweep_plan *plan, cs_diag *diag)
{
    const reading r = {plan, diag};
    cs_yaml_node *root = NULL;
    char *text = NULL;
    size_t bytes = 0;
    cs_status status;

    *plan = (cs_sweep_plan){.path = path, .about = "", .seed = 1, .nr_points = 1};
    status = cs_yaml_create(&plan->memory, diag);
    if (status == CS_OK)
        status = cs_yaml_read(path, &text, &bytes, diag);
    if (status == CS_OK)
        status = cs_yaml_parse(plan->memory, text, bytes, path, true, &root, diag);
    if (status == CS_OK && (plan->text = cs_yaml_copy(plan->memory, text, bytes, diag)) == NULL)
        status = CS_ERR_NO_MEMORY;
    free(text);
    if (status == CS_OK)
        status = read_document(&r, root);
    if (status == CS_OK)
        status = keep_what(&r, root);
    for (size_t i = 0; i < nr_sets && status == CS_OK; i++) {
        if (plan->nr_sets == CS_SWEEP_MOST_SETS)
            status =
                cs_diag_set(diag, CS_ERR_USAGE, "--set", "more than %u in all", CS_SWEEP_MOST_SETS);
        else
            plan->sets[plan->nr_sets++] = sets[i];
    }
    if (status != CS_OK)
        cs_sweep_unload(plan);
    return status;
}

void cs_sweep_unload(cs_sweep_plan *plan)
{
    cs_yaml_destroy(plan->memory);
    plan->memory = NULL;
}

/* ---- points ---- */

/* The axis of a key of all, and which of the axis's it is. */
static const cs_sweep_axis *axis_of(const cs_sweep_plan *plan, size_t *key)
{
    const cs_sweep_axis *axis = plan->axes;

    for (; *key >= axis->nr_keys; axis++)
        *key -= axis->nr_keys;
    return axis;
}

const char *cs_sweep_key(const cs_sweep_plan *plan, size_t key)
{
    const cs_sweep_axis *axis = axis_of(plan, &key);

    return axis->keys[key];
}

const cs_sweep_value *cs_sweep_value_at(const cs_sweep_plan *plan, size_t point, size_t key)
{
    const cs_sweep_axis *axis = axis_of(plan, &key);

    for (const cs_sweep_axis *a = plan->axes + plan->nr_axes - 1; a != axis; a--)
        point /= a->count;
    return &axis->values[key][point % axis->count];
}

size_t cs_sweep_sets(const cs_sweep_plan *plan, size_t point,
                     const char *out[CS_SWEEP_MOST_SETS + CS_SWEEP_MOST_KEYS])
{
    size_t nr = 0;

    for (size_t i = 0; i < plan->nr_sets; i++)
        out[nr++] = plan->sets[i];
    for (size_t i = 0; i < plan->nr_keys; i++) {
        const cs_sweep_value *value = cs_sweep_value_at(plan, point, i);

        if (value->assignment != NULL)
            out[nr++] = value->assignment;
    }
    return nr;
}

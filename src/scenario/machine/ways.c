// SPDX-License-Identifier: Apache-2.0
#include "scenario/machine/ways.h"

#include <string.h>

#define TURN 1u /* after the document, before --set */

static cs_status overlay(cs_yaml *yaml, cs_yaml_node *base, const cs_yaml_node *over, cs_diag *diag)
{
    for (const cs_yaml_node *o = over->first; o != NULL; o = o->next) {
        cs_yaml_node *b = cs_yaml_child(base, o->key, strlen(o->key));

        if (b != NULL && b->kind == CS_YAML_MAP && o->kind == CS_YAML_MAP) {
            const cs_status status = overlay(yaml, b, o, diag);

            if (status != CS_OK)
                return status;
            continue;
        }
        if (b == NULL) {
            b = cs_yaml_alloc(yaml, sizeof *b, diag);
            if (b == NULL)
                return CS_ERR_NO_MEMORY;
            *b = *o;
            b->next = NULL;
            cs_yaml_append(base, b);
        } else {
            cs_yaml_node *next = b->next;

            *b = *o;
            b->next = next;
        }
        b->turn = TURN;
    }
    return CS_OK;
}

static const cs_yaml_node *name_of(const cs_yaml_node *way)
{
    const cs_yaml_node *name = way->kind == CS_YAML_MAP ? cs_yaml_child(way, "name", 4) : NULL;

    return name != NULL && name->kind == CS_YAML_SCALAR ? name : NULL;
}

static cs_status no_such_way(const cs_yaml_node *ways, const cs_yaml_node *way, cs_diag *diag)
{
    char names[160] = "";

    for (const cs_yaml_node *w = ways->first; w != NULL; w = w->next) {
        const cs_yaml_node *name = name_of(w);
        const size_t used = strlen(names);

        if (name != NULL && used + strlen(name->text) + 3 < sizeof names) {
            strcat(names, used != 0 ? ", " : "");
            strcat(names, name->text);
        }
    }
    return cs_diag_set_at(diag, CS_ERR_SCENARIO, way->where, way->line, way->column,
                          "way: \"%.64s\" is none of the ways: %s", way->text, names);
}

cs_status cs_ways_apply(cs_yaml *yaml, cs_yaml_node *root, cs_diag *diag)
{
    const cs_yaml_node *ways = cs_yaml_child(root, "ways", 4);
    const cs_yaml_node *way = cs_yaml_child(root, "way", 3);

    if (root->kind != CS_YAML_MAP || ways == NULL || ways->kind != CS_YAML_LIST ||
        (way != NULL && way->kind != CS_YAML_SCALAR))
        return CS_OK;
    const cs_yaml_node *chosen = way == NULL ? ways->first : NULL;
    for (const cs_yaml_node *w = ways->first; w != NULL && chosen == NULL; w = w->next)
        if (name_of(w) != NULL && strcmp(name_of(w)->text, way->text) == 0)
            chosen = w;
    if (chosen == NULL)
        return way != NULL ? no_such_way(ways, way, diag) : CS_OK;
    const cs_yaml_node *set = chosen->kind == CS_YAML_MAP ? cs_yaml_child(chosen, "set", 3) : NULL;
    const bool good = set != NULL && set->kind == CS_YAML_MAP &&
                      cs_yaml_child(set, "ways", 4) == NULL && cs_yaml_child(set, "way", 3) == NULL;

    return good ? overlay(yaml, root, set, diag) : CS_OK;
}

void cs_ways_forget(cs_yaml_node *root)
{
    cs_yaml_node *last = NULL;

    for (cs_yaml_node **at = &root->first; *at != NULL;) {
        if (strcmp((*at)->key, "ways") == 0 || strcmp((*at)->key, "way") == 0) {
            *at = (*at)->next;
            root->count--;
        } else {
            last = *at;
            at = &last->next;
        }
    }
    root->last = last;
}

bool cs_ways_early(const char *assignment)
{
    return strncmp(assignment, "ways.", 5) == 0 || strncmp(assignment, "ways=", 5) == 0 ||
           strncmp(assignment, "way=", 4) == 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "scenario/corepmu/multiplex_was.h"

#include <string.h>

#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/scenario.h"

#define WAS "multiplex"
#define IS "arm_pmu"

/* Keys that have another name; the others have kept theirs. */
static const struct {
    const char *was, *is;
} renamed[] = {
    {"tick_us", "mux_us"},
    {"event_in_cycles", "event_cycles"},
    {"migration_cycles", "visit_cycles"},
};

static cs_yaml_node *child_of(const cs_yaml_node *parent, const char *key)
{
    return parent != NULL && parent->kind == CS_YAML_MAP ? cs_yaml_child(parent, key, strlen(key))
                                                         : NULL;
}

static void rename_word(cs_yaml_node *node)
{
    if (node != NULL && node->kind == CS_YAML_SCALAR && strcmp(node->text, WAS) == 0)
        node->text = IS;
}

static void rename_kind(const cs_yaml_node *map)
{
    cs_yaml_node *kind = child_of(child_of(map, "software"), "kind");

    rename_word(kind);
    if (kind != NULL && kind->kind == CS_YAML_LIST)
        for (cs_yaml_node *each = kind->first; each != NULL; each = each->next)
            rename_word(each);
}

static void rename_keys(const cs_yaml_node *section)
{
    for (cs_yaml_node *key = section->first; key != NULL; key = key->next)
        for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
            if (strcmp(key->key, renamed[i].was) == 0)
                key->key = renamed[i].is;
}

/* True: it had the section. */
static bool rename_all(const cs_yaml_node *map)
{
    cs_yaml_node *section = child_of(map, WAS);

    rename_kind(map);
    if (section == NULL || child_of(map, IS) != NULL)
        return false;
    section->key = IS;
    if (section->kind == CS_YAML_MAP)
        rename_keys(section);
    return true;
}

cs_status cs_multiplex_was(cs_scenario *s, cs_yaml *memory, cs_yaml_node *root, cs_diag *diag)
{
    const cs_yaml_node *ways = child_of(root, "ways");

    if (ways != NULL && ways->kind == CS_YAML_LIST)
        for (const cs_yaml_node *way = ways->first; way != NULL; way = way->next)
            if (child_of(way, "set") != NULL)
                rename_all(child_of(way, "set"));
    s->arm_pmu->was_multiplex = rename_all(root);
    const cs_yaml_node *section = child_of(root, IS);
    if (!s->arm_pmu->was_multiplex || section->kind != CS_YAML_MAP ||
        child_of(section, "reach") != NULL)
        return CS_OK;
    return cs_yaml_set(memory, root, IS ".reach=affinity", 0, diag);
}

cs_status cs_multiplex_was_warn(cs_check *check)
{
    if (!check->scenario->arm_pmu->was_multiplex)
        return CS_OK;
    cs_check_at(check, IS);
    return cs_check_warn(check, "read from " WAS ", as it was called; software.kind " WAS " is " IS
                                " with reach affinity now");
}

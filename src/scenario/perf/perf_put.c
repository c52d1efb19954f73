// SPDX-License-Identifier: Apache-2.0
/* Keys of a driver's section, made from a command of section perf. */
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenario/perf/perf_owner.h"

bool cs_perf_pmu_fits(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

void cs_asked_at_key(cs_asked_part *part, const char *key)
{
    part->node = cs_yaml_child(part->from, key, strlen(key));
    snprintf(part->path, sizeof part->path, "perf.%zu.%s", part->number, key);
    if (part->node == NULL)
        part->node = part->from;
}

void cs_asked_at_event(cs_asked_part *part, const cs_asked_event *event)
{
    const char *list = part->command->nr_stat != 0 ? "stat" : "record";
    char item[24];

    cs_asked_at_key(part, list);
    snprintf(item, sizeof item, "%zu", event->item);
    part->node = cs_yaml_child(part->node, item, strlen(item));
    snprintf(part->path, sizeof part->path, "perf.%zu.%s.%s", part->number, list, item);
}

cs_yaml_node *cs_asked_put(cs_asked_part *part, cs_yaml_node *parent, const char *key,
                           cs_yaml_kind kind)
{
    cs_yaml *memory = part->fill->memory;
    cs_yaml_node *node;

    if (key != NULL && parent == part->to && cs_yaml_child(parent, key, strlen(key)) != NULL)
        cs_asked_fail(part, "found beside %s.%s, the former way to say it; expected one of them",
                      part->section, key);
    if (part->status != CS_OK)
        return NULL;
    node = cs_yaml_alloc(memory, sizeof *node, part->fill->diag);
    char *path = cs_yaml_copy(memory, part->path, strlen(part->path), part->fill->diag);

    if (node == NULL || path == NULL) {
        part->status = CS_ERR_NO_MEMORY;
        return NULL;
    }
    *node = (cs_yaml_node){.kind = kind,
                           .where = part->node->where,
                           .line = part->node->line,
                           .column = part->node->column,
                           .turn = part->node->turn,
                           .text = "",
                           .key = key,
                           .key_line = part->node->line,
                           .key_column = part->node->column,
                           .plain = true,
                           .written = path};
    cs_yaml_append(parent, node);
    return node;
}

void cs_asked_put_text(cs_asked_part *part, cs_yaml_node *parent, const char *key,
                       const char *format, ...)
{
    cs_yaml_node *node = cs_asked_put(part, parent, key, CS_YAML_SCALAR);
    char text[256];
    va_list args;

    if (node == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    node->text = cs_yaml_copy(part->fill->memory, text, strlen(text), part->fill->diag);
    if (node->text == NULL)
        part->status = CS_ERR_NO_MEMORY;
}

void cs_asked_put_times(cs_asked_part *part)
{
    const struct {
        const char *key, *of_driver;
        uint64_t us;
    } times[] = {{"start", "start_us", part->command->start_us},
                 {"stop", "stop_us", part->command->stop_us},
                 {"interval", "interval_us", part->command->interval_us}};

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (times[i].us == 0)
            continue;
        cs_asked_at_key(part, times[i].key);
        cs_asked_put_text(part, part->to, times[i].of_driver, "%llu",
                          (unsigned long long)times[i].us);
    }
}

void cs_asked_put_key(cs_asked_part *part, const char *key, const char *of_driver)
{
    const cs_yaml_node *given = cs_yaml_child(part->from, key, strlen(key));

    if (given == NULL)
        return;
    cs_asked_at_key(part, key);
    cs_yaml_node *node = cs_asked_put(part, part->to, of_driver, given->kind);

    if (node == NULL)
        return;
    node->plain = given->plain;
    node->text = given->text;
    node->first = given->first;
    node->last = given->last;
    node->count = given->count;
}

void cs_asked_put_fitting(cs_asked_part *part, const char *key)
{
    const cs_scenario *s = part->scenario;
    const char *pattern = part->events[0].pmu, *name = part->owner->pmu(s, 0);

    if (strcmp(pattern, name) == 0)
        return;
    cs_asked_at_event(part, &part->events[0]);
    cs_yaml_node *names = cs_asked_put(part, part->to, key, CS_YAML_LIST);

    for (size_t nr = 1; (name = part->owner->pmu(s, nr)) != NULL; nr++)
        if (cs_perf_pmu_fits(pattern, name))
            cs_asked_put_text(part, names, NULL, "%s", name);
}

void cs_asked_put_group(cs_asked_part *part, cs_yaml_node *event_keys, const cs_asked_event *event)
{
    if (event->group != 0)
        cs_asked_put_text(part, event_keys, "group", "%u", event->group);
    if (strchr(event->modifiers, 'D') != NULL)
        cs_asked_put_text(part, event_keys, "pinned", "true");
}

void cs_asked_fail(cs_asked_part *part, const char *format, ...)
{
    char text[400];
    va_list args;

    if (part->status != CS_OK)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(part->fill->path, sizeof part->fill->path, "%s", part->path);
    part->status = cs_fill_error(part->fill, part->node, "%s", text);
}

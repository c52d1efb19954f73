// SPDX-License-Identifier: Apache-2.0
#include "scenario/perf/perf_lower.h"

#include <stdio.h>
#include <string.h>

#include "scenario/perf/perf_owner.h"
#include "scenario/section_list.h"
#include "scenario/yaml/suggest.h"

#define COMMON_KEYS "stat start stop" /* of a command, for every PMU */

/* ---- who has a PMU ---- */

/* `pattern` "": the event names none. */
static bool has_pmu(const cs_scenario *s, const cs_perf_owner *owner, const char *pattern)
{
    const char *name;

    if (pattern[0] == '\0')
        return owner->core && owner->pmu(s, 0) != NULL;
    for (size_t i = 0; (name = owner->pmu(s, i)) != NULL; i++)
        if (cs_perf_pmu_fits(pattern, name))
            return true;
    return false;
}

/* "; did you mean A?" or "; here are A, B" */
static void tell_pmus(const cs_scenario *s, const char *asked, char *out, size_t size)
{
    cs_suggest suggest = cs_suggest_begin(asked);
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_perf_owner *owner = cs_sections[i].section->perf;
        const char *name;

        for (size_t k = 0; owner != NULL && (name = owner->pmu(s, k)) != NULL; k++) {
            cs_suggest_offer(&suggest, name);
            if (n < size)
                n += (size_t)snprintf(out + n, size - n, "%s%s", n == 0 ? "; here are " : ", ",
                                      name);
        }
    }
    const char *near = cs_suggest_end(&suggest);
    if (near != NULL)
        snprintf(out, size, "; did you mean %s?", near);
}

/* NULL: nobody has it, which has been said. */
static const cs_section *owner_of(cs_asked_part *part, const cs_asked_event *event)
{
    const cs_section *found = NULL;
    char others[160];

    cs_asked_at_event(part, event);
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;

        if (section->perf == NULL || !has_pmu(part->scenario, section->perf, event->pmu))
            continue;
        if (found != NULL) {
            cs_asked_fail(part, "%s may be of %s and of %s; expected PMUs of one of them",
                          event->pmu[0] != '\0' ? event->pmu : event->what, found->perf->of,
                          section->perf->of);
            return NULL;
        }
        found = section;
    }
    if (found != NULL)
        return found;
    tell_pmus(part->scenario, event->pmu, others, sizeof others);
    if (event->pmu[0] != '\0')
        cs_asked_fail(part, "there is no PMU %s%s", event->pmu, others);
    else
        cs_asked_fail(part, "found %s, which names no PMU; expected PMU/event/%s", event->what,
                      others);
    return NULL;
}

/* ---- what the driver cannot do ---- */

static void check_key(cs_asked_part *part, const char *key)
{
    const cs_perf_refusal *refusal = part->owner->refusals;

    if (cs_key_in(COMMON_KEYS, key) || cs_key_in(part->owner->keys, key))
        return;
    cs_asked_at_key(part, key);
    while (refusal->key != NULL && strcmp(refusal->key, key) != 0)
        refusal++;
    if (refusal->key != NULL)
        cs_asked_fail(part, "%s (%s), as its driver answers: %s", refusal->error, part->owner->of,
                      refusal->why);
    else
        cs_asked_fail(part, "not allowed for %s", part->owner->of);
}

static void check_stop(cs_asked_part *part)
{
    if (part->owner->ends || part->command->stop_us != 0)
        return;
    cs_asked_at_key(part, "stop");
    cs_asked_fail(part, "missing; it is required");
}

/* -c and -F are of perf record. */
static void check_sampling(cs_asked_part *part)
{
    const cs_perf_command_spec *c = part->command;

    cs_asked_at_key(part, c->freq != 0 ? "freq" : "period");
    if (c->nr_stat != 0 && (c->period != 0 || c->freq != 0))
        cs_asked_fail(part, "not allowed beside stat: perf record samples");
    if (c->period != 0 && c->freq != 0)
        cs_asked_fail(part, "not allowed beside period: it is -F or -c");
}

static void check_modifiers(cs_asked_part *part, const cs_asked_event *event)
{
    const char *other = event->modifiers + strspn(event->modifiers, part->owner->modifiers);

    cs_asked_at_event(part, event);
    if (*other != '\0')
        cs_asked_fail(part,
                      "EINVAL (%s), as its driver answers: found :%c; it counts for all modes",
                      part->owner->of, *other);
}

static void check_part(cs_asked_part *part)
{
    for (const cs_yaml_node *key = part->from->first; key != NULL; key = key->next)
        check_key(part, key->key);
    check_stop(part);
    check_sampling(part);
    for (size_t i = 0; i < part->nr_events; i++)
        check_modifiers(part, &part->events[i]);
}

/* ---- where it goes ---- */

static cs_yaml_node *child_or_new(cs_asked_part *part, cs_yaml_node *parent, const char *key,
                                  cs_yaml_kind kind)
{
    cs_yaml_node *child = cs_yaml_child(parent, key, strlen(key));

    return child != NULL ? child : cs_asked_put(part, parent, key, kind);
}

static void at_command(cs_asked_part *part)
{
    snprintf(part->path, sizeof part->path, "perf.%zu", part->number);
    part->node = part->from;
}

/* A section that is one command takes it once. */
static cs_yaml_node *open_single(cs_asked_part *part, const cs_section *section, cs_yaml_node *map)
{
    at_command(part);
    for (const cs_yaml_node *key = map->first; key != NULL; key = key->next)
        if (key->written != NULL)
            cs_asked_fail(part, "found a second command for %s; expected one", section->perf->of);
    return part->status == CS_OK ? map : NULL;
}

/* An element of <section>.perf. */
static cs_yaml_node *open_element(cs_asked_part *part, const cs_section *section, cs_yaml_node *map)
{
    cs_yaml_node *list = child_or_new(part, map, "perf", CS_YAML_LIST);

    at_command(part);
    if (list != NULL && list->written == NULL) {
        cs_asked_fail(part, "found beside %s.perf, the former way to say it; expected one of them",
                      section->name);
        return NULL;
    }
    return list != NULL ? cs_asked_put(part, list, NULL, CS_YAML_MAP) : NULL;
}

/* Where the part goes. NULL: there was an error. */
static cs_yaml_node *open_part(cs_asked_part *part, const cs_section *section)
{
    cs_yaml_node *root = part->fill->root;

    snprintf(part->path, sizeof part->path, "perf");
    part->node = cs_yaml_child(root, "perf", strlen("perf"));
    cs_yaml_node *map = child_or_new(part, root, section->name, CS_YAML_MAP);

    if (map == NULL || map->kind != CS_YAML_MAP) /* its own mistake, which is said later */
        return NULL;
    return section->perf->single != NULL ? open_single(part, section, map)
                                         : open_element(part, section, map);
}

static void write_part(cs_asked_part *part, const cs_section *section)
{
    part->owner = section->perf;
    part->section = section->name;
    check_part(part);
    part->to = open_part(part, section);
    if (part->to != NULL)
        part->owner->write(part);
    if (section->software != NULL)
        part->fill->scenario->perf_kinds |= CS_SOFTWARE_BIT(section->software->kind);
}

/* ---- a command ---- */

/* Of one PMU, or of some that one command of their driver is about, and of the same modes. */
static bool go_together(const cs_scenario *s, const cs_perf_owner *owner, const cs_asked_event *a,
                        const cs_asked_event *b)
{
    static const char modes[] = "ukhGH";

    for (const char *mode = modes; *mode != '\0'; mode++)
        if ((strchr(a->modifiers, *mode) != NULL) != (strchr(b->modifiers, *mode) != NULL))
            return false;
    return strcmp(a->pmu, b->pmu) == 0 || (owner->core && has_pmu(s, owner, b->pmu)) ||
           (owner->joins != NULL && owner->joins(a->pmu, b->pmu));
}

/* Takes out the events that go with the first one, in their order; they move to the front. */
static size_t take_part(const cs_scenario *s, const cs_perf_owner *owner, cs_asked_event events[],
                        size_t count)
{
    size_t taken = 1;

    for (size_t i = 1; i < count; i++) {
        const cs_asked_event event = events[i];

        if (!go_together(s, owner, &events[0], &event))
            continue;
        memmove(&events[taken + 1], &events[taken], (i - taken) * sizeof event);
        events[taken++] = event;
    }
    return taken;
}

/* A group is on one PMU. */
static void check_group(cs_asked_part *part, const cs_asked_events *events)
{
    for (size_t i = 1; i < events->count; i++) {
        const cs_asked_event *one = &events->at[i - 1], *next = &events->at[i];

        cs_asked_at_event(part, next);
        if (next->group != 0 && one->group == next->group && strcmp(one->pmu, next->pmu) != 0)
            cs_asked_fail(part,
                          "EINVAL, as the kernel answers: a group is of one PMU; found %s and %s",
                          one->pmu, next->pmu);
    }
}

/* A list without quotes ends an item at each comma. */
static bool is_cut(const char *item)
{
    const char *slash = strchr(item, '/');

    return *item == '{' || (slash != NULL && strchr(slash + 1, '/') == NULL);
}

static void read_events(cs_asked_part *part, cs_asked_events *events)
{
    const cs_perf_command_spec *c = part->command;
    const char **items = c->nr_stat != 0 ? c->stat : c->record;
    const size_t count = c->nr_stat != 0 ? c->nr_stat : c->nr_record;
    cs_yaml *memory = part->fill->memory;
    const char *expected;

    part->status = cs_asked_events_room(events, memory, items, count, part->fill->diag);
    for (size_t i = 0; i < count && part->status == CS_OK; i++) {
        const cs_asked_event here = {.item = i};
        const cs_status status =
            cs_asked_events_add(events, memory, items[i], i, &expected, part->fill->diag);

        cs_asked_at_event(part, &here);
        if (status == CS_ERR_SCENARIO)
            cs_asked_fail(part, "found %s; expected %s%s", items[i], expected,
                          is_cut(items[i]) ? ", in quotes if it has a comma" : "");
        else
            part->status = status;
    }
}

static void lower_command(cs_asked_part *part)
{
    const cs_perf_command_spec *c = part->command;
    cs_asked_events events = {0};

    at_command(part);
    if ((c->nr_stat != 0) == (c->nr_record != 0))
        cs_asked_fail(part, "found %s; expected a list of events, either stat or record",
                      c->nr_stat != 0 ? "both stat and record" : "neither stat nor record");
    if (part->status == CS_OK)
        read_events(part, &events);
    if (part->status == CS_OK)
        check_group(part, &events);
    for (size_t i = 0; i < events.count && part->status == CS_OK; i += part->nr_events) {
        const cs_section *section = owner_of(part, &events.at[i]);

        if (section == NULL)
            break;
        part->events = events.at + i;
        part->nr_events = take_part(part->scenario, section->perf, part->events, events.count - i);
        write_part(part, section);
    }
}

cs_status cs_perf_lower(cs_fill *fill)
{
    const cs_yaml_node *from = cs_yaml_child(fill->root, "perf", strlen("perf"));
    const cs_scenario *s = fill->scenario;
    cs_status status = CS_OK;

    if (from == NULL || fill->nr_errors != 0)
        return CS_OK;
    from = from->first;
    for (size_t i = 0; i < s->nr_perf && status == CS_OK; i++, from = from->next) {
        cs_asked_part part = {.fill = fill,
                              .scenario = s,
                              .number = i,
                              .command = &s->perf[i],
                              .from = from,
                              .status = CS_OK};

        lower_command(&part);
        status = cs_fill_keep_error(fill, part.status, 0);
    }
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "scenario/perf/asked_event.h"

#include <stdio.h>
#include <string.h>

#define MODIFIERS "ukhGHDpPSIWeb" /* that perf has */

#define EVENT_FORM "an event as cycles:u or PMU/event=1/"
#define GROUP_FORM "a group as {event,event} or {event,event}:D"

/* A stretch of an item. */
typedef struct piece {
    const char *at, *end;
} piece;

static bool is_empty(piece p)
{
    return p.at == p.end;
}

/* Up to the next comma outside slashes, or the end. */
static const char *event_end(piece p)
{
    bool inside = false;

    while (p.at < p.end && (inside || *p.at != ',')) {
        inside ^= *p.at == '/';
        p.at++;
    }
    return p.at;
}

static const char *last_of(piece p, char wanted)
{
    const char *found = NULL;

    for (; p.at < p.end; p.at++)
        found = *p.at == wanted ? p.at : found;
    return found;
}

static bool are_modifiers(piece p)
{
    return !is_empty(p) && strspn(p.at, MODIFIERS) >= (size_t)(p.end - p.at);
}

static char *copy(cs_yaml *memory, piece a, piece b, cs_diag *diag)
{
    const size_t first = (size_t)(a.end - a.at), second = (size_t)(b.end - b.at);
    char *text = cs_yaml_alloc(memory, first + second + 1, diag);

    if (text != NULL) {
        memcpy(text, a.at, first);
        memcpy(text + first, b.at, second);
    }
    return text;
}

/* "PMU/terms/modifiers" or "name:modifiers" */
static bool split(piece event, piece *pmu, piece *what, piece *modifiers)
{
    const char *first = memchr(event.at, '/', (size_t)(event.end - event.at));
    const char *last = last_of(event, first != NULL ? '/' : ':');

    *pmu = *modifiers = (piece){event.end, event.end};
    *what = event;
    if (first != NULL) {
        *pmu = (piece){event.at, first};
        *what = (piece){first + 1, last};
        *modifiers = (piece){last + 1, event.end};
        return last > first && !is_empty(*pmu) &&
               (is_empty(*modifiers) || are_modifiers(*modifiers));
    }
    if (last != NULL && are_modifiers((piece){last + 1, event.end})) {
        what->end = last;
        *modifiers = (piece){last + 1, event.end};
    }
    return !is_empty(*what);
}

static cs_status add_one(cs_asked_events *events, cs_yaml *memory, piece event, piece of_group,
                         cs_asked_event like, const char **expected, cs_diag *diag)
{
    const piece nothing = {event.end, event.end};
    piece pmu, what, modifiers;

    *expected = EVENT_FORM;
    if (!split(event, &pmu, &what, &modifiers))
        return CS_ERR_SCENARIO;
    like.pmu = copy(memory, pmu, nothing, diag);
    like.what = copy(memory, what, nothing, diag);
    like.modifiers = copy(memory, modifiers, of_group, diag);
    if (like.pmu == NULL || like.what == NULL || like.modifiers == NULL)
        return CS_ERR_NO_MEMORY;
    events->at[events->count++] = like;
    return CS_OK;
}

/* The events between the braces, and the modifiers behind these. */
static bool open_group(piece *item, piece *modifiers)
{
    const char *close = last_of(*item, '}');

    *modifiers = (piece){item->end, item->end};
    if (close == NULL)
        return false;
    if (close + 1 < item->end) {
        modifiers->at = close + 2;
        if (close[1] != ':' || !are_modifiers(*modifiers))
            return false;
    }
    *item = (piece){item->at + 1, close};
    return true;
}

cs_status cs_asked_events_add(cs_asked_events *events, cs_yaml *memory, const char *text,
                              size_t item, const char **expected, cs_diag *diag)
{
    piece rest = {text, text + strlen(text)}, of_group = {rest.end, rest.end};
    const bool group = *text == '{';
    cs_asked_event like = {.item = item, .group = group ? ++events->groups : 0};
    cs_status status = CS_OK;

    *expected = GROUP_FORM;
    if (group && !open_group(&rest, &of_group))
        return CS_ERR_SCENARIO;
    while (status == CS_OK) {
        const piece event = {rest.at, event_end(rest)};

        status = add_one(events, memory, event, of_group, like, expected, diag);
        if (event.end == rest.end)
            break;
        rest.at = event.end + 1;
    }
    return status;
}

cs_status cs_asked_events_room(cs_asked_events *events, cs_yaml *memory, const char *const items[],
                               size_t nr_items, cs_diag *diag)
{
    size_t most = nr_items;

    for (size_t i = 0; i < nr_items; i++)
        for (const char *c = items[i]; *c != '\0'; c++)
            most += *c == ',';
    *events = (cs_asked_events){.at = cs_yaml_alloc(memory, most * sizeof *events->at, diag)};
    return events->at != NULL ? CS_OK : CS_ERR_NO_MEMORY;
}

bool cs_asked_term_next(const char **at, cs_asked_term *out)
{
    const size_t bytes = strcspn(*at, ","), name = strcspn(*at, ",=");

    if (**at == '\0')
        return false;
    snprintf(out->name, sizeof out->name, "%.*s", (int)name, *at);
    snprintf(out->value, sizeof out->value, "%.*s", (int)(bytes > name ? bytes - name - 1 : 0),
             *at + name + (bytes > name));
    *at += bytes + ((*at)[bytes] == ',');
    return true;
}

// SPDX-License-Identifier: Apache-2.0
#include "scenario/perf/perf_term.h"

#include <stdio.h>
#include <string.h>

#include "scenario/perf/asked_event.h"

/* The event whose term the path of `bytes` names; NULL: it names none. */
static const cs_yaml_node *event_of(cs_yaml_node *root, const char *path, size_t bytes)
{
    char name[128];

    snprintf(name, sizeof name, "%.*s", (int)bytes, path);
    char *dot = strrchr(name, '.');

    if (bytes >= sizeof name || dot == NULL || dot[1] == '\0' ||
        (strncmp(name, "perf.", 5) != 0 && strstr(name, ".set.perf.") == NULL) ||
        (strstr(name, ".stat.") == NULL && strstr(name, ".record.") == NULL))
        return NULL;
    *dot = '\0';
    const cs_yaml_node *event = cs_yaml_find(root, name, NULL);
    const bool single = event != NULL && event->kind == CS_YAML_SCALAR && event->text[0] != '{' &&
                        strchr(event->text, '/') != strrchr(event->text, '/');

    return single ? event : NULL;
}

const char *cs_perf_term_set(cs_yaml *memory, cs_yaml_node *root, const char *assignment,
                             cs_diag *diag)
{
    const char *equals = strchr(assignment, '=');
    const size_t bytes = equals != NULL ? (size_t)(equals - assignment) : 0;
    const cs_yaml_node *event = event_of(root, assignment, bytes);

    if (event == NULL)
        return assignment;
    const char *term = equals;
    while (term[-1] != '.')
        term--;
    const char *begin = strchr(event->text, '/') + 1, *end = strrchr(event->text, '/');
    const char *terms = cs_yaml_copy(memory, begin, (size_t)(end - begin), diag);
    const size_t room = strlen(assignment) + strlen(event->text) + sizeof "=\"\",";
    char *out = cs_yaml_alloc(memory, room, diag);
    const char *before = "";
    bool found = false;
    cs_asked_term each;

    if (terms == NULL || out == NULL)
        return NULL;
    size_t n = (size_t)snprintf(out, room, "%.*s=\"%.*s", (int)(term - 1 - assignment), assignment,
                                (int)(begin - event->text), event->text);
    while (cs_asked_term_next(&terms, &each)) {
        const bool this_one = strlen(each.name) == (size_t)(equals - term) &&
                              strncmp(each.name, term, strlen(each.name)) == 0;

        found |= this_one;
        n += (size_t)snprintf(out + n, room - n, "%s%s%s%s", before, this_one ? term : each.name,
                              !this_one && each.value[0] != '\0' ? "=" : "",
                              this_one ? "" : each.value);
        before = ",";
    }
    if (!found)
        n += (size_t)snprintf(out + n, room - n, "%s%s", before, term);
    snprintf(out + n, room - n, "%s\"", end);
    return out;
}

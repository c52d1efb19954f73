// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/pages/reader.h"

static cs_page_point *add(cs_page_reader *r, const char *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* NULL: no memory, or there is one of this name (the diagnostic says which). */
static cs_page_point *add(cs_page_reader *r, const char *group, const char *format, ...)
{
    cs_page *p = r->page;
    cs_page_point *point = cs_page_grow(r, p->points, &p->room_points, p->nr_points, sizeof *point);
    char name[256];
    va_list args;

    if (point == NULL)
        return NULL;
    p->points = point;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    for (size_t i = 0; i < p->nr_points; i++)
        if (strcmp(point[i].group, group) == 0 && strcmp(point[i].name, name) == 0) {
            cs_page_refuse(r, name, "a point of another name");
            return NULL;
        }
    point += p->nr_points;
    *point = (cs_page_point){.group = group, .name = strdup(name)};
    if (point->name == NULL) {
        cs_diag_set(r->diag, CS_ERR_NO_MEMORY, r->file, "no memory for a point");
        return NULL;
    }
    p->nr_points++;
    return point;
}

/* group NAME: of the points that follow */
static cs_status read_group(cs_page_reader *r)
{
    if (r->nr_words != 2)
        return cs_page_refuse(r, NULL, "group NAME");
    r->group = r->words[1];
    return CS_OK;
}

/* point NAME RULE */
static cs_status read_point(cs_page_reader *r)
{
    if (r->nr_words < 3)
        return cs_page_refuse(r, NULL, "point NAME EVENT ..");
    cs_page_point *point = add(r, r->group, "%s", r->words[1]);
    return point != NULL ? cs_page_read_rule(r, 2, &point->rule) : CS_ERR_FORMAT;
}

cs_status cs_page_add_state_point(cs_page_reader *r, const cs_page_value *state)
{
    cs_page_point *point = add(r, "states", "%s", state->name);

    if (point == NULL)
        return CS_ERR_FORMAT;
    point->rule.events[0] = (cs_page_event){.kind = CS_EVENT_ENTER, .to = state->value};
    point->rule.nr_events = 1;
    return CS_OK;
}

/* arc FROM TO [conditions] */
static cs_status read_arc(cs_page_reader *r)
{
    if (r->nr_words < 3)
        return cs_page_refuse(r, NULL, "arc FROM TO");
    cs_page_point *point = add(r, "arcs", "%s -> %s", r->words[1], r->words[2]);
    return point != NULL ? cs_page_read_rule(r, 0, &point->rule) : CS_ERR_FORMAT;
}

/* writes REGISTER[.FIELD] CLASS..; reads likewise: a point a class of value */
static cs_status read_values(cs_page_reader *r)
{
    const char *verb = strcmp(r->words[0], "writes") == 0 ? "write" : "read";
    const size_t nr = r->nr_words;
    char *all[CS_PAGE_WORDS];
    cs_status status = CS_OK;

    if (nr < 3)
        return cs_page_refuse(r, NULL, "a register and classes of value");
    memcpy(all, r->words, sizeof all);
    for (size_t i = 2; i < nr && status == CS_OK; i++) {
        cs_page_point *point = add(r, "fields", "%s %s = %s", verb, all[1], all[i]);
        char *text;
        char line[256];

        if (point == NULL)
            return CS_ERR_FORMAT;
        /* The words of a rule live as long as the page: this one's are kept with the point's name. */
        snprintf(line, sizeof line, "%s%c%s=%s", point->name, '\0', all[1], all[i]);
        const size_t name_bytes = strlen(point->name) + 1;
        const size_t rule_bytes = strlen(line + name_bytes) + 1;
        text = realloc((char *)point->name, name_bytes + rule_bytes);
        if (text == NULL)
            return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, r->file, "no memory for a point");
        memcpy(text + name_bytes, line + name_bytes, rule_bytes);
        point->name = text;
        r->words[0] = (char *)verb;
        r->words[1] = text + name_bytes;
        r->nr_words = 2;
        status = cs_page_read_rule(r, 0, &point->rule);
    }
    return status;
}

/* flag NAME set RULE: a line; flag NAME clear RULE: another */
static cs_status read_flag(cs_page_reader *r)
{
    cs_page *p = r->page;
    cs_page_flag *flag = cs_page_grow(r, p->flags, &p->room_flags, p->nr_flags, sizeof *flag);
    const bool sets = r->nr_words > 3 && strcmp(r->words[2], "set") == 0;
    size_t nr = 0;

    if (flag == NULL)
        return CS_ERR_NO_MEMORY;
    p->flags = flag;
    if (r->nr_words < 4 || (!sets && strcmp(r->words[2], "clear") != 0))
        return cs_page_refuse(r, NULL, "flag NAME set EVENT .., or flag NAME clear EVENT ..");
    while (nr < p->nr_flags && strcmp(flag[nr].name, r->words[1]) != 0)
        nr++;
    if (nr == p->nr_flags)
        p->flags[p->nr_flags++] = (cs_page_flag){.name = r->words[1]};
    return cs_page_read_rule(r, 3, sets ? &flag[nr].set : &flag[nr].clear);
}

/* excluded NAME REASON: of the group */
static cs_status read_excluded(cs_page_reader *r)
{
    cs_page_point *point;

    if (r->nr_words != 3)
        return cs_page_refuse(r, NULL, "excluded NAME REASON");
    point = add(r, r->group, "%s", r->words[1]);
    if (point == NULL)
        return CS_ERR_FORMAT;
    point->reason = r->words[2];
    return CS_OK;
}

cs_status cs_page_read_point_line(cs_page_reader *r, bool *known)
{
    static const struct {
        const char *word;
        cs_status (*read)(cs_page_reader *r);
    } lines[] = {{"group", read_group},      {"point", read_point},  {"arc", read_arc},
                 {"writes", read_values},    {"reads", read_values}, {"flag", read_flag},
                 {"excluded", read_excluded}};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(r->words[0], lines[i].word) == 0) {
            *known = true;
            return lines[i].read(r);
        }
    return CS_OK;
}

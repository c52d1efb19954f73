// SPDX-License-Identifier: Apache-2.0
/* Events and conditions: "write FSM_BRK.BRK=1 or bus write slverr in STORE when fetched". */
#include <string.h>

#include "lockstep/pages/reader.h"

typedef struct words {
    cs_page_reader *r;
    size_t at;
} words;

static const char *peek(const words *w)
{
    return w->at < w->r->nr_words ? w->r->words[w->at] : NULL;
}

static char *take(words *w)
{
    return w->at < w->r->nr_words ? w->r->words[w->at++] : NULL;
}

static bool is(const char *word, const char *wanted)
{
    return word != NULL && strcmp(word, wanted) == 0;
}

/* One of the names; -1: none. */
static int choice(const char *word, const char *const names[])
{
    for (int i = 0; names[i] != NULL; i++)
        if (is(word, names[i]))
            return i;
    return -1;
}

/* "3", "3..7", "max", or a name of the field's values. */
static cs_status read_class(words *w, const cs_page_field *field, char *text, cs_page_event *event)
{
    const cs_page *p = w->r->page;
    char *dots = strstr(text, "..");

    event->any_value = false;
    if (is(text, "max")) {
        event->is_max = true;
        return CS_OK;
    }
    for (size_t i = 0; field != NULL && i < field->nr_values; i++)
        if (is(text, p->values[field->first_value + i].name)) {
            event->low = event->high = p->values[field->first_value + i].value;
            return CS_OK;
        }
    if (dots != NULL)
        *dots = '\0';
    if (!cs_page_number(text, &event->low) ||
        !cs_page_number(dots != NULL ? dots + 2 : text, &event->high))
        return cs_page_refuse(w->r, text, "a value, FIRST..LAST, max or a name of a value");
    return CS_OK;
}

/* REGISTER[.FIELD][=CLASS] */
static cs_status read_register(words *w, char *text, cs_page_event *event)
{
    const cs_page *p = w->r->page;
    const cs_page_field *field = NULL;
    char *equal = text != NULL ? strchr(text, '=') : NULL;
    char *dot;

    if (text == NULL)
        return cs_page_refuse(w->r, NULL, "a register");
    if (equal != NULL)
        *equal++ = '\0';
    dot = strrchr(text, '.');
    if (cs_page_register_of(p, text) == NULL && dot != NULL) {
        *dot = '\0';
        field = cs_page_field_of(p, text, dot + 1);
        if (field == NULL)
            return cs_page_refuse(w->r, dot + 1, "a field of the register");
        event->field = field->name;
    }
    if (cs_page_register_of(p, text) == NULL)
        return cs_page_refuse(w->r, text, "a register of this unit");
    event->key = text;
    event->any_value = true;
    return equal != NULL ? read_class(w, field, equal, event) : CS_OK;
}

static cs_status read_access(words *w, cs_page_event *event)
{
    return read_register(w, take(w), event);
}

/* refused [read|write] [REGISTER] */
static cs_status read_refused(words *w, cs_page_event *event)
{
    static const char *const ends[] = {"or", "in", "not", "when", "unless", NULL};

    event->any_value = true;
    event->any_direction = !is(peek(w), "read") && !is(peek(w), "write");
    if (!event->any_direction)
        event->write = is(take(w), "write");
    if (peek(w) == NULL || choice(peek(w), ends) >= 0)
        return CS_OK;
    return read_register(w, take(w), event);
}

static cs_status read_state(words *w, uint64_t *out)
{
    const char *name = take(w);

    return name != NULL && cs_page_state_number(w->r->page, name, out)
               ? CS_OK
               : cs_page_refuse(w->r, name, "a state of this unit");
}

static cs_status read_enter(words *w, cs_page_event *event)
{
    return read_state(w, &event->to);
}

static cs_status read_arc(words *w, cs_page_event *event)
{
    const cs_status status = read_state(w, &event->from);

    return status == CS_OK ? read_state(w, &event->to) : status;
}

static bool read_resp(words *w, cs_page_event *event)
{
    static const char *const names[] = {"okay", "lost", "slverr", "decerr", NULL};
    const int nr = choice(peek(w), names);

    if (nr < 0)
        return false;
    event->resp = (uint8_t)nr;
    w->at++;
    return true;
}

/* bus read|write [okay|slverr|decerr] */
static cs_status read_transfer(words *w, cs_page_event *event)
{
    const char *direction = take(w);

    if (!is(direction, "read") && !is(direction, "write"))
        return cs_page_refuse(w->r, direction, "read or write");
    event->write = is(direction, "write");
    event->any_resp = !read_resp(w, event);
    return CS_OK;
}

/* irq LINE high|low */
static cs_status read_irq(words *w, cs_page_event *event)
{
    const char *line = take(w);
    const char *level = take(w);
    uint64_t number;

    if (line == NULL || !cs_page_number(line, &number) || (!is(level, "high") && !is(level, "low")))
        return cs_page_refuse(w->r, level != NULL ? level : line, "LINE high, or LINE low");
    event->line = (unsigned)number;
    event->level = is(level, "high");
    return CS_OK;
}

/* sample okay|lost|slverr|decerr */
static cs_status read_sample(words *w, cs_page_event *event)
{
    event->any_resp = !read_resp(w, event);
    return CS_OK;
}

static cs_status read_event(words *w, cs_page_event *event)
{
    static const struct {
        const char *word;
        cs_event_kind kind;
        cs_status (*read)(words *w, cs_page_event *event);
    } kinds[] = {{"write", CS_EVENT_WRITE, read_access},
                 {"read", CS_EVENT_READ, read_access},
                 {"refused", CS_EVENT_REFUSED, read_refused},
                 {"enter", CS_EVENT_ENTER, read_enter},
                 {"arc", CS_EVENT_ARC, read_arc},
                 {"bus", CS_EVENT_TRANSFER, read_transfer},
                 {"irq", CS_EVENT_LINE, read_irq},
                 {"sample", CS_EVENT_SAMPLED, read_sample}};
    const char *word = take(w);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is(word, kinds[i].word)) {
            *event = (cs_page_event){.kind = kinds[i].kind};
            return kinds[i].read(w, event);
        }
    return cs_page_refuse(w->r, word, "write, read, refused, enter, arc, bus, irq or sample");
}

static cs_status read_flag(words *w, size_t *out)
{
    const char *name = take(w);

    for (*out = 0; *out < w->r->page->nr_flags; ++*out)
        if (is(name, w->r->page->flags[*out].name))
            return CS_OK;
    return cs_page_refuse(w->r, name, "a flag that stands above");
}

/* in STATE, not STATE, when FLAG, unless FLAG */
static cs_status read_condition(words *w, cs_page_condition *condition)
{
    static const char *const names[] = {"in", "not", "when", "unless", NULL};
    const char *word = take(w);
    const int nr = choice(word, names);

    if (nr < 0)
        return cs_page_refuse(w->r, word, "or, in, not, when or unless");
    condition->kind = (cs_condition_kind)nr;
    return nr <= CS_WHILE_NOT_STATE ? read_state(w, &condition->state)
                                    : read_flag(w, &condition->flag);
}

cs_status cs_page_read_rule(cs_page_reader *r, size_t at, cs_page_rule *out)
{
    words w = {r, at};
    cs_status status;

    *out = (cs_page_rule){0};
    do {
        if (out->nr_events == CS_PAGE_EVENTS)
            return cs_page_refuse(r, peek(&w), "fewer events");
        status = read_event(&w, &out->events[out->nr_events++]);
    } while (status == CS_OK && is(peek(&w), "or") && take(&w) != NULL);
    while (status == CS_OK && peek(&w) != NULL) {
        if (out->nr_conditions == CS_PAGE_CONDITIONS)
            return cs_page_refuse(r, peek(&w), "fewer conditions");
        status = read_condition(&w, &out->conditions[out->nr_conditions++]);
    }
    return status;
}

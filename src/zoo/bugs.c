// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "zoo/bugs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/embedded.h"

extern const cs_embedded cs_zoo_texts[];

typedef struct reading {
    cs_zoo_kind *kind;
    char file[64];
    unsigned line;
    size_t used; /* of kind->joined */
    cs_diag *diag;
} reading;

static cs_status wrong(const reading *r, unsigned line, const char *expected, const char *found)
{
    return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->file, line, 1, "expected %s, found '%s'",
                          expected, found);
}

/* ---- words ---- */

/* A text with another line behind it; lines of one text come one after the other. */
static void join(reading *r, const char **text, const char *line)
{
    char *joined = r->kind->joined;
    const size_t bytes = strlen(line) + 1;

    if (*text != NULL)
        joined[r->used - 1] = '\n';
    else
        *text = joined + r->used;
    memcpy(joined + r->used, line, bytes);
    r->used += bytes;
}

static cs_status add(const reading *r, const char **list, size_t *nr, size_t most, const char *what,
                     const char *rest)
{
    if (*nr == most)
        return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->file, r->line, 1,
                              "found more of '%s', expected at most %zu", what, most);
    list[(*nr)++] = rest;
    return CS_OK;
}

/* A line before the first bug. */
static cs_status take_kind(reading *r, const char *word, const char *rest)
{
    cs_zoo_kind *kind = r->kind;

    if (strcmp(word, "rtl") == 0)
        return add(r, kind->rtl, &kind->nr_rtl, CS_ZOO_FILES, word, rest);
    if (strcmp(word, "page") == 0)
        kind->page = rest;
    else if (strcmp(word, "module") == 0)
        kind->module = rest;
    else if (strcmp(word, "top") == 0)
        kind->top = rest;
    else if (strcmp(word, "map") == 0)
        kind->map = rest;
    else
        return wrong(r, r->line, "page, rtl, module, top, map or bug", word);
    return CS_OK;
}

static cs_status take_change(reading *r, cs_zoo_bug *bug, const char *word, const char *rest)
{
    cs_zoo_change *change = &bug->changes[bug->nr_changes];

    if (strcmp(word, "file") == 0) {
        if (bug->nr_changes == CS_ZOO_CHANGES)
            return wrong(r, r->line, "at most eight changes", rest);
        bug->changes[bug->nr_changes++].file = rest;
        return CS_OK;
    }
    if (bug->nr_changes == 0)
        return wrong(r, r->line, "'file' before '-' and '+'", word);
    change--;
    if (*word == '-' && change->with != NULL)
        return wrong(r, r->line, "'file' or '+'", word);
    join(r, *word == '-' ? &change->old : &change->with, rest);
    return CS_OK;
}

static cs_status take_bug(reading *r, cs_zoo_bug *bug, const char *word, const char *rest)
{
    if (strcmp(word, "thread") == 0)
        return add(r, bug->threads, &bug->nr_threads, CS_ZOO_THREADS, word, rest);
    if (strcmp(word, "given") == 0)
        return add(r, bug->given, &bug->nr_given, CS_ZOO_SETS, word, rest);
    if (strcmp(word, "set") == 0)
        return add(r, bug->sets, &bug->nr_sets, CS_ZOO_SETS, word, rest);
    if (strcmp(word, "file") == 0 || strcmp(word, "-") == 0 || strcmp(word, "+") == 0)
        return take_change(r, bug, word, rest);
    if (strcmp(word, "rule") == 0)
        bug->rule = rest;
    else if (strcmp(word, "says") == 0)
        bug->says = rest;
    else if (strcmp(word, "scenario") == 0)
        bug->scenario = rest;
    else if (strcmp(word, "figure") == 0)
        bug->figure = rest;
    else
        return wrong(r, r->line,
                     "bug, thread, rule, says, file, -, +, scenario, given, set or figure", word);
    return CS_OK;
}

static cs_status take(reading *r, const char *word, const char *rest)
{
    cs_zoo_kind *kind = r->kind;

    if (strcmp(word, "bug") == 0) {
        if (kind->nr_bugs == CS_ZOO_BUGS)
            return wrong(r, r->line, "at most 100 bugs", rest);
        kind->bugs[kind->nr_bugs] =
            (cs_zoo_bug){.name = rest, .number = (unsigned)kind->nr_bugs + 1, .line = r->line};
        kind->nr_bugs++;
        return CS_OK;
    }
    if (kind->nr_bugs == 0)
        return take_kind(r, word, rest);
    return take_bug(r, &kind->bugs[kind->nr_bugs - 1], word, rest);
}

/* ---- whether all is there ---- */

/* OWNER/PROJECT#NUMBER, OWNER/PROJECT@COMMIT, or the address of a mail. */
static bool is_thread(const char *text)
{
    const char *slash = strchr(text, '/');
    const char *behind = slash != NULL ? strpbrk(slash, "#@") : NULL;

    if (strncmp(text, "https://", 8) == 0)
        return true;
    if (behind == NULL || slash == text || behind == slash + 1 || behind[1] == '\0')
        return false;
    return behind[1 + strspn(behind + 1, *behind == '#' ? "0123456789" : "0123456789abcdef")] ==
           '\0';
}

static cs_status check_change(const reading *r, const cs_zoo_bug *bug)
{
    bool fault = false;

    for (size_t i = 0; i < bug->nr_changes; i++) {
        const cs_zoo_change *change = &bug->changes[i];

        if (change->old == NULL || change->with == NULL)
            return wrong(r, bug->line, "lines '-' and lines '+' behind 'file'", change->file);
        fault |= strstr(change->with, "FAULT") != NULL;
    }
    return fault ? CS_OK : wrong(r, bug->line, "FAULT in a line '+'", bug->name);
}

static cs_status check_bug(const reading *r, const cs_zoo_bug *bug)
{
    static const char thread[] =
        "'thread OWNER/PROJECT#NUMBER', 'OWNER/PROJECT@COMMIT' or an address";

    if (bug->nr_threads == 0)
        return wrong(r, bug->line, thread, bug->name);
    for (size_t i = 0; i < bug->nr_threads; i++)
        if (!is_thread(bug->threads[i]))
            return wrong(r, bug->line, thread, bug->threads[i]);
    if (bug->rule == NULL)
        return wrong(r, bug->line, "'rule HEADING'", bug->name);
    if (bug->says == NULL)
        return wrong(r, bug->line, "'says SENTENCE'", bug->name);
    if (r->kind->nr_rtl != 0)
        return check_change(r, bug);
    if (bug->scenario == NULL || bug->nr_sets == 0 || bug->figure == NULL)
        return wrong(r, bug->line, "'scenario FILE', 'set KEY=VALUE' and 'figure KEY'", bug->name);
    return CS_OK;
}

static cs_status check(const reading *r)
{
    const cs_zoo_kind *kind = r->kind;
    cs_status status = CS_OK;

    if (kind->page == NULL)
        return wrong(r, 1, "'page FILE'", kind->name);
    if (kind->nr_rtl != 0 && (kind->top == NULL || kind->map == NULL))
        return wrong(r, 1, "'top MODULE' and 'map FILE'", kind->name);
    for (size_t i = 0; i < kind->nr_bugs && status == CS_OK; i++)
        status = check_bug(r, &kind->bugs[i]);
    return status;
}

/* ---- a kind ---- */

cs_status cs_zoo_kind_read(const char *name, const char *text, cs_zoo_kind **out, cs_diag *diag)
{
    reading r = {.kind = calloc(1, sizeof *r.kind), .diag = diag};
    cs_status status = CS_OK;

    *out = r.kind;
    if (r.kind == NULL || (r.kind->text = strdup(text)) == NULL ||
        (r.kind->joined = malloc(strlen(text) + 1)) == NULL) {
        cs_zoo_kind_free(r.kind);
        *out = NULL;
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for bugs");
    }
    r.kind->name = name;
    snprintf(r.file, sizeof r.file, "%s.txt", name);
    for (char *line = r.kind->text; line != NULL && status == CS_OK;) {
        char *next = strchr(line, '\n');
        char *rest = line + strcspn(line, " \n");

        r.line++;
        if (next != NULL)
            *next++ = '\0';
        if (*rest != '\0')
            *rest++ = '\0';
        if (*line != '\0' && *line != '#')
            status = take(&r, line, rest);
        line = next;
    }
    if (status == CS_OK)
        status = check(&r);
    if (status != CS_OK) {
        cs_zoo_kind_free(r.kind);
        *out = NULL;
    }
    return status;
}

void cs_zoo_kind_free(cs_zoo_kind *kind)
{
    if (kind == NULL)
        return;
    free(kind->text);
    free(kind->joined);
    free(kind);
}

/* ---- all ---- */

cs_status cs_zoo_open(cs_zoo *zoo, cs_diag *diag)
{
    const cs_embedded *text = cs_zoo_texts;
    cs_status status = CS_OK;

    *zoo = (cs_zoo){0};
    for (; text->name != NULL && zoo->nr_kinds < CS_ZOO_KINDS && status == CS_OK; text++) {
        status = cs_zoo_kind_read(text->name, text->text, &zoo->kinds[zoo->nr_kinds], diag);
        if (status == CS_OK)
            zoo->nr_kinds++;
    }
    if (status != CS_OK)
        cs_zoo_close(zoo);
    return status;
}

void cs_zoo_close(cs_zoo *zoo)
{
    for (size_t i = 0; i < zoo->nr_kinds; i++)
        cs_zoo_kind_free(zoo->kinds[i]);
    zoo->nr_kinds = 0;
}

const cs_zoo_bug *cs_zoo_find(const cs_zoo *zoo, const char *name, const cs_zoo_kind **kind)
{
    for (size_t k = 0; k < zoo->nr_kinds; k++)
        for (size_t i = 0; i < zoo->kinds[k]->nr_bugs; i++)
            if (strcmp(zoo->kinds[k]->bugs[i].name, name) == 0) {
                *kind = zoo->kinds[k];
                return &zoo->kinds[k]->bugs[i];
            }
    return NULL;
}

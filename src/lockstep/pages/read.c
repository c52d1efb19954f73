// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "lockstep/pages/reader.h"

cs_status cs_page_refuse(const cs_page_reader *r, const char *word, const char *expected)
{
    return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->file, r->line, 1, "found '%s', expected %s",
                          word != NULL ? word : "the end of the line", expected);
}

bool cs_page_number(const char *word, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(word, &end, strncmp(word, "0x", 2) == 0 ? 16 : 10);
    return end != word && *end == '\0' && errno == 0 && *word != '-';
}

void *cs_page_grow(cs_page_reader *r, void *items, size_t *room, size_t nr, size_t bytes)
{
    void *moved = cs_room(items, room, nr, bytes);

    if (moved == NULL)
        cs_diag_set(r->diag, CS_ERR_NO_MEMORY, r->file, "no memory for a page's points");
    return moved;
}

bool cs_page_state_number(const cs_page *page, const char *name, uint64_t *out)
{
    for (size_t i = 0; i < page->nr_states; i++)
        if (strcmp(page->states[i].name, name) == 0) {
            *out = page->states[i].value;
            return true;
        }
    return false;
}

/* Words are separated by blanks; one in "" may hold some. False: a quote is not closed, or too many. */
static bool split(cs_page_reader *r, char *line)
{
    r->nr_words = 0;
    for (;;) {
        line += strspn(line, " \t");
        if (*line == '\0' || *line == '#')
            return true;
        if (r->nr_words == CS_PAGE_WORDS)
            return false;
        const bool quoted = *line == '"';
        line += quoted;
        r->words[r->nr_words++] = line;
        line += strcspn(line, quoted ? "\"" : " \t");
        if (*line == '\0')
            return !quoted;
        *line++ = '\0';
    }
}

static cs_status read_text(cs_page_reader *r, const char *file, const char *text);

/* ---- what a unit is ---- */

static cs_status read_unit(cs_page_reader *r)
{
    if (r->nr_words != 3)
        return cs_page_refuse(r, r->nr_words > 3 ? r->words[3] : NULL, "unit NAME PAGE");
    r->page->unit = r->words[1];
    r->page->page = r->words[2];
    return CS_OK;
}

/* source NAME [+ FIRST] [/ DIVISOR] [by register] [with VARIANT]; manager NAME .. */
static cs_status read_source(cs_page_reader *r)
{
    cs_page *p = r->page;
    cs_page_source *source =
        cs_page_grow(r, p->sources, &p->room_sources, p->nr_sources, sizeof *source);
    uint64_t number;

    if (source == NULL)
        return CS_ERR_NO_MEMORY;
    p->sources = source;
    if (r->nr_words % 2 != 0)
        return cs_page_refuse(r, NULL, "the name of a source of records");
    source += p->nr_sources++;
    *source = (cs_page_source){
        .name = r->words[1], .manager = strcmp(r->words[0], "manager") == 0, .divisor = 1};
    for (size_t i = 2; i + 1 < r->nr_words; i += 2) {
        const char *word = r->words[i];

        if (strcmp(word, "by") == 0 && strcmp(r->words[i + 1], "register") == 0)
            source->by_register = true;
        else if (strcmp(word, "with") == 0)
            source->variant = r->words[i + 1];
        else if (!cs_page_number(r->words[i + 1], &number) || strlen(word) != 1)
            return cs_page_refuse(r, r->words[i + 1],
                                  "+ NUMBER, / NUMBER, by register or with VARIANT");
        else if (*word == '+')
            source->first = (unsigned)number;
        else if (*word == '/' && number != 0)
            source->divisor = (unsigned)number;
        else
            return cs_page_refuse(r, word, "+, /, by or with");
    }
    return CS_OK;
}

/* registers TABLE */
static cs_status read_table(cs_page_reader *r)
{
    for (const cs_embedded *t = cs_page_tables; r->nr_words == 2 && t->name != NULL; t++)
        if (strcmp(t->name, r->words[1]) == 0) {
            cs_page_reader inner = *r;
            const cs_status status = read_text(&inner, t->name, t->text);

            r->page = inner.page;
            return status;
        }
    return cs_page_refuse(r, r->nr_words > 1 ? r->words[1] : NULL, "a table of docs/hw/gen");
}

/* section TOPIC [WHAT] HEADING [of PAGE] */
static cs_status read_section(cs_page_reader *r)
{
    static const char *const topics[] = {"register", "state", "irq", "sample", "transfer"};
    cs_page *p = r->page;
    cs_page_section *section =
        cs_page_grow(r, p->sections, &p->room_sections, p->nr_sections, sizeof *section);
    size_t nr = r->nr_words;

    if (section == NULL)
        return CS_ERR_NO_MEMORY;
    p->sections = section;
    section += p->nr_sections++;
    *section = (cs_page_section){.what = "", .page = p->page, .heading = ""};
    if (nr > 4 && strcmp(r->words[nr - 2], "of") == 0) {
        section->page = r->words[nr - 1];
        nr -= 2;
    }
    if (nr != 3 && nr != 4)
        return cs_page_refuse(r, NULL, "section TOPIC [WHAT] HEADING [of PAGE]");
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(r->words[1], topics[i]) == 0) {
            section->topic = (cs_page_topic)i;
            section->what = nr == 4 ? r->words[2] : "";
            section->heading = r->words[nr - 1];
            return CS_OK;
        }
    return cs_page_refuse(r, r->words[1], "register, state, irq, sample or transfer");
}

static cs_status read_line(cs_page_reader *r)
{
    static const struct {
        const char *word;
        cs_status (*read)(cs_page_reader *r);
    } lines[] = {{"unit", read_unit},
                 {"source", read_source},
                 {"manager", read_source},
                 {"registers", read_table},
                 {"section", read_section}};
    bool known = false;
    cs_status status;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(r->words[0], lines[i].word) == 0)
            return lines[i].read(r);
    status = cs_page_read_register_line(r, &known);
    if (status == CS_OK && !known)
        status = cs_page_read_point_line(r, &known);
    return status != CS_OK || known ? status
                                    : cs_page_refuse(r, r->words[0], "a word that begins a line");
}

static cs_status read_text(cs_page_reader *r, const char *file, const char *text)
{
    char *rest = strdup(text);
    cs_status status = CS_OK;

    if (rest == NULL || r->page->nr_texts == sizeof r->page->texts / sizeof r->page->texts[0]) {
        free(rest);
        return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, file, "no memory for a page's text");
    }
    r->page->texts[r->page->nr_texts++] = rest;
    r->file = file;
    for (r->line = 1; *rest != '\0' && status == CS_OK; r->line++) {
        char *line = rest;

        rest += strcspn(rest, "\n");
        if (*rest != '\0')
            *rest++ = '\0';
        if (!split(r, line))
            status = cs_page_refuse(r, line, "fewer words, and quotes that end");
        else if (r->nr_words != 0)
            status = read_line(r);
    }
    return status;
}

cs_status cs_page_read(const char *name, const char *text, cs_page **out, cs_diag *diag)
{
    cs_page_reader r = {.group = "", .variant = "", .diag = diag};
    cs_status status;

    *out = r.page = calloc(1, sizeof *r.page);
    if (r.page == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a page's points");
    status = read_text(&r, name, text);
    if (status == CS_OK && r.page->unit == NULL)
        status = cs_page_refuse(&r, NULL, "a line that begins with 'unit'");
    if (status != CS_OK) {
        cs_page_destroy(r.page);
        *out = NULL;
    }
    return status;
}

void cs_page_destroy(cs_page *page)
{
    if (page == NULL)
        return;
    for (size_t i = 0; i < page->nr_registers; i++)
        free((char *)page->registers[i].key);
    for (size_t i = 0; i < page->nr_points; i++)
        free((char *)page->points[i].name);
    for (size_t i = 0; i < page->nr_texts; i++)
        free(page->texts[i]);
    free(page->sources);
    free(page->registers);
    free(page->fields);
    free(page->values);
    free(page->sections);
    free(page->states);
    free(page->flags);
    free(page->points);
    free(page);
}

cs_status cs_pages_create(cs_pages *out, cs_diag *diag)
{
    size_t count = 0;
    cs_status status = CS_OK;

    while (cs_page_texts[count].name != NULL)
        count++;
    *out = (cs_pages){.list = calloc(count + 1, sizeof *out->list)};
    if (out->list == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the pages of units");
    for (; out->count < count && status == CS_OK; out->count += status == CS_OK)
        status = cs_page_read(cs_page_texts[out->count].name, cs_page_texts[out->count].text,
                              &out->list[out->count], diag);
    if (status != CS_OK)
        cs_pages_destroy(out);
    return status;
}

void cs_pages_destroy(cs_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++)
        cs_page_destroy(pages->list[i]);
    free(pages->list);
    *pages = (cs_pages){0};
}

// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/follow/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/number.h"
#include <countersink/golden.h>

#define MOST_GAP 100000000u /* cycles in which nothing is told */
#define RETIRED 7u          /* numbers of r= */
#define SETTINGS 512u
#define LINE_BYTES 65536u /* all events of a cycle need 5 KB */

typedef struct reading {
    const char *path;
    unsigned line;
    cs_diag *diag;
    char settings[SETTINGS];
    uint64_t lag;
    cs_follow *follow; /* from the first line on that is of it */
    uint64_t cycle;    /* that is being told */
    void (*tell)(void *ctx, const char *text);
    void *ctx;
} reading;

static cs_status wrong(const reading *r, const char *found, const char *expected)
{
    return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->path, r->line, 1, "found '%.60s', expected %s",
                          found, expected);
}

/* Up to `most` numbers between commas or blanks. */
static bool numbers(const char *text, const char *between, uint64_t *out, size_t nr)
{
    char word[32];

    for (size_t i = 0; i < nr; i++) {
        const size_t bytes = strcspn(text, between);

        if (bytes >= sizeof word)
            return false;
        snprintf(word, sizeof word, "%.*s", (int)bytes, text);
        if (!cs_number_of(word, UINT64_MAX, &out[i]))
            return false;
        text += bytes;
        if (i + 1 < nr && *text++ == '\0')
            return false;
    }
    return *text == '\0';
}

/* ---- the block ---- */

static cs_status create(reading *r)
{
    if (r->follow == NULL)
        r->follow = cs_follow_create(r->settings, (unsigned)r->lag);
    return r->follow != NULL ? CS_OK : wrong(r, r->settings, cs_golden_error());
}

static cs_status step(reading *r)
{
    const int said = cs_follow_step(r->follow);

    if (said < 0)
        return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->path, r->line, 1, "%s",
                              cs_follow_text(r->follow));
    if (said > 0)
        r->tell(r->ctx, cs_follow_text(r->follow));
    r->cycle++;
    return CS_OK;
}

static cs_status go_to(reading *r, uint64_t cycle)
{
    cs_status status = CS_OK;

    if (cycle < r->cycle || cycle - r->cycle > MOST_GAP)
        return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->path, r->line, 1,
                              "found cycle %" PRIu64 ", expected %" PRIu64 " to %" PRIu64, cycle,
                              r->cycle, r->cycle + MOST_GAP);
    while (r->cycle < cycle && status == CS_OK)
        status = step(r);
    return status;
}

/* ---- lines ---- */

static cs_status take_setup(reading *r, const char *word, const char *rest)
{
    uint64_t value[2] = {0};
    const bool pair = numbers(rest, " ", value, 2);

    if (strcmp(word, "settings") == 0 || strcmp(word, "lag") == 0) {
        if (r->follow != NULL)
            return wrong(r, word, "it before begin, late, behind and cycles");
        if (*word == 's')
            snprintf(r->settings, sizeof r->settings, "%s", rest);
        else if (!cs_number_of(rest, CS_FOLLOW_LAG, &r->lag))
            return wrong(r, rest, "lag 0 to 63");
        return CS_OK;
    }
    if (strcmp(word, "begin") != 0 && strcmp(word, "late") != 0 && strcmp(word, "behind") != 0)
        return wrong(r, word, "settings, lag, begin, late, behind, or the number of a cycle");
    if (!pair || value[0] > 0xfff || (*word != 'b' && value[1] > CS_FOLLOW_LAG))
        return wrong(r, rest, "begin CSR VALUE, late EVENT CYCLES, or behind COUNTER CYCLES");
    const cs_status status = create(r);

    if (status != CS_OK)
        return status;
    if (strcmp(word, "begin") == 0)
        cs_follow_begin(r->follow, (unsigned)value[0], value[1]);
    else if (strcmp(word, "late") == 0)
        cs_follow_late(r->follow, (unsigned)value[0], (unsigned)value[1]);
    else
        cs_follow_behind(r->follow, (unsigned)value[0], (unsigned)value[1]);
    return CS_OK;
}

static cs_status take_retired(const reading *r, const char *text)
{
    uint64_t v[RETIRED];

    if (!numbers(text, ",", v, RETIRED) || v[1] > UINT32_MAX || v[3] > 5 || v[4] > 1)
        return wrong(r, text, "r=ORDER,INSN,PC,MODE,TRAP,RS1,RD");
    cs_follow_retire(r->follow, v[0], (uint32_t)v[1], v[2], (unsigned)v[3], (unsigned)v[4], v[5],
                     v[6]);
    return CS_OK;
}

/* e7=2, m=3, i=1, r=.. */
static cs_status take_word(const reading *r, const char *word)
{
    const char *equals = strchr(word, '=');
    uint64_t value, event;
    char number[8];

    if (strncmp(word, "r=", 2) == 0)
        return take_retired(r, word + 2);
    if (equals == NULL || !cs_number_of(equals + 1, 15, &value))
        return wrong(r, word, "eEVENT=INCREMENT, m=MODE, i=LINES or r=..");
    if (strncmp(word, "m=", 2) == 0 && value <= 5) {
        cs_follow_mode(r->follow, (unsigned)value);
        return CS_OK;
    }
    if (strncmp(word, "i=", 2) == 0 && value <= 7) {
        cs_follow_irq(r->follow, (unsigned)value);
        return CS_OK;
    }
    snprintf(number, sizeof number, "%.*s", (int)(equals - word - 1), word + 1);
    if (*word != 'e' || !cs_number_of(number, CS_GOLDEN_EVENTS - 1, &event))
        return wrong(r, word, "eEVENT=INCREMENT, m=MODE, i=LINES or r=..");
    cs_follow_event(r->follow, (unsigned)event, (unsigned)value);
    return CS_OK;
}

static cs_status take_line(reading *r, char *line)
{
    char *rest, *word = strtok_r(line, " \t\r\n", &rest);
    uint64_t cycle;

    if (word == NULL || *word == '#')
        return CS_OK;
    if (!cs_number_of(word, UINT64_MAX, &cycle)) {
        rest[strcspn(rest, "\r\n")] = '\0';
        return take_setup(r, word, rest);
    }
    cs_status status = create(r);

    if (status == CS_OK)
        status = go_to(r, cycle);
    while (status == CS_OK && (word = strtok_r(NULL, " \t\r\n", &rest)) != NULL && *word != '#')
        status = take_word(r, word);
    return status == CS_OK ? step(r) : status;
}

static cs_status take_lines(reading *r, FILE *in, char *line)
{
    cs_status status = CS_OK;
    bool good;

    while (status == CS_OK && cs_next_line(in, line, LINE_BYTES, &good)) {
        r->line++;
        status =
            good ? take_line(r, line)
                 : cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->path, r->line, 1,
                                  "expected a line of text of at most %u bytes", LINE_BYTES - 1);
    }
    if (status == CS_OK && ferror(in))
        status = cs_diag_set(r->diag, CS_ERR_IO, r->path, "%s", strerror(errno));
    return status;
}

cs_status cs_follow_file(const char *path, void (*tell)(void *ctx, const char *text), void *ctx,
                         cs_followed *out, cs_diag *diag)
{
    reading r = {.path = path, .diag = diag, .tell = tell, .ctx = ctx};
    char *line = malloc(LINE_BYTES);
    FILE *in = fopen(path, "r");
    cs_status status = CS_OK;

    *out = (cs_followed){0};
    if (in == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
    else if (line == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a line");
    if (status == CS_OK)
        status = take_lines(&r, in, line);
    if (status == CS_OK && r.follow != NULL)
        *out = (cs_followed){cs_follow_instructions(r.follow), cs_follow_compared(r.follow),
                             cs_follow_differences(r.follow)};
    if (in != NULL)
        fclose(in);
    free(line);
    cs_follow_destroy(r.follow);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
/* The format `folded`: a line for each stack, as stackcollapse-perf.pl makes it for flamegraph.pl:
 * "process;outermost;..;innermost NUMBER". With several events each begins with its event. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/profile/profile.h"

static const char *const flavours[] = {"samples", "periods", NULL};

#define WHAT "folded stacks"

typedef struct line {
    char *text;
    uint64_t number;
} line;

/* A part of a stack: what tells parts apart cannot be in it. */
static void put_part(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == ';' ? ':' : *text < ' ' && *text >= 0 ? ' ' : *text, out);
}

static char *text_of(const cs_profile *p, const cs_profile_total *total)
{
    uint32_t frames[CS_STACKS_MOST_FRAMES];
    char name[CS_PROFILE_EVENT_BYTES];
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (out == NULL)
        return NULL;
    if (p->events->nr > 1) {
        put_part(out, cs_profile_event(p, total->event, name));
        fputc(';', out);
    }
    put_part(out, cs_profile_process(p, total->pid, name));
    const size_t nr = cs_stacks_frames(&p->stacks, total->stack, frames);
    for (size_t i = 0; i < nr; i++) {
        fputc(';', out);
        put_part(out, cs_stacks_frame_name(&p->stacks.frames[frames[i]], name));
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static int by_text(const void *a, const void *b)
{
    const line *x = a, *y = b;

    return strcmp(x->text, y->text);
}

static cs_status write_profile(cs_profile *p, FILE *file, cs_diag *diag)
{
    const bool periods =
        p->request->flavour != NULL && strcmp(p->request->flavour, flavours[1]) == 0;
    size_t nr = 0, filled = 0;
    cs_profile_total *totals = cs_profile_totals(p, false, &nr);
    line *lines = calloc(nr + 1, sizeof *lines);

    for (; lines != NULL && filled < nr; filled++) {
        lines[filled].text = text_of(p, &totals[filled]);
        lines[filled].number = periods ? totals[filled].periods : totals[filled].samples;
        if (lines[filled].text == NULL)
            break;
    }
    const bool good = filled == nr && lines != NULL && (nr != 0 || p->stacks.samples->count == 0);
    if (good)
        qsort(lines, nr, sizeof *lines, by_text);
    for (size_t i = 0; i < nr && good; i++) { /* processes of one name are one */
        uint64_t sum = lines[i].number;

        for (; i + 1 < nr && by_text(&lines[i], &lines[i + 1]) == 0; i++)
            sum = cs_profile_add(sum, lines[i + 1].number);
        fprintf(file, "%s %" PRIu64 "\n", lines[i].text, sum);
    }
    for (size_t i = 0; i < filled; i++)
        free(lines[i].text);
    free(lines);
    free(totals);
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for " WHAT);
}

static const cs_profile_writer writer = {.what = WHAT, .by_name = true, .write = write_profile};

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    return cs_profile_check(s, request, WHAT, diag);
}

static cs_status open_folded(const cs_trace_place *place, void **state, cs_run_listener *listener,
                             cs_diag *diag)
{
    return cs_profile_open(place, &writer, state, listener, diag);
}

const cs_trace_format cs_trace_folded = {
    .flavours = flavours, .check = check, .open = open_folded, .close = cs_profile_close};

// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "traces/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/format.h"

const cs_trace_format cs_trace_none = {0};

#define CS_TRACE_FORMAT(id, made, checked)                                                         \
    extern const cs_format cs_format_##id;                                                         \
    extern const cs_trace_format cs_trace_##made;
#include "traces/formats.def"
#undef CS_TRACE_FORMAT

static const cs_trace_row rows[] = {
#define CS_TRACE_FORMAT(id, made, checked) {&cs_format_##id, &cs_trace_##made},
#include "traces/formats.def"
#undef CS_TRACE_FORMAT
};

#define NR_ROWS (sizeof rows / sizeof rows[0])

struct cs_trace {
    const cs_trace_row *row;
    cs_trace_request request;
    const char *asked_flavour; /* NULL: the first one */
    cs_run_listener listener;
    void *state;
    cs_output
        *output; /* the trace, and the truth of its run beside it; NULL: they have their names */
};

const cs_trace_row *cs_trace_row_at(size_t nr)
{
    for (size_t i = 0; i < NR_ROWS; i++)
        if (rows[i].made != &cs_trace_none && nr-- == 0)
            return &rows[i];
    return NULL;
}

/* ---- what is asked for ---- */

static cs_status find_row(cs_trace_request *request, const cs_trace_row **out, cs_diag *diag)
{
    char names[256];
    size_t used = 0;

    for (size_t i = 0; (*out = cs_trace_row_at(i)) != NULL; i++) {
        const cs_format *format = (*out)->format;

        if (cs_format_is(format, request->format)) {
            request->format = format->name;
            return CS_OK;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i != 0 ? ", " : "",
                                 format->name);
    }
    return cs_diag_set(diag, CS_ERR_USAGE, NULL, "there is no format '%s'; there are: %s",
                       request->format, names);
}

static cs_status find_flavour(const cs_trace_row *row, cs_trace_request *request, cs_diag *diag)
{
    const char *const *flavours = row->made->flavours;
    char names[256] = "";
    size_t used = 0;

    if (request->flavour == NULL) {
        request->flavour = flavours != NULL ? flavours[0] : NULL;
        return CS_OK;
    }
    if (flavours == NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "format %s has no flavours",
                           row->format->name);
    for (size_t i = 0; flavours[i] != NULL; i++) {
        if (strcmp(flavours[i], request->flavour) == 0)
            return CS_OK;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i != 0 ? ", " : "",
                                 flavours[i]);
    }
    return cs_diag_set(diag, CS_ERR_USAGE, NULL, "format %s has no flavour '%s'; it has: %s",
                       row->format->name, request->flavour, names);
}

/* ---- create, commit, destroy ---- */

static cs_status begin_output(cs_trace *t, cs_diag *diag)
{
    const unsigned flags = t->row->format->folder ? CS_OUTPUT_FOLDER : 0;
    const cs_status status = cs_output_begin(t->request.output, flags, &t->output, diag);

    return status == CS_OK ? cs_output_add_folder(t->output, CS_TRACE_TRUTH, diag) : status;
}

cs_status cs_trace_create(const cs_scenario *scenario, const cs_trace_request *request,
                          cs_trace **out, cs_diag *diag)
{
    cs_trace *t = calloc(1, sizeof *t);
    cs_status status;

    *out = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->request = *request;
    t->asked_flavour = request->flavour;
    status = find_row(&t->request, &t->row, diag);
    if (status == CS_OK)
        status = find_flavour(t->row, &t->request, diag);
    if (status == CS_OK && request->switch_events && !t->row->made->switches)
        status = cs_diag_set(diag, CS_ERR_USAGE, NULL,
                             "format %s has no switches of processes (--switch-events)",
                             t->row->format->name);
    if (status == CS_OK && request->window.to_us != 0 && !t->row->made->windows)
        status = cs_diag_set(diag, CS_ERR_USAGE, NULL,
                             "format %s is no timeline, and has no window (--window)",
                             t->row->format->name);
    if (status == CS_OK)
        status = t->row->made->check(scenario, &t->request, diag);
    if (status == CS_OK)
        status = begin_output(t, diag);
    if (status == CS_OK) {
        const cs_trace_place place = {scenario, &t->request,
                                      cs_output_path(t->output, CS_OUTPUT_FIRST)};

        status = t->row->made->open(&place, &t->state, &t->listener, diag);
    }
    if (status != CS_OK) {
        cs_trace_destroy(t);
        return status;
    }
    *out = t;
    return CS_OK;
}

const cs_run_listener *cs_trace_listener(cs_trace *t)
{
    return &t->listener;
}

const cs_output *cs_trace_output(const cs_trace *t)
{
    return t->output;
}

static cs_status io_error(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, where, "%s: %s", what, strerror(errno));
}

/* A text in quotes, or null. */
static void put_word(FILE *file, const char *key, const char *text)
{
    const char *quote = text != NULL ? "\"" : "";

    fprintf(file, "\"%s\": %s%s%s, ", key, quote, text != NULL ? text : "null", quote);
}

static cs_status put_request(const cs_trace *t, const char *folder, cs_diag *diag)
{
    char name[PATH_MAX + 16];

    snprintf(name, sizeof name, "%s/trace.json", folder);
    FILE *file = fopen(name, "w");
    if (file == NULL)
        return io_error(diag, "trace.json", "cannot write");
    fputc('{', file);
    put_word(file, "format", t->request.format);
    put_word(file, "flavour", t->asked_flavour);
    put_word(file, "command", t->request.command);
    if (t->request.window.to_us != 0)
        fprintf(file, "\"window\": \"%" PRIu64 ":%" PRIu64 "\", ", t->request.window.from_us,
                t->request.window.to_us);
    fprintf(file, "\"switch_events\": %s}\n", t->request.switch_events ? "true" : "false");
    const bool failed = ferror(file) != 0;
    return fclose(file) != 0 || failed ? io_error(diag, "trace.json", "cannot write") : CS_OK;
}

cs_status cs_trace_commit(cs_trace *t, const char *folder, cs_diag *diag)
{
    cs_status status = put_request(t, folder, diag);

    if (status == CS_OK && t->row->made->beside != NULL)
        status = t->row->made->beside(t->state, folder, diag);
    if (status == CS_OK) {
        status = cs_output_commit(t->output, diag);
        t->output = NULL;
    }
    return status;
}

void cs_trace_destroy(cs_trace *t)
{
    if (t == NULL)
        return;
    if (t->state != NULL)
        t->row->made->close(t->state);
    cs_output_abandon(t->output);
    free(t);
}

#define _XOPEN_SOURCE 700
#include "traces/trace.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    bool named; /* the output has its name */
    char final[PATH_MAX];
    char partial[PATH_MAX];
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

/* ---- the hidden name ---- */

static cs_status io_error(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, where, "%s: %s", what, strerror(errno));
}

static cs_status name_partial(cs_trace *t, cs_diag *diag)
{
    const size_t length = strlen(t->request.output);
    const char *slash;
    struct stat info;

    if (length == 0 || length > PATH_MAX - 300 || t->request.output[length - 1] == '/')
        return cs_diag_set(diag, CS_ERR_IO, t->request.output, "not a usable name for a trace");
    memcpy(t->final, t->request.output, length + 1);
    if (lstat(t->final, &info) == 0)
        return cs_diag_set(diag, CS_ERR_IO, t->final, "exists already; give another -o");
    slash = strrchr(t->final, '/');
    const char *base = slash != NULL ? slash + 1 : t->final;
    snprintf(t->partial, sizeof t->partial, "%.*s.%.255s.partial-%ld", (int)(base - t->final),
             t->final, base, (long)getpid());
    if (t->row->format->folder && mkdir(t->partial, 0777) != 0)
        return io_error(diag, t->final, "cannot make the folder");
    return CS_OK;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void remove_all(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- create, commit, destroy ---- */

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
    if (status == CS_OK)
        status = t->row->made->check(scenario, &t->request, diag);
    if (status == CS_OK)
        status = name_partial(t, diag);
    if (status == CS_OK) {
        const cs_trace_place place = {scenario, &t->request, t->partial};

        status = t->row->made->open(&place, &t->state, &t->listener, diag);
    }
    if (status != CS_OK) {
        cs_trace_destroy(t, true);
        return status;
    }
    *out = t;
    return CS_OK;
}

const cs_run_listener *cs_trace_listener(cs_trace *t)
{
    return &t->listener;
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
    fprintf(file, "\"switch_events\": %s}\n", t->request.switch_events ? "true" : "false");
    const bool failed = ferror(file) != 0;
    return fclose(file) != 0 || failed ? io_error(diag, "trace.json", "cannot write") : CS_OK;
}

cs_status cs_trace_commit(void *trace, const char *folder, cs_diag *diag)
{
    cs_trace *t = trace;
    const cs_status status = put_request(t, folder, diag);

    if (status != CS_OK)
        return status;
    if (rename(t->partial, t->final) != 0)
        return io_error(diag, t->final, "cannot name the finished trace");
    t->named = true;
    return CS_OK;
}

void cs_trace_destroy(cs_trace *t, bool failed)
{
    if (t == NULL)
        return;
    if (t->state != NULL)
        t->row->made->close(t->state);
    if (failed && t->named)
        remove_all(t->final);
    else if (!t->named && t->partial[0] != '\0')
        remove_all(t->partial);
    free(t);
}

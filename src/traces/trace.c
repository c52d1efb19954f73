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

static const cs_trace_format *const formats[] = {
    &cs_trace_perf,       &cs_trace_ctf,      &cs_trace_perfetto, &cs_trace_csv,
    &cs_trace_json,       &cs_trace_aux,      &cs_trace_imc,      &cs_trace_core_imc,
    &cs_trace_thread_imc, &cs_trace_nest_imc, &cs_trace_snapshot,
};

#define NR_FORMATS (sizeof formats / sizeof formats[0])

struct cs_trace {
    const cs_trace_format *format;
    cs_trace_request request;
    cs_run_listener listener;
    void *state;
    bool named; /* the output has its name */
    char final[PATH_MAX];
    char partial[PATH_MAX];
};

const cs_trace_format *cs_trace_format_at(size_t nr)
{
    return nr < NR_FORMATS ? formats[nr] : NULL;
}

const char *cs_trace_format_name(const cs_trace_format *format)
{
    return format->name;
}

const char *cs_trace_format_summary(const cs_trace_format *format)
{
    return format->summary;
}

const char *cs_trace_format_flavour(const cs_trace_format *format, size_t nr)
{
    for (size_t i = 0; format->flavours != NULL && format->flavours[i] != NULL; i++)
        if (i == nr)
            return format->flavours[i];
    return NULL;
}

/* ---- what is asked for ---- */

static cs_status find_format(const char *name, const cs_trace_format **out, cs_diag *diag)
{
    char names[256];
    size_t used = 0;

    for (size_t i = 0; i < NR_FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            *out = formats[i];
            return CS_OK;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i != 0 ? ", " : "",
                                 formats[i]->name);
    }
    return cs_diag_set(diag, CS_ERR_USAGE, NULL, "there is no format '%s'; there are: %s", name,
                       names);
}

static cs_status find_flavour(const cs_trace_format *format, cs_trace_request *request,
                              cs_diag *diag)
{
    char names[256] = "";
    size_t used = 0;

    if (request->flavour == NULL) {
        request->flavour = cs_trace_format_flavour(format, 0);
        return CS_OK;
    }
    if (format->flavours == NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "format %s has no flavours", format->name);
    for (size_t i = 0; format->flavours[i] != NULL; i++) {
        if (strcmp(format->flavours[i], request->flavour) == 0)
            return CS_OK;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i != 0 ? ", " : "",
                                 format->flavours[i]);
    }
    return cs_diag_set(diag, CS_ERR_USAGE, NULL, "format %s has no flavour '%s'; it has: %s",
                       format->name, request->flavour, names);
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
    if (t->format->folder && mkdir(t->partial, 0777) != 0)
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
    status = find_format(request->format, &t->format, diag);
    if (status == CS_OK)
        status = find_flavour(t->format, &t->request, diag);
    if (status == CS_OK && request->switch_events && !t->format->switches)
        status = cs_diag_set(diag, CS_ERR_USAGE, NULL,
                             "format %s has no switches of processes (--switch-events)",
                             t->format->name);
    if (status == CS_OK)
        status = t->format->check(scenario, &t->request, diag);
    if (status == CS_OK)
        status = name_partial(t, diag);
    if (status == CS_OK) {
        const cs_trace_place place = {scenario, &t->request, t->partial};

        status = t->format->open(&place, &t->state, &t->listener, diag);
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

cs_status cs_trace_commit(void *trace, cs_diag *diag)
{
    cs_trace *t = trace;

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
        t->format->close(t->state);
    if (failed && t->named)
        remove_all(t->final);
    else if (!t->named && t->partial[0] != '\0')
        remove_all(t->partial);
    free(t);
}

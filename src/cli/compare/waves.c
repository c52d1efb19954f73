// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/compare/waves.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/files/output.h"
#include "cli/compare/print.h"
#include "lockstep/waves/waves.h"
#include "scenario/machine/bus_spec.h"

/* Around the first difference. */
#define CYCLES_BEFORE 1000u
#define CYCLES_AFTER 200u
#define PATH 4096

struct cs_waves_job {
    cs_waves_request request;
    bool window; /* it was asked for */
    char name[PATH];
    cs_output *waves, *save;
    pid_t child;
    int orders, answers; /* ends of pipes; -1: closed */
};

/* What comes back. */
typedef struct answer {
    cs_status status;
    cs_diag diag;
} answer;

/* ---- the window ---- */

/* A cycle, or a time as 12.5us: the cycle that it is in. */
static bool point_of(const char *text, unsigned clock_mhz, cs_cycle *out)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (*end == '\0')
        return errno == 0 && *out <= INT64_MAX;
    const double value = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].name) == 0 && value * units[i].ns < 1e15) {
            *out = (cs_cycle)(value * units[i].ns * clock_mhz / 1000 + 1e-6);
            return true;
        }
    return false;
}

static cs_status read_window(const char *text, unsigned clock_mhz, cs_waves_request *request,
                             cs_diag *diag)
{
    const char *colon = strchr(text, ':');
    char from[64];

    if (colon != NULL && (size_t)(colon - text) < sizeof from) {
        snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
        request->to = CS_NEVER;
        if (point_of(from, clock_mhz, &request->from) &&
            (colon[1] == '\0' || point_of(colon + 1, clock_mhz, &request->to)) &&
            request->from < request->to)
            return CS_OK;
    }
    return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                       "--window: found '%s', expected FROM:TO or FROM:, each a cycle or a time, "
                       "as 1000:2000 or 1.5us:2us",
                       text);
}

/* ---- the other process ---- */

static bool put(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    ssize_t n = 1;

    for (; bytes != 0 && n > 0; bytes -= (size_t)n, at += n) {
        n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            n = 0;
    }
    return bytes == 0;
}

static bool get(int fd, void *data, size_t bytes)
{
    char *at = data;
    ssize_t n = 1;

    for (; bytes != 0 && (n > 0 || errno == EINTR); bytes -= n > 0 ? (size_t)n : 0) {
        errno = 0;
        n = read(fd, at, bytes);
        at += n > 0 ? n : 0;
    }
    return bytes == 0;
}

static void serve(const cs_waves_job *job, const cs_scenario *scenario, const cs_die_options *die,
                  int orders, int answers)
{
    cs_waves_request request;
    answer *a = calloc(1, sizeof *a);

    if (a == NULL || !get(orders, &request, sizeof request))
        _exit(0); /* nobody wants waves any more */
    request.path = job->request.path;
    request.save = job->request.save;
    request.name = job->request.name;
    a->status = cs_waves_run(scenario, die, &request, &a->diag);
    _exit(put(answers, a, sizeof *a) ? 0 : 1);
}

static cs_status start(cs_waves_job *job, const cs_scenario *scenario, const cs_die_options *die,
                       cs_diag *diag)
{
    int orders[2] = {-1, -1};
    int answers[2] = {-1, -1};

    if (pipe(orders) == 0 && pipe(answers) == 0) {
        fflush(NULL);
        job->child = cs_child_start(false);
        if (job->child == 0) {
            close(orders[1]);
            close(answers[0]);
            serve(job, scenario, die, orders[0], answers[1]);
        }
    }
    if (job->child <= 0)
        cs_diag_set(diag, CS_ERR_IO, NULL, "no process for waves: %s", strerror(errno));
    if (orders[0] >= 0)
        close(orders[0]);
    if (answers[1] >= 0)
        close(answers[1]);
    job->orders = orders[1];
    job->answers = answers[0];
    return job->child > 0 ? CS_OK : CS_ERR_IO;
}

/* ---- the job ---- */

cs_status cs_waves_begin(const cs_waves_option *option, const cs_scenario *scenario,
                         const cs_die_options *die, cs_waves_job **out, cs_diag *diag)
{
    cs_waves_job *job = calloc(1, sizeof *job);
    cs_status status = CS_OK;

    *out = NULL;
    if (job == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for waves");
    job->child = job->orders = job->answers = -1;
    job->request.to = CS_NEVER;
    job->window = option->window != NULL;
    if (job->window)
        status = read_window(option->window, scenario->bus->clock_mhz, &job->request, diag);
    if (status == CS_OK)
        status = cs_output_begin(option->path, CS_OUTPUT_REPLACE, &job->waves, diag);
    snprintf(job->name, sizeof job->name, "%.*s.gtkw", PATH - 8, option->path);
    if (status == CS_OK)
        status = cs_output_begin(job->name, CS_OUTPUT_REPLACE, &job->save, diag);
    if (status == CS_OK) {
        const char *name = cs_output_name(job->waves, CS_OUTPUT_FIRST);

        job->request.path = cs_output_path(job->waves, CS_OUTPUT_FIRST);
        job->request.save = cs_output_path(job->save, CS_OUTPUT_FIRST);
        job->request.name = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
        status = start(job, scenario, die, diag);
    }
    if (status == CS_OK)
        *out = job;
    else
        cs_waves_abandon(job);
    return status;
}

void cs_waves_abandon(cs_waves_job *job)
{
    if (job == NULL)
        return;
    if (job->orders >= 0)
        close(job->orders);
    if (job->answers >= 0)
        close(job->answers);
    if (job->child > 0)
        cs_child_wait(job->child);
    cs_output_abandon(job->waves);
    cs_output_abandon(job->save);
    free(job);
}

static void fill(cs_waves_job *job, const cs_compare_report *report)
{
    const cs_probe_record *model = cs_compare_first_model(report);
    const cs_probe_record *record = model != NULL ? model : cs_compare_first_rtl(report);
    cs_waves_request *r = &job->request;

    r->differs = cs_compare_differs(report->what);
    r->cycle = report->cycle;
    r->has_record = report->what == CS_COMPARE_RECORD && record != NULL;
    if (r->has_record)
        r->record = *record;
    if (!job->window && r->differs) {
        r->from = r->cycle > CYCLES_BEFORE ? r->cycle - CYCLES_BEFORE : 0;
        r->to = r->cycle + CYCLES_AFTER;
    } else if (r->differs && r->to == CS_NEVER) {
        r->to = report->cycles;
    } else if (!r->differs && r->to > report->cycles) {
        r->to = report->cycles;
    }
}

cs_status cs_waves_finish(cs_waves_job *job, const cs_compare_report *report, cs_diag *diag)
{
    answer *a = calloc(1, sizeof *a);
    cs_status status = CS_OK;

    fill(job, report);
    if (report->what == CS_COMPARE_NOTHING)
        status = cs_diag_set(diag, CS_ERR_UNSUPPORTED, NULL,
                             "the scenario has no hardware, so there are no waves");
    else if (a == NULL || !put(job->orders, &job->request, sizeof job->request) ||
             !get(job->answers, a, sizeof *a))
        status = cs_diag_set(diag, CS_ERR_IO, NULL, "the process that writes waves has died");
    else if (a->status != CS_OK) {
        status = a->status;
        *diag = a->diag;
    }
    free(a);
    if (status == CS_OK) {
        cs_output *waves = job->waves;

        job->waves = NULL;
        status = cs_output_commit(waves, diag);
    }
    if (status == CS_OK) {
        cs_output *save = job->save;

        job->save = NULL;
        status = cs_output_commit(save, diag);
    }
    if (status == CS_OK)
        fprintf(stderr, "countersink: waves of cycles %llu to %llu: gtkwave %s\n",
                (unsigned long long)job->request.from, (unsigned long long)job->request.to - 1,
                job->name);
    cs_waves_abandon(job);
    return status;
}

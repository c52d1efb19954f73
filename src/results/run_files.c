#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "results/run_impl.h"

#define ABOVE "above" /* in the run folder: a step upwards */

/* The name without steps that lead nowhere, and with ABOVE for each that leads upwards; false: it is too
 * long. */
static bool clean(const char *name, char out[PATH_MAX])
{
    size_t used = 0;

    if (strlen(name) >= PATH_MAX / (sizeof ABOVE))
        return false;
    for (; *name != '\0'; name += *name == '/') {
        const size_t length = strcspn(name, "/");

        const bool up = length == 2 && strncmp(name, "..", 2) == 0;
        const char *step = up ? ABOVE : name;
        const size_t bytes = up ? sizeof ABOVE - 1 : length;

        if (length != 0 && !(length == 1 && *name == '.')) {
            if (used != 0)
                out[used++] = '/';
            memcpy(out + used, step, bytes);
            used += bytes;
        }
        name += length;
    }
    out[used] = '\0';
    return true;
}

/* Whether the run folder has a file or folder of its own there. */
static bool is_own(const char *name)
{
    static const char *const own[] = {
        "scenario.yaml", "summary.txt", "summary.json", "truth.sqlite", "samples.aux", "probe.csv",
        "damage.json",   "trace.json",  "memory",       "records",      "csv",         "maps"};
    const size_t first = strcspn(name, "/");

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strlen(own[i]) == first && strncmp(name, own[i], first) == 0)
            return true;
    return false;
}

/* A name that leads upwards, as the scenario's text has it. */
static bool quoted(const char *name, char out[PATH_MAX + 2])
{
    const char *step = name;

    while (strncmp(step, "..", 2) != 0 || (step[2] != '/' && step[2] != '\0')) {
        step = strchr(step, '/');
        if (step == NULL)
            return false;
        step++;
    }
    return snprintf(out, PATH_MAX + 2, "\"%s\"", name) < PATH_MAX + 2;
}

/* The scenario names files above it as they are called in the run folder. */
static void put_scenario(const cs_scenario *s, FILE *file)
{
    char text[PATH_MAX + 2], name[PATH_MAX];

    for (const char *c = s->yaml; *c != '\0';) {
        size_t taken = 0;

        for (size_t i = 0; i < s->nr_files && *c == '"' && taken == 0; i++)
            if (quoted(s->files[i], text) && strncmp(c, text, strlen(text)) == 0 &&
                clean(s->files[i], name))
                taken = strlen(text);
        if (taken != 0)
            fprintf(file, "\"%s\"", name);
        else
            fputc(*c, file);
        c += taken != 0 ? taken : 1;
    }
}

/* What the scenario names lies beside it: so it can be run again from here. */
static cs_status copy_files(const cs_part_run *r, cs_diag *diag)
{
    const cs_scenario *s = r->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_files && status == CS_OK; i++) {
        char from[sizeof s->folder + PATH_MAX], name[PATH_MAX], text[PATH_MAX + 2];

        if (s->files[i][0] == '/')
            continue;
        if (!clean(s->files[i], name) || is_own(name) ||
            (quoted(s->files[i], text) && strstr(s->yaml, text) == NULL)) {
            cs_part_warn(r, "%s is not copied into the run folder, whose scenario.yaml names it",
                         s->files[i]);
            continue;
        }
        snprintf(from, sizeof from, "%s/%s", s->folder, s->files[i]);
        status = cs_run_folder_copy(r->folder, from, name, diag);
    }
    return status;
}

cs_status cs_run_open_folder(const cs_run_options *options, const char *name, cs_run_folder **out,
                             cs_diag *diag)
{
    if (options->begun != NULL)
        return cs_run_folder_begin_within(options->begun, CS_OUTPUT_FIRST, out, diag);
    if (options->within != NULL)
        return cs_run_folder_begin_within(options->within, CS_OUTPUT_SECOND, out, diag);
    return cs_run_folder_begin(options->output, name, out, diag);
}

cs_status cs_run_begin_folder(cs_part_run *r, const cs_run_options *options, cs_diag *diag)
{
    cs_status status = cs_run_open_folder(options, r->scenario->name, &r->folder, diag);
    FILE *yaml = NULL;

    if (status == CS_OK)
        status = cs_run_folder_open(r->folder, "scenario.yaml", &yaml, diag);
    if (status == CS_OK) {
        put_scenario(r->scenario, yaml);
        status = cs_run_folder_close(r->folder, "scenario.yaml", yaml, diag);
    }
    return status == CS_OK ? copy_files(r, diag) : status;
}

cs_status cs_run_write_summary(const cs_part_run *r, const cs_summary *summary, cs_diag *diag)
{
    static const char *const names[] = {"summary.txt", "summary.json"};
    cs_status status = CS_OK;

    for (int json = 0; json < 2 && status == CS_OK; json++) {
        FILE *file;

        status = cs_run_folder_open(r->folder, names[json], &file, diag);
        if (status != CS_OK)
            return status;
        if (json)
            cs_summary_json(summary, file);
        else
            cs_summary_text(summary, 0, file);
        status = cs_run_folder_close(r->folder, names[json], file, diag);
    }
    return status;
}

#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "results/run_impl.h"

/* The name without steps that lead nowhere; false: it leads upwards somewhere, or is too long. */
static bool clean(const char *name, char out[PATH_MAX])
{
    size_t used = 0;

    if (strlen(name) >= PATH_MAX)
        return false;
    for (; *name != '\0'; name += *name == '/') {
        const size_t length = strcspn(name, "/");

        if (length == 2 && strncmp(name, "..", 2) == 0)
            return false;
        if (length != 0 && !(length == 1 && *name == '.')) {
            if (used != 0)
                out[used++] = '/';
            memcpy(out + used, name, length);
            used += length;
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
        "damage.json",   "trace.json",  "memory",       "records",      "csv"};
    const size_t first = strcspn(name, "/");

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strlen(own[i]) == first && strncmp(name, own[i], first) == 0)
            return true;
    return false;
}

/* What the scenario names lies beside it: so it can be run again from here. */
static cs_status copy_files(const cs_part_run *r, cs_diag *diag)
{
    const cs_scenario *s = r->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_files && status == CS_OK; i++) {
        char from[sizeof s->folder + PATH_MAX], name[PATH_MAX];

        if (s->files[i][0] == '/')
            continue;
        if (!clean(s->files[i], name) || is_own(name)) {
            cs_part_warn(r, "%s is not copied into the run folder, whose scenario.yaml names it",
                         s->files[i]);
            continue;
        }
        snprintf(from, sizeof from, "%s/%s", s->folder, s->files[i]);
        status = cs_run_folder_copy(r->folder, from, name, diag);
    }
    return status;
}

cs_status cs_run_begin_folder(cs_part_run *r, const cs_run_options *options, cs_diag *diag)
{
    cs_status status =
        options->within != NULL
            ? cs_run_folder_begin_within(options->within, &r->folder, diag)
            : cs_run_folder_begin(options->output, r->scenario->name, &r->folder, diag);
    FILE *yaml = NULL;

    if (status == CS_OK)
        status = cs_run_folder_open(r->folder, "scenario.yaml", &yaml, diag);
    if (status == CS_OK) {
        fputs(r->scenario->yaml, yaml);
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

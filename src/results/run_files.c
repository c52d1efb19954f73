// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "results/run_impl.h"
#include "scenario/yaml/shared.h"
#include "scenario/yaml/yaml.h"

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

static bool leads_up(const char *name)
{
    const char *step = name;

    while (strncmp(step, "..", 2) != 0 || (step[2] != '/' && step[2] != '\0')) {
        step = strchr(step, '/');
        if (step == NULL)
            return false;
        step++;
    }
    return true;
}

/* ---- the scenario's text ---- */

typedef struct writing {
    const cs_scenario *scenario;
    const char *rest; /* of its text, what has not been written */
    FILE *file;
} writing;

/* Columns are characters; a byte that goes on with one is none. */
static const char *place_of(const cs_scenario *s, unsigned line, unsigned column)
{
    const char *at = s->yaml;

    for (unsigned i = 1; i < line && at != NULL; i++) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    for (unsigned i = 1; i < column && at != NULL && *at != '\0'; i++)
        do
            at++;
        while (((unsigned char)*at & 0xc0) == 0x80);
    return at;
}

/* Of a value as it is written there; 0: it is not on one line as it is. */
static size_t written_bytes(const char *at, const cs_yaml_node *node)
{
    const char quote = !node->plain ? *at : '\0';
    const char *end = at + (quote != '\0');
    const size_t length = strlen(node->text);

    if (strncmp(end, node->text, length) != 0 || (quote != '\0' && end[length] != quote))
        return 0;
    return length + (quote != '\0' ? 2 : 0);
}

/* Whether the scenario has the name as a value that can be written anew. */
static bool is_value(const cs_scenario *s, const cs_yaml_node *node, const char *name)
{
    bool is = false;

    if (node->kind == CS_YAML_SCALAR && strcmp(node->text, name) == 0) {
        const char *at = place_of(s, node->line, node->column);

        is = at != NULL && written_bytes(at, node) != 0;
    }
    for (const cs_yaml_node *child = node->first; child != NULL && !is; child = child->next)
        is = is_value(s, child, name);
    return is;
}

static void put_value(writing *w, const cs_yaml_node *node)
{
    const char *at = place_of(w->scenario, node->line, node->column);
    const size_t bytes = at != NULL && at >= w->rest ? written_bytes(at, node) : 0;
    char name[PATH_MAX];

    if (bytes == 0 || !leads_up(node->text) || !clean(node->text, name))
        return;
    fwrite(w->rest, 1, (size_t)(at - w->rest), w->file);
    fprintf(w->file, "\"%s\"", name);
    w->rest = at + bytes;
}

static void put_values(writing *w, const cs_yaml_node *node)
{
    for (size_t i = 0; i < w->scenario->nr_files && node->kind == CS_YAML_SCALAR; i++)
        if (strcmp(w->scenario->files[i], node->text) == 0) {
            put_value(w, node);
            break;
        }
    for (const cs_yaml_node *child = node->first; child != NULL; child = child->next)
        put_values(w, child);
}

/* The scenario names files above it as they are called in the run folder, and no schema beside it. */
static void put_scenario(const cs_scenario *s, const cs_yaml_node *root, FILE *file)
{
    writing w = {s, cs_scenario_body(s->yaml), file};

    put_values(&w, root);
    fputs(w.rest, file);
}

/* ---- the files ---- */

/* What the scenario names lies beside it: so it can be run again from here. */
static cs_status copy_files(const cs_part_run *r, const cs_yaml_node *root, cs_diag *diag)
{
    const cs_scenario *s = r->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_files && status == CS_OK; i++) {
        char from[sizeof s->folder + PATH_MAX], name[PATH_MAX];

        if (s->files[i][0] == '/')
            continue;
        if (!clean(s->files[i], name) || is_own(name) ||
            (leads_up(s->files[i]) && !is_value(s, root, s->files[i]))) {
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
    const cs_scenario *s = r->scenario;
    cs_yaml *parsed = NULL;
    cs_yaml_node *root = NULL;
    FILE *yaml = NULL;
    cs_status status = cs_run_open_folder(options, s->name, &r->folder, diag);

    if (status == CS_OK)
        status = cs_yaml_create(&parsed, diag);
    if (status == CS_OK)
        status = cs_yaml_parse(parsed, s->yaml, strlen(s->yaml), s->source, true, &root, diag);
    if (status == CS_OK)
        status = cs_run_folder_open(r->folder, "scenario.yaml", &yaml, diag);
    if (status == CS_OK) {
        put_scenario(s, root, yaml);
        status = cs_run_folder_close(r->folder, "scenario.yaml", yaml, diag);
    }
    if (status == CS_OK)
        status = copy_files(r, root, diag);
    cs_yaml_destroy(parsed);
    return status;
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

// SPDX-License-Identifier: Apache-2.0
#include "scenario/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/check.h"
#include "scenario/fill.h"
#include "scenario/machine/ways.h"
#include "scenario/perf/perf_term.h"
#include "scenario/section_list.h"
#include "scenario/yaml/yaml.h"

#define FIRST_SET 2u /* after the document and its way */

/* A scenario and all that it points to. */
typedef struct loaded {
    cs_scenario scenario; /* first: what the user holds */
    cs_yaml *memory;
} loaded;

void cs_scenario_destroy(cs_scenario *scenario)
{
    loaded *l = (loaded *)scenario;

    if (l == NULL)
        return;
    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->destroy != NULL)
            cs_sections[i].section->destroy(&l->scenario);
    cs_yaml_destroy(l->memory);
    free(l);
}

/* The text as the run uses it: as read, or with the assignments in it and of one way only. */
static cs_status keep_text(loaded *l, const char *text, size_t bytes, cs_yaml_node *root,
                           size_t nr_sets, cs_diag *diag)
{
    const bool changed = nr_sets > 0 || l->scenario.nr_ways > 0;
    char *printed = NULL;

    if (changed) {
        cs_ways_forget(root);
        printed = cs_yaml_print(root, "written with the values of --set and of one way");
    }
    if (changed && printed == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the scenario's text");
    l->scenario.yaml = printed != NULL ? cs_yaml_copy(l->memory, printed, strlen(printed), diag)
                                       : cs_yaml_copy(l->memory, text, bytes, diag);
    free(printed);
    return l->scenario.yaml != NULL ? CS_OK : CS_ERR_NO_MEMORY;
}

/* What only the making of streams and guard can tell, and recordings. */
static cs_status try_build(const cs_scenario *scenario, cs_diag *diag)
{
    cs_timelines *timelines = NULL;
    cs_guard *guard = NULL;
    cs_status status = cs_scenario_timelines(scenario, &timelines, diag);

    if (status == CS_OK)
        status = cs_scenario_guard(scenario, &guard, diag);
    cs_guard_destroy(guard);
    cs_timelines_destroy(timelines);
    return status;
}

/* Assignments that choose a way, or change one, come before those that change the outcome. */
static cs_status make_sets(const loaded *l, cs_yaml_node *root, const char *const sets[],
                           size_t nr_sets, bool early, cs_diag *diag)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < nr_sets && status == CS_OK; i++)
        if (cs_ways_early(sets[i]) == early) {
            const char *set = cs_perf_term_set(l->memory, root, sets[i], diag);

            status = set != NULL ? cs_yaml_set(l->memory, root, set,
                                               early ? 0 : FIRST_SET + (unsigned)i, diag)
                                 : CS_ERR_NO_MEMORY;
        }
    return status;
}

static cs_status read_scenario(loaded *l, const char *text, size_t bytes, const char *const sets[],
                               size_t nr_sets, cs_diag *diag)
{
    cs_yaml_node *root;
    cs_status status = cs_yaml_parse(l->memory, text, bytes, l->scenario.source, true, &root, diag);

    status = status == CS_OK ? make_sets(l, root, sets, nr_sets, true, diag) : status;
    if (status == CS_OK)
        status = cs_ways_apply(l->memory, root, diag);
    if (status == CS_OK)
        status = make_sets(l, root, sets, nr_sets, false, diag);
    if (status != CS_OK)
        return status;

    cs_check check = {.scenario = &l->scenario, .memory = l->memory, .root = root, .diag = diag};
    cs_fill fill = {.scenario = &l->scenario, .memory = l->memory, .diag = diag};
    status = cs_check_names(&check);
    if (status == CS_OK)
        status = cs_fill_scenario(&fill, root);
    if (status == CS_OK)
        status = cs_check_scenario(&check);
    if (status == CS_OK)
        status = keep_text(l, text, bytes, root, nr_sets, diag);
    return status == CS_OK ? try_build(&l->scenario, diag) : status;
}

cs_status cs_scenario_parse(const char *text, size_t bytes, const char *name, const char *folder,
                            const char *const sets[], size_t nr_sets, cs_scenario **out,
                            cs_diag *diag)
{
    loaded *l = calloc(1, sizeof *l);

    *out = NULL;
    if (l == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a scenario");
    snprintf(l->scenario.source, sizeof l->scenario.source, "%s", name);
    snprintf(l->scenario.folder, sizeof l->scenario.folder, "%s", folder);
    cs_status status = cs_yaml_create(&l->memory, diag);
    if (status == CS_OK)
        status = cs_sections_room(&l->scenario, l->memory, diag);
    if (status == CS_OK)
        status = read_scenario(l, text, bytes, sets, nr_sets, diag);
    if (status != CS_OK) {
        cs_scenario_destroy(&l->scenario);
        return status;
    }
    *out = &l->scenario;
    return CS_OK;
}

/* "configs" of "configs/x.yaml", "." of "x.yaml", "/" of "/x.yaml" */
static void folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        snprintf(folder, size, ".");
    else
        snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

cs_status cs_scenario_load(const char *path, const char *const sets[], size_t nr_sets,
                           cs_scenario **out, cs_diag *diag)
{
    char folder[sizeof((cs_scenario *)NULL)->folder];
    char *text;
    size_t bytes;

    *out = NULL;
    if (strlen(path) >= sizeof folder)
        return cs_diag_set(diag, CS_ERR_IO, path, "the path is too long");
    folder_of(path, folder, sizeof folder);
    cs_status status = cs_yaml_read(path, &text, &bytes, diag);
    if (status == CS_OK)
        status = cs_scenario_parse(text, bytes, strcmp(path, "-") == 0 ? "standard input" : path,
                                   folder, sets, nr_sets, out, diag);
    free(text);
    return status;
}

cs_status cs_scenario_load_simulated(const char *path, const char *const sets[], size_t nr_sets,
                                     cs_scenario **out, cs_diag *diag)
{
    cs_status status = cs_scenario_load(path, sets, nr_sets, out, diag);

    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++)
        if (cs_sections[i].section->unsimulated != NULL)
            status = cs_sections[i].section->unsimulated(*out, diag);
    if (status != CS_OK) {
        cs_scenario_destroy(*out);
        *out = NULL;
    }
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "zoo/design.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/embedded.h"
#include "lockstep/die/find.h"
#include "lockstep/die/tool.h"
#include "lockstep/die/top.h"

#define HEADER_ENDS "\n);\n" /* of a module */

/* No optimisation sees through a variable. */
#define DECLARATION                                                                                \
    "\n  int cs_fault;\n  initial cs_fault = $c32(\"(std::getenv(\\\"" CS_ZOO_VARIABLE             \
    "\\\") ? std::atoi(std::getenv(\\\"" CS_ZOO_VARIABLE "\\\")) : 0)\");"

extern const cs_embedded cs_zoo_modules[], cs_zoo_maps[];

/* ---- texts ---- */

/* `bytes` at `at` of a text, which is freed, become `with`; NULL: no memory. */
static char *replaced(char *text, size_t at, size_t bytes, const char *with)
{
    const size_t size = strlen(text) - bytes + strlen(with) + 1;
    char *out = malloc(size);

    if (out != NULL)
        snprintf(out, size, "%.*s%s%s", (int)at, text, with, text + at + bytes);
    free(text);
    return out;
}

/* With (cs_fault == N) where the bug says FAULT. */
static char *with_number(const char *text, unsigned number)
{
    char condition[32], *out = strdup(text);
    const char *at;

    snprintf(condition, sizeof condition, "(cs_fault == %u)", number);
    while (out != NULL && (at = strstr(out, "FAULT")) != NULL)
        out = replaced(out, (size_t)(at - out), strlen("FAULT"), condition);
    return out;
}

static unsigned times(const char *text, const char *part)
{
    unsigned nr = 0;

    for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part))
        nr++;
    return nr;
}

static cs_status no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a design");
}

/* ---- changes ---- */

/* A file of our RTL, and its name. */
typedef struct source {
    const char *name;
    char *text;
    bool changed;
} source;

static source *source_named(source sources[], size_t nr, const char *name)
{
    for (size_t i = 0; i < nr; i++)
        if (strcmp(sources[i].name, name) == 0)
            return &sources[i];
    return NULL;
}

static cs_status apply(const cs_zoo_kind *kind, const cs_zoo_bug *bug, const cs_zoo_change *change,
                       source sources[], cs_diag *diag)
{
    source *s = source_named(sources, kind->nr_rtl, change->file);
    char file[64], *with;
    unsigned nr;

    snprintf(file, sizeof file, "%s.txt", kind->name);
    if (s == NULL)
        return cs_diag_set_at(diag, CS_ERR_FORMAT, file, bug->line, 1,
                              "there is no %s in the RTL of %s", change->file, kind->name);
    nr = times(s->text, change->old);
    if (nr != 1)
        return cs_diag_set_at(diag, CS_ERR_FORMAT, file, bug->line, 1,
                              "'%s' is %u times in %s, expected once", change->old, nr,
                              change->file);
    with = with_number(change->with, bug->number);
    if (with != NULL)
        s->text = replaced(s->text, (size_t)(strstr(s->text, change->old) - s->text),
                           strlen(change->old), with);
    s->changed = true;
    const bool good = with != NULL && s->text != NULL;

    free(with);
    return good ? CS_OK : no_memory(diag);
}

static cs_status declare(source *s, cs_diag *diag)
{
    const char *end = strstr(s->text, HEADER_ENDS);

    if (end == NULL)
        return cs_diag_set(diag, CS_ERR_FORMAT, s->name, "the module's header does not end");
    s->text = replaced(s->text, (size_t)(end - s->text) + strlen(HEADER_ENDS) - 1, 0, DECLARATION);
    return s->text != NULL ? CS_OK : no_memory(diag);
}

/* ---- files ---- */

/* Writes FOLDER/NAME where it says something else: what is verilated is known by its content. */
static cs_status put(const char *folder, const char *name, const char *ending, const char *text,
                     char **out, cs_diag *diag)
{
    char path[CS_DIE_PATH], part[CS_DIE_PATH + 32];
    cs_diag none = {0};
    char *was;
    bool good;

    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    *out = strdup(path);
    if (*out == NULL)
        return no_memory(diag);
    was = access(path, R_OK) == 0 ? cs_die_read_file(path, &none) : NULL;
    good = was != NULL && strcmp(was, text) == 0;
    free(was);
    if (good)
        return CS_OK;
    FILE *file = fopen(part, "w");

    good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (!good || rename(part, path) != 0)
        return cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
    return CS_OK;
}

static cs_status put_embedded(const cs_embedded list[], const char *folder, const char *name,
                              const char *ending, char **out, cs_diag *diag)
{
    for (size_t i = 0; list[i].name != NULL; i++)
        if (strcmp(list[i].name, name) == 0)
            return put(folder, name, ending, list[i].text, out, diag);
    return cs_diag_set(diag, CS_ERR_FORMAT, name, "there is no such %s", ending);
}

static cs_status read_sources(const cs_zoo_kind *kind, const char *root, source out[],
                              cs_diag *diag)
{
    char path[CS_DIE_PATH];

    for (size_t i = 0; i < kind->nr_rtl; i++) {
        const char *slash = strrchr(kind->rtl[i], '/');

        snprintf(path, sizeof path, "%s/%s", root, kind->rtl[i]);
        out[i].name = slash != NULL ? slash + 1 : kind->rtl[i];
        out[i].text = cs_die_read_file(path, diag);
        if (out[i].text == NULL)
            return CS_ERR_IO;
    }
    return CS_OK;
}

/* Of the files that bugs change copies, of the others the path. */
static cs_status put_source(const char *root, const char *path, source *s, const char *folder,
                            char **out, cs_diag *diag)
{
    char whole[CS_DIE_PATH];
    cs_status status = s->changed ? declare(s, diag) : CS_OK;

    if (status == CS_OK && s->changed)
        return put(folder, s->name, "", s->text, out, diag);
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    *out = status == CS_OK ? strdup(whole) : NULL;
    return status == CS_OK && *out == NULL ? no_memory(diag) : status;
}

static cs_status make_in(const cs_zoo_kind *kind, const char *root, const char *folder,
                         source sources[], cs_zoo_design *out, cs_diag *diag)
{
    cs_foreign_rtl *rtl = &out->rtl;
    cs_status status = read_sources(kind, root, sources, diag);

    for (size_t b = 0; b < kind->nr_bugs; b++)
        for (size_t c = 0; c < kind->bugs[b].nr_changes && status == CS_OK; c++)
            status = apply(kind, &kind->bugs[b], &kind->bugs[b].changes[c], sources, diag);
    for (size_t i = 0; i < kind->nr_rtl && status == CS_OK; i++)
        status = put_source(root, kind->rtl[i], &sources[i], folder, &out->files[i], diag);
    if (status == CS_OK && kind->module != NULL)
        status = put_embedded(cs_zoo_modules, folder, kind->module, ".sv",
                              &out->files[kind->nr_rtl], diag);
    if (status == CS_OK)
        status = put_embedded(cs_zoo_maps, folder, kind->map, ".yaml", &out->map, diag);
    for (size_t i = 0; i <= kind->nr_rtl; i++)
        if (out->files[i] != NULL)
            rtl->files[rtl->nr_files++] = out->files[i];
    rtl->top = kind->top;
    return status;
}

cs_status cs_zoo_design_make(const cs_zoo_kind *kind, const char *root, const char *cache,
                             cs_zoo_design *out, cs_diag *diag)
{
    char folder[CS_DIE_PATH / 2], kept[CS_DIE_PATH / 4];
    source sources[CS_ZOO_FILES] = {0};
    cs_status status = cs_tool_cache(cache, kept, sizeof kept, diag);

    *out = (cs_zoo_design){.rtl = {.cache = cache}};
    if (status == CS_OK)
        status = cs_tool_make_folder(kept, diag);
    snprintf(folder, sizeof folder, "%s/zoo", kept);
    if (status == CS_OK)
        status = cs_tool_make_folder(folder, diag);
    snprintf(folder, sizeof folder, "%s/zoo/%s", kept, kind->name);
    if (status == CS_OK)
        status = cs_tool_make_folder(folder, diag);
    if (status == CS_OK)
        status = make_in(kind, root, folder, sources, out, diag);
    for (size_t i = 0; i < kind->nr_rtl; i++)
        free(sources[i].text);
    if (status != CS_OK)
        cs_zoo_design_free(out);
    return status;
}

void cs_zoo_design_free(cs_zoo_design *design)
{
    for (size_t i = 0; i <= CS_ZOO_FILES; i++)
        free(design->files[i]);
    free(design->map);
    *design = (cs_zoo_design){0};
}

cs_status cs_zoo_compare(const cs_zoo_kind *kind, const cs_zoo_design *design, unsigned number,
                         const cs_foreign_options *options, const char *waves,
                         cs_foreign_report *report, cs_diag *diag)
{
    char text[16];

    snprintf(text, sizeof text, "%u", number);
    if (setenv(CS_ZOO_VARIABLE, text, 1) != 0)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the environment");
    return cs_foreign_compare(cs_foreign_find_unit(kind->name), design->map, &design->rtl, options,
                              waves, report, diag);
}

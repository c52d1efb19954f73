// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "lockstep/die/tree.h"

#include <errno.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lockstep/die/top.h"

#define TOP "src/rtl/top/die.sv.in" /* of which the die's top is made */
#define MOST_FOLDERS 8              /* that are open at a time */

/* ---- names ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t bytes = strlen(text), tail = strlen(end);

    return bytes > tail && strcmp(text + bytes - tail, end) == 0;
}

static bool is_source(const char *path)
{
    static const char *const ends[] = {".sv", ".svh", ".v", ".vh", ".sv.in"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(path, ends[i]))
            return true;
    return false;
}

static bool has_name(const char *list, const char *name)
{
    const size_t bytes = strlen(name);

    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
        if ((at == list || at[-1] == '\n') && at[bytes] == '\n')
            return true;
    return false;
}

/* ---- the tree's own ---- */

static bool add_name(char **list, const char *name)
{
    const size_t bytes = strlen(*list);
    char *longer = realloc(*list, bytes + strlen(name) + 2);

    if (longer == NULL)
        return false;
    *list = longer;
    sprintf(longer + bytes, "%s\n", name);
    return true;
}

/* Adds the files of one pattern, each once; false: no memory. */
static bool add_pattern(const char *root, const char *pattern, char **list)
{
    char path[PATH_MAX];
    glob_t found;
    bool good = true;

    snprintf(path, sizeof path, "%s/%s", root, pattern);
    if (glob(path, 0, NULL, &found) != 0)
        return true;
    for (size_t i = 0; i < found.gl_pathc && good; i++) {
        const char *name = found.gl_pathv[i] + strlen(root) + 1;

        if (!has_name(*list, name))
            good = add_name(list, name);
    }
    globfree(&found);
    return good;
}

char *cs_rtl_tree_sources(const cs_rtl_tree *tree, cs_diag *diag)
{
    char path[PATH_MAX];
    char *rest = NULL;

    snprintf(path, sizeof path, "%s/src/rtl/sources.txt", tree->root);
    char *patterns = cs_die_read_file(path, diag);
    char *list = patterns != NULL ? calloc(1, 1) : NULL;
    bool good = list != NULL;
    for (char *pattern = good ? strtok_r(patterns, " \n", &rest) : NULL; pattern != NULL && good;
         pattern = strtok_r(NULL, " \n", &rest))
        good = add_pattern(tree->root, pattern, &list);
    if (patterns != NULL && !good) {
        cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the names of sources");
        free(list);
        list = NULL;
    }
    free(patterns);
    return list;
}

/* ---- the copies ---- */

/* nftw() hands nothing on. */
static struct {
    char *paths[CS_RTL_CHANGED];
    size_t nr;
    bool full;
} seen;

static int see(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)where;
    if (kind != FTW_F || base_of(path)[0] == '.' || !is_source(path))
        return 0;
    seen.full = seen.nr == CS_RTL_CHANGED;
    if (!seen.full)
        seen.paths[seen.nr++] = realpath(path, NULL);
    return seen.full;
}

/* The line of the list whose file has the name; false: none. */
static bool find_name(const char *list, const char *base, char *out, size_t size)
{
    for (const char *at = list; *at != '\0'; at += strcspn(at, "\n") + 1) {
        snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
        if (strcmp(base_of(out), base) == 0)
            return true;
    }
    return false;
}

static bool same_text(const char *a, const char *b, cs_status *status, cs_diag *diag)
{
    char *one = cs_die_read_file(a, diag);
    char *other = one != NULL ? cs_die_read_file(b, diag) : NULL;
    const bool same = other != NULL && strcmp(one, other) == 0;

    if (other == NULL)
        *status = CS_ERR_IO;
    free(one);
    free(other);
    return same;
}

static cs_status add_copy(cs_rtl_tree *tree, const char *list, const char *path, cs_diag *diag)
{
    char name[PATH_MAX], own[2 * PATH_MAX];
    cs_status status = CS_OK;

    if (!find_name(list, base_of(path), name, sizeof name))
        return cs_diag_set(diag, CS_ERR_USAGE, path,
                           "is not a copy of one of our RTL files: none has its name "
                           "(list them: ls %s/src/rtl/*)",
                           tree->root);
    for (size_t i = 0; i < tree->nr_changed; i++)
        if (strcmp(tree->changed[i].name, name) == 0)
            return cs_diag_set(diag, CS_ERR_USAGE, path, "is there twice: %s has the same name",
                               tree->changed[i].path);
    snprintf(own, sizeof own, "%s/%s", tree->root, name);
    if (same_text(own, path, &status, diag) || status != CS_OK)
        return status;
    cs_rtl_changed *new = &tree->changed[tree->nr_changed++];
    *new = (cs_rtl_changed){strdup(name), strdup(path)};
    return new->name != NULL &&new->path != NULL
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the names of sources");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const cs_rtl_changed *)a)->name, ((const cs_rtl_changed *)b)->name);
}

static cs_status read_copies(cs_rtl_tree *tree, const char *folder, cs_diag *diag)
{
    char *list = cs_rtl_tree_sources(tree, diag);
    cs_status status = list != NULL ? CS_OK : CS_ERR_IO;
    struct stat info;

    seen.nr = 0;
    seen.full = false;
    if (status == CS_OK && !add_name(&list, TOP))
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the names of sources");
    if (status == CS_OK && (stat(folder, &info) != 0 || nftw(folder, see, MOST_FOLDERS, 0) < 0))
        status = cs_diag_set(diag, CS_ERR_IO, folder, "%s", strerror(errno));
    else if (status == CS_OK && !S_ISDIR(info.st_mode))
        status = cs_diag_set(diag, CS_ERR_USAGE, folder,
                             "is not a folder; expected one with changed copies of our RTL files");
    if (status == CS_OK && seen.full)
        status = cs_diag_set(diag, CS_ERR_USAGE, folder, "has more than %u files of SystemVerilog",
                             CS_RTL_CHANGED);
    if (status == CS_OK && seen.nr == 0)
        status = cs_diag_set(diag, CS_ERR_USAGE, folder,
                             "has no copy of one of our RTL files; expected some of %s/src/rtl/",
                             tree->root);
    for (size_t i = 0; i < seen.nr; i++) {
        if (status == CS_OK && seen.paths[i] != NULL)
            status = add_copy(tree, list, seen.paths[i], diag);
        free(seen.paths[i]);
    }
    if (status == CS_OK && tree->nr_changed > 1)
        qsort(tree->changed, tree->nr_changed, sizeof tree->changed[0], by_name);
    free(list);
    return status;
}

/* ---- all together ---- */

cs_status cs_rtl_tree_open(const char *root, const char *folder, cs_rtl_tree *out, cs_diag *diag)
{
    cs_status status = CS_OK;

    *out = (cs_rtl_tree){.root = realpath(root, NULL)};
    if (out->root == NULL)
        return cs_diag_set(diag, CS_ERR_IO, root, "%s", strerror(errno));
    if (folder != NULL)
        status = read_copies(out, folder, diag);
    if (status != CS_OK)
        cs_rtl_tree_close(out);
    return status;
}

void cs_rtl_tree_close(cs_rtl_tree *tree)
{
    for (size_t i = 0; i < tree->nr_changed; i++) {
        free(tree->changed[i].name);
        free(tree->changed[i].path);
    }
    free(tree->root);
    *tree = (cs_rtl_tree){0};
}

void cs_rtl_tree_path(const cs_rtl_tree *tree, const char *name, char *out, size_t size)
{
    for (size_t i = 0; i < tree->nr_changed; i++)
        if (strcmp(tree->changed[i].name, name) == 0) {
            snprintf(out, size, "%s", tree->changed[i].path);
            return;
        }
    snprintf(out, size, "%s/%s", tree->root, name);
}

const char *cs_rtl_tree_tell(const cs_rtl_tree *tree, char *out, size_t size)
{
    size_t used = 0;

    if (size > 0)
        out[0] = '\0';
    for (size_t i = 0; i < tree->nr_changed && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i != 0 ? ", " : "",
                                 base_of(tree->changed[i].name));
    return out;
}

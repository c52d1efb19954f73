// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "lockstep/die/find.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/beside.h"
#include "base/wall.h"
#include "lockstep/die/build.h"
#include "lockstep/die/kept.h"
#include "lockstep/die/tool.h"
#include "lockstep/die/top.h"

#define FOLDER_BYTES (CS_DIE_PATH / 2)
#define NAME_BYTES 32u

typedef struct ready_die {
    char name[NAME_BYTES];
    cs_die_shape shape;
} ready_die;

typedef struct search {
    const cs_die_shape *wanted;
    const cs_die_options *options;
    char *path; /* of the answer */
    cs_diag *diag;
    char root[FOLDER_BYTES];  /* with the RTL's sources; "": there is none */
    cs_rtl_tree tree;         /* of root */
    char ready[FOLDER_BYTES]; /* with the ready-made dies; "": there is none */
    ready_die dies[CS_READY_DIES];
    size_t nr_dies;
} search;

/* ---- places ---- */

static void find_ready(char out[FOLDER_BYTES])
{
    static const char *const ready[] = {"dies", CS_INSTALLED_DIES, NULL};

    cs_beside_program(out, FOLDER_BYTES, "dies.txt", ready);
}

/* Above a build tree in it, or below the prefix of an installed program; a build tree elsewhere says in
 * source.txt beside the dies of what it is. */
static void find_root(char out[FOLDER_BYTES])
{
    static const char *const roots[] = {"..", CS_INSTALLED_ROOT, NULL};
    char ready[FOLDER_BYTES], path[CS_DIE_PATH];
    FILE *in = NULL;

    if (cs_beside_program(out, FOLDER_BYTES, "src/rtl/sources.txt", roots))
        return;
    find_ready(ready);
    if (ready[0] != '\0') {
        snprintf(path, sizeof path, "%s/source.txt", ready);
        in = fopen(path, "r");
    }
    if (in == NULL || fgets(out, FOLDER_BYTES, in) == NULL)
        out[0] = '\0';
    if (in != NULL)
        fclose(in);
}

cs_status cs_die_root(char out[CS_DIE_PATH], cs_diag *diag)
{
    char root[FOLDER_BYTES];

    find_root(root);
    snprintf(out, CS_DIE_PATH, "%s", root);
    return root[0] != '\0' ? CS_OK
                           : cs_diag_set(diag, CS_ERR_UNSUPPORTED, NULL,
                                         "the RTL's sources are not beside the program");
}

/* ---- ready-made dies ---- */

static cs_status read_ready(search *s)
{
    char path[CS_DIE_PATH];
    char *list;
    char *rest;
    cs_status status = CS_OK;

    if (s->ready[0] == '\0')
        return CS_OK;
    snprintf(path, sizeof path, "%s/dies.txt", s->ready);
    list = cs_die_read_file(path, s->diag);
    if (list == NULL)
        return CS_ERR_IO;
    for (char *line = strtok_r(list, "\n", &rest);
         line != NULL && status == CS_OK && s->nr_dies < CS_READY_DIES;
         line = strtok_r(NULL, "\n", &rest)) {
        ready_die *die = &s->dies[s->nr_dies++];
        const size_t length = strcspn(line, " ");

        snprintf(die->name, sizeof die->name, "%.*s", (int)length, line);
        status = cs_die_shape_parse(line + length, &die->shape, s->diag);
    }
    free(list);
    return status;
}

static bool same(const cs_die_shape *a, const cs_die_shape *b)
{
    return cs_die_shape_holds(a, b) && cs_die_shape_holds(b, a);
}

/* The first that holds what is wanted; they are in order of their size. */
static const ready_die *holder(const search *s)
{
    for (size_t i = 0; i < s->nr_dies; i++)
        if (s->options->exact ? same(&s->dies[i].shape, s->wanted)
                              : cs_die_shape_holds(&s->dies[i].shape, s->wanted))
            return &s->dies[i];
    return NULL;
}

/* ---- the cache ---- */

static void tell(const search *s, const cs_die_shape *shape, const char *folder)
{
    char names[CS_DIE_SHAPE_TEXT];
    char changed[CS_DIE_SHAPE_TEXT];
    char text[3 * CS_DIE_SHAPE_TEXT + FOLDER_BYTES];

    if (s->options->making == NULL)
        return;
    snprintf(text, sizeof text,
             "building a die of %s%s%s%s, once; this takes up to a few minutes; kept in %s",
             cs_die_shape_tell(shape, names), s->options->waves ? ", with waves" : "",
             s->tree.nr_changed != 0 ? ", with your " : "",
             cs_rtl_tree_tell(&s->tree, changed, sizeof changed), folder);
    s->options->making(s->options->ctx, text);
}

static void tell_made(const search *s, uint64_t begun_ns)
{
    char text[64];

    snprintf(text, sizeof text, "the die is built (%.0f s)",
             (double)(cs_wall_ns() - begun_ns) * 1e-9);
    if (s->options->making != NULL)
        s->options->making(s->options->ctx, text);
}

/* One process makes it, others of the same wish wait. Nothing but the die stays in the folder. */
static cs_status make(const search *s, const cs_die_shape *shape, const char *folder)
{
    char lock[CS_DIE_PATH + 8];
    cs_status status = cs_die_check_tools(s->diag);

    if (status == CS_OK)
        status = cs_tool_make_folder(folder, s->diag);
    if (status != CS_OK)
        return status;
    snprintf(lock, sizeof lock, "%s.lock", s->path);
    const int fd = cs_tool_lock(lock);
    if (fd < 0)
        return cs_diag_set(s->diag, CS_ERR_IO, lock, "%s", strerror(errno));
    bool usable = false; /* another process has made it meanwhile */

    status = cs_kept_is_usable(folder, s->path, &usable, s->diag);
    if (status == CS_OK && !usable) {
        const uint64_t begun_ns = cs_wall_ns();

        tell(s, shape, folder);
        status = cs_die_build(&s->tree, shape, s->path, s->options->waves, s->diag);
        if (status == CS_OK)
            tell_made(s, begun_ns);
    }
    unlink(lock);
    close(fd);
    return status;
}

static cs_status cached(const search *s, const cs_die_shape *shape)
{
    char folder[FOLDER_BYTES];
    bool usable = false;
    uint64_t hash;
    cs_status status = cs_tool_cache(s->options->cache, folder, sizeof folder, s->diag);

    if (status == CS_OK)
        status = cs_die_hash(&s->tree, shape, s->options->waves, &hash, s->diag);
    if (status != CS_OK)
        return status;
    snprintf(s->path, CS_DIE_PATH, "%s/die-%016" PRIx64 "%s.so", folder, hash,
             s->options->waves ? "-waves" : "");
    status = cs_kept_is_usable(folder, s->path, &usable, s->diag);
    return status != CS_OK || usable ? status : make(s, shape, folder);
}

/* ---- all together ---- */

/* Why there is none, what there is, and what would help. */
static cs_status refuse(const search *s, const char *why)
{
    char names[CS_DIE_SHAPE_TEXT];
    char wanted[CS_DIE_SHAPE_TEXT];
    char list[CS_DIE_SHAPE_TEXT] = "";

    if (s->options->waves)
        return cs_diag_set(s->diag, CS_ERR_UNSUPPORTED, NULL,
                           "no ready-made die writes waves; to build one: %s", why);
    if (s->options->rtl != NULL)
        return cs_diag_set(s->diag, CS_ERR_UNSUPPORTED, NULL, "the die with the RTL of %s: %s",
                           s->options->rtl, why);
    for (size_t i = 0; i < s->nr_dies; i++) {
        const size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s%s (%s)", i != 0 ? ", " : "", s->dies[i].name,
                 cs_die_shape_tell(&s->dies[i].shape, names));
    }
    return cs_diag_set(s->diag, CS_ERR_UNSUPPORTED, NULL,
                       "no ready-made die has %s; there are: %s; to build one: %s",
                       cs_die_shape_tell(s->wanted, wanted), list[0] != '\0' ? list : "none", why);
}

static cs_status choose(search *s)
{
    const ready_die *ready;
    char why[sizeof s->diag->where + sizeof s->diag->text + 1];
    cs_status status;

    find_root(s->root);
    find_ready(s->ready);
    status = read_ready(s);
    if (status == CS_OK && s->root[0] != '\0')
        status = cs_rtl_tree_open(s->root, s->options->rtl, &s->tree, s->diag);
    if (status == CS_ERR_IO && s->options->rtl == NULL && s->tree.root == NULL) {
        s->root[0] = '\0'; /* it has been moved away */
        status = CS_OK;
    }
    if (status != CS_OK)
        return status;
    ready = holder(s);
    /* None of them writes waves, and all are of our RTL. */
    if (ready != NULL && !s->options->waves && s->tree.nr_changed == 0) {
        snprintf(s->path, CS_DIE_PATH, "%s/%s.so", s->ready, ready->name);
        if (access(s->path, R_OK) == 0)
            return CS_OK;
    }
    if (ready == NULL && s->options->ready)
        return refuse(s, "other dies are not wanted here");
    if (s->root[0] == '\0')
        return refuse(s, "the RTL's sources are not beside the program");
    status = cached(s, ready != NULL ? &ready->shape : s->wanted);
    if (status != CS_ERR_UNSUPPORTED)
        return status;
    snprintf(why, sizeof why, "%s %s", s->diag->where, s->diag->text);
    return refuse(s, why);
}

cs_status cs_die_find(const cs_die_shape *wanted, const cs_die_options *options,
                      char path[CS_DIE_PATH], cs_diag *diag)
{
    static const cs_die_options defaults = {0};
    cs_diag own = {0};
    search *s = calloc(1, sizeof *s);
    cs_status status;

    if (s == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory to look for a die");
    s->wanted = wanted;
    s->options = options != NULL ? options : &defaults;
    s->path = path;
    s->diag = &own;
    status = choose(s);
    if (status != CS_OK && diag != NULL)
        *diag = own;
    cs_rtl_tree_close(&s->tree);
    free(s);
    return status;
}

bool cs_die_all_ready(const cs_die_options *options)
{
    char path[CS_DIE_PATH];
    search *s = calloc(1, sizeof *s);
    bool all = s != NULL && options->rtl == NULL && !options->waves && !options->exact;

    if (all) {
        find_ready(s->ready);
        all = read_ready(s) == CS_OK && s->nr_dies != 0;
    }
    for (size_t i = 0; all && i < s->nr_dies; i++) {
        snprintf(path, sizeof path, "%s/%s.so", s->ready, s->dies[i].name);
        all = access(path, R_OK) == 0;
    }
    free(s);
    return all;
}

cs_status cs_die_ready(cs_die_shape shapes[CS_READY_DIES], size_t *nr, cs_diag *diag)
{
    search *s = calloc(1, sizeof *s);
    cs_status status;

    *nr = 0;
    if (s == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory to look for dies");
    s->diag = diag;
    find_ready(s->ready);
    status = read_ready(s);
    for (size_t i = 0; i < s->nr_dies && status == CS_OK; i++)
        shapes[(*nr)++] = s->dies[i].shape;
    free(s);
    return status;
}

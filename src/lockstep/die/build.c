// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "lockstep/die/build.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/hash.h"
#include "lockstep/die/kept.h"
#include "lockstep/die/plain.h"
#include "lockstep/die/tool.h"
#include "lockstep/die/top.h"

#define MAX_ARGUMENTS 256u
#define TEXT_BYTES (2 * PATH_MAX)

/* What Verilator is called with, each string for free(). */
typedef struct arguments {
    char *list[MAX_ARGUMENTS + 1];
    size_t count;
} arguments;

static void add(arguments *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(arguments *a, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (a->count < MAX_ARGUMENTS)
        a->list[a->count++] = strdup(text);
}

static void free_arguments(arguments *a)
{
    for (size_t i = 0; i < a->count; i++)
        free(a->list[i]);
}

#define C_FLAGS "-fPIC -fvisibility=hidden"
/* Else messages within the object would name the folder in which it was made, which differs each time. */
#define TOP_LINE "`line 1 \"die.sv\" 0\n"
/* Vectors of gcc's own finding are words that were stored one by one a moment ago: loads wait for them. */
#define MAKE_FLAGS "OPT_FAST='-O2 -fno-tree-vectorize' OPT_SLOW=-O1 OPT_GLOBAL=-O2"
/* A die with waves is made when somebody waits for them, for a run of seconds that mostly writes them. */
#define WAVES_MAKE_FLAGS "OPT_FAST=-Og OPT_SLOW=-O0 OPT_GLOBAL=-O1"

/* What of Verilator's options a die depends on, wherever it is made. */
static void add_options(arguments *a, bool waves)
{
    static const char *const options[] = {"-O3",  "--x-assign", "fast", "--x-initial",
                                          "fast", "--noassert", NULL};

    for (size_t i = 0; options[i] != NULL; i++)
        add(a, "%s", options[i]);
    if (waves)
        add(a, "--trace-fst");
}

/* ---- the hash ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = cs_hash_mix(hash + CS_HASH_STEP + (unsigned char)*text);
    return cs_hash_mix(hash + CS_HASH_STEP);
}

static cs_status hash_file(const cs_rtl_tree *tree, const char *name, uint64_t *hash, cs_diag *diag)
{
    char path[PATH_MAX];
    char *text;

    cs_rtl_tree_path(tree, name, path, sizeof path);
    text = cs_die_read_file(path, diag);
    if (text == NULL)
        return CS_ERR_IO;
    *hash = hash_text(*hash, text);
    free(text);
    return CS_OK;
}

static cs_status hash_sources(const cs_rtl_tree *tree, uint64_t *hash, cs_diag *diag)
{
    char *list = cs_rtl_tree_sources(tree, diag);
    cs_status status = list != NULL ? CS_OK : CS_ERR_IO;
    char *rest = NULL;

    for (char *name = list != NULL ? strtok_r(list, " \n", &rest) : NULL;
         name != NULL && status == CS_OK; name = strtok_r(NULL, " \n", &rest))
        status = hash_file(tree, name, hash, diag);
    free(list);
    return status == CS_OK ? hash_file(tree, "src/rtl/top/die_abi.h", hash, diag) : status;
}

static uint64_t hash_options(uint64_t hash, bool waves)
{
    arguments a = {0};

    add_options(&a, waves);
    for (size_t i = 0; i < a.count; i++)
        hash = hash_text(hash, a.list[i]);
    free_arguments(&a);
    return hash_text(hash, waves ? TOP_LINE C_FLAGS " " WAVES_MAKE_FLAGS
                                 : TOP_LINE C_FLAGS " " MAKE_FLAGS);
}

cs_status cs_die_hash(const cs_rtl_tree *tree, const cs_die_shape *shape, bool waves, uint64_t *out,
                      cs_diag *diag)
{
    cs_die_source source;
    cs_status status = cs_die_source_make(tree, shape, &source, diag);

    *out = 0;
    if (status != CS_OK)
        return status;
    *out = hash_options(hash_text(hash_text(*out, source.top), source.glue), waves);
    cs_die_source_free(&source);
    status = hash_sources(tree, out, diag);
    if (status == CS_OK && waves)
        status = hash_file(tree, "src/rtl/top/die_waves.h", out, diag);
    if (status == CS_OK && waves)
        status = hash_file(tree, "src/rtl/top/die_waves.hpp", out, diag);
    return status;
}

/* ---- the build ---- */

static cs_status write_file(const char *folder, const char *name, const char *text,
                            const char *tail, cs_diag *diag)
{
    char path[PATH_MAX];
    FILE *file;
    bool good;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    good = file != NULL && fputs(text, file) >= 0 && fputs(tail, file) >= 0;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
}

cs_status cs_die_check_tools(cs_diag *diag)
{
    static const struct {
        const char *program, *package;
    } tools[] = {{"verilator", "Verilator 5"}, {"make", "make"}, {"c++", "a C++ compiler"}};

    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        if (!cs_tool_exists(tools[i].program))
            return cs_diag_set(diag, CS_ERR_UNSUPPORTED, tools[i].program,
                               "is not in PATH, but is needed to build a die: install %s "
                               "(tools/packages.txt lists Debian's packages)",
                               tools[i].package);
    return CS_OK;
}

static cs_status verilate(const cs_rtl_tree *tree, const char *folder, bool waves, cs_diag *diag)
{
    arguments a = {0};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char log[PATH_MAX], path[PATH_MAX], plain[PATH_MAX];
    char *list = cs_rtl_tree_sources(tree, diag);
    char *rest;
    unsigned number = 0;
    cs_status status;

    if (list == NULL)
        return CS_ERR_IO;
    status = cs_plain_name(folder, number++, tree->root, plain, diag);
    add(&a, "verilator");
    add(&a, "--cc");
    add(&a, "--exe");
    add(&a, "--build");
    add(&a, "-j");
    add(&a, "%ld", processors > 0 ? processors : 1);
    add_options(&a, waves);
    add(&a, "--top-module");
    add(&a, "die");
    add(&a, "--prefix");
    add(&a, "Vdie");
    add(&a, "-Mdir");
    add(&a, "%s/obj", folder);
    add(&a, "-CFLAGS");
    add(&a, C_FLAGS " -I%s/src/rtl/top", plain);
    add(&a, "-LDFLAGS");
    add(&a, waves ? "-shared -lz" : "-shared");
    add(&a, "-MAKEFLAGS");
    add(&a, "%s%s", waves ? WAVES_MAKE_FLAGS : MAKE_FLAGS,
        cs_tool_exists("ccache") ? " OBJCACHE=ccache" : "");
    add(&a, "-o");
    add(&a, "die.so");
    for (char *name = strtok_r(list, " \n", &rest); name != NULL && status == CS_OK;
         name = strtok_r(NULL, " \n", &rest)) {
        cs_rtl_tree_path(tree, name, path, sizeof path);
        status = cs_plain_name(folder, number++, path, plain, diag);
        add(&a, "%s", plain);
    }
    add(&a, "%s/die.sv", folder);
    add(&a, "%s/die.cpp", folder);
    free(list);
    snprintf(log, sizeof log, "%.4000s/log", folder);
    if (status == CS_OK)
        status = cs_tool_run(a.list, log, diag);
    free_arguments(&a);
    return status;
}

/* Below `scratch`, in a folder of a name that no one can foresee: what a killed build has started, and still
 * goes on, writes to another one. */
static cs_status build_in(const cs_rtl_tree *tree, const cs_die_source *source, bool waves,
                          const char *scratch, const char *output, cs_diag *diag)
{
    char folder[PATH_MAX], place[PATH_MAX], made[PATH_MAX];
    cs_output *elsewhere = NULL;
    /* make works there: what is relative would be sought there, too. */
    cs_status status = cs_plain_folder(scratch, place, &elsewhere, diag);

    snprintf(folder, sizeof folder, "%.*s/XXXXXX", PATH_MAX - 64, place);
    if (status == CS_OK && mkdtemp(folder) == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, place, "cannot be written: %s", strerror(errno));
    if (status == CS_OK)
        status = write_file(folder, "die.sv", TOP_LINE, source->top, diag);
    if (status == CS_OK)
        status = write_file(folder, "die.cpp", source->glue,
                            waves ? "#include \"die_waves.hpp\"\n" : "", diag);
    if (status == CS_OK)
        status = verilate(tree, folder, waves, diag);
    snprintf(made, sizeof made, "%.*s/obj/die.so", PATH_MAX - 64, folder);
    if (status == CS_OK)
        status = cs_kept_put(made, output, diag);
    cs_output_abandon(elsewhere);
    return status;
}

cs_status cs_die_build(const cs_rtl_tree *tree, const cs_die_shape *shape, const char *output,
                       bool waves, cs_diag *diag)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(output, '/');
    cs_die_source source = {0};
    cs_output *made = NULL;
    cs_status status = cs_die_check_tools(diag);

    snprintf(parent, sizeof parent, "%.*s", slash != NULL ? (int)(slash - output) : 1,
             slash != NULL ? output : ".");
    if (status == CS_OK)
        status = cs_tool_make_folder(parent, diag);
    if (status == CS_OK)
        status = cs_die_source_make(tree, shape, &source, diag);
    if (status != CS_OK)
        return status;
    status = cs_output_begin(output, CS_OUTPUT_REPLACE, &made, diag);
    if (status == CS_OK)
        status = build_in(tree, &source, waves, cs_output_scratch(made),
                          cs_output_path(made, CS_OUTPUT_FIRST), diag);
    if (status == CS_OK)
        status = cs_output_commit(made, diag);
    else
        cs_output_abandon(made);
    cs_die_source_free(&source);
    return status;
}

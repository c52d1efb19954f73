// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "foreign/rtl/build.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/files/remove.h"
#include "base/hash.h"
#include "die_abi.h"
#include "die_waves.h"
#include "foreign/rtl/wrapper.h"
#include "lockstep/die/build.h"
#include "lockstep/die/find.h"
#include "lockstep/die/kept.h"
#include "lockstep/die/plain.h"
#include "lockstep/die/tool.h"
#include "lockstep/die/top.h"

#define MAX_ARGUMENTS (2 * CS_FOREIGN_MAX_FILES + CS_FOREIGN_MAX_PAIRS + 64)
#define TEXT_BYTES (2 * PATH_MAX)
#define C_FLAGS "-fPIC -fvisibility=hidden"
/* More than -O1 takes longer than it saves in a thousand programs. Verilator's own objects are kept; they
 * are made as those of ready-made dies, which a ccache may have. */
#define MAKE_FLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O2"

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

/* Those of somebody's files and folders that make can have (die/plain.h), each string for free(). */
typedef struct names {
    char *files[CS_FOREIGN_MAX_FILES];
    char *includes[CS_FOREIGN_MAX_FILES];
    char root[PATH_MAX]; /* of our own */
} names;

static cs_status add_plain(const char *folder, unsigned number, const char *path, char **out,
                           cs_diag *diag)
{
    char plain[PATH_MAX];
    cs_status status = cs_plain_name(folder, number, path, plain, diag);

    if (status == CS_OK && (*out = strdup(plain)) == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for names");
    return status;
}

static cs_status find_names(const cs_foreign_rtl *rtl, const char *folder, names *out,
                            cs_diag *diag)
{
    char root[CS_DIE_PATH];
    unsigned number = 0;
    cs_status status = cs_die_root(root, diag);

    if (status == CS_OK)
        status = cs_plain_name(folder, number++, root, out->root, diag);
    for (size_t i = 0; i < rtl->nr_files && status == CS_OK; i++)
        status = add_plain(folder, number++, rtl->files[i], &out->files[i], diag);
    for (size_t i = 0; i < rtl->nr_includes && status == CS_OK; i++)
        status = add_plain(folder, number++, rtl->includes[i], &out->includes[i], diag);
    return status;
}

static void free_names(names *plain)
{
    for (size_t i = 0; plain != NULL && i < CS_FOREIGN_MAX_FILES; i++) {
        free(plain->files[i]);
        free(plain->includes[i]);
    }
    free(plain);
}

static cs_status call(arguments *a, const char *log, cs_diag *diag)
{
    const cs_status status = cs_tool_run(a->list, log, diag);

    for (size_t i = 0; i < a->count; i++)
        free(a->list[i]);
    *a = (arguments){0};
    return status;
}

/* What Verilator is told of somebody's files: their style is not ours to judge. */
static void add_sources(arguments *a, const cs_foreign_rtl *rtl, const names *plain)
{
    add(a, "-Wno-fatal");
    add(a, "-Wno-lint");
    add(a, "-Wno-style");
    add(a, "--no-timing");
    for (size_t i = 0; i < rtl->nr_includes; i++)
        add(a, "-I%s", plain->includes[i]);
    for (size_t i = 0; i < rtl->nr_files; i++)
        add(a, "%s", plain->files[i]);
}

/* ---- what the module is ---- */

/* The file that has the ports, and the one that lists what has been read. */
typedef struct told {
    char ports[CS_FOREIGN_PATH], files[CS_FOREIGN_PATH];
} told;

/* What `verilator --version` prints, for free(). */
static char *ask_version(const char *folder, cs_diag *diag)
{
    arguments a = {0};
    char log[CS_FOREIGN_PATH];

    snprintf(log, sizeof log, "%.4000s/version", folder);
    add(&a, "verilator");
    add(&a, "--version");
    return call(&a, log, diag) == CS_OK ? cs_die_read_file(log, diag) : NULL;
}

/* 5.044 is the last one that writes XML; JSON of those before it has no types of members. */
static bool writes_xml(const char *version)
{
    unsigned major = 0, minor = 0;

    return sscanf(version, "Verilator %u.%u", &major, &minor) == 2 &&
           (major < 5 || (major == 5 && minor <= 44));
}

static cs_status tell_ports(const cs_foreign_map *map, const cs_foreign_rtl *rtl,
                            const names *plain, const char *version, const char *folder, told *out,
                            cs_diag *diag)
{
    arguments a = {0};
    char log[CS_FOREIGN_PATH];

    snprintf(log, sizeof log, "%.4000s/log", folder);
    add(&a, "verilator");
    if (writes_xml(version)) {
        snprintf(out->ports, CS_FOREIGN_PATH, "%.4000s/ports.xml", folder);
        snprintf(out->files, CS_FOREIGN_PATH, "%s", out->ports);
        add(&a, "--xml-only");
        add(&a, "--xml-output");
        add(&a, "%s", out->ports);
    } else {
        snprintf(out->ports, CS_FOREIGN_PATH, "%.4000s/ports.json", folder);
        snprintf(out->files, CS_FOREIGN_PATH, "%.4000s/files.json", folder);
        add(&a, "--json-only");
        add(&a, "--json-only-output");
        add(&a, "%s", out->ports);
        add(&a, "--json-only-meta-output");
        add(&a, "%s", out->files);
    }
    add(&a, "--Mdir");
    add(&a, "%s", folder);
    add(&a, "--top-module");
    add(&a, "%s", rtl->top);
    for (size_t i = 0; i < map->nr_parameters; i++)
        add(&a, "-G%s=%s", map->parameters[i].name, map->parameters[i].value);
    add_sources(&a, rtl, plain);
    return call(&a, log, diag);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = cs_hash_mix(hash + CS_HASH_STEP + (unsigned char)*text);
    return cs_hash_mix(hash + CS_HASH_STEP);
}

static cs_status hash_file(const char *name, const char *which, uint64_t *hash, cs_diag *diag)
{
    char *content = cs_die_read_file(name, diag);

    if (content == NULL)
        return CS_ERR_IO;
    *hash = hash_text(hash_text(*hash, which), content);
    free(content);
    return CS_OK;
}

/* All files that Verilator has read, as `filename="NAME"` or `"filename":"NAME"`. A link in `folder` is another
 * one each time; its last name says which file it is of. */
static cs_status hash_files(const char *list, const char *folder, uint64_t *hash, cs_diag *diag)
{
    static const char key[] = "filename";
    const size_t length = strlen(folder);
    char *text = cs_die_read_file(list, diag);
    const char *end = text != NULL ? strstr(text, "</files>") : NULL;
    cs_status status = text != NULL ? CS_OK : CS_ERR_IO;

    for (const char *at = text; text != NULL && status == CS_OK;) {
        char name[PATH_MAX];

        at = strstr(at, key);
        if (at == NULL || (end != NULL && at > end))
            break;
        at += sizeof key - 1;
        at += strspn(at, "\":=");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\""), at);
        if (name[0] != '&' && name[0] != '<') /* <built-in>, <command-line> */
            status =
                hash_file(name, strncmp(name, folder, length) == 0 ? strrchr(name, '/') + 1 : name,
                          hash, diag);
    }
    free(text);
    return status;
}

/* ---- the build ---- */

static cs_status write_file(const char *folder, const char *name, const char *text,
                            const char *tail, cs_diag *diag)
{
    char path[CS_FOREIGN_PATH];
    FILE *file;
    bool good;

    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    file = fopen(path, "w");
    good = file != NULL && fputs(text, file) >= 0 && fputs(tail, file) >= 0;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
}

/* What Verilator links with each design takes longer to compile than most designs: the objects are kept, in
 * a folder for this Verilator and these flags. */
static void kept_folder(const cs_foreign_rtl *rtl, const char *cache, const char *version,
                        char out[CS_FOREIGN_PATH])
{
    snprintf(out, CS_FOREIGN_PATH, "%.3800s/verilated-%016" PRIx64, cache,
             hash_text(hash_text(rtl->waves ? CS_DIE_WAVES : 0, version), C_FLAGS " " MAKE_FLAGS));
}

/* An object that was cut off, as when the disk was full, would fail each link. */
static void remove_damaged(const char *kept)
{
    char path[CS_FOREIGN_PATH];
    glob_t found = {0};
    bool good = true;

    snprintf(path, sizeof path, "%.4000s/verilated*.o", kept);
    if (kept[0] == '\0' || glob(path, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        good = good && cs_kept_is_whole(found.gl_pathv[i]);
    globfree(&found);
    if (!good)
        cs_remove_all(AT_FDCWD, kept);
}

/* Gives each object of `from` a second name in `to`; an option of make for each: it is not made anew. false:
 * there is none, or it cannot be. */
static bool link_objects(const char *from, const char *to, char *options, size_t size)
{
    char path[CS_FOREIGN_PATH];
    glob_t found = {0};
    size_t used = 0;
    bool good;

    snprintf(path, sizeof path, "%.4000s/verilated*.o", from);
    good = glob(path, 0, NULL, &found) == 0 && mkdir(to, 0755) == 0;
    for (size_t i = 0; good && i < found.gl_pathc && used < size; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;

        snprintf(path, sizeof path, "%.3900s/%.100s", to, name);
        good = link(found.gl_pathv[i], path) == 0;
        used += (size_t)snprintf(options + used, size - used, " -o %.100s", name);
    }
    globfree(&found);
    return good;
}

/* For the next design. Where another process has kept them meanwhile, its own stay. */
static void keep(const char *folder, const char *kept)
{
    char objects[CS_FOREIGN_PATH], place[CS_FOREIGN_PATH];
    char options[CS_FOREIGN_PATH];

    snprintf(objects, sizeof objects, "%.4000s/obj", folder);
    snprintf(place, sizeof place, "%.4000s/kept", folder);
    if (access(kept, R_OK) != 0 && link_objects(objects, place, options, sizeof options))
        rename(place, kept);
}

static cs_status verilate(const cs_foreign_rtl *rtl, const names *plain, const char *kept,
                          const char *folder, cs_diag *diag)
{
    arguments a = {0};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char log[CS_FOREIGN_PATH], objects[CS_FOREIGN_PATH];
    char options[CS_FOREIGN_PATH] = "";

    snprintf(objects, sizeof objects, "%.4000s/obj", folder);
    if (!link_objects(kept, objects, options, sizeof options))
        options[0] = '\0'; /* make compiles them */
    add(&a, "verilator");
    add(&a, "--cc");
    add(&a, "--exe");
    add(&a, "--build");
    add(&a, "-j");
    add(&a, "%ld", processors > 0 ? processors : 1);
    add(&a, "-O3");
    add(&a, "--output-split"); /* each file of C++ reads the same headers */
    add(&a, "60000");
    add(&a, "--x-assign");
    add(&a, "fast");
    add(&a, "--x-initial"); /* anything: only a reset makes it something */
    add(&a, "unique");
    if (rtl->waves)
        add(&a, "--trace-fst");
    add(&a, "--top-module");
    add(&a, "pins");
    add(&a, "--prefix");
    add(&a, "Vpins");
    add(&a, "-Mdir");
    add(&a, "%s", objects);
    add(&a, "-CFLAGS");
    add(&a, C_FLAGS " -I%s/src/rtl/top", plain->root);
    add(&a, "-LDFLAGS");
    add(&a, rtl->waves ? "-shared -lz" : "-shared");
    add(&a, "-MAKEFLAGS");
    add(&a, MAKE_FLAGS "%s%s", options, cs_tool_exists("ccache") ? " OBJCACHE=ccache" : "");
    add(&a, "-o");
    add(&a, "pins.so");
    add_sources(&a, rtl, plain);
    add(&a, "%s/pins.sv", folder);
    add(&a, "%s/pins.cpp", folder);
    snprintf(log, sizeof log, "%.4000s/log", folder);
    return call(&a, log, diag);
}

static cs_status make_in(const cs_foreign_rtl *rtl, const names *plain,
                         const cs_foreign_source *source, const char *version, const char *cache,
                         const char *folder, const char *output, cs_diag *diag)
{
    char made[CS_FOREIGN_PATH];
    char kept[CS_FOREIGN_PATH];
    cs_status status = write_file(folder, "pins.sv", source->module, "", diag);

    if (status == CS_OK)
        status = write_file(folder, "pins.cpp", source->glue,
                            rtl->waves ? "#include \"die_waves.hpp\"\n" : "", diag);
    if (status == CS_OK) {
        kept_folder(rtl, cache, version, kept);
        remove_damaged(kept);
        status = verilate(rtl, plain, kept, folder, diag);
    }
    if (status == CS_OK)
        keep(folder, kept);
    snprintf(made, sizeof made, "%.4000s/obj/pins.so", folder);
    return status == CS_OK ? cs_kept_put(made, output, diag) : status;
}

static void say_making(const cs_foreign_rtl *rtl, const char *cache)
{
    char text[TEXT_BYTES];

    if (rtl->making == NULL)
        return;
    snprintf(text, sizeof text, "verilating '%s', which is kept in %s", rtl->top, cache);
    rtl->making(rtl->ctx, text);
}

/* In `folder`: the ports, the MAP against them, the sources, and where it has to be made, that. */
static cs_status prepare(cs_foreign_map *map, const cs_foreign_rtl *rtl, const char *cache,
                         const char *folder, char path[CS_FOREIGN_PATH], cs_diag *diag)
{
    cs_foreign_ports *ports = calloc(1, sizeof *ports);
    names *plain = calloc(1, sizeof *plain);
    cs_foreign_source source = {0};
    char *version = NULL;
    told told;
    bool usable = false;
    uint64_t hash = 0;
    cs_status status = ports != NULL && plain != NULL
                           ? find_names(rtl, folder, plain, diag)
                           : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for ports");

    if (status == CS_OK && (version = ask_version(folder, diag)) == NULL)
        status = CS_ERR_UNSUPPORTED;
    if (status == CS_OK)
        status = tell_ports(map, rtl, plain, version, folder, &told, diag);
    if (status == CS_OK)
        status = cs_foreign_ports_read(told.ports, ports, diag);
    if (status == CS_OK)
        status = cs_foreign_ports_check(map, rtl->top, ports, diag);
    if (status == CS_OK)
        status = cs_foreign_source_make(map, rtl->top, ports, &source, diag);
    if (status == CS_OK) {
        hash = hash_text(hash_text(CS_DIE_ABI, source.module), source.glue);
        status = hash_files(told.files, folder, &hash, diag);
        hash += rtl->waves ? CS_DIE_WAVES : 0;
    }
    snprintf(path, CS_FOREIGN_PATH, "%.3800s/foreign-%016" PRIx64 ".so", cache, hash);
    if (status == CS_OK)
        status = cs_kept_is_usable(cache, path, &usable, diag);
    if (status == CS_OK && !usable) {
        say_making(rtl, cache);
        status = make_in(rtl, plain, &source, version, cache, folder, path, diag);
    }
    cs_foreign_source_free(&source);
    free_names(plain);
    free(version);
    free(ports);
    return status;
}

static cs_status check_files(const cs_foreign_rtl *rtl, cs_diag *diag)
{
    for (size_t i = 0; i < rtl->nr_files; i++)
        if (access(rtl->files[i], R_OK) != 0)
            return cs_diag_set(diag, CS_ERR_IO, rtl->files[i], "cannot be read: %s",
                               strerror(errno));
    return CS_OK;
}

cs_status cs_foreign_build(cs_foreign_map *map, const cs_foreign_rtl *rtl,
                           char path[CS_FOREIGN_PATH], cs_diag *diag)
{
    char cache[CS_FOREIGN_PATH / 2];
    char name[CS_FOREIGN_PATH];
    char folder[PATH_MAX];
    cs_output *made = NULL, *elsewhere = NULL;
    cs_status status = check_files(rtl, diag);

    if (status == CS_OK)
        status = cs_die_check_tools(diag);
    if (status == CS_OK)
        status = cs_tool_cache(rtl->cache, cache, sizeof cache, diag);
    if (status == CS_OK)
        status = cs_tool_make_folder(cache, diag);
    snprintf(name, sizeof name, "%s/foreign-%ld.new", cache, (long)getpid());
    if (status == CS_OK)
        status = cs_output_begin(name, CS_OUTPUT_REPLACE, &made, diag);
    if (status == CS_OK)
        status = cs_plain_folder(cs_output_scratch(made), folder, &elsewhere, diag);
    if (status == CS_OK)
        status = prepare(map, rtl, cache, folder, path, diag);
    cs_output_abandon(elsewhere);
    cs_output_abandon(made);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/cpio.h"
#include "guest/imc/programs.h"
#include "guest/parts.h"
#include "guest/symfs.h"
#include "scenario/guest/guest_spec.h"

#define LONG_PATH 8192

static const char first[] = "#!/bin/sh\n"
                            "mount -t proc proc /proc\n"
                            "mount -t sysfs sysfs /sys\n"
                            "mount -t devtmpfs dev /dev\n"
                            "mount -t debugfs debugfs /sys/kernel/debug\n"
                            "export PATH=/bin LD_LIBRARY_PATH=/usr/lib HOME=/root\n"
                            "cd /root\n";
static const char the_script[] = "sh /run.sh\n"
                                 "echo $? | put status\n";
static const char a_shell[] = "echo 'The script is /run.sh. `put NAME` puts what it reads into the "
                              "run folder. To end: exit'\n"
                              "setsid cttyhack sh\n"
                              "echo 0 | put status\n";
static const char last[] = "poweroff -f\n";

/* NULL: that of the loader. */
static const char *const folders[] = {"bin", "dev", NULL,  "proc",   "root",
                                      "sys", "tmp", "usr", "usr/lib"};
static const char *const commands[] = {
    "awk",   "cat",      "chmod",    "cp",      "cut",     "date", "dd",      "dmesg",  "echo",
    "env",   "false",    "grep",     "head",    "hexdump", "kill", "killall", "ls",     "mkdir",
    "mount", "poweroff", "ps",       "rm",      "sed",     "seq",  "su",      "setsid", "sh",
    "sleep", "sort",     "tail",     "taskset", "test",    "tr",   "true",    "uname",  "wc",
    "xargs", "yes",      "cttyhack", "clear",   "vi",      "less", "find",    "mv",     "stty"};

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_library(const struct dirent *entry)
{
    return strstr(entry->d_name, ".so") != NULL;
}

static cs_status add_library(cs_cpio *cpio, const char *folder, const char *file, cs_diag *diag)
{
    char from[LONG_PATH], name[LONG_PATH], to[LONG_PATH];
    struct stat what;

    snprintf(from, sizeof from, "%s/%s", folder, file);
    snprintf(name, sizeof name, "usr/lib/%s", file);
    if (lstat(from, &what) != 0)
        return cs_diag_set(diag, CS_ERR_IO, from, "%s", strerror(errno));
    if (S_ISLNK(what.st_mode)) {
        const ssize_t length = readlink(from, to, sizeof to - 1);

        to[length > 0 ? length : 0] = '\0';
        /* All of them are in one folder. */
        cs_cpio_link(cpio, name, strrchr(to, '/') != NULL ? strrchr(to, '/') + 1 : to);
        return CS_OK;
    }
    return S_ISREG(what.st_mode) ? cs_cpio_file(cpio, name, 0755, from, diag) : CS_OK;
}

static cs_status add_libraries(cs_cpio *cpio, const cs_guest_place *place, cs_diag *diag)
{
    const char *const *libraries = place->machine->libraries;
    cs_status status = CS_OK;

    for (size_t i = 0; libraries[i] != NULL && status == CS_OK; i++) {
        char folder[CS_GUEST_PATH + 64];
        struct dirent **found;

        snprintf(folder, sizeof folder, "%s/%s", place->guest, libraries[i]);
        const int count = scandir(folder, &found, is_library, by_name);

        if (count < 0)
            return cs_diag_set(diag, CS_ERR_IO, folder, "%s", strerror(errno));
        for (int k = 0; k < count; k++) {
            if (status == CS_OK)
                status = add_library(cpio, folder, found[k]->d_name, diag);
            free(found[k]);
        }
        free(found);
    }
    cs_cpio_link(cpio, place->machine->loader[0], place->machine->loader[1]);
    return status;
}

static cs_status add_made(cs_cpio *cpio, const cs_guest_spec *guest,
                          const cs_guest_machine *machine, cs_diag *diag)
{
    uint8_t *elf = NULL;
    size_t bytes = 0;
    char name[CS_NAME_BYTES + 8];
    cs_status status = machine->make_put(&elf, &bytes, diag);

    if (status == CS_OK)
        cs_cpio_bytes(cpio, "bin/put", 0755, elf, bytes);
    free(elf);
    elf = NULL;
    if (status != CS_OK || guest->program.nr_functions == 0)
        return status;
    status = machine->make_program(guest, &elf, &bytes, diag);
    snprintf(name, sizeof name, "bin/%s", guest->program.name);
    if (status == CS_OK) {
        cs_cpio_bytes(cpio, name, 0755, elf, bytes);
        status = cs_symfs_bytes(cpio->symfs, name, elf, bytes, diag);
    }
    free(elf);
    return status;
}

static cs_status add_named(cs_cpio *cpio, const cs_scenario *s, const char *file, const char *name,
                           cs_diag *diag)
{
    char from[LONG_PATH];

    cs_guest_beside(s, file, from, sizeof from);
    return cs_cpio_file(cpio, name, 0755, from, diag);
}

/* Somebody's own archive, packed or not. */
static cs_status add_archive(cs_cpio *cpio, const cs_scenario *s, cs_diag *diag)
{
    char from[LONG_PATH];

    if (s->guest->initrd[0] == '\0')
        return CS_OK;
    cs_guest_beside(s, s->guest->initrd, from, sizeof from);
    return cs_cpio_archive(cpio, from, diag);
}

static cs_status add_all(cs_cpio *cpio, const cs_scenario *s, const cs_guest_place *place,
                         bool shell, cs_diag *diag)
{
    const char *then = shell ? a_shell : the_script;
    char path[LONG_PATH], init[sizeof first + sizeof a_shell + sizeof last];
    cs_status status = add_archive(cpio, s, diag);

    if (status != CS_OK)
        return status;
    snprintf(init, sizeof init, "%s%s%s", first, then, last);

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        cs_cpio_folder(cpio, folders[i] != NULL ? folders[i] : place->machine->loader_folder);
    cs_cpio_device(cpio, "dev/console", 5, 1);
    cs_cpio_device(cpio, "dev/null", 1, 3);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(path, sizeof path, "bin/%s", commands[i]);
        cs_cpio_link(cpio, path, "busybox");
    }
    cs_cpio_bytes(cpio, "init", 0755, init, strlen(init));
    snprintf(path, sizeof path, "%s/%s", place->guest, place->machine->busybox);
    status = cs_cpio_file(cpio, "bin/busybox", 0755, path, diag);
    snprintf(path, sizeof path, "%s/usr/bin/perf", place->guest);
    if (status == CS_OK)
        status = cs_cpio_file(cpio, "bin/perf", 0755, path, diag);
    if (status == CS_OK)
        status = add_libraries(cpio, place, diag);
    if (status == CS_OK)
        status = add_made(cpio, s->guest, place->machine, diag);
    if (status == CS_OK)
        status = add_named(cpio, s, s->guest->run, "run.sh", diag);
    for (size_t i = 0; i < s->guest->nr_files && status == CS_OK; i++) {
        const char *file = s->guest->files[i], *slash = strrchr(file, '/');

        snprintf(path, sizeof path, "root/%s", slash != NULL ? slash + 1 : file);
        status = add_named(cpio, s, file, path, diag);
    }
    cs_cpio_end(cpio);
    return status;
}

cs_status cs_guest_write_initrd(const cs_scenario *scenario, const cs_guest_place *place,
                                bool shell, const cs_guest_files *files, cs_diag *diag)
{
    const char *path = files->initrd;
    cs_cpio cpio = {.out = fopen(path, "wb"), .path = path, .symfs = files->symfs};
    cs_status status;

    if (cpio.out == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    status = add_all(&cpio, scenario, place, shell, diag);

    const bool bad = ferror(cpio.out) != 0;
    if ((fclose(cpio.out) != 0 || bad) && status == CS_OK)
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    return status;
}

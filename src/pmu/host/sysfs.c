// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_LINKS 256u
#define SYSFS "/sys"
#define SYSFS_CPUS SYSFS "/devices/system/cpu"

/* The PMUs that the kernel has: links to other places of sysfs, to be made again. */
typedef struct links {
    char names[MOST_LINKS][64];
    char targets[MOST_LINKS][256];
    size_t nr;
} links;

/* ---- namespaces ---- */

static int write_text(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444);
    const ssize_t bytes = (ssize_t)strlen(text);
    int result;

    if (fd < 0)
        return -errno;
    result = write(fd, text, (size_t)bytes) == bytes ? 0 : -errno;
    close(fd);
    return result;
}

/* The user keeps his number and his rights to files. */
static int map_ids(uid_t uid, gid_t gid)
{
    char line[64];
    int result;

    write_text("/proc/self/setgroups", "deny");
    snprintf(line, sizeof line, "%u %u 1\n", gid, gid);
    result = write_text("/proc/self/gid_map", line);
    snprintf(line, sizeof line, "%u %u 1\n", uid, uid);
    return result == 0 ? write_text("/proc/self/uid_map", line) : result;
}

static int leave_mounts_of(unsigned namespaces)
{
    const uid_t uid = geteuid();
    const gid_t gid = getegid();
    int result = unshare((int)namespaces) == 0 ? 0 : -errno;

    if (result == 0 && (namespaces & CLONE_NEWUSER) != 0)
        result = map_ids(uid, gid);
    /* What is mounted outside appears inside, but not the other way round. In a changed root "/" is no mount. */
    if (result == 0 && mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0 &&
        mount(NULL, "/sys", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        result = -errno;
    return result;
}

static int mount_at(const char *place)
{
    return mount("countersink", place, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0755") == 0
               ? 0
               : -errno;
}

/* Tried by a process that ends at once: there is no way back out of a user namespace. */
static int try_user_namespace(const char *place)
{
    const pid_t pid = fork();
    int status;

    if (pid == 0) {
        int result = leave_mounts_of(CLONE_NEWUSER | CLONE_NEWNS);

        _exit(result != 0 ? -result : -mount_at(place));
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -EPERM;
    return -WEXITSTATUS(status);
}

static int leave_mounts(const char *place)
{
    int result = leave_mounts_of(CLONE_NEWNS);

    if (result == 0)
        return 0;
    result = try_user_namespace(place);
    return result == 0 ? leave_mounts_of(CLONE_NEWUSER | CLONE_NEWNS) : result;
}

/* ---- the kernel's own ---- */

static bool read_link(links *l, const char *name)
{
    char path[512];
    ssize_t got;

    if (l->nr == MOST_LINKS || strlen(name) >= sizeof l->names[0])
        return false;
    snprintf(path, sizeof path, CS_SYSFS_DEVICES "/%s", name);
    got = readlink(path, l->targets[l->nr], sizeof l->targets[0] - 1);
    if (got <= 0)
        return false;
    l->targets[l->nr][got] = '\0';
    snprintf(l->names[l->nr++], sizeof l->names[0], "%s", name);
    return true;
}

static int read_links(links *l)
{
    DIR *dir = opendir(CS_SYSFS_DEVICES);
    const struct dirent *entry;

    if (dir == NULL)
        return -errno;
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            read_link(l, entry->d_name);
    closedir(dir);
    return 0;
}

static void make_links(const links *l)
{
    char path[512];

    for (size_t i = 0; i < l->nr; i++) {
        snprintf(path, sizeof path, CS_SYSFS_DEVICES "/%s", l->names[i]);
        if (symlink(l->targets[i], path) != 0)
            continue; /* ours has its name */
    }
}

/* ---- ours ---- */

#define FILE_MOST_BYTES 4096u /* as sysfs has it */

static int put_file(const char *folder, const char *name, const char *text)
{
    char path[512], line[FILE_MOST_BYTES];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(line, sizeof line, "%s\n", text);
    return write_text(path, line);
}

static int put_setting(const char *folder, const cs_perf_file *file)
{
    char path[512];
    const int result = put_file(folder, file->name, file->text);

    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    return result != 0 ? result : chmod(path, 0600) == 0 ? 0 : -errno;
}

static int put_own(const char *folder, const cs_perf_system *pmu)
{
    int result = pmu->cpumask != NULL ? put_file(folder, "cpumask", pmu->cpumask) : 0;

    for (size_t i = 0; i < pmu->nr_files && result == 0; i++)
        result = put_file(folder, pmu->files[i].name, pmu->files[i].text);
    for (size_t i = 0; i < pmu->nr_settings && result == 0; i++)
        result = put_setting(folder, &pmu->settings[i]);
    return result;
}

static int put_files(const char *folder, const char *name, const cs_perf_file *files, size_t nr)
{
    char path[384];
    int result = 0;

    if (nr == 0)
        return 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mkdir(path, 0755) != 0)
        return -errno;
    for (size_t i = 0; i < nr && result == 0; i++)
        result = put_file(path, files[i].name, files[i].text);
    return result;
}

static int put_pmu(const cs_perf_system *pmu)
{
    char folder[256], type[16];
    int result;

    snprintf(folder, sizeof folder, CS_SYSFS_DEVICES "/%s", pmu->name);
    snprintf(type, sizeof type, "%u", pmu->type);
    if (mkdir(folder, 0755) != 0)
        return -errno;
    result = put_file(folder, "type", type);
    if (result == 0)
        result = put_own(folder, pmu);
    if (result == 0)
        result = put_files(folder, "format", pmu->formats, pmu->nr_formats);
    if (result == 0)
        result = put_files(folder, "events", pmu->events, pmu->nr_events);
    return result == 0 ? put_files(folder, "caps", pmu->caps, pmu->nr_caps) : result;
}

static int put_core(const cs_perf_core *core)
{
    const cs_perf_system pmu = {.name = core->name,
                                .type = core->type,
                                .formats = core->formats,
                                .nr_formats = core->nr_formats,
                                .events = core->events,
                                .nr_events = core->nr_events,
                                .caps = core->caps,
                                .nr_caps = core->nr_caps};

    return put_pmu(&pmu);
}

static int put_pmus(const cs_perf_machine *machine)
{
    int result = machine->core != NULL ? put_core(machine->core) : 0;

    for (size_t i = 0; i < machine->nr_systems && result == 0; i++)
        result = put_pmu(&machine->systems[i]);
    return result;
}

/* ---- where sysfs is not mounted ---- */

static bool is_empty(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool empty = dir != NULL;

    while (empty && (entry = readdir(dir)) != NULL)
        empty = entry->d_name[0] == '.';
    if (dir != NULL)
        closedir(dir);
    return empty;
}

/* `path` with all folders above it. */
static int make_folders(const char *path)
{
    char part[256];

    for (const char *end = strchr(path + 1, '/');; end = strchr(end + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", end != NULL ? (int)(end - path) : (int)strlen(path),
                 path);
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return -errno;
        if (end == NULL)
            return 0;
    }
}

/* What programs ask for before they open events: which CPUs there are. */
static int make_sysfs(const cs_perf_machine *machine)
{
    static const char *const names[] = {"online", "possible", "present"};
    char cpus[32];
    int result = make_folders(CS_SYSFS_DEVICES);

    snprintf(cpus, sizeof cpus, machine->nr_cpus > 1 ? "0-%u" : "%u", machine->nr_cpus - 1);
    if (result == 0)
        result = make_folders(SYSFS_CPUS);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && result == 0; i++)
        result = put_file(SYSFS_CPUS, names[i], cpus);
    return result;
}

/* ---- all ---- */

static int cover(const char *place, const cs_perf_machine *machine, const links *l)
{
    int result = mount_at(place);

    if (result != 0)
        return result;
    if (strcmp(place, SYSFS) == 0)
        result = make_sysfs(machine);
    if (result == 0)
        result = put_pmus(machine);
    make_links(l);
    if (result != 0)
        umount(place);
    return result;
}

int cs_sysfs_show(const cs_perf_machine *machine)
{
    const char *place = is_empty(SYSFS) ? SYSFS : CS_SYSFS_DEVICES;
    links *l = calloc(1, sizeof *l);
    int result;

    if (l == NULL)
        return -ENOMEM;
    result = strcmp(place, SYSFS) == 0 ? 0 : read_links(l);
    if (result == 0)
        result = leave_mounts(place);
    if (result == 0)
        result = cover(place, machine, l);
    free(l);
    return result;
}

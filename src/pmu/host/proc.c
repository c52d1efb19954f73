// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/proc.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The file as a string; false: it is not there, or empty. What is longer is cut. */
static bool read_file(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return false;
    got = read(fd, text, size - 1);
    close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* The number after "Name:"; 0 where there is none. */
static uint64_t field(const char *text, const char *name, int base)
{
    const char *at = strstr(text, name);

    return at != NULL ? strtoull(at + strlen(name), NULL, base) : 0;
}

bool cs_proc_status_of(pid_t tid, cs_proc_status *out)
{
    char path[64], text[4096];

    snprintf(path, sizeof path, "/proc/%d/status", (int)tid);
    if (!read_file(path, text, sizeof text))
        return false;
    *out = (cs_proc_status){.pid = (pid_t)field(text, "\nTgid:\t", 10),
                            .parent = (pid_t)field(text, "\nPPid:\t", 10),
                            .capable = field(text, "\nCapEff:\t", 16),
                            .pending =
                                field(text, "\nSigPnd:\t", 16) | field(text, "\nShdPnd:\t", 16)};
    return out->pid != 0;
}

/* Fields of /proc/TID/stat by their number in proc(5). The name, number 2, may hold anything: fields are
 * counted from its closing bracket. */
#define STAT_STATE 3
#define STAT_MINOR 10
#define STAT_MAJOR 12
#define STAT_STACK 28
#define STAT_CPU 39

static void stat_field(cs_proc_stat *out, int number, const char *text)
{
    if (number == STAT_STATE)
        out->state = *text;
    else if (number == STAT_MINOR)
        out->minor = strtoull(text, NULL, 10);
    else if (number == STAT_MAJOR)
        out->major = strtoull(text, NULL, 10);
    else if (number == STAT_STACK)
        out->stack = strtoull(text, NULL, 10);
    else if (number == STAT_CPU)
        out->cpu = (unsigned)strtoul(text, NULL, 10);
}

bool cs_proc_stat_of(pid_t tid, cs_proc_stat *out)
{
    char path[64], text[1024];
    char *name, *end;

    *out = (cs_proc_stat){.state = '?'};
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)tid, (int)tid);
    if (!read_file(path, text, sizeof text))
        return false;
    name = strchr(text, '(');
    end = strrchr(text, ')');
    if (name == NULL || end == NULL)
        return false;
    *end = '\0';
    snprintf(out->comm, sizeof out->comm, "%s", name + 1);
    for (int number = STAT_STATE; end != NULL && number <= STAT_CPU; number++) {
        stat_field(out, number, end + (number == STAT_STATE ? 2 : 1));
        end = strchr(end + (number == STAT_STATE ? 2 : 1), ' ');
    }
    return true;
}

bool cs_proc_runs(pid_t tid)
{
    cs_proc_stat stat;

    return cs_proc_stat_of(tid, &stat) && stat.state == 'R';
}

uint64_t cs_proc_pc(pid_t tid)
{
    char path[64], text[256];
    const char *last;

    snprintf(path, sizeof path, "/proc/%d/syscall", (int)tid);
    if (!read_file(path, text, sizeof text))
        return 0;
    last = strrchr(text, ' ');
    return last != NULL ? strtoull(last, NULL, 16) : 0;
}

uint64_t cs_proc_entry(pid_t pid)
{
    Elf64_auxv_t vector[64];
    char path[64];
    ssize_t got;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    got = fd >= 0 ? read(fd, vector, sizeof vector) : 0;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; (ssize_t)((i + 1) * sizeof vector[0]) <= got; i++)
        if (vector[i].a_type == AT_ENTRY)
            return vector[i].a_un.a_val;
    return 0;
}

/* ---- time ---- */

int cs_proc_clock(pid_t pid, pid_t tid)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)pid, (int)tid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool cs_proc_ran(int clock, uint64_t *ns)
{
    char text[96];
    const ssize_t got = pread(clock, text, sizeof text - 1, 0);

    if (got <= 0)
        return false;
    text[got] = '\0';
    *ns = strtoull(text, NULL, 10);
    return true;
}

/* As the kernel numbers the clocks of other processes: clock_getcpuclockid(3) asks it once more. */
static clockid_t clock_of(pid_t pid)
{
    return (clockid_t)(~(unsigned)pid << 3 | 2);
}

bool cs_proc_process_ran(pid_t pid, uint64_t *ns)
{
    struct timespec t;

    if (clock_gettime(clock_of(pid), &t) != 0)
        return false;
    *ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    return true;
}

/* ---- descriptors ---- */

/* Where the lock on it begins; 0: it has none. */
static uint64_t lock_of(pid_t pid, unsigned number)
{
    char path[64], text[512];
    uint64_t begin;
    const char *lock;

    snprintf(path, sizeof path, "/proc/%d/fdinfo/%u", (int)pid, number);
    lock = read_file(path, text, sizeof text) ? strstr(text, "lock:\t") : NULL;
    return lock != NULL &&
                   sscanf(lock, "lock:\t%*d: OFDLCK %*s %*s %*d %*x:%*x:%*u %" SCNu64, &begin) == 1
               ? begin
               : 0;
}

/* The descriptors of the thread that was asked about last: most calls come from one. The folder of a thread
 * that has ended is empty for ever, also when another one has its number. */
static struct {
    pid_t tid;
    int folder;
} last_asked = {0, -1};

static void ask(pid_t tid)
{
    char path[64];

    if (last_asked.folder >= 0)
        close(last_asked.folder);
    snprintf(path, sizeof path, "/proc/%d/fd", (int)tid);
    last_asked.folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    last_asked.tid = tid;
}

static bool stat_of(pid_t tid, unsigned number, struct stat *out)
{
    const bool same = last_asked.tid == tid;
    char name[16];

    snprintf(name, sizeof name, "%u", number);
    if (!same)
        ask(tid);
    if (fstatat(last_asked.folder, name, out, 0) == 0)
        return true;
    if (!same)
        return false;
    ask(tid);
    return fstatat(last_asked.folder, name, out, 0) == 0;
}

/* The thread has just been asked about. */
static bool is_event(unsigned number)
{
    static const char event[] = "anon_inode:[perf_event]";
    char name[16], target[sizeof event];

    snprintf(name, sizeof name, "%u", number);
    return readlinkat(last_asked.folder, name, target, sizeof target) == sizeof event - 1 &&
           memcmp(target, event, sizeof event - 1) == 0;
}

/* All that have no inode of their own, and so no type, share one: eventfds, timers, events. */
cs_proc_file cs_proc_file_of(pid_t tid, unsigned number)
{
    uint64_t mark = 0;
    struct stat st;

    if (!stat_of(tid, number, &st))
        return (cs_proc_file){0};
    if ((st.st_mode & S_IFMT) == 0 && is_event(number))
        mark = lock_of(tid, number);
    return (cs_proc_file){.device = (uint64_t)st.st_dev,
                          .inode = mark != 0 ? mark : (uint64_t)st.st_ino};
}

bool cs_proc_has_number(pid_t tid, unsigned number)
{
    struct stat st;

    return stat_of(tid, number, &st);
}

cs_proc_file cs_proc_marked_file(int fd, uint64_t mark)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? (cs_proc_file){(uint64_t)st.st_dev, mark} : (cs_proc_file){0};
}

cs_proc_file cs_proc_file_here(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? (cs_proc_file){(uint64_t)st.st_dev, (uint64_t)st.st_ino}
                               : (cs_proc_file){0};
}

unsigned cs_proc_flags_of(pid_t pid, unsigned number)
{
    char path[64], text[512];

    snprintf(path, sizeof path, "/proc/%d/fdinfo/%u", (int)pid, number);
    return read_file(path, text, sizeof text) ? (unsigned)field(text, "flags:\t", 8) : 0;
}

int cs_proc_borrow(pid_t tid, unsigned number)
{
    cs_proc_status status = {.pid = tid};
    char path[64];
    int process, fd = -1;

    cs_proc_status_of(tid, &status);
    process = (int)syscall(SYS_pidfd_open, status.pid, 0); /* of processes only, before 6.9 */

    if (process >= 0) {
        fd = (int)syscall(SYS_pidfd_getfd, process, number, 0);
        close(process);
    }
    if (fd >= 0)
        return fd;
    /* Where that is forbidden another open file does: what the program has set with fcntl is lost. */
    snprintf(path, sizeof path, "/proc/%d/fd/%u", (int)tid, number);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* ---- threads, mappings ---- */

bool cs_proc_has(pid_t pid, pid_t tid)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d", (int)pid, (int)tid);
    return access(path, F_OK) == 0;
}

void cs_proc_threads(pid_t pid, void (*each)(void *ctx, pid_t tid), void *ctx)
{
    const struct dirent *entry;
    char path[64];
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    dir = opendir(path);
    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            each(ctx, (pid_t)strtol(entry->d_name, NULL, 10));
    closedir(dir);
}

static bool mapping_of(const char *line, cs_proc_mapping *out)
{
    char prot[5];
    int name = 0;

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &out->begin,
               &out->end, prot, &out->offset, &out->major, &out->minor, &out->inode, &name) < 7)
        return false;
    out->prot = (prot[0] == 'r' ? PROT_READ : 0u) | (prot[1] == 'w' ? PROT_WRITE : 0u) |
                (prot[2] == 'x' ? PROT_EXEC : 0u);
    out->flags = prot[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
    snprintf(out->file, sizeof out->file, "%.*s", (int)strcspn(line + name, "\n"), line + name);
    return true;
}

/* A program that has other mounts than we and a changed root tells names from above that root. */
static size_t root_of(pid_t pid, char *root, size_t size)
{
    char path[64];
    ssize_t got;

    snprintf(path, sizeof path, "/proc/%d/root", (int)pid);
    got = readlink(path, root, size - 1);
    if (got <= 1)
        return 0;
    root[got] = '\0';
    return (size_t)got;
}

static void cut_root(cs_proc_mapping *mapping, const char *root, size_t length)
{
    if (length != 0 && strncmp(mapping->file, root, length) == 0 && mapping->file[length] == '/')
        memmove(mapping->file, mapping->file + length, strlen(mapping->file + length) + 1);
}

void cs_proc_mappings(pid_t pid, void (*each)(void *ctx, const cs_proc_mapping *mapping), void *ctx)
{
    cs_proc_mapping mapping;
    char path[64], line[4352], root[4096];
    const size_t length = root_of(pid, root, sizeof root);
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    file = fopen(path, "re");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL)
        if (mapping_of(line, &mapping)) {
            cut_root(&mapping, root, length);
            each(ctx, &mapping);
        }
    fclose(file);
}

/* Asked at each call: opened once. */
pid_t cs_proc_newest(void)
{
    static int loads = -1;
    char text[128];
    const char *last;
    ssize_t got;

    if (loads < 0)
        loads = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    got = pread(loads, text, sizeof text - 1, 0);
    if (got <= 0)
        return 0;
    text[got] = '\0';
    last = strrchr(text, ' ');
    return last != NULL ? (pid_t)strtol(last, NULL, 10) : 0;
}

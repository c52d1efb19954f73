// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "guest/plugin/kernel.h"

#define TASK_BYTES 0x2000u /* of a task's structure that are looked at */
#define FILE_BYTES 0x100u
#define DENTRY_BYTES 0x80u
#define NAME_BYTES 32u
#define TASK_NAME_BYTES 16u
#define MOST_PROCESS 32768u
#define PROCESSES 65536u
#define VM_EXEC 4u
#define NO_PLACE UINT64_MAX
#define FIRST_PROGRAM "busybox" /* that our guests execute */
#define SETS_TOC 0x3c4cu        /* addis r2,r12: of callers from afar */
#define TOC_BYTES 8u

struct tasks {
    const bridge_memory *ram;
    FILE *log;
    uint64_t process_at, name_at; /* in a task; NO_PLACE: not known */
    uint64_t parents_at;
    uint64_t dentry_at, dname_at; /* in a file, in what it points at */
    struct {
        uint64_t task;
        uint32_t process, image;
    } cpus[EVENTS_CPUS];
    uint32_t image_of[PROCESSES];
    uint32_t nr_images;
};

tasks *tasks_create(const bridge_memory *ram, FILE *log)
{
    tasks *t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->ram = ram;
    t->log = log;
    t->process_at = t->name_at = t->parents_at = t->dentry_at = t->dname_at = NO_PLACE;
    return t;
}

/* ---- the kernel's memory ---- */

static uint64_t word(const tasks *t, uint64_t address, unsigned size)
{
    return kernel_word(t->ram, address, size);
}

/* A name that can stand in a line of the log; "?": there is none. */
static void name_at(const tasks *t, uint64_t address, char name[NAME_BYTES])
{
    const uint8_t *bytes = kernel_bytes(t->ram, address, NAME_BYTES);
    unsigned i = 0;

    for (; bytes != NULL && i < NAME_BYTES - 1 && bytes[i] > ' ' && bytes[i] < 127; i++)
        name[i] = (char)bytes[i];
    if (i == 0)
        name[i++] = '?';
    name[i] = '\0';
}

uint64_t tasks_entry(const tasks *t, uint64_t address)
{
    return word(t, address, 4) >> 16 == SETS_TOC ? address + TOC_BYTES : address;
}

/* ---- where things are ---- */

/* The first task is its own parent, its leader, and has no sibling: real_parent, parent, children,
 * sibling, group_leader. Its name stands somewhere behind. */
static void learn_task(tasks *t, uint64_t task)
{
    static const char first[] = "swapper";
    const uint8_t *bytes = kernel_bytes(t->ram, task, TASK_BYTES);
    uint64_t parents = NO_PLACE;

    for (uint64_t at = 16; bytes != NULL && at < TASK_BYTES - 64 && parents == NO_PLACE; at += 8)
        if (word(t, task + at, 8) == task && word(t, task + at + 8, 8) == task &&
            word(t, task + at + 32, 8) == task + at + 32 && word(t, task + at + 48, 8) == task)
            parents = at;
    for (uint64_t at = 0; parents != NO_PLACE && at < TASK_BYTES - sizeof first; at++)
        if (memcmp(bytes + at, first, sizeof first - 1) == 0) {
            t->parents_at = parents;
            t->name_at = at;
            return;
        }
}

/* pid and tgid stand before the parents, with or without a word between. Of the first tasks they are
 * small, and the same. */
static void learn_process(tasks *t, uint64_t task)
{
    for (uint64_t back = 8; back <= 16; back += 8) {
        const uint64_t at = t->parents_at - back;
        const uint64_t pid = word(t, task + at, 4);

        if (pid >= 1 && pid < MOST_PROCESS && word(t, task + at + 4, 4) == pid)
            t->process_at = at;
    }
}

/* The first program's name, in what a file points at. */
static void learn_file(tasks *t, uint64_t file)
{
    char name[NAME_BYTES];

    for (uint64_t i = 0; i < FILE_BYTES; i += 8)
        for (uint64_t k = 0; k < DENTRY_BYTES; k += 8) {
            name_at(t, word(t, word(t, file + i, 8) + k, 8), name);
            if (strcmp(name, FIRST_PROGRAM) == 0) {
                t->dentry_at = i;
                t->dname_at = k;
                return;
            }
        }
}

static uint32_t process_of(const tasks *t, uint64_t task)
{
    return t->process_at != NO_PLACE ? (uint32_t)word(t, task + t->process_at + 4, 4) : 0;
}

/* ---- what happens ---- */

static uint32_t new_image(tasks *t, uint32_t process, uint64_t cycle, uint32_t from, uint64_t named)
{
    char name[NAME_BYTES];

    name_at(t, named, name);
    t->image_of[process % PROCESSES] = ++t->nr_images;
    fprintf(t->log, "I %x %x %" PRIx64 " %x %s\n", t->nr_images, process, cycle, from, name);
    return t->nr_images;
}

static bool run_here(tasks *t, unsigned cpu, uint64_t task)
{
    const uint32_t process = process_of(t, task), image = t->image_of[process % PROCESSES];
    const bool other = t->cpus[cpu].image != image;

    t->cpus[cpu].task = task;
    t->cpus[cpu].process = process;
    t->cpus[cpu].image = image;
    return other;
}

static void map(tasks *t, unsigned cpu, const uint64_t a[TASKS_ARGUMENTS])
{
    char name[NAME_BYTES];

    if (a[0] == 0 || (a[3] & VM_EXEC) == 0)
        return;
    if (t->dentry_at == NO_PLACE)
        learn_file(t, a[0]);
    if (t->dentry_at == NO_PLACE)
        return;
    name_at(t, word(t, word(t, a[0] + t->dentry_at, 8) + t->dname_at, 8), name);
    fprintf(t->log, "F %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %s\n", t->cpus[cpu].image, a[1], a[2],
            a[4], name);
}

bool tasks_entered(tasks *t, tasks_what what, unsigned cpu, uint64_t cycle,
                   const uint64_t a[TASKS_ARGUMENTS])
{
    const uint64_t task = what == TASKS_SWITCH ? a[1] : a[0];

    if (what == TASKS_MAP) {
        map(t, cpu, a);
        return false;
    }
    if (t->parents_at == NO_PLACE)
        learn_task(t, what == TASKS_SWITCH ? a[0] : task);
    if (t->parents_at != NO_PLACE && t->process_at == NO_PLACE)
        learn_process(t, task);
    if (t->process_at == NO_PLACE)
        return false;
    if (what == TASKS_SWITCH)
        return run_here(t, cpu, task);

    const uint32_t process = process_of(t, task);
    /* A thread is of its process's image. */
    if (what == TASKS_FORK && word(t, task + t->process_at, 4) == process)
        new_image(t, process, cycle, t->cpus[cpu].image, task + t->name_at);
    if (what != TASKS_EXEC || (a[2] & 1) == 0)
        return false;
    new_image(t, process, cycle, 0, a[1]);
    return run_here(t, cpu, task);
}

uint32_t tasks_image(const tasks *t, unsigned cpu)
{
    return t->cpus[cpu].image;
}

uint32_t tasks_process(const tasks *t, unsigned cpu)
{
    return t->cpus[cpu].process;
}

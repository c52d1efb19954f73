// SPDX-License-Identifier: Apache-2.0
/* Threads, children, programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events.h"

static void wait_for(pid_t child)
{
    int status;

    SAME(waitpid(child, &status, 0), child);
    SAME(status, 0);
}

static void inherits(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    int alone, with;
    pid_t child;

    attr.disabled = 0;
    alone = opened(&attr);
    attr.inherit = 1;
    with = opened(&attr);
    child = fork();
    if (child == 0) {
        spin_ms(20);
        _exit(0);
    }
    wait_for(child);
    MUST(read_event(with).enabled >= read_event(alone).enabled + 19000000);
    MUST(read_event(with).value >= read_event(alone).value + 19 * UINT64_C(2500000));
}

/* Children that end before anybody has looked at them. */
static void short_children(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    int alone, with;

    attr.disabled = 0;
    alone = opened(&attr);
    attr.inherit = 1;
    with = opened(&attr);
    for (int i = 0; i < 60; i++) {
        const pid_t child = fork();

        if (child == 0) {
            spin_ms(1);
            _exit(0);
        }
        wait_for(child);
    }
    MUST(read_event(with).enabled >= read_event(alone).enabled + 60000000);
}

/* The child was there before the event. */
static void inherits_nothing_that_was(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    int go[2], fd;
    char byte;
    pid_t child;

    SAME(pipe(go), 0);
    child = fork();
    if (child == 0) {
        if (read(go[0], &byte, 1) == 1)
            execl("/proc/self/exe", "pmu_events", "works", (char *)NULL);
        _exit(1);
    }
    attr.disabled = 0;
    attr.inherit = 1;
    fd = opened(&attr);
    SAME(write(go[1], "", 1), 1);
    wait_for(child);
    MUST(read_event(fd).enabled < 15000000);
}

static void *spin_20(void *unused)
{
    spin_ms(20);
    return unused;
}

static void *spin_2(void *unused)
{
    spin_ms(2);
    return unused;
}

static void threads(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    pthread_t two[2];
    int fd;

    attr.disabled = 0;
    attr.inherit = 1;
    fd = opened(&attr);
    for (int i = 0; i < 2; i++)
        SAME(pthread_create(&two[i], NULL, spin_20, NULL), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(two[i], NULL);
    MUST(read_event(fd).enabled >= 40000000);
}

/* Threads that end count to their end, and between two looks at them. */
static void ends_of_threads(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    pthread_t one;
    struct timespec all;
    reading r;
    int fd;

    attr.disabled = 0;
    attr.inherit = 1;
    fd = opened(&attr);
    for (int i = 0; i < 30; i++) {
        SAME(pthread_create(&one, NULL, spin_2, NULL), 0);
        pthread_join(one, NULL);
    }
    r = read_event(fd);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    MUST(r.enabled >= 60000000);
    MUST((long)r.enabled <= all.tv_sec * 1000000000 + all.tv_nsec);
}

/* Counts of the program that an exec starts, not of what was before. */
static void execs(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    int go[2], fd;
    char byte;
    pid_t child;
    reading r;

    SAME(pipe(go), 0);
    child = fork();
    if (child == 0) {
        if (read(go[0], &byte, 1) != 1)
            _exit(1);
        spin_ms(50);
        execlp("no-such-program", "no-such-program", (char *)NULL);
        execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    attr.enable_on_exec = 1;
    fd = open_event(&attr, child, -1, -1, 0);
    MUST(fd >= 0);
    SAME(write(go[1], "", 1), 1);
    wait_for(child);
    r = read_event(fd);
    MUST(r.enabled > 0 && r.enabled < 30000000);
}

/* A descriptor is inherited, and means the same event. */
static void children_read(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    int fd;
    pid_t child;

    attr.disabled = 0;
    fd = opened(&attr);
    spin_ms(3);
    child = fork();
    if (child == 0) {
        MUST(read_event(fd).value > 0);
        SAME(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
        _exit(0);
    }
    wait_for(child);
    const uint64_t value = read_event(fd).value;

    spin_ms(2);
    SAME(read_event(fd).value, value);
}

/* Whoever answers is killed: calls fail, and nothing hangs. */
static void goes_on_alone(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    const int fd = opened(&attr);
    reading r;

    MUST(kill(getppid(), SIGKILL) == 0);
    usleep(100000);
    SAME(read(fd, &r, sizeof r), -1);
    SAME(errno, ENOSYS);
    fclose(fopen("alone.done", "w"));
    /* Not even the end is answered: the C library helps itself. */
}

/* For perf to look at. */
static void works(void)
{
    spin_ms(60);
}

/* A process that outlives the program is served on. */
/* What it has opened before, and what it opens later, counts on. */
static void leaves_one_behind(void)
{
    const struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    const struct perf_event_attr samples = sampling(PERF_COUNT_HW_CPU_CYCLES, 250000);
    struct perf_event_attr faults = sampling(PERF_COUNT_SW_PAGE_FAULTS, 1);
    const char *const file = getenv("LEFT");

    int ready[2];
    char byte = 0;

    SAME(pipe(ready), 0);
    if (fork() != 0) {
        SAME(read(ready[0], &byte, 1), 1);
        return;
    }
    faults.type = PERF_TYPE_SOFTWARE;
    faults.disabled = 0;
    const int before = opened(&samples), of_kernel = opened(&faults);
    struct perf_event_mmap_page *const ring = map_ring(before), *const kernel_ring =
                                                                    map_ring(of_kernel);
    SAME(write(ready[1], &byte, 1), 1);
    usleep(300000);
    consume(kernel_ring, PERF_RECORD_SAMPLE);
    *(volatile char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) =
        1;
    ioctl(before, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(5);
    ioctl(before, PERF_EVENT_IOC_DISABLE, 0);
    MUST(consume(ring, PERF_RECORD_SAMPLE) >= 45);
    MUST(consume(kernel_ring, PERF_RECORD_SAMPLE) >= 1);
    const int fd = opened(&attr);

    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(2);
    if (read_event(fd).value > 0)
        execlp("touch", "touch", file, (char *)NULL);
    _exit(1);
}

/* Some code of this process is there. */
static bool is_code(uint64_t address)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], prot[8];
    bool found = false;

    MUST(maps != NULL);
    while (!found && fgets(line, sizeof line, maps) != NULL) {
        unsigned long begin, end;

        found = sscanf(line, "%lx-%lx %7s", &begin, &end, prot) == 3 && prot[2] == 'x' &&
                address >= begin && address < end;
    }
    fclose(maps);
    return found;
}

static void be_in_code(void *ctx, const record *r)
{
    if (r->header.type != PERF_RECORD_SAMPLE)
        return;
    MUST(is_code(r->words[0]));
    ++*(unsigned *)ctx;
}

/* From the first sample on places are the program's, not the workload's. */
static void is_in_its_code(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, 50000);
    struct perf_event_mmap_page *page;
    unsigned nr = 0;

    attr.disabled = 0;
    page = map_ring(opened(&attr));
    spin_ms(12);
    ioctl(opened(&attr), PERF_EVENT_IOC_DISABLE, 0);
    take(page, be_in_code, &nr);
    MUST(nr >= 50);
}

typedef struct sought {
    uint64_t begin;
    unsigned nr;
} sought;

static void seek(void *ctx, const record *r)
{
    sought *s = ctx;

    /* pid and tid, address, length */
    s->nr += r->header.type == PERF_RECORD_MMAP && r->words[1] == s->begin && r->words[2] == 4096;
}

/* A page that becomes code; as soon as the program asks anything of its event, the record is there. */
static void makes_code(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_SW_DUMMY);
    struct perf_event_mmap_page *page;
    sought s = {0};

    attr.type = PERF_TYPE_SOFTWARE;
    attr.mmap = 1;
    const int fd = opened(&attr);
    char *code = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    page = map_ring(fd);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    SAME(mprotect(code + 4096, 4096, PROT_READ | PROT_EXEC), 0);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    s.begin = (uint64_t)(uintptr_t)(code + 4096);
    take(page, seek, &s);
    SAME(s.nr, 1);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    SAME(mprotect(code + 4096, 4096, PROT_READ), 0);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    SAME(mprotect(code + 4096, 4096, PROT_READ | PROT_EXEC), 0);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    take(page, seek, &s);
    SAME(s.nr, 2);
}

const test_case task_cases[] = {
    {"places", is_in_its_code},
    {"makes-code", makes_code},
    {"inherits", inherits},
    {"short", short_children},
    {"inherits-nothing", inherits_nothing_that_was},
    {"threads", threads},
    {"ends", ends_of_threads},
    {"execs", execs},
    {"children", children_read},
    {"alone", goes_on_alone},
    {"left", leaves_one_behind},
    {"works", works},
    {0},
};

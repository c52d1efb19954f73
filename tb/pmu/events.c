// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "events.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES (8u * 4096u)

void fail(const char *file, int line, const char *what, long found)
{
    fprintf(stderr, "%s:%d: %s: found %ld (errno %d)\n", file, line, what, found, errno);
    exit(1);
}

void expect_same(const char *file, int line, const char *what, long found, long expected)
{
    if (found != expected)
        fail(file, line, what, found);
}

int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
               unsigned long flags)
{
    const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);

    return fd < 0 ? -errno : (int)fd;
}

struct perf_event_attr hardware(uint64_t config)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = config;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return attr;
}

struct perf_event_attr sampling(uint64_t config, uint64_t period)
{
    struct perf_event_attr attr = hardware(config);

    attr.sample_period = period;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attr.wakeup_events = 1;
    return attr;
}

int opened(const struct perf_event_attr *attr)
{
    const int fd = open_event(attr, 0, -1, -1, 0);

    if (fd < 0)
        fail(__FILE__, __LINE__, "perf_event_open", fd);
    return fd;
}

static uint64_t cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void spin_ms(unsigned ms)
{
    const uint64_t until = cpu_ns() + ms * UINT64_C(1000000);

    while (cpu_ns() < until)
        ;
}

reading read_event(int fd)
{
    reading r;

    SAME(read(fd, &r, sizeof r), sizeof r);
    return r;
}

struct perf_event_mmap_page *map_ring(int fd)
{
    void *page = mmap(NULL, 4096 + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    MUST(page != MAP_FAILED);
    return page;
}

/* Records that lie at the end and the beginning are put together. */
void take(struct perf_event_mmap_page *page, void (*each)(void *ctx, const record *r), void *ctx)
{
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    const char *data = (const char *)page + page->data_offset;
    uint64_t tail = page->data_tail;

    while (tail < head) {
        const uint64_t at = tail % page->data_size, end = page->data_size - at;
        record r;

        memcpy(&r, data + at, sizeof r.header); /* 8 bytes: never in two parts */
        MUST(r.header.size >= sizeof r.header && r.header.size <= sizeof r);
        memcpy(&r, data + at, r.header.size < end ? r.header.size : end);
        if (r.header.size > end)
            memcpy((char *)&r + end, data, r.header.size - end);
        each(ctx, &r);
        tail += r.header.size;
    }
    SAME(tail, head);
    __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

typedef struct tally {
    uint32_t type;
    unsigned nr;
} tally;

static void count(void *ctx, const record *r)
{
    tally *t = ctx;

    t->nr += r->header.type == t->type;
}

unsigned consume(struct perf_event_mmap_page *page, uint32_t type)
{
    tally t = {type, 0};

    take(page, count, &t);
    return t.nr;
}

static const test_case *find(const char *name)
{
    const test_case *const lists[] = {counting_cases, ring_cases, task_cases, aux_cases};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const test_case *c = lists[i]; c->name != NULL; c++)
            if (strcmp(c->name, name) == 0)
                return c;
    return NULL;
}

/* A command in a sandbox that answers perf_event_open with EPERM, as Docker's; or only that of another thread's
 * events, as where perf_event_paranoid is 3. */
static int sandboxed(char **command, bool others)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, others ? 1 : 0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};

    SAME(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    SAME(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
    execvp(command[0], command);
    return 127;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strncmp(argv[1], "sandboxed", 9) == 0)
        return sandboxed(argv + 2, strcmp(argv[1], "sandboxed-others") == 0);
    const test_case *c = argc > 1 ? find(argv[1]) : NULL;

    if (c == NULL) {
        fprintf(stderr, "no such case\n");
        return 2;
    }
    c->run();
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES 4096u
#define BELL_BYTES (2u * PAGE_BYTES)
#define MARK_BITS 62u
#define TRIES 100u
/* A read that does not come to us is ENOSPC: it asks for fewer bytes than these are. */
#define READS_NOTHING                                                                              \
    (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |            \
     PERF_FORMAT_GROUP)

struct cs_bells {
    pthread_t thread;
    pid_t tid; /* of the thread */
    sem_t asked, done;
    /* What it is to do. */
    int fd;
    bool last, end;
    char *page;
    int witness; /* of the inode that all such files share */
    uint64_t next_mark;
};

/* ---- the thread ---- */

static void fault(const cs_bells *bells)
{
    madvise(bells->page, PAGE_BYTES, MADV_DONTNEED);
    *(volatile char *)bells->page = 1;
}

/* An event that may overflow once more disables itself, and says so with POLL_HUP. */
static void overflow(const cs_bells *bells)
{
    if (bells->last)
        ioctl(bells->fd, PERF_EVENT_IOC_REFRESH, 1);
    else
        ioctl(bells->fd, PERF_EVENT_IOC_ENABLE, 0);
    fault(bells);
    if (!bells->last)
        ioctl(bells->fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void wait_for(sem_t *what)
{
    while (sem_wait(what) != 0)
        ;
}

static void *ringer(void *ctx)
{
    cs_bells *bells = ctx;

    bells->tid = (pid_t)syscall(SYS_gettid);
    sem_post(&bells->done);
    for (;;) {
        wait_for(&bells->asked);
        if (bells->end)
            return NULL;
        overflow(bells);
        sem_post(&bells->done);
    }
}

static void ask(cs_bells *bells, int fd, bool last)
{
    bells->fd = fd;
    bells->last = last;
    sem_post(&bells->asked);
    wait_for(&bells->done);
}

/* Signals are for the thread that waits for them. */
static bool start(cs_bells *bells)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&bells->thread, NULL, ringer, bells) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        wait_for(&bells->done);
    return started;
}

static void stop(cs_bells *bells)
{
    bells->end = true;
    sem_post(&bells->asked);
    pthread_join(bells->thread, NULL);
}

/* ---- events ---- */

static int open_fault(const cs_bells *bells, bool wakes)
{
    struct perf_event_attr attr;
    int fd;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_PAGE_FAULTS;
    attr.sample_period = 1;
    attr.wakeup_events = wakes;
    attr.read_format = READS_NOTHING;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    fd = (int)syscall(SYS_perf_event_open, &attr, bells->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static struct flock byte_of(uint64_t mark)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)mark, .l_len = 1};
}

/* Somebody else on this computer may have chosen the same. */
static bool put_mark(cs_bells *bells, int fd, uint64_t *mark)
{
    for (unsigned i = 0; i < TRIES; i++) {
        struct flock lock = byte_of(*mark = bells->next_mark++);

        if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
            return true;
        if (errno != EAGAIN && errno != EACCES)
            return false;
    }
    return false;
}

int cs_bells_file(cs_bells *bells, uint64_t *mark)
{
    const int fd = open_fault(bells, false);

    if (fd < 0 || put_mark(bells, fd, mark))
        return fd;
    close(fd);
    return -ENOLCK;
}

bool cs_bells_is_closed(const cs_bells *bells, uint64_t mark)
{
    struct flock lock = byte_of(mark);

    return fcntl(bells->witness, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

void cs_bells_signal(cs_bells *bells, int file, bool last)
{
    ask(bells, file, last);
}

/* ---- bells ---- */

/* Mapped for reading alone, so that it overwrites what nobody reads. */
int cs_bell_make(cs_bells *bells, cs_bell *out)
{
    int error;

    out->fd = open_fault(bells, true);
    if (out->fd < 0)
        return out->fd;
    out->pages = mmap(NULL, BELL_BYTES, PROT_READ, MAP_SHARED, out->fd, 0);
    if (out->pages != MAP_FAILED)
        return 0;
    error = errno;
    close(out->fd);
    out->fd = -1;
    return -error;
}

void cs_bell_end(cs_bell *bell)
{
    if (bell->fd < 0)
        return;
    munmap(bell->pages, BELL_BYTES);
    close(bell->fd);
    bell->fd = -1;
}

void cs_bell_ring(cs_bells *bells, const cs_bell *bell)
{
    ask(bells, bell->fd, false);
}

void cs_bell_hang(int file, const cs_bell *bell)
{
    ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, bell != NULL ? (long)bell->fd : -1L);
}

/* ---- all of them ---- */

static uint64_t first_mark(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return ((uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec) << 14 &
           ((UINT64_C(1) << MARK_BITS) - 1);
}

/* The whole of what is needed, tried once. */
static bool works(cs_bells *bells)
{
    uint64_t mark;
    cs_bell bell;
    int file;

    bells->witness = open_fault(bells, false);
    file = bells->witness >= 0 ? cs_bells_file(bells, &mark) : -1;
    if (file < 0)
        return false;
    const bool lasts = !cs_bells_is_closed(bells, mark);
    close(file);
    if (!lasts || !cs_bells_is_closed(bells, mark) || cs_bell_make(bells, &bell) != 0)
        return false;
    cs_bell_end(&bell);
    return true;
}

static void free_bells(cs_bells *bells)
{
    if (bells->page != MAP_FAILED)
        munmap(bells->page, PAGE_BYTES);
    if (bells->witness >= 0)
        close(bells->witness);
    sem_destroy(&bells->asked);
    sem_destroy(&bells->done);
    free(bells);
}

cs_bells *cs_bells_create(void)
{
    cs_bells *bells = calloc(1, sizeof *bells);
    bool started;

    if (bells == NULL)
        return NULL;
    bells->witness = -1;
    bells->next_mark = first_mark();
    sem_init(&bells->asked, 0, 0);
    sem_init(&bells->done, 0, 0);
    bells->page =
        mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    started = bells->page != MAP_FAILED && start(bells);
    if (started && works(bells))
        return bells;
    if (started)
        stop(bells);
    free_bells(bells);
    return NULL;
}

void cs_bells_destroy(cs_bells *bells)
{
    if (bells == NULL)
        return;
    stop(bells);
    free_bells(bells);
}

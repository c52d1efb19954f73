// SPDX-License-Identifier: Apache-2.0
/* Samples in rings, and how a program hears of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events.h"

/* 2500 cycles in each microsecond: a sample in each of them. */
#define EACH_MS 2500000u

static void polls(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    const int fd = opened(&attr);
    struct perf_event_mmap_page *page = map_ring(fd);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    unsigned nr;

    SAME(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    SAME(poll(&p, 1, 0), 0);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(20);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    SAME(poll(&p, 1, 1000), 1);
    SAME(p.revents, POLLIN);
    nr = consume(page, PERF_RECORD_SAMPLE);
    MUST(nr >= 18 && nr <= 24);
    SAME(read_event(fd).value / EACH_MS, nr);
    usleep(20000);
    SAME(poll(&p, 1, 0), 0); /* all is consumed */
}

/* A wake-up is reported once, whether its data is taken or not. */
static void polls_once(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    struct pollfd p = {.fd = opened(&attr), .events = POLLIN};

    SAME(poll(&p, 1, 0), 1);
    SAME(p.revents, POLLHUP); /* it has no ring */
    map_ring(p.fd);
    ioctl(p.fd, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(3);
    ioctl(p.fd, PERF_EVENT_IOC_DISABLE, 0);
    SAME(poll(&p, 1, 1000), 1);
    SAME(p.revents, POLLIN);
    SAME(poll(&p, 1, 0), 0);
    ioctl(p.fd, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(3);
    SAME(poll(&p, 1, 1000), 1);
}

/* Nothing that waits for an answer is between mmap and poll. */
static void polls_at_once(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    struct pollfd p = {.fd = opened(&attr), .events = POLLIN};

    map_ring(p.fd);
    SAME(poll(&p, 1, 0), 0);
}

/* A descriptor is closed while samples are written, whose readers are to be woken. */
static void closes(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS / 100);

    attr.wakeup_events = 1;
    attr.disabled = 0;
    for (int i = 0; i < 30; i++) {
        const int fd = opened(&attr);

        map_ring(fd);
        spin_ms(1);
        close(fd);
    }
}

/* While it only waits for another thread's samples, nothing of it calls. */
static void epolls(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    struct epoll_event event = {.events = EPOLLIN};
    const int ep = epoll_create1(0);
    const pid_t child = fork();
    struct perf_event_mmap_page *page;
    unsigned nr = 0;
    int fd;

    if (child == 0)
        for (;;)
            spin_ms(100);
    attr.disabled = 0;
    fd = open_event(&attr, child, -1, -1, 0);
    MUST(fd >= 0);
    page = map_ring(fd);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    SAME(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event), 0);
    while (nr < 50) {
        SAME(epoll_wait(ep, &event, 1, 2000), 1);
        SAME(event.events, EPOLLIN);
        nr += consume(page, PERF_RECORD_SAMPLE);
    }
    kill(child, SIGKILL);
    do { /* its event has nothing more to say */
        consume(page, PERF_RECORD_SAMPLE);
        SAME(epoll_wait(ep, &event, 1, 2000), 1);
    } while ((event.events & EPOLLHUP) == 0);
}

/* Each wake-up is an edge, also for a program that has not taken what the one before it was for. */
static void epolls_edges(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    const int ep = epoll_create1(0);
    const pid_t child = fork();
    int fd;

    if (child == 0)
        for (;;)
            spin_ms(100);
    attr.disabled = 0;
    fd = open_event(&attr, child, -1, -1, 0);
    MUST(fd >= 0);
    map_ring(fd);
    SAME(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event), 0);
    for (unsigned i = 0; i < 5; i++)
        SAME(epoll_wait(ep, &event, 1, 2000), 1);
    kill(child, SIGKILL);
}

static volatile sig_atomic_t signals, codes[4];

static void count_signal(int number, siginfo_t *info, void *ctx)
{
    (void)number;
    (void)ctx;
    codes[signals % 4] = info->si_code;
    signals++;
}

static void signals_at_overflows(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_INSTRUCTIONS, 2000000);
    const int fd = opened(&attr);

    const struct sigaction action = {.sa_sigaction = count_signal, .sa_flags = SA_SIGINFO};

    sigaction(SIGRTMIN, &action, NULL);
    SAME(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK), 0);
    SAME(fcntl(fd, F_SETSIG, SIGRTMIN), 0);
    SAME(fcntl(fd, F_SETOWN, getpid()), 0);
    SAME(ioctl(fd, PERF_EVENT_IOC_REFRESH, 3), 0);
    spin_ms(40);
    SAME(signals, 3);
    SAME(codes[0], POLL_IN);
    SAME(codes[1], POLL_IN);
    SAME(codes[2], POLL_HUP);
    const int before = signals;
    const uint64_t value = read_event(fd).value;

    spin_ms(20); /* it has counted down: it is disabled */
    SAME(signals, before);
    SAME(read_event(fd).value, value);
}

static unsigned of_event[1024];

/* The event is disabled until its signal has been taken. */
static void arm_again(int number, siginfo_t *info, void *ctx)
{
    (void)number;
    (void)ctx;
    of_event[info->si_fd]++;
    ioctl(info->si_fd, PERF_EVENT_IOC_REFRESH, 1);
}

static void overflow_and_stop(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    const struct sigaction action = {.sa_sigaction = arm_again, .sa_flags = SA_SIGINFO};
    int fds[2];

    sigaction(SIGIO, &action, NULL);
    for (int i = 0; i < 2; i++) {
        fds[i] = opened(&attr);
        SAME(fcntl(fds[i], F_SETFL, O_ASYNC), 0);
        SAME(fcntl(fds[i], F_SETSIG, SIGIO), 0);
        SAME(fcntl(fds[i], F_SETOWN, getpid()), 0);
        SAME(ioctl(fds[i], PERF_EVENT_IOC_REFRESH, 1), 0);
    }
    for (int i = 0; i < 30; i++) {
        spin_ms(3);
        raise(SIGSTOP);
    }
    MUST(of_event[fds[0]] >= 15);
    MUST(of_event[fds[1]] >= 15);
}

/* Two events overflow before the thread is on a CPU again: SIGIO is no queue, but neither is lost, as on a machine
 * where the thread takes the first before the second overflows. */
static void signals_of_each(void)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        overflow_and_stop();
        _exit(0);
    }
    while (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status)) {
        usleep(15000);
        kill(child, SIGCONT);
    }
    SAME(status, 0);
}

/* Two events in the ring of one. */
static void shares_a_ring(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    const int fd = opened(&attr), other = opened(&attr);
    struct perf_event_mmap_page *page = map_ring(fd);
    unsigned nr;

    SAME(ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, fd), 0);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    ioctl(other, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(10);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    ioctl(other, PERF_EVENT_IOC_DISABLE, 0);
    nr = consume(page, PERF_RECORD_SAMPLE);
    MUST(nr >= 18 && nr <= 26);
}

typedef struct mixture {
    uint64_t faults_id; /* of page faults */
    unsigned faults, cycles;
    uint64_t addresses; /* of faults in `pages`, a bit each */
    uintptr_t pages;
    uint64_t last_ns;
} mixture;

/* id, ip, pid and tid, time, address */
static void look_at_mixed(void *ctx, const record *r)
{
    mixture *m = ctx;

    if (r->header.type != PERF_RECORD_SAMPLE)
        return;
    m->last_ns = r->words[3] > m->last_ns ? r->words[3] : m->last_ns;
    if (r->words[0] != m->faults_id) {
        m->cycles++;
        return;
    }
    m->faults++;
    if (r->words[4] >= m->pages && r->words[4] < m->pages + 64 * 4096)
        m->addresses |= UINT64_C(1) << (r->words[4] - m->pages) / 4096;
}

static struct perf_event_attr of_faults(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_SW_PAGE_FAULTS, 1);

    attr.type = PERF_TYPE_SOFTWARE;
    attr.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR;
    return attr;
}

/* Both write to `page`'s ring: each page fault is there, with its address, and its time is that of cycles. */
static void look_at_both(struct perf_event_mmap_page *page, int cycles, int faults)
{
    char *pages = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mixture m = {.pages = (uintptr_t)pages};
    struct timespec before, after;

    SAME(ioctl(faults, PERF_EVENT_IOC_ID, &m.faults_id), 0);
    ioctl(cycles, PERF_EVENT_IOC_ENABLE, 0);
    ioctl(faults, PERF_EVENT_IOC_ENABLE, 0);
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < 64; i++)
        ((volatile char *)pages)[i * 4096] = 1;
    spin_ms(10);
    ioctl(faults, PERF_EVENT_IOC_DISABLE, 0);
    ioctl(cycles, PERF_EVENT_IOC_DISABLE, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    take(page, look_at_mixed, &m);
    MUST(m.cycles >= 9 && m.cycles <= 13);
    MUST(m.addresses == UINT64_MAX);
    SAME(read_event(faults).value, m.faults);
    MUST(m.last_ns > (uint64_t)before.tv_sec * 1000000000u);
    MUST(m.last_ns < (uint64_t)(after.tv_sec + 1) * 1000000000u);
}

/* Page faults only the kernel can sample. */
static void mixes(void)
{
    struct perf_event_attr attr = of_faults(),
                           of_cycles = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    struct pollfd p = {.events = POLLIN};
    struct perf_event_mmap_page *page;

    of_cycles.sample_type = attr.sample_type;
    const int cycles = opened(&of_cycles), faults = opened(&attr);
    page = map_ring(cycles);
    SAME(ioctl(faults, PERF_EVENT_IOC_SET_OUTPUT, cycles), 0);
    look_at_both(page, cycles, faults);
    munmap(page, 9 * 4096);
    close(cycles);
    close(faults);

    /* The other way round, and by a flag. */
    const int first = opened(&of_cycles), owner = opened(&attr);
    page = map_ring(owner);
    const int more =
        open_event(&of_cycles, 0, -1, owner, PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP);
    MUST(more >= 0);
    look_at_both(page, more, owner);
    close(first);
    close(more);
    p.fd = owner;
    ioctl(owner, PERF_EVENT_IOC_ENABLE, 0);
    *(volatile char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) =
        1;
    SAME(poll(&p, 1, 2000), 1);
    SAME(p.revents, POLLIN);
}

static void maps_as_the_kernel_does(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS);
    const int fd = opened(&attr);
    struct perf_event_mmap_page *page;

    MUST(mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
    SAME(errno, EINVAL);
    page = map_ring(fd);
    SAME(page->data_offset, 4096);
    SAME(page->data_size, 8 * 4096);
    SAME(page->cap_user_rdpmc, 0);
    SAME(munmap(page, 9 * 4096), 0);
    page = mmap(NULL, 17 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    MUST(page != MAP_FAILED); /* another size, now that the first is gone */
    SAME(page->data_size, 16 * 4096);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(5);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    MUST(page->data_head > 0);
}

/* A ring that nobody reads: what does not fit is counted. */
static void loses(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS / 50);
    const int fd = opened(&attr);
    struct perf_event_mmap_page *page = map_ring(fd);
    unsigned lost;

    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(60);
    consume(page, PERF_RECORD_LOST);
    spin_ms(10);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    lost = consume(page, PERF_RECORD_LOST);
    MUST(lost >= 1);
}

static void print(void *ctx, const record *r)
{
    (void)ctx;
    if (r->header.type == PERF_RECORD_SAMPLE) /* ip, pid and tid, time */
        printf("%llu\n", (unsigned long long)r->words[2]);
    if (r->header.type == PERF_RECORD_LOST) /* id, lost */
        printf("lost %llu\n", (unsigned long long)r->words[1]);
}

/* A ring of one page wraps again and again while another process works: all that comes is printed. */
static void prints_a_small_ring(void)
{
    struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, EACH_MS / 500);
    struct perf_event_mmap_page *page;
    struct pollfd p = {.events = POLLIN};
    int begin[2];

    SAME(pipe(begin), 0);
    const pid_t child = fork();
    if (child == 0) {
        char byte;

        SAME(read(begin[0], &byte, 1), 1);
        spin_ms(60);
        _exit(0);
    }
    attr.disabled = 0;
    attr.wakeup_events = 0; /* at half of the ring */
    p.fd = open_event(&attr, child, -1, -1, 0);
    MUST(p.fd >= 0);
    page = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, p.fd, 0);
    MUST(page != MAP_FAILED);
    SAME(write(begin[1], "", 1), 1);
    while ((p.revents & POLLHUP) == 0) {
        SAME(poll(&p, 1, 5000), 1);
        take(page, print, NULL);
    }
}

const test_case ring_cases[] = {
    {"closes", closes},
    {"polls", polls},
    {"polls-once", polls_once},
    {"polls-at-once", polls_at_once},
    {"epolls", epolls},
    {"epolls-edges", epolls_edges},
    {"signals", signals_at_overflows},
    {"signals-of-each", signals_of_each},
    {"shares", shares_a_ring},
    {"mixes", mixes},
    {"maps", maps_as_the_kernel_does},
    {"loses", loses},
    {"prints-a-small-ring", prints_a_small_ring},
    {0},
};

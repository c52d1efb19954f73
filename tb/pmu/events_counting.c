// SPDX-License-Identifier: Apache-2.0
/* Counts, groups, errors, descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"

static void counts_while_it_runs(void)
{
    const struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    const int fd = opened(&attr);
    reading before, after;

    spin_ms(2);
    SAME(read_event(fd).value, 0); /* it is not enabled yet */
    SAME(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
    spin_ms(10);
    SAME(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
    before = read_event(fd);
    spin_ms(2);
    after = read_event(fd);
    /* 2500 cycles in each microsecond that it was counted. */
    SAME(before.value / 1000, before.running * 5 / 2 / 1000);
    MUST(before.enabled >= 9900000 && before.running == before.enabled);
    SAME(after.value, before.value);
    SAME(ioctl(fd, PERF_EVENT_IOC_RESET, 0), 0);
    SAME(read_event(fd).value, 0);
}

/* Reproducible with --time steps: what it prints is compared. */
static void prints_counts(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_INSTRUCTIONS);
    const int fd = opened(&attr);

    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    for (int i = 0; i < 5; i++) {
        const reading r = read_event(fd);

        spin_ms(1);
        printf("%llu %llu\n", (unsigned long long)r.value, (unsigned long long)r.enabled);
    }
}

static void sleeps_uncounted(void)
{
    const struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    const int fd = opened(&attr);

    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    usleep(50000);
    MUST(read_event(fd).enabled < 20000000);
}

static void groups(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    uint64_t v[8] = {0};
    int leader, member;

    attr.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
    leader = opened(&attr);
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.disabled = 0;
    member = open_event(&attr, 0, -1, leader, 0);
    MUST(member >= 0);
    ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
    spin_ms(3);
    /* nr, enabled, running, then value and id of each */
    SAME(read(leader, v, sizeof v), 7 * 8);
    SAME(v[0], 2);
    MUST(v[3] > 0 && v[5] > 0 && v[4] != v[6]);
    SAME(close(leader), 0);
    ioctl(member, PERF_EVENT_IOC_ENABLE, 0);
    SAME(read(member, v, sizeof v), 5 * 8); /* alone now */
}

static void errors(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    uint64_t small;

    SAME(open_event((void *)8, 0, -1, -1, 0), -EFAULT);
    attr.size = 8192;
    SAME(open_event(&attr, 0, -1, -1, 0), -E2BIG);
    MUST(attr.size >= 64 && attr.size < 8192); /* as much as is known */
    attr = hardware(99);
    SAME(open_event(&attr, 0, -1, -1, 0), -EINVAL);
    attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    SAME(open_event(&attr, 0, -1, -1, 1ul << 20), -EINVAL);
    SAME(open_event(&attr, 0, -1, 99, 0), -EBADF);
    SAME(open_event(&attr, 0, -1, 2, 0), -EINVAL); /* no event */
    SAME(open_event(&attr, 0, 4000, -1, 0), -EINVAL);
    SAME(open_event(&attr, 4194303, -1, -1, 0), -ESRCH);
    SAME(open_event(&attr, 0, 0, -1, PERF_FLAG_PID_CGROUP), -EINVAL); /* CONFIG_CGROUP_PERF=n */
    attr = sampling(PERF_COUNT_HW_CPU_CYCLES, 1000);
    attr.sigtrap = attr.remove_on_exec = 1;
    SAME(open_event(&attr, 0, -1, -1, 0), -EINVAL); /* before 5.13 */
    attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    const int fd = opened(&attr);

    SAME(read(fd, &small, sizeof small), -1);
    SAME(errno, ENOSPC);
    SAME(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "x"), -1);
    SAME(ioctl(fd, PERF_EVENT_IOC_ID, 8), -1);
    SAME(errno, EFAULT);
}

static void descriptors(void)
{
    const struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    const int fd = open_event(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    const int other = dup(fd), far = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    uint64_t id = 0, same = 0;
    reading parts;
    struct iovec two[] = {{&parts, sizeof parts}, {&id, 0}};

    MUST(fd >= 0 && other >= 0 && far >= 0 && other != far);
    SAME(fcntl(fd, F_GETFD), FD_CLOEXEC);
    SAME(fcntl(other, F_GETFD), 0);
    SAME(ioctl(fd, PERF_EVENT_IOC_ID, &id), 0);
    SAME(ioctl(far, PERF_EVENT_IOC_ID, &same), 0);
    MUST(id != 0 && id == same);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    close(fd);
    spin_ms(2);
    SAME(readv(other, two, 2), sizeof parts);
    MUST(parts.value > 0);
    SAME(opened(&attr), fd); /* the lowest that is free */
    SAME(dup2(other, 1000), 1000);
    SAME(read(1000, &parts, sizeof parts), sizeof parts);
    SAME(dup2(0, 1000), 1000); /* what was there is closed */
    SAME(ioctl(1000, PERF_EVENT_IOC_ID, &id), -1);
    SAME(dup2(other, 5), 5); /* below all numbers that perf_event_open gives here */
    close(other);
    close(far);
    MUST(read_event(5).value >= parts.value);
    SAME(read(far + 1000, &parts, sizeof parts), -1);
    SAME(errno, EBADF);
}

static void send_number(int to, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec part = {"", 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);

    *c = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    SAME(sendmsg(to, &message, 0), 1);
}

static int received(int from)
{
    char control[CMSG_SPACE(sizeof(int))], byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    int fd;

    SAME(recvmsg(from, &message, 0), 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

/* What another process gets through a socket: a number that the kernel chooses. */
static void uses_a_received_one(int from)
{
    const int fd = received(from), far = fcntl(fd, F_DUPFD, 768);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    struct perf_event_mmap_page *page;
    uint64_t id = 0;

    MUST(fd < 768 && far >= 768);
    SAME(poll(&p, 1, 0), 1);
    SAME(p.revents, POLLHUP); /* no ring yet */
    page = map_ring(fd);
    SAME(poll(&p, 1, 0), 0);
    SAME(ioctl(fd, PERF_EVENT_IOC_ID, &id), 0);
    MUST(id != 0);
    SAME(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
    SAME(poll(&p, 1, 2000), 1);
    SAME(p.revents, POLLIN);
    MUST(consume(page, PERF_RECORD_SAMPLE) >= 1);
    MUST(read_event(fd).value >= 2500000);
    SAME(read(fd, &id, sizeof id), -1);
    SAME(errno, ENOSPC);
    SAME(close(far), 0);
    MUST(read_event(fd).value >= 2500000);
    signal(SIGIO, count_signal);
    SAME(fcntl(fd, F_SETOWN, getpid()), 0);
    SAME(fcntl(fd, F_SETFL, O_ASYNC), 0);
    for (int i = 0; i < 2000 && signals == 0; i++)
        usleep(1000);
    MUST(signals >= 1);
}

static void passes(void)
{
    const struct perf_event_attr attr = sampling(PERF_COUNT_HW_CPU_CYCLES, 2500000);
    const int fd = opened(&attr);
    int ends[2], status;

    SAME(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(fd);
        uses_a_received_one(ends[1]);
        _exit(0);
    }
    send_number(ends[0], fd);
    close(fd);
    while (waitpid(child, &status, WNOHANG) == 0)
        spin_ms(1);
    SAME(status, 0);
}

/* Limits are those of the process. */
static void many(void)
{
    const struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    struct rlimit limit;
    int nr = 0, fd;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 1024;
    setrlimit(RLIMIT_NOFILE, &limit);
    while ((fd = open_event(&attr, 0, -1, -1, 0)) >= 0)
        nr++;
    SAME(fd, -EMFILE);
    MUST(nr >= 200);
    for (int i = 3; i < 1024; i++)
        close(i);
    MUST(open_event(&attr, 0, -1, -1, 0) >= 0);
}

static void all_at_once(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    int fd;
    uint64_t value;

    attr.disabled = 0;
    fd = opened(&attr);
    SAME(prctl(PR_TASK_PERF_EVENTS_DISABLE), 0);
    value = read_event(fd).value;
    spin_ms(2);
    SAME(read_event(fd).value, value);
    SAME(prctl(PR_TASK_PERF_EVENTS_ENABLE), 0);
    spin_ms(2);
    MUST(read_event(fd).value > value);
}

/* What the kernel can count itself needs no PMU; {0}: of both kinds. */
static void software(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_SW_TASK_CLOCK);
    int leader, member;

    attr.type = PERF_TYPE_SOFTWARE;
    leader = opened(&attr);
    attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    attr.disabled = 0;
    member = open_event(&attr, 0, -1, leader, 0);
    MUST(member >= 0);
    ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
    spin_ms(5);
    MUST(read_event(leader).value >= 4900000 && read_event(member).value > 0);
}

/* nr, then the value of each. */
static void touches_pages(void)
{
    struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    uint64_t before[3], after[3];
    char *pages = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    attr.disabled = 0;
    attr.read_format = PERF_FORMAT_GROUP;
    const int leader = opened(&attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_PAGE_FAULTS;
    attr.read_format = 0;
    const int alone = open_event(&attr, 0, -1, -1, 0);
    MUST(alone >= 0 && alone < 768); /* the kernel's */
    attr.read_format = PERF_FORMAT_GROUP;
    MUST(open_event(&attr, 0, -1, leader, 0) >= 768);
    SAME(read(leader, before, sizeof before), sizeof before);
    for (int i = 0; i < 64; i++)
        ((volatile char *)pages)[i * 4096] = 1;
    SAME(read(leader, after, sizeof after), sizeof after);
    MUST(after[2] - before[2] >= 64 && after[2] - before[2] < 100);
    MUST(after[1] > before[1]);
    attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
    SAME(open_event(&attr, 0, -1, alone, 0), -EINVAL); /* the kernel's cannot lead ours */
}

static void touch_pages(unsigned nr)
{
    char *pages = mmap(NULL, nr * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (unsigned i = 0; i < nr; i++)
        ((volatile char *)pages)[i * 4096] = 1;
    munmap(pages, nr * 4096);
}

/* A group of page faults and cycles, by which of them it is led, and whether page faults are sampled. */
static void groups_with_faults(bool faults_lead, bool samples)
{
    struct perf_event_attr faults = hardware(PERF_COUNT_SW_PAGE_FAULTS),
                           cycles = hardware(PERF_COUNT_HW_CPU_CYCLES);
    uint64_t v[3];

    faults.type = PERF_TYPE_SOFTWARE;
    faults.read_format = cycles.read_format = PERF_FORMAT_GROUP;
    faults.sample_period = samples;
    (faults_lead ? &cycles : &faults)->disabled = 0;
    const int leader = opened(faults_lead ? &faults : &cycles);
    const int member = open_event(faults_lead ? &cycles : &faults, 0, -1, leader, 0);
    MUST(member >= 0);
    const int of_faults = faults_lead ? leader : member;
    struct perf_event_mmap_page *page = samples ? map_ring(of_faults) : NULL;
    touch_pages(64); /* the leader is not enabled yet */
    ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
    touch_pages(64);
    spin_ms(2);
    ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
    touch_pages(64);
    SAME(read(leader, v, sizeof v), sizeof v);
    MUST(v[faults_lead ? 2 : 1] >= 2 * 2500000);
    MUST(v[faults_lead ? 1 : 2] >= 64 && v[faults_lead ? 1 : 2] < 100);
    if (samples) {
        const unsigned nr = consume(page, PERF_RECORD_SAMPLE);

        MUST(nr >= 64 && nr < 100);
    }
    close(member);
    close(leader);
}

static void groups_touch_pages(void)
{
    struct perf_event_attr faults = hardware(PERF_COUNT_SW_PAGE_FAULTS),
                           cycles = hardware(PERF_COUNT_HW_CPU_CYCLES);

    for (int i = 0; i < 4; i++)
        groups_with_faults(i & 1, i & 2);
    faults.type = PERF_TYPE_SOFTWARE;
    faults.sample_period = 1;
    faults.sample_type = PERF_SAMPLE_READ;
    faults.read_format = cycles.read_format = PERF_FORMAT_GROUP;
    SAME(open_event(&cycles, 0, -1, opened(&faults), 0), -EINVAL); /* it cannot be in the samples */
    SAME(open_event(&faults, 0, -1, opened(&cycles), 0), -EINVAL);
}

const test_case counting_cases[] = {
    {"touches-pages", touches_pages},
    {"groups-touch-pages", groups_touch_pages},
    {"counts", counts_while_it_runs},
    {"prints", prints_counts},
    {"sleeps", sleeps_uncounted},
    {"groups", groups},
    {"errors", errors},
    {"descriptors", descriptors},
    {"passes", passes},
    {"many", many},
    {"all", all_at_once},
    {"software", software},
    {0},
};

// SPDX-License-Identifier: Apache-2.0
/* Code as many have it: it counts some events of its own work, and scales those that had to take turns
 * on a counter. Exit status 77: this machine has no PMU. */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_PMU 77

static const struct {
    const char *name;
    uint64_t config;
} events[] = {
    {"cycles", PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_COUNT_HW_BRANCH_MISSES},
    {"cache-misses", PERF_COUNT_HW_CACHE_MISSES},
};
#define NR (sizeof events / sizeof events[0])

static int open_event(uint64_t config)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = config;
    attr.exclude_kernel = 1;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void work(int fd)
{
    volatile uint64_t sum = 0;

    for (uint64_t i = 0; i < 100; i++) {
        sum += i;
        ioctl(fd, PERF_EVENT_IOC_ENABLE, 0); /* it is on: this only takes time */
    }
}

int main(void)
{
    int fds[NR];

    for (size_t i = 0; i < NR; i++) {
        fds[i] = open_event(events[i].config);
        if (fds[i] < 0) {
            fprintf(stderr, "%s: %s\n", events[i].name, strerror(errno));
            return errno == ENOENT ? NO_PMU : 1;
        }
    }
    work(fds[0]);
    for (size_t i = 0; i < NR; i++) {
        struct {
            uint64_t value, enabled, running;
        } r;

        if (read(fds[i], &r, sizeof r) != (ssize_t)sizeof r || r.running == 0)
            return 1;
        printf("%s %.0f\n", events[i].name,
               (double)r.value * (double)r.enabled / (double)r.running);
    }
    return 0;
}

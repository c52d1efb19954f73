// SPDX-License-Identifier: Apache-2.0
/* What the cases of a program under test share: it opens events as any program does, and knows nothing
 * of who answers. */
#ifndef CS_TB_PMU_EVENTS_H
#define CS_TB_PMU_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A case ends with the first thing that is not so. */
void fail(const char *file, int line, const char *what, long found);
#define MUST(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition, 0))
void expect_same(const char *file, int line, const char *what, long found, long expected);
#define SAME(found, expected)                                                                      \
    expect_same(__FILE__, __LINE__, #found " == " #expected, (long)(found), (long)(expected))

/* The descriptor, or -errno. */
int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
               unsigned long flags);
/* Of the calling thread, disabled, with its times. */
struct perf_event_attr hardware(uint64_t config);
struct perf_event_attr sampling(uint64_t config, uint64_t period);
/* A descriptor that must be. */
int opened(const struct perf_event_attr *attr);

/* Uses the CPU for so long. */
void spin_ms(unsigned ms);

typedef struct reading {
    uint64_t value, enabled, running;
} reading;
reading read_event(int fd);

/* A ring of 2^3 pages. */
struct perf_event_mmap_page *map_ring(int fd);
typedef struct record {
    struct perf_event_header header;
    uint64_t words[64];
} record;
/* Consumes all records that there are. */
void take(struct perf_event_mmap_page *page, void (*each)(void *ctx, const record *r), void *ctx);
/* The same; how many there were of a type. */
unsigned consume(struct perf_event_mmap_page *page, uint32_t type);

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;
extern const test_case counting_cases[], ring_cases[], task_cases[],
    aux_cases[]; /* the last has no name */

#endif

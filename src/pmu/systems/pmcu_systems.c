// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "pmu/systems/pmcu_systems.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pmu/host/sysfs.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"

#define EVENT_CHARACTERS 8u
#define FILE_BYTES (CS_PERF_PMCU_MOST_EVENTS * EVENT_CHARACTERS + 1)

struct cs_pmu_pmcu {
    cs_perf_pmcu config;
    char name[32], cpus[16];
    char events[FILE_BYTES]; /* the file, as it is at first */
    cs_perf_file settings, monitored;
    pid_t program; /* 0: nobody sees the file */
};

static const cs_perf_file formats[] = {{"nr_sample", "config:0-31"},
                                       {"sample_period_ms", "config:32-63"},
                                       {"pmccfiltr", "config1:0-7"}};

/* ---- the file of events ---- */

/* Words of hexadecimal digits; the first that is none ends the list, as for the driver. */
static size_t parse_events(const char *text, uint16_t events[CS_PERF_PMCU_MOST_EVENTS])
{
    size_t n = 0;

    while (n < CS_PERF_PMCU_MOST_EVENTS) {
        char *end;
        const unsigned long number = strtoul(text, &end, 16);

        if (end == text || number > UINT16_MAX)
            break;
        events[n++] = (uint16_t)number;
        text = end;
    }
    return n;
}

static size_t read_events(const cs_pmu_pmcu *pmcu, char *text, size_t size)
{
    char path[128];
    ssize_t got = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/root" CS_SYSFS_DEVICES "/%s/user_events",
             (int)pmcu->program, pmcu->name);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    got = read(fd, text, size);
    close(fd);
    return got > 0 ? (size_t)got : 0;
}

static size_t user_events(void *ctx, uint16_t events[CS_PERF_PMCU_MOST_EVENTS])
{
    const cs_pmu_pmcu *pmcu = ctx;
    char text[FILE_BYTES];
    const size_t n = pmcu->program != 0 ? read_events(pmcu, text, sizeof text - 1) : 0;

    text[n] = '\0';
    return parse_events(n != 0 ? text : pmcu->events, events);
}

void cs_pmu_pmcu_set_program(cs_pmu_pmcu *pmcu, pid_t program)
{
    pmcu->program = program;
}

/* ---- the PMU ---- */

static void put_events(cs_pmu_pmcu *pmcu, const cs_pmcu_driver_spec *driver)
{
    size_t used = 0;

    for (unsigned i = 0; i < driver->nr_user_events && i < CS_PERF_PMCU_MOST_EVENTS; i++)
        used += (size_t)snprintf(pmcu->events + used, sizeof pmcu->events - used, "%s0x%x",
                                 i != 0 ? " " : "", driver->user_events[i] & UINT16_MAX);
}

static void describe(cs_pmu_pmcu *pmcu, const cs_scenario *s, unsigned nr_cpus)
{
    pmcu->config = (cs_perf_pmcu){.lanes = s->pmcu->lanes,
                                  .order = s->pmcu->order,
                                  .prefetch = s->pmcu->prefetch,
                                  .broadcast = s->pmcu->broadcast,
                                  .user_events = user_events,
                                  .ctx = pmcu};
    snprintf(pmcu->name, sizeof pmcu->name, "hisi_pmcu_sccl%u", s->pmcu->sccl);
    snprintf(pmcu->cpus, sizeof pmcu->cpus, nr_cpus > 1 ? "0-%u" : "%u", nr_cpus - 1);
    put_events(pmcu, s->pmcu_driver);
    pmcu->settings = (cs_perf_file){"user_events", pmcu->events};
    pmcu->monitored = (cs_perf_file){"monitored_cpus", pmcu->cpus};
}

cs_status cs_pmu_pmcu_system(const cs_scenario *scenario, unsigned nr_cpus, uint32_t type,
                             cs_pmu_pmcu **out, cs_perf_system *system, cs_diag *diag)
{
    cs_pmu_pmcu *pmcu;

    *out = NULL;
    if (scenario->pmcu_driver->nr_user_events == 0)
        return CS_OK;
    pmcu = calloc(1, sizeof *pmcu);
    if (pmcu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a PMU");
    describe(pmcu, scenario, nr_cpus);
    *system = (cs_perf_system){.driver = &cs_perf_pmcu_driver,
                               .name = pmcu->name,
                               .type = type,
                               .cpumask = "0",
                               .config = &pmcu->config,
                               .files = &pmcu->monitored,
                               .nr_files = 1,
                               .settings = &pmcu->settings,
                               .nr_settings = 1,
                               .formats = formats,
                               .nr_formats = sizeof formats / sizeof formats[0]};
    *out = pmcu;
    return CS_OK;
}

void cs_pmu_pmcu_destroy(cs_pmu_pmcu *pmcu)
{
    free(pmcu);
}

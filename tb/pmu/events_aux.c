// SPDX-License-Identifier: Apache-2.0
/* An AUX area that HiSilicon's PMCU writes to, mapped as perf's patches do it; what it has written
 * goes to the file samples.aux. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events.h"

#define PMU "/sys/bus/event_source/devices/hisi_pmcu_sccl0/"
#define AUX_BYTES (1u << 20)
#define SAMPLES 20u
#define PERIOD_MS 2u

static uint32_t type_of_pmu(void)
{
    FILE *file = fopen(PMU "type", "r");
    unsigned type;

    MUST(file != NULL);
    SAME(fscanf(file, "%u", &type), 1);
    fclose(file);
    return type;
}

static void choose_events(const char *text)
{
    FILE *file = fopen(PMU "user_events", "w");

    MUST(file != NULL);
    MUST(fputs(text, file) >= 0);
    SAME(fclose(file), 0);
}

static void *map_aux(int fd, struct perf_event_mmap_page *page)
{
    void *aux;

    page->aux_offset = page->data_offset + page->data_size;
    page->aux_size = AUX_BYTES;
    aux = mmap(NULL, AUX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)page->aux_offset);
    MUST(aux != MAP_FAILED);
    return aux;
}

static void save(const void *aux, size_t bytes)
{
    FILE *file = fopen("samples.aux", "w");

    MUST(file != NULL);
    SAME(fwrite(aux, 1, bytes, file), bytes);
    SAME(fclose(file), 0);
}

static void samples_by_hardware(void)
{
    const struct perf_event_attr attr = {.type = type_of_pmu(),
                                         .size = sizeof attr,
                                         .config = SAMPLES | (uint64_t)PERIOD_MS << 32,
                                         .sample_period = 1,
                                         .disabled = 1};
    struct perf_event_mmap_page *page;
    struct pollfd p = {.events = POLLIN};
    void *aux;

    choose_events("0x11 0x8\n");
    p.fd = open_event(&attr, -1, 0, -1, 0);
    MUST(p.fd >= 0);
    SAME(open_event(&attr, -1, 0, -1, 0), -16 /* EBUSY */);
    page = map_ring(p.fd);
    aux = map_aux(p.fd, page);
    SAME(page->aux_head, 0);
    SAME(ioctl(p.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
    spin_ms(2 * SAMPLES * PERIOD_MS);
    SAME(ioctl(p.fd, PERF_EVENT_IOC_DISABLE, 0), 0);
    MUST(page->aux_head > SAMPLES * 4 * 8 * 8);
    SAME(consume(page, PERF_RECORD_AUX), 1);
    save(aux, page->aux_head);
}

const test_case aux_cases[] = {{"aux", samples_by_hardware}, {0}};

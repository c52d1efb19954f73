// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/plugin/settings.h"

#include <inttypes.h>
#include <stdio.h>

#include "guest/hpm/owned.h"

static void read_line(settings *s, const char *line)
{
    uint64_t from, to, bytes;
    unsigned first, second, third;

    if (sscanf(line, "watch %u %" SCNx64, &first, &from) == 2 && first < TASKS_WHATS) {
        s->watched[first] = from;
    } else if (sscanf(line, "ids %" SCNx64, &from) == 1) {
        s->ids = from;
    } else if (sscanf(line, "cycles %u %u", &first, &second) == 2 && first < CS_RISCV_KINDS) {
        s->cost[first] = (uint8_t)second;
    } else if (sscanf(line, "event %u %x %u", &first, &second, &third) == 3 &&
               first < HART_EVENTS) {
        s->events[first] = (hart_event){second, third != 0};
    } else if (sscanf(line, "fault %u %" SCNu64, &first, &from) == 2) {
        s->fault = first;
        s->faulty = from;
    } else if (sscanf(line, "harts %u", &first) == 1 && first <= OWNED_HARTS) {
        s->nr_harts = first;
    } else if (sscanf(line, "counts %u", &first) == 1) {
        s->count = (cs_guest_counts)first;
    } else if (sscanf(line, "counters %x %u", &first, &second) == 2) {
        s->config.counters = first;
        for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
            s->config.width[n] = (uint8_t)second;
    } else if (sscanf(line, "latency %u", &first) == 1) {
        s->config.lcofi_latency = first;
    } else if (sscanf(line, "window %u %" SCNx64 " %" SCNx64 " %" SCNx64, &first, &from, &to,
                      &bytes) == 4 &&
               first < KERNEL_WINDOWS) {
        s->windows[first] = (kernel_window){from, to, bytes};
    }
}

bool settings_read(settings *s, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[256];

    s->config = cs_hpm_default_config();
    s->config.modes = CS_HPM_MODES_M_S_U;
    s->config.smcdeleg = s->config.smcntrpmf = s->config.aia = false;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        read_line(s, line);
    return file != NULL && fclose(file) == 0 && s->nr_harts > 0;
}

uint64_t settings_cycles(const settings *s, const hart_executed *executed)
{
    uint64_t cycles = 0;

    for (unsigned mode = 0; mode < HART_MODES; mode++)
        for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
            cycles += executed->of[mode][kind] * s->cost[kind];
    return cycles;
}

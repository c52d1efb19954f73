// SPDX-License-Identifier: Apache-2.0
#include "guest/imc/plugin/settings.h"

#include <inttypes.h>
#include <stdio.h>

static void read_line(settings *s, const char *line)
{
    uint64_t from, to;
    unsigned first, second;

    if (sscanf(line, "driver %u %" SCNx64 " %" SCNx64, &first, &from, &to) == 3 &&
        s->nr_driver < SETTINGS_RANGES) {
        s->driver[s->nr_driver].role = first;
        s->driver[s->nr_driver].from = from;
        s->driver[s->nr_driver++].to = to;
    } else if (sscanf(line, "core %u %u", &first, &second) == 2 && first < EVENTS_CORE) {
        s->core[first] = (uint8_t)second;
    } else if (sscanf(line, "nest %u %u", &first, &second) == 2 && first < EVENTS_NEST) {
        s->nest[first] = (uint8_t)second;
    } else if (sscanf(line, "cpus %u %u", &first, &second) == 2) {
        s->config.cores = first;
        s->config.guest_threads = second;
    } else if (sscanf(line, "threads %u %u", &first, &second) == 2) {
        s->config.threads = first;
        s->config.tap_log2 = second;
    } else if (sscanf(line, "window %" SCNx64 " %u", &from, &first) == 2) {
        s->config.nest_base = from;
        s->config.nest_tick = first;
    }
}

typedef struct reading {
    settings *settings;
    segments *segments;
} reading;

static void take(void *ctx, const char *line)
{
    const reading *r = ctx;

    if (!segments_take(r->segments, line))
        read_line(r->settings, line);
}

bool settings_read(settings *s, segments *segments, const char *path)
{
    return guest_settings_read(&s->guest, path, take, &(reading){s, segments});
}

unsigned settings_role(const settings *s, uint64_t pc)
{
    for (size_t i = 0; i < s->nr_driver; i++)
        if (pc >= s->driver[i].from && pc < s->driver[i].to)
            return s->driver[i].role;
    return BRIDGE_ROLES;
}

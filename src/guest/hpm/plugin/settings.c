// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/plugin/settings.h"

#include <inttypes.h>
#include <stdio.h>

#include "guest/hpm/pins.h"
#include "guest/log.h"

#define PATH_BYTES 5000

static void read_line(void *ctx, const char *line)
{
    settings *s = ctx;
    uint64_t from, to, bytes;
    unsigned first, second, third, fourth;

    if (sscanf(line, "event %u %x %u %x", &first, &second, &third, &fourth) == 4 &&
        first < HART_EVENTS) {
        s->events[first] = (hart_event){second, third != 0, fourth};
    } else if (sscanf(line, "cache %u %u %u %u", &first, &second, &third, &fourth) == 4 &&
               first < CS_GUEST_CACHES) {
        s->caches[first] = (cs_guest_cache){(uint16_t)second, (uint8_t)third, (uint16_t)fourth};
        s->has_caches |= second != 0;
    } else if (sscanf(line, "harts %u", &first) == 1 && first <= OWNED_HARTS) {
        s->nr_harts = first;
    } else if (sscanf(line, "counters %x %u", &first, &second) == 2) {
        s->config.counters = first;
        for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
            s->config.width[n] = (uint8_t)second;
    } else if (sscanf(line, "bare %" SCNx64 " %" SCNx64 " %" SCNx64, &from, &to, &bytes) == 3) {
        s->bare = (bare){true, from, to, bytes};
    } else if (sscanf(line, "extensions %u %u %u", &first, &second, &third) == 3) {
        s->config.smcntrpmf = first != 0;
        s->config.smcdeleg = second != 0;
        s->config.modes = third;
    } else if (sscanf(line, "pins %" SCNx64 " %" SCNx64, &from, &to) == 2) {
        s->pins_from = from;
        s->pins_cycles = to;
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
    s->config = cs_hpm_default_config();
    s->config.modes = CS_HPM_MODES_M_S_U;
    s->config.smcdeleg = s->config.smcntrpmf = s->config.aia = false;
    return guest_settings_read(&s->guest, path, read_line, s) && s->nr_harts > 0;
}

static bool record(const settings *s, owned *o, const char *folder)
{
    char path[PATH_BYTES];

    if (s->pins_cycles == 0)
        return true;
    snprintf(path, sizeof path, "%s/%spins", folder, CS_GUEST_OUT);
    FILE *out = fopen(path, "wb");
    pins *p = out != NULL ? pins_create(&(pins_config){&s->config, s->events, s->guest.cycles, out,
                                                       s->pins_from, s->pins_cycles})
                          : NULL;
    if (p != NULL)
        owned_record(o, 0, p);
    return p != NULL;
}

owned *settings_create(const settings *s, const char *folder, FILE *log)
{
    const owned_config config = {.hpm = &s->config,
                                 .events = s->events,
                                 .cost = s->guest.cycles,
                                 .nr_harts = s->nr_harts,
                                 .fault = (uint8_t)s->guest.fault,
                                 .faulty = s->guest.faulty,
                                 .log = log};
    owned *o = NULL;
    cs_diag diag = {0};

    if (owned_create(&config, &o, &diag) != CS_OK)
        fprintf(log, "X %s\n", diag.text);
    else if (!record(s, o, folder))
        fprintf(log, "X the pins cannot be recorded\n");
    return o;
}

uint64_t settings_instructions(const hart_executed *executed)
{
    uint64_t instructions = 0;

    for (unsigned mode = 0; mode < HART_MODES; mode++)
        for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
            instructions += executed->of[mode][kind];
    return instructions;
}

uint64_t settings_cycles(const settings *s, const hart_executed *executed)
{
    uint64_t cycles = 0;

    for (unsigned mode = 0; mode < HART_MODES; mode++)
        for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
            cycles += executed->of[mode][kind] * s->guest.cycles[kind];
    return cycles;
}

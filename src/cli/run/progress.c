// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/run/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "cli/help/wrap.h"
#include "scenario/machine/bus_spec.h"

#define WIDEST 200u

static bool shown;

bool cs_line_can(void)
{
    const char *kind = getenv("TERM");

    return isatty(STDERR_FILENO) != 0 && (kind == NULL || strcmp(kind, "dumb") != 0);
}

void cs_line_show(const char *format, ...)
{
    char text[WIDEST + 1];
    va_list args;

    if (!cs_line_can())
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* The last column stays free: some terminals wrap when it is written to. */
    fprintf(stderr, "\r\033[K%.*s", (int)cs_columns(stderr, WIDEST) - 1, text);
    fflush(stderr);
    shown = true;
}

void cs_line_clear(void)
{
    if (shown)
        fprintf(stderr, "\r\033[K");
    shown = false;
}

void cs_progress_begin(cs_progress *p, const cs_scenario *scenario, uint64_t expected_cycles)
{
    *p = (cs_progress){
        .scenario = scenario,
        .expected_cycles = expected_cycles,
        .begun_ns = cs_wall_ns(),
        .terminal = cs_line_can(),
    };
}

/* "2.15 Gcycle/s" */
static void print_speed(char *out, size_t size, double cycles_per_s)
{
    static const char units[] = " kMGT";
    size_t unit = 0;

    for (; cycles_per_s >= 1000 && units[unit + 1] != '\0'; unit++)
        cycles_per_s /= 1000;
    snprintf(out, size, "%.*f %.*scycle/s",
             cycles_per_s < 10    ? 2
             : cycles_per_s < 100 ? 1
                                  : 0,
             cycles_per_s, unit != 0, &units[unit]);
}

void cs_progress_show(void *progress, cs_cycle cycles)
{
    cs_progress *p = progress;
    uint64_t now = p->terminal ? cs_wall_ns() : 0;
    double wall = (double)(now - p->begun_ns) * 1e-9;
    char part[64] = "", speed[48];

    if (!p->terminal || now - p->shown_ns < 200000000u || wall <= 0)
        return;
    p->shown_ns = now;
    if (p->expected_cycles != 0) {
        double done = (double)cycles / (double)p->expected_cycles;

        done = done > 1 ? 1 : done;
        if (done > 0)
            snprintf(part, sizeof part, "%3.0f %%  %.1f s left  ", 100 * done, wall / done - wall);
        else
            snprintf(part, sizeof part, "  0 %%  ");
    }
    print_speed(speed, sizeof speed, (double)cycles / wall);
    cs_line_show("%s%s  simulated %.6f s", part, speed,
                 (double)cycles * 1e-6 / p->scenario->bus->clock_mhz);
}

void cs_progress_end(cs_progress *p)
{
    if (p->terminal)
        cs_line_clear();
}

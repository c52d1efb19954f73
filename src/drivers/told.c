// SPDX-License-Identifier: Apache-2.0
#include "drivers/told.h"

#include <stdarg.h>
#include <stdio.h>

CS_SOFT_PRINTED(warning, char, "warning")
{
    fputs(what, out);
}
const cs_soft_kind cs_soft_sampled = {"sampled", NULL};

CS_SOFT_PRINTED(throttled, cs_throttled, "throttled")
{
    fprintf(out, "event %u %s", what->event, what->stopped ? "stopped" : "goes on");
}

void cs_soft_warn(const cs_soft_sink *sink, cs_cycle cycle, unsigned cpu, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_tell_warning(sink, cycle, cpu, text);
}

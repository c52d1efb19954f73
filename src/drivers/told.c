// SPDX-License-Identifier: Apache-2.0
#include "drivers/told.h"

#include <stdarg.h>
#include <stdio.h>

const cs_soft_kind cs_soft_warning = {"warning"};
const cs_soft_kind cs_soft_sampled = {"sampled"};
const cs_soft_kind cs_soft_throttled = {"throttled"};

void cs_soft_warn(const cs_soft_sink *sink, cs_cycle cycle, unsigned cpu, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_soft_emit(sink, &cs_soft_warning, cycle, cpu, text);
}

// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>

#include "results/run.h"

void cs_part_warn(const cs_part_run *run, const char *format, ...)
{
    cs_run_result *result = run->result;
    va_list args;

    if (result->nr_warnings == CS_RUN_MAX_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(result->warnings[result->nr_warnings++], sizeof result->warnings[0], format, args);
    va_end(args);
}

void cs_part_fail(const cs_part_run *run, cs_status status)
{
    if (run->environment->status == CS_OK)
        run->environment->status = status;
}

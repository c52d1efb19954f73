// SPDX-License-Identifier: Apache-2.0
/* What every kind of software tells, for those who want to know no more of it than that. */
#ifndef CS_DRIVERS_TOLD_H
#define CS_DRIVERS_TOLD_H

#include <stdbool.h>

#include "base/probe/soft.h"

#ifdef __cplusplus
extern "C" {
#endif

CS_SOFT_KIND(warning, char)       /* a line for people */
CS_SOFT_KIND(sampled, cs_nothing) /* perf has got a sample */

/* perf's core stops a sampling event of the CPU, as it has had too many samples in a tick; or it lets it
 * go on. */
typedef struct cs_throttled {
    unsigned event; /* its number in the command */
    bool stopped;
} cs_throttled;

/* cs_throttled. Drivers whose rings hold the records of that tell it by those. */
CS_SOFT_KIND(throttled, cs_throttled)

/* The text is cut at 255 bytes. */
void cs_soft_warn(const cs_soft_sink *sink, cs_cycle cycle, unsigned cpu, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
/* To be preloaded: a clock that stands still, at the seconds that the file CS_CLOCK has. So a program may
 * take as long as a test says, and on every machine. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *name = getenv("CS_CLOCK");
    FILE *file = name != NULL ? fopen(name, "r") : NULL;
    long seconds = 0;

    (void)clock;
    if (file == NULL || fscanf(file, "%ld", &seconds) != 1)
        abort();
    fclose(file);
    now->tv_sec = seconds;
    now->tv_nsec = 0;
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/settings.h"

#include <inttypes.h>
#include <stdio.h>

#define LINE_BYTES 256

/* False: the line is of one kind of guest. */
static bool take(guest_settings *s, const char *line)
{
    uint64_t number;
    unsigned first, second;

    if (sscanf(line, "watch %u %" SCNx64, &first, &number) == 2 && first < TASKS_WHATS &&
        s->nr_watched < GUEST_WATCHES) {
        s->watched[s->nr_watched].what = (tasks_what)first;
        s->watched[s->nr_watched++].entry = number;
    } else if (sscanf(line, "ids %" SCNx64, &number) == 1) {
        s->ids = number;
    } else if (sscanf(line, "cycles %u %u", &first, &second) == 2 && first < GUEST_KINDS) {
        s->cycles[first] = (uint8_t)second;
    } else if (sscanf(line, "fault %u %" SCNu64, &first, &number) == 2) {
        s->fault = first;
        s->faulty = number;
    } else if (sscanf(line, "counts %u", &first) == 1) {
        s->count = (cs_guest_counts)first;
    } else {
        return false;
    }
    return true;
}

bool guest_settings_read(guest_settings *s, const char *path,
                         void (*own)(void *ctx, const char *line), void *ctx)
{
    FILE *file = fopen(path, "r");
    char line[LINE_BYTES];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (!take(s, line))
            own(ctx, line);
    return file != NULL && fclose(file) == 0;
}

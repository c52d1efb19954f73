// SPDX-License-Identifier: Apache-2.0
/* Numbers that people write. */
#ifndef CS_BASE_NUMBER_H
#define CS_BASE_NUMBER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A whole decimal or 0x number; false when text is none or above max. */
static inline bool cs_number_of(const char *text, uint64_t max, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0' && *value <= max;
}

#endif

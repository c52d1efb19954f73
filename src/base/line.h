// SPDX-License-Identifier: Apache-2.0
/* Lines of a file that somebody else may have made: what is no text has no end of a line, or a byte 0 that
 * would hide the rest of one. */
#ifndef CS_BASE_LINE_H
#define CS_BASE_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* The next line of `in` without its end, in `line` of `bytes` bytes; false: there is none, or it cannot be
 * read (ferror). *good: it is a text that fits. */
static inline bool cs_next_line(FILE *in, char *line, size_t bytes, bool *good)
{
    size_t used = 0;
    int c;

    *good = true;
    while ((c = getc(in)) != EOF && c != '\n' && *good) {
        *good = c != '\0' && used + 1 < bytes;
        if (*good)
            line[used++] = (char)c;
    }
    line[used] = '\0';
    return c != EOF || used != 0 || !*good;
}

#endif

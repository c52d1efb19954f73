// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/help/wrap.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_TEXT 24u /* a narrower terminal breaks the lines itself */

unsigned cs_columns(FILE *out, unsigned most)
{
    struct winsize size = {0};

    if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return most;
    return size.ws_col < most ? size.ws_col : most;
}

static unsigned pad(FILE *out, unsigned at, unsigned to)
{
    if (at > to) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", (int)(to - at), "");
    return to;
}

/* Letters, not bytes: what goes on in UTF-8 takes no column. */
static unsigned letters(const char *text, size_t bytes)
{
    unsigned count = 0;

    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

void cs_wrap(FILE *out, const char *text, unsigned at, unsigned indent, unsigned width)
{
    bool first = true; /* word of its line */

    if (width < indent + LEAST_TEXT)
        width = indent + LEAST_TEXT;
    at = pad(out, at, indent);
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " \n");
        const unsigned word = letters(text, bytes);

        if (!first && at + 1 + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int)bytes, text);
        at += word + !first;
        first = false;
        text += bytes;
        if (*text == '\n') {
            fprintf(out, "\n%*s", text[1] != '\n' ? (int)indent : 0, "");
            at = indent;
            first = true;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

// SPDX-License-Identifier: Apache-2.0
/* Texts out of files, for a terminal: they give it no orders. */
#ifndef CS_BASE_SHOWN_H
#define CS_BASE_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the control character at the text's beginning, which a terminal would obey; 0: it is none. Ends of
 * lines and tabs are none. */
static inline size_t cs_shown_control(const char *text)
{
    const unsigned char c = (unsigned char)text[0], next = c != 0 ? (unsigned char)text[1] : 0;

    /* Those of C1 are two bytes in UTF-8. */
    if (c == 0xc2 && next >= 0x80 && next < 0xa0)
        return 2;
    return (c != '\0' && c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? 1 : 0;
}

/* Copies a text, NUL terminated and cut where it is too long, and returns buffer. A control character is
 * "\x1b" there. */
static inline char *cs_shown(const char *text, char *buffer, size_t size)
{
    size_t used = 0;

    while (*text != '\0') {
        const size_t control = cs_shown_control(text);
        const size_t bytes = control != 0 ? 4 * control : 1;

        if (used + bytes >= size)
            break;
        for (size_t i = 0; i < control; i++)
            snprintf(buffer + used + 4 * i, size - used - 4 * i, "\\x%02x",
                     (unsigned)(unsigned char)text[i]);
        if (control == 0)
            buffer[used] = *text;
        used += bytes;
        text += control != 0 ? control : 1;
    }
    if (size != 0)
        buffer[used] = '\0';
    return buffer;
}

#endif

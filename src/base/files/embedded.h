// SPDX-License-Identifier: Apache-2.0
/* A file that is part of the program (cmake/CsEmbed.cmake). */
#ifndef CS_BASE_FILES_EMBEDDED_H
#define CS_BASE_FILES_EMBEDDED_H

typedef struct cs_embedded {
    const char *name; /* without folder and ending; NULL: behind the last one */
    const char *text;
} cs_embedded;

#endif

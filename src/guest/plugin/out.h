// SPDX-License-Identifier: Apache-2.0
/* Files that the guest puts out. */
#ifndef CS_GUEST_PLUGIN_OUT_H
#define CS_GUEST_PLUGIN_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file of that name begins in the folder, after *out, which may be NULL; the log is told. */
void out_begin(FILE **out, const char *folder, const char *name, FILE *log);
bool out_put(FILE *out, const void *bytes, size_t count);

#endif

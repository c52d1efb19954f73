// SPDX-License-Identifier: Apache-2.0
/* The scenarios that come with the command: beside a build tree, or where it was installed. */
#ifndef CS_CLI_SHARED_H
#define CS_CLI_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#define CS_SHARED_MOST 400u

/* Where `name` (configs, sweeps) lies. False: nowhere. */
bool cs_shared_folder(const char *name, char *out, size_t size);

/* The YAML files below a folder, by name, from it on; the caller frees each. */
size_t cs_shared_scenarios(const char *root, char *names[CS_SHARED_MOST]);

/* The line in which a scenario says what it shows: its first comment that is for people. */
const char *cs_shared_title(const char *text, size_t *bytes);

/* A file below a folder, as a string; NULL: it cannot be read. The caller frees it. */
char *cs_shared_read(const char *root, const char *name);

#endif

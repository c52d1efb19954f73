// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/files/names.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/perf/read/parts.h"

/* As a shell takes it for one word. */
static void print_word(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%";

    if (strspn(text, plain) == strlen(text)) {
        printf("%s", text);
        return;
    }
    putchar('\'');
    for (; *text != '\0'; text++)
        printf(*text == '\'' ? "'\\''" : "%c", *text);
    putchar('\'');
}

/* perf refuses attrs that are larger than its own. */
#define OLD_ATTR_BYTES 128u

typedef struct file {
    bool samples; /* not what perf stat records */
    bool is_new;  /* attrs as of perf 6.3 */
} file;

static file look_at(const char *path)
{
    cs_input in;
    cs_perfread_parts *parts = NULL;
    cs_perfread *reader = NULL;
    file found = {false, false};

    if (cs_input_open(&in, path, 0, UINT64_MAX, NULL) != CS_OK)
        return found;
    if (cs_perfread_looks_so(in.look, in.looked) &&
        cs_perfread_open_input(&in, &parts, &reader, NULL) == CS_OK) {
        const cs_perfread_facts *facts = cs_perfread_get_facts(reader);

        found.samples = !facts->stat;
        found.is_new = facts->nr_events > 0 && facts->events[0].attr_bytes > OLD_ATTR_BYTES;
    }
    cs_perfread_close(reader);
    cs_perfread_close_parts(parts);
    cs_input_close(&in);
    return found;
}

void cs_names_print(const char *symfs, const char *trace)
{
    char kernel[PATH_MAX];

    if (snprintf(kernel, sizeof kernel, "%s/kallsyms", symfs) >= (int)sizeof kernel ||
        access(symfs, F_OK) != 0)
        return;
    printf("names: perf report --symfs ");
    print_word(symfs);
    if (access(kernel, F_OK) == 0) {
        printf(" --kallsyms ");
        print_word(kernel);
    }
    printf(" -i ");
    print_word(trace);
    puts(look_at(trace).is_new ? "  # perf 6.3 or newer" : "");
}

void cs_names_print_all(const char *folder)
{
    char symfs[PATH_MAX], path[PATH_MAX];
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    const bool fits = snprintf(symfs, sizeof symfs, "%s/symfs", folder) < (int)sizeof symfs;

    for (int i = 0; i < count; i++) {
        if (fits &&
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < (int)sizeof path &&
            entries[i]->d_name[0] != '.' && look_at(path).samples)
            cs_names_print(symfs, path);
        free(entries[i]);
    }
    free(entries);
}

// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "cli/files/shared.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/yaml/shared.h"

#define PATH 2048u
#define MOST_BYTES (1u << 20)

bool cs_shared_folder(const char *name, char *out, size_t size)
{
    char root[PATH];

    if (!cs_shared_root(root, sizeof root))
        return false;
    return snprintf(out, size, "%s/%s", root, name) < (int)size;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk(const char *root, const char *below, char *names[], size_t *count)
{
    char path[PATH], name[512];
    struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "%s/%s", root, below);
    folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL && *count < CS_SHARED_MOST) {
        const size_t bytes = strlen(entry->d_name);

        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s%s%s", below, *below != '\0' ? "/" : "", entry->d_name);
        if (bytes > 5 && strcmp(entry->d_name + bytes - 5, ".yaml") == 0)
            names[(*count)++] = strdup(name);
        else if (*below == '\0' && strchr(entry->d_name, '.') == NULL)
            walk(root, name, names, count);
    }
    if (folder != NULL)
        closedir(folder);
}

size_t cs_shared_scenarios(const char *root, char *names[CS_SHARED_MOST])
{
    size_t count = 0;

    walk(root, "", names, &count);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

const char *cs_shared_title(const char *text, size_t *bytes)
{
    text = cs_scenario_body(text);
    text += strncmp(text, "# ", 2) == 0 ? 2 : 0;
    *bytes = strcspn(text, "\n");
    return text;
}

char *cs_shared_read(const char *root, const char *name)
{
    char path[PATH];
    char *text = malloc(MOST_BYTES + 1);
    FILE *in;

    snprintf(path, sizeof path, "%s/%s", root, name);
    in = text != NULL ? fopen(path, "r") : NULL;
    if (in == NULL) {
        free(text);
        return NULL;
    }
    text[fread(text, 1, MOST_BYTES, in)] = '\0';
    fclose(in);
    return text;
}

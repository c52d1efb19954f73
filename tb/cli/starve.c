// SPDX-License-Identifier: Apache-2.0
/* To be preloaded: of the program's allocations the one that CS_STARVE_AT numbers (from 1) fails. How many
 * there were is written to the file CS_STARVE_COUNT. libfyaml (0.7) does not look whether its own lists
 * got memory, and crashes: those do not fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t number, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static unsigned long allocations, fails;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("CS_STARVE_AT");

    allocations = 0;
    fails = at != NULL ? strtoul(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("CS_STARVE_COUNT");
    const unsigned long number = allocations;
    FILE *file = name != NULL ? fopen(name, "w") : NULL;

    if (file == NULL)
        return;
    fprintf(file, "%lu\n", number);
    fclose(file);
}

static int is_refused(void *caller)
{
    Dl_info asks;

    if (++allocations != fails ||
        (dladdr(caller, &asks) != 0 && strstr(asks.dli_fname, "libfyaml") != NULL))
        return 0;
    errno = ENOMEM;
    return 1;
}

#define IS_REFUSED() is_refused(__builtin_return_address(0))

void *malloc(size_t bytes)
{
    return IS_REFUSED() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
    return IS_REFUSED() ? NULL : __libc_calloc(number, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return IS_REFUSED() ? NULL : __libc_realloc(old, bytes);
}

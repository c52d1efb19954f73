// SPDX-License-Identifier: Apache-2.0
/* libFuzzer's entry. FUZZ_TARGET names what is fuzzed, or `list`; FUZZ_MADE and FUZZ_CONFIGS are folders. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target.h"

const char *cs_fuzz_made;
const char *cs_fuzz_configs;

static cs_fuzz_target chosen;

static cs_status drop(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    (void)text;
    (void)bytes;
    return CS_OK;
}

const cs_text_sink cs_fuzz_sink = {drop, NULL};

void cs_fuzz_told(const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}

void cs_fuzz_ended(cs_status status, const cs_diag *diag)
{
    (void)status;
    (void)diag;
}

const char *cs_fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;

    if (file < 0)
        file = memfd_create("input", 0);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");

    (void)argc;
    (void)argv;
    cs_fuzz_made = getenv("FUZZ_MADE");
    cs_fuzz_configs = getenv("FUZZ_CONFIGS");
    if (name != NULL && strcmp(name, "list") == 0) {
        cs_fuzz_list();
        exit(0);
    }
    if (name != NULL)
        chosen = cs_fuzz_choose(name);
    if (chosen.run == NULL || cs_fuzz_made == NULL || cs_fuzz_configs == NULL) {
        fprintf(stderr, "FUZZ_TARGET, FUZZ_MADE and FUZZ_CONFIGS are wanted (tools/fuzz.sh)\n");
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chosen.run(chosen.ctx, data, size);
    return 0;
}

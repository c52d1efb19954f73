/* libFuzzer's entry. FUZZ_TARGET names what is fuzzed, or `list`; FUZZ_MADE and FUZZ_CONFIGS are folders. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/formats.h"
#include "target.h"

static const cs_fuzz_target targets[] = {
    {"ctf", cs_fuzz_ctf, NULL},           {"damage", cs_fuzz_damage, NULL},
    {"catalog", cs_fuzz_catalog, NULL},   {"catalog-source", cs_fuzz_catalog_source, NULL},
    {"pmu-map", cs_fuzz_pmu_map, NULL},   {"address", cs_fuzz_address, NULL},
    {"scenario", cs_fuzz_scenario, NULL}, {"set", cs_fuzz_set, NULL},
    {"check", cs_fuzz_check, NULL},
};
#define NR_TARGETS (sizeof targets / sizeof targets[0])

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

/* Each format that is a file is a target of its name. */
static void choose(const char *name)
{
    const cs_format *format = cs_format_named(name);

    for (size_t i = 0; i < NR_TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0)
            chosen = targets[i];
    if (chosen.run == NULL && format != NULL && !format->folder)
        chosen = (cs_fuzz_target){format->name, cs_fuzz_format, format};
}

static void list(void)
{
    const cs_format *format;

    for (size_t i = 0; i < NR_TARGETS; i++)
        puts(targets[i].name);
    for (size_t i = 0; (format = cs_format_at(i)) != NULL; i++)
        if (!format->folder)
            puts(format->name);
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
        list();
        exit(0);
    }
    if (name != NULL)
        choose(name);
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

// SPDX-License-Identifier: Apache-2.0
/* Scenarios, what `--set` says, and `check`. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "scenario/load.h"
#include "scenario/tell.h"
#include "target.h"

#define MOST_SETS 16u

static void parse(const char *text, size_t bytes, const char *const sets[], size_t nr_sets)
{
    static FILE *nowhere;
    cs_scenario *scenario = NULL;
    char folder[4096];
    cs_diag diag = {0};

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    snprintf(folder, sizeof folder, "%s/imc", cs_fuzz_configs);
    if (cs_scenario_parse(text, bytes, "input.yaml", folder, sets, nr_sets, &scenario, &diag) ==
        CS_OK)
        cs_scenario_tell(scenario, nowhere);
    cs_scenario_destroy(scenario);
}

void cs_fuzz_scenario(const void *ctx, const uint8_t *data, size_t size)
{
    (void)ctx;
    parse((const char *)data, size, NULL, 0);
}

/* A line is an assignment. */
void cs_fuzz_set(const void *ctx, const uint8_t *data, size_t size)
{
    static const char scenario[] = "name: x\nriscv:\n  perf:\n    - events: [instructions]\n"
                                   "workloads:\n  - segments: [{events: [{event: INST.RET, "
                                   "rate: 0.5}]}]\n";
    const char *sets[MOST_SETS];
    size_t nr = 0;
    char *text = malloc(size + 1), *rest = NULL;

    (void)ctx;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && nr < MOST_SETS;
         line = strtok_r(NULL, "\n", &rest))
        sets[nr++] = line;
    parse(scenario, strlen(scenario), sets, nr);
    free(text);
}

/* The last byte is the number of the truth: MADE/check/<number>.truth. */
void cs_fuzz_check(const void *ctx, const uint8_t *data, size_t size)
{
    char truth[4096];
    cs_check_given cpu = {.text = "0"};
    cs_check_request request = {.truth = truth, .given = &cpu};
    const cs_format_option *option;
    cs_diag diag = {0};

    (void)ctx;
    if (size == 0)
        return;
    for (size_t i = 0; (option = cs_check_option_at(i)) != NULL; i++)
        if (strcmp(option->name, "cpu") == 0) /* whose records a file is of that does not say it */
            cpu.option = option;
    request.nr_given = cpu.option != NULL;
    snprintf(truth, sizeof truth, "%s/check/%u.truth", cs_fuzz_made, data[size - 1]);
    request.path = cs_fuzz_file(data, size - 1);
    cs_check_trace(&request, &cs_fuzz_sink, &diag);
}

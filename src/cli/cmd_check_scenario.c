// SPDX-License-Identifier: Apache-2.0
/* Whether scenarios are good, without running them. */
#include <string.h>

#include "cli/cli.h"
#include "scenario/load.h"
#include "scenario/tell.h"
#include "scenario/work/doubts.h"

enum { QUIET = CS_OPTION_LONG, STRICT };

typedef struct request {
    cs_sets sets;
    bool quiet, strict;
} request;

static void remark(void *ctx, const char *text)
{
    const cs_scenario *scenario = ctx;

    fprintf(stderr, "remark: %s%s%s: %s\n", scenario->source,
            scenario->way[0] != '\0' ? ", way " : "", scenario->way, text);
}

static int warn(const request *r, cs_scenario *scenario)
{
    cs_diag diag = {0};

    cs_scenario_tell_warnings(scenario, stderr);
    if (!r->quiet && cs_scenario_doubts(scenario, remark, scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    return scenario->nr_warnings != 0 && r->strict ? EXIT_DIFFERENCE : EXIT_GOOD;
}

/* All of a scenario's ways are tried. */
static int check_ways(const request *r, const char *path, const cs_scenario *first)
{
    const char *with_way[CS_SETS_MOST + 1];
    int status = EXIT_GOOD;

    memcpy(with_way, r->sets.texts, sizeof r->sets.texts);
    for (size_t i = 0; i < first->nr_ways && status == EXIT_GOOD; i++) {
        char way[CS_NAME_BYTES + 8];
        cs_scenario *scenario;
        cs_diag diag = {0};

        snprintf(way, sizeof way, "way=%s", first->ways[i].name);
        with_way[r->sets.count] = way;
        if (cs_scenario_load(path, with_way, r->sets.count + 1, &scenario, &diag) != CS_OK)
            status = cs_cli_fail(&diag);
        else
            status = warn(r, scenario);
        cs_scenario_destroy(scenario); /* NULL where it was not loaded */
    }
    return status;
}

static int check(const request *r, const char *path)
{
    cs_scenario *scenario;
    cs_diag diag = {0};
    int status = EXIT_GOOD;

    if (cs_scenario_load(path, r->sets.texts, r->sets.count, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    if (scenario->nr_ways != 0 && scenario->way[0] == '\0' && strcmp(path, "-") != 0)
        status = check_ways(r, path, scenario);
    else
        status = warn(r, scenario);
    if (!r->quiet && status == EXIT_GOOD) {
        printf("%s: good\n", strcmp(path, "-") == 0 ? "standard input" : path);
        cs_scenario_tell(scenario, stdout);
    }
    cs_scenario_destroy(scenario);
    return status;
}

static int run(cs_args *args)
{
    request r = {.quiet = false};
    int id, status = EXIT_GOOD;

    while (status == EXIT_GOOD && (id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case CS_ID_SET:
            status = cs_sets_take(&r.sets, args);
            break;
        case QUIET:
            r.quiet = true;
            break;
        case STRICT:
            r.strict = true;
            break;
        default:
            return args->status;
        }
    for (int i = 0; i < args->nr_operands; i++) {
        const int one = check(&r, args->operands[i]);

        status = one > status ? one : status;
    }
    return status;
}

static const cs_option options[] = {
    CS_OPTION_SET,
    {.id = QUIET, .name = "quiet", .text = "says nothing of good ones, and remarks nothing"},
    {.id = STRICT, .name = "strict", .text = "a warning is exit status 1"},
    {0},
};

static const cs_example examples[] = {
    {"check-scenario mine.yaml", "where it is wrong, or what it will simulate"},
    {"check-scenario --quiet mine.yaml", "prints nothing if it is good"},
    {0},
};

const cs_command cs_command_check_scenario = {
    .name = "check-scenario",
    .summary = "validate scenarios without running them",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, CS_OPERANDS_ANY},
    .text =
        "All that is checked before a run, of all ways of a scenario; `-` is standard input. "
        "Beside "
        "warnings it remarks what nobody would believe: more branches than instructions, samples "
        "without functions.",
    .examples = examples,
    .ends = "0 all are good, 1 with --strict: a warning, 2 one is bad, 3 I/O",
    .run = run,
};

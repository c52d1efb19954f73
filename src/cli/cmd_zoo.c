// SPDX-License-Identifier: Apache-2.0
/* Published bugs, one at a time in our own RTL or software, and what finds them (docs/uses/zoo.md). */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/zoo/tell.h"
#include "lockstep/die/find.h"
#include "scenario/yaml/suggest.h"
#include "zoo/design.h"

#define PROGRAMS 200u /* as compare-unit */

typedef struct request {
    const cs_zoo *zoo;
    const char *cache, *waves;
    bool all, json;
    char **names;
    int nr_names;
    unsigned told; /* objects of the JSON */
} request;

static void tell(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "countersink: %s\n", text);
}

/* ---- one bug ---- */

static cs_status look_in_rtl(const cs_zoo_kind *kind, const cs_zoo_design *design, unsigned number,
                             const char *waves, cs_foreign_report *report, cs_diag *diag)
{
    const cs_foreign_options options = {.seed = 1, .programs = PROGRAMS};

    return cs_zoo_compare(kind, design, number, &options, waves, report, diag);
}

static void print(request *asked, const cs_zoo_kind *kind, const cs_zoo_bug *bug,
                  const cs_zoo_outcome *outcome)
{
    const bool one = asked->nr_names == 1;

    if (asked->json) {
        printf("%s\n ", asked->told++ != 0 ? "," : "");
        cs_zoo_json(kind, bug, outcome, one, stdout);
    } else if (one) {
        cs_zoo_tell_outcome(bug, outcome, stdout);
    } else {
        cs_zoo_tell_row(bug, outcome, stdout);
    }
    fflush(stdout);
}

/* The status of the command. */
static int look(request *asked, const cs_zoo_kind *kind, const cs_zoo_design *design,
                const cs_zoo_bug *bug)
{
    static cs_foreign_report report;
    cs_zoo_outcome outcome = {.report = design != NULL ? &report : NULL};
    cs_diag diag = {0};
    cs_status status;

    if (asked->nr_names == 1 && !asked->json)
        cs_zoo_tell(kind, bug, stdout);
    fflush(stdout);
    if (design == NULL) {
        status = cs_zoo_run(bug, asked->cache, &outcome.runs, &diag);
        outcome.found = outcome.runs.without != outcome.runs.with;
    } else {
        status = look_in_rtl(kind, design, bug->number, asked->waves, &report, &diag);
        outcome.found = report.pin != NULL;
    }
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    print(asked, kind, bug, &outcome);
    if (asked->waves != NULL && design != NULL)
        fprintf(stderr, "countersink: waves: gtkwave %s.gtkw\n", asked->waves);
    if (design != NULL)
        cs_foreign_report_clear(&report);
    return outcome.found ? EXIT_GOOD : EXIT_DIFFERENCE;
}

/* Without a bug there is no difference. */
static int look_without(const cs_zoo_kind *kind, const cs_zoo_design *design)
{
    static cs_foreign_report report;
    cs_diag diag = {0};

    if (look_in_rtl(kind, design, 0, NULL, &report, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    const bool differs = report.pin != NULL;

    cs_foreign_report_clear(&report);
    if (differs)
        fprintf(stderr, "countersink: %s: there is a difference without a bug\n", kind->name);
    return differs ? EXIT_DIFFERENCE : EXIT_GOOD;
}

/* ---- those that were asked for ---- */

static bool wanted(const request *asked, const cs_zoo_bug *bug)
{
    for (int i = 0; i < asked->nr_names; i++)
        if (strcmp(asked->names[i], bug->name) == 0)
            return true;
    return asked->all;
}

static bool any_wanted(const request *asked, const cs_zoo_kind *kind)
{
    for (size_t i = 0; i < kind->nr_bugs; i++)
        if (wanted(asked, &kind->bugs[i]))
            return true;
    return false;
}

static int look_in_kind(request *asked, const cs_zoo_kind *kind)
{
    static cs_zoo_design design;
    const bool rtl = kind->nr_rtl != 0;
    char root[CS_DIE_PATH];
    cs_diag diag = {0};
    int status = EXIT_GOOD;

    if (rtl && (cs_die_root(root, &diag) != CS_OK ||
                cs_zoo_design_make(kind, root, asked->cache, &design, &diag) != CS_OK))
        return cs_cli_fail(&diag);
    design.rtl.making = tell;
    if (rtl && asked->all)
        status = look_without(kind, &design);
    for (size_t i = 0; i < kind->nr_bugs && status <= EXIT_DIFFERENCE; i++) {
        const int one = wanted(asked, &kind->bugs[i])
                            ? look(asked, kind, rtl ? &design : NULL, &kind->bugs[i])
                            : EXIT_GOOD;

        status = one > status ? one : status;
    }
    if (rtl)
        cs_zoo_design_free(&design);
    return status;
}

static int look_all(request *asked)
{
    int status = EXIT_GOOD;

    if (asked->json)
        printf("[");
    for (size_t k = 0; k < asked->zoo->nr_kinds && status <= EXIT_DIFFERENCE; k++) {
        const cs_zoo_kind *kind = asked->zoo->kinds[k];
        const int one = any_wanted(asked, kind) ? look_in_kind(asked, kind) : EXIT_GOOD;

        status = one > status ? one : status;
    }
    if (asked->json)
        printf("\n]\n");
    return status;
}

static void list(const cs_zoo *zoo, bool json)
{
    unsigned nr = 0;

    if (!json) {
        cs_zoo_list(zoo, stdout);
        return;
    }
    printf("[");
    for (size_t k = 0; k < zoo->nr_kinds; k++)
        for (size_t i = 0; i < zoo->kinds[k]->nr_bugs; i++) {
            printf("%s\n ", nr++ != 0 ? "," : "");
            cs_zoo_json(zoo->kinds[k], &zoo->kinds[k]->bugs[i], NULL, false, stdout);
        }
    printf("\n]\n");
}

/* ---- arguments ---- */

static int no_bug(const cs_command *command, const cs_zoo *zoo, const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);
    const char *nearest;

    for (size_t k = 0; k < zoo->nr_kinds; k++)
        for (size_t i = 0; i < zoo->kinds[k]->nr_bugs; i++)
            cs_suggest_offer(&suggest, zoo->kinds[k]->bugs[i].name);
    nearest = cs_suggest_end(&suggest);
    if (nearest != NULL)
        return cs_cli_usage(command, "there is no bug '%s'; did you mean '%s'?", name, nearest);
    return cs_cli_usage(command, "there is no bug '%s' (countersink zoo lists them)", name);
}

static int check(const cs_command *command, const request *asked)
{
    const cs_zoo_kind *kind;

    for (int i = 0; i < asked->nr_names; i++)
        if (cs_zoo_find(asked->zoo, asked->names[i], &kind) == NULL)
            return no_bug(command, asked->zoo, asked->names[i]);
    if (asked->all && asked->nr_names != 0)
        return cs_cli_usage(command, "--all and a NAME exclude each other");
    if (asked->waves == NULL)
        return EXIT_GOOD;
    if (asked->nr_names != 1)
        return cs_cli_usage(command, "--waves is for one NAME, found %d", asked->nr_names);
    cs_zoo_find(asked->zoo, asked->names[0], &kind);
    if (kind->nr_rtl == 0)
        return cs_cli_usage(command, "--waves: '%s' is a bug of software: there is no RTL in it",
                            asked->names[0]);
    return EXIT_GOOD;
}

enum { ALL = CS_OPTION_LONG, WAVES, DIE_CACHE };

static int run(cs_args *args)
{
    cs_zoo zoo;
    request asked = {.zoo = &zoo};
    cs_diag diag = {0};
    int id, status;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case ALL:
            asked.all = true;
            break;
        case WAVES:
            asked.waves = args->value;
            break;
        case DIE_CACHE:
            asked.cache = args->value;
            break;
        case 'f':
            if ((status = cs_json_take(&asked.json, args)) != EXIT_GOOD)
                return status;
            break;
        default:
            return args->status;
        }
    asked.names = args->operands;
    asked.nr_names = args->nr_operands;
    if (cs_zoo_open(&zoo, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    status = check(args->command, &asked);
    if (status == EXIT_GOOD && (asked.all || asked.nr_names != 0))
        status = look_all(&asked);
    else if (status == EXIT_GOOD)
        list(&zoo, asked.json);
    cs_zoo_close(&zoo);
    return status;
}

static const cs_option options[] = {
    {.id = ALL, .name = "all", .text = "look for every bug, and print a line for each"},
    {.id = WAVES,
     .name = "waves",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "also write waves of the RTL around the difference: FILE (FST) and FILE.gtkw"},
    CS_OPTION_TEXT_OR_JSON,
    {.id = DIE_CACHE,
     .name = "die-cache",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "folder for verilated designs (default: COUNTERSINK_CACHE, or ~/.cache/countersink)"},
    {0},
};

static const cs_example examples[] = {
    {"zoo", "a list of all bugs, with what is wrong"},
    {"zoo minh-through-a-window --waves w.fst", "puts one in, and prints the difference"},
    {"zoo --all", "looks for each, also in RTL without a bug"},
    {0},
};

const cs_command cs_command_zoo = {
    .name = "zoo",
    .summary = "put a published counter bug into our RTL or software, and see what finds it",
    .options = options,
    .operand = {"NAME", "bug", CS_VALUE_BUG, 0, CS_OPERANDS_ANY},
    .text = "A bug of RTL is put into a copy of ours, which Verilator builds, and compare-unit "
            "looks for it with its default settings. A bug of firmware or of a driver is switched "
            "on in a scenario, and a figure of the run differs from that of a run without it. "
            "Without NAME and --all it lists the bugs (docs/uses/zoo.md).",
    .examples = examples,
    .ends = "0 found, 1 a bug was not found, 2 bad use, 3 I/O",
    .run = run,
};

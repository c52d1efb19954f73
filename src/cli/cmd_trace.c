#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/system.h"
#include "cli/cli.h"
#include "formats/damage/damage.h"
#include "results/run.h"
#include "scenario/load.h"
#include "scenario/tell.h"
#include "traces/format.h"

#define MAX_SETS 64

typedef struct arguments {
    const char *scenario;
    const char *sets[MAX_SETS];
    size_t nr_sets;
    cs_trace_request request;
    bool damaging;
    cs_damage_kind damage;
    uint64_t seed;
} arguments;

/* What is being made of it. */
typedef struct work {
    const arguments *asked;
    cs_trace *trace;
    char damaged[256]; /* the file of a trace that is a folder; "": the trace */
    cs_damage_report report;
} work;

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Of a trace that is a folder one file is damaged: which, the seed says. "" for any other. */
static void choose_file(const char *path, uint64_t seed, char *name, size_t size)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_visible, alphasort);

    *name = '\0';
    if (count > 0)
        snprintf(name, size, "%s", entries[seed % (uint64_t)count]->d_name);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

static cs_status put_damage(const char *folder, const char *file, const cs_damage_report *report,
                            cs_diag *diag)
{
    char json[1024], name[4200];

    cs_damage_json(report, json, sizeof json);
    snprintf(name, sizeof name, "%s/damage.json", folder);
    FILE *out = fopen(name, "w");
    const bool put =
        out != NULL &&
        (*file != '\0' ? fprintf(out, "{\"file\": \"%s\", \"damage\": %s}\n", file, json)
                       : fprintf(out, "%s\n", json)) > 0;
    if ((out != NULL && fclose(out) != 0) || !put)
        return cs_diag_set(diag, CS_ERR_IO, name, "cannot write: %s", strerror(errno));
    return CS_OK;
}

/* Damages the trace that was written, and leaves beside the truth what was done. */
static cs_status damage_trace(work *w, const char *folder, cs_diag *diag)
{
    const arguments *a = w->asked;
    const char *trace = cs_output_path(cs_trace_output(w->trace), CS_OUTPUT_FIRST);
    char path[4400];

    choose_file(trace, a->seed, w->damaged, sizeof w->damaged);
    snprintf(path, sizeof path, "%s%s%s", trace, *w->damaged != '\0' ? "/" : "", w->damaged);
    const char *as =
        *w->damaged != '\0' ? NULL : a->request.format; /* a folder's file is told from its bytes */
    const cs_status status = cs_damage_file(path, path, as, a->damage, a->seed, &w->report, diag);
    return status == CS_OK ? put_damage(folder, w->damaged, &w->report, diag) : status;
}

/* All is written: nothing has its name before it is as it was asked for. */
static cs_status commit(void *ctx, const char *folder, cs_diag *diag)
{
    work *w = ctx;
    const cs_status status = w->asked->damaging ? damage_trace(w, folder, diag) : CS_OK;

    return status == CS_OK ? cs_trace_commit(w->trace, folder, diag) : status;
}

static cs_status simulate(const cs_scenario *scenario, work *w, cs_diag *diag)
{
    cs_run_result result;
    cs_progress progress;
    const cs_run_options options = {
        .within = cs_trace_output(w->trace),
        .make_system = cs_model_system_create,
        .progress = cs_progress_show,
        .progress_ctx = &progress,
        .listener = cs_trace_listener(w->trace),
        .truth_csv = true,
        .commit = commit,
        .commit_ctx = w,
    };

    cs_progress_begin(&progress, scenario, cs_scenario_least_cycles(scenario));
    const cs_status status = cs_run(scenario, &options, &result, diag);
    cs_progress_end(&progress);
    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < result.nr_warnings; i++)
        fprintf(stderr, "warning: %s\n", result.warnings[i]);
    cs_run_result_destroy(&result);
    return CS_OK;
}

static int trace_scenario(const arguments *a)
{
    work w = {.asked = a};
    cs_scenario *scenario = NULL;
    cs_diag diag = {0};
    cs_status status = cs_scenario_load(a->scenario, a->sets, a->nr_sets, &scenario, &diag);

    if (status == CS_OK) {
        cs_scenario_tell_warnings(scenario, stderr);
        status = cs_trace_create(scenario, &a->request, &w.trace, &diag);
    }
    if (status == CS_OK)
        status = simulate(scenario, &w, &diag);
    cs_trace_destroy(w.trace);
    cs_scenario_destroy(scenario);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    printf("trace: %s\ntruth: %s" CS_TRACE_TRUTH "\n", a->request.output, a->request.output);
    if (a->damaging)
        printf("damage: %s%s%s\n", w.damaged, *w.damaged != '\0' ? ": " : "", w.report.words);
    return EXIT_GOOD;
}

static void print_formats(void)
{
    const cs_trace_row *row;

    for (size_t i = 0; (row = cs_trace_row_at(i)) != NULL; i++) {
        const char *const *flavours = row->made->flavours;

        printf("%-12s %s\n", row->format->name,
               row->made->summary != NULL ? row->made->summary : row->format->about);
        for (size_t k = 0; flavours != NULL && flavours[k] != NULL; k++)
            printf("%s%s%s", k == 0 ? "             flavours: " : ", ", flavours[k],
                   flavours[k + 1] == NULL ? "\n" : "");
    }
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},  {"flavour", required_argument, NULL, 'v'},
        {"command", required_argument, NULL, 'c'}, {"output", required_argument, NULL, 'o'},
        {"set", required_argument, NULL, 's'},     {"formats", no_argument, NULL, 'l'},
        {"damage", required_argument, NULL, 'd'},  {"switch-events", no_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    arguments a = {0};
    cs_diag diag = {0};
    int letter;

    while ((letter = cs_cli_option(&cs_command_trace, argc, argv, ":o:h", options)) != -1)
        switch (letter) {
        case 'f':
            a.request.format = optarg;
            break;
        case 'v':
            a.request.flavour = optarg;
            break;
        case 'd':
            if (cs_damage_of(optarg, &a.damage, &a.seed, &diag) != CS_OK)
                return cs_cli_usage(&cs_command_trace, "--damage: %s", diag.text);
            a.damaging = true;
            break;
        case 'w':
            a.request.switch_events = true;
            break;
        case 'c':
            a.request.command = optarg;
            break;
        case 'o':
            a.request.output = optarg;
            break;
        case 's':
            if (a.nr_sets == MAX_SETS)
                return cs_cli_usage(&cs_command_trace, "more than %d --set", MAX_SETS);
            a.sets[a.nr_sets++] = optarg;
            break;
        case 'l':
            print_formats();
            return EXIT_GOOD;
        case 'h':
            return cs_cli_help(&cs_command_trace);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_trace, "expected one scenario, found %d", argc - optind);
    a.scenario = argv[optind];
    if (a.request.format == NULL || a.request.output == NULL)
        return cs_cli_usage(&cs_command_trace, "%s is missing",
                            a.request.format == NULL ? "--format" : "-o");
    return trace_scenario(&a);
}

const cs_command cs_command_trace = {
    .name = "trace",
    .arguments = "--format FORMAT -o FILE [--flavour NAME] [--command NAME]\n"
                 "                         [--set KEY=VALUE]... SCENARIO",
    .summary = "simulate a scenario into a file that perf or another tool reads",
    .help =
        "  --format FORMAT     what to write; --formats lists them\n"
        "  -o, --output FILE   the trace, which must not exist yet; beside it comes the run\n"
        "                      folder FILE.truth, with the truth as SQLite and CSV\n"
        "  --flavour NAME      of formats that have some\n"
        "  --command NAME      only this perf command of the scenario, as SECTION.perf.0\n"
        "  --switch-events     of perf: when CPUs go from one process to another, too\n"
        "  --damage KIND[:SEED]  damages the file that was written, as `countersink damage`\n"
        "                      does; what was done is in FILE.truth/damage.json\n"
        "  --set KEY=VALUE     overrides a key of the scenario, as bus.clock_mhz=500; way=NAME\n"
        "                      takes another of its ways than the first\n"
        "  --formats           lists the formats\n\n"
        "Exit status: 0 good, 2 bad use or scenario, 3 I/O.\n",
    .run = run,
};

// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "bus/system.h"
#include "cli/cli.h"
#include "cli/files/names.h"
#include "cli/files/standard.h"
#include "formats/damage/damage.h"
#include "results/run.h"
#include "scenario/load.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/tell.h"
#include "traces/format.h"

typedef struct arguments {
    const char *scenario;
    cs_sets sets;
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

/* ---- how large it becomes ---- */

#define LARGE_MIB 256u

/* Beside the progress. */
typedef struct growth {
    cs_progress progress;
    const char *path; /* of the trace */
    bool warned;
} growth;

static void warn_of_size(const growth *g, cs_cycle cycles, uint64_t bytes)
{
    const double clock_hz = g->progress.scenario->bus->clock_mhz * 1e6;
    const double more = (double)g->progress.expected_cycles / (double)cycles;
    char whole[64] = "";

    if (more > 1)
        snprintf(whole, sizeof whole, ", about %.1f GiB for the whole run",
                 (double)bytes * more / (1u << 30));
    cs_line_clear();
    cs_cli_warn("the trace has over %u MiB after %.6f s of simulated time%s; --set limit_cycles=N "
                "ends the run after N bus cycles, and --window gives a piece of a timeline",
                LARGE_MIB, (double)cycles / clock_hz, whole);
}

static void show_growth(void *ctx, cs_cycle cycles)
{
    growth *g = ctx;
    struct stat info;

    cs_progress_show(&g->progress, cycles);
    if (g->warned || stat(g->path, &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size < (off_t)LARGE_MIB << 20)
        return;
    g->warned = true;
    warn_of_size(g, cycles, (uint64_t)info.st_size);
}

static cs_status simulate(const cs_scenario *scenario, work *w, cs_diag *diag)
{
    cs_run_result result;
    growth growth = {.path = cs_output_path(cs_trace_output(w->trace), CS_OUTPUT_FIRST)};
    const cs_run_options options = {
        .within = cs_trace_output(w->trace),
        .make_system = cs_model_system_create,
        .progress = show_growth,
        .progress_ctx = &growth,
        .listener = cs_trace_listener(w->trace),
        .truth_csv = true,
        .commit = commit,
        .commit_ctx = w,
    };

    cs_progress_begin(&growth.progress, scenario, cs_scenario_expected_cycles(scenario));
    const cs_status status = cs_run(scenario, &options, &result, diag);
    cs_progress_end(&growth.progress);
    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < result.nr_warnings; i++)
        cs_cli_warn("%s", result.warnings[i]);
    cs_run_result_destroy(&result);
    return CS_OK;
}

/* A folder cannot be written to standard output. */
static bool is_folder(const char *format)
{
    const cs_trace_row *row;

    for (size_t i = 0; (row = cs_trace_row_at(i)) != NULL; i++)
        if (cs_format_is(row->format, format))
            return row->format->folder;
    return false;
}

/* How perf shows functions by name, where it can. */
static void tell_names(const char *trace)
{
    char folder[PATH_MAX];

    if (snprintf(folder, sizeof folder, "%s" CS_TRACE_TRUTH CS_TRACE_SYMFS, trace) <
        (int)sizeof folder)
        cs_names_print(folder, trace);
}

static void tell(const arguments *a, const work *w, bool standard)
{
    FILE *out = standard ? stderr : stdout;

    if (!standard) {
        printf("trace: %s\ntruth: %s" CS_TRACE_TRUTH "\n", a->request.output, a->request.output);
        tell_names(a->request.output);
    }
    if (a->damaging)
        fprintf(out, "damage: %s%s%s\n", w->damaged, *w->damaged != '\0' ? ": " : "",
                w->report.words);
}

static int trace_scenario(arguments *a)
{
    work w = {.asked = a};
    cs_scenario *scenario = NULL;
    cs_standard out;
    cs_diag diag = {0};
    cs_status status = cs_standard_begin(&out, a->request.output, &diag);
    const bool standard = cs_standard_is(&out);

    a->request.output = out.name;
    if (status == CS_OK)
        status =
            cs_scenario_load_simulated(a->scenario, a->sets.texts, a->sets.count, &scenario, &diag);

    if (status == CS_OK) {
        cs_scenario_tell_warnings(scenario, stderr);
        status = cs_trace_create(scenario, &a->request, &w.trace, &diag);
    }
    if (status == CS_OK)
        status = simulate(scenario, &w, &diag);
    cs_trace_destroy(w.trace);
    cs_scenario_destroy(scenario);
    status = cs_standard_end(&out, status, &diag);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    tell(a, &w, standard);
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

/* "FROM:TO" */
static bool window_of(const char *text, cs_trace_window *out)
{
    char from[32];
    const char *colon = strchr(text, ':');

    if (colon == NULL || colon - text >= (int)sizeof from)
        return false;
    snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
    return cs_number_of(from, CS_TRACE_WINDOW_MOST_US, &out->from_us) &&
           cs_number_of(colon + 1, CS_TRACE_WINDOW_MOST_US, &out->to_us) &&
           out->from_us < out->to_us;
}

enum { FLAVOUR = CS_OPTION_LONG, COMMAND, SWITCH_EVENTS, WINDOW, DAMAGE, FORMATS };

static int take_option(int id, cs_args *args, arguments *a)
{
    cs_diag diag = {0};

    switch (id) {
    case 'f':
        a->request.format = args->value;
        break;
    case FLAVOUR:
        a->request.flavour = args->value;
        break;
    case DAMAGE:
        if (cs_damage_of(args->value, &a->damage, &a->seed, &diag) != CS_OK)
            return cs_cli_usage(args->command, "--damage: %s", diag.text);
        a->damaging = true;
        break;
    case SWITCH_EVENTS:
        a->request.switch_events = true;
        break;
    case WINDOW:
        if (!window_of(args->value, &a->request.window))
            return cs_cli_usage(args->command,
                                "--window: expected FROM:TO in microseconds, FROM below TO, at "
                                "most 10^12, found '%s'",
                                args->value);
        break;
    case COMMAND:
        a->request.command = args->value;
        break;
    case 'o':
        a->request.output = args->value;
        break;
    case CS_ID_SET:
        return cs_sets_take(&a->sets, args);
    default:
        return args->status;
    }
    return EXIT_GOOD;
}

static int run(cs_args *args)
{
    arguments a = {0};
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        if (id == FORMATS) {
            print_formats();
            return EXIT_GOOD;
        }
        const int status = take_option(id, args, &a);

        if (status != EXIT_GOOD || id == CS_ARGS_STOP)
            return status;
    }
    a.scenario = args->operands[0];
    if (a.request.format == NULL || a.request.output == NULL)
        return cs_cli_usage(args->command, "%s is missing",
                            a.request.format == NULL ? "--format" : "-o");
    if (strcmp(a.request.output, "-") == 0 && is_folder(a.request.format))
        return cs_cli_usage(args->command, "-o -: format %s is a folder", a.request.format);
    return trace_scenario(&a);
}

static const cs_option options[] = {
    {.id = 'f',
     .name = "format",
     .value = "FORMAT",
     .is = CS_VALUE_TRACE_FORMAT,
     .needed = true,
     .text = "what to write; --formats lists them"},
    {.id = 'o',
     .name = "output",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .needed = true,
     .text =
         "the trace to create; beside it the run folder FILE.truth gets the truth as SQLite and "
         "CSV, and names of functions for perf (-: write to standard output, keep no truth)"},
    {.id = FLAVOUR,
     .name = "flavour",
     .value = "NAME",
     .text = "flavour, of formats that have several"},
    {.id = COMMAND,
     .name = "command",
     .value = "NAME",
     .text = "write only what this perf command of the scenario samples, as SECTION.perf.0"},
    {.id = SWITCH_EVENTS,
     .name = "switch-events",
     .text = "in perf.data, also record when CPUs switch processes"},
    {.id = WINDOW,
     .name = "window",
     .value = "FROM:TO",
     .text = "of a timeline, write only what begins in these microseconds of simulated time, TO "
             "excluded; the run and its truth are complete"},
    {.id = DAMAGE,
     .name = "damage",
     .value = "KIND[:SEED]",
     .text = "damage the file that was written, as `countersink damage` does; "
             "FILE.truth/damage.json says how"},
    CS_OPTION_SET_TEXT("override a key of the scenario, as bus.clock_mhz=500; way=NAME takes "
                       "another of its ways than the first"),
    {.id = FORMATS, .name = "formats", .text = "list the formats"},
    {0},
};

static const cs_example examples[] = {
    {"trace --formats", "lists what can be written"},
    {"trace --format perf -o out.data configs/riscv/riscv_sample.yaml",
     "a file for perf report, and the truth beside it"},
    {0},
};

const cs_command cs_command_trace = {
    .name = "trace",
    .summary = "simulate a scenario into a file that perf or another tool reads",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, 1},
    .examples = examples,
    .ends = "0 good, 2 bad use or scenario, 3 I/O",
    .run = run,
};

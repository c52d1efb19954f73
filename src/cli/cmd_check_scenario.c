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
    cs_table_format format;
    cs_table *table; /* NULL: text */
} request;

/* ---- as a table: a row for each thing that is found ---- */

static const cs_table_column columns[] = {{.name = "scenario", .kind = CS_CELL_NAME},
                                          {.name = "way", .kind = CS_CELL_NAME},
                                          {.name = "kind", .kind = CS_CELL_NAME},
                                          {.name = "text", .kind = CS_CELL_NAME}};

static void put_row(const request *r, const char *scenario, const char *way, const char *kind,
                    const char *text)
{
    cs_table_cell cells[4] = {{0}};

    cells[0].name = scenario;
    cells[1].name = way;
    cells[2].name = kind;
    cells[3].name = text;
    cs_table_row(r->table, cells);
}

/* A scenario that is bad: the exit status. */
static int fail(const request *r, const char *path, const char *way, const cs_diag *diag)
{
    char text[sizeof diag->where + sizeof diag->text + 32];

    if (r->table == NULL)
        return cs_cli_fail(diag);
    cs_diag_print(diag, text, sizeof text);
    for (char *line = text, *end; line != NULL; line = end) { /* a mistake each */
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        put_row(r, path, way, "error", line);
    }
    return cs_cli_status(diag);
}

typedef struct remarked {
    const request *request;
    const cs_scenario *scenario;
} remarked;

static void remark(void *ctx, const char *text)
{
    const remarked *m = ctx;
    const cs_scenario *s = m->scenario;

    if (m->request->table != NULL)
        put_row(m->request, s->source, s->way, "remark", text);
    else
        fprintf(stderr, "remark: %s%s%s: %s\n", s->source, s->way[0] != '\0' ? ", way " : "",
                s->way, text);
}

static void put_warnings(const request *r, const cs_scenario *s)
{
    for (size_t i = 0; i < s->nr_warnings; i++) {
        const cs_scenario_warning *w = &s->warnings[i];
        char text[sizeof w->where + sizeof w->text + 32];

        if (w->line != 0)
            snprintf(text, sizeof text, "%s:%u:%u: %s", w->where, w->line, w->column, w->text);
        else
            snprintf(text, sizeof text, "%s: %s", w->where, w->text);
        put_row(r, s->source, s->way, "warning", text);
    }
}

static int warn(const request *r, cs_scenario *scenario)
{
    remarked m = {r, scenario};
    cs_diag diag = {0};

    if (r->table != NULL)
        put_warnings(r, scenario);
    else
        cs_scenario_tell_warnings(scenario, stderr);
    if (!r->quiet && cs_scenario_doubts(scenario, remark, &m, &diag) != CS_OK)
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
            status = fail(r, path, first->ways[i].name, &diag);
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
        return fail(r, path, "", &diag);
    if (scenario->nr_ways != 0 && scenario->way[0] == '\0' && strcmp(path, "-") != 0)
        status = check_ways(r, path, scenario);
    else
        status = warn(r, scenario);
    if (r->table != NULL && status == EXIT_GOOD && !r->quiet)
        put_row(r, path, "", "good", "");
    else if (!r->quiet && status == EXIT_GOOD) {
        printf("%s: good\n", strcmp(path, "-") == 0 ? "standard input" : path);
        cs_scenario_tell(scenario, stdout);
    }
    cs_scenario_destroy(scenario);
    return status;
}

static int check_all(request *r, char *const paths[], int count)
{
    const cs_text_sink sink = {cs_cli_write, NULL};
    cs_table table;
    int status = EXIT_GOOD;

    if (r->format != CS_TABLE_TEXT) {
        r->table = &table;
        cs_table_begin(&table, r->format, &sink);
        cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    }
    for (int i = 0; i < count; i++) {
        const int one = check(r, paths[i]);

        status = one > status ? one : status;
    }
    if (r->table != NULL)
        cs_table_end(&table);
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
        case 'f':
            status = cs_table_take(&r.format, args);
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
    return status == EXIT_GOOD ? check_all(&r, args->operands, args->nr_operands) : status;
}

static const cs_option options[] = {
    CS_OPTION_TABLE,
    CS_OPTION_SET,
    {.id = QUIET, .name = "quiet", .text = "print errors and warnings only"},
    {.id = STRICT, .name = "strict", .text = "exit with status 1 if there is a warning"},
    {0},
};

static const cs_example examples[] = {
    {"check-scenario mine.yaml", "prints its mistakes, or what it will simulate"},
    {"check-scenario --quiet mine.yaml", "prints nothing if it is good"},
    {"check-scenario -f json mine.yaml",
     "a list with an object for each error, warning and remark"},
    {0},
};

const cs_command cs_command_check_scenario = {
    .name = "check-scenario",
    .summary = "validate scenarios without running them",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, CS_OPERANDS_ANY},
    .text =
        "Checks what `run` checks before it starts, for each way of a scenario; `-` is standard "
        "input. Remarks point out what nobody would believe, such as more branches than "
        "instructions, or samples without functions.",
    .examples = examples,
    .ends = "0 all are good, 1 with --strict: there is a warning, 2 one is bad, 3 I/O",
    .run = run,
};

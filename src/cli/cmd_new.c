// SPDX-License-Identifier: Apache-2.0
/* A scenario to begin with: one for a purpose, or a copy. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/embedded.h"
#include "cli/cli.h"
#include "cli/files/shared.h"
#include "cli/help/wrap.h"
#include "scenario/load.h"
#include "scenario/yaml/shared.h"
#include "scenario/yaml/suggest.h"
#include "scenario/yaml/yaml.h"

/* Made of new/ when the build is configured: a purpose each, whose first line says what it is. */
extern const cs_embedded cs_purposes[];

static void print_list(FILE *out)
{
    char line[256];

    for (const cs_embedded *p = cs_purposes; p->name != NULL; p++) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p->text + 2, "\n"), p->text + 2);
        cs_wrap(out, line, (unsigned)fprintf(out, "  %-18s ", p->name), 21, cs_columns(out, 92));
    }
}

static void print_more(FILE *out)
{
    fprintf(out, "Purposes:\n");
    print_list(out);
}

static int no_purpose(const cs_command *command, const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);

    for (const cs_embedded *p = cs_purposes; p->name != NULL; p++)
        cs_suggest_offer(&suggest, p->name);
    const char *nearest = cs_suggest_end(&suggest);

    if (nearest != NULL)
        return cs_cli_usage(command, "there is no purpose '%s'; did you mean '%s'?", name, nearest);
    return cs_cli_usage(command, "there is no purpose '%s' (--list has all)", name);
}

/* By this line, the first, editors find the keys, where their schema is on this machine. */
static void put_modeline(FILE *out)
{
    char configs[PATH_MAX];

    if (cs_shared_folder("configs", configs, sizeof configs))
        fprintf(out, CS_SHARED_MODELINE "%s/scenario.schema.json\n", configs);
}

/* ---- a copy of a scenario, which works in another place ---- */

typedef struct original {
    char path[PATH_MAX];
    char *text;
    cs_scenario *scenario;
} original;

static void close_original(original *from)
{
    free(from->text);
    cs_scenario_destroy(from->scenario);
}

/* A file as it is named, or one that comes with the command. */
static cs_status open_original(const char *name, original *from, cs_diag *diag)
{
    char root[PATH_MAX];
    size_t bytes;
    cs_status status;

    snprintf(from->path, sizeof from->path, "%s", name);
    if (access(name, F_OK) != 0 && cs_shared_root(root, sizeof root))
        snprintf(from->path, sizeof from->path, "%.2000s/%.2000s", root, name);
    if (access(from->path, F_OK) != 0)
        return cs_diag_set(diag, CS_ERR_IO, name,
                           "there is no such file, and none comes with Countersink "
                           "(countersink list --examples WORD finds those that do)");
    status = cs_scenario_load(from->path, NULL, 0, &from->scenario, diag);
    return status == CS_OK ? cs_yaml_read(from->path, &from->text, &bytes, diag) : status;
}

/* Whether a value that is a file's name begins here, after `before`; its bytes, with quotes. 0: none does. */
static size_t file_at(const original *from, const char *at, char before, const char **name)
{
    const char quote = *at == '"' || *at == '\'' ? *at : '\0';

    for (size_t i = 0; i < from->scenario->nr_files && strchr(" [,", before) != NULL; i++) {
        const size_t quoted = quote != '\0', bytes = strlen(from->scenario->files[i]);
        const char *end = at + quoted + bytes;

        *name = from->scenario->files[i];
        if (**name == '/' || strncmp(at + quoted, *name, bytes) != 0)
            continue;
        if (quote != '\0' ? *end == quote : strchr(" ,]}\n", *end) != NULL)
            return bytes + 2 * quoted;
    }
    return 0;
}

/* A file with its whole path, quoted. */
static void put_file(const original *from, const char *name, FILE *out)
{
    char path[2 * PATH_MAX], whole[PATH_MAX];

    cs_scenario_file(from->scenario->folder, name, path, sizeof path);
    fputc('"', out);
    for (const char *c = realpath(path, whole) != NULL ? whole : path; *c != '\0'; c++)
        fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fputc('"', out);
}

/* A line as it is, but for files that it names. */
static void put_line(const original *from, const char *line, size_t bytes, FILE *out)
{
    const char *name;

    for (const char *at = line; at < line + bytes;) {
        const char before = at == line ? '\n' : at[-1];
        const bool comment = *at == '#' && (before == '\n' || before == ' ');
        const size_t file = comment ? 0 : file_at(from, at, before, &name);

        if (file != 0)
            put_file(from, name, out);
        else
            fwrite(at, 1, comment ? (size_t)(line + bytes - at) : 1, out);
        at = comment ? line + bytes : at + (file != 0 ? file : 1);
    }
}

/* Without the line for editors, which is another one here, and without its name: a copy goes by its own. */
static void put_copy(const original *from, FILE *out)
{
    for (const char *line = from->text; *line != '\0';) {
        const size_t bytes = strcspn(line, "\n") + (strchr(line, '\n') != NULL);

        if (strncmp(line, CS_SHARED_MODELINE, sizeof CS_SHARED_MODELINE - 1) != 0 &&
            strncmp(line, "name:", 5) != 0)
            put_line(from, line, bytes, out);
        line += bytes;
    }
}

/* ---- the command ---- */

/* Of a purpose, or of a scenario where that is NULL. */
static int write_it(const cs_embedded *purpose, const original *from, const char *path)
{
    FILE *out = path == NULL || strcmp(path, "-") == 0 ? stdout : fopen(path, "wx");
    cs_diag diag = {0};
    cs_status status = CS_OK;

    if (out == NULL) {
        cs_diag_set(&diag, CS_ERR_IO, path, "cannot be made: %s", strerror(errno));
        return cs_cli_fail(&diag);
    }
    put_modeline(out);
    if (purpose != NULL)
        fputs(purpose->text, out);
    else
        put_copy(from, out);
    if (out != stdout && fclose(out) != 0)
        status = cs_diag_set(&diag, CS_ERR_IO, path, "cannot be written: %s", strerror(errno));
    if (status != CS_OK && out != stdout)
        remove(path);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int copy_it(const char *name, const char *output)
{
    original from = {.text = NULL};
    cs_diag diag = {0};
    int status;

    if (open_original(name, &from, &diag) == CS_OK)
        status = write_it(NULL, &from, output);
    else
        status = cs_cli_fail(&diag);
    close_original(&from);
    return status;
}

enum { LIST = CS_OPTION_LONG, FROM };

static int run(cs_args *args)
{
    const char *output = NULL, *from = NULL;
    bool list = false;
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'o':
            output = args->value;
            break;
        case LIST:
            list = true;
            break;
        case FROM:
            from = args->value;
            break;
        default:
            return args->status;
        }
    if (list) {
        print_list(stdout);
        return EXIT_GOOD;
    }
    if (from != NULL && args->nr_operands != 0)
        return cs_cli_usage(args->command, "--from takes the place of a purpose; found '%s', too",
                            args->operands[0]);
    if (from != NULL)
        return copy_it(from, output);
    if (args->nr_operands == 0)
        return cs_cli_usage(args->command, "expected a purpose (--list has all)");
    for (const cs_embedded *p = cs_purposes; p->name != NULL; p++)
        if (strcmp(p->name, args->operands[0]) == 0)
            return write_it(p, NULL, output);
    return no_purpose(args->command, args->operands[0]);
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "the scenario to create (default: standard output)"},
    {.id = LIST, .name = "list", .text = "list the purposes"},
    {.id = FROM,
     .name = "from",
     .value = "SCENARIO",
     .is = CS_VALUE_YAML,
     .text =
         "copy a scenario instead, yours or a shipped one (configs/...), so that the copy works "
         "in another folder"},
    {0},
};

static const cs_example examples[] = {
    {"new pmcu-sampling -o mine.yaml", "a scenario with a comment on each line"},
    {"new riscv-sampling | countersink run -", "tried at once"},
    {"new --from configs/pmcu/pmcu_hotplug.yaml -o hotplug.yaml", "a shipped scenario to change"},
    {0},
};

const cs_command cs_command_new = {
    .name = "new",
    .summary = "write a commented scenario to start from, or copy a shipped one",
    .options = options,
    .operand = {"PURPOSE", "purpose", CS_VALUE_PURPOSE, 0, 1},
    .more = print_more,
    .examples = examples,
    .ends = "0 good, 2 bad use or a bad scenario, 3 I/O",
    .run = run,
};

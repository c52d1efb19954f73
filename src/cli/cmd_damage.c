/* Damages a file on purpose. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/files/output.h"
#include "base/number.h"
#include "cli/cli.h"
#include "formats/damage/damage.h"

#define PATH_BYTES 4096
#define JSON_BYTES 1024

typedef struct request {
    const char *path;
    const char *out;
    const char *as;   /* NULL: told from the file */
    const char *kind; /* "all", or with a seed */
    uint64_t seed;
    bool json;
} request;

static void tell(const request *wanted, const cs_damage_report *report, bool first)
{
    char json[JSON_BYTES];

    if (wanted->json)
        printf("%s%s", first ? "[\n" : ",\n", cs_damage_json(report, json, sizeof json));
    else
        printf("%-9s  seed %llu  %s\n", cs_damage_name(report->kind),
               (unsigned long long)report->seed, report->words);
}

static int damage_once(const request *wanted, cs_damage_kind kind, const char *out, bool *first,
                       bool may_be_impossible)
{
    cs_damage_report report;
    cs_diag diag = {0};
    const cs_status status =
        cs_damage_file(wanted->path, out, wanted->as, kind, wanted->seed, &report, &diag);

    if (status == CS_ERR_RANGE && may_be_impossible) {
        fprintf(stderr, "countersink: %s\n", diag.text);
        return EXIT_GOOD;
    }
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    tell(wanted, &report, *first);
    *first = false;
    return EXIT_GOOD;
}

static int end(const request *wanted, int exit_status, bool none)
{
    cs_diag diag = {0};

    if (wanted->json && !none)
        printf("\n]\n");
    if (fflush(stdout) == 0 || exit_status != EXIT_GOOD)
        return exit_status;
    cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    return cs_cli_fail(&diag);
}

/* Each kind that is possible into a folder, under its name. */
static int damage_all(const request *wanted, const char *folder, bool *first)
{
    int exit_status = EXIT_GOOD;

    for (unsigned kind = 0; kind < CS_NR_DAMAGES && exit_status == EXIT_GOOD; kind++) {
        char path[PATH_BYTES];

        if (snprintf(path, sizeof path, "%s/%s", folder, cs_damage_name((cs_damage_kind)kind)) >=
            (int)sizeof path)
            return cs_cli_usage(&cs_command_damage, "-o: the name is too long");
        exit_status = damage_once(wanted, (cs_damage_kind)kind, path, first, true);
    }
    return exit_status;
}

static int damage(request *wanted)
{
    const bool all = strcmp(wanted->kind, "all") == 0;
    cs_damage_kind kind = CS_DAMAGE_TRUNCATE;
    cs_diag diag = {0};
    cs_output *output;
    uint64_t seed;
    bool first = true;

    if (!all && cs_damage_of(wanted->kind, &kind, &seed, &diag) != CS_OK)
        return cs_cli_usage(&cs_command_damage, "--kind: %s, or all", diag.text);
    if (!all && strchr(wanted->kind, ':') != NULL)
        wanted->seed = seed;
    if (cs_output_begin(wanted->out, all ? CS_OUTPUT_FOLDER : 0, &output, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    const char *path = cs_output_path(output, CS_OUTPUT_FIRST);
    int exit_status =
        all ? damage_all(wanted, path, &first) : damage_once(wanted, kind, path, &first, false);
    exit_status = end(wanted, exit_status, first);
    if (exit_status != EXIT_GOOD)
        cs_output_abandon(output);
    else if (cs_output_commit(output, &diag) != CS_OK)
        exit_status = cs_cli_fail(&diag);
    return exit_status;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"kind", required_argument, NULL, 'k'},
        {"seed", required_argument, NULL, 's'},
        {"output", required_argument, NULL, 'o'},
        {"as", required_argument, NULL, 'a'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    request wanted = {.seed = 1};
    int letter;

    while ((letter = cs_cli_option(&cs_command_damage, argc, argv, ":k:s:o:h", options)) != -1)
        switch (letter) {
        case 'k':
            wanted.kind = optarg;
            break;
        case 's':
            if (!cs_number_of(optarg, UINT64_MAX, &wanted.seed))
                return cs_cli_usage(&cs_command_damage, "--seed: found '%s', expected a number",
                                    optarg);
            break;
        case 'o':
            wanted.out = optarg;
            break;
        case 'a':
            wanted.as = optarg;
            break;
        case 'j':
            wanted.json = true;
            break;
        case 'h':
            return cs_cli_help(&cs_command_damage);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_damage, "expected one file, found %d", argc - optind);
    if (wanted.kind == NULL || wanted.out == NULL)
        return cs_cli_usage(&cs_command_damage, "%s is missing",
                            wanted.kind == NULL ? "--kind" : "-o");
    wanted.path = argv[optind];
    return damage(&wanted);
}

static void print_formats(void)
{
    char names[CS_FORMAT_NAMES_BYTES];

    printf("\nFormats whose records are known: %s.\n", cs_damage_formats(names));
}

const cs_command cs_command_damage = {
    .name = "damage",
    .arguments = "--kind KIND|all [--seed N] -o OUT [OPTION]... FILE",
    .summary = "damage a trace file on purpose, to try its readers",
    .help =
        "  -k, --kind KIND     truncate   the end is missing, from any byte on\n"
        "                      drop       a record is missing\n"
        "                      duplicate  a record is there twice\n"
        "                      reorder    two records in a row have changed places\n"
        "                      overlap    a record lies over the end of the one before it\n"
        "                      flip       a bit of a record is turned\n"
        "                      zero       up to 256 bytes are zero\n"
        "                      header     a number of the header lies\n"
        "                      size       a record's size lies\n"
        "                      all        each of them that is possible; OUT is a new folder\n"
        "                      KIND:N     with seed N\n"
        "  -s, --seed N        which of the many ways (default: 1); the same seed, the same bytes\n"
        "  -o, --output OUT    the damaged file, which must not exist yet\n"
        "  --as FORMAT         what FILE is (default: told from FILE)\n"
        "  --json              tells what was done as JSON: kind, seed, words, offset, bytes\n"
        "                      before and after\n\n"
        "Exit status: 0 good, 2 bad use, or a damage that is not possible, 3 I/O.\n",
    .more_help = print_formats,
    .run = run,
};

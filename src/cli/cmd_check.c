/* Holds a trace file against the truth of the run that wrote it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "cli/cli.h"

static cs_status write_stdout(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    return fwrite(text, 1, bytes, stdout) == bytes ? CS_OK : CS_ERR_IO;
}

static int check(const cs_check_request *request)
{
    const cs_text_sink sink = {write_stdout, NULL};
    cs_diag diag = {0};
    cs_status status = cs_check_trace(request, &sink, &diag);

    if (fflush(stdout) != 0 && status == CS_OK)
        status =
            cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

/* ---- the command ---- */

#define MOST_OPTIONS 16u     /* of formats */
#define FIRST_OF_FORMATS 256 /* getopt's value of the first option that a format has */

typedef struct request {
    cs_check_request wanted;
    cs_check_given given[MOST_OPTIONS]; /* each once */
} request;

static int give(request *r, const cs_format_option *option, const char *text)
{
    size_t at = 0;
    cs_diag diag = {0};

    if (option->check != NULL && option->check(text, &diag) != CS_OK)
        return cs_cli_usage(&cs_command_check, "--%s: %s", option->name, diag.text);
    while (at < r->wanted.nr_given && r->given[at].option != option)
        at++;
    r->given[at] = (cs_check_given){option, text};
    r->wanted.nr_given += at == r->wanted.nr_given;
    return EXIT_GOOD;
}

static int take_option(int letter, request *r)
{
    cs_diag diag = {0};

    switch (letter) {
    case 't':
        r->wanted.truth = optarg;
        return EXIT_GOOD;
    case 'a':
        r->wanted.as = optarg;
        return EXIT_GOOD;
    case 'c':
        r->wanted.command = optarg;
        return EXIT_GOOD;
    case 'f':
        if (cs_table_format_of(optarg, &r->wanted.format, &diag) != CS_OK)
            return cs_cli_usage(&cs_command_check, "--format: %s", diag.text);
        return EXIT_GOOD;
    default:
        return letter >= FIRST_OF_FORMATS
                   ? give(r, cs_check_option_at((size_t)(letter - FIRST_OF_FORMATS)), optarg)
                   : EXIT_BAD_USE;
    }
}

static int run(int argc, char **argv)
{
    struct option options[MOST_OPTIONS + 6] = {
        {"truth", required_argument, NULL, 't'},   {"as", required_argument, NULL, 'a'},
        {"command", required_argument, NULL, 'c'}, {"format", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
    };
    request r = {.wanted.format = CS_TABLE_TEXT};
    const cs_format_option *option;
    int letter;

    for (size_t i = 0; i < MOST_OPTIONS && (option = cs_check_option_at(i)) != NULL; i++)
        options[5 + i] =
            (struct option){option->name, required_argument, NULL, FIRST_OF_FORMATS + (int)i};
    while ((letter = cs_cli_option(&cs_command_check, argc, argv, ":t:f:h", options)) != -1) {
        if (letter == 'h')
            return cs_cli_help(&cs_command_check);
        const int status = take_option(letter, &r);
        if (status != EXIT_GOOD)
            return status;
    }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_check, "expected one file, found %d", argc - optind);
    r.wanted.path = argv[optind];
    r.wanted.given = r.given;
    return check(&r.wanted);
}

static void print_options(void)
{
    const cs_format_option *option;

    printf("\nOptions of formats:\n");
    for (size_t i = 0; (option = cs_check_option_at(i)) != NULL; i++)
        printf("  --%s %-*s  %s\n", option->name, 15 - (int)strlen(option->name), option->value,
               option->help);
}

const cs_command cs_command_check = {
    .name = "check",
    .arguments = "[--truth DIR] [OPTION]... FILE",
    .summary = "compare a trace file with what really happened in the run that wrote it",
    .help =
        "  -t, --truth DIR     the run folder with truth.sqlite (default: FILE.truth)\n"
        "  --as FORMAT         what FILE is (default: told from FILE, and from the truth)\n"
        "  --command NAME      FILE is of this perf command only, as SECTION.perf.0 (default:\n"
        "                      what FILE.truth/trace.json says)\n"
        "  -f, --format F      text (default), csv or json\n\n"
        "A row tells what was compared, how many were expected, found, and differ, and within\n"
        "which bound they had to agree. Its verdict is agrees, DISAGREES or cannot say.\n\n"
        "Exit status: 0 all agree, 1 something disagrees, 2 bad use or a damaged file, 3 I/O or\n"
        "memory, 4 cannot say: there was nothing that could be compared.\n",
    .more_help = print_options,
    .run = run,
};

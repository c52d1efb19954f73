#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "report/report.h"

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"replace", no_argument, NULL, 'r'},
        {"title", required_argument, NULL, 't'},  {"library", required_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},         {0},
    };
    cs_report_request request = {.version = cs_cli_version()};
    cs_diag diag = {0};
    int letter;

    while ((letter = cs_cli_option(&cs_command_report, argc, argv, ":o:h", options)) != -1)
        switch (letter) {
        case 'o':
            request.output = optarg;
            break;
        case 'r':
            request.replace = true;
            break;
        case 't':
            request.title = optarg;
            break;
        case 'l':
            request.library = optarg;
            break;
        case 'h':
            return cs_cli_help(&cs_command_report);
        default:
            return EXIT_BAD_USE;
        }
    if (optind == argc)
        return cs_cli_usage(&cs_command_report, "expected the folder of a run, found none");
    if (request.output == NULL)
        return cs_cli_usage(&cs_command_report, "-o is missing");
    request.inputs = (const char *const *)argv + optind;
    request.nr_inputs = (size_t)(argc - optind);
    if (cs_report_write(&request, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    printf("report: %s\n", request.output);
    return EXIT_GOOD;
}

const cs_command cs_command_report = {
    .name = "report",
    .arguments = "-o FILE [--title TEXT] [--replace] [--library DIR] RUN...",
    .summary = "runs and sweeps as one page for a browser: plots to zoom and compare",
    .help = "  RUN                 the folder of a run, or of ways; or the SQLite file of a sweep\n"
            "  -o, --output FILE   the page, which must not exist yet; it needs no network\n"
            "  --replace           it may exist\n"
            "  --title TEXT        without it the inputs' names\n"
            "  --library DIR       where the plotting library lies; without it beside the program\n"
            "                      (share/countersink/report), or where `tools/setup.sh report`\n"
            "                      has put it: ~/.cache/countersink/report\n\n"
            "Exit status: 0 good, 2 an input that is none, or bad use, 3 I/O.\n",
    .run = run,
};

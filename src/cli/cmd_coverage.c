#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/compare/coverage_report.h"

static int report(const cs_coverage_request *request, char *const files[], int nr_files)
{
    cs_coverage *coverage;
    cs_diag diag = {0};
    cs_status status = cs_coverage_create(&coverage, &diag);
    bool whole = true;

    for (int i = 0; i < nr_files && status == CS_OK; i++) {
        size_t unknown;

        status = cs_coverage_read_file(coverage, files[i], &unknown, &diag);
        if (status == CS_OK && unknown != 0)
            fprintf(stderr, "warning: %s: %zu points are none of this version\n", files[i],
                    unknown);
    }
    if (status == CS_OK)
        whole = cs_coverage_report(coverage, request, stdout);
    cs_coverage_destroy(coverage);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    return request->require && !whole ? EXIT_DIFFERENCE : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},
        {"unit", required_argument, NULL, 'u'},
        {"group", required_argument, NULL, 'g'},
        {"require", no_argument, NULL, 'r'},
        {"all", no_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    cs_coverage_request request = {.format = CS_COVERAGE_TEXT};
    int letter;

    while ((letter = cs_cli_option(&cs_command_coverage, argc, argv, ":hf:", options)) != -1)
        switch (letter) {
        case 'f':
            if (!cs_coverage_format_of(optarg, &request.format))
                return cs_cli_usage(&cs_command_coverage,
                                    "--format: found '%s', expected text, json or html", optarg);
            break;
        case 'u':
            request.unit = optarg;
            break;
        case 'g':
            if (request.nr_groups == CS_COVERAGE_GROUPS)
                return cs_cli_usage(&cs_command_coverage, "more than %u --group",
                                    CS_COVERAGE_GROUPS);
            request.groups[request.nr_groups++] = optarg;
            break;
        case 'r':
            request.require = true;
            break;
        case 'a':
            request.all = true;
            break;
        case 'h':
            return cs_cli_help(&cs_command_coverage);
        default:
            return EXIT_BAD_USE;
        }
    return report(&request, argv + optind, argc - optind);
}

const cs_command cs_command_coverage = {
    .name = "coverage",
    .arguments = "[--format F] [--unit U] [--group G]... [--all] [--require] FILE...",
    .summary = "which declared points comparisons have reached, and which they have not",
    .help =
        "  -f, --format F  text (default), json or html\n"
        "  --unit U        of one unit\n"
        "  --group G       of a group: states, arcs, fields, errors, crossings\n"
        "  --all           text names the points that were reached, too\n"
        "  --require       exit status 1 when a point was not reached\n\n"
        "A FILE is what 'countersink compare --coverage FILE' has added to; several are\n"
        "added up, none says what there is to reach. A point is reached when both model\n"
        "and RTL have.\n\n"
        "Exit status: 0 good, 1 with --require: a point is missing, 2 bad use or file, 3 I/O.\n",
    .run = run,
};

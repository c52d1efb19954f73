/* Holds a trace file against the truth of the run that wrote it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
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

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"truth", required_argument, NULL, 't'},   {"as", required_argument, NULL, 'a'},
        {"cpu", required_argument, NULL, 'p'},     {"slots", required_argument, NULL, 's'},
        {"command", required_argument, NULL, 'c'}, {"format", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    cs_check_request wanted = {.cpu = -1, .format = CS_TABLE_TEXT};
    cs_diag diag = {0};
    uint64_t number;
    int letter;

    while ((letter = cs_cli_option(&cs_command_check, argc, argv, ":t:f:h", options)) != -1)
        switch (letter) {
        case 't':
            wanted.truth = optarg;
            break;
        case 'a':
            wanted.as = optarg;
            break;
        case 'c':
            wanted.command = optarg;
            break;
        case 'p':
            if (!cs_number_of(optarg, 65535, &number))
                return cs_cli_usage(&cs_command_check, "--cpu: found '%s', expected 0..65535",
                                    optarg);
            wanted.cpu = (int)number;
            break;
        case 's':
            if (!cs_number_of(optarg, 8, &number) || number == 0)
                return cs_cli_usage(&cs_command_check, "--slots: found '%s', expected 1..8",
                                    optarg);
            wanted.slots = (unsigned)number;
            break;
        case 'f':
            if (cs_table_format_of(optarg, &wanted.format, &diag) != CS_OK)
                return cs_cli_usage(&cs_command_check, "--format: %s", diag.text);
            break;
        case 'h':
            return cs_cli_help(&cs_command_check);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_check, "expected one file, found %d", argc - optind);
    wanted.path = argv[optind];
    return check(&wanted);
}

const cs_command cs_command_check = {
    .name = "check",
    .arguments = "[--truth DIR] [OPTION]... FILE",
    .summary = "compare a trace file with what really happened in the run that wrote it",
    .help =
        "  -t, --truth DIR     the run folder with truth.sqlite (default: FILE.truth)\n"
        "  --as FORMAT         what FILE is (default: told from FILE, and from the truth)\n"
        "  --command NAME      FILE is of this perf command only, as riscv.perf.0 (default:\n"
        "                      what FILE.truth/trace.json says)\n"
        "  --cpu N             imc-trace: records of this thread (default: FILE's name, as\n"
        "                      cpu3.imc; else FILE is the buffers of all)\n"
        "  --slots N           pmcu-aux: CPU slots a cluster (default: as in the truth)\n"
        "  -f, --format F      text (default), csv or json\n\n"
        "A row tells what was compared, how many were expected, found, and differ, and within\n"
        "which bound they had to agree.\n\n"
        "Exit status: 0 all agree, 1 something disagrees, 2 bad use or a damaged file, 3 I/O.\n",
    .run = run,
};

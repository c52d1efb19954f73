#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/decode.h"

#define RECORD_BYTES 64u /* of IMC trace */

/* ---- the command ---- */

/* Which options were given that a format must take. */
static const struct option_rule {
    unsigned takes;
    const char *text;
} rules[] = {
    {CS_DECODE_CATALOG, "--catalog is for imc-core, imc-thread and imc-nest"},
    {CS_DECODE_BUFFER_BYTES, "--buffer-bytes is for imc-trace"},
    {CS_DECODE_SLOTS, "--slots is for pmcu-aux and perf-data"},
    {CS_DECODE_POWER10, "--power10 is for the imc formats"},
    {CS_DECODE_PERF, "--aux, --full, --header, --only and --stream are for perf-data"},
};

static unsigned given(const cs_decode_request *request)
{
    const bool perf = request->aux || request->full || request->header || request->only != NULL ||
                      request->stream != CS_DECODE_ANY_STREAM;

    return (request->catalog != NULL ? CS_DECODE_CATALOG : 0u) |
           (request->buffer_bytes != 0 ? CS_DECODE_BUFFER_BYTES : 0u) |
           (request->slots != 0 ? CS_DECODE_SLOTS : 0u) |
           (request->power10 ? CS_DECODE_POWER10 : 0u) | (perf ? CS_DECODE_PERF : 0u);
}

/* What the options demand of each other. */
static int check(const cs_decode_request *request, const cs_decode_reader *as)
{
    if ((as->takes & CS_DECODE_CATALOG) != 0 && request->catalog == NULL)
        return cs_cli_usage(&cs_command_decode,
                            "--as %s needs --catalog FILE, the device tree of the events",
                            as->name);
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if ((given(request) & ~as->takes & rules[i].takes) != 0)
            return cs_cli_usage(&cs_command_decode, "%s, this is %s", rules[i].text, as->name);
    if (request->header && request->aux)
        return cs_cli_usage(&cs_command_decode, "--header and --aux are two things to print");
    if (request->stream != CS_DECODE_ANY_STREAM && !request->aux)
        return cs_cli_usage(&cs_command_decode, "--stream is for --aux");
    if (request->slots != 0 && (as->takes & CS_DECODE_PERF) != 0 && !request->aux)
        return cs_cli_usage(&cs_command_decode, "--slots is for --aux of perf-data");
    return EXIT_GOOD;
}

static int decode_open(cs_decode_request *request, cs_decode_input *in)
{
    const cs_text_sink sink = {cs_cli_write, NULL};
    cs_diag diag = {0};

    if (request->as == NULL && in->looked == 0) {
        cs_diag_set(&diag, CS_ERR_FORMAT, in->name,
                    "byte 0: the file ends%s: nothing tells its format (--as)",
                    request->offset != 0 ? " at --offset" : ", it is empty");
        return cs_cli_fail(&diag);
    }
    const cs_decode_reader *as = request->as != NULL ? request->as : cs_decode_guess(in);
    const int exit_status = check(request, as);

    if (exit_status != EXIT_GOOD)
        return exit_status;
    cs_status status = as->print(request, in, &sink, &diag);
    if (fflush(stdout) != 0 && status == CS_OK)
        status =
            cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int decode(cs_decode_request *request)
{
    cs_decode_input in = {.name = request->path};
    cs_diag diag = {0};

    if (request->as == NULL)
        request->as = cs_decode_guess_folder(request->path);
    if (request->as != NULL && (request->as->takes & CS_DECODE_FOLDER) != 0)
        return request->offset == 0 && request->length == UINT64_MAX
                   ? decode_open(request, &in)
                   : cs_cli_usage(&cs_command_decode, "--offset and --length are for files, this "
                                                      "is a folder");
    cs_status status = cs_decode_open(&in, request->path, request->offset, request->length, &diag);
    const int exit_status = status == CS_OK ? decode_open(request, &in) : cs_cli_fail(&diag);

    cs_decode_close(&in);
    return exit_status;
}

/* One option's value into *request; EXIT_GOOD, or the status after a message. */
static int take_option(int letter, cs_decode_request *request)
{
    cs_diag diag = {0};

    switch (letter) {
    case 'f':
        if (cs_table_format_of(optarg, &request->format, &diag) != CS_OK)
            return cs_cli_usage(&cs_command_decode, "--format: %s", diag.text);
        return EXIT_GOOD;
    case 'a':
        request->as = cs_decode_reader_of(optarg);
        if (request->as == NULL)
            return cs_cli_usage(&cs_command_decode, "--as: found '%s', expected %s", optarg,
                                cs_decode_names());
        return EXIT_GOOD;
    case 'b':
        if (!cs_cli_number(optarg, UINT32_MAX, &request->buffer_bytes) ||
            request->buffer_bytes == 0 || request->buffer_bytes % RECORD_BYTES != 0)
            return cs_cli_usage(&cs_command_decode,
                                "--buffer-bytes: found '%s', expected a multiple of %u, "
                                "64..4294967232",
                                optarg, RECORD_BYTES);
        return EXIT_GOOD;
    case 'c':
        if (!cs_cli_number(optarg, 8, &request->slots) || request->slots == 0)
            return cs_cli_usage(&cs_command_decode, "--slots: found '%s', expected 1..8", optarg);
        return EXIT_GOOD;
    case 'k':
        request->catalog = optarg;
        return EXIT_GOOD;
    case 'l':
        if (!cs_cli_number(optarg, UINT64_MAX, &request->length) || request->length == 0)
            return cs_cli_usage(&cs_command_decode, "--length: found '%s', expected bytes, 1..",
                                optarg);
        return EXIT_GOOD;
    case 'o':
        if (!cs_cli_number(optarg, INT64_MAX, &request->offset))
            return cs_cli_usage(&cs_command_decode, "--offset: found '%s', expected bytes, 0..",
                                optarg);
        return EXIT_GOOD;
    case 'p':
        request->power10 = true;
        return EXIT_GOOD;
    case 's':
        if (!cs_cli_number(optarg, UINT32_MAX, &request->stream))
            return cs_cli_usage(&cs_command_decode, "--stream: found '%s', expected a number",
                                optarg);
        return EXIT_GOOD;
    case 'n': {
        cs_perfread_print_options options = {0};

        if (cs_perfread_only(optarg, &options, &diag) != CS_OK)
            return cs_cli_usage(&cs_command_decode, "--only: %s", diag.text);
        request->only = optarg;
        return EXIT_GOOD;
    }
    case 'd':
        request->header = true;
        return EXIT_GOOD;
    case 'x':
        request->aux = true;
        return EXIT_GOOD;
    case 'u':
        request->full = true;
        return EXIT_GOOD;
    default:
        return EXIT_BAD_USE;
    }
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"as", required_argument, NULL, 'a'},
        {"buffer-bytes", required_argument, NULL, 'b'},
        {"catalog", required_argument, NULL, 'k'},
        {"format", required_argument, NULL, 'f'},
        {"power10", no_argument, NULL, 'p'},
        {"slots", required_argument, NULL, 'c'},
        {"offset", required_argument, NULL, 'o'},
        {"length", required_argument, NULL, 'l'},
        {"only", required_argument, NULL, 'n'},
        {"header", no_argument, NULL, 'd'},
        {"aux", no_argument, NULL, 'x'},
        {"stream", required_argument, NULL, 's'},
        {"full", no_argument, NULL, 'u'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    cs_decode_request wanted = {
        .format = CS_TABLE_TEXT, .length = UINT64_MAX, .stream = CS_DECODE_ANY_STREAM};
    int letter;

    while ((letter = cs_cli_option(&cs_command_decode, argc, argv, ":f:h", options)) != -1) {
        if (letter == 'h')
            return cs_cli_help(&cs_command_decode);
        int exit_status = take_option(letter, &wanted);
        if (exit_status != EXIT_GOOD)
            return exit_status;
    }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_decode, "expected one file, found %d", argc - optind);
    wanted.path = argv[optind];
    return decode(&wanted);
}

const cs_command cs_command_decode = {
    .name = "decode",
    .arguments = "[--as FORMAT] [--format text|csv|json] [OPTION]... FILE",
    .summary =
        "print the records of perf.data, the samples of a dump, or the counters of a memory image",
    .help =
        "  -f, --format F      text (default), csv or json\n"
        "  --as FORMAT         what FILE is; told from FILE where that is safe, else pmcu-aux:\n"
        "                        pmcu-aux      AUX data of HiSilicon's PMCU\n"
        "                        imc-trace     trace buffers of POWER's IMC\n"
        "                        imc-core      core images that IMC accumulated, 8 KiB each\n"
        "                        imc-thread    thread images, 8 KiB each\n"
        "                        imc-nest      nest windows, 256 KiB each\n"
        "                        riscv-ring    perf's ring of a RISC-V hart: memory from its\n"
        "                                      header page on, or the records alone\n"
        "                        sbi-snapshot  snapshot pages of the SBI PMU extension, 4 KiB\n"
        "                                      each\n"
        "                        perf-data     perf.data of perf record or perf stat record, file "
        "or\n"
        "                                      pipe, of any machine\n"
        "                        csv, json     a table of samples or of counts\n"
        "                        perfetto      Trace Event JSON, or Perfetto's protocol buffers\n"
        "                        ctf           a folder of the Common Trace Format 1.8\n"
        "  --only TYPE,..      perf-data: only records of these types, as SAMPLE,MMAP2\n"
        "  --header            perf-data: what the header says, and the events\n"
        "  --aux               perf-data: the AUX data of a PMCU, as pmcu-aux\n"
        "  --stream N          perf-data: which AUX data, where there are several\n"
        "  --full              perf-data: raw bytes, stacks and lists whole\n"
        "  --slots N           pmcu-aux: CPU slots a cluster, 1..8; the dump does not tell\n"
        "                      (default: 8, as on silicon)\n"
        "  --catalog FILE      imc-core, imc-thread, imc-nest: the events, as device tree\n"
        "                      source or blob; required\n"
        "  --power10           imc: from a POWER10 (default: POWER9)\n"
        "  --buffer-bytes N    imc-trace: bytes of each buffer, a multiple of 64 (default:\n"
        "                      262144)\n"
        "  --offset N          the first N bytes of FILE are passed over, as in a memory image;\n"
        "                      messages count from there\n"
        "  --length N          at most N bytes are looked at\n\n"
        "FILE - is standard input.\n\n"
        "Exit status: 0 good, 2 bad use or a damaged dump, 3 I/O.\n",
    .run = run,
};

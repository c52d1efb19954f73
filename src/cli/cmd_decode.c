#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "formats/pmcu_aux.h"
#include "formats/pmcu_aux_print.h"
#include "formats/table.h"
#include "scenario/arm_events.h"

typedef struct input {
    FILE *file;
    const char *name;
} input;

static cs_status read_file(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    const input *in = ctx;

    *got = fread(out, 1, bytes, in->file);
    if (ferror(in->file))
        return cs_diag_set(diag, CS_ERR_IO, in->name, "cannot read: %s", strerror(errno));
    return CS_OK;
}

static cs_status write_stdout(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    return fwrite(text, 1, bytes, stdout) == bytes ? CS_OK : CS_ERR_IO;
}

static const char *arm_name(void *ctx, uint32_t event)
{
    (void)ctx;
    return cs_arm_event_name(event);
}

static int decode(const char *path, cs_table_format format, unsigned slots)
{
    const cs_text_sink sink = {write_stdout, NULL};
    input in = {fopen(path, "rb"), path};
    const cs_byte_source source = {read_file, &in};
    cs_pmcu_aux *aux = NULL;
    cs_diag diag = {0};
    cs_status status;

    if (in.file == NULL) {
        cs_diag_set(&diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
        return cs_cli_fail(&diag);
    }
    status = cs_pmcu_aux_open(&source, path, slots, &aux, &diag);
    if (status == CS_OK)
        status = cs_pmcu_aux_print(aux, format, arm_name, NULL, &sink, &diag);
    cs_pmcu_aux_close(aux);
    fclose(in.file);
    if (status == CS_OK && fflush(stdout) != 0)
        status =
            cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    if (status == CS_ERR_RANGE)
        strncat(diag.text, " (--slots N)", sizeof diag.text - strlen(diag.text) - 1);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},
        {"slots", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    cs_table_format format = CS_TABLE_TEXT;
    uint64_t slots = 0;
    cs_diag diag = {0};
    int letter;

    while ((letter = cs_cli_option(&cs_command_decode, argc, argv, ":f:h", options)) != -1)
        switch (letter) {
        case 'f':
            if (cs_table_format_of(optarg, &format, &diag) != CS_OK)
                return cs_cli_usage(&cs_command_decode, "--format: %s", diag.text);
            break;
        case 'c':
            if (!cs_cli_number(optarg, 8, &slots) || slots == 0)
                return cs_cli_usage(&cs_command_decode, "--slots: found '%s', expected 1..8",
                                    optarg);
            break;
        case 'h':
            return cs_cli_help(&cs_command_decode);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_decode, "expected one file, found %d", argc - optind);
    return decode(argv[optind], format, (unsigned)slots);
}

const cs_command cs_command_decode = {
    .name = "decode",
    .arguments = "[--format text|csv|json] [--slots N] FILE",
    .summary = "print the samples of an AUX dump",
    .help = "  -f, --format F   text (default), csv or json\n"
            "  --slots N        CPU slots a cluster, 1..8; the dump does not tell (default: 8,\n"
            "                   as on silicon)\n\n"
            "Exit status: 0 good, 2 bad use or a damaged dump, 3 I/O.\n",
    .run = run,
};

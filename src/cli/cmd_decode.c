#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "formats/imc_memory_print.h"
#include "formats/imc_trace_print.h"
#include "formats/perf_ring.h"
#include "formats/pmcu_aux.h"
#include "formats/pmcu_aux_print.h"
#include "formats/sbi_snapshot.h"
#include "formats/table.h"
#include "scenario/arm_events.h"

/* So much tells what a file is: two records of an IMC trace. */
#define LOOK_BYTES (2 * CS_IMC_TRACE_RECORD_BYTES)

typedef struct input {
    FILE *file;
    const char *name;
    uint64_t left;            /* of --length */
    uint8_t look[LOOK_BYTES]; /* its first bytes, read ahead */
    size_t looked;
    size_t given; /* of look */
} input;

/* As many as there are, and as the user wants to see. */
static size_t take(input *in, uint8_t *out, size_t bytes)
{
    const size_t got = fread(out, 1, bytes < in->left ? bytes : (size_t)in->left, in->file);

    in->left -= got;
    return got;
}

static cs_status check_read(const input *in, cs_diag *diag)
{
    if (ferror(in->file))
        return cs_diag_set(diag, CS_ERR_IO, in->name, "cannot read: %s", strerror(errno));
    return CS_OK;
}

/* A pipe cannot be sought in. */
static cs_status skip(input *in, uint64_t bytes, cs_diag *diag)
{
    uint8_t piece[4096];

    for (uint64_t done = 0; done < bytes;) {
        const uint64_t rest = bytes - done;
        const size_t got =
            fread(piece, 1, rest < sizeof piece ? (size_t)rest : sizeof piece, in->file);

        if (got == 0)
            return ferror(in->file)
                       ? check_read(in, diag)
                       : cs_diag_set(diag, CS_ERR_FORMAT, in->name,
                                     "ends at byte 0x%llx, before --offset 0x%llx",
                                     (unsigned long long)done, (unsigned long long)bytes);
        done += got;
    }
    return CS_OK;
}

static cs_status read_file(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    input *in = ctx;
    size_t ahead = in->looked - in->given;

    if (ahead > bytes)
        ahead = bytes;
    memcpy(out, in->look + in->given, ahead);
    in->given += ahead;
    *got = ahead + take(in, out + ahead, bytes - ahead);
    return check_read(in, diag);
}

static cs_status look_ahead(input *in, cs_diag *diag)
{
    in->looked = take(in, in->look, sizeof in->look);
    return check_read(in, diag);
}

static cs_status write_stdout(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    return fwrite(text, 1, bytes, stdout) == bytes ? CS_OK : CS_ERR_IO;
}

/* ---- what can be read ---- */

typedef struct request {
    const struct reader *as; /* NULL: to be told from the file */
    const char *path;
    const char *catalog; /* NULL: none */
    cs_table_format format;
    uint64_t slots;          /* 0: not given */
    uint64_t buffer_bytes;   /* 0: not given */
    uint64_t offset, length; /* of what is decoded, in the file */
    bool power10;
} request;

typedef struct reader {
    const char *name;
    bool is_imc;
    cs_imc_domain domain; /* of an IMC format */
    cs_status (*print)(const request *request, const cs_byte_source *source,
                       const cs_text_sink *sink, cs_diag *diag);
} reader;

static const char *arm_name(void *ctx, uint32_t event)
{
    (void)ctx;
    return cs_arm_event_name(event);
}

static void append(cs_diag *diag, const char *text)
{
    strncat(diag->text, text, sizeof diag->text - strlen(diag->text) - 1);
}

static cs_status print_pmcu_aux(const request *request, const cs_byte_source *source,
                                const cs_text_sink *sink, cs_diag *diag)
{
    cs_pmcu_aux *aux = NULL;
    cs_status status =
        cs_pmcu_aux_open(source, request->path, (unsigned)request->slots, &aux, diag);

    if (status == CS_ERR_RANGE)
        append(diag, " (--slots N)");
    if (status == CS_ERR_FORMAT && request->as == NULL)
        append(diag, "; other formats: --as imc-trace, imc-core, imc-thread, imc-nest, "
                     "riscv-ring, sbi-snapshot");
    if (status == CS_OK)
        status = cs_pmcu_aux_print(aux, request->format, arm_name, NULL, sink, diag);
    cs_pmcu_aux_close(aux);
    return status;
}

static cs_status print_trace(const request *request, const cs_byte_source *source,
                             const cs_text_sink *sink, cs_diag *diag)
{
    cs_imc_trace *trace = NULL;
    cs_status status =
        cs_imc_trace_open(source, request->path, request->buffer_bytes, &trace, diag);

    if (status == CS_OK)
        status = cs_imc_trace_print(trace, request->format, request->power10, sink, diag);
    cs_imc_trace_close(trace);
    return status;
}

static cs_status print_memory(const request *request, const cs_byte_source *source,
                              const cs_text_sink *sink, cs_diag *diag)
{
    cs_imc_catalog *catalog = NULL;
    cs_imc_memory *memory = NULL;
    cs_status status = cs_imc_catalog_load(request->catalog, &catalog, diag);

    if (status == CS_OK)
        status =
            cs_imc_memory_open(source, request->path, catalog, request->as->domain, &memory, diag);
    if (status == CS_OK)
        status = cs_imc_memory_print(memory, request->format, request->power10, sink, diag);
    cs_imc_memory_close(memory);
    cs_imc_catalog_destroy(catalog);
    return status;
}

static cs_status print_ring(const request *request, const cs_byte_source *source,
                            const cs_text_sink *sink, cs_diag *diag)
{
    cs_perf_ring *ring = NULL;
    cs_status status = cs_perf_ring_open(source, request->path, CS_PERF_EITHER, &ring, diag);

    if (status == CS_OK)
        status = cs_perf_ring_print(ring, request->format, sink, diag);
    cs_perf_ring_close(ring);
    return status;
}

static cs_status print_snapshot(const request *request, const cs_byte_source *source,
                                const cs_text_sink *sink, cs_diag *diag)
{
    return cs_sbi_snapshot_print(source, request->path, request->format, sink, diag);
}

enum { PMCU_AUX, IMC_TRACE, IMC_CORE, IMC_THREAD, IMC_NEST, RISCV_RING, SBI_SNAPSHOT, NR_READERS };

static const reader readers[NR_READERS] = {
    [PMCU_AUX] = {"pmcu-aux", false, 0, print_pmcu_aux},
    [IMC_TRACE] = {"imc-trace", true, CS_IMC_DOMAIN_TRACE, print_trace},
    [IMC_CORE] = {"imc-core", true, CS_IMC_DOMAIN_CORE, print_memory},
    [IMC_THREAD] = {"imc-thread", true, CS_IMC_DOMAIN_THREAD, print_memory},
    [IMC_NEST] = {"imc-nest", true, CS_IMC_DOMAIN_NEST, print_memory},
    [RISCV_RING] = {"riscv-ring", false, 0, print_ring},
    [SBI_SNAPSHOT] = {"sbi-snapshot", false, 0, print_snapshot},
};

static const reader *reader_of(const char *name)
{
    for (unsigned i = 0; i < NR_READERS; i++)
        if (strcmp(name, readers[i].name) == 0)
            return &readers[i];
    return NULL;
}

/* ---- what the file is ---- */

static bool has_record(const input *in, size_t at)
{
    cs_imc_trace_record record;

    if (in->looked < at + CS_IMC_TRACE_RECORD_BYTES)
        return false;
    cs_imc_trace_decode(in->look + at, &record);
    return record.itself == CS_IMC_VALID;
}

/* A record holds its time twice: 64 bits that agree are no accident. Record 0 has lost its own
 * where the kernel has read the buffer. A ring has its header page or a record of a known type and
 * size. Images of counters look like nothing in particular, and are never guessed. */
static const reader *guess(const input *in)
{
    cs_pmcu_aux_header header;

    if (in->looked >= CS_PMCU_AUX_FIXED_BYTES &&
        cs_pmcu_aux_header_decode(in->look, in->name, &header, NULL) == CS_OK)
        return &readers[PMCU_AUX];
    if (cs_perf_ring_looks_so(in->look, in->looked))
        return &readers[RISCV_RING];
    if (has_record(in, 0) || has_record(in, CS_IMC_TRACE_RECORD_BYTES))
        return &readers[IMC_TRACE];
    return &readers[PMCU_AUX];
}

/* ---- the command ---- */

/* What the options demand of each other. */
static int check(const request *request, const reader *as)
{
    const bool memory = as->is_imc && as->domain != CS_IMC_DOMAIN_TRACE;

    if (memory && request->catalog == NULL)
        return cs_cli_usage(&cs_command_decode,
                            "--as %s needs --catalog FILE, the device tree of the events",
                            as->name);
    if (!memory && request->catalog != NULL)
        return cs_cli_usage(&cs_command_decode,
                            "--catalog is for imc-core, imc-thread and imc-nest, this is %s",
                            as->name);
    if (as != &readers[IMC_TRACE] && request->buffer_bytes != 0)
        return cs_cli_usage(&cs_command_decode, "--buffer-bytes is for imc-trace, this is %s",
                            as->name);
    if (as != &readers[PMCU_AUX] && request->slots != 0)
        return cs_cli_usage(&cs_command_decode, "--slots is for pmcu-aux, this is %s", as->name);
    if (!as->is_imc && request->power10)
        return cs_cli_usage(&cs_command_decode, "--power10 is for the imc formats, this is %s",
                            as->name);
    return EXIT_GOOD;
}

static int decode_open(const request *request, input *in)
{
    const cs_text_sink sink = {write_stdout, NULL};
    const cs_byte_source source = {read_file, in};
    cs_diag diag = {0};
    cs_status status = skip(in, request->offset, &diag);

    if (status == CS_OK)
        status = look_ahead(in, &diag);
    if (status != CS_OK)
        return cs_cli_fail(&diag);

    const reader *as = request->as != NULL ? request->as : guess(in);
    int exit_status = check(request, as);
    if (exit_status != EXIT_GOOD)
        return exit_status;
    status = as->print(request, &source, &sink, &diag);
    if (fflush(stdout) != 0 && status == CS_OK)
        status =
            cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int decode(const request *request)
{
    input in = {.file = fopen(request->path, "rb"), .name = request->path, .left = request->length};
    cs_diag diag = {0};
    int exit_status;

    if (in.file == NULL) {
        cs_diag_set(&diag, CS_ERR_IO, request->path, "cannot open: %s", strerror(errno));
        return cs_cli_fail(&diag);
    }
    exit_status = decode_open(request, &in);
    fclose(in.file);
    return exit_status;
}

/* One option's value into *request; EXIT_GOOD, or the status after a message. */
static int take_option(int letter, request *request)
{
    cs_diag diag = {0};

    switch (letter) {
    case 'f':
        if (cs_table_format_of(optarg, &request->format, &diag) != CS_OK)
            return cs_cli_usage(&cs_command_decode, "--format: %s", diag.text);
        return EXIT_GOOD;
    case 'a':
        request->as = reader_of(optarg);
        if (request->as == NULL)
            return cs_cli_usage(&cs_command_decode,
                                "--as: found '%s', expected pmcu-aux, imc-trace, imc-core, "
                                "imc-thread, imc-nest, riscv-ring or sbi-snapshot",
                                optarg);
        return EXIT_GOOD;
    case 'b':
        if (!cs_cli_number(optarg, UINT32_MAX, &request->buffer_bytes) ||
            request->buffer_bytes == 0 || request->buffer_bytes % CS_IMC_TRACE_RECORD_BYTES != 0)
            return cs_cli_usage(&cs_command_decode,
                                "--buffer-bytes: found '%s', expected a multiple of %u, "
                                "64..4294967232",
                                optarg, CS_IMC_TRACE_RECORD_BYTES);
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
    default:
        return EXIT_BAD_USE;
    }
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"as", required_argument, NULL, 'a'},      {"buffer-bytes", required_argument, NULL, 'b'},
        {"catalog", required_argument, NULL, 'k'}, {"format", required_argument, NULL, 'f'},
        {"power10", no_argument, NULL, 'p'},       {"slots", required_argument, NULL, 'c'},
        {"offset", required_argument, NULL, 'o'},  {"length", required_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    request wanted = {.format = CS_TABLE_TEXT, .length = UINT64_MAX};
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
    .summary = "print the samples of a dump, or the counters of a memory image",
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
        "Exit status: 0 good, 2 bad use or a damaged dump, 3 I/O.\n",
    .run = run,
};

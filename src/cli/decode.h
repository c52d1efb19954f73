/* What decode reads: a file, or a stretch of it, as one of the formats of a table. */
#ifndef CS_CLI_DECODE_H
#define CS_CLI_DECODE_H

#include <stdio.h>

#include "cli/cli.h"
#include "formats/common/byte_source.h"
#include "formats/common/table.h"
#include "formats/perf/read/print.h"

/* So much tells what a file is: two records of an IMC trace. */
#define CS_DECODE_LOOK_BYTES 128u

/* A file from its --offset on. Bytes are given in order; one that can be sought in also in any. */
typedef struct cs_decode_input {
    FILE *file;
    const char *name;
    const char *folder; /* of perf record --threads: `file` is the one called data; NULL: none */
    uint64_t offset;
    uint64_t left;                      /* of --length */
    uint8_t look[CS_DECODE_LOOK_BYTES]; /* its first bytes, read ahead */
    size_t looked;
    size_t given; /* of look */
} cs_decode_input;

/* Opens `path` ("-": standard input), passes over the offset and looks ahead. */
cs_status cs_decode_open(cs_decode_input *in, const char *path, uint64_t offset, uint64_t length,
                         cs_diag *diag);
void cs_decode_close(cs_decode_input *in);
cs_byte_source cs_decode_source(cs_decode_input *in);

/* False: it cannot be sought in. */
bool cs_decode_seek_source(cs_decode_input *in, cs_seek_source *source);

typedef struct cs_decode_request {
    const struct cs_decode_reader *as; /* NULL: to be told from the file */
    const char *path;
    const char *catalog; /* NULL: none */
    cs_table_format format;
    uint64_t slots;          /* 0: not given */
    uint64_t buffer_bytes;   /* 0: not given */
    uint64_t offset, length; /* of what is decoded, in the file */
    uint64_t stream;         /* of perf-data's --aux; CS_DECODE_ANY_STREAM: not given */
    const char *only;        /* NULL: all records */
    bool power10, header, aux, full;
} cs_decode_request;

#define CS_DECODE_ANY_STREAM UINT64_MAX

/* Which options a format takes. */
enum {
    CS_DECODE_SLOTS = 1u << 0,
    CS_DECODE_BUFFER_BYTES = 1u << 1,
    CS_DECODE_CATALOG = 1u << 2, /* and needs it */
    CS_DECODE_POWER10 = 1u << 3,
    CS_DECODE_PERF = 1u << 4,  /* --header, --aux, --only, --full */
    CS_DECODE_FOLDER = 1u << 5 /* is a folder: no --offset, no --length */
};

typedef struct cs_decode_reader {
    const char *name;
    unsigned takes; /* CS_DECODE_.. */
    int domain;     /* cs_imc_domain of an IMC format */
    cs_status (*print)(const cs_decode_request *request, cs_decode_input *in,
                       const cs_text_sink *sink, cs_diag *diag);
} cs_decode_reader;

/* By name; NULL: none is called so. */
const cs_decode_reader *cs_decode_reader_of(const char *name);

/* From the first bytes; what looks like nothing is taken for AUX data. */
const cs_decode_reader *cs_decode_guess(const cs_decode_input *in);

/* NULL: `path` is no folder of a format. */
const cs_decode_reader *cs_decode_guess_folder(const char *path);

/* Names of all formats in one line, as "pmcu-aux, imc-trace or ..". */
const char *cs_decode_names(void);

/* decode_perf_data.c */
cs_status cs_decode_perf_data(const cs_decode_request *request, cs_decode_input *in,
                              const cs_text_sink *sink, cs_diag *diag);

/* The Arm name of a PMCU event, for cs_pmcu_aux_print. */
const char *cs_decode_arm_name(void *ctx, uint32_t event);

#endif

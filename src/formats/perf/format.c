// SPDX-License-Identifier: Apache-2.0
/* perf.data: its records, its header, or the AUX data in it. */
#include "formats/perf/format.h"

#include <stdio.h>

#include "base/number.h"
#include "formats/formats.h"
#include "formats/perf/read/aux.h"
#include "formats/perf/read/parts.h"
#include "formats/perf/read/print.h"

/* ---- options ---- */

static cs_status check_only(const char *text, cs_diag *diag)
{
    cs_perfread_print_options options = {0};

    return cs_perfread_only(text, &options, diag);
}

static cs_status check_stream(const char *text, cs_diag *diag)
{
    uint64_t stream;

    return cs_number_of(text, UINT32_MAX, &stream)
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_RANGE, NULL, "found '%s', expected a number", text);
}

static const cs_format_option only = {
    .name = "only",
    .value = "TYPE,..",
    .help = "only records of these types, as SAMPLE,MMAP2",
    .check = check_only,
};
static const cs_format_option header = {
    .name = "header",
    .help = "what the header says, and the events",
};
static const cs_format_option aux = {
    .name = "aux",
    .help = "the AUX data, as a file of their own format",
};
static const cs_format_option stream = {
    .name = "stream",
    .value = "N",
    .help = "which AUX data, where there are several",
    .check = check_stream,
};
static const cs_format_option full = {
    .name = "full",
    .help = "raw bytes, stacks and lists whole",
};

static const cs_format_option *const options[] = {
    &only, &header, &aux, &stream, &full, NULL,
};

/* The next format whose AUX data may be in the file, from list place *at on; NULL: there is none. */
static const cs_format *next_aux(size_t *at)
{
    const cs_format *format;

    while ((format = cs_format_at((*at)++)) != NULL)
        if (format->aux_pmu != NULL)
            return format;
    return NULL;
}

/* Options of AUX data, given without any. */
static cs_status accepts_no_aux(const cs_format_print *print, cs_diag *diag)
{
    const cs_format *format;

    for (size_t at = 0; (format = next_aux(&at)) != NULL;)
        for (size_t i = 0; i < print->nr_given; i++)
            if (cs_format_takes(format, print->given[i].option))
                return cs_diag_set(diag, CS_ERR_USAGE, NULL, "--%s is for --aux of perf-data",
                                   print->given[i].option->name);
    return CS_OK;
}

static cs_status accepts(const cs_format_print *print, cs_diag *diag)
{
    const bool with_aux = cs_format_text(print, &aux) != NULL;

    if (with_aux && cs_format_text(print, &header) != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "--header and --aux are two things to print");
    if (!with_aux && cs_format_text(print, &stream) != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "--stream is for --aux");
    return with_aux ? CS_OK : accepts_no_aux(print, diag);
}

/* ---- what is printed ---- */

/* What a pipe says of itself is known when all of it has been read. */
static cs_status print_header(const cs_format_print *print, cs_perfread *reader,
                              const cs_text_sink *sink, cs_diag *diag)
{
    const cs_perfread_record *record = NULL;
    cs_status status = CS_OK;

    if (cs_perfread_get_facts(reader)->pipe)
        do
            status = cs_perfread_next(reader, &record, diag);
        while (status == CS_OK && record != NULL);
    cs_status printed = cs_perfread_print_facts(reader, print->table, sink, diag);
    return status != CS_OK ? status : printed;
}

/* Nobody reads the AUX data: whose they are, and whose would be read. */
static cs_status no_decoder(const cs_perfread_aux *data, const char *name, cs_diag *diag)
{
    const char *pmu = cs_perfread_aux_pmu(data, "");
    const cs_format *format;
    char words[160] = "";
    size_t used = 0, at = 0;

    for (size_t nr = 0; (format = next_aux(&at)) != NULL && used < sizeof words; nr++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s\"%s\"",
                                 nr != 0 ? " or " : "", format->aux_pmu);
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name,
                       "the AUX data are of PMU '%s', expected one whose name has %s in it: no "
                       "decoder for others",
                       pmu != NULL ? pmu : "?", words);
}

/* The AUX data of one stream, by the format of their PMU. */
static cs_status print_aux(const cs_format_print *print, const char *name, cs_perfread *reader,
                           const cs_text_sink *sink, cs_diag *diag)
{
    const int64_t index = (int64_t)cs_format_number(print, &stream, UINT64_MAX); /* -1: any */
    const cs_format *format;
    cs_perfread_aux data;
    size_t at = 0;
    cs_status status = cs_perfread_aux_begin(&data, reader, index, diag);

    if (status != CS_OK)
        return status;
    while ((format = next_aux(&at)) != NULL)
        if (cs_perfread_aux_pmu(&data, format->aux_pmu) != NULL)
            break;
    if (format == NULL)
        return no_decoder(&data, name, diag);
    const cs_byte_source source = cs_perfread_aux_source(&data);
    status = format->print_aux(print, &source, name, sink, diag);
    return status == CS_OK ? cs_perfread_aux_end(&data, diag) : status;
}

static cs_status print_records(const cs_format_print *print, cs_perfread *reader,
                               const cs_text_sink *sink, cs_diag *diag)
{
    cs_perfread_print_options how = {.format = print->table,
                                     .full = cs_format_text(print, &full) != NULL};
    const char *types = cs_format_text(print, &only);
    const cs_status status = types != NULL ? cs_perfread_only(types, &how, diag) : CS_OK;

    return status == CS_OK ? cs_perfread_print(reader, &how, sink, diag) : status;
}

static cs_status print_file(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    cs_perfread_parts *parts = NULL;
    cs_perfread *reader = NULL;
    cs_status status = cs_perfread_open_input(in, &parts, &reader, diag);

    if (status == CS_OK)
        status = cs_format_text(print, &header) != NULL ? print_header(print, reader, sink, diag)
                 : cs_format_text(print, &aux) != NULL
                     ? print_aux(print, in->name, reader, sink, diag)
                     : print_records(print, reader, sink, diag);
    cs_perfread_close(reader);
    cs_perfread_close_parts(parts);
    return status;
}

static const char *const aliases[] = {"perf", NULL};

const cs_format cs_format_perf_data = {
    .name = "perf-data",
    .aliases = aliases,
    .about = "perf.data of perf record or perf stat record, file or pipe, of any machine",
    .options = options,
    .looks_so = cs_perfread_looks_so,
    .accepts = accepts,
    .print = print_file,
    .carries_aux = true,
    .find = cs_perfread_find,
};

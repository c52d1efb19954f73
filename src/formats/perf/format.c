/* perf.data: its records, its header, or the AUX data in it. */
#include "formats/perf/format.h"

#include "base/number.h"
#include "formats/format.h"
#include "formats/perf/read/aux.h"
#include "formats/perf/read/parts.h"
#include "formats/perf/read/print.h"
#include "formats/pmcu/options.h"
#include "formats/pmcu/read/aux.h"
#include "formats/pmcu/read/aux_print.h"

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
    .help = "the AUX data of a PMCU, as of pmcu-aux",
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
    &only, &header, &aux, &stream, &cs_pmcu_option_slots, &full, NULL,
};

static cs_status accepts(const cs_format_print *print, cs_diag *diag)
{
    const bool with_aux = cs_format_text(print, &aux) != NULL;

    if (with_aux && cs_format_text(print, &header) != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "--header and --aux are two things to print");
    if (!with_aux && cs_format_text(print, &stream) != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "--stream is for --aux");
    if (!with_aux && cs_format_text(print, &cs_pmcu_option_slots) != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "--slots is for --aux of perf-data");
    return CS_OK;
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

/* The AUX data of one stream, as far as they are a PMCU's. */
static cs_status print_aux(const cs_format_print *print, const char *name, cs_perfread *reader,
                           const cs_text_sink *sink, cs_diag *diag)
{
    const int64_t index = (int64_t)cs_format_number(print, &stream, UINT64_MAX); /* -1: any */
    cs_perfread_aux data;
    cs_pmcu_aux *pmcu = NULL;
    cs_status status = cs_perfread_aux_begin(&data, reader, index, diag);

    if (status != CS_OK)
        return status;
    if (!cs_perfread_aux_is_pmcu(&data))
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name,
                           "the AUX data are of PMU '%s', expected one whose name has \"pmcu\" in "
                           "it: no decoder for others",
                           data.pmu != NULL ? data.pmu : "?");
    const cs_byte_source source = cs_perfread_aux_source(&data);
    status = cs_pmcu_aux_open(
        &source, name, (unsigned)cs_format_number(print, &cs_pmcu_option_slots, 0), &pmcu, diag);
    if (status == CS_OK)
        status = cs_pmcu_aux_print(pmcu, print->table, print->event_name, NULL, sink, diag);
    cs_pmcu_aux_close(pmcu);
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
    .find = cs_perfread_find,
};

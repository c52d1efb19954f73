/* perf.data: its records, its header, or the AUX data in it. */
#include <inttypes.h>
#include <string.h>

#include "cli/decode.h"
#include "formats/perf_read_aux.h"
#include "formats/pmcu_aux.h"
#include "formats/pmcu_aux_print.h"

static cs_status open_reader(cs_decode_input *in, cs_perfread **out, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_seek_source seek;

    return cs_decode_seek_source(in, &seek) ? cs_perfread_open(&seek, in->name, out, diag)
                                            : cs_perfread_open_pipe(&source, in->name, out, diag);
}

/* What a pipe says of itself is known when all of it has been read. */
static cs_status print_header(const cs_decode_request *request, cs_perfread *reader,
                              const cs_text_sink *sink, cs_diag *diag)
{
    const cs_perfread_record *record = NULL;
    cs_status status = CS_OK;

    if (cs_perfread_get_facts(reader)->pipe)
        do
            status = cs_perfread_next(reader, &record, diag);
        while (status == CS_OK && record != NULL);
    cs_status printed = cs_perfread_print_facts(reader, request->format, sink, diag);
    return status != CS_OK ? status : printed;
}

/* The AUX data of one stream, as far as they are a PMCU's. */
static cs_status print_aux(const cs_decode_request *request, cs_perfread *reader,
                           const cs_text_sink *sink, cs_diag *diag)
{
    cs_perfread_aux stream;
    cs_pmcu_aux *aux = NULL;
    cs_status status = cs_perfread_aux_begin(
        &stream, reader, request->stream == CS_DECODE_ANY_STREAM ? -1 : (int64_t)request->stream,
        diag);

    if (status != CS_OK)
        return status;
    if (!cs_perfread_aux_is_pmcu(&stream))
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, request->path,
                           "the AUX data are of PMU '%s', expected one whose name has \"pmcu\" in "
                           "it: no decoder for others",
                           stream.pmu != NULL ? stream.pmu : "?");
    const cs_byte_source source = cs_perfread_aux_source(&stream);
    status = cs_pmcu_aux_open(&source, request->path, (unsigned)request->slots, &aux, diag);
    if (status == CS_OK)
        status = cs_pmcu_aux_print(aux, request->format, cs_decode_arm_name, NULL, sink, diag);
    cs_pmcu_aux_close(aux);
    return status == CS_OK ? cs_perfread_aux_end(&stream, diag) : status;
}

cs_status cs_decode_perf_data(const cs_decode_request *request, cs_decode_input *in,
                              const cs_text_sink *sink, cs_diag *diag)
{
    cs_perfread_print_options options = {.format = request->format, .full = request->full};
    cs_perfread *reader = NULL;
    cs_status status = CS_OK;

    if (request->only != NULL)
        status = cs_perfread_only(request->only, &options, diag);
    if (status == CS_OK)
        status = open_reader(in, &reader, diag);
    if (status == CS_OK)
        status = request->header ? print_header(request, reader, sink, diag)
                 : request->aux  ? print_aux(request, reader, sink, diag)
                                 : cs_perfread_print(reader, &options, sink, diag);
    cs_perfread_close(reader);
    return status;
}

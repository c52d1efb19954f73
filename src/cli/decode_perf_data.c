/* perf.data: its records, its header, or the AUX data in it. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/decode.h"
#include "formats/perf/read/aux.h"
#include "formats/pmcu/read/aux.h"
#include "formats/pmcu/read/aux_print.h"

#define MOST_PARTS 4096u /* one a CPU */

/* The files of a folder. */
typedef struct parts {
    cs_decode_input list[MOST_PARTS];
    char names[MOST_PARTS][512];
    unsigned nr;
} parts;

/* data.0, data.1, .. */
static cs_status add_parts(const char *folder, parts *p, cs_perfread *reader, cs_diag *diag)
{
    cs_status status = CS_OK;

    while (status == CS_OK && p->nr < MOST_PARTS) {
        cs_decode_input *in = &p->list[p->nr];
        char *name = p->names[p->nr];
        cs_seek_source seek;

        if ((size_t)snprintf(name, sizeof p->names[0], "%s/data.%u", folder, p->nr) >=
                sizeof p->names[0] ||
            access(name, F_OK) != 0)
            break;
        p->nr++;
        status = cs_decode_open(in, name, 0, UINT64_MAX, diag);
        if (status == CS_OK && !cs_decode_seek_source(in, &seek))
            status = cs_diag_set(diag, CS_ERR_IO, name, "is no plain file");
        if (status == CS_OK)
            status = cs_perfread_add_part(reader, &seek, name, diag);
    }
    return status;
}

static cs_status open_reader(cs_decode_input *in, parts *p, cs_perfread **out, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_seek_source seek;
    cs_status status = cs_decode_seek_source(in, &seek)
                           ? cs_perfread_open(&seek, in->name, out, diag)
                           : cs_perfread_open_pipe(&source, in->name, out, diag);

    return status == CS_OK && in->folder != NULL ? add_parts(in->folder, p, *out, diag) : status;
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
    parts *p = calloc(1, sizeof *p);
    cs_status status =
        p != NULL ? CS_OK : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory to decode");

    if (status == CS_OK && request->only != NULL)
        status = cs_perfread_only(request->only, &options, diag);
    if (status == CS_OK)
        status = open_reader(in, p, &reader, diag);
    if (status == CS_OK)
        status = request->header ? print_header(request, reader, sink, diag)
                 : request->aux  ? print_aux(request, reader, sink, diag)
                                 : cs_perfread_print(reader, &options, sink, diag);
    cs_perfread_close(reader);
    for (unsigned i = 0; p != NULL && i < p->nr; i++)
        cs_decode_close(&p->list[i]);
    free(p);
    return status;
}

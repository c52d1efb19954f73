// SPDX-License-Identifier: Apache-2.0
/* Timelines for Perfetto, in two flavours. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/perfetto/read/json.h"
#include "formats/perfetto/read/proto.h"

#define BLOCK_BYTES 64u

static bool looks_so(const uint8_t *look, size_t bytes)
{
    return cs_traceread_looks_so(look, bytes) || cs_perfettoread_looks_so(look, bytes);
}

static cs_status print_json(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_traceread *reader = NULL;
    cs_status status = cs_traceread_open(&source, in->name, &reader, diag);

    if (status == CS_OK)
        status = cs_traceread_print(reader, print->table, sink, diag);
    cs_traceread_close(reader);
    return status;
}

static cs_status print_proto(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                             cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_perfettoread *reader = NULL;
    cs_status status = cs_perfettoread_open(&source, in->name, &reader, diag);

    if (status == CS_OK)
        status = cs_perfettoread_print(reader, print->table, sink, diag);
    cs_perfettoread_close(reader);
    return status;
}

static cs_status print_timeline(const cs_format_print *print, cs_input *in,
                                const cs_text_sink *sink, cs_diag *diag)
{
    return cs_perfettoread_is_json(in->look, in->looked) ? print_json(print, in, sink, diag)
                                                         : print_proto(print, in, sink, diag);
}

/* An event of JSON is a line; of protocol buffers nothing is known. */
static void find_events(cs_damage_finder *find)
{
    const size_t bytes = find->size < CS_INPUT_LOOK_BYTES ? find->size : CS_INPUT_LOOK_BYTES;

    if (cs_perfettoread_is_json(find->bytes, bytes))
        cs_damage_add_lines(find);
    else
        cs_damage_add_blocks(find, 0, BLOCK_BYTES);
}

const cs_format cs_format_perfetto = {
    .name = "perfetto",
    .about = "Trace Event JSON, or Perfetto's protocol buffers",
    .looks_so = looks_so,
    .print = print_timeline,
    .find = find_events,
};

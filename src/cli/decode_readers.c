/* The formats that decode knows, and how it tells which one a file is. */
#include <string.h>

#include "cli/decode.h"
#include "formats/ctf/read/ctf.h"
#include "formats/imc/read/memory_print.h"
#include "formats/imc/read/record_print.h"
#include "formats/perfetto/read/json.h"
#include "formats/perfetto/read/proto.h"
#include "formats/pmcu/read/aux.h"
#include "formats/pmcu/read/aux_print.h"
#include "formats/riscv/read/ring.h"
#include "formats/riscv/read/snapshot.h"
#include "formats/table/read/table.h"
#include "scenario/corepmu/arm_events.h"

const char *cs_decode_arm_name(void *ctx, uint32_t event)
{
    (void)ctx;
    return cs_arm_event_name(event);
}

static void append(cs_diag *diag, const char *text)
{
    strncat(diag->text, text, sizeof diag->text - strlen(diag->text) - 1);
}

static cs_status print_pmcu_aux(const cs_decode_request *request, cs_decode_input *in,
                                const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_pmcu_aux *aux = NULL;
    cs_status status =
        cs_pmcu_aux_open(&source, request->path, (unsigned)request->slots, &aux, diag);

    if (status == CS_ERR_RANGE)
        append(diag, " (--slots N)");
    if (status == CS_ERR_FORMAT && request->as == NULL)
        append(diag, "; taken for pmcu-aux; other formats: --as imc-trace, imc-core, imc-thread, "
                     "imc-nest, riscv-ring, sbi-snapshot, perf-data, csv, json, perfetto");
    if (status == CS_OK)
        status = cs_pmcu_aux_print(aux, request->format, cs_decode_arm_name, NULL, sink, diag);
    cs_pmcu_aux_close(aux);
    return status;
}

static cs_status print_trace(const cs_decode_request *request, cs_decode_input *in,
                             const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_imc_trace *trace = NULL;
    cs_status status =
        cs_imc_trace_open(&source, request->path, request->buffer_bytes, &trace, diag);

    if (status == CS_OK)
        status = cs_imc_trace_print(trace, request->format, request->power10, sink, diag);
    cs_imc_trace_close(trace);
    return status;
}

static cs_status print_memory(const cs_decode_request *request, cs_decode_input *in,
                              const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_imc_catalog *catalog = NULL;
    cs_imc_memory *memory = NULL;
    cs_status status = cs_imc_catalog_load(request->catalog, &catalog, diag);

    if (status == CS_OK)
        status = cs_imc_memory_open(&source, request->path, catalog,
                                    (cs_imc_domain)request->as->domain, &memory, diag);
    if (status == CS_OK)
        status = cs_imc_memory_print(memory, request->format, request->power10, sink, diag);
    cs_imc_memory_close(memory);
    cs_imc_catalog_destroy(catalog);
    return status;
}

static cs_status print_ring(const cs_decode_request *request, cs_decode_input *in,
                            const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_perf_ring *ring = NULL;
    cs_status status = cs_perf_ring_open(&source, request->path, CS_PERF_EITHER, &ring, diag);

    if (status == CS_OK)
        status = cs_perf_ring_print(ring, request->format, sink, diag);
    cs_perf_ring_close(ring);
    return status;
}

static cs_status print_snapshot(const cs_decode_request *request, cs_decode_input *in,
                                const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);

    return cs_sbi_snapshot_print(&source, request->path, request->format, sink, diag);
}

static cs_status print_table(const cs_decode_request *request, cs_decode_input *in,
                             cs_table_format format, const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_tableread *table = NULL;
    cs_status status = cs_tableread_open(&source, request->path, format, &table, diag);

    if (status == CS_OK)
        status = cs_tableread_print(table, request->format, sink, diag);
    cs_tableread_close(table);
    return status;
}

static cs_status print_csv(const cs_decode_request *request, cs_decode_input *in,
                           const cs_text_sink *sink, cs_diag *diag)
{
    return print_table(request, in, CS_TABLE_CSV, sink, diag);
}

static cs_status print_json(const cs_decode_request *request, cs_decode_input *in,
                            const cs_text_sink *sink, cs_diag *diag)
{
    return print_table(request, in, CS_TABLE_JSON, sink, diag);
}

static cs_status print_trace_events(const cs_decode_request *request, cs_decode_input *in,
                                    const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_traceread *reader = NULL;
    cs_status status = cs_traceread_open(&source, request->path, &reader, diag);

    if (status == CS_OK)
        status = cs_traceread_print(reader, request->format, sink, diag);
    cs_traceread_close(reader);
    return status;
}

static cs_status print_perfetto(const cs_decode_request *request, cs_decode_input *in,
                                const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_decode_source(in);
    cs_perfettoread *reader = NULL;

    if (cs_perfettoread_is_json(in->look, in->looked))
        return print_trace_events(request, in, sink, diag);
    cs_status status = cs_perfettoread_open(&source, request->path, &reader, diag);
    if (status == CS_OK)
        status = cs_perfettoread_print(reader, request->format, sink, diag);
    cs_perfettoread_close(reader);
    return status;
}

/* A folder: `in` has no file. */
static cs_status print_ctf(const cs_decode_request *request, cs_decode_input *in,
                           const cs_text_sink *sink, cs_diag *diag)
{
    cs_ctfread *reader = NULL;
    cs_status status = cs_ctfread_open(request->path, &reader, diag);

    (void)in;
    if (status == CS_OK)
        status = cs_ctfread_print(reader, request->format, sink, diag);
    cs_ctfread_close(reader);
    return status;
}

enum {
    PMCU_AUX,
    IMC_TRACE,
    IMC_CORE,
    IMC_THREAD,
    IMC_NEST,
    RISCV_RING,
    SBI_SNAPSHOT,
    PERF_DATA,
    CSV,
    JSON,
    PERFETTO,
    CTF,
    NR_READERS
};

#define MEMORY (CS_DECODE_CATALOG | CS_DECODE_POWER10)

static const cs_decode_reader readers[NR_READERS] = {
    [PMCU_AUX] = {"pmcu-aux", CS_DECODE_SLOTS, 0, print_pmcu_aux},
    [IMC_TRACE] = {"imc-trace", CS_DECODE_BUFFER_BYTES | CS_DECODE_POWER10, CS_IMC_DOMAIN_TRACE,
                   print_trace},
    [IMC_CORE] = {"imc-core", MEMORY, CS_IMC_DOMAIN_CORE, print_memory},
    [IMC_THREAD] = {"imc-thread", MEMORY, CS_IMC_DOMAIN_THREAD, print_memory},
    [IMC_NEST] = {"imc-nest", MEMORY, CS_IMC_DOMAIN_NEST, print_memory},
    [RISCV_RING] = {"riscv-ring", 0, 0, print_ring},
    [SBI_SNAPSHOT] = {"sbi-snapshot", 0, 0, print_snapshot},
    [PERF_DATA] = {"perf-data", CS_DECODE_SLOTS | CS_DECODE_PERF, 0, cs_decode_perf_data},
    [CSV] = {"csv", 0, 0, print_csv},
    [JSON] = {"json", 0, 0, print_json},
    [PERFETTO] = {"perfetto", 0, 0, print_perfetto},
    [CTF] = {"ctf", CS_DECODE_FOLDER, 0, print_ctf},
};

const cs_decode_reader *cs_decode_reader_of(const char *name)
{
    for (unsigned i = 0; i < NR_READERS; i++)
        if (strcmp(name, readers[i].name) == 0)
            return &readers[i];
    return NULL;
}

const cs_decode_reader *cs_decode_guess_folder(const char *path)
{
    return cs_ctfread_looks_so(path) ? &readers[CTF] : NULL;
}

const char *cs_decode_names(void)
{
    return "pmcu-aux, imc-trace, imc-core, imc-thread, imc-nest, riscv-ring, sbi-snapshot, "
           "perf-data, csv, json, perfetto or ctf";
}

/* ---- what the file is ---- */

static bool has_record(const cs_decode_input *in, size_t at)
{
    cs_imc_trace_record record;

    if (in->looked < at + CS_IMC_TRACE_RECORD_BYTES)
        return false;
    cs_imc_trace_decode(in->look + at, &record);
    return record.itself == CS_IMC_VALID;
}

/* perf.data has a magic. A record holds its time twice: 64 bits that agree are no accident. Record
 * 0 has lost its own where the kernel has read the buffer. A ring has its header page or a record
 * of a known type and size. Images of counters look like nothing in particular, and are never
 * guessed. */
const cs_decode_reader *cs_decode_guess(const cs_decode_input *in)
{
    cs_pmcu_aux_header header;

    if (cs_perfread_looks_so(in->look, in->looked))
        return &readers[PERF_DATA];
    if (cs_tableread_is_csv(in->look, in->looked))
        return &readers[CSV];
    if (cs_tableread_is_json(in->look, in->looked))
        return &readers[JSON];
    if (cs_traceread_looks_so(in->look, in->looked) ||
        cs_perfettoread_looks_so(in->look, in->looked))
        return &readers[PERFETTO];
    if (in->looked >= CS_PMCU_AUX_FIXED_BYTES &&
        cs_pmcu_aux_header_decode(in->look, in->name, &header, NULL) == CS_OK)
        return &readers[PMCU_AUX];
    if (cs_perf_ring_looks_so(in->look, in->looked))
        return &readers[RISCV_RING];
    if (has_record(in, 0) || has_record(in, CS_IMC_TRACE_RECORD_BYTES))
        return &readers[IMC_TRACE];
    return &readers[PMCU_AUX];
}

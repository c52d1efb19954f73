// SPDX-License-Identifier: Apache-2.0
/* What POWER's IMC leaves in memory: trace buffers, and images of what it accumulated. */
#include "formats/format.h"
#include "base/number.h"
#include "formats/damage/finder.h"
#include "formats/imc/read/memory_print.h"
#include "formats/imc/read/nest.h"
#include "formats/imc/read/record_print.h"

/* ---- options ---- */

static cs_status check_buffer_bytes(const char *text, cs_diag *diag)
{
    uint64_t bytes;

    return cs_number_of(text, UINT32_MAX, &bytes) && bytes != 0 &&
                   bytes % CS_IMC_TRACE_RECORD_BYTES == 0
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_RANGE, NULL,
                             "found '%s', expected a multiple of %u, 64..4294967232", text,
                             CS_IMC_TRACE_RECORD_BYTES);
}

static const cs_format_option buffer_bytes = {
    .name = "buffer-bytes",
    .value = "N",
    .help = "bytes of each buffer, a multiple of 64 (default: 262144)",
    .check = check_buffer_bytes,
};
static const cs_format_option catalog = {
    .name = "catalog",
    .value = "FILE",
    .help = "the events, as device tree source or blob; required",
    .what = "the device tree of the events",
};
static const cs_format_option power10 = {
    .name = "power10",
    .help = "from a POWER10 (default: of its run, else POWER9)",
    .key = "imc.variant",
};

/* ---- records ---- */

static bool has_record(const uint8_t *look, size_t bytes, size_t at)
{
    cs_imc_trace_record record;

    if (bytes < at + CS_IMC_TRACE_RECORD_BYTES)
        return false;
    cs_imc_trace_decode(look + at, &record);
    return record.itself == CS_IMC_VALID;
}

/* A record holds its time twice: 64 bits that agree are no accident. Record 0 has lost its own where the
 * kernel has read the buffer. */
static bool looks_like_records(const uint8_t *look, size_t bytes)
{
    return has_record(look, bytes, 0) || has_record(look, bytes, CS_IMC_TRACE_RECORD_BYTES);
}

static cs_status print_records(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                               cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_imc_trace *trace = NULL;
    cs_status status = cs_imc_trace_open(&source, in->name,
                                         cs_format_number(print, &buffer_bytes, 0), &trace, diag);

    if (status == CS_OK)
        status = cs_imc_trace_print(trace, print->table, cs_format_text(print, &power10) != NULL,
                                    sink, diag);
    cs_imc_trace_close(trace);
    return status;
}

static void find_records(cs_damage_finder *find)
{
    find->out->big_endian = true;
    cs_damage_add_blocks(find, 0, CS_IMC_TRACE_RECORD_BYTES);
}

static const cs_format_option *const record_options[] = {&buffer_bytes, &power10, NULL};
static const char *const record_aliases[] = {"imc", NULL};

const cs_format cs_format_imc_trace = {
    .name = "imc-trace",
    .aliases = record_aliases,
    .about = "trace buffers of POWER's IMC",
    .options = record_options,
    .weak = true,
    .looks_so = looks_like_records,
    .print = print_records,
    .find = find_records,
};

/* ---- images ---- */

static cs_status print_memory(const cs_format_print *print, cs_input *in, cs_imc_domain domain,
                              const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_imc_catalog *events = NULL;
    cs_imc_memory *memory = NULL;
    cs_status status = cs_imc_catalog_load(cs_format_text(print, &catalog), &events, diag);

    if (status == CS_OK)
        status = cs_imc_memory_open(&source, in->name, events, domain, &memory, diag);
    if (status == CS_OK)
        status = cs_imc_memory_print(memory, print->table, cs_format_text(print, &power10) != NULL,
                                     sink, diag);
    cs_imc_memory_close(memory);
    cs_imc_catalog_destroy(events);
    return status;
}

static cs_status print_core(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    return print_memory(print, in, CS_IMC_DOMAIN_CORE, sink, diag);
}

static cs_status print_thread(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                              cs_diag *diag)
{
    return print_memory(print, in, CS_IMC_DOMAIN_THREAD, sink, diag);
}

static cs_status print_nest(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    return print_memory(print, in, CS_IMC_DOMAIN_NEST, sink, diag);
}

static void find_images(cs_damage_finder *find)
{
    find->out->big_endian = true;
    cs_damage_add_blocks(find, 0, CS_IMC_IMAGE_BYTES);
}

static void find_windows(cs_damage_finder *find)
{
    find->out->big_endian = true;
    cs_damage_add_blocks(find, 0, CS_IMC_NEST_WINDOW_BYTES);
}

static const cs_format_option *const memory_options[] = {&catalog, &power10, NULL};
static const char *const core_aliases[] = {"core-imc", NULL};
static const char *const thread_aliases[] = {"thread-imc", NULL};
static const char *const nest_aliases[] = {"nest-imc", NULL};

const cs_format cs_format_imc_core = {
    .name = "imc-core",
    .aliases = core_aliases,
    .about = "core images that IMC accumulated, 8 KiB each",
    .options = memory_options,
    .print = print_core,
    .find = find_images,
};
const cs_format cs_format_imc_thread = {
    .name = "imc-thread",
    .aliases = thread_aliases,
    .about = "thread images, 8 KiB each",
    .options = memory_options,
    .print = print_thread,
    .find = find_images,
};
const cs_format cs_format_imc_nest = {
    .name = "imc-nest",
    .aliases = nest_aliases,
    .about = "nest windows, 256 KiB each",
    .options = memory_options,
    .print = print_nest,
    .find = find_windows,
};

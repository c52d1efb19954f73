// SPDX-License-Identifier: Apache-2.0
/* AUX data of HiSilicon's PMCU. */
#include <string.h>

#include "base/number.h"
#include "formats/damage/finder.h"
#include "formats/format.h"
#include "formats/pmcu/read/aux.h"
#include "formats/pmcu/read/aux_print.h"

#define MOST_SLOTS 8u

static cs_status check_slots(const char *text, cs_diag *diag)
{
    uint64_t slots;

    return cs_number_of(text, MOST_SLOTS, &slots) && slots != 0
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_RANGE, NULL, "found '%s', expected 1..%u", text,
                             MOST_SLOTS);
}

static const cs_format_option option_slots = {
    .name = "slots",
    .value = "N",
    .help = "CPU slots per cluster, 1..8 (default: of its run, else 8)",
    .check = check_slots,
    .key = "pmcu.slots",
    .other_key = "die.slots",
};

static const cs_format_option *const options[] = {&option_slots, NULL};

static bool looks_so(const uint8_t *look, size_t bytes)
{
    cs_pmcu_aux_header header;

    return bytes >= CS_PMCU_AUX_FIXED_BYTES &&
           cs_pmcu_aux_header_decode(look, NULL, &header, NULL) == CS_OK;
}

static cs_status print_aux(const cs_format_print *print, const cs_byte_source *source,
                           const char *name, const cs_text_sink *sink, cs_diag *diag)
{
    const unsigned slots = (unsigned)cs_format_number(print, &option_slots, 0);
    cs_pmcu_aux *aux = NULL;
    cs_status status = cs_pmcu_aux_open(source, name, slots, &aux, diag);

    if (status == CS_ERR_RANGE && diag != NULL)
        strncat(diag->text, " (--slots N)", sizeof diag->text - strlen(diag->text) - 1);
    if (status == CS_OK)
        status = cs_pmcu_aux_print(aux, print->table, print->event_name, NULL, sink, diag);
    cs_pmcu_aux_close(aux);
    return status;
}

static cs_status print_file(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);

    return print_aux(print, &source, in->name, sink, diag);
}

/* Samples; what is left of each buffer is no sample. */
static void find_aux(cs_damage_finder *find)
{
    static const char *const names[CS_PMCU_AUX_WORDS] = {
        "buffer_size",           "nr_pmu",  "nr_cpu", "comp_mode", "subsample_size",
        "subsamples_per_sample", "nr_event"};
    cs_pmcu_aux_header header;

    for (unsigned i = 0; i < CS_PMCU_AUX_WORDS; i++)
        cs_damage_add_field(find, (uint64_t)4 * i, 4, names[i]);
    if (find->size < CS_PMCU_AUX_FIXED_BYTES ||
        cs_pmcu_aux_header_decode(find->bytes, NULL, &header, NULL) != CS_OK)
        return;
    const uint64_t sample = (uint64_t)header.subsample_size * header.subsamples_per_sample;
    uint64_t at = cs_pmcu_aux_header_bytes(header.nr_event);
    for (;;) {
        const uint64_t rest = header.buffer_size - at % header.buffer_size;

        if (rest < sample)
            at += rest;
        if (!cs_damage_add(find, at, sample))
            return;
        at += sample;
    }
}

static const char *const aliases[] = {"aux", NULL};

const cs_format cs_format_pmcu_aux = {
    .name = "pmcu-aux",
    .aliases = aliases,
    .about = "AUX data of HiSilicon's PMCU",
    .options = options,
    .otherwise = true,
    .looks_so = looks_so,
    .print = print_file,
    .aux_pmu = "pmcu",
    .print_aux = print_aux,
    .find = find_aux,
};

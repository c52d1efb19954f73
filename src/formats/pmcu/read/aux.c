// SPDX-License-Identifier: Apache-2.0
#include "formats/pmcu/read/aux.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/common/little.h"

#define NAME_BYTES 256

struct cs_pmcu_aux {
    cs_byte_source source;
    char name[NAME_BYTES];
    unsigned slots;
    uint64_t position; /* of the next byte */
    cs_pmcu_aux_header header;
    cs_pmcu_aux_subsample at;
    uint64_t next_sample;
    uint32_t next_subsample;
    uint8_t *bytes; /* one subsample */
};

/* Fewer bytes than asked for are no error here. */
static cs_status take(cs_pmcu_aux *aux, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    cs_status status = aux->source.read(aux->source.ctx, out, bytes, got, diag);

    if (status != CS_OK)
        return status;
    if (*got > bytes)
        *got = bytes;
    aux->position += *got;
    return CS_OK;
}

static cs_status take_header_part(cs_pmcu_aux *aux, uint8_t *out, size_t bytes, cs_diag *diag)
{
    uint64_t end = aux->position + bytes;
    size_t got = 0;
    cs_status status = take(aux, out, bytes, &got, diag);

    if (status == CS_OK && got < bytes)
        return cs_diag_set(diag, CS_ERR_FORMAT, aux->name,
                           "byte %" PRIu64 ": the data end within the PMCU AUX header, which "
                           "reaches to byte %" PRIu64,
                           aux->position, end);
    return status;
}

static cs_status take_header(cs_pmcu_aux *aux, cs_diag *diag)
{
    uint8_t bytes[CS_PMCU_AUX_MAX_HEADER_BYTES];
    cs_pmcu_aux_header *header = &aux->header;
    cs_status status = take_header_part(aux, bytes, CS_PMCU_AUX_FIXED_BYTES, diag);

    if (status == CS_OK)
        status = cs_pmcu_aux_header_decode(bytes, aux->name, header, diag);
    if (status != CS_OK)
        return status;
    status = take_header_part(
        aux, bytes, cs_pmcu_aux_header_bytes(header->nr_event) - CS_PMCU_AUX_FIXED_BYTES, diag);
    return status == CS_OK ? cs_pmcu_aux_events_decode(bytes, aux->name, header, diag) : status;
}

cs_status cs_pmcu_aux_open(const cs_byte_source *source, const char *name, unsigned slots,
                           cs_pmcu_aux **out, cs_diag *diag)
{
    cs_pmcu_aux *aux = calloc(1, sizeof *aux);

    *out = NULL;
    if (aux == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory to read PMCU AUX data");
    aux->source = *source;
    snprintf(aux->name, sizeof aux->name, "%s", name != NULL ? name : "");
    aux->slots = slots != 0 ? slots : CS_PMCU_AUX_SLOTS;

    cs_status status = take_header(aux, diag);
    if (status == CS_OK && aux->header.nr_cpu % aux->slots != 0)
        status = cs_diag_set(diag, CS_ERR_RANGE, aux->name,
                             "%" PRIu32 " CPUs are not a whole number of clusters of %u slots; "
                             "give the number of slots per cluster of this die (--slots)",
                             aux->header.nr_cpu, aux->slots);
    if (status == CS_OK && (aux->bytes = malloc(aux->header.subsample_size)) == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, aux->name, "no memory for a subsample");
    if (status != CS_OK) {
        cs_pmcu_aux_close(aux);
        return status;
    }
    *out = aux;
    return CS_OK;
}

void cs_pmcu_aux_close(cs_pmcu_aux *aux)
{
    if (aux == NULL)
        return;
    free(aux->bytes);
    free(aux);
}

const cs_pmcu_aux_header *cs_pmcu_aux_get_header(const cs_pmcu_aux *aux)
{
    return &aux->header;
}

/* Where the rest of the buffer holds no whole sample, the next one is in the next buffer. Data
 * may end anywhere in such a gap. */
static cs_status skip_gap(cs_pmcu_aux *aux, cs_diag *diag)
{
    const cs_pmcu_aux_header *header = &aux->header;
    uint64_t sample = (uint64_t)header->subsample_size * header->subsamples_per_sample;
    uint64_t rest = header->buffer_size - aux->position % header->buffer_size;

    if (rest >= sample)
        return CS_OK;
    while (rest > 0) {
        size_t part = rest < header->subsample_size ? (size_t)rest : header->subsample_size;
        size_t got = 0;
        cs_status status = take(aux, aux->bytes, part, &got, diag);

        if (status != CS_OK || got < part)
            return status;
        rest -= part;
    }
    return CS_OK;
}

cs_status cs_pmcu_aux_next(cs_pmcu_aux *aux, const cs_pmcu_aux_subsample **out, cs_diag *diag)
{
    const cs_pmcu_aux_header *header = &aux->header;
    cs_status status = CS_OK;
    size_t got = 0;

    *out = NULL;
    if (aux->next_subsample == 0)
        status = skip_gap(aux, diag);
    if (status != CS_OK)
        return status;

    uint64_t offset = aux->position;
    status = take(aux, aux->bytes, header->subsample_size, &got, diag);
    if (status != CS_OK || (got == 0 && aux->next_subsample == 0))
        return status;
    if (got < header->subsample_size)
        return cs_diag_set(diag, CS_ERR_FORMAT, aux->name,
                           "byte %" PRIu64 ": the data end within sample %" PRIu64
                           ", subsample %" PRIu32 ", which reaches to byte %" PRIu64,
                           aux->position, aux->next_sample, aux->next_subsample,
                           offset + header->subsample_size);

    aux->at = (cs_pmcu_aux_subsample){
        .sample = aux->next_sample,
        .subsample = aux->next_subsample,
        .offset = offset,
        .events = header->events + (size_t)aux->next_subsample * header->nr_pmu,
        .nr_events = header->nr_pmu,
        .has_cycles = header->comp_mode == 0,
    };
    if (++aux->next_subsample == header->subsamples_per_sample) {
        aux->next_subsample = 0;
        aux->next_sample++;
    }
    *out = &aux->at;
    return CS_OK;
}

void cs_pmcu_aux_get_row(const cs_pmcu_aux *aux, uint32_t cpu, cs_pmcu_aux_row *row)
{
    const cs_pmcu_aux_header *header = &aux->header;
    const size_t nr_cpu = header->nr_cpu;
    /* The slot is the outer index: idx = c * clusters + k. */
    const size_t idx = cpu % aux->slots * (nr_cpu / aux->slots) + cpu / aux->slots;
    const uint8_t *field = aux->bytes + 8 * nr_cpu;

    *row = (cs_pmcu_aux_row){
        .cid1 = cs_little_get32(aux->bytes + 4 * idx),
        .cid2 = cs_little_get32(aux->bytes + 4 * nr_cpu + 4 * idx),
    };
    for (uint32_t i = 0; i < header->nr_pmu; i++, field += 8 * nr_cpu)
        row->counts[i] = cs_little_get64(field + 8 * idx);
    if (header->comp_mode == 0)
        row->cycles = cs_little_get64(field + 8 * idx);
}

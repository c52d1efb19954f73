// SPDX-License-Identifier: Apache-2.0
#include "formats/perf/read/aux.h"

#include <inttypes.h>
#include <string.h>

/* The next AUXTRACE record of the stream; *found false at the end of the file. */
static cs_status find(cs_perfread_aux *aux, bool *found, cs_diag *diag)
{
    const cs_perfread_record *record = NULL;
    cs_status status;

    *found = false;
    while ((status = cs_perfread_next(aux->reader, &record, diag)) == CS_OK && record != NULL) {
        if (record->type != CS_PERFREAD_AUXTRACE)
            continue;
        if (record->auxtrace.idx != aux->idx && aux->any)
            return cs_diag_set(diag, CS_ERR_FORMAT, NULL,
                               "byte %" PRIu64 ": AUX data of stream %" PRIu32
                               " behind some of stream %" PRIu32 ", expected one; say which "
                               "(--stream N)",
                               record->offset, record->auxtrace.idx, aux->idx);
        if (record->auxtrace.idx != aux->idx)
            continue;
        if (record->auxtrace.offset != aux->offset)
            return cs_diag_set(diag, CS_ERR_FORMAT, NULL,
                               "byte %" PRIu64 ": AUX data from 0x%" PRIx64
                               " on, expected 0x%" PRIx64 ", where the last ended",
                               record->offset, record->auxtrace.offset, aux->offset);
        aux->offset += record->auxtrace.bytes;
        *found = true;
        return CS_OK;
    }
    aux->ended = status == CS_OK;
    return status;
}

const char *cs_perfread_aux_pmu(const cs_perfread_aux *aux, const char *word)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(aux->reader);

    for (size_t i = 0; i < facts->nr_events; i++) {
        const char *pmu = cs_perfread_pmu_name(aux->reader, facts->events[i].type);

        if (pmu != NULL && strstr(pmu, word) != NULL)
            return pmu;
    }
    return NULL;
}

cs_status cs_perfread_aux_begin(cs_perfread_aux *aux, cs_perfread *reader, int64_t idx,
                                cs_diag *diag)
{
    const cs_perfread_record *record = NULL;
    cs_status status;

    *aux = (cs_perfread_aux){.reader = reader, .any = idx < 0};
    while ((status = cs_perfread_next(reader, &record, diag)) == CS_OK && record != NULL)
        if (record->type == CS_PERFREAD_AUXTRACE &&
            (aux->any || record->auxtrace.idx == (uint64_t)idx))
            break;
    if (status != CS_OK)
        return status;
    if (record == NULL)
        return cs_diag_set(diag, CS_ERR_FORMAT, NULL,
                           "the file has no AUX data: no AUXTRACE record%s",
                           aux->any ? "" : " of this stream");
    aux->idx = record->auxtrace.idx;
    aux->offset = record->auxtrace.offset + record->auxtrace.bytes;
    return CS_OK;
}

static cs_status read_bytes(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    cs_perfread_aux *aux = ctx;

    *got = 0;
    while (*got < bytes && !aux->ended) {
        size_t part = 0;
        bool found = true;
        cs_status status = cs_perfread_payload(aux->reader, out + *got, bytes - *got, &part, diag);

        if (status == CS_OK && part == 0)
            status = find(aux, &found, diag);
        if (status != CS_OK)
            return status;
        *got += part;
    }
    return CS_OK;
}

cs_byte_source cs_perfread_aux_source(cs_perfread_aux *aux)
{
    return (cs_byte_source){read_bytes, aux};
}

cs_status cs_perfread_aux_end(cs_perfread_aux *aux, cs_diag *diag)
{
    bool found = true;
    cs_status status = CS_OK;

    while (status == CS_OK && !aux->ended)
        status = find(aux, &found, diag);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "formats/pmcu/abi/aux_header.h"

#include <inttypes.h>
#include <string.h>

#include "formats/common/little.h"

size_t cs_pmcu_aux_header_bytes(uint32_t nr_event)
{
    return ((size_t)CS_PMCU_AUX_FIXED_BYTES + 4u * (size_t)nr_event + 15) / 16 * 16;
}

uint32_t cs_pmcu_aux_subsample_bytes(uint32_t nr_pmu, uint32_t nr_cpu, uint32_t comp_mode)
{
    return (nr_pmu + (comp_mode != 0 ? 1 : 2)) * 8 * nr_cpu;
}

size_t cs_pmcu_aux_header_encode(const cs_pmcu_aux_header *header,
                                 uint8_t out[CS_PMCU_AUX_MAX_HEADER_BYTES])
{
    const uint32_t words[CS_PMCU_AUX_WORDS] = {
        header->buffer_size, header->nr_pmu,         header->nr_cpu,
        header->comp_mode,   header->subsample_size, header->subsamples_per_sample,
        header->nr_event,
    };
    size_t bytes = cs_pmcu_aux_header_bytes(header->nr_event);

    memset(out, 0, bytes);
    for (size_t i = 0; i < CS_PMCU_AUX_WORDS; i++)
        cs_little_put32(out + 4 * i, words[i]);
    for (size_t i = 0; i < header->nr_event; i++)
        cs_little_put32(out + CS_PMCU_AUX_FIXED_BYTES + 4 * i, header->events[i]);
    return bytes;
}

enum { BUFFER_SIZE, NR_PMU, NR_CPU, COMP_MODE, SUBSAMPLE_SIZE, SUBSAMPLES, NR_EVENT };

static const struct word {
    const char *name;
    uint32_t least;
    uint32_t most;
} words[CS_PMCU_AUX_WORDS] = {
    [BUFFER_SIZE] = {"buffer_size", 1, UINT32_MAX},
    [NR_PMU] = {"nr_pmu", 1, CS_PMCU_AUX_MAX_COUNTERS},
    [NR_CPU] = {"nr_cpu", 1, CS_PMCU_AUX_MAX_CPUS},
    [COMP_MODE] = {"comp_mode", 0, 1},
    [SUBSAMPLE_SIZE] = {"subsample_size", 1, UINT32_MAX},
    [SUBSAMPLES] = {"subsamples_per_sample", 1, CS_PMCU_AUX_MAX_EVENTS},
    [NR_EVENT] = {"nr_event", 1, CS_PMCU_AUX_MAX_EVENTS},
};

static cs_status wrong(cs_diag *diag, const char *name, unsigned word, uint64_t found,
                       const char *why, uint64_t expected)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, name,
                       "byte %u: %s is %" PRIu64 ", %s %" PRIu64 " (PMCU AUX header)", 4 * word,
                       words[word].name, found, why, expected);
}

/* The words against each other. */
static cs_status check_words(const cs_pmcu_aux_header *header, const char *name, cs_diag *diag)
{
    uint32_t subsample =
        cs_pmcu_aux_subsample_bytes(header->nr_pmu, header->nr_cpu, header->comp_mode);

    if (header->comp_mode == 1 && header->nr_pmu > CS_PMCU_AUX_MAX_COMP_COUNTERS)
        return wrong(diag, name, NR_PMU, header->nr_pmu, "in compatibility mode it is at most",
                     CS_PMCU_AUX_MAX_COMP_COUNTERS);
    if (header->subsample_size != subsample)
        return wrong(diag, name, SUBSAMPLE_SIZE, header->subsample_size,
                     "nr_pmu, nr_cpu and comp_mode make it", subsample);
    if (header->nr_event % header->nr_pmu != 0)
        return wrong(diag, name, NR_EVENT, header->nr_event, "expected a multiple of nr_pmu",
                     header->nr_pmu);
    if (header->subsamples_per_sample != header->nr_event / header->nr_pmu)
        return wrong(diag, name, SUBSAMPLES, header->subsamples_per_sample,
                     "nr_event / nr_pmu make it", header->nr_event / header->nr_pmu);

    uint64_t least = cs_pmcu_aux_header_bytes(header->nr_event) +
                     (uint64_t)subsample * header->subsamples_per_sample;
    if (header->buffer_size < least)
        return wrong(diag, name, BUFFER_SIZE, header->buffer_size, "the header and one sample need",
                     least);
    return CS_OK;
}

cs_status cs_pmcu_aux_header_decode(const uint8_t bytes[CS_PMCU_AUX_FIXED_BYTES], const char *name,
                                    cs_pmcu_aux_header *out, cs_diag *diag)
{
    uint32_t found[CS_PMCU_AUX_WORDS];

    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < CS_PMCU_AUX_WORDS; i++) {
        found[i] = cs_little_get32(bytes + 4 * i);
        if (found[i] < words[i].least)
            return wrong(diag, name, i, found[i], "expected at least", words[i].least);
        if (found[i] > words[i].most)
            return wrong(diag, name, i, found[i], "expected at most", words[i].most);
    }
    out->buffer_size = found[BUFFER_SIZE];
    out->nr_pmu = found[NR_PMU];
    out->nr_cpu = found[NR_CPU];
    out->comp_mode = found[COMP_MODE];
    out->subsample_size = found[SUBSAMPLE_SIZE];
    out->subsamples_per_sample = found[SUBSAMPLES];
    out->nr_event = found[NR_EVENT];
    return check_words(out, name, diag);
}

cs_status cs_pmcu_aux_events_decode(const uint8_t *bytes, const char *name, cs_pmcu_aux_header *out,
                                    cs_diag *diag)
{
    for (uint32_t i = 0; i < out->nr_event; i++) {
        out->events[i] = cs_little_get32(bytes + 4 * i);
        if (out->events[i] > UINT16_MAX)
            return cs_diag_set(diag, CS_ERR_FORMAT, name,
                               "byte %" PRIu32 ": event %" PRIu32 " is 0x%" PRIx32
                               ", expected at most 0xffff (PMCU AUX header)",
                               CS_PMCU_AUX_FIXED_BYTES + 4 * i, i, out->events[i]);
    }
    return CS_OK;
}

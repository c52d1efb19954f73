// SPDX-License-Identifier: Apache-2.0
// Builds PMCU AUX data with known contents, and reads such data from a vector.
#ifndef CS_TB_AUX_DUMP_HPP
#define CS_TB_AUX_DUMP_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "formats/pmcu/read/aux.h"

namespace cs_test
{

struct Bytes {
    std::vector<uint8_t> bytes;
    size_t at = 0;
    size_t most_at_once = SIZE_MAX; // the largest request seen is kept in asked
    size_t asked = 0;

    cs_byte_source source()
    {
        return {read, this};
    }

    static cs_status read(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
    {
        auto *b = static_cast<Bytes *>(ctx);

        b->asked = std::max(b->asked, bytes);
        *got = std::min(bytes, b->bytes.size() - b->at);
        if (*got > 0)
            std::memcpy(out, b->bytes.data() + b->at, *got);
        b->at += *got;
        return CS_OK;
    }
};

// Every value tells where it comes from.
inline uint64_t value(uint64_t sample, uint32_t group, uint32_t field, uint32_t cpu)
{
    return sample << 40 | uint64_t(group) << 24 | uint64_t(field) << 16 | cpu;
}

struct Dump {
    uint32_t clusters;
    uint32_t slots;
    std::vector<uint32_t> events; // padded
    uint32_t nr_pmu;
    bool comp;
    uint32_t buffer_size;

    cs_pmcu_aux_header header() const
    {
        cs_pmcu_aux_header h = {};

        h.buffer_size = buffer_size;
        h.nr_pmu = nr_pmu;
        h.nr_cpu = clusters * slots;
        h.comp_mode = comp;
        h.subsample_size = (nr_pmu + (comp ? 1 : 2)) * 8 * h.nr_cpu;
        h.subsamples_per_sample = static_cast<uint32_t>(events.size()) / nr_pmu;
        h.nr_event = static_cast<uint32_t>(events.size());
        std::copy(events.begin(), events.end(), h.events);
        return h;
    }

    static void put(std::vector<uint8_t> &out, uint64_t value, unsigned bytes)
    {
        for (unsigned i = 0; i < bytes; i++)
            out.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }

    // A field in the hardware's order: the slot is the outer index.
    template <typename F> void field(std::vector<uint8_t> &out, unsigned bytes, F of_cpu) const
    {
        for (uint32_t c = 0; c < slots; c++)
            for (uint32_t k = 0; k < clusters; k++)
                put(out, of_cpu(c + slots * k), bytes);
    }

    std::vector<uint8_t> make(uint64_t samples) const
    {
        std::vector<uint8_t> out(CS_PMCU_AUX_MAX_HEADER_BYTES);
        cs_pmcu_aux_header h = header();
        const size_t sample_size = size_t(h.subsample_size) * h.subsamples_per_sample;

        out.resize(cs_pmcu_aux_header_encode(&h, out.data()));
        for (uint64_t s = 0; s < samples; s++) {
            while (buffer_size - out.size() % buffer_size < sample_size)
                out.push_back(0xEE); // the gap
            for (uint32_t g = 0; g < h.subsamples_per_sample; g++) {
                field(out, 4, [=](uint32_t cpu) { return 0x1000000 + s * 256 + cpu; });
                field(out, 4, [=](uint32_t cpu) { return 0x2000000 + s * 256 + cpu; });
                for (uint32_t i = 0; i < nr_pmu; i++)
                    field(out, 8, [=](uint32_t cpu) { return value(s, g, i, cpu); });
                if (!comp)
                    field(out, 8, [=](uint32_t cpu) { return value(s, g, 99, cpu); });
            }
        }
        return out;
    }
};

} // namespace cs_test

#endif

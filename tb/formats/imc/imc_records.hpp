// SPDX-License-Identifier: Apache-2.0
// Builds IMC trace data with known contents, and the driver's scan as a model of its own.
#ifndef CS_TB_IMC_RECORDS_HPP
#define CS_TB_IMC_RECORDS_HPP

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "formats/imc/read/record.h"

namespace cs_test
{

using Image = std::vector<uint8_t>;

// Written a byte at a time, so that it owes nothing to what is tested.
inline void put_big(Image &image, uint64_t word)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        image.push_back(static_cast<uint8_t>(word >> shift));
}

inline uint64_t get_big(const Image &image, size_t at)
{
    uint64_t word = 0;

    for (size_t i = at; i < at + 8; i++)
        word = word << 8 | image[i];
    return word;
}

inline void put_record(Image &image, std::initializer_list<uint64_t> words)
{
    for (uint64_t word : words)
        put_big(image, word);
}

inline constexpr uint64_t kLow42 = 0x3ffffffffff;

// A good record whose other words follow from its timebase.
inline void put_good(Image &image, uint64_t tb)
{
    put_record(image, {tb, 0x10000000 + tb * 4, (tb & 3) << 62 | 5u << 8 | tb % 1000, tb % 251,
                       tb % 1009, tb % 65537, tb % 100003, tb & kLow42});
}

// What the kernel's loop over one buffer takes: the places before the first that it refuses.
inline std::vector<size_t> taken_by_driver(const Image &buffer)
{
    std::vector<size_t> taken;
    uint64_t before = 0;

    for (size_t at = 0; at + 64 <= buffer.size(); at += 64) {
        const uint64_t tb1 = get_big(buffer, at);

        if (tb1 <= before || (tb1 & kLow42) != get_big(buffer, at + 56))
            break;
        before = tb1;
        taken.push_back(at / 64);
    }
    return taken;
}

struct Read {
    std::vector<cs_imc_trace_record> records;
    cs_imc_trace_totals totals = {};
    cs_status status = CS_OK;
    std::string text;
};

template <typename Source> Read read_trace(Source &bytes, uint64_t buffer_bytes)
{
    cs_byte_source source = bytes.source();
    cs_imc_trace *trace = nullptr;
    const cs_imc_trace_record *record = nullptr;
    cs_diag diag = {};
    Read read;

    read.status = cs_imc_trace_open(&source, "trace", buffer_bytes, &trace, &diag);
    while (read.status == CS_OK) {
        read.status = cs_imc_trace_next(trace, &record, &diag);
        if (read.status != CS_OK || record == nullptr)
            break;
        read.records.push_back(*record);
    }
    if (trace != nullptr)
        read.totals = *cs_imc_trace_get_totals(trace);
    cs_imc_trace_close(trace);
    read.text = diag.text;
    return read;
}

} // namespace cs_test

#endif

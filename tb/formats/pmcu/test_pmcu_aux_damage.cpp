// SPDX-License-Identifier: Apache-2.0
// Damaged PMCU AUX data: an error that names the byte, or values that are wrong, but never more.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "aux_dump.hpp"
#include "formats/common/little.h"

using namespace cs_test;

namespace
{

const Dump good{2, 8, {0x11, 0x8, 0x10, 0x12, 0xC000, 0xC000}, 3, false, 8192};

struct Outcome {
    cs_status status;
    std::string text;
    uint64_t subsamples;
};

Outcome read_all(std::vector<uint8_t> data, unsigned slots = 0)
{
    Bytes bytes{std::move(data)};
    cs_byte_source source = bytes.source();
    cs_pmcu_aux *aux = nullptr;
    cs_diag diag = {};
    Outcome outcome = {cs_pmcu_aux_open(&source, "dump", slots, &aux, &diag), "", 0};
    const cs_pmcu_aux_subsample *sub = nullptr;
    volatile uint64_t sum = 0;

    while (outcome.status == CS_OK) {
        outcome.status = cs_pmcu_aux_next(aux, &sub, &diag);
        if (outcome.status != CS_OK || sub == nullptr)
            break;
        outcome.subsamples++;
        for (uint32_t cpu = 0; cpu < cs_pmcu_aux_get_header(aux)->nr_cpu; cpu++) {
            cs_pmcu_aux_row row;

            cs_pmcu_aux_get_row(aux, cpu, &row);
            for (uint64_t count : row.counts)
                sum = sum + count;
        }
        // Bounded: every subsample takes bytes from the data.
        EXPECT_LE(outcome.subsamples, bytes.bytes.size() / 24);
    }
    cs_pmcu_aux_close(aux);
    outcome.text = diag.text;
    EXPECT_STREQ(diag.where, outcome.status != CS_OK ? "dump" : "");
    return outcome;
}

TEST(PmcuAuxDamage, EachWordOfTheHeader)
{
    const struct {
        size_t at;
        uint32_t value;
        const char *text;
    } table[] = {
        {0, 0, "byte 0: buffer_size is 0, expected at least 1 (PMCU AUX header)"},
        {0, 64, "byte 0: buffer_size is 64, the header and one sample need 1344 (PMCU AUX header)"},
        {4, 0, "byte 4: nr_pmu is 0, expected at least 1 (PMCU AUX header)"},
        {4, 9, "byte 4: nr_pmu is 9, expected at most 8 (PMCU AUX header)"},
        {8, 0, "byte 8: nr_cpu is 0, expected at least 1 (PMCU AUX header)"},
        {8, 0xffffffff, "byte 8: nr_cpu is 4294967295, expected at most 1024 (PMCU AUX header)"},
        {12, 2, "byte 12: comp_mode is 2, expected at most 1 (PMCU AUX header)"},
        {12, 1,
         "byte 16: subsample_size is 640, nr_pmu, nr_cpu and comp_mode make it 512 (PMCU "
         "AUX header)"},
        {16, 641,
         "byte 16: subsample_size is 641, nr_pmu, nr_cpu and comp_mode make it 640 (PMCU "
         "AUX header)"},
        {20, 3,
         "byte 20: subsamples_per_sample is 3, nr_event / nr_pmu make it 2 (PMCU AUX "
         "header)"},
        {24, 0, "byte 24: nr_event is 0, expected at least 1 (PMCU AUX header)"},
        {24, 241, "byte 24: nr_event is 241, expected at most 240 (PMCU AUX header)"},
        {24, 7, "byte 24: nr_event is 7, expected a multiple of nr_pmu 3 (PMCU AUX header)"},
        {28, 0x10000, "byte 28: event 0 is 0x10000, expected at most 0xffff (PMCU AUX header)"},
        {48, 0xffffffff,
         "byte 48: event 5 is 0xffffffff, expected at most 0xffff (PMCU AUX header)"},
    };

    ASSERT_EQ(read_all(good.make(4)).subsamples, 8u);
    for (const auto &row : table) {
        std::vector<uint8_t> data = good.make(4);

        cs_little_put32(&data[row.at], row.value);
        Outcome outcome = read_all(data);
        EXPECT_EQ(outcome.status, CS_ERR_FORMAT);
        EXPECT_EQ(outcome.text, row.text);
    }
}

TEST(PmcuAuxDamage, ABufferHoldsTheHeaderAndOneSample)
{
    std::vector<uint8_t> data = good.make(1);

    cs_little_put32(&data[0], 1343);
    EXPECT_EQ(read_all(data).status, CS_ERR_FORMAT);
    cs_little_put32(&data[0], 1344);
    EXPECT_EQ(read_all(data).status, CS_OK);
}

TEST(PmcuAuxDamage, FiveCountersAreTheMostInCompatibilityMode)
{
    Dump dump{1, 8, {1, 2, 3, 4, 5, 6}, 6, true, 8192};
    Outcome outcome = read_all(dump.make(1));

    EXPECT_EQ(outcome.status, CS_ERR_FORMAT);
    EXPECT_EQ(outcome.text, "byte 4: nr_pmu is 6, in compatibility mode it is at most 5 (PMCU AUX "
                            "header)");
}

// Whole are: the data that end after a sample, or in the gap of a buffer.
TEST(PmcuAuxDamage, EveryTruncation)
{
    const std::vector<uint8_t> whole = good.make(10);
    const uint64_t header = 64;
    const uint64_t sample = 1280;
    const uint64_t first_buffer = (8192 - header) / sample;

    for (size_t size = 0; size < whole.size(); size++) {
        Outcome outcome = read_all({whole.begin(), whole.begin() + static_cast<long>(size)});
        bool in_second = size >= 8192;
        uint64_t into = in_second ? size - 8192 : size - header;
        bool gap = size >= header + first_buffer * sample && !in_second;
        bool complete = size >= header && (gap || into % sample == 0);

        ASSERT_EQ(outcome.status, complete ? CS_OK : CS_ERR_FORMAT) << size;
        if (!complete) {
            std::string place = "byte " + std::to_string(size) + ": the data end within";
            ASSERT_EQ(outcome.text.substr(0, place.size()), place);
        }
    }
    EXPECT_EQ(read_all({}).text, "byte 0: the data end within the PMCU AUX header, which reaches "
                                 "to byte 28");
    EXPECT_EQ(read_all({whole.begin(), whole.begin() + 30}).text,
              "byte 30: the data end within the PMCU AUX header, which reaches to byte 64");
    EXPECT_EQ(read_all({whole.begin(), whole.begin() + 64 + 1280 + 700}).text,
              "byte 2044: the data end within sample 1, subsample 1, which reaches to byte 2624");
}

TEST(PmcuAuxDamage, RandomBytes)
{
    const std::vector<uint8_t> whole = good.make(10);
    std::mt19937 random(1);
    unsigned refused = 0;

    for (unsigned i = 0; i < 20000; i++) {
        std::vector<uint8_t> data = whole;
        // Most of it where it matters: in the header.
        for (unsigned n = 1 + random() % 4; n > 0; n--)
            data[random() % (i % 4 == 0 ? data.size() : 64)] = static_cast<uint8_t>(random());
        if (i % 8 == 0)
            data.resize(random() % data.size());
        refused += read_all(data, random() % 3 == 0 ? 1 + random() % 20 : 0).status != CS_OK;
    }
    EXPECT_GT(refused, 10000u);
}

TEST(PmcuAuxDamage, NoiseWithAPlausibleHeader)
{
    std::mt19937 random(2);

    for (unsigned i = 0; i < 300; i++) {
        std::vector<uint8_t> data = good.make(random() % 20);

        for (size_t at = 64; at < data.size(); at++)
            data[at] = static_cast<uint8_t>(random());
        EXPECT_EQ(read_all(data).status, CS_OK);
    }
}

cs_status broken(void *, uint8_t *, size_t, size_t *, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, "disk", "gone");
}

TEST(PmcuAuxDamage, ErrorsOfTheSourceAreHandedOn)
{
    cs_byte_source source = {broken, nullptr};
    cs_pmcu_aux *aux = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_pmcu_aux_open(&source, nullptr, 0, &aux, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "gone");
    EXPECT_EQ(aux, nullptr);
}

} // namespace

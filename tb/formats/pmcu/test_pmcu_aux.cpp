// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "aux_dump.hpp"
#include "formats/pmcu/read/aux_print.h"

using namespace cs_test;

namespace
{

struct Case {
    const char *name;
    Dump dump;
    unsigned slots; // given to the reader
    uint64_t samples;
};

std::vector<uint32_t> events(uint32_t n)
{
    std::vector<uint32_t> list(n);

    for (uint32_t i = 0; i < n; i++)
        list[i] = 0x10 + i;
    return list;
}

const Case cases[] = {
    {"one cluster", {1, 8, events(8), 8, false, 4096}, 0, 5},
    {"four clusters", {4, 8, events(8), 8, false, 0x10000}, 8, 30},
    {"two groups", {2, 8, events(16), 8, false, 8192}, 0, 9},
    {"one event", {1, 8, events(1), 1, false, 4096}, 0, 100},
    {"compatibility mode", {1, 8, events(10), 5, true, 4096}, 0, 17},
    {"three slots", {3, 3, events(2), 2, false, 1024}, 3, 20},
    {"one slot", {5, 1, events(2), 2, false, 1024}, 1, 20},
    {"one CPU, many buffers", {1, 1, events(1), 1, false, 4096 - 16}, 1, 1000},
    {"most events", {1, 8, events(240), 8, false, 0x8000}, 0, 4},
    {"no samples", {1, 8, events(8), 8, false, 4096}, 0, 0},
};

cs_pmcu_aux *open(Bytes &bytes, unsigned slots, cs_diag *diag)
{
    cs_byte_source source = bytes.source();
    cs_pmcu_aux *aux = nullptr;

    EXPECT_EQ(cs_pmcu_aux_open(&source, "dump", slots, &aux, diag), CS_OK) << diag->text;
    return aux;
}

TEST(PmcuAux, EveryValueComesBackInOrder)
{
    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        Bytes bytes{c.dump.make(c.samples)};
        cs_diag diag = {};
        cs_pmcu_aux *aux = open(bytes, c.slots, &diag);
        ASSERT_NE(aux, nullptr);
        const cs_pmcu_aux_header *h = cs_pmcu_aux_get_header(aux);
        EXPECT_EQ(h->nr_event, c.dump.events.size());
        const cs_pmcu_aux_subsample *sub = nullptr;

        for (uint64_t s = 0; s < c.samples; s++)
            for (uint32_t g = 0; g < h->subsamples_per_sample; g++) {
                ASSERT_EQ(cs_pmcu_aux_next(aux, &sub, &diag), CS_OK) << diag.text;
                ASSERT_NE(sub, nullptr);
                ASSERT_EQ(sub->sample, s);
                ASSERT_EQ(sub->subsample, g);
                ASSERT_EQ(sub->nr_events, c.dump.nr_pmu);
                ASSERT_EQ(sub->has_cycles, !c.dump.comp);
                for (uint32_t i = 0; i < sub->nr_events; i++)
                    ASSERT_EQ(sub->events[i], c.dump.events[g * c.dump.nr_pmu + i]);
                for (uint32_t cpu = 0; cpu < h->nr_cpu; cpu++) {
                    cs_pmcu_aux_row row;

                    cs_pmcu_aux_get_row(aux, cpu, &row);
                    ASSERT_EQ(row.cid1, 0x1000000 + s * 256 + cpu);
                    ASSERT_EQ(row.cid2, 0x2000000 + s * 256 + cpu);
                    for (uint32_t i = 0; i < sub->nr_events; i++)
                        ASSERT_EQ(row.counts[i], value(s, g, i, cpu));
                    ASSERT_EQ(row.cycles, c.dump.comp ? 0 : value(s, g, 99, cpu));
                }
            }
        EXPECT_EQ(cs_pmcu_aux_next(aux, &sub, &diag), CS_OK);
        EXPECT_EQ(sub, nullptr);
        // It never asks for more than a subsample or the header at once.
        EXPECT_LE(bytes.asked, std::max<size_t>(h->subsample_size, 992));
        cs_pmcu_aux_close(aux);
    }
}

// The first AUX buffer holds the header and one sample of 640 bytes less than the others.
TEST(PmcuAux, OffsetsSkipTheTailOfEachBuffer)
{
    Dump dump{1, 8, events(8), 8, false, 2048};
    Bytes bytes{dump.make(7)};
    cs_diag diag = {};
    cs_pmcu_aux *aux = open(bytes, 0, &diag);
    const cs_pmcu_aux_subsample *sub = nullptr;
    std::vector<uint64_t> offsets;

    while (cs_pmcu_aux_next(aux, &sub, &diag) == CS_OK && sub != nullptr)
        offsets.push_back(sub->offset);
    // the header has 60 bytes, rounded to 64; (2048 - 64) / 640 = 3
    EXPECT_EQ(offsets, (std::vector<uint64_t>{64, 704, 1344, 2048, 2688, 3328, 4096}));
    cs_pmcu_aux_close(aux);
}

TEST(PmcuAux, HeaderAsPublished)
{
    Dump dump{4, 8, events(8), 8, false, 0x400000};
    cs_pmcu_aux_header h = dump.header();
    uint8_t bytes[CS_PMCU_AUX_MAX_HEADER_BYTES];
    const uint8_t first[28] = {0, 0, 0x40, 0,  8, 0, 0, 0, 32, 0, 0, 0, 0, 0,
                               0, 0, 0,    10, 0, 0, 1, 0, 0,  0, 8, 0, 0, 0};

    EXPECT_EQ(cs_pmcu_aux_header_encode(&h, bytes), 64u);
    EXPECT_EQ(std::memcmp(bytes, first, sizeof first), 0);
    EXPECT_EQ(bytes[28], 0x10);
    EXPECT_EQ(bytes[59], 0);
    // facts: subsample sizes of 1, 4 and 8 clusters
    EXPECT_EQ(cs_pmcu_aux_subsample_bytes(8, 8, 0), 640u);
    EXPECT_EQ(cs_pmcu_aux_subsample_bytes(8, 32, 0), 2560u);
    EXPECT_EQ(cs_pmcu_aux_subsample_bytes(8, 64, 0), 5120u);
    EXPECT_EQ(cs_pmcu_aux_subsample_bytes(5, 8, 1), 384u);
    EXPECT_EQ(cs_pmcu_aux_subsample_bytes(5, 32, 1), 1536u);
    EXPECT_EQ(cs_pmcu_aux_subsample_bytes(5, 64, 1), 3072u);
    EXPECT_EQ(cs_pmcu_aux_header_bytes(240), size_t(CS_PMCU_AUX_MAX_HEADER_BYTES));
    EXPECT_EQ(cs_pmcu_aux_header_bytes(1), 32u);
}

TEST(PmcuAux, SlotsAreAskedForWhereEightDoNotFit)
{
    Bytes bytes{Dump{3, 4, events(2), 2, false, 4096}.make(1)};
    cs_byte_source source = bytes.source();
    cs_pmcu_aux *aux = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_pmcu_aux_open(&source, "dump", 0, &aux, &diag), CS_ERR_RANGE);
    EXPECT_EQ(aux, nullptr);
    EXPECT_STREQ(diag.text,
                 "12 CPUs are not a whole number of clusters of 8 slots; give the number "
                 "of slots per cluster of this die (--slots)");
}

TEST(PmcuAux, DataMayEndInTheGap)
{
    Dump dump{1, 8, events(8), 8, false, 2048};
    std::vector<uint8_t> whole = dump.make(3);
    ASSERT_EQ(whole.size(), 1984u);

    for (size_t size = 1984; size <= 2048; size++) {
        Bytes bytes{whole};
        bytes.bytes.resize(size);
        cs_diag diag = {};
        cs_pmcu_aux *aux = open(bytes, 0, &diag);
        const cs_pmcu_aux_subsample *sub;
        unsigned n = 0;

        while (cs_pmcu_aux_next(aux, &sub, &diag) == CS_OK && sub != nullptr)
            n++;
        EXPECT_EQ(n, 3u);
        EXPECT_EQ(diag.status, CS_OK);
        cs_pmcu_aux_close(aux);
    }
}

cs_status append(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

const char *namer(void *, uint32_t event)
{
    return event == 0x11 ? "CPU_CYCLES" : nullptr;
}

std::string print(const Dump &dump, uint64_t samples, cs_table_format format)
{
    std::string text;
    Bytes bytes{dump.make(samples)};
    cs_text_sink sink = {append, &text};
    cs_diag diag = {};
    cs_pmcu_aux *aux = open(bytes, dump.slots, &diag);

    EXPECT_EQ(cs_pmcu_aux_print(aux, format, namer, nullptr, &sink, &diag), CS_OK) << diag.text;
    cs_pmcu_aux_close(aux);
    return text;
}

TEST(PmcuAuxPrint, Text)
{
    EXPECT_EQ(print({1, 1, {0x11, 0x8}, 1, false, 4096}, 1, CS_TABLE_TEXT),
              "sample  sub  cpu        cid1        cid2  CPU_CYCLES      cycles\n"
              "     0    0    0  0x01000000  0x02000000           0     6488064\n"
              "\n"
              "sample  sub  cpu        cid1        cid2      0x0008      cycles\n"
              "     0    1    0  0x01000000  0x02000000    16777216    23265280\n");
    // one group: one line of names
    EXPECT_EQ(print({1, 1, {0x11}, 1, true, 4096}, 2, CS_TABLE_TEXT),
              "sample  sub  cpu        cid1        cid2  CPU_CYCLES\n"
              "     0    0    0  0x01000000  0x02000000           0\n"
              "     1    0    0  0x01000100  0x02000100  1099511627776\n");
}

TEST(PmcuAuxPrint, CsvAndJson)
{
    Dump dump{1, 1, {0x11, 0x8}, 2, false, 4096};

    EXPECT_EQ(print(dump, 1, CS_TABLE_CSV), "sample,subsample,cpu,cid1,cid2,event,count\n"
                                            "0,0,0,16777216,33554432,CPU_CYCLES,0\n"
                                            "0,0,0,16777216,33554432,0x0008,65536\n"
                                            "0,0,0,16777216,33554432,cycles,6488064\n");
    EXPECT_EQ(print({1, 1, {0x8}, 1, true, 4096}, 1, CS_TABLE_JSON),
              "[\n{\"sample\": 0, \"subsample\": 0, \"cpu\": 0, \"cid1\": 16777216, "
              "\"cid2\": 33554432, \"event\": \"0x0008\", \"count\": 0}\n]\n");
    EXPECT_EQ(print(dump, 0, CS_TABLE_JSON), "[]\n");
}

TEST(PmcuAuxPrint, WhatCameBeforeTheDamageIsPrinted)
{
    std::string text;
    Bytes bytes{Dump{1, 1, {0x8}, 1, true, 4096}.make(3)};
    bytes.bytes.pop_back();
    cs_text_sink sink = {append, &text};
    cs_diag diag = {};
    cs_pmcu_aux *aux = open(bytes, 1, &diag);

    EXPECT_EQ(cs_pmcu_aux_print(aux, CS_TABLE_JSON, nullptr, nullptr, &sink, &diag), CS_ERR_FORMAT);
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), 2);
    EXPECT_EQ(text.substr(text.size() - 3), "\n]\n");
    cs_pmcu_aux_close(aux);
}

cs_status full(void *ctx, const char *, size_t bytes)
{
    auto *left = static_cast<size_t *>(ctx);

    *left -= std::min(*left, bytes);
    return *left == 0 ? CS_ERR_IO : CS_OK;
}

TEST(PmcuAuxPrint, AFullDiskEndsTheReading)
{
    size_t left = 200;
    Bytes bytes{Dump{1, 1, {0x8}, 1, true, 4096}.make(1000)};
    cs_text_sink sink = {full, &left};
    cs_diag diag = {};
    cs_pmcu_aux *aux = open(bytes, 1, &diag);

    EXPECT_EQ(cs_pmcu_aux_print(aux, CS_TABLE_CSV, nullptr, nullptr, &sink, &diag), CS_ERR_IO);
    EXPECT_LT(bytes.at, 1000u);
    cs_pmcu_aux_close(aux);
}

} // namespace

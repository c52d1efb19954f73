// SPDX-License-Identifier: Apache-2.0
// perf.data at its edges: heads of old versions, files that are cut, records that stand across.
#include <gtest/gtest.h>

#include <memory>

#include "formats/pmcu/aux_dump.hpp"
#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

struct Closer {
    void operator()(cs_perfread *reader) const
    {
        cs_perfread_close(reader);
    }
};
using Reader = std::unique_ptr<cs_perfread, Closer>;

struct Opened {
    cs_status status;
    Reader reader;
    cs_diag diag;
};

// Without an error there is a reader, with one there is none.
Opened open(const cs_seek_source &source)
{
    Opened opened = {};
    int nothing;
    cs_perfread *reader = reinterpret_cast<cs_perfread *>(&nothing);

    opened.status = cs_perfread_open(&source, "file", &reader, &opened.diag);
    EXPECT_EQ(reader == nullptr, opened.status != CS_OK);
    if (opened.status != CS_OK) {
        EXPECT_STREQ(opened.diag.where, "file");
    }
    opened.reader.reset(reader);
    return opened;
}

// Every record; how reading ended.
struct All {
    std::vector<uint32_t> types;
    cs_status status;
    std::string text, where;
};

All read_all(const PerfFile &file)
{
    PerfSeek seek{file.make()};
    const Opened opened = open(seek.source());
    const cs_perfread_record *record = nullptr;
    cs_diag diag = opened.diag;
    All all = {{}, opened.status, {}, {}};

    while (all.status == CS_OK) {
        all.status = cs_perfread_next(opened.reader.get(), &record, &diag);
        if (record == nullptr)
            break;
        all.types.push_back(record->type);
    }
    all.text = diag.text;
    all.where = diag.where;
    return all;
}

class PerfReadEdges : public testing::TestWithParam<bool>
{
  protected:
    PerfFile file{GetParam(), {}, {}, {}};
};
INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfReadEdges, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

} // namespace

// Ids from 104 on, attrs from 112, a record at 256, the table of features at 264, one at 280.
TEST_P(PerfReadEdges, AFileThatGotShorterIsToldByItsPart)
{
    const struct {
        size_t size;
        const char *text;
    } cases[] = {
        {120, "byte 120: the file ends within attrs, expected up to byte 256"},
        {270, "byte 270: the file ends within the table of features, expected up to byte 280"},
        {300, "byte 300: the file ends within a feature's bytes, expected up to byte 348"},
    };

    file.attrs = {{.ids = {5}}};
    file.text(6, "riscv64").add(68, 0, {});
    for (const auto &c : cases) {
        PerfSeek seek{file.make()};
        const cs_seek_source whole = seek.source();

        ASSERT_EQ(whole.bytes, 348u);
        seek.bytes.resize(c.size);
        const Opened opened = open(whole);
        EXPECT_EQ(opened.status, CS_ERR_FORMAT);
        EXPECT_STREQ(opened.diag.text, c.text);
    }
}

// Before there were features the head had 72 bytes.
TEST_P(PerfReadEdges, AHeadWithoutFeaturesIsRead)
{
    PerfOut out = file.out();
    const PerfAttr attr = {.sample_type = 1};

    out.u64(UINT64_C(0x32454c4946524550)).u64(72).u64(144).u64(72).u64(144);
    out.u64(216).u64(16).u64(0).u64(0).raw(attr.make(file.big)).u64(0).u64(0);
    out.u32(9).u16(2).u16(16).u64(0x1234);
    PerfSeek seek{out.bytes};
    const Opened opened = open(seek.source());
    ASSERT_EQ(opened.status, CS_OK) << opened.diag.text;
    const cs_perfread_facts *facts = cs_perfread_get_facts(opened.reader.get());
    const cs_perfread_record *record = nullptr;

    EXPECT_EQ(facts->nr_events, 1u);
    EXPECT_FALSE(facts->unfinished);
    for (const cs_perfread_section &feature : facts->features)
        EXPECT_EQ(feature.offset, 0u);
    ASSERT_EQ(cs_perfread_next(opened.reader.get(), &record, nullptr), CS_OK);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->sample.ip, 0x1234u);
    ASSERT_EQ(cs_perfread_next(opened.reader.get(), &record, nullptr), CS_OK);
    EXPECT_EQ(record, nullptr);
}

// Four features. Their numbers are words of 64 bits, or of 32, where a big machine of 32 bits wrote
// them.
TEST_P(PerfReadEdges, NumbersOfFeaturesAreWordsOf64BitsOrOfABigMachineOf32)
{
    const struct {
        std::vector<unsigned> features;
        bool words_of_32;
    } cases[] = {
        {{3, 70, 130, 250}, false}, {{3, 70, 130, 250}, true},  {{3, 33, 96, 255}, false},
        {{3, 33, 96, 255}, true},   {{4, 70, 130, 250}, false}, {{4, 31, 32, 63}, false},
    };

    for (const auto &c : cases) {
        uint64_t words[4] = {};

        if (c.words_of_32 && !file.big)
            continue; // of a little machine both are the same bytes
        file.attrs = {{}};
        for (const unsigned any : {3u, 4u, 5u, 6u}) // they only have to be four
            file.text(any, "text");
        for (const unsigned feature : c.features)
            words[feature / 64] |= UINT64_C(1) << feature % 64;
        PerfOut out{file.big, file.make()};
        for (unsigned i = 0; i < 4; i++)
            out.set(72 + 8 * i, c.words_of_32 ? words[i] << 32 | words[i] >> 32 : words[i], 8);
        PerfSeek seek{out.bytes};
        const Opened opened = open(seek.source());
        ASSERT_EQ(opened.status, CS_OK) << opened.diag.text;
        const cs_perfread_facts *facts = cs_perfread_get_facts(opened.reader.get());
        std::vector<unsigned> found;

        for (unsigned i = 0; i < CS_PERFREAD_NR_FEATURES; i++)
            if (facts->features[i].offset != 0)
                found.push_back(i);
        EXPECT_EQ(found, c.features);
        EXPECT_STREQ(c.features[0] == 3 ? facts->hostname : facts->os_release, "text");
    }
}

// Records of 24 bytes, many of which stand across the end of what is read at once.
TEST_P(PerfReadEdges, RecordsStandAcrossWhatIsReadAtOnce)
{
    file.attrs = {{.sample_type = 0x9}};
    for (uint64_t i = 0; i < 15000; i++)
        file.add(9, 2, file.out().u64(i).u64(~i).bytes);
    const auto check = [](cs_perfread *reader, auto each) {
        const cs_perfread_record *record = nullptr;
        uint64_t i = 0;

        while (cs_perfread_next(reader, &record, nullptr) == CS_OK && record != nullptr) {
            each(*record);
            if (record->type != 9)
                continue;
            EXPECT_EQ(record->bytes[0] + record->bytes[3], 9u);
            ASSERT_EQ(record->sample.ip, i);
            ASSERT_EQ(record->sample.addr, ~i);
            i++;
        }
        EXPECT_EQ(i, 15000u);
    };

    for (const size_t at_once : {SIZE_MAX, size_t(50000), size_t(1000)}) {
        PerfSeek seek{file.make(), at_once};
        const Opened opened = open(seek.source());
        ASSERT_EQ(opened.status, CS_OK) << opened.diag.text;
        check(opened.reader.get(), [](const auto &) {});
    }
    // Of a pipe no more is taken than the record has.
    Bytes pipe{file.make_pipe()};
    const cs_byte_source source = pipe.source();
    cs_perfread *raw = nullptr;
    ASSERT_EQ(cs_perfread_open_pipe(&source, "pipe", &raw, nullptr), CS_OK);
    const Reader reader(raw);
    check(raw, [&pipe](const cs_perfread_record &record) {
        EXPECT_EQ(pipe.at, record.offset + record.size);
    });
}

// With a counter each, a branch has 32 bytes.
TEST_P(PerfReadEdges, BranchesWithCountersHaveOneWordMore)
{
    file.attrs = {{.sample_type = 0x800, .branch_type = CS_PERFREAD_BRANCH_COUNTERS}};
    file.add(9, 2, file.out().u64(1).u64(1).u64(2).u64(3).u64(77).bytes);
    PerfSeek seek{file.make()};
    const Opened opened = open(seek.source());
    const cs_perfread_record *record = nullptr;
    ASSERT_EQ(opened.status, CS_OK) << opened.diag.text;
    ASSERT_EQ(cs_perfread_next(opened.reader.get(), &record, nullptr), CS_OK);
    ASSERT_EQ(record->sample.branches.count, 1u);
    ASSERT_EQ(record->sample.branches.counters.count, 1u);
    EXPECT_EQ(cs_perfread_word(&record->sample.branches.counters, 0), 77u);

    file.records.clear();
    file.add(9, 2, file.out().u64(2).u64(1).u64(2).u64(3).u64(4).u64(5).u64(6).u64(77).bytes);
    const All all = read_all(file);
    EXPECT_EQ(all.status, CS_ERR_FORMAT);
    EXPECT_EQ(all.text, "byte 256: branch_stack.nr is 2 branches of 32 bytes, there are 56 bytes "
                        "(SAMPLE at byte 248)");
}

// Before version 5.10 the last three words were not there.
TEST_P(PerfReadEdges, TimesAreConvertedAsOldAndNewVersionsSay)
{
    const struct {
        size_t words;
        bool zero, brief;
    } cases[] = {{3, false, false}, {5, false, false}, {6, true, false}, {6, false, true}};

    for (const auto &c : cases) {
        const bool all = c.words == 6;
        PerfOut payload = file.out();

        for (uint64_t word = 1; word <= (all ? 5 : c.words); word++)
            payload.u64(word);
        if (all)
            payload.raw({c.zero, c.brief, 0, 0, 0, 0, 0, 0});
        PerfFile one{GetParam(), {{}}, {}, {}};
        one.add(79, 0, payload.bytes);
        PerfSeek seek{one.make()};
        const Opened opened = open(seek.source());
        const cs_perfread_record *record = nullptr;
        ASSERT_EQ(opened.status, CS_OK) << opened.diag.text;
        ASSERT_EQ(cs_perfread_next(opened.reader.get(), &record, nullptr), CS_OK);
        EXPECT_EQ(record->time_conv.shift, 1u);
        EXPECT_EQ(record->time_conv.mult, 2u);
        EXPECT_EQ(record->time_conv.zero, 3u);
        EXPECT_EQ(record->time_conv.cycles, all ? 4u : 0u) << c.words;
        EXPECT_EQ(record->time_conv.mask, all ? 5u : 0u);
        EXPECT_EQ(record->time_conv.has_zero, c.zero);
        EXPECT_EQ(record->time_conv.has_short, c.brief);
    }
}

TEST_P(PerfReadEdges, MapsOfCpusThatAreNoneAreRefused)
{
    const struct {
        PerfBytes payload;
        const char *text;
    } cases[] = {
        {file.out().u16(3).u16(0).bytes,
         "byte 256: cpu_map.type is 3, expected 0 (numbers), 1 (mask) or 2 (range) (CPU_MAP at "
         "byte 248)"},
        {file.out().u16(1).u16(1).u16(2).u16(0).bytes,
         "byte 260: cpu_map.long_size is 2, expected 4 or 8 (CPU_MAP at byte 248)"},
        {file.out().u16(0).u16(3).u16(1).u16(2).bytes,
         "byte 260: cpu_map takes 6 bytes, there are 4 (CPU_MAP at byte 248)"},
    };

    for (const auto &c : cases) {
        PerfFile one{GetParam(), {{}}, {}, {}};
        one.add(74, 0, c.payload);
        const All all = read_all(one);

        EXPECT_EQ(all.status, CS_ERR_FORMAT);
        EXPECT_EQ(all.text, c.text);
        EXPECT_EQ(all.where, "file");
    }
}

// SPDX-License-Identifier: Apache-2.0
// What is special in a record of perf.data, in words; and names of types that are none.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "formats/perf/read/print.h"
#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

// The words for each record.
std::vector<std::string> details(const PerfFile &file, bool full)
{
    PerfSeek seek{file.make()};
    const cs_seek_source source = seek.source();
    const cs_perfread_record *record = nullptr;
    cs_perfread *reader = nullptr;
    std::vector<std::string> all;
    cs_diag diag = {};
    char *text = nullptr;
    size_t room = 0;

    EXPECT_EQ(cs_perfread_open(&source, "file", &reader, &diag), CS_OK) << diag.text;
    while (reader != nullptr && cs_perfread_next(reader, &record, &diag) == CS_OK &&
           record != nullptr) {
        EXPECT_TRUE(cs_perfread_detail(reader, record, full, &text, &room));
        all.push_back(text);
    }
    EXPECT_STREQ(diag.text, "");
    std::free(text);
    cs_perfread_close(reader);
    return all;
}

class PerfPrintEdges : public testing::TestWithParam<bool>
{
  protected:
    PerfFile file{GetParam(), {}, {}, {}};

    // Flags of a branch: bit fields, from the other end on a big machine.
    uint64_t flags(bool mispredicted, bool predicted, uint64_t cycles) const
    {
        return GetParam() ? uint64_t(mispredicted) << 63 | uint64_t(predicted) << 62 | cycles << 44
                          : uint64_t(mispredicted) | uint64_t(predicted) << 1 | cycles << 4;
    }
};
INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfPrintEdges, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

} // namespace

TEST_P(PerfPrintEdges, RecordsOfTheKernelInWords)
{
    const struct {
        uint32_t type;
        uint16_t misc;
        PerfBytes payload;
        const char *words;
    } cases[] = {
        {1, 2, file.out().u32(1).u32(2).u64(16).u64(32).u64(0).name("/m").bytes,
         "start=0x10 len=0x20 pgoff=0x0 file=/m"},
        {2, 0, file.out().u64(5).u64(6).bytes, "id=5 lost=6"},
        {3, 0, file.out().u32(1).u32(2).name("ls").bytes, "comm=ls"},
        {3, 1 << 13, file.out().u32(1).u32(2).name("ls").bytes, "comm=ls exec"},
        {4, 0, file.out().u32(1).u32(2).u32(3).u32(4).u64(5).bytes, "parent=2/4"},
        {5, 0, file.out().u64(1).u64(2).u64(3).bytes, "id=2 stream_id=3"},
        {6, 0, file.out().u64(1).u64(2).u64(3).bytes, "id=2 stream_id=3"},
        {7, 0, file.out().u32(1).u32(2).u32(3).u32(0xffffffff).u64(5).bytes, "parent=2/-1"},
        {8, 0, file.out().u32(1).u32(2).u64(3).bytes, "value=3"},
        {10, 2,
         file.out()
             .u32(1)
             .u32(2)
             .u64(16)
             .u64(32)
             .u64(0)
             .u32(8)
             .u32(1)
             .u64(99)
             .u64(7)
             .u32(5)
             .u32(2)
             .name("/m")
             .bytes,
         "start=0x10 len=0x20 pgoff=0x0 prot=r-xp flags=0x2 dev=8:1 ino=99.7 file=/m"},
        {11, 0, file.out().u64(1).u64(2).u64(3).bytes, "offset=0x1 bytes=0x2 flags=0x3"},
        {12, 0, file.out().u32(1).u32(2).bytes, ""},
        {13, 0, file.out().u64(6).bytes, "lost=6"},
        {14, 0, {}, "in"},
        {14, 1 << 13, {}, "out"},
        {14, 3 << 13, {}, "out preempted"},
        {15, 0, file.out().u32(1).u32(2).bytes, "in prev=1/2"},
        {15, 1 << 13, file.out().u32(3).u32(4).bytes, "out next=3/4"},
        {15, 3 << 13, file.out().u32(3).u32(4).bytes, "out preempted next=3/4"},
        {16, 0, file.out().u32(1).u32(2).u64(1).u64(3).u64(4).bytes, "links=2[0x3 0x4]"},
        {17, 0, file.out().u64(16).u32(2).u16(3).u16(4).name("s").bytes,
         "addr=0x10 len=2 type=3 flags=0x4 name=s"},
        {18, 0, file.out().u16(1).u16(2).u32(3).raw({1, 2, 3, 4, 5, 6, 7, 8}).bytes,
         "type=1 flags=0x2 id=3 tag=8:0102030405060708"},
        {19, 0, file.out().u64(1).name("/cg").bytes, "id=1 path=/cg"},
        {20, 0, file.out().u64(16).u16(1).u16(2).raw({1, 2, 3, 0}).bytes,
         "addr=0x10 old=1:01 new=2:0203"},
        {21, 0, file.out().u64(0xab).bytes, "hw_id=0xab"},
    };
    std::vector<std::string> expected;

    file.attrs = {{.flags = 0}};
    for (const auto &c : cases) {
        file.add(c.type, c.misc, c.payload);
        expected.push_back(c.words);
    }
    EXPECT_EQ(details(file, false), expected);
    EXPECT_EQ(details(file, true), expected);
}

TEST_P(PerfPrintEdges, RecordsOfPerfInWords)
{
    const struct {
        uint32_t type;
        PerfBytes payload;
        const char *words;
    } cases[] = {
        {65, file.out().u64(7).name("old").raw(PerfBytes(56)).bytes, "id=7 name=old"},
        {69, file.out().u64(1).u64(5).u64(0).u64(1).u64(2).bytes,
         "id_idx_cpu_tid=4[0x5 0x0 0x1 0x2]"},
        {70, file.out().u32(6).u32(0).u64(42).bytes, "type=6 private=1[0x2a]"},
        {71, file.out().u64(0).u64(1).u64(2).u32(3).u32(4).u32(5).u32(0).bytes,
         "bytes=0x0 offset=0x1 reference=0x2 idx=3"},
        {72, file.out().u32(1).u32(2).u32(3).u32(4).u32(5).u32(0).u64(16).name("bad").bytes,
         "type=1 code=2 ip=0x10 message=bad"},
        {72, file.out().u32(6).u32(7).u32(3).u32(4).u32(5).u32(1).u64(32).u64(9).name("x").bytes,
         "type=6 code=7 ip=0x20 message=x"},
        {74, file.out().u16(0).u16(2).u16(3).u16(0xffff).bytes, "cpus=[3 -1]"},
        {74, file.out().u16(2).u16(1).u16(4).u16(6).bytes, "cpus=[-1 4 5 6]"},
        {75, file.out().u64(1).u64(2).u64(3).bytes, "tag_value=2[0x2 0x3]"},
        {76, file.out().u64(5).u32(1).u32(2).u64(10).u64(11).u64(12).bytes,
         "id=5 thread=2 value=10 enabled=11 running=12"},
        {77, file.out().u64(0).u64(9).bytes, "interval"},
        {77, file.out().u64(1).u64(9).bytes, "final"},
        {78, file.out().u64(0).u64(5).name("msec").bytes, "id=5 unit=msec"},
        {78, file.out().u64(1).u64(5).u64(0x3fe0000000000000).bytes, "id=5 scale=0.5"},
        {78, file.out().u64(2).u64(5).name("other").bytes, "id=5 name=other"},
        {78, file.out().u64(3).u64(5).u16(0).u16(1).u16(7).u16(0).bytes, "id=5 cpus=[7]"},
        {79, file.out().u64(1).u64(2).u64(3).u64(4).u64(5).u64(0).bytes,
         "shift=1 mult=2 zero=3 cycles=4 mask=0x5"},
        {200, {1, 2, 3, 4, 5, 6, 7, 8}, "bytes=8:0102030405060708"},
    };
    std::vector<std::string> expected;

    file.attrs = {{.ids = {5}}};
    for (const auto &c : cases) {
        file.add(c.type, 0, c.payload);
        expected.push_back(c.words);
    }
    EXPECT_EQ(details(file, false), expected);
    EXPECT_EQ(details(file, true), expected);
}

// Of many only the first are told, unless all are asked for.
TEST_P(PerfPrintEdges, ListsOfASampleInWords)
{
    for (const unsigned count : {0u, 1u, 16u, 17u})
        for (const bool full : {false, true}) {
            const unsigned told = full ? count : std::min(count, 16u), raw = 4 + count / 4 * 8;
            const std::string dots = told < count ? " ..]" : "]";
            PerfFile one{GetParam(), {{.sample_type = 0xc20, .branch_type = 0x20000}}, {}, {}};
            PerfOut payload = one.out();
            std::string chain, branches, bytes;
            char word[64];

            payload.u64(count);
            for (unsigned i = 0; i < count; i++)
                payload.u64(i + 1);
            payload.u32(raw).raw(PerfBytes(raw, 0xab));
            payload.u64(count).u64(9);
            for (unsigned i = 0; i < count; i++)
                payload.u64(i + 16).u64(i + 256).u64(flags(i % 3 == 0, i % 3 == 1, i + 300));
            one.add(9, 2, payload.bytes);
            for (unsigned i = 0; i < told; i++) {
                std::snprintf(word, sizeof word, "%s0x%x", i > 0 ? " " : "", i + 1);
                chain += word;
                std::snprintf(word, sizeof word, "%s0x%x>0x%x/%c/%u", i > 0 ? " " : "", i + 16,
                              i + 256, "MP-"[i % 3], i + 300);
                branches += word;
            }
            for (unsigned i = 0; i < raw && (full || i < 32); i++)
                bytes += "ab";
            bytes = std::to_string(raw) + ":" + bytes;
            if (!full && raw > 32)
                bytes += "..";
            EXPECT_EQ(details(one, full).at(0), "chain=" + std::to_string(count) + "[" + chain +
                                                    dots +
                                                    " hw_idx=9 branches=" + std::to_string(count) +
                                                    "[" + branches + dots + " raw=" + bytes);
        }
}

TEST(PerfPrintEdges, TypesThatAreNoneAreNamedUpToSixtyFourLetters)
{
    const struct {
        std::string names;
        std::string found; // "": all are types
    } cases[] = {
        {"SAMPLE", ""},
        {"sample,Mmap2,127", ""},
        {"", ""},
        {"128", "128"},
        {"4,12x,5", "12x"},
        {"SAMPLES", "SAMPLES"},
        {std::string(64, 'a'), std::string(64, 'a')},
        {std::string(64, 'b') + "c", std::string(64, 'b')},
        {std::string(80, 'd') + ",SAMPLE", std::string(64, 'd')},
    };

    for (const auto &c : cases) {
        cs_perfread_print_options options = {};
        cs_diag diag = {};

        EXPECT_EQ(cs_perfread_only(c.names.c_str(), &options, &diag),
                  c.found.empty() ? CS_OK : CS_ERR_RANGE);
        if (c.found.empty())
            continue;
        EXPECT_EQ(diag.text, "found '" + c.found +
                                 "', expected types of records as SAMPLE, MMAP2, AUXTRACE, or "
                                 "their numbers below 128");
    }
}

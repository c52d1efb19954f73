// SPDX-License-Identifier: Apache-2.0
// Compressed records of perf.data at their edges: several blocks in one of them, and damage behind
// a whole record.
#include <gtest/gtest.h>

#include <memory>
#include <zstd.h>

#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

constexpr uint32_t kCompressed = 81;

// One zstd stream that never ends, as perf has it: each piece is flushed.
class Packer
{
  public:
    PerfBytes pack(const PerfBytes &bytes)
    {
        PerfBytes out(ZSTD_compressBound(bytes.size()) + 64);
        ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
        ZSTD_outBuffer to = {out.data(), out.size(), 0};

        EXPECT_EQ(ZSTD_compressStream2(stream.get(), &to, &in, ZSTD_e_flush), 0u);
        out.resize(to.pos);
        return out;
    }

  private:
    std::unique_ptr<ZSTD_CStream, size_t (*)(ZSTD_CStream *)> stream{ZSTD_createCStream(),
                                                                     ZSTD_freeCStream};
};

struct All {
    std::vector<uint32_t> types;
    cs_status status;
    cs_diag diag;
};

All read_all(const PerfFile &file)
{
    PerfSeek seek{file.make()};
    const cs_seek_source source = seek.source();
    const cs_perfread_record *record = nullptr;
    cs_perfread *reader = nullptr;
    All all = {};

    all.status = cs_perfread_open(&source, "the file", &reader, &all.diag);
    while (all.status == CS_OK) {
        all.status = cs_perfread_next(reader, &record, &all.diag);
        if (record == nullptr)
            break;
        all.types.push_back(record->type);
    }
    cs_perfread_close(reader);
    return all;
}

class PerfUnpackEdges : public testing::TestWithParam<bool>
{
  protected:
    PerfFile file{GetParam(), {{}}, {}, {}};
    PerfFile inner{GetParam(), {}, {}, {}};
    Packer packer;
};
INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfUnpackEdges, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

} // namespace

// zstd has blocks of at most 128 KiB: four of them stand in the one compressed record.
TEST_P(PerfUnpackEdges, SeveralBlocksInOneRecord)
{
    for (unsigned i = 0; i < 50000; i++)
        inner.add(68, 0, {});
    file.add(kCompressed, 0, packer.pack(inner.records)).add(82, 0, {});
    const All all = read_all(file);

    EXPECT_EQ(all.status, CS_OK) << all.diag.text;
    ASSERT_EQ(all.types.size(), 50002u);
    EXPECT_EQ(all.types[0], kCompressed);
    EXPECT_EQ(std::count(all.types.begin(), all.types.end(), 68u), 50000);
    EXPECT_EQ(all.types.back(), 82u);
}

// A record of two pieces, the second of which goes on behind it; damage follows there.
TEST_P(PerfUnpackEdges, WhatIsWholeBeforeTheDamageIsGiven)
{
    inner.add(200, 0, PerfBytes(65000 - 8)).add(68, 0, {}).add(68, 0, {});
    const auto middle = inner.records.begin() + 40000;
    file.add(kCompressed, 0, packer.pack({inner.records.begin(), middle}));
    const size_t second = 104 + 144 + file.records.size();
    PerfBytes damaged = packer.pack({middle, inner.records.end()});
    damaged.insert(damaged.end(), {0x07, 0, 0, 0, 0, 0}); // there is no such kind of block
    file.add(kCompressed, 0, damaged);
    const All all = read_all(file);

    EXPECT_EQ(all.status, CS_ERR_FORMAT);
    EXPECT_EQ(all.types.at(0), kCompressed);
    EXPECT_EQ(all.types.at(1), kCompressed);
    ASSERT_GT(all.types.size(), 2u);
    EXPECT_EQ(all.types.at(2), 200u);
    EXPECT_EQ(std::string(all.diag.text),
              "byte " + std::to_string(second) +
                  ": COMPRESSED: what zstd cannot unpack: Data corruption detected");
    EXPECT_STREQ(all.diag.where, "the file");
}

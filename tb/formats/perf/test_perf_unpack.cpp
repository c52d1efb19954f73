// SPDX-License-Identifier: Apache-2.0
// Compressed records of perf.data: what is in them reads as if it had not been compressed.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <zstd.h>

#include "formats/perf/read/print.h"
#include "perf_all.hpp"
#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

constexpr uint32_t kCompressed = 81, kCompressed2 = 83;

struct Read {
    cs_status status = CS_OK;
    std::string text; // of the error
    std::vector<std::string> records;
    unsigned compressed = 0, packed = 0, parts = 0;
};

Read read_all(const PerfBytes &bytes, bool keep = true, std::vector<PerfBytes> more = {})
{
    PerfSeek file{bytes};
    std::vector<PerfSeek> parts(more.size());
    const cs_seek_source source = file.source();
    cs_perfread *reader = nullptr;
    cs_diag diag = {};
    const cs_perfread_record *record = nullptr;
    char *text = nullptr;
    size_t room = 0;
    Read read;

    read.status = cs_perfread_open(&source, "file", &reader, &diag);
    for (size_t i = 0; read.status == CS_OK && i < more.size(); i++) {
        parts[i].bytes = more[i];
        const cs_seek_source part = parts[i].source();
        read.status = cs_perfread_add_part(reader, &part,
                                           ("folder/data." + std::to_string(i)).c_str(), &diag);
    }
    while (read.status == CS_OK) {
        read.status = cs_perfread_next(reader, &record, &diag);
        if (read.status != CS_OK || record == nullptr)
            break;
        read.packed += record->packed;
        read.parts += record->part != nullptr;
        if (record->type == kCompressed || record->type == kCompressed2) {
            read.compressed++;
            continue;
        }
        EXPECT_TRUE(cs_perfread_detail(reader, record, true, &text, &room));
        if (keep)
            read.records.push_back(std::to_string(record->type) + " " +
                                   std::to_string(record->size) + text);
    }
    read.text = diag.text;
    std::free(text);
    cs_perfread_close(reader);
    return read;
}

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
        EXPECT_EQ(in.pos, in.size);
        out.resize(to.pos);
        return out;
    }

  private:
    std::unique_ptr<ZSTD_CStream, size_t (*)(ZSTD_CStream *)> stream{ZSTD_createCStream(),
                                                                     ZSTD_freeCStream};
};

struct Pieces {
    uint32_t type = kCompressed;
    unsigned seed = 1;
    size_t most = 300; // bytes of a piece
};

// The records with all of them compressed but those that have a payload behind them.
PerfFile packed(const PerfFile &file, const Pieces &how)
{
    std::mt19937 random(how.seed);
    PerfFile out = file;
    PerfBytes run;
    Packer packer;

    const auto flush = [&] {
        for (size_t at = 0; at < run.size();) {
            const size_t bytes = std::min<size_t>(run.size() - at, 1 + random() % how.most);
            const auto from = run.begin() + static_cast<long>(at);
            const PerfBytes piece = packer.pack({from, from + static_cast<long>(bytes)});
            PerfOut payload = file.out();

            if (how.type == kCompressed2)
                payload.u64(piece.size());
            payload.raw(piece);
            if (how.type == kCompressed2)
                payload.bytes.resize((payload.bytes.size() + 7) / 8 * 8);
            out.add(how.type, 0, payload.bytes);
            at += bytes;
        }
        run.clear();
    };
    const auto number = [&](size_t at, unsigned count) {
        uint64_t value = 0;

        for (unsigned i = 0; i < count; i++)
            value |= static_cast<uint64_t>(file.records[at + (file.big ? count - 1 - i : i)])
                     << 8 * i;
        return value;
    };

    out.records.clear();
    for (size_t at = 0; at < file.records.size();) {
        const uint64_t type = number(at, 4), size = number(at + 6, 2);
        uint64_t behind = 0;

        if (type == 71) // AUXTRACE
            behind = number(at + 8, 8);
        if (type == 66) // HEADER_TRACING_DATA
            behind = (number(at + 8, 4) + 7) / 8 * 8;
        const auto from = file.records.begin() + static_cast<long>(at);
        const PerfBytes whole(from, from + static_cast<long>(size + behind));
        if (behind != 0) {
            flush();
            out.records.insert(out.records.end(), whole.begin(), whole.end());
        } else {
            run.insert(run.end(), whole.begin(), whole.end());
        }
        at += whole.size();
    }
    flush();
    return out;
}

class PerfUnpack : public testing::TestWithParam<bool>
{
  protected:
    const PerfFile file = perf_with_everything(GetParam());
};
INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfUnpack, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

} // namespace

TEST_P(PerfUnpack, RecordsAreThoseThatWereCompressed)
{
    const Read plain = read_all(file.make());

    ASSERT_EQ(plain.status, CS_OK) << plain.text;
    for (const uint32_t type : {kCompressed, kCompressed2})
        for (const size_t most : {1u, 7u, 100u, 60000u})
            for (unsigned seed = 1; seed < 6; seed++) {
                const Read read = read_all(packed(file, {type, seed, most}).make());

                ASSERT_EQ(read.status, CS_OK) << read.text;
                EXPECT_EQ(read.records, plain.records);
                EXPECT_GT(read.compressed, 0u);
                EXPECT_GT(read.packed, 15u);
            }
}

TEST_P(PerfUnpack, DamageIsToldOrReadsAsSomethingElse)
{
    const PerfBytes whole = packed(file, {kCompressed, 3, 200}).make();
    std::mt19937 random(7);
    unsigned refused = 0, unpacking = 0;

    for (int i = 0; i < 4000; i++) {
        PerfBytes bytes = whole;

        for (unsigned k = 1 + random() % 3; k > 0; k--)
            bytes[416 + random() % (bytes.size() - 416)] ^=
                static_cast<uint8_t>(1 + random() % 255);
        const Read read = read_all(bytes);
        if (read.status == CS_OK)
            continue;
        refused++;
        unpacking += read.text.find("zstd") != std::string::npos;
        ASSERT_TRUE(read.text.find("byte ") != std::string::npos) << read.text;
    }
    EXPECT_GT(refused, 2000u);
    EXPECT_GT(unpacking, 300u);
}

TEST_P(PerfUnpack, WhatTheErrorsSay)
{
    const auto error = [&](const PerfBytes &payload) {
        PerfFile bad = file;

        bad.records.clear();
        bad.add(kCompressed, 0, payload);
        const Read read = read_all(bad.make());
        EXPECT_EQ(read.status, CS_ERR_FORMAT);
        return read.text;
    };
    const auto pack = [&](const PerfFile &records) { return Packer().pack(records.records); };
    PerfFile inner;
    inner.big = file.big;
    const std::string at =
        "byte " + std::to_string(read_all(file.make()).records.empty() ? 0 : 104 + 8 * 3 + 2 * 144);

    EXPECT_EQ(error({1, 2, 3, 4, 5, 6, 7, 8}),
              at + ": COMPRESSED: what zstd cannot unpack: Unknown frame descriptor");
    inner.add(68, 0, {});
    inner.records.resize(4);
    EXPECT_NE(error(pack(inner))
                  .find(": the data end within a compressed record, 4 bytes of it "
                        "have been unpacked"),
              std::string::npos);
    inner.records.clear();
    inner.add(kCompressed, 0, {1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_NE(error(pack(inner)).find("it is in compressed data itself"), std::string::npos);
    inner.records.clear();
    inner.add(71, 0, file.out().u64(8).u64(0).u64(0).u32(0).u32(0).u32(0).u32(0).u64(0).bytes);
    EXPECT_NE(error(pack(inner)).find("with a payload in compressed data"), std::string::npos);
    inner.records = file.out().u32(68).u16(0).u16(0).bytes;
    EXPECT_NE(error(pack(inner))
                  .find("unpacked byte 0: a record of type 68 has size 0, expected "
                        "at least 8"),
              std::string::npos);
}

// 30 MB of rounds in some kilobytes: they come one by one.
TEST_P(PerfUnpack, ALotInALittleTakesNoMemory)
{
    PerfFile rounds, bomb = file;
    Packer packer;

    rounds.big = file.big;
    for (int i = 0; i < 131072; i++)
        rounds.add(68, 0, {});
    bomb.records.clear();
    for (int i = 0; i < 30; i++)
        bomb.add(kCompressed, 0, packer.pack(rounds.records));
    EXPECT_LT(bomb.records.size(), 30000u);
    const Read read = read_all(bomb.make(), false);
    EXPECT_EQ(read.status, CS_OK) << read.text;
    EXPECT_EQ(read.packed, 3932160u);
}

// perf record --threads: the file, and more of its records in others, compressed each on its own.
TEST_P(PerfUnpack, PartsFollowTheFile)
{
    const PerfFile all = packed(file, {kCompressed, 2, 500});
    PerfFile none = file;

    none.records.clear();
    std::vector<std::string> expected = read_all(file.make()).records, found;
    const Read read = read_all(file.make(), true, {file.records, {}, all.records, all.records});
    ASSERT_EQ(read.status, CS_OK) << read.text;
    EXPECT_EQ(read.records.size(), 4 * expected.size());
    EXPECT_EQ(read.parts, 3 * expected.size() + read.compressed);
    for (size_t i = 0; i < read.records.size(); i++) {
        std::string row = read.records[i];
        const std::string part = "file=data." + std::to_string(i / expected.size() == 1   ? 0
                                                               : i / expected.size() == 2 ? 2
                                                                                          : 3);

        if (i >= expected.size()) {
            const size_t at = row.find(part);
            ASSERT_NE(at, std::string::npos) << row;
            row.erase(at, part.size() + (row[at + part.size()] == ' '));
        }
        EXPECT_EQ(row, expected[i % expected.size()]);
    }

    PerfBytes cut = all.records;
    cut.resize(cut.size() - 5);
    const Read damaged = read_all(none.make(), true, {file.records, cut});
    EXPECT_EQ(damaged.status, CS_ERR_FORMAT);
    EXPECT_NE(damaged.text.find("the data end within"), std::string::npos) << damaged.text;
    EXPECT_EQ(damaged.text.compare(0, 5, "byte "), 0) << damaged.text;
}

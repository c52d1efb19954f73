// SPDX-License-Identifier: Apache-2.0
// Snapshot pages of the SBI PMU extension.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/pmcu/aux_dump.hpp"
#include "formats/riscv/read/snapshot.h"
#include "ring_records.hpp"

using namespace cs_test;

namespace
{

struct Printed {
    cs_status status;
    std::string text, error;
};

Printed print(const Octets &image, cs_table_format format = CS_TABLE_CSV)
{
    Bytes bytes{image};
    const cs_byte_source source = bytes.source();
    cs_diag diag = {};
    Printed p;
    const cs_text_sink sink = {[](void *ctx, const char *part, size_t length) {
                                   static_cast<std::string *>(ctx)->append(part, length);
                                   return CS_OK;
                               },
                               &p.text};

    p.status = cs_sbi_snapshot_print(&source, "page", format, &sink, &diag);
    p.error = diag.text;
    return p;
}

Octets random_page(unsigned seed)
{
    std::mt19937_64 random(seed);
    Octets page(4096);

    for (size_t at = 0; at < 520; at++)
        page[at] = static_cast<uint8_t>(random());
    return page;
}

} // namespace

TEST(SbiSnapshot, EveryBitAndValue)
{
    const Octets page = random_page(1);
    cs_sbi_snapshot snapshot;

    cs_sbi_snapshot_decode(page.data(), &snapshot);
    const auto word = [&](size_t at) {
        uint64_t value = 0;
        for (size_t i = 8; i-- > 0;)
            value = value << 8 | page[at + i];
        return value;
    };
    EXPECT_EQ(snapshot.overflowed, word(0));
    for (unsigned i = 0; i < 64; i++)
        EXPECT_EQ(snapshot.values[i], word(8 + 8 * i));
    EXPECT_EQ(snapshot.reserved_set, 0u);
}

TEST(SbiSnapshot, ReservedBytes)
{
    for (size_t at : {519u, 520u, 4095u}) {
        Octets page(4096);
        cs_sbi_snapshot snapshot;

        page[at] = 0x80;
        cs_sbi_snapshot_decode(page.data(), &snapshot);
        EXPECT_EQ(snapshot.reserved_set, at < 520 ? 0u : 1u);
        EXPECT_EQ(snapshot.reserved_first, at < 520 ? 0u : at);
    }
    Octets two(8192);
    two[4096 + 1000] = two[4096 + 1001] = 1;
    const Printed p = print(joined({two, Octets(4096)}));
    EXPECT_EQ(p.status, CS_ERR_FORMAT);
    EXPECT_EQ(p.error, "byte 0x13e8: reserved bytes are not zero (2 of them, this the first)");
    EXPECT_EQ(std::count(p.text.begin(), p.text.end(), '\n'), 1 + 2 * 64) << "none behind it";
}

TEST(SbiSnapshot, LengthsThatAreNone)
{
    const struct {
        size_t length;
        const char *error;
    } rows[] = {
        {0, "byte 0x0: there are no data, expected snapshot pages of 4096 bytes"},
        {1, "byte 0x1: the data end within a snapshot page, expected 4096 bytes from 0x0 on, "
            "found 1"},
        {4095, "byte 0xfff: the data end within a snapshot page, expected 4096 bytes from 0x0 on, "
               "found 4095"},
        {4097, "byte 0x1001: the data end within a snapshot page, expected 4096 bytes from 0x1000 "
               "on, found 1"},
    };

    for (const auto &row : rows) {
        const Printed p = print(Octets(row.length));

        EXPECT_EQ(p.status, CS_ERR_FORMAT);
        EXPECT_EQ(p.error, row.error);
    }
}

TEST(SbiSnapshot, Prints)
{
    Octets page(4096);

    change_little(page, 0, 1u << 5 | 1u << 6, 8);
    change_little(page, 8 + 8 * 6, 42, 8);
    const Printed csv = print(joined({Octets(4096), page}));
    EXPECT_EQ(csv.status, CS_OK) << csv.error;
    EXPECT_NE(csv.text.find("\n1,6,0x001038,42,0x000000000000002a,1\n"), std::string::npos);
    EXPECT_NE(csv.text.find("\n0,6,0x000038,0,0x0000000000000000,0\n"), std::string::npos);
    EXPECT_EQ(std::count(csv.text.begin(), csv.text.end(), '\n'), 1 + 2 * 64);
    const Printed text = print(joined({Octets(4096), page}), CS_TABLE_TEXT);
    EXPECT_EQ(std::count(text.text.begin(), text.text.end(), '\n'), 1 + 2 + 4) << text.text;
    EXPECT_NE(text.text.find("\npages           2\nvalues          1  that are not zero\n"
                             "overflowed      2\n"),
              std::string::npos);
}

TEST(SbiSnapshot, ErrorsAreHandedOn)
{
    const cs_byte_source gone = {[](void *, uint8_t *, size_t, size_t *, cs_diag *diag) {
                                     return cs_diag_set(diag, CS_ERR_IO, "disk", "gone");
                                 },
                                 nullptr};
    const cs_text_sink full = {[](void *, const char *, size_t) { return CS_ERR_IO; }, nullptr};
    cs_diag diag = {};
    cs_sbi_snapshot snapshot;
    bool there = true;

    EXPECT_EQ(cs_sbi_snapshot_next(&gone, "page", 0, &snapshot, &there, &diag), CS_ERR_IO);
    EXPECT_FALSE(there);
    EXPECT_EQ(cs_sbi_snapshot_print(&gone, "page", CS_TABLE_CSV, &full, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "gone");
    Bytes bytes{Octets(4096)};
    const cs_byte_source source = bytes.source();
    EXPECT_EQ(cs_sbi_snapshot_print(&source, "page", CS_TABLE_CSV, &full, &diag), CS_ERR_IO);
}

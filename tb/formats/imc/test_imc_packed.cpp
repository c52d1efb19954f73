// SPDX-License-Identifier: Apache-2.0
// Catalogs as firmware has them: xz, the partition IMA_CATALOG, a PNOR image (docs/drivers/imc_catalog.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "imc_tree.hpp"
#include "support/temp_folder.hpp"

extern "C" {
#include "formats/imc/catalog/nest_units.h"
#include "formats/imc/catalog/packed.h"
}

using namespace cs_test;
using testing::HasSubstr;

namespace
{

using Bytes = std::vector<uint8_t>;

constexpr size_t kEntry = 48 + 128;           // of IMA_CATALOG in the image
constexpr size_t kPartition = 0x100000;       // in the image
constexpr size_t kStream = kPartition + 4096; // xz

struct ImcPacked : testing::Test {
    TempFolder temp;
    cs_imc_catalog *catalog = nullptr;
    cs_diag diag = {};

    ~ImcPacked() override
    {
        cs_imc_catalog_destroy(catalog);
    }

    std::string path(const std::string &name)
    {
        return (temp.path() / name).string();
    }

    // The beginning of the image that is made of one of the project's catalogs.
    Bytes image(const char *source = "power9_small.dts", uint32_t id = CS_IMC_POWER9_CATALOG)
    {
        cs_imc_catalog *from = nullptr;

        EXPECT_EQ(cs_imc_catalog_load((CS_SOURCE_DIR "/configs/imc/" + std::string(source)).c_str(),
                                      &from, &diag),
                  CS_OK)
            << diag.text;
        EXPECT_EQ(cs_imc_pnor_write(from, id, path("pnor").c_str(), &diag), CS_OK) << diag.text;
        cs_imc_catalog_destroy(from);
        const std::string all = temp.read("pnor");
        EXPECT_EQ(all.size(), 128u << 20);
        return Bytes(all.begin(), all.begin() + kPartition + 0x4000);
    }

    cs_status load(const Bytes &bytes)
    {
        diag = {};
        cs_imc_catalog_destroy(catalog);
        catalog = nullptr;
        return cs_imc_catalog_load_memory(bytes.data(), bytes.size(), "it", &catalog, &diag);
    }
};

uint32_t word(const Bytes &b, size_t at)
{
    return uint32_t{b[at]} << 24 | uint32_t{b[at + 1]} << 16 | uint32_t{b[at + 2]} << 8 | b[at + 3];
}

void put(Bytes &b, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b[at + i] = static_cast<uint8_t>(value >> (24 - 8 * i));
}

void put_checksum(Bytes &b, size_t from, size_t at)
{
    uint32_t sum = 0;
    for (size_t i = from; i < at; i += 4)
        sum ^= word(b, i);
    put(b, at, sum);
}

Bytes piece(const Bytes &b, size_t from, size_t bytes)
{
    return Bytes(b.begin() + static_cast<long>(from), b.begin() + static_cast<long>(from + bytes));
}

TEST_F(ImcPacked, AnImageComesBack)
{
    const Bytes b = image();

    EXPECT_EQ(std::string(b.begin(), b.begin() + 4), "PART");
    EXPECT_EQ(word(b, 4), 1u);
    EXPECT_EQ(word(b, 12), 128u);
    EXPECT_EQ(word(b, 20), 4096u);
    EXPECT_EQ(std::string(b.begin() + kEntry, b.begin() + kEntry + 12),
              std::string("IMA_CATALOG\0", 12));
    EXPECT_EQ(word(b, kEntry + 16), 0x100u);
    EXPECT_EQ(word(b, kPartition + 8), 0x4e0200u);
    ASSERT_EQ(load(b), CS_OK) << diag.text;
    EXPECT_NE(cs_imc_catalog_pmu(catalog, "nest_mcs01_imc"), nullptr);
    EXPECT_NE(cs_imc_catalog_pmu(catalog, "trace_imc"), nullptr);
}

// Of the two entries of the image's table the first is the table itself.
TEST_F(ImcPacked, AnImageHasATable)
{
    const Bytes made = image();
    const auto entry = [&made](size_t nr) {
        std::vector<uint32_t> words;

        for (const size_t at : {16, 20, 24, 28, 32}) // base, blocks, parent, id, type
            words.push_back(word(made, 48 + 128 * nr + at));
        return words;
    };

    EXPECT_STREQ(reinterpret_cast<const char *>(&made[48]), "part");
    EXPECT_EQ(entry(0), (std::vector<uint32_t>{0, 1, UINT32_MAX, 1, 3}));
    EXPECT_STREQ(reinterpret_cast<const char *>(&made[48 + 128]), "IMA_CATALOG");
    EXPECT_EQ(entry(1)[0], kPartition / 4096);
    EXPECT_EQ(entry(1)[3], 2u);
    EXPECT_EQ(entry(1)[4], 1u);
}

TEST_F(ImcPacked, ThePartitionAndTheStreamAloneWillDo)
{
    const Bytes b = image();

    ASSERT_EQ(load(piece(b, kPartition, 0x4000)), CS_OK) << diag.text;
    ASSERT_EQ(load(piece(b, kStream, word(b, kPartition + 16))), CS_OK) << diag.text;
    EXPECT_NE(cs_imc_catalog_pmu(catalog, "core_imc"), nullptr);
}

TEST_F(ImcPacked, AFileIsToldByItsFirstBytes)
{
    const Bytes b = image("power10_small.dts", CS_IMC_POWER10_CATALOG);

    temp.write("cut.bin", std::string(b.begin(), b.end()));
    ASSERT_EQ(cs_imc_catalog_load(path("cut.bin").c_str(), &catalog, &diag), CS_OK) << diag.text;
    cs_imc_catalog_destroy(catalog);
    catalog = nullptr;
    ASSERT_EQ(cs_imc_catalog_load((path("cut.bin") + "@0x800200").c_str(), &catalog, &diag), CS_OK)
        << diag.text;
    EXPECT_EQ(cs_imc_catalog_generation(catalog), CS_IMC_GENERATION_POWER10);
    cs_imc_catalog_destroy(catalog);
    EXPECT_EQ(cs_imc_catalog_load((path("cut.bin") + "@0x4e0200").c_str(), &catalog, &diag),
              CS_ERR_RANGE);
    EXPECT_THAT(diag.text, HasSubstr("no catalog 0x4e0200, only 0x800200"));
}

TEST_F(ImcPacked, OfSeveralOneIsNamed)
{
    Bytes b = image();
    const size_t row = kPartition + 8;

    for (size_t i = 0; i < 12; i++)
        b[row + 12 + i] = b[row + i];
    put(b, row + 12, 0x4e0100);
    EXPECT_EQ(load(b), CS_ERR_RANGE);
    EXPECT_THAT(diag.text,
                HasSubstr("expected FILE@ID, as there are 2 catalogs: 0x4e0200, 0x4e0100"));
    temp.write("two.pnor", std::string(b.begin(), b.end()));
    ASSERT_EQ(cs_imc_catalog_load((path("two.pnor") + "@0x4e0100").c_str(), &catalog, &diag), CS_OK)
        << diag.text;
}

TEST_F(ImcPacked, SignaturesAndEccArePassedOver)
{
    Bytes b = image();
    const Bytes partition = piece(b, kPartition, 0x3000);
    Bytes with(4096, 0);

    put(with, 0, 0x17082011);
    with.insert(with.end(), partition.begin(), partition.end());
    Bytes ecc;
    for (size_t i = 0; i < with.size(); i++) {
        ecc.push_back(with[i]);
        if (i % 8 == 7)
            ecc.push_back(0xa5);
    }
    ecc.resize((ecc.size() + 4095) / 4096 * 4096);
    b.resize(kPartition);
    b.insert(b.end(), ecc.begin(), ecc.end());
    b[kEntry + 62] = 0x80;
    put(b, kEntry + 20, static_cast<uint32_t>(ecc.size() / 4096));
    put_checksum(b, kEntry, kEntry + 124);
    ASSERT_EQ(load(b), CS_OK) << diag.text;
    EXPECT_NE(cs_imc_catalog_pmu(catalog, "core_imc"), nullptr);
}

// As IBM's build makes a partition: another word at its beginning, and the best that xz has to give.
TEST_F(ImcPacked, APartitionOfIbmsBuild)
{
    ASSERT_EQ(load(image()), CS_OK);
    const Bytes made = image();
    temp.write("plain.xz", std::string(made.begin() + kStream,
                                       made.begin() + kStream + word(made, kPartition + 16)));
    ASSERT_EQ(std::system(("cd '" + temp.path().string() + "' && xz -dc plain.xz | xz -9 " +
                           "--check=crc32 > best.xz")
                              .c_str()),
              0);
    const std::string best = temp.read("best.xz");
    Bytes partition(4096);
    put(partition, 0, 0x494d4343); // "IMCC"
    put(partition, 4, 1);
    put(partition, 8, CS_IMC_POWER9_CATALOG);
    put(partition, 12, 4096);
    put(partition, 16, static_cast<uint32_t>(best.size()));
    partition.insert(partition.end(), best.begin(), best.end());
    EXPECT_EQ(load(partition), CS_OK) << diag.text;
    EXPECT_NE(cs_imc_catalog_pmu(catalog, "nest_mcs01_imc"), nullptr);

    // In an image, too, where the word may be any.
    for (const uint32_t magic : {0x494d4343u, 0u}) {
        Bytes b = image();
        put(partition, 0, magic);
        std::copy(partition.begin(), partition.end(), b.begin() + kPartition);
        EXPECT_EQ(load(b), CS_OK) << diag.text;
    }
}

struct Damage {
    size_t at;
    uint32_t value;
    size_t from, checksum; // made good again, where checksum is not 0
    const char *error;
};

TEST_F(ImcPacked, DamageIsToldWithItsPlace)
{
    const Bytes good = image();
    const Damage cases[] = {
        {4, 2, 0, 0, "byte 0: PNOR: the header of the partition table has a wrong checksum"},
        {4, 2, 0, 44, "byte 4: PNOR: expected version 1 and entries of 128 bytes, found version 2"},
        {12, 64, 0, 44, "byte 4: PNOR: expected version 1 and entries of 128 bytes, found"},
        {16, 5000, 0, 44, "byte 16: PNOR: 5000 entries are more than there can be"},
        {16, 1, 0, 44, "PNOR: expected a partition IMA_CATALOG, found 1 others"},
        {kEntry + 16, 1, 0, 0, "byte 176: the checksum of the entry IMA_CATALOG is wrong"},
        {kEntry + 16, 0x9999, kEntry, kEntry + 124, "byte 176: IMA_CATALOG at 0x9999000"},
        {kPartition + 4, 7, 0, 0, "byte 1048580: IMA_CATALOG: expected version 1, found 7"},
        {kPartition + 12, 0x80000, 0, 0, "byte 1048584: IMA_CATALOG: catalog at 0x80000"},
        {kStream, 0, 0, 0, "byte 1052672: xz: it is no xz stream"},
        {kStream + 64, 0x12345678, 0, 0, "byte 1052672: xz: it is damaged"},
    };

    for (const Damage &c : cases) {
        Bytes b = good;
        put(b, c.at, c.value);
        if (c.checksum != 0)
            put_checksum(b, c.from, c.checksum);
        EXPECT_EQ(load(b), CS_ERR_FORMAT) << c.error;
        EXPECT_THAT(diag.text, HasSubstr(c.error));
        EXPECT_EQ(catalog, nullptr);
    }
}

TEST_F(ImcPacked, WhatEndsTooSoonIsAnError)
{
    const Bytes b = image();
    const size_t stream = word(b, kPartition + 16);

    for (size_t bytes :
         {size_t{5}, size_t{47}, size_t{200}, kPartition, kPartition + 4095, kStream + 8}) {
        EXPECT_NE(load(piece(b, 0, bytes)), CS_OK) << bytes;
        EXPECT_EQ(catalog, nullptr);
    }
    for (size_t bytes = 6; bytes < stream; bytes += 7) {
        EXPECT_EQ(load(piece(b, kStream, bytes)), CS_ERR_FORMAT) << bytes;
        EXPECT_EQ(catalog, nullptr);
    }
}

} // namespace

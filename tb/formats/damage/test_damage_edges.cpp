// SPDX-License-Identifier: Apache-2.0
// Damage on purpose: seeds, and where there is no memory or no standard input.
#include <gtest/gtest.h>

#include <string>

#include "formats/damage/damage.h"
#include "support/forked.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

TEST(DamageEdges, Seeds)
{
    const struct {
        const char *text;
        uint64_t seed;
    } good[] = {{"zero", 1},     {"zero:0", 0}, {"zero:0x1f", 31},
                {"zero:010", 8}, {"zero:9", 9}, {"zero:18446744073709551615", UINT64_MAX}};
    const char *const bad[] = {"zero:-1",  "zero: 1", "zero:+1",
                               "zero:/",   "zero::",  "zero:18446744073709551616",
                               "zero:1:2", "zero:0x", "zero:08"};
    cs_damage_kind kind;
    uint64_t seed;

    for (const auto &c : good) {
        EXPECT_EQ(cs_damage_of(c.text, &kind, &seed, nullptr), CS_OK) << c.text;
        EXPECT_EQ(seed, c.seed) << c.text;
        EXPECT_EQ(kind, CS_DAMAGE_ZERO);
    }
    for (const char *text : bad) {
        cs_diag diag = {};

        EXPECT_EQ(cs_damage_of(text, &kind, &seed, &diag), CS_ERR_RANGE) << text;
        EXPECT_EQ(diag.text, std::string("found '") + text + "', expected a seed behind ':'");
    }
}

// Sanitizers end a program that asks for so much.
#ifndef __SANITIZE_ADDRESS__
TEST(DamageEdges, NoMemoryIsTold)
{
    const size_t size = size_t{1} << 62; // no bytes of it are looked at
    const uint8_t byte = 0;
    cs_damage_record record = {0, 1};
    cs_damage_layout layout = {};
    cs_damage_report report;
    uint8_t *out = const_cast<uint8_t *>(&byte);
    size_t out_size = 1;
    cs_diag diag = {};

    layout.records = &record;
    layout.nr_records = 1;
    EXPECT_EQ(
        cs_damage_make(&layout, CS_DAMAGE_DROP, 1, &byte, size, &out, &out_size, &report, &diag),
        CS_ERR_NO_MEMORY);
    EXPECT_STREQ(diag.text, "no memory for 4611686018427387904 bytes");
    EXPECT_EQ(out, nullptr);
    EXPECT_EQ(out_size, 0u);
}
#endif

// The file is number 0 then.
TEST(DamageEdges, WithoutAStandardInput)
{
    TempFolder temp;

    temp.write("in", "a,b\n1,2\n");
    in_child([&] {
        cs_damage_report report;
        cs_diag diag = {};

        close(STDIN_FILENO);
        EXPECT_EQ(cs_damage_file(temp.file("in").c_str(), temp.file("out").c_str(), nullptr,
                                 CS_DAMAGE_DUPLICATE, 1, &report, &diag),
                  CS_OK)
            << diag.text;
    });
    EXPECT_EQ(temp.read("out").size(), 12u);
}

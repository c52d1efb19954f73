// SPDX-License-Identifier: Apache-2.0
// Stretches of files: from an offset on, and no more than a length.
#include <gtest/gtest.h>

#include "formats/common/input.h"
#include "support/temp_folder.hpp"

using namespace cs_test;

TEST(Input, AStretchOfAFile)
{
    TempFolder temp;
    const struct {
        uint64_t offset, length;
        const char *text;
    } cases[] = {{0, UINT64_MAX, "0123456789"},
                 {4, UINT64_MAX, "456789"},
                 {4, 3, "456"},
                 {10, UINT64_MAX, ""},
                 {9, 0, ""}};

    temp.write("f", "0123456789");
    for (const auto &c : cases) {
        char bytes[32];
        size_t got = 0;
        cs_input in;

        ASSERT_EQ(cs_input_open(&in, temp.file("f").c_str(), c.offset, c.length, nullptr), CS_OK);
        const cs_byte_source source = cs_input_source(&in);
        ASSERT_EQ(source.read(source.ctx, reinterpret_cast<uint8_t *>(bytes), sizeof bytes, &got,
                              nullptr),
                  CS_OK);
        EXPECT_EQ(std::string(bytes, got), c.text);
        cs_input_close(&in);
    }
}

TEST(Input, AnOffsetBehindTheEnd)
{
    TempFolder temp;
    const std::string path = temp.file("f");
    cs_diag diag = {};
    cs_input in;

    temp.write("f", "0123456789");
    EXPECT_EQ(cs_input_open(&in, path.c_str(), 11, UINT64_MAX, &diag), CS_ERR_FORMAT);
    EXPECT_STREQ(diag.text, "ends at byte 0xa, before --offset 0xb");
    EXPECT_EQ(diag.where, path);
    cs_input_close(&in);
}

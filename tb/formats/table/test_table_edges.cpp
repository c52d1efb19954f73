// SPDX-License-Identifier: Apache-2.0
// Tables: texts of any characters, and what they look like.
#include "formats/timeline/timeline_reading.hpp"

using namespace timeline_reading;

TEST(TableEdges, TextsHaveAnyCharacters)
{
    EXPECT_EQ(read_table("[{\"time_ns\": 1, \"event\": \"a\\u0001\\u001f\\u007fb\", \"cpu\": 0, "
                         "\"pid\": 2, \"mode\": null, \"ip\": \"0x1\", \"period\": 3}]",
                         CS_TABLE_JSON)
                  .rows,
              (Rows{"1|a\x01\x1f\x7f"
                    "b|0|2||0x1|3"}));
}

// Of a piece no more than what was said is looked at.
TEST(TableEdges, WhatLooksLikeATable)
{
    const struct {
        std::string text;
        size_t bytes;
        bool csv, json;
    } cases[] = {
        {"[]", 2, false, true},
        {"[ \r\n]", 5, false, true},
        {"[ ]", 1, false, false},
        {"[ ]", 2, false, false},
        {"[\n{\"time_ns\":", 13, false, true},
        {"[\n{\"time_ns\":", 12, false, false},
        {"[{\"from_ns\": 1}]", 12, false, true},
        {"[1]", 3, false, false},
        {"", 0, false, false},
        {"time_ns,event,cpu,pid,", 22, true, false},
        {"time_ns,event,cpu,pid,", 21, false, false},
        {"from_ns,to_ns,event,cpu,", 24, true, false},
    };

    for (const auto &c : cases) {
        const auto *look = reinterpret_cast<const uint8_t *>(c.text.data());

        EXPECT_EQ(cs_tableread_is_csv(look, c.bytes), c.csv) << c.text << " " << c.bytes;
        EXPECT_EQ(cs_tableread_is_json(look, c.bytes), c.json) << c.text << " " << c.bytes;
    }
}

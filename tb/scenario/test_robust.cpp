// SPDX-License-Identifier: Apache-2.0
// Whatever the text: an answer, soon, and no crash.
#include <gtest/gtest.h>

#include "document.hpp"
#include "support/configs.hpp"

namespace
{

constexpr size_t MIB = 1u << 20;

std::string repeat(const std::string &piece, size_t bytes)
{
    std::string result;

    result.reserve(bytes);
    while (result.size() + piece.size() <= bytes)
        result += piece;
    return result;
}

std::string config(const char *name)
{
    return read_file(cs_test::config_path(name));
}

void expect_an_answer(const Document &d)
{
    EXPECT_TRUE(d.ok() || (d.status == CS_ERR_SCENARIO && !d.error.empty())) << d.error;
}

uint64_t next_random(uint64_t &state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

} // namespace

TEST(Robust, EveryBeginningOfAConfig)
{
    for (const char *name : {"pmcu_lockstep_basic.yaml", "pmcu_lockstep_kill.yaml"}) {
        const std::string text = config(name);

        for (size_t bytes = 0; bytes < text.size(); bytes++)
            expect_an_answer(parse(text.substr(0, bytes)));
    }
}

TEST(Robust, BytesReplaced)
{
    const std::string text = config("pmcu_lockstep_faults.yaml");
    const std::string bytes = "{}[]:,-?&*!|>'\"%@`#\n\t 0x9.~\\";
    uint64_t state = 1;

    for (int i = 0; i < 6000; i++) {
        std::string broken = text;

        for (uint64_t n = 1 + next_random(state) % 3; n > 0; n--) {
            uint64_t random = next_random(state);
            broken[random % text.size()] =
                i % 4 == 0 ? static_cast<char>(random >> 40) : bytes[(random >> 32) % bytes.size()];
        }
        expect_an_answer(parse(broken));
    }
}

TEST(Robust, PiecesRemovedAndDoubled)
{
    const std::string text = config("pmcu_lockstep_compat.yaml");
    uint64_t state = 2;

    for (int i = 0; i < 2000; i++) {
        const size_t from = next_random(state) % text.size();
        const std::string piece = text.substr(from, next_random(state) % 40);
        std::string broken = text;

        if (i % 2 == 0)
            broken.erase(from, piece.size());
        else
            broken.insert(next_random(state) % text.size(), piece);
        expect_an_answer(parse(broken));
    }
}

TEST(Robust, LongDocumentsOfOneKind)
{
    const std::string texts[] = {
        repeat("[", MIB),
        repeat("{a: ", MIB),
        repeat("- ", MIB),
        repeat("-\n", MIB),
        repeat("? ", MIB),
        repeat("a: 1\n", MIB),
        repeat("---\n", MIB),
        repeat("&a ", MIB),
        repeat("# c\n", MIB),
        "[" + repeat("1,", MIB - 2) + "]",
        "[" + repeat("{},", MIB - 2) + "]",
        "{" + repeat("? ", MIB - 2),
        "a: " + repeat("x", MIB - 3),
        "a: '" + repeat("''", MIB - 6) + "'",
        "a: |\n" + repeat(" x\n", MIB - 5),
        "pmcu_driver: {user_events: '" + repeat("0-ffff ", MIB - 30) + "'}",
        "pmcu_driver: {user_events: [" + repeat("0-65535,", 700000) + "]}",
        "handler: {events: [" + repeat("{event: 1, rate: 1},", 20000) + "]}",
        "software: {kind: script}\nscript:\n" + repeat("- read: {at: 0}\n", 16 * 10000),
    };

    for (const auto &text : texts)
        expect_an_answer(parse(text));
}

TEST(Robust, AliasesAreRefusedBeforeTheyGrow)
{
    std::string text = "a0: &a0 [x, x]\n";

    for (int i = 1; i < 40; i++)
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
                std::to_string(i - 1) + ", *a" + std::to_string(i - 1) + "]\n";
    EXPECT_EQ(parse(text).error, "t.yaml:1:6: anchors (&) and aliases (*) are not allowed");
    EXPECT_EQ(parse("a: *b").error, "t.yaml:1:5: anchors (&) and aliases (*) are not allowed");
    EXPECT_EQ(parse("a: !!map {}").error, "t.yaml:1:4: tags (!) are not allowed");
}

TEST(Robust, DepthAndLengthAreBounded)
{
    const std::string comment = "seed: 1\n#" + repeat("c", MIB - 10);
    std::string deep;

    EXPECT_TRUE(parse(comment + "\n").ok());
    EXPECT_EQ(parse(comment + "\n\n").error,
              "t.yaml: 1048577 bytes is more than the 1048576 that a scenario can have");
    EXPECT_NE(parse(repeat("[", 24) + repeat("]", 24)).error.find("is not a map"),
              std::string::npos);
    EXPECT_EQ(parse(repeat("[", 25) + repeat("]", 25)).error,
              "t.yaml:1:25: nested deeper than a scenario can be");
}

TEST(Robust, WhatIsNoText)
{
    EXPECT_EQ(parse(std::string("seed: 1\n\0", 9)).error, "t.yaml:2:1: a control character");
    EXPECT_EQ(parse("seed: \x1b[0m").error, "t.yaml:1:7: a control character");
    EXPECT_EQ(parse("name: \"a\\0b\"").error, "t.yaml:1:8: a NUL character");
    for (const char *bytes : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
        EXPECT_EQ(parse(std::string("ab: ") + bytes).error, "t.yaml:1:5: not UTF-8 text");
    EXPECT_TRUE(parse("workloads: [{name: Bär €, segments: [{}]}]").ok());
    EXPECT_EQ(parse("name: Bär\n").error.substr(0, 17), "t.yaml:1:7: name:");
}

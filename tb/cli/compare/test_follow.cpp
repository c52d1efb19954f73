// SPDX-License-Identifier: Apache-2.0
// `follow`: a retirement trace as a file (docs/yours/retirement.md).
#include <string>

#include "cli/shell.hpp"

namespace
{

using namespace cs_test;

const char kBegin[] = "settings xlen=32 modes=1 counters=0x8 width=40\nlag 1\nbegin 0x323 7\n";

struct Follow : Command {
    Outcome follow(const std::string &lines, const std::string &more = "")
    {
        temp.write("a.trace", kBegin + lines);
        return run("follow " + more + "a.trace");
    }
};

TEST_F(Follow, NamesTheFirstInstructionThatIsWrong)
{
    const std::string good = "10 e7=1 # a load\n12 r=0,0xb0302573,0x80,3,0,0,1\n",
                      bad = "14 r=1,0xb0302573,0x84,3,0,0,2\n"
                            "15 r=2,0xb0302573,0x88,3,0,0,3\n";
    const Outcome equal = follow(good), different = follow(good + bad),
                  all = follow(good + bad, "--all "), json = follow(good + bad, "-f json ");

    EXPECT_EQ(equal.status, 0) << equal.err;
    EXPECT_EQ(equal.out, "EQUAL: 1 instructions, 1 of counters compared, 0 differences\n");
    EXPECT_EQ(different.status, 1);
    EXPECT_EQ(different.out, "DIFFERENT instruction 1 at 0x84, read of CSR 0xb03: what it has "
                             "read: core 0x2, golden 0x1\n"
                             "DIFFERENT: 3 instructions, 3 of counters compared, 2 differences\n");
    EXPECT_TRUE(has(all.out, "DIFFERENT instruction 2 at 0x88")) << all.out;
    EXPECT_TRUE(
        has(json.out,
            "\"outcome\": \"different\", \"instructions\": 3, \"compared\": 3, \"different\": 2}"))
        << json.out;
    EXPECT_EQ(follow("1 r=0,0x13,0x80,3,0,0,0\n").status, 4) << "nothing was compared";
}

TEST_F(Follow, ThePagesTraceIsWrongAsThePageSays)
{
    const Outcome o = run("follow '" CS_SOURCE_DIR "/docs/examples/retirement/wrong.trace'");

    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_EQ(o.out, "DIFFERENT instruction 4 at 0x90, read of CSR 0xb02: what it has read: core "
                     "0x5, golden 0x4\n"
                     "DIFFERENT: 5 instructions, 4 of counters compared, 1 differences\n");
}

TEST_F(Follow, WhatIsWrongInAFileIsNamedWithItsLine)
{
    const std::pair<const char *, const char *> rows[] = {
        {"x 1\n", "a.trace:4:1: found 'x', expected settings, lag"},
        {"lag 1\n", "a.trace:4:1: found 'lag', expected it before begin"},
        {"late 7 64\n", "a.trace:4:1: found '7 64', expected begin CSR VALUE"},
        {"5 e7\n", "a.trace:4:1: found 'e7', expected eEVENT=INCREMENT"},
        {"5 e256=1\n", "a.trace:4:1: found 'e256=1', expected eEVENT=INCREMENT"},
        {"5 r=1,2,3\n", "a.trace:4:1: found '1,2,3', expected r=ORDER,INSN,PC,MODE,TRAP,RS1,RD"},
        {"5 e7=1\n5 e7=1\n", "a.trace:5:1: found cycle 5, expected 6 to 100000006"},
        {"5 r=0,0x13,0,1,0,0,0\n", "a.trace:4:1: cycle 5: mode 1: expected one that"},
        {"5 e2=1\n", "a.trace:4:1: cycle 5: an event, or its increment, cannot be 2"},
    };

    for (const auto &[lines, says] : rows) {
        const Outcome o = follow(lines);

        EXPECT_EQ(o.status, 2) << lines;
        EXPECT_TRUE(has(o.err, says)) << o.err;
    }
    // Of another kind: no line ends, or what looks like its end hides the rest.
    for (const std::string &lines :
         {std::string("5 ") + std::string(70000, ' '), std::string("5 e7=1\0r=1,2,3\n", 15),
          std::string("5 e7=1\n\0", 8), std::string(1, '\0') + "\n"}) {
        const Outcome o = follow(lines);

        EXPECT_EQ(o.status, 2) << lines.size();
        EXPECT_TRUE(has(o.err, "expected a line of text of at most 65535 bytes")) << o.err;
    }
    const Outcome endless = run("follow /dev/zero", "ulimit -v 200000;");
    EXPECT_EQ(endless.status, 2) << endless.err;
    EXPECT_EQ(follow("5 e7=1" + std::string(65000, ' ') + "\r\n6 e7=1").status, 4);
    temp.write("b.trace", "settings xlen=16\n1 e7=1\n");
    EXPECT_EQ(run("follow b.trace").status, 2);
    EXPECT_EQ(run("follow none.trace").status, 3);
}

} // namespace

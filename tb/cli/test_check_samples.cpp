// SPDX-License-Identifier: Apache-2.0
// countersink check: samples, the shares of functions, and call chains.
#include "cli/check.hpp"

using namespace check_command;
using namespace cs_test;

namespace
{

TEST_F(Check, SamplesOfHarts)
{
    trace("f", "riscv_sample.yaml");
    agrees("f");
    const size_t at = place("f", "sample", 100);
    // header 8, identifier 8, ip 8, pid and tid 8, time 8, cpu 8, period 8
    change("f", "ip", at + 16, 4);
    disagrees("-t f.truth ip", "a changed PC");
    change("f", "id", at + 8, 100);
    disagrees("-t f.truth id", "an id that is nobody's");
    change("f", "time", at + 32, 100);
    disagrees("-t f.truth time", "a changed time");
    change("f", "period", at + 48, 1);
    disagrees("-t f.truth period", "a period off by one");
    change("f", "cpu", at + 40, 1, 4);
    disagrees("-t f.truth cpu", "another CPU");
    ASSERT_EQ(run("damage --kind duplicate:3 -o twice f").status, 0);
    EXPECT_TRUE(has(run("check -t f.truth twice").out, " is there 2 times"));
    change("f", "mode", at + 4, 1, 2);
    disagrees("-t f.truth mode", "another mode");
    EXPECT_TRUE(has(run("check -t f.truth ip").out, "missing: time "));
    EXPECT_TRUE(has(run("check -t f.truth ip").out, "byte " + std::to_string(at) + ": time "));
    finds_lost_records("f", "f.truth");
}

TEST_F(Check, SamplesOfImc)
{
    trace("f", "imc_trace.yaml", "--set perf.0.stop=8100us");
    agrees("f");
    EXPECT_TRUE(has(run("check f").out, "function share"));
    const size_t at = place("f", "sample", 77);
    change("f", "ip", at + 16, 4);
    disagrees("-t f.truth ip", "a changed PC");
    run("damage --kind drop:5 -o lost f");
    disagrees("-t f.truth lost", "a lost sample");
}

// All samples of a function are another's: each is wrong, and so are the shares.
TEST_F(Check, SharesOfFunctions)
{
    trace("f", "imc_pair_pmi.yaml");
    agrees("f");
    std::string text = temp.read("f");
    const Outcome rows = run("decode -f csv --only sample f");
    size_t line = rows.out.find('\n') + 1;
    for (; line < rows.out.size(); line = rows.out.find('\n', line) + 1) {
        const size_t at = std::stoull(rows.out.substr(line), nullptr, 16);

        // llvm::DAGCombiner::visit at 0x10002000 becomes clang::Lexer::Lex at 0x10001000
        if (static_cast<uint8_t>(text[at + 17]) >> 4 == 2 && text[at + 19] == 0x10)
            text[at + 17] = static_cast<char>(0x10 | (text[at + 17] & 0xf));
    }
    temp.write("shifted", text);
    const Outcome o = run("check -t f.truth -f csv shifted");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(has(o.out, "\nfunction share,llvm::DAGCombiner::visit,,0.32000,0.00000,1,"))
        << o.out;
    EXPECT_TRUE(has(o.out, "\nfunction share,do_anonymous_page,,0.20000,0.16000,0,")) << o.out;
}

// The same of a hart: an event each, in functions of a process.
TEST_F(Check, SharesOfFunctionsOfHarts)
{
    trace("f", "riscv_sample.yaml");
    agrees("f");
    std::string text = temp.read("f");
    const Outcome rows = run("decode -f csv --only sample f");
    size_t line = rows.out.find('\n') + 1;
    for (; line < rows.out.size(); line = rows.out.find('\n', line) + 1) {
        const size_t at = std::stoull(rows.out.substr(line), nullptr, 16);

        // ActOnCallExpr at 0x11000 becomes Lex at 0x10000
        if (text[at + 18] == 1 && text[at + 17] >= 0x10 && text[at + 17] < 0x20)
            text[at + 17] = static_cast<char>(text[at + 17] - 0x10);
    }
    temp.write("shifted", text);
    const Outcome o = run("check -t f.truth -f csv shifted");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(has(o.out, "\nfunction share,clang::Lexer::Lex,,0.40079,0.66929,1,")) << o.out;
    EXPECT_TRUE(has(o.out, "\nfunction share,clang::Sema::ActOnCallExpr,,0.28055,0.00000,1,"))
        << o.out;
    EXPECT_TRUE(has(o.out, "\nfunction share,do_anonymous_page,,0.19843,0.19843,0,")) << o.out;
    EXPECT_TRUE(has(o.out, "\nfunction share,malloc,,0.15000,0.17621,0,")) << o.out;
}

// header 8, identifier 8, ip 8, pid and tid 8, time 8, cpu 8, period 8, then the chain: its length, a
// marker, the address, and the first return address.
TEST_F(Check, CallChains)
{
    trace("f", "riscv_callgraph.yaml");
    agrees("f");
    EXPECT_TRUE(has(run("check f").out,
                    "main;clang::ParseAST;clang::Sema::ActOnCallExpr;"
                    "AnalyzeImplicitConversions;AnalyzeImplicitConversions;malloc"));
    const size_t at = place("f", "sample", 100);
    const struct {
        size_t place;
        int64_t by;
        const char *what;
    } changes[] = {
        {at + 80, 4, "another return address"},
        {at + 72, -4, "another address than the sample's"},
        {at + 64, 0x180, "the kernel's marker"},
    };
    for (const auto &c : changes) {
        change("f", "chain", c.place, c.by);
        disagrees("-t f.truth chain", c.what);
        const Outcome o = run("check -f csv -t f.truth chain");
        // It is the chain that is wrong, and nothing else.
        EXPECT_TRUE(has(o.err, ": 1 of ")) << c.what << o.err;
        EXPECT_TRUE(has(o.out, ",1,exact,DISAGREES,\"byte " + std::to_string(at) + ": found ") ||
                    has(o.out, ",1,exact,DISAGREES,byte " + std::to_string(at) + ": found "))
            << o.out;
    }
    // A ring has the same record, and its first one is of a function with callers.
    agrees("-t f.truth f.truth/records/hart0.ring");
    change("f.truth/records/hart0.ring", "ring", 80, 4);
    disagrees("-t f.truth --as riscv-ring ring", "another return address in the ring");
}

// One way to a function is another's: each chain is wrong, and so are the shares.
TEST_F(Check, SharesOfCallPaths)
{
    // malloc in Lex in ParseAST; in Report in ParseAST.
    const uint64_t from[] = {0x11108, 0x10500}, to[] = {0x128ec, 0x10688};

    trace("f", "riscv_callgraph.yaml");
    std::string text = temp.read("f");
    const std::string pattern(reinterpret_cast<const char *>(from), sizeof from);
    size_t found = 0;
    for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) {
        if (text[at - 7] != 0x30) // the address in front of it lies in malloc
            continue;
        text.replace(at, sizeof to, reinterpret_cast<const char *>(to), sizeof to);
        found++;
    }
    EXPECT_GT(found, 300u);
    temp.write("shifted", text);
    const Outcome o = run("check -t f.truth -f csv shifted");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(has(
        o.out, "\npath share,main;clang::ParseAST;clang::Lexer::Lex;malloc,,0.13814,0.00000,1,"))
        << o.out;
    EXPECT_TRUE(has(
        o.out,
        "\npath "
        "share,main;clang::ParseAST;clang::DiagnosticsEngine::Report;malloc,,0.07675,0.22546,1,"))
        << o.out;
    EXPECT_TRUE(
        has(o.out, "\npath share,main;clang::ParseAST;clang::Lexer::Lex,,0.15349,0.14368,0,"))
        << o.out;
}

TEST_F(Check, CallChainsOfTables)
{
    for (const char *format : {"csv", "json"}) {
        const Outcome o = run("trace --format " + std::string(format) + " -o " + format + " '" +
                              config_path("riscv_callgraph.yaml") + "'");
        ASSERT_EQ(o.status, 0) << o.err;
        agrees(format);
        std::string text = temp.read(format);
        const size_t at = text.find(";0x106d4;");
        ASSERT_NE(at, std::string::npos);
        text[at + 7] = '8';
        temp.write("changed", text);
        disagrees("-t " + std::string(format) + ".truth changed", "another return address");
        EXPECT_TRUE(
            has(run("check -t " + std::string(format) + ".truth changed").out, " ip 0x130a8 "));
        text[at + 7] = 'x';
        temp.write("changed", text);
        EXPECT_EQ(run("check -t " + std::string(format) + ".truth changed").status, 2);
    }
}

// Of both kinds of commands in one file the modes tell which are a guest's.
TEST_F(Check, HostAndGuestInOneFile)
{
    trace("f", "riscv_lockstep_callchain.yaml");
    agrees("f");
    for (const char *ring : {"hart0", "hart1", "guest0", "guest1"})
        agrees("-t f.truth f.truth/records/" + std::string(ring) + ".ring");
    for (const char *command : {"0", "1", "2"}) {
        trace("g", "riscv_lockstep_callchain.yaml", "--command riscv.perf." + std::string(command));
        agrees("--command riscv.perf." + std::string(command) + " g");
        std::filesystem::remove_all(temp.path() / "g");
        std::filesystem::remove_all(temp.path() / "g.truth");
    }
}

} // namespace

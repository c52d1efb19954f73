// SPDX-License-Identifier: Apache-2.0
// "-": standard input and output in the place of files, in pipes.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/shell.hpp"
#include "support/configs.hpp"

using namespace cs_test;

namespace
{

struct Standard : Command {
    void SetUp() override
    {
        Command::SetUp();
        std::filesystem::create_directories(temp.path() / "tmp");
    }
    // As a shell has it; what is temporary lies in a place of the test's own.
    Outcome shell(const std::string &line)
    {
        const std::string all = "cd '" + temp.path().string() +
                                "' && export TMPDIR=\"$PWD/tmp\" C='" CS_COMMAND "' && { " + line +
                                "; } >.o 2>.e";
        const int status = std::system(("bash -o pipefail -c '" + quoted(all) + "'").c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, temp.read(".o"), temp.read(".e")};
    }
    static std::string quoted(std::string text)
    {
        for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
            text.replace(at, 1, "'\\''");
        return text;
    }
    bool is_clean() const
    {
        return std::filesystem::is_empty(temp.path() / "tmp") &&
               !std::filesystem::exists(temp.path() / "-");
    }
    const std::string scenario = "'" + config_path("riscv_callgraph.yaml") + "'";
};

} // namespace

TEST_F(Standard, ATraceGoesIntoAPipe)
{
    ASSERT_EQ(shell("\"$C\" trace --format csv -o file " + scenario).status, 0);
    const Outcome o = shell("\"$C\" trace --format csv -o - " + scenario);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, temp.read("file"));
    EXPECT_TRUE(is_clean());
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "-.truth"));

    const Outcome piped =
        shell("cat " + scenario + " | \"$C\" trace --format perf -o - - | \"$C\" decode - | wc -l");
    const Outcome whole = shell("\"$C\" trace --format perf -o p " + scenario +
                                " >/dev/null && \"$C\" decode p | wc -l");
    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_GT(std::stoi(piped.out), 1000);
    EXPECT_EQ(piped.out, whole.out);
    EXPECT_TRUE(is_clean());
}

TEST_F(Standard, WhatIsNoSingleFileIsRefused)
{
    const struct {
        const char *options, *words;
    } cases[] = {
        {"--format ctf -o -", "-o -: format ctf is a folder"},
    };
    for (const auto &c : cases) {
        const Outcome o = shell("\"$C\" trace " + std::string(c.options) + " " + scenario);
        EXPECT_EQ(o.status, 2) << c.options;
        EXPECT_TRUE(has(o.err, c.words)) << o.err;
    }
    const Outcome all = shell("\"$C\" damage -k all -o - -");
    EXPECT_EQ(all.status, 2);
    EXPECT_TRUE(has(all.err, "-o -: `all` makes a folder")) << all.err;
    EXPECT_TRUE(is_clean());
}

// Nothing of a scenario that is wrong comes out, and nothing of it stays.
TEST_F(Standard, AFailureWritesNothing)
{
    const Outcome o = shell("\"$C\" trace --format csv --set seed=many -o - " + scenario);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(is_clean());
    const Outcome full = shell("\"$C\" trace --format csv -o - " + scenario + " >/dev/full");
    EXPECT_EQ(full.status, 3);
    EXPECT_TRUE(has(full.err, "standard output: cannot write")) << full.err;
    EXPECT_TRUE(is_clean());
}

TEST_F(Standard, CheckReadsAPipe)
{
    for (const char *format : {"perf", "csv", "pprof", "folded"}) {
        const std::string f = std::string("f_") + format;
        ASSERT_EQ(
            shell("\"$C\" trace --format " + std::string(format) + " -o " + f + " " + scenario)
                .status,
            0);
        const Outcome o = shell("cat " + f + " | \"$C\" check -f csv -t " + f + ".truth -");
        EXPECT_EQ(o.status, 0) << format << o.err;
        EXPECT_EQ(o.out, shell("\"$C\" check -f csv " + f).out) << format;
    }
    const Outcome none = shell("cat f_csv | \"$C\" check -");
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(
        has(none.err, "standard input has no truth beside it: --truth must give the run folder"))
        << none.err;
}

TEST_F(Standard, DamageIsAFilter)
{
    ASSERT_EQ(shell("\"$C\" trace --format perf -o p " + scenario).status, 0);
    const Outcome file = shell("\"$C\" damage -k drop:3 -o bad p");
    const Outcome piped = shell("cat p | \"$C\" damage -k drop:3 -o - - >bad2");
    EXPECT_EQ(file.status, 0) << file.err;
    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_EQ(temp.read("bad2"), temp.read("bad"));
    EXPECT_EQ(piped.err, file.out) << "what was done is told all the same";
    const Outcome all = shell("cat p | \"$C\" damage -k all -o every -");
    EXPECT_EQ(all.status, 0) << all.err;
    EXPECT_EQ(temp.read("every/flip"),
              (shell("\"$C\" damage -k flip -o flip p"), temp.read("flip")));
    EXPECT_TRUE(is_clean());
}

// Commands that read a scenario.
TEST_F(Standard, ScenariosComeFromAPipe)
{
    const std::string small = "'" + config_path("riscv_lockstep_legacy.yaml") + "'";

    for (const char *command :
         {"run -o r", "compare", "check-scenario", "trace --format csv -o t"}) {
        const Outcome o = shell("cat " + small + " | \"$C\" " + command + " -");
        EXPECT_EQ(o.status, 0) << command << o.err;
    }
    EXPECT_TRUE(std::filesystem::exists(temp.path() / "r/truth.sqlite"));
    const Outcome made = shell("\"$C\" new imc-trace | \"$C\" check-scenario -");
    EXPECT_EQ(made.status, 0) << made.err;
}

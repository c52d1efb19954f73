// SPDX-License-Identifier: Apache-2.0
// `compare --rtl`: the RTL with changed copies of some of its files.
#include <fstream>

#include "cli/shell.hpp"
#include "support/configs.hpp"

using namespace cs_test;
namespace fs = std::filesystem;

namespace
{

const std::string kCache = "COUNTERSINK_CACHE='" CS_DIE_CACHE "'";

struct Copy : Command {
    // A copy of a file of our RTL in mine/, with `found` replaced.
    void edit(const std::string &unit, const std::string &name, const std::string &found,
              const std::string &replaced)
    {
        const fs::path mine = temp.path() / "mine" / name;
        std::ifstream in(fs::exists(mine) ? mine
                                          : fs::path(CS_SOURCE_DIR) / "src/rtl" / unit / name);
        std::string text((std::istreambuf_iterator<char>(in)), {});
        const size_t at = text.find(found);

        ASSERT_NE(at, std::string::npos) << name;
        text.replace(at, found.size(), replaced);
        fs::create_directory(temp.path() / "mine");
        std::ofstream(mine) << text;
    }
    Outcome compare(const std::string &arguments, const std::string &environment = kCache)
    {
        return run("compare --rtl mine " + arguments, environment);
    }
};

// An increment of 0 overflows.
const char *const kRight = "(sum < count)";
const char *const kWrong = "(sum <= count)";

} // namespace

TEST_F(Copy, AFaultInItIsFoundWhereItIsReached)
{
    edit("hpm", "hpm_counter.sv", kRight, kWrong);
    const Outcome blind = compare("'" + config_path("riscv_lockstep_legacy.yaml") + "'");
    const Outcome seen = compare("'" + config_path("riscv_lockstep_count.yaml") + "'");

    EXPECT_TRUE(has(blind.err, "the RTL has hpm_counter.sv of mine\n")) << blind.err;
    EXPECT_TRUE(has(blind.out, "\n  the RTL has hpm_counter.sv of mine\n")) << blind.out;
    EXPECT_EQ(blind.status, 0) << blind.err << blind.out;
    EXPECT_EQ(seen.status, 1) << seen.err;
    EXPECT_TRUE(has(seen.out, "only the RTL has this record")) << seen.out;
    EXPECT_TRUE(has(seen.out, "--waves FILE.fst --rtl mine ")) << seen.out;
    EXPECT_TRUE(has(seen.out, "\n  the RTL has hpm_counter.sv of mine\n")) << seen.out;
    // Ours is as it was.
    EXPECT_EQ(run("compare '" + config_path("riscv_lockstep_count.yaml") + "'").status, 0);
}

TEST_F(Copy, OneThatSaysTheSameIsOurs)
{
    edit("hpm", "hpm_counter.sv", kRight, kRight);
    const Outcome o =
        compare("'" + config_path("riscv_lockstep_legacy.yaml") + "'", "PATH=/nowhere");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.err, "no file of mine differs from ours")) << o.err;
    EXPECT_TRUE(has(o.out, "\n  no file of mine differs from ours\n")) << o.out;
}

// Also of a file beside the changed one that is as ours is.
TEST_F(Copy, JsonNamesThoseThatDiffer)
{
    edit("hpm", "hpm_counter.sv", kRight, kWrong);
    edit("hpm", "hpm_lcofi.sv", "module", "module");
    const std::string scenario = "'" + config_path("riscv_lockstep_legacy.yaml") + "'";
    const Outcome o = compare("--json " + scenario);
    const std::string path = fs::canonical(temp.path() / "mine/hpm_counter.sv").string();

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(
        has(o.out, "\n \"copies\": [{\"file\": \"src/rtl/hpm/hpm_counter.sv\", \"path\": \"" +
                       path + "\"}]"))
        << o.out;
    EXPECT_FALSE(has(run("compare --json " + scenario).out, "copies"));
}

// Each other die would have to be made, and nothing that makes one is there.
TEST_F(Copy, IsDrawnForOnOneDie)
{
    edit("hpm", "hpm_counter.sv", kRight, "(count > sum)");
    const Outcome made = compare("'" + config_path("riscv_lockstep_legacy.yaml") + "'");
    const Outcome drawn = compare("--random 24 --unit hpm", std::string(kCache) + " PATH=/nowhere");

    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(drawn.status, 0) << drawn.err << drawn.out;
}

TEST_F(Copy, ThatIsNoSystemVerilogIsToldWithItsLine)
{
    edit("hpm", "hpm_counter.sv", kRight, "(sum << < count)");
    const Outcome o =
        compare("'" + config_path("riscv_lockstep_legacy.yaml") + "'", "COUNTERSINK_CACHE=cache");

    EXPECT_EQ(o.status, 2) << o.out;
    EXPECT_TRUE(has(o.err, "the die with the RTL of mine: verilator fails: %Error: ")) << o.err;
    EXPECT_TRUE(has(o.err, "/mine/hpm_counter.sv:54:")) << o.err;
}

TEST_F(Copy, ThatIsNoneIsRefusedBeforeAnythingElse)
{
    fs::create_directory(temp.path() / "mine");
    temp.write("mine/counter.sv", "module counter; endmodule\n");
    const Outcome o = compare("nowhere.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "/mine/counter.sv: is not a copy of one of our RTL files")) << o.err;
    EXPECT_EQ(compare("--random 1").status, 2);
}

// make and the shell see none of the cache's name; a die that was cut off is made again, once.
TEST_F(Copy, ACacheOfAnyNameAndADamagedDie)
{
    edit("uncore", "uncore_counter.sv", "// ", "// Mine: ");
    fs::create_directory(temp.path() / "bin");
    temp.write("bin/verilator", "#!/bin/sh\n"
                                "while [ \"$1\" != -Mdir ]; do shift; done\n"
                                "case $2 in *\\ * | *\\;*) exit 9; esac\n"
                                "cd '" CS_READY_DIES_DIR "' && mkdir -p \"$2\"\n"
                                "while read name shape; do\n"
                                "  grep -q \"\\\"$shape\\\"\" \"$2/../die.cpp\" &&\n"
                                "    cp \"$name.so\" \"$2/die.so\"\n"
                                "done < dies.txt\n"
                                "true\n");
    fs::permissions(temp.path() / "bin/verilator", fs::perms::owner_all);
    const std::string cache = "my cache;touch PWNED;";
    const auto made = [&]() {
        const Outcome o = compare("--random 1 --seed 3 --unit uncore",
                                  "COUNTERSINK_CACHE='" + cache + "' PATH=\"$PWD/bin:$PATH\"");

        EXPECT_EQ(o.status, 0) << o.err << o.out;
        return has(o.err, "building a die of ");
    };

    EXPECT_TRUE(made());
    EXPECT_FALSE(made());
    EXPECT_FALSE(fs::exists(temp.path() / "PWNED"));
    for (const uintmax_t left : {30000, 0}) {
        for (const auto &file : fs::directory_iterator(temp.path() / cache))
            fs::resize_file(file.path(), left);
        EXPECT_TRUE(made()) << left;
        EXPECT_FALSE(made()) << left;
    }
}

// A die that is made first, by a Verilator that takes its time: none of it is the comparisons'.
TEST_F(Copy, WhatADieTakesIsNoTimeOfRandomComparisons)
{
    edit("uncore", "uncore_counter.sv", "// ", "// Mine: ");
    fs::create_directory(temp.path() / "bin");
    temp.write("bin/verilator", "#!/bin/sh\n"
                                "while [ \"$1\" != -Mdir ]; do shift; done\n"
                                "cd '" CS_READY_DIES_DIR "' && mkdir -p \"$2\"\n"
                                "while read name shape; do\n"
                                "  grep -q \"\\\"$shape\\\"\" \"$2/../die.cpp\" &&\n"
                                "    cp \"$name.so\" \"$2/die.so\"\n"
                                "done < dies.txt\n"
                                "echo 1006 >\"$CS_CLOCK\"\n");
    fs::permissions(temp.path() / "bin/verilator", fs::perms::owner_all);
    const std::string clock = temp.write("clock", "1000");
    const Outcome o = compare("--random 2 --seed 3 --unit uncore --time 5",
                              "COUNTERSINK_CACHE=cache PATH=\"$PWD/bin:$PATH\" CS_CLOCK='" + clock +
                                  "' " + preload(CS_CLOCK));

    EXPECT_EQ(o.status, 0) << o.err << o.out;
    EXPECT_TRUE(has(o.err, "building a die of ")) << o.err;
    EXPECT_TRUE(has(o.err, "the die is built (6 s)")) << o.err;
    EXPECT_TRUE(has(o.out, "2 random scenarios agree")) << o.out;
}

// SPDX-License-Identifier: Apache-2.0
// Several scenarios by one command: each is what it is alone.
#include <map>
#include <regex>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

struct Several : Command {
    // A run's files but for the time that it took.
    std::map<std::string, std::string> tree(const std::string &folder) const
    {
        const std::regex time("(wall time|\"wall_ns\").*");
        std::map<std::string, std::string> files;

        for (const std::string &name : temp.tree(folder))
            if (std::filesystem::is_regular_file(temp.file(folder + "/" + name)))
                files[name] = has(name, "summary")
                                  ? std::regex_replace(temp.read(folder + "/" + name), time, "")
                                  : temp.read(folder + "/" + name);
        EXPECT_GT(files.size(), 4u) << folder;
        return files;
    }

    void SetUp() override
    {
        Command::SetUp();
        std::string other = kScenario;
        other.replace(other.find("small"), 5, "other");
        temp.write("other.yaml", other);
    }
};

std::string folders_told(const std::string &out)
{
    const std::regex line("files: (.*)");
    std::string told;

    for (std::sregex_iterator i(out.begin(), out.end(), line), end; i != end; ++i)
        told += (*i)[1].str() + " ";
    return told;
}

} // namespace

// Given two scenarios, when they run one after the other and side by side, then files and words are
// the same, in the order of the command line.
TEST_F(Several, EachIsWhatItIsAlone)
{
    const Outcome first = run("run small.yaml"), second = run("run other.yaml");
    const Outcome both = run("run -o both -j 2 small.yaml other.yaml");
    const std::regex differs("wall time.*|files: .*");

    ASSERT_EQ(both.status, 0) << both.err;
    EXPECT_EQ(tree("runs/small-1"), tree("both/small-1"));
    EXPECT_EQ(tree("runs/other-1"), tree("both/other-1"));
    EXPECT_EQ(std::regex_replace(first.out + "\n" + second.out, differs, ""),
              std::regex_replace(both.out, differs, ""));
    EXPECT_EQ(first.err + second.err, both.err);
}

TEST_F(Several, NumbersAreInTheOrderOfTheCommandLine)
{
    for (const char *jobs : {"1", "2", "5"}) {
        std::filesystem::remove_all(temp.path() / "runs");
        const Outcome o = run(std::string("run -j ") + jobs +
                              " small.yaml other.yaml small.yaml small.yaml other.yaml");

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(folders_told(o.out),
                  "runs/small-1 runs/other-1 runs/small-2 runs/small-3 runs/other-2 ");
    }
}

TEST_F(Several, OneThatCannotBeLoadedLeavesNothing)
{
    temp.write("bad.yaml", "name: bad\npmcu: {clusters: 99}\n");
    const Outcome o = run("run small.yaml bad.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "bad.yaml:2")) << o.err;
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "runs"));
}

// Given a run that cannot write its file, when it is one of three, then the others are whole.
TEST_F(Several, OneThatFailsLeavesTheOthersAlone)
{
    std::string needs = kScenario;
    needs.replace(needs.find("small"), 5, "needs");
    needs.replace(needs.find("nr_sample: 4"), 12, "nr_sample: 100");
    temp.write("needs.yaml", needs);
    // The truth of so many samples is megabytes: more than the limit of a file's size, 700 blocks.
    const Outcome o = run("run -o out small.yaml needs.yaml other.yaml", "ulimit -f 700;");

    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_TRUE(std::filesystem::exists(temp.path() / "out/small-1/summary.json")) << o.err;
    EXPECT_TRUE(std::filesystem::exists(temp.path() / "out/other-1/summary.json"));
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "out/needs-1"));
    EXPECT_EQ(folders_told(o.out), "out/small-1 out/other-1 ");
}

TEST_F(Several, RefusesNumbersOfJobsThatAreNone)
{
    for (const char *jobs : {"0", "257", "x", "-1"})
        EXPECT_EQ(run(std::string("run -j ") + jobs + " small.yaml").status, 2) << jobs;
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "runs"));
}

// Given a scenario of two ways, when they run one at a time and side by side, then all is the same.
TEST_F(Several, WaysSideBySideAreThoseInTurn)
{
    const std::string ways = std::string(kScenario) +
                             "ways:\n"
                             "  - {name: a, set: {pmcu_driver: {nr_sample: 2}}}\n"
                             "  - {name: b, set: {pmcu_driver: {nr_sample: 3}}}\n"
                             "  - {name: c, set: {pmcu_driver: {nr_sample: 1}}}\n";
    temp.write("ways.yaml", ways);
    ASSERT_EQ(run("run -j 1 -o one ways.yaml").status, 0);
    ASSERT_EQ(run("run -j 3 -o three ways.yaml").status, 0);

    EXPECT_EQ(temp.read("one/ways.json"), temp.read("three/ways.json"));
    EXPECT_EQ(temp.read("one/ways.txt"), temp.read("three/ways.txt"));
    for (const char *way : {"a", "b", "c"})
        EXPECT_EQ(tree(std::string("one/") + way), tree(std::string("three/") + way)) << way;
}

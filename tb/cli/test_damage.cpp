// SPDX-License-Identifier: Apache-2.0
// countersink damage, from outside.
#include <algorithm>
#include <filesystem>
#include <set>

#include <sys/stat.h>
#include <unistd.h>

#include "shell.hpp"

using namespace cs_test;

namespace
{

struct DamageCommand : Command {
};

TEST_F(DamageCommand, EachKindAndAllOfThem)
{
    const std::string file = "'" CS_SOURCE_DIR "/tb/cli/perf_data/events.data'";
    const Outcome all = run("damage --kind all --seed 5 -o folder " + file);

    EXPECT_EQ(all.status, 0) << all.err;
    EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), 9);
    for (const char *kind : {"truncate", "drop", "duplicate", "reorder", "overlap", "flip", "zero",
                             "header", "size"}) {
        const std::string name = kind;
        const Outcome one = run("damage --kind " + name + " --seed 5 -o one " + file);

        EXPECT_EQ(one.status, 0) << one.err;
        EXPECT_TRUE(has(all.out, one.out)) << one.out;
        EXPECT_EQ(temp.read("one"), temp.read("folder/" + name)) << kind;
        EXPECT_EQ(run("damage --kind " + name + ":5 -o two " + file).out, one.out);
        EXPECT_EQ(temp.read("one"), temp.read("two")) << kind;
        EXPECT_NE(run("decode one").status, -1); // ended by itself
        std::filesystem::remove(temp.path() / "one");
        std::filesystem::remove(temp.path() / "two");
    }
    EXPECT_TRUE(has(all.out, "drop       seed 5  record "));
    const Outcome json = run("damage --kind all --seed 5 -o again --json " + file);
    EXPECT_TRUE(has(json.out, "{\"kind\": \"drop\", \"seed\": 5, \"words\": \"record "));
    EXPECT_EQ(json.out.substr(json.out.size() - 3), "\n]\n");
}

TEST_F(DamageCommand, NeverOfTheOnlyCopy)
{
    temp.write("only", "abcd");
    temp.write("other", "precious");
    for (const char *name : {"only", "./only", "other"}) {
        const Outcome o = run(std::string("damage --kind flip -o ") + name + " only");

        EXPECT_EQ(o.status, 3);
        EXPECT_TRUE(has(o.err, "exists already; give another name (-o)")) << o.err;
    }
    EXPECT_EQ(temp.read("only"), "abcd");
    EXPECT_EQ(temp.read("other"), "precious");
}

TEST_F(DamageCommand, OfPlainFilesOnly)
{
    std::filesystem::create_directory(temp.path() / "folder");
    ASSERT_EQ(mkfifo(temp.file("pipe").c_str(), 0600), 0);
    ASSERT_EQ(truncate(temp.write("huge", "").c_str(), (INT64_C(1) << 31) + 1), 0);
    const struct {
        const char *path;
        int status;
        const char *message;
    } cases[] = {
        {"/dev/zero", 3, "/dev/zero: is not a regular file but a device"},
        {"folder", 3, "folder: is not a regular file but a folder"},
        {"pipe", 3, "pipe: is not a regular file but a pipe"},
        {"huge", 2, "huge: has 2147483649 bytes; expected 2147483648 at most"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(std::string("damage --kind flip -o out ") + c.path);

        EXPECT_EQ(o.status, c.status) << o.err;
        EXPECT_TRUE(has(o.err, c.message)) << o.err;
        EXPECT_FALSE(temp.has("out"));
    }
}

TEST_F(DamageCommand, AFullDiskLeavesNothing)
{
    temp.write("file", std::string(100000, 'x'));
    for (const char *kind : {"flip", "all"}) {
        const Outcome o =
            run(std::string("damage --kind ") + kind + " -o out file", "ulimit -f 20;");

        EXPECT_EQ(o.status, 3) << o.err;
        EXPECT_TRUE(has(o.err, "cannot write: File too large")) << o.err;
        EXPECT_EQ(temp.tree(), (std::set<std::string>{"file", "small.yaml"}));
    }
}

// A trace that is damaged as it is written: the same as afterwards.
TEST_F(DamageCommand, OfATrace)
{
    const std::string scenario = " '" CS_SOURCE_DIR "/configs/riscv/riscv_guest.yaml'";
    ASSERT_EQ(run("trace --format perf -o whole" + scenario).status, 0);
    const Outcome traced = run("trace --format perf --damage drop:3 -o less" + scenario);
    const Outcome damaged = run("damage --kind drop:3 --json -o after whole");

    ASSERT_EQ(traced.status, 0) << traced.err;
    EXPECT_EQ(temp.read("less"), temp.read("after"));
    EXPECT_NE(temp.read("less"), temp.read("whole"));
    EXPECT_EQ("[\n" + temp.read("less.truth/damage.json") + "]\n", damaged.out);
    EXPECT_TRUE(has(traced.out, "damage: record "));
    EXPECT_EQ(run("trace --format perf --damage drip -o more" + scenario).status, 2);
    const Outcome none = run("trace --format csv --damage header -o table" + scenario);
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(has(none.err, "header is not possible here (csv): the format has no header"));
    EXPECT_FALSE(temp.has("table"));
    EXPECT_FALSE(temp.has("table.truth"));
}

// Of a trace that is a folder it is one file, which the seed chooses; the others stay as they were.
TEST_F(DamageCommand, OfAFolder)
{
    namespace fs = std::filesystem;
    const std::string scenario = " '" CS_SOURCE_DIR "/configs/riscv/riscv_guest.yaml'";
    std::set<std::string> hit;
    ASSERT_EQ(run("trace --format ctf -o whole" + scenario).status, 0);

    for (const char *seed : {"1", "2", "3"}) {
        const std::string bad = std::string("bad") + seed;
        const Outcome o = run("trace --format ctf --damage truncate:" + std::string(seed) + " -o " +
                              bad + scenario);
        std::set<std::string> changed;

        ASSERT_EQ(o.status, 0) << o.err;
        for (const auto &entry : fs::directory_iterator(temp.path() / "whole")) {
            const std::string name = entry.path().filename().string();

            if (temp.read("whole/" + name) != temp.read(bad + "/" + name))
                changed.insert(name);
        }
        ASSERT_EQ(changed.size(), 1u) << seed;
        EXPECT_TRUE(has(o.out, "damage: " + *changed.begin() + ": the file ends at byte "))
            << o.out;
        EXPECT_TRUE(has(temp.read(bad + ".truth/damage.json"),
                        "{\"file\": \"" + *changed.begin() + "\", \"damage\": {\"kind\": "));
        EXPECT_NE(run("check " + bad).status, 0) << "what is cut does not agree with the truth";
        hit.insert(changed.begin(), changed.end());
    }
    EXPECT_GT(hit.size(), 1u);
}

TEST_F(DamageCommand, BadUse)
{
    temp.write("file", "a,b\n1,2\n");
    const struct {
        const char *arguments;
        int status;
        const char *message;
    } cases[] = {
        {"damage file", 2, "--kind is missing"},
        {"damage --kind drop file", 2, "-o is missing"},
        {"damage --kind drop -o x", 2, "expected one file, found 0"},
        {"damage --kind lose -o x file", 2, "--kind: found 'lose', expected truncate, drop,"},
        {"damage --kind drop --seed x -o x file", 2, "--seed: found 'x', expected a number"},
        {"damage --kind header -o x file", 2,
         "header is not possible here (lines): the format has no header"},
        {"damage --kind drop --as cvs -o x file", 2, "found 'cvs', expected perf-data"},
        {"damage --kind drop -o x gone", 3, "gone: cannot open"},
        {"damage --kind all -o file file", 3, "file: exists already"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments << o.err;
        EXPECT_TRUE(has(o.err, c.message)) << c.arguments << ":\n" << o.err;
    }
}

} // namespace

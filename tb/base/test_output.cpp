// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/files/ending.h"
#include "base/files/output.h"
#include "support/temp_folder.hpp"

using cs_test::TempFolder;
using Tree = std::set<std::string>;

namespace
{

std::vector<std::string> heard;

struct Output : testing::Test {
    TempFolder temp;
    cs_output *output = nullptr;
    cs_diag diag = {};

    void SetUp() override
    {
        heard.clear();
        cs_output_set_listener([](const char *text) { heard.emplace_back(text); });
    }
    void TearDown() override
    {
        cs_output_set_listener(nullptr);
    }
    cs_status begin(const std::string &name, unsigned flags = 0)
    {
        return cs_output_begin(temp.file(name).c_str(), flags, &output, &diag);
    }
    static void put(const std::string &path, const std::string &text)
    {
        std::ofstream(path, std::ios::binary) << text;
    }
    void put_made(const std::string &text, unsigned thing = CS_OUTPUT_FIRST)
    {
        put(cs_output_path(output, thing), text);
    }
    // What becomes of a process of its own that does `work` and then waits for its end.
    static int end_of(int signal, const std::function<void()> &work)
    {
        int told[2], status = 0;
        char byte;

        EXPECT_EQ(pipe(told), 0);
        const pid_t child = fork();
        if (child == 0) {
            cs_ending_catch();
            work();
            EXPECT_EQ(write(told[1], "x", 1), 1);
            for (;;)
                pause();
        }
        EXPECT_EQ(read(told[0], &byte, 1), 1);
        kill(child, signal);
        waitpid(child, &status, 0);
        close(told[0]);
        close(told[1]);
        return status;
    }
};

} // namespace

TEST_F(Output, AppearsWhole)
{
    ASSERT_EQ(begin("out"), CS_OK) << diag.text;
    put_made("text");
    EXPECT_FALSE(temp.has("out"));
    ASSERT_EQ(cs_output_commit(output, &diag), CS_OK) << diag.text;
    EXPECT_EQ(temp.tree(), Tree{"out"});
    EXPECT_EQ(temp.read("out"), "text");
}

TEST_F(Output, AbandonLeavesNothing)
{
    ASSERT_EQ(begin("out", CS_OUTPUT_FOLDER), CS_OK) << diag.text;
    std::filesystem::create_directories(std::string(cs_output_path(output, 0)) + "/a/b/c");
    put(std::string(cs_output_path(output, 0)) + "/a/b/file", "x");
    put(std::string(cs_output_scratch(output)) + "/scratch", "x");
    std::filesystem::create_symlink("/", std::string(cs_output_path(output, 0)) + "/link");
    cs_output_abandon(output);
    EXPECT_EQ(temp.tree(), Tree{});
    cs_output_abandon(nullptr);
}

TEST_F(Output, TheHiddenFolderIsNobodyElses)
{
    struct stat info = {};

    ASSERT_EQ(begin("out"), CS_OK) << diag.text;
    ASSERT_EQ(stat(cs_output_scratch(output), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    cs_output_abandon(output);
}

TEST_F(Output, WhatIsThereIsNotReplaced)
{
    temp.write("out", "old");
    EXPECT_EQ(begin("out"), CS_ERR_IO);
    EXPECT_NE(std::string(diag.text).find("exists already"), std::string::npos) << diag.text;
    EXPECT_EQ(temp.tree(), Tree{"out"});

    for (const unsigned flags : {0u, CS_OUTPUT_FOLDER}) { // it comes while the output is made
        std::filesystem::remove_all(temp.path() / "late");
        ASSERT_EQ(begin("late", flags), CS_OK) << diag.text;
        if (flags == 0)
            put_made("new");
        temp.write("late", "old");
        EXPECT_EQ(cs_output_commit(output, &diag), CS_ERR_IO);
        EXPECT_EQ(temp.read("late"), "old");
        EXPECT_EQ(temp.tree(), (Tree{"late", "out"}));
    }
    ASSERT_EQ(begin("out", CS_OUTPUT_REPLACE), CS_OK) << diag.text;
    put_made("new");
    ASSERT_EQ(cs_output_commit(output, &diag), CS_OK) << diag.text;
    EXPECT_EQ(temp.read("out"), "new");
}

TEST_F(Output, OfTwoThatWantANameOneIsRefused)
{
    cs_output *other = nullptr;

    ASSERT_EQ(begin("out"), CS_OK) << diag.text;
    EXPECT_EQ(cs_output_begin(temp.file("out").c_str(), 0, &other, &diag), CS_ERR_IO);
    EXPECT_NE(std::string(diag.text).find("is being made by another process, in "),
              std::string::npos)
        << diag.text;
    EXPECT_NE(std::string(diag.text).find(".out.countersink"), std::string::npos) << diag.text;
    put_made("first");
    ASSERT_EQ(cs_output_commit(output, &diag), CS_OK) << diag.text;
    EXPECT_EQ(temp.read("out"), "first");
}

// Who begins clears the folder around; another's that is not locked yet may be taken for a dead one's.
TEST_F(Output, NeighboursNeverRefuseEachOther)
{
    std::vector<pid_t> children;

    for (unsigned nr = 0; nr < 4; nr++) {
        children.push_back(fork());
        if (children.back() == 0) {
            for (unsigned i = 0; i < 500; i++) {
                if (begin(std::to_string(nr)) != CS_OK || !heard.empty())
                    _exit(1);
                cs_output_abandon(output);
            }
            _exit(0);
        }
    }
    for (const pid_t child : children) {
        int status = 0;

        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
}

TEST_F(Output, NumbersAreClaimedAtOnce)
{
    const std::string stem = temp.file("run");
    cs_output *outputs[3];

    std::filesystem::create_directory(temp.path() / "run-2");
    for (cs_output *&one : outputs)
        ASSERT_EQ(cs_output_begin_numbered(stem.c_str(), &one, &diag), CS_OK) << diag.text;
    EXPECT_EQ(cs_output_name(outputs[0], 0), stem + "-1");
    EXPECT_EQ(cs_output_name(outputs[1], 0), stem + "-3");
    EXPECT_EQ(cs_output_name(outputs[2], 0), stem + "-4");
    for (cs_output *one : outputs)
        ASSERT_EQ(cs_output_commit(one, &diag), CS_OK) << diag.text;
    EXPECT_EQ(temp.tree(), (Tree{"run-1", "run-2", "run-3", "run-4"}));
}

TEST_F(Output, WhatIsInTheWayIsNamed)
{
    temp.write(".out.countersink", "no folder");
    EXPECT_EQ(begin("out"), CS_ERR_IO);
    EXPECT_NE(std::string(diag.text).find(".out.countersink is in the way"), std::string::npos)
        << diag.text;
    std::filesystem::remove(temp.path() / ".out.countersink");
    std::filesystem::create_directory(temp.path() / "target");
    temp.write("target/precious", "x");
    std::filesystem::create_symlink("target", temp.path() / ".out.countersink");
    EXPECT_EQ(begin("out"), CS_ERR_IO);
    EXPECT_EQ(temp.read("target/precious"), "x");
}

TEST_F(Output, LongNamesDiffer)
{
    const std::string base(250, 'n');
    cs_output *other = nullptr;

    ASSERT_EQ(begin(base + "1"), CS_OK) << diag.text;
    ASSERT_EQ(cs_output_begin(temp.file(base + "2").c_str(), 0, &other, &diag), CS_OK) << diag.text;
    cs_output_abandon(other);
    cs_output_abandon(output);
    EXPECT_EQ(temp.tree(), Tree{});
}

// ---- ends ----

TEST_F(Output, WhoIsKilledIsClearedAwayByTheNext)
{
    const int status = end_of(SIGKILL, [&] {
        begin("killed", CS_OUTPUT_FOLDER);
        put(std::string(cs_output_path(output, 0)) + "/file", "x");
    });

    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_TRUE(temp.has(".killed.countersink/made/file"));
    ASSERT_EQ(begin("other"), CS_OK) << diag.text; /* of the same folder */
    EXPECT_EQ(temp.tree(), Tree{".other.countersink"});
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_NE(heard[0].find(".killed.countersink, which a killed run had left"), std::string::npos)
        << heard[0];
    cs_output_abandon(output);
}

TEST_F(Output, TheLivingAreLeftAlone)
{
    cs_output *other = nullptr;

    ASSERT_EQ(begin("living"), CS_OK) << diag.text;
    ASSERT_EQ(cs_output_begin(temp.file("other").c_str(), 0, &other, &diag), CS_OK) << diag.text;
    EXPECT_EQ(temp.tree(), (Tree{".living.countersink", ".other.countersink"}));
    EXPECT_TRUE(heard.empty());
    cs_output_abandon(other);
    cs_output_abandon(output);
}

TEST_F(Output, ASignalClearsAndTakesItsCourse)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU}) {
        const int status = end_of(signal, [&] {
            begin("out", CS_OUTPUT_FOLDER);
            put(std::string(cs_output_path(output, 0)) + "/file", "x");
        });

        EXPECT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), signal);
        EXPECT_EQ(temp.tree(), Tree{});
    }
}

TEST_F(Output, AnIgnoredSignalStaysIgnored)
{
    const int status = end_of(SIGALRM, [&] {
        signal(SIGHUP, SIG_IGN);
        cs_ending_catch();
        raise(SIGHUP);
    });

    EXPECT_EQ(WTERMSIG(status), SIGALRM);
}

TEST_F(Output, ChildrenEndWithTheirParent)
{
    for (const int signal : {SIGKILL, SIGTERM}) {
        int alive[2];
        char byte;

        ASSERT_EQ(pipe(alive), 0);
        end_of(signal, [&] {
            if (cs_child_start(false) == 0)
                for (;;)
                    pause();
        });
        close(alive[1]);
        EXPECT_EQ(read(alive[0], &byte, 1), 0) << "somebody still has the other end";
        close(alive[0]);
    }
}

// A command that has no descriptor left takes away what it had begun, all the same.
TEST_F(Output, NothingStaysWithoutDescriptors)
{
    std::vector<int> all;

    ASSERT_EQ(begin("run", CS_OUTPUT_FOLDER), CS_OK) << diag.text;
    const std::string made = cs_output_path(output, CS_OUTPUT_FIRST);
    std::filesystem::create_directories(made + "/slow/records");
    put(made + "/slow/records/hart0.ring", "bytes");
    for (int fd; (fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;)
        all.push_back(fd);
    cs_output_abandon(output);
    for (const int fd : all)
        close(fd);
    EXPECT_GT(all.size(), 10u);
    EXPECT_EQ(temp.tree(), Tree{});
}

// ---- two things ----

TEST_F(Output, TwoThingsAppearTogether)
{
    ASSERT_EQ(begin("trace"), CS_OK) << diag.text;
    ASSERT_EQ(cs_output_add_folder(output, ".truth", &diag), CS_OK) << diag.text;
    put_made("trace");
    put(std::string(cs_output_path(output, CS_OUTPUT_SECOND)) + "/file", "truth");
    ASSERT_EQ(cs_output_commit(output, &diag), CS_OK) << diag.text;
    EXPECT_EQ(temp.tree(), (Tree{"trace", "trace.truth", "trace.truth/file"}));
}

TEST_F(Output, NeitherAppearsWhenOneCannot)
{
    ASSERT_EQ(begin("trace"), CS_OK) << diag.text;
    ASSERT_EQ(cs_output_add_folder(output, ".truth", &diag), CS_OK) << diag.text;
    put_made("trace");
    temp.write("trace", "other");
    EXPECT_EQ(cs_output_commit(output, &diag), CS_ERR_IO);
    EXPECT_EQ(temp.tree(), Tree{"trace"});
    EXPECT_EQ(temp.read("trace"), "other");

    temp.write("other.truth", "");
    ASSERT_EQ(begin("other"), CS_OK) << diag.text;
    EXPECT_EQ(cs_output_add_folder(output, ".truth", &diag), CS_ERR_IO);
    cs_output_abandon(output);
    EXPECT_EQ(temp.tree(), (Tree{"other.truth", "trace"}));
}

// As whoever is killed after the first of the two names leaves it.
TEST_F(Output, WhoIsKilledBetweenTwoNamesIsFinishedByTheNext)
{
    for (const bool second_named : {false, true}) {
        std::filesystem::create_directories(temp.path() / ".trace.countersink");
        temp.write(".trace.countersink/made", "trace");
        std::filesystem::create_directories(
            temp.path() / (second_named ? "trace.truth" : ".trace.countersink/made.truth"));
        std::filesystem::create_symlink("trace", temp.path() / ".trace.countersink/complete");

        ASSERT_EQ(begin("other"), CS_OK) << diag.text;
        cs_output_abandon(output);

        EXPECT_EQ(temp.tree(), (Tree{"trace", "trace.truth"}));
        ASSERT_GE(heard.size(), 1u);
        EXPECT_NE(heard[0].find("finished what a killed run had left"), std::string::npos);
        std::filesystem::remove_all(temp.path() / "trace.truth");
        std::filesystem::remove(temp.path() / "trace");
    }
}

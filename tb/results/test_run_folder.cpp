// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "results/run_folder.h"
#include "support/temp_folder.hpp"

using cs_test::TempFolder;

namespace
{

struct RunFolder : testing::Test {
    TempFolder temp;
    cs_run_folder *folder = nullptr;
    cs_diag diag = {};
    std::string cwd = std::filesystem::current_path();

    void SetUp() override
    {
        std::filesystem::current_path(temp.path());
    }
    void TearDown() override
    {
        std::filesystem::current_path(cwd);
    }
    void put(const char *file, const char *text)
    {
        FILE *out = nullptr;

        ASSERT_EQ(cs_run_folder_open(folder, file, &out, &diag), CS_OK) << diag.text;
        fputs(text, out);
        ASSERT_EQ(cs_run_folder_close(folder, file, out, &diag), CS_OK) << diag.text;
    }
};

} // namespace

TEST_F(RunFolder, AppearsWholeOnCommit)
{
    ASSERT_EQ(cs_run_folder_begin("out", "x", &folder, &diag), CS_OK) << diag.text;
    EXPECT_STREQ(cs_run_folder_name(folder), "out");
    put("a.txt", "alpha");
    ASSERT_EQ(cs_run_folder_subfolder(folder, "memory", &diag), CS_OK);
    put("memory/b.bin", "beta");
    EXPECT_FALSE(temp.has("out")) << "before the commit";
    for (const auto &entry : std::filesystem::directory_iterator(temp.path()))
        EXPECT_EQ(entry.path().filename().string()[0], '.') << "not hidden: " << entry.path();

    ASSERT_EQ(cs_run_folder_commit(folder, &diag), CS_OK) << diag.text;

    EXPECT_EQ(temp.tree(),
              (std::set<std::string>{"out", "out/a.txt", "out/memory", "out/memory/b.bin"}));
    EXPECT_EQ(temp.read("out/a.txt"), "alpha");
}

TEST_F(RunFolder, AbandonLeavesNothing)
{
    ASSERT_EQ(cs_run_folder_begin("out", "x", &folder, &diag), CS_OK) << diag.text;
    put("a.txt", "alpha");
    ASSERT_EQ(cs_run_folder_subfolder(folder, "memory", &diag), CS_OK);
    put("memory/b.bin", "beta");

    cs_run_folder_abandon(folder);

    EXPECT_EQ(temp.tree(), std::set<std::string>{});
    cs_run_folder_abandon(nullptr);
}

TEST_F(RunFolder, WhatExistsIsRefusedAndUntouched)
{
    std::filesystem::create_directory("out");
    temp.write("out/mine", "precious");
    temp.write("file", "mine too");
    std::filesystem::create_symlink("nowhere", "link");

    for (const char *name : {"out", "out/", "file", "link"}) {
        EXPECT_EQ(cs_run_folder_begin(name, "x", &folder, &diag), CS_ERR_IO) << name;
        EXPECT_EQ(folder, nullptr);
        EXPECT_NE(std::string(diag.text).find("exists already"), std::string::npos) << diag.text;
    }
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"out", "out/mine", "file", "link"}));
    EXPECT_EQ(temp.read("out/mine"), "precious");
}

TEST_F(RunFolder, WhatAppearsMeanwhileIsNotReplaced)
{
    ASSERT_EQ(cs_run_folder_begin("out", "x", &folder, &diag), CS_OK) << diag.text;
    put("a.txt", "alpha");
    std::filesystem::create_directory("out");
    temp.write("out/mine", "precious");

    EXPECT_EQ(cs_run_folder_commit(folder, &diag), CS_ERR_IO);

    EXPECT_EQ(temp.tree(), (std::set<std::string>{"out", "out/mine"}));
}

TEST_F(RunFolder, PlacesThatCannotBe)
{
    temp.write("file", "");

    for (const char *name : {"", "no/such/place", "file/out"})
        EXPECT_EQ(cs_run_folder_begin(name, "x", &folder, &diag), CS_ERR_IO) << name;
    EXPECT_EQ(cs_run_folder_begin(std::string(5000, 'a').c_str(), "x", &folder, &diag), CS_ERR_IO);
    EXPECT_EQ(temp.tree(), std::set<std::string>{"file"});
}

TEST_F(RunFolder, TrailingSlashesAreNoPartOfTheName)
{
    ASSERT_EQ(cs_run_folder_begin("out//", "x", &folder, &diag), CS_OK) << diag.text;
    EXPECT_STREQ(cs_run_folder_name(folder), "out");
    ASSERT_EQ(cs_run_folder_commit(folder, &diag), CS_OK) << diag.text;
    EXPECT_TRUE(temp.has("out"));
}

TEST_F(RunFolder, TheDefaultNameTakesTheFirstFreeNumber)
{
    std::filesystem::create_directories("runs/demo-2");

    for (const char *expected : {"runs/demo-1", "runs/demo-3", "runs/demo-4"}) {
        ASSERT_EQ(cs_run_folder_begin(nullptr, "demo", &folder, &diag), CS_OK) << diag.text;
        EXPECT_STREQ(cs_run_folder_name(folder), expected);
        ASSERT_EQ(cs_run_folder_commit(folder, &diag), CS_OK) << diag.text;
        EXPECT_TRUE(temp.has(expected));
    }
}

TEST_F(RunFolder, AFailedWriteIsReportedByClose)
{
    FILE *out = nullptr;

    if (access("/dev/full", W_OK) != 0)
        FAIL() << "no /dev/full here";
    ASSERT_EQ(cs_run_folder_begin("out", "x", &folder, &diag), CS_OK) << diag.text;
    std::filesystem::create_symlink("/dev/full", cs_run_folder_path(folder, "a.txt"));
    ASSERT_EQ(cs_run_folder_open(folder, "a.txt", &out, &diag), CS_OK);
    fputs("alpha", out);
    EXPECT_EQ(cs_run_folder_close(folder, "a.txt", out, &diag), CS_ERR_IO);
    EXPECT_NE(std::string(diag.where).find("a.txt"), std::string::npos) << diag.where;
    cs_run_folder_abandon(folder);
    EXPECT_EQ(temp.tree(), std::set<std::string>{});
}

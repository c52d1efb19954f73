// SPDX-License-Identifier: Apache-2.0
// The files of harts' rings: what is put arrives whole and in order, or close says why not.
#include <gtest/gtest.h>

#include <filesystem>

#include "results/hpm/ring_files.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/scenario.h"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

namespace fs = std::filesystem;

struct RingFiles : testing::Test {
    TempFolder temp;
    cs_run_folder *folder = nullptr;
    cs_ring_files *files = nullptr;
    cs_diag diag = {};

    void SetUp() override
    {
        ASSERT_EQ(cs_run_folder_begin(temp.file("out").c_str(), "n", &folder, &diag), CS_OK);
        ASSERT_EQ(cs_ring_files_create(folder, &files, &diag), CS_OK) << diag.text;
    }
    void TearDown() override
    {
        if (files != nullptr)
            cs_ring_files_close(files, nullptr);
        cs_run_folder_abandon(folder);
    }
    bool put(unsigned hart, bool guest, const std::string &bytes)
    {
        return cs_ring_files_put(files, hart, guest, bytes.data(), bytes.size());
    }
    cs_status close(bool with_diag = true)
    {
        cs_ring_files *closing = files;

        files = nullptr;
        return cs_ring_files_close(closing, with_diag ? &diag : nullptr);
    }
    void commit()
    {
        cs_run_folder *finished = folder;

        folder = nullptr;
        ASSERT_EQ(cs_run_folder_commit(finished, &diag), CS_OK);
    }
    // The files of a device that is full.
    void fill(const std::string &name)
    {
        fs::create_directories(cs_run_folder_path(folder, "records"));
        fs::create_symlink("/dev/full", cs_run_folder_path(folder, ("records/" + name).c_str()));
    }
};

} // namespace

TEST_F(RingFiles, NothingPutNothingThere)
{
    EXPECT_EQ(close(), CS_OK);
    commit();
    EXPECT_EQ(temp.tree("out"), std::set<std::string>{});
}

TEST_F(RingFiles, OneADriverInOrder)
{
    std::string last(100000, 'z');

    EXPECT_TRUE(put(0, false, "one "));
    EXPECT_TRUE(put(0, true, "guest"));
    EXPECT_TRUE(put(CS_MAX_HARTS - 1, false, last));
    EXPECT_TRUE(put(0, false, "two"));
    EXPECT_TRUE(put(CS_MAX_HARTS - 1, true, "g"));
    EXPECT_TRUE(put(0, true, ""));
    EXPECT_TRUE(put(0, true, "s"));
    ASSERT_EQ(close(), CS_OK) << diag.text;
    commit();

    const std::string top = std::to_string(CS_MAX_HARTS - 1);
    EXPECT_EQ(
        temp.tree("out"),
        (std::set<std::string>{"records", "records/hart0.ring", "records/guest0.ring",
                               "records/hart" + top + ".ring", "records/guest" + top + ".ring"}));
    EXPECT_EQ(temp.read("out/records/hart0.ring"), "one two");
    EXPECT_EQ(temp.read("out/records/guest0.ring"), "guests");
    EXPECT_TRUE(temp.read("out/records/hart" + top + ".ring") == last);
    EXPECT_EQ(temp.read("out/records/guest" + top + ".ring"), "g");
}

TEST_F(RingFiles, AFullDiskIsToldToTheOneWhoPuts)
{
    fill("guest2.ring");
    const std::string block(10000, 'x');
    bool good = put(1, false, block);

    EXPECT_TRUE(good);
    for (unsigned i = 0; i < 100 && good; i++)
        good = put(2, true, block);
    EXPECT_FALSE(good);
    EXPECT_FALSE(put(1, false, block)) << "nor into another file any more";
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/guest2.ring");
    EXPECT_STREQ(diag.text, "cannot write: No space left on device");
}

// Few bytes: only close can tell.
TEST_F(RingFiles, AFullDiskAtTheEnd)
{
    fill("hart3.ring");
    EXPECT_TRUE(put(3, false, "few"));
    EXPECT_TRUE(put(1, true, "others"));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/hart3.ring");
    EXPECT_STREQ(diag.text, "cannot write: No space left on device");
}

TEST_F(RingFiles, TheFirstFailureIsTheOneThatIsTold)
{
    fill("hart0.ring");
    fill("hart1.ring");
    const std::string block(100000, 'x');

    EXPECT_TRUE(put(0, false, "few"));
    EXPECT_FALSE(put(1, false, block));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/hart1.ring");
}

TEST_F(RingFiles, TheFirstOfSeveralAtTheEnd)
{
    fill("hart0.ring");
    fill("guest0.ring");
    EXPECT_TRUE(put(0, true, "few"));
    EXPECT_TRUE(put(0, false, "few"));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/hart0.ring");
}

TEST_F(RingFiles, NobodyNeedsToKnowWhy)
{
    fill("hart0.ring");
    put(0, false, "few");
    EXPECT_EQ(close(false), CS_ERR_IO);
}

TEST_F(RingFiles, AFileThatCannotBeMade)
{
    fs::create_directories(cs_run_folder_path(folder, "records/hart0.ring"));
    EXPECT_FALSE(put(0, false, "x"));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_NE(std::string(diag.where).find("records/hart0.ring"), std::string::npos) << diag.where;
}

TEST_F(RingFiles, AFolderThatCannotBeMade)
{
    fs::remove_all(fs::path(cs_run_folder_path(folder, "x")).parent_path());
    EXPECT_FALSE(put(0, false, "x"));
    EXPECT_FALSE(put(1, false, "x"));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_NE(std::string(diag.text).find("cannot make the folder"), std::string::npos)
        << diag.text;
}

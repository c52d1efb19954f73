// SPDX-License-Identifier: Apache-2.0
// Somebody's changed copies of our RTL in place of ours (lockstep/die/tree.h).
#include <fstream>

#include <gtest/gtest.h>

#include "lockstep/die/build.h"
#include "lockstep/die/tree.h"
#include "support/temp_folder.hpp"

namespace fs = std::filesystem;

namespace
{

const std::string kCounter = "src/rtl/hpm/hpm_counter.sv";

struct Copies : testing::Test {
    cs_test::TempFolder temp;
    cs_rtl_tree tree = {};
    cs_diag diag = {};

    // A copy of one of our files, with something behind it.
    void copy(const std::string &file, const std::string &as, const std::string &more)
    {
        std::ifstream in(fs::path(CS_SOURCE_DIR) / file);
        const std::string text((std::istreambuf_iterator<char>(in)), {});

        ASSERT_FALSE(text.empty()) << file;
        fs::create_directories((temp.path() / as).parent_path());
        std::ofstream(temp.path() / as) << text << more;
    }
    cs_status open()
    {
        cs_rtl_tree_close(&tree);
        return cs_rtl_tree_open(CS_SOURCE_DIR, temp.path().c_str(), &tree, &diag);
    }
    uint64_t hash()
    {
        cs_die_shape shape;
        uint64_t out = 0;

        EXPECT_EQ(cs_die_shape_parse("hpm.NrHart=1", &shape, &diag), CS_OK) << diag.text;
        EXPECT_EQ(cs_die_hash(&tree, &shape, false, &out, &diag), CS_OK) << diag.text;
        return out;
    }
    void TearDown() override
    {
        cs_rtl_tree_close(&tree);
    }
};

} // namespace

TEST_F(Copies, TakeThePlaceOfTheFileOfTheirName)
{
    char path[4096], told[256];

    copy(kCounter, "any/folder/hpm_counter.sv", "// mine\n");
    ASSERT_EQ(open(), CS_OK) << diag.text;
    cs_rtl_tree_path(&tree, kCounter.c_str(), path, sizeof path);
    EXPECT_EQ(path, fs::canonical(temp.path() / "any/folder/hpm_counter.sv").string());
    cs_rtl_tree_path(&tree, "src/rtl/hpm/hpm.sv", path, sizeof path);
    EXPECT_EQ(path, fs::canonical(CS_SOURCE_DIR).string() + "/src/rtl/hpm/hpm.sv");
    EXPECT_STREQ(cs_rtl_tree_tell(&tree, told, sizeof told), "hpm_counter.sv");
}

TEST_F(Copies, AreADieOfTheirOwnByWhatTheySay)
{
    ASSERT_EQ(cs_rtl_tree_open(CS_SOURCE_DIR, nullptr, &tree, &diag), CS_OK);
    const uint64_t ours = hash();
    copy(kCounter, "hpm_counter.sv", "// mine\n");
    ASSERT_EQ(open(), CS_OK) << diag.text;
    const uint64_t mine = hash();
    copy(kCounter, "hpm_counter.sv", "// other\n");
    ASSERT_EQ(open(), CS_OK) << diag.text;
    const uint64_t other = hash();
    copy(kCounter, "hpm_counter.sv", "");
    ASSERT_EQ(open(), CS_OK) << diag.text;

    EXPECT_EQ(tree.nr_changed, 0u) << "it says what ours says";
    EXPECT_EQ(hash(), ours);
    EXPECT_NE(mine, ours);
    EXPECT_NE(other, ours);
    EXPECT_NE(other, mine);
}

TEST_F(Copies, OfOtherKindsOfFilesDoNotMatter)
{
    copy(kCounter, "hpm_counter.sv", "// mine\n");
    temp.write("notes.txt", "the compare is wrong\n");
    temp.write(".hidden.sv", "of an editor\n");
    ASSERT_EQ(open(), CS_OK) << diag.text;
    EXPECT_EQ(tree.nr_changed, 1u);
}

TEST_F(Copies, ThatAreWrongAreRefusedWithTheirName)
{
    EXPECT_EQ(open(), CS_ERR_USAGE);
    EXPECT_NE(strstr(diag.text, "has no copy of one of our RTL files"), nullptr) << diag.text;

    temp.write("mine.sv", "module mine; endmodule\n");
    EXPECT_EQ(open(), CS_ERR_USAGE);
    EXPECT_NE(strstr(diag.where, "/mine.sv"), nullptr) << diag.where;
    EXPECT_NE(strstr(diag.text, "is not a copy of one of our RTL files"), nullptr) << diag.text;
    fs::remove(temp.path() / "mine.sv");

    copy(kCounter, "a/hpm_counter.sv", "// mine\n");
    copy(kCounter, "b/hpm_counter.sv", "// mine, too\n");
    EXPECT_EQ(open(), CS_ERR_USAGE);
    EXPECT_NE(strstr(diag.text, "is there twice"), nullptr) << diag.text;

    EXPECT_EQ(cs_rtl_tree_open(CS_SOURCE_DIR, "/nowhere", &tree, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "/nowhere");
    EXPECT_EQ(cs_rtl_tree_open(CS_SOURCE_DIR, CS_SOURCE_DIR "/README.md", &tree, &diag),
              CS_ERR_USAGE);
    EXPECT_NE(strstr(diag.text, "is not a folder"), nullptr) << diag.text;
}

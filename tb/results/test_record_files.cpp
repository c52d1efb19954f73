// SPDX-License-Identifier: Apache-2.0
// The files of trace records: what is put arrives whole and in order, or close says why not.
#include <gtest/gtest.h>

#include <filesystem>

#include "results/imc/record_files.h"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

namespace fs = std::filesystem;

constexpr size_t kBlock = 8192 / CS_IMC_TRACE_RECORD_BYTES; // records that are written at once

struct RecordFiles : testing::Test {
    TempFolder temp;
    cs_run_folder *folder = nullptr;
    cs_record_files *files = nullptr;
    cs_diag diag = {};

    void SetUp() override
    {
        ASSERT_EQ(cs_run_folder_begin(temp.file("out").c_str(), "n", &folder, &diag), CS_OK);
        ASSERT_EQ(cs_record_files_create(folder, &files, &diag), CS_OK) << diag.text;
    }
    void TearDown() override
    {
        if (files != nullptr)
            cs_record_files_close(files, nullptr);
        cs_run_folder_abandon(folder);
    }
    static std::string record(unsigned cpu, uint64_t number)
    {
        std::string bytes(CS_IMC_TRACE_RECORD_BYTES, static_cast<char>(cpu));

        for (unsigned i = 0; i < 8; i++)
            bytes[i] = static_cast<char>(number >> (8 * i));
        return bytes;
    }
    bool put(unsigned cpu, uint64_t number)
    {
        return cs_record_files_put(files, cpu,
                                   reinterpret_cast<const uint8_t *>(record(cpu, number).data()));
    }
    cs_status close()
    {
        cs_record_files *closing = files;

        files = nullptr;
        return cs_record_files_close(closing, &diag);
    }
    void commit()
    {
        cs_run_folder *finished = folder;

        folder = nullptr;
        ASSERT_EQ(cs_run_folder_commit(finished, &diag), CS_OK);
    }
    // Where the file lies while the run goes on.
    std::string place(const std::string &name)
    {
        return cs_run_folder_path(folder, name.c_str());
    }
    static std::string expected(unsigned cpu, uint64_t count)
    {
        std::string bytes;

        for (uint64_t n = 0; n < count; n++)
            bytes += record(cpu, n);
        return bytes;
    }
};

} // namespace

TEST_F(RecordFiles, NoRecordsNoFiles)
{
    EXPECT_EQ(close(), CS_OK);
    commit();

    EXPECT_EQ(temp.tree("out"), std::set<std::string>{"records"});
}

// Around the size of a block, and of more blocks than may wait.
TEST_F(RecordFiles, EveryLengthIsWhole)
{
    const uint64_t lengths[] = {1, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock, 200 * kBlock + 7};

    for (unsigned cpu = 0; cpu < 6; cpu++)
        for (uint64_t n = 0; n < lengths[cpu]; n++)
            ASSERT_TRUE(put(cpu, n));
    ASSERT_EQ(close(), CS_OK) << diag.text;
    commit();

    for (unsigned cpu = 0; cpu < 6; cpu++) {
        const std::string name = "out/records/cpu" + std::to_string(cpu) + ".imc";

        EXPECT_TRUE(temp.read(name) == expected(cpu, lengths[cpu])) << name;
    }
}

TEST_F(RecordFiles, ManyCpusMixed)
{
    constexpr uint64_t kEach = 2 * kBlock + 11;

    for (uint64_t n = 0; n < kEach; n++)
        for (unsigned cpu = 0; cpu < 128; cpu++)
            ASSERT_TRUE(put((cpu * 77 + 5) % 128, n));
    ASSERT_EQ(close(), CS_OK) << diag.text;
    commit();

    EXPECT_EQ(temp.tree("out").size(), 1u + 128);
    for (unsigned cpu = 0; cpu < 128; cpu++)
        EXPECT_TRUE(temp.read("out/records/cpu" + std::to_string(cpu) + ".imc") ==
                    expected(cpu, kEach))
            << cpu;
}

// The device is full: the failure reaches the one who puts, and close says which file.
TEST_F(RecordFiles, AFullDisk)
{
    ASSERT_TRUE(fs::exists("/dev/full"));
    fs::create_symlink("/dev/full", place("records/cpu3.imc"));
    bool good = true;

    for (uint64_t n = 0; n < 1000 * kBlock && good; n++)
        good = put(3, n) && put(4, n);

    EXPECT_FALSE(good) << "put tells of it while the run goes on";
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/cpu3.imc");
    EXPECT_STREQ(diag.text, "cannot write: No space left on device");
}

// Less than a block: only close can tell.
TEST_F(RecordFiles, AFullDiskAtTheEnd)
{
    fs::create_symlink("/dev/full", place("records/cpu0.imc"));

    EXPECT_TRUE(put(0, 0));
    EXPECT_TRUE(put(1, 0));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/cpu0.imc");
    EXPECT_STREQ(diag.text, "cannot write: No space left on device");
}

TEST_F(RecordFiles, AFolderThatVanishes)
{
    fs::remove_all(place("records"));

    EXPECT_TRUE(put(9, 0));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_NE(std::string(diag.where).find("records/cpu9.imc"), std::string::npos) << diag.where;
    EXPECT_NE(std::string(diag.text).find("No such file or directory"), std::string::npos)
        << diag.text;
}

// The first failure is the one that is told.
TEST_F(RecordFiles, TheFirstFailureIsKept)
{
    fs::create_symlink("/dev/full", place("records/cpu0.imc"));
    fs::create_directory(place("records/cpu1.imc"));

    EXPECT_TRUE(put(0, 0));
    EXPECT_TRUE(put(1, 0));
    EXPECT_EQ(close(), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "records/cpu0.imc");
}

TEST_F(RecordFiles, TheSubfolderMayBeThere)
{
    cs_record_files *second = nullptr;

    ASSERT_EQ(cs_record_files_create(folder, &second, &diag), CS_OK) << diag.text;
    EXPECT_EQ(cs_record_files_close(second, &diag), CS_OK);
}

TEST(RecordFilesCreate, AFolderThatIsNotThere)
{
    TempFolder temp;
    cs_run_folder *folder = nullptr;
    cs_record_files *files = nullptr;
    cs_diag diag = {};

    ASSERT_EQ(cs_run_folder_begin(temp.file("out").c_str(), "n", &folder, &diag), CS_OK);
    fs::remove_all(fs::path(cs_run_folder_path(folder, "x")).parent_path());

    EXPECT_EQ(cs_record_files_create(folder, &files, &diag), CS_ERR_IO);
    EXPECT_EQ(files, nullptr);
    EXPECT_NE(std::string(diag.text).find("cannot make the folder"), std::string::npos)
        << diag.text;
    cs_run_folder_abandon(folder);
}

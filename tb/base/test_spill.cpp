// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/files/spill.h"
#include "support/temp_folder.hpp"

using cs_test::TempFolder;

namespace
{

struct Item {
    uint64_t number, square, rest[4];
};

cs_spill *filled(size_t count)
{
    cs_spill *list = cs_spill_create(sizeof(Item));

    for (size_t i = 0; i < count; i++)
        *static_cast<Item *>(cs_spill_add(list)) = {i, i * i, {}};
    return list;
}

void expect_at(cs_spill *list, size_t i)
{
    const Item *item = static_cast<const Item *>(cs_spill_at(list, i));

    ASSERT_EQ(item->number, i);
    ASSERT_EQ(item->square, i * i);
}

long resident_kb()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    long kb = 0;

    while (status >> word && word != "VmRSS:")
        continue;
    status >> kb;
    return kb;
}

} // namespace

TEST(Spill, GivesBackWhatWasPutIn)
{
    const TempFolder temp;

    for (const bool on_disk : {false, true}) {
        const size_t count = 100000;

        cs_spill_set_folder(on_disk ? temp.file("").c_str() : nullptr);
        cs_spill *list = filled(count);
        for (size_t i = 0; i < count; i += 7) {
            expect_at(list, i);
            expect_at(list, count - 1 - i);
            expect_at(list, i * 7919 % count);
        }
        EXPECT_TRUE(temp.tree().empty()) << "the file has no name";
        cs_spill_set_folder(nullptr); /* what is there stays */
        expect_at(list, 5);
        expect_at(list, count - 1);
        for (size_t i = count; i < 2 * count; i++) /* and goes on */
            *static_cast<Item *>(cs_spill_add(list)) = {i, i * i, {}};
        for (size_t i = 0; i < 2 * count; i++)
            expect_at(list, i);
        cs_spill_clear(list);
        EXPECT_EQ(list->count, 0u);
        cs_spill_destroy(list);
    }
    cs_spill_destroy(nullptr);
}

// Dropped at its beginning again and again, the list goes on with what is left.
TEST(Spill, DropsItsBeginning)
{
    const TempFolder temp;

    for (const bool on_disk : {false, true}) {
        cs_spill_set_folder(on_disk ? temp.file("").c_str() : nullptr);
        cs_spill *list = filled(10000);
        size_t gone = 0, end = 10000;

        for (size_t nr : {0u, 1u, 9000u, 3u, 999u - 3u}) {
            cs_spill_drop(list, nr);
            gone += nr;
            for (size_t more = 0; more < 2000; more++, end++)
                *static_cast<Item *>(cs_spill_add(list)) = {end, end * end, {}};
            ASSERT_EQ(list->count, end - gone);
            for (size_t i = 0; i < list->count; i++)
                ASSERT_EQ(static_cast<const Item *>(cs_spill_at(list, i))->number, gone + i);
        }
        cs_spill_drop(list, list->count);
        EXPECT_EQ(list->count, 0u);
        cs_spill_destroy(list);
    }
    cs_spill_set_folder(nullptr);
}

TEST(Spill, StaysOutOfMemory)
{
    const TempFolder temp;
    const size_t count = 1000000; /* 48 MB */
    const long before = resident_kb();

    cs_spill_set_folder(temp.file("").c_str());
    cs_spill *list = filled(count);
    EXPECT_LT(resident_kb() - before, 4096);
    for (size_t i = 0; i < count; i += 100)
        expect_at(list, i);
    EXPECT_LT(resident_kb() - before, 4096);
    cs_spill_destroy(list);
    cs_spill_set_folder(nullptr);
}

TEST(Spill, GoesOnInMemoryWhereTheDiskIsFull)
{
    const TempFolder temp;
    rlimit before, small;

    signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    cs_spill_set_folder(temp.file("").c_str());
    cs_spill *list = filled(100000);
    for (size_t i = 0; i < 100000; i += 999)
        expect_at(list, i);
    cs_spill_destroy(list);
    cs_spill_set_folder(nullptr);
    setrlimit(RLIMIT_FSIZE, &before);
}

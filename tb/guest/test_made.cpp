// SPDX-License-Identifier: Apache-2.0
// What is made for a guest: programs and archives.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "formats/common/elf_program.h"
#include "guest/cpio.h"
#include "guest/imc/kinds.h"
#include "guest/imc/programs.h"
#include "guest/log.h"
#include "guest/symfs.h"
#include "support/temp_folder.hpp"

using cs_test::TempFolder;

namespace
{

uint32_t word(const uint8_t *elf, size_t at)
{
    uint32_t value;

    memcpy(&value, elf + 0x1000 + 4 * at, sizeof value);
    return value;
}

} // namespace

TEST(Programs, TheProgramHasAFunctionForEachThatIsAskedFor)
{
    cs_guest_function functions[2] = {{"search", 17000, 0, 0, 0}, {"sum_up", 3, 0, 0, 0}};
    cs_guest_spec guest = {};
    uint8_t *elf = nullptr;
    size_t bytes = 0;
    TempFolder temp;

    guest.program.rounds = 0x12345;
    guest.program.functions = functions;
    guest.program.nr_functions = 2;
    ASSERT_EQ(cs_power_make_program(&guest, &elf, &bytes, nullptr), CS_OK);
    temp.write("work", std::string(reinterpret_cast<char *>(elf), bytes));

    cs_elf_program *program = nullptr;
    ASSERT_EQ(cs_elf_program_open(temp.file("work").c_str(), &program, nullptr), CS_OK);
    EXPECT_FALSE(cs_elf_program_moves(program));
    const cs_elf_symbol *search = cs_elf_program_find(program, "search");
    const cs_elf_symbol *sum_up = cs_elf_program_find(program, "sum_up");
    ASSERT_TRUE(search != nullptr && sum_up != nullptr);
    EXPECT_EQ(search->size, 40u);
    EXPECT_EQ(sum_up->addr, search->addr + 40);
    // Begins with mtctr, ends with blr.
    const size_t at = (search->addr - 0x20001000) / 4;
    EXPECT_EQ(word(elf, at), 0x7ca903a6u);
    EXPECT_EQ(word(elf, at + 8), 0x4200ffe4u);
    EXPECT_EQ(word(elf, at + 9), 0x4e800020u);
    // The first call of it: bl, 4 instructions behind the entry.
    EXPECT_EQ(word(elf, 4), 0x48000001u | static_cast<uint32_t>((at - 4) * 4));
    cs_elf_program_close(program);
    free(elf);
}

TEST(Programs, AFunctionLoadsAndStoresAsIsAskedFor)
{
    cs_guest_function functions[1] = {{"mixed", 9, 2, 3, 0}};
    cs_guest_spec guest = {};
    uint8_t *elf = nullptr;
    size_t bytes = 0;
    unsigned kinds[CS_POWER_KINDS] = {};

    guest.program.rounds = 1;
    guest.program.functions = functions;
    guest.program.nr_functions = 1;
    ASSERT_EQ(cs_power_make_program(&guest, &elf, &bytes, nullptr), CS_OK);
    const size_t main_count = 2 + 2 + 3 + 3 + 3;
    EXPECT_EQ(word(elf, 0), 0x3ea02000u); // lis r21,0x2000
    EXPECT_EQ(word(elf, 1), 0xfab50800u); // std r21,0x800(r21): no page fault comes later
    EXPECT_EQ(word(elf, main_count + 1), 0xe8d50800u);
    EXPECT_EQ(word(elf, main_count + 3), 0xf9150810u);
    for (size_t i = 0; i < 10; i++)
        kinds[cs_power_kind(word(elf, main_count + i))]++;
    EXPECT_EQ(kinds[CS_POWER_LOADS], 2u);
    EXPECT_EQ(kinds[CS_POWER_STORES], 3u);
    EXPECT_EQ(kinds[CS_POWER_BRANCHES], 2u); // of the loop, and the last
    free(elf);
}

TEST(Programs, PutAsksTwice)
{
    uint8_t *elf = nullptr;
    size_t bytes = 0;
    unsigned calls = 0;

    ASSERT_EQ(cs_power_make_put(&elf, &bytes, nullptr), CS_OK);
    for (size_t i = 0; i < 20; i++)
        calls += word(elf, i) == CS_GUEST_CALL;
    EXPECT_EQ(calls, 2u);
    free(elf);
}

TEST(Cpio, EveryPartBeginsAtAMultipleOfFour)
{
    TempFolder temp;
    FILE *out = fopen(temp.file("archive").c_str(), "w+b");
    cs_cpio cpio = {out, "archive", nullptr, 0};
    char bytes[1024] = {};

    temp.write("file", "12345");
    cs_cpio_folder(&cpio, "bin");
    ASSERT_EQ(cs_cpio_file(&cpio, "bin/x", 0755, temp.file("file").c_str(), nullptr), CS_OK);
    cs_cpio_link(&cpio, "bin/y", "x");
    cs_cpio_end(&cpio);
    rewind(out);
    const std::string all(bytes, fread(bytes, 1, sizeof bytes, out));
    fclose(out);

    unsigned entries = 0;
    for (size_t at = all.find("070701"); at != std::string::npos; at = all.find("070701", at + 1)) {
        EXPECT_EQ(at % 4, 0u);
        entries++;
    }
    EXPECT_EQ(entries, 4u);
    EXPECT_EQ(all.size() % 4, 0u);
    EXPECT_NE(all.find("000081ED"), std::string::npos); // a file that all may execute
    EXPECT_NE(all.find("12345"), std::string::npos);
}

TEST(Cpio, AFileThatIsNotThere)
{
    TempFolder temp;
    cs_diag diag = {};
    FILE *out = fopen(temp.file("archive").c_str(), "wb");
    cs_cpio cpio = {out, "archive", nullptr, 0};

    EXPECT_EQ(cs_cpio_file(&cpio, "x", 0644, "/nowhere/x", &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.where, "/nowhere/x");
    fclose(out);
}

TEST(Symfs, HasWhatAnArchiveHas)
{
    TempFolder temp;
    FILE *out = fopen(temp.file("archive").c_str(), "wb");
    const std::string symfs = temp.file("symfs");
    cs_cpio cpio = {out, "archive", symfs.c_str(), 0};

    std::filesystem::create_directory(symfs);
    temp.write("first", "1");
    temp.write("second", "22");
    // The guest's file is the one that is unpacked last.
    for (const char *name : {"first", "second"})
        ASSERT_EQ(cs_cpio_file(&cpio, "usr/lib/x.so", 0755, temp.file(name).c_str(), nullptr),
                  CS_OK);
    fclose(out);
    EXPECT_EQ(std::filesystem::read_symlink(symfs + "/usr/lib/x.so"),
              std::filesystem::canonical(temp.file("second")));
}

TEST(Symfs, AnEmptyFolderHasNoRoomForAFileBelowAFile)
{
    TempFolder temp;
    cs_diag diag = {};

    ASSERT_EQ(cs_symfs_bytes(temp.file("").c_str(), "bin", "x", 1, &diag), CS_OK);
    EXPECT_EQ(cs_symfs_bytes(temp.file("").c_str(), "bin/work", "x", 1, &diag), CS_ERR_IO);
    EXPECT_EQ(cs_symfs_link(temp.file("").c_str(), "lib", "/nowhere/lib", &diag), CS_ERR_IO);
}

TEST(Symfs, AKernelsFunctionsAreAsItPrintsThem)
{
    cs_guest_function functions[2] = {{"search", 17000, 0, 0, 0}, {"sum_up", 3, 0, 0, 0}};
    cs_guest_spec guest = {};
    uint8_t *elf = nullptr;
    size_t bytes = 0;
    TempFolder temp;

    guest.program.functions = functions;
    guest.program.nr_functions = 2;
    ASSERT_EQ(cs_power_make_program(&guest, &elf, &bytes, nullptr), CS_OK);
    temp.write("vmlinux", std::string(reinterpret_cast<char *>(elf), bytes));
    free(elf);
    ASSERT_EQ(cs_symfs_kernel(temp.file("vmlinux").c_str(), temp.file("kallsyms").c_str(), nullptr),
              CS_OK);

    cs_elf_program *program = nullptr;
    char line[64];
    ASSERT_EQ(cs_elf_program_open(temp.file("vmlinux").c_str(), &program, nullptr), CS_OK);
    snprintf(line, sizeof line, "%016llx T sum_up\n",
             static_cast<unsigned long long>(cs_elf_program_find(program, "sum_up")->addr));
    cs_elf_program_close(program);
    EXPECT_NE(temp.read("kallsyms").find(line), std::string::npos) << temp.read("kallsyms");

    // A stripped kernel has no list.
    temp.write("stripped", "no ELF file");
    EXPECT_EQ(cs_symfs_kernel(temp.file("stripped").c_str(), temp.file("none").c_str(), nullptr),
              CS_OK);
    EXPECT_FALSE(temp.has("none"));
}

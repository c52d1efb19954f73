// SPDX-License-Identifier: Apache-2.0
// Symbols of a kernel that is not an ELF file, of a table that the test makes.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "formats/common/elf_program.h"
#include "guest/kernel_image.h"
#include "support/temp_folder.hpp"
}

namespace
{

constexpr uint64_t kBase = 0xffffffff80000000;

struct Symbol {
    uint32_t offset;
    std::string name; // with its type
};

// The parameter: alignment, 8 of older kernels, 4 of those whose addresses are less their own places.
class KernelImage : public testing::TestWithParam<unsigned>
{
  protected:
    const unsigned alignment = GetParam();
    std::vector<uint8_t> bytes = std::vector<uint8_t>(4096, 0x33);
    cs_test::TempFolder temp; // two of these tests may run at a time
    std::string image = temp.file("image"), elf = temp.file("elf");

    void put(uint64_t value, unsigned size)
    {
        for (unsigned i = 0; i < size; i++)
            bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
    }

    void align()
    {
        while (bytes.size() % alignment != 0)
            bytes.push_back(0);
    }

    // Tokens are the characters themselves, but for two that stand for more.
    void table(const std::vector<Symbol> &symbols)
    {
        std::vector<uint32_t> markers;

        align();
        put(symbols.size(), 4);
        align();
        const size_t names = bytes.size();
        for (size_t i = 0; i < symbols.size(); i++) {
            std::string name = symbols[i].name;
            if (const size_t at = name.find("riscv_"); at != std::string::npos)
                name.replace(at, 6, "\x01");
            if (i % 256 == 0)
                markers.push_back(static_cast<uint32_t>(bytes.size() - names));
            if (name.size() > 127)
                bytes.push_back(static_cast<uint8_t>(0x80 | (name.size() & 0x7f)));
            bytes.push_back(
                static_cast<uint8_t>(name.size() > 127 ? name.size() >> 7 : name.size()));
            for (const char c : name)
                bytes.push_back(static_cast<uint8_t>(c));
        }
        align();
        for (const uint32_t marker : markers)
            put(marker, 4);
        align();
        std::vector<uint16_t> index;
        const size_t tokens = bytes.size();
        for (unsigned t = 0; t < 256; t++) {
            index.push_back(static_cast<uint16_t>(bytes.size() - tokens));
            const std::string token = t == 1    ? "riscv_"
                                      : t == 2  ? "xy"
                                      : t < ' ' ? "_"
                                                : std::string(1, static_cast<char>(t));
            for (const char c : token)
                bytes.push_back(static_cast<uint8_t>(c));
            bytes.push_back(0);
        }
        align();
        for (const uint16_t at : index)
            put(at, 2);
        align();
        for (const Symbol &symbol : symbols)
            put(alignment == 8 ? symbol.offset : symbol.offset - bytes.size(), 4);
        align();
        if (alignment == 8)
            put(kBase, 8);
        put(0x1234, 8);
    }

    cs_status read()
    {
        std::ofstream(image, std::ios::binary)
            .write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return cs_kernel_image_symbols(image.c_str(), elf.c_str(), &diag);
    }

    cs_diag diag = {};
};

std::vector<Symbol> many()
{
    std::vector<Symbol> all = {
        {0, "T_start"}, {0x10, "triscv_pmu_start"}, {0x40, "Dperf_event_id"}};

    for (uint32_t i = 0; i < 700; i++)
        all.push_back(
            {0x100 + 8 * i, "tf" + std::to_string(i) + (i % 50 == 0 ? std::string(130, 'z') : "")});
    all.push_back({0x4000, "B_end"});
    return all;
}

TEST_P(KernelImage, HasItsFunctionsAndVariables)
{
    cs_elf_program *program = nullptr;

    table(many());
    ASSERT_EQ(read(), CS_OK) << diag.text;
    ASSERT_EQ(cs_elf_program_open(elf.c_str(), &program, &diag), CS_OK) << diag.text;
    const cs_elf_symbol *start = cs_elf_program_find(program, "riscv_pmu_start");
    ASSERT_NE(start, nullptr);
    EXPECT_EQ(start->addr, kBase + 0x10);
    EXPECT_EQ(start->size, 0x30u);
    EXPECT_EQ(cs_elf_program_variable(program, "perf_event_id"), kBase + 0x40);
    const cs_elf_symbol *last = cs_elf_program_find(program, "f699");
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->addr, kBase + 0x100 + 8 * 699);
    EXPECT_NE(cs_elf_program_find(program, ("f650" + std::string(130, 'z')).c_str()), nullptr);
    cs_elf_program_close(program);
}

TEST_P(KernelImage, WithoutATableIsRefused)
{
    EXPECT_EQ(read(), CS_ERR_FORMAT);
    EXPECT_NE(std::string(diag.text).find("CONFIG_KALLSYMS"), std::string::npos) << diag.text;
    EXPECT_FALSE(std::filesystem::exists(elf));
}

TEST_P(KernelImage, CutOffAnywhereIsNoCrash)
{
    table(many());
    const std::vector<uint8_t> whole = bytes;

    for (size_t size = 0; size < whole.size() - 8; size += 61) {
        bytes.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(read(), CS_ERR_FORMAT) << size;
    }
}

TEST_P(KernelImage, ThatIsNotThereIsAnError)
{
    EXPECT_EQ(cs_kernel_image_symbols((image + "x").c_str(), elf.c_str(), &diag), CS_ERR_IO);
}

INSTANTIATE_TEST_SUITE_P(Old, KernelImage, testing::Values(8u));
INSTANTIATE_TEST_SUITE_P(New, KernelImage, testing::Values(4u));

} // namespace

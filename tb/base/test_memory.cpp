// SPDX-License-Identifier: Apache-2.0
// Sparse memory against a map of bytes.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "support.hpp"
#include <countersink/base/bus/memory.h>

namespace
{

struct Destroy {
    void operator()(cs_memory *mem) const
    {
        cs_memory_destroy(mem);
    }
};
using Memory = std::unique_ptr<cs_memory, Destroy>;

Memory make()
{
    cs_memory *out = nullptr;
    EXPECT_EQ(cs_memory_create(&out, nullptr), CS_OK);
    return Memory(out);
}

void put(const Memory &mem, uint64_t addr, std::vector<uint8_t> data)
{
    ASSERT_EQ(cs_memory_write(mem.get(), addr, data.size(), data.data(), nullptr), CS_OK);
}

std::vector<uint8_t> get(const Memory &mem, uint64_t addr, size_t bytes)
{
    std::vector<uint8_t> out(bytes, 0xee);
    cs_memory_read(mem.get(), addr, bytes, out.data());
    return out;
}

TEST(Memory, ReadsZeroWhereNothingWasWritten)
{
    Memory mem = make();
    EXPECT_EQ(get(mem, 0xfffffffffffff000, 3), std::vector<uint8_t>(3, 0));
    EXPECT_EQ(cs_memory_pages(mem.get()), 0u) << "a read touches nothing";
}

TEST(Memory, IsAMapOfBytes)
{
    Memory mem = make();
    std::map<uint64_t, uint8_t> map;
    Numbers numbers(1);
    // Four regions, one of them at the end of the space; accesses cross pages.
    const uint64_t bases[] = {0, 0x80000000, 0x123456789000, UINT64_MAX - 20000};

    for (int i = 0; i < 20000; i++) {
        uint64_t addr = bases[numbers.below(4)] + numbers.below(19000);
        size_t bytes = numbers.below(50) == 0 ? numbers.below(9000) : numbers.below(17);
        if (numbers.below(2) == 0) {
            std::vector<uint8_t> data(bytes), enables(bytes);
            bool all = numbers.below(2) == 0;
            for (size_t k = 0; k < bytes; k++) {
                data[k] = uint8_t(numbers.next());
                enables[k] = all ? 0xff : uint8_t(numbers.below(2));
                if (enables[k] != 0)
                    map[addr + k] = data[k];
            }
            ASSERT_EQ(cs_memory_write(mem.get(), addr, bytes, data.data(),
                                      all ? nullptr : enables.data()),
                      CS_OK);
        } else {
            std::vector<uint8_t> out = get(mem, addr, bytes);
            for (size_t k = 0; k < bytes; k++) {
                auto at = map.find(addr + k);
                ASSERT_EQ(out[k], at != map.end() ? at->second : 0);
            }
        }
    }
}

TEST(Memory, WrapsAtTheTop)
{
    Memory mem = make();
    put(mem, UINT64_MAX, {1, 2, 3});
    EXPECT_EQ(get(mem, UINT64_MAX, 3), (std::vector<uint8_t>{1, 2, 3}));
    EXPECT_EQ(get(mem, 0, 2), (std::vector<uint8_t>{2, 3}));
}

TEST(Memory, WritesWithoutEnablesTouchNothing)
{
    Memory mem = make();
    const uint8_t data[2] = {1, 2};
    const uint8_t none[2] = {0, 0};
    EXPECT_EQ(cs_memory_write(mem.get(), 4095, 2, data, none), CS_OK);
    EXPECT_EQ(cs_memory_write(mem.get(), 4095, 0, data, nullptr), CS_OK);
    EXPECT_EQ(cs_memory_pages(mem.get()), 0u);
}

TEST(Memory, AddsToABigEndianNumber)
{
    const Memory memory = make();
    cs_memory *m = memory.get();
    const uint8_t start[8] = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe};
    uint8_t out[8];

    ASSERT_EQ(cs_memory_write(m, 0x1ff8, 8, start, nullptr), CS_OK);
    ASSERT_EQ(cs_memory_add(m, 0x1ff8, 5), CS_OK);
    cs_memory_read(m, 0x1ff8, 8, out);
    EXPECT_EQ(std::vector<uint8_t>(out, out + 8), (std::vector<uint8_t>{0, 0, 0, 1, 0, 0, 0, 3}));

    // Modulo 2^64, and in memory that was never written, across a page.
    ASSERT_EQ(cs_memory_add(m, 0x2ffd, ~0ull), CS_OK);
    ASSERT_EQ(cs_memory_add(m, 0x2ffd, 2), CS_OK);
    cs_memory_read(m, 0x2ffd, 8, out);
    EXPECT_EQ(std::vector<uint8_t>(out, out + 8), (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Memory, PagesComeInOrder)
{
    Memory mem = make();
    Numbers numbers(2);
    std::map<uint64_t, uint8_t> expected;
    for (int i = 0; i < 3000; i++) {
        uint64_t addr = numbers.next() & ~uint64_t{4095};
        expected[addr] = uint8_t(i | 1);
        put(mem, addr + 7, {uint8_t(i | 1)});
    }

    ASSERT_EQ(cs_memory_pages(mem.get()), expected.size());
    size_t index = 0;
    for (const auto &[addr, byte] : expected) {
        uint64_t found;
        const uint8_t *bytes = cs_memory_page(mem.get(), index++, &found);
        ASSERT_NE(bytes, nullptr);
        ASSERT_EQ(found, addr);
        ASSERT_EQ(bytes[7], byte);
    }
    uint64_t unused;
    EXPECT_EQ(cs_memory_page(mem.get(), index, &unused), nullptr);
    cs_memory_reset(mem.get());
    EXPECT_EQ(cs_memory_pages(mem.get()), 0u);
    EXPECT_EQ(get(mem, expected.begin()->first + 7, 1)[0], 0);
}

TEST(Memory, ComparisonFindsTheFirstDifference)
{
    using Bytes = std::map<uint64_t, uint8_t>;
    const struct {
        const char *name;
        Bytes a, b;
        bool equal;
        uint64_t addr;
        uint8_t byte_a, byte_b;
    } cases[] = {
        {"empty", {}, {}, true, 0, 0, 0},
        {"zeros written are zeros", {{0x5000, 0}}, {{0x9000, 0}}, true, 0, 0, 0},
        {"same", {{9, 1}, {0x7000, 2}}, {{0x7000, 2}, {9, 1}}, true, 0, 0, 0},
        {"other byte", {{9, 1}}, {{9, 3}}, false, 9, 1, 3},
        {"only in a", {{0x7001, 4}}, {}, false, 0x7001, 4, 0},
        {"only in b", {}, {{0x7001, 4}}, false, 0x7001, 0, 4},
        {"the lower of two", {{0x9000, 1}, {0x3000, 1}}, {{0x9000, 2}}, false, 0x3000, 1, 0},
        {"after equal pages", {{1, 1}, {0x9005, 1}}, {{1, 1}, {0x9004, 8}}, false, 0x9004, 0, 8},
        {"the last byte", {{UINT64_MAX, 1}}, {{1, 0}}, false, UINT64_MAX, 1, 0},
    };

    for (const auto &c : cases) {
        Memory a = make(), b = make();
        for (auto [addr, byte] : c.a)
            put(a, addr, {byte});
        for (auto [addr, byte] : c.b)
            put(b, addr, {byte});
        uint64_t addr = 0;
        uint8_t byte_a = 0, byte_b = 0;
        EXPECT_EQ(cs_memory_equal(a.get(), b.get(), &addr, &byte_a, &byte_b), c.equal) << c.name;
        EXPECT_EQ(addr, c.addr) << c.name;
        EXPECT_EQ(byte_a, c.byte_a) << c.name;
        EXPECT_EQ(byte_b, c.byte_b) << c.name;
        EXPECT_EQ(cs_memory_equal(a.get(), b.get(), nullptr, nullptr, nullptr), c.equal);
    }
}

cs_status collect(void *ctx, const uint8_t *data, size_t bytes)
{
    auto *out = static_cast<std::vector<uint8_t> *>(ctx);
    out->insert(out->end(), data, data + bytes);
    return out->size() < 20000 ? CS_OK : CS_ERR_IO;
}

TEST(Memory, SavesARangeWithItsHoles)
{
    Memory mem = make();
    put(mem, 4090, {1, 2, 3, 4, 5, 6, 7, 8});
    put(mem, 12288, {9});
    std::vector<uint8_t> saved;

    EXPECT_EQ(cs_memory_save(mem.get(), 4091, 8200, collect, &saved), CS_OK);
    EXPECT_EQ(saved, get(mem, 4091, 8200));
    EXPECT_EQ(saved[8197], 9);
    saved.clear();
    EXPECT_EQ(cs_memory_save(mem.get(), 0, 0, collect, &saved), CS_OK);
    EXPECT_TRUE(saved.empty());
    EXPECT_EQ(cs_memory_save(mem.get(), 0, 1u << 30, collect, &saved), CS_ERR_IO);
    EXPECT_EQ(saved.size(), 20480u) << "the writer's refusal ends it";
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "Access": what each word keeps, and which accesses are refused.
#include <gtest/gtest.h>

#include "corepmu_bench.hpp"

namespace
{

constexpr uint32_t all = 0xFFFFFFFF;

struct Row {
    uint16_t offset;
    uint32_t kept; // of a write of ones: what reads back
};

// N = 8. Words that are not listed here, PMPCSR aside, keep nothing and read zero.
std::vector<Row> rows(bool ext64)
{
    std::vector<Row> list;
    for (uint16_t n = 0; n < 8; n++) {
        list.push_back({at::counter(n), all});
        list.push_back({uint16_t(at::counter(n) + 4), all});
        list.push_back({at::typer(ext64, n), 0xFC00FFFF});
    }
    list.push_back({at::cycles, all});
    list.push_back({at::cycles + 4, all});
    list.push_back({at::cycle_filter(ext64), 0xFC000000});
    list.push_back({at::control(ext64), 0xE1});
    return list;
}

class Map : public testing::TestWithParam<bool>
{
  protected:
    Straps straps() const
    {
        Straps s;
        s.ext64 = GetParam();
        return s;
    }
};

TEST_P(Map, ResetsToZeroButForTheConfiguration)
{
    CorePmu pmu(straps());
    std::vector<uint64_t> expected(0x400, 0);
    expected[at::config / 4] = 0x7F08;
    EXPECT_EQ(pmu.frame(), expected);
}

TEST_P(Map, AWriteOfOnesChangesTheWordAndNoOther)
{
    std::vector<uint32_t> kept(0x400, 0);
    for (const Row &row : rows(GetParam()))
        kept[row.offset / 4] = row.kept;

    for (unsigned offset = 0; offset < 0x1000; offset += 4) {
        bool set =
            offset == at::enable_set || offset == at::interrupt_set || offset == at::overflow_set;
        if (set || offset == at::pc || offset == at::pc_alias)
            continue;
        CorePmu pmu(straps());
        std::vector<uint64_t> expected = pmu.frame();
        expected[offset / 4] |= kept[offset / 4];
        EXPECT_EQ(pmu.write(offset, all), (Answer{0, false})) << std::hex << offset;
        EXPECT_EQ(pmu.frame(), expected) << std::hex << offset;
    }
}

TEST_P(Map, EnablesAndFlagsAreSetAndCleared)
{
    const struct {
        uint16_t set, clr;
    } pairs[] = {{at::enable_set, at::enable_clr},
                 {at::interrupt_set, at::interrupt_clr},
                 {at::overflow_set, at::overflow_clr}};
    for (const auto &pair : pairs) {
        CorePmu pmu(straps());
        pmu.write(pair.set, 0x5A);
        EXPECT_EQ(pmu.read(pair.set).data, 0x5Au);
        pmu.write(pair.set, all);
        EXPECT_EQ(pmu.read(pair.set).data, 0x800000FFu) << "only counters that exist";
        pmu.write(pair.set, 0);
        EXPECT_EQ(pmu.read(pair.clr).data, 0x800000FFu);
        pmu.write(pair.clr, 0x8000000F);
        EXPECT_EQ(pmu.read(pair.clr).data, 0xF0u);
        EXPECT_EQ(pmu.read(pair.set).data, 0xF0u);
    }
}

TEST_P(Map, NumberOfCounters)
{
    for (unsigned n : {1u, 5u, 6u, 8u, 30u, 31u}) {
        Straps s = straps();
        s.counters = n;
        CorePmu pmu(s);
        EXPECT_EQ(pmu.read(at::config).data, 0x7F00u | n);
        pmu.write(at::enable_set, all);
        EXPECT_EQ(pmu.read(at::enable_set).data, 0x80000000u | ((1ull << n) - 1));
        for (unsigned i = 0; i < 31; i++) {
            pmu.write(at::typer(s.ext64, i), 0x1000 + i);
            pmu.write(at::counter(i) + 4, i + 1);
            EXPECT_EQ(pmu.read(at::typer(s.ext64, i)).data, i < n ? 0x1000 + i : 0);
            EXPECT_EQ(pmu.read(at::counter(i) + 4).data, i < n ? i + 1 : 0);
            EXPECT_EQ(pmu.event(i), i < n ? 0x1000 + i : 0);
        }
    }
}

TEST_P(Map, BeyondTheFrame)
{
    CorePmu pmu(straps());
    for (unsigned low : {0x000u, 0x0F8u, 0x400u, 0xC00u, 0xE00u, 0x228u}) {
        for (unsigned page = 0x1000; page <= 0xF000; page += 0x1000) {
            EXPECT_EQ(pmu.write(page | low, all), (Answer{0, false}));
            EXPECT_EQ(pmu.read(page | low), (Answer{0, false}));
        }
    }
    EXPECT_EQ(pmu.read(0x1200), (Answer{0, false}));
    EXPECT_FALSE(pmu.captured);
    EXPECT_EQ(pmu.frame(), CorePmu(straps()).frame());
}

TEST_P(Map, ControlBitsPAndCActAndReadZero)
{
    const struct {
        uint32_t written;
        bool events_stay, cycles_stay;
    } cases[] = {{0x1, true, true}, {0x2, false, true}, {0x4, true, false}, {0xFF, false, false}};
    for (const auto &c : cases) {
        Straps s = straps();
        s.hpmn = 4; // both ranges
        CorePmu pmu(s);
        for (unsigned n = 0; n < 8; n++)
            pmu.put(at::counter(n), 0x1234567800000001 + n);
        pmu.put(at::cycles, 0x99999999AAAAAAAA);
        pmu.control(c.written);
        for (unsigned n = 0; n < 8; n++)
            EXPECT_EQ(pmu.get(at::counter(n)), c.events_stay ? 0x1234567800000001 + n : 0);
        EXPECT_EQ(pmu.get(at::cycles), c.cycles_stay ? 0x99999999AAAAAAAA : 0);
        EXPECT_EQ(pmu.read(at::control(s.ext64)).data, c.written & 0xE1);
    }
}

TEST_P(Map, OfflineAndLockedRefuseEverything)
{
    for (bool offline : {false, true}) {
        Straps s = straps();
        s.offline = offline;
        s.locked = !offline;
        CorePmu pmu(s);
        pmu.dut.pc_i = 0x1234;
        pmu.increment_all(1);
        for (unsigned offset = 0; offset < 0x2000; offset += 8) {
            for (bool wide : {false, true}) {
                EXPECT_EQ(pmu.access(true, offset, ~0ull, wide), (Answer{0, true})) << offset;
                EXPECT_EQ(pmu.access(false, offset, 0, wide), (Answer{0, true})) << offset;
                EXPECT_FALSE(pmu.captured) << offset;
            }
            EXPECT_EQ(pmu.access(true, offset + 4, all, false), (Answer{0, true})) << offset;
        }
        EXPECT_FALSE(pmu.dut.counting_o);
        for (unsigned n = 0; n < 31; n++)
            EXPECT_EQ(pmu.event(n), 0);
    }
}

// Power: in the cycle of the pin nothing answers; what was programmed and counted is gone.
TEST_P(Map, PowerTakesAllRegisters)
{
    const Straps s = straps();
    CorePmu pmu(s);
    const std::vector<uint64_t> reset = pmu.frame();

    pmu.increment_all(1);
    pmu.dut.pc_i = 0x123456789a;
    pmu.dut.cid1_i = 0x77;
    for (unsigned n = 0; n < 8; n++) {
        pmu.write(at::typer(s.ext64, n), 0xFC000011);
        pmu.write(at::counter(n), 0x80008000);
    }
    pmu.write(at::cycle_filter(s.ext64), 0xFC000000);
    pmu.write(at::overflow_set, all);
    pmu.write(at::enable_set, all);
    pmu.write(at::control(s.ext64), 0xE1);
    pmu.read(at::pc);
    pmu.step(5);
    pmu.dut.offline_i = 1;
    EXPECT_EQ(pmu.read(at::enable_set), (Answer{0, true}));
    pmu.dut.offline_i = 0;
    pmu.dut.locked_i = 1;
    EXPECT_EQ(pmu.read(at::enable_set), (Answer{0, true}));
    pmu.dut.locked_i = 0;
    EXPECT_FALSE(pmu.dut.counting_o);
    pmu.dut.pc_i = pmu.dut.cid1_i = 0;
    EXPECT_EQ(pmu.frame(), reset);
    pmu.write(at::counter(0), 0); // nor does a write of another one bring it back
    EXPECT_EQ(pmu.frame(), reset);
}

// The lock keeps everybody out, and nothing from counting.
TEST_P(Map, TheLockLosesNothing)
{
    const Straps s = straps();
    CorePmu pmu(s);

    pmu.increment_all(3);
    pmu.write(at::control(s.ext64), 1);
    pmu.write(at::enable_set, 1);
    pmu.dut.locked_i = 1;
    pmu.step(10);
    pmu.dut.locked_i = 0;
    pmu.dut.eval();
    EXPECT_EQ(pmu.read(at::counter(0)), (Answer{30, false}));
}

INSTANTIATE_TEST_SUITE_P(Both, Map, testing::Bool(), [](const testing::TestParamInfo<bool> &info) {
    return info.param ? "ext64" : "ext32";
});

TEST(Wide, IsAnErrorWithExt32)
{
    CorePmu pmu({});
    std::vector<uint64_t> before = pmu.frame();
    for (unsigned offset = 0; offset < 0x2000; offset += 8) {
        EXPECT_EQ(pmu.write_wide(offset, ~0ull), (Answer{0, true})) << offset;
        EXPECT_EQ(pmu.read_wide(offset), (Answer{0, true})) << offset;
        EXPECT_FALSE(pmu.captured) << offset;
    }
    EXPECT_EQ(pmu.frame(), before);
}

// With ext64 a wide access does what the two word accesses do.
TEST(Wide, IsTwoWordsWithExt64)
{
    Straps s;
    s.ext64 = true;
    CorePmu wide(s), words(s);
    auto same = [&](uint16_t offset) {
        uint64_t low = words.read(offset).data, high = words.read(offset + 4).data;
        EXPECT_EQ(wide.read_wide(offset), (Answer{high << 32 | low, false})) << std::hex << offset;
    };
    for (CorePmu *pmu : {&wide, &words}) {
        pmu->dut.pc_i = 0x00ABCDEF12345678;
        pmu->dut.cid1_i = 0x11112222;
        pmu->dut.cid2_i = 0x33334444;
    }
    for (unsigned offset = 0; offset < 0x1008; offset += 8) {
        uint64_t data = 0x0123456789ABCDEF * (offset / 8 + 1);
        wide.write_wide(offset, data);
        words.write(offset, static_cast<uint32_t>(data));
        words.write(offset + 4, static_cast<uint32_t>(data >> 32));
        wide.step(1);
        same(offset);
    }
    wide.control(0);
    words.control(0);
    wide.write(at::enable_clr, all);
    words.write(at::enable_clr, all);
    for (unsigned offset = 0; offset < 0x1008; offset += 8)
        same(offset);
}

} // namespace

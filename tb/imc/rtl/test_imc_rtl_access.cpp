// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Access": where the registers are.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "Vimc_scom.h"
#include "Vimc_scom_chips.h"
#include "fields.hpp"

using namespace imc;

namespace
{

constexpr unsigned nr_core = 24;

struct Place {
    std::set<unsigned> cores;
    unsigned sel;
};

// The page's table, row by row.
std::map<uint32_t, Place> scom_map(bool power10, unsigned cores)
{
    const uint32_t mode9[] = {0x012200, 0x012300, 0x012600, 0x012700};
    const uint32_t mode10[] = {0x018680, 0x014680, 0x012680, 0x011680};
    const uint32_t mask10[] = {0x028400, 0x024400, 0x022400, 0x021400};
    std::map<uint32_t, Place> map;

    for (unsigned c = 0; c < cores; c++) {
        uint32_t quad = ((power10 ? 0x20 : 0x10) + c / 4) << 24;
        uint32_t mode = quad + (power10 ? mode10 : mode9)[c % 4];
        uint32_t mask = power10 ? quad + mask10[c % 4] : ((0x20 + c) << 24) + 0x010AA8;
        map[mode] = {{c}, HTM_MODE};
        map[mode + 0xA] = {{c}, STATUS};
        map[mode + 0xB] = {{c}, PDBAR};
        map[mask] = {{c}, EVENT_MASK};
        map[mask + 1] = {{c}, TRACE};
        map[quad + 0x011000].sel = FIR;
        map[quad + 0x011000].cores.insert(c);
        map[quad + 0x01100E].sel = ERR_RPT;
        map[quad + 0x01100E].cores.insert(c);
    }
    return map;
}

// The decoder with cores that answer by their number, or with an error.
class Scom
{
  public:
    Scom(bool power10, unsigned cores)
    {
        dut.power10_i = power10;
        dut.nr_core_i = cores;
        dut.chip_cores_i = cores;
        for (unsigned c = 0; c < nr_core; c++) {
            dut.reg_rdata_i[2 * c] = 1u << c;
            dut.reg_rdata_i[2 * c + 1] = 0xAAA;
            dut.ldbar_rdata_i[2 * c] = 0x1DBA;
            dut.ldbar_rdata_i[2 * c + 1] = c;
        }
        dut.eval();
    }
    ~Scom()
    {
        dut.final();
    }
    void scom(uint32_t addr, bool write = false, bool wide = true)
    {
        dut.scom_en_i = 1;
        dut.scom_addr_i = addr;
        dut.scom_write_i = write;
        dut.scom_wide_i = wide;
        dut.eval();
    }
    void spr(uint32_t addr, bool write = false, bool wide = true)
    {
        dut.spr_en_i = 1;
        dut.spr_addr_i = addr;
        dut.spr_write_i = write;
        dut.spr_wide_i = wide;
        dut.eval();
    }
    std::set<unsigned> reached() const
    {
        std::set<unsigned> cores;
        for (unsigned c = 0; c < nr_core; c++) {
            if (dut.reg_en_o >> c & 1)
                cores.insert(c);
        }
        return cores;
    }
    std::set<unsigned> threads() const // 4 core + thread
    {
        std::set<unsigned> found;
        for (unsigned i = 0; i < 4 * nr_core; i++) {
            if (dut.ldbar_en_o[i / 32] >> (i % 32) & 1)
                found.insert(i);
        }
        return found;
    }

    Vimc_scom dut;
};

struct Die {
    bool power10;
    unsigned cores;
};

class Access : public testing::TestWithParam<Die>
{
};

TEST_P(Access, ScomAddresses)
{
    const Die die = GetParam();
    auto map = scom_map(die.power10, die.cores);
    Scom s(die.power10, die.cores);
    std::set<uint32_t> low; // of either variant, and their neighbours
    for (bool power10 : {false, true}) {
        for (const auto &entry : scom_map(power10, nr_core)) {
            for (int near : {-1, 0, 1, 0x800000})
                low.insert((entry.first + near) & 0xFFFFFF);
        }
    }

    unsigned found = 0;
    for (unsigned chiplet = 0; chiplet < 256; chiplet++) {
        for (uint32_t offset : low) {
            uint32_t addr = chiplet << 24 | offset;
            auto place = map.find(addr);
            s.scom(addr);
            if (place == map.end()) {
                ASSERT_TRUE(s.reached().empty()) << std::hex << addr;
                ASSERT_TRUE(s.dut.scom_err_o);
                ASSERT_EQ(s.dut.scom_rdata_o, 0u);
                continue;
            }
            found++;
            ASSERT_EQ(s.reached(), place->second.cores) << std::hex << addr;
            ASSERT_EQ(s.dut.reg_sel_o, place->second.sel) << std::hex << addr;
            ASSERT_FALSE(s.dut.scom_err_o);
            uint64_t data = 0xAAAull << 32;
            for (unsigned c : place->second.cores)
                data |= 1u << c;
            ASSERT_EQ(s.dut.scom_rdata_o, data);
        }
    }
    EXPECT_EQ(found, map.size());
}

TEST_P(Access, OnlyEightBytesReachAnybody)
{
    const Die die = GetParam();
    Scom s(die.power10, die.cores);
    for (const auto &entry : scom_map(die.power10, die.cores)) {
        for (bool write : {false, true}) {
            s.scom(entry.first, write, false);
            EXPECT_TRUE(s.reached().empty());
            EXPECT_TRUE(s.dut.scom_err_o);
            EXPECT_EQ(s.dut.scom_rdata_o, 0u);
            s.scom(entry.first, write);
            EXPECT_EQ(s.dut.reg_write_o, write);
        }
        s.dut.scom_en_i = 0;
        s.dut.eval();
        EXPECT_TRUE(s.reached().empty());
    }
    s.spr(850 * 8, false, false);
    EXPECT_TRUE(s.threads().empty());
    EXPECT_TRUE(s.dut.spr_err_o);
}

TEST_P(Access, ACoreThatAnswersWithAnErrorHasNoData)
{
    const Die die = GetParam();
    Scom s(die.power10, die.cores);
    for (const auto &entry : scom_map(die.power10, die.cores)) {
        std::vector<unsigned> cores(entry.second.cores.begin(), entry.second.cores.end());
        for (unsigned dead = 0; dead < 1u << cores.size(); dead++) {
            uint64_t data = 0;
            s.dut.reg_err_i = 0;
            for (unsigned i = 0; i < cores.size(); i++) {
                if (dead >> i & 1)
                    s.dut.reg_err_i |= 1u << cores[i];
                else
                    data |= 0xAAAull << 32 | 1u << cores[i];
            }
            s.scom(entry.first);
            EXPECT_EQ(s.dut.scom_rdata_o, data);
            EXPECT_EQ(s.dut.scom_err_o, data == 0); // FIR, ERR_RPT: only when none is left
        }
    }
}

TEST_P(Access, SprOfEveryThread)
{
    const Die die = GetParam();
    Scom s(die.power10, die.cores);
    for (uint32_t addr = 0; addr < 0x100000; addr += 8) {
        unsigned thread = addr / 0x2000, spr = addr % 0x2000 / 8;
        bool there = spr == 850 && thread / 4 < die.cores;
        s.spr(addr);
        ASSERT_EQ(s.threads(), there ? std::set<unsigned>{thread} : std::set<unsigned>{}) << addr;
        ASSERT_EQ(s.dut.spr_err_o, !there);
        ASSERT_EQ(s.dut.spr_rdata_o, there ? uint64_t{thread / 4} << 32 | 0x1DBA : 0);
    }
    s.dut.ldbar_err_i = 1;
    s.spr(850 * 8, true);
    EXPECT_TRUE(s.dut.spr_err_o);
    EXPECT_TRUE(s.dut.ldbar_write_o);
    EXPECT_EQ(s.dut.spr_rdata_o, 0u);
    s.dut.spr_en_i = 0;
    s.dut.eval();
    EXPECT_TRUE(s.threads().empty());
}

TEST_P(Access, BothBridgesInOneCycle)
{
    const Die die = GetParam();
    Scom s(die.power10, die.cores);
    s.dut.scom_wdata_i = 0x1111;
    s.dut.spr_wdata_i = 0x2222;
    s.scom(scom_map(die.power10, die.cores).begin()->first, true);
    s.spr(850 * 8, false);
    EXPECT_FALSE(s.reached().empty());
    EXPECT_EQ(s.threads(), std::set<unsigned>{0});
    EXPECT_TRUE(s.dut.reg_write_o);
    EXPECT_FALSE(s.dut.ldbar_write_o);
    EXPECT_EQ(s.dut.reg_wdata_o, 0x1111u);
    EXPECT_EQ(s.dut.ldbar_wdata_o, 0x2222u);
}

// Three chips have a bridge each, that reaches the chip's own cores: here all at once, each with
// another register of the table, or with one that its chip does not have.
class Chips : public testing::TestWithParam<Die>
{
  protected:
    static constexpr unsigned nr_chip = 3, most = 5; // cores of a chip
    Vimc_scom_chips dut;
};

TEST_P(Chips, EachBridgeReachesItsOwnCores)
{
    const auto [power10, cores] = GetParam();
    const auto own = scom_map(power10, cores), all = scom_map(power10, most + 1);
    dut.power10_i = power10;
    dut.nr_core_i = nr_chip * cores;
    dut.chip_cores_i = cores;
    for (unsigned c = 0; c < nr_chip * most; c++) {
        dut.reg_rdata_i[2 * c] = 1u << c;
        dut.reg_rdata_i[2 * c + 1] = 0xAAA;
    }
    std::vector<uint32_t> addresses;
    for (const auto &entry : all)
        addresses.push_back(entry.first);

    for (unsigned i = 0; i < addresses.size(); i++) {
        for (unsigned asked = 0; asked < 1u << nr_chip; asked++) {
            for (unsigned g = 0; g < nr_chip; g++) {
                dut.scom_addr_i[g] = addresses[(i + 7 * g) % addresses.size()];
                dut.scom_wdata_i[2 * g] = i + g;
                dut.scom_wdata_i[2 * g + 1] = ~g;
            }
            dut.scom_en_i = asked;
            dut.scom_wide_i = 7;
            dut.scom_write_i = i % 8;
            dut.eval();
            for (unsigned g = 0; g < nr_chip; g++) {
                SCOPED_TRACE(testing::Message() << std::hex << dut.scom_addr_i[g] << ", bridge "
                                                << g << " of those asked: " << asked);
                const auto place = own.find(dut.scom_addr_i[g]);
                const bool there = place != own.end() && (asked >> g & 1);
                uint32_t reached = 0;
                for (unsigned c : there ? place->second.cores : std::set<unsigned>{})
                    reached |= 1u << (g * cores + c);
                ASSERT_EQ(dut.reg_en_o >> (nr_chip * most * g) & 0x7FFF, reached);
                if (there) {
                    ASSERT_EQ(dut.reg_sel_o >> (4 * g) & 15, place->second.sel);
                }
                ASSERT_EQ(dut.reg_write_o >> g & 1, i >> g & 1);
                ASSERT_EQ(dut.reg_wdata_o[2 * g], i + g);
                ASSERT_EQ(dut.reg_wdata_o[2 * g + 1], ~g);
                ASSERT_EQ(dut.scom_err_o >> g & 1, !there);
                ASSERT_EQ(dut.scom_rdata_o[2 * g], reached);
                ASSERT_EQ(dut.scom_rdata_o[2 * g + 1], there ? 0xAAAu : 0u);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Dies, Chips,
                         testing::Values(Die{false, 1}, Die{false, 3}, Die{false, 5}, Die{true, 1},
                                         Die{true, 4}, Die{true, 5}));

INSTANTIATE_TEST_SUITE_P(Dies, Access,
                         testing::Values(Die{false, 24}, Die{false, 1}, Die{false, 6},
                                         Die{true, 24}, Die{true, 1}, Die{true, 7}));

} // namespace

// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Access": SCOM addresses and SPRs, every row for every core.
#include <gtest/gtest.h>

#include <map>

#include "models/imc/imc_scom.h"
#include <countersink/models/imc/imc_core.h>

namespace
{

using Place = std::pair<uint32_t, unsigned>; // cores, register

// The table of the page, as arithmetic on the core number.
uint32_t expected_address(bool power10, unsigned core, unsigned reg)
{
    static const uint32_t mode9[] = {0x012200, 0x012300, 0x012600, 0x012700};
    static const uint32_t mode10[] = {0x018680, 0x014680, 0x012680, 0x011680};
    static const uint32_t mask10[] = {0x028400, 0x024400, 0x022400, 0x021400};
    const uint32_t quad = ((power10 ? 0x20 : 0x10) + core / 4) << 24;
    const uint32_t single = (0x20 + core) << 24;
    const uint32_t mode = power10 ? mode10[core % 4] : mode9[core % 4];

    switch (reg) {
    case CS_IMC_REG_HTM_MODE:
        return quad + mode;
    case CS_IMC_REG_STATUS:
        return quad + mode + 0xA;
    case CS_IMC_REG_PDBAR:
        return quad + mode + 0xB;
    case CS_IMC_REG_EVENT_MASK:
        return power10 ? quad + mask10[core % 4] : single + 0x010AA8;
    case CS_IMC_REG_TRACE:
        return power10 ? quad + mask10[core % 4] + 1 : single + 0x010AA9;
    case CS_IMC_REG_FIR:
        return quad + 0x011000;
    default:
        return quad + 0x01100E;
    }
}

TEST(ImcScom, WorkedExamples)
{
    const struct {
        bool power10;
        unsigned core, reg;
        uint32_t scom;
    } examples[] = {
        {false, 5, CS_IMC_REG_PDBAR, 0x1101230B},      {false, 5, CS_IMC_REG_HTM_MODE, 0x11012300},
        {false, 5, CS_IMC_REG_TRACE, 0x25010AA9},      {false, 0, CS_IMC_REG_HTM_MODE, 0x10012200},
        {false, 0, CS_IMC_REG_EVENT_MASK, 0x20010AA8}, {false, 0, CS_IMC_REG_PDBAR, 0x1001220B},
        {false, 1, CS_IMC_REG_PDBAR, 0x1001230B},      {false, 2, CS_IMC_REG_PDBAR, 0x1001260B},
        {false, 3, CS_IMC_REG_PDBAR, 0x1001270B},      {false, 0, CS_IMC_REG_FIR, 0x10011000},
        {false, 0, CS_IMC_REG_ERR_RPT, 0x1001100E},    {true, 0, CS_IMC_REG_PDBAR, 0x2001868B},
        {true, 1, CS_IMC_REG_PDBAR, 0x2001468B},       {true, 2, CS_IMC_REG_HTM_MODE, 0x20012680},
        {true, 3, CS_IMC_REG_HTM_MODE, 0x20011680},    {true, 0, CS_IMC_REG_EVENT_MASK, 0x20028400},
        {true, 23, CS_IMC_REG_TRACE, 0x25021401},      {false, 23, CS_IMC_REG_STATUS, 0x1501270A},
    };

    for (const auto &e : examples) {
        EXPECT_EQ(e.scom, cs_imc_scom_address(e.power10, e.core, e.reg)) << std::hex << e.scom;
        const cs_imc_scom_target target = cs_imc_scom_decode(e.power10, 24, e.scom);
        EXPECT_EQ(e.reg, target.reg) << std::hex << e.scom;
        EXPECT_EQ(1u, target.cores >> e.core & 1) << std::hex << e.scom;
    }
}

TEST(ImcScom, EveryRegisterOfEveryCoreAndNothingElse)
{
    for (bool power10 : {false, true})
        for (unsigned cores = 1; cores <= 24; cores++) {
            std::map<uint32_t, Place> expected;
            for (unsigned core = 0; core < cores; core++)
                for (unsigned reg = CS_IMC_REG_HTM_MODE; reg <= CS_IMC_REG_ERR_RPT; reg++) {
                    const uint32_t scom = expected_address(power10, core, reg);
                    EXPECT_EQ(scom, cs_imc_scom_address(power10, core, reg));
                    expected[scom].first |= 1u << core;
                    expected[scom].second = reg;
                }
            // Around every low part that some variant knows, in all chiplets.
            for (uint32_t chiplet = 0; chiplet < 0x40; chiplet++)
                for (uint32_t low :
                     {0x010AA8u, 0x011000u, 0x011680u, 0x012200u, 0x012300u, 0x012600u, 0x012680u,
                      0x012700u, 0x014680u, 0x018680u, 0x021400u, 0x022400u, 0x024400u, 0x028400u})
                    for (uint32_t i = 0; i < 0x20; i++) {
                        const uint32_t scom = chiplet << 24 | (low - 8 + i);
                        const cs_imc_scom_target t = cs_imc_scom_decode(power10, cores, scom);
                        const auto at = expected.find(scom);
                        ASSERT_EQ(at == expected.end() ? 0 : at->second.first, t.cores)
                            << std::hex << scom;
                        if (t.cores != 0) {
                            ASSERT_EQ(at->second.second, t.reg) << std::hex << scom;
                        }
                    }
        }
}

TEST(ImcScom, WhatIsNoRegisterHasNoAddress)
{
    for (unsigned reg : {7u, unsigned{CS_IMC_REG_LDBAR}, 11u, 100u})
        EXPECT_EQ(UINT32_MAX, cs_imc_scom_address(false, 0, reg)) << reg;
    EXPECT_EQ(0u, cs_imc_scom_decode(false, 24, 0).cores);
    EXPECT_EQ(0u, cs_imc_scom_decode(true, 24, UINT32_MAX).cores);
    EXPECT_EQ(0u, cs_imc_scom_decode(false, 0, 0x10012200).cores);
}

TEST(ImcSpr, LdbarOfEveryThread)
{
    unsigned found = 0;

    for (uint32_t offset = 0; offset < 0x100000; offset += 4) {
        unsigned core = 99, thread = 99;
        const bool ldbar = offset % 0x2000 == 8 * 850;
        ASSERT_EQ(ldbar, cs_imc_spr_decode(offset, &core, &thread)) << offset;
        if (!ldbar)
            continue;
        ASSERT_EQ(offset, 0x2000 * (4 * core + thread) + 8 * 850);
        ASSERT_LT(thread, 4u);
        found++;
    }
    EXPECT_EQ(128u, found);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "Access" and "Capture": who may do what, and where what is.
#include <algorithm>
#include <vector>

#include "core.hpp"
#include "support/refused_calloc.hpp"
#include "support/still.hpp"

namespace
{

//  counters ext64 hpmn hpme offline locked hpmd spme
const cs_corepmu_config ext32 = {8, false, 8, false, false, false, false, false};
const cs_corepmu_config ext64 = {8, true, 8, false, false, false, false, false};

TEST(CorePmuAccess, Configuration)
{
    struct {
        cs_corepmu_config config;
        cs_status status;
    } const table[] = {
        {{1, false, 0, false, false, false, false, false}, CS_OK},
        {{31, true, 31, true, true, true, false, false}, CS_OK},
        {{0, false, 0, false, false, false, false, false}, CS_ERR_RANGE},
        {{32, false, 0, false, false, false, false, false}, CS_ERR_RANGE},
        {{8, false, 32, false, false, false, false, false}, CS_ERR_RANGE},
    };
    for (const auto &row : table) {
        Core core;
        const cs_event_source source = core.source();
        cs_corepmu *pmu = reinterpret_cast<cs_corepmu *>(1);
        cs_diag diag = {};
        const cs_corepmu_env env = {source};
        EXPECT_EQ(row.status, cs_corepmu_create(&row.config, &env, &pmu, &diag));
        EXPECT_EQ(row.status == CS_OK, pmu != nullptr);
        EXPECT_EQ(row.status == CS_OK, diag.text[0] == 0);
        cs_corepmu_destroy(pmu);
    }
    cs_corepmu_destroy(nullptr);
}

#ifndef __SANITIZE_ADDRESS__
TEST(CorePmuAccess, TellsThatThereIsNoMemory)
{
    const cs_corepmu_env env = {still_events()};

    expect_no_memory<cs_corepmu>("core PMU", [&](cs_corepmu **out, cs_diag *diag) {
        return cs_corepmu_create(&ext32, &env, out, diag);
    });
}
#endif

TEST(CorePmuAccess, NeedsWhatItAsks)
{
    cs_corepmu_env no_sum = {still_events()}, no_reach = no_sum, no_context = no_sum;
    no_sum.events.sum = nullptr;
    no_reach.events.reach = nullptr;
    no_context.events.context = nullptr;

    for (const cs_corepmu_env *env :
         std::initializer_list<const cs_corepmu_env *>{nullptr, &no_sum, &no_reach, &no_context}) {
        cs_corepmu *pmu = reinterpret_cast<cs_corepmu *>(1);
        cs_diag diag = {};

        EXPECT_EQ(CS_ERR_RANGE, cs_corepmu_create(&ext32, env, &pmu, &diag));
        EXPECT_EQ(nullptr, pmu);
        EXPECT_STREQ("env: events.sum, events.reach and events.context must be set", diag.text);
    }
}

// Asked, it answers what a read gives, and captures nothing.
TEST(CorePmuAccess, AskedAsRead)
{
    Pmu asked(ext64), other(ext64);
    uint64_t answer;

    for (Pmu *pmu : {&asked, &other}) {
        pmu->write(1, CS_COREPMU_EXT64_PMCNTENSET, 0x80000001);
        pmu->write(2, CS_COREPMU_EXT64_PMCR, 1);
        pmu->read(3, CS_COREPMU_EXT64_PMPCSR);
    }
    const uint32_t pc_high = asked.read(4, CS_COREPMU_EXT64_PMPCSR + 4);
    other.read(4, CS_COREPMU_EXT64_PMPCSR + 4);
    for (uint32_t offset = 0; offset < 0x1000; offset += 8) {
        const cs_cycle cycle = 5 + offset;

        if (offset > CS_COREPMU_EXT64_PMPCSR && offset < CS_COREPMU_EXT64_PMPCSR + 0x30)
            continue; // what the other one has captured
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_ask(asked.pmu(), cycle, offset, true, &answer));
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_ask(asked.pmu(), cycle + 100, offset, true, &answer));
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_ask(asked.pmu(), cycle, offset, true, &answer));
        EXPECT_EQ(answer, other.read_wide(cycle, offset)) << std::hex << offset;
    }
    EXPECT_EQ(pc_high, asked.read(6, CS_COREPMU_EXT64_PMPCSR + 4)) << "no cycle was used";
    EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_ask(asked.pmu(), 0, CS_COREPMU_EXT64_PMCCNTR, true, &answer));
    EXPECT_EQ(answer, asked.read_wide(6, CS_COREPMU_EXT64_PMCCNTR)) << "that of the last access";
    cs_corepmu_set_power(asked.pmu(), 10, true, false);
    EXPECT_EQ(CS_BUS_SLVERR, cs_corepmu_ask(asked.pmu(), 11, 0, true, &answer));
    EXPECT_EQ(0u, answer);
}

TEST(CorePmuDeathTest, NothingInThePast)
{
    Pmu pmu(ext32);
    const cs_corepmu_access access = {};
    uint64_t data;

    pmu.write(1000, 0xE04, 1);
    EXPECT_DEATH(pmu.read(999, 0xE04),
                 "^countersink: core PMU: an access in cycle 999: must be in 1000 or later\n$");
    EXPECT_DEATH(cs_corepmu_write(pmu.pmu(), 999, 0xE04, false, 0), "an access in cycle 999");
    EXPECT_DEATH(cs_corepmu_system(pmu.pmu(), 999, &access, &data), "an access in cycle 999");
}

// Offline, locked, or 8 bytes in the ext32 map: an error, wherever it goes.
TEST(CorePmuAccess, Refused)
{
    for (bool offline : {false, true})
        for (bool locked : {false, true})
            for (bool wide : {false, true})
                for (bool is_ext64 : {false, true})
                    for (uint32_t offset : {0x000u, 0x0F8u, 0x200u, 0x300u, 0xC00u, 0x1000u}) {
                        const bool error = offline || locked || (wide && !is_ext64);
                        Pmu pmu({8, is_ext64, 8, false, offline, locked, false, false});
                        uint64_t data = 1;
                        EXPECT_EQ(error, cs_corepmu_write(pmu.pmu(), 1, offset, wide, ~0ull) !=
                                             CS_BUS_OKAY);
                        EXPECT_EQ(error, cs_corepmu_read(pmu.pmu(), 2, offset, wide, &data) !=
                                             CS_BUS_OKAY);
                        if (error) {
                            EXPECT_EQ(0u, data);
                        }
                    }
}

struct Word {
    uint32_t offset;
    uint32_t kept; // what reads back after all ones were written
    uint32_t reset;
};

std::vector<Word> map_of(unsigned n, bool is_ext64)
{
    std::vector<Word> words;
    const auto add = [&](uint32_t offset, uint32_t kept, uint32_t reset = 0) {
        words.push_back({offset, kept, reset});
    };
    const uint32_t bits = ((1u << n) - 1) | 0x80000000u;
    for (unsigned i = 0; i < n; i++) {
        add(8 * i, ~0u);
        add(8 * i + 4, ~0u);
        add(0x400 + (is_ext64 ? 8 : 4) * i, 0xFC00FFFF);
    }
    add(0x0F8, ~0u);
    add(0x0FC, ~0u);
    add(is_ext64 ? 0x4F8 : 0x47C, 0xFC000000);
    for (uint32_t offset : {0xC00u, 0xC40u, 0xCC0u})
        add(offset, bits);
    add(0xE00, n | 63 << 8 | 1 << 14, n | 63 << 8 | 1 << 14);
    add(is_ext64 ? 0xE10 : 0xE04, 0xE1);
    return words;
}

TEST(CorePmuAccess, EveryWordOfBothMaps)
{
    for (bool is_ext64 : {false, true})
        for (unsigned n : {1u, 8u, 31u}) {
            const std::vector<Word> words = map_of(n, is_ext64);
            for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
                if (offset >= 0x200 && offset <= 0x22C)
                    continue; // the capture, below
                const auto it = std::find_if(words.begin(), words.end(),
                                             [&](const Word &w) { return w.offset == offset; });
                const Word word = it == words.end() ? Word{offset, 0, 0} : *it;
                Pmu pmu({n, is_ext64, n, false, false, false, false, false});
                EXPECT_EQ(word.reset, pmu.read(1, offset)) << std::hex << offset;
                pmu.write(2, offset, ~0u);
                EXPECT_EQ(word.kept, pmu.read(3, offset)) << std::hex << offset;
                if (offset == 0xC00 || offset == 0xC40 || offset == 0xCC0)
                    continue; // write 1 to set
                pmu.write(4, offset, 0x5A5A5A5A);
                EXPECT_EQ(word.reset ? word.reset : word.kept & 0x5A5A5A5A, pmu.read(5, offset))
                    << std::hex << offset;
                for (const Word &other : words)
                    if (other.offset != offset) {
                        ASSERT_EQ(other.reset, pmu.read(6, other.offset)) << std::hex << offset;
                    }
            }
        }
}

TEST(CorePmuAccess, SetAndClear)
{
    for (uint32_t set : {0xC00u, 0xC40u, 0xCC0u}) {
        const uint32_t clear = set == 0xCC0 ? 0xC80 : set + 0x20;
        Pmu pmu({4, false, 4, false, false, false, false, false});
        pmu.write(1, set, 0x80000005);
        EXPECT_EQ(0x80000005, pmu.read(2, set));
        EXPECT_EQ(0x80000005, pmu.read(2, clear));
        pmu.write(2, set, 0xFFFFFFF2);
        EXPECT_EQ(0x80000007, pmu.read(3, clear)) << "counters that do not exist stay zero";
        pmu.write(3, clear, 0x7FFFFFF6);
        EXPECT_EQ(0x80000001, pmu.read(4, set));
        EXPECT_EQ(0x80000001, pmu.read(4, clear));
        EXPECT_EQ(0u, pmu.read(4, set == 0xC00 ? 0xCC0 : 0xC00));
    }
}

TEST(CorePmuAccess, WideIsTwoWords)
{
    Pmu pmu(ext64);
    pmu.write_wide(1, 0x010, 0x1122334455667788);
    EXPECT_EQ(0x1122334455667788u, pmu.read_wide(2, 0x010));
    EXPECT_EQ(0x55667788u, pmu.read(2, 0x010));
    EXPECT_EQ(0x11223344u, pmu.read(2, 0x014));
    pmu.write_wide(3, 0x0F8, 0xA1A2A3A4A5A6A7A8);
    EXPECT_EQ(0xA1A2A3A4A5A6A7A8u, pmu.read_wide(4, 0x0F8));
    pmu.write_wide(5, 0x408, ~0ull);
    EXPECT_EQ(0xFC00FFFFu, pmu.read_wide(6, 0x408));
    pmu.write_wide(7, 0x4F8, ~0ull);
    EXPECT_EQ(0xFC000000u, pmu.read_wide(8, 0x4F8));
    pmu.write_wide(9, 0xE10, ~0ull);
    EXPECT_EQ(0xE1u, pmu.read_wide(10, 0xE10));
    EXPECT_EQ(8u | 63 << 8 | 1 << 14, pmu.read_wide(10, 0xE00)) << "PMCR is elsewhere";
    EXPECT_EQ(0u, pmu.read_wide(10, 0x300));
    EXPECT_EQ(0u, pmu.read_wide(10, 0xFF8));
    EXPECT_EQ(0u, pmu.read_wide(10, 0x1000));
}

uint32_t high_word(const cs_context &c)
{
    return static_cast<uint32_t>(c.pc >> 32 & 0xFFFFFF) | uint32_t{c.mode} << 29 |
           (c.mode == CS_MODE_EL3 ? 0 : 0x80000000u);
}

TEST(CorePmuCapture, LowWordTakesASample)
{
    for (bool is_ext64 : {false, true})
        for (uint32_t low : {0x200u, 0x220u}) {
            Pmu pmu(is_ext64 ? ext64 : ext32);
            for (uint32_t offset : {0x204u, 0x224u, 0x208u, 0x228u, 0x20Cu, 0x22Cu})
                EXPECT_EQ(0u, pmu.read(1, offset)) << "before the first capture";
            for (cs_cycle e = 10; e < 200; e += 7) {
                const cs_context c = pmu.core.context(e);
                EXPECT_EQ(static_cast<uint32_t>(c.pc), pmu.read(e, low));
                for (cs_cycle later : {e + 1, e + 6}) {
                    EXPECT_EQ(high_word(c), pmu.read(later, 0x204));
                    EXPECT_EQ(high_word(c), pmu.read(later, 0x224));
                    EXPECT_EQ(c.cid1, pmu.read(later, 0x208));
                    EXPECT_EQ(c.cid1, pmu.read(later, 0x228));
                    EXPECT_EQ(c.cid2, pmu.read(later, 0x22C));
                    EXPECT_EQ(0u, pmu.read(later, 0x20C));
                }
                pmu.write(e + 6, low, 0); // nothing to write there
                pmu.write(e + 6, 0x208, ~0u);
                EXPECT_EQ(c.cid1, pmu.read(e + 6, 0x208));
            }
        }
}

TEST(CorePmuCapture, WideReadGivesTheSampleItMakes)
{
    for (uint32_t low : {0x200u, 0x220u}) {
        Pmu pmu(ext64);
        for (cs_cycle e = 10; e < 100; e += 7) {
            const cs_context c = pmu.core.context(e);
            EXPECT_EQ(uint64_t{high_word(c)} << 32 | static_cast<uint32_t>(c.pc),
                      pmu.read_wide(e, low));
            EXPECT_EQ(uint64_t{c.cid2} << 32 | c.cid1, pmu.read_wide(e + 3, 0x228));
            EXPECT_EQ(c.cid1, pmu.read_wide(e + 3, 0x208));
        }
    }
}

TEST(CorePmuAccess, Reset)
{
    Pmu pmu(ext32);
    pmu.write(1, 0xE04, 0xC1);
    pmu.write(2, 0xC00, ~0u);
    pmu.write(3, 0xCC0, ~0u);
    pmu.write(4, 0x400, ~0u);
    pmu.write(5, 0xC40, ~0u);
    pmu.read(6, 0x200);
    EXPECT_NE(0u, pmu.counter(50, 1));
    cs_corepmu_reset(pmu.pmu(), 60);
    for (uint32_t offset = 0; offset < 0x1000; offset += 4)
        if (offset != 0x200 && offset != 0x220 && offset != 0xE00) {
            EXPECT_EQ(0u, pmu.read(99, offset)) << std::hex << offset;
        }
    EXPECT_EQ(CS_NEVER, cs_corepmu_next(pmu.pmu()));
}

} // namespace

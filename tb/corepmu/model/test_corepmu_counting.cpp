// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "Counting": filter, ranges, overflow, writes against counting.
#include <vector>

#include "core.hpp"
#include "support/still.hpp"

namespace
{

constexpr uint32_t PMCR = 0xE04, SET = 0xC00, CLR = 0xC20, OVSCLR = 0xC80, OVSSET = 0xCC0;
constexpr uint32_t CCNTR = 0x0F8, CCFILTR = 0x47C, TYPER = 0x400;
constexpr uint32_t CYCLES = 0x80000000u;

Core steady(int increment, int mode = CS_MODE_EL0)
{
    Core core;
    core.fixed_increment = increment;
    core.fixed_mode = mode;
    return core;
}

const cs_corepmu_config plain = {8, false, 8, false, false, false, false, false};
const cs_corepmu_config nothing_prohibited = {8, false, 8, false, false, false, false, true};

// The table of the page, written out: which modes pass for each of the 64 filters.
TEST(CorePmuFilter, AllValuesAndModes)
{
    for (unsigned f = 0; f < 64; f++) {
        const bool m = f & 1, nsh = f & 2, nsu = f & 4, nsk = f & 8, u = f & 16, p = f & 32;
        const bool passes[4] = {u == nsu, p == nsk, nsh, m == p};
        uint32_t modes = 0;
        for (int mode = 0; mode < 4; mode++)
            modes |= uint32_t{passes[mode]} << mode;
        EXPECT_EQ(modes, cs_corepmu_filter_modes(f << 26 | 0x3FFFFFF));

        for (int mode = 0; mode < 4; mode++) {
            Pmu pmu(nothing_prohibited, steady(3, mode));
            pmu.write(1, TYPER + 4 * 2, f << 26 | 0x77);
            pmu.write(2, CCFILTR, f << 26);
            pmu.write(3, PMCR, 1);
            pmu.write(4, SET, CYCLES | 4);
            EXPECT_EQ(passes[mode] ? 3u * 10 : 0, pmu.counter(15, 2)) << f << " " << mode;
            EXPECT_EQ(passes[mode] ? 3u * 10 : 0, pmu.counter(15, 31)) << f << " " << mode;
        }
    }
    EXPECT_EQ(CS_MODE_MASK(CS_MODE_EL0) | CS_MODE_MASK(CS_MODE_EL1) | CS_MODE_MASK(CS_MODE_EL3),
              cs_corepmu_filter_modes(0));
}

// "Prohibited": a counter of each range and the cycle counter, in each mode, with a filter that lets
// all of them pass.
TEST(CorePmuProhibited, ByStrapsAndDp)
{
    for (unsigned bits = 0; bits < 8; bits++)
        for (int mode = 0; mode < 4; mode++) {
            const bool hpmd = bits & 1, spme = bits & 2, dp = bits & 4;
            const bool el2 = mode == CS_MODE_EL2 && hpmd, el3 = mode == CS_MODE_EL3 && !spme;
            Pmu pmu({4, false, 2, true, false, false, hpmd, spme}, steady(200, mode));
            for (unsigned n = 0; n < 4; n++)
                pmu.write(1 + n, TYPER + 4 * n, 1u << 27 | 8);
            pmu.write(5, CCFILTR, 1u << 27);
            pmu.write(6, SET, CYCLES | 0xF);
            pmu.write(7, PMCR, dp ? 0x21 : 1);
            EXPECT_EQ(dp ? 0x21u : 1u, pmu.read(8, PMCR));
            EXPECT_EQ(el2 || el3 ? 0u : 2000u, pmu.counter(18, 1)) << bits << " " << mode;
            EXPECT_EQ(el3, pmu.counter(18, 3) == 0) << bits << " " << mode;
            EXPECT_EQ(dp && (el2 || el3) ? 0u : 2000u, pmu.counter(18, 31)) << bits << " " << mode;
        }
}

TEST(CorePmuRange, FirstAndSecond)
{
    for (unsigned hpmn : {0u, 1u, 3u, 4u, 31u})
        for (bool hpme : {false, true})
            for (bool e : {false, true}) {
                Pmu pmu({4, false, hpmn, hpme, false, false, false, false}, steady(1));
                pmu.write(1, PMCR, e);
                pmu.write(2, SET, ~0u);
                for (unsigned n = 0; n < 4; n++)
                    EXPECT_EQ((n < hpmn ? e : hpme) ? 10u : 0u, pmu.counter(13, n)) << n;
                EXPECT_EQ(e ? 10u : 0u, pmu.counter(13, 31));
            }
}

TEST(CorePmuCounting, EventsGoByNumber)
{
    Core core;
    core.fixed_mode = CS_MODE_EL0;
    Pmu pmu(plain, core);
    pmu.write(1, TYPER, 0x8123);
    pmu.write(2, PMCR, 1);
    pmu.write(3, SET, CYCLES | 1);
    uint64_t event = 0, cycles = 0;
    for (cs_cycle t = 4; t < 50; t++) {
        event += core.increment(0x8123, t);
        cycles += core.increment(CS_COREPMU_EVENT_CLOCK, t);
    }
    EXPECT_EQ(event, pmu.counter(50, 0));
    EXPECT_EQ(cycles, pmu.counter(50, 31));
}

struct Overflow {
    const char *what;
    unsigned counter;
    unsigned hpmn;
    uint32_t pmcr;
    bool from_bit_63;
};

const Overflow overflows[] = {
    {"first range", 1, 8, 0x01, false},     {"first range, LP", 1, 8, 0x81, true},
    {"first range, LC", 1, 8, 0x41, false}, {"cycles", 31, 8, 0x01, false},
    {"cycles, LP", 31, 8, 0x81, false},     {"cycles, LC", 31, 8, 0x41, true},
    {"second range", 5, 2, 0x01, true},     {"second range, LP", 5, 2, 0x81, true},
};

TEST(CorePmuOverflow, TableOfWidths)
{
    for (const Overflow &row : overflows)
        for (bool at_63 : {false, true}) {
            Pmu pmu({8, false, row.hpmn, true, false, false, false, false}, steady(5));
            // 12 below the carry: 5, 10, 15: the third addition, of cycle t, carries.
            pmu.write(1, PMCR, row.pmcr);
            pmu.write(2, 8 * row.counter, 0xFFFFFFF4);
            pmu.write(3, 8 * row.counter + 4, at_63 ? ~0u : 7);
            pmu.write(9, SET, 1u << row.counter);
            const uint32_t flag = 1u << row.counter;
            const bool expected = !row.from_bit_63 || at_63;
            EXPECT_EQ(0u, pmu.read(12, OVSSET)) << row.what;
            EXPECT_EQ(expected ? flag : 0, pmu.read(13, OVSSET)) << row.what;
            EXPECT_EQ(expected ? flag : 0, pmu.read(13, OVSCLR)) << row.what;
            EXPECT_EQ(at_63 ? 3u : 0x800000003u, pmu.counter(13, row.counter)) << row.what;
        }
}

TEST(CorePmuOverflow, LongIntervals)
{
    // 15 a cycle for 2^40 cycles: many carries out of bit 31, at most one out of bit 63.
    for (bool lp : {false, true})
        for (uint64_t start : {0ull, ~0ull - (15ull << 40), ~0ull - (15ull << 40) + 1}) {
            Pmu pmu(plain, steady(15));
            pmu.write(1, PMCR, lp ? 0x81 : 0x01);
            pmu.write(2, 0, static_cast<uint32_t>(start));
            pmu.write(3, 4, static_cast<uint32_t>(start >> 32));
            pmu.write(9, SET, 1);
            const cs_cycle end = 10 + (1ull << 40);
            EXPECT_EQ(start + (15ull << 40), pmu.counter(end, 0));
            const bool carry = !lp || start == ~0ull - (15ull << 40) + 1;
            EXPECT_EQ(carry ? 1u : 0u, pmu.read(end, OVSSET)) << lp << " " << start;
        }
}

// Not set at n - 1, set at n; a clear in the cycle of the carry loses.
TEST(CorePmuOverflow, SetWinsOverClear)
{
    for (cs_cycle clear = 10; clear < 20; clear++) {
        Pmu pmu(plain, steady(1));
        pmu.write(1, PMCR, 1);
        pmu.write(2, 0, 0xFFFFFFFB); // counts from 10 on: the carry is the addition of 14
        pmu.write(9, SET, 1);
        pmu.write(clear, OVSCLR, 1);
        EXPECT_EQ(clear <= 14 ? 1u : 0u, pmu.read(25, OVSSET)) << clear;
    }
}

TEST(CorePmuOverflow, ChangeOfWidthOnTheWay)
{
    for (uint32_t second : {0x01u, 0x81u})
        for (cs_cycle change = 10; change < 20; change++) {
            Pmu pmu(plain, steady(1));
            pmu.write(1, PMCR, second ^ 0x80);
            pmu.write(2, 0, 0xFFFFFFFB); // the carry is the addition of 14
            pmu.write(9, SET, 1);
            pmu.write(change, PMCR, second);
            const bool short_then = change >= 14 ? second == 0x81 : second == 0x01;
            EXPECT_EQ(short_then ? 1u : 0u, pmu.read(30, OVSSET)) << change;
        }
}

// A write in e loses the increment of e for what is written, and for nothing else.
TEST(CorePmuWrites, HalfOfACounter)
{
    Pmu pmu(plain, steady(2));
    pmu.write(1, PMCR, 1);
    pmu.write(9, SET, CYCLES | 3); // from 10 on
    pmu.write(20, 4, 0x11);        // the low half keeps its value of 20
    EXPECT_EQ(0x1100000014u, pmu.counter(21, 0));
    EXPECT_EQ(22u, pmu.counter(21, 1));
    pmu.write(30, 0, 0x100);
    EXPECT_EQ(0x1100000100u, pmu.counter(31, 0));
    EXPECT_EQ(0x1100000102u, pmu.counter(32, 0));
    pmu.write(40, CCNTR, 7);
    EXPECT_EQ(7u, pmu.counter(41, 31));
    EXPECT_EQ(9u, pmu.counter(42, 31));
}

TEST(CorePmuWrites, LostIncrementSetsNoFlag)
{
    for (unsigned how = 0; how < 3; how++) {
        Pmu pmu(plain, steady(1));
        pmu.write(1, PMCR, 1);
        pmu.write(2, 0, 0xFFFFFFFF);
        pmu.write(9, SET, 1);
        // The addition of 10 would carry.
        if (how == 0)
            pmu.write(10, 0, 0xFFFFFF00);
        else if (how == 1)
            pmu.write(10, 4, 0);
        else
            pmu.write(10, PMCR, 3);
        EXPECT_EQ(0u, pmu.read(11, OVSSET)) << how;
        EXPECT_EQ(how == 0 ? 0xFFFFFF00u : how == 1 ? 0xFFFFFFFFu : 0, pmu.counter(11, 0));
        EXPECT_EQ(how == 1 ? 1u : 0u, pmu.read(12, OVSSET)) << how;
    }
}

TEST(CorePmuWrites, ResetsOfPmcr)
{
    for (uint32_t pmcr = 0; pmcr < 8; pmcr++) {
        Pmu pmu({4, false, 2, true, false, false, false, false}, steady(3));
        pmu.write(1, PMCR, 1);
        pmu.write(9, SET, ~0u);
        pmu.write(20, PMCR, pmcr);
        EXPECT_EQ(pmcr & 1, pmu.read(21, PMCR)) << "P and C read zero";
        const bool p = pmcr & 2, c = pmcr & 4, e = pmcr & 1;
        for (cs_cycle later : {0u, 10u})
            for (unsigned n : {0u, 3u, 31u}) {
                const bool zeroed = n == 31 ? c : p;
                const bool goes_on = n == 3 || e; // the second range has hpme
                EXPECT_EQ((zeroed ? 0 : 33u) + (goes_on ? 3 * later : 0),
                          pmu.counter(21 + later, n))
                    << pmcr << " " << n;
            }
    }
}

struct Change {
    const char *what;
    uint32_t offset, data;
    unsigned rate_after; // of counter 0
};

// The increment of the cycle of a change is still counted under the old setting.
TEST(CorePmuWrites, ChangesActFromTheNextCycleOn)
{
    const Change changes[] = {
        {"disabled", CLR, 1, 0},
        {"another disabled", CLR, 2, 3},
        {"PMCR.E cleared", PMCR, 0, 0},
        {"another event", TYPER, 0x22, 3},
        {"filtered out", TYPER, 0x40000000, 0},
        {"another's event", TYPER + 4, 0x22, 3},
        {"enabled again", SET, 1, 3},
    };
    for (const Change &change : changes) {
        Pmu pmu(plain, steady(3));
        pmu.write(1, PMCR, 1);
        pmu.write(9, SET, 3);
        pmu.write(20, change.offset, change.data);
        EXPECT_EQ(33u, pmu.counter(21, 0)) << change.what;
        EXPECT_EQ(33u + change.rate_after * 10, pmu.counter(31, 0)) << change.what;
    }
}

TEST(CorePmuWrites, AnotherEventFromTheNextCycleOn)
{
    Core core;
    core.fixed_mode = CS_MODE_EL1;
    Pmu pmu(plain, core);
    pmu.write(1, PMCR, 1);
    pmu.write(2, TYPER, 5);
    pmu.write(9, SET, 1);
    pmu.write(20, TYPER, 6);
    uint64_t expected = 0;
    for (cs_cycle t = 10; t < 40; t++)
        expected += core.increment(t <= 20 ? 5 : 6, t);
    EXPECT_EQ(expected, pmu.counter(40, 0));
}

// One sum a counter and window; a counter that stands still costs nothing.
TEST(CorePmuCost, OneSumAWindow)
{
    Pmu pmu(plain, steady(1));
    pmu.write(1, PMCR, 0xC7);
    pmu.write(2, OVSCLR, ~0u);
    for (unsigned n = 0; n < 8; n++)
        pmu.write(3 + n, TYPER + 4 * n, n);
    for (cs_cycle t = 1000; t <= 5000; t += 1000) {
        pmu.core.sums = 0;
        pmu.write(t, SET, CYCLES | 0xF);
        pmu.write(t + 500, CLR, CYCLES | 0xF);
        for (unsigned n = 0; n < 8; n++)
            EXPECT_EQ(n < 4 ? 500u : 0u, pmu.counter(t + 600, n));
        EXPECT_EQ(500u, pmu.counter(t + 600, 31));
        EXPECT_EQ(0u, pmu.read(t + 600, OVSSET));
        pmu.write(t + 700, PMCR, 0xC7);
        EXPECT_EQ(5u, pmu.core.sums);
    }
}

// Two looks at one cycle are one sum, and a filter that lets nothing pass is none.
TEST(CorePmuCost, NoSumWhereNothingCanHaveCome)
{
    Pmu pmu(plain, steady(1));
    pmu.write(1, PMCR, 1);
    pmu.write(2, TYPER, 1);
    pmu.write(3, TYPER + 4, 1u << 31 | 1u << 30); // neither EL0 nor EL1
    pmu.write(4, SET, 3);
    EXPECT_EQ(45u, pmu.counter(50, 0));
    EXPECT_EQ(1u, pmu.core.sums);
    EXPECT_EQ(0u, pmu.counter(50, 1));
    EXPECT_EQ(1u, pmu.core.sums);
}

// Those that were started together are asked for together, each once; one alone, or of another time,
// is not.
TEST(CorePmuCost, CountersOfOneStartAreSummedTogether)
{
    struct Asked {
        std::vector<uint32_t> events;
        uint32_t modes;
        cs_cycle from, to;
    };
    struct Source {
        std::vector<Asked> asked;
    } source;
    cs_event_source events = still_events();
    events.sum = [](void *, uint32_t, uint32_t, cs_cycle from, cs_cycle to) { return to - from; };
    events.ctx = &source;
    events.prepare = [](void *ctx, const uint32_t which[], unsigned n, uint32_t modes,
                        cs_cycle from, cs_cycle to) {
        static_cast<Source *>(ctx)->asked.push_back({{which, which + n}, modes, from, to});
    };
    const cs_corepmu_env env = {events};
    cs_corepmu *pmu = nullptr;
    ASSERT_EQ(CS_OK, cs_corepmu_create(&plain, &env, &pmu, nullptr));
    const auto write = [&](cs_cycle cycle, uint32_t offset, uint32_t data) {
        ASSERT_EQ(CS_BUS_OKAY, cs_corepmu_write(pmu, cycle, offset, false, data));
    };
    for (unsigned n = 0; n < 6; n++)
        write(1 + n, TYPER + 4 * n, 100 + n);
    write(7, TYPER + 4 * 4, 104 | 1u << 30); // in other modes
    write(10, PMCR, 1);
    write(20, SET, 0x1B);
    write(30, SET, 0x20); // later
    write(99, CLR, 0);    // what counts nothing is not asked for
    EXPECT_TRUE(source.asked.empty());
    write(100, CLR, 0x2); // one alone
    EXPECT_TRUE(source.asked.empty());
    write(109, CLR, ~0u);
    write(110, CLR, ~0u);
    ASSERT_EQ(1u, source.asked.size());
    EXPECT_EQ((std::vector<uint32_t>{100, 103}), source.asked[0].events);
    EXPECT_EQ(cs_corepmu_counted_modes(&plain, 0, 0, 1), source.asked[0].modes);
    EXPECT_EQ(21u, source.asked[0].from);
    EXPECT_EQ(110u, source.asked[0].to);
    write(120, SET, 0x3);
    write(130, CLR, 0x3);
    ASSERT_EQ(2u, source.asked.size());
    EXPECT_EQ((std::vector<uint32_t>{100, 101}), source.asked[1].events);
    cs_corepmu_destroy(pmu);
}

} // namespace

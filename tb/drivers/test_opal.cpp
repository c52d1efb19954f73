// SPDX-License-Identifier: Apache-2.0
// OPAL's calls as exact lists of writes. Addresses are those of docs/hw/imc.md, "Access", written
// out.
#include <gtest/gtest.h>

#include <vector>

#include "drivers/imc/opal.h"
#include "scenario/imc/imc_spec.h"

namespace
{

constexpr uint64_t kScom = 0x603fc00000000;
constexpr uint64_t kMask = 0x0402010000000000;
constexpr uint64_t kTrace = 0x7FFFFFC142020000;
constexpr uint64_t kNest = 0xBF980000;
constexpr uint64_t kDisable = 0xE000000000000000;
constexpr uint64_t kEnable = 0xE800000000000000;

struct Write {
    uint64_t addr;
    uint64_t value;
    bool memory = false;

    bool operator==(const Write &o) const
    {
        return addr == o.addr && value == o.value && memory == o.memory;
    }
};

std::ostream &operator<<(std::ostream &out, const Write &w)
{
    return out << std::hex << w.addr << "=" << w.value << (w.memory ? " (memory)" : "") << std::dec;
}

Write scom(uint64_t address, uint64_t value)
{
    return {kScom + 8 * address, value};
}

using Writes = std::vector<Write>;

Writes writes_of(const cs_opal_answer &answer)
{
    Writes list;

    for (unsigned i = 0; i < answer.nr_writes; i++)
        list.push_back({answer.writes[i].addr, answer.writes[i].value, answer.writes[i].memory});
    return list;
}

struct Firmware {
    cs_opal opal = {};

    explicit Firmware(bool power10 = false)
    {
        opal.config.power10 = power10;
        opal.config.cores = 24;
        opal.config.nest = true;
        opal.config.nest_base[0] = kNest;
        opal.config.event_mask = kMask;
        opal.config.trace_scom = kTrace;
    }

    // What the call writes; its status is looked at here.
    Writes call(cs_opal_token token, unsigned type, uint64_t addr, uint32_t pir,
                int status = CS_OPAL_SUCCESS)
    {
        const cs_opal_answer answer = cs_opal_call(&opal, token, type, addr, pir);

        EXPECT_EQ(answer.status, status);
        return writes_of(answer);
    }

    Writes wake(unsigned core)
    {
        const cs_opal_answer answer = cs_opal_wake(&opal, core);

        EXPECT_EQ(answer.status, CS_OPAL_SUCCESS);
        return writes_of(answer);
    }
};

// ---- tokens, types, answers ----

TEST(Opal, NumbersAreTheInterfaces)
{
    EXPECT_EQ(CS_OPAL_IMC_INIT, 149);
    EXPECT_EQ(CS_OPAL_IMC_START, 150);
    EXPECT_EQ(CS_OPAL_IMC_STOP, 151);
    EXPECT_EQ(CS_OPAL_NEST, 1);
    EXPECT_EQ(CS_OPAL_CORE, 2);
    EXPECT_EQ(CS_OPAL_TRACE, 3);
    EXPECT_EQ(CS_OPAL_SUCCESS, 0);
    EXPECT_EQ(CS_OPAL_PARAMETER, -1);
    EXPECT_EQ(CS_OPAL_HARDWARE, -6);
}

TEST(Opal, CoreOfAPir)
{
    const struct {
        bool fused;
        uint32_t pir;
        unsigned core;
    } cases[] = {
        // normal: the thread is the low two bits
        {false, 0, 0},
        {false, 3, 0},
        {false, 4, 1},
        {false, 0x17, 5},
        {false, 0x5c, 23},
        {false, 0xff, 63},
        // fused: bits 4..6 the quad, 3 the pair, 0 the core of the pair
        {true, 0, 0},
        {true, 1, 1},
        {true, 2, 0},
        {true, 7, 1},
        {true, 8, 2},
        {true, 9, 3},
        {true, 0x10, 4},
        {true, 0x2f, 11},
        {true, 0x59, 23},
    };

    for (const auto &c : cases)
        EXPECT_EQ(cs_opal_core_of(c.fused, c.pir), c.core) << c.fused << " " << c.pir;
}

// The SCOM window and the control block are those of the PIR's chip.
TEST(Opal, AChipIsInThePir)
{
    for (const bool power10 : {false, true}) {
        Firmware f(power10);
        const uint64_t window = 1ull << (power10 ? 44 : 42);

        f.opal.config.chips = 2; // of twelve cores
        f.opal.config.nest_base[1] = kNest + 0x400000;
        const Writes first = f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 5 << 2);
        const Writes second = f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 0x100 | 5 << 2);

        ASSERT_EQ(second.size(), 1u);
        EXPECT_EQ(second[0].addr, first[0].addr + window);
        EXPECT_EQ(f.call(CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0x100),
                  (Writes{{kNest + 0x400000 + 0x3fc08, 2, true}}));
        f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 0x200, CS_OPAL_PARAMETER);
        f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 0x100 | 12 << 2, CS_OPAL_PARAMETER);
        f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0x80000000, 0x100 | 5 << 2);
        EXPECT_EQ(f.wake(17)[0].addr - window,
                  (f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0, 5 << 2), f.wake(5))[0].addr);
    }
}

TEST(Opal, AnUnknownPirIsAParameterError)
{
    Firmware f;
    f.opal.config.cores = 6;

    for (uint32_t pir : {24u, 0x5cu, 0xffu, 0x100u, 0x117u, 0xffffffffu})
        for (unsigned type : {CS_OPAL_CORE, CS_OPAL_TRACE})
            for (cs_opal_token token : {CS_OPAL_IMC_INIT, CS_OPAL_IMC_START, CS_OPAL_IMC_STOP}) {
                SCOPED_TRACE(testing::Message() << pir << " " << type << " " << token);
                EXPECT_EQ(f.call(token, type, 0x80000000, pir, CS_OPAL_PARAMETER), Writes{});
            }
    EXPECT_EQ(f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 23).size(), 1u);
    for (unsigned core = 0; core < CS_IMC_MAX_CORES; core++)
        EXPECT_EQ(f.wake(core), Writes{}) << core;
}

// START and STOP ask for the PIR before the type, INIT after it.
TEST(Opal, AnUnknownPirWithoutACore)
{
    Firmware f;
    for (unsigned type : {unsigned(CS_OPAL_NEST), 0u, 4u, 0x10u}) {
        SCOPED_TRACE(type);
        EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, type, 0, 0x1000), Writes{});
        EXPECT_EQ(f.call(CS_OPAL_IMC_START, type, 0, 0x1000, CS_OPAL_PARAMETER), Writes{});
        EXPECT_EQ(f.call(CS_OPAL_IMC_STOP, type, 0, 0x1000, CS_OPAL_PARAMETER), Writes{});
    }
}

TEST(Opal, AnUnknownTypeIsASuccessAndDoesNothing)
{
    Firmware f;
    for (unsigned type : {0u, 4u, 0x10u, 0xffffffffu})
        for (cs_opal_token token : {CS_OPAL_IMC_INIT, CS_OPAL_IMC_START, CS_OPAL_IMC_STOP})
            EXPECT_EQ(f.call(token, type, 0x80000000, 4), Writes{}) << type << " " << token;
    EXPECT_EQ(f.wake(1), Writes{});
}

// ---- the nest ----

TEST(Opal, TheNestIsToldThroughItsControlBlock)
{
    Firmware f;
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_NEST, 0x80000000, 0), Writes{});
    EXPECT_EQ(f.call(CS_OPAL_IMC_START, CS_OPAL_NEST, 0, 0), (Writes{{kNest + 0x3fc08, 1, true}}));
    EXPECT_EQ(f.call(CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 4), (Writes{{kNest + 0x3fc08, 2, true}}));
    // Whether its status is not zero is for the caller to see.
    for (cs_opal_token token : {CS_OPAL_IMC_START, CS_OPAL_IMC_STOP}) {
        const cs_opal_answer answer = cs_opal_call(&f.opal, token, CS_OPAL_NEST, 0, 0);
        EXPECT_TRUE(answer.looks);
        EXPECT_EQ(answer.look_at, kNest + 0x3fc00);
    }
    EXPECT_FALSE(cs_opal_call(&f.opal, CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 0).looks);
}

TEST(Opal, WithoutANestThereIsNoControlBlock)
{
    Firmware f;
    f.opal.config.nest = false;
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_NEST, 0, 0), Writes{});
    EXPECT_EQ(f.call(CS_OPAL_IMC_START, CS_OPAL_NEST, 0, 0, CS_OPAL_HARDWARE), Writes{});
    EXPECT_EQ(f.call(CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0, CS_OPAL_HARDWARE), Writes{});
}

// ---- cores ----

struct Addresses {
    bool power10;
    unsigned core;
    uint64_t htm, pdbar, event_mask, trace;
};

// A core of each port, and of the first and last chiplets.
const Addresses addresses[] = {
    {false, 0, 0x10012200, 0x1001220B, 0x20010AA8, 0x20010AA9},
    {false, 5, 0x11012300, 0x1101230B, 0x25010AA8, 0x25010AA9},
    {false, 14, 0x13012600, 0x1301260B, 0x2E010AA8, 0x2E010AA9},
    {false, 23, 0x15012700, 0x1501270B, 0x37010AA8, 0x37010AA9},
    {true, 0, 0x20018680, 0x2001868B, 0x20028400, 0x20028401},
    {true, 5, 0x21014680, 0x2101468B, 0x21024400, 0x21024401},
    {true, 14, 0x23012680, 0x2301268B, 0x23022400, 0x23022401},
    {true, 23, 0x25011680, 0x2501168B, 0x25021400, 0x25021401},
};

TEST(Opal, InitOfACoreWritesItsMemorysAddressFirst)
{
    for (const Addresses &a : addresses) {
        SCOPED_TRACE(testing::Message() << (a.power10 ? "POWER10 " : "POWER9 ") << a.core);
        Firmware f(a.power10);
        EXPECT_EQ(
            f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0x123456000, a.core << 2),
            (Writes{scom(a.pdbar, 0x123456000), scom(a.event_mask, kMask), scom(a.htm, kDisable)}));
    }
}

TEST(Opal, InitOfTraceDoesNotLookAtTheAddress)
{
    for (const Addresses &a : addresses) {
        SCOPED_TRACE(testing::Message() << (a.power10 ? "POWER10 " : "POWER9 ") << a.core);
        Firmware f(a.power10);
        EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_TRACE, 0x123456000, a.core << 2 | 3),
                  (Writes{scom(a.htm, kDisable), scom(a.trace, kTrace)}));
    }
}

TEST(Opal, StartAndStopOfCoreAndTraceWriteHtmMode)
{
    for (const Addresses &a : addresses)
        for (unsigned type : {CS_OPAL_CORE, CS_OPAL_TRACE}) {
            SCOPED_TRACE(testing::Message() << a.power10 << " " << a.core << " " << type);
            Firmware f(a.power10);
            EXPECT_EQ(f.call(CS_OPAL_IMC_START, type, 0, a.core << 2),
                      (Writes{scom(a.htm, kEnable)}));
            EXPECT_EQ(f.call(CS_OPAL_IMC_STOP, type, 0, a.core << 2),
                      (Writes{scom(a.htm, kDisable)}));
        }
}

// The kernel hands over a virtual address; its top bits fall away, and so do those below 8 KiB.
TEST(Opal, PdbarKeepsTheBitsOfARealAddress)
{
    const struct {
        uint64_t addr, pdbar;
    } cases[] = {
        {0, 0},
        {0x2000, 0x2000},
        {0x1fff, 0},
        {0x3fff, 0x2000},
        {0xc000000081000000, 0x81000000},
        {UINT64_MAX, 0x0003ffffffffe000},
    };

    for (const auto &c : cases) {
        Firmware f;
        const Writes writes = f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, c.addr, 0);
        ASSERT_EQ(writes.size(), 3u);
        EXPECT_EQ(writes[0].value, c.pdbar) << std::hex << c.addr;
    }
}

// ---- fused cores ----

TEST(Opal, OfAFusedCoreOnlyInitOfCoreReachesBoth)
{
    Firmware f;
    f.opal.config.fused = true;

    // PIR 0x10: core 4, the other one is core 5
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0x80002000, 0x10),
              (Writes{scom(0x1101220B, 0x80002000), scom(0x24010AA8, kMask),
                      scom(0x11012200, kDisable), scom(0x1101230B, 0x80002000),
                      scom(0x25010AA8, kMask), scom(0x11012300, kDisable)}));
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_TRACE, 0, 0x10),
              (Writes{scom(0x11012200, kDisable), scom(0x24010AA9, kTrace)}));
    EXPECT_EQ(f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 0x11),
              (Writes{scom(0x11012300, kEnable)}));
    EXPECT_EQ(f.call(CS_OPAL_IMC_STOP, CS_OPAL_TRACE, 0, 0x11),
              (Writes{scom(0x11012300, kDisable)}));

    // the first of a pair by its second thread's PIR: the second core is written first
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0, 0x11)[0], scom(0x1101230B, 0));
}

TEST(Opal, AFusedPairOfWhichOneIsMissing)
{
    Firmware f;
    f.opal.config.fused = true;
    f.opal.config.cores = 5;
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0, 0x10).size(), 3u);
    EXPECT_EQ(f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0, 0x11, CS_OPAL_PARAMETER), Writes{});
    EXPECT_EQ(f.call(CS_OPAL_IMC_START, CS_OPAL_CORE, 0, 0x80, CS_OPAL_PARAMETER), Writes{});
}

// ---- waking ----

TEST(Opal, ACoreThatWakesGetsWhatWasSaved)
{
    for (const Addresses &a : addresses) {
        SCOPED_TRACE(testing::Message() << a.power10 << " " << a.core);
        Firmware f(a.power10);
        const uint32_t pir = a.core << 2;

        EXPECT_EQ(f.wake(a.core), Writes{});
        f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0xc000000081000000, pir);
        EXPECT_EQ(f.wake(a.core), (Writes{scom(a.pdbar, 0x81000000), scom(a.event_mask, kMask)}));
        f.call(CS_OPAL_IMC_INIT, CS_OPAL_TRACE, 0, pir);
        // HTM_MODE is no entry of the stop-api.
        const Writes all = {scom(a.pdbar, 0x81000000), scom(a.event_mask, kMask),
                            scom(a.trace, kTrace)};
        EXPECT_EQ(f.wake(a.core), all);
        f.call(CS_OPAL_IMC_START, CS_OPAL_TRACE, 0, pir);
        EXPECT_EQ(f.wake(a.core), all);

        // the newest address is the one that is kept, and the other cores have nothing
        f.call(CS_OPAL_IMC_INIT, CS_OPAL_CORE, 0x82000000, pir);
        EXPECT_EQ(f.wake(a.core)[0], scom(a.pdbar, 0x82000000));
        EXPECT_EQ(f.wake(a.core ^ 1), Writes{});
    }
}

TEST(Opal, ACoreWithTraceAloneWakesWithoutMemory)
{
    Firmware f;
    f.call(CS_OPAL_IMC_INIT, CS_OPAL_TRACE, 0, 0);
    f.call(CS_OPAL_IMC_START, CS_OPAL_TRACE, 0, 0);
    EXPECT_EQ(f.wake(0), Writes{scom(0x20010AA9, kTrace)});
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// The golden block at instructions: countersink/golden.h, docs/yours/retirement.md.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <countersink/golden.h>

namespace
{

using Follow = std::unique_ptr<cs_follow, void (*)(cs_follow *)>;

Follow make(const char *settings, unsigned lag = 0)
{
    return Follow(cs_follow_create(settings, lag), cs_follow_destroy);
}

constexpr unsigned kM = 3, kU = 0, kT0 = 5, kZero = 0;
constexpr uint32_t kNop = 0x13;

uint32_t csrr(unsigned csr)
{
    return csr << 20 | 2u << 12 | kT0 << 7 | 0x73;
}

uint32_t csrw(unsigned csr) // of rs1 x1
{
    return csr << 20 | 1u << 15 | 1u << 12 | kZero << 7 | 0x73;
}

/* One instruction in a cycle of its own; what the step says. */
int retire(cs_follow *f, uint32_t insn, uint64_t rs1 = 0, uint64_t rd = 0, unsigned mode = kM,
           unsigned trap = 0)
{
    const uint64_t order = cs_follow_instructions(f);

    cs_follow_retire(f, order, insn, 0x80 + 4 * order, mode, trap, rs1, rd);
    return cs_follow_step(f);
}

TEST(Follow, ReadsAreWhatTheRulesSay)
{
    const Follow f = make("xlen=32 modes=1 counters=0x8 width=40");

    ASSERT_NE(f, nullptr);
    EXPECT_EQ(retire(f.get(), kNop), 0);
    EXPECT_EQ(cs_follow_step(f.get()), 0);            // a cycle without an instruction
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 1), 0); // minstret: the nop
    EXPECT_EQ(retire(f.get(), csrr(0xB00), 0, 3), 0); // mcycle: three cycles
    EXPECT_EQ(retire(f.get(), csrw(0xB02), 10), 0);   // in place of its own increment
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 10), 0);
    EXPECT_EQ(cs_follow_instructions(f.get()), 5u);
    EXPECT_EQ(cs_follow_compared(f.get()), 4u);
    EXPECT_EQ(cs_follow_differences(f.get()), 0u);
}

TEST(Follow, TheFirstThatIsWrongIsNamedAndTheNextGoOnFromIt)
{
    const Follow f = make("xlen=32 modes=1 counters=0x8 width=40");

    EXPECT_EQ(retire(f.get(), csrw(0xB02), 10), 0);
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 11), 1); // the writing instruction was counted, too
    EXPECT_STREQ(
        cs_follow_text(f.get()),
        "instruction 1 at 0x84, read of CSR 0xb02: what it has read: core 0xb, golden 0xa");
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 12), 0);
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 12), 1);
    EXPECT_EQ(cs_follow_differences(f.get()), 2u);
}

// csrrs changes what it has read, also if that was wrong.
TEST(Follow, AChangeOfAWrongReadIsGoneOnFrom)
{
    const Follow f = make("xlen=32 counters=0x8");
    constexpr uint32_t csrs = 0xB02u << 20 | 1u << 15 | 2u << 12 | kT0 << 7 | 0x73;

    EXPECT_EQ(retire(f.get(), csrw(0xB02), 8), 0);
    EXPECT_EQ(retire(f.get(), csrs, 0x100, 7), 1); // 8
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 0x107), 0);
    EXPECT_EQ(cs_follow_differences(f.get()), 1u);
}

TEST(Follow, WithALagEventsAreThoseOfTheInstructionsCycle)
{
    for (const unsigned lag : {0u, 1u, 5u, 63u}) {
        const Follow f = make("xlen=64 counters=0x8", lag);

        cs_follow_begin(f.get(), 0x323, 7);
        cs_follow_event(f.get(), 7, 3); // cycle 0
        for (unsigned c = 0; c < lag + 1; c++)
            EXPECT_EQ(cs_follow_step(f.get()), 0);
        EXPECT_EQ(retire(f.get(), csrr(0xB03), 0, 3), 0) << "of cycle 1, lag " << lag;
        EXPECT_EQ(retire(f.get(), csrr(0xB00), 0, 2), 0) << "mcycle in cycle 2";
    }
}

TEST(Follow, LateEventsAndReadsThatAreBehind)
{
    const Follow late = make("xlen=64 counters=0x8"), behind = make("xlen=64 counters=0x8");

    cs_follow_begin(late.get(), 0x323, 7);
    cs_follow_late(late.get(), 7, 2);
    cs_follow_event(late.get(), 7, 1);
    EXPECT_EQ(cs_follow_step(late.get()), 0);
    EXPECT_EQ(retire(late.get(), csrr(0xB03), 0, 0), 0);
    EXPECT_EQ(retire(late.get(), csrr(0xB03), 0, 0), 0);
    EXPECT_EQ(retire(late.get(), csrr(0xB03), 0, 1), 0);

    cs_follow_begin(behind.get(), 0x323, 7);
    cs_follow_behind(behind.get(), 3, 2);
    cs_follow_event(behind.get(), 7, 4);
    EXPECT_EQ(cs_follow_step(behind.get()), 0);
    EXPECT_EQ(retire(behind.get(), csrr(0xB03), 0, 0), 0)
        << "may lack what the last two cycles did";
    EXPECT_EQ(retire(behind.get(), csrr(0xB03), 0, 4), 0);
    EXPECT_EQ(retire(behind.get(), csrr(0xB03), 0, 0), 1) << "three cycles ago";
    EXPECT_EQ(retire(behind.get(), csrr(0xB03), 0, 5), 1) << "more than happened";
}

// A core that reads a stage before it writes: what it writes is made of what it has read.
TEST(Follow, AChangeOfAReadThatIsBehind)
{
    const Follow f = make("xlen=64 counters=0x8");
    constexpr uint32_t csrs = 0xB00u << 20 | 1u << 15 | 2u << 12 | kT0 << 7 | 0x73;

    cs_follow_behind(f.get(), 0, 1);
    EXPECT_EQ(cs_follow_step(f.get()), 0);
    EXPECT_EQ(cs_follow_step(f.get()), 0);
    EXPECT_EQ(retire(f.get(), csrs, 0x100, 1), 0) << "2 by now";
    EXPECT_EQ(retire(f.get(), csrr(0xB00), 0, 0x101), 0);
    EXPECT_EQ(retire(f.get(), csrr(0xB00), 0, 0x103), 1);
}

TEST(Follow, ASetOfEventsMayBeBehind)
{
    for (const unsigned sets : {1u, 2u}) { // their sum; any of them
        const Follow f = make(("xlen=32 counters=0x8 event_set=" + std::to_string(sets)).c_str());

        cs_follow_begin(f.get(), 0x323, 0xc); // events 3 and 4
        cs_follow_behind(f.get(), 3, 1);
        cs_follow_event(f.get(), 3, 1);
        cs_follow_event(f.get(), 4, 1);
        EXPECT_EQ(cs_follow_step(f.get()), 0);
        const uint64_t counted = sets == 1 ? 2 : 1;
        EXPECT_EQ(retire(f.get(), csrr(0xB03), 0, 0), 0);
        EXPECT_EQ(retire(f.get(), csrr(0xB03), 0, counted), 0);
        EXPECT_EQ(retire(f.get(), csrr(0xB03), 0, counted - 1), 1);
    }
}

TEST(Follow, OverflowFlagFiltersAndLines)
{
    const char settings[] = "xlen=64 modes=2 counters=0x8 sscofpmf=1";
    const Follow f = make(settings);

    cs_follow_begin(f.get(), 0xB03, UINT64_MAX);
    cs_follow_begin(f.get(), 0x323, UINT64_C(7) | UINT64_C(1) << 60); // UINH
    cs_follow_begin(f.get(), 0x304, 1u << 13);
    cs_follow_event(f.get(), 7, 1);
    cs_follow_irq(f.get(), 0);
    EXPECT_EQ(retire(f.get(), kNop, 0, 0, kU), 0) << "not counted in U";
    cs_follow_event(f.get(), 7, 1);
    EXPECT_EQ(retire(f.get(), kNop), 0);
    cs_follow_irq(f.get(), 1);
    EXPECT_EQ(retire(f.get(), csrr(0x323), 0, 0x9000000000000007), 0);
    EXPECT_EQ(retire(f.get(), csrr(0x344), 0, 0x2000), 0);
    EXPECT_EQ(retire(f.get(), csrr(0x323), 0, 0x1000000000000007), 1) << "without OF";
    cs_follow_irq(f.get(), 0);
    EXPECT_EQ(cs_follow_step(f.get()), 1);
    EXPECT_STREQ(cs_follow_text(f.get()),
                 "cycle 5, after instruction 4 at 0x90: interrupt lines: core 0, golden 1");
    EXPECT_EQ(cs_follow_step(f.get()), 0) << "told once";
}

TEST(Follow, ARefusalThatIsNoneAndOneThatIsMissing)
{
    const Follow f = make("xlen=64 modes=1 counters=0x8");

    EXPECT_EQ(retire(f.get(), csrr(0xC02), 0, 0, kU, 1), 0) << "mcounteren is 0";
    EXPECT_EQ(retire(f.get(), csrr(0xC02), 0, 0, kU), 1);
    EXPECT_NE(std::string(cs_follow_text(f.get())).find("it was not refused"), std::string::npos);
    EXPECT_EQ(retire(f.get(), csrr(0xB02), 0, 0, kM, 1), 1);
    EXPECT_NE(std::string(cs_follow_text(f.get())).find("it was refused"), std::string::npos);
}

TEST(Follow, WhatCannotBeIsSaid)
{
    EXPECT_EQ(make("xlen=64", 64), nullptr);
    EXPECT_STREQ(cs_golden_error(), "lag: found 64, expected 0 to 63");
    EXPECT_EQ(make("nothing=1"), nullptr);

    const Follow event = make("xlen=64"), twice = make("xlen=64");
    cs_follow_event(event.get(), 7, 16);
    EXPECT_EQ(cs_follow_step(event.get()), -1);
    EXPECT_STREQ(cs_follow_text(event.get()), "cycle 0: an event, or its increment, cannot be 7");
    cs_follow_retire(twice.get(), 0, csrr(0xB00), 0x80, kM, 0, 0, 0);
    cs_follow_retire(twice.get(), 1, csrr(0xB00), 0x84, kM, 0, 0, 0);
    EXPECT_EQ(cs_follow_step(twice.get()), -1);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// The golden counter block: countersink/golden.h.
#include <gtest/gtest.h>

#include <malloc.h>
#include <memory>
#include <string>

#include <countersink/golden.h>

namespace
{

using Golden = std::unique_ptr<cs_golden, void (*)(cs_golden *)>;

Golden make(const char *settings)
{
    return Golden(cs_golden_create(settings), cs_golden_destroy);
}

TEST(Golden, CountsWhatIsTold)
{
    const Golden g = make("xlen=32 modes=1 counters=0x8 width=40");
    ASSERT_NE(g, nullptr);
    EXPECT_EQ(cs_golden_access(g.get(), 0x323, CS_GOLDEN_WRITE, 7), 0u);
    cs_golden_event(g.get(), CS_GOLDEN_CYCLES, 1);
    cs_golden_step(g.get());
    for (int i = 0; i < 10; i++) {
        cs_golden_event(g.get(), CS_GOLDEN_CYCLES, 1);
        cs_golden_event(g.get(), CS_GOLDEN_INSTRET, i & 1);
        cs_golden_event(g.get(), 7, 2);
        cs_golden_step(g.get());
    }
    cs_golden_step(g.get()); // in which nothing happens
    EXPECT_EQ(cs_golden_cycle(g.get()), 12u);
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB00), 11u);
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB02), 5u);
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB03), 20u);
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB04), 0u);
}

// Bit k of a set is event k + 1.
TEST(Golden, SetsOfEvents)
{
    for (const bool any : {false, true}) {
        const Golden g = make(any ? "counters=0x18 event_set=2" : "counters=0x18 event_set=1");
        const auto write = [&](unsigned csr, uint64_t value) {
            cs_golden_access(g.get(), csr, CS_GOLDEN_WRITE, value);
            cs_golden_step(g.get());
        };

        write(0x323, 0x8006); // events 2, 3 and 16
        write(0x324, 0x0001); // cycles
        for (int i = 0; i < 10; i++) {
            cs_golden_event(g.get(), CS_GOLDEN_CYCLES, 2);
            cs_golden_event(g.get(), CS_GOLDEN_INSTRET, i & 1 ? 3 : 0);
            cs_golden_event(g.get(), 3, i < 2);
            cs_golden_event(g.get(), 16, i == 9 ? 15 : 0);
            cs_golden_event(g.get(), 5, 7); // is in no set
            cs_golden_step(g.get());
        }
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB03), any ? 6u : 32u);
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB04), any ? 10u : 20u);
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB00), 20u) << "is no set";
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB02), 15u);
        write(0x323, 0);
        cs_golden_event(g.get(), 3, 1);
        cs_golden_step(g.get());
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB03), any ? 6u : 32u);
    }
}

// The sum of a set is more than one event's: an overflow comes no later for it.
TEST(Golden, ASetOverflowsInItsCycle)
{
    const Golden g = make("counters=0x8 sscofpmf=1 event_set=1");

    cs_golden_access(g.get(), 0xB03, CS_GOLDEN_WRITE, UINT64_MAX - 200);
    cs_golden_step(g.get());
    cs_golden_access(g.get(), 0x323, CS_GOLDEN_WRITE, 0xffff);
    cs_golden_step(g.get());
    for (unsigned event = 1; event <= 16; event++)
        cs_golden_event(g.get(), event, 15);
    cs_golden_step(g.get());
    EXPECT_EQ(cs_golden_predict(g.get(), 0x344), 1u << 13);
}

TEST(Golden, AnMhpmeventThatKeepsLess)
{
    const struct {
        const char *settings;
        uint64_t written[3], read[3]; // one after the other
    } cases[] = {
        {"counters=8 event_mask=0x3f", {0x7f, 0x40, 0x15}, {0x3f, 0, 0x15}},
        {"counters=8 legal_events=0x3e", {5, 6, 64}, {5, 0, 0}},
        {"counters=8 legal_events=0x3e illegal_event=1", {5, 6, 64}, {5, 5, 5}},
        {"counters=8 legal_events=0x3e illegal_event=1", {5, 0, 1}, {5, 5, 1}},
    };

    for (const auto &c : cases) {
        const Golden g = make(c.settings);

        for (int i = 0; i < 3; i++) {
            cs_golden_access(g.get(), 0x323, CS_GOLDEN_WRITE, c.written[i]);
            cs_golden_step(g.get());
            EXPECT_EQ(cs_golden_predict(g.get(), 0x323), c.read[i]) << c.settings << ", " << i;
        }
    }
}

// docs/hw/hpm.md, 3: the increment of the cycle of a write is lost, whenever it was told.
TEST(Golden, AWriteTakesTheIncrementOfItsCycle)
{
    for (const bool told_first : {false, true}) {
        const Golden g = make("counters=0");
        if (told_first)
            cs_golden_event(g.get(), CS_GOLDEN_INSTRET, 3);
        cs_golden_access(g.get(), 0xB02, CS_GOLDEN_WRITE, 100);
        if (!told_first)
            cs_golden_event(g.get(), CS_GOLDEN_INSTRET, 3);
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB02), 0u) << "the old value, in this cycle";
        cs_golden_step(g.get());
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB02), 100u);
    }
}

TEST(Golden, ModesFiltersAndTheInterrupt)
{
    const Golden g = make("modes=1 counters=0x8 sscofpmf=1");
    const auto write = [&](unsigned csr, uint64_t value) {
        cs_golden_access(g.get(), csr, CS_GOLDEN_WRITE, value);
        cs_golden_step(g.get());
    };
    write(0x323, 7 | 1ull << 62); // not in M
    write(0x304, 1 << 13);
    write(0xB03, ~0ull - 1);
    cs_golden_event(g.get(), 7, 15);
    cs_golden_step(g.get());
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB03), ~0ull - 1);
    cs_golden_mode(g.get(), 0);
    EXPECT_EQ(cs_golden_access(g.get(), 0xB03, CS_GOLDEN_READ, 0), 0u);
    EXPECT_EQ(cs_golden_exception(g.get()), 1u) << "mhpmcounter3 from U mode";
    cs_golden_event(g.get(), 7, 15);
    EXPECT_EQ(cs_golden_irq(g.get()), 0u);
    cs_golden_step(g.get());
    EXPECT_EQ(cs_golden_exception(g.get()), 0u) << "of the cycle before";
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB03), 13u);
    cs_golden_step(g.get());
    EXPECT_EQ(cs_golden_irq(g.get()), 1u);
}

// As long as what it forgets, several times over: counters, filters and sets are what they would be.
TEST(Golden, ForgetsWithoutLosingACount)
{
    for (const char *sets : {"0", "1", "2"}) {
        const Golden g = make((std::string("modes=1 counters=0x38 event_set=") + sets).c_str());
        uint64_t cycles = 0, seven = 0, in_user = 0;
        const auto step = [&](unsigned increment) {
            cs_golden_event(g.get(), CS_GOLDEN_CYCLES, 1);
            cs_golden_event(g.get(), 7, increment);
            EXPECT_EQ(cs_golden_step(g.get()), 0) << cs_golden_failure(g.get());
            cycles++;
        };
        const uint64_t event = *sets == '0' ? 7 : 1 << 6;

        cs_golden_access(g.get(), 0x323, CS_GOLDEN_WRITE, event);
        step(0);
        cs_golden_access(g.get(), 0x324, CS_GOLDEN_WRITE, event);
        step(0);
        seven = 0;
        for (unsigned i = 0; i < 400000; i++) {
            const unsigned increment = (i * 2654435761u >> 20) & 3;

            cs_golden_mode(g.get(), i % 3 == 0 ? 0 : 3);
            seven += *sets == '2' ? increment != 0 : increment;
            in_user += i % 3 == 0;
            step(increment);
            if (i % 50000 == 0) {
                ASSERT_EQ(cs_golden_predict(g.get(), 0xB03), seven) << sets << ", " << i;
            }
        }
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB03), seven) << sets;
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB04), seven) << sets;
        EXPECT_EQ(cs_golden_predict(g.get(), 0xB00), cycles) << sets;
        EXPECT_GT(in_user, 100000u);
    }
}

// Ten times as many cycles as it had memory for.
TEST(Golden, TakesNoMoreMemoryForMoreCycles)
{
    const Golden g = make("counters=0x8");
    const auto run = [&](unsigned cycles) {
        for (unsigned i = 0; i < cycles; i++) {
            cs_golden_event(g.get(), CS_GOLDEN_CYCLES, i & 1);
            cs_golden_event(g.get(), CS_GOLDEN_INSTRET, ~i & 1);
            ASSERT_EQ(cs_golden_step(g.get()), 0);
        }
    };

    run(1 << 17);
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    run(1 << 20);
    EXPECT_LE(mallinfo2().uordblks + mallinfo2().hblkhd, before);
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB00), (1u << 16) + (1u << 19));
}

TEST(Golden, WhatCannotBeIsAFailure)
{
    const struct {
        void (*call)(cs_golden *);
        const char *text;
    } cases[] = {
        {[](cs_golden *g) { cs_golden_event(g, 7, 16); }, "event 7, increment 16"},
        {[](cs_golden *g) { cs_golden_event(g, 7, ~0u); }, "increment 4294967295"},
        {[](cs_golden *g) { cs_golden_event(g, 256, 1); }, "event 256"},
        {[](cs_golden *g) { cs_golden_mode(g, 2); }, "mode 2"},
        {[](cs_golden *g) { cs_golden_mode(g, 1); }, "mode 1"}, // it has M and U
        {[](cs_golden *g) { cs_golden_access(g, 0x1000, 0, 0); }, "CSR 0x1000"},
        {[](cs_golden *g) { cs_golden_access(g, 0xB00, 4, 0); }, "operation 4"},
        {[](cs_golden *g) {
             cs_golden_access(g, 0xB00, 0, 0);
             cs_golden_access(g, 0xB02, 0, 0);
         },
         "one access per cycle"},
    };

    for (const auto &c : cases) {
        const Golden g = make("modes=1 counters=0x8");

        EXPECT_EQ(cs_golden_step(g.get()), 0);
        EXPECT_STREQ(cs_golden_failure(g.get()), "");
        c.call(g.get());
        EXPECT_NE(cs_golden_step(g.get()), 0) << c.text;
        EXPECT_NE(std::string(cs_golden_failure(g.get())).find(c.text), std::string::npos)
            << cs_golden_failure(g.get());
        EXPECT_EQ(std::string(cs_golden_failure(g.get())).rfind("cycle 1: ", 0), 0u);
        cs_golden_event(g.get(), 7, 99);
        EXPECT_NE(cs_golden_step(g.get()), 0) << "it stays";
        EXPECT_NE(std::string(cs_golden_failure(g.get())).find(c.text), std::string::npos);
    }
    EXPECT_EQ(cs_golden_create(nullptr), nullptr);
    EXPECT_NE(std::string(cs_golden_error()).find("no settings"), std::string::npos);
    EXPECT_EQ(cs_follow_create(nullptr, 0), nullptr);
    EXPECT_NE(std::string(cs_golden_error()).find("no settings"), std::string::npos);

    // What has no effect says 0 of what is no CSR.
    const Golden g = make("counters=0x8");
    cs_golden_event(g.get(), CS_GOLDEN_CYCLES, 1);
    cs_golden_step(g.get());
    EXPECT_EQ(cs_golden_predict(g.get(), 0xB00), 1u);
    EXPECT_EQ(cs_golden_predict(g.get(), 0x10B00), 0u);
    EXPECT_EQ(cs_golden_step(g.get()), 0);
}

TEST(Golden, RefusesSettingsAndSaysWhy)
{
    const struct {
        const char *settings, *text;
    } cases[] = {
        {"xlen=33", "xlen is 33"},        {"xlne=32", "there is no setting 'xlne'"},
        {"xlen", "expected NAME=NUMBER"}, {"width=65", "width: found '65'"},
        {"counters=1", "counters"},       {"smcdeleg=1", "smcdeleg"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(cs_golden_create(c.settings), nullptr) << c.settings;
        EXPECT_NE(std::string(cs_golden_error()).find(c.text), std::string::npos)
            << cs_golden_error();
    }
}

} // namespace

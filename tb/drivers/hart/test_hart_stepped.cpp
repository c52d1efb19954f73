// SPDX-License-Identifier: Apache-2.0
// Software on a stack of its own, driven from outside: cs_hart_advance and what goes with it.
#include "hart_bench.hpp"

using namespace cs_test;
using Log = HartBench::Log;

namespace
{

// Operations by chance; what they give is logged, too.
void random_software(HartBench &b, cs_hart *h, uint64_t seed)
{
    const auto draw = [&seed](uint64_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (seed >> 33) % below;
    };
    const auto track = [&] { return static_cast<cs_hart_track>(draw(CS_HART_TRACKS)); };
    uint8_t data[200] = {};
    cs_context context;

    for (unsigned i = 0; i < 120; i++) {
        uint64_t got = 0;

        switch (draw(9)) {
        case 0:
            got = cs_hart_csr(h, 0x320, static_cast<cs_hpm_op>(draw(4)), draw(100)).value;
            break;
        case 1:
            got = cs_hart_load(h, 0x1000 + draw(5000), data, draw(200));
            break;
        case 2:
            for (uint8_t &byte : data)
                byte = static_cast<uint8_t>(draw(256));
            got = cs_hart_store(h, 0x1000 + draw(5000), data, draw(200));
            break;
        case 3:
            cs_hart_work(h, draw(2) * draw(300));
            break;
        case 4:
            got = static_cast<uint64_t>(cs_hart_run(h, track()));
            break;
        case 5:
            got = static_cast<uint64_t>(cs_hart_trap(h, track()));
            break;
        case 6:
            cs_hart_return(h, track());
            break;
        case 7:
            got = cs_hart_wait(h, cs_hart_now(h) + draw(400), static_cast<unsigned>(draw(8)));
            break;
        default:
            cs_hart_context(h, &context);
            got = context.pc;
            break;
        }
        for (uint8_t byte : data)
            got = got * 31 + byte;
        b.say("%llx, now %llu", static_cast<unsigned long long>(got),
              static_cast<unsigned long long>(cs_hart_now(h)));
    }
}

void some_lines(HartBench &b, uint64_t seed)
{
    for (cs_cycle at = 50; at < 100000;) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const cs_cycle length = 1 + (seed >> 40) % 90;
        b.levels.push_back({at, at + length, 1u << (seed >> 33) % 3});
        at += length / 2 + (seed >> 50) % 200;
    }
}

} // namespace

// Whoever drives it, however far ahead, whenever transfers are answered: the same.
TEST(HartStepped, IsWhatItIsWhenCalledDirectly)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        HartBench direct;
        const HartBench::Software software = [&](cs_hart *h) { random_software(direct, h, seed); };

        some_lines(direct, seed);
        direct.latency = seed % 12;
        direct.config.costs = seed % 3 == 0 ? kNoCosts : kCosts;
        const Log expected = direct.run(Way::kDirect, software);
        const cs_cycle end = cs_hart_now(direct.hart);
        for (Way way : {Way::kEveryCycle, Way::kByNext})
            for (Bus bus : {Bus::kAtOnce, Bus::kLater, Bus::kLaterCopied}) {
                SCOPED_TRACE("seed " + std::to_string(seed) + " way " +
                             std::to_string(static_cast<int>(way)) + " bus " +
                             std::to_string(static_cast<int>(bus)));
                cs_memory_reset(direct.memory);
                direct.bus = bus;
                ASSERT_EQ(direct.run(way, software, seed), expected);
                EXPECT_EQ(cs_hart_end_cycle(direct.hart), end);
                uint64_t sum = 0;
                for (unsigned i = 0; i < CS_HART_TRACKS; i++)
                    sum += cs_hart_cycles(direct.hart, static_cast<cs_hart_track>(i), end);
                EXPECT_EQ(sum, end);
            }
        cs_memory_reset(direct.memory);
    }
}

TEST(HartStepped, BeginsWithTheFirstAdvanceBeyondCycle0)
{
    HartBench b;
    unsigned begun = 0;

    b.create(true, [&](cs_hart *) { begun++; });
    EXPECT_EQ(cs_hart_next(b.hart), 0u);
    b.advance(0, 0);
    EXPECT_EQ(begun, 0u);
    b.advance(1, 1);
    EXPECT_EQ(begun, 1u);
    EXPECT_TRUE(cs_hart_ended(b.hart));
    EXPECT_EQ(cs_hart_end_cycle(b.hart), 1u);
    EXPECT_EQ(cs_hart_next(b.hart), CS_NEVER);
    b.advance(100, 200);
    EXPECT_EQ(begun, 1u);
    EXPECT_EQ(cs_hart_end_cycle(b.hart), 1u);
}

// An access: there from the moment on that the hart comes to it; carried out in its cycle.
TEST(HartStepped, AnAccessIsDoneWhenItsCycleIsExecuted)
{
    HartBench b;

    b.create(true, [](cs_hart *h) {
        cs_hart_work(h, 9);
        cs_hart_csr_write(h, 0x320, 77); // 10..12
        cs_hart_work(h, 9);
    });
    b.advance(1, 1);
    EXPECT_EQ(cs_hart_next(b.hart), 12u);
    const cs_hpm_access *access = cs_hart_access(b.hart, 12);
    ASSERT_NE(access, nullptr);
    EXPECT_EQ(access->csr, 0x320);
    EXPECT_EQ(access->op, CS_HPM_OP_WRITE);
    EXPECT_EQ(access->value, 77u);
    EXPECT_EQ(access->mode, CS_HPM_MODE_U);
    EXPECT_EQ(access->time, 12u);
    EXPECT_TRUE(access->stateen_m && access->stateen_h);
    EXPECT_EQ(cs_hart_access(b.hart, 11), nullptr);
    EXPECT_EQ(cs_hart_access(b.hart, 13), nullptr);
    b.advance(12, 12);
    EXPECT_EQ(b.log, Log{}) << "below 12 only";
    EXPECT_FALSE(cs_hart_ended(b.hart));
    b.advance(13, 13);
    EXPECT_EQ(b.log, Log{"csr 320 op 1 value 4d mode 0 time 12 @12"});
    EXPECT_EQ(cs_hart_access(b.hart, 12), nullptr);
    EXPECT_TRUE(cs_hart_ended(b.hart));
    EXPECT_EQ(cs_hart_end_cycle(b.hart), 22u);
}

// Nobody else takes part in accesses and waits: they are done ahead. A request is not.
TEST(HartStepped, GoesAheadUntilARequest)
{
    for (cs_cycle ahead : {cs_cycle{0}, cs_cycle{5}, cs_cycle{23}, cs_cycle{24}, cs_cycle{1000}}) {
        HartBench b;

        b.create(true, [](cs_hart *h) {
            cs_hart_csr_read(h, 0x320); // 1..3
            cs_hart_wait(h, 23, 7);     // 4..23
            cs_hart_store64(h, 0, 0);   // 24..43, 44..48
            cs_hart_csr_read(h, 0x321); // 49..51
        });
        b.advance(1, ahead);
        EXPECT_EQ(b.log.size(), ahead > 3 ? 1u : 0u);
        EXPECT_EQ(cs_hart_next(b.hart), ahead == 0    ? 3u
                                        : ahead == 5  ? 5u
                                        : ahead == 23 ? 23u
                                                      : 43u);
        b.advance(43, 1000);
        EXPECT_EQ(b.log.size(), 1u) << "the request's cycle has not come";
        b.advance(44, ahead);
        EXPECT_EQ(b.log.size(), ahead == 1000 ? 3u : 2u);
        EXPECT_EQ(b.log[1], "store 0 1x8 @44");
        EXPECT_EQ(cs_hart_ended(b.hart), ahead == 1000);
    }
}

TEST(HartStepped, WaitsForItsTransfer)
{
    for (Bus bus : {Bus::kLater, Bus::kLaterCopied}) {
        HartBench b;
        uint64_t value = 0;

        b.bus = bus;
        b.latency = 100;
        const uint8_t stored[] = {1, 2, 3, 4, 5, 6, 7, 8};
        ASSERT_EQ(cs_memory_write(b.memory, 0x500, 8, stored, nullptr), CS_OK);
        b.create(true, [&](cs_hart *h) { cs_hart_load64(h, 0x500, &value); }); // 1..20, 21..121
        b.advance(20, 20);
        EXPECT_FALSE(b.pending());
        EXPECT_EQ(cs_hart_next(b.hart), 20u);
        b.advance(21, 21);
        EXPECT_TRUE(b.pending());
        EXPECT_EQ(cs_hart_next(b.hart), CS_NEVER);
        b.advance(500, 1000); // however far: it is not there
        EXPECT_FALSE(cs_hart_ended(b.hart));
        EXPECT_EQ(value, 0u);
        b.complete();
        EXPECT_EQ(cs_hart_next(b.hart), 121u);
        EXPECT_FALSE(cs_hart_ended(b.hart)) << "goes on when it is advanced";
        b.advance(121, 121);
        EXPECT_FALSE(cs_hart_ended(b.hart));
        b.advance(122, 122);
        EXPECT_TRUE(cs_hart_ended(b.hart));
        EXPECT_EQ(cs_hart_end_cycle(b.hart), 122u);
        EXPECT_EQ(value, 0x0807060504030201u);
    }
}

// An answer at once may lie in the future.
TEST(HartStepped, AnAnswerIsKeptUntilItsCycle)
{
    HartBench b;

    b.latency = 100;
    b.create(true, [](cs_hart *h) { cs_hart_store64(h, 0, 0); });
    b.advance(21, 21);
    EXPECT_EQ(cs_hart_next(b.hart), 121u);
    b.advance(121, 121);
    EXPECT_FALSE(cs_hart_ended(b.hart));
    b.advance(122, 122);
    EXPECT_TRUE(cs_hart_ended(b.hart));
}

// The platform asks again in which cycle the line may have risen.
TEST(HartStepped, AWaitIsAskedAboutEachCycleOnce)
{
    HartBench b;
    unsigned high = 99;

    b.levels = {{60, 70, 4}};
    b.create(true, [&](cs_hart *h) { high = cs_hart_wait(h, 100, 4); });
    b.advance(1, 1);
    EXPECT_EQ(cs_hart_next(b.hart), 1u);
    b.advance(40, 50);
    EXPECT_EQ(cs_hart_next(b.hart), 50u);
    b.advance(45, 50);
    EXPECT_EQ(cs_hart_next(b.hart), 50u);
    b.advance(60, 60);
    EXPECT_EQ(high, 99u);
    b.advance(61, 61);
    EXPECT_EQ(high, 4u);
    EXPECT_EQ(cs_hart_end_cycle(b.hart), 61u);
}

// `ahead` below `to` means `to`.
TEST(HartStepped, ExecutesAllBelowToInAnyCase)
{
    HartBench b;

    b.create(true, [](cs_hart *h) { cs_hart_csr_read(h, 0x320); });
    b.advance(4, 0);
    EXPECT_TRUE(cs_hart_ended(b.hart));
}

TEST(HartStepped, IsDestroyedInTheMiddle)
{
    for (cs_cycle at : {1, 10, 20, 50, 130}) {
        HartBench b;

        b.bus = Bus::kLater;
        b.latency = 100;
        b.create(true, [](cs_hart *h) {
            cs_hart_csr_read(h, 0x320);
            cs_hart_wait(h, 15, 7);
            cs_hart_store64(h, 0, 0);
        });
        for (cs_cycle to = 1; to <= at; to++)
            b.advance(to, to);
        EXPECT_FALSE(cs_hart_ended(b.hart));
        EXPECT_EQ(cs_hart_end_cycle(b.hart), CS_NEVER);
    }
}

// Two harts in one program, each with its own stack.
TEST(HartStepped, SeveralRunSideBySide)
{
    HartBench a, b;
    const HartBench::Software software = [](cs_hart *h) {
        for (int i = 0; i < 10; i++)
            cs_hart_csr_read(h, 0x320);
    };

    a.create(true, software);
    b.create(true, software);
    for (cs_cycle to = 1; to <= 31; to++) {
        a.advance(to, to);
        EXPECT_EQ(a.log.size(), (to - 1) / 3);
        b.advance(to, to);
    }
    EXPECT_EQ(a.log, b.log);
    EXPECT_TRUE(cs_hart_ended(a.hart) && cs_hart_ended(b.hart));
}

// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Post".
#include "imc_bench.hpp"

using namespace imc;

namespace
{

constexpr uint64_t somewhere = 0x00A5C3F1E7924680; // bits everywhere

// A core that counts, with every thread's LDBAR as given; windows of 32 cycles begin in 33.
void begin(Core &core, uint64_t pdbar, uint64_t ldbar)
{
    core.count({1, 2, 3, 4});
    core.write(PDBAR, pdbar);
    for (unsigned t = 0; t < core.dut.nr_thread_i; t++)
        core.write_ldbar(t, ldbar);
    core.write(EVENT_MASK, count_all);
    core.write(HTM_MODE, mode_on);
}

Straps straps(bool power10, unsigned threads)
{
    Straps s;
    s.power10 = power10;
    s.threads = threads;
    s.tap_log2 = 5;
    return s;
}

TEST(Post, AddressesInCoreMemory)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        for (bool power10 : {false, true}) {
            for (uint64_t split : {uint64_t{0}, pdbar_split}) {
                Core core(straps(power10, threads));
                begin(core, somewhere | split, 0);
                core.run_to(33 + 32 * 6 + 20);
                ASSERT_EQ(core.memory.bursts.size(), 6u);
                for (unsigned i = 0; i < 6; i++) {
                    uint64_t base = power10 ? 0x0005C3F1E7924000 : 0x00A5C3F1E7924000;
                    if (split && !power10 && threads > 1 && i % threads >= threads / 2)
                        base += 0x2000;
                    EXPECT_EQ(core.memory.bursts[i].addr,
                              add_bit | (base + 64 * (i / threads) + 0x18))
                        << threads << " " << i;
                }
            }
        }
    }
}

TEST(Post, AddressFieldsOfEitherVariant)
{
    const struct {
        bool power10;
        uint64_t pdbar, base;
    } cases[] = {{false, ~pdbar_split, 0x00FFFFFFFFFFE000},
                 {true, ~uint64_t{0}, 0x000FFFFFFFFFF800}};
    for (const auto &c : cases) {
        Core core(straps(c.power10, 1));
        begin(core, c.pdbar, 0);
        core.run_to(96);
        ASSERT_EQ(core.memory.bursts.size(), 1u);
        EXPECT_EQ(core.memory.bursts[0].addr, add_bit | (c.base + 0x18));
    }
}

TEST(Post, ArithmeticIsModulo2To56)
{
    Core core(straps(false, 2));
    begin(core, 0x00FFFFFFFFFFE000 | pdbar_split, 0);
    core.run_to(128);
    ASSERT_EQ(core.memory.bursts.size(), 2u);
    EXPECT_EQ(core.memory.bursts[1].addr, add_bit | 0x18);
}

TEST(Post, AThreadThatAccumulatesHasItsOwnMemory)
{
    for (bool power10 : {false, true}) {
        Core core(straps(power10, 4));
        begin(core, 0, ldbar_enable | somewhere);
        core.run_to(33 + 32 + 30);
        ASSERT_EQ(core.memory.bursts.size(), 2u);
        EXPECT_EQ(core.memory.bursts[0].addr, add_bit | 0x18);
        EXPECT_EQ(core.memory.bursts[1].addr, add_bit | 0x00A5C3F1E7924018);
        EXPECT_EQ(core.memory.bursts[1].words, core.memory.bursts[0].words);
    }
}

TEST(Post, EnableAndTraceDecideInTheBoundaryCycle)
{
    const struct {
        uint64_t ldbar;
        unsigned posts;
    } cases[] = {{0, 1}, {ldbar_enable, 2}, {ldbar_trace, 0}, {ldbar_enable | ldbar_trace, 0}};
    for (const auto &c : cases) {
        // Written in the cycle before the boundary it decides, in the boundary cycle not.
        Core before(straps(false, 1)), at(straps(false, 1));
        begin(before, 0, 0);
        begin(at, 0, 0);
        before.run_to(63);
        before.write_ldbar(0, c.ldbar);
        at.run_to(64);
        at.write_ldbar(0, c.ldbar);
        before.run_to(95);
        at.run_to(95);
        EXPECT_EQ(before.memory.bursts.size(), c.posts) << c.ldbar;
        EXPECT_EQ(at.memory.bursts.size(), 1u) << c.ldbar;
        EXPECT_EQ(before.read(ERR_RPT), 0u);
    }
}

TEST(Post, Power10MultipliesByTheWindowsOfARound)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Core core(straps(true, threads));
        begin(core, 0, 0);
        core.run_to(96);
        const uint64_t times = 32 * 128 * threads;
        EXPECT_EQ(core.memory.bursts[0].words,
                  (std::vector<uint64_t>{times, 2 * times, 3 * times, 4 * times}));
    }
}

TEST(Post, AFullBufferLosesTheValues)
{
    Core core(straps(false, 1));
    core.memory.stuck = true;
    begin(core, 0, 0);
    core.run_to(97); // boundaries in 64, which is being written, and 96, which waits
    EXPECT_EQ(core.status(12, 15), 2u);
    core.run_to(128);
    EXPECT_EQ(core.read(ERR_RPT), 0u); // read in the boundary cycle: the state of e
    EXPECT_EQ(core.read(ERR_RPT), rpt_timeout);
    core.memory.stuck = false;
    core.run_to(190);
    ASSERT_EQ(core.memory.bursts.size(), 3u);
    const unsigned slots[] = {0, 1, 3}; // 2 is lost
    for (unsigned i = 0; i < 3; i++) {
        EXPECT_EQ(core.memory.bursts[i].addr, add_bit | (64 * slots[i] + 0x18));
        EXPECT_EQ(core.memory.bursts[i].words[0], 32u); // the lost ones are not kept
    }
    EXPECT_EQ(core.status(0, 0), 0u);
}

TEST(Post, ABufferWhoseLastPostIsTakenIsNotEmptyYet)
{
    Core core(straps(false, 1));
    core.memory.stuck = true;
    begin(core, 0, ldbar_enable);
    core.run_to(67); // the core's post is being written, the thread's waits
    EXPECT_EQ(core.status(12, 15), 2u);
    core.run_to(94);
    core.memory.stuck = false; // response in 94, idle in 95, taken in 95
    core.run_to(97);
    EXPECT_EQ(core.read(ERR_RPT), 0u);
    Core late(straps(false, 1));
    late.memory.stuck = true;
    begin(late, 0, ldbar_enable);
    late.run_to(95);
    late.memory.stuck = false; // response in 95, taken in 96, the boundary cycle
    late.run_to(97);
    EXPECT_EQ(late.read(ERR_RPT), rpt_timeout);
}

TEST(Post, ARoundAddsUpInMemory)
{
    Core core(straps(false, 1));
    begin(core, 0x10000, ldbar_enable | 0x20000);
    core.run_to(32 * (1 + 2 * 128 + 1));
    for (uint64_t base : {0x10000, 0x20000}) {
        for (unsigned slot = 0; slot < 128; slot++) {
            for (unsigned word = 0; word < 8; word++) {
                uint64_t counts = word >= 3 && word < 7 ? 2 * 32 * (word - 2) : 0;
                ASSERT_EQ(core.memory.doubleword(base + 64 * slot + 8 * word), counts);
            }
        }
    }
}

} // namespace

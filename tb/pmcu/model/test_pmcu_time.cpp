// SPDX-License-Identifier: Apache-2.0
// Time: however the model is driven, the same cycles do the same; what is skipped is empty.
#include <algorithm>

#include "reference.hpp"

namespace
{

struct Random {
    uint64_t state;
    uint64_t operator()(uint64_t n)
    {
        return mix(state++, 0x77) % n;
    }
};

struct Access {
    cs_cycle cycle;
    uint32_t offset, data;
};

// Software that does what it likes: legal programs, nonsense, triggers, breaks, clears.
std::vector<Access> software(Random &random)
{
    static const uint32_t offsets[] = {0x004, 0x008, 0x00C, 0x010, 0x014, 0x018,
                                       0x01C, 0x020, 0x038, 0x038, 0x038, 0x03C,
                                       0x044, 0x100, 0x104, 0x10C, 0x200, 0x204};
    std::vector<Access> list;
    cs_cycle cycle = 0;

    for (unsigned i = 0; i < 120; i++) {
        cycle += 1 + random(random(6) ? 12 : 900);
        const uint32_t offset = offsets[random(std::size(offsets))];
        uint32_t data = static_cast<uint32_t>(random(1ull << 32));
        switch (offset) {
        case 0x004:
            data = static_cast<uint32_t>(1 + random(6)) | (1 + random(2)) << 8 | random(7) << 16;
            break;
        case 0x008:
        case 0x010:
        case 0x018:
            data = 0;
            break;
        case 0x00C:
        case 0x01C:
            data = 0x80000F00u + static_cast<uint32_t>(random(0x180));
            break;
        case 0x014:
            data = 0x80000F40u + static_cast<uint32_t>(random(0x400));
            break;
        case 0x020:
            data = static_cast<uint32_t>(random(40));
            break;
        case 0x03C:
            data = random(3) == 0;
            break;
        default:
            break;
        }
        list.push_back({cycle, offset, data});
    }
    return list;
}

cs_pmcu_config any_config(Random &random)
{
    return {static_cast<unsigned>(1 + random(4)),
            static_cast<unsigned>(1 + random(3)),
            static_cast<unsigned>(1 + random(4)),
            random(2) != 0,
            random(2) != 0,
            random(2) != 0,
            static_cast<unsigned>(1 + random(5)),
            CS_UNIT_PMCU,
            CS_PMCU_ORDER_DIE,
            random(3) == 0};
}

void set_up(Die &die, uint64_t seed)
{
    die.world.seed = seed;
    die.world.max_latency = 1 + seed % 20;
    if (seed % 3 == 0)
        die.world.error = [seed](unsigned port, unsigned n) -> uint8_t {
            return mix(seed, port, n) % 40 == 0 ? CS_BUS_SLVERR : CS_BUS_OKAY;
        };
    for (uint64_t at = 0x80000F00; at < 0x80001200; at += 4)
        die.world.set_word(at, static_cast<uint32_t>(mix(at)));
}

void expect_equal(const Die &a, const Die &b)
{
    EXPECT_TRUE(a.states == b.states);
    EXPECT_TRUE(a.irqs == b.irqs);
    EXPECT_TRUE(a.samples == b.samples);
    EXPECT_TRUE(a.world.log == b.world.log);
    EXPECT_TRUE(a.world.memory == b.world.memory);
}

constexpr unsigned seeds = 300;

class Seeds
{
  public:
    template <typename Body> static void each(Body body)
    {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            Random random{seed * 1000};
            const cs_pmcu_config config = any_config(random);
            const std::vector<Access> list = software(random);
            body(seed, random, config, list);
            ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
        }
    }
};

// One big step, a cycle at a time, in random pieces; completions posted at once or later.
TEST(PmcuTime, HoweverItIsDriven)
{
    Seeds::each([](uint64_t seed, Random &random, const cs_pmcu_config &config,
                   const std::vector<Access> &list) {
        Die big(config);
        Die single(config, Style::later);
        Die pieces(config, seed % 2 ? Style::at_once : Style::later);
        for (Die *die : {&big, &single, &pieces})
            set_up(*die, seed);
        const cs_cycle end = list.back().cycle + 3000;

        for (const Access &a : list)
            big.write(a.cycle, a.offset, a.data);
        big.run(end);
        size_t i = 0;
        for (cs_cycle t = 0; t < end; t++) {
            if (i < list.size() && list[i].cycle == t) {
                single.write(t, list[i].offset, list[i].data);
                i++;
            }
            single.run(t + 1);
        }
        for (i = 0; i < list.size(); i++) {
            while (pieces.now() < list[i].cycle)
                pieces.run(std::min(list[i].cycle, pieces.now() + 1 + random(random(2) ? 3 : 200)));
            pieces.write(list[i].cycle, list[i].offset, list[i].data);
        }
        pieces.run(end);

        expect_equal(big, single);
        expect_equal(big, pieces);
        for (uint32_t offset = 0; offset < 0x208; offset += 4)
            EXPECT_EQ(big.read(end, offset), single.read(end, offset));
    });
}

// Nothing that can be seen changes before next(), and something does when it is executed.
TEST(PmcuTime, NextIsHonest)
{
    size_t idle = 0;
    size_t cycles = 0;
    Seeds::each([&](uint64_t seed, Random &, const cs_pmcu_config &config,
                    const std::vector<Access> &list) {
        if (seed > 40)
            return;
        Die die(config);
        set_up(die, seed);
        const auto seen = [&] {
            uint64_t hash = die.states.size() + 1000 * die.irqs.size() +
                            1000000 * die.samples.size() + 1000000000 * die.world.log.size();
            for (uint32_t offset : {0x000u, 0x108u})
                hash = mix(hash, die.read(die.now(), offset));
            return hash;
        };
        size_t i = 0;
        while (die.now() < list.back().cycle + 2000) {
            const cs_cycle t = die.now();
            if (i < list.size() && list[i].cycle == t) {
                EXPECT_EQ(CS_BUS_OKAY,
                          cs_pmcu_write(die.pmcu(), t, list[i].offset, false, list[i].data));
                EXPECT_EQ(t, cs_pmcu_next(die.pmcu()));
                i++;
            }
            const cs_cycle next = cs_pmcu_next(die.pmcu());
            const uint64_t before = seen();
            ASSERT_GE(next, t);
            cs_pmcu_advance(die.pmcu(), t + 1);
            ASSERT_EQ(t + 1, die.now());
            cycles++;
            if (next > t) {
                EXPECT_EQ(before, seen()) << "cycle " << t << ", next " << next;
                EXPECT_EQ(next, cs_pmcu_next(die.pmcu())) << "cycle " << t;
                idle++;
            }
        }
    });
    EXPECT_GT(idle, cycles / 2);
}

// The longest wait there is costs as much as the shortest.
TEST(PmcuTime, WaitCostsNothing)
{
    const cs_pmcu_config config = {
        1, 1, 1, false, false, false, 65535, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false};
    Program p;
    p.wait_cnt = ~0u;
    Die die(config);
    put_events(die.world, p);
    const cs_cycle start = put_program(die, p, 0);
    World world = die.world;
    const Outcome outcome = reference_run(config, p, world, start);
    EXPECT_EQ(outcome.end, die.run_to_idle(CS_NEVER));
    expect_same(outcome, die);
    EXPECT_GT(outcome.end, 65535ull * ~0u);
}

// Never a write outside [STORE_BASE, KILL_BASE), whatever software does: the registers of
// the moment of the trigger are the run's.
TEST(PmcuTime, NeverAWriteOutsideTheBuffer)
{
    size_t writes = 0;
    Seeds::each([&](uint64_t seed, Random &, const cs_pmcu_config &config,
                    const std::vector<Access> &list) {
        Die die(config, Style::later);
        set_up(die, seed);
        uint64_t low = 0, high = 0;
        size_t checked = 0;
        const auto check = [&] {
            for (; checked < die.world.log.size(); checked++) {
                const Transfer &t = die.world.log[checked];
                if (!t.write || World::is_core(t.addr))
                    continue;
                EXPECT_GE(t.addr, low);
                EXPECT_LE(t.addr + 8 * t.beats, high);
                writes++;
            }
        };
        const auto reg64 = [&](cs_cycle t, uint32_t offset) {
            return uint64_t{die.read(t, offset)} << 32 | die.read(t, offset + 4);
        };
        for (const Access &a : list) {
            die.run(a.cycle);
            check();
            if (a.offset == 0x038 && a.data & 1 && die.state(a.cycle) == 0) {
                low = reg64(a.cycle, 0x018) & ~7ull;
                high = reg64(a.cycle, 0x010) & ~7ull;
            }
            die.write(a.cycle, a.offset, a.data);
        }
        die.run(list.back().cycle + 3000);
        check();
    });
    EXPECT_GT(writes, 1000u);
}

// countersink/models/pmcu/pmcu.h: nothing changes before cs_pmcu_next(), while a request is out and in WAIT.
TEST(PmcuTime, NextIsTheCycleInWhichSomethingHappens)
{
    for (bool prefetch : {false, true}) {
        Program p;
        p.ev_len = 8; // two groups
        p.wait_cnt = 60;
        Die die({1, 1, 1, false, prefetch, false, 1, 0, CS_PMCU_ORDER_DIE, false});
        put_events(die.world, p);
        die.run(put_program(die, p, 0));

        while (die.states.back().value != 0) {
            const cs_cycle now = die.now(), next = cs_pmcu_next(die.pmcu());
            const Edge state = die.states.back();
            const bool out = !die.world.log.empty() && die.world.log.back().complete >= now;
            const bool fetches = prefetch && die.samples.empty() && now == state.cycle;

            if (out)
                ASSERT_EQ(die.world.log.back().complete, next);
            else if (state.value == 5 && !fetches)
                ASSERT_EQ(state.cycle + p.wait_cnt - 1, next);
            else
                ASSERT_EQ(now, next);
            die.step_to(next + 1);
        }
        EXPECT_EQ(2u, die.samples.size());
    }
}

} // namespace

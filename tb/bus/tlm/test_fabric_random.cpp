// SPDX-License-Identifier: Apache-2.0
// Random traffic of several managers, reads and writes at once, against the reference.
#include <gtest/gtest.h>

#include <countersink/base/bus/bus_port.h>

#include <random>

#include "support/forked.hpp"
#include "world.hpp"

namespace
{

using Random = std::mt19937_64;

unsigned upto(Random &random, unsigned limit)
{
    return static_cast<unsigned>(random() % (limit + 1));
}

reference::Parameters parameters(Random &random)
{
    reference::Parameters p;
    const unsigned most = upto(random, 3) == 0 ? 0 : 9; // everything 0 now and then

    p.per_target = random() % 2 != 0;
    p.forward = upto(random, most);
    p.back = upto(random, most);
    p.read = upto(random, 2 * most);
    p.write = upto(random, most);
    p.gap = upto(random, most / 3);
    p.access = 1 + upto(random, most);
    p.clusters = 1 + upto(random, 2);
    p.slots = 1 + upto(random, 3);
    if (random() % 2 != 0) {
        p.ratio = 1 + upto(random, random() % 3 == 0 ? 1 : 15);
        p.posted = upto(random, 8);
    }
    if (random() % 3 == 0) // without a guard, much goes past TLM
        return p;
    if (random() % 2 != 0)
        p.regions.push_back({traffic::kRam + 0x1000, 0x100, random() % 2 != 0, false});
    for (unsigned i = upto(random, 4); i > 0; i--) {
        const bool error = random() % 2 != 0;
        const uint64_t bases[] = {traffic::kRam, traffic::kPmcu, traffic::kCluster, 0};
        const uint64_t base = bases[upto(random, 3)];
        p.faults.push_back({base, base == 0 ? uint64_t(1) << 32 : 0x2000, // 0: all targets
                            static_cast<cs_guard_direction>(upto(random, 2)), 1 + upto(random, 20),
                            upto(random, 10), error ? CS_GUARD_ERROR : CS_GUARD_STALL,
                            error ? 0 : 1 + upto(random, 40)});
    }
    return p;
}

uint64_t address(Random &random)
{
    switch (upto(random, 9)) {
    case 0:
        return traffic::kHole + 8 * upto(random, 3);
    case 1:
        return traffic::kPmcu + 8 * upto(random, 300);
    case 2: // any slot: present, absent, beyond, broadcast
        return traffic::kCluster + traffic::kClusterSize * upto(random, 3) +
               0x10000 * upto(random, 15) + 8 * upto(random, 300);
    case 3:
    case 4:
    case 5:
        return traffic::kCluster + traffic::kClusterSize * upto(random, 3) +
               0x10000 * (random() % 2 ? 0 : 15) + 4 * upto(random, 600);
    default:
        return traffic::kRam + 0xf00 + 8 * upto(random, 60);
    }
}

traffic::Item item(Random &random, bool sparse)
{
    traffic::Item item;

    item.addr = address(random);
    item.seed = random();
    item.think = sparse                 ? upto(random, 9) * world::kLong
                 : upto(random, 3) == 0 ? upto(random, 60)
                                        : 0;
    const unsigned shape = upto(random, 9);
    if (shape < 4) {
        item.size = static_cast<uint8_t>(1u << upto(random, 3));
        item.addr += random() % 2 * item.size; // mostly aligned to its size
    } else if (shape < 6) {
        item.size = 4;
    } else if (shape < 9) {
        item.beats = static_cast<uint8_t>(1 + upto(random, 15));
        item.addr &= ~uint64_t(7);
    } else { // malformed
        item.size = static_cast<uint8_t>(1u << upto(random, 3));
        item.beats = static_cast<uint8_t>(1 + upto(random, 15));
        item.addr += upto(random, 7);
    }
    if (upto(random, 4) == 0) // memory adds; elsewhere is nothing
        item.addr |= CS_BUS_ADD;
    return item;
}

struct Case {
    reference::Parameters p;
    traffic::Managers managers;
    std::unique_ptr<world::World> fast;
    std::unique_ptr<world::World> slow;
};

constexpr unsigned kWorlds = 12; // of one test
constexpr unsigned kItems = 40;  // of one requester

// given random parameters and traffic, when it is played with and without early completion,
// then both have the reference's records
void play(uint64_t first_seed, bool sparse)
{
    std::vector<std::unique_ptr<Case>> cases;
    const cs_cycle limit = sparse ? kItems * 10 * world::kLong : 60000;

    for (unsigned i = 0; i < kWorlds; i++) {
        Random random(first_seed + i);
        cases.push_back(std::make_unique<Case>());
        Case &c = *cases.back();
        c.p = parameters(random);
        c.managers.resize(sparse ? 2 : 3);
        for (auto &manager : c.managers)
            for (auto &row : manager.rows)
                for (unsigned n = 0; n < kItems; n++)
                    row.push_back(item(random, sparse));
        const std::string name = "w" + std::to_string(i);
        c.fast = std::make_unique<world::World>(name + "f", c.p, c.managers, true);
        c.slow = std::make_unique<world::World>(name + "s", c.p, c.managers, false);
    }
    sc_core::sc_start(world::ns(static_cast<double>(limit)));
    uint64_t early = 0;
    for (unsigned i = 0; i < kWorlds; i++) {
        SCOPED_TRACE("seed " + std::to_string(first_seed + i));
        Case &c = *cases[i];
        const auto expected = reference::run(c.p, c.managers, limit);
        EXPECT_GE(expected.size(), c.managers.size() * 2 * kItems);
        EXPECT_EQ(world::difference(expected, c.slow->records), "");
        EXPECT_EQ(world::difference(expected, c.fast->records), "");
        EXPECT_EQ(c.slow->fabric->completed_early(), 0u);
        early += c.fast->fabric->completed_early();
    }
    if (sparse) {
        EXPECT_GT(early, kWorlds * kItems) << "early completion was hardly used";
    }
}

class FabricRandom : public testing::TestWithParam<uint64_t>
{
};

} // namespace

TEST_P(FabricRandom, Dense)
{
    cs_test::in_child([this] { play(GetParam() * 1000, false); });
}

TEST_P(FabricRandom, Sparse)
{
    cs_test::in_child([this] { play(GetParam() * 1000 + 500, true); });
}

INSTANTIATE_TEST_SUITE_P(Seeds, FabricRandom, testing::Range<uint64_t>(1, 5));

// Managers that never rest, on one path: each requester has its turn.
TEST(FabricRoundRobin, EveryRequesterHasItsTurn)
{
    for (unsigned count : {3u, 33u, 128u})
        cs_test::in_child([count] {
            traffic::Managers managers(count);
            for (auto &manager : managers)
                for (auto &row : manager.rows)
                    for (unsigned i = 0; i < 4; i++)
                        row.push_back({0, traffic::kRam + 8 * i, 8, 1, i});
            reference::Parameters p;
            world::World world("world", p, managers, true);
            sc_core::sc_start(world::ns(1000. * count));
            world::sort(world.records);
            ASSERT_EQ(world.records.size(), 8 * count);
            for (unsigned i = 0; i < 8 * count; i++) {
                EXPECT_EQ(2 * world.records[i].source + world.records[i].write, i % (2 * count));
            }
        });
}

// In chunks of any length the same comes out.
TEST(FabricChunks, LeaveNoTrace)
{
    cs_test::in_child([] {
        Random random(77);
        const reference::Parameters p = parameters(random);
        traffic::Managers managers(2);
        for (auto &manager : managers)
            for (auto &row : manager.rows)
                for (unsigned n = 0; n < 20; n++)
                    row.push_back(item(random, true));
        world::World world("world", p, managers, true);
        for (cs_cycle now = 0; now < 800000; now += 37) {
            world.fabric->set_limit(now + 37);
            sc_core::sc_start(world::ns(37));
        }
        EXPECT_EQ(world::difference(reference::run(p, managers, 800000), world.records), "");
        EXPECT_GT(world.fabric->completed_late(), 0u);
        EXPECT_GT(world.fabric->completed_early(), 0u);
    });
}

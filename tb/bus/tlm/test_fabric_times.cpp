// SPDX-License-Identifier: Apache-2.0
// docs/hw/bus.md, "Times of an undisturbed transfer": every row of the table, by its formula.
#include <algorithm>
#include <gtest/gtest.h>

#include "support/forked.hpp"
#include "world.hpp"

namespace
{

struct Row {
    const char *name;
    uint64_t addr;
    unsigned size;
    bool write;
    unsigned beats;
    unsigned stall; // by the guard
    bool refused;   // by the guard
    // The table's formula: the cycle of the last handshake, from the address at the target.
    cs_cycle (*complete)(cs_cycle a, unsigned n, const reference::Parameters &p);
    cs_bus_resp resp;
};

using P = reference::Parameters;

cs_cycle memory_read(cs_cycle a, unsigned n, const P &p)
{
    return a + 2 + p.read + p.back + (n - 1) * (1 + p.gap);
}
cs_cycle memory_write(cs_cycle a, unsigned n, const P &p)
{
    const cs_cycle w = a + 1 + (n - 1) * (1 + p.gap);
    return w + 2 + p.write + p.back;
}
cs_cycle register_read(cs_cycle a, unsigned, const P &p)
{
    const cs_cycle e = a + p.access;
    return e + 1 + p.back;
}
cs_cycle register_write(cs_cycle a, unsigned, const P &p)
{
    const cs_cycle e = a + 1 + p.access;
    return e + 1 + p.back;
}
cs_cycle burst_read(cs_cycle a, unsigned n, const P &p)
{
    return a + p.access + 1 + p.back + (n - 1);
}
cs_cycle burst_write(cs_cycle a, unsigned n, const P &p)
{
    return a + n + p.access + 1 + p.back;
}
cs_cycle error_read(cs_cycle a, unsigned n, const P &p)
{
    return a + p.back + (n - 1);
}
cs_cycle error_write(cs_cycle a, unsigned n, const P &p)
{
    return a + n + p.back;
}

constexpr uint64_t kRam = traffic::kRam + 0x800;
constexpr uint64_t kUnit = traffic::kPmcu + 0x20;
constexpr uint64_t kCore = traffic::kCluster + 0x100;
constexpr uint64_t kAbsent = traffic::kCluster + 0x10000;
constexpr uint64_t kAll = traffic::kCluster + 0xf0000;

const Row rows[] = {
    {"memory read", kRam, 8, false, 1, 0, false, memory_read, CS_BUS_OKAY},
    {"memory read, one byte", kRam + 3, 1, false, 1, 0, false, memory_read, CS_BUS_OKAY},
    {"memory read burst", kRam, 8, false, 16, 0, false, memory_read, CS_BUS_OKAY},
    {"memory read burst, stalled", kRam, 8, false, 5, 9, false, memory_read, CS_BUS_OKAY},
    {"memory write", kRam, 8, true, 1, 0, false, memory_write, CS_BUS_OKAY},
    {"memory write, two bytes", kRam + 2, 2, true, 1, 0, false, memory_write, CS_BUS_OKAY},
    {"memory write burst", kRam, 8, true, 16, 0, false, memory_write, CS_BUS_OKAY},
    {"memory write burst, stalled", kRam, 8, true, 3, 400, false, memory_write, CS_BUS_OKAY},
    {"register read", kUnit, 4, false, 1, 0, false, register_read, CS_BUS_OKAY},
    {"register read, 8 bytes", kCore, 8, false, 1, 0, false, register_read, CS_BUS_OKAY},
    {"register read, stalled", kCore, 4, false, 1, 7, false, register_read, CS_BUS_OKAY},
    {"register read, the unit refuses", kCore + 0x6f0, 4, false, 1, 0, false, register_read,
     CS_BUS_SLVERR},
    {"register write", kUnit, 4, true, 1, 0, false, register_write, CS_BUS_OKAY},
    {"register write, 8 bytes", kCore, 8, true, 1, 0, false, register_write, CS_BUS_OKAY},
    {"register write, all slots", kAll + 0x7f0, 4, true, 1, 0, false, register_write, CS_BUS_OKAY},
    {"register read, all slots", kAll, 4, false, 1, 0, false, register_read, CS_BUS_SLVERR},
    {"register read, absent slot", kAbsent, 4, false, 1, 0, false, register_read, CS_BUS_SLVERR},
    {"register write, absent slot", kAbsent, 4, true, 1, 0, false, register_write, CS_BUS_SLVERR},
    {"register read, 2 bytes", kUnit, 2, false, 1, 0, false, register_read, CS_BUS_SLVERR},
    {"register burst read", kCore, 8, false, 4, 0, false, burst_read, CS_BUS_SLVERR},
    {"register burst of two", kCore, 8, true, 2, 0, false, burst_write, CS_BUS_SLVERR},
    {"register burst write", kCore, 8, true, 4, 0, false, burst_write, CS_BUS_SLVERR},
    {"hole read", traffic::kHole, 8, false, 1, 0, false, error_read, CS_BUS_DECERR},
    {"hole read burst", traffic::kHole, 8, false, 7, 0, false, error_read, CS_BUS_DECERR},
    {"hole write burst", traffic::kHole, 8, true, 7, 0, false, error_write, CS_BUS_DECERR},
    {"hole, refused", traffic::kHole, 8, true, 1, 0, true, error_write, CS_BUS_DECERR},
    {"refused read", kRam, 8, false, 3, 0, true, error_read, CS_BUS_SLVERR},
    {"refused write, stalled", kRam, 8, true, 3, 21, true, error_write, CS_BUS_SLVERR},
    {"unaligned read", kRam + 2, 4, false, 1, 0, false, error_read, CS_BUS_SLVERR},
    {"unaligned burst write", kRam + 4, 8, true, 2, 0, false, error_write, CS_BUS_SLVERR},
    {"narrow burst read", kRam, 4, false, 6, 0, false, error_read, CS_BUS_SLVERR},
    {"burst across 4 KiB", kRam + 0x7f8, 8, true, 2, 0, false, error_write, CS_BUS_SLVERR},
    {"burst up to 4 KiB", kRam + 0x7f0, 8, true, 2, 0, false, memory_write, CS_BUS_OKAY},
    {"hole beyond the clusters", traffic::kCluster + traffic::kClusterSize, 4, false, 1, 0, false,
     error_read, CS_BUS_DECERR},
};

P parameters(unsigned set, const Row &row)
{
    P p;

    p.per_target = set % 2 == 1;
    if (set >= 2) { // everything as short as it can be
        p.forward = p.back = p.read = p.write = p.gap = 0;
        p.access = 1;
    }
    if (set >= 4) {
        p.forward = 5;
        p.back = 3;
        p.read = 17;
        p.write = 6;
        p.gap = 2;
        p.access = 4;
    }
    if (row.stall != 0)
        p.faults.push_back({row.addr, 1, CS_GUARD_ANY, 1, 0, CS_GUARD_STALL, row.stall});
    if (row.refused)
        p.faults.push_back({row.addr, 1, CS_GUARD_ANY, 1, 0, CS_GUARD_ERROR, 0});
    return p;
}

constexpr unsigned kSets = 6;
constexpr cs_cycle kRequest = 11;

struct Case {
    const Row *row;
    P p;
    bool early;
    traffic::Managers managers;
    std::unique_ptr<world::World> world;
};

void expect_row(const Case &c)
{
    SCOPED_TRACE(std::string(c.row->name) + (c.early ? ", early" : ", the long way") +
                 ", F=" + std::to_string(c.p.forward) + (c.p.per_target ? ", per target" : ""));
    const auto bus = std::find_if(c.world->records.begin(), c.world->records.end(),
                                  [](const auto &r) { return r.kind == CS_PROBE_BUS; });
    ASSERT_NE(bus, c.world->records.end());
    const cs_cycle grant = kRequest + 1;
    const cs_cycle address = grant + 2 + c.p.forward + c.row->stall;
    EXPECT_EQ(bus->request, kRequest);
    EXPECT_EQ(bus->grant, grant);
    EXPECT_EQ(bus->cycle, c.row->complete(address, c.row->beats, c.p));
    EXPECT_EQ(bus->resp, c.row->resp);
    EXPECT_EQ(bus->bytes, c.row->size * c.row->beats);
    EXPECT_EQ(c.world->fabric->completed_early(), c.early ? 1u : 0u);
    if (c.row->resp == CS_BUS_OKAY && c.row->addr < traffic::kHole) {
        const auto reg = std::find_if(c.world->records.begin(), c.world->records.end(),
                                      [](const auto &r) { return r.kind == CS_PROBE_REG; });
        ASSERT_NE(reg, c.world->records.end());
        EXPECT_EQ(reg->cycle, address + c.p.access + c.row->write);
    }
}

} // namespace

TEST(FabricTimes, EveryRowOfTheTable)
{
    cs_test::in_child([] {
        std::vector<std::unique_ptr<Case>> cases;

        for (const Row &row : rows)
            for (unsigned set = 0; set < kSets; set++)
                for (bool early : {false, true}) {
                    cases.push_back(std::make_unique<Case>());
                    Case &c = *cases.back();
                    const unsigned number = static_cast<unsigned>(cases.size());
                    c.row = &row;
                    c.p = parameters(set, row);
                    c.early = early;
                    c.managers.resize(2); // the other one asks for nothing
                    c.managers[1].rows[row.write].push_back(
                        {kRequest - 1, row.addr, static_cast<uint8_t>(row.size),
                         static_cast<uint8_t>(row.beats), number});
                    c.world = std::make_unique<world::World>("w" + std::to_string(number), c.p,
                                                             c.managers, early);
                }
        sc_core::sc_start(world::ns(2000));
        for (const auto &c : cases)
            expect_row(*c);
    });
}

// A path is IDLE in the cycle after a completion: the next request is granted in c + 2.
TEST(FabricTimes, NextTransferOfTheSameManager)
{
    cs_test::in_child([] {
        traffic::Managers managers(1);
        for (unsigned i = 0; i < 3; i++)
            managers[0].rows[0].push_back({0, kRam + 8 * i, 8, 1, 0});
        reference::Parameters p;
        world::World slow("slow", p, managers, false);
        world::World fast("fast", p, managers, true);
        sc_core::sc_start(world::ns(500));
        ASSERT_EQ(slow.records.size(), 3u);
        for (unsigned i = 1; i < 3; i++) {
            EXPECT_EQ(slow.records[i].request, slow.records[i - 1].cycle + 1);
            EXPECT_EQ(slow.records[i].grant, slow.records[i - 1].cycle + 2);
        }
        EXPECT_EQ(world::difference(slow.records, fast.records), "");
        EXPECT_EQ(fast.fabric->completed_early(), 3u);
    });
}

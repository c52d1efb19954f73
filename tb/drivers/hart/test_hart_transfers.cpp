// SPDX-License-Identifier: Apache-2.0
// docs/hw/hart.md, "Loads and stores".
#include "hart_bench.hpp"

using namespace cs_test;

namespace
{

struct Shape {
    uint64_t address;
    unsigned size, beats;

    bool operator==(const Shape &other) const
    {
        return address == other.address && size == other.size && beats == other.beats;
    }
};

void PrintTo(const Shape &s, std::ostream *out)
{
    *out << std::hex << s.address << std::dec << " " << s.beats << "x" << s.size;
}

// By the page's three parts: up to a multiple of 8, bursts, the rest.
std::vector<Shape> expected_shapes(uint64_t address, size_t bytes)
{
    std::vector<Shape> shapes;
    const auto add = [&](unsigned size, unsigned beats) {
        shapes.push_back({address, size, beats});
        address += size * beats;
        bytes -= size * beats;
    };

    for (unsigned size : {1u, 2u, 4u})
        if ((address & size) != 0 && bytes >= size)
            add(size, 1);
        else if ((address & size) != 0)
            break; // what is left ends before
    while (bytes >= 8 && address % 8 == 0) {
        unsigned beats = 1;
        while (beats < 16 && bytes >= 8 * (beats + 1) && (address + 8 * beats) % 4096 != 0)
            beats++;
        add(8, beats);
    }
    for (unsigned size : {4u, 2u, 1u})
        if (bytes >= size)
            add(size, 1);
    EXPECT_EQ(bytes, 0u);
    return shapes;
}

std::vector<Shape> shapes_of(const HartBench &b)
{
    std::vector<Shape> shapes;

    for (const cs_bus_txn &txn : b.transfers)
        shapes.push_back({txn.addr, txn.size, txn.beats});
    return shapes;
}

std::vector<uint8_t> pattern(size_t bytes, unsigned salt)
{
    std::vector<uint8_t> data(bytes);

    for (size_t i = 0; i < bytes; i++)
        data[i] = static_cast<uint8_t>(1 + (i * 7 + salt * 31) % 255);
    return data;
}

std::vector<uint8_t> bytes_of(const HartBench &b, uint64_t address, size_t bytes)
{
    std::vector<uint8_t> data(bytes);

    cs_memory_read(b.memory, address, bytes, data.data());
    return data;
}

} // namespace

// By hand, so that the other test's reference is seen to be right.
TEST(HartTransfers, HaveTheShapesOfThePage)
{
    const struct {
        uint64_t address;
        size_t bytes;
        std::vector<Shape> shapes;
    } rows[] = {
        {0x1000, 0, {}},
        {0x1000, 1, {{0x1000, 1, 1}}},
        {0x1001, 2, {{0x1001, 1, 1}, {0x1002, 1, 1}}},
        {0x1000, 3, {{0x1000, 2, 1}, {0x1002, 1, 1}}},
        {0x1002, 4, {{0x1002, 2, 1}, {0x1004, 2, 1}}},
        {0x1001, 7, {{0x1001, 1, 1}, {0x1002, 2, 1}, {0x1004, 4, 1}}},
        {0x1000, 7, {{0x1000, 4, 1}, {0x1004, 2, 1}, {0x1006, 1, 1}}},
        {0x1004, 16, {{0x1004, 4, 1}, {0x1008, 8, 1}, {0x1010, 4, 1}}},
        {0x1000, 128, {{0x1000, 8, 16}}},
        {0x1000, 136, {{0x1000, 8, 16}, {0x1080, 8, 1}}},
        {0x1ff0, 32, {{0x1ff0, 8, 2}, {0x2000, 8, 2}}},
        {0x1ffe, 4, {{0x1ffe, 2, 1}, {0x2000, 2, 1}}},
        {0x1f88, 248, {{0x1f88, 8, 15}, {0x2000, 8, 16}}},
        {UINT64_MAX - 7, 16, {{UINT64_MAX - 7, 8, 1}, {0, 8, 1}}},
    };

    for (const auto &row : rows) {
        HartBench b;
        std::vector<uint8_t> data(row.bytes + 1);

        EXPECT_EQ(expected_shapes(row.address, row.bytes), row.shapes);
        b.run(Way::kDirect,
              [&](cs_hart *h) { cs_hart_load(h, row.address, data.data(), row.bytes); });
        EXPECT_EQ(shapes_of(b), row.shapes);
    }
}

TEST(HartTransfers, CarryTheirBytesAtAllAlignmentsAndLengths)
{
    for (uint64_t base : {UINT64_C(0x10000), UINT64_C(0x10f70), UINT64_C(0x10fe8)})
        for (unsigned offset = 0; offset < 16; offset++)
            for (size_t bytes = 0; bytes < 300; bytes += bytes < 40 ? 1 : 13) {
                const uint64_t address = base + offset;
                const std::vector<uint8_t> data = pattern(bytes, offset);
                std::vector<uint8_t> back(bytes + 1, 0xee);
                HartBench b;

                SCOPED_TRACE(std::to_string(address) + " " + std::to_string(bytes));
                b.run(Way::kDirect, [&](cs_hart *h) {
                    EXPECT_EQ(cs_hart_store(h, address, data.data(), bytes), CS_BUS_OKAY);
                    EXPECT_EQ(shapes_of(b), expected_shapes(address, bytes));
                    EXPECT_EQ(cs_hart_load(h, address, back.data(), bytes), CS_BUS_OKAY);
                });
                EXPECT_EQ(bytes_of(b, address, bytes), data);
                EXPECT_EQ(bytes_of(b, address - 1, 1)[0], 0);
                EXPECT_EQ(bytes_of(b, address + bytes, 1)[0], 0);
                EXPECT_EQ(back.back(), 0xee) << "nothing behind what is loaded";
                back.pop_back();
                EXPECT_EQ(back, data);

                const size_t half = b.transfers.size() / 2;
                ASSERT_EQ(b.transfers.size(), 2 * half);
                for (size_t i = 0; i < half; i++) {
                    EXPECT_EQ(b.transfers[i].write, 1);
                    EXPECT_EQ(b.transfers[half + i].write, 0);
                    EXPECT_EQ(b.transfers[half + i].addr, b.transfers[i].addr);
                }
            }
}

// `access_cycles`, the request, its latency; the next begins behind the completion.
TEST(HartTransfers, FollowEachOtherWithWorkBeforeEach)
{
    for (unsigned access : {0u, 1u, 20u})
        for (cs_cycle latency : {cs_cycle{0}, cs_cycle{4}})
            for (Way way : kWays)
                for (Bus bus : {Bus::kAtOnce, Bus::kLater, Bus::kLaterCopied}) {
                    HartBench b;
                    uint8_t data[300] = {};
                    cs_cycle next = 0;

                    b.config.costs.access_cycles = access;
                    b.latency = latency;
                    b.bus = bus;
                    b.run(way, [&](cs_hart *h) {
                        cs_hart_store(h, 0x1001, data, sizeof data);
                        next = cs_hart_now(h);
                    });
                    ASSERT_EQ(b.transfers.size(), 3u + 3 + 2);
                    for (size_t i = 0; i < 8; i++)
                        EXPECT_EQ(b.transfers[i].request, 1 + access + i * (access + latency + 1));
                    EXPECT_EQ(next, 1 + 8 * (access + latency + 1));
                }
}

TEST(HartTransfers, AnswerTheWorstOfAll)
{
    const cs_bus_resp ok = CS_BUS_OKAY, slv = CS_BUS_SLVERR, dec = CS_BUS_DECERR;
    const struct {
        std::map<uint64_t, cs_bus_resp> faults; // of the transfers at 0x1004, 0x1008, 0x1010
        cs_bus_resp worst;
    } rows[] = {
        {{}, ok},
        {{{0x1004, slv}}, slv},
        {{{0x1010, slv}}, slv},
        {{{0x1008, dec}}, dec},
        {{{0x1004, dec}, {0x1008, slv}}, dec},
        {{{0x1004, slv}, {0x1010, dec}}, dec},
    };

    for (const auto &row : rows)
        for (Way way : kWays) {
            HartBench b;
            uint8_t data[16] = {};

            b.faults = row.faults;
            b.run(way, [&](cs_hart *h) {
                EXPECT_EQ(cs_hart_store(h, 0x1004, data, 16), row.worst);
                EXPECT_EQ(cs_hart_load(h, 0x1004, data, 16), row.worst);
                EXPECT_EQ(cs_hart_load(h, 0x2000, data, 16), ok) << "not of the one before";
            });
            EXPECT_EQ(b.transfers.size(), 7u) << "all are made";
        }
}

TEST(HartTransfers, NumbersAreLittleEndian)
{
    for (uint64_t address : {0x3000u, 0x3003u}) {
        HartBench b;
        uint64_t value = 0;

        b.faults = {{0x4000, CS_BUS_DECERR}};
        b.run(Way::kDirect, [&](cs_hart *h) {
            EXPECT_EQ(cs_hart_store64(h, address, 0x8877665544332211), CS_BUS_OKAY);
            EXPECT_EQ(cs_hart_load64(h, address, &value), CS_BUS_OKAY);
            EXPECT_EQ(cs_hart_store64(h, 0x4000, 1), CS_BUS_DECERR);
            uint64_t unused;
            EXPECT_EQ(cs_hart_load64(h, 0x4000, &unused), CS_BUS_DECERR);
        });
        EXPECT_EQ(bytes_of(b, address, 8),
                  (std::vector<uint8_t>{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}));
        EXPECT_EQ(value, 0x8877665544332211u);
    }
}

// What the other side of the bus sees in the fields that a manager does not set.
TEST(HartTransfers, BeginWithCleanFields)
{
    HartBench b;
    uint8_t data[16] = {};

    b.faults = {{0x1000, CS_BUS_SLVERR}};
    b.run(Way::kDirect, [&](cs_hart *h) {
        EXPECT_EQ(cs_hart_store(h, 0x1000, data, 8), CS_BUS_SLVERR);
        b.faults.clear();
        EXPECT_EQ(cs_hart_store(h, 0x1000, data, 8), CS_BUS_OKAY);
    });
}

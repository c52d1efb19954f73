// SPDX-License-Identifier: Apache-2.0
// docs/hw/bus.md, "The bridge of a cluster".
#include "debug_bench.hpp"

#include <gtest/gtest.h>

namespace
{

using namespace debug;

constexpr uint64_t slot0 = 0x00000, slot1 = 0x10000, slot2 = 0x20000, broadcast = 0xf0000;
constexpr uint64_t unit_error = 0xe000;

uint64_t at_least_multiple(uint64_t cycle, uint64_t of)
{
    return (cycle + of - 1) / of * of;
}

// The page's last table, with no hold: a is the cycle in which the bridge takes the address.
TEST(DebugBridge, TimesOfAnUndisturbedAccess)
{
    for (unsigned ratio : {1u, 2u, 3u, 7u, 15u, 16u})
        for (unsigned cycles : {1u, 2u, 10u, 255u})
            for (unsigned posted : {0u, 1u, 8u})
                for (unsigned from = 0; from < ratio; from++)
                    for (bool write : {false, true}) {
                        SCOPED_TRACE(testing::Message()
                                     << (write ? "write" : "read") << ", R " << ratio << ", D "
                                     << cycles << ", P " << posted << ", from " << from);
                        Bench bench({cycles, ratio, posted});
                        Request r{write, slot1 + 0x18, 3};
                        r.delay = from;
                        const Request &x = bench.post(r);
                        bench.run();
                        ASSERT_TRUE(x.done);
                        const uint64_t a = from;
                        const uint64_t f = at_least_multiple(a + 1 + write, ratio);
                        EXPECT_EQ(x.address, a);
                        EXPECT_EQ(x.effect, f + cycles * ratio - 1);
                        EXPECT_EQ(x.complete, write && posted ? a + 2 : x.effect + 1);
                    }
}

// "So a manager has up to P writes outstanding": the next one waits for the first's effect.
TEST(DebugBridge, PlacesFillUp)
{
    for (unsigned posted = 1; posted <= 8; posted++) {
        Bench bench({20, 4, posted});
        std::vector<const Request *> writes;
        for (unsigned i = 0; i < posted + 2; i++)
            writes.push_back(&bench.post({true, slot0 + 8 * i, 3, 1, i, i + 1}));
        bench.run();
        for (unsigned i = 0; i < posted; i++)
            EXPECT_EQ(writes[i]->complete, 3 * i + 2) << "answered at once";
        EXPECT_EQ(writes[posted]->last, writes[0]->effect + 1);
        EXPECT_EQ(writes[posted + 1]->last, writes[1]->effect + 1);
        // One after the other; with one place the next comes too late for the next clock edge.
        for (unsigned i = 1; i < posted + 2; i++)
            EXPECT_EQ(writes[i]->effect, writes[i - 1]->effect + (posted > 1 ? 80 : 84));
    }
}

// A burst takes no place and waits for none; a write that is refused for its byte enables waits.
TEST(DebugBridge, RefusedWritesTakeNoPlace)
{
    Bench bench({50, 1, 1});
    const Request &first = bench.post({true, slot0});
    const Request &burst = bench.post({true, slot0, 3, 4});
    const Request &absent = bench.post({true, 0x50000});
    const Request &next = bench.post({true, slot0 + 4});
    bench.run();
    EXPECT_LT(burst.complete, first.effect);
    EXPECT_EQ(burst.resp, slverr);
    EXPECT_EQ(absent.last, first.effect + 1);
    EXPECT_EQ(absent.resp, slverr);
    EXPECT_EQ(next.last, absent.complete + 2) << "no place is occupied";
}

// "The access may start in a + 1, when no posted write is left": it reads what was written.
TEST(DebugBridge, ReadsWaitForPostedWrites)
{
    Bench bench({10, 3, 4});
    bench.post({true, slot0, 3, 1, 0, 0x1111});
    bench.post({true, slot2 + 8, 3, 1, 0, 0x2222});
    const Request &last = bench.post({true, slot0, 3, 1, 0, 0x3333});
    Request r{false, slot0, 3};
    r.delay = 12;
    const Request &read = bench.post(r);
    bench.run();
    EXPECT_EQ(read.effect, last.effect + 30);
    EXPECT_EQ(read.read, 0x3333u);
}

// An error of a posted write is told by the next read of its slot, once.
TEST(DebugBridge, LateErrors)
{
    struct Row {
        const char *name;
        uint64_t write;
        std::vector<Request> reads;
        std::vector<unsigned> resp;
    };
    const Row rows[] = {
        {"the next read", slot1 + unit_error, {{false, slot1}, {false, slot1}}, {slverr, okay}},
        {"another slot's", slot1 + unit_error, {{false, slot0}, {false, slot1}}, {okay, slverr}},
        {"one that is refused does not clear it",
         slot2 + unit_error,
         {{false, slot2, 0}, {false, slot2, 3, 2}, {false, slot2}, {false, slot2}},
         {slverr, slverr, slverr, okay}},
        {"a broadcast keeps none", broadcast + unit_error, {{false, slot0}}, {okay}},
        {"a read of all is refused, and clears none",
         slot0 + unit_error,
         {{false, broadcast}, {false, slot0}, {false, slot0}},
         {slverr, slverr, okay}},
        {"a write that is fine keeps none", slot1, {{false, slot1}}, {okay}},
    };
    for (const Row &row : rows)
        for (unsigned posted : {1u, 8u}) {
            SCOPED_TRACE(row.name);
            Bench bench({3, 2, posted});
            const Request &write = bench.post({true, row.write});
            bench.run();
            EXPECT_EQ(write.resp, okay) << "it comes too late";
            for (size_t i = 0; i < row.reads.size(); i++) {
                const Request &read = bench.post(row.reads[i]);
                bench.run();
                EXPECT_EQ(read.resp, row.resp[i]) << "read " << i;
            }
        }
}

// With no places an error is the answer, and nothing is kept.
TEST(DebugBridge, ErrorsInTime)
{
    Bench bench({3, 2, 0});
    const Request &write = bench.post({true, slot1 + unit_error});
    bench.run();
    const Request &read = bench.post({false, slot1});
    bench.run();
    EXPECT_EQ(write.resp, slverr);
    EXPECT_EQ(read.resp, okay);
}

class Random
{
  public:
    explicit Random(uint64_t seed) : rng_(seed) {}

    unsigned below(unsigned n)
    {
        return static_cast<unsigned>(rng_() % n);
    }
    Straps straps()
    {
        return {1 + below(below(2) ? 5 : 30), 1 + below(below(2) ? 3 : 16),
                below(3) ? 1 + below(8) : 0, below(4) ? 7 : below(8)};
    }
    Request request(bool write)
    {
        Request r;
        r.write = write;
        r.id = below(16);
        const unsigned slots[] = {0, 1, 2, 0, 1, 2, 15, below(16)};
        r.addr = 0x10000 * slots[below(8)] + 8 * below(4);
        if (below(5) == 0)
            r.addr += unit_error;
        r.size = 2 + below(2);
        if (below(10) == 0)
            r.size = below(2);
        if (below(10) == 0)
            r.beats = 2 + below(15);
        if (r.beats > 1)
            r.size = 3;
        r.addr += r.size == 2 ? 4 * below(2) : r.size < 2 ? (below(8) & ~r.size) : 0;
        r.data = rng_();
        if (below(10) == 0)
            r.strb = static_cast<int>(r.lanes() & ~(1u << below(8)));
        r.delay = below(3) ? below(3) : below(60);
        r.late = below(3) ? below(3) : below(60);
        return r;
    }

  private:
    std::mt19937_64 rng_;
};

TEST(DebugBridge, AnyTraffic)
{
    for (uint64_t seed = 1; seed <= 150; seed++) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Bench bench(random.straps(), seed);
        bench.willing = random.below(2) ? 100 : 20;
        for (unsigned i = 0; i < 60; i++) {
            bench.post(random.request(true));
            if (random.below(3) == 0)
                bench.post(random.request(false));
        }
        bench.run();
        if (HasFailure())
            return;
    }
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// docs/hw/bus.md, "Pick" and "Guard": who is next, and what the guard is asked.
#include "bench.hpp"

#include <gtest/gtest.h>

namespace
{

constexpr uint64_t slot0 = cluster_base, slot_c1 = cluster_base + 0x100000;
constexpr uint64_t nowhere = 0x40000000;

struct Grant {
    uint64_t cycle;
    unsigned requester;
    bool operator==(const Grant &o) const
    {
        return cycle == o.cycle && requester == o.requester;
    }
};

std::vector<unsigned> requesters(const Bench &bench)
{
    std::vector<unsigned> order;
    for (const Cycle &c : bench.history())
        for (unsigned m = 0; m < nr_manager; m++) {
            if (c.ar >> m & 1)
                order.push_back(2 * m);
            if (c.aw >> m & 1)
                order.push_back(2 * m + 1);
        }
    return order;
}

// All six requesters always want: from 0 on, one after the other.
TEST(BusRtlOrder, RoundRobinFromZero)
{
    for (bool shared : {true, false}) {
        Bench bench({shared, 1, 1, 3, 2, 0, 2});
        for (unsigned round = 0; round < 5; round++)
            for (unsigned m = 0; m < nr_manager; m++) {
                bench.post(m, {false, ram_base + 0x100 * m, 1 + round});
                bench.post(m, {true, ram_base + 0x100 * m, 2});
            }
        bench.run();
        const std::vector<unsigned> order = requesters(bench);
        ASSERT_EQ(order.size(), 30u);
        for (unsigned i = 0; i < order.size(); i++)
            EXPECT_EQ(order[i], i % 6) << i;
        EXPECT_EQ(bench.violations(), "");
    }
}

// "the search starts one above the requester that was picked last on this path and wraps".
TEST(BusRtlOrder, EveryPairAfterEveryOne)
{
    for (unsigned last = 0; last < 6; last++) {
        for (unsigned set = 1; set < 64; set++) {
            Bench bench({true, 0, 0, 0, 0, 0, 1});
            bench.post(last / 2, {last % 2 != 0, nowhere});
            bench.run();
            for (unsigned r = 0; r < 6; r++)
                if (set >> r & 1)
                    bench.post(r / 2, {r % 2 != 0, nowhere});
            bench.run();
            std::vector<unsigned> want{last};
            for (unsigned i = 1; i <= 6; i++)
                if (set >> (last + i) % 6 & 1)
                    want.push_back((last + i) % 6);
            EXPECT_EQ(requesters(bench), want) << "last " << last << " set " << set;
        }
    }
}

// Two of three managers, one reads and one writes: they alternate.
TEST(BusRtlOrder, TwoManagersAlternate)
{
    Bench bench({true, 0, 3, 1, 1, 0, 4});
    for (unsigned i = 0; i < 6; i++) {
        bench.post(1, {true, ram_base + 8 * i});
        bench.post(2, {false, slot0 + 8});
    }
    bench.run();
    const std::vector<unsigned> order = requesters(bench);
    ASSERT_EQ(order.size(), 12u);
    for (unsigned i = 0; i < order.size(); i++)
        EXPECT_EQ(order[i], i % 2 ? 4u : 3u);
}

// A path remembers its own last requester only.
TEST(BusRtlOrder, PathsAreIndependent)
{
    Bench bench({false, 0, 0, 0, 0, 0, 1});
    bench.post(2, {false, slot0});
    bench.run();
    const Transfer &late = bench.post(2, {false, ram_base});
    const Transfer &early = bench.post(0, {false, ram_base});
    bench.run();
    EXPECT_LT(early.grant, late.grant) << "memory's path was never used: it starts at 0";

    // In one cycle: every path takes its own.
    const Transfer &a = bench.post(0, {false, ram_base});
    const Transfer &b = bench.post(1, {true, slot0});
    const Transfer &c = bench.post(2, {true, slot_c1});
    const Transfer &d = bench.post(1, {false, pmcu_base});
    const Transfer &e = bench.post(0, {true, nowhere});
    bench.run();
    for (const Transfer *x : {&a, &b, &c, &d, &e})
        EXPECT_EQ(x->grant, a.request + 1);
    EXPECT_EQ(bench.violations(), "");
}

TEST(BusRtlOrder, OneSharedPathForAll)
{
    Bench bench({true, 2, 2, 20, 4, 0, 10});
    const Transfer &a = bench.post(0, {false, ram_base});
    const Transfer &b = bench.post(1, {true, slot0});
    const Transfer &c = bench.post(2, {false, nowhere});
    bench.run();
    EXPECT_EQ(b.grant, a.complete + 2);
    EXPECT_EQ(c.grant, b.complete + 2);
    for (const GuardAsk &ask : bench.asks())
        EXPECT_EQ(ask.path, 0u);
}

// All paths in CHECK at once: five questions in one cycle, each answered by itself.
TEST(BusRtlGuard, PathsAskTogether)
{
    Bench bench({false, 1, 0, 0, 0, 0, 1});
    const unsigned stalls[nr_path] = {40, 0, 7, 13, 1};
    bench.guard = [&stalls](const GuardAsk &ask) {
        return GuardAnswer{ask.path == 1 || ask.path == 3, stalls[ask.path]};
    };
    const Transfer *x[nr_path] = {
        &bench.post(0, {false, ram_base + 0x40, 4}), &bench.post(1, {true, pmcu_base + 8}),
        &bench.post(1, {false, slot0 + 4, 1, 2}),    &bench.post(2, {true, slot_c1, 1, 2}),
        &bench.post(2, {false, nowhere + 1, 1, 0}),
    };
    bench.run();

    ASSERT_EQ(bench.asks().size(), 5u);
    for (unsigned p = 0; p < nr_path; p++) {
        const GuardAsk &ask = bench.asks()[p];
        EXPECT_EQ(ask.path, p) << "in one cycle the lower path comes first";
        EXPECT_EQ(ask.cycle, x[p]->grant + 1);
        EXPECT_EQ(ask.cycle, bench.asks()[0].cycle);
        EXPECT_EQ(ask.addr, x[p]->addr);
        EXPECT_EQ(ask.write, x[p]->write);
        EXPECT_EQ(ask.bytes, x[p]->bytes());
    }
    const uint64_t check = bench.asks()[0].cycle;
    auto address = [check, &stalls](unsigned p) { return check + 1 + 1 + stalls[p]; };
    EXPECT_EQ(x[0]->complete, address(0) + 2 + 3);
    EXPECT_EQ(x[1]->complete, address(1) + 1);
    EXPECT_EQ(x[2]->complete, address(2) + 1 + 1);
    EXPECT_EQ(x[3]->complete, address(3) + 1);
    EXPECT_EQ(x[4]->complete, address(4));
    const unsigned want[nr_path] = {OKAY, SLVERR, OKAY, SLVERR, DECERR};
    for (unsigned p = 0; p < nr_path; p++)
        EXPECT_EQ(x[p]->result(), want[p]) << p;
}

// The n-th access is refused: once a transfer is asked, in the order of the transfers.
TEST(BusRtlGuard, AskedOncePerTransfer)
{
    for (bool shared : {true, false}) {
        Bench bench({shared, 0, 1, 1, 1, 1, 2});
        unsigned count = 0;
        bench.guard = [&count](const GuardAsk &) { return GuardAnswer{++count == 5, count}; };
        std::vector<const Transfer *> list;
        for (unsigned i = 0; i < 9; i++)
            list.push_back(&bench.post(0, {i % 2 != 0, ram_base + 16 * i, 1 + i}));
        bench.run();
        EXPECT_EQ(count, 9u);
        EXPECT_EQ(bench.asks().size(), 9u);
        unsigned errors = 0;
        for (const Transfer *x : list)
            errors += x->result() == SLVERR;
        EXPECT_EQ(errors, 1u);
        uint64_t last = 0;
        for (const GuardAsk &ask : bench.asks()) {
            EXPECT_GT(ask.cycle, last);
            last = ask.cycle;
        }
    }
}

} // namespace

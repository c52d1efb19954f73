// SPDX-License-Identifier: Apache-2.0
// Time: what is skipped is empty, and costs nothing.
#include "reference.hpp"
#include "steady.hpp"

namespace
{

// What can be seen of a model.
struct Seen {
    size_t records, transfers, sums;
    unsigned status;
    bool operator==(const Seen &o) const
    {
        return records == o.records && transfers == o.transfers && sums == o.sums &&
               status == o.status;
    }
};

Seen seen(const Bench &b)
{
    return {b.records.size(), b.world.log.size(), b.nest.sums, b.status()};
}

// Nothing that can be seen changes before next(), however small the steps.
TEST(NestTime, NextIsHonest)
{
    size_t idle = 0, cycles = 0;
    for (uint32_t tick_cycles : {16u, 100u, 900u}) {
        Bench b(tick_cycles);
        b.world.control(units_word) = ~uint64_t{0};
        while (b.now() < 30'000) {
            const cs_cycle t = b.now();
            const cs_cycle next = cs_nest_next(b.model());
            const Seen before = seen(b);
            ASSERT_GE(next, t);
            EXPECT_EQ(t + 1, cs_nest_advance(b.model(), t + 1));
            cycles++;
            if (next == t)
                continue;
            EXPECT_TRUE(before == seen(b)) << "cycle " << t << ", next " << next;
            EXPECT_EQ(next, cs_nest_next(b.model())) << "cycle " << t;
            idle++;
        }
    }
    EXPECT_GT(idle, cycles / 2);
}

TEST(NestTime, NotBackwards)
{
    Steady b;
    b.ticks(2);
    const cs_cycle now = b.now();
    EXPECT_EQ(now, cs_nest_advance(b.model(), now - 10));
    EXPECT_EQ(now, cs_nest_advance(b.model(), now));
}

// While a transfer is out nothing happens by itself; its completion is an input. One that nobody
// waits for is none.
TEST(NestTime, Pending)
{
    Steady b(Style::later);
    cs_bus_txn stray = {};
    stray.complete = 10;
    cs_nest_bus_done(b.model(), &stray);
    EXPECT_EQ(period + 1, cs_nest_next(b.model()));
    b.run(period + 3);
    EXPECT_EQ(CS_NEVER, cs_nest_next(b.model()));
    EXPECT_EQ(period + 5, cs_nest_advance(b.model(), period + 5));
    b.ticks(first_visit);
    EXPECT_EQ(std::vector<unsigned>{1}, b.groups(first_visit));
}

// A platform may hand in a copy of the transaction: its data and its response count.
TEST(NestTime, PendingCopied)
{
    Steady b(Style::later_copied);
    b.world.error = [](unsigned n) -> uint8_t { return n == 0 ? CS_BUS_SLVERR : CS_BUS_OKAY; };
    b.world.control(mode_word) = 1;
    b.ticks(2);
    EXPECT_TRUE(b.work(1).empty());
    EXPECT_EQ(1u, b.world.control(mode_state_word));
}

// Memory that answers at once, and a nest that counts; no more than that, for long runs.
struct Quick {
    uint64_t block[6] = {};
    size_t transfers = 0, reads = 0, sums = 0;

    static cs_bus_submit submit(void *ctx, unsigned, cs_bus_txn *txn)
    {
        auto *self = static_cast<Quick *>(ctx);
        self->transfers++;
        txn->grant = txn->request + 1;
        txn->complete = txn->request + 20;
        txn->resp = CS_BUS_OKAY;
        if (!txn->write) {
            self->reads++;
            for (unsigned i = 0; i < 48; i++)
                txn->data[i] = static_cast<uint8_t>(self->block[i / 8] >> (56 - 8 * (i % 8)));
        }
        return CS_BUS_DONE;
    }

    static uint64_t sum(void *ctx, uint32_t, uint32_t, cs_cycle from, cs_cycle to)
    {
        static_cast<Quick *>(ctx)->sums++;
        return to - from;
    }
};

// An hour: 7.2 million ticks. A tick is taken, looks, has looked, decides; a transfer is asked for
// and done; there is nothing else to execute.
TEST(NestTime, AnHour)
{
    constexpr cs_cycle hour = 3'600'000'000'000; // at 1 GHz
    Quick quick;
    quick.block[speed_word] = 11;
    const cs_nest_config config = {0x80040000, 500'000, 0, false};
    cs_nest_env env = {};
    cs_nest *nest = nullptr;
    size_t steps = 0;

    env.bus = {Quick::submit, &quick};
    env.events = {Quick::sum, nullptr, nullptr, &quick, nullptr};
    ASSERT_EQ(CS_OK, cs_nest_create(&config, &env, &nest, nullptr));
    while (cs_nest_next(nest) < hour) {
        cs_nest_advance(nest, cs_nest_next(nest) + 1);
        steps++;
    }
    EXPECT_EQ(hour / 500'000 - 1, quick.reads);
    EXPECT_EQ(2 * quick.reads + 2 * quick.transfers, steps);
    // By the default vector a ring brings 4 x 32 counters of group 1, 2 x 24 of group 2 and
    // 4 x 32 of group 3 in every 12th visit, 8 of group 4, 12 of group 5, 12 of group 6 and 13 of
    // group 7 in every second: 304 / 12 + 45 / 2 counters in 8 ticks.
    const double counters = (304.0 / 12 + 45.0 / 2) / 8;
    EXPECT_NEAR(counters, static_cast<double>(quick.sums) / static_cast<double>(quick.reads), 0.01);
    cs_nest_destroy(nest);
}

// No sum is asked for that is not posted.
TEST(NestTime, SumsAreThoseOfPostings)
{
    Steady b;
    b.world.control(units_word) = 0x0123456789ABCDEF;
    b.ticks(200);
    size_t counters = 0;
    for (const Transfer &t : b.world.log) {
        const uint64_t place = (t.addr & ~add_bit) - b.world.base;
        if (!(t.addr & add_bit) && !(t.write && place == 0x748))
            continue;
        for (const Row &row : row_table())
            counters += row.offset == place && row.kind == "counters" ? row.count : 0;
    }
    EXPECT_GT(counters, 0u);
    EXPECT_EQ(counters, b.nest.sums);
}

} // namespace

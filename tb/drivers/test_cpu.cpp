// SPDX-License-Identifier: Apache-2.0
// The table of docs/hw/cpu.md, row by row, for a bus that knows the completion at once and for
// one that says it when it has come.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "drivers/cpu.h"

namespace
{

constexpr cs_cycle kLatency = 7; // request to completion

struct Bench {
    cs_cpu *cpu = nullptr;
    bool early; // the bus answers CS_BUS_DONE
    std::vector<cs_op> ops;
    size_t at = 0;
    std::vector<cs_cycle> starts; // `now` of each call of next()
    std::vector<cs_op_result> results;
    std::vector<bool> had_last;
    std::vector<cs_bus_txn> requests;
    cs_bus_txn *open = nullptr;
    std::vector<std::pair<char, cs_cycle>> core; // 'e' and 'l'

    Bench(bool early_, std::vector<cs_op> ops_) : early(early_), ops(std::move(ops_))
    {
        cs_cpu_env env = {};

        env.bus = {submit, this};
        env.software = {next, this};
        env.enter = [](void *b, cs_cycle c, unsigned) {
            static_cast<Bench *>(b)->core.push_back({'e', c});
        };
        env.leave = [](void *b, cs_cycle c, unsigned) {
            static_cast<Bench *>(b)->core.push_back({'l', c});
        };
        env.core_ctx = this;
        EXPECT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);
    }

    ~Bench()
    {
        cs_cpu_destroy(cpu);
    }

    static void next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
    {
        auto *b = static_cast<Bench *>(ctx);

        b->starts.push_back(now);
        b->had_last.push_back(last != nullptr);
        b->results.push_back(last != nullptr ? *last : cs_op_result{});
        *op = b->at < b->ops.size() ? b->ops[b->at++] : cs_op{};
        if (b->at == b->ops.size() && b->starts.size() > b->ops.size())
            op->kind = CS_OP_END;
    }

    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
    {
        auto *b = static_cast<Bench *>(ctx);

        EXPECT_EQ(port, 0u);
        EXPECT_EQ(txn->request, cs_cpu_now(b->cpu));
        if (!txn->write)
            for (unsigned i = 0; i < cs_bus_txn_bytes(txn); i++)
                txn->data[i] = static_cast<uint8_t>(0xA0 + i);
        b->requests.push_back(*txn);
        txn->complete = txn->request + kLatency;
        txn->resp = txn->addr == 0xBAD0 ? CS_BUS_SLVERR : CS_BUS_OKAY;
        if (b->early)
            return CS_BUS_DONE;
        b->open = txn;
        return CS_BUS_PENDING;
    }

    // One cycle: completions of the cycle first, then the port executes it.
    void cycle(cs_cycle c)
    {
        if (open != nullptr && open->complete == c) {
            cs_bus_txn *txn = open;

            open = nullptr;
            cs_cpu_bus_done(cpu, txn);
        }
        EXPECT_EQ(cs_cpu_advance(cpu, c + 1), c + 1);
    }

    void run(cs_cycle until)
    {
        while (cs_cpu_now(cpu) < until)
            cycle(cs_cpu_now(cpu));
    }
};

cs_op op(cs_op_kind kind, uint64_t cycles = 0)
{
    cs_op o = {};

    o.kind = kind;
    o.cycles = cycles;
    o.lines = kind == CS_OP_WAIT_IRQ ? CS_LINE(0) : 0;
    return o;
}

cs_op access(cs_op_kind kind, uint64_t addr, uint8_t size, uint64_t value = 0)
{
    cs_op o = op(kind);

    o.addr = addr;
    o.size = size;
    o.value = value;
    return o;
}

class Cpu : public ::testing::TestWithParam<bool>
{
};
INSTANTIATE_TEST_SUITE_P(Bus, Cpu, ::testing::Bool(), [](const auto &info) {
    return std::string(info.param ? "early" : "pending");
});

struct Row {
    const char *name;
    cs_op op;
    cs_cycle line_from; // the line is high from here on
    cs_cycle next;      // the operation after it starts here; it starts in 1 itself
    bool irq;
};

TEST_P(Cpu, StartOfTheNextOperation)
{
    const Row rows[] = {
        {"read", access(CS_OP_READ, 0x10, 4), CS_NEVER, 1 + kLatency + 1, false},
        {"write", access(CS_OP_WRITE, 0x10, 4), CS_NEVER, 1 + kLatency + 1, false},
        {"delay 1", op(CS_OP_DELAY, 1), CS_NEVER, 2, false},
        {"delay 5", op(CS_OP_DELAY, 5), CS_NEVER, 6, false},
        {"delay, line high", op(CS_OP_DELAY, 5), 0, 6, false},
        {"wait, high before", op(CS_OP_WAIT_IRQ), 0, 2, true},
        {"wait, high with it", op(CS_OP_WAIT_IRQ), 1, 2, true},
        {"wait, high later", op(CS_OP_WAIT_IRQ), 9, 10, true},
        {"limit, high before it", op(CS_OP_WAIT_IRQ, 5), 4, 5, true},
        {"limit, high in the last", op(CS_OP_WAIT_IRQ, 5), 5, 6, true},
        {"limit, high too late", op(CS_OP_WAIT_IRQ, 5), 6, 6, false},
        {"limit 1", op(CS_OP_WAIT_IRQ, 1), CS_NEVER, 2, false},
    };

    for (const Row &row : rows) {
        SCOPED_TRACE(row.name);
        Bench bench(GetParam(), {row.op, op(CS_OP_DELAY, 100)});
        for (cs_cycle c = 0; c < row.next; c++) {
            // Not at n-1, at n: executing cycle n-1 begins the operation of n.
            EXPECT_EQ(bench.starts.size(), c == 0 ? 0u : 1u) << c;
            if (c == row.line_from)
                cs_cpu_irq(bench.cpu, c, 0, true);
            bench.cycle(c);
        }
        ASSERT_EQ(bench.starts.size(), 2u);
        EXPECT_EQ(bench.starts[0], 1u);
        EXPECT_FALSE(bench.had_last[0]);
        EXPECT_EQ(bench.starts[1], row.next);
        EXPECT_TRUE(bench.had_last[1]);
        EXPECT_EQ(bench.results[1].irq, row.irq);
    }
}

// cs_cpu_next names exactly the cycles in which anything happens.
TEST_P(Cpu, NextIsHonest)
{
    const std::vector<cs_op> ops = {
        op(CS_OP_DELAY, 3), access(CS_OP_READ, 0x10, 8), op(CS_OP_WAIT_IRQ, 10),
        op(CS_OP_DELAY, 1), op(CS_OP_WAIT_IRQ),
    };
    const cs_cycle acts[] = {0, 3, 4 + kLatency, 21, 22, 40};
    Bench bench(GetParam(), ops);
    size_t i = 0;

    for (cs_cycle c = 0; c < 60; c++) {
        if (c == 40)
            cs_cpu_irq(bench.cpu, 40, 0, true);
        if (bench.open != nullptr)
            EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER);
        else if (i < std::size(acts) && !(acts[i] == 40 && c < 40))
            EXPECT_EQ(cs_cpu_next(bench.cpu), acts[i]) << c;
        else
            EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER) << c;
        size_t before = bench.starts.size();
        bench.cycle(c);
        bool acted = bench.starts.size() != before;
        EXPECT_EQ(acted, i < std::size(acts) && acts[i] == c) << c;
        i += acted;
    }
    EXPECT_EQ(i, std::size(acts));
    EXPECT_TRUE(cs_cpu_ended(bench.cpu));
    EXPECT_EQ(cs_cpu_end_cycle(bench.cpu), 41u);
}

TEST_P(Cpu, DataAndResponses)
{
    uint8_t burst[16];
    for (unsigned i = 0; i < sizeof burst; i++)
        burst[i] = static_cast<uint8_t>(i + 1);
    cs_op write_burst = op(CS_OP_WRITE_BURST);
    write_burst.addr = 0x100;
    write_burst.beats = 2;
    write_burst.data = burst;
    cs_op read_burst = op(CS_OP_READ_BURST);
    read_burst.addr = 0x200;
    read_burst.beats = 16;
    Bench bench(GetParam(),
                {access(CS_OP_WRITE, 0x10, 4, 0x1122334455667788), access(CS_OP_READ, 0x12, 2),
                 write_burst, read_burst, access(CS_OP_READ, 0xBAD0, 8)});
    bench.run(60);

    ASSERT_EQ(bench.requests.size(), 5u);
    EXPECT_EQ(bench.requests[0].write, 1);
    EXPECT_EQ(bench.requests[0].size, 4);
    EXPECT_EQ(bench.requests[0].beats, 1);
    EXPECT_EQ(bench.requests[0].data[0], 0x88);
    EXPECT_EQ(bench.requests[0].data[3], 0x55);
    EXPECT_EQ(bench.requests[0].data[4], 0);
    EXPECT_EQ(bench.results[2].value, 0xA1A0u);
    EXPECT_EQ(bench.requests[2].size, 8);
    EXPECT_EQ(bench.requests[2].beats, 2);
    EXPECT_EQ(bench.requests[2].data[15], 16);
    EXPECT_EQ(bench.requests[3].beats, 16);
    EXPECT_NE(bench.results[4].data, nullptr);
    EXPECT_EQ(bench.results[4].resp, CS_BUS_OKAY);
    EXPECT_EQ(bench.results[5].resp, CS_BUS_SLVERR);
    // Requests follow each other without a hole: c + 1.
    for (size_t i = 0; i < 5; i++)
        EXPECT_EQ(bench.requests[i].request, 1 + i * (kLatency + 1));
}

TEST_P(Cpu, EnterAndLeaveTakeNoTime)
{
    Bench bench(GetParam(), {op(CS_OP_ENTER), op(CS_OP_DELAY, 4), op(CS_OP_LEAVE), op(CS_OP_ENTER),
                             op(CS_OP_LEAVE), op(CS_OP_DELAY, 2)});
    bench.run(20);

    EXPECT_EQ(bench.starts, (std::vector<cs_cycle>{1, 1, 5, 5, 5, 5, 7}));
    EXPECT_EQ(bench.core,
              (std::vector<std::pair<char, cs_cycle>>{{'e', 1}, {'l', 5}, {'e', 5}, {'l', 5}}));
    EXPECT_EQ(cs_cpu_end_cycle(bench.cpu), 7u);
}

// The line is a level: what was high and is low again before the wait does not count.
TEST_P(Cpu, ALineThatFellAgain)
{
    Bench bench(GetParam(), {op(CS_OP_DELAY, 10), op(CS_OP_WAIT_IRQ)});

    cs_cpu_irq(bench.cpu, 3, 0, true); // posted long before they are executed
    cs_cpu_irq(bench.cpu, 6, 0, false);
    EXPECT_FALSE(cs_cpu_waits_for_irq(bench.cpu));
    bench.run(30);
    EXPECT_TRUE(cs_cpu_waits_for_irq(bench.cpu));
    EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER);
    cs_cpu_irq(bench.cpu, 35, 0, true);
    EXPECT_EQ(cs_cpu_next(bench.cpu), 35u);
    cs_cpu_irq(bench.cpu, 35, 0, false); // the last word on a cycle holds
    EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER);
    cs_cpu_irq(bench.cpu, 36, 0, true);
    cs_cpu_irq(bench.cpu, 37, 0, false); // a pulse of one cycle is seen
    bench.run(50);
    EXPECT_EQ(cs_cpu_end_cycle(bench.cpu), 37u);
}

// In one call over many cycles the same happens as cycle by cycle.
TEST(CpuAdvance, LeapsAndStepsAgree)
{
    const std::vector<cs_op> ops = {op(CS_OP_DELAY, 30), access(CS_OP_READ, 0, 4),
                                    op(CS_OP_WAIT_IRQ, 50), op(CS_OP_DELAY, 7)};
    Bench steps(true, ops);
    Bench leap(true, ops);

    steps.run(200);
    EXPECT_EQ(cs_cpu_advance(leap.cpu, 200), 200u);
    EXPECT_EQ(steps.starts, leap.starts);
    EXPECT_EQ(cs_cpu_advance(leap.cpu, 100), 200u); // never back
    EXPECT_EQ(cs_cpu_next(leap.cpu), CS_NEVER);
}

// WAIT_IRQ is for its own lines, and says which of them were high.
TEST_P(Cpu, LinesThatAWaitNames)
{
    cs_op both = op(CS_OP_WAIT_IRQ);
    both.lines = CS_LINE(CS_LINE_PMCU(1)) | CS_LINE(CS_LINE_PMCU(3));
    Bench bench(GetParam(), {both, both});

    bench.run(5);
    cs_cpu_irq(bench.cpu, 6, CS_LINE_PMCU(0), true); // somebody else's
    EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER);
    cs_cpu_irq(bench.cpu, 9, CS_LINE_PMCU(3), true);
    bench.run(10);
    ASSERT_EQ(bench.results.size(), 2u);
    EXPECT_EQ(bench.starts[1], 10u);
    EXPECT_EQ(bench.results[1].lines, CS_LINE(CS_LINE_PMCU(3)));
    EXPECT_TRUE(bench.results[1].irq);
    cs_cpu_irq(bench.cpu, 10, CS_LINE_PMCU(1), true);
    bench.run(11);
    ASSERT_EQ(bench.results.size(), 3u);
    EXPECT_EQ(bench.results[2].lines, both.lines);
}

// Edges that lie ahead end a wait only where it names their line.
TEST_P(Cpu, AnEdgeAheadOfAnotherLine)
{
    Bench bench(GetParam(), {op(CS_OP_DELAY, 10), op(CS_OP_WAIT_IRQ, 50)});

    bench.run(5);
    cs_cpu_irq(bench.cpu, 20, CS_LINE_PMCU(1), true); // long before the wait begins
    bench.run(12);
    EXPECT_EQ(cs_cpu_next(bench.cpu), 60u);
    cs_cpu_irq(bench.cpu, 30, 0, true);
    EXPECT_EQ(cs_cpu_next(bench.cpu), 30u);
    bench.run(40);
    ASSERT_EQ(bench.results.size(), 3u);
    EXPECT_EQ(bench.starts[2], 31u);
    EXPECT_EQ(bench.results[2].lines, CS_LINE(0));
}

// A platform may hand in a copy of the transfer that has ended: what it says is taken.
TEST(CpuBus, ACopyOfTheTransfer)
{
    Bench bench(false, {access(CS_OP_READ, 0x10, 4)});

    bench.run(3);
    ASSERT_NE(bench.open, nullptr);
    cs_bus_txn copy = *bench.open;
    bench.open = nullptr;
    copy.complete = 20;
    copy.resp = CS_BUS_DECERR;
    copy.data[0] = 0x77;
    bench.run(20);
    cs_cpu_bus_done(bench.cpu, &copy);
    EXPECT_EQ(cs_cpu_next(bench.cpu), 20u);
    bench.run(22);
    ASSERT_EQ(bench.results.size(), 2u);
    EXPECT_EQ(bench.starts[1], 21u);
    EXPECT_EQ(bench.results[1].resp, CS_BUS_DECERR);
    EXPECT_EQ(bench.results[1].value, 0xA3A2A177u);
}

// More edges than a port would keep pass by while it is at work.
TEST_P(Cpu, EdgesThatNobodyWaitsFor)
{
    Bench bench(GetParam(), {op(CS_OP_DELAY, 5000), op(CS_OP_WAIT_IRQ)});

    bench.run(2);
    for (cs_cycle c = 2; c < 4000; c++)
        cs_cpu_irq(bench.cpu, c, CS_LINE_PMCU(0), c % 2 == 0);
    bench.run(6000);
    EXPECT_TRUE(cs_cpu_waits_for_irq(bench.cpu));
    EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER);
}

// A signal's line falls when a wait has ended by it; one on the way takes others along.
TEST_P(Cpu, SignalsOfOtherCpus)
{
    cs_op wait = op(CS_OP_WAIT_IRQ);
    wait.lines = CS_LINE(CS_LINE_IPI(2));
    Bench bench(GetParam(), {op(CS_OP_DELAY, 10), wait, wait});

    cs_cpu_signal(bench.cpu, 5, CS_LINE(CS_LINE_IPI(2)));
    cs_cpu_signal(bench.cpu, 30, CS_LINE(CS_LINE_IPI(2))); // merged
    cs_cpu_signal(bench.cpu, 20, CS_LINE(CS_LINE_IPI(3))); // of other software
    bench.run(13);
    EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER) << "it does not wait for that";
    bench.run(40);
    ASSERT_EQ(bench.results.size(), 3u);
    EXPECT_EQ(bench.starts[2], 12u);
    EXPECT_TRUE(bench.results[2].irq);
    EXPECT_EQ(cs_cpu_next(bench.cpu), CS_NEVER);
    cs_cpu_signal(bench.cpu, 50, CS_LINE(CS_LINE_IPI(2)));
    EXPECT_EQ(cs_cpu_next(bench.cpu), 50u);
    bench.run(52);
    EXPECT_EQ(cs_cpu_end_cycle(bench.cpu), 51u);
}

// Who sends one goes on in the next cycle.
TEST(CpuSignal, TakesACycle)
{
    struct {
        cs_cycle cycle;
        unsigned core;
        uint64_t lines;
    } sent = {};
    struct Play {
        unsigned calls;
        cs_cycle end;
        decltype(sent) *out;
    } play = {0, 0, &sent};
    cs_cpu_env env = {};
    cs_cpu *cpu = nullptr;

    env.software = {[](void *ctx, cs_cycle now, const cs_op_result *, cs_op *o) {
                        auto *p = static_cast<Play *>(ctx);
                        o->kind = p->calls++ == 0 ? CS_OP_SIGNAL : CS_OP_END;
                        o->core = 4;
                        o->lines = CS_LINE(CS_LINE_IPI(1));
                        p->end = now;
                    },
                    &play};
    env.signal = [](void *ctx, cs_cycle cycle, unsigned core, uint64_t lines) {
        *static_cast<Play *>(ctx)->out = {cycle, core, lines};
    };
    env.core_ctx = &play;
    env.bus.submit = [](void *, unsigned, cs_bus_txn *) { return CS_BUS_DONE; };
    ASSERT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);
    cs_cpu_advance(cpu, 10);
    EXPECT_EQ(sent.cycle, 1u);
    EXPECT_EQ(sent.core, 4u);
    EXPECT_EQ(sent.lines, CS_LINE(CS_LINE_IPI(1)));
    EXPECT_EQ(play.end, 2u);
    cs_cpu_destroy(cpu);
}

// A lock goes to who asked first; who gives it back goes on at once, who gets it one cycle later.
TEST(CpuLock, GoesFromHandToHand)
{
    cs_lock lock = {};
    std::vector<std::unique_ptr<Bench>> ports;
    const auto locked = [&](cs_op_kind kind) {
        cs_op o = op(kind);
        o.lock = &lock;
        return o;
    };

    for (uint64_t wait : {1u, 3u, 2u})
        ports.push_back(std::make_unique<Bench>(
            true, std::vector<cs_op>{op(CS_OP_DELAY, wait), locked(CS_OP_LOCK), op(CS_OP_DELAY, 10),
                                     locked(CS_OP_UNLOCK), op(CS_OP_DELAY, 1)}));
    for (cs_cycle c = 0; c < 60; c++)
        for (auto &port : ports)
            cs_cpu_advance(port->cpu, c + 1);
    // asked in 2, 4, 3; the first had it in 2, gave it back in 12
    EXPECT_EQ(ports[0]->starts, (std::vector<cs_cycle>{1, 2, 2, 12, 12, 13}));
    EXPECT_EQ(ports[2]->starts, (std::vector<cs_cycle>{1, 3, 13, 23, 23, 24}));
    EXPECT_EQ(ports[1]->starts, (std::vector<cs_cycle>{1, 4, 24, 34, 34, 35}));
    EXPECT_EQ(lock.owner, nullptr);
}

// Who had somebody behind it the last time has nobody the next time, and then gives it back to nobody.
TEST(CpuLock, SpinsAgainAlone)
{
    cs_lock lock = {};
    std::vector<std::unique_ptr<Bench>> ports;
    const auto locked = [&](cs_op_kind kind) {
        cs_op o = op(kind);
        o.lock = &lock;
        return o;
    };
    const auto once = [&](uint64_t wait, uint64_t work) {
        return std::vector<cs_op>{op(CS_OP_DELAY, wait), locked(CS_OP_LOCK), op(CS_OP_DELAY, work),
                                  locked(CS_OP_UNLOCK), op(CS_OP_DELAY, 2)};
    };
    std::vector<cs_op> twice = once(2, 9);
    const std::vector<cs_op> more = once(1, 5);

    twice.insert(twice.end(), more.begin(), more.end());
    for (const auto &ops : {once(1, 10), twice, once(3, 20)})
        ports.push_back(std::make_unique<Bench>(true, ops));
    for (cs_cycle c = 0; c < 100; c++)
        for (auto &port : ports)
            cs_cpu_advance(port->cpu, c + 1);
    // The first has it in 2..12, the second in 13..22, the third, who was behind it, in 23..43; the
    // second asks again in 25.
    EXPECT_EQ(ports[1]->starts, (std::vector<cs_cycle>{1, 3, 13, 22, 22, 24, 25, 44, 49, 49, 51}));
    EXPECT_EQ(ports[2]->starts, (std::vector<cs_cycle>{1, 4, 23, 43, 43, 45}));
    EXPECT_EQ(lock.owner, nullptr);
    EXPECT_EQ(lock.first, nullptr);
}

} // namespace

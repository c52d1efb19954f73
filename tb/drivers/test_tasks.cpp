// SPDX-License-Identifier: Apache-2.0
// Several pieces of software on one CPU port (docs/hw/cpu.md, "Several at once").
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "drivers/cpu.h"
#include "drivers/tasks.h"

namespace
{

struct Step {
    cs_cycle start; // of the operation before which the software was asked
    bool irq;       // what it was told of the one before

    bool operator==(const Step &o) const
    {
        return start == o.start && irq == o.irq;
    }
};

cs_cpu_env on_a_silent_bus()
{
    cs_cpu_env env = {};

    env.bus.submit = [](void *, unsigned, cs_bus_txn *) { return CS_BUS_DONE; };
    return env;
}

void PrintTo(const Step &s, std::ostream *out)
{
    *out << "{" << s.start << (s.irq ? ", irq}" : "}");
}

// Orders what it was given, and notes when.
struct Player {
    std::vector<cs_op> ops;
    std::vector<Step> steps = {};
    std::vector<bool> had_last = {};

    cs_software software()
    {
        return {next, this};
    }

    static void next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
    {
        auto *p = static_cast<Player *>(ctx);
        const size_t at = p->steps.size();

        p->steps.push_back({now, last != nullptr && last->irq});
        p->had_last.push_back(last != nullptr);
        *op = at < p->ops.size() ? p->ops[at] : cs_op{};
        if (at >= p->ops.size())
            op->kind = CS_OP_END;
    }
};

cs_op delay(uint64_t n)
{
    cs_op op = {};

    op.kind = CS_OP_DELAY;
    op.cycles = n;
    return op;
}

cs_op nap(uint64_t n)
{
    cs_op op = delay(n);

    op.kind = CS_OP_SLEEP;
    return op;
}

cs_op wait(uint64_t limit = 0)
{
    cs_op op = delay(limit);

    op.kind = CS_OP_WAIT_IRQ;
    op.lines = CS_LINE(0);
    return op;
}

struct Edge {
    cs_cycle cycle;
    bool level;
};

// Lets the software run on a port whose line does this; returns the cycle of its end.
cs_cycle play(cs_software software, const std::vector<Edge> &line, cs_cycle until = 100000)
{
    cs_cpu_env env = on_a_silent_bus();
    cs_cpu *cpu = nullptr;

    env.software = software;
    EXPECT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);
    for (const Edge &e : line) {
        cs_cpu_advance(cpu, e.cycle);
        cs_cpu_irq(cpu, e.cycle, 0, e.level);
    }
    cs_cpu_advance(cpu, until);
    const cs_cycle end = cs_cpu_end_cycle(cpu);
    cs_cpu_destroy(cpu);
    return end;
}

cs_cycle play_all(const std::vector<Player *> &players, const std::vector<Edge> &line)
{
    cs_tasks *tasks = nullptr;

    EXPECT_EQ(cs_tasks_create(&tasks, nullptr), CS_OK);
    for (Player *p : players)
        EXPECT_EQ(cs_tasks_add(tasks, p->software(), 0, nullptr), CS_OK);
    const cs_cycle end = play(cs_tasks_software(tasks), line);
    cs_tasks_destroy(tasks);
    return end;
}

std::vector<cs_op> random_ops(std::mt19937 &random, bool waits)
{
    std::vector<cs_op> ops(random() % 12);

    for (cs_op &op : ops)
        switch (random() % (waits ? 4 : 2)) {
        case 0:
            op = delay(1 + random() % 9);
            break;
        case 1:
            op = nap(1 + random() % 60);
            break;
        default:
            op = wait(1 + random() % 60);
        }
    return ops;
}

std::vector<Edge> random_line(std::mt19937 &random)
{
    std::vector<Edge> line;
    cs_cycle at = 0;

    for (unsigned i = 0; i < 12; i++) {
        at += 1 + random() % 50;
        line.push_back({at, i % 2 == 0});
    }
    return line;
}

} // namespace

TEST(Tasks, SoftwareAloneKeepsItsTimes)
{
    std::mt19937 random(1);

    for (unsigned i = 0; i < 2000; i++) {
        const auto ops = random_ops(random, true);
        const auto line = random_line(random);
        Player alone{ops}, task{ops};

        ASSERT_EQ(play(alone.software(), line), play_all({&task}, line)) << i;
        ASSERT_EQ(alone.steps, task.steps) << i;
        ASSERT_EQ(alone.had_last, task.had_last) << i;
    }
}

TEST(Tasks, OneSleepsWhileTheOtherWorks)
{
    Player a{{delay(10), nap(100), delay(5)}}, b{{delay(20), nap(30), delay(7)}};

    // a works in 1..10, b in 11..30 and, after its sleep, in 61..67; a is due in 111.
    EXPECT_EQ(play_all({&a, &b}, {}), 116u);
    EXPECT_EQ(a.steps, (std::vector<Step>{{1, false}, {11, false}, {111, false}, {116, false}}));
    EXPECT_EQ(b.steps, (std::vector<Step>{{11, false}, {31, false}, {61, false}, {68, false}}));
    EXPECT_FALSE(a.had_last[0]);
    EXPECT_FALSE(b.had_last[0]) << "nothing of its own has ended yet";
}

TEST(Tasks, WhoIsDueWhileAnotherWorksGoesOnLater)
{
    Player a{{nap(10), delay(50)}}, b{{nap(12), delay(3)}}, c{{nap(11), delay(3)}};

    // a works in 11..60; c was due before b.
    EXPECT_EQ(play_all({&a, &b, &c}, {}), 67u);
    EXPECT_EQ(a.steps[1].start, 11u);
    EXPECT_EQ(c.steps[1].start, 61u);
    EXPECT_EQ(b.steps[1].start, 64u);
}

TEST(Tasks, TheLineWakesWhoWaitsForIt)
{
    Player driver{{wait(), delay(10), wait(500)}}, other{{nap(1000)}};

    // High from 300 on: seen in 300, and again at once in 311.
    play_all({&driver, &other}, {{300, true}, {400, false}});
    EXPECT_EQ(driver.steps,
              (std::vector<Step>{{1, false}, {301, true}, {311, false}, {312, true}}));
    EXPECT_EQ(other.steps[1], (Step{1002, false})) << "it did not wait for the line";
}

TEST(Tasks, AnInterruptDuringOthersWorkComesBeforeWhoIsDue)
{
    Player driver{{wait(), delay(4)}}, busy{{nap(10), delay(90)}}, due{{nap(50), delay(5)}};

    // busy begins in 2, after a look at the line, and works in 12..101. The line rose in 30: one
    // cycle to look at it, then the driver.
    play_all({&driver, &busy, &due}, {{30, true}});
    EXPECT_EQ(driver.steps[1], (Step{103, true}));
    EXPECT_EQ(due.steps[1].start, 107u) << "when the driver's 4 cycles are over";
}

TEST(Tasks, ALimitIsKeptAmongOthers)
{
    Player driver{{wait(40), delay(4)}}, other{{nap(1000)}};

    play_all({&driver, &other}, {});
    EXPECT_EQ(driver.steps[1], (Step{41, false}));
}

// Whatever they do: nobody is asked before its time, work never overlaps, all come to their end.
TEST(Tasks, RandomSoftwareSharesThePort)
{
    std::mt19937 random(2);

    for (unsigned i = 0; i < 3000; i++) {
        std::vector<Player> players;
        const unsigned count = 2 + random() % 4;

        for (unsigned k = 0; k < count; k++)
            players.push_back({random_ops(random, k == 0)});
        std::vector<Player *> all;
        for (Player &p : players)
            all.push_back(&p);
        ASSERT_NE(play_all(all, random_line(random)), CS_NEVER) << i;

        std::vector<std::pair<cs_cycle, cs_cycle>> work;
        for (const Player &p : players) {
            ASSERT_EQ(p.steps.size(), p.ops.size() + 1) << i;
            for (size_t k = 0; k < p.ops.size(); k++) {
                const cs_cycle from = p.steps[k].start, to = p.steps[k + 1].start;

                if (p.ops[k].kind == CS_OP_DELAY) {
                    ASSERT_EQ(to - from, p.ops[k].cycles) << i;
                    work.push_back({from, to});
                } else if (!p.steps[k + 1].irq) {
                    ASSERT_GE(to - from, p.ops[k].cycles) << i;
                }
            }
        }
        std::sort(work.begin(), work.end());
        for (size_t k = 1; k < work.size(); k++)
            ASSERT_GE(work[k].first, work[k - 1].second) << i;
    }
}

// Who waits for another line is not woken; a signal that found nobody at the line is kept.
TEST(Tasks, EachWaitsForItsOwnLine)
{
    cs_op pmcu1 = wait(), signal = wait();
    pmcu1.lines = CS_LINE(CS_LINE_PMCU(1));
    Player a{{delay(20), pmcu1}}, b{{signal, delay(5)}}, c{{signal}};
    cs_tasks *tasks = nullptr;
    cs_cpu_env env = on_a_silent_bus();
    cs_cpu *cpu = nullptr;

    b.ops[0].lines = CS_LINE(CS_LINE_IPI(0));
    c.ops[0].lines = CS_LINE(CS_LINE_IPI(1));
    ASSERT_EQ(cs_tasks_create(&tasks, nullptr), CS_OK);
    for (Player *p : {&a, &b, &c})
        ASSERT_EQ(cs_tasks_add(tasks, p->software(), 0, nullptr), CS_OK);
    env.software = cs_tasks_software(tasks);
    ASSERT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);
    cs_cpu_advance(cpu, 30);
    cs_cpu_signal(cpu, 50, CS_LINE(CS_LINE_IPI(0)) | CS_LINE(CS_LINE_IPI(1)));
    cs_cpu_advance(cpu, 60);
    cs_cpu_irq(cpu, 70, CS_LINE_PMCU(0), true);
    cs_cpu_irq(cpu, 80, CS_LINE_PMCU(1), true);
    cs_cpu_advance(cpu, 200);
    EXPECT_TRUE(b.steps[1].irq);
    EXPECT_EQ(b.steps[1].start, 51u);
    EXPECT_EQ(b.steps[2].start, 56u);
    EXPECT_EQ(c.steps[1], (Step{56, true})) << "when b works no more";
    EXPECT_EQ(a.steps[2], (Step{81, true}));
    EXPECT_EQ(cs_cpu_end_cycle(cpu), 81u);
    cs_cpu_destroy(cpu);
    cs_tasks_destroy(tasks);
}

// 0 in ENTER is the task's CPU.
TEST(Tasks, EachIsOfItsCpu)
{
    cs_op enter = {};
    enter.kind = CS_OP_ENTER;
    cs_op other = enter;
    other.core = 9;
    Player a{{enter, delay(3)}}, b{{enter, other}};
    std::vector<unsigned> cores;
    cs_tasks *tasks = nullptr;
    cs_cpu_env env = on_a_silent_bus();
    cs_cpu *cpu = nullptr;

    ASSERT_EQ(cs_tasks_create(&tasks, nullptr), CS_OK);
    ASSERT_EQ(cs_tasks_add(tasks, a.software(), 3, nullptr), CS_OK);
    ASSERT_EQ(cs_tasks_add(tasks, b.software(), 5, nullptr), CS_OK);
    env.software = cs_tasks_software(tasks);
    env.enter = [](void *ctx, cs_cycle, unsigned core) {
        static_cast<std::vector<unsigned> *>(ctx)->push_back(core);
    };
    env.core_ctx = &cores;
    ASSERT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);
    cs_cpu_advance(cpu, 20);
    EXPECT_EQ(cores, (std::vector<unsigned>{3, 5, 9}));
    cs_cpu_destroy(cpu);
    cs_tasks_destroy(tasks);
}

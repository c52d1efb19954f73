// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "drivers/imc/op_queue.h"

namespace
{

struct Queue {
    cs_op_queue q;

    Queue()
    {
        cs_op_queue_init(&q);
    }

    ~Queue()
    {
        cs_op_queue_free(&q);
    }

    void add(uint64_t name)
    {
        add(name, {unsigned(name), 1, 2, 3});
    }

    void add(uint64_t name, const cs_op_note &note)
    {
        cs_op op = {};
        op.kind = CS_OP_DELAY;
        op.cycles = name;
        cs_op_queue_add(&q, &op, note);
    }

    // The name of the next one; 0: there is none.
    uint64_t take()
    {
        cs_queued_op out = {};
        if (!cs_op_queue_take(&q, &out))
            return 0;
        EXPECT_EQ(out.op.kind, CS_OP_DELAY);
        EXPECT_EQ(out.note.what, out.op.cycles);
        EXPECT_EQ(out.note.a, 1u);
        EXPECT_EQ(out.note.b, 2u);
        EXPECT_EQ(out.note.c, 3u);
        return out.op.cycles;
    }

    std::vector<uint64_t> take_all()
    {
        std::vector<uint64_t> names;
        while (const uint64_t name = take())
            names.push_back(name);
        return names;
    }
};

using Names = std::vector<uint64_t>;

TEST(OpQueue, AnEmptyOneGivesNothing)
{
    Queue q;
    EXPECT_EQ(q.take(), 0u);
    cs_op_queue_begin(&q.q);
    EXPECT_EQ(q.take(), 0u);
}

TEST(OpQueue, KeepsTheOrderInWhichTheyWereAdded)
{
    Queue q;
    cs_op_queue_begin(&q.q);
    for (uint64_t name : {1, 2, 3})
        q.add(name);
    EXPECT_EQ(q.take_all(), (Names{1, 2, 3}));
}

TEST(OpQueue, WhatAResultCallsForComesBeforeWhatWaits)
{
    Queue q;
    cs_op_queue_begin(&q.q);
    for (uint64_t name : {1, 2, 3})
        q.add(name);
    EXPECT_EQ(q.take(), 1u);
    cs_op_queue_begin(&q.q);
    q.add(11);
    q.add(12);
    EXPECT_EQ(q.take(), 11u);
    cs_op_queue_begin(&q.q);
    q.add(111);
    EXPECT_EQ(q.take_all(), (Names{111, 12, 2, 3}));
}

// A begin lasts: what is added after a take without a new one still follows its own.
TEST(OpQueue, ATakeDoesNotEndABegin)
{
    Queue q;
    cs_op_queue_begin(&q.q);
    q.add(9);
    cs_op_queue_begin(&q.q);
    q.add(1);
    q.add(2);
    EXPECT_EQ(q.take(), 1u);
    q.add(3);
    EXPECT_EQ(q.take_all(), (Names{2, 3, 9}));
}

// What waited below the begin is gone: the next one is the first again.
TEST(OpQueue, AddsAfterTheWaitingOnesAreGone)
{
    Queue q;
    cs_op_queue_begin(&q.q);
    q.add(1);
    q.add(2);
    cs_op_queue_begin(&q.q);
    EXPECT_EQ(q.take(), 1u);
    EXPECT_EQ(q.take(), 2u);
    q.add(3);
    q.add(4);
    EXPECT_EQ(q.take_all(), (Names{3, 4}));
}

TEST(OpQueue, DropsTheNextOnesOfANote)
{
    Queue q;
    cs_op_queue_begin(&q.q);
    q.add(5, {5, 1, 2, 3});
    q.add(5, {5, 1, 9, 9}); // the other numbers do not matter
    q.add(7);
    q.add(5, {5, 1, 2, 3}); // not next any more
    cs_op_queue_drop(&q.q, 5, 2);
    cs_op_queue_drop(&q.q, 4, 1);
    EXPECT_EQ(q.q.count, 4u);
    cs_op_queue_drop(&q.q, 5, 1);
    EXPECT_EQ(q.take_all(), (Names{7, 5}));
    cs_op_queue_drop(&q.q, 5, 1);

    // and what is added afterwards comes before what is left
    cs_op_queue_begin(&q.q);
    q.add(1);
    q.add(2, {2, 0, 0, 0});
    cs_op_queue_begin(&q.q);
    cs_op_queue_drop(&q.q, 1, 1);
    cs_op_queue_drop(&q.q, 2, 0);
    q.add(3);
    q.add(4);
    EXPECT_EQ(q.take_all(), (Names{3, 4}));
}

TEST(OpQueue, GrowsAsItNeeds)
{
    Queue q;
    Names all;
    for (uint64_t round = 0; round < 10; round++) {
        cs_op_queue_begin(&q.q);
        Names now;
        for (uint64_t i = 1; i <= 100; i++) {
            q.add(1000 * round + i);
            now.push_back(1000 * round + i);
        }
        all.insert(all.begin(), now.begin(), now.end());
    }
    EXPECT_FALSE(q.q.failed);
    EXPECT_EQ(q.take_all(), all);
}

TEST(OpQueue, IsEmptyAfterItWasFreed)
{
    Queue q;
    cs_op_queue_begin(&q.q);
    q.add(1);
    cs_op_queue_free(&q.q);
    EXPECT_EQ(q.take(), 0u);
    q.add(2);
    EXPECT_EQ(q.take_all(), (Names{2}));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// Software as straight-line code (drivers/routine.h): which operations it orders, and when its calls
// return.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "drivers/routine.h"

namespace
{

struct Routine {
    std::function<void(cs_routine &)> main;
    cs_routine routine = {};
    cs_software software = {};

    explicit Routine(std::function<void(cs_routine &)> main_) : main(std::move(main_))
    {
        cs_diag diag = {};

        EXPECT_EQ(cs_routine_create(&routine, run, this, &diag), CS_OK) << diag.text;
        software = cs_routine_software(&routine);
    }
    ~Routine()
    {
        cs_routine_destroy(&routine);
    }
    static void run(void *ctx)
    {
        auto *r = static_cast<Routine *>(ctx);

        r->main(r->routine);
    }
    // What it orders in cycle `now`, when the operation before has ended so.
    cs_op ask(cs_cycle now, const cs_op_result *last)
    {
        cs_op op = {};

        software.next(software.ctx, now, last, &op);
        return op;
    }
};

TEST(Routine, BeginsWhenItIsAskedFirst)
{
    cs_cycle began = 0;
    Routine r([&](cs_routine &self) { began = self.now; });

    EXPECT_EQ(began, 0u);
    EXPECT_EQ(r.ask(7, nullptr).kind, CS_OP_END);
    EXPECT_EQ(began, 7u);
}

TEST(Routine, GetsTheResultAndTheTimeOfAnOperation)
{
    cs_op_result got = {};
    cs_cycle ended = 0;
    Routine r([&](cs_routine &self) {
        cs_op op = {};

        op.kind = CS_OP_READ;
        op.addr = 0x1230;
        got = *cs_routine_perform(&self, op);
        ended = self.now;
    });
    cs_op_result answer = {};

    answer.value = 42;
    answer.resp = CS_BUS_SLVERR;
    const cs_op op = r.ask(1, nullptr);
    EXPECT_EQ(op.kind, CS_OP_READ);
    EXPECT_EQ(op.addr, 0x1230u);
    EXPECT_EQ(r.ask(30, &answer).kind, CS_OP_END);
    EXPECT_EQ(got.value, 42u);
    EXPECT_EQ(got.resp, CS_BUS_SLVERR);
    EXPECT_EQ(ended, 30u);
}

TEST(Routine, OrdersNothingForNoTime)
{
    Routine r([](cs_routine &self) {
        cs_routine_delay(&self, 0);
        cs_routine_sleep_until(&self, self.now);
        cs_routine_sleep_until(&self, self.now - 1);
        cs_routine_delay(&self, 5);
        cs_routine_sleep_until(&self, 20);
        cs_routine_enter(&self, 3);
        cs_routine_leave(&self, 4);
    });
    const cs_op_result done = {};
    std::vector<cs_op> ops = {r.ask(2, nullptr)};

    for (cs_cycle now : {7u, 20u, 20u, 20u})
        ops.push_back(r.ask(now, &done));
    EXPECT_EQ(ops[0].kind, CS_OP_DELAY);
    EXPECT_EQ(ops[0].cycles, 5u);
    EXPECT_EQ(ops[1].kind, CS_OP_SLEEP);
    EXPECT_EQ(ops[1].cycles, 13u);
    EXPECT_EQ(ops[2].kind, CS_OP_ENTER);
    EXPECT_EQ(ops[2].core, 3u);
    EXPECT_EQ(ops[3].kind, CS_OP_LEAVE);
    EXPECT_EQ(ops[3].core, 4u);
    EXPECT_EQ(ops[4].kind, CS_OP_END);
}

TEST(Routine, IsDestroyedInTheMiddle)
{
    Routine r([](cs_routine &self) { cs_routine_delay(&self, 1); });

    EXPECT_EQ(r.ask(1, nullptr).kind, CS_OP_DELAY);
    cs_routine_destroy(&r.routine);
    r.routine = {};
}

} // namespace

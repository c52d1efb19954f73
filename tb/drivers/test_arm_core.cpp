// SPDX-License-Identifier: Apache-2.0
// An Arm core's software without anything around it. tb/bus/tlm/test_arm_core.cpp has it on a bus.
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "drivers/corepmu/arm_core.h"

namespace
{

// Registers answer from a cycle on; the interrupt is never high.
struct Core {
    using Software = std::function<void(cs_arm_core *)>;
    Software software;
    cs_cycle answers = 0;
    std::vector<cs_cycle> asked;
    cs_arm_core *core = nullptr;

    explicit Core(Software does) : software(std::move(does))
    {
        const cs_arm_core_config config = {4, 10, 20, run, this};
        cs_arm_core_env env = {};

        env.access = [](void *ctx, cs_cycle cycle, const cs_arm_core_op *, uint64_t *data) {
            auto *c = static_cast<Core *>(ctx);

            c->asked.push_back(cycle);
            *data = cycle;
            return cycle >= c->answers;
        };
        env.line = [](void *, cs_cycle, cs_cycle to) { return to; };
        env.ctx = this;
        EXPECT_EQ(cs_arm_core_create(&config, &env, &core, nullptr), CS_OK);
    }
    Core(const Core &) = delete;
    ~Core()
    {
        cs_arm_core_destroy(core);
    }
    static void run(void *ctx, cs_arm_core *core)
    {
        static_cast<Core *>(ctx)->software(core);
    }
};

// Whoever tells it something may be ahead of it or behind it: what it has seen already is over.
TEST(ArmCore, AWaitEndsInTheCycleAfterItWasTold)
{
    const struct {
        cs_cycle executed, woken; // the cycles below have been executed
    } rows[] = {{2, 502}, {499, 502}, {500, 502}, {501, 502}, {502, 503}, {600, 601}};

    for (const auto &row : rows) {
        bool high = true;
        cs_cycle woken = 0;
        Core c([&](cs_arm_core *core) {
            high = cs_arm_core_wait(core, 5000);
            woken = cs_arm_core_now(core);
        });

        cs_arm_core_advance(c.core, row.executed);
        EXPECT_EQ(woken, 0u);
        cs_arm_core_poke(c.core, 500);
        cs_arm_core_advance(c.core, 700);
        EXPECT_EQ(woken, row.woken) << row.executed;
        EXPECT_FALSE(high);
    }
}

// Registers without power: the access is tried in each cycle until they have it.
TEST(ArmCore, AnAccessWaitsUntilItIsTaken)
{
    for (cs_cycle step : {1u, 3u, 7u, 100u}) {
        uint64_t value = 0;
        cs_cycle ended = 0;
        Core c([&](cs_arm_core *core) {
            value = cs_arm_core_read(core, 0xc80);
            ended = cs_arm_core_now(core);
        });

        c.answers = 40;
        for (cs_cycle to = step; to < 120; to += step) {
            cs_arm_core_advance(c.core, to);
            EXPECT_TRUE(c.asked.empty() || c.asked.back() < to) << "no further than it may";
        }
        EXPECT_EQ(value, 40u) << step;
        EXPECT_EQ(ended, 41u) << step;
        EXPECT_EQ(c.asked.size(), 41 - c.asked.front()) << "once in each cycle";
    }
}

} // namespace

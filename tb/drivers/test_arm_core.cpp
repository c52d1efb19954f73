// An Arm core's software without anything around it. tb/bus/tlm/test_arm_core.cpp has it on a bus.
#include <gtest/gtest.h>

#include "drivers/corepmu/arm_core.h"

namespace
{

struct Waiting {
    bool high = true;
    cycle_t woken = 0;
    cs_arm_core *core = nullptr;

    Waiting()
    {
        const cs_arm_core_config config = {4, 10, 20, run, this};
        cs_arm_core_env env = {};

        env.line = [](void *, cycle_t, cycle_t to) { return to; };
        EXPECT_EQ(cs_arm_core_create(&config, &env, &core, nullptr), CS_OK);
    }
    Waiting(const Waiting &) = delete;
    ~Waiting()
    {
        cs_arm_core_destroy(core);
    }

    static void run(void *ctx, cs_arm_core *core)
    {
        auto *w = static_cast<Waiting *>(ctx);

        w->high = cs_arm_core_wait(core, 5000);
        w->woken = cs_arm_core_now(core);
    }
};

// Whoever tells it something may be ahead of it or behind it: what it has seen already is over.
TEST(ArmCore, AWaitEndsInTheCycleAfterItWasTold)
{
    const struct {
        cycle_t executed, woken; // the cycles below have been executed
    } rows[] = {{2, 502}, {499, 502}, {500, 502}, {501, 502}, {502, 503}, {600, 601}};

    for (const auto &row : rows) {
        Waiting w;

        cs_arm_core_advance(w.core, row.executed);
        EXPECT_EQ(w.woken, 0u);
        cs_arm_core_poke(w.core, 500);
        cs_arm_core_advance(w.core, 700);
        EXPECT_EQ(w.woken, row.woken) << row.executed;
        EXPECT_FALSE(w.high);
    }
}

} // namespace

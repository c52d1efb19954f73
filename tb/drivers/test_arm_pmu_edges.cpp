// SPDX-License-Identifier: Apache-2.0
// perf by the kernel's driver on cores without a die: what other software can tell of it, cycle by cycle
// and die by die (docs/drivers/two_owners.md).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drivers/corepmu/arm_core.h"
#include "drivers/environment.h"
#include <countersink/regs/corepmu_regs.h>

extern "C" {
#include "drivers/corepmu/arm_pmu.h"
#include "scenario/load.h"
}

namespace
{

// Two dies of four CPUs. Registers read as 0, but the flags of overflows; each access takes its time.
struct Software {
    cs_scenario *scenario = nullptr;
    cs_environment *env = nullptr;
    cs_arm_core *core = nullptr;
    cs_cycle irq = CS_NEVER; // the line is high from then on, until the flags are cleared

    Software(unsigned cpu, const std::string &arm_pmu, const std::string &corepmu = "{}")
    {
        const std::string text =
            "pmcu: {dies: 2, clusters: 1, slots: 4}\ncorepmu: " + corepmu +
            "\nsoftware: {kind: [pmcu_driver, arm_pmu]}\npmcu_driver: {user_events: [8]}\n"
            "arm_pmu: {command: stat, events: [INST_RETIRED], start_us: 2, stop_us: 60, cpus: [" +
            std::to_string(cpu) + "], " + arm_pmu + "}\n";
        cs_diag diag = {};
        cs_arm_core_config config = {};
        cs_arm_core_env core_env = {};

        EXPECT_EQ(cs_scenario_parse(text.data(), text.size(), "t.yaml", ".", nullptr, 0, &scenario,
                                    &diag),
                  CS_OK)
            << diag.text;
        if (scenario == nullptr)
            return;
        EXPECT_EQ(cs_environment_create(scenario, nullptr, &env, &diag), CS_OK) << diag.text;
        if (env == nullptr || !cs_environment_arm_core(env, cpu, &config))
            return;
        core_env.access = access;
        core_env.line = line;
        core_env.enter = core_env.leave = [](void *, cs_cycle) {};
        core_env.ctx = this;
        EXPECT_EQ(cs_arm_core_create(&config, &core_env, &core, nullptr), CS_OK);
    }
    Software(const Software &) = delete;
    ~Software()
    {
        cs_arm_core_destroy(core);
        cs_environment_destroy(env);
        cs_scenario_destroy(scenario);
    }

    cs_arm_claim claim(unsigned die, cs_cycle now) const
    {
        return cs_arm_pmu_claim(cs_arm_pmu_of(env), die, now);
    }

    static bool access(void *ctx, cs_cycle cycle, const cs_arm_core_op *op, uint64_t *data)
    {
        auto *s = static_cast<Software *>(ctx);
        const bool flags = op->offset == CS_COREPMU_EXT64_PMOVSCLR;

        if (op->write && flags)
            s->irq = CS_NEVER;
        *data = flags && cycle >= s->irq ? 1 : 0;
        return true;
    }
    static cs_cycle line(void *ctx, cs_cycle from, cs_cycle to)
    {
        const cs_cycle irq = static_cast<Software *>(ctx)->irq;

        return irq < to ? (irq > from ? irq : from) : to;
    }
};

} // namespace

// The counters of a die are the PMCU's for the asking, whatever perf has on another one.
TEST(ArmPmuClaims, OfItsOwnDieAlone)
{
    for (const unsigned cpu : {3u, 4u}) {
        Software s(cpu, "owner: refuse");
        ASSERT_NE(s.core, nullptr);
        cs_arm_core_advance(s.core, 10000);
        for (const unsigned die : {0u, 1u})
            EXPECT_EQ(s.claim(die, 10000),
                      die == cpu / 4 ? CS_ARM_CLAIM_BUSY : CS_ARM_CLAIM_GRANTED)
                << "CPU " << cpu << " die " << die;
    }
}

// A CPU without power has nothing to give up: others know it from the cycle after, and until it is back.
TEST(ArmPmuClaims, OfACpuThatIsAway)
{
    Software s(1, "owner: yield", "{outages: [{cpu: 1, at_us: 20, for_us: 10, kind: power_down}]}");
    ASSERT_NE(s.core, nullptr);
    cs_arm_core_advance(s.core, 25000);
    const cs_cycle away = cs_arm_core_now(s.core);
    ASSERT_GT(away, 2000u);
    ASSERT_LT(away, 20000u);
    const struct {
        cs_cycle now;
        cs_arm_claim answer;
    } rows[] = {{away - 1, CS_ARM_CLAIM_WAIT},    {away, CS_ARM_CLAIM_WAIT},
                {away + 1, CS_ARM_CLAIM_GRANTED}, {25000, CS_ARM_CLAIM_GRANTED},
                {30000, CS_ARM_CLAIM_GRANTED},    {30001, CS_ARM_CLAIM_WAIT}};

    for (const auto &row : rows)
        EXPECT_EQ(s.claim(0, row.now), row.answer) << row.now;
}

// An interrupt counts for both reports: that of perf, and that of counts which `perf stat` prints.
TEST(ArmPmuReport, Interrupts)
{
    Software s(0, "owner: none");
    ASSERT_NE(s.core, nullptr);
    for (const cs_cycle irq : {10000u, 20000u, 30000u}) {
        cs_arm_core_advance(s.core, irq);
        s.irq = irq;
        cs_arm_core_poke(s.core, irq - 1);
    }
    cs_arm_core_advance(s.core, 70000);
    EXPECT_EQ(cs_arm_pmu_get_report(cs_arm_pmu_of(s.env))->interrupts, 3u);
    EXPECT_EQ(cs_arm_pmu_get_report(cs_arm_pmu_of(s.env))->spurious, 0u);
    const cs_rotating_report *rotating = cs_environment_rotating(s.env, CS_SOFTWARE_arm_pmu);
    ASSERT_NE(rotating, nullptr);
    EXPECT_EQ(rotating->interrupts, 3u);
}

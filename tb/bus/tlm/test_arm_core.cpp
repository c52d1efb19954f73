// SPDX-License-Identifier: Apache-2.0
// Software on an Arm core beside the bus, which sees the same PMU (docs/hw/corepmu.md, "The core's
// own access").
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bus/corepmu/arm_core_module.hpp"
#include "support/forked.hpp"
#include <countersink/bus/corepmu/corepmu_port.hpp>

namespace
{

constexpr uint16_t kIntenset = 0xc40, kOvsclr = 0xc80, kOvsset = 0xcc0, kPmcr = 0xe10;
constexpr uint64_t kEnable = 1;

sc_core::sc_time ns(double n)
{
    return {n, sc_core::SC_NS};
}

cs_event_source idle()
{
    cs_event_source source = {};

    source.sum = [](void *, uint32_t, uint32_t, cs_cycle, cs_cycle) -> uint64_t { return 0; };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle, uint64_t) { return CS_NEVER; };
    source.context = [](void *, cs_cycle, cs_context *out) { *out = {}; };
    return source;
}

void append(void *ctx, const cs_probe_record *record)
{
    static_cast<std::vector<cs_probe_record> *>(ctx)->push_back(*record);
}

// A core that runs `software`, beside a bus that a test plays.
struct Core {
    using Software = std::function<void(cs_arm_core *)>;

    explicit Core(Software runs, bool guest = false, std::vector<cs::CorePower> power = {})
        : software(std::move(runs)),
          port({6, true, guest ? 3u : 6u, true, false, false, false, false}, idle(),
               std::move(power)),
          module("core", ns(1), config(guest), port)
    {
    }
    cs::ArmCoreConfig config(bool guest)
    {
        cs::ArmCoreConfig config;

        config.core = {4, 10, 20, run, this};
        config.guest = guest;
        config.probe = &sink;
        config.enter = [this](cs_cycle cycle) { log += " enter " + std::to_string(cycle); };
        config.leave = [this](cs_cycle cycle) { log += " leave " + std::to_string(cycle); };
        config.on_end = [this] { ends.push_back(module.end_cycle()); };
        return config;
    }
    static void run(void *ctx, cs_arm_core *core)
    {
        static_cast<Core *>(ctx)->software(core);
    }
    void until(cs_cycle cycle)
    {
        sc_core::sc_start(ns(static_cast<double>(cycle)) - sc_core::sc_time_stamp());
    }

    Software software;
    std::vector<cs_probe_record> records;
    cs_probe_sink sink = {append, &records, false, nullptr};
    std::string log;
    std::vector<cs_cycle> ends; // what end_cycle() said at each call
    cs::CorePmuPort port;
    cs::ArmCoreModule module;
};

} // namespace

// An access from the bus changes what the core waits for, at once.
TEST(ArmCoreModule, SeesWhatTheBusDoes)
{
    cs_test::in_child([] {
        bool high = false;
        cs_cycle woken = 0;
        Core c([&](cs_arm_core *core) {
            cs_arm_core_write(core, kIntenset, 1);
            cs_arm_core_write(core, kPmcr, kEnable);
            high = cs_arm_core_wait(core, 5000);
            woken = cs_arm_core_now(core);
        });

        c.until(500);
        EXPECT_EQ(c.module.earliest(), 5000u) << "what comes next, as far as the core knows";
        EXPECT_TRUE(c.ends.empty());
        EXPECT_FALSE(c.port.write(500, kOvsset, true, 1));
        EXPECT_LT(c.module.earliest(), 510u);
        c.until(1000);
        EXPECT_TRUE(high);
        EXPECT_GE(woken, 501u);
        EXPECT_LT(woken, 510u);
        EXPECT_EQ(c.ends, std::vector<cs_cycle>{c.module.end_cycle()}) << "told once";
        EXPECT_EQ(c.module.end_cycle(), woken);
        EXPECT_EQ(c.module.earliest(), CS_NEVER);
        c.until(6000);
        EXPECT_EQ(c.ends.size(), 1u);
    });
}

// What the core does in a cycle is done before the bus comes in a later one.
TEST(ArmCoreModule, IsBroughtUpToAnAccessOfTheBus)
{
    cs_test::in_child([] {
        Core c([](cs_arm_core *core) {
            cs_arm_core_work(core, 100);
            cs_arm_core_write(core, kOvsset, 2);
        });
        uint64_t flags = 0;

        c.until(50);
        EXPECT_FALSE(c.port.read(90, kOvsclr, true, flags));
        EXPECT_EQ(flags, 0u);
        EXPECT_FALSE(c.port.read(300, kOvsclr, true, flags)) << "ahead of SystemC's time";
        EXPECT_EQ(flags, 2u);
    });
}

TEST(ArmCoreModule, RecordsItsAccesses)
{
    for (bool guest : {false, true})
        cs_test::in_child([guest] {
            uint64_t flags = 0;
            Core c(
                [&](cs_arm_core *core) {
                    cs_arm_core_write(core, kOvsset, 0x25);
                    flags = cs_arm_core_read(core, kOvsclr);
                },
                guest);

            c.until(500);
            EXPECT_EQ(flags, guest ? 0x5u : 0x25u) << "a guest has three counters";
            ASSERT_EQ(c.records.size(), 2u);
            for (unsigned i = 0; i < 2; i++) {
                const cs_probe_record &r = c.records[i];

                EXPECT_EQ(r.kind, CS_PROBE_REG);
                EXPECT_EQ(r.write, i == 0);
                EXPECT_EQ(r.source, CS_UNIT_SYSREGS(4));
                EXPECT_EQ(r.index, guest);
                EXPECT_EQ(r.addr, i == 0 ? kOvsset : kOvsclr);
                EXPECT_EQ(r.value, i == 0 ? 0x25 : flags);
                EXPECT_EQ(r.bytes, 8u);
            }
            EXPECT_GE(c.records[0].cycle, 20u);
            EXPECT_EQ(c.records[1].cycle - c.records[0].cycle, 10u) << "a read's";
        });
}

TEST(ArmCoreModule, TellsWhenItTakesTheCore)
{
    cs_test::in_child([] {
        Core c([](cs_arm_core *core) {
            cs_arm_core_enter(core);
            cs_arm_core_work(core, 30);
            cs_arm_core_leave(core);
            cs_arm_core_work(core, 30);
            cs_arm_core_enter(core);
        });

        c.until(500);
        const cs_cycle end = c.module.end_cycle();
        EXPECT_EQ(c.log, " enter " + std::to_string(end - 60) + " leave " +
                             std::to_string(end - 30) + " enter " + std::to_string(end));
    });
}

// Other software pokes it: its wait ends.
TEST(ArmCoreModule, IsWokenByOthers)
{
    cs_test::in_child([] {
        bool high = true;
        cs_cycle woken = 0;
        Core c([&](cs_arm_core *core) {
            high = cs_arm_core_wait(core, 5000);
            woken = cs_arm_core_now(core);
        });

        c.until(500);
        cs_arm_core_poke(c.module.core(), 500);
        c.until(600);
        EXPECT_FALSE(high);
        EXPECT_EQ(woken, 502u) << "its wait ends in the cycle after";
    });
}

// Without power the line is low, whatever the PMU held.
TEST(ArmCoreModule, WaitsBeyondAnOutage)
{
    cs_test::in_child([] {
        bool high = true;
        cs_cycle woken = 0;
        Core c(
            [&](cs_arm_core *core) {
                cs_arm_core_write(core, kIntenset, 1);
                cs_arm_core_write(core, kPmcr, kEnable);
                high = cs_arm_core_wait(core, 2000);
                woken = cs_arm_core_now(core);
            },
            false, {{300, true, false}, {800, false, false}});
        uint64_t flags = 1;

        c.until(200);
        EXPECT_TRUE(c.port.write(400, kOvsset, true, 1)) << "no power";
        EXPECT_TRUE(c.port.read(500, kOvsclr, true, flags));
        EXPECT_EQ(flags, 0u);
        c.until(3000);
        EXPECT_FALSE(high);
        EXPECT_EQ(woken, 2001u);
        EXPECT_FALSE(c.port.read(3001, kOvsclr, true, flags)) << "power is back";
    });
}

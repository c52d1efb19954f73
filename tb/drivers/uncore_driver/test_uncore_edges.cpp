// SPDX-License-Identifier: Apache-2.0
// The uncore driver where little is managed, where nobody calls, and with as many CPUs as there can be.
#include <set>

#include "uncore_rig.hpp"

using cs_test::UncoreRig;

namespace
{

const std::string kMachine = R"(
corepmu: {clock_mhz: 1000}
pmcu: {clusters: 1, slots: 4}
software: {kind: uncore}
uncore:
  bridges: [{access_cycles: 12, near: [0, 1], remote_cycles: 900}]
  units:
    - {name: a, counters: 1}
    - name: b
      counters: 1
      segments: [{events: [{event: "uncore:1", kind: random, rate: 0.4, max_increment: 4}]}]
uncore_driver:
  tick_us: 20
  perf: [{units: [b], stop_us: 101, events: [{event: "uncore:1"}, {event: "uncore:0"}]}]
)";

// The driver of a scenario without a CPU below it: each operation ends well, in its time.
struct Driver {
    cs_scenario *scenario = nullptr;
    cs_uncore_driver_config config = {};
    cs_uncore_driver *driver = nullptr;

    explicit Driver(const std::vector<const char *> &sets = {})
    {
        cs_diag diag = {};

        EXPECT_EQ(cs_scenario_parse(kMachine.data(), kMachine.size(), "t.yaml", ".", sets.data(),
                                    sets.size(), &scenario, &diag),
                  CS_OK)
            << diag.text;
        config = cs_uncore_driver_config_of(scenario);
    }
    Driver(const Driver &) = delete;
    ~Driver()
    {
        cs_uncore_driver_destroy(driver);
        cs_scenario_destroy(scenario);
    }
    cs_status create()
    {
        return cs_uncore_driver_create(&config, &driver, nullptr);
    }

    // The kinds of operations that a CPU's worker asks for, up to its end.
    std::multiset<cs_op_kind> kinds(unsigned cpu)
    {
        const cs_software software = cs_uncore_driver_software(driver, cpu);
        const cs_op_result good = {};
        std::multiset<cs_op_kind> kinds;
        cs_op op = {};
        cs_cycle now = 1;

        for (unsigned i = 0; i < 10000 && op.kind != CS_OP_END; i++) {
            const cs_op_result *last = i != 0 ? &good : nullptr;

            op = {};
            software.next(software.ctx, now, last, &op);
            now += op.cycles;
            kinds.insert(op.kind);
        }
        EXPECT_EQ(op.kind, CS_OP_END);
        return kinds;
    }
};

} // namespace

// A unit that no command names is nobody's, the first one as any other.
TEST(UncoreEdges, NobodyCountsOnTheFirstUnit)
{
    for (const char *list : {"per_pmu", "global", "contexts"}) {
        const std::string set = std::string("uncore_driver.list=") + list;
        UncoreRig rig(kMachine, {set.c_str()});

        rig.run();
        ASSERT_TRUE(rig.ended()) << list;
        EXPECT_EQ(rig.finals().size(), 2u) << list;
        const auto counted = rig.counted();
        for (const auto &c : rig.finals()) {
            EXPECT_EQ(c.unit, 1u) << list;
            EXPECT_GT(c.raw, 0u) << list;
            EXPECT_EQ(c.raw, counted.at({c.unit, c.event})) << list;
        }
        for (const auto &a : rig.log)
            EXPECT_EQ(a.unit, 1u) << list;
    }
}

// A CPU waits for the call of another one where there are others and units move. It sleeps else, so that
// no other software of its port has to look at lines for it.
TEST(UncoreEdges, OnlyWhoMayBeCalledWaits)
{
    const char *const moves = "uncore_driver.hotplug=[{cpu: 1, at_us: 50}]";

    for (const bool side_by_side : {false, true})
        for (const bool moving : {false, true}) {
            Driver d(moving ? std::vector<const char *>{moves} : std::vector<const char *>{});
            d.config.side_by_side = side_by_side;
            ASSERT_EQ(d.create(), CS_OK);
            const auto kinds = d.kinds(0);
            const bool waits = side_by_side && moving;

            EXPECT_EQ(kinds.count(CS_OP_WAIT_IRQ) != 0, waits) << side_by_side << moving;
            EXPECT_EQ(kinds.count(CS_OP_SLEEP) != 0, !waits) << side_by_side << moving;
        }
}

// Each CPU has a worker of its own, the last that there can be as well.
TEST(UncoreEdges, AllCpusMayManage)
{
    Driver d({"uncore_driver.hotplug=[{cpu: 1, at_us: 50}]"});
    std::set<void *> workers;

    d.config.nr_cpus = CS_MAX_CPUS;
    d.config.side_by_side = true;
    for (bool &may : d.config.may)
        may = true;
    ASSERT_EQ(d.create(), CS_OK);
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        workers.insert(cs_uncore_driver_software(d.driver, cpu).ctx);
    EXPECT_EQ(workers.size(), size_t{CS_MAX_CPUS});
    for (const unsigned cpu : {0u, CS_MAX_CPUS - 1})
        EXPECT_NE(d.kinds(cpu).count(CS_OP_WAIT_IRQ), 0u) << cpu;
}

// SPDX-License-Identifier: Apache-2.0
// On a die: what is taken from workloads, and counts against the timelines' truth.
#include "multiplex_rig.hpp"

extern "C" {
#include "drivers/environment.h"
#include "scenario/load.h"
}

using namespace cs_multiplex_test;

namespace
{

const char yaml[] = "name: test\n"
                    "pmcu: {clusters: 1, slots: 4}\n"
                    "corepmu: {counters: 3, absent: [2]}\n"
                    "workloads:\n"
                    "- cpus: all\n"
                    "  segments:\n"
                    "  - cycles: 7000\n"
                    "    mode: el0\n"
                    "    events:\n"
                    "    - {event: 0x08-0x0c, kind: spread, rate: 0.01, rate_high: 2}\n"
                    "  - cycles: 3000\n"
                    "    events:\n"
                    "    - {event: 0x08-0x0c, kind: random, rate: 0.3}\n"
                    "handler:\n"
                    "  mode: el2\n"
                    "  events:\n"
                    "  - {event: 0x08-0x0c, kind: rate, rate: 0.9}\n"
                    "software: {kind: multiplex, cpu: 1}\n"
                    "multiplex:\n"
                    "  events: [0x8, 0x9, 0xa, CPU_CYCLES, 0xb, 0xc]\n"
                    "  tick_us: 100\n"
                    "  interval_us: 1500\n"
                    "  stop_us: 5000\n";

struct Die {
    cs_scenario *scenario = nullptr;
    cs_environment *env = nullptr;
    cs_cpu *port = nullptr;
    std::vector<cs_rotated_count> told;

    explicit Die(const std::string &text)
    {
        cs_diag diag = {};

        EXPECT_EQ(cs_scenario_parse(text.data(), text.size(), "test.yaml", ".", nullptr, 0,
                                    &scenario, &diag),
                  CS_OK)
            << diag.line << ": " << diag.text;
        EXPECT_EQ(cs_environment_create(scenario, nullptr, &env, &diag), CS_OK) << diag.text;
        env->soft = {[](void *ctx, const cs_soft_record *r) {
                         if (r->kind == &cs_soft_rotated)
                             static_cast<Die *>(ctx)->told.push_back(*cs_told_rotated(r));
                     },
                     this};
        const cs_cpu_env cpu = {{Rig::submit, nullptr},
                                env->ports[0].software,
                                cs_environment_enter,
                                cs_environment_leave,
                                nullptr,
                                env};
        EXPECT_EQ(cs_cpu_create(&cpu, &port, nullptr), CS_OK);
    }

    ~Die()
    {
        cs_cpu_destroy(port);
        cs_environment_destroy(env);
        cs_scenario_destroy(scenario);
    }

    cs_cycle run()
    {
        for (cs_cycle now = 0; !cs_cpu_ended(port) && now < 100000000; now += 100000)
            cs_cpu_advance(port, now);
        EXPECT_TRUE(cs_cpu_ended(port));
        EXPECT_EQ(env->status, CS_OK);
        return cs_cpu_end_cycle(port);
    }
};

TEST(MultiplexDie, WorkloadAndWhatIsTakenAreTheWholeSpan)
{
    Die die(yaml);
    const cs_cycle end = die.run();
    uint64_t all = 0;

    EXPECT_EQ(cs_environment_rotating(die.env, CS_SOFTWARE_multiplex),
              &cs_multiplex_get_report(cs_multiplex_of(die.env))->rotating);
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        uint64_t local = 0;
        const uint64_t stolen = cs_multiplex_stolen(cs_multiplex_of(die.env), cpu, end);

        EXPECT_EQ(cs_timeline_track(die.env->timelines[cpu], end, &local), 0u);
        EXPECT_EQ(local + stolen, end) << "CPU " << cpu;
        EXPECT_EQ(cs_environment_cpu_software_cycles(die.env, cpu, end), stolen);
        EXPECT_EQ(stolen == 0, cpu == 2) << "CPU " << cpu; // it is absent
        all += stolen;
    }
    EXPECT_EQ(cs_environment_rotating(die.env, CS_SOFTWARE_multiplex)->rotating_cycles, all);
}

TEST(MultiplexDie, CountsAreTheTimelinesSums)
{
    Die die(yaml);
    die.run();
    const cs_multiplex_report &r = *cs_multiplex_get_report(cs_multiplex_of(die.env));
    size_t finals = 0;

    for (const cs_rotated_count &c : die.told) {
        const uint64_t truth =
            cs_timeline_sum(die.env->timelines[c.cpu], c.event, CS_MODE_ALL, c.from, c.to);

        EXPECT_LE(c.raw, truth);
        EXPECT_LE(c.running, c.to - c.from);
        if (!c.final)
            continue;
        finals++;
        EXPECT_NEAR(double(c.raw) * double(c.to - c.from) / double(c.running), double(truth),
                    0.2 * double(truth))
            << text(c);
    }
    EXPECT_EQ(finals, 3u * 6);
    EXPECT_EQ(r.rotating.ticks, r.rotating.rotations);
    EXPECT_GT(r.rotating.ticks, 100u);
}

// CPUs that go off, each in another way: what perf tells is still what happened in the time that it
// says, and whoever is away loses nothing but that time.
TEST(MultiplexDie, CpusThatGoOff)
{
    constexpr cs_cycle ms = 1000000;

    for (const char *reach : {"affinity", "calls"}) {
        std::string text = std::string(yaml) + "  reach: " + reach + "\n";
        text.insert(text.find("absent"), "outages: [{cpu: 0, at_us: 1000, for_us: 1600, kind: "
                                         "clock_stop}, {cpu: 0, at_us: 4990, for_us: 30, kind: "
                                         "power_down}, {cpu: 3, at_us: 2200, for_us: 700}], ");
        Die die(text);
        const cs_cycle end = die.run();
        const uint64_t off[] = {1630000, 0, 0, 700000};
        unsigned finals = 0;

        for (unsigned cpu = 0; cpu < 4; cpu++) {
            uint64_t local = 0;

            cs_timeline_track(die.env->timelines[cpu], end, &local);
            EXPECT_EQ(local + off[cpu] + cs_multiplex_stolen(cs_multiplex_of(die.env), cpu, end),
                      end)
                << reach << " CPU " << cpu;
        }
        for (const cs_rotated_count &c : die.told) {
            EXPECT_LE(c.raw, cs_timeline_sum(die.env->timelines[c.cpu], c.event, CS_MODE_ALL,
                                             c.from, c.to));
            EXPECT_LE(c.running, c.to - c.from);
            finals += c.final;
            if (c.final && c.cpu == 3) {
                EXPECT_EQ(c.to, 2200000u) << "what the system takes away is over";
            } else if (c.final) {
                EXPECT_GT(c.to, 5 * ms);
                EXPECT_GT(c.raw, 0u);
            }
        }
        EXPECT_EQ(finals, 3u * 6) << reach;
    }
}

TEST(MultiplexDie, AnIdleDieCountsCyclesOnly)
{
    Die die("name: test\n"
            "pmcu: {clusters: 1, slots: 2}\n"
            "corepmu: {clock_mhz: 1000, wfi_clock: runs}\n"
            "software: {kind: multiplex}\n"
            "multiplex: {events: [CPU_CYCLES, 0x8], stop_us: 2000}\n");
    die.run();
    for (const cs_rotated_count &c : die.told) {
        EXPECT_EQ(c.running, c.to - c.from);
        EXPECT_EQ(c.raw, c.event == kCycles ? c.to - c.from : 0);
    }
    EXPECT_EQ(die.told.size(), 4u);
    EXPECT_EQ(cs_multiplex_get_report(cs_multiplex_of(die.env))->rotating.ticks, 0u);
}

} // namespace

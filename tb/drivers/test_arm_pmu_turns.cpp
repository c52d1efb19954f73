// SPDX-License-Identifier: Apache-2.0
// perf stat of more events than counters on core PMUs (docs/drivers/software_way.md): what it prints
// against what the counters did, as its accesses alone say; and perf as a process.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "drivers/corepmu/arm_core.h"
#include "drivers/environment.h"
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/regs/corepmu_regs.h>

extern "C" {
#include "drivers/corepmu/arm_pmu.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/load.h"
}

namespace
{

constexpr unsigned kCycles = 31; // the cycle counter

// A core with its PMU, and what its counters must have counted: by the accesses, and by the stream.
struct Core {
    cs_arm_core *core = nullptr;
    cs_corepmu *pmu = nullptr;
    cs_event_source source = {};
    uint32_t type[32] = {}, enabled = 0;
    bool on = false;
    cs_cycle from = 0;
    std::map<uint32_t, uint64_t> counted;         // by event
    std::vector<std::vector<uint32_t>> schedules; // events on counters, each time that they go on
    unsigned stays = 0, accesses = 0;
    cs_cycle last = 0; // access

    uint32_t event_of(unsigned n) const
    {
        return n == kCycles ? 0x11u : type[n] & 0xffff;
    }
    void count(cs_cycle to)
    {
        for (unsigned n = 0; n < 32 && on; n++)
            if ((enabled >> n & 1) != 0)
                counted[event_of(n)] +=
                    source.sum(source.ctx, n == kCycles ? CS_EVENT_ARM_CLOCK : event_of(n),
                               CS_MODE_ALL, from, to);
        from = to;
    }
    void write(uint16_t at, uint64_t value)
    {
        if (at >= CS_COREPMU_EXT64_PMEVTYPER && at < CS_COREPMU_EXT64_PMEVTYPER + 8u * 31)
            type[(at - CS_COREPMU_EXT64_PMEVTYPER) / 8] = static_cast<uint32_t>(value);
        if (at == CS_COREPMU_EXT64_PMCNTENSET)
            enabled |= static_cast<uint32_t>(value);
        if (at == CS_COREPMU_EXT64_PMCNTENCLR)
            enabled &= ~static_cast<uint32_t>(value);
        if (at != CS_COREPMU_EXT64_PMCR)
            return;
        const bool goes = (value & CS_COREPMU_EXT64_PMCR_E_MASK) != 0;
        if (goes && !on)
            note_schedule();
        on = goes;
    }
    void note_schedule()
    {
        std::vector<uint32_t> events;

        for (unsigned n = 0; n < 32; n++)
            if ((enabled >> n & 1) != 0)
                events.push_back(event_of(n));
        std::sort(events.begin(), events.end());
        if (schedules.empty() || schedules.back() != events)
            schedules.push_back(events);
    }
};

struct Count {
    unsigned cpu;
    uint32_t event;
    cs_cycle from, to;
    uint64_t running, raw;
    bool final;
};

struct Die {
    cs_scenario *scenario = nullptr;
    cs_environment *env = nullptr;
    std::vector<Core> cores;
    std::vector<Count> counts;

    explicit Die(const std::string &arm_pmu, const std::string &corepmu = "counters: 3",
                 const std::string &software = "")
    {
        const std::string text =
            "bus: {clock_mhz: 1000}\npmcu: {clusters: 1, slots: 3}\ncorepmu: {" + corepmu +
            "}\nsoftware: {kind: arm_pmu" + software +
            "}\nworkloads: [{name: w, segments: [{cycles: 700, mode: el0, events: [{event: "
            "\"0x1-0x10\", kind: spread, rate: 0.01, rate_high: 0.9}]}, {cycles: 900, mode: el1, "
            "events: [{event: \"0x1-0x10\", kind: spread, rate: 0.3, rate_high: 0.4}]}]}]\n"
            "arm_pmu: {" +
            arm_pmu + "}\n";
        cs_diag diag = {};

        EXPECT_EQ(cs_scenario_parse(text.data(), text.size(), "t.yaml", ".", nullptr, 0, &scenario,
                                    &diag),
                  CS_OK)
            << diag.text;
        if (scenario == nullptr)
            return;
        EXPECT_EQ(cs_environment_create(scenario, nullptr, &env, &diag), CS_OK) << diag.text;
        if (env == nullptr)
            return;
        env->soft = {told, this};
        cores.resize(3);
        for (unsigned cpu = 0; cpu < cores.size(); cpu++)
            add(cores[cpu], cpu);
    }
    Die(const Die &) = delete;
    ~Die()
    {
        for (Core &c : cores) {
            cs_arm_core_destroy(c.core);
            cs_corepmu_destroy(c.pmu);
        }
        cs_environment_destroy(env);
        cs_scenario_destroy(scenario);
    }
    void add(Core &c, unsigned cpu)
    {
        cs_arm_core_config config = {};
        cs_arm_core_env core_env = {};
        cs_corepmu_config pmu_config = {};
        cs_corepmu_env pmu_env = {};

        if (!cs_environment_arm_core(env, cpu, &config))
            return;
        c.source = pmu_env.events = cs_timeline_event_source(env->timelines[cpu]);
        pmu_config.counters = scenario->corepmu->counters;
        pmu_config.ext64 = true;
        pmu_config.hpmn = pmu_config.counters;
        EXPECT_EQ(cs_corepmu_create(&pmu_config, &pmu_env, &c.pmu, nullptr), CS_OK);
        core_env.access = access;
        core_env.line = [](void *ctx, cs_cycle from, cs_cycle to) {
            return cs_corepmu_irq(static_cast<Core *>(ctx)->pmu, from, to);
        };
        core_env.enter = [](void *ctx, cs_cycle) { static_cast<Core *>(ctx)->stays++; };
        core_env.leave = [](void *, cs_cycle) {};
        core_env.ctx = &c;
        EXPECT_EQ(cs_arm_core_create(&config, &core_env, &c.core, nullptr), CS_OK);
    }
    static bool access(void *ctx, cs_cycle cycle, const cs_arm_core_op *op, uint64_t *data)
    {
        Core &c = *static_cast<Core *>(ctx);
        const cs_corepmu_access access = {op->offset, op->write, false, op->value};

        EXPECT_TRUE(cs_corepmu_system(c.pmu, cycle, &access, data));
        c.accesses++;
        c.last = cycle;
        c.count(cycle + 1);
        if (op->write)
            c.write(op->offset, op->value);
        return true;
    }
    static void told(void *ctx, const cs_soft_record *record)
    {
        if (record->kind != &cs_soft_count)
            return;
        const cs_count *c = cs_told_count(record);

        static_cast<Die *>(ctx)->counts.push_back(
            {c->cpu, c->event, c->from, c->to, c->running, c->raw, c->final});
    }

    // Cycle by cycle, as far as there is anything to do; `backwards`: CPUs in falling order.
    void run(cs_cycle to = 100000000, bool backwards = false)
    {
        for (;;) {
            cs_cycle next = CS_NEVER;

            for (const Core &c : cores)
                if (c.core != nullptr)
                    next = std::min(next, cs_arm_core_next(c.core));
            if (next >= to)
                return;
            for (size_t i = 0; i < cores.size(); i++) {
                Core &c = cores[backwards ? cores.size() - 1 - i : i];

                if (c.core != nullptr)
                    cs_arm_core_advance(c.core, next + 1);
            }
        }
    }
    const cs_rotating_report &report() const
    {
        return *cs_environment_rotating(env, CS_SOFTWARE_arm_pmu);
    }
};

const std::string kSeven = "events: [1, 2, CPU_CYCLES, 4, 5, 6, 7], mux_us: 7, ";

} // namespace

// Whatever perf's way to the CPUs: a count is what its counters counted, in one turn after the other,
// and what it says of the time is within the time.
TEST(ArmPmuTurns, ACountIsWhatItsCountersCounted)
{
    const char *const rows[] = {
        "stop_us: 200",
        "stop_us: 200, interval_us: 60, counter_bits: 12",
        "stop_us: 200, reach: affinity",
        "stop_us: 200, reach: affinity, interval_us: 40, divider: 3, counters: 2",
        "stop_us: 200, reach: calls, interval_us: 40, counter_bits: 13",
        "stop_us: 100, reach: calls, cpus: [0, 2], register_read_cycles: 0, syscall_cycles: 0",
    };

    for (const char *row : rows) {
        Die die(kSeven + row, "counters: 3", ", cpu: 1");
        std::map<std::pair<unsigned, uint32_t>, uint64_t> intervals, running;
        unsigned finals = 0;

        die.run();
        for (const Count &c : die.counts) {
            EXPECT_LE(c.running, c.to - c.from) << row;
            if (!c.final) {
                intervals[{c.cpu, c.event}] += c.raw;
                running[{c.cpu, c.event}] += c.running;
                continue;
            }
            finals++;
            EXPECT_EQ(c.raw, (die.cores[c.cpu].counted[c.event]))
                << row << " CPU " << c.cpu << " event " << c.event;
            EXPECT_GT(c.running, 0u) << row << " CPU " << c.cpu << " event " << c.event;
            EXPECT_LE((intervals[{c.cpu, c.event}]), c.raw) << row;
            EXPECT_LE((running[{c.cpu, c.event}]), c.running) << row;
        }
        const bool two = std::string(row).find("[0, 2]") != std::string::npos;
        EXPECT_EQ(finals, two ? 14u : 21u) << row;
        EXPECT_GT(die.report().rotations, 20u) << row;
    }
}

// The first group that counts goes to the end; from the front on events get counters, up to the first
// that finds none.
TEST(ArmPmuTurns, TheOrderIsTheKernels)
{
    Die die(kSeven + "stop_us: 200, cpus: 0");
    std::vector<uint32_t> list = {1, 2, 0x11, 4, 5, 6, 7};

    die.run();
    const auto &schedules = die.cores[0].schedules;
    ASSERT_GT(schedules.size(), 20u);
    for (const auto &schedule : schedules) {
        std::vector<uint32_t> expected;
        unsigned general = 0;

        for (const uint32_t event : list) {
            if (event != 0x11 && general == 3)
                break;
            general += event != 0x11;
            expected.push_back(event);
        }
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(schedule, expected);
        std::rotate(list.begin(), list.begin() + 1, list.end());
    }
}

// Turns are at multiples of the interval, on all CPUs in the same cycle.
TEST(ArmPmuTurns, TicksAreMultiplesOfTheInterval)
{
    Die die(kSeven + "stop_us: 100, visit_cycles: 0");

    die.run(6999); // what begins in cycle 7000 follows from cycle 6999
    std::vector<unsigned> before;
    for (const Core &c : die.cores)
        before.push_back(c.accesses);
    EXPECT_EQ(die.report().ticks, 0u);
    die.run(7000);
    EXPECT_EQ(die.report().ticks, 3u);
    die.run(9000);
    for (size_t cpu = 0; cpu < die.cores.size(); cpu++)
        EXPECT_GT(die.cores[cpu].accesses, before[cpu]) << cpu;
}

// One event on the CPU where perf sleeps. To enable it: a system call of 1250; PMCR is read and written
// (30) for the empty list, and (30) around the event, whose way in takes 80 and four writes (80), and
// (30) to go on. To disable it: 3000 to wake up, 1250, 30, its way out of 60, three writes (60) and a
// read (10), and 30 for the list. The last reading is a call of 1250, without a register.
TEST(ArmPmuProcess, PaysForEveryStep)
{
    Die die("events: [1], stop_us: 50, reach: affinity, cpus: 0");

    die.run();
    EXPECT_EQ(die.report().rotating_cycles,
              1250u + 30 + 30 + 160 + 30 + 3000 + 1250 + 30 + 130 + 30 + 1250);
    EXPECT_EQ(die.report().interrupts, 0u);
    ASSERT_EQ(die.counts.size(), 1u);
    EXPECT_EQ(die.counts[0].raw, die.cores[0].counted[1]);
}

// It goes to the CPUs, or calls them: then each event of another CPU is an interrupt there.
TEST(ArmPmuProcess, GoesOrCalls)
{
    const std::string two = "events: [1, 2], stop_us: 80, cpus: [0, 2], reach: ";
    Die goes(two + "affinity", "counters: 3", ", cpu: 1"),
        calls(two + "calls", "counters: 3", ", cpu: 1");

    goes.run();
    EXPECT_EQ(goes.report().interrupts, 0u);
    EXPECT_EQ(goes.cores[0].stays, 3u); // to enable, to disable, to read
    EXPECT_EQ(goes.cores[1].stays, 2u); // it begins there, and wakes up
    EXPECT_EQ(goes.cores[2].stays, 3u);
    calls.run();
    EXPECT_EQ(calls.report().interrupts, 8u); // two events of two CPUs, on and off
    EXPECT_EQ(calls.cores[0].stays, 4u);
    EXPECT_EQ(calls.cores[1].stays, 2u);
    EXPECT_EQ(calls.cores[1].accesses, 0u); // it has no events of perf's
    ASSERT_EQ(calls.counts.size(), 4u);
}

// What one CPU leaves to another it does so for later: nothing depends on who is executed first.
TEST(ArmPmuProcess, TheOrderOfCpusWithinACycleIsNoMatter)
{
    for (const char *reach : {"affinity", "calls"})
        for (unsigned cycles = 0; cycles < 24; cycles += 3) {
            const std::string keys =
                "events: [1, 2, 3, 4], mux_us: 2, stop_us: 60, interval_us: 9, irq_entry_cycles: "
                "0, "
                "irq_exit_cycles: 0, visit_cycles: 0, ipi_cycles: 0, register_read_cycles: 1, "
                "register_write_cycles: 1, syscall_cycles: " +
                std::to_string(cycles) + ", reach: " + reach;
            Die there(keys), back(keys);

            there.run();
            back.run(100000000, true);
            ASSERT_EQ(there.counts.size(), back.counts.size()) << keys;
            for (size_t i = 0; i < there.counts.size(); i++)
                ASSERT_EQ(there.counts[i].to, back.counts[i].to) << keys << " " << i;
            EXPECT_EQ(there.report().rotating_cycles, back.report().rotating_cycles) << keys;
        }
}

// A CPU that is taken away ends its events, also while perf is there; perf reports them, and goes on
// with the others.
TEST(ArmPmuProcess, SurvivesACpuThatIsTakenAway)
{
    for (const char *reach : {"affinity", "calls"})
        for (unsigned at = 150; at < 200; at += 7) {
            Die die(kSeven + "stop_us: 300, interval_us: 30, reach: " + std::string(reach),
                    "counters: 3, outages: [{cpu: 2, at_us: " + std::to_string(at) +
                        ", for_us: 5000, kind: hotplug}]");
            unsigned finals = 0;

            die.run();
            for (const Count &c : die.counts) {
                finals += c.final;
                EXPECT_LT(c.to, 600000u) << reach << " " << at;
                if (!c.final)
                    continue;
                EXPECT_EQ(c.raw, die.cores[c.cpu].counted[c.event]) << reach << " " << c.cpu;
                EXPECT_EQ(c.to < at * 1000, c.cpu == 2) << reach << " CPU " << c.cpu;
            }
            EXPECT_EQ(finals, 21u) << reach << " " << at;
        }
}

// A run may end before perf does.
TEST(ArmPmuProcess, MayBeGivenUp)
{
    for (const cs_cycle to : {3000u, 20000u, 77777u}) {
        Die die(kSeven + "stop_us: 300, interval_us: 30, reach: calls");

        die.run(to);
        EXPECT_TRUE(die.counts.empty() || !die.counts.back().final);
    }
}

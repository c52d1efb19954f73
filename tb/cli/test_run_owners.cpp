// SPDX-License-Identifier: Apache-2.0
// `countersink run` with two owners of the cores' counters (docs/drivers/two_owners.md), with the published
// driver's quirks, and with a reader that is late (docs/drivers/pmcu_driver.md).
#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

using Cells = std::vector<std::string>;

// perf and a PMCU on two CPUs; the PMCU from 40 us on.
const char kTwo[] = R"(name: two
seed: 3
pmcu: {clusters: 1, slots: 2}
corepmu: {counters: 8, hpmn: 3, hpme: true}
workloads:
  - name: server
    segments:
      - {cycles: 20000, mode: el0, cid1: 100, events: [{event: "0x01-0x10", kind: spread, rate: 0.1, rate_high: 2}]}
      - {cycles: 15000, mode: el1, cid1: 200, events: [{event: "0x01-0x10", kind: spread, rate: 0.1, rate_high: 2}]}
handler: {mode: el2, events: [{event: INST_RETIRED, rate: 1}]}
software: {kind: [pmcu_driver, arm_pmu], irq_latency_cycles: 100}
pmcu_driver:
  user_events: "01 03 04 05 08"
  nr_sample: 8
  sample_period_ticks: 250
  start_at_cycle: 40000
  comp: false
arm_pmu:
  events: [CPU_CYCLES, INST_RETIRED, "0x02"]
  start_us: 10
  stop_us: 200
)";

// A PMCU's session alone, on CPU 1.
const char kAlone[] = R"(name: alone
seed: 3
pmcu: {clusters: 1, slots: 2}
corepmu: {counters: 8, hpmn: 3, hpme: true}
workloads:
  - {name: server, segments: [{mode: el0, events: [{event: "0x01-0x10", kind: spread, rate: 0.1, rate_high: 2}]}]}
software: {cpu: 1, irq_latency_cycles: 100}
limit_cycles: 20000000
pmcu_driver: {user_events: "01 03 04", nr_sample: 8, sample_period_ticks: 250, aux_buffer_bytes: 4 KiB, comp: false}
)";

// perf record of two CPUs; five samples of an event in a tick are one too many.
const char kRecord[] = R"(name: record
seed: 3
pmcu: {clusters: 1, slots: 2}
corepmu: {counters: 8}
workloads:
  - {name: server, segments: [{mode: el0, cid1: 100, events: [{event: "0x01-0x10", kind: spread, rate: 0.1, rate_high: 2}]}]}
handler: {mode: el2, events: [{event: INST_RETIRED, rate: 1}]}
software: {kind: arm_pmu}
arm_pmu:
  command: record
  events: [CPU_CYCLES, INST_RETIRED, "0x02"]
  period: 4000
  max_samples_per_tick: 4
  tick_us: 50
  start_us: 10
  stop_us: 400
)";

struct Owners : Command {
    void SetUp() override
    {
        temp.write("record.yaml", kRecord);
        temp.write("two.yaml", kTwo);
        temp.write("alone.yaml", kAlone);
    }
    void simulate(const std::string &arguments, int status = 0)
    {
        std::filesystem::remove_all(temp.path() / "out");
        const Outcome o = run("run -o out " + arguments);

        ASSERT_EQ(o.status, status) << o.err;
        err = without_former(o.err);
        text = o.out;
        json = json_flat(temp.file("out/summary.json"));
    }
    Cells ask(const std::string &sql)
    {
        return Database(temp.file("out/truth.sqlite")).ask(sql);
    }
    uint64_t number(const std::string &sql)
    {
        return std::stoull(ask(sql).at(0));
    }
    // Every row is accounted for to the last event.
    void expect_balance()
    {
        EXPECT_EQ(ask("SELECT count(*) FROM owner WHERE should <> counted + stopped + replaced + "
                      "dropped"),
                  Cells{"0"});
        EXPECT_EQ(ask("SELECT count(*) FROM owner WHERE owner = 'perf' AND should > 0").size(), 1u);
    }

    std::string text, err;
    std::map<std::string, std::string> json;
};

} // namespace

TEST_F(Owners, NobodyKeepsThemApart)
{
    simulate("two.yaml");
    expect_balance();
    EXPECT_TRUE(has(err, "6 of 6 counts of perf are not what")) << err;
    EXPECT_TRUE(has(text, "all samples were taken"));
    EXPECT_EQ(json["pmcu_wrong"], "0") << "perf stat writes only when it begins and ends";
    EXPECT_EQ(ask("SELECT count(*) FROM arm_count WHERE final AND value > 10 * should"),
              Cells{"6"});
    // The PMCU's first walk stops perf's counters, for good after its last.
    EXPECT_EQ(ask("SELECT cause, step FROM disturbance WHERE of = 'perf' ORDER BY cycle LIMIT 1"),
              Cells{"stopped|INIT"});
    EXPECT_EQ(number("SELECT count(*) FROM disturbance WHERE of = 'perf' AND cause = 'stopped' AND "
                     "step = 'STOP'"),
              2u * 3 * 8);
    EXPECT_GT(number("SELECT sum(stopped) FROM owner WHERE owner = 'perf'"),
              number("SELECT sum(counted) FROM owner WHERE owner = 'perf'"));
}

TEST_F(Owners, ATaskDisturbsThePmcu)
{
    simulate("--set arm_pmu.command=task --set arm_pmu.process=100 two.yaml");
    expect_balance();
    EXPECT_GT(std::stoul(json["perf_switches"]), 10u);
    EXPECT_GT(std::stoul(json["pmcu_wrong"]), 0u);
    EXPECT_TRUE(has(err, "the PMCU read")) << err;
    EXPECT_GT(number("SELECT count(*) FROM disturbance WHERE of = 'pmcu' AND cause = 'written'"),
              0u);
    EXPECT_GT(number("SELECT count(*) FROM disturbance WHERE of = 'pmcu' AND cause = 'replaced'"),
              0u);
    EXPECT_EQ(number("SELECT count(*) FROM sample WHERE value <> truth"),
              std::stoul(json["wrong_values"]));
    EXPECT_EQ(json["wrong_values"], json["pmcu_wrong"]) << "two ways to the same truth";
}

TEST_F(Owners, ATaskCountsItsProcessAlone)
{
    simulate("--set arm_pmu.command=task --set arm_pmu.process=100 --set "
             "pmcu_driver.start_at_cycle=400000 two.yaml");
    EXPECT_EQ(json["perf_wrong"], "0") << err;
    const uint64_t time = number("SELECT sum(running) FROM arm_count WHERE final AND cpu = 0 AND "
                                 "event = 17");
    EXPECT_GT(time, 190000u * 20 / 35 * 8 / 10);
    EXPECT_LT(time, 190000u * 20 / 35 * 12 / 10);
}

TEST_F(Owners, SamplesStop)
{
    const std::string record = "--set arm_pmu.command=record --set arm_pmu.period=3000 ";

    simulate(record + "--set pmcu_driver.start_at_cycle=400000 two.yaml");
    const uint64_t alone = std::stoul(json["perf_samples"]);
    EXPECT_EQ(json["perf_wrong"], "0");
    // As many as there were periods, but for the last of each event and CPU.
    EXPECT_NEAR(static_cast<double>(alone),
                static_cast<double>(number("SELECT sum(should) FROM owner WHERE owner = 'perf'")) /
                    3000,
                8);
    simulate(record + "two.yaml");
    EXPECT_LT(std::stoul(json["perf_samples"]), alone / 2);
    EXPECT_EQ(ask("SELECT max(cycle) < 45000 FROM arm_sample"), Cells{"1"})
        << "none after the PMCU's first reset";
}

TEST_F(Owners, PerfYields)
{
    simulate("--set arm_pmu.owner=yield two.yaml");
    expect_balance();
    EXPECT_EQ(err, "");
    EXPECT_EQ(json["perf_wrong"], "0");
    EXPECT_EQ(json["pmcu_wrong"], "0");
    EXPECT_EQ(json["perf_yields"], "2");
    EXPECT_GT(std::stoul(json["claim_ns"]), 0u);
    EXPECT_EQ(ask("SELECT count(*) FROM disturbance"), Cells{"0"});
    EXPECT_EQ(ask("SELECT count(*) FROM rotated WHERE final AND running < enabled"), Cells{"6"});
}

TEST_F(Owners, WhoCameFirstKeepsThem)
{
    simulate("--set arm_pmu.owner=refuse two.yaml");
    EXPECT_TRUE(has(text, "EBUSY")) << text;
    EXPECT_EQ(json["perf_wrong"], "0");
    EXPECT_EQ(ask("SELECT count(*) FROM subsample"), Cells{"0"});
    EXPECT_EQ(ask("SELECT count(*) FROM access WHERE unit = 'pmcu'"), Cells{"0"});

    simulate("--set arm_pmu.owner=refuse --set pmcu_driver.start_at_cycle=0 two.yaml");
    EXPECT_TRUE(has(err, "perf got EBUSY")) << err;
    EXPECT_TRUE(has(text, "all samples were taken"));
    EXPECT_EQ(ask("SELECT count(*) FROM arm_count"), Cells{"0"});
}

TEST_F(Owners, EachHasItsOwn)
{
    for (const char *guest : {"false", "true"}) {
        simulate(std::string("--set arm_pmu.owner=partition --set pmcu_driver.comp=true --set "
                             "arm_pmu.guest=") +
                 guest + " two.yaml");
        expect_balance();
        EXPECT_EQ(json["perf_wrong"], "0");
        EXPECT_EQ(json["pmcu_wrong"], "0");
        EXPECT_EQ(ask("SELECT count(*) FROM disturbance"), Cells{"0"});
        EXPECT_EQ(ask("SELECT min(counter), max(counter) FROM owner WHERE owner = 'pmcu' AND "
                      "should > 0"),
                  Cells{"3|7"});
    }
}

TEST_F(Owners, WhatDoesNotGoTogetherIsAnError)
{
    static const struct {
        const char *set, *why;
    } wrong[] = {
        {"--set arm_pmu.owner=partition", "partition needs pmcu_driver.comp"},
        {"--set arm_pmu.owner=yield --set arm_pmu.guest=true", "a guest knows of no PMCU"},
        {"--set arm_pmu.command=record", "record needs arm_pmu.period"},
        {"--set arm_pmu.process=1", "not allowed without arm_pmu.command task"},
        {"--set arm_pmu.start_us=300", "200 is not after arm_pmu.start_us 300"},
        {"--set arm_pmu.counters=9", "9 is more than the 8 counters that perf may use"},
        {"--set arm_pmu.guest=true --set arm_pmu.counters=4", "more than the 3 counters"},
        {"--set arm_pmu.owner=yield --set arm_pmu.reach=calls", "calls needs arm_pmu.command stat"},
        {"--set pmcu_driver.stop_at_cycle=9", "9 is not after pmcu_driver.start_at_cycle 40000"},
    };

    for (const auto &w : wrong) {
        const Outcome o = run(std::string("run -o out ") + w.set + " two.yaml");

        EXPECT_EQ(o.status, 2) << w.set;
        EXPECT_TRUE(has(o.err, w.why)) << w.set << ": " << o.err;
    }
}

TEST_F(Owners, TracesHoldBoth)
{
    const std::string record = "--set arm_pmu.command=record --set arm_pmu.period=3000 two.yaml";

    for (const char *format : {"perf", "csv"}) {
        const std::string file = std::string("t.") + format;

        ASSERT_EQ(run("trace -o " + file + " --format " + format + " " + record).status, 0);
        const Outcome o = run("check " + file);
        EXPECT_EQ(o.status, 0) << format << o.out << o.err;
        EXPECT_FALSE(has(o.out, "DISAGREES")) << o.out;
    }
    ASSERT_EQ(run("trace -o one.data --format perf --command arm_pmu.perf.0 " + record).status, 0);
    EXPECT_EQ(run("check one.data").status, 0);
    ASSERT_EQ(run("trace -o stat.data --format perf --command arm_pmu.perf.0 --set "
                  "arm_pmu.owner=yield two.yaml")
                  .status,
              0);
    EXPECT_EQ(run("check stat.data").status, 0);
}

// ---- quirks ----

TEST_F(Owners, CompUnset)
{
    simulate("--set pmcu_driver.comp=true alone.yaml");
    EXPECT_EQ(ask("SELECT count(*) FROM event WHERE cycle_counter"), Cells{"0"});
    simulate("--set pmcu_driver.comp=true --set 'pmcu_driver.quirks=[comp_unset]' alone.yaml");
    EXPECT_EQ(ask("SELECT count(*) FROM event WHERE cycle_counter"), Cells{"1"})
        << "the hardware is in normal mode";
    EXPECT_LT(std::stoul(json["aux_bytes"]), std::stoul(json["sample_bytes"]))
        << "the driver's sizes have no room for it";
}

TEST_F(Owners, LateClear)
{
    // 84 samples of 20 ns fill a buffer; the run of the last one ends before the handler has written
    // INT_CLR.
    const std::string shorts =
        "--set pmcu_driver.sample_period_ticks=1 --set pmcu_driver.user_events=01 --set "
        "pmcu_driver.nr_sample=85 --set software.access_cycles=3000 --set limit_cycles=3000000 ";

    simulate(shorts + "alone.yaml");
    EXPECT_TRUE(has(text, "all samples were taken"));
    simulate(shorts + "--set 'pmcu_driver.quirks=[late_clear]' alone.yaml");
    EXPECT_FALSE(has(text, "all samples were taken")) << "the DONE is lost";
}

TEST_F(Owners, StopMasked)
{
    const std::string stop = "--set pmcu_driver.stop_at_cycle=20000 ";

    simulate(stop + "alone.yaml");
    EXPECT_TRUE(has(text, "stopped by the user\n")) << text;
    simulate(stop + "--set 'pmcu_driver.quirks=[stop_masked]' alone.yaml");
    EXPECT_TRUE(has(text, "did not answer in time")) << text;
    // On another CPU the handler can answer.
    simulate(stop + "--set 'pmcu_driver.quirks=[stop_masked, affinity_unset]' alone.yaml");
    EXPECT_TRUE(has(text, "stopped by the user\n")) << text;
}

TEST_F(Owners, AffinityUnset)
{
    const char sql[] = "SELECT DISTINCT cpu FROM software ORDER BY cpu";

    simulate("alone.yaml");
    EXPECT_EQ(ask(sql), Cells{"1"});
    simulate("--set 'pmcu_driver.quirks=[affinity_unset]' alone.yaml");
    EXPECT_EQ(ask(sql), (Cells{"0", "1"}));
}

TEST_F(Owners, StatusUnread)
{
    const std::string fault =
        "--set 'memory.faults=[{base: 0x81000000, size: 64 KiB, access: write, nth: 6, count: 1, "
        "action: error}]' ";

    simulate(fault + "alone.yaml");
    EXPECT_TRUE(has(text, "STORE_ERR")) << text;
    simulate(fault + "--set 'pmcu_driver.quirks=[status_unread]' alone.yaml");
    EXPECT_TRUE(has(text, "all samples were taken")) << text;
    EXPECT_TRUE(has(err, "samples for good")) << err;
}

TEST_F(Owners, StaysEnabled)
{
    const char sql[] = "SELECT count(*) FROM access WHERE unit = 'pmcu' AND offset = 256 AND value "
                       "= 0 AND direction = 'write'";

    simulate("alone.yaml");
    EXPECT_EQ(ask(sql), Cells{"1"});
    simulate("--set 'pmcu_driver.quirks=[stays_enabled]' alone.yaml");
    EXPECT_EQ(ask(sql), Cells{"0"});
}

// ---- perf reads late ----

TEST_F(Owners, PerfReadsLate)
{
    const std::string late =
        "--set pmcu_driver.nr_sample=600 --set pmcu_driver.aux_buffers=2 --set "
        "pmcu_driver.reader_us=700 ";

    simulate("--set pmcu_driver.nr_sample=600 --set pmcu_driver.aux_buffers=2 alone.yaml");
    const uint64_t in_time = std::stoul(json["simulated_ns"]);
    simulate(late + "alone.yaml");
    const uint64_t times = std::stoul(json["aux_truncated"]);
    EXPECT_GT(times, 2u);
    EXPECT_TRUE(has(err, "samples were not taken")) << err;
    EXPECT_EQ(number("SELECT count(*) FROM aux_loss"), times);
    EXPECT_EQ(number("SELECT sum(samples) FROM aux_loss"), std::stoul(json["samples_lost"]));
    EXPECT_EQ(number("SELECT count(*) FROM subsample"), 600u) << "they are taken later";
    EXPECT_NEAR(static_cast<double>(std::stoul(json["simulated_ns"]) - in_time),
                std::stod(json["aux_full_ns"]), 3000);

    ASSERT_EQ(run("trace -o a.data --format perf --flavour faithful --set pmcu.slots=8 " + late +
                  "--set pmcu_driver.nr_sample=200 alone.yaml")
                  .status,
              0);
    const Outcome o = run("check a.data");
    EXPECT_EQ(o.status, 0) << o.out;
    EXPECT_TRUE(has(o.out, "AUX truncated")) << o.out;
}

TEST_F(Owners, AStopWhileAllBuffersAreFull)
{
    simulate("--set pmcu_driver.nr_sample=300 --set pmcu_driver.aux_buffers=1 --set "
             "pmcu_driver.reader_us=5000 --set pmcu_driver.stop_at_cycle=2000000 alone.yaml");
    EXPECT_TRUE(has(text, "stopped by the user\n")) << text;
    EXPECT_EQ(json["aux_truncated"], "1");
}

// Each PMCU claims the counters of its own die.
TEST_F(Owners, ADieClaimsItsOwnCpus)
{
    simulate("two.yaml --set pmcu.dies=2 --set arm_pmu.owner=yield --set pmcu_driver.dies='[{sccl: "
             "1}]'");
    EXPECT_EQ(json.at("perf_yields"), "2");
    EXPECT_EQ(json.at("perf_wrong"), "0");
    EXPECT_EQ(
        ask("SELECT DISTINCT cpu FROM arm_count WHERE final AND running < (stop - start) * 9 / "
            "10 ORDER BY cpu"),
        (Cells{"2", "3"}));
    EXPECT_EQ(ask("SELECT DISTINCT cpu FROM owner WHERE owner = 'pmcu' ORDER BY cpu"),
              (Cells{"2", "3"}));
    simulate("two.yaml --set pmcu.dies=2 --set arm_pmu.owner=none");
    EXPECT_EQ(ask("SELECT DISTINCT cpu FROM disturbance WHERE of = 'perf' ORDER BY cpu"),
              (Cells{"0", "1", "2", "3"}));
    EXPECT_EQ(ask("SELECT count(*) FROM disturbance WHERE of = 'perf' AND step IS NULL"),
              Cells{"0"});
    expect_balance();
}

// What was saved before the power went is what perf prints; a CPU that was taken away counts no more.
TEST_F(Owners, CpusThatGoOffTakeTheirEventsAlong)
{
    const char *const all = "two.yaml --set software.cpu=0 --set arm_pmu.owner=yield --set "
                            "arm_pmu.switch_cycles=100 --set corepmu.outages='[{cpu: 1, at_us: "
                            "150, for_us: 20, kind: ";

    for (const char *kind : {"power_down", "hotplug", "clock_stop"}) {
        simulate(std::string(all) + kind + "}]'");
        EXPECT_EQ(json.at("perf_wrong"), "0") << kind;
        EXPECT_EQ(ask("SELECT count(*) FROM arm_count WHERE final"), Cells{"6"}) << kind;
        EXPECT_EQ(ask("SELECT count(*) FROM arm_count WHERE final AND cpu = 1 AND stop < 150000"),
                  Cells{std::string(kind) == "hotplug" ? "3" : "0"})
            << kind;
        expect_balance();
    }
    simulate(std::string(all) + "hotplug}]' --set arm_pmu.start_us=160");
    EXPECT_EQ(ask("SELECT DISTINCT cpu FROM arm_count"), Cells{"0"}) << "it was not there";
    simulate(std::string(all) + "hotplug}]' --set arm_pmu.command=task --set arm_pmu.process=100");
    EXPECT_EQ(json.at("perf_wrong"), "0");
    EXPECT_EQ(ask("SELECT count(*) FROM arm_count WHERE final AND stop < 200000"), Cells{"0"})
        << "a process comes back";
}

// perf record of many samples: each event stops for the rest of a tick, and perf.data says so.
TEST_F(Owners, ThrottledEventsGoOnAtTheTick)
{
    simulate("record.yaml");
    const Database truth(temp.file("out/truth.sqlite"));
    // In each tick of an event there are five samples at most, and five where it was stopped.
    EXPECT_EQ(truth.one("SELECT max(n) FROM (SELECT count(*) AS n FROM arm_sample GROUP BY cpu, "
                        "event, cycle/50000)"),
              "5");
    EXPECT_GT(truth.number("SELECT count(*) FROM throttle WHERE stopped"), 10);
    EXPECT_EQ(
        truth.number("SELECT count(*) FROM throttle t WHERE stopped AND (SELECT count(*) FROM "
                     "arm_sample s WHERE s.cpu=t.cpu AND s.event=t.event AND "
                     "s.cycle/50000=t.cycle/50000)<>5"),
        0);
    // Stopped and let go on by turns.
    EXPECT_LE(truth.number("SELECT abs(sum(iif(stopped,1,-1))) FROM throttle"), 6);
    ASSERT_EQ(run("trace --format perf -o t.data record.yaml").status, 0);
    const Outcome checked = run("check t.data");
    EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
    EXPECT_NE(checked.out.find("throttles"), std::string::npos) << checked.out;
}

// The driver's CPU is taken away: it breaks what is going on, and takes all samples on another one.
TEST_F(Owners, TheDriverLeavesACpuThatGoesOff)
{
    const std::string alone = "alone.yaml --set keep.samples_truth=true --set "
                              "pmcu_driver.sample_period_ticks=100000 ";

    simulate(alone);
    const std::string samples = json.at("samples");

    EXPECT_EQ(json.count("driver_moves"), 0u);
    simulate(alone + "--set corepmu.outages='[{cpu: 1, at_us: 3020, for_us: 100, unlock_us: 0}]'");
    EXPECT_EQ(json.at("driver_moves"), "1");
    EXPECT_TRUE(has(text, "\n  moves of the driver ")) << text;
    EXPECT_EQ(json.at("triggers"), "2");
    EXPECT_EQ(json.at("lost_slots"), "1") << "the window in which the CPU went off";
    EXPECT_EQ(json.at("wrong_values"), "4") << "of that slot alone";
    EXPECT_GE(std::stoull(json.at("samples")), std::stoull(samples));
    // start and stop there, start and the interrupt here, and perf's copying
    EXPECT_EQ(ask("SELECT cpu FROM software ORDER BY start"), (Cells{"1", "1", "0", "0", "0"}));
    EXPECT_EQ(ask("SELECT count(*) FROM software s JOIN outage o USING(cpu) WHERE s.start < o.stop "
                  "AND s.stop > o.start"),
              Cells{"0"});
    EXPECT_EQ(ask("SELECT * FROM outage"), Cells{"1|hotplug|3020000|3120000|3120000"});
}

// Other software clears what an interrupt was for, before the driver has looked.
TEST_F(Owners, AnInterruptWithoutACauseIsTold)
{
    temp.write("cleared.yaml", R"(name: cleared
pmcu: {clusters: 1, slots: 2}
workloads:
  - name: steady
    segments:
      - {cycles: 3000, mode: el0, events: [{event: INST_RETIRED, rate: 1.5}]}
software: {kind: [pmcu_driver, script], irq_latency_cycles: 3000, ports: per_cpu}
pmcu_driver: {nr_sample: 1, stop_at_cycle: 3000000, sample_period_ms: 1, user_events: [INST_RETIRED]}
script:
  - cpu: 1
  - wait_irq: 0
  - write: {at: pmcu.INT_CLR, value: 3}
)");
    simulate("cleared.yaml");
    EXPECT_EQ(json.at("driver_spurious"), "1");
    EXPECT_TRUE(has(text, "\n  spurious interrupts ")) << text;
    simulate("alone.yaml");
    EXPECT_EQ(json.count("driver_spurious"), 0u);
}

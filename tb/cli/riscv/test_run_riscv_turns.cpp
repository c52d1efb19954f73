// SPDX-License-Identifier: Apache-2.0
// Runs of harts: more events than counters, which take turns (docs/drivers/riscv_driver.md, "Turns").
#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

namespace
{

// kKnown has mcycle, minstret and two counters of the hart; a phase is 1.5 us, a turn 50.
struct RunRiscvTurns : RunRiscv {
    void turns(const std::string &perf, const std::string &options = "",
               const std::string &driver = "mux_us: 50")
    {
        temp.write("known.yaml",
                   std::string(kKnown) + "  driver: {" + driver + "}\n  perf:\n" + perf);
        simulate("known.yaml", "--set harts.counters=2 " + options);
        EXPECT_EQ(figure("wrong_counts"), 0);
    }
    std::string of(const std::string &column, const std::string &name, unsigned command = 0)
    {
        return db().one("SELECT " + column + " FROM rotated WHERE final AND name = '" + name +
                        "' AND command = " + std::to_string(command));
    }
    double share(const std::string &name, unsigned command = 0)
    {
        return std::stod(of("1.0 * running / enabled", name, command));
    }
    double scaled(const std::string &name)
    {
        return std::stod(of("scaled", name));
    }
};

const std::string kSpan = "start_us: 100, stop_us: 3100";

} // namespace

TEST_F(RunRiscvTurns, EachHasItsShareAndItsEstimate)
{
    for (const char *options :
         {"", "--set harts.xlen=32", "--set riscv.driver.snapshot=true",
          "--set riscv.driver.kind=delegated", "--set riscv.firmware.form=proposal_v3"}) {
        SCOPED_TRACE(options);
        turns("    - {events: [r40, r41, r42, \"hpm:0x43\"], " + kSpan + "}\n", options);
        for (const char *name : {"r40", "r41", "r42"})
            EXPECT_NEAR(share(name), 0.5, 0.03) << name;
        EXPECT_NEAR(scaled("r40"), 3e6, 2.4e5);
        EXPECT_NEAR(scaled("r41"), 2e6, 1.6e5);
        EXPECT_NEAR(scaled("r42"), 5e5, 5e4);
        EXPECT_NEAR(std::stod(of("truth", "r40")), 3e6, 2.4e5) << "but for the software's time";
        for (const char *name : {"r40", "r41"})
            EXPECT_NEAR(std::stod(of("error", name)), 0, 0.05) << name;
        EXPECT_EQ(of("raw", "hpm:0x43"), "0");
        EXPECT_EQ(figure("rotated_events"), 4);
        EXPECT_EQ(figure("never_counted"), 0);
        EXPECT_EQ(ask("SELECT count(*) FROM count"), 0);
        check_cycles();
    }
}

// All ticks are multiples of mux_us; there is none where nobody waits.
TEST_F(RunRiscvTurns, TicksComeWhileSomebodyWaits)
{
    turns("    - {events: [r40, r41, r42], " + kSpan + "}\n");
    EXPECT_EQ(figure("ticks"), (3100 - 100) / 50 - 1);
    EXPECT_EQ(figure("rotations"), figure("ticks"));
    turns("    - {events: [r40, r41], " + kSpan + "}\n");
    EXPECT_EQ(figure("ticks"), 0);
    EXPECT_EQ(share("r40"), 1);
    EXPECT_EQ(of("scaled - raw", "r41"), "0.0");
}

TEST_F(RunRiscvTurns, PinnedOnesNeverWait)
{
    turns("    - {events: [r40, \"r41:D\", r42], " + kSpan + "}\n");
    EXPECT_EQ(share("r41"), 1);
    EXPECT_EQ(of("pinned", "r41"), "1");
    EXPECT_NEAR(share("r40") + share("r42"), 1, 0.01);
    EXPECT_EQ(of("pinned", "r40"), "0");
}

TEST_F(RunRiscvTurns, APinnedOneWithoutACounterIsInError)
{
    turns("    - {events: [\"r40:D\", \"r41:D\", \"r42:D\", cycles], " + kSpan + "}\n");
    EXPECT_EQ(share("r42"), 0);
    EXPECT_EQ(of("scaled", "r42"), "NULL");
    EXPECT_EQ(figure("pinned_in_error"), 1);
    EXPECT_EQ(figure("ticks"), 0) << "nobody waits: mcycle counts cycles";
    EXPECT_EQ(share("cycles"), 1);
}

// All of a group, or nothing of it: with three events on two counters it never counts, and ends the list.
TEST_F(RunRiscvTurns, Groups)
{
    turns("    - {events: [\"{r40,r41}\", \"{r42}\"], " + kSpan + "}\n");
    EXPECT_NEAR(share("r40"), 0.5, 0.03);
    EXPECT_EQ(of("running", "r40"), of("running", "r41"));
    EXPECT_NEAR(share("r42"), 0.5, 0.03);
    turns("    - {events: [\"{r40,r41,r42}\", \"hpm:0x43\"], " + kSpan + "}\n");
    for (const char *name : {"r40", "r41", "r42"}) {
        EXPECT_EQ(of("running", name), "0") << name;
        EXPECT_EQ(of("scaled", name), "NULL") << name;
    }
    EXPECT_NEAR(share("hpm:0x43"), 0.5, 0.03);
    EXPECT_EQ(figure("never_counted"), 3);
}

// Intervals are pieces of the whole.
TEST_F(RunRiscvTurns, Intervals)
{
    turns("    - {events: [r40, r41, r42], interval_us: 700, " + kSpan + "}\n");
    EXPECT_EQ(ask("SELECT count(*) FROM rotated WHERE NOT final AND name = 'r40'"), 5);
    for (const char *column : {"raw", "enabled", "running", "truth"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM (SELECT name, sum(") + column +
                      ") AS s FROM rotated WHERE NOT final GROUP BY name) JOIN (SELECT name, " +
                      column + " AS f FROM rotated WHERE final) USING(name) WHERE s <> f"),
                  0)
            << column;
}

// What becomes free is anybody's.
TEST_F(RunRiscvTurns, ACommandLeavesItsCounters)
{
    turns("    - {events: [r40, r41], start_us: 100, stop_us: 3100}\n"
          "    - {events: [r40, r42], start_us: 1000, stop_us: 2000}\n");
    EXPECT_NEAR(share("r40", 0), 2.5 / 3, 0.03);
    EXPECT_NEAR(share("r42", 1), 0.5, 0.06);
    EXPECT_NEAR(static_cast<double>(figure("ticks")), 20, 1);
}

// But for a pinned event that found none: it is in error from then on, and so is its group.
TEST_F(RunRiscvTurns, APinnedEventInErrorStaysThere)
{
    turns("    - {events: [\"r40:D\", \"r41:D\"], start_us: 100, stop_us: 1500}\n"
          "    - {events: [\"r42:D\"], start_us: 500, stop_us: 3100}\n"
          "    - {events: [\"{r40,r42}:D\"], start_us: 600, stop_us: 3100}\n"
          "    - {events: [r42], start_us: 1000, stop_us: 3000}\n");
    EXPECT_EQ(of("running", "r40", 0), of("enabled", "r40", 0));
    EXPECT_EQ(of("running", "r42", 1), "0");
    EXPECT_EQ(of("running", "r40", 2), "0");
    EXPECT_EQ(of("running", "r42", 2), "0");
    EXPECT_NEAR(share("r42", 3), 0.75, 0.03);
}

// Periods go on from turn to turn.
TEST_F(RunRiscvTurns, SamplesOfEventsInTurns)
{
    turns("    - {events: [r40, r41, r42], sample_period: 20000, " + kSpan + "}\n");
    const int64_t samples = ask("SELECT count(*) FROM hart_sample WHERE event = 0");
    const double counted = std::stod(of("raw", "r40"));

    EXPECT_NEAR(static_cast<double>(samples), counted / 20000, 1);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE abs(true_period - 20000) > 60"), 0);
    check_ring("out/records/hart0.ring", "cpu = 0");
}

// The firmware's counters are counters, too.
TEST_F(RunRiscvTurns, FirmwareEvents)
{
    turns("    - {events: [fw_ipi_sent, fw_ipi_received, fw_set_timer], " + kSpan +
              "}\n  firmware_events: [{event: fw_ipi_sent, every_us: 10}]\n",
          "--set riscv.firmware.counters=2");
    EXPECT_NEAR(share("fw_ipi_sent"), 2.0 / 3, 0.03);
    EXPECT_EQ(of("truth", "fw_ipi_sent"), "300");
    EXPECT_NEAR(scaled("fw_ipi_sent"), 300, 12);
}

TEST_F(RunRiscvTurns, AGuestsEventsTakeTurns)
{
    temp.write("known.yaml", std::string(kGuest) +
                                 "  guest: {mux_us: 50}\n  perf: [{guest: true, exclude_kernel: "
                                 "true, events: [r40, r41, r42], " +
                                 kSpan + "}]\n");
    simulate("known.yaml", "--set harts.counters=2");
    EXPECT_EQ(figure("wrong_counts"), 0);
    EXPECT_NEAR(share("r40"), 2.0 / 3, 0.05);
    EXPECT_NEAR(scaled("r40"), 1.2e6, 1.6e5) << "two of five cycles";
    EXPECT_NEAR(std::stod(of("error", "r40")), 0, 0.02);
    EXPECT_EQ(ask("SELECT count(*) FROM rotated WHERE pmu <> 'guest'"), 0);
}

TEST_F(RunRiscvTurns, PerfAndTablesAgree)
{
    temp.write("known.yaml",
               std::string(kKnown) +
                   "  driver: {mux_us: 50}\n  perf:\n    - {events: [r40, \"r41:D\", r42], "
                   "interval_us: 1000, " +
                   kSpan + "}\n");
    for (const char *format : {"perf", "csv", "json"}) {
        const std::string file = std::string("t.") + format;
        const Outcome made = run(std::string("trace --format ") + format + " -o " + file +
                                 " --set harts.counters=2 known.yaml");
        ASSERT_EQ(made.status, 0) << made.err;
        const Outcome checked = run("check " + file);

        EXPECT_EQ(checked.status, 0) << format << checked.out << checked.err;
        EXPECT_TRUE(has(checked.out, "agrees")) << checked.out;
        EXPECT_FALSE(has(checked.out, "differs")) << checked.out;
    }
}

// KVM's virtual counter is pinned: what takes turns with it has the counter only while the guest's driver has
// stopped it, and counts nothing. An event that counts in one of its intervals is none such.
TEST_F(RunRiscvTurns, AnEventThatOnlyGetsCyclesOfNothingIsTold)
{
    const std::string rest =
        "  hypervisor: kvm\n  driver: {mux_us: 200}\n  guest: {snapshot: true}\n"
        "  perf:\n    - {guest: true, events: [r40], sample_period: 20000, stop_us: 3000}\n"
        "    - {events: [r40], sample_period: 20000, stop_us: 3000}\n";

    temp.write("known.yaml", kGuest + rest);
    simulate("known.yaml", "--set harts.aia=true --set harts.counters=1");
    EXPECT_TRUE(has(warnings, "warning: perf command 1: riscv/r40/ on CPU 0 has a counter for 1"))
        << warnings;
    EXPECT_TRUE(has(warnings, " % of its time, and counts 0 of 2")) << warnings;
    simulate("known.yaml", "--set harts.aia=true --set harts.counters=2");
    EXPECT_EQ(warnings, "");
}

// SPDX-License-Identifier: Apache-2.0
// Runs of harts: a guest with KVM's virtual PMU (docs/drivers/riscv_software.md, "KVM's PMU").
#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

namespace
{

struct RunRiscvKvm : RunRiscv {
    void kvm(const std::string &riscv, const std::string &options = "")
    {
        temp.write("known.yaml", std::string(kGuest) + "  hypervisor: kvm\n" + riscv);
        simulate("known.yaml", "--set harts.aia=true " + options);
    }
};

} // namespace

// In a round of 1500 cycles 600 are VU, 300 VS. Each call and each look is an exit.
TEST_F(RunRiscvKvm, CountsAreThoseOfTheGuest)
{
    for (const char *options :
         {"", "--set riscv.guest.snapshot=true", "--set riscv.driver.kind=delegated",
          "--set riscv.driver.kind=delegated_posted", "--set riscv.driver.mux_us=500",
          "--set 'riscv.firmware.deviations=[opensbi_1_9]'", "--set harts.aia=false"}) {
        SCOPED_TRACE(options);
        kvm("  perf: [{guest: true, events: [r40], start_us: 100, stop_us: 3100}]\n", options);
        EXPECT_EQ(figure("wrong_counts"), 0);
        EXPECT_EQ(ask("SELECT count(*) FROM count WHERE raw <> counted"), 0);
        EXPECT_NEAR(static_cast<double>(count(0, "r40")), 1.8e6, 2e4);
        EXPECT_GT(figure("guest_calls"), 10);
        EXPECT_EQ(figure("guest_exits"),
                  figure("guest_calls") + figure("guest_reads") + figure("guest_interrupts"));
        EXPECT_EQ(ask("SELECT exits FROM vpmu"), figure("guest_exits"));
        check_cycles();
    }
}

TEST_F(RunRiscvKvm, FiltersAndIntervals)
{
    kvm("  perf:\n"
        "    - {guest: true, events: [r40], exclude_kernel: true, interval_us: 700, start_us: 100, "
        "stop_us: 3100}\n"
        "    - {guest: true, events: [r40], exclude_user: true, start_us: 100, stop_us: 3100}\n");
    EXPECT_EQ(figure("wrong_counts"), 0);
    EXPECT_NEAR(static_cast<double>(ask("SELECT sum(raw) FROM count WHERE command = 0")), 1.2e6,
                2e4);
    EXPECT_NEAR(static_cast<double>(count(1, "r40")), 6e5, 2e4);
    EXPECT_EQ(figure("guest_reads"), 6) << "four intervals, and a look when each is stopped";
}

// An overflow interrupts the host, which tells the guest: two handlers, and the skid of both.
TEST_F(RunRiscvKvm, Samples)
{
    const std::string perf = "  guest: {snapshot: true}\n  perf: [{guest: true, events: [r40], "
                             "sample_period: 10000, start_us: 100, stop_us: 3100}]\n";

    kvm(perf);
    EXPECT_EQ(figure("wrong_counts"), 0);
    const int64_t samples = figure("hart_samples"), skid = figure("skid_ns");
    EXPECT_NEAR(static_cast<double>(samples), count(0, "r40") / 1e4, 1);
    EXPECT_EQ(figure("injections"), samples);
    EXPECT_LE(figure("guest_interrupts"), samples) << "some fall into the host's segment";
    EXPECT_GT(figure("guest_interrupts"), samples * 3 / 4);
    EXPECT_EQ(figure("hart_interrupts"), 2 * samples);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE abs(true_period - period) > 100"), 0);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE misc NOT IN (1, 2)"), 0);
    check_samples();
    check_ring("out/records/guest0.ring", "cpu = 0");
    known(perf, "", kGuest);
    EXPECT_LT(figure("skid_ns") * 10, skid) << "a lent counter interrupts the guest itself";
}

// The host's perf and the guest's: each has counters of its own, and neither counts the other.
TEST_F(RunRiscvKvm, HostAndGuestSampleTogether)
{
    kvm("  guest: {snapshot: true}\n"
        "  perf:\n"
        "    - {guest: true, events: [r40], sample_period: 10000, start_us: 100, stop_us: 3100}\n"
        "    - {events: [r40], exclude_guest: true, sample_period: 5000, start_us: 100, stop_us: "
        "3100}\n"
        "    - {events: [r40], exclude_host: true, start_us: 100, stop_us: 3100}\n");
    EXPECT_EQ(figure("wrong_counts"), 0);
    EXPECT_NEAR(static_cast<double>(count(1, "r40")) / static_cast<double>(count(0, "r40")),
                2.0 / 3, 0.03);
    EXPECT_NEAR(static_cast<double>(count(2, "r40")), static_cast<double>(count(0, "r40")), 2e3);
    EXPECT_GT(ask("SELECT count(*) FROM hart_sample WHERE command = 1"), 100);
    EXPECT_GT(ask("SELECT count(*) FROM hart_sample WHERE command = 0"), 100);
}

// Where the host has no counter left the guest's stands still, and its kernel has not been told.
TEST_F(RunRiscvKvm, NoCounterIsLeft)
{
    kvm("  perf:\n    - {events: [r40, r41], start_us: 50, stop_us: 3200}\n    - {guest: true, "
        "events: [r40], start_us: 100, stop_us: 3100}\n",
        "--set harts.counters=2");
    EXPECT_EQ(count(1, "r40"), 0);
    EXPECT_EQ(figure("without_counter"), 1);
    EXPECT_TRUE(has(warnings, "warning: perf command 1: guest/r40/ on CPU 0 counts 0 of 17"))
        << warnings;
    kvm("  driver: {mux_us: 100}\n  perf:\n    - {events: [r40, r41], start_us: 50, stop_us: "
        "3200}\n    - {guest: true, events: [r40], start_us: 100, stop_us: 3100}\n",
        "--set harts.counters=2");
    EXPECT_NEAR(static_cast<double>(count(1, "r40")), 1.8e6, 4e4) << "it is pinned";
    EXPECT_EQ(figure("wrong_counts"), 0);
    EXPECT_EQ(json.count("without_counter") == 0 ? 0 : figure("without_counter"), 0);
}

// The counters that the guest finds have no holes, wherever those of the hart lie.
TEST_F(RunRiscvKvm, VirtualCountersHaveNoHoles)
{
    kvm("  perf: [{guest: true, events: [r40, r40, r40], start_us: 100, stop_us: 1100}]\n",
        "--set harts.counters=3");
    EXPECT_EQ(figure("wrong_counts"), 0);
    EXPECT_EQ(ask("SELECT count(*) FROM count"), 3);
}

TEST_F(RunRiscvKvm, AsPublishedEachLookAddsAll)
{
    const std::string perf = "  perf: [{guest: true, events: [r40], interval_us: 1000, start_us: "
                             "100, stop_us: 3100}]\n";

    kvm(perf, "--set riscv.kvm_reads_add=true");
    EXPECT_GT(figure("wrong_counts"), 0);
    const auto rows = db().ask("SELECT raw / 10000 FROM count ORDER BY start");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_NEAR(std::stod(rows[0]), 60, 1);
    EXPECT_NEAR(std::stod(rows[1]), 120, 2) << "all that has been counted since the beginning";
    kvm(perf);
    EXPECT_EQ(figure("wrong_counts"), 0);
}

TEST_F(RunRiscvKvm, FilesOfIt)
{
    for (const char *format : {"perf", "csv", "ctf"}) {
        const std::string file = std::string("t.") + format;
        const Outcome made = run(std::string("trace --format ") + format + " -o " + file + " '" +
                                 config_path("riscv_lockstep_kvm_vpmu.yaml") + "'");
        ASSERT_EQ(made.status, 0) << made.err;
        const Outcome checked = run("check " + file);

        EXPECT_EQ(checked.status, 0) << format << checked.out << checked.err;
    }
}

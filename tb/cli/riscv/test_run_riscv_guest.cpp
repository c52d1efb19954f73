// SPDX-License-Identifier: Apache-2.0
// Runs of harts with a guest.
#include <algorithm>

#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// ---- guest ----

TEST_F(RunRiscv, HostAndGuestCountTheGuestAlike)
{
    const std::string host = "  perf:\n    - {events: [r40, cycles], guest_events: true, "
                             "exclude_host: true, start_us: 100, stop_us: ";
    const std::string guest = "    - {guest: true, events: [r40], start_us: 150, stop_us: ";
    int64_t of_host[2], of_guest[2], cycles[2];

    for (int i = 0; i < 2; i++) {
        known(host + (i ? "4100}\n" : "1100}\n") + guest + (i ? "4050}\n" : "1050}\n"), "", kGuest);
        check_counts();
        check_cycles();
        of_host[i] = count(0, "r40");
        of_guest[i] = count(1, "r40");
        cycles[i] = count(0, "cycles");
        EXPECT_EQ(db().ask("SELECT DISTINCT pmu FROM count ORDER BY 1"), (Cells{"guest", "riscv"}));
        EXPECT_GT(ask("SELECT guest FROM hart"), 0);
    }
    EXPECT_EQ(of_host[1] - of_host[0], 3000000 / 1500 * 900);
    EXPECT_EQ(of_guest[1] - of_guest[0], 3000000 / 1500 * 900);
    EXPECT_EQ(cycles[1] - cycles[0], 3000000 / 1500 * 900) << "the guest's driver is in neither";
}

TEST_F(RunRiscv, AGuestSamplesItself)
{
    for (const char *smcdeleg : {"--set harts.smcdeleg=true", "--set harts.smcdeleg=false"})
        for (const char *more : {"", "  guest: {snapshot: true}\n"}) {
            SCOPED_TRACE(std::string(more) + smcdeleg);
            known(
                std::string(more) +
                    "  perf: [{guest: true, events: [r40], sample_period: 7000, stop_us: 4000}]\n",
                smcdeleg, kGuest);
            check_counts();
            check_samples();
            check_ring("out/records/guest0.ring", "1");
            EXPECT_FALSE(temp.has("out/records/hart0.ring"));
            EXPECT_EQ(figure("hart_samples"), count(0, "r40") / 7000);
            EXPECT_GE(figure("hart_samples"), 250);
            EXPECT_EQ(figure("hart_spurious"), 0);
            EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE true_period <> 7000"), 0);
            EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE true_mode NOT IN (4, 5)"), 0);
            EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE misc NOT IN (1, 2)"), 0)
                << "it does not know that it is a guest";
        }
}

// Filters of the guest are those of the virtual modes.
TEST_F(RunRiscv, AGuestExcludesItsOwnModes)
{
    known("  perf:\n"
          "    - {guest: true, events: [r40], exclude_kernel: true, stop_us: 3100}\n"
          "    - {guest: true, events: [r40], exclude_user: true, stop_us: 3100}\n",
          "", kGuest);
    check_counts();
    EXPECT_NEAR(static_cast<double>(count(0, "r40")), 3e6 * 600 / 1500, 3000);
    EXPECT_NEAR(static_cast<double>(count(1, "r40")), 3e6 * 300 / 1500, 3000);
}

// A guest without calls reads what runs, whatever runs it.
TEST_F(RunRiscv, ALegacyGuest)
{
    known("  firmware: {deviations: [fixed_running]}\n"
          "  driver: {kind: legacy, user_access: legacy}\n"
          "  guest: {kind: legacy, user_access: legacy}\n"
          "  perf: [{guest: true, events: [cycles], stop_us: 3100}]\n",
          "", kGuest);
    check_counts();
    EXPECT_NEAR(static_cast<double>(count(0, "cycles")), 3e6, 3000);
    EXPECT_EQ(figure("sbi_calls"), 0);
}

// Four counters, and cycles and instret have theirs: whoever comes too late is refused, and nobody shares.
TEST_F(RunRiscv, GuestAndHostNeverHaveOneCounter)
{
    const std::string options = "--set harts.counters=4 --set harts.smcntrpmf=false";
    const std::string host = "    - {events: [r40, r40], stop_us: 3000}\n";
    const auto refused = [](const char *command, const char *event) {
        return std::string("warning: riscv.perf.") + command + ": the kernel refuses " + event +
               " on hart 0: ";
    };

    temp.write("known.yaml",
               std::string(kGuest) + "  perf:\n" + host +
                   "    - {guest: true, events: [r40, r40, r40], start_us: 200, stop_us: 2000}\n"
                   "    - {events: [r40], start_us: 300, stop_us: 1900}\n"
                   "    - {events: [r40, r40, r40], start_us: 2100, stop_us: 2900}\n"
                   "    - {guest: true, events: [r40], start_us: 2950, stop_us: 3500}\n"
                   "    - {guest: true, events: [r40, r40, r40, r40, r40], start_us: 3600, "
                   "stop_us: 4000}\n");
    simulate("known.yaml", options);
    check_counts();
    for (const auto &c :
         {refused("1", "r40"), refused("2", "r40"), refused("3", "r40"), refused("5", "r40")})
        EXPECT_TRUE(has(warnings, c)) << c << warnings;
    EXPECT_FALSE(has(warnings, refused("4", "r40"))) << warnings;
    EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 4) << warnings;
    const struct {
        int command, counts;
        double least;
    } rows[] = {{0, 2, 2.89e6}, {1, 2, 1.79e6 * 0.6}, {2, 0, 0},
                {3, 2, 0.79e6}, {4, 1, 0.54e6 * 0.6}, {5, 4, 0.39e6 * 0.6}};
    for (const auto &row : rows) {
        const std::string where = " FROM count WHERE command = " + std::to_string(row.command);

        EXPECT_EQ(ask("SELECT count(*)" + where), row.counts) << row.command;
        EXPECT_GE(ask("SELECT coalesce(min(raw), 0)" + where), static_cast<int64_t>(row.least))
            << row.command;
    }
}

TEST_F(RunRiscv, AGuestIsThrottledByItsOwnKernel)
{
    known("  guest: {max_samples_per_tick: 2, tick_us: 100}\n"
          "  perf: [{guest: true, events: [r40], sample_period: 8000, stop_us: 2000}]\n",
          "", kGuest);
    check_counts();
    check_ring("out/records/guest0.ring", "1");
    EXPECT_EQ(
        ask("SELECT max(n) FROM (SELECT count(*) AS n FROM hart_sample GROUP BY trap / 100000)"),
        3);
    EXPECT_GE(figure("hart_throttled"), 17);
    EXPECT_GE(figure("hart_samples"), 3 * 17);
}

// Each exclude bit beside guest_events, of the same event from the host.
TEST_F(RunRiscv, TheHostExcludesModesOfTheGuest)
{
    const std::string host = "    - {events: [r40], stop_us: 3100, ";

    known("  perf:\n" + host + "exclude_guest: true}\n" + host + "exclude_host: true}\n" + host +
              "guest_events: true, exclude_user: true}\n" + host +
              "guest_events: true, exclude_kernel: true}\n" + host +
              "guest_events: true, exclude_hv: true}\n",
          "", kGuest);
    check_counts();
    const double modes[] = {600, 900, 900, 1200, 900};
    for (unsigned i = 0; i < 5; i++)
        EXPECT_NEAR(static_cast<double>(count(i, "r40")), 2000 * modes[i], 9000) << i;
}

TEST_F(RunRiscv, AGuestWhoseHostIsDelegated)
{
    known("  driver: {kind: delegated}\n"
          "  perf:\n"
          "    - {events: [r40, cycles], stop_us: 3000}\n"
          "    - {guest: true, events: [r40, cycles], sample_period: 11000, start_us: 200, "
          "stop_us: 2900}\n",
          "", kGuest);
    check_counts();
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE event = 0 AND true_period <> 11000"), 0);
    EXPECT_GE(figure("hart_samples"), 200);
}

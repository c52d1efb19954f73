// SPDX-License-Identifier: Apache-2.0
// Runs of harts: perf record -F (docs/drivers/perf_frequency.md), and the driver as it was posted.
#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// An event a cycle: 50 kHz are 20,000 cycles, less what the handler's filter takes.
TEST_F(RunRiscv, FrequencyFindsThePeriod)
{
    for (const char *options :
         {"", "--set harts.xlen=32", "--set riscv.driver.snapshot=true",
          "--set riscv.driver.kind=delegated", "--set riscv.driver.kind=delegated_posted"}) {
        SCOPED_TRACE(options);
        known("  driver: {tick_us: 1000}\n  perf: [{events: [r40], freq: 50000, start_us: 100, "
              "stop_us: 10100}]\n",
              options);
        check_counts();
        check_samples();
        EXPECT_EQ(ask("SELECT period FROM hart_sample ORDER BY trap LIMIT 1"), 1);
        EXPECT_NEAR(static_cast<double>(
                        ask("SELECT count(*) FROM hart_sample WHERE trap BETWEEN 5e6 AND 10e6")),
                    250, 5);
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE trap > 5e6 AND period NOT BETWEEN "
                      "17000 AND 20500"),
                  0);
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE trap > 5e6 AND abs(true_period - "
                      "period) > 200"),
                  0);
        check_ring("out/records/hart0.ring", "cpu = 0");
    }
}

// The first periods are far too short: the event has its samples of the tick at once, and stops.
TEST_F(RunRiscv, FrequencyIsThrottled)
{
    known("  driver: {tick_us: 1000, max_samples_per_tick: 5}\n  perf: [{events: [r40], freq: "
          "50000, start_us: 100, stop_us: 5100}]\n");
    EXPECT_GE(figure("hart_throttled"), 1);
    EXPECT_EQ(ask("SELECT max(n) FROM (SELECT count(*) AS n FROM hart_sample GROUP BY trap / "
                  "1000000)"),
              6);
    EXPECT_GE(in_ring("out/records/hart0.ring", "unthrottle"), 1u);
}

TEST_F(RunRiscv, FrequencyInFiles)
{
    temp.write("known.yaml",
               std::string(kKnown) + "  perf: [{events: [r40], freq: 30000, stop_us: 3100}]\n");
    for (const char *format : {"perf", "csv", "ctf"}) {
        const std::string file = std::string("t.") + format;
        const Outcome made =
            run(std::string("trace --format ") + format + " -o " + file + " known.yaml");
        ASSERT_EQ(made.status, 0) << made.err;
        const Outcome checked = run("check " + file);

        EXPECT_EQ(checked.status, 0) << format << checked.out << checked.err;
    }
}

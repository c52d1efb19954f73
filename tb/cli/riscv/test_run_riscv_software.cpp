// SPDX-License-Identifier: Apache-2.0
// Runs of harts: what software takes, and what else a scenario says.
#include <algorithm>

#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// ---- what software takes ----

TEST_F(RunRiscv, EachCostIsPaid)
{
    const std::string perf = "  perf: [{events: [r40], sample_period: 300000, stop_us: 1000}]\n";
    const auto cost = [&](const char *what, const std::string &option) {
        known(perf, option);
        EXPECT_EQ(figure("hart_interrupts"), 2);
        return figure(what);
    };
    const int64_t calls = (cost("sbi_calls", "")), firmware = cost("firmware_ns", ""),
                  kernel = cost("kernel_ns", "");

    EXPECT_EQ(cost("firmware_ns", "--set riscv.firmware.call_cycles=160") - firmware, 100 * calls);
    EXPECT_EQ(cost("kernel_ns", "--set riscv.driver.event_cycles=300") - kernel, 200 * 3)
        << "open, add, del";
    EXPECT_EQ(cost("kernel_ns", "--set riscv.driver.handler_cycles=1300") - kernel, 1000 * 2);
    EXPECT_EQ(cost("kernel_ns", "--set riscv.driver.sample_cycles=700") - kernel, 500 * 2);
}

TEST_F(RunRiscv, TheHypervisorsWorkIsPaid)
{
    const std::string perf = "  perf: [{guest: true, events: [r40], stop_us: 1000}]\n";

    known(perf, "", kGuest);
    const int64_t kernel = figure("kernel_ns"), calls = figure("sbi_calls");
    known("  perf: [{events: [r40], stop_us: 1000}]\n");
    EXPECT_GT(2 * calls, 3 * figure("sbi_calls")) << "those of two drivers";
    known(perf, "--set riscv.hypervisor_cycles=1200", kGuest);
    const int64_t more = figure("kernel_ns") - kernel;
    EXPECT_GE(more, 10 * 1000) << "a probe has so many calls at least";
    EXPECT_EQ(more % 1000, 0);
}

// Events are asked for one by one where there is no EVENT_GET_INFO.
TEST_F(RunRiscv, EventInfoSavesCalls)
{
    const std::string perf = "  perf: [{events: [r40], stop_us: 200}]\n";
    int64_t calls[3];
    unsigned i = 0;

    for (const char *option :
         {"", "--set riscv.firmware.version=v2", "--set riscv.driver.event_info=false"}) {
        known(perf, option);
        calls[i++] = figure("sbi_calls");
    }
    EXPECT_GT(calls[1], calls[0] + 50);
    EXPECT_GT(calls[2], calls[0] + 50);
}

// ---- what else a scenario says ----

TEST_F(RunRiscv, PlatformEvents)
{
    const std::string perf = "  firmware: {platform_events: 5}\n"
                             "  perf: [{events: [rc000000000000004, rc000000000000005], "
                             "stop_us: 200}]\n";

    temp.write("known.yaml", kKnown + perf);
    simulate("known.yaml");
    EXPECT_TRUE(has(warnings, "refuses rc000000000000005 on")) << warnings;
    EXPECT_FALSE(has(warnings, "refuses rc000000000000004 on")) << warnings;
    EXPECT_EQ(count(0, "rc000000000000004"), 0);
}

// Six counters, and no raw event below 0x14.
TEST_F(RunRiscv, AMapOfThePlatforms)
{
    temp.write("known.yaml",
               std::string(kKnown) + "  perf: [{events: [r40, r10], stop_us: 200}]\n");
    simulate("known.yaml", "--set harts.counters=6 --set riscv.firmware.pmu='" CS_SOURCE_DIR
                           "/configs/riscv/riscv_pmu.dts'");
    EXPECT_EQ(warnings, "warning: riscv.perf.0: the kernel refuses r10 on hart 0: "
                        "Operation not supported\n");
    check_counts();
    EXPECT_GE(count(0, "r40"), 90000);
}

// Trap, open, add, ecall, the firmware's work, and the read of mcountinhibit.
TEST_F(RunRiscv, ACommandBeginsInItsCycle)
{
    known("  perf: [{events: [r40], start_us: 100, stop_us: 200}]\n", "--set keep.probe=true");
    uint64_t first = UINT64_MAX;

    for (const std::string &line : split(temp.read("out/probe.csv"), '\n')) {
        const uint64_t cycle = std::strtoull(line.c_str(), nullptr, 10);

        if (cycle >= 100000)
            first = std::min(first, cycle);
    }
    EXPECT_EQ(first, 100000u + 40 + 100 + 100 + 40 + 60 + 3);
}

// Which CSR user space may read (bit 1 is the time), as the hart's registers show it.
TEST_F(RunRiscv, UserSpaceReadsWhatItMay)
{
    const std::string perf = "  perf: [{events: [r40], stop_us: 200}]\n";
    const auto opened = [&](const std::string &option) {
        std::string most;

        known(perf, "--set keep.probe=true " + option);
        for (const std::string &line : split(temp.read("out/probe.csv"), '\n')) {
            const Cells c = split(line, ',');

            if (c.size() > 7 && c[4] == "1" && std::strtoull(c[6].c_str(), nullptr, 0) == 0x106)
                most += (most.empty() ? "" : " ") +
                        std::to_string(std::strtoull(c[7].c_str(), nullptr, 0));
        }
        return most;
    };

    EXPECT_EQ(opened(""), "2");
    EXPECT_EQ(opened("--set riscv.perf.0.mmapped=true"), "2 10 2");
    EXPECT_EQ(opened("--set riscv.driver.user_access=legacy"), "7");
}

// A program that reads its event's counter itself: in U what scounteren lets it, in S always. What it may not
// costs its kernel a trap.
TEST_F(RunRiscv, AProgramReadsACounterItself)
{
    const std::string perf = "  perf: [{events: [r40], start_us: 100, stop_us: 200}]\n"
                             "  accesses: [{csr: 0xC03, every_us: 7}]\n";
    const std::string reads =
        "FROM csr WHERE csr = 0xC03 AND direction = 'read' AND cycle BETWEEN 101000 "
        "AND 199000 AND exception = ";
    const auto count = [&](const char *exception) {
        return ask("SELECT count(*) " + reads + "'" + exception + "'");
    };

    known(perf);
    const int64_t traps = count("illegal instruction"), kernel = figure("kernel_ns");
    EXPECT_EQ(traps + count("none"), 14);
    EXPECT_GE(traps, 5);
    EXPECT_GE(count("none"), 2);
    known(perf, "--set riscv.perf.0.mmapped=true");
    EXPECT_EQ(count("none"), 14);
    /* One in each cycle. */
    EXPECT_EQ(ask("SELECT count(*) FROM (SELECT value - lag(value) OVER (ORDER BY cycle) AS more " +
                  reads + "'none') WHERE more = 7000"),
              13);
    EXPECT_GT(kernel - figure("kernel_ns"), 30 * traps) << "each of them a trap and the way back";
}

// Others execute them in their own modes; what a register keeps of it is seen.
TEST_F(RunRiscv, KernelAndFirmwareAccessRegisters)
{
    known("  perf: [{events: [r40], stop_us: 200}]\n"
          "  accesses:\n"
          "    - {by: firmware, csr: 0x309, op: set, value: 0x2000, every_us: 11}\n"
          "    - {by: kernel, csr: 0x309, every_us: 13}\n"
          "    - {by: firmware, csr: 0x309, every_us: 17}\n"
          "    - {by: firmware, csr: 0x30A, op: set, value: 0x1000000000000000, every_us: 19}\n",
          "--set harts.aia=true --set harts.smcdeleg=false");
    EXPECT_EQ(ask("SELECT count(DISTINCT exception) FROM csr WHERE csr = 0x309"), 2);
    EXPECT_GT(ask("SELECT count(*) FROM csr WHERE csr = 0x309 AND direction = 'read' AND "
                  "value = 0x2000 AND exception = 'none'"),
              5);
    EXPECT_EQ(
        ask("SELECT count(*) FROM csr WHERE csr = 0x30A AND value <> 0 AND direction = 'read'"), 0)
        << "no CDE where there is no delegation";
    EXPECT_EQ(run("run -q --log soft -o log known.yaml").status, 0);
    EXPECT_EQ(run("run -o refused known.yaml --set riscv.accesses.0.csr=4096").status, 2);
}

// SPDX-License-Identifier: Apache-2.0
// What follows from other keys of harts, and what is just allowed.
#include <gtest/gtest.h>

#include "document.hpp"

extern "C" {
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/machine/software_spec.h"
#include <countersink/scenario/hpm/riscv_bug.h>
#include <countersink/scenario/hpm/sbi_deviation.h>
}

namespace
{

constexpr uint64_t kMiB = 1 << 20;

Document riscv(const std::string &text, const std::string &before = "harts: {count: 2}\n")
{
    return parse(before + "riscv:\n" + text);
}

} // namespace

TEST(ChecksRiscv, DefaultsThatFollow)
{
    const Document d =
        riscv("  has_guest: true\n", "harts: {count: 2}\nmemory: {base: 0x40000000}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->riscv->driver.base, 0x40000000 + 16 * kMiB);
    EXPECT_EQ(d->riscv->guest.base, 0x40000000 + 32 * kMiB);
    EXPECT_EQ(d->riscv->driver.ring_bytes, 64u << 10);
    EXPECT_EQ(d->riscv->driver.wakeup_bytes, 32u << 10);
    EXPECT_EQ(d->riscv->guest.wakeup_bytes, 32u << 10);
    EXPECT_EQ(d->riscv->driver.kind, 0u);
    EXPECT_EQ(d->riscv->guest.kind, 0u);
    EXPECT_TRUE(d->harts->smcdeleg);
    EXPECT_EQ(d->software->kinds, CS_SOFTWARE_BIT(CS_SOFTWARE_none)) << "a die of harts alone";
    EXPECT_EQ(cs_scenario_idle_mode(d.scenario.get(), 0), CS_MODE_S);
}

TEST(ChecksRiscv, WhatIsGivenStays)
{
    const Document d =
        riscv("  driver: {ring_bytes: 8 KiB, wakeup_bytes: 8 KiB, base: 0x84000000,\n"
              "           kind: legacy}\n",
              "harts: {count: 2, smcdeleg: false}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->riscv->driver.wakeup_bytes, 8192u);
    EXPECT_EQ(d->riscv->driver.base, 0x84000000u);
    EXPECT_EQ(d->riscv->driver.kind, 1u);
    EXPECT_FALSE(d->harts->smcdeleg);
}

TEST(ChecksRiscv, TheProposalHasItsOwnDriver)
{
    const Document d = riscv("  firmware: {form: proposal_v3}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->riscv->driver.kind, 3u);
}

TEST(ChecksRiscv, NamesBecomeMasks)
{
    const Document d = riscv("  has_guest: true\n"
                             "  firmware: {deviations: [of_waits, one_by_one]}\n"
                             "  driver: {bugs: [torn_read, rv32_shift]}\n"
                             "  guest: {bugs: [spurious_stops]}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->riscv->firmware.deviations, CS_SBI_DEV_OF_WAITS | CS_SBI_DEV_ONE_BY_ONE);
    EXPECT_EQ(d->riscv->driver.bugs, CS_RISCV_BUG_TORN_READ | CS_RISCV_BUG_RV32_SHIFT);
    EXPECT_EQ(d->riscv->guest.bugs, CS_RISCV_BUG_SPURIOUS_STOPS);
}

// A release tells the version that it was made for; what the scenario says is another matter.
TEST(ChecksRiscv, AReleaseHasItsVersion)
{
    const struct {
        const char *firmware;
        unsigned version;
    } rows[] = {
        {"{}", 0x03000000},
        {"{version: v2}", 0x02000000},
        {"{deviations: [of_waits]}", 0x03000000},
        {"{deviations: [opensbi_1_1]}", 0x01000000},
        {"{deviations: [opensbi_1_6, of_waits]}", 0x02000000},
        {"{deviations: [opensbi_1_9]}", 0x03000000},
        {"{version: v1, deviations: [opensbi_1_1]}", 0x01000000},
        {"{deviations: [kvm]}", 0x03000000},
        {"{version: v2, deviations: [kvm]}", 0x02000000},
    };

    for (const auto &row : rows) {
        const Document d = riscv(std::string("  firmware: ") + row.firmware + "\n");

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->riscv->firmware.version, row.version) << row.firmware;
    }
}

// "all" is all harts, and no other CPU.
TEST(ChecksRiscv, AllIsAllHarts)
{
    for (const char *cpus : {"", ", cpus: all", ", cpus: \"2-3\""}) {
        const Document d =
            riscv(std::string("  perf: [{events: [cycles], stop_us: 200") + cpus +
                      "}]\n  firmware_events: [{event: fw_ipi_sent, every_us: 9" + cpus + "}]\n",
                  "harts: {count: 2}\npmcu: {clusters: 1, slots: 2}\n"
                  "pmcu_driver: {aux_base: 0x90000000}\n");

        ASSERT_TRUE(d.ok()) << d.error;
        for (unsigned cpu = 0; cpu < 4; cpu++) {
            EXPECT_EQ(d->riscv->perf[0].cpus[cpu], cpu >= 2) << cpus << cpu;
            EXPECT_EQ(d->riscv->firmware_events[0].cpus[cpu], cpu >= 2) << cpus << cpu;
        }
        EXPECT_EQ(d->software->kinds, CS_SOFTWARE_BIT(CS_SOFTWARE_pmcu_driver));
    }
}

TEST(ChecksRiscv, PagesSideBySide)
{
    const char *const sides[] = {"0x81008000", "0x80ff8000"};

    for (const char *guest : sides) {
        const Document d = riscv(std::string("  has_guest: true\n"
                                             "  driver: {base: 0x81000000, ring_bytes: 4 KiB}\n"
                                             "  guest: {ring_bytes: 4 KiB, base: ") +
                                 guest + "}\n");

        EXPECT_TRUE(d.ok()) << d.error;
    }
    // Up to the last byte of memory.
    EXPECT_TRUE(riscv("  driver: {base: 0x83ff8000, ring_bytes: 4 KiB}\n",
                      "harts: {count: 2}\nmemory: {base: 0x80000000, size: 64 MiB}\n")
                    .ok());
    EXPECT_FALSE(riscv("  driver: {base: 0x83ff9000, ring_bytes: 4 KiB}\n",
                       "harts: {count: 2}\nmemory: {base: 0x80000000, size: 64 MiB}\n")
                     .ok());
}

TEST(ChecksRiscv, JustAllowed)
{
    const struct {
        const char *before, *text;
    } cases[] = {
        {"harts: {count: 2}\n", "  perf: [{events: [cycles], start_us: 199, stop_us: 200}]\n"},
        {"harts: {count: 2, modes: msu}\n", "  driver: {kind: delegated}\n"},
        {"harts: {count: 2}\n", "  has_guest: true\n  guest: {kind: legacy}\n"},
        {"harts: {count: 2}\n", "  driver: {ring_bytes: 0}\n"},
        {"harts: {count: 2}\n",
         "  has_guest: true\n  driver: {ring_bytes: 0}\n"
         "  perf: [{guest: true, events: [cycles], sample_period: 9, stop_us: 200}]\n"},
        {"harts: {count: 2}\n", "  has_guest: true\n  guest: {snapshot: true}\n"},
        {"harts: {count: 2, timebase_mhz: 1000}\nbus: {clock_mhz: 1000}\n", "  perf: []\n"},
        {"harts: {count: 2, aia: true, modes: msu}\n", "  perf: []\n"},
    };

    for (const auto &c : cases) {
        const Document d = riscv(c.text, c.before);

        EXPECT_TRUE(d.ok()) << d.error;
        EXPECT_TRUE(!d.ok() || d->nr_warnings == (strstr(c.text, "events") != nullptr)) << c.text;
    }
}

// Without S there is no driver, and no need for its memory.
TEST(ChecksRiscv, FewModes)
{
    for (const char *modes : {"m", "mu"}) {
        const Document d = parse(std::string("harts: {count: 1, modes: ") + modes +
                                 "}\nmemory: {base: 0, size: 1 MiB}\n"
                                 "workloads:\n  - cpus: 0\n    segments: [{cycles: 5}]\n");

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_FALSE(d->harts->smcdeleg);
        EXPECT_EQ(d->workloads[0].segments[0].mode, modes[1] == 'u' ? CS_MODE_U : CS_MODE_M);
        EXPECT_EQ(cs_scenario_idle_mode(d.scenario.get(), 0), CS_MODE_M);
    }
}

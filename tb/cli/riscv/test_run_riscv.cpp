// SPDX-License-Identifier: Apache-2.0
// RISC-V's scenarios, from outside: what a run leaves, against its own truth, and against what streams of known rates
// must give.
#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// ---- the project's own ----

TEST_F(RunRiscv, ConfigsAreTheirOwnTruth)
{
    const struct {
        const char *name;
        int64_t harts, counts, samples;
    } configs[] = {
        {"riscv_count", 2, 2 * 6 * 4 + 2 + 3, 0},
        {"riscv_delegated", 0, 0, 1},
        {"riscv_guest", 1, 6, 1},
        {"riscv_proposal_v3", 0, 0, 0},
        {"riscv_rv32", 0, 0, 0},
        {"riscv_sample", 0, 0, 1},
        {"riscv_snapshot", 0, 0, 0},
    };

    for (const auto &c : configs) {
        SCOPED_TRACE(c.name);
        config(c.name);
        EXPECT_EQ(warnings, "");
        check_counts();
        check_cycles();
        EXPECT_GE(ask("SELECT count(*) FROM count"), 3);
        EXPECT_GE(ask("SELECT max(counted) FROM count"), 1000);
        if (c.counts != 0) {
            EXPECT_EQ(ask("SELECT count(*) FROM count"), c.counts);
        }
        if (c.harts != 0) {
            EXPECT_EQ(ask("SELECT count(*) FROM hart"), c.harts);
        }
        if (c.samples != 0 || figure("hart_samples") != 0) {
            check_samples();
        }
    }
}

TEST_F(RunRiscv, RingsOfTheConfigsHaveTheirSamples)
{
    config("riscv_sample");
    for (const std::string &hart : db().ask("SELECT hart FROM hart"))
        check_ring("out/records/hart" + hart + ".ring",
                   "cpu = (SELECT cpu FROM hart WHERE hart = " + hart + ")");
    EXPECT_FALSE(temp.has("out/records/guest0.ring"));
    config("riscv_guest");
    check_ring("out/records/guest0.ring", "cpu = 0");
    EXPECT_FALSE(temp.has("out/records/hart0.ring")) << "the host has not sampled";
    config("riscv_delegated");
    check_ring("out/records/hart0.ring", "cpu = 0");
}

TEST_F(RunRiscv, LockstepConfigsAreTheirOwnTruthToo)
{
    for (const char *name :
         {"riscv_lockstep_delegated", "riscv_lockstep_guest", "riscv_lockstep_legacy",
          "riscv_lockstep_proposal_v3", "riscv_lockstep_rv32", "riscv_lockstep_rv32_delegated",
          "riscv_lockstep_sample", "riscv_lockstep_snapshot"}) {
        SCOPED_TRACE(name);
        config(name);
        EXPECT_EQ(figure("wrong_counts"), 0);
        EXPECT_EQ(ask("SELECT count(*) FROM count WHERE raw <> counted"), 0);
        check_cycles();
    }
}

// 14 bits wrap, and the count is what is left; the truth is not fooled.
TEST_F(RunRiscv, NarrowCountersWrap)
{
    config("riscv_lockstep_count");
    EXPECT_GT(figure("wrong_counts"), 0);
    EXPECT_TRUE(has(warnings, " counts of harts are not what happened")) << warnings;
    EXPECT_EQ(ask("SELECT count(*) FROM count WHERE (counted - raw) % 16384 <> 0"), 0);
    EXPECT_EQ(ask("SELECT count(*) FROM count WHERE raw <> counted"), figure("wrong_counts"));
}

TEST_F(RunRiscv, LegacyRefusesSamplesWithAWarning)
{
    config("riscv_legacy");
    EXPECT_EQ(warnings, "warning: riscv.perf.1: the kernel refuses instructions on hart 0: "
                        "Operation not supported\n");
    check_counts();
    check_cycles();
    EXPECT_EQ(ask("SELECT count(*) FROM count WHERE command = 1"), 0);
    EXPECT_EQ(ask("SELECT count(*) FROM count WHERE command = 0"), 8);
    EXPECT_EQ(figure("sbi_calls"), 0);
    EXPECT_EQ(figure("hart_samples"), 0);
}

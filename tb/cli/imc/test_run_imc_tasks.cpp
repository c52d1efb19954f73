// SPDX-License-Identifier: Apache-2.0
// Commands of processes that move between CPUs: configs/imc/imc_tasks.yaml, against docs/drivers/imc_driver.md,
// "Processes".
#include "cli/imc/run_imc.hpp"

using namespace run_imc;
using namespace cs_test;

namespace
{

// Windows of a microsecond, so that a few switches say something.
const std::string kShort = "--set imc.tap_log2=9 --set perf.0.interval=0us "
                           "--set perf.0.stop=101000us";

struct TaskRun : RunImc {
    double error(const std::string &event)
    {
        return db().real("SELECT value/truth-1 FROM count WHERE cpu=-1 AND event='" + event + "'");
    }
};

} // namespace

TEST_F(TaskRun, ACommandIsCountedWhereverItRuns)
{
    simulate("imc_tasks", kShort);
    const Database truth = db();

    EXPECT_EQ(truth.one("SELECT count(*)||' '||min(cpu) FROM count"), "2 -1");
    EXPECT_LT(std::abs(error("CPM_CS_PCYC_USER")), 0.02);
    EXPECT_LT(std::abs(error("CPM_CS_INST_USER")), 0.02);
    // Five processes, each on four CPUs; what they did is what the command did.
    EXPECT_EQ(truth.one("SELECT count(DISTINCT pid)||' '||count(DISTINCT cpu) FROM process"),
              "5 4");
    EXPECT_EQ(truth.ask("SELECT event, sum(truth) FROM process GROUP BY 1 ORDER BY 1"),
              truth.ask("SELECT event, truth FROM count ORDER BY 1"));
    // What perf printed is what the stints were read to.
    EXPECT_EQ(truth.ask("SELECT event, sum(raw) FROM stint GROUP BY 1 ORDER BY 1"),
              truth.ask("SELECT event, raw FROM count ORDER BY 1"));
    EXPECT_NE(said.find("any  CPM_CS_INST_USER"), std::string::npos) << said;
}

// A slot of 4 ms in six is the backup's: each CPU puts events on once and takes them off once a round.
TEST_F(TaskRun, TheKernelSwitchesOnlyWhereEventsChange)
{
    simulate("imc_tasks", kShort);

    EXPECT_NEAR(static_cast<double>(figure("imc_switches")), 100 / 24.0 * 8, 4);
    EXPECT_NEAR(static_cast<double>(figure("imc_swaps")), 100 / 24.0 * 16, 4);
    // LDBAR goes on and off once for each stint; at boot all are cleared.
    const std::string stints = db().one("SELECT count(*) FROM stint WHERE event LIKE '%PCYC%'");
    const std::string ldbar = "SELECT count(*) FROM access WHERE unit='spr' AND direction='write' ";
    EXPECT_EQ(db().one(ldbar + "AND value<0"), stints);
    EXPECT_EQ(db().one(ldbar + "AND value>=0"), std::to_string(std::stoi(stints) + 4));
}

// -i: the first process alone, which is never on two CPUs.
TEST_F(TaskRun, WithoutInheritTheFirstProcessAlone)
{
    simulate("imc_tasks", kShort + " --set perf.0.inherit=false");
    const Database truth = db();

    EXPECT_EQ(truth.one("SELECT count(DISTINCT pid)||' '||min(pid) FROM process"), "1 100");
    EXPECT_EQ(figure("imc_swaps"), 0u);
    EXPECT_LT(std::abs(error("CPM_CS_PCYC_USER")), 0.05);
    EXPECT_EQ(truth.one("SELECT count(*) FROM stint a JOIN stint b ON a.event=b.event AND "
                        "a.rowid<b.rowid AND a.start<b.stop AND b.start<a.stop"),
              "0");
}

// A CPU whose turn comes before the other one has left the process stands idle until it has.
TEST_F(TaskRun, NoProcessIsOnTwoCpus)
{
    simulate("imc_tasks", kShort + " --set software.ipi_cycles=400000");
    const Database truth = db();

    EXPECT_GT(figure("imc_waits"), 0u);
    EXPECT_GT(figure("imc_waited_ns"), 0u);
    // Stays of a process, by what CPUs went to: none begins before that on another CPU is over.
    EXPECT_EQ(truth.one("WITH stay AS (SELECT cpu, to_pid AS pid, cycle AS a, lead(cycle) OVER "
                        "(PARTITION BY cpu ORDER BY cycle) AS b FROM switch WHERE cycle>2000000) "
                        "SELECT count(*) FROM stay x JOIN stay y ON x.pid=y.pid AND x.cpu<>y.cpu "
                        "AND x.pid<>900 AND x.a<y.b AND y.a<x.b"),
              "0");
}

// As `perf stat record` has it of a command: one count, of CPU -1, and check knows it.
TEST_F(TaskRun, TracesHaveCpuMinusOne)
{
    for (const std::string format : {"perf", "csv", "json"}) {
        ASSERT_EQ(run("trace --format " + format + " -o t." + format + " " + kShort + " " +
                      config("imc_tasks.yaml"))
                      .status,
                  0);
        const Outcome checked = run("check t." + format);

        EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
        EXPECT_NE(checked.out.find(" -1 "), std::string::npos) << checked.out;
    }
    const Outcome decoded = run("decode t.perf");
    EXPECT_NE(decoded.out.find("cpus=[-1]"), std::string::npos) << decoded.out;
    EXPECT_NE(temp.read("t.csv").find(",-1,"), std::string::npos);
}

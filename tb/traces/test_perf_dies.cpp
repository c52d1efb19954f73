// SPDX-License-Identifier: Apache-2.0
// PMCUs of several dies in one run: each with its driver, its AUX data and its share of the truth.
#include <gtest/gtest.h>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

struct PerfDies : Trace {
    // All that `check` compares agrees.
    void expect_agrees(const std::string &options)
    {
        const Outcome outcome = run("check " + options);

        EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
        EXPECT_GT(count_of(outcome.out, " agrees"), 10u) << outcome.out;
    }
};

using Rows = std::vector<std::string>;

} // namespace

TEST_F(PerfDies, EachHasItsEventsAndCpus)
{
    trace("pmcu_dies");
    expect_agrees("t");
    const std::string list = perf_good(temp, "evlist -i t");

    EXPECT_EQ(count_of(list, "hisi_pmcu_sccl0/nr_sample=40,sample_period_ticks=5000/"), 1u) << list;
    EXPECT_EQ(count_of(list, "hisi_pmcu_sccl2/nr_sample=100,sample_period_ticks=2000/"), 1u)
        << list;
    EXPECT_EQ(count_of(list, "INST_RETIRED"), 2u) << "one a die";
    EXPECT_EQ(count_of(list, "BR_MIS_PRED_RETIRED"), 1u) << "the second die's alone";
    // on the CPUs that manage the PMCUs
    const std::string own = script("-F cpu,event");
    EXPECT_EQ(count_of(own, "[000]  hisi_pmcu_sccl0/"), 40u);
    EXPECT_EQ(count_of(own, "[009] hisi_pmcu_sccl2/"), 100u);
}

TEST_F(PerfDies, EachHasAnAuxRing)
{
    trace("pmcu_dies", "--flavour faithful");
    expect_agrees("t");
    for (const char *stream : {"0", "1"}) {
        const std::string sccl = *stream == '0' ? "0" : "2";
        const Outcome ring = run(std::string("decode --aux --stream ") + stream + " t");
        const Outcome file = run("decode t.truth/samples_sccl" + sccl + ".aux");

        EXPECT_EQ(ring.status, 0) << ring.err;
        EXPECT_GT(count_of(ring.out, "\n"), 300u);
        EXPECT_EQ(ring.out, file.out) << "stream " << stream;
    }
    EXPECT_NE(run("decode --aux t").err.find("--stream N"), std::string::npos);
}

TEST_F(PerfDies, ADumpIsOfOneDie)
{
    const std::string path = config_path("pmcu_dies.yaml");
    const Outcome none = run("trace --format pmcu-aux -o t " + path);

    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("the data of one die: --command pmcu_driver.sccl2"), std::string::npos)
        << none.err;
    trace("pmcu_dies", "--format pmcu-aux --command pmcu_driver.sccl0");
    expect_agrees("t");
    expect_agrees("--truth t.truth t.truth/samples_sccl2.aux");
    // one of another die
    temp.write("samples_sccl2.aux", temp.read("t.truth/samples_sccl0.aux"));
    EXPECT_NE(run("check --truth t.truth samples_sccl2.aux").status, 0);
    temp.write("samples", temp.read("t.truth/samples_sccl0.aux"));
    EXPECT_NE(run("check --as pmcu-aux --truth t.truth samples").err.find("of several dies"),
              std::string::npos);
}

TEST_F(PerfDies, TimelinesAndTables)
{
    for (const char *format : {"ctf", "perfetto", "csv"}) {
        trace("pmcu_dies", std::string("--format ") + format +
                               " --set perf.0.record.0.nr_sample=3"
                               " --set perf.0.record.1.nr_sample=5");
        expect_agrees("t");
        ASSERT_EQ(run("check t").status, 0) << format;
        std::system(("rm -rf " + temp.file("t") + " " + temp.file("t.truth")).c_str());
    }
}

TEST_F(PerfDies, TheTruthIsDieByDie)
{
    trace("pmcu_dies");
    Database db = truth();

    EXPECT_EQ(db.ask("SELECT die, name, first_cpu, cpus, driver_cpu, triggers, subsamples, "
                     "handed_over, ended FROM die ORDER BY die"),
              (Rows{"0|sccl0|0|8|0|1|40|40|all samples were taken",
                    "1|sccl2|8|8|9|1|100|100|all samples were taken"}));
    EXPECT_EQ(db.ask("SELECT die, count(*), max(number) FROM subsample_die GROUP BY die"),
              (Rows{"0|40|39", "1|100|99"}));
    EXPECT_EQ(db.number("SELECT max(number)+1 FROM subsample"), 140);
    EXPECT_EQ(
        db.ask("SELECT e.name FROM event e WHERE e.sampled IS NOT (SELECT sum(d.sampled) FROM "
               "event_die d WHERE d.event=e.id) OR e.truth IS NOT (SELECT sum(d.truth) FROM "
               "event_die d WHERE d.event=e.id)"),
        Rows{});
    // a CPU counts for its own die only
    EXPECT_EQ(db.number("SELECT count(*) FROM window w JOIN subsample_die d USING(subsample) WHERE "
                        "w.cpu/8<>d.die"),
              0);
    EXPECT_EQ(db.ask("SELECT DISTINCT manager FROM transfer WHERE manager LIKE 'pmcu%' ORDER BY 1"),
              (Rows{"pmcu lane 0", "pmcu lane 4"}));
}

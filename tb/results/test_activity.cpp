// SPDX-License-Identifier: Apache-2.0
// What happened when, as rows of the truth, from records made by hand.
#include <gtest/gtest.h>

#include <cstring>

#include "results/bus/part.h"
#include "results/common/activity.h"
#include "results/hpm/part.h"
#include "results/nest/part.h"
#include "results/parts.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "support/database.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

// CPUs 0 and 1 are of Arm's kind, 2 and 3 threads of POWER's, 4 and 5 harts. 100 MHz: a load is of 1000
// cycles. Unit 1, link, is the first of bridge 1.
const char *const kMixed = R"(name: mixed
bus: {clock_mhz: 100}
corepmu: {clock_mhz: 200}
pmcu: {clusters: 1, slots: 2}
imc: {cores: 1, threads: 2, timebase_mhz: 50}
nest: {present: true, base: 0x88000000, tick_cycles: 20000, segments: [{cycles: 1000}]}
harts: {count: 2}
uncore:
  bridges: [{access_cycles: 12}, {access_cycles: 150}]
  units:
    - {name: mc0, counters: 2, segments: [{cycles: 1000}]}
    - {name: link, bridge: 1, counters: 2, segments: [{cycles: 1000}]}
workloads: []
software: {kind: script}
script:
  - {delay: 10}
)";

using Rows = std::vector<std::string>;

struct Activity : testing::Test {
    void SetUp() override
    {
        ASSERT_EQ(cs_scenario_parse(kMixed, std::strlen(kMixed), "mixed.yaml", ".", nullptr, 0,
                                    &scenario, &diag),
                  CS_OK)
            << diag.text;
        ASSERT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), scenario, &truth, &diag),
                  CS_OK);
        ASSERT_EQ(cs_activity_create(scenario, truth, &activity, &diag), CS_OK);
    }
    void TearDown() override
    {
        cs_activity_destroy(activity);
        cs_truth_abandon(truth);
        cs_scenario_destroy(scenario);
    }
    void tell(const cs_probe_record &r)
    {
        cs_activity_record(activity, &r);
        if (r.kind == CS_PROBE_REG)
            cs_truth_csr(truth, &r);
    }
    void change(cs_probe_kind kind, unsigned source, cs_cycle cycle, uint64_t value,
                unsigned line = 0)
    {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = static_cast<uint8_t>(kind);
        r.source = static_cast<uint16_t>(source);
        r.index = static_cast<uint16_t>(line);
        r.value = value;
        tell(r);
    }
    void access(unsigned source, cs_cycle cycle, bool write, uint64_t offset, uint64_t value,
                uint8_t resp = CS_BUS_OKAY)
    {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = CS_PROBE_REG;
        r.source = static_cast<uint16_t>(source);
        r.write = write;
        r.resp = resp;
        r.addr = offset;
        r.value = value;
        r.bytes = 4;
        tell(r);
    }
    void transfer(unsigned manager, cs_cycle request, cs_cycle grant, cs_cycle last,
                  uint8_t resp = CS_BUS_OKAY)
    {
        cs_probe_record r = {};

        r.kind = CS_PROBE_BUS;
        r.source = static_cast<uint16_t>(manager);
        r.request = request;
        r.grant = grant;
        r.cycle = last;
        r.write = 1;
        r.addr = 0x40;
        r.bytes = 8;
        r.resp = resp;
        tell(r);
    }
    // What the table has after a run of so many cycles.
    Rows rows(const char *table, cs_cycle end = 5000)
    {
        if (truth != nullptr) {
            cs_activity_finish(activity, end);
            EXPECT_EQ(cs_truth_finish(truth, &diag), CS_OK) << diag.text;
            truth = nullptr;
        }
        return Database(temp.file("truth.sqlite"))
            .ask(std::string("SELECT * FROM ") + table + " ORDER BY rowid");
    }

    TempFolder temp;
    cs_scenario *scenario = nullptr;
    cs_truth *truth = nullptr;
    cs_activity *activity = nullptr;
    cs_diag diag = {};
};

} // namespace

TEST_F(Activity, AStateLastsUntilTheNextOrTheEnd)
{
    change(CS_PROBE_STATE, CS_UNIT_PMCU, 100, 1);
    change(CS_PROBE_STATE, CS_UNIT_PMCU, 150, 5);
    change(CS_PROBE_STATE, CS_UNIT_NEST, 120, 2);
    change(CS_PROBE_STATE, CS_UNIT_IMC(0), 130, 4);
    change(CS_PROBE_STATE, CS_UNIT_IMC(0), 130, 2); // both in one cycle
    change(CS_PROBE_STATE, CS_UNIT_PMCU, 400, 11);  // no state has this number

    EXPECT_EQ(rows("state", 1000),
              (Rows{"pmcu|0|100|150|INIT", "imc core|0|130|130|FROZEN", "pmcu|0|150|400|WAIT",
                    "pmcu|0|400|1000|11", "imc core|0|130|1000|RUN", "nest|0|120|1000|PAUSE"}));
}

TEST_F(Activity, EveryStateHasItsName)
{
    const struct {
        unsigned unit;
        Rows names;
    } cases[] = {
        {CS_UNIT_PMCU,
         {"IDLE", "INIT", "FETCH", "PROGRAM", "START", "WAIT", "STOP", "READ", "STORE", "SWITCH",
          "BREAK"}},
        {CS_UNIT_IMC(0), {"OFF", "SYNC", "RUN", "DONE", "FROZEN"}},
        {CS_UNIT_NEST, {"INIT", "RUN", "PAUSE", "ERR1", "ERR2"}},
    };
    Rows expected;

    for (const auto &c : cases)
        for (size_t i = 0; i <= c.names.size(); i++) {
            change(CS_PROBE_STATE, c.unit, 10 * i, i);
            if (i < c.names.size())
                expected.push_back(c.names[i]);
        }
    rows("state");
    EXPECT_EQ(Database(temp.file("truth.sqlite"))
                  .ask("SELECT state FROM state WHERE stop < 5000 ORDER BY rowid"),
              expected);
}

TEST_F(Activity, ALineIsThereWhileItIsHigh)
{
    change(CS_PROBE_IRQ, CS_UNIT_HART(1), 10, 1, 0);
    change(CS_PROBE_IRQ, CS_UNIT_HART(1), 12, 1, 2);
    change(CS_PROBE_IRQ, CS_UNIT_HART(1), 30, 0, 0);
    change(CS_PROBE_IRQ, CS_UNIT_HART(1), 35, 0, 0); // it is low
    change(CS_PROBE_IRQ, CS_UNIT_UNCORE(15), 40, 1);
    change(CS_PROBE_IRQ, CS_UNIT_UNCORE(15), 41, 0);
    change(CS_PROBE_IRQ, CS_UNIT_PMCU, 60, 1);

    EXPECT_EQ(rows("line", 50),
              (Rows{"hart|1|0|10|30", "uncore|1|0|40|41", "pmcu|0|0|60|60", "hart|1|2|12|50"}));
}

TEST_F(Activity, AccessesOfEachUnitByItsNumber)
{
    access(CS_UNIT_PMCU, 7, true, 0x100, 3);
    access(CS_UNIT_CORE(1), 8, false, 0x8, ~0ull);
    access(CS_UNIT_BROADCAST(0), 9, true, 0xc00, 1, CS_BUS_SLVERR);
    access(CS_UNIT_SCOM, 10, true, 0x10, 2, CS_BUS_DECERR);
    access(CS_UNIT_UNCORE(15), 11, false, 0x200, 5);
    access(CS_UNIT_UNCORE_ALL(1), 12, true, 0x8, 1);

    EXPECT_EQ(rows("access"),
              (Rows{"pmcu|0|7|write|256|3|4|OKAY", "core|1|8|read|8|-1|4|OKAY",
                    "broadcast|0|9|write|3072|1|4|SLVERR", "scom|0|10|write|16|2|4|DECERR",
                    "uncore|1|11|read|512|5|4|OKAY", "uncore broadcast|1|12|write|8|1|4|OKAY"}));
    EXPECT_TRUE(rows("csr").empty());
}

TEST_F(Activity, CsrsWithTheirExceptions)
{
    access(CS_UNIT_HART(1), 20, false, 0xb03, 9);
    access(CS_UNIT_HART(1), 20, true, 0xb03, 0, 1);
    access(CS_UNIT_HART(0), 21, false, 0xc00, 4, 2);

    EXPECT_EQ(rows("csr"), (Rows{"1|20|read|2819|9|none", "1|20|write|2819|0|illegal instruction",
                                 "0|21|read|3072|4|virtual instruction"}));
    EXPECT_TRUE(rows("access").empty());
}

TEST_F(Activity, Postings)
{
    cs_probe_record r = {};

    r.kind = CS_PROBE_SAMPLE;
    r.source = CS_UNIT_NEST;
    r.index = 3;
    r.request = 100;
    r.cycle = 199;
    r.value = 6;
    r.addr = 0x88000000;
    r.bytes = 272;
    r.resp = CS_BUS_SLVERR;
    cs_truth_posting(truth, &r);

    EXPECT_EQ(rows("posting"), (Rows{"3|6|100|200|2281701376|272|SLVERR"}));
}

TEST_F(Activity, PostingsAreOfTheNestOnly)
{
    cs_part_run run = {};
    void *part = nullptr;
    cs_probe_record r = {};

    run.scenario = scenario;
    run.truth = truth;
    ASSERT_EQ(cs_part_nest.open(&run, &part, &diag), CS_OK);
    r.kind = CS_PROBE_SAMPLE;
    for (unsigned unit : {CS_UNIT_PMCU, CS_UNIT_NEST, CS_UNIT_IMC(0), CS_UNIT_HART(0)}) {
        r.source = static_cast<uint16_t>(unit);
        cs_part_nest.probe(part, &r);
    }
    EXPECT_EQ(static_cast<cs_nest_part *>(part)->postings, 1u);
    cs_part_nest.destroy(part);

    EXPECT_EQ(rows("posting").size(), 1u);
}

// What a transfer held is in the rows of the 1000 cycles in which it did.
TEST_F(Activity, TransfersAndTheirLoad)
{
    transfer(CS_MANAGER_CPU, 80, 100, 199);   // 100 in the first
    transfer(CS_MANAGER_CPU, 300, 900, 2099); // 100, 1000, 100
    transfer(CS_MANAGER_HART(1), 10, 999, 1000, CS_BUS_DECERR);
    transfer(CS_MANAGER_CPU, 1000, 1001, 1001); // 1 in a row that is written
    transfer(CS_MANAGER_CPU, 4500, 4600, 4600);

    EXPECT_EQ(rows("transfer"),
              (Rows{"cpu|80|100|200|write|64|8|OKAY", "cpu|300|900|2100|write|64|8|OKAY",
                    "hart 1|10|999|1001|write|64|8|DECERR", "cpu|1000|1001|1002|write|64|8|OKAY",
                    "cpu|4500|4600|4601|write|64|8|OKAY"}));
    EXPECT_EQ(Database(temp.file("truth.sqlite")).ask("SELECT * FROM load ORDER BY 1, 2"),
              (Rows{"cpu|0|1000|200", "cpu|1000|2000|1001", "cpu|2000|3000|100", "cpu|4000|5000|1",
                    "hart 1|0|1000|1", "hart 1|1000|2000|1"}));
}

TEST_F(Activity, SoftwareComesAndGoes)
{
    cs_activity_software(activity, 0, 5, CS_TRACK_HANDLER);
    cs_activity_software(activity, 0, 9, 0);
    cs_activity_software(activity, 4, 5, 2); // hart 0
    cs_activity_software(activity, 4, 7, 1); // straight into another
    cs_activity_software(activity, 4, 7, 3);
    cs_activity_software(activity, 4, 8, 0);
    cs_activity_software(activity, 2, 20, CS_TRACK_HANDLER);

    EXPECT_EQ(rows("software", 30), (Rows{"0|5|9|handler", "4|5|7|firmware", "4|7|7|kernel",
                                          "4|7|8|guest", "2|20|30|handler"}));
}

// Whatever comes: each unit and line has rows of its own, and what is no unit has none.
TEST_F(Activity, EverySourceOfItsOwn)
{
    for (unsigned unit = 0; unit <= UINT16_MAX; unit++) {
        change(CS_PROBE_STATE, unit, 1, 1);
        for (unsigned line = 0; line < 5; line++)
            change(CS_PROBE_IRQ, unit, 1, 1, line);
        transfer(unit, 1, 1, 1);
    }
    change(static_cast<cs_probe_kind>(CS_PROBE_SAMPLE + 1), 0, 1, 1);
    cs_activity_software(activity, CS_MAX_CPUS, 1, 1);
    const size_t units = CS_UNITS_END;

    EXPECT_EQ(rows("state").size(), units);
    EXPECT_EQ(rows("line").size(), 3 * units);
    EXPECT_EQ(rows("transfer").size(), CS_BUS_MANAGERS);
    EXPECT_TRUE(rows("software").empty());
    EXPECT_EQ(
        Database(temp.file("truth.sqlite")).number("SELECT count(DISTINCT manager) FROM transfer"),
        CS_BUS_MANAGERS);
}

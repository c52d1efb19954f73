// SPDX-License-Identifier: Apache-2.0
// `countersink run` with perf on the monitors of IOMMUs: what the files say, against each other.
#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

using Cells = std::vector<std::string>;

struct RunIommu : Command {
    void simulate(const std::string &arguments)
    {
        folder = "out" + std::to_string(runs++);
        const Outcome o = run("run -o " + folder + " " + arguments);

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, "");
        json = json_flat(temp.file(folder + "/summary.json"));
    }
    Cells ask(const std::string &sql)
    {
        return Database(temp.file(folder + "/truth.sqlite")).ask(sql);
    }
    std::map<std::string, std::string> json;
    std::string folder; // of the last run
    unsigned runs = 0;
};

// Two devices; the second has two processes and a guest. Rates make sums by filter easy to see.
const char *const kDevices = R"(
harts: {count: 1}
cores: {clock_mhz: 1000}
bus: {clock_mhz: 1000}
iommu_hpm:
  units:
    - name: iommu0
      counters: 4
      width: 32
      sources:
        - {name: a, device_id: 0x100, segments: [{events: [{event: "iommu_hpm:tlb_miss", rate: 1}, {event: "iommu_hpm:ddt_walks", rate: 0.5}]}]}
        - {name: b, device_id: 0x102, process_id: 1, gscid: 3, pscid: 8, segments: [{events: [{event: "iommu_hpm:tlb_miss", rate: 2}]}]}
        - {name: c, device_id: 0x103, process_id: 2, gscid: 3, pscid: 9, segments: [{events: [{event: "iommu_hpm:tlb_miss", rate: 4}]}]}
    - name: iommu1
      counters: 1
      sources:
        - {name: d, device_id: 0x100, segments: [{events: [{event: "iommu_hpm:tlb_miss", rate: 8}]}]}
software: {kind: iommu}
)";

} // namespace

TEST_F(RunIommu, CountsByDevice)
{
    simulate(config_path("iommu_dma.yaml"));
    EXPECT_EQ(json["iommu_wrong"], "0");
    EXPECT_EQ(json["iommu_lost"], "0");
    EXPECT_EQ(json["rotating_interrupts"], "0");
    EXPECT_LT(std::stod(json["most_error"]), 0.005) << "of starting and stopping";
    EXPECT_EQ(ask("SELECT count(*), count(DISTINCT name), min(truth) > 1000 FROM rotated WHERE "
                  "final"),
              Cells{"8|8|1"});
    EXPECT_EQ(ask("SELECT name, counters, accesses FROM iommu"),
              Cells{"iommu0|7|" + json["register_accesses"]});
    EXPECT_EQ(ask("SELECT name, device_id, process_id, gscid FROM iommu_source"),
              (Cells{"nic|256|NULL|NULL", "nic_vf|257|NULL|3", "nvme_db|512|71|NULL",
                     "nvme_log|512|72|NULL"}));
}

// What each filter lets through, per cycle: the rates of the sources that it names.
TEST_F(RunIommu, EachFilterTakesItsSources)
{
    temp.write("filters.yaml", std::string(kDevices) + R"(
perf:
  - stop: 400us
    stat:
      - iommu0/tlb_miss/
      - iommu0/tlb_miss,device_id=0x102/
      - iommu0/tlb_miss,device_id=0x102,partial/
      - iommu0/tlb_miss,device_id=0x101,partial/
      - iommu0/tlb_miss,process_id=2/
      - iommu0/tlb_miss,device_id=0x102,process_id=1/
      - iommu0/tlb_miss,gscid=3/
      - iommu0/tlb_miss,gscid=3,pscid=9/
      - iommu0/tlb_miss,pscid=8/
)");
    simulate("filters.yaml --set iommu_hpm.units.0.counters=9");
    EXPECT_EQ(json["iommu_wrong"], "0");
    const Cells rates = {"tlb_miss|7.0|7.0",
                         "tlb_miss,device_id=0x102|2.0|2.0",
                         "tlb_miss,device_id=0x102,partial|6.0|6.0",
                         "tlb_miss,device_id=0x101,partial|7.0|7.0",
                         "tlb_miss,process_id=0x2|4.0|4.0",
                         "tlb_miss,device_id=0x102,process_id=0x1|2.0|2.0",
                         "tlb_miss,gscid=0x3|6.0|6.0",
                         "tlb_miss,gscid=0x3,pscid=0x9|4.0|4.0",
                         "tlb_miss,pscid=0x8|2.0|2.0"};
    EXPECT_EQ(ask("SELECT name, round(1.0 * raw / running, 3), round(1.0 * truth / enabled, 3) "
                  "FROM rotated"),
              rates);
}

// More events than counters take turns, on each IOMMU by itself.
TEST_F(RunIommu, EventsTakeTurns)
{
    temp.write("turns.yaml", std::string(kDevices) + R"(
iommu_driver: {tick_us: 100}
perf:
  - stop: 6ms
    stat: [iommu_hpm/tlb_miss/, "iommu_hpm/tlb_miss,device_id=0x100/", iommu_hpm/cycles/]
)");
    simulate("turns.yaml");
    EXPECT_EQ(json["iommu_wrong"], "0");
    EXPECT_EQ(
        ask("SELECT pmu, name, round(10.0 * running / enabled) FROM rotated"),
        (Cells{"iommu0|tlb_miss|10.0", "iommu0|tlb_miss,device_id=0x100|10.0", "iommu0|cycles|10.0",
               "iommu1|tlb_miss|7.0", "iommu1|tlb_miss,device_id=0x100|3.0", "iommu1|cycles|7.0"}))
        << "cycles have a counter of their own, but wait behind an event that has none";
    EXPECT_GT(std::stoul(json["rotations"]), 50u);
    EXPECT_LT(std::stod(json["most_error"]), 0.02);
}

// The handler stops all counters: what it loses is a figure, and all that is missing.
TEST_F(RunIommu, OverflowInterrupts)
{
    temp.write("wrap.yaml", std::string(kDevices) + R"(
perf: [{stat: [iommu0/tlb_miss/, iommu0/ddt_walks/], stop: 2500ms}]
)");
    simulate("wrap.yaml");
    EXPECT_EQ(json["iommu_wrong"], "0");
    EXPECT_EQ(json["rotating_interrupts"], "8"); // 17.5e9 misses and 1.25e9 walks, each 2^31
    const long lost = std::stol(json["iommu_lost"]);
    EXPECT_GT(lost, 8 * 100);
    EXPECT_NEAR(std::stod(ask("SELECT sum(truth - raw - (enabled - running) * CASE event WHEN 4 "
                              "THEN 7 ELSE 0.5 END) FROM rotated")[0]),
                lost, 50)
        << "all that is missing while they ran";
    EXPECT_EQ(ask("SELECT lost FROM iommu"), (Cells{json["iommu_lost"], "0"}));
}

TEST_F(RunIommu, AnEventOfNobodyIsNamed)
{
    temp.write("nobody.yaml", std::string(kDevices) + R"(
perf: [{stat: ["iommu_hpm/tlb_miss,gscid=4/"], stop: 100us}]
)");
    const Outcome o = run("check-scenario nobody.yaml");
    EXPECT_TRUE(has(o.err, "tlb_miss,gscid=0x4 counts nothing: no source of the command's IOMMUs"))
        << o.err << o.out;
}

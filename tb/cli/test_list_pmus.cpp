// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

const std::string kRack = CS_SOURCE_DIR "/configs/uncore/uncore_rack.yaml";

struct ListPmus : Command {
    void SetUp() override
    {
        temp.write("two.yaml",
                   "pmus: {tree: [{at: rack0-1/chip2, units: [{name: memctl, count: 2}]}]}\n"
                   "uncore:\n"
                   "  bridges: [{}]\n"
                   "  units: [{name: mc, path: rack1/chip2/memctl1}, {name: none}]\n");
    }
};

const char *const kRack1 = "          rack1/\n"
                           "          rack1/chip2/\n"
                           "0x020400  rack1/chip2/memctl0\n"
                           "0x020401  rack1/chip2/memctl1  (simulated: mc, bridge 0, slot 0)\n";

} // namespace

TEST_F(ListPmus, TheTreeByAddressAndByPath)
{
    const Outcome o = run("list --pmus two.yaml");

    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out, std::string("          /sys/devices/system/pmus/\n"
                                 "          rack0/\n"
                                 "          rack0/chip2/\n"
                                 "0x000400  rack0/chip2/memctl0\n"
                                 "0x000401  rack0/chip2/memctl1\n") +
                         kRack1 + "total: 2 rack, 2 chip, 4 pmu\n" +
                         "1 simulated unit has no place in it (uncore.units[].path)\n");
}

TEST_F(ListPmus, APartByPathAndOneByAddress)
{
    const std::string rack1 = std::string(kRack1) + "total: 1 rack, 1 chip, 2 pmu\n";

    EXPECT_EQ(run("list --pmus two.yaml --under rack1").out, rack1);
    EXPECT_EQ(run("list --under /sys/devices/system/pmus/rack1/ --pmus two.yaml").out, rack1);
    for (const char *one : {"rack0/chip2/memctl1", "0x401"})
        EXPECT_EQ(run(std::string("list --pmus two.yaml --under ") + one).out,
                  "0x000401  rack0/chip2/memctl1\ntotal: 1 pmu\n");
}

TEST_F(ListPmus, SixtyFiveThousandAreALineEach)
{
    const Outcome o = run("list --pmus " + kRack);

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "\n0xfffe01  rack127/blade31/chip7/memctl1  (simulated: far, "));
    EXPECT_TRUE(has(o.out, "\n0x004231  rack0/blade4/chip1/node0/core3/vectorcopro1  (simulated"));
    EXPECT_TRUE(has(o.out, "\ntotal: 128 rack, 4096 blade, 32768 chip, 1 node, 1 core, "
                           "65665 pmu\n"));
    // The root, the directories, the PMUs, the total.
    EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 1 + 36994 + 65665 + 1);
}

TEST_F(ListPmus, AsATable)
{
    EXPECT_EQ(run("list --pmus two.yaml --format csv").out,
              "address,path,unit,bridge,slot\n"
              "0x000400,rack0/chip2/memctl0,,,\n"
              "0x000401,rack0/chip2/memctl1,,,\n"
              "0x020400,rack1/chip2/memctl0,,,\n"
              "0x020401,rack1/chip2/memctl1,mc,0,0\n");
    EXPECT_EQ(run("list --pmus two.yaml -f json --under rack1").out,
              "[\n{\"address\": \"0x020400\", \"path\": \"rack1/chip2/memctl0\", \"unit\": null, "
              "\"bridge\": null, \"slot\": null},\n"
              "{\"address\": \"0x020401\", \"path\": \"rack1/chip2/memctl1\", \"unit\": \"mc\", "
              "\"bridge\": 0, \"slot\": 0}\n]\n");
    EXPECT_EQ(run("list --pmus two.yaml --format text").out, run("list --pmus two.yaml").out);
}

TEST_F(ListPmus, AScenarioWithoutPmusIsRefused)
{
    temp.write("none.yaml", "seed: 1\n");
    for (const char *format : {"text", "csv", "json"}) {
        const Outcome o = run(std::string("list --pmus none.yaml --format ") + format);

        EXPECT_EQ(o.status, 2);
        EXPECT_EQ(o.out, "");
        EXPECT_TRUE(has(o.err, "has no PMUs of a large system (uncore.units)")) << o.err;
    }
}

TEST_F(ListPmus, TheExampleRuns)
{
    const Outcome o = run("run -o out " + kRack);

    EXPECT_EQ(o.status, 0) << o.err;
}

TEST_F(ListPmus, ErrorsAreClear)
{
    temp.write("bad.yaml", "pmus: {tree: [{at: rack128, units: [{name: a}]}]}\n");
    const struct {
        const char *arguments;
        int status;
        const char *error;
    } cases[] = {
        {"list --pmus none.yaml", 3, "countersink: none.yaml: cannot be opened"},
        {"list --pmus bad.yaml", 2, "bad.yaml:1:20: pmus.tree.0.at: character 1: rack128: 128 is"},
        {"list --pmus", 2, "--pmus needs a value"},
        {"list --under rack0", 2, "--under needs --pmus"},
        {"list --pmus two.yaml --events", 2, "--pmus cannot be combined with other lists"},
        {"list --pmus two.yaml --catalog x.dtb", 2, "--pmus cannot be combined"},
        {"list --format csv", 2, "--format csv and json need one list, as --units"},
        {"list --pmus two.yaml --format yaml", 2, "--format: "},
        {"list --pmus two.yaml --format json --under rack2", 2, "there is nothing at rack2"},
        {"list --pmus two.yaml --under rack0/chip8", 2,
         "--under rack0/chip8: character 7: chip8: 8 is outside chip 0..7 (3 bits)"},
        {"list --pmus two.yaml --under rack2", 2, "--under rack2: there is nothing at rack2"},
        {"list --pmus two.yaml --under 0x402", 2,
         "no PMU has the address 0x402 (rack0/blade0/chip2"},
        {"list --pmus two.yaml --under 0x1000000", 2, "0x1000000 is outside 0..0xffffff (24 bits)"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments;
        EXPECT_TRUE(has(o.err, c.error)) << c.arguments << ": " << o.err;
        EXPECT_EQ(o.out, "") << c.arguments;
    }
}

// docs/drivers/uncore_driver.md, "Partitions": of others there is nothing to be seen.
TEST_F(ListPmus, WhatAPartitionSees)
{
    temp.write("parts.yaml",
               "pmcu: {clusters: 1, slots: 2}\n"
               "pmus: {tree: [{at: rack0-1/chip2, units: [{name: memctl, count: 2}]}]}\n"
               "uncore:\n"
               "  bridges: [{}]\n"
               "  units: [{name: mc, path: rack1/chip2/memctl1}, {name: none}]\n"
               "  partitions: [{name: a, cpus: [0], pmus: [rack0/chip2/memctl1], units: [none]},\n"
               "               {name: b, cpus: [1], pmus: [rack1]}]\n");
    EXPECT_EQ(run("list --pmus parts.yaml --partition a").out,
              "          /sys/devices/system/pmus/\n"
              "          rack0/\n"
              "          rack0/chip2/\n"
              "0x000401  rack0/chip2/memctl1\n"
              "total: 1 rack, 1 chip, 1 pmu\n"
              "1 simulated unit has no place in it (uncore.units[].path)\n");
    EXPECT_EQ(run("list --pmus parts.yaml --partition b --root device-tree").out,
              "          /proc/device-tree/\n"
              "          rack@1/\n"
              "          rack@1/chip@2/\n"
              "0x020400  rack@1/chip@2/memctl@0\n"
              "0x020401  rack@1/chip@2/memctl@1  (simulated: mc, bridge 0, slot 0)\n"
              "total: 1 rack, 1 chip, 2 pmu\n");
    EXPECT_EQ(run("list --pmus parts.yaml --partition b --under rack0 -f csv").out,
              "address,path,unit,bridge,slot\n");
    EXPECT_NE(run("list --pmus parts.yaml --partition c").err.find("there is no partition c"),
              std::string::npos);
    EXPECT_NE(run("list --pmus parts.yaml --root proc").err.find("expected sysfs or device-tree"),
              std::string::npos);
}

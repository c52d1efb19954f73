#include <regex>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{
using List = Command;
using Help = Command;
} // namespace

TEST_F(List, EverythingWithoutOptions)
{
    const Outcome o = run("list");

    EXPECT_EQ(o.status, 0);
    for (const char *part :
         {"Units (list --units)", "Scenario keys (list --scenario)", "Registers (list --registers)",
          "Events (list --events)", "pmcu.lanes", "FSM_STATUS", "INST_RETIRED", "docs/hw/pmcu.md"})
        EXPECT_TRUE(has(o.out, part)) << part;
}

TEST_F(List, KeysHaveTheirRangesAndDefaults)
{
    const std::string keys = run("list --scenario").out;
    const char *const lines[] = {
        "\npmcu\\.lanes +1\\.\\.4 +default 1 +\\S",
        "\npmcu\\.slots +1\\.\\.8 +default \\S+ +\\S",
        "\nbus\\.clock_mhz +50\\.\\.10000 MHz +default 1000 +\\S",
        "\nkeep\\.memory +true or false +default true +\\S",
    };

    for (const char *line : lines)
        EXPECT_TRUE(std::regex_search(keys, std::regex(line))) << line;
    EXPECT_FALSE(has(keys, "FSM_STATUS"));
}

TEST_F(List, RegistersHaveOffsetsAccessAndReset)
{
    const std::string registers = run("list --registers").out;
    const char *const lines[] = {
        "pmcu +0x000 +FSM_STATUS +ro +reset 0x0 +\\S",
        "\npmcu +0x020 +WAIT_CNT +rw +reset 0x249f0 +\\S",
        "\npmcu +0x200 +PMCR +rw +reset 0xc1 +\\S",
        "\ncorepmu +0x000 +EXT32_PMEVCNTR<0\\.\\.30> +rw +reset 0x0 +\\S",
    };

    for (const char *line : lines)
        EXPECT_TRUE(std::regex_search(registers, std::regex(line))) << line;
}

TEST_F(List, EventsHaveNumbersAndNames)
{
    const std::string events = run("list --events").out;

    EXPECT_TRUE(has(events, "0x0008  INST_RETIRED\n"));
    EXPECT_TRUE(has(events, "0x0011  CPU_CYCLES\n"));
    EXPECT_FALSE(has(events, "pmcu"));
}

TEST_F(List, SectionsCanBeCombined)
{
    const Outcome o = run("list --units --events");

    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(has(o.out, "docs/hw/bus.md"));
    EXPECT_TRUE(has(o.out, "INST_RETIRED"));
    EXPECT_FALSE(has(o.out, "pmcu.lanes"));
}

TEST_F(Help, OfTheCommandAsAWhole)
{
    for (const char *ask : {"--help", "-h", "help"}) {
        const Outcome o = run(ask);

        EXPECT_EQ(o.status, 0) << ask;
        EXPECT_EQ(o.err, "");
        for (const char *command : {"run", "compare", "decode", "list"})
            EXPECT_TRUE(has(o.out, std::string("\n  ") + command)) << o.out;
    }
    EXPECT_TRUE(std::regex_match(run("--version").out,
                                 std::regex("countersink [0-9]+\\.[0-9]+\\.[0-9]+\n")));
}

TEST_F(Help, OfEachCommandNamesItsOptions)
{
    const std::pair<const char *, std::vector<const char *>> commands[] = {
        {"run", {"--output", "-o", "--set", "Exit status"}},
        {"compare", {"--set", "--limit-cycles", "--no-time-limit", "Exit status"}},
        {"decode", {"--format", "-f", "--slots", "Exit status"}},
        {"list", {"--units", "--scenario", "--registers", "--events"}},
    };

    for (const auto &[command, options] : commands)
        for (const char *ask : {" --help", " -h", " --help nowhere.yaml"}) {
            const Outcome o = run(std::string(command) + ask);

            EXPECT_EQ(o.status, 0) << command << ask;
            EXPECT_EQ(o.err, "");
            EXPECT_TRUE(has(o.out, std::string("usage: countersink ") + command)) << o.out;
            for (const char *option : options)
                EXPECT_TRUE(has(o.out, option)) << command << ": " << option;
        }
}

// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <regex>
#include <set>

#include <sys/stat.h>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{
using List = Command;
using ListCatalog = Command;
using Help = Command;

const std::string kPower9 = CS_SOURCE_DIR "/configs/imc/power9_small.dts";

size_t count(const std::string &text, const std::string &part)
{
    size_t n = 0;

    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        n++;
    return n;
}
} // namespace

// A row per unit, key, register, event, guest and example, as many as lines of text.
TEST_F(List, EachListIsATable)
{
    const struct {
        const char *list, *names, *cell;
    } cases[] = {
        {"--units", "unit,about,page", "\npmcu,"},
        {"--scenario", "key,allowed,unit,default,text", "\npmcu.lanes,1..4,,1,"},
        {"--registers", "unit,register,where,access,reset,fields,text", "\npmcu,"},
        {"--events", "code,event", "\n0x0008,INST_RETIRED\n"},
        {"--guests", "guest,about,missing", "\nriscv64,"},
        {"--examples hotplug", "scenario,about", "\nconfigs/pmcu/pmcu_hotplug.yaml,"},
    };

    for (const auto &c : cases) {
        const std::string list = std::string("list ") + c.list;
        const Outcome csv = run(list + " -f csv"), json = run(list + " --format json");

        EXPECT_EQ(csv.status, 0) << csv.err;
        EXPECT_EQ(csv.out.rfind(std::string(c.names) + "\n", 0), 0u) << csv.out.substr(0, 200);
        EXPECT_TRUE(has(csv.out, c.cell)) << c.list << "\n" << csv.out.substr(0, 2000);
        EXPECT_EQ(json.out.rfind("[\n{\"", 0), 0u) << json.out.substr(0, 200);
        EXPECT_EQ(count(json.out, "\n{\""), count(csv.out, "\n") - 1) << c.list;
        EXPECT_EQ(run(list + " -f text").out, run(list).out);
    }
    for (const char *several : {"", "--units --events", "--units --examples hotplug"}) {
        const Outcome o = run(std::string("list -f csv ") + several);
        EXPECT_EQ(o.status, 2) << several;
        EXPECT_TRUE(has(o.err, "--format csv and json need one list, as --units")) << o.err;
    }
}

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
        "\nuncore +0x000 +ID +ro +reset 0x3004 +\\S",
        "\nimc +power9\\.0\\.HTM_MODE +SCOM 0x10012200 +rw +\\S",
        "\nimc +0\\.0\\.LDBAR +SPR 850 +rw +\\S",
        "\n +bits from the top: 0 ENABLE, 1 TRACE, 4:6 SCOPE, 8:50 ADDRESS\n",
        "\nnest +COMMAND +HOMER \\+ 0x1bfc08 +rw +\\S",
        "\nuncore +0x200 +COUNT<0\\.\\.15> +rw +reset 0x0 +\\S",
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

TEST_F(List, RegistersOfEachDie)
{
    const std::string registers = run("list --registers").out;

    for (const char *line : {"pmcu +pmcu\\.FSM_STATUS +bus 0x10000000", "hisi_pmcu_sccl<pmcu.sccl",
                             "pmcu +pmcu\\.3\\.FSM_STATUS +bus 0x10300000 +ro .* die 3"})
        EXPECT_TRUE(std::regex_search(registers, std::regex(line))) << line;
}

TEST_F(List, ExamplesAreThoseForPeople)
{
    const Outcome o = run("list --examples HotPlug");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(
        std::regex_search(o.out, std::regex("configs/pmcu/pmcu_hotplug\\.yaml +CPUs go off")))
        << o.out;
    EXPECT_FALSE(has(o.out, "tb/scenarios")) << o.out;
    EXPECT_FALSE(has(o.out, "yaml-language-server")) << o.out;
    EXPECT_EQ(run("list --examples yaml-language-server").status, 2)
        << "that is not what they show";
    const Outcome none = run("list --examples no_such_word_anywhere");
    EXPECT_EQ(none.status, 2);
    EXPECT_EQ(none.out, "");
    EXPECT_EQ(run("list --examples pmu --catalog " + kPower9).status, 2);
}

TEST_F(List, SectionsCanBeCombined)
{
    const Outcome o = run("list --units --events");

    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(has(o.out, "docs/hw/bus.md"));
    EXPECT_TRUE(has(o.out, "INST_RETIRED"));
    EXPECT_FALSE(has(o.out, "pmcu.lanes"));
}

// A pipe that nobody writes to is refused, and not waited for.
TEST_F(ListCatalog, APipeIsNoCatalog)
{
    ASSERT_EQ(mkfifo(temp.file("pipe").c_str(), 0600), 0);
    for (const char *name : {"pipe", "pipe@0x4e0200"}) {
        const Outcome o = run(std::string("list --catalog ") + name, "timeout 60");

        EXPECT_EQ(o.status, name == std::string("pipe") ? 2 : 3) << o.err;
        EXPECT_TRUE(has(o.err, name == std::string("pipe")
                                   ? "pipe: is a pipe, which can be read only once: expected a "
                                     "catalog in a file"
                                   : "cannot open"))
            << o.err;
    }
}

TEST_F(ListCatalog, AsPerfListShowsIt)
{
    const Outcome o = run("list --catalog " + kPower9);

    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out.substr(0, o.out.find('\n')),
              "nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/        [Kernel PMU event]");
    for (const char *event : {"nest_xlink0_imc/PM_XLINK0_OUT_EVEN_CYC/", "core_imc/CPM_32MHZ_CYC/",
                              "thread_imc/CPM_CS_INST_USER/", "trace_imc/trace_cycles/"})
        EXPECT_TRUE(has(o.out, std::string("\n") + event + ' ')) << event;
    EXPECT_EQ(count(o.out, "/ "), 85u);
    EXPECT_EQ(count(o.out, " [Kernel PMU event]\n"), 85u);
    EXPECT_EQ(count(o.out, "\n"), 85u);
}

TEST_F(ListCatalog, WithValuesAsCsvAndJson)
{
    const std::string csv = run("list --format csv --catalog " + kPower9).out;
    const std::string json = run("list -f json --catalog " + kPower9).out;

    EXPECT_EQ(csv.substr(0, csv.find('\n')), "pmu,event,value,scale,unit,desc");
    EXPECT_TRUE(has(csv, "\nnest_mba0_imc,PM_MBA0_READ_BYTES,0x448,1,,Bytes read from memory\n"));
    EXPECT_TRUE(has(csv, "\ntrace_imc,trace_cycles,0x10200000,,,"));
    EXPECT_EQ(count(csv, "\n"), 86u);
    EXPECT_TRUE(has(json,
                    "{\"pmu\": \"core_imc\", \"event\": \"CPM_32MHZ_CYC\", \"value\": \"0xa0\", "
                    "\"scale\": \"512\", \"unit\": null, \"desc\": "
                    "\"Ticks of the 32 MHz clock\"}"));
    EXPECT_EQ(count(json, "{\"pmu\""), 85u);
}

TEST_F(ListCatalog, TellsWhatWasLeftOut)
{
    temp.write("odd.dts", "/dts-v1/;\n/ { compatible = \"ibm,opal-in-memory-counters\";\n"
                          "  x@0 { compatible = \"ibm,imc-counters\"; type = <0x40>; };\n};\n");
    const Outcome o = run("list --catalog odd.dts");

    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(has(o.err, "warning: odd.dts: /x@0, property 'type': expected 0x10")) << o.err;
}

TEST_F(ListCatalog, EventsThatShareACounterAreTold)
{
    temp.write("twins.dts", R"(/dts-v1/;
/ {
    compatible = "ibm,opal-in-memory-counters";
    X: x-events {
        #address-cells = <1>;
        #size-cells = <1>;
        event@8 { event-name = "A"; reg = <0x8 8>; };
        event@10 { event-name = "B"; reg = <0x10 8>; };
        other@8 { event-name = "C"; reg = <0x8 8>; };
        third@8 { event-name = "D"; reg = <0x8 8>; };
    };
    core@0 {
        compatible = "ibm,imc-counters";
        type = <0x4>;
        size = <0x2000>;
        reg = <0x0 8>;
        events = <&X>;
        events-prefix = "";
    };
};
)");
    const Outcome o = run("list --catalog twins.dts");

    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err,
              "warning: twins.dts: core_imc: 2 events have the counter of another: A and C are "
              "both at 0x8\n");
    EXPECT_EQ(run("list --catalog " + kPower9).err, "");
}

TEST_F(ListCatalog, WritesTheKernelsDeviceTree)
{
    const std::string before = run("list -f csv --catalog " + kPower9).out;
    const Outcome o = run("list --catalog " + kPower9 + " --device-tree out.dtb");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(run("list -f csv --catalog out.dtb").out, before);
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"small.yaml", "out.dtb"}));

    // powerbus0 is bit 0; chips come as base-addr and chip-id.
    EXPECT_EQ(run("list --catalog " + kPower9 +
                  " --device-tree out.dtb --availability 0x8000000000000000 --no-trace "
                  "--chip 0=0x2000000000 --chip 8=0x4000000000")
                  .status,
              0);
    const std::string after = run("list --catalog out.dtb").out;
    EXPECT_TRUE(has(after, "nest_powerbus0_imc/"));
    for (const char *gone : {"nest_mba0_imc", "nest_phb0_imc", "trace_imc"})
        EXPECT_FALSE(has(after, gone)) << gone;
    const std::string tree = temp.read("out.dtb");
    EXPECT_TRUE(has(tree, std::string("\0\0\0\x20\0\0\0\0\0\0\0\x40\0\0\0\0", 16)));
    EXPECT_TRUE(has(tree, std::string("chip-id\0", 8)));
}

// The chips of a machine, 4 MiB apart, are as if they were given one by one; its boot chip says which units
// there are.
TEST_F(ListCatalog, TheTreeOfAMachine)
{
    const std::string chips = CS_SOURCE_DIR "/configs/imc/imc_chips.yaml";
    const std::string tree = "list --catalog " + kPower9 + " --device-tree ";
    const std::string given = "--chip 0=0xbf400000 --chip 1=0xbf800000 --availability ";

    ASSERT_EQ(run(tree + "m.dtb --machine " + chips).status, 0);
    ASSERT_EQ(run(tree + "g.dtb " + given + "0xFFFF8073F007E000").status, 0);
    EXPECT_EQ(temp.read("m.dtb"), temp.read("g.dtb"));
    EXPECT_TRUE(
        has(temp.read("m.dtb"), std::string("\0\0\0\0\xbf\x40\0\0\0\0\0\0\xbf\x80\0\0", 16)));
    // Chip 0 has no phb0.
    std::string text;
    std::ifstream in(chips);
    for (std::string line; std::getline(in, line);) {
        text += (line.rfind("catalog:", 0) == 0 ? "catalog: " + kPower9 : line) + "\n";
        if (line == "  chips:")
            text += "    - units: 0xFFFF8071F007E000\n      segments:\n", std::getline(in, line);
    }
    temp.write("few.yaml", text);
    ASSERT_EQ(run(tree + "f.dtb --machine few.yaml").status, 0);
    ASSERT_EQ(run(tree + "h.dtb " + given + "0xFFFF8071F007E000").status, 0);
    EXPECT_EQ(temp.read("f.dtb"), temp.read("h.dtb"));
    EXPECT_TRUE(temp.read("f.dtb") != temp.read("m.dtb"));

    const Outcome none = run(tree + "n.dtb --machine " CS_SOURCE_DIR "/configs/imc/imc_core.yaml");
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(has(none.err, "has no nest (nest.present)")) << none.err;
    EXPECT_FALSE(temp.has("n.dtb"));
}

TEST_F(ListCatalog, ErrorsAreClear)
{
    temp.write("cut.dtb", std::string("\xd0\x0d\xfe\xed\0\0", 6));
    temp.write("bad.dts", "/dts-v1/;\n/ { oops };\n");
    const std::string catalog = "list --catalog " + kPower9 + " ";
    const struct {
        std::string arguments;
        int status;
        const char *error;
    } cases[] = {
        {"list --catalog none.dtb", 3, "countersink: none.dtb: cannot open"},
        {"list --catalog cut.dtb", 2, "cut.dtb: expected a device tree blob with a header"},
        {"list --catalog bad.dts", 2, "bad.dts: dtc cannot compile it: Error: bad.dts:2."},
        {"list --catalog", 2, "--catalog needs a value"},
        {catalog + "--events", 2, "--catalog cannot be combined with other lists"},
        {catalog + "--format xml", 2, "--format: "},
        {catalog + "more", 2, "expected no argument, found 'more'"},
        {catalog + "--no-trace", 2, "--no-trace needs --device-tree"},
        {catalog + "--machine x.yaml", 2, "--machine needs --device-tree"},
        {catalog + "--device-tree out.dtb --machine none.yaml", 3, "none.yaml"},
        {catalog + "--chip 0=0", 2, "--chip needs --device-tree"},
        {catalog + "--availability 1", 2, "--availability needs --device-tree"},
        {"list --format csv", 2, "--format csv and json need one list, as --units"},
        {"list --device-tree out.dtb", 2, "--device-tree needs --catalog"},
        {catalog + "--device-tree none/out.dtb", 3, "cannot make the file"},
        {catalog + "--device-tree out.dtb --availability all", 2, "--availability: found 'all'"},
        {catalog + "--device-tree out.dtb --chip 0", 2, "--chip: found '0', expected ID=ADDRESS"},
        {catalog + "--device-tree out.dtb --chip =0", 2, "--chip: found '=0'"},
        {catalog + "--device-tree out.dtb --chip 0=0 --chip 0=1", 2, "--chip: found '0=1'"},
        {catalog + "--device-tree out.dtb --chip 0x100000000=1", 2, "--chip: found"},
    };

    for (const auto &one : cases) {
        const Outcome o = run(one.arguments);

        EXPECT_EQ(o.status, one.status) << one.arguments;
        EXPECT_TRUE(has(o.err, one.error)) << one.arguments << ": " << o.err;
        EXPECT_FALSE(temp.has("out.dtb")) << one.arguments;
    }
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
}

// By groups, each of which has a title and some of the commands.
TEST_F(Help, CommandsStandInGroups)
{
    const std::string help = run("help").out;

    EXPECT_TRUE(std::regex_search(help, std::regex("\n\nStart\n  new  ")));
    EXPECT_TRUE(std::regex_search(help, std::regex("\n\nTraces\n  trace  ")));
    EXPECT_EQ(count(help, "\n\n  "), 0u) << help;
    EXPECT_LE(help.find("\n  run "), help.find("\nVerify\n"));
}

TEST_F(Help, AMistypedCommandHasThreeLines)
{
    for (const char *mistyped : {"rnu", "fly", "help fly"}) {
        const Outcome o = run(mistyped);

        EXPECT_EQ(o.status, 2) << mistyped;
        EXPECT_EQ(o.out, "");
        EXPECT_EQ(count(o.err, "\n"), 3u) << o.err;
        EXPECT_TRUE(has(o.err, "'countersink help' lists the commands.\n")) << o.err;
    }
}

TEST_F(Help, CompletionOfAShell)
{
    EXPECT_TRUE(has(run("completion bash").out, "complete -F _countersink countersink\n"));
    EXPECT_EQ(run("completion zsh").out.substr(0, 21), "#compdef countersink\n");
    EXPECT_EQ(run("completion fish").status, 0);
    const Outcome o = run("completion tcsh");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "found 'tcsh', expected bash, fish or zsh")) << o.err;
}

TEST_F(Help, VersionSaysWhatItWasBuiltWith)
{
    for (const char *ask : {"--version", "-V", "version"}) {
        const Outcome o = run(ask);

        EXPECT_EQ(o.status, 0) << ask;
        EXPECT_TRUE(
            std::regex_search(o.out, std::regex("^countersink [0-9]+\\.[0-9]+\\.[0-9]+\n")));
        for (const char *part :
             {"build", "compiler", "Verilator", "SystemC", "SQLite", "libfyaml", "libfdt"})
            EXPECT_TRUE(
                std::regex_search(o.out, std::regex(std::string("\n  ") + part + " +[A-Za-z0-9]")))
                << part << ": " << o.out;
    }
}

TEST_F(Help, IsTheSameByBothWays)
{
    for (const char *command : {"run", "list", "compare-unit", "help"}) {
        const Outcome o = run(std::string("help ") + command);

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.out, run(std::string(command) + " --help").out);
    }
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_TRUE(has(run("help rnu").err, "did you mean 'run'?"));
}

TEST_F(Help, OfEachCommandNamesItsOptions)
{
    const std::pair<const char *, std::vector<const char *>> commands[] = {
        {"run", {"--output", "-o", "--set", "Exit status"}},
        {"compare", {"--set", "--limit-cycles", "--no-time-limit", "Exit status"}},
        {"decode", {"--format", "-f", "--slots", "Exit status"}},
        {"list",
         {"--units", "--scenario", "--registers", "--events", "--catalog", "--format",
          "--device-tree", "--availability", "--chip", "--no-trace"}},
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

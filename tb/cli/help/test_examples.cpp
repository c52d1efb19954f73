// SPDX-License-Identifier: Apache-2.0
// The examples of the help, typed as they are printed, in an order in which one makes what the next one reads.
#include <set>
#include <sstream>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

struct Examples : Command {
    std::set<std::string> tried;

    void SetUp() override
    {
        for (const char *folder : {"configs", "sweeps"})
            std::filesystem::create_directory_symlink(CS_SOURCE_DIR "/" + std::string(folder),
                                                      temp.path() / folder);
    }
    static std::string replaced(std::string text, const std::string &from, const std::string &to)
    {
        const size_t at = text.find(from);

        return at == std::string::npos ? text : text.replace(at, from.size(), to);
    }
    // What stands below "Examples:", without "countersink".
    std::vector<std::string> of(const std::string &command)
    {
        const std::string help = run("help " + command).out, begin = "  countersink ";
        std::istringstream lines(help.substr(std::min(help.find("\nExamples:\n"), help.size())));
        std::vector<std::string> found;

        for (std::string line; std::getline(lines, line);)
            if (line.rfind(begin, 0) == 0)
                found.push_back(line.substr(begin.size()));
        return found;
    }
    void work(const std::string &command, const std::set<std::string> &but = {})
    {
        for (const std::string &example : of(command)) {
            if (but.count(example) != 0) {
                tried.insert(example);
                continue;
            }
            std::string line = replaced(example, "| man -l -", "> page");
            if (has(line, "| countersink"))
                line = "--version > page; ('" CS_COMMAND "' " +
                       replaced(line, "| countersink", "| '" CS_COMMAND "'") + ")";
            const Outcome o = run(line);

            EXPECT_EQ(o.status, 0) << "countersink " << example << "\n" << o.err;
        }
    }
};

} // namespace

TEST_F(Examples, OfTheHelpWork)
{
    // These take long, or are made of files that are the reader's own.
    const std::set<std::string> but = {
        "sweep --csv - sweeps/pmcu_design.yaml",
        "report pmcu_design.sqlite",
        "compare --random 1000 --time 60",
        "compare-unit hpm --rtl my_counters.sv --top my_counters --map my.yaml",
        "follow my_core.trace",
        "zoo minh-through-a-window --waves w.fst",
        "zoo --all",
        "pmu --time steps --truth t.sqlite -- ./my_test"};
    const char *const order[] = {
        "new",     "check-scenario", "explain", "run",    "trace", "decode", "check",
        "damage",  "report",         "sweep",   "list",   "help",  "boot",   "completion",
        "compare", "compare-unit",   "zoo",     "follow", "pmu"};

    for (const char *command : order)
        work(command, but);
    ASSERT_EQ(run("compare --coverage reached.txt configs/pmcu/pmcu_lockstep_basic.yaml").status,
              0);
    work("coverage");
    EXPECT_EQ(tried, but) << "none of them is gone from the help";
    // No command is forgotten.
    std::istringstream commands(run("help --complete -- ''").out);
    size_t nr = 0;
    for (std::string line; std::getline(commands, line);)
        nr++;
    EXPECT_EQ(nr, std::size(order) + 1);
}

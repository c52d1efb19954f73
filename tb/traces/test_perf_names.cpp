// SPDX-License-Identifier: Apache-2.0
// Whose samples are: threads, and names of functions that are in no file. perf judges.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

struct PerfNames : Trace {
    // Samples by event and function, as perf report counts them with what `trace` has told to type.
    std::map<std::string, std::map<std::string, int>> reported(const std::string &line)
    {
        const PerfOutput report =
            perf(temp, line + " --stdio --no-children -g none -n --sort sym -F sample,sym -t '|'");
        std::map<std::string, std::map<std::string, int>> found;
        std::string event;

        EXPECT_EQ(report.status, 0) << report.err;
        for (const std::string &row : lines_of(report.out)) {
            const size_t of = row.find("of event '"), bar = row.find('|'), mark = row.find("] ");

            if (of != std::string::npos)
                event = row.substr(of + 10, row.rfind('\'') - of - 10);
            if (row[0] == '#' || bar == std::string::npos || mark == std::string::npos)
                continue;
            std::string name = row.substr(mark + 2);
            name.erase(name.find_last_not_of(' ') + 1);
            found[event][name] += std::stoi(row.substr(0, bar));
        }
        return found;
    }
    std::map<std::string, int> sampled(const std::string &command)
    {
        std::map<std::string, int> expected;

        for (const std::string &row :
             truth().ask("SELECT function, sum(self) FROM call_share WHERE "
                         "command=" +
                         command + " AND self>0 GROUP BY 1")) {
            const std::vector<std::string> c = split(row, '|');
            expected[c[0]] = std::stoi(c[1]);
        }
        return expected;
    }
    const std::string line = "report --symfs t.truth/symfs -i t";
};

// A PMCU's samples are nowhere: their row is of 0.
bool is_address(const std::string &name)
{
    return name.find_first_not_of("0") != name.npos &&
           (name.rfind("0x", 0) == 0 || name.find_first_not_of("0123456789abcdef") == name.npos);
}

} // namespace

TEST_F(PerfNames, PerfCountsEachFunctionAsTheTruthDoes)
{
    trace("riscv_callgraph");
    const std::map<std::string, int> expected = sampled("0");
    EXPECT_EQ(expected.size(), 10u);
    EXPECT_EQ(reported(line)["instructions"], expected);
    EXPECT_EQ(run("check t").status, 0);
}

// User's and kernel's, of every kind of CPU that samples, and all kinds in one file.
TEST_F(PerfNames, NoRowIsAnAddress)
{
    const struct {
        const char *config, *user, *kernel;
    } cases[] = {
        {"imc_trace", "clang::Lexer::Lex", "do_anonymous_page"},
        {"riscv_sample", "malloc", "do_anonymous_page"},
        {"everything", "TaskControlBlock.run", "clear_page"},
    };

    for (const auto &c : cases) {
        std::set<std::string> names;

        trace(c.config);
        for (const auto &[event, functions] : reported(line))
            for (const auto &[name, samples] : functions) {
                EXPECT_FALSE(is_address(name)) << c.config << ", " << event << ": " << name;
                names.insert(name);
            }
        EXPECT_EQ(names.count(c.user), 1u) << c.config;
        EXPECT_EQ(names.count(c.kernel), 1u) << c.config;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// One workload, two processes, and at the same addresses other functions.
TEST_F(PerfNames, ProcessesDoNotTakeEachOthersNames)
{
    temp.write("two.yaml", R"(name: two
harts: {count: 1, counters: 4}
corepmu: {clock_mhz: 1000}
workloads:
  - name: server
    cpus: all
    segments:
      - cycles: 3000
        mode: u
        cid1: 5000000
        functions: [{name: parse, base: 0x10000, size: 0x100}, {name: common, base: 0x20000, size: 0x100}]
        events: [{event: INST.RET, rate: 0.5}]
      - cycles: 1000
        mode: u
        cid1: 4712
        functions: [{name: render, base: 0x10000, size: 0x200}, {name: common, base: 0x20000, size: 0x100}]
        events: [{event: INST.RET, rate: 0.5}]
riscv:
  perf:
    - {events: [instructions], sample_period: 1000, start_us: 200, stop_us: 4200}
)");
    trace_file("two.yaml");
    std::map<std::string, int> expected;
    for (const std::string &row : truth().ask(
             "SELECT CASE WHEN ip >= 0x20000 THEN 'common' WHEN pid = 5000000 THEN 'parse' ELSE "
             "'render' END, count(*) FROM hart_sample GROUP BY 1")) {
        const std::vector<std::string> c = split(row, '|');
        expected[c[0]] = std::stoi(c[1]);
    }
    EXPECT_EQ(expected.size(), 3u);
    EXPECT_EQ(reported(line)["instructions"], expected);
}

// What is printed can be typed.
TEST_F(PerfNames, TheLineThatIsPrintedIsForAShell)
{
    const std::string name = "it's a trace";
    const Outcome outcome =
        run("trace --format perf -o \"" + name + "\" " + config_path("riscv_sample.yaml"));
    const std::string typed = "names: perf report --symfs 'it'\\''s a trace.truth/symfs' -i "
                              "'it'\\''s a trace'\n";

    ASSERT_EQ(outcome.status, 0) << outcome.err;
    ASSERT_EQ(outcome.out, "trace: " + name + "\ntruth: " + name + ".truth\n" + typed);
    EXPECT_EQ(reported(typed.substr(12, typed.size() - 13))["instructions"].count("malloc"), 1u);
}

// Counts and a PMCU's samples have no addresses, other formats have names.
TEST_F(PerfNames, WhereNothingHasAnAddressThereAreNoFiles)
{
    const std::pair<const char *, const char *> cases[] = {
        {"pmcu_demo", ""}, {"riscv_count", ""}, {"riscv_sample", "--format csv"}};

    for (const auto &[config, options] : cases) {
        trace(config, options);
        EXPECT_FALSE(std::filesystem::exists(temp.path() / "t.truth/symfs")) << config;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// What gprof2dot makes of call chains: each function's share, with what it has called and by itself.
TEST_F(PerfNames, Gprof2dotDrawsTheSharesOfTheTruth)
{
    trace("riscv_callgraph", "--command riscv.perf.0");
    const PerfOutput script = perf(temp, "script -i t --symfs t.truth/symfs");
    temp.write("script.txt", script.out);
    const std::string dot = temp.file("graph.dot");
    ASSERT_EQ(std::system(("'" CS_VENV "/bin/gprof2dot' -f perf -n0 -e0 -o '" + dot + "' '" +
                           temp.file("script.txt") + "' </dev/null")
                              .c_str()),
              0);

    std::map<std::string, std::string> expected, found;
    for (const std::string &row :
         truth().ask("SELECT function, printf('%.2f%%|(%.2f%%)', 100.0*sum(inclusive)/n, "
                     "100.0*sum(self)/n) FROM call_share, (SELECT count(*) AS n FROM hart_sample "
                     "WHERE command=0) WHERE command=0 GROUP BY 1"))
        expected[row.substr(0, row.find('|'))] = row.substr(row.find('|') + 1);
    for (const std::string &line : lines_of(temp.read("graph.dot"))) {
        const size_t label = line.find("label=\"");

        if (line.find(" -> ") != std::string::npos || label == std::string::npos)
            continue;
        std::string text = line.substr(label + 7, line.find('"', label + 7) - label - 7);
        for (size_t at; (at = text.find("\\n")) != std::string::npos;)
            text.replace(at, 2, "|");
        const std::vector<std::string> c = split(text, '|'); // object, function, all, self
        if (c.size() == 4)
            found[c[1]] = c[2] + "|" + c[3];
    }
    EXPECT_EQ(expected.size(), 11u);
    EXPECT_EQ(found, expected);
}

// As on a machine: a thread is on one CPU at a time, and is called as its process.
TEST_F(PerfNames, NoThreadIsOnTwoCpus)
{
    for (const char *config : {"imc_trace", "everything", "riscv_sample", "pmcu_demo"}) {
        std::map<std::string, std::set<std::string>> cpus, names, processes;

        trace(config);
        for (const std::string &line : squeezed_lines(script("-F comm,pid,tid,cpu"))) {
            const std::vector<std::string> c = split(line, ' '); // name pid/tid [cpu]
            const std::vector<std::string> ids = split(c[1], '/');

            if (ids[1] != "0")
                cpus[ids[1]].insert(c[2]);
            names[ids[0]].insert(c[0]);
            processes[ids[1]].insert(ids[0]);
        }
        EXPECT_GT(cpus.size(), 1u) << config;
        for (const auto &[tid, where] : cpus)
            EXPECT_EQ(where.size(), 1u) << config << ": thread " << tid;
        for (const auto &[tid, of] : processes)
            EXPECT_EQ(of.size(), 1u) << config << ": thread " << tid;
        for (const auto &[pid, called] : names)
            EXPECT_EQ(called.size(), 1u) << config << ": process " << pid;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// Two records that are read in one burst have times of their own; so a reader that keys on thread and time
// keeps all.
TEST_F(PerfNames, NoThreadHasTwoSamplesAtATime)
{
    trace("imc_trace");
    const std::vector<std::string> all = squeezed_lines(script("-F tid,time"));
    const std::set<std::string> keys(all.begin(), all.end());
    EXPECT_GT(all.size(), 10000u);
    EXPECT_EQ(keys.size(), all.size());
}

// A number that another process has is left out.
TEST_F(PerfNames, ThreadsHaveNumbersThatAreFree)
{
    trace("riscv_sample", "--set workloads.0.segments.0.pid=7 --set workloads.0.segments.1.pid=8");
    std::set<std::string> found;
    for (const std::string &line : squeezed_lines(script("-F pid,tid,cpu")))
        found.insert(line);
    EXPECT_EQ(found, (std::set<std::string>{"7/7 [000]", "7/9 [001]", "8/8 [000]", "8/10 [001]"}));
}

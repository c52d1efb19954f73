// SPDX-License-Identifier: Apache-2.0
// Whose samples are: threads, and names of functions that are in no file (trace --maps). perf judges.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include <unistd.h>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

// perf looks for a process's map in /tmp only: under a number that no process can have.
struct PerfNames : Trace {
    void TearDown() override
    {
        for (const std::string &path : there)
            std::filesystem::remove(path);
        Trace::TearDown();
    }
    // What a user does: the maps go where perf looks for them.
    void install()
    {
        for (const auto &entry : std::filesystem::directory_iterator(temp.path() / "t.truth/maps"))
            if (entry.path().extension() == ".map") {
                there.push_back("/tmp/" + entry.path().filename().string());
                std::filesystem::copy_file(entry.path(), there.back());
            }
    }
    // Samples of an event by function, as perf report counts them.
    std::map<std::string, int> reported(const std::string &event)
    {
        const PerfOutput report =
            perf(temp, "report --stdio --no-children -g none -n --sort sym --kallsyms "
                       "t.truth/maps/kallsyms -F sample,sym -t '|' -i t");
        std::map<std::string, int> found;
        bool mine = false;

        EXPECT_EQ(report.status, 0) << report.err;
        for (const std::string &line : lines_of(report.out)) {
            if (line.find("of event '") != std::string::npos)
                mine = line.find("of event '" + event + "'") != std::string::npos;
            const size_t bar = line.find('|'), mark = line.find("] ");
            if (mine && line[0] != '#' && bar != std::string::npos && mark != std::string::npos) {
                std::string name = line.substr(mark + 2);
                name.erase(name.find_last_not_of(' ') + 1);
                found[name] += std::stoi(line.substr(0, bar));
            }
        }
        return found;
    }
    const std::string pid = std::to_string(4194304 + getpid());
    std::vector<std::string> there;
};

} // namespace

TEST_F(PerfNames, PerfFindsFunctionsThatAreInNoFile)
{
    trace("riscv_callgraph", "--maps --set workloads.0.segments.0.cid1=" + pid +
                                 " --set workloads.0.segments.1.cid1=" + pid);
    install();
    ASSERT_EQ(there, std::vector<std::string>{"/tmp/perf-" + pid + ".map"});

    std::map<std::string, int> expected;
    for (const std::string &row : truth().ask(
             "SELECT function, sum(self) FROM call_share WHERE command=0 AND self>0 GROUP BY 1")) {
        const std::vector<std::string> c = split(row, '|');
        expected[c[0]] = std::stoi(c[1]);
    }
    EXPECT_EQ(expected.size(), 10u);
    EXPECT_EQ(reported("instructions"), expected);
    EXPECT_EQ(run("check t").status, 0);
}

// What gprof2dot makes of call chains: each function's share, with what it has called and by itself.
TEST_F(PerfNames, Gprof2dotDrawsTheSharesOfTheTruth)
{
    trace("riscv_callgraph", "--maps --command riscv.perf.0 --set workloads.0.segments.0.cid1=" +
                                 pid + " --set workloads.0.segments.1.cid1=" + pid);
    install();
    const PerfOutput script = perf(temp, "script -i t --kallsyms t.truth/maps/kallsyms");
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

// Of POWER's, Arm's and RISC-V's kernels each, in one file.
TEST_F(PerfNames, AllKernelsFunctionsHaveNames)
{
    trace("everything", "--maps");
    const std::map<std::string, int> found = reported("trace_imc/trace_cycles/"),
                                     harts = reported("instructions");
    EXPECT_EQ(found.count("do_anonymous_page"), 1u);
    EXPECT_EQ(harts.count("clear_page"), 1u);
    for (const auto *names : {&found, &harts})
        for (const auto &[name, samples] : *names)
            if (name.rfind("0x", 0) == 0) { // no map of the processes is in /tmp
                EXPECT_LT(std::stoull(name, nullptr, 16), UINT64_C(1) << 40) << name;
            }
    const std::string symbols = temp.read("t.truth/maps/kallsyms");
    for (const char *name : {"_stext", "do_anonymous_page", "futex_wait", "clear_page"})
        EXPECT_NE(symbols.find(std::string(" T ") + name + "\n"), std::string::npos) << name;
}

TEST_F(PerfNames, MapsAreForSamplesOfPerfOnly)
{
    const Outcome csv = run("trace --maps --format csv -o t " + config_path("riscv_sample.yaml"));
    EXPECT_EQ(csv.status, 2);
    EXPECT_TRUE(has(csv.err, "format csv has no maps of functions (--maps)")) << csv.err;
    const Outcome counts =
        run("trace --maps --format perf -o t " + config_path("riscv_count.yaml"));
    EXPECT_EQ(counts.status, 2);
    EXPECT_TRUE(has(counts.err, "--maps: no perf command of riscv_count samples")) << counts.err;
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "t.truth"));
    trace("riscv_sample");
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "t.truth/maps"));
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
    trace("riscv_sample",
          "--set workloads.0.segments.0.cid1=7 --set workloads.0.segments.1.cid1=8");
    std::set<std::string> found;
    for (const std::string &line : squeezed_lines(script("-F pid,tid,cpu")))
        found.insert(line);
    EXPECT_EQ(found, (std::set<std::string>{"7/7 [000]", "7/9 [001]", "8/8 [000]", "8/10 [001]"}));
}

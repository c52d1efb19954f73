// SPDX-License-Identifier: Apache-2.0
// Call chains as perf shows them, and as tables have them, against the truth (docs/traces/call_chains.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

struct Chains : Trace {
    // "4711 [000] 0.000261200 instructions a b c", of samples that have a chain.
    std::vector<std::string> expected(std::map<std::string, std::string> names,
                                      const std::string &where = "1")
    {
        std::vector<std::string> rows;

        for (const std::string &row :
             truth().ask("SELECT command || '.' || event, cpu, pid, time, chain FROM hart_sample "
                         "WHERE lost = 0 AND chain IS NOT NULL AND " +
                         where)) {
            const std::vector<std::string> c = split(row, '|');
            std::string text = c[2] + " " + padded_cpu(c[1]) + " " +
                               as_time(std::stoull(c[3]) * 100) + ": " + names.at(c[0]) + ":";

            for (const std::string &address : split(c.size() > 4 ? c[4] : "", ';'))
                text += " " + address.substr(2); // without "0x": mappings change no address
            rows.push_back(text);
        }
        return sorted(rows);
    }
    // perf script's samples of the events named, each with the addresses below it in one line.
    std::vector<std::string> scripted(const std::set<std::string> &events)
    {
        std::vector<std::string> rows;

        for (const std::string &line : lines_of(script("-F pid,cpu,time,event,ip"))) {
            if (line.empty())
                continue;
            if (line[0] != '\t')
                rows.push_back(squeezed(line));
            else
                rows.back() += " " + squeezed(line);
        }
        rows.erase(std::remove_if(rows.begin(), rows.end(),
                                  [&](const std::string &row) {
                                      return events.count(split(row, ' ')[3]) == 0;
                                  }),
                   rows.end());
        return sorted(rows);
    }
};

// Functions that are large enough to call something, and none of them in another.
const char *const kProgram = R"(
#define LOOP for (int i = 0; i < x; i++) x ^= i * 7
__attribute__((noinline)) int copy(int x) { LOOP; return x; }
__attribute__((noinline)) int parse(int x) { LOOP; return copy(x) + x; }
__attribute__((noinline)) int lookup(int x) { LOOP; return copy(x + 1) + x; }
__attribute__((noinline)) int serve(int x) { LOOP; return parse(x) + lookup(x) + x; }
int main(int x, char **argv) { (void)argv; LOOP; return serve(x) + 1; }
)";

// main is no function of the segment: the file has it.
const char *const kReal = R"(name: real
harts: {count: 2, counters: 4}
corepmu: {clock_mhz: 1500}
workloads:
  - name: server
    cpus: all
    program: server.elf
    segments:
      - mode: u
        cid1: 4711
        functions:
          - {name: serve, weight: 10, callers: [main]}
          - {name: parse, weight: 25, callers: [serve, main]}
          - {name: lookup, weight: 15, callers: [serve, main]}
          - {name: lookup, weight: 10, callers: [lookup, serve, main]}
          - {name: copy, weight: 30, callers: [parse, serve, main]}
          - {name: copy, weight: 10, callers: [lookup, serve, main]}
        events:
          - {event: INST.RET, kind: random, rate: 0.8, max_increment: 4}
riscv:
  perf:
    - {events: [instructions], sample_period: 5000, callchain: true, start_us: 200, stop_us: 10200}
)";

struct Real : Chains {
    void SetUp() override
    {
        Trace::SetUp();
        temp.write("server.c", kProgram);
        temp.write("real.yaml", kReal);
        const std::string line = "cd '" + temp.path().string() +
                                 "' && cc -O1 -no-pie "
                                 "-fno-optimize-sibling-calls -o server.elf server.c";
        ASSERT_EQ(std::system(line.c_str()), 0) << "no C compiler here";
        trace_file("real.yaml");
    }
};

} // namespace

TEST_F(Chains, PerfPrintsTheChainOfEachSample)
{
    trace("riscv_callgraph");
    const std::vector<std::string> rows =
        expected({{"0.0", "instructions"}, {"1.0", "L1-dcache-load-misses:u"}});

    EXPECT_GT(rows.size(), 2500u);
    expect_same(scripted({"instructions:", "L1-dcache-load-misses:u:"}), rows);
    // The third command has none.
    EXPECT_EQ(
        truth().number("SELECT count(*) FROM hart_sample WHERE (chain IS NULL) <> (command = 2)"),
        0);
    EXPECT_GT(truth().number("SELECT count(*) FROM hart_sample WHERE command = 2"), 100);
    // Chains begin where the sample is.
    EXPECT_EQ(truth().number("SELECT count(*) FROM hart_sample WHERE chain IS NOT NULL AND "
                             "instr(chain || ';', printf('0x%x;', ip)) <> 1"),
              0);
}

// A hart in 32 bits, counters without calls, a page of snapshots: the same chains.
TEST_F(Chains, OfEachKindOfDriver)
{
    const char *const sets[] = {
        "--set riscv.driver.kind=delegated --set harts.smcdeleg=true",
        "--set riscv.driver.snapshot=true",
        "--set riscv.driver.ring_bytes=4096 --set riscv.driver.wakeup_bytes=0",
    };

    for (const char *set : sets) {
        SCOPED_TRACE(set);
        trace("riscv_callgraph", set);
        expect_same(scripted({"instructions:", "L1-dcache-load-misses:u:"}),
                    expected({{"0.0", "instructions"}, {"1.0", "L1-dcache-load-misses:u"}}));
        EXPECT_EQ(truth().number("SELECT sum(lost) FROM hart_sample") > 0,
                  std::string(set).find("4096") != std::string::npos);
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// The host sees nothing of its guests' stacks, the guest its own.
TEST_F(Chains, OfGuests)
{
    trace("riscv_lockstep_callchain", "--command riscv.perf.1");
    expect_same(
        scripted({"instructions:", "L1-dcache-load-misses:"}),
        expected({{"1.0", "instructions"}, {"1.1", "L1-dcache-load-misses"}}, "command = 1"));
    EXPECT_GT(
        truth().number("SELECT count(*) FROM hart_sample WHERE command = 1 AND instr(chain, ';')"),
        20);
    std::filesystem::remove_all(temp.path() / "t");
    std::filesystem::remove_all(temp.path() / "t.truth");

    trace("riscv_lockstep_callchain", "--command riscv.perf.0");
    EXPECT_EQ(
        truth().number("SELECT count(*) FROM hart_sample WHERE command = 0 AND (chain = '') <> "
                       "(misc IN (4, 5))"),
        0);
    EXPECT_GT(truth().number("SELECT count(*) FROM hart_sample WHERE chain = ''"), 10);
    // Two markers, and no address.
    const Outcome decoded = run("decode --format csv --only SAMPLE t");
    EXPECT_EQ(static_cast<int64_t>(
                  count_of(decoded.out, "chain=2[0xffffffffffffff80 0xfffffffffffffe00]")),
              truth().number("SELECT count(*) FROM hart_sample WHERE chain = ''"));
}

// perf finds the functions of the chains in the file, and adds up what each has called.
TEST_F(Real, InclusiveSharesAreWhatPerfReports)
{
    const std::string all =
        std::to_string(truth().number("SELECT count(*) FROM hart_sample WHERE lost = 0"));
    std::map<std::string, std::pair<double, double>> found;

    ASSERT_GT(std::stoi(all), 1000);
    for (const std::string &line : squeezed_lines(perf_good(
             temp, "report --stdio --children -g none -F overhead_children,overhead,sym -i "
                   "t --percent-limit 0"))) {
        const std::vector<std::string> c = split(line, ' ');

        if (c.size() == 4 && c[0].back() == '%')
            found[c[3]] = {std::stod(c[0]), std::stod(c[1])};
    }
    unsigned rows = 0;
    for (const std::string &row :
         truth().ask("SELECT function, 100.0 * inclusive / " + all + ", 100.0 * self / " + all +
                     ", 100 * inclusive_expected, 100 * self_expected FROM call_share")) {
        const std::vector<std::string> c = split(row, '|');

        EXPECT_NEAR(found[c[0]].first, std::stod(c[1]), 0.00501) << row;
        EXPECT_NEAR(found[c[0]].second, std::stod(c[2]), 0.00501) << row;
        EXPECT_NEAR(std::stod(c[1]), std::stod(c[3]), 6) << row; // 1,200 and more samples
        EXPECT_NEAR(std::stod(c[2]), std::stod(c[4]), 6) << row;
        rows++;
    }
    EXPECT_EQ(rows, 5u);
    EXPECT_EQ(found.size(), 5u);
    EXPECT_EQ(
        truth().number("SELECT inclusive_expected * 100 + 0.5 FROM call_share WHERE function = "
                       "'lookup'"),
        35)
        << "recursion counts once";
    EXPECT_EQ(truth().number("SELECT inclusive FROM call_share WHERE function = 'main'"),
              std::stoll(all));
}

// The same the other way round: a path a row.
TEST_F(Real, PathsAreWhatPerfReports)
{
    std::map<std::string, int64_t> found;

    std::string stack;
    for (const std::string &raw : lines_of(script("-F ip,sym") + "\n\n")) {
        const std::string line = squeezed(raw);

        if (!line.empty()) {
            stack = line.substr(line.find(' ') + 1) + (stack.empty() ? "" : ";") + stack;
            continue;
        }
        if (!stack.empty())
            found[stack]++;
        stack.clear();
    }
    std::map<std::string, int64_t> expected;
    for (const std::string &row : truth().ask("SELECT stack, samples FROM call_path")) {
        const std::vector<std::string> c = split(row, '|');

        expected[c[0]] = std::stoll(c[1]);
    }
    EXPECT_EQ(expected.size(), 6u);
    EXPECT_EQ(found, expected);
}

TEST_F(Real, AnUnknownCallerIsNamedWithTheOnesThatMayBeMeant)
{
    const Outcome o = run("trace --format perf -o u real.yaml --set "
                          "workloads.0.segments.0.functions.1.callers=[serve,mian]");

    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("functions.1.callers.1: server.elf has no function 'mian'; did you mean "
                         "'main'"),
              std::string::npos)
        << o.err;
}

// Counted again from the samples and from the stacks.
TEST_F(Chains, PathsOfTheTruthAreThoseOfItsSamples)
{
    trace("riscv_callgraph");
    EXPECT_EQ(
        truth().number("SELECT count(*) FROM call_path p WHERE samples <> (SELECT count(*) FROM "
                       "hart_sample s WHERE s.command = p.command AND lost = 0 AND ip BETWEEN "
                       "base AND base + size - 1 AND substr(chain || ';', instr(chain || ';', "
                       "';') + 1) = CASE WHEN returns = '' THEN '' ELSE returns || ';' END)"),
        0);
    EXPECT_EQ(
        truth().ask("SELECT command, count(*), round(sum(expected), 9) FROM call_path GROUP BY 1"),
        (std::vector<std::string>{"0|14|1.0", "1|9|1.0"}));
    // Within a segment as the weights.
    EXPECT_EQ(
        truth().number("SELECT count(*) FROM call_path p JOIN call_path q USING(command, segment) "
                       "WHERE abs(p.expected * q.weight - q.expected * p.weight) > 1e-9"),
        0);
    EXPECT_EQ(
        truth().number(
            "SELECT count(*) FROM call_share c WHERE inclusive <> (SELECT sum(samples) FROM "
            "call_path p WHERE p.command = c.command AND instr(';' || stack || ';', ';' || "
            "c.function || ';')) OR self <> coalesce((SELECT sum(samples) FROM call_path p WHERE "
            "p.command = c.command AND p.function = c.function), 0)"),
        0);
    EXPECT_EQ(
        truth().number(
            "SELECT count(*) FROM call_share c WHERE abs(inclusive_expected - (SELECT "
            "sum(expected) FROM call_path p WHERE p.command = c.command AND instr(';' || stack || "
            "';', ';' || c.function || ';'))) > 1e-9"),
        0);
}

// What a chain costs: the walk, and the stores.
TEST_F(Chains, CostTime)
{
    const auto kernel_cycles = [&](const std::string &set) {
        trace("riscv_callgraph", set + " --command riscv.perf.0 --set perf.2.stop=301us --set "
                                       "perf.1.stop=301us");
        const int64_t cycles = truth().number("SELECT sum(kernel) FROM hart");

        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
        return cycles;
    };
    const int64_t none = kernel_cycles("--set perf.0.callchain=false"),
                  free = kernel_cycles("--set riscv.driver.frame_cycles=0"),
                  usual = kernel_cycles("");

    EXPECT_GT(free, none + 2500 * 2) << "two words a sample more at least";
    EXPECT_GT(usual, free + 2500 * 2 * 40) << "two addresses a sample at least";
    EXPECT_LT(usual, free + 2700 * 7 * 40) << "and no more than seven";
}

TEST_F(Chains, OfTables)
{
    for (const char *format : {"csv", "json"}) {
        trace("riscv_callgraph", std::string("--format ") + format);
        std::vector<std::string> rows, wanted;

        const Outcome decoded = run("decode --format csv t");
        for (const std::string &line : lines_of(decoded.out)) {
            const std::vector<std::string> c = split(line, ',');

            if (c.size() > 8 && c[8] == "chain")
                continue;
            rows.push_back(c[3] + " " + c[1] + " " + c[6] + " " + (c.size() > 8 ? c[8] : ""));
        }
        for (const std::string &row : truth().ask(
                 "SELECT cpu, time * 100, printf('0x%x', ip), coalesce(chain, '') FROM hart_sample "
                 "WHERE lost = 0")) {
            const std::vector<std::string> c = split(row, '|');

            wanted.push_back(c[0] + " " + c[1] + " " + c[2] + " " + (c.size() > 3 ? c[3] : ""));
        }
        expect_same(sorted(rows), sorted(wanted));
        EXPECT_EQ(run("check t").status, 0);
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
    // No command, no column.
    trace("riscv_sample", "--format csv");
    EXPECT_EQ(temp.read("t").substr(0, 37), "time_ns,event,cpu,pid,mode,ip,period\n");
}

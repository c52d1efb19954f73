// SPDX-License-Identifier: Apache-2.0
// A workload that is a real program: perf finds the functions in the file itself.
#include <gtest/gtest.h>

#include <map>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

const char *const kProgram = R"(
__attribute__((noinline)) int parse_request(int x) { for (int i = 0; i < x; i++) x ^= i * 7; return x; }
__attribute__((noinline)) int hash_lookup(int x) { for (int i = 0; i < x; i++) x += i << 3; return x; }
__attribute__((noinline)) int hash_insert(int x) { for (int i = 0; i < x; i++) x -= i << 2; return x; }
int main(int argc, char **argv) { (void)argv; return parse_request(argc) + hash_lookup(argc) + hash_insert(argc); }
)";

// Its number is beyond 2^22, the most that Linux gives to a process: perf 6.12 looks for files as the process of
// that number sees them, if there is one on the host.
const char *const kReal = R"(name: real
harts: {count: 2, counters: 4}
corepmu: {clock_mhz: 1500}
workloads:
  - name: server
    cpus: all
    program: server.elf
    segments:
      - cycles: 2400
        mode: u
        cid1: 5000000
        functions:
          - {name: parse_request, weight: 60}
          - {name: hash_lookup, weight: 40}
        events:
          - {event: INST.RET, kind: random, rate: 0.8, max_increment: 4}
      - cycles: 600
        mode: s
        cid1: 5000000
        functions:
          - {name: sys_recv, base: 0xffffffff80001000, size: 0x800}
        events:
          - {event: INST.RET, kind: random, rate: 0.5, max_increment: 4}
riscv:
  perf:
    - {events: [instructions], sample_period: 5000, start_us: 200, stop_us: 10200}
)";

struct Programs : Trace {
    void SetUp() override
    {
        Trace::SetUp();
        temp.write("server.c", kProgram);
        temp.write("real.yaml", kReal);
    }
    void compile(const std::string &options)
    {
        const std::string line = "cd '" + temp.path().string() + "' && cc -O1 -Wl,--build-id " +
                                 options + " -o server.elf server.c";

        ASSERT_EQ(std::system(line.c_str()), 0) << "no C compiler here";
    }
    std::string output_of(const std::string &command)
    {
        const std::string line = "cd '" + temp.path().string() + "' && " + command + " >.out";

        EXPECT_EQ(std::system(line.c_str()), 0) << command;
        return temp.read(".out");
    }
};

} // namespace

// Linked for one place, and for any.
TEST_F(Programs, SymbolsOfTheFileAreWhatPerfReports)
{
    for (const char *options : {"-no-pie", "-pie -fPIE"}) {
        compile(options);
        trace_file("real.yaml");
        std::map<std::string, int> found;
        std::string symbol;

        for (const std::string &line : squeezed_lines(script("-F ip,sym,dso")))
            found[line.substr(line.find(' ') + 1)]++;
        const std::string dso =
            "(" + std::filesystem::canonical(temp.path() / "server.elf").string() + ")";
        const int64_t all = truth().number("SELECT count(*) FROM hart_sample");
        const int64_t user = truth().number("SELECT count(*) FROM hart_sample WHERE misc = 2");
        // The function that ran when the sample was taken.
        EXPECT_EQ(found["parse_request " + dso] + found["hash_lookup " + dso], user) << options;
        EXPECT_EQ(found["[unknown] ([simulated_kernel])"] + found["[unknown] ([unknown])"],
                  all - user)
            << options;
        EXPECT_GT(found["hash_lookup " + dso], user / 4);
        EXPECT_GT(found["parse_request " + dso], user / 2);
        EXPECT_EQ(found.count("hash_insert " + dso), 0u);

        const std::string report = perf(temp, "report --stdio -i t --sort sym").out;
        EXPECT_NE(report.find("[.] parse_request"), std::string::npos) << report;
        // With the names of the kernel's functions, which are in no file.
        const std::string all_named =
            perf(temp, "report --stdio --symfs t.truth/symfs -i t --sort sym").out;
        for (const char *row : {"[.] parse_request", "[.] hash_lookup", "[k] sys_recv"})
            EXPECT_NE(all_named.find(row), std::string::npos) << all_named;
        EXPECT_EQ(all_named.find("] 0x"), std::string::npos) << all_named;
        const std::string ids = perf_good(temp, "buildid-list -i t");
        const std::string file = output_of("readelf -n server.elf | sed -n 's/.*Build ID: //p'");
        EXPECT_EQ(squeezed(ids), squeezed(file) + " " + dso.substr(1, dso.size() - 2));
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// Each sample's symbol is that of the file at its address.
TEST_F(Programs, EverySampleIsInTheFunctionThatTheFileHasThere)
{
    compile("-no-pie");
    trace_file("real.yaml");
    std::map<std::string, std::pair<uint64_t, uint64_t>> functions;
    for (const std::string &line : lines_of(output_of("nm -S server.elf"))) {
        const std::vector<std::string> c = split(line, ' ');

        if (c.size() == 4)
            functions[c[3]] = {std::stoull(c[0], nullptr, 16), std::stoull(c[1], nullptr, 16)};
    }
    unsigned checked = 0;
    for (const std::string &line : squeezed_lines(script("-F ip,sym"))) {
        const std::vector<std::string> c = split(line, ' ');
        const uint64_t ip = std::stoull(c[0], nullptr, 16);

        if (functions.count(c[1]) == 0)
            continue;
        EXPECT_GE(ip, functions[c[1]].first) << line;
        EXPECT_LT(ip, functions[c[1]].first + functions[c[1]].second) << line;
        checked++;
    }
    EXPECT_GT(checked, 1000u);
}

TEST_F(Programs, AMissingFunctionIsNamedWithTheOnesThatMayBeMeant)
{
    compile("-no-pie");
    const struct {
        const char *set, *text;
    } cases[] = {
        {"workloads.0.segments.0.functions.0.name=hash_lokup",
         "has no function 'hash_lokup'; did you mean 'hash_lookup'?"},
        {"workloads.0.segments.0.functions.0.name=hash_loosert",
         "has no function 'hash_loosert'; did you mean 'hash_insert', 'hash_lookup'?"},
        {"workloads.0.segments.0.functions.0.name=zzzzzzzz", "has no function 'zzzzzzzz'\n"},
        {"workloads.0.segments.0.functions.0.base=0x1000",
         "base and size belong together; without both, the symbol's are taken"},
        {"workloads.0.program=server.c", "server.c: is not an ELF file"},
    };

    for (const auto &c : cases) {
        const Outcome outcome =
            run("trace --format perf -o t real.yaml --set " + std::string(c.set));

        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find(c.text), std::string::npos) << outcome.err;
    }
    // As it stands in the file: with its place.
    std::string text = kReal;
    text.replace(text.find("hash_lookup"), 11, "hash_lokup");
    temp.write("real.yaml", text);
    EXPECT_EQ(run("trace --format perf -o t real.yaml")
                  .err.find("countersink: real.yaml:14:20: "
                            "workloads.0.segments.0.functions.1.name: server.elf has no function "),
              0u)
        << run("trace --format perf -o t real.yaml").err;
    compile("-no-pie -s");
    EXPECT_NE(
        run("trace --format perf -o t real.yaml").err.find("has no functions among its symbols"),
        std::string::npos);
}

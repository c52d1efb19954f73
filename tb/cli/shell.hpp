// SPDX-License-Identifier: Apache-2.0
// Runs the command in a folder of the test's own.
#ifndef CS_TB_CLI_SHELL_HPP
#define CS_TB_CLI_SHELL_HPP

#include <cstdlib>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temp_folder.hpp"

namespace cs_test
{

// Waits until something is so. False: the process ended before.
template <typename Condition> bool until(pid_t child, const Condition &is_so)
{
    siginfo_t ended = {};

    while (!is_so()) {
        if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            ended.si_pid != 0)
            return false;
        usleep(1000);
    }
    return true;
}

struct Outcome {
    int status; // -1: it did not exit
    std::string out;
    std::string err;
};

inline bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

// What a command says on stderr, but that the scenario has keys that section perf replaced.
inline std::string without_former(const std::string &err)
{
    std::string rest;
    std::istringstream in(err);

    for (std::string line; std::getline(in, line);)
        if (!has(line, ": a former way to say what perf does; "))
            rest += line + "\n";
    return rest;
}

// The environment of a command that has a library of a test's. A sanitizer's wants to be the first one,
// which matters to allocators only.
inline std::string preload(const std::string &library)
{
    return "LD_PRELOAD='" + library + "' ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\"";
}

// 4 cores, the last of them offline; 10 events in two groups, 4 samples of 1.2 us.
inline const char *const kScenario = R"(name: small
seed: 7
pmcu: {clusters: 2, slots: 2}
corepmu: {offline: [3]}
workloads:
  - name: mixed
    segments:
      - cycles: 3100
        mode: el0
        cid1: 0x101
        functions:
          - {name: solve, base: 0x400000, size: 0x800}
        events:
          - {event: INST_RETIRED, kind: random, rate: 1.7}
          - {event: L1D_CACHE, rate: 0.613}
          - {event: "0x14-0x1b", kind: spread, rate: 0.001, rate_high: 1.2}
      - cycles: 900
        mode: el1
        cid1: 0x102
        cid2: 0x7
        events:
          - {event: INST_RETIRED, kind: random, rate: 0.8}
pmcu_driver:
  user_events: "08 11 04 14 15 16 17 18 19 1a"
  nr_sample: 4
  sample_period_ticks: 60
  aux_buffer_bytes: 64 KiB
)";

struct Command : testing::Test {
    TempFolder temp;

    void SetUp() override
    {
        temp.write("small.yaml", kScenario);
    }

    // `arguments` as in a shell, `environment` as before a command there; standard output and error
    // are no terminals.
    Outcome run(const std::string &arguments, const std::string &environment = "")
    {
        const std::string line = "cd '" + temp.path().string() + "' && " + environment +
                                 " '" CS_COMMAND "' " + arguments + " </dev/null >.out 2>.err";
        const int status = std::system(line.c_str());
        Outcome outcome = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, temp.read(".out"),
                           temp.read(".err")};

        std::filesystem::remove(temp.path() / ".out");
        std::filesystem::remove(temp.path() / ".err");
        return outcome;
    }
    // A run of small.yaml that must succeed.
    Outcome simulate(const std::string &folder, const std::string &options = "")
    {
        Outcome outcome = run("run -o " + folder + " " + options + " small.yaml");

        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome;
    }
};

} // namespace cs_test

#endif

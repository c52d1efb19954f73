// SPDX-License-Identifier: Apache-2.0
// Traces by the command, in a folder of the test's own.
#ifndef CS_TB_TRACES_TRACE_HPP
#define CS_TB_TRACES_TRACE_HPP

#include <algorithm>
#include <cinttypes>

#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/perf_tool.hpp"

namespace cs_test
{

struct Trace : Command {
    // The trace "t" of a scenario in configs/, which must succeed; its truth is in t.truth.
    void trace(const std::string &config, const std::string &options = "")
    {
        trace_file(cs_test::config_path(config + ".yaml"), options);
    }
    void trace_file(const std::string &path, const std::string &options = "")
    {
        const Outcome outcome =
            run("trace -o t " +
                (options.find("--format") == std::string::npos ? "--format perf " : std::string()) +
                options + " " + path);

        ASSERT_EQ(outcome.status, 0) << outcome.err;
        ASSERT_EQ(outcome.out, std::string("trace: t\ntruth: t.truth\n") +
                                   (std::filesystem::exists(temp.path() / "t.truth/symfs")
                                        ? "names: perf report --symfs t.truth/symfs -i t\n"
                                        : ""));
    }
    Database truth() const
    {
        return Database(temp.file("t.truth/truth.sqlite"));
    }
    int64_t clock_mhz() const
    {
        return truth().number("SELECT value FROM run WHERE key='clock_mhz'");
    }

    // perf's words about lost records are no failure.
    std::string script(const std::string &options)
    {
        const PerfOutput result = perf(temp, "script --ns -i t " + options);

        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(count_of(result.err, "rror"), 0u) << result.err;
        return result.out;
    }
};

// 1234567 ns as perf script prints it.
inline std::string as_time(uint64_t ns)
{
    char text[64];

    snprintf(text, sizeof text, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
    return text;
}

inline std::vector<std::string> sorted(std::vector<std::string> rows)
{
    std::sort(rows.begin(), rows.end());
    return rows;
}

inline std::vector<std::string> split(const std::string &row, char by)
{
    std::vector<std::string> cells;
    std::istringstream in(row);

    for (std::string cell; std::getline(in, cell, by);)
        cells.push_back(cell);
    return cells;
}

// As perf prints it.
inline std::string padded_cpu(const std::string &cpu)
{
    char text[16];

    snprintf(text, sizeof text, "[%03d]", std::stoi(cpu));
    return text;
}

// "4711/4712": a process has a thread on each CPU, numbered from its first one on; that of process 815 is
// CPU 4 (imc_trace.yaml), of others CPU 0. A number that is none stays.
inline std::string as_thread(const std::string &pid, const std::string &cpu)
{
    const int first = pid == "815" ? 4 : 0;
    const bool some = pid != "0" && pid != "-1";

    return pid + "/" + (some ? std::to_string(std::stoi(pid) + std::stoi(cpu) - first) : pid);
}

// The first difference rather than forty thousand lines.
inline void expect_same(const std::vector<std::string> &found,
                        const std::vector<std::string> &expected)
{
    EXPECT_EQ(found.size(), expected.size());
    EXPECT_GT(expected.size(), 10u) << "a test of nothing";
    for (size_t i = 0; i < std::min(found.size(), expected.size()); i++)
        if (found[i] != expected[i]) {
            ADD_FAILURE() << "row " << i << ": perf has " << found[i] << ", the truth "
                          << expected[i];
            return;
        }
}

} // namespace cs_test

#endif

// SPDX-License-Identifier: Apache-2.0
// The judge of perf.data files: Linux's own perf (Debian's linux-perf). A test that asks it fails
// where it is missing. `perf report` exits 0 even where it gives up, so what it says on standard
// error counts, too.
#ifndef CS_TB_SUPPORT_PERF_TOOL_HPP
#define CS_TB_SUPPORT_PERF_TOOL_HPP

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "support/temp_folder.hpp"

namespace cs_test
{

struct PerfOutput {
    int status; // -1: it did not exit
    std::string out;
    std::string err;
};

// Without the lines that perf says about a machine without /sys, whatever it was asked.
inline std::string without_machine(const std::string &text)
{
    std::istringstream in(text);
    std::string kept;

    for (std::string line; std::getline(in, line);)
        if (line.find("Failed to read max cpus") == std::string::npos &&
            line.find("Failed to read max nodes") == std::string::npos)
            kept += line + (in.eof() ? "" : "\n");
    return kept;
}

// `arguments` as in a shell, in the folder. No configuration of the user's, no cache of build ids.
inline PerfOutput perf(const TempFolder &folder, const std::string &arguments)
{
    const std::string line =
        "cd '" + folder.path().string() +
        "' && HOME=. PERF_CONFIG=/dev/null PAGER=cat LC_ALL=C perf --buildid-dir . " + arguments +
        " </dev/null >.perf.out 2>.perf.err";
    const int status = std::system(line.c_str());
    PerfOutput result = {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                         without_machine(folder.read(".perf.out")),
                         without_machine(folder.read(".perf.err"))};

    std::filesystem::remove(folder.path() / ".perf.out");
    std::filesystem::remove(folder.path() / ".perf.err");
    return result;
}

// How `perf stat report` adds up. 6.12 scales what each CPU counted before it adds them, and tells an
// interval from the beginning on, also of its own files. 6.1 adds the CPUs first, and tells an interval alone.
inline bool perf_adds_scaled(const TempFolder &folder)
{
    const std::string version = perf(folder, "version").out; // perf version 6.12.1
    int major = 0, minor = 0;

    EXPECT_EQ(sscanf(version.c_str(), "perf version %d.%d", &major, &minor), 2) << version;
    return major > 6 || (major == 6 && minor >= 2);
}

// Without perf's words about this machine's own kernel, which depend on who runs the tests.
inline std::string without_host(std::string text)
{
    const std::string first = "Warning:\nKernel address maps",
                      last = "modules can't be resolved as well.\n\n";
    const size_t begin = text.find(first), end = text.find(last);

    if (begin != std::string::npos && end != std::string::npos && begin < end)
        text.erase(begin, end + last.size() - begin);
    return text;
}

// What it prints where all must be well: exit status 0 and nothing on standard error.
inline std::string perf_good(const TempFolder &folder, const std::string &arguments)
{
    const PerfOutput result = perf(folder, arguments);

    EXPECT_EQ(result.status, 0) << "perf " << arguments << "\n" << result.err;
    EXPECT_EQ(without_host(result.err), "") << "perf " << arguments;
    return result.out;
}

inline std::vector<std::string> lines_of(const std::string &text)
{
    std::istringstream in(text);
    std::vector<std::string> lines;

    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

// A line's words, joined by one blank each.
inline std::string squeezed(const std::string &line)
{
    std::istringstream in(line);
    std::string result;

    for (std::string word; in >> word;)
        result += (result.empty() ? "" : " ") + word;
    return result;
}

// All lines that are not empty, squeezed.
inline std::vector<std::string> squeezed_lines(const std::string &text)
{
    std::vector<std::string> result;

    for (const std::string &line : lines_of(text))
        if (!squeezed(line).empty())
            result.push_back(squeezed(line));
    return result;
}

inline size_t count_of(const std::string &text, const std::string &part)
{
    size_t count = 0;

    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        count++;
    return count;
}

} // namespace cs_test

#endif

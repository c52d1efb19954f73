// SPDX-License-Identifier: Apache-2.0
// Progress is for eyes: on a terminal only.
#include <algorithm>
#include <pty.h>
#include <regex>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

using Progress = Command;

// Progress is looked at each so many cycles, the first time in a sixth of these. That is always shown,
// however quick it was; later ones need not be.
const char *const kLong = "compare --set pmcu_driver.nr_sample=20 small.yaml";

} // namespace

TEST_F(Progress, NoneOnAPipe)
{
    const std::string line =
        "cd '" + temp.path().string() + "' && '" CS_COMMAND "' " + kLong + " 2>&1 >/dev/null";
    FILE *pipe = popen(line.c_str(), "r");
    std::string text;
    char part[256];

    ASSERT_NE(pipe, nullptr);
    while (fgets(part, sizeof part, pipe) != nullptr)
        text += part;
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_EQ(without_former(text), "");
}

// What the command writes to a terminal of so many columns.
static std::string on_terminal(const std::string &folder, const std::string &arguments,
                               unsigned short columns, const char *kind)
{
    const winsize size = {24, columns, 0, 0};
    int terminal;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    const std::string line =
        "cd '" + folder + "' && TERM=" + kind + " exec '" CS_COMMAND "' " + arguments;
    std::string text;
    char part[256];

    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        _exit(127);
    }
    EXPECT_NE(child, -1) << "no terminals here: is /dev/pts mounted?";
    for (ssize_t got; (got = read(terminal, part, sizeof part)) > 0;)
        text.append(part, static_cast<size_t>(got));
    close(terminal);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
    return text;
}

TEST_F(Progress, OnATerminal)
{
    const std::string text = on_terminal(temp.path().string(), kLong, 100, "xterm");

    EXPECT_TRUE(has(text, " s left")) << text;
    EXPECT_TRUE(std::regex_search(text, std::regex("[0-9.]+ [kMG]?cycle/s"))) << text;
    EXPECT_FALSE(has(text, "e+0")) << text;
    EXPECT_TRUE(has(text, "EQUAL: ")) << text;
}

TEST_F(Progress, FitsANarrowTerminal)
{
    const std::string text = on_terminal(temp.path().string(), kLong, 40, "xterm");
    const std::regex shown("\r\x1b\\[K([^\r\n]*)");
    size_t longest = 0;

    for (std::sregex_iterator i(text.begin(), text.end(), shown), end; i != end; ++i)
        if (has((*i)[1], "cycle/s"))
            longest = std::max(longest, static_cast<size_t>((*i)[1].length()));
    EXPECT_GT(longest, 20u);
    EXPECT_LT(longest, 40u) << text;
}

TEST_F(Progress, NoneOnATerminalThatCannotGoBack)
{
    EXPECT_FALSE(has(on_terminal(temp.path().string(), kLong, 80, "dumb"), "\x1b"));
}

// Nothing is coloured, so that NO_COLOR has nothing to switch off.
TEST_F(Progress, NoEscapesButTheLine)
{
    for (const char *arguments : {"help run", "list --units", "run -o out small.yaml"}) {
        EXPECT_FALSE(has(run(arguments, "NO_COLOR=1").out, "\x1b")) << arguments;
        std::filesystem::remove_all(temp.path() / "out");
        const std::string shown = on_terminal(temp.path().string(), arguments, 80, "xterm");
        EXPECT_FALSE(std::regex_search(shown, std::regex("\x1b\\[[0-9;]*m"))) << arguments;
        std::filesystem::remove_all(temp.path() / "out");
    }
}

TEST_F(Progress, KeysFitTheTerminal)
{
    const std::string text = on_terminal(temp.path().string(), "list --scenario", 60, "xterm");
    std::istringstream lines(text);

    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 61u) << line; // with the carriage return
    EXPECT_TRUE(has(text, "bus.clock_mhz\r\n    50..10000 MHz; default 1000"))
        << text.substr(0, 500);
}

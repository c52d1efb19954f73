// Progress is for eyes: on a terminal only.
#include <pty.h>
#include <unistd.h>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

using Progress = Command;

// Long enough for several looks at the clock (five a second are shown).
const char *const kLong = "compare --set pmcu_driver.nr_sample=120 small.yaml";

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
    EXPECT_EQ(text, "");
}

TEST_F(Progress, OnATerminal)
{
    int terminal;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    const std::string line = "cd '" + temp.path().string() + "' && exec '" CS_COMMAND "' " + kLong;
    std::string text;
    char part[256];

    ASSERT_NE(child, -1) << "no terminals here: is /dev/pts mounted?";
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        _exit(127);
    }
    for (ssize_t got; (got = read(terminal, part, sizeof part)) > 0;)
        text.append(part, static_cast<size_t>(got));
    close(terminal);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
    EXPECT_TRUE(has(text, " s left")) << text;
    EXPECT_TRUE(has(text, "Mcycle/s")) << text;
    EXPECT_TRUE(has(text, "EQUAL: ")) << text;
}

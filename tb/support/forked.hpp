// SPDX-License-Identifier: Apache-2.0
// A test in a process of its own, for what a process can do only once (SystemC elaborates
// once). Failures inside are printed there and fail the test here.
#ifndef CS_TB_SUPPORT_FORKED_HPP
#define CS_TB_SUPPORT_FORKED_HPP

#include <cstdio>
#include <cstdlib>
#include <exception>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cs_test
{

template <class Body> void in_child(Body body)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    ASSERT_NE(child, -1) << "fork failed";
    if (child == 0) {
        setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
        try {
            body();
        } catch (const std::exception &error) {
            ADD_FAILURE() << "exception: " << error.what();
        }
        std::fflush(nullptr);
        _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "the test's process died of signal " << WTERMSIG(status);
    if (WIFEXITED(status)) {
        EXPECT_EQ(WEXITSTATUS(status), 0) << "see the failures above";
    }
}

} // namespace cs_test

#endif

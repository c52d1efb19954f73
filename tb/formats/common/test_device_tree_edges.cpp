// SPDX-License-Identifier: Apache-2.0
// Device tree source, with a dtc of our own: what it is given, and what is taken from it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "formats/common/device_tree_file.h"
#include "support/forked.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

constexpr unsigned kMost = 4000;

struct DeviceTreeEdges : testing::Test {
    TempFolder temp;
    std::string kept = std::getenv("PATH");
    void *blob = this; // what no failure may leave
    size_t bytes = 7;
    cs_diag diag = {};

    ~DeviceTreeEdges() override
    {
        setenv("PATH", kept.c_str(), 1);
    }
    void dtc(const std::string &script)
    {
        temp.write("dtc", "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(temp.path() / "dtc", std::filesystem::perms::owner_all);
        setenv("PATH", (temp.path().string() + ":" + kept).c_str(), 1);
    }
    // What it wrote, or the error.
    std::string compiled()
    {
        const cs_device_tree_limits limits = {"a tree", kMost};
        const std::string path = temp.write("a.dts", "/dts-v1/;");

        blob = this;
        bytes = 7;
        diag = {};
        if (cs_device_tree_compile(path.c_str(), &limits, &blob, &bytes, &diag) != CS_OK) {
            EXPECT_EQ(blob, nullptr);
            EXPECT_EQ(bytes, 0u);
            EXPECT_EQ(diag.where, path);
            return diag.text;
        }
        const std::string text(static_cast<char *>(blob), bytes);
        std::free(blob);
        return text;
    }
};

} // namespace

// Of the ends of its pipes it has those two that it writes to.
TEST_F(DeviceTreeEdges, DtcHasNoOtherEndsOfItsPipes)
{
    dtc("exec ls -l /proc/self/fd");
    const std::string fds = compiled();
    const auto pipe_of = [&](const char *fd) {
        const size_t at = fds.find(fd);

        return at != std::string::npos ? fds.substr(at + 6, fds.find('\n', at) - at - 6) : "";
    };
    const auto times = [&](const std::string &text) {
        unsigned nr = 0;

        for (size_t at = 0; (at = fds.find(text, at)) != std::string::npos; at++)
            nr++;
        return nr;
    };
    for (const char *fd : {" 1 -> ", " 2 -> "}) {
        ASSERT_EQ(pipe_of(fd).rfind("pipe:[", 0), 0u) << fds;
        EXPECT_EQ(times(pipe_of(fd)), 1u) << fds;
    }
    EXPECT_NE(pipe_of(" 1 -> "), pipe_of(" 2 -> "));
}

TEST_F(DeviceTreeEdges, EitherPipeMayEndFirst)
{
    // Until who reads has closed the pipe that was this descriptor.
    const auto end = [](const std::string &fd) {
        return "pipe=$(readlink /proc/$$/fd/" + fd + ")\nexec " + fd +
               ">&-\nwhile ls -l /proc/$PPID/fd | grep -qF \"$pipe\"; do :; done\n";
    };

    dtc(end("2") + "printf tree");
    EXPECT_EQ(compiled(), "tree");
    dtc(end("1") + "echo line 3 is bad >&2\nexit 1");
    EXPECT_EQ(compiled(), "dtc cannot compile it: line 3 is bad");
}

TEST_F(DeviceTreeEdges, WhatDtcMayWriteHasAnEnd)
{
    dtc("head -c 4000 /dev/zero");
    EXPECT_EQ(compiled(), std::string(kMost, '\0'));
    for (const char *more : {"4001", "4002", "100000"}) {
        dtc(std::string("head -c ") + more + " /dev/zero");
        EXPECT_EQ(compiled(), "expected source of a tree of at most 4000 bytes, found more");
    }
    dtc("head -c 100000 /dev/zero | tr '\\0' m >&2\nprintf tree");
    EXPECT_EQ(compiled(), "tree") << "messages are read to their end";
    dtc("exit 3");
    EXPECT_EQ(compiled(), "dtc cannot compile it: (no message)");
    dtc("kill -9 $$");
    EXPECT_EQ(compiled(), "dtc was ended by signal 9");
}

TEST_F(DeviceTreeEdges, WhatCannotBeReadIsNothing)
{
    const cs_device_tree_limits limits = {"a tree", kMost};
    const struct {
        const char *name, *error;
        cs_status status;
    } cases[] = {
        {"gone", "cannot open: No such file or directory", CS_ERR_IO},
        {".", "cannot read: Is a directory", CS_ERR_IO},
        {"empty",
         "expected a device tree blob (first bytes d0 0d fe ed) or its source (text), found 0 "
         "bytes of neither",
         CS_ERR_FORMAT},
        {"large", "expected a tree of at most 4000 bytes", CS_ERR_FORMAT},
    };

    temp.write("empty", "");
    temp.write("large", std::string(kMost + 1, ' '));
    for (const auto &c : cases) {
        blob = this;
        bytes = 7;
        EXPECT_EQ(cs_device_tree_read(temp.file(c.name).c_str(), &limits, &blob, &bytes, &diag),
                  c.status);
        EXPECT_STREQ(diag.text, c.error);
        EXPECT_EQ(blob, nullptr) << c.name;
        EXPECT_EQ(bytes, 0u) << c.name;
    }
}

// Two pipes cannot be waited for by who may have one file.
TEST_F(DeviceTreeEdges, WaitingMayFail)
{
    in_child([&] {
        dtc("prlimit --pid $PPID --nofile=1: || exit 1\nprintf tree\nexec sleep 60");
        EXPECT_EQ(compiled(), "cannot wait for dtc: Invalid argument");
    });
}

// SPDX-License-Identifier: Apache-2.0
// What runs in a guest, found in a memory of the test's own.
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "guest/plugin/tasks.h"
}

namespace
{

constexpr uint64_t kLinear = 0xc000000000000000, kFirst = 0x10000, kInit = 0x20000,
                   kOther = 0x30000;
constexpr uint64_t kParents = 0x4f8, kProcess = kParents - 16, kName = 0x738;
constexpr uint64_t kFile = 0x40000, kDentry = 0x41000, kString = 0x42000;

struct Tasks : testing::Test {
    std::vector<uint8_t> bytes = std::vector<uint8_t>(1 << 20);
    bridge_memory ram = {bytes.data(), 0, bytes.size()};
    char *text = nullptr;
    size_t size = 0;
    FILE *log = open_memstream(&text, &size);
    tasks *t = tasks_create(&ram, log);

    ~Tasks() override
    {
        fclose(log);
        free(text);
        free(t);
    }

    void put(uint64_t at, uint64_t value, unsigned length = 8)
    {
        memcpy(bytes.data() + at, &value, length);
    }

    void name(uint64_t at, const char *what)
    {
        strcpy(reinterpret_cast<char *>(bytes.data()) + at, what);
    }

    void task(uint64_t at, uint32_t pid, uint32_t process, const char *called)
    {
        put(at + kProcess, pid, 4);
        put(at + kProcess + 4, process, 4);
        put(at + kProcess + 8, 0x1234567890abcd00); // a canary stands between
        name(at + kName, called);
    }

    // A kernel with its first task, and one with the number 1.
    void kernel()
    {
        for (const uint64_t at : {kParents, kParents + 8, kParents + 48})
            put(kFirst + at, kLinear + kFirst);
        put(kFirst + kParents + 32, kLinear + kFirst + kParents + 32);
        task(kFirst, 0, 0, "swapper/0");
        task(kInit, 1, 1, "swapper/0");
    }

    bool enter(tasks_what what, std::vector<uint64_t> arguments, unsigned cpu = 0)
    {
        arguments.resize(TASKS_ARGUMENTS);
        return tasks_entered(t, what, cpu, 0x100, arguments.data());
    }

    std::string said()
    {
        fflush(log);
        return text != nullptr ? text : "";
    }
};

} // namespace

TEST_F(Tasks, AProcessIsItsForkItsExecAndItsFiles)
{
    kernel();
    EXPECT_FALSE(enter(TASKS_FORK, {kLinear + kFirst})); // the first says where things are
    enter(TASKS_FORK, {kLinear + kInit});
    EXPECT_TRUE(enter(TASKS_SWITCH, {kLinear + kFirst, kLinear + kInit}));
    EXPECT_EQ(tasks_process(t, 0), 1u);
    EXPECT_EQ(tasks_image(t, 0), 1u);
    name(kString, "init");
    EXPECT_TRUE(enter(TASKS_EXEC, {kLinear + kInit, kLinear + kString, 1}));
    EXPECT_EQ(tasks_image(t, 0), 2u);
    // It maps a file to be executed; a name behind two pointers says where names are.
    put(kFile + 0x18, kLinear + kDentry);
    put(kDentry + 0x28, kLinear + kString + 64);
    name(kString + 64, "busybox");
    enter(TASKS_MAP, {kLinear + kFile, 0x10000000, 0x20000, 1, 0}); // not to be executed
    enter(TASKS_MAP, {kLinear + kFile, 0x10000000, 0x20000, 5, 0});
    name(kString + 64, "libc.so.6");
    enter(TASKS_MAP, {kLinear + kFile, 0x7fff0000, 0x10000, 5, 3});
    EXPECT_EQ(said(), "I 1 1 100 0 swapper/0\n"
                      "I 2 1 100 0 init\n"
                      "F 2 10000000 20000 0 busybox\n"
                      "F 2 7fff0000 10000 3 libc.so.6\n");
}

TEST_F(Tasks, AThreadIsOfItsProcessAndAnotherCpuHasItsOwn)
{
    kernel();
    enter(TASKS_FORK, {kLinear + kFirst});
    enter(TASKS_FORK, {kLinear + kInit});
    task(kOther, 9, 1, "thread");
    enter(TASKS_FORK, {kLinear + kOther});
    EXPECT_TRUE(enter(TASKS_SWITCH, {kLinear + kFirst, kLinear + kOther}, 1));
    EXPECT_EQ(tasks_process(t, 1), 1u);
    EXPECT_EQ(tasks_image(t, 1), 1u);
    EXPECT_EQ(tasks_process(t, 0), 0u);
    EXPECT_FALSE(enter(TASKS_SWITCH, {kLinear + kOther, kLinear + kInit}, 1)); // of the same image
    EXPECT_EQ(said(), "I 1 1 100 0 swapper/0\n");
}

TEST_F(Tasks, InAKernelThatLooksOtherwiseNothingIsKnown)
{
    task(kInit, 1, 1, "x");
    EXPECT_FALSE(enter(TASKS_SWITCH, {kLinear + kFirst, kLinear + kInit}));
    EXPECT_FALSE(enter(TASKS_EXEC, {kLinear + kInit, 0, 1}));
    EXPECT_FALSE(enter(TASKS_SWITCH, {UINT64_MAX, 8}));
    enter(TASKS_MAP, {kLinear + (1 << 20) - 4, 0, 1, 4, 0});
    EXPECT_EQ(tasks_image(t, 0), 0u);
    EXPECT_EQ(said(), "");
}

TEST_F(Tasks, AFunctionThatSetsItsTocIsEnteredBehindThat)
{
    put(0x100, 0x3c4c0123, 4); // addis r2,r12,..
    put(0x200, 0x7c0802a6, 4); // mflr r0
    EXPECT_EQ(tasks_entry(t, kLinear + 0x100), kLinear + 0x108);
    EXPECT_EQ(tasks_entry(t, kLinear + 0x200), kLinear + 0x200);
}

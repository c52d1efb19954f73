// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "base/fiber.h"
#include "support.hpp"

namespace
{

struct Destroy {
    void operator()(cs_fiber *fiber) const
    {
        cs_fiber_destroy(fiber);
    }
};
using Fiber = std::unique_ptr<cs_fiber, Destroy>;

Fiber make(void (*main)(void *), void *ctx)
{
    cs_fiber *out = nullptr;
    cs_diag diag{};

    EXPECT_EQ(cs_fiber_create(main, ctx, &out, &diag), CS_OK) << printed(diag);
    return Fiber(out);
}

// A fiber that writes a letter, suspends itself, and so on, and ends.
struct Writer {
    const char *letters = "";
    std::string *log = nullptr;
    Fiber fiber = make(run, this);

    static void run(void *ctx)
    {
        Writer &w = *static_cast<Writer *>(ctx);

        for (const char *letter = w.letters; *letter != 0; letter++) {
            *w.log += *letter;
            if (letter[1] != 0)
                cs_fiber_suspend(w.fiber.get());
        }
    }
    Writer(const char *given, std::string &to) : letters(given), log(&to) {}
};

TEST(Fiber, RunsNothingBeforeTheFirstResume)
{
    std::string log;
    Writer w("ab", log);

    EXPECT_EQ(log, "");
    EXPECT_FALSE(cs_fiber_ended(w.fiber.get()));
}

TEST(Fiber, RunsFromSuspendToSuspend)
{
    std::string log;
    Writer w("abc", log);

    for (const char *expected : {"a", "ab", "abc"}) {
        EXPECT_FALSE(cs_fiber_ended(w.fiber.get()));
        cs_fiber_resume(w.fiber.get());
        EXPECT_EQ(log, expected);
    }
    EXPECT_TRUE(cs_fiber_ended(w.fiber.get()));
}

TEST(Fiber, IsNotRunAgainWhenItHasEnded)
{
    std::string log;
    Writer w("a", log);

    for (int i = 0; i < 3; i++)
        cs_fiber_resume(w.fiber.get());
    EXPECT_EQ(log, "a");
    EXPECT_TRUE(cs_fiber_ended(w.fiber.get()));
}

TEST(Fiber, EndsWithoutASuspend)
{
    std::string log;
    Writer w("", log);

    cs_fiber_resume(w.fiber.get());
    EXPECT_TRUE(cs_fiber_ended(w.fiber.get()));
}

// In the middle, at the end, and before the beginning.
TEST(Fiber, IsDestroyedAtAnyTime)
{
    std::string log;

    for (int resumes = 0; resumes <= 3; resumes++) {
        Writer w("xy", log);
        for (int i = 0; i < resumes; i++)
            cs_fiber_resume(w.fiber.get());
    }
    EXPECT_EQ(log, "xxyxy");
    cs_fiber_destroy(nullptr);
}

void does_nothing(void *) {}

// Whoever has resumed it goes on when it ends.
TEST(FiberDeathTest, GoesBackWhenItEnds)
{
    const Fiber fiber = make(does_nothing, nullptr);

    EXPECT_EXIT((cs_fiber_resume(fiber.get()), _exit(7)), testing::ExitedWithCode(7), "");
}

// ---- its stack ----

struct Deep {
    Fiber fiber = make(run, this);
    unsigned depth = 0;
    uint64_t result = 0;

    static uint64_t sum(Deep &d, unsigned n)
    {
        volatile uint64_t kept = n;

        if (n == d.depth)
            cs_fiber_suspend(d.fiber.get());
        const uint64_t below = n == 0 ? 0 : sum(d, n - 1);
        return kept + below;
    }
    static void run(void *ctx)
    {
        Deep &d = *static_cast<Deep *>(ctx);
        d.result = sum(d, 500);
    }
};

TEST(Fiber, KeepsItsStackOverASuspendInTheMiddleOfCalls)
{
    for (unsigned depth : {0u, 1u, 250u, 500u}) {
        Deep d;
        d.depth = depth;
        cs_fiber_resume(d.fiber.get());
        EXPECT_EQ(d.result, 0u);
        cs_fiber_resume(d.fiber.get());
        EXPECT_EQ(d.result, 125250u);
    }
}

void uses_most_of_its_stack(void *ctx)
{
    volatile char large[200 << 10];

    for (size_t i = 0; i < sizeof large; i += 512)
        large[i] = static_cast<char>(i / 512);
    for (size_t i = 0; i < sizeof large; i += 512)
        *static_cast<uint64_t *>(ctx) += static_cast<unsigned char>(large[i]);
}

TEST(Fiber, HasRoomForLargeFrames)
{
    uint64_t sum = 0, expected = 0;
    const Fiber fiber = make(uses_most_of_its_stack, &sum);

    for (unsigned i = 0; i < 400; i++)
        expected += i % 256;
    cs_fiber_resume(fiber.get());
    EXPECT_EQ(sum, expected);
}

#if !defined(__SANITIZE_ADDRESS__) /* it needs the address space, and has a word in a SIGSEGV */
// With no more address space than there is in use already.
void create_without_memory()
{
    const rlimit none = {1 << 20, 1 << 20};
    cs_fiber *out = reinterpret_cast<cs_fiber *>(1);
    cs_diag diag{};

    setrlimit(RLIMIT_AS, &none);
    const bool right =
        cs_fiber_create(uses_most_of_its_stack, nullptr, &out, &diag) == CS_ERR_NO_MEMORY &&
        out == nullptr && diag.status == CS_ERR_NO_MEMORY &&
        cs_fiber_create(uses_most_of_its_stack, nullptr, &out, nullptr) == CS_ERR_NO_MEMORY;
    _exit(right ? 0 : 1);
}

TEST(FiberDeathTest, TellsThatThereIsNoMemory)
{
    EXPECT_EXIT(create_without_memory(), testing::ExitedWithCode(0), "");
}

void leaves_its_stack(void *)
{
    volatile char large[300 << 10];

    for (size_t i = sizeof large; i > 0; i -= 512)
        large[i - 1] = 1;
}

// A stack that is too small ends the program instead of damaging what lies below it.
TEST(FiberDeathTest, HitsAGuardPageBelowItsStack)
{
    const Fiber fiber = make(leaves_its_stack, nullptr);
    const Fiber below = make(leaves_its_stack, nullptr); // as systems place it

    EXPECT_EXIT(cs_fiber_resume(fiber.get()), testing::KilledBySignal(SIGSEGV), "");
}
#endif

// ---- several ----

TEST(Fiber, ManyTakeTurns)
{
    constexpr size_t kFibers = 200;
    std::vector<std::string> logs(kFibers);
    std::vector<std::unique_ptr<Writer>> writers;

    for (std::string &log : logs)
        writers.push_back(std::make_unique<Writer>("abcdefg", log));
    for (size_t turn = 0; turn < 7; turn++)
        for (size_t i = 0; i < kFibers; i++) {
            cs_fiber_resume(writers[(i * 7) % kFibers]->fiber.get());
            EXPECT_EQ(logs[(i * 7) % kFibers], std::string("abcdefg").substr(0, turn + 1));
        }
    for (const auto &w : writers)
        EXPECT_TRUE(cs_fiber_ended(w->fiber.get()));
}

struct Outer {
    Fiber fiber = make(run, this);
    std::string log;
    Writer inner{"123", log};

    static void run(void *ctx)
    {
        Outer &o = *static_cast<Outer *>(ctx);

        o.log += "a";
        cs_fiber_resume(o.inner.fiber.get());
        o.log += "b";
        cs_fiber_suspend(o.fiber.get());
        cs_fiber_resume(o.inner.fiber.get());
        o.log += "c";
    }
};

// Suspend goes back to whoever has resumed it: another one than before, too.
TEST(Fiber, IsResumedByAnotherFiber)
{
    Outer o;

    cs_fiber_resume(o.fiber.get());
    EXPECT_EQ(o.log, "a1b");
    cs_fiber_resume(o.fiber.get());
    EXPECT_EQ(o.log, "a1b2c");
    EXPECT_TRUE(cs_fiber_ended(o.fiber.get()));
    cs_fiber_resume(o.inner.fiber.get());
    EXPECT_EQ(o.log, "a1b2c3");
    EXPECT_TRUE(cs_fiber_ended(o.inner.fiber.get()));
}

} // namespace

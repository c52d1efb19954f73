// SPDX-License-Identifier: Apache-2.0
// A program that opens events itself, where nothing knows that it is not Linux who answers.
#include <csignal>
#include <string>

#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/perf_tool.hpp"

using namespace cs_test;

namespace
{

struct Pmu : Command {
    // The case of tb/pmu/events*.c under the command.
    Outcome program(const std::string &name, const std::string &options = "")
    {
        return run("pmu " + options + " -- " CS_EVENTS " " + name);
    }
};

struct PmuCases : Pmu, testing::WithParamInterface<const char *> {
};

} // namespace

TEST_P(PmuCases, AnswersAsLinuxDoes)
{
    const Outcome o = program(GetParam());

    EXPECT_EQ(o.status, 0) << o.err;
}

INSTANTIATE_TEST_SUITE_P(, PmuCases,
                         testing::Values("counts", "sleeps", "groups", "errors", "descriptors",
                                         "many", "all", "software", "closes", "polls", "polls-once",
                                         "polls-at-once", "epolls", "epolls-edges", "signals",
                                         "signals-of-each", "shares", "mixes", "maps", "loses",
                                         "inherits", "short", "inherits-nothing", "threads", "ends",
                                         "execs", "children", "makes-code", "passes", "places",
                                         "touches-pages", "groups-touch-pages"),
                         [](const auto &info) {
                             std::string name = info.param;

                             for (char &c : name)
                                 c = c == '-' ? '_' : c;
                             return name;
                         });

// A sandbox's own answer has precedence: then nothing would be counted, and nobody would know why.
TEST_F(Pmu, SaysThatASandboxAnswersItself)
{
    const Outcome o = run("pmu -- true", CS_EVENTS " sandboxed");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "answers perf_event_open itself (Operation not permitted)")) << o.err;
    EXPECT_TRUE(has(o.err, "--cap-add PERFMON")) << o.err;
}

// Where the kernel refuses its own events to the command, descriptors are pipes: POLLIN until data is taken.
TEST_F(Pmu, CopesWithoutTheKernelsEvents)
{
    for (const char *name :
         {"polls", "polls-at-once", "closes", "shares", "maps", "descriptors", "places"}) {
        const Outcome o =
            run(std::string("pmu -- " CS_EVENTS " ") + name, CS_EVENTS " sandboxed-others");

        EXPECT_EQ(o.status, 0) << name << ": " << o.err;
    }
}

// The PMCU samples cycles and instructions 20 times, and its data is what our reader knows.
TEST_F(Pmu, APmcuWritesIntoTheProgramsArea)
{
    const Outcome o = run("pmu " CS_SOURCE_DIR "/configs/pmu/kunpeng.yaml -- " CS_EVENTS " aux");
    const Outcome decoded = run("decode --as pmcu-aux --format csv samples.aux");

    EXPECT_EQ(o.status, 0) << o.err;
    ASSERT_EQ(decoded.status, 0) << decoded.err;
    const std::vector<std::string> lines = lines_of(decoded.out);
    EXPECT_EQ(lines.size(), 1 + 20 * 8 * 3u) << decoded.out; // of 8 slots 2 events and the cycles
    uint64_t cycles = 0, counted = 0;
    for (const std::string &line : lines) {
        const uint64_t count = std::strtoull(line.c_str() + line.rfind(',') + 1, nullptr, 10);

        cycles += has(line, ",cycles,") ? count : 0;
        counted += has(line, ",CPU_CYCLES,") ? count : 0;
    }
    EXPECT_GT(cycles, 0u); /* how many in 40 ms: as the computer lets the thread */
    EXPECT_EQ(counted, cycles);
}

TEST_F(Pmu, EndsAsTheProgramDoes)
{
    EXPECT_EQ(run("pmu -- sh -c 'exit 7'").status, 7);
    EXPECT_EQ(run("pmu -- true").status, 0);
    EXPECT_EQ(run("pmu -- sh -c 'kill -TERM $$'; test $? = 143").status, 0);

    const Outcome none = run("pmu -- ./no-such-program");

    EXPECT_EQ(none.status, 127);
    EXPECT_EQ(none.err, "countersink: ./no-such-program: No such file or directory\n");
    temp.write("text", "no program");
    EXPECT_EQ(run("pmu -- ./text").status, 126);
}

TEST_F(Pmu, RefusesWhatItCannotDo)
{
    EXPECT_EQ(run("pmu true").status, 2);
    EXPECT_EQ(run("pmu --").status, 2);
    EXPECT_EQ(run("pmu a.yaml b.yaml -- true").status, 2);
    EXPECT_EQ(run("pmu missing.yaml -- true").status, 3);
    EXPECT_TRUE(has(run("pmu --deny gpu -- true").err, "found 'gpu', expected a PMU: cpu"));
    EXPECT_EQ(run("pmu --counters 32 -- true").status, 2);
    EXPECT_EQ(run("pmu --time now -- true").status, 2);

    const Outcome clocks = run("pmu --set cores.clock_mhz=1250 -- true");

    EXPECT_EQ(clocks.status, 2);
    EXPECT_TRUE(has(clocks.err, "cores.clock_mhz is 1250 and bus.clock_mhz is 2500")) << clocks.err;

    const Outcome nested = run("pmu -- " CS_COMMAND " pmu -- true");

    EXPECT_EQ(nested.status, 2);
    EXPECT_TRUE(has(nested.err, "supervised already")) << nested.err;
}

// The same calls, the same bytes: of what is printed, and of the truth.
TEST_F(Pmu, StepsMakeRunsAlike)
{
    const Outcome one = program("prints", "--time steps --truth one.sqlite");
    const Outcome two = program("prints", "--time steps --truth two.sqlite");
    const Outcome longer = program("prints", "--step 2000");

    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(one.out, two.out);
    EXPECT_NE(one.out, longer.out);
    EXPECT_EQ(temp.read("one.sqlite"), temp.read("two.sqlite"));
    EXPECT_NE(temp.read("one.sqlite"), "");
}

TEST_F(Pmu, TheTruthHasWhatWasReadAndWhatWasSo)
{
    ASSERT_EQ(program("polls", "--truth t.sqlite").status, 0);
    const Database db(temp.path() / "t.sqlite");

    // One counter for one event: what is read is true.
    EXPECT_EQ(db.number("SELECT count(*) FROM reading WHERE value<>truth"), 0);
    EXPECT_GE(db.number("SELECT count(*) FROM reading"), 2);
    EXPECT_GE(db.number("SELECT count(*) FROM sample WHERE period=2500000"), 18);
    EXPECT_EQ(db.number("SELECT count(*) FROM opened WHERE type=0 AND config=0"), 1);
    EXPECT_EQ(program("polls", "--truth t.sqlite").status, 3); /* it is there already */
}

// The ring is written to while it is read: each sample that it had room for comes once, and LOST records count
// the others.
TEST_F(Pmu, ASmallRingShowsEachSampleOnce)
{
    const Outcome o = program("prints-a-small-ring", "--truth t.sqlite");
    const Database db(temp.path() / "t.sqlite");
    std::vector<std::string> taken, lost;

    ASSERT_EQ(o.status, 0) << o.err;
    for (const std::string &line : lines_of(o.out))
        (has(line, "lost") ? lost : taken).push_back(line);
    EXPECT_EQ(taken, db.ask("SELECT time_ns FROM sample WHERE NOT lost ORDER BY time_ns"));
    EXPECT_EQ(lost, db.ask("SELECT 'lost '||lost FROM loss ORDER BY time_ns"));
    EXPECT_GE(db.number("SELECT count(*) FROM sample WHERE NOT lost"), 100);
}

TEST_F(Pmu, TroubleIsAsAsked)
{
    EXPECT_TRUE(has(program("counts", "--deny cpu").err, "found -2 ")); /* ENOENT */
    EXPECT_TRUE(has(program("counts", "--fail 1").err, "found -16 "));  /* EBUSY */
    EXPECT_EQ(program("counts", "--fail 2").status, 0);
    EXPECT_TRUE(has(program("polls", "--no-overflow").err, "found -95 ")); /* EOPNOTSUPP */
    EXPECT_EQ(program("counts", "--no-overflow").status, 0);
    EXPECT_EQ(run("pmu " CS_SOURCE_DIR "/configs/pmu/none.yaml -- " CS_EVENTS " counts").status, 1);
}

TEST_F(Pmu, NothingHangsWhenItIsKilled)
{
    EXPECT_EQ(program("alone").status, 128 + SIGKILL);
    for (int i = 0; i < 50 && !temp.has("alone.done"); i++)
        usleep(100000);
    EXPECT_TRUE(temp.has("alone.done"));
    EXPECT_EQ(run("list >.unused; sleep 0.3; ! pgrep -f 'pmu_events[ ]alone' >.pgrep").status, 0)
        << temp.read(".pgrep");
}

TEST_F(Pmu, ProcessesThatAreLeftBehindAreServedOn)
{
    const Outcome o = run("pmu -- " CS_EVENTS " left", "LEFT=done");

    EXPECT_EQ(o.status, 0) << o.err;
    for (int i = 0; i < 50 && !temp.has("done"); i++)
        usleep(100000);
    EXPECT_TRUE(temp.has("done"));
}

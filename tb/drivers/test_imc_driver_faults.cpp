// SPDX-License-Identifier: Apache-2.0
// OPAL and the kernel's IMC driver: bus errors and deep stops.
#include "imc_driver_session.hpp"

using namespace imc_driver_session;
using namespace cs_power_test;

namespace
{

// ---- bus errors ----

bool is_scom(const cs_bus_txn &txn, uint64_t address)
{
    return txn.addr == CS_SCOM_BASE + 8 * address;
}

TEST(ImcDriver, TheFirstErrorEndsAnOpalCall)
{
    ImcSession s(kCoreStat);
    s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x1001230B); }; // PDBAR1
    const cs_imc_driver_report &r = s.run();

    Log expected = kCoreBoot;
    expected.erase(expected.begin() + 4, expected.begin() + 6); // EVENT_MASK and HTM_MODE of it
    EXPECT_EQ(s.log(0, 20 * kUs), expected);
    EXPECT_EQ(r.opal_calls, 4u);
    EXPECT_EQ(r.opal_errors, 1u);
    // The kernel has no core_imc then, of no core.
    EXPECT_EQ(s.opened, (Log{"0 ENODEV: OPAL's INIT has failed"}));
    ASSERT_EQ(s.troubles.size(), 1u);
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_INIT_FAILED);
    EXPECT_EQ(s.troubles[0].cpu, 2u);
}

TEST(ImcDriver, AnInitOfTraceThatFails)
{
    ImcSession s(command("trace", 20, 40));
    s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x21010AA9); }; // of core 1
    s.run();
    EXPECT_EQ(s.opened, (Log{"0 ENODEV: OPAL's INIT has failed"}));
    ASSERT_EQ(s.troubles.size(), 1u);
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_INIT_FAILED);
    EXPECT_EQ(s.troubles[0].cpu, 2u);
    EXPECT_EQ(s.troubles[0].late, 0u);
    ASSERT_FALSE(s.warnings.empty());
    EXPECT_EQ(s.warnings[0], "OPAL's INIT failed for the core of CPU 2 (OPAL_HARDWARE): the kernel "
                             "has no PMU for it");
}

TEST(ImcDriver, WithoutInitOfCoreThereIsNoThreadEither)
{
    for (const char *pmu : {"core", "thread", "trace"}) {
        ImcSession s(command(pmu, 20, 40));
        s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x1001220B); }; // PDBAR0
        s.run();
        EXPECT_EQ(s.opened,
                  Log{std::string(pmu) == "trace" ? "0 good" : "0 ENODEV: OPAL's INIT has failed"});
    }
}

// The kernel refuses the event on that CPU, and goes on with the others.
TEST(ImcDriver, AStartThatFailsCountsNothingThere)
{
    for (const char *pmu : {"core", "thread", "trace"}) {
        SCOPED_TRACE(pmu);
        std::string both = command(pmu, 20, 40);
        both.replace(both.find("[0]"), 3, "[0, 2]");
        ImcSession s(both);
        s.at(15 * kUs,
             [&] { s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x10012200); }; });
        s.put_records(kTrace0, 0, 3, 1000);
        const cs_imc_driver_report &r = s.run();

        EXPECT_EQ(r.opal_errors, 1u);
        EXPECT_EQ(s.log_of("HTM0").size(), 2u + 1u); // the boot's, and one START
        EXPECT_EQ(s.log_of("HTM1").size(), 2u + 2u);
        for (const Count &c : s.counts)
            EXPECT_EQ(c.cpu, 2u);
        EXPECT_EQ(s.counts.size(), std::string(pmu) == "trace" ? 0u : 1u);
        EXPECT_TRUE(s.samples.empty());
        ASSERT_EQ(s.troubles.size(), 1u);
        EXPECT_EQ(s.troubles[0].kind, CS_IMC_START_FAILED);
        EXPECT_EQ(s.troubles[0].cpu, 0u);
        EXPECT_EQ(s.troubles[0].late, 0u);
    }
}

// Who comes second to a core finds that nobody has started it, and tries, too.
TEST(ImcDriver, AStartThatFailsIsTriedByTheNextCpuOfTheCore)
{
    std::string both = command("thread", 20, 40);
    both.replace(both.find("[0]"), 3, "[0, 1]");
    unsigned starts = 0;
    ImcSession s(both);
    s.at(15 * kUs, [&] {
        s.refuses = [&](const cs_bus_txn &txn) {
            return is_scom(txn, 0x10012200) && ++starts == 1;
        };
    });
    EXPECT_EQ(s.run().opal_errors, 1u);
    EXPECT_EQ(s.log_of("HTM0").size(), 2u + 3u); // the boot's, two STARTs, a STOP
    ASSERT_EQ(s.counts.size(), 1u);
    EXPECT_EQ(s.counts[0].cpu, 1u);
}

TEST(ImcDriver, AStopThatFailsIsTold)
{
    ImcSession s(kCoreStat);
    s.at(30 * kUs,
         [&] { s.refuses = [](const cs_bus_txn &txn) { return txn.addr >= CS_SCOM_BASE; }; });
    EXPECT_EQ(s.run().opal_errors, 1u);
    EXPECT_EQ(s.counts.size(), 1u);
    ASSERT_EQ(s.troubles.size(), 1u);
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_STOP_FAILED);
}

TEST(ImcDriver, EveryCallThatFailsIsCounted)
{
    ImcSession s(kCoreStat);
    s.refuses = [](const cs_bus_txn &txn) { return txn.addr >= CS_SCOM_BASE; };
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.log_of("MASK"), Log{});
    EXPECT_EQ(s.log_of("TRACE"), Log{});
    EXPECT_EQ(r.opal_calls, 4u); // the command is refused
    EXPECT_EQ(r.opal_errors, 4u);
}

TEST(ImcDriver, AnErrorOfAnSprIsNoErrorOfACall)
{
    ImcSession s(kCoreStat);
    s.refuses = [](const cs_bus_txn &txn) {
        return txn.addr >= CS_SPR_BASE && txn.addr < CS_SPR_BASE + CS_SPR_BYTES;
    };
    EXPECT_EQ(s.run().opal_errors, 0u);
    EXPECT_EQ(s.log(0, 20 * kUs), kCoreBoot);
}

// A value that does not come is no count; the next one counts from the last that came.
TEST(ImcDriver, AFailedReadIsNoCount)
{
    const struct {
        unsigned fails; // the read, from 0
        std::vector<uint64_t> raws;
    } cases[] = {
        {0, {20, 20}},
        {1, {30, 20}},
        {2, {10, 40}},
        {3, {10, 20}},
    };

    for (const auto &c : cases) {
        SCOPED_TRACE(c.fails);
        ImcSession s("{pmu: core, cpus: [0], events: [CPM_INST], start_us: 20, stop_us: 50, "
                     "interval_us: 10}");
        unsigned reads = 0;
        s.put(kCore0 + kInst, 100);
        s.at(25 * kUs, [&] { s.put(kCore0 + kInst, 110); });
        s.at(35 * kUs, [&] { s.put(kCore0 + kInst, 130); });
        s.at(45 * kUs, [&] { s.put(kCore0 + kInst, 150); });
        s.refuses = [&](const cs_bus_txn &txn) { return !txn.write && reads++ == c.fails; };
        EXPECT_EQ(s.run().read_errors, 1u);
        EXPECT_EQ(s.raws(), c.raws);
    }
}

// ---- deep stops ----

struct DeepStop {
    const char *restore;
    Log of_core, of_thread, of_trace; // what is written after the wake-up
};

const DeepStop deep_stops[] = {
    {"all",
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "LDBAR1=8000000081006000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "LDBAR0=4000000081040000"}},
    {"htm_mode",
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000", "LDBAR1=8000000081006000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
      "HTM0=e800000000000000", "LDBAR0=4000000081040000"}},
    {"no_ldbar",
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000"},
     {"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000"}},
    {"none", {}, {}, {}},
};

ImcSession::Raw with_deep_stop(const std::string &perf, const std::string &restore,
                               const std::string &stops = "{core: 0, at_us: 30, for_us: 5}")
{
    std::string text = ImcSession::yaml(perf, ", deep_stops: [" + stops + "]");

    text.insert(text.find("  perf:\n"), "  restore: " + restore + "\n");
    return {text, CS_SOURCE_DIR "/configs/imc"};
}

TEST(ImcDriver, WhatIsGivenBackAfterADeepStop)
{
    const std::string thread = "{pmu: thread, task: true, cpus: [1], events: [CPM_CS_PCYC_USER], "
                               "start_us: 20, stop_us: 40}";

    for (const DeepStop &d : deep_stops) {
        SCOPED_TRACE(d.restore);
        const std::pair<std::string, Log> modes[] = {{command("core", 20, 40), d.of_core},
                                                     {thread, d.of_thread},
                                                     {command("trace", 20, 40), d.of_trace}};
        for (const auto &mode : modes) {
            SCOPED_TRACE(mode.first);
            ImcSession s(with_deep_stop(mode.first, d.restore));
            const cs_imc_driver_report &r = s.run();
            EXPECT_EQ(s.log(30 * kUs, 40 * kUs), mode.second);
            EXPECT_EQ(r.opal_calls, 6u); // waking is none
            EXPECT_EQ(r.opal_errors, 0u);
            // Who comes back without HTM_MODE counts nothing more.
            const bool lost = std::string(d.restore) != "htm_mode";
            ASSERT_EQ(s.troubles.size(), lost ? 1u : 0u);
            if (lost) {
                EXPECT_EQ(s.troubles[0].kind, CS_IMC_HTM_LOST);
            }
        }
    }
}

TEST(ImcDriver, TheFirmwareBeginsOneCycleAfterPowerIsBack)
{
    ImcSession s(with_deep_stop(command("core", 20, 40), "all"));
    s.run();
    for (const Access &a : s.accesses)
        if (a.request > 30 * kUs) {
            EXPECT_EQ(a.request, 35 * kUs + 1 + kOpal);
            break;
        }
}

// A core that was not traced and not counted by a thread has LDBARs of zero: nothing to restore.
TEST(ImcDriver, OfAnotherCoreItsOwnIsGivenBack)
{
    ImcSession s(with_deep_stop(command("thread", 20, 60), "all",
                                "{core: 1, at_us: 22, for_us: 20}, {core: 0, at_us: 25, for_us: "
                                "5}"));
    s.run();
    // by the end of the stops, not by their begin
    EXPECT_EQ(s.log(25 * kUs, 40 * kUs),
              (Log{"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
                   "LDBAR0=8000000081004000"}));
    EXPECT_EQ(s.log(40 * kUs, 60 * kUs),
              (Log{"PDBAR1=81002000", "MASK1=402010000000000", "TRACE1=7fffffc142020000"}));
}

// In the middle of a command's begin: what the kernel is about to write is not there yet.
TEST(ImcDriver, ACoreGetsBackWhatWasWritten)
{
    ImcSession s(
        with_deep_stop(command("thread", 20, 40), "htm_mode", "{core: 0, at_us: 15, for_us: 5}"));
    s.run();
    EXPECT_EQ(s.log(20 * kUs, 30 * kUs),
              (Log{"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
                   "HTM0=e000000000000000", "read 81005018", "LDBAR0=8000000081004000",
                   "HTM0=e800000000000000"}));
}

TEST(ImcDriver, TwoCoresWakeInTheSameCycle)
{
    for (const DeepStop &d : deep_stops) {
        SCOPED_TRACE(d.restore);
        Log expected;
        for (const std::string &line : d.of_core) {
            expected.push_back(line);
            if (line[0] == 'H')
                expected.push_back("HTM1=e000000000000000");
            else if (line[0] == 'P')
                expected.push_back("PDBAR1=81002000");
            else
                expected.push_back(std::string(line).replace(line.find('0'), 1, "1"));
        }
        ImcSession s(with_deep_stop(command("core", 20, 40), d.restore,
                                    "{core: 0, at_us: 30, for_us: 5}, {core: 1, at_us: 30, for_us: "
                                    "5}"));
        s.run();
        Log written = s.log(30 * kUs, 40 * kUs);
        std::sort(expected.begin(), expected.end());
        std::sort(written.begin(), written.end());
        EXPECT_EQ(written, expected);
    }
}

// Only a command that is open, and on that core, is told of.
TEST(ImcDriver, WhatADeepStopTakesFromWhom)
{
    std::string other = command("core", 20, 40);
    other.replace(other.find("[0]"), 3, "[2]");
    ImcSession s(with_deep_stop(command("core", 15, 25) + "\n" + command("core", 20, 40) + "\n" +
                                    command("core", 37, 45) + "\n" + other,
                                "all"));
    s.run();
    ASSERT_EQ(s.troubles.size(), 1u);
    EXPECT_EQ(s.troubles[0].kind, CS_IMC_HTM_LOST);
    EXPECT_EQ(s.troubles[0].command, 1u);
    EXPECT_EQ(s.troubles[0].cpu, 0u);
}

// The next core's threads have not been asleep.
TEST(ImcDriver, ACoreGetsItsOwnLdbarsAlone)
{
    std::string all = command("thread", 20, 60);
    all.replace(all.find("[0]"), 3, "[0, 1, 2, 3]");
    ImcSession s(with_deep_stop(all, "all"));
    s.run();
    EXPECT_EQ(s.log(30 * kUs, 40 * kUs),
              (Log{"PDBAR0=81000000", "MASK0=402010000000000", "TRACE0=7fffffc142020000",
                   "LDBAR0=8000000081004000", "LDBAR1=8000000081006000"}));
}

// Every saved register is written, whatever becomes of the one before; no call has failed.
TEST(ImcDriver, AnErrorEndsNoRestore)
{
    ImcSession s(with_deep_stop(command("core", 20, 40), "all"));
    s.at(30 * kUs,
         [&] { s.refuses = [](const cs_bus_txn &txn) { return is_scom(txn, 0x1001220B); }; });
    EXPECT_EQ(s.run().opal_errors, 0u);
    EXPECT_EQ(s.log(30 * kUs, 40 * kUs), deep_stops[0].of_core);
}

// A command's calls in the stop fail, and the kernel refuses its events.
TEST(ImcDriver, ACommandInADeepStop)
{
    ImcSession s(with_deep_stop(command("core", 32, 50) + "\n" + command("core", 33, 34), "all"));
    s.at(30 * kUs,
         [&] { s.refuses = [](const cs_bus_txn &txn) { return txn.addr >= CS_SCOM_BASE; }; });
    s.at(35 * kUs, [&] { s.refuses = [](const cs_bus_txn &) { return false; }; });
    s.at(45 * kUs, [&] { s.put(kCore0 + kInst, 9); });
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(r.opal_errors, 2u); // a START of each
    EXPECT_EQ(r.read_errors, 0u);
    EXPECT_EQ(s.log(35 * kUs, 50 * kUs).back(), "TRACE0=7fffffc142020000");
    EXPECT_TRUE(s.counts.empty());
}

TEST(ImcDriver, NobodyWaitsForACoreThatWakesAfterTheEnd)
{
    ImcSession s(with_deep_stop(command("core", 20, 40), "all",
                                "{core: 1, at_us: 30, for_us: "
                                "500}"));
    s.run();
    EXPECT_LT(cs_cpu_end_cycle(s.cpu), 41 * kUs);
}

} // namespace

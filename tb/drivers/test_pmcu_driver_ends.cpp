// SPDX-License-Identifier: Apache-2.0
// The PMCU driver in a session that ends otherwise: stopped by the user, by the hardware, by the
// bus, or before it began.
#include <algorithm>

#include "fake_die.hpp"

using namespace cs_test;

namespace
{

// ---- the user stops perf ----

constexpr cs_cycle kAccessCycles = kAccess + kBus + 1;

TEST(PmcuDriverStop, InTheMiddleOfARun)
{
    FakeDie die(events(8), 100);
    die.run_cycles = 1000000;
    die.config.stop_at_cycle = 1500000; // in the second run
    die.run();

    EXPECT_EQ(die.report().end, CS_PMCU_END_STOPPED);
    ASSERT_EQ(die.triggers.size(), 2u);
    EXPECT_EQ(die.triggers[1].samples_done, 0u);
    EXPECT_EQ(die.triggers[1].samples_asked, 6u);
    EXPECT_EQ(die.report().samples, 6u);
    // What the broken run has written is dropped; its buffer had nothing before.
    EXPECT_EQ(die.commits, (std::vector<Commit>{{kAux, 4096}}));

    const std::vector<Access> expected = {
        {true, CS_PMCU_FSM_BRK, 1},
        {false, CS_PMCU_INT_STAT, 2},
        {true, CS_PMCU_INT_CLR, 2},
        {true, CS_PMCU_INT_EN, 0},
    };
    EXPECT_EQ(std::vector<Access>(die.accesses.end() - 4, die.accesses.end()), expected);
    // It stops when it is told to, and sees the answer at the first look, 10 us after FSM_BRK.
    const cs_cycle broken = 1500000 + kAccessCycles;
    EXPECT_EQ(die.effects.end()[-4], broken - 1);
    EXPECT_EQ(die.triggers[1].done_cycle, broken - 1 + die.break_cycles);
    EXPECT_EQ(cs_cpu_end_cycle(die.cpu), broken + 10000 + kAccessCycles);
    // The core waits in the driver.
    EXPECT_EQ(die.core.end()[-2], (std::pair<char, cs_cycle>('e', 1500000)));
    EXPECT_EQ(die.core.back(), (std::pair<char, cs_cycle>('l', cs_cpu_end_cycle(die.cpu))));
}

// perf is still copying what the first run has left: it is stopped in time all the same.
TEST(PmcuDriverStop, WhilePerfCopies)
{
    for (cs_cycle stop : {2500000u, 3000001u}) {
        FakeDie die(events(8), 100);
        die.run_cycles = 2000000;
        die.config.perf_wakeup_cycles = 1500000;
        die.config.stop_at_cycle = stop;
        die.run();

        EXPECT_EQ(die.report().end, CS_PMCU_END_STOPPED);
        ASSERT_EQ(die.triggers.size(), 2u);
        const auto broken =
            std::find(die.accesses.begin(), die.accesses.end(), Access{true, CS_PMCU_FSM_BRK, 1});
        ASSERT_NE(broken, die.accesses.end());
        EXPECT_EQ(die.effects[size_t(broken - die.accesses.begin())], stop + kAccessCycles - 1);
    }
}

TEST(PmcuDriverStop, TheAnswerIsSeenAtALookOnly)
{
    const cs_cycle handler = 1 + kLatency + 2 * kAccessCycles; // from the line on

    for (cs_cycle answer : {cs_cycle(10000), 10000 - handler, 10001 - handler, cs_cycle(55555)}) {
        FakeDie die(events(8), 100);
        die.run_cycles = 1000000;
        die.break_cycles = answer;
        die.config.stop_at_cycle = 500000;
        die.run();

        cs_cycle since = 500000 + kAccessCycles;
        cs_cycle acknowledged = since - 1 + answer + handler;
        cs_cycle look = since + (acknowledged - since + 9999) / 10000 * 10000;
        EXPECT_EQ(die.report().end, CS_PMCU_END_STOPPED);
        EXPECT_EQ(cs_cpu_end_cycle(die.cpu), look + kAccessCycles) << answer;
    }
}

TEST(PmcuDriverStop, GivesUpAfterTwoMilliseconds)
{
    FakeDie die(events(8), 100);
    die.run_cycles = 100000000;
    die.hears_break = false;
    die.config.stop_at_cycle = 500000;
    die.run();

    EXPECT_EQ(die.report().end, CS_PMCU_END_STOP_TIMEOUT);
    EXPECT_EQ(cs_cpu_end_cycle(die.cpu), 500000 + kAccessCycles + 2000000 + kAccessCycles);
    EXPECT_EQ(die.accesses.back(), (Access{true, CS_PMCU_INT_EN, 0}));
    EXPECT_EQ(die.commits, (std::vector<Commit>{{kAux, 64}})); // the header
}

// An interrupt whose handler would come after the last look: nobody sees the answer.
// On its way to another CPU it does not wait longer either, and goes on there.
TEST(PmcuDriverStop, GivesUpBeforeAMove)
{
    const cs_pmcu_cpu_move move = {500000, 5};
    FakeDie die(events(8), 100);
    die.run_cycles = 100000000;
    die.hears_break = false;
    die.config.moves = &move;
    die.config.nr_moves = 1;
    die.run(2600000);

    EXPECT_EQ(die.report().moves, 1u);
    ASSERT_EQ(die.moves.size(), 1u);
    EXPECT_EQ(die.moves[0].from, 0u);
    EXPECT_EQ(die.moves[0].to, 5u);
    EXPECT_EQ(die.accesses.back(), (Access{true, CS_PMCU_FSM_CTRL, 1}));
    EXPECT_EQ(die.lost_triggers, 1u);
    EXPECT_EQ(die.core.end()[-2],
              (std::pair<char, cs_cycle>('e', 500000 + kAccessCycles + 2000000)));
}

TEST(PmcuDriverStop, GivesUpBeforeALateHandler)
{
    for (cs_cycle answer : {cs_cycle(70), cs_cycle(1500000)})
        for (int beyond : {-1, 0, 1, 8000000}) {
            FakeDie die(events(8), 100);
            die.run_cycles = 100000000;
            die.break_cycles = answer;
            die.config.stop_at_cycle = 500000;
            const cs_cycle since = 500000 + kAccessCycles, line = since - 1 + answer + 1;
            die.config.irq_latency_cycles = static_cast<unsigned>(since + 2000000 - line + beyond);
            die.run();

            EXPECT_EQ(die.report().end, beyond > 0 ? CS_PMCU_END_STOP_TIMEOUT : CS_PMCU_END_STOPPED)
                << answer << " " << beyond;
            if (beyond > 0) {
                EXPECT_EQ(cs_cpu_end_cycle(die.cpu), since + 2000000 + kAccessCycles);
            }
        }
}

// docs/drivers/pmcu_driver.md, "Quirks": where the handler runs on CPU 0 it does not mind that the CPU
// of the stop has its interrupts off, unless that is CPU 0.
TEST(PmcuDriverStop, MaskedOnTheHandlersCpuAlone)
{
    const struct {
        unsigned quirks, cpu;
        cs_pmcu_end end;
    } rows[] = {
        {CS_PMCU_QUIRK_STOP_MASKED, 0, CS_PMCU_END_STOP_TIMEOUT},
        {CS_PMCU_QUIRK_STOP_MASKED, 3, CS_PMCU_END_STOP_TIMEOUT},
        {CS_PMCU_QUIRK_STOP_MASKED | CS_PMCU_QUIRK_AFFINITY_UNSET, 0, CS_PMCU_END_STOP_TIMEOUT},
        {CS_PMCU_QUIRK_STOP_MASKED | CS_PMCU_QUIRK_AFFINITY_UNSET, 3, CS_PMCU_END_STOPPED},
    };

    for (const auto &row : rows) {
        FakeDie die(events(8), 100);
        die.run_cycles = 1000000;
        die.config.quirks = row.quirks;
        die.config.cpu = row.cpu;
        die.config.stop_at_cycle = 500000;
        die.run();
        EXPECT_EQ(die.report().end, row.end) << row.quirks << " CPU " << row.cpu;
        if (row.end == CS_PMCU_END_STOPPED) {
            EXPECT_EQ(die.entered, (std::vector<unsigned>{0, 0, 1})) << "it begins, stops, hears";
        }
    }
}

// A session that begins when its CPU is gone already begins on the other one: nothing has to stop.
TEST(PmcuDriverMove, BeforeItBegins)
{
    for (cs_cycle late : {0u, 1u}) {
        const cs_pmcu_cpu_move move = {5000, 5};
        FakeDie die(events(8), 12);
        die.config.moves = &move;
        die.config.nr_moves = 1;
        die.config.start_at_cycle = move.at + late;
        die.run();

        EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
        EXPECT_EQ(die.report().moves, 1u) << late;
        ASSERT_EQ(die.moves.size(), 1u) << late;
        EXPECT_EQ(die.moves[0].from, 0u);
        EXPECT_EQ(die.moves[0].to, 5u);
        EXPECT_EQ(die.core.front(), (std::pair<char, cs_cycle>('e', move.at + late)));
        for (const Access &access : die.accesses)
            EXPECT_NE(access.offset, uint32_t(CS_PMCU_FSM_BRK)) << late;
    }
}

// A stop in the latency of the interrupt of a run's end comes before the handler; the latency goes
// on, and the handler keeps the samples, and what the hardware says of the run.
TEST(PmcuDriverStop, InTheLatencyOfAnInterrupt)
{
    for (unsigned latency : {1000u, 100000u, 10000000u}) {
        FakeDie probe(events(8), 100);
        probe.run_cycles = 400000;
        probe.run(300000);
        const cs_cycle trigger = probe.effects.back();

        FakeDie die(events(8), 100);
        die.run_cycles = 400000;
        die.status_of = [](uint64_t) { return CS_PMCU_FSM_STATUS_CORE_ERR_MASK; };
        die.config.irq_latency_cycles = latency;
        die.config.stop_at_cycle = trigger + 400000 + 500;
        die.run();

        const bool late = latency == 10000000u;
        EXPECT_EQ(die.report().end, late ? CS_PMCU_END_STOP_TIMEOUT : CS_PMCU_END_STOPPED);
        EXPECT_EQ(die.report().triggers, 1u);
        EXPECT_EQ(die.report().samples, late ? 0u : 6u);
        EXPECT_EQ(die.report().errors, late ? 0u : uint32_t(CS_PMCU_FSM_STATUS_CORE_ERR_MASK));
        if (!late) {
            EXPECT_EQ(die.triggers.at(0).errors, uint32_t(CS_PMCU_FSM_STATUS_CORE_ERR_MASK));
            const cs_cycle handler = trigger + 400000 + 1 + latency;
            const cs_cycle since = die.config.stop_at_cycle + kAccessCycles;
            EXPECT_GE(cs_cpu_end_cycle(die.cpu), handler);
            EXPECT_LT(cs_cpu_end_cycle(die.cpu), std::max(handler, since) + 20000);
        }
    }
}

// The run ends before the answer to the break: its samples are kept. Up to FSM_BRK the answer
// comes from an idle PMCU.
TEST(PmcuDriverStop, DoneComesFirst)
{
    for (cs_cycle late : {0u, 1u, 29u, 30u, 31u, 69u, 70u, 71u, 100u}) {
        FakeDie probe(events(8), 100);
        probe.run_cycles = 400000;
        probe.run(300000);
        cs_cycle trigger = probe.effects.back();

        FakeDie die(events(8), 100);
        die.run_cycles = 400000;
        die.config.stop_at_cycle = trigger + 400000 - late;
        die.run();

        EXPECT_EQ(die.report().end, CS_PMCU_END_STOPPED) << late;
        ASSERT_GE(die.triggers.size(), 1u);
        // FSM_BRK acts in 30, its answer comes in 70; in that cycle both are there at once.
        EXPECT_EQ(die.report().samples, late <= 70 ? 6u : 0u) << late;
        EXPECT_EQ(die.stat, 0u) << late;
    }
}

TEST(PmcuDriverStop, BeforeAnythingWasAsked)
{
    FakeDie die(events(8), 100);
    die.config.stop_at_cycle = 1;
    die.run();
    EXPECT_EQ(die.report().end, CS_PMCU_END_STOPPED);
    EXPECT_EQ(die.report().triggers, 1u);
    EXPECT_EQ(die.report().samples, 0u);
}

// ---- an interrupt without a cause ----

TEST(PmcuDriverSpurious, IsCountedAndNothingElse)
{
    for (const unsigned quirks : {0u, unsigned(CS_PMCU_QUIRK_STATUS_UNREAD)}) {
        FakeDie plain(events(8), 12);
        plain.config.quirks = quirks;
        plain.run();
        FakeDie die(events(8), 12);
        die.config.quirks = quirks;
        die.hidden_causes = 3;
        die.run();

        EXPECT_EQ(plain.report().spurious_interrupts, 0u);
        EXPECT_EQ(die.report().spurious_interrupts, 3u);
        EXPECT_EQ(die.report().end, plain.report().end);
        EXPECT_EQ(die.report().samples, 12u);
        EXPECT_EQ(die.report().triggers, plain.report().triggers);
        // Nothing is cleared that was not found.
        for (const Access &access : die.accesses)
            EXPECT_FALSE(access == (Access{true, CS_PMCU_INT_CLR, 0}));
    }
}

TEST(PmcuDriverSpurious, IsCountedWhileStopping)
{
    FakeDie die(events(8), 100);
    die.run_cycles = 100000000;
    die.config.stop_at_cycle = 500000;
    die.hidden_causes = 2;
    die.run();

    EXPECT_EQ(die.report().spurious_interrupts, 2u);
    EXPECT_EQ(die.report().end, CS_PMCU_END_STOPPED);
    EXPECT_EQ(die.triggers.size(), 1u) << "it has ended once, by the break";
}

// ---- the hardware reports an error ----

TEST(PmcuDriverErrors, TheRunThatEndedEarlyEndsTheSession)
{
    const struct {
        uint32_t status;
        cs_pmcu_end end;
    } rows[] = {
        {CS_PMCU_FSM_STATUS_CFG_ERR_MASK, CS_PMCU_END_CFG_ERR},
        {CS_PMCU_FSM_STATUS_FETCH_ERR_MASK, CS_PMCU_END_FETCH_ERR},
        {CS_PMCU_FSM_STATUS_STORE_ERR_MASK, CS_PMCU_END_STORE_ERR},
        {CS_PMCU_FSM_STATUS_KILL_MASK, CS_PMCU_END_KILL},
        {CS_PMCU_FSM_STATUS_KILL_MASK | CS_PMCU_FSM_STATUS_CORE_ERR_MASK, CS_PMCU_END_KILL},
    };

    for (const auto &row : rows) {
        FakeDie die(events(8), 30);
        die.status_of = [&](uint64_t trigger) { return trigger == 2 ? row.status : 0; };
        die.run();

        EXPECT_EQ(die.report().end, row.end);
        EXPECT_EQ(die.report().errors, row.status);
        EXPECT_EQ(die.report().samples, 12u); // of the two good runs
        ASSERT_EQ(die.triggers.size(), 3u);
        EXPECT_EQ(die.triggers[2].errors, row.status);
        EXPECT_EQ(die.triggers[2].samples_done, 0u);
        EXPECT_EQ(die.accesses.end()[-2], (Access{true, CS_PMCU_INT_CLR, 1}));
        EXPECT_EQ(die.accesses.end()[-1], (Access{true, CS_PMCU_INT_EN, 0}));
    }
}

TEST(PmcuDriverErrors, ACoreThatDoesNotAnswerDoesNot)
{
    FakeDie die(events(8), 30);
    die.status_of = [](uint64_t trigger) {
        return trigger == 2 ? CS_PMCU_FSM_STATUS_CORE_ERR_MASK | 0x1fu : 0u;
    };
    die.run();

    EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
    EXPECT_EQ(die.report().errors, CS_PMCU_FSM_STATUS_CORE_ERR_MASK);
    EXPECT_EQ(die.triggers[2].errors, CS_PMCU_FSM_STATUS_CORE_ERR_MASK);
    EXPECT_EQ(die.triggers[3].errors, 0u);
}

// Version 1 sizes data for compatibility mode that the hardware is not in: KILL_BASE is the guard.
TEST(PmcuDriverErrors, CompUnsetRunsIntoTheEnd)
{
    FakeDie die(events(5), 100);
    die.config.comp = true;
    die.config.hpmn = 3;
    die.config.quirks = CS_PMCU_QUIRK_COMP_UNSET;
    die.run();
    EXPECT_EQ(die.report().end, CS_PMCU_END_KILL);
}

TEST(PmcuDriverErrors, WithoutEventsTheHardwareRefuses)
{
    FakeDie die({}, 10);
    die.run();

    EXPECT_EQ(die.accesses[5], (Access{true, CS_PMCU_FSM_CFG, 0}));
    EXPECT_EQ(die.report().end, CS_PMCU_END_CFG_ERR);
    EXPECT_EQ(die.report().triggers, 1u);
    EXPECT_EQ(die.report().samples, 0u);
}

// Hardware that does not mind zeros has nothing to sample, and says that it is done.
TEST(PmcuDriverErrors, WithoutEventsTheHardwareDoesNotMind)
{
    FakeDie die({}, 10);
    die.minds_zeros = false;
    die.run(10000000);

    EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
    EXPECT_EQ(die.report().triggers, 1u);
    EXPECT_EQ(die.report().samples, 0u);
    EXPECT_EQ(die.report().errors, 0u);
}

TEST(PmcuDriverErrors, ABufferWithoutRoom)
{
    for (uint64_t bytes : {16u, 64u, 624u}) {
        FakeDie die(events(8), 10);
        die.config.aux_buffer_bytes = bytes;
        die.run();
        EXPECT_EQ(die.report().end, CS_PMCU_END_NO_ROOM);
        EXPECT_EQ(die.report().triggers, 0u);
        for (const cs_bus_txn &write : die.memory_writes)
            EXPECT_LE(write.addr + cs_bus_txn_bytes(&write), kAux + bytes) << "beyond the buffer";
    }
    // A sample fits, but not beside the header: the first buffer is left.
    FakeDie die(events(8), 2);
    die.config.aux_buffer_bytes = 640;
    die.run();
    EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
    EXPECT_EQ(die.commits, (std::vector<Commit>{{kAux, 640}, {kAux + 640, 640}, {kAux, 640}}));
}

// ---- an access of the driver itself fails ----

TEST(PmcuDriverErrors, BusErrors)
{
    const struct {
        const char *name;
        uint64_t addr;
        uint64_t samples;
    } rows[] = {
        {"first register", kRegisters + CS_PMCU_PMCR, 0},
        {"event array", kData + 40, 0},
        {"header", kAux, 0},
        {"trigger", kRegisters + CS_PMCU_FSM_CTRL, 0},
        {"interrupt handler", kRegisters + CS_PMCU_INT_STAT, 0},
        {"status", kRegisters + CS_PMCU_FSM_STATUS, 0},
        {"clear", kRegisters + CS_PMCU_INT_CLR, 6},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        FakeDie die(events(8), 30);
        cs_cycle refused = 0;
        die.refuses = [&](const cs_bus_txn &txn) {
            if (row.addr < txn.addr || row.addr >= txn.addr + cs_bus_txn_bytes(&txn))
                return false;
            refused = txn.complete;
            return true;
        };
        die.run();

        EXPECT_EQ(die.report().end, CS_PMCU_END_BUS_ERROR);
        EXPECT_EQ(die.effects.back(), refused + kAccessCycles) << "nothing planned is done";
        EXPECT_LE(die.report().error_address, row.addr);
        EXPECT_GT(die.report().error_address + CS_BUS_MAX_BYTES, row.addr);
        EXPECT_EQ(die.report().samples, row.samples);
        EXPECT_EQ(die.accesses.back(), (Access{true, CS_PMCU_INT_EN, 0}));
        EXPECT_EQ(die.core.back().first, 'l');
        EXPECT_TRUE(cs_cpu_ended(die.cpu));
    }
}

// Nothing works at all: the session ends nevertheless.
TEST(PmcuDriverErrors, ADeadBus)
{
    FakeDie die(events(8), 30);
    die.refuses = [](const cs_bus_txn &) { return true; };
    die.run();
    EXPECT_EQ(die.report().end, CS_PMCU_END_BUS_ERROR);
    EXPECT_EQ(die.report().error_address, kRegisters + CS_PMCU_PMCR);
    EXPECT_TRUE(cs_cpu_ended(die.cpu));
    EXPECT_TRUE(die.commits.empty());
}

// ---- before it begins ----

TEST(PmcuDriverCreate, RefusesWhatCannotWork)
{
    const struct {
        void (*damage)(cs_pmcu_driver_config *);
        const char *text;
    } rows[] = {
        {[](auto *c) { c->nr_cpus = 0; }, "nr_cpus is 0x0, expected 1 to 1024"},
        {[](auto *c) { c->aux_base += 8; }, "aux_base is 0x81000008, expected a multiple of 16"},
        {[](auto *c) { c->aux_buffer_bytes = 0; },
         "aux_buffer_bytes is 0x0, expected a multiple of 16 below 2^32"},
        {[](auto *c) { c->aux_buffer_bytes = 1ull << 32; },
         "aux_buffer_bytes is 0x100000000, expected a multiple of 16 below 2^32"},
        {[](auto *c) { c->aux_buffers = 0; }, "aux_buffers is 0x0, expected at least 1"},
        {[](auto *c) { c->data_base += 2; }, "data_base is 0x80001002, expected a multiple of 4"},
        {[](auto *c) { c->poll_cycles = 0; }, "poll_cycles is 0x0, expected at least 1"},
        {[](auto *c) { c->owner.claim = [](void *, cs_cycle) { return CS_PMCU_CLAIM_GRANTED; }; },
         "claim_cycles is 0x0, expected at least 1"},
    };

    for (const auto &row : rows) {
        FakeDie die(events(1), 1);
        cs_diag diag = {};
        cs_pmcu_driver *driver = reinterpret_cast<cs_pmcu_driver *>(1);

        row.damage(&die.config);
        EXPECT_EQ(cs_pmcu_driver_create(&die.config, nullptr, &driver, &diag), CS_ERR_RANGE);
        EXPECT_STREQ(diag.text, row.text);
        EXPECT_EQ(driver, nullptr);
    }
    FakeDie die({0x11, 0x10000}, 1);
    cs_pmcu_driver *driver = nullptr;
    cs_diag diag = {};
    die.config.user_events = die.events.data();
    die.config.nr_user_events = 2;
    EXPECT_EQ(cs_pmcu_driver_create(&die.config, nullptr, &driver, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "an event is 0x10000, expected 16 bits");
}

TEST(PmcuDriverCreate, TakesTheLeastOfAll)
{
    FakeDie die(events(1), 1);
    die.config.nr_cpus = 1;
    die.config.aux_buffers = 1;
    die.config.poll_cycles = 1;
    die.run();
    EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
}

// Words of 4 bytes: an odd number of events of all 16 bits.
TEST(PmcuDriver, TheLastWordOfAnOddNumberIsWhole)
{
    FakeDie die({0x8123, 0x0456, 0xfedc}, 1);
    die.run();
    for (unsigned i = 0; i < 3; i++) {
        uint8_t word[4] = {};
        cs_memory_read(die.memory, kData + 36 + 4 * i, 4, word);
        EXPECT_EQ(die.events[i], word[0] | word[1] << 8 | word[2] << 16 | word[3] << 24) << i;
    }
}

TEST(PmcuDriverCreate, EveryEndHasAText)
{
    for (int end = CS_PMCU_END_NOT_YET; end <= CS_PMCU_END_BUS_ERROR; end++)
        EXPECT_GT(std::string(cs_pmcu_end_text(static_cast<cs_pmcu_end>(end))).size(), 5u);
    EXPECT_STREQ(cs_pmcu_end_text(static_cast<cs_pmcu_end>(99)), "?");
    EXPECT_STREQ(cs_pmcu_end_text(static_cast<cs_pmcu_end>(CS_PMCU_END_BUSY + 1)), "?");
}

} // namespace

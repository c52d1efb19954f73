// SPDX-License-Identifier: Apache-2.0
// The PMCU driver in a session that goes well.
#include <algorithm>

#include "fake_die.hpp"

#include "formats/pmcu/read/aux.h"

using namespace cs_test;

namespace
{

std::vector<Access> trigger_of(uint32_t cfg, uint64_t store, uint64_t kill)
{
    return {
        {true, CS_PMCU_FSM_CFG, cfg},
        {true, CS_PMCU_WAIT_CNT, 150000},
        {true, CS_PMCU_EVENT_BASE_H, 0},
        {true, CS_PMCU_EVENT_BASE_L, uint32_t(kData + 36)},
        {true, CS_PMCU_STORE_BASE_H, uint32_t(store >> 32)},
        {true, CS_PMCU_STORE_BASE_L, uint32_t(store)},
        {true, CS_PMCU_KILL_BASE_H, uint32_t(kill >> 32)},
        {true, CS_PMCU_KILL_BASE_L, uint32_t(kill)},
        {true, CS_PMCU_FSM_CTRL, 1},
    };
}

void append(std::vector<Access> &list, const std::vector<Access> &more)
{
    list.insert(list.end(), more.begin(), more.end());
}

const std::vector<Access> handler = {
    {false, CS_PMCU_INT_STAT, 1}, {false, CS_PMCU_FSM_STATUS, 0}, {true, CS_PMCU_INT_CLR, 1}};

TEST(PmcuDriver, EveryRegisterAccessInOrder)
{
    const uint64_t high = 0x700000000; // both halves of an address
    FakeDie die(events(8), 8);
    die.config.aux_base += high;
    die.config.pmccfiltr = 0x08;
    die.run();

    // 64 bytes of header, 640 a sample: 6 in the first buffer, the other 2 in the second
    std::vector<Access> expected = {
        {true, CS_PMCU_PMCR, 0xC1},
        {true, CS_PMCU_INT_MSK, 0},
        {true, CS_PMCU_INT_EN, 3},
        {true, CS_PMCU_COMP, 0},
        {true, CS_PMCU_PMCCFILTR, 0x08000000},
    };
    append(expected, trigger_of(0x80608, high + kAux + 64, high + kAux + 4096));
    append(expected, handler);
    append(expected, trigger_of(0x80208, high + kAux + 4096, high + kAux + 8192));
    append(expected, handler);
    expected.push_back({true, CS_PMCU_INT_EN, 0});
    EXPECT_EQ(die.accesses, expected);
    EXPECT_EQ(die.accesses_outside, 0u);
    EXPECT_EQ(die.lost_triggers, 0u);

    EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
    EXPECT_EQ(die.report().samples, 8u);
    EXPECT_EQ(die.report().triggers, 2u);
    EXPECT_EQ(die.commits, (std::vector<Commit>{{high + kAux, 4096}, {high + kAux + 4096, 1280}}));
    EXPECT_EQ(die.report().committed_bytes, 4096u + 1280u);
}

TEST(PmcuDriver, EventsGoToMemoryAsOftenAsTheyFit)
{
    FakeDie die(events(7), 1);
    die.run();

    uint32_t words[241];
    cs_memory_read(die.memory, kData + 36, sizeof words, reinterpret_cast<uint8_t *>(words));
    for (unsigned i = 0; i < 238; i++)
        EXPECT_EQ(words[i], 0x10 + i % 7);
    EXPECT_EQ(words[238], 0u);
    // 36 is no multiple of 8: one word, 118 double words in bursts of 16, one word
    ASSERT_GE(die.memory_writes.size(), 10u);
    EXPECT_EQ(die.memory_writes[0].size, 4);
    EXPECT_EQ(die.memory_writes[1].beats, 16);
    EXPECT_EQ(die.memory_writes[8].beats, 118 - 7 * 16);
    EXPECT_EQ(die.memory_writes[9].size, 4);
}

TEST(PmcuDriver, PaddingIsTheNullEvent)
{
    FakeDie die(events(9), 1);
    die.config.aux_buffer_bytes = 1 << 16;
    die.run();

    uint32_t words[32];
    cs_memory_read(die.memory, kData + 36, sizeof words, reinterpret_cast<uint8_t *>(words));
    for (unsigned i = 0; i < 32; i++)
        EXPECT_EQ(words[i], i % 16 < 9 ? 0x10 + i % 16 : 0xC000);
    EXPECT_EQ(die.accesses[5].value, 0x80110u); // EV_LEN 16, NR_LOOP 1, NR_PMU 8
}

// The bursts of an array across a page boundary are legal (checked by the fake).
TEST(PmcuDriver, DataAcrossAPage)
{
    for (uint64_t base : {kData + 4096 - 36, kData + 4096 - 40, kData + 4096 - 44, kData + 3900}) {
        FakeDie die(events(8), 1);
        die.config.data_base = base;
        die.run();

        uint32_t last;
        cs_memory_read(die.memory, base + 36 + 4 * 239, 4, reinterpret_cast<uint8_t *>(&last));
        EXPECT_EQ(last, 0x17u);
        EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
    }
}

uint64_t stolen(const FakeDie &die)
{
    uint64_t cycles = 0;

    for (size_t i = 0; i + 1 < die.core.size(); i += 2)
        cycles += die.core[i + 1].second - die.core[i].second;
    return cycles;
}

// Entry and exit of each handler, and perf's copying: more of the core's time, the same data. perf
// does not keep the next trigger waiting, and is interrupted when it takes longer than a trigger.
TEST(PmcuDriver, InterruptsAndPerfHaveTheirPrice)
{
    for (const unsigned perf : {0u, 3000u, 9000000u}) {
        FakeDie free(events(8), 30), paid(events(8), 30);

        paid.config.irq_entry_cycles = 300;
        paid.config.irq_exit_cycles = 350;
        paid.config.perf_wakeup_cycles = perf;
        paid.config.perf_kib_cycles = perf != 0 ? 500 : 0;
        free.run();
        paid.run();

        uint64_t copying = 0;
        for (const Commit &c : paid.commits)
            copying += perf + (perf != 0 ? (c.bytes * 500 + 1023) / 1024 : 0);
        EXPECT_EQ(paid.report().perf_cycles, copying);
        EXPECT_EQ(stolen(paid), stolen(free) + 650 * free.triggers.size() + copying);
        EXPECT_EQ(paid.dump, free.dump);
        ASSERT_EQ(paid.triggers.size(), free.triggers.size());
        for (size_t i = 1; i < free.triggers.size(); i++)
            EXPECT_EQ(paid.triggers[i].gap_cycles, free.triggers[i].gap_cycles + 300);
    }
}

// docs/drivers/pmcu_driver.md, reader_us: with one buffer it has to be read before the next trigger.
TEST(PmcuDriver, WaitsForTheReader)
{
    for (const unsigned reader : {0u, 1u, 70000u}) {
        FakeDie die(events(8), 18);
        die.config.aux_buffers = 1;
        die.config.reader_cycles = reader;
        die.run();

        EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
        EXPECT_EQ(die.triggers.size(), 3u);
        EXPECT_EQ(die.report().full_cycles, 2 * reader);
    }
}

struct Fill {
    const char *name;
    unsigned events;
    uint64_t samples;
    uint64_t buffer;
    unsigned buffers;
    std::vector<uint64_t> per_trigger;
};

// What is committed is what the reader reads, to the last word.
TEST(PmcuDriver, TheDumpIsWhole)
{
    const Fill fills[] = {
        {"one trigger", 8, 5, 4096, 2, {5}},
        {"round the buffers and on", 8, 30, 4096, 2, {6, 6, 6, 6, 6}},
        {"one buffer, again and again", 8, 13, 4096, 1, {6, 6, 1}},
        {"ends with its buffer", 8, 12, 4096, 3, {6, 6}},
        {"two copies of the events", 1, 600, 1 << 20, 2, {510, 90}},
        {"more loops than a register holds", 8, 300, 1 << 20, 2, {255, 45}},
        {"most events", 240, 8, 1 << 17, 2, {6, 2}},
        {"two groups", 9, 10, 8192, 3, {6, 4}},
    };

    for (const Fill &fill : fills) {
        SCOPED_TRACE(fill.name);
        FakeDie die(events(fill.events), fill.samples);
        die.config.aux_buffer_bytes = fill.buffer;
        die.config.aux_buffers = fill.buffers;
        die.run();

        ASSERT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
        std::vector<uint64_t> asked;
        for (const cs_pmcu_trigger &t : die.triggers) {
            asked.push_back(t.samples_asked);
            EXPECT_EQ(t.samples_done, t.samples_asked);
        }
        EXPECT_EQ(asked, fill.per_trigger);

        struct Cursor {
            std::vector<uint8_t> *dump;
            size_t at;
        } cursor = {&die.dump, 0};
        cs_byte_source source = {[](void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *) {
                                     auto *c = static_cast<Cursor *>(ctx);

                                     *got = std::min(bytes, c->dump->size() - c->at);
                                     std::copy_n(c->dump->begin() + static_cast<long>(c->at), *got,
                                                 out);
                                     c->at += *got;
                                     return CS_OK;
                                 },
                                 &cursor};
        cs_diag diag = {};
        cs_pmcu_aux *aux = nullptr;
        const cs_pmcu_aux_subsample *sub = nullptr;
        uint64_t word = 0;
        uint64_t samples = 0;

        ASSERT_EQ(cs_pmcu_aux_open(&source, "dump", 0, &aux, &diag), CS_OK) << diag.text;
        const cs_pmcu_aux_header *h = cs_pmcu_aux_get_header(aux);
        while (cs_pmcu_aux_next(aux, &sub, &diag) == CS_OK && sub != nullptr) {
            samples += sub->subsample == 0;
            for (uint32_t cpu = 0; cpu < h->nr_cpu; cpu++) {
                cs_pmcu_aux_row row;

                cs_pmcu_aux_get_row(aux, cpu, &row);
                for (uint32_t i = 0; i < sub->nr_events; i++)
                    ASSERT_EQ(row.counts[i], word + h->nr_cpu * (1 + i) + cpu);
                ASSERT_EQ(row.cycles, word + h->nr_cpu * (1 + sub->nr_events) + cpu);
            }
            word += h->subsample_size / 8;
        }
        EXPECT_EQ(diag.status, CS_OK) << diag.text;
        EXPECT_EQ(samples, fill.samples);
        cs_pmcu_aux_close(aux);
    }
}

// From the line to the next trigger: the latency, then each access with the CPU's work before it.
TEST(PmcuDriver, TheGapIsTheSumOfItsParts)
{
    FakeDie die(events(8), 12);
    die.run();

    ASSERT_EQ(die.triggers.size(), 2u);
    const cs_cycle access = kAccess + kBus + 1;
    const cs_pmcu_trigger &first = die.triggers[0], &second = die.triggers[1];

    EXPECT_EQ(first.number, 0u);
    EXPECT_EQ(first.gap_cycles, 0u);
    EXPECT_EQ(first.done_cycle, first.trigger_cycle + die.run_cycles);
    EXPECT_EQ(first.done_cycle, die.line_rises[0]);
    EXPECT_EQ(second.number, 1u);
    // INT_STAT, FSM_STATUS, INT_CLR and nine of the trigger
    EXPECT_EQ(second.gap_cycles, kLatency + 12 * access);
    EXPECT_EQ(second.trigger_cycle, first.done_cycle + second.gap_cycles);
    EXPECT_EQ(die.report().gap_cycles, second.gap_cycles);
    EXPECT_EQ(first.ev_len, 8u);
    EXPECT_EQ(first.nr_loop, 6u);
    EXPECT_EQ(first.store_base, kAux + 64);

    // The core: from cycle 1 to the first trigger, and in each handler but not in its latency.
    const std::vector<std::pair<char, cs_cycle>> core = {
        {'e', 1},
        {'l', first.trigger_cycle + 1},
        {'e', first.done_cycle + 1 + kLatency},
        {'l', second.trigger_cycle + 1},
        {'e', second.done_cycle + 1 + kLatency},
        {'l', second.done_cycle + 1 + kLatency + 4 * access},
    };
    EXPECT_EQ(die.core, core);
    EXPECT_EQ(cs_cpu_end_cycle(die.cpu), core.back().second);
}

TEST(PmcuDriver, WithoutLatencyAndAccessWork)
{
    FakeDie die(events(8), 12);
    die.config.access_cycles = 0;
    die.config.irq_latency_cycles = 0;
    die.run();

    ASSERT_EQ(die.triggers.size(), 2u);
    EXPECT_EQ(die.triggers[1].gap_cycles, 12 * (kBus + 1));
}

TEST(PmcuDriver, CompatibilityMode)
{
    const struct {
        unsigned hpmn;
        unsigned quirks;
        bool comp;
        uint32_t written; // to COMP
        uint32_t cfg;
    } rows[] = {
        {3, 0, true, 1, 0x5010A},
        {0, 0, true, 1, 0x5010A},
        {4, 0, false, 0, 0x80108},
        {3, CS_PMCU_QUIRK_COMP_UNSET, true, 0, 0x5010A},
        {4, CS_PMCU_QUIRK_COMP_UNSET, false, 0, 0x80108},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.hpmn);
        FakeDie die(events(8), 1);
        die.config.comp = true;
        die.config.hpmn = row.hpmn;
        die.config.quirks = row.quirks;
        die.run();

        EXPECT_EQ(die.report().comp, row.comp);
        EXPECT_EQ(die.report().comp_refused, !row.comp);
        EXPECT_EQ(die.accesses[3], (Access{true, CS_PMCU_COMP, row.written}));
        EXPECT_EQ(die.accesses[5], (Access{true, CS_PMCU_FSM_CFG, row.cfg}));
        EXPECT_EQ(die.dump[12], row.comp);
    }
}

// Version 1 clears DONE after it has started the next run: if that is over by then, its DONE is
// lost and nobody goes on.
TEST(PmcuDriver, LateClear)
{
    FakeDie die(events(8), 12);
    die.config.quirks = CS_PMCU_QUIRK_LATE_CLEAR;
    die.run();
    EXPECT_EQ(die.report().end, CS_PMCU_END_COMPLETE);
    auto clear =
        std::find(die.accesses.begin(), die.accesses.end(), Access{true, CS_PMCU_INT_CLR, 1});
    ASSERT_NE(clear, die.accesses.end());
    EXPECT_EQ((clear - 1)->offset, uint32_t(CS_PMCU_FSM_CTRL));
    EXPECT_EQ(die.accesses.end()[-2], (Access{true, CS_PMCU_INT_CLR, 1})) << "of the last run";
    EXPECT_EQ(die.stat, 0u);

    for (cs_cycle run : {kAccess + kBus, kAccess + kBus + 1, kAccess + kBus + 2}) {
        FakeDie fast(events(8), 12);
        fast.config.quirks = CS_PMCU_QUIRK_LATE_CLEAR;
        fast.run_cycles = run;
        fast.run();
        bool lost = run <= kAccess + kBus + 1;
        EXPECT_EQ(fast.report().end, lost ? CS_PMCU_END_NOT_YET : CS_PMCU_END_COMPLETE) << run;

        FakeDie corrected(events(8), 12);
        corrected.run_cycles = run;
        corrected.run();
        EXPECT_EQ(corrected.report().end, CS_PMCU_END_COMPLETE);
    }
}

TEST(PmcuDriver, EventsBeyond240AreIgnored)
{
    FakeDie die(events(250), 1);
    die.config.aux_buffer_bytes = 1 << 16;
    die.run();

    EXPECT_EQ(die.report().nr_events, 240u);
    EXPECT_EQ(die.report().ignored_events, 10u);
    EXPECT_EQ(die.accesses[5].value, 0x801F0u);
}

} // namespace

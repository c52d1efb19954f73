// SPDX-License-Identifier: Apache-2.0
// Instructions that take several cycles, by their kind: engines act in the midst of them.
#include "fixture.hpp"

extern "C" {
#include "guest/plugin/counts.h"
}

namespace
{

constexpr uint32_t kPdbar = 0x1001220b, kEventMask = 0x20010aa8;
constexpr uint64_t kUserKernel = 0x0402010000000000, kTable = 0x40000, kOther = 0x60000;
constexpr uint8_t kCycles[CS_POWER_KINDS] = {1, 7, 3, 2};

struct Done {
    unsigned cpu, kind;
    uint64_t first, last; // of its cycles
};

// Cores of one thread; what each instruction was is kept.
struct Costs : testing::Test {
    std::vector<uint8_t> ram = std::vector<uint8_t>(1 << 20);
    std::unique_ptr<bridge> b{new bridge()};
    char *text = nullptr;
    size_t bytes = 0;
    FILE *log = open_memstream(&text, &bytes);
    events_executed done[2] = {};
    std::vector<Done> all;
    unsigned cpu = 0;
    uint64_t now = 0;

    explicit Costs(unsigned cores = 1)
    {
        const bridge_config config = {cores, 1, 1, 10, 0, 0};

        b->ram = {ram.data(), 0, ram.size()};
        EXPECT_EQ(bridge_create(b.get(), &config, log, nullptr), CS_OK);
        events_cost(&b->events, kCycles);
        b->events.core[0] = EVENTS_CYCLES;
        b->events.core[128] = EVENTS_INSTRUCTIONS;
        b->events.core[1] = EVENTS_LOADS;
    }

    ~Costs() override
    {
        bridge_destroy(b.get());
        fclose(log);
        free(text);
    }

    static unsigned kind_of(uint64_t nr)
    {
        return static_cast<unsigned>(nr * nr % 7 % CS_POWER_KINDS);
    }

    static uint64_t pc_of(uint64_t nr)
    {
        return 0x1000 + 4 * nr;
    }

    void tell(const events_current *current)
    {
        bridge_executed(b.get(), now, done, current);
    }

    // Executes so many instructions on the CPU, and stops where it is told.
    void execute(unsigned of, uint64_t count)
    {
        if (of != cpu) {
            tell(nullptr);
            bridge_turn(b.get(), of);
            cpu = of;
        }
        for (; count > 0; count--) {
            const uint64_t wake = bridge_next(b.get(), now), first = now + 1;
            const events_current current = {3, kind_of(all.size())};

            now += kCycles[current.kind];
            all.push_back({cpu, current.kind, first, now});
            done[cpu].of[3][CS_POWER_INSTRUCTIONS]++;
            if (current.kind != CS_POWER_INSTRUCTIONS)
                done[cpu].of[3][current.kind]++;
            if (now < wake)
                continue;
            b->cpus[cpu].now = {pc_of(all.size() - 1), 7, 0, 3, 0};
            tell(&current);
            bridge_execute(b.get(), now);
        }
    }

    void scom(uint32_t address, uint64_t value)
    {
        execute(cpu, 1);
        tell(nullptr);
        bridge_scom(b.get(), now, address, value);
    }

    void ldbar(uint64_t value)
    {
        execute(cpu, 1);
        tell(nullptr);
        bridge_ldbar(b.get(), now, value);
    }

    // That which is executed in the cycle.
    uint64_t at(uint64_t cycle) const
    {
        for (size_t i = 0; i < all.size(); i++)
            if (cycle >= all[i].first && cycle <= all[i].last)
                return i;
        return all.size();
    }

    // A CPU's cycles, or instructions that end, in [from, to).
    uint64_t cycles(unsigned of, uint64_t from, uint64_t to) const
    {
        uint64_t sum = 0;

        for (const Done &d : all)
            for (uint64_t c = d.first; c <= d.last; c++)
                sum += d.cpu == of && c >= from && c < to;
        return sum;
    }

    uint64_t ended(unsigned of, unsigned kind, uint64_t from, uint64_t to) const
    {
        uint64_t sum = 0;

        for (const Done &d : all)
            sum += d.cpu == of && d.last >= from && d.last < to &&
                   (kind == CS_POWER_INSTRUCTIONS || d.kind == kind);
        return sum;
    }

    uint64_t word(uint64_t address) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | ram[address + i];
        return value;
    }

    // R lines; nothing went wrong.
    std::vector<std::vector<uint64_t>> records()
    {
        std::vector<std::vector<uint64_t>> out;
        fflush(log);
        std::istringstream lines(text != nullptr ? text : "");

        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line.substr(1));
            std::vector<uint64_t> f;

            EXPECT_NE(line[0], 'X') << line;
            for (std::string w; words >> w;)
                f.push_back(strtoull(w.c_str(), nullptr, 16));
            if (line[0] == 'R')
                out.push_back(f);
        }
        return out;
    }

    void trace()
    {
        scom(kTraceScom, kEach251Ticks);
        ldbar(kTrace | kBuffer);
        scom(kHtmMode, kOn);
    }
};

struct TwoCosts : Costs {
    TwoCosts() : Costs(2) {}
};

} // namespace

TEST_F(Costs, ARecordIsOfTheInstructionInWhoseMidstItIsTaken)
{
    unsigned inside = 0;

    trace();
    execute(0, 30000);
    const auto all_records = records();
    ASSERT_GT(all_records.size(), 8u);
    for (size_t i = 0; i < all_records.size(); i++) {
        const uint64_t cycle = all_records[i][2], nr = at(cycle);
        const uint64_t address = kBuffer + 64 * i;

        EXPECT_EQ(all_records[i][4], pc_of(nr));
        EXPECT_EQ(word(address), cycle * 512 / 1000);
        inside += cycle > all[nr].first && cycle < all[nr].last;
        if (i == 0)
            continue;
        // CPMC3 and CPMC4 go on: instructions that have ended, and all cycles.
        const uint64_t before = all_records[i - 1][2];
        EXPECT_NEAR(static_cast<double>(cycle - before), 7844, 1);
        EXPECT_EQ(word(address + 40) - word(address - 24),
                  ended(0, CS_POWER_INSTRUCTIONS, before, cycle));
        EXPECT_EQ(word(address + 48) - word(address - 16), cycle - before);
    }
    EXPECT_GT(inside, 0u);
}

TEST_F(Costs, ASamplerOfInstructionsIsForeseenStepByStep)
{
    b->events.core[128 + 2] = EVENTS_INSTRUCTIONS;
    trace();
    execute(0, 2000);
    const auto all_records = records();
    ASSERT_EQ(all_records.size(), 7u);
    for (size_t i = 1; i < all_records.size(); i++)
        EXPECT_EQ(at(all_records[i][2]) - at(all_records[i - 1][2]), 251u);
}

TEST_F(Costs, AWindowHasItsCyclesAndWhatEndsInIt)
{
    scom(kPdbar, kTable);
    scom(kEventMask, kUserKernel);
    scom(kHtmMode, kOn);
    execute(0, 5000);
    uint64_t windows = 0;
    for (unsigned slot = 0; slot < 8; slot++) {
        // A boundary acts in the cycle in which the timebase ticks to a multiple of 1024.
        const uint64_t from = 2000 * (slot + 1) + 1, to = from + 2000;
        const uint64_t table = kTable + 64 * slot + 0x18;

        if (now < to)
            break;
        windows++;
        EXPECT_EQ(word(table + 16), ended(0, CS_POWER_INSTRUCTIONS, from, to)) << slot;
        EXPECT_EQ(word(table + 24), 2000u) << slot;
        if (slot == 0) {
            EXPECT_EQ(word(table), 2000u);
        }
        if (slot == 1) {
            EXPECT_EQ(word(table), ended(0, CS_POWER_LOADS, from, to));
        }
    }
    EXPECT_GT(windows, 2u);
    records();
}

TEST_F(Costs, TheTimebaseMayLeapBeforeALongInstruction)
{
    trace();
    execute(0, 1000);
    while (kind_of(all.size()) != CS_POWER_LOADS)
        execute(0, 1);
    const events_current current = {3, CS_POWER_LOADS};
    const uint64_t first = now + 1;
    const cs_cycle then = now + 1000000;

    now += kCycles[CS_POWER_LOADS];
    all.push_back({0, CS_POWER_LOADS, first, now});
    done[0].of[3][CS_POWER_INSTRUCTIONS]++;
    done[0].of[3][CS_POWER_LOADS]++;
    tell(&current);
    bridge_timebase(b.get(), b->events.first, then * 512 / 1000);
    EXPECT_NEAR(static_cast<double>(bridge_cycle(b.get(), first)), static_cast<double>(then), 2);
    EXPECT_EQ(bridge_cycle(b.get(), now) - bridge_cycle(b.get(), first), now - first);
    EXPECT_EQ(bridge_cycle(b.get(), first - 1), first - 1);
    b->cpus[0].now = {pc_of(all.size() - 1), 7, 0, 3, 0};
    bridge_execute(b.get(), now);
    execute(0, 6000);
    const auto all_records = records();
    ASSERT_GT(all_records.size(), 1u);
    EXPECT_NEAR(static_cast<double>(events_busy(&b->events, all_records[1][2]) -
                                    events_busy(&b->events, all_records[0][2])),
                7844, 1);
}

TEST_F(TwoCosts, EachCpuIsSampledByItsOwnCycles)
{
    scom(0x21010aa9, kEach251Ticks);
    scom(0x10012300, kOn);
    execute(1, 1);
    tell(nullptr);
    bridge_ldbar(b.get(), now, kTrace | kOther);
    execute(0, 1);
    trace();
    for (unsigned turn = 0; turn < 200; turn++)
        execute(turn % 2, 50 + turn % 3 * 100);
    std::vector<uint64_t> of[2];
    for (const auto &r : records()) {
        of[r[8]].push_back(r[2]);
        EXPECT_EQ(word(r[7] + 8), r[4]);
    }
    for (unsigned i = 0; i < 2; i++) {
        ASSERT_GT(of[i].size(), 2u);
        for (size_t k = 1; k < of[i].size(); k++)
            EXPECT_NEAR(static_cast<double>(cycles(i, of[i][k - 1], of[i][k])), 7844, 1);
    }
}

TEST(Counts, WhatIsCountedIsOfThoseWhoCounted)
{
    char *text = nullptr;
    size_t bytes = 0;
    FILE *log = open_memstream(&text, &bytes);

    for (const bool all : {false, true}) {
        counts *c = counts_create(1, all);
        uint64_t now[8] = {};
        const size_t load = counts_place(c, 0x1000, 3, CS_POWER_LOADS);
        const size_t other = counts_place(c, 0x1000, 3, CS_POWER_INSTRUCTIONS);

        ASSERT_NE(load, other); // the same place of another program
        now[load] = 5;
        counts_change(c, 0, BRIDGE_BY_CORE, 0, now, 1);
        now[load] = 7;
        now[other] = 1;
        counts_end(c, 0, now, 1); // another image begins
        now[other] = 4;
        counts_change(c, 0, BRIDGE_BY_TRACE, 9, now, 2);
        now[other] = 14;
        counts_change(c, 0, BRIDGE_BY_TRACE, 8, now, 2); // for another event of perf
        now[other] = 15;
        counts_change(c, 0, BRIDGE_NOBODY, 0, now, 2);
        now[load] = 100;
        counts_end(c, 0, now, 2);
        counts_put(c, log);
        counts_destroy(c);
    }
    fclose(log);
    EXPECT_STREQ(text, "C 1 1000 2 3 0 1 4 0\nC 1 1000 1 3 0 0 4 0\n"
                       "C 2 1000 1 3 0 0 1 8\nC 2 1000 a 3 0 0 1 9\nC 2 1000 3 3 0 0 4 0\n"
                       "C 1 1000 5 3 0 1 0 0\nC 1 1000 2 3 0 1 4 0\nC 2 1000 5d 3 0 1 0 0\n"
                       "C 1 1000 1 3 0 0 4 0\nC 2 1000 1 3 0 0 1 8\nC 2 1000 a 3 0 0 1 9\n"
                       "C 2 1000 3 3 0 0 4 0\n");
    free(text);
}

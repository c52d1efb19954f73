// SPDX-License-Identifier: Apache-2.0
// Counters: widths, prescales, styles; what a read delivers and what it leaves behind.
#include "steady.hpp"

namespace
{

// One counter of each kind, and where its posting is.
constexpr uint32_t clear_8 = 0x008;   // group 1: 16 bits, prescale 8
constexpr uint32_t clear_12 = 0x118;  // group 2: 16 bits, prescale 12
constexpr uint32_t wrap_48 = 0x338;   // group 4, epoch 0
constexpr uint32_t wrap_32 = 0x448;   // group 5
constexpr uint32_t wrap_last = 0x5A8; // group 6: the last counter that wraps
constexpr uint32_t wrap2_32 = 0x458;  // group 5
constexpr uint32_t stored = 0x748;    // group 7: the time of day, always there

// The first cycle of COLLECT of a counter's row, and what was posted for the counter.
struct Reading {
    cs_cycle cycle;
    uint64_t value;
};

std::vector<Reading> readings(const Bench &b, uint32_t offset)
{
    std::vector<Reading> result;

    for (const Transfer &t : b.world.log) {
        const uint64_t place = (t.addr & ~add_bit) - b.world.base;
        if (!(t.addr & add_bit) || place > offset || place + 8 * t.data.size() <= offset)
            continue;
        const size_t i = (offset - place) / 8;
        const cs_cycle post = t.request - 1;
        result.push_back({post - t.data.size() + i, t.data[i]});
    }
    return result;
}

void set(Bench &b, uint32_t offset, Nest::Increment increment)
{
    b.nest.increment[offset / 8] = std::move(increment);
}

// The same of the time of day, which is not added: CLEAN's bursts begin elsewhere.
std::vector<Reading> stores(const Bench &b)
{
    std::vector<Reading> result;

    for (const Transfer &t : b.world.log)
        if (t.write && t.addr == b.world.base + stored) {
            EXPECT_EQ(1u, t.data.size());
            result.push_back({t.request - 2, t.data[0]});
        }
    return result;
}

// An increment in one cycle.
Nest::Increment once(cs_cycle at, uint64_t value)
{
    return [=](cs_cycle t) { return t == at ? value : 0; };
}

// What is in the upper bits of the read's cycle is delivered; the prescaler's rest goes on.
TEST(NestCounters, ClearKeepsTheRest)
{
    Steady b;
    set(b, clear_8, [](cs_cycle) { return 3; });
    set(b, clear_12, [](cs_cycle) { return 15; });
    b.ticks(first_visit + 16);

    for (uint32_t offset : {clear_8, clear_12}) {
        const std::vector<Reading> list = readings(b, offset);
        const unsigned prescale = offset == clear_8 ? 8 : 12;
        const uint64_t rate = offset == clear_8 ? 3 : 15;
        uint64_t sum = 0;
        ASSERT_GE(list.size(), 4u);
        for (const Reading &r : list) {
            sum += r.value;
            EXPECT_EQ((r.cycle * rate) >> prescale, sum) << r.cycle;
        }
        EXPECT_EQ(sum, b.world.word(offset)); // memory has the sum
    }
}

// An increment in the cycle of the read goes on, one in the cycle before is delivered: for each
// counter of a burst in its own cycle.
TEST(NestCounters, TheCycleOfTheRead)
{
    Steady probe;
    probe.ticks(first_visit);
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t offset = clear_8 + 8 * i;
        const cs_cycle x = readings(probe, offset).at(0).cycle;
        EXPECT_EQ(readings(probe, clear_8).at(0).cycle + i, x);
        for (cs_cycle at : {x - 1, x, x + 1}) {
            Steady b;
            set(b, offset, once(at, 15 << 8));
            b.ticks(first_visit + 2);
            const std::vector<Reading> list = readings(b, offset);
            EXPECT_EQ(at == x - 1 ? 15u : 0u, list[0].value);
            EXPECT_EQ(at == x - 1 ? 0u : 15u, list[1].value);
        }
    }
}

// The increment of the read's cycle carries out of the rest.
TEST(NestCounters, CarryInTheCycleOfTheRead)
{
    Steady probe;
    probe.ticks(first_visit);
    const cs_cycle x = readings(probe, clear_8).at(0).cycle;

    Steady b;
    set(b, clear_8, [x](cs_cycle t) -> uint64_t {
        return t == 100 ? 0x7F0 + 14 : t == x ? 2 : 0; // rest 0xFE
    });
    b.ticks(first_visit + 2);
    EXPECT_EQ(7u, readings(b, clear_8)[0].value);
    EXPECT_EQ(1u, readings(b, clear_8)[1].value);
}

// 16 bits above the prescaler, and not one more.
TEST(NestCounters, ClearIsModulo)
{
    for (uint32_t offset : {clear_8, clear_12}) {
        const unsigned prescale = offset == clear_8 ? 8 : 12;
        Steady b;
        set(b, offset, once(50, (0x1FFFFull << prescale) + 5));
        b.ticks(first_visit + 2); // group 2 has posted alinks before
        EXPECT_EQ(0xFFFFu, readings(b, offset).at(0).value);
    }
}

// ---- wrap ----

// A wrap counter that has the given values in its reads.
std::vector<uint64_t> delivered(uint32_t offset, unsigned ring_state, unsigned visits_apart,
                                const std::vector<uint64_t> &values)
{
    Steady b;
    b.world.control(units_word) = ~uint64_t{0};
    // The first visit is state 5 of the ring. The value changes half a tick before the visit.
    const unsigned first = first_visit + (ring_state + 3) % 8;
    set(b, offset, [=](cs_cycle t) -> uint64_t {
        for (size_t i = 0; i < values.size(); i++) {
            const cs_cycle tick = first + i * visits_apart;
            if (t == tick * period - period / 2)
                return values[i] - (i == 0 ? 0 : values[i - 1]);
        }
        return 0;
    });
    b.ticks(first + static_cast<unsigned>(values.size() - 1) * visits_apart);
    std::vector<uint64_t> result;
    for (const Reading &r : readings(b, offset))
        result.push_back(r.value);
    return result;
}

using Values = std::vector<uint64_t>;

TEST(NestCounters, Wrap)
{
    // Group 5 in ring state 4, at every 8th visit. A wrap delivers one too few.
    EXPECT_EQ((Values{0, 7, 0, 0xFFFFFFF0 - 107}),
              delivered(wrap_32, 4, 8, {100, 107, 107, 0xFFFFFFF0}));
    EXPECT_EQ((Values{0, 0xF + 5}), delivered(wrap_32, 4, 8, {0xFFFFFFF0, 0x100000005}));
    EXPECT_EQ((Values{0, 0, 0}), delivered(wrap_32, 4, 8, {0xFFFFFFFF, 0x100000000, 0x100000007}));
    // prev 0: nothing, although it went on from 0.
    EXPECT_EQ((Values{0, 0, 3}), delivered(wrap_32, 4, 8, {0, 5, 8}));
    EXPECT_EQ((Values{0, 0}), delivered(wrap_32, 4, 8, {5, 0x100000005}));
}

TEST(NestCounters, Wrap48)
{
    // Epoch 0 of group 4 comes in ring state 2, at every 24th visit.
    EXPECT_EQ((Values{0, 0x800000000000, 0x400000000000}),
              delivered(wrap_48, 2, 24, {1, 0x800000000001, 0xC00000000001}));
    EXPECT_EQ((Values{0, 3 + 9}), delivered(wrap_48, 2, 24, {0xFFFFFFFFFFFC, 0x1000000000009}));
}

TEST(NestCounters, Wrap2)
{
    // Group 5 in ring state 4.
    EXPECT_EQ((Values{0, 14, 2ull * (0xFFFFFFF0 - 107), 2 * (0xF + 5)}),
              delivered(wrap2_32, 4, 8, {100, 107, 0xFFFFFFF0, 0x100000005}));
}

// ---- prev ----

struct PrevCase {
    const char *name;
    Word word;
    uint64_t value;
    bool cleared;
};

// What clears prev: a command PAUSE, and nothing else.
TEST(NestCounters, WhatClearsPrev)
{
    const PrevCase cases[] = {
        {"nothing", command_word, 0, false},      {"resume", command_word, 1, false},
        {"unknown", command_word, 77, false},     {"pause", command_word, 2, true},
        {"clear", command_word, 3, false},        {"speed", speed_word, 1, false},
        {"mode and back", mode_word, 2, false},   {"vector", units_word, default_units | 1, false},
        {"default vector", units_word, 0, false},
    };
    for (const PrevCase &c : cases) {
        Steady b;
        set(b, wrap_32, [](cs_cycle) { return 1; });
        set(b, wrap_last, [](cs_cycle) { return 1; });
        b.ticks(first_visit + 15); // two reads
        b.before(first_visit + 16, c.word, c.value);
        b.before(first_visit + 17, command_word, 1);
        if (c.word == mode_word)
            b.before(first_visit + 17, mode_word, 0);
        b.ticks(first_visit + 16 + 40);
        for (uint32_t offset : {wrap_32, wrap_last}) {
            const std::vector<Reading> list = readings(b, offset);
            ASSERT_GE(list.size(), 4u);
            EXPECT_EQ(0u, list[0].value);
            EXPECT_EQ(list[1].cycle - list[0].cycle, list[1].value);
            EXPECT_EQ(c.cleared ? 0 : list[2].cycle - list[1].cycle, list[2].value) << c.name;
            EXPECT_EQ(list[3].cycle - list[2].cycle, list[3].value) << c.name;
        }
    }
}

// ---- store ----

// Memory has the time of the last posting, whatever was there; the doublewords behind it belong to
// nobody.
TEST(NestCounters, TheTimeOfDayIsStored)
{
    Steady b;
    set(b, stored, [](cs_cycle) { return 7; });
    for (uint32_t offset : {0x750u, 0x758u, 0x760u})
        set(b, offset, [](cs_cycle) { return 7; });
    b.before(first_visit + 5, command_word, 2); // which it does not look at
    b.before(first_visit + 6, command_word, 1);
    b.ticks(first_visit + 19);

    const std::vector<Reading> list = stores(b);
    ASSERT_EQ(3u, list.size());
    for (const Reading &r : list)
        EXPECT_EQ(7 * r.cycle, r.value);
    EXPECT_EQ(list.back().value, b.world.word(stored));
    for (uint32_t offset : {0x750u, 0x758u, 0x760u})
        EXPECT_EQ(0u, b.world.word(offset));
    EXPECT_TRUE(readings(b, stored).empty());
}

// Sixty bits; a read in cycle x has what came before x.
TEST(NestCounters, TheTimeOfDayEnds)
{
    Steady probe;
    probe.ticks(first_visit + 3);
    const cs_cycle x = stores(probe).at(0).cycle;

    for (cs_cycle at : {x - 1, x}) {
        Steady b;
        set(b, stored, [at](cs_cycle t) -> uint64_t {
            return t == 100 ? (uint64_t{1} << 60) - 1 : t == at ? 4 : 0;
        });
        b.ticks(first_visit + 3);
        EXPECT_EQ(at == x ? (uint64_t{1} << 60) - 1 : 3u, stores(b).at(0).value);
    }
}

// In a pause counters go on: those that are cleared have it all afterwards, modulo 2^16.
TEST(NestCounters, APauseInbetween)
{
    Steady b;
    set(b, clear_8, [](cs_cycle) { return 15; });
    b.ticks(first_visit); // read once
    const cs_cycle first = readings(b, clear_8).at(0).cycle;
    b.before(first_visit + 1, command_word, 2);
    b.before(first_visit + 400, command_word, 1);
    b.ticks(first_visit + 401);

    const std::vector<Reading> list = readings(b, clear_8);
    ASSERT_EQ(2u, list.size());
    const uint64_t all = (list[1].cycle * 15) >> 8;
    EXPECT_GT(all, 0x10000u);
    EXPECT_EQ((all - (first * 15 >> 8)) % 0x10000, list[1].value);
}

// CLEAR zeroes memory, not the counters.
TEST(NestCounters, ClearCommandLeavesThem)
{
    Steady b;
    set(b, clear_8, [](cs_cycle) { return 1; });
    b.ticks(first_visit);
    const cs_cycle first = readings(b, clear_8).at(0).cycle;
    b.before(first_visit + 1, command_word, 3);
    b.ticks(first_visit + 5);
    const std::vector<Reading> list = readings(b, clear_8);
    ASSERT_EQ(2u, list.size());
    EXPECT_EQ((list[1].cycle >> 8) - (first >> 8), list[1].value);
    EXPECT_EQ(list[1].value, b.world.word(clear_8));
}

// Every counter has an event of its own, offset / 8.
TEST(NestCounters, Events)
{
    Steady b;
    for (unsigned event = 0; event < Nest::events; event++)
        b.nest.increment[event] = once(50, uint64_t{event} << 12);
    b.world.control(units_word) = ~uint64_t{0};
    b.ticks(first_visit + 23);
    for (uint32_t offset = 0x118; offset < 0x1D8; offset += 8) // prescale 12
        EXPECT_EQ(offset / 8, b.world.word(offset)) << offset;
    for (uint32_t offset : {0x008, 0x0C0, 0x100, 0x1D8, 0x228, 0x320, 0x668, 0x740}) // prescale 8
        EXPECT_EQ(offset / 8 * 16, b.world.word(offset)) << offset;
}

} // namespace

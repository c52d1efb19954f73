// SPDX-License-Identifier: Apache-2.0
// docs/hw/nest.md, "Counters".
#include "nest_bench.hpp"
#include "nest_rows.h"

namespace
{

constexpr uint64_t time_of_day = 0x748;

// Where every counter is, and of what kind.
struct Counter {
    unsigned number;
    uint64_t offset;
    const cs_nest_row *row;
};

std::vector<Counter> counters()
{
    std::vector<Counter> list;
    for (const cs_nest_row &row : cs_nest_rows)
        for (unsigned i = 0; row.kind == CS_NEST_COUNTERS && i < row.count; i++)
            list.push_back({row.first + i, row.offset + 8u * i, &row});
    return list;
}

unsigned number_at(uint64_t offset)
{
    for (const Counter &c : counters())
        if (c.offset == offset)
            return c.number;
    ADD_FAILURE() << "no counter at " << offset;
    return 0;
}

// The postings of one counter, and the cycles in which it was read.
struct Reads {
    std::vector<uint64_t> values, cycles;
};

Reads reads_of(const Nest &nest, uint64_t offset)
{
    Reads reads;
    for (const Transfer &t : nest.memory.transfers) {
        uint64_t at = (t.addr & ~add_bit) - nest.base;
        // The time of day is written; CLEAN's bursts begin elsewhere.
        bool posted =
            offset == time_of_day ? t.addr == nest.base + offset : (t.addr & add_bit) != 0;
        if (!posted || offset < at || offset >= at + 8 * t.beats)
            continue;
        uint64_t index = (offset - at) / 8;
        reads.values.push_back(t.words[index]);
        reads.cycles.push_back(t.asked - 1 - t.beats + index); // POST is the cycle before it
    }
    return reads;
}

TEST(NestRtlCounters, ThereAre205)
{
    EXPECT_EQ(counters().size(), nr_counter);
}

// Each of them, with a value of its own, at its offset.
TEST(NestRtlCounters, EachAtItsPlace)
{
    Nest nest(1000);
    nest.put(block_units, ~uint64_t{0});
    for (const Counter &c : counters())
        nest.preset(c.number, (1000u + c.number) << c.row->prescale);
    nest.ticks(4 + 24);
    for (const Counter &c : counters()) {
        Reads reads = reads_of(nest, c.offset);
        ASSERT_FALSE(reads.values.empty());
        bool stores = c.offset == time_of_day;
        uint64_t first = c.row->style == CS_NEST_CLEAR || stores ? 1000u + c.number : 0;
        EXPECT_EQ(reads.values[0], first) << c.number;
        for (size_t i = 1; i < reads.values.size(); i++)
            EXPECT_EQ(reads.values[i], stores ? first : 0u) << c.number;
        EXPECT_EQ(nest.word(c.offset), first);
    }
}

// Each counts what it is given and nothing else is: one of them at a time.
TEST(NestRtlCounters, EachCountsItsOwnIncrement)
{
    for (unsigned modulo = 0; modulo < 16; modulo++) {
        Nest nest(1500);
        for (const Counter &c : counters()) {
            nest.increments.set_all(c.number, c.number % 16 == modulo ? 15 : 0);
            if (c.row->style != CS_NEST_CLEAR)
                nest.preset(c.number, 1);
        }
        nest.put(block_units, ~uint64_t{0});
        nest.ticks(4 + 6 * 8 + 8);
        for (const Counter &c : counters()) {
            Reads reads = reads_of(nest, c.offset);
            uint64_t sum = 0;
            for (uint64_t value : reads.values)
                sum += value;
            if (c.offset == time_of_day)
                sum = reads.values.back() - reads.values.front();
            if (c.number % 16 != modulo) {
                EXPECT_EQ(sum, 0u) << c.number;
                continue;
            }
            bool clear = c.row->style == CS_NEST_CLEAR;
            uint64_t from = clear ? 0 : reads.cycles.front(), to = reads.cycles.back();
            uint64_t counted = 15 * (to - from) >> c.row->prescale;
            EXPECT_EQ(sum, c.row->style == CS_NEST_WRAP2 ? 2 * counted : counted) << c.number;
        }
    }
}

TEST(NestRtlClear, AReadTakesTheUpperBits)
{
    for (uint64_t offset : {0x008u, 0x118u, 0x708u}) {
        Nest nest(1000);
        unsigned n = number_at(offset);
        unsigned prescale = offset == 0x118 ? 12 : 8;
        nest.put(block_units, ~uint64_t{0});
        nest.preset(n, uint64_t{0xABCD} << prescale | 0x77);
        nest.ticks(4 + 24);
        Reads reads = reads_of(nest, offset);
        ASSERT_GE(reads.values.size(), 2u);
        EXPECT_EQ(reads.values[0], 0xABCDu);
        EXPECT_EQ(reads.values[1], 0u);
    }
}

// The increment of the read's cycle: what it carries is the counter's next value.
TEST(NestRtlClear, TheCyclesOwnCarryIsKept)
{
    uint64_t first = 0;
    for (unsigned low = 0; low < 3; low++) {
        Nest nest(1000);
        unsigned n = number_at(0x008);
        nest.increments.set_all(n, 1);
        // At the first read, in cycle `first`: lower bits 0xFE, 0xFF, 0x00 with one carried.
        if (first != 0)
            nest.preset(n, 0x123400 + 0xFE + low - first);
        nest.ticks(4 + 3); // two postings of group 1, 2000 cycles apart
        Reads reads = reads_of(nest, 0x008);
        ASSERT_EQ(reads.values.size(), 2u);
        if (first == 0) { // to learn the cycle
            first = reads.cycles[0];
            low = static_cast<unsigned>(-1);
            continue;
        }
        ASSERT_EQ(reads.cycles[0], first);
        EXPECT_EQ(reads.values[0], 0x1234u + (low == 2));
        uint64_t passed = reads.cycles[1] - first;
        EXPECT_EQ(reads.values[1], (((0xFE + low) & 0xFF) + passed) >> 8);
    }
}

// A carry in the very cycle of the read, and a read soon enough to see it alone.
TEST(NestRtlClear, ACarryOfTheReadsCycleIsNotLost)
{
    uint64_t first = 0;
    for (int pass = 0; pass < 2; pass++) {
        Nest nest(1000);
        unsigned n = number_at(0x008);
        if (pass == 1) {
            // One increment in a period of 13 cycles, in the phase of the read; none else matters
            // as 200 of them do not fill the lower bits again.
            nest.increments.set(n, static_cast<unsigned>(first % Increments::period), 1);
            nest.preset(n, 0x12FF - nest.increments.sum(n, first));
        }
        nest.ticks(4 + 3);
        Reads reads = reads_of(nest, 0x008);
        first = reads.cycles[0];
        if (pass == 1) {
            EXPECT_EQ(reads.values, (std::vector<uint64_t>{0x12, 1}));
        }
    }
}

TEST(NestRtlClear, ModuloItsBits)
{
    Nest nest(1000);
    unsigned n = number_at(0x008);
    nest.preset(n, 0xFFFFFF); // 16 + 8
    nest.increments.set(n, 5, 2);
    nest.ticks(4 + 1);
    Reads reads = reads_of(nest, 0x008);
    uint64_t all = (0xFFFFFF + nest.increments.sum(n, reads.cycles[0])) & 0xFFFFFF;
    EXPECT_EQ(reads.values[0], all >> 8);
    EXPECT_LT(reads.values[0], 100u);
}

struct WrapCase {
    uint64_t offset;
    unsigned width, factor;
    unsigned first, ticks; // the tick of the first reading, ticks from one to the next
};

// Widths and factors in words of their own.
const WrapCase wraps[] = {
    {0x338, 48, 1, 10, 24}, {0x3F0, 48, 1, 26, 24}, {0x448, 32, 1, 12, 8},
    {0x458, 32, 2, 12, 8},  {0x5B0, 32, 2, 6, 8},   {0x5A8, 32, 1, 6, 8},
};

TEST(NestRtlWrap, TheFirstIsDroppedThenDifferences)
{
    for (const WrapCase &c : wraps) {
        SCOPED_TRACE(c.offset);
        Nest nest(1000);
        unsigned n = number_at(c.offset);
        nest.preset(n, 5);
        nest.increments.set_all(n, 7);
        nest.ticks(4 + 3 * c.ticks);
        Reads reads = reads_of(nest, c.offset);
        ASSERT_EQ(reads.values.size(), 3u);
        EXPECT_EQ(reads.values[0], 0u);
        for (int i = 1; i < 3; i++)
            EXPECT_EQ(reads.values[i], c.factor * 7 * (reads.cycles[i] - reads.cycles[i - 1]));
    }
}

// (2^w - 1 - prev) + cur: one too few.
TEST(NestRtlWrap, OneIsLostWhereItWraps)
{
    for (const WrapCase &c : wraps) {
        SCOPED_TRACE(c.offset);
        Nest nest(1000);
        unsigned n = number_at(c.offset);
        uint64_t all = (uint64_t{1} << c.width) - 1;
        // Not there at the first reading, past it at the second.
        nest.preset(n, all - 15 * 1000 * (c.first + c.ticks / 2));
        nest.increments.set_all(n, 15);
        nest.ticks(4 + 3 * c.ticks);
        Reads reads = reads_of(nest, c.offset);
        ASSERT_EQ(reads.values.size(), 3u);
        unsigned wrapped = 0;
        for (int i = 1; i < 3; i++) {
            uint64_t counted = 15 * (reads.cycles[i] - reads.cycles[i - 1]);
            bool lost = reads.values[i] == c.factor * (counted - 1);
            EXPECT_TRUE(lost || reads.values[i] == c.factor * counted) << reads.values[i];
            wrapped += lost;
        }
        EXPECT_EQ(wrapped, 1u);
    }
}

// A prev of zero is none: a counter that stands at zero when it is read is dropped again.
TEST(NestRtlWrap, AZeroIsDroppedAgain)
{
    Nest nest(1000);
    unsigned n = number_at(0x448);
    nest.ticks(4 + 8); // read: 0
    nest.increments.set_all(n, 3);
    nest.ticks(16);
    Reads reads = reads_of(nest, 0x448);
    ASSERT_EQ(reads.values.size(), 3u);
    EXPECT_EQ(reads.values[0], 0u);
    EXPECT_EQ(reads.values[1], 0u); // though it is above prev
    EXPECT_EQ(reads.values[2], 3 * (reads.cycles[2] - reads.cycles[1]));
}

// After a pause the first reading is dropped, after all else that begins anew it is not.
TEST(NestRtlWrap, APauseAloneClearsPrevs)
{
    const struct {
        uint64_t offset, word;
        bool pause;
    } cases[] = {{block_command, HALT, true},
                 {block_command, CLEAR, false},
                 {block_speed, 1, false},
                 {block_units, default_units | 1, false}};
    for (const auto &c : cases)
        for (uint64_t offset : {0x448u, 0x458u}) {
            Nest nest(1000);
            unsigned n = number_at(offset);
            const unsigned times = offset == 0x458 ? 2 : 1;
            nest.preset(n, 5);
            nest.increments.set_all(n, 9);
            nest.ticks(4 + 16);
            ASSERT_EQ(reads_of(nest, offset).values.size(), 2u);
            EXPECT_NE(reads_of(nest, offset).values[1], 0u);
            nest.put(c.offset, c.word);
            nest.ticks(4);
            if (c.pause) {
                nest.put(block_command, RESUME);
                nest.ticks(1);
            }
            nest.ticks(16);
            Reads reads = reads_of(nest, offset);
            ASSERT_EQ(reads.values.size(), 4u);
            EXPECT_EQ(reads.values[2],
                      c.pause ? 0 : times * 9 * (reads.cycles[2] - reads.cycles[1]));
            EXPECT_EQ(reads.values[3], times * 9 * (reads.cycles[3] - reads.cycles[2]));
        }
}

TEST(NestRtlWrap, ACommandThatDoesNothingKeepsPrevs)
{
    for (uint64_t command : {1, 4}) {
        Nest nest(1000);
        nest.preset(number_at(0x448), 5);
        nest.increments.set_all(number_at(0x448), 1);
        nest.ticks(4 + 8);
        nest.put(block_command, command);
        nest.ticks(8);
        Reads reads = reads_of(nest, 0x448);
        ASSERT_EQ(reads.values.size(), 2u);
        EXPECT_EQ(reads.values[1], reads.cycles[1] - reads.cycles[0]);
    }
}

// Memory has the time of the last posting, and not a sum; neither a pause nor the three doublewords
// behind it matter.
TEST(NestRtlStore, TheTimeOfDay)
{
    Nest nest(1000);
    nest.preset(number_at(time_of_day), (uint64_t{1} << 60) - 60'000);
    nest.increments.set_all(number_at(time_of_day), 3);
    for (uint64_t offset : {0x750u, 0x758u, 0x760u})
        nest.put(offset, 0x5A5A);
    nest.ticks(4 + 6);
    nest.put(block_command, HALT);
    nest.ticks(1);
    nest.put(block_command, RESUME);
    nest.ticks(17);
    Reads reads = reads_of(nest, time_of_day);
    ASSERT_EQ(reads.values.size(), 3u);
    for (size_t i = 0; i < 3; i++)
        EXPECT_EQ(reads.values[i], (3 * reads.cycles[i] - 60'000) & ((uint64_t{1} << 60) - 1)) << i;
    EXPECT_GT(reads.values[0], reads.values[2]); // it has ended, and begun again
    EXPECT_EQ(nest.word(time_of_day), reads.values[2]);
    for (uint64_t offset : {0x750u, 0x758u, 0x760u})
        EXPECT_EQ(nest.word(offset), 0u); // CLEAN's
}

// In a pause the counters go on: 16 bits of it are there afterwards.
TEST(NestRtlPause, ClearCountersGoOn)
{
    Nest nest(1000);
    unsigned n = number_at(0x008);
    nest.increments.set_all(n, 15);
    nest.ticks(4 + 1);
    nest.put(block_command, HALT);
    nest.ticks(10);
    nest.put(block_command, RESUME);
    nest.ticks(3);
    Reads reads = reads_of(nest, 0x008);
    ASSERT_GE(reads.values.size(), 2u);
    uint64_t low = nest.increments.sum(n, reads.cycles[0]) & 0xFF;
    EXPECT_EQ(reads.values[1], (low + 15 * (reads.cycles[1] - reads.cycles[0])) >> 8);
}

} // namespace

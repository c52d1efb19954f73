// SPDX-License-Identifier: Apache-2.0
// The nest alone: its pins, the memory behind its port, and what happened when.
#ifndef CS_TB_NEST_RTL_NEST_BENCH_HPP
#define CS_TB_NEST_RTL_NEST_BENCH_HPP

#include <gtest/gtest.h>

#include <map>

#include "nest_memory.hpp"
#include "variant.hpp"

// Offsets and values of docs/hw/nest.md, in words of their own.
constexpr uint64_t block = 0x3FC00, block_command = 0x3FC08, block_speed = 0x3FC10,
                   block_units = 0x3FC18, block_mode = 0x3FC20, block_mode_state = 0x3FC28,
                   version_place = 0x2FC00;
constexpr uint64_t version_word = 0x0100151120260000, default_units = 0xFFFF8073F007E000;
constexpr uint64_t debug_place = 0x10000;
constexpr uint64_t add_bit = uint64_t{1} << 56;
enum Status { INIT, RUN, PAUSE, ERR1, ERR2 };
enum Command { NOP, RESUME, HALT, CLEAR };

// What the counters count: a pattern of a few cycles for each, over and over.
class Increments
{
  public:
    static constexpr unsigned period = 13;

    void set(unsigned counter, unsigned at, unsigned inc)
    {
        table_[at][counter] = static_cast<uint8_t>(inc);
    }
    void set_all(unsigned counter, unsigned inc)
    {
        for (unsigned at = 0; at < period; at++)
            set(counter, at, inc);
    }
    // Of all cycles before this one.
    uint64_t sum(unsigned counter, uint64_t cycle) const
    {
        uint64_t part = 0, whole = 0;
        for (unsigned at = 0; at < period; at++) {
            whole += table_[at][counter];
            part += at < cycle % period ? table_[at][counter] : 0;
        }
        return cycle / period * whole + part;
    }
    void drive(NestTop &dut, uint64_t cycle) const;

  private:
    uint8_t table_[period][nr_counter] = {};
};

struct Sample {
    uint64_t cycle;
    unsigned group;
    uint64_t addr;
    uint32_t number;
    unsigned bytes, resp;
    uint64_t start;

    bool operator==(const Sample &o) const
    {
        return cycle == o.cycle && group == o.group && addr == o.addr && number == o.number &&
               bytes == o.bytes && resp == o.resp && start == o.start;
    }
};
void PrintTo(const Sample &sample, std::ostream *out);

struct Change {
    unsigned status;
    uint64_t cycle; // the first in which the registers say so

    bool operator==(const Change &o) const
    {
        return status == o.status && cycle == o.cycle;
    }
};
void PrintTo(const Change &change, std::ostream *out);

// What a tick wrote, and read: an offset in the window and its words.
struct Written {
    uint64_t offset;
    std::vector<uint64_t> words;

    bool operator==(const Written &o) const
    {
        return offset == o.offset && words == o.words;
    }
};
void PrintTo(const Written &written, std::ostream *out);

class Nest
{
  public:
    static constexpr uint64_t default_base = 0xBF980000;

    explicit Nest(uint32_t tick_cycles, uint64_t base = default_base);
    ~Nest();

    // Before the first step: what a counter is in cycle 0, of all its bits.
    void preset(unsigned counter, uint64_t value);

    void step();
    void run_to(uint64_t until)
    {
        while (cycle < until)
            step();
    }
    // Until so many ticks are done with, one after the other: nothing is out, none waits.
    void ticks(unsigned count);

    void put(uint64_t offset, uint64_t word)
    {
        memory.put(base + offset, word);
    }
    uint64_t word(uint64_t offset) const
    {
        return memory.word(base + offset);
    }
    // The transfers since the last call; of them the writes, those to add addresses left out; the
    // writes to add addresses alone.
    std::vector<Transfer> fresh_transfers();
    std::vector<Written> fresh_writes();
    std::vector<Written> fresh_posts();
    void expect_no_complaints() const;

    uint64_t base;
    uint32_t tick_cycles;
    NestTop dut;
    NestMemory memory;
    Increments increments;
    std::map<unsigned, uint64_t> presets;
    uint64_t cycle = 0;
    std::vector<Sample> samples;
    std::vector<Change> changes;

  private:
    uint64_t ticks_done_ = 0;
    size_t taken_ = 0;

    std::vector<Written> written(bool adds);
};

#endif

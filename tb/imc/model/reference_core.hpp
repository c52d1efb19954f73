// SPDX-License-Identifier: Apache-2.0
// The core of the reference: its state, and what its files do of a cycle.
#pragma once

#include "reference.hpp"

namespace reference
{

// Bits a..b, counted from the most significant.
inline uint64_t bits(uint64_t value, unsigned a, unsigned b)
{
    return value << a >> (63 - (b - a));
}

inline bool bit(uint64_t value, unsigned n)
{
    return bits(value, n, n) != 0;
}

constexpr uint64_t place(unsigned n)
{
    return uint64_t{1} << (63 - n);
}

inline uint64_t modulo56(uint64_t value)
{
    return value % (uint64_t{1} << 56);
}

struct Record {
    uint64_t addr = 0;
    cs_cycle u = 0;
    std::vector<uint64_t> words;
};

struct RefThread {
    uint64_t ldbar = 0;
    uint32_t c[4] = {};
    uint64_t index = 0;
    bool snapshot = false; // this is cycle u
    bool waits = false;
    Record record;

    bool traces() const
    {
        return bit(ldbar, 1);
    }
    bool accumulates() const
    {
        return bit(ldbar, 0) && !bit(ldbar, 1);
    }
};

enum { OFF, SYNC, RUN, DONE, FROZEN };

// All that power loss resets.
struct State {
    uint64_t htm = 0, pdbar = 0, mask = 0, trace = 0;
    bool error = false, pdbar_error = false;
    bool addr_err = false, ack_dead = false, timeout = false;
    bool synced = false, done = false;
    unsigned slot = 0, thread = 0;
    RefThread threads[4];
    bool core_waits = false, thread_waits = false;
    uint64_t values[4] = {}, core_addr = 0, thread_addr = 0;

    bool on() const
    {
        return bit(htm, 0) && bits(htm, 1, 2) == 3 && bit(htm, 4);
    }
    bool frozen() const
    {
        return bit(mask, 34);
    }
    unsigned state() const
    {
        return !on() ? OFF : frozen() ? FROZEN : done ? DONE : synced ? RUN : SYNC;
    }
    unsigned sampler() const
    {
        return static_cast<unsigned>(bits(trace, 0, 1));
    }
    uint32_t load() const
    {
        return static_cast<uint32_t>(bits(trace, 2, 33));
    }
    uint64_t limit() const
    {
        const uint64_t n = bits(trace, 48, 50);
        return 4096u << (n > 4 ? 0 : n);
    }
};

enum Kind { CORE_POST, THREAD_POST, RECORD };

struct Writer {
    bool busy = false;
    Kind kind = CORE_POST;
    unsigned thread = 0;
    Transfer transfer;
    cs_cycle u = 0;
    unsigned turn = 0;
    uint64_t numbers[4] = {};
};

class Core
{
  public:
    Core(const Program &program, std::vector<Thread> &threads, Bus &bus)
        : program_(program), config_(program.config), tb_(config_.timebase.start),
          threads_(threads), bus_(bus)
    {
    }

    Outcome run();

  private:
    // ---- reference.cpp ----

    void saw(const std::string &what);
    void cycle();
    void count_timebase();
    void lose();
    void powered(bool idle);
    void access();
    uint64_t read(unsigned reg) const;
    uint64_t status() const;
    void write(unsigned reg, uint64_t value);
    void write_ldbar(unsigned v, uint64_t value);
    bool ldbar_written(unsigned v) const;
    void set_errors();

    // ---- reference_windows.cpp ----

    uint32_t filter() const;
    void run_thread(unsigned v);
    unsigned window_bits() const;
    void boundary();
    void end_window();
    uint64_t core_base(unsigned v);
    uint64_t post_address(uint64_t base) const;
    void off();

    // ---- reference_trace.cpp ----

    void snapshot(unsigned v);
    bool record_waits() const;
    void take();
    void take_post(uint64_t addr);
    void take_record();
    void response();
    void emit_sample(unsigned v, uint64_t addr, uint64_t value, uint32_t bytes, uint8_t resp,
                     cs_cycle u);
    void emit_state(unsigned state);

    const Program &program_;
    const cs_imc_core_config config_;
    cs_cycle t_ = 0;
    uint64_t tb_;
    uint32_t phase_ = 0;
    bool tick_ = false;
    std::vector<Thread> &threads_;
    Bus &bus_;
    size_t at_ = 0, power_at_ = 0;
    bool power_ = true;
    std::map<unsigned, uint64_t> written_; // in this cycle
    bool set_error_ = false, set_pdbar_error_ = false, set_addr_err_ = false, set_ack_dead_ = false,
         set_timeout_ = false;
    State now_, next_;
    Writer writer_;
    Outcome outcome_;
};

} // namespace reference

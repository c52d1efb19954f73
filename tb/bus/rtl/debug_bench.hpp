// SPDX-License-Identifier: Apache-2.0
// The bridge of a cluster, verilated, beside what docs/hw/bus.md, "The bridge of a cluster", says
// of it: every pin of every cycle is compared.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vdebug_bridge_tb_top.h"

namespace debug
{

constexpr unsigned nr_slot = 3;
constexpr uint64_t never = ~0ull;
constexpr unsigned okay = 0, slverr = 2;

struct Straps {
    unsigned access = 10, ratio = 1, posted = 0, present = 7;
};

struct Request {
    bool write = false;
    uint64_t addr = 0; // in the window: slot in bits 19:16
    unsigned size = 2, beats = 1, id = 0;
    uint64_t data = 0;            // of the first beat, on its lanes; others have its complement
    int strb = -1;                // -1: all bytes of the beat
    unsigned delay = 0, late = 0; // cycles from the answer before it to xVALID, and to WVALID

    // What became of it.
    uint64_t address = 0, last = 0, effect = 0, answer = 0, complete = 0; // cycles
    unsigned resp = 0;
    uint64_t read = 0;
    bool done = false;

    unsigned slot() const
    {
        return addr >> 16 & 15;
    }
    bool to_all() const
    {
        return slot() == 15;
    }
    bool upper() const // of the lanes
    {
        return size == 2 && addr & 4;
    }
    uint8_t lanes() const;
    uint8_t strobe() const
    {
        return strb < 0 ? lanes() : static_cast<uint8_t>(strb);
    }
};

// What the units and the monitor are to see in a cycle.
struct Effect {
    unsigned slots = 0;
    bool write = false, wide = false, err = false;
    uint64_t addr = 0, wdata = 0, rdata = 0;
};

class Bench
{
  public:
    explicit Bench(const Straps &straps, uint64_t seed = 1);
    ~Bench();

    Request &post(const Request &request); // reads, and writes, run in their order
    void step();
    void run(uint64_t limit = 1000000); // until all is done and has taken effect
    uint64_t now() const
    {
        return now_;
    }

    unsigned willing = 100; // percent of the cycles in which answers are taken

  private:
    struct Side { // of a manager: reads, or writes
        std::deque<Request *> queue;
        uint64_t start = 0;
        bool on = false, data_on = false; // xVALID, WVALID
    };

    void drive();
    void compare();
    void advance();
    void begin(Request &request);
    void end();
    bool in_data() const;
    bool room() const;
    bool responds() const;
    bool refused(const Request &request) const;
    unsigned slots_of(const Request &request) const;
    uint64_t access(const Request &request, uint64_t from);
    uint64_t &word(unsigned slot, const Request &request)
    {
        return words_[slot][request.addr >> 3 & 31];
    }

    Straps straps_;
    std::unique_ptr<Vdebug_bridge_tb_top> top_;
    std::mt19937_64 rng_;
    std::vector<std::unique_ptr<Request>> requests_;
    std::array<Side, 2> sides_{}; // reads, writes
    uint64_t now_ = 0;

    // The page's bridge.
    Request *owner_ = nullptr;
    unsigned beat_ = 0;             // W or R beats that were taken
    uint64_t answer_ = never;       // the first cycle of xVALID
    uint64_t free_ = 0;             // the next access may start in it
    std::deque<uint64_t> occupied_; // until these cycles
    unsigned late_ = 0;             // errors that nobody was told
    std::array<std::array<uint64_t, 32>, nr_slot> words_{};
    std::map<uint64_t, Effect> effects_;
    unsigned resp_ = okay;
    uint64_t read_ = 0;
};

} // namespace debug

// SPDX-License-Identifier: Apache-2.0
// The verilated bus with managers, storage and guard in C++. Time is cycles: step() is one, and
// what a step saw is in history(). Written from docs/hw/bus.md.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

class Vbus_tb_top;

constexpr unsigned nr_manager = 3;
constexpr unsigned nr_target = 4; // memory, PMCU, cluster 0, cluster 1
constexpr unsigned nr_path = nr_target + 1;
constexpr unsigned hole = nr_target;
constexpr unsigned nr_slot = 3;
constexpr uint64_t ram_base = 0x80000000, ram_size = 0x10000;
constexpr uint64_t add_bit = 1ull << 56;
constexpr uint64_t pmcu_base = 0x10000000, cluster_base = 0x20000000;

enum Response : unsigned { OKAY = 0, SLVERR = 2, DECERR = 3 };

struct Straps {
    bool shared = true;
    unsigned forward = 2, ret = 2, read = 20, write = 4, gap = 0, access = 10;
    unsigned clusters = 2;
    unsigned present = 0x3f; // a bit a slot, cluster 0 first
};

struct Transfer {
    bool write = false;
    uint64_t addr = ram_base;
    unsigned beats = 1;
    unsigned size = 3; // log2 of the bytes of a beat
    unsigned burst = 1;
    unsigned id = 0;
    std::vector<uint64_t> data{}; // write: given (missing beats are zero); read: what came
    std::vector<uint8_t> strb{};  // write: given; empty: all bytes of the beat
    unsigned address_delay = 0;   // cycles by which AxVALID or the first WVALID is late
    unsigned data_delay = 0;

    // What became of it; cycles.
    uint64_t request = 0, grant = 0, first = 0, complete = 0;
    std::vector<uint64_t> beat_cycles{}; // of the R or W handshakes
    std::vector<unsigned> responses{};   // one a beat, a write has one
    bool done = false;

    unsigned result() const; // the worst of its responses
    uint64_t bytes() const
    {
        return static_cast<uint64_t>(beats) << size;
    }
    uint8_t strobe(unsigned beat) const;
    uint64_t beat_addr(unsigned beat) const // in storage
    {
        return ((adds() ? addr & ~add_bit : addr) + (beat << size)) & ~7ull;
    }
    bool adds() const // its address is one that adds
    {
        return addr >> 56 == 1;
    }
};

// How a manager treats its data channels: percent of the cycles in which it is willing.
struct Pace {
    unsigned r = 100, b = 100, w = 100;
};

struct GuardAsk {
    uint64_t cycle;
    unsigned path;
    bool write;
    uint64_t addr;
    unsigned bytes;
};

struct GuardAnswer {
    bool error = false;
    unsigned stall = 0;
};

// One cycle. A bit a manager, target, path or slot (reg_en: bit 0 is the PMCU, then clusters).
struct Cycle {
    unsigned ar_valid, ar, aw_valid, aw; // xVALID, and handshakes
    unsigned w, r_valid, r, r_last, b_valid, b;
    unsigned chk;
    unsigned t_ar_valid, t_ar, t_aw_valid, t_aw, t_w, t_r_valid, t_r, t_b_valid, t_b;
    unsigned reg_en, acc;
};

class Bench
{
  public:
    explicit Bench(const Straps &straps, uint64_t seed = 1);
    ~Bench();

    // Transfers are kept until the bench goes; one direction of a manager runs in order.
    Transfer &post(unsigned manager, const Transfer &transfer);
    void step();
    void run(uint64_t limit = 200000); // until all is done, and some cycles more
    bool idle() const;

    uint64_t now() const
    {
        return history_.size();
    }
    const std::vector<Cycle> &history() const
    {
        return history_;
    }
    const std::vector<GuardAsk> &asks() const
    {
        return asks_;
    }
    const Straps &straps() const
    {
        return straps_;
    }
    std::string violations() const; // empty, or what axi_checker found
    Vbus_tb_top &top()
    {
        return *top_;
    }

    std::unordered_map<uint64_t, uint64_t> memory; // by word address, absent: zero
    std::function<GuardAnswer(const GuardAsk &)> guard;
    std::function<void(Transfer &, unsigned manager)> on_done;
    std::function<void(Transfer &, unsigned manager)> on_grant;
    std::function<void()> on_cycle; // all pins of the cycle are settled; now() is this cycle
    std::array<Pace, nr_manager> pace{};

  private:
    struct Port {
        std::deque<Transfer *> reads, writes;
        bool ar_on = false, ar_done = false, aw_on = false, aw_done = false;
        bool w_on = false, r_on = false, b_on = false;
        unsigned w_beat = 0;
        uint64_t read_start = 0, write_start = 0;
    };

    void drive(unsigned manager);
    void sample(unsigned manager);
    void answer();
    void record();
    bool willing(unsigned percent)
    {
        return rng_() % 100 < percent;
    }

    Straps straps_;
    std::unique_ptr<Vbus_tb_top> top_;
    std::mt19937_64 rng_;
    std::vector<std::unique_ptr<Transfer>> transfers_;
    std::array<Port, nr_manager> ports_{};
    std::vector<Cycle> history_;
    std::vector<GuardAsk> asks_;
};

// The target of an address, as the page's map says.
unsigned target_of(uint64_t addr, unsigned clusters);
bool malformed(const Transfer &transfer);

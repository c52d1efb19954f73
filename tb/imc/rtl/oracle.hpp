// SPDX-License-Identifier: Apache-2.0
// A core's engine as docs/hw/imc.md tells it, one cycle at a time: what its pins show in a
// cycle, and its state in the next.
#ifndef CS_TB_IMC_RTL_ORACLE_HPP
#define CS_TB_IMC_RTL_ORACLE_HPP

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fields.hpp"

constexpr unsigned nr_thread = 4; // that are built

struct Straps {
    bool power10 = false;
    unsigned threads = 4;
    unsigned tap_log2 = 2;
};

struct Told { // by a thread of the core
    unsigned mode = 0;
    std::array<unsigned, 4> inc{};
    uint64_t pc = 0;
    uint32_t pid = 0, lpid = 0;
};

struct Inputs {
    uint64_t tb = 0;
    bool tick = false, power = true;
    bool reg = false, reg_write = false;
    unsigned sel = 0;
    uint64_t reg_data = 0;
    int ldbar = -1; // the thread whose LDBAR is accessed
    bool ldbar_write = false;
    uint64_t ldbar_data = 0;
    std::array<Told, nr_thread> told{};
    bool awready = false, wready = false, bvalid = false;
    unsigned bresp = 0;
};

// Pins, by name; a value that means nothing in this cycle is zero.
struct Pins {
    std::vector<std::pair<std::string, uint64_t>> values;

    void set(const std::string &name, uint64_t value)
    {
        values.emplace_back(name, value);
    }
    void set(const std::string &name, unsigned n, uint64_t value)
    {
        values.emplace_back(name + "[" + std::to_string(n) + "]", value);
    }
};

class Oracle
{
  public:
    explicit Oracle(const Straps &straps) : s(straps) {}

    Pins pins(const Inputs &in) const;
    void clock(const Inputs &in);
    bool active(unsigned t) const;
    imc::State state() const;

  private:
    struct Record {
        uint64_t addr, snap;
        std::array<uint64_t, 8> words;
    };
    struct Thread {
        uint64_t ldbar = 0;
        std::array<uint32_t, 4> cpmc{};
        unsigned index = 0;
        bool snapshot = false;
        std::optional<Record> waits;
    };
    struct Transfer {
        uint64_t addr;
        std::vector<uint64_t> words;
        bool core_post, address_taken;
        unsigned sent;
        int thread; // of a record, or -1
        uint64_t snap;
    };

    Straps s;
    uint64_t cycle_ = 0;
    uint64_t mode_ = 0, pdbar_ = 0, mask_ = 0, trace_ = 0;
    bool error_ = false, pdbar_error_ = false, address_error_ = false, dead_ = false,
         timeout_ = false;
    bool synced_ = false, done_ = false;
    unsigned slot_ = 0, window_ = 0;
    std::array<Thread, nr_thread> threads_;
    std::optional<Transfer> core_post_, thread_post_, writing_;
    unsigned search_ = 0;
    std::array<uint32_t, nr_thread> written_{};

    bool on() const;
    bool frozen() const;
    bool traces(unsigned t) const;
    bool boundary(const Inputs &in) const;
    bool passes(unsigned mode) const;
    bool counts(unsigned t, const Inputs &in) const;
    bool ldbar_written(unsigned t, const Inputs &in) const;
    int next_record() const;
    int taken_record(const Inputs &in) const;
    uint64_t status() const;
    uint64_t reg(unsigned sel) const;
    unsigned limit() const;

    void count(Oracle &next, const Inputs &in) const;
    void end_window(Oracle &next) const;
    void next_window(Oracle &next, bool first) const;
    void snapshots(Oracle &next, const Inputs &in) const;
    void write(Oracle &next, const Inputs &in) const;
    void write_ldbar(Oracle &next, const Inputs &in) const;
    void registers(Oracle &next, const Inputs &in) const;
    void lose_power(Oracle &next) const;
};

#endif

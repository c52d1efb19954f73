// SPDX-License-Identifier: Apache-2.0
// All that a PMCU sees on its bus ports: memory and core PMU frames, answered lane by lane
// after a chosen number of cycles. Every transfer is checked against the rules for managers
// (docs/hw/bus.md, docs/hw/pmcu.md "Walks") and put on record.
#ifndef CS_TB_PMCU_RTL_AXI_WORLD_HPP
#define CS_TB_PMCU_RTL_AXI_WORLD_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "Vpmcu.h"

constexpr unsigned nr_lane = 4;

struct Transfer {
    unsigned lane;
    bool write;
    uint64_t addr;
    unsigned bytes;             // of a beat
    std::vector<uint64_t> data; // a beat each; on the byte lanes of the address
    uint64_t asked, complete;   // cycles
    bool error;

    bool to_core() const
    {
        return addr >= 0x20000000 && addr < 0x30000000;
    }
    unsigned cluster() const
    {
        return (addr >> 20) & 0xFF;
    }
    unsigned slot() const
    {
        return (addr >> 16) & 0xF;
    }
    unsigned offset() const
    {
        return addr & 0xFFFF;
    }
    uint32_t word() const
    {
        return static_cast<uint32_t>(data[0] >> (8 * (addr & 4)));
    }
};

class AxiWorld
{
  public:
    // To be set before a run.
    unsigned nr_lane_used = 1;
    std::function<unsigned()> delay = [] { return 0u; }; // before each handshake of the world
    std::function<bool(const Transfer &)> fails = [](const Transfer &) { return false; };
    int only_beat = -1;                     // of a failing read: the beat with the error; -1: all
    uint64_t store_base = 0, kill_base = 0; // writes to memory have to lie between

    void put(uint64_t addr, uint32_t word);
    uint32_t get(uint64_t addr) const; // 0xDEADBEEF where nothing was written
    // What a register of a core PMU reads: any function of its address will do.
    static uint32_t core_word(uint64_t addr);

    // In each cycle: drive, evaluate the unit, observe, clock.
    void drive(Vpmcu &dut);
    void observe(const Vpmcu &dut, uint64_t cycle);

    bool idle() const;
    std::vector<Transfer> transfers; // complete ones, in order of completion
    std::vector<std::string> complaints;

  private:
    struct Direction {
        bool valid_before = false; // address phase was offered in the cycle before
        bool out = false;          // between first xVALID and completion
        bool addressed = false;    // address handshake done
        unsigned wait_address = 0, wait_data = 0;
        unsigned beats = 0, done = 0;
        Transfer transfer{};
        bool driving = false; // RVALID or BVALID in this cycle
        bool ready = false;   // ARREADY or AWREADY
        bool wready = false;
        bool data_done = false;
    };
    struct Lane {
        Direction read, write;
    };
    Lane lanes_[nr_lane];
    std::map<uint64_t, uint32_t> memory_;

    bool beat_fails(const Direction &r) const
    {
        return (only_beat < 0 || static_cast<unsigned>(only_beat) == r.done) && fails(r.transfer);
    }
    void complain(uint64_t cycle, unsigned lane, const std::string &what);
    void check_address(const Transfer &t, unsigned beats, unsigned burst, uint64_t cycle);
    void observe_read(const Vpmcu &dut, unsigned lane, uint64_t cycle);
    void observe_write(const Vpmcu &dut, unsigned lane, uint64_t cycle);
    uint64_t beat_of(const Transfer &t, unsigned beat) const;
};

#endif

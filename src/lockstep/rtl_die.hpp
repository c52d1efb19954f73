// One verilated die, whatever its size, as plain functions over one set of pins: the only
// code that knows Verilator's types. rtl_system.cpp drives it cycle by cycle.
#ifndef CS_LOCKSTEP_RTL_DIE_HPP
#define CS_LOCKSTEP_RTL_DIE_HPP

#include <cstdint>
#include <memory>
#include <string>

#include "drivers/environment.h"

namespace cs
{

// The sizes of an elaborated die. Anything smaller runs on it by straps.
struct DieSize {
    const char *name;
    unsigned clusters;
    unsigned slots;
    unsigned counters;
    unsigned lanes;
};

constexpr unsigned kMaxManagers = 5; // CPU and four lanes
constexpr unsigned kMaxPaths = 19;
constexpr unsigned kMaxBridges = 17;
constexpr unsigned kMaxCpus = 128;

// One manager's channels as they are in a cycle.
struct ManagerPins {
    bool ar_valid, ar_ready, r_valid, r_ready, r_last;
    bool aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
    uint64_t ar_addr, aw_addr, r_data, w_data;
    uint8_t ar_len, ar_size, aw_len, aw_size, r_resp, b_resp, w_strb;
};

// What the CPU port drives.
struct CpuPins {
    bool ar_valid, r_ready, aw_valid, w_valid, w_last, b_ready;
    uint64_t ar_addr, aw_addr, w_data;
    uint8_t ar_len, ar_size, aw_len, aw_size, w_strb;
};

struct AccessPins {
    bool valid, write, wide, err;
    uint32_t addr;
    uint64_t wdata, rdata;
};

class RtlDie
{
  public:
    virtual ~RtlDie() = default;
    virtual const DieSize &size() const = 0;

    // Straps from the scenario, and reset.
    virtual void reset(const cs_environment &environment) = 0;
    // Rising edge: the registers of the next cycle. Register outputs are valid.
    virtual void rise() = 0;
    // Inputs of this cycle are set: settles what passes through. All outputs are valid.
    virtual void settle() = 0;

    // --- register outputs, valid after rise() ---
    virtual bool check(unsigned path, bool &write, uint64_t &addr, uint32_t &bytes) const = 0;
    virtual bool storage_read(uint64_t &addr) const = 0;
    virtual bool storage_write(uint64_t &addr, uint64_t &data, uint8_t &enables) const = 0;
    virtual bool storage_commit() const = 0;
    virtual bool irq() const = 0;
    virtual unsigned state() const = 0;
    virtual bool sample(uint64_t &addr, uint32_t &number, uint32_t &bytes) const = 0;
    // By the RTL's own core index, see core_index().
    virtual bool counting(unsigned core) const = 0;
    virtual uint16_t event(unsigned core, unsigned counter) const = 0;
    virtual bool capture(unsigned core) const = 0;

    // --- inputs, between rise() and settle() ---
    virtual void answer_check(unsigned path, bool error, uint32_t stall) = 0;
    virtual void answer_storage(uint64_t data) = 0;
    // Increments of all counters, 4 bits each, and of the cycle counter.
    virtual void increments(unsigned core, const uint8_t *by_counter, uint8_t cycles) = 0;
    virtual void mode(unsigned core, unsigned mode) = 0;
    virtual void context(unsigned core, uint64_t pc, uint32_t cid1, uint32_t cid2) = 0;
    virtual void cpu(const CpuPins &pins) = 0;

    // --- valid after settle() ---
    virtual ManagerPins manager(unsigned number) const = 0;
    virtual AccessPins access(unsigned bridge) const = 0;

    unsigned core_index(unsigned cluster, unsigned slot) const
    {
        return slot + size().slots * cluster;
    }
};

// The smallest die of this build that holds the scenario; null, and in `sizes` what there
// is, when none does.
std::unique_ptr<RtlDie> make_rtl_die(const cs_scenario &scenario, std::string &sizes);

} // namespace cs

#endif

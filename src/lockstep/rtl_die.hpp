// One verilated die, whatever its size, as plain functions over one set of pins: the only
// code that knows Verilator's types. rtl_system.cpp drives it cycle by cycle.
#ifndef CS_LOCKSTEP_RTL_DIE_HPP
#define CS_LOCKSTEP_RTL_DIE_HPP

#include <cstdint>
#include <memory>
#include <string>

#include "drivers/environment.h"
#include "models/hpm/hpm.h"

namespace cs
{

// What an elaborated die has. Anything smaller runs on it by straps.
struct DieSize {
    const char *name;
    unsigned clusters; // 0: no PMCU; the next three count for nothing then
    unsigned slots;
    unsigned counters;
    unsigned lanes;
    unsigned imc_cores; // 0: none
    unsigned threads;
    bool nest;
    unsigned harts;   // 0: none
    unsigned bridges; // to uncore units; 0: none
    unsigned units;   // of a bridge

    bool pmcu() const
    {
        return clusters != 0;
    }
    // In the order of the fabric: CPU port, lanes, IMC cores, nest, harts.
    unsigned managers() const
    {
        return first_hart() + harts;
    }
    // The manager that is hart 0.
    unsigned first_hart() const
    {
        return 1 + (pmcu() ? lanes : 0) + imc_cores + nest;
    }
    // Memory, PMCU, clusters, SPR and SCOM bridge, uncore bridges, hole.
    unsigned paths() const
    {
        return 2 + (pmcu() ? 1 + clusters : 0) + (imc_cores != 0 ? 2 : 0) + bridges;
    }
};

// One manager's channels as they are in a cycle.
struct ManagerPins {
    bool ar_valid, ar_ready, r_valid, r_ready, r_last;
    bool aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
    uint64_t ar_addr, aw_addr, r_data, w_data;
    uint8_t ar_len, ar_size, aw_len, aw_size, r_resp, b_resp, w_strb;
};

// What a port of software drives.
struct CpuPins {
    bool ar_valid, r_ready, aw_valid, w_valid, w_last, b_ready;
    uint64_t ar_addr, aw_addr, w_data;
    uint8_t ar_len, ar_size, aw_len, aw_size, w_strb;
};

struct AccessPins {
    bool valid, write, wide, err;
    uint64_t addr;
    uint64_t wdata, rdata;
};

// A sample of an IMC core (`stream` is the thread) or of the nest (the group).
struct SamplePins {
    unsigned stream;
    uint64_t addr;
    uint32_t number, bytes;
    uint8_t resp;
    uint64_t snapshot; // its cycle
};

// The increments of a hart in one cycle; of the counters, by number.
struct HartPins {
    uint8_t cycles, instructions;
    uint8_t by_counter[32];
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
    virtual bool irq() const = 0;
    virtual unsigned state() const = 0;
    virtual bool sample(uint64_t &addr, uint32_t &number, uint32_t &bytes) const = 0;
    // By the RTL's own core index, see core_index().
    virtual bool counting(unsigned core) const = 0;
    virtual uint16_t event(unsigned core, unsigned counter) const = 0;
    virtual bool capture(unsigned core) const = 0;

    // IMC; threads by the RTL's own index, see thread_index().
    virtual unsigned imc_state(unsigned core) const = 0;
    virtual bool imc_active(unsigned thread, unsigned code[2]) const = 0;
    virtual bool imc_capture(unsigned thread) const = 0;
    virtual unsigned nest_status() const = 0;

    virtual uint32_t hart_counting(unsigned hart) const = 0; // bit n: counter n
    virtual uint16_t hart_event(unsigned hart, unsigned counter) const = 0;
    virtual unsigned hart_lines(unsigned hart) const = 0;

    // Uncore; units by the RTL's own index, see unit_index().
    virtual uint32_t uncore_counting(unsigned unit) const = 0; // bit n: counter n
    virtual uint16_t uncore_event(unsigned unit, unsigned counter) const = 0;
    virtual bool uncore_irq(unsigned unit) const = 0;

    // --- inputs, between rise() and settle() ---
    virtual void answer_check(unsigned path, bool error, uint32_t stall) = 0;
    virtual void answer_storage(uint64_t data) = 0;
    // Increments of all counters, 4 bits each, and of the cycle counter.
    virtual void increments(unsigned core, const uint8_t *by_counter, uint8_t cycles) = 0;
    virtual void mode(unsigned core, unsigned mode) = 0;
    virtual void context(unsigned core, uint64_t pc, uint32_t cid1, uint32_t cid2) = 0;
    virtual void port(unsigned number, const CpuPins &pins) = 0; // 0 the CPU, 1 + h hart h
    virtual void imc_power(unsigned core, bool on) = 0;
    virtual void imc_increments(unsigned thread, const uint8_t by_cpmc[4]) = 0;
    virtual void imc_mode(unsigned thread, unsigned mode) = 0;
    virtual void imc_context(unsigned thread, uint64_t pc, uint32_t pid, uint32_t lpid) = 0;
    virtual void nest_increment(unsigned counter, uint8_t increment) = 0;
    virtual void hart_increments(unsigned hart, const HartPins &pins) = 0;
    virtual void hart_mode(unsigned hart, unsigned code) = 0;
    virtual void uncore_increment(unsigned unit, unsigned counter, uint8_t increment) = 0;
    virtual void hart_access(unsigned hart, const cs_hpm_access *access) = 0; // NULL: none

    // --- valid after settle() ---
    virtual bool storage_write(uint64_t &addr, uint64_t &data, uint8_t &enables) const = 0;
    virtual bool storage_commit() const = 0;
    virtual ManagerPins manager(unsigned number) const = 0;
    virtual AccessPins access(unsigned bridge) const = 0; // 0 PMCU, 1 + k cluster k
    virtual AccessPins imc_access(bool scom) const = 0;
    virtual AccessPins uncore_access(unsigned bridge) const = 0;
    virtual bool imc_sample(unsigned core, SamplePins &out) const = 0;
    virtual bool imc_lost(unsigned thread) const = 0;
    virtual bool imc_dropped(unsigned thread, uint64_t &addr, uint64_t &snapshot) const = 0;
    virtual bool nest_sample(SamplePins &out) const = 0;
    virtual cs_hpm_result hart_result(unsigned hart) const = 0;

    unsigned core_index(unsigned cluster, unsigned slot) const
    {
        return slot + size().slots * cluster;
    }
    unsigned thread_index(unsigned core, unsigned thread) const
    {
        return thread + size().threads * core;
    }
    unsigned unit_index(unsigned bridge, unsigned slot) const
    {
        return slot + size().units * bridge;
    }
};

// The smallest die of this build that holds the scenario; null, and in `sizes` what there
// is, when none does.
std::unique_ptr<RtlDie> make_rtl_die(const cs_scenario &scenario, std::string &sizes);

} // namespace cs

#endif

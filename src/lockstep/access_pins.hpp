// SPDX-License-Identifier: Apache-2.0
// Register accesses as bridges show them (src/rtl/bus/reg_bus_pkg.sv), as records.
#ifndef CS_LOCKSTEP_ACCESS_PINS_HPP
#define CS_LOCKSTEP_ACCESS_PINS_HPP

#include "lockstep/pin.hpp"
#include "reg_bus_pkg.hpp"
#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/probe/probe.h>

namespace cs
{

// A bridge's access in this cycle, if there is one.
class AccessPins
{
  public:
    AccessPins(Pin pin, unsigned bridge) : pin_(pin), at_(reg_bus_pkg::AccBits * bridge) {}

    bool valid() const
    {
        return pin_.bit(at_ + reg_bus_pkg::AccValid);
    }

    // Of its start in the bridge's window.
    uint64_t addr() const
    {
        return pin_.get(at_ + reg_bus_pkg::AccAddr, 36);
    }

    // The slot behind a bridge that has several, and the offset in it.
    unsigned slot() const
    {
        return static_cast<unsigned>(addr() >> 16 & 0xf);
    }
    uint64_t offset() const
    {
        return addr() & 0xffff;
    }

    cs_probe_record record(cs_cycle now, unsigned source, uint64_t addr) const
    {
        const bool wide = pin_.bit(at_ + reg_bus_pkg::AccWide);
        cs_probe_record record = {};

        record.cycle = now;
        record.kind = CS_PROBE_REG;
        record.write = pin_.bit(at_ + reg_bus_pkg::AccWrite);
        record.resp = pin_.bit(at_ + reg_bus_pkg::AccErr) ? CS_BUS_SLVERR : CS_BUS_OKAY;
        record.source = static_cast<uint16_t>(source);
        record.addr = addr;
        record.value =
            pin_.get(at_ + (record.write ? reg_bus_pkg::AccWData : reg_bus_pkg::AccRData), 64);
        if (!wide)
            record.value &= 0xffffffff;
        record.bytes = wide ? 8 : 4;
        return record;
    }

  private:
    Pin pin_;
    unsigned at_;
};

// Slot 15 of a bridge is all its slots.
constexpr unsigned kBroadcastSlot = 15;

} // namespace cs

#endif

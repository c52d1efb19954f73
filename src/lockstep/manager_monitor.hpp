// SPDX-License-Identifier: Apache-2.0
// Makes BUS records from the wires of one manager port.
#ifndef CS_LOCKSTEP_MANAGER_MONITOR_HPP
#define CS_LOCKSTEP_MANAGER_MONITOR_HPP

#include "lockstep/manager_pins.hpp"
#include <countersink/base/bus/bus_port.h>
#include <countersink/base/probe/probe.h>

namespace cs
{

class ManagerMonitor
{
  public:
    void observe(const ManagerPins &pins, cs_cycle now, unsigned manager,
                 const cs_probe_sink *sink);

  private:
    // A transfer of one direction on its way.
    struct Transfer {
        bool requested = false; // xVALID has been seen
        cs_cycle request = 0;
        cs_cycle grant = 0;
        uint64_t addr = 0;
        unsigned size = 0; // bytes a beat
        unsigned beats = 0;
        unsigned taken = 0; // beats so far
        uint8_t resp = 0;
        uint8_t data[CS_BUS_MAX_BYTES] = {};

        void address(bool valid, bool ready, uint64_t address, unsigned len, unsigned log_size,
                     cs_cycle now);
        void beat(uint64_t lanes);
        void complete(cs_cycle now, unsigned manager, bool write, const cs_probe_sink *sink);
    };

    Transfer read_;
    Transfer write_;
};

} // namespace cs

#endif

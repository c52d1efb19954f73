// Makes BUS records from the wires of one manager port.
#ifndef CS_LOCKSTEP_MANAGER_MONITOR_HPP
#define CS_LOCKSTEP_MANAGER_MONITOR_HPP

#include "base/bus/bus_port.h"
#include "base/probe/probe.h"
#include "lockstep/manager_pins.hpp"

namespace cs
{

class ManagerMonitor
{
  public:
    void observe(const ManagerPins &pins, cycle_t now, unsigned manager, const cs_probe_sink *sink);

  private:
    // A transfer of one direction on its way.
    struct Transfer {
        bool requested = false; // xVALID has been seen
        cycle_t request = 0;
        cycle_t grant = 0;
        uint64_t addr = 0;
        unsigned size = 0; // bytes a beat
        unsigned beats = 0;
        unsigned taken = 0; // beats so far
        uint8_t resp = 0;
        uint8_t data[CS_BUS_MAX_BYTES] = {};

        void address(bool valid, bool ready, uint64_t address, unsigned len, unsigned log_size,
                     cycle_t now);
        void beat(uint64_t lanes);
        void complete(cycle_t now, unsigned manager, bool write, const cs_probe_sink *sink);
    };

    Transfer read_;
    Transfer write_;
};

} // namespace cs

#endif

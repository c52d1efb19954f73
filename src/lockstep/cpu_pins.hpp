// SPDX-License-Identifier: Apache-2.0
// The CPU port's transfers as AXI4 pins: at most one at a time, always ready for the answer.
#ifndef CS_LOCKSTEP_CPU_PINS_HPP
#define CS_LOCKSTEP_CPU_PINS_HPP

#include "lockstep/manager_pins.hpp"
#include <countersink/base/bus/bus_port.h>

namespace cs
{

class CpuBus
{
  public:
    // The port to hand to cs_cpu: every transfer is pending.
    cs_bus_port port();

    // What to drive in cycle `now`.
    CpuPins pins(cs_cycle now);

    // Looks at the handshakes of cycle `now`; the transfer, if it is complete with it.
    const cs_bus_txn *observe(const ManagerPins &pins, cs_cycle now);

  private:
    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn);

    cs_bus_txn *txn_ = nullptr;
    bool address_taken_ = false;
    unsigned beats_ = 0; // taken
};

} // namespace cs

#endif

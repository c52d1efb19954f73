// SPDX-License-Identifier: Apache-2.0
// AXI4 bundles (src/rtl/bus/bus_pkg.sv) as plain structures.
#ifndef CS_LOCKSTEP_MANAGER_PINS_HPP
#define CS_LOCKSTEP_MANAGER_PINS_HPP

#include "lockstep/pin.hpp"

namespace cs
{

// One manager's channels as they are in a cycle. Of a channel without VALID nothing else is filled in.
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

// The requests and responses of all managers.
class ManagerPort
{
  public:
    ManagerPort() = default;
    ManagerPort(Pin requests, Pin responses) : requests_(requests), responses_(responses) {}

    ManagerPins at(unsigned place) const;

  private:
    Pin requests_, responses_;
};

// A request of a port of software.
class RequestPins
{
  public:
    // Request `n` of those at these pins.
    RequestPins(Pin requests, unsigned n) : requests_(requests), n_(n) {}

    void drive(const CpuPins &pins);

  private:
    void write(const CpuPins &pins);

    Pin requests_;
    unsigned n_;
    bool driven_ = false;
    CpuPins last_ = {};
};

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
// Internal to the fabric: one transfer on its way, and the two sides on which it meets TLM.
#ifndef CS_BUS_FABRIC_FABRIC_TRANSFER_HPP
#define CS_BUS_FABRIC_FABRIC_TRANSFER_HPP

#include <deque>

#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/transfer_times.hpp>

namespace cs
{

struct Fabric::Transfer {
    tlm::tlm_generic_payload *payload = nullptr;
    unsigned requester = 0; // 2 * manager + write
    unsigned target = 0;    // its number; that of the hole is the number of targets
    unsigned beats = 1;
    bool write = false;
    bool error = false; // the fabric answers, no target is asked
    bool blocking = false;
    bool done = false;
    cs_bus_resp resp = CS_BUS_OKAY; // the fabric's own, where error is set
    cs_cycle request = 0;
    cs_cycle grant = 0;
    cs_cycle effect = 0;
    cs_cycle complete = 0;
    Transfer *next = nullptr;                  // of its requester, or unused
    std::unique_ptr<sc_core::sc_event> change; // what a thread in b_transport waits for

    unsigned manager() const
    {
        return requester / 2;
    }
};

// The head is outstanding, the others have not risen yet.
struct Fabric::Requester {
    Transfer *head = nullptr;
    Transfer *tail = nullptr;
};

class Fabric::ManagerSide : public tlm::tlm_fw_transport_if<>
{
  public:
    ManagerSide(Fabric &fabric, unsigned index) : fabric_(fabric), index_(index) {}

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        return fabric_.forward(index_, payload, phase, delay);
    }
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override
    {
        fabric_.blocking(index_, payload, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override
    {
        return false;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &payload) override
    {
        return fabric_.debug(payload);
    }

    // The base protocol lets one response of a socket be open at a time: others queue here.
    bool response_open = false;
    std::deque<tlm::tlm_generic_payload *> responses;

  private:
    Fabric &fabric_;
    unsigned index_;
};

// Targets are called with b_transport only, so nothing comes back this way.
class Fabric::TargetSide : public tlm::tlm_bw_transport_if<>
{
  public:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

} // namespace cs

#endif

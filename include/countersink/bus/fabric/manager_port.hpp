// SPDX-License-Identifier: Apache-2.0
// From the bus port of a C model (countersink/base/bus/bus_port.h) to a TLM-2.0 initiator socket, one port.
// Payloads are used again and again: no transfer allocates once there are two of them.
#ifndef CS_BUS_FABRIC_MANAGER_PORT_HPP
#define CS_BUS_FABRIC_MANAGER_PORT_HPP

#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

#include <countersink/base/bus/bus_port.h>
#include <countersink/bus/fabric/agent.hpp>
#include <countersink/bus/fabric/clock.hpp>
#include <countersink/bus/fabric/transfer_times.hpp>

namespace cs
{

class ManagerPort : public tlm::tlm_bw_transport_if<>, public tlm::tlm_mm_interface
{
  public:
    // Whom a pending transfer is handed back to, in the cycle of its completion.
    class Owner
    {
      public:
        virtual void bus_done(unsigned port, cs_bus_txn *txn) = 0;

      protected:
        ~Owner() = default;
    };

    ManagerPort(const char *name, unsigned port, const Clock &clock, Owner &owner);
    ~ManagerPort() override;

    tlm::tlm_initiator_socket<64> socket;

    // Transfers are offered to `direct` (borrowed) first, as those of manager `manager`.
    void set_direct(DirectBus *direct, unsigned manager)
    {
        direct_ = direct;
        manager_ = manager;
    }

    // As cs_bus_port.submit. txn stays the caller's, who keeps it until it is complete.
    cs_bus_submit submit(cs_bus_txn *txn)
    {
        return carry_out(*txn) ? CS_BUS_DONE : submit_by_tlm(txn);
    }
    // The two ways of it; see DirectBus.
    bool carry_out(cs_bus_txn &txn)
    {
        return direct_ != nullptr && direct_->carry_out(manager_, txn);
    }
    cs_bus_submit submit_by_tlm(cs_bus_txn *txn);

    Turn turn(const cs_bus_txn &txn) const
    {
        return direct_ != nullptr ? direct_->turn(manager_, txn) : Turn{CS_NEVER, 0};
    }

    // At least one transfer is CS_BUS_PENDING.
    bool pending() const
    {
        return open_[0].payload != nullptr || open_[1].payload != nullptr;
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void free(tlm::tlm_generic_payload *payload) override
    {
        free_.push_back(payload);
    }

  private:
    struct Open {
        tlm::tlm_generic_payload *payload = nullptr; // NULL: none
        cs_bus_txn *txn = nullptr;
    };

    tlm::tlm_generic_payload &take();
    void finish(cs_bus_txn *txn, tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay);

    unsigned port_;
    DirectBus *direct_ = nullptr;
    unsigned manager_ = 0;
    const Clock &clock_;
    Owner &owner_;
    Open open_[2]; // a read, a write
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> payloads_;
    std::vector<tlm::tlm_generic_payload *> free_;
};

} // namespace cs

#endif

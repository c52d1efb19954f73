// SPDX-License-Identifier: Apache-2.0
// The bridge of a cluster: slower by a clock ratio, and with posted writes (docs/hw/bus.md, "The
// bridge of a cluster").
#ifndef CS_BUS_COREPMU_DEBUG_BRIDGE_HPP
#define CS_BUS_COREPMU_DEBUG_BRIDGE_HPP

#include <deque>
#include <vector>

#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/register_access.hpp>

namespace cs
{

struct DebugBusConfig {
    unsigned ratio = 1;
    unsigned access_cycles = 1; // of the debug bus
    unsigned posted = 0;        // places
};

class DebugBridge : public sc_core::sc_module,
                    public Planner,
                    public Agent,
                    private tlm::tlm_fw_transport_if<>
{
  public:
    SC_HAS_PROCESS(DebugBridge);

    DebugBridge(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                const DebugBusConfig &config, std::vector<RegisterSlot> slots,
                const cs_probe_sink *probe, uint16_t broadcast_unit);

    tlm::tlm_target_socket<64> socket;

    Plan plan(const tlm::tlm_generic_payload &payload, cs_cycle address) const override;

    // What is posted: the fabric has to know of it where units are seen without a transfer.
    cs_cycle earliest() const override;
    bool alone(cs_cycle) const override
    {
        return true;
    }

  private:
    // A write that has been answered; it takes effect in `effect`.
    struct Posted {
        cs_cycle effect;
        RegisterRequest request;
    };

    cs_cycle effect_from(cs_cycle start) const;
    cs_cycle room_from(cs_cycle cycle) const;
    bool posts(const tlm::tlm_generic_payload &payload) const;
    void drain(cs_cycle end);
    void due();
    void read(tlm::tlm_generic_payload &payload, cs_cycle cycle);

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override
    {
        return false;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &payload) override;

    Clock clock_;
    DebugBusConfig config_;
    RegisterAccess access_;
    std::deque<Posted> posted_; // in their order; those that took effect may still be there
    cs_cycle free_ = 0;         // the first cycle in which no access is waiting or under way
    uint32_t late_ = 0;         // slots with an error that nobody has been told
    sc_core::sc_event due_;
};

} // namespace cs

#endif

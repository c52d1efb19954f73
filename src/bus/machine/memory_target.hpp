// SPDX-License-Identifier: Apache-2.0
// A cs_memory behind a TLM-2.0 target socket. It takes no time: the fabric knows the memory
// controller's latencies (timing.hpp); on another interconnect it is an ideal memory.
#ifndef CS_BUS_MACHINE_MEMORY_TARGET_HPP
#define CS_BUS_MACHINE_MEMORY_TARGET_HPP

#include <systemc>
#include <tlm>

#include <countersink/base/bus/memory.h>

namespace cs
{

class MemoryTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>
{
  public:
    // An address `a` of the bus is address a + offset (modulo 2^64) of `memory`, which is
    // borrowed. When a page cannot be allocated, an sc_report of severity SC_ERROR is raised.
    // `adds`: a write to an address with bit 56 adds (docs/hw/bus.md, "Adding").
    MemoryTarget(const sc_core::sc_module_name &name, cs_memory *memory, uint64_t offset = 0,
                 bool adds = false);

    tlm::tlm_target_socket<64> socket;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload &payload) override;

  private:
    void write(uint64_t addr, const tlm::tlm_generic_payload &payload);
    void add(uint64_t addr, const tlm::tlm_generic_payload &payload);

    cs_memory *memory_;
    uint64_t offset_;
    bool adds_;
};

} // namespace cs

#endif

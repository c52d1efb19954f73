// SPDX-License-Identifier: Apache-2.0
// The register bridge of docs/hw/bus.md, without its timing (which is the fabric's): slots of
// 64 KiB with a unit's registers each, a broadcast slot, errors, and the REG records.
#ifndef CS_BUS_FABRIC_REGISTER_ACCESS_HPP
#define CS_BUS_FABRIC_REGISTER_ACCESS_HPP

#include <vector>

#include <systemc>
#include <tlm>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/probe/probe.h>
#include <countersink/bus/fabric/clock.hpp>

namespace cs
{

// A unit's register port. The effect is in `cycle`; `wide`: 8 bytes, else 4, in the low half.
// True is an error response; a read gives 0 then.
class RegisterPort
{
  public:
    virtual ~RegisterPort() = default;
    virtual bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) = 0;
    virtual bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) = 0;
    // What a read in `cycle` would give, for a debugger: it is no access and changes nothing. A port
    // without an answer gives an error.
    virtual bool ask(cs_cycle, uint32_t, bool, uint64_t &)
    {
        return true;
    }
};

// How an address becomes what the units and the records are told.
struct RegisterMap {
    uint64_t mask = 0xffff;
    unsigned shift = 0;
    bool one_slot = false; // else bits 19:16 are the slot
};

struct RegisterSlot {
    RegisterPort *port = nullptr; // borrowed; NULL: absent
    uint16_t unit = 0;            // `source` of its records
};

// An access as the units see it.
struct RegisterRequest {
    bool write = false;
    uint64_t address = 0;
    unsigned bytes = 4; // or 8
    uint64_t data = 0;  // of a write; what a read gave
};

// The effect cycle of an access is the first that begins at or after its annotated time, at the
// earliest the one after the last access; where it had to wait, the annotated time grows.
class RegisterAccess : public tlm::tlm_fw_transport_if<>
{
  public:
    static constexpr unsigned kBroadcastSlot = 15;

    // `probe` is borrowed and may be NULL.
    RegisterAccess(const Clock &clock, std::vector<RegisterSlot> slots, const cs_probe_sink *probe,
                   RegisterMap map = {});

    // From now on slot 15 is all slots at once; `unit` is the source of its records.
    void enable_broadcast(uint16_t unit);

    // True: it is no access, and no unit sees it.
    static bool malformed(const tlm::tlm_generic_payload &payload);
    static RegisterRequest request_of(const tlm::tlm_generic_payload &payload);
    // Whether a write to this address reaches a unit, or all of them.
    bool reaches(uint64_t address) const;
    bool is_broadcast(uint64_t address) const;
    // Carries it out in `cycle`, with its record. True: an error.
    bool carry_out(RegisterRequest &request, cs_cycle cycle) const;

    // The way past TLM (DirectBus), of a single beat: whether it is an access, and none before it is to be
    // waited for; and the access itself. What the bridge sees are addresses less `base`.
    bool takes(const cs_bus_txn &txn, cs_cycle effect) const
    {
        return txn.size >= 4 && effect >= free_;
    }
    void carry_out(cs_bus_txn &txn, uint64_t base, cs_cycle effect);

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override
    {
        return false;
    }
    // Registers can be read this way, one at a time, and not written.
    unsigned transport_dbg(tlm::tlm_generic_payload &payload) override;

  private:
    uint32_t offset_of(uint64_t address) const
    {
        return static_cast<uint32_t>((address & map_.mask) >> map_.shift);
    }
    unsigned slot_of(uint64_t address) const
    {
        return map_.one_slot ? 0 : address >> 16 & 0xf;
    }
    bool access(tlm::tlm_generic_payload &payload, cs_cycle cycle);
    void record(const RegisterRequest &request, cs_cycle cycle, uint16_t unit, bool error) const;

    const Clock &clock_;
    std::vector<RegisterSlot> slots_;
    const cs_probe_sink *probe_;
    RegisterMap map_;
    bool broadcast_ = false;
    uint16_t broadcast_unit_ = 0;
    cs_cycle free_ = 0; // the first cycle without an access
};

// The same as a module of its own.
class RegisterBridge : public sc_core::sc_module
{
  public:
    RegisterBridge(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                   std::vector<RegisterSlot> slots, const cs_probe_sink *probe)
        : sc_core::sc_module(name), socket("socket"), clock_(period),
          access_(clock_, std::move(slots), probe)
    {
        socket.bind(access_);
    }

    tlm::tlm_target_socket<64> socket;

    // From now on slot 15 is all slots at once; `unit` is the source of its records.
    void enable_broadcast(uint16_t unit)
    {
        access_.enable_broadcast(unit);
    }

    RegisterAccess &access()
    {
        return access_;
    }

  private:
    Clock clock_;
    RegisterAccess access_;
};

} // namespace cs

#endif

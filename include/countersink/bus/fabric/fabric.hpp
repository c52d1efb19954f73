// SPDX-License-Identifier: Apache-2.0
// The fabric of docs/hw/bus.md as a TLM-2.0 module: a standard target socket for each manager,
// a standard initiator socket for each target. All timing is computed here.
//
// Managers: nb_transport_fw(BEGIN_REQ) is answered TLM_COMPLETED with the time annotated, where
// nothing can interfere before the completion, or TLM_ACCEPTED and BEGIN_RESP at the completion;
// or b_transport from a thread. A request is seen in the first cycle that begins at or after its
// annotated time, at the earliest in the cycle after the one that is going on. More than one
// read or write of a manager at a time wait for each other.
//
// Targets: b_transport in the effect cycle, from a method process: a target must not wait() but
// may annotate delay, which prolongs the transfer by whole cycles.
#ifndef CS_BUS_FABRIC_FABRIC_HPP
#define CS_BUS_FABRIC_FABRIC_HPP

#include <array>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/bus/guard.h>
#include <countersink/base/bus/memory.h>
#include <countersink/base/probe/probe.h>
#include <countersink/bus/fabric/agent.hpp>
#include <countersink/bus/fabric/clock.hpp>
#include <countersink/bus/fabric/timing.hpp>

namespace cs
{

// When a target is to be called, and when the transfer would be complete if nothing were returned
// late: return_cycles comes on top.
struct Plan {
    cs_cycle effect, complete;
};

// A target whose times depend on what it still has to do.
class Planner
{
  public:
    // Of a transfer with its address at the target in cycle `address`. It is the only one up to its
    // completion; asked once or more before the call.
    virtual Plan plan(const tlm::tlm_generic_payload &payload, cs_cycle address) const = 0;

  protected:
    ~Planner() = default;
};

class RegisterAccess;

struct TargetConfig {
    uint64_t base = 0;
    uint64_t size = 0; // bytes; windows do not overlap
    TargetTiming timing;
    bool local_address = false; // the target sees addresses from 0, not those of the bus
    bool adds = false;          // bit 56 of an address leads here too (docs/hw/bus.md, "Adding")
    const Planner *planner = nullptr;    // of kind planned
    const Agent *owner = nullptr;        // the agent whose registers these are, if it is one
    cs_memory *memory = nullptr;         // what is behind it, if it is plain memory (borrowed)
    uint64_t memory_offset = 0;          // added to a bus address
    RegisterAccess *registers = nullptr; // what is behind it, if it is a plain bridge (borrowed)
};

struct FabricConfig {
    sc_core::sc_time period; // see Clock::usable
    bool per_target = false; // arbitration: a path for each target, else one shared path
    unsigned forward_cycles = 2;
    unsigned return_cycles = 2;
    unsigned managers = 1;                 // 1..128
    std::vector<uint16_t> manager_numbers; // in records; empty: their indices
    std::vector<TargetConfig> targets;
    cs_guard *guard = nullptr;            // borrowed; NULL allows everything
    const cs_probe_sink *probe = nullptr; // borrowed; may be NULL
    bool early_completion = true;         // false: always the long way; no result depends on it
};

class Fabric : public sc_core::sc_module, public Lookahead, public DirectBus
{
  public:
    SC_HAS_PROCESS(Fabric);

    // A configuration that is out of range is an sc_report of severity SC_ERROR.
    Fabric(const sc_core::sc_module_name &name, const FabricConfig &config);
    ~Fabric() override;

    sc_core::sc_vector<tlm::tlm_target_socket<64>> manager;
    sc_core::sc_vector<tlm::tlm_initiator_socket<64>> target;

    // Manager socket `index` belongs to `agent` (borrowed), which then can be asked when it
    // will do something. As long as one manager has no agent, nothing is completed early.
    // To be called before the simulation starts.
    void attach(unsigned index, Agent &agent);

    // An agent without a socket, which others see all the same.
    void watch(Agent &agent);

    // Nothing runs ahead to `limit` or beyond it: the cycle in which the caller will look at
    // the simulation. CS_NEVER (as in the beginning): no limit.
    void set_limit(cs_cycle limit)
    {
        limit_ = limit;
    }

    cs_cycle horizon(const Agent &self) const override;
    cs_cycle limit() const override
    {
        return limit_;
    }
    bool carry_out(unsigned manager, cs_bus_txn &txn) override;
    Turn turn(unsigned manager, const cs_bus_txn &txn) const override;

    // Transfers that were answered at once, and all others.
    uint64_t completed_early() const
    {
        return early_;
    }
    uint64_t completed_late() const
    {
        return late_;
    }

    static constexpr unsigned kMaxManagers = 128;

  private:
    static constexpr unsigned kWords = 2 * kMaxManagers / 64;

    struct Transfer;
    struct Requester;
    class ManagerSide;
    class TargetSide;

    enum class Step { pick, check, effect, complete };

    // A path of the page: at most one transfer, and what it waits for next.
    struct Path {
        cs_cycle due = CS_NEVER; // of `step`
        Step step = Step::pick;
        cs_cycle idle = 0; // the first cycle in which it is IDLE, when current is NULL
        std::array<uint64_t, kWords> waiting{}; // requesters that have not been picked yet, as bits
        unsigned search = 0;                    // where round robin starts
        Transfer *current = nullptr;
    };

    void end_of_elaboration() override;

    // The calendar (fabric.cpp)
    void work();
    void run_step(Path &path);
    void pick(Path &path, cs_cycle now);
    void check(Transfer &x);
    Plan times(const Transfer &x, cs_cycle address) const;
    void call_target(Transfer &x);
    void finish(Path &path, Transfer &x);
    void respond(Transfer &x) const;
    uint16_t number_of(unsigned manager) const;
    bool complete_early(Transfer &x);
    void enqueue(Transfer &x);
    void arm(Transfer &x);
    void plan_pick(Path &path);
    void wake_up();
    Path &path_of(const Transfer &x);

    // Past TLM (fabric_direct.cpp)
    unsigned direct_target(const cs_bus_txn &txn) const;
    bool is_next(const Agent &self, cs_cycle alone_until, cs_cycle complete) const;
    bool carry_out_memory(const Agent &self, const TargetConfig &to, cs_cycle picked,
                          cs_bus_txn &txn) const;
    bool carry_out_registers(const Agent &self, const TargetConfig &to, cs_cycle picked,
                             cs_bus_txn &txn) const;
    void emit_transfer(unsigned manager, const cs_bus_txn &txn) const;

    // Where it meets TLM (fabric_transport.cpp)
    tlm::tlm_sync_enum forward(unsigned index, tlm::tlm_generic_payload &payload,
                               tlm::tlm_phase &phase, sc_core::sc_time &delay);
    void blocking(unsigned index, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    unsigned debug(tlm::tlm_generic_payload &payload);
    bool begin(Transfer &x, sc_core::sc_time &delay);
    void deliver(Transfer &x);
    void send_response(unsigned index, tlm::tlm_generic_payload &payload);
    void end_response(unsigned index);
    Transfer &describe(unsigned index, tlm::tlm_generic_payload &payload,
                       const sc_core::sc_time &delay);
    unsigned decode(uint64_t addr) const;
    unsigned window(uint64_t addr) const;
    void give_back(Transfer &x);

    FabricConfig config_;
    Clock clock_;
    std::vector<Path> paths_;
    std::vector<Requester> requesters_;
    std::vector<std::unique_ptr<ManagerSide>> managers_;
    std::unique_ptr<TargetSide> target_side_;
    std::vector<tlm::tlm_fw_transport_if<> *> targets_; // behind the initiator sockets
    std::vector<Agent *> agent_of_;                     // by manager
    std::vector<Agent *> agents_;                       // each once
    bool foreign_ = false;                              // some manager has no agent
    bool unguarded_ = false;                            // transfers may be carried out past TLM
    mutable unsigned last_target_ = 0;
    std::vector<std::unique_ptr<Transfer>> transfers_;
    Transfer *unused_ = nullptr;
    unsigned open_ = 0; // transfers that are not complete
    cs_cycle limit_ = CS_NEVER;
    sc_core::sc_event wake_;
    cs_cycle wake_at_ = CS_NEVER;
    uint64_t early_ = 0;
    uint64_t late_ = 0;
};

} // namespace cs

#endif

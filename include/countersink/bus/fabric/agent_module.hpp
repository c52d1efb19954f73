// SPDX-License-Identifier: Apache-2.0
// A C model that acts by itself, as a SystemC module: one method process that executes the
// model's cycles, each at the second half of its cycle, or ahead of SystemC's time as far as the
// fabric allows (agent.hpp). What does nothing costs nothing.
#ifndef CS_BUS_FABRIC_AGENT_MODULE_HPP
#define CS_BUS_FABRIC_AGENT_MODULE_HPP

#include <memory>
#include <vector>

#include <systemc>

#include <countersink/bus/fabric/agent.hpp>
#include <countersink/bus/fabric/clock.hpp>
#include <countersink/bus/fabric/manager_port.hpp>

namespace cs
{

class Fabric;

class AgentModule : public sc_core::sc_module, public Agent, public ManagerPort::Owner
{
  public:
    SC_HAS_PROCESS(AgentModule);

    AgentModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period);

    // Its initiator sockets, to be bound to any interconnect.
    tlm::tlm_initiator_socket<64> &socket(unsigned index = 0)
    {
        return ports_.at(index)->socket;
    }

    // Binds a socket to manager `manager` of a fabric of ours, so that both may run ahead. To be called
    // before the simulation starts.
    void connect(Fabric &fabric, unsigned manager, unsigned index = 0);

    // The same of one without a socket.
    void connect(Fabric &fabric);

    // Without one the model is executed at SystemC's time only. Borrowed.
    void set_lookahead(const Lookahead *lookahead)
    {
        lookahead_ = lookahead;
    }

  protected:
    // The next socket; bus_done() names it by its index.
    ManagerPort &add_port(const char *name);

    ManagerPort &port(unsigned index) const
    {
        return *ports_[index];
    }
    // At least one transfer of any of them is CS_BUS_PENDING.
    bool pending() const
    {
        for (const auto &each : ports_)
            if (each->pending())
                return true;
        return false;
    }

    // The model's next(): the earliest cycle whose execution changes anything.
    virtual cs_cycle next() const = 0;
    // The model's advance(): all cycles up to and with this one; and further, where that is known
    // to be below the horizon.
    virtual void execute(cs_cycle cycle) = 0;

    // To be called after every input of the model.
    void wake();

    // The model may execute every cycle below this one at once; see Lookahead.
    cs_cycle horizon() const
    {
        return lookahead_ != nullptr ? lookahead_->horizon(*this) : 0;
    }

    // What nobody else can see of the model may be executed below this cycle.
    cs_cycle limit() const
    {
        return lookahead_ != nullptr ? lookahead_->limit() : 0;
    }

    // Begins at the first step; nothing may be submitted before.
    void start_of_simulation() override;

    Clock clock_;

  private:
    void step();
    void plan(cs_cycle cycle);

    std::vector<std::unique_ptr<ManagerPort>> ports_;
    const Lookahead *lookahead_ = nullptr;
    bool stepping_ = false;
    cs_cycle planned_ = CS_NEVER;
    sc_core::sc_event due_;
};

// The first cycle in which something that is executed in `cycle` can be seen.
inline cs_cycle seen_after(cs_cycle cycle)
{
    return cycle == CS_NEVER ? CS_NEVER : cycle + 1;
}

} // namespace cs

#endif

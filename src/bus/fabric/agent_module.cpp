// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/fabric/agent_module.hpp>

#include <countersink/bus/fabric/fabric.hpp>

namespace cs
{

AgentModule::AgentModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period)
    : sc_core::sc_module(name), clock_(period), due_("due")
{
    SC_METHOD(step);
    sensitive << due_;
    dont_initialize();
}

ManagerPort &AgentModule::add_port(const char *name)
{
    const auto index = static_cast<unsigned>(ports_.size());

    ports_.push_back(std::make_unique<ManagerPort>(name, index, clock_, *this));
    return *ports_.back();
}

void AgentModule::connect(Fabric &fabric, unsigned manager, unsigned index)
{
    socket(index).bind(fabric.manager[manager]);
    port(index).set_direct(&fabric, manager);
    fabric.attach(manager, *this);
    set_lookahead(&fabric);
}

void AgentModule::connect(Fabric &fabric)
{
    fabric.watch(*this);
    set_lookahead(&fabric);
}

void AgentModule::start_of_simulation()
{
    wake();
}

void AgentModule::plan(cs_cycle cycle)
{
    if (cycle >= planned_ || cycle > clock_.last())
        return;
    planned_ = cycle;
    due_.notify(clock_.until_step(cycle));
}

void AgentModule::wake()
{
    if (!stepping_)
        plan(next());
}

void AgentModule::step()
{
    const cs_cycle here = clock_.cycle();

    planned_ = CS_NEVER;
    stepping_ = true;
    for (;;) {
        const cs_cycle cycle = next();
        if (cycle > here && cycle >= horizon()) {
            plan(cycle);
            break;
        }
        execute(cycle);
    }
    stepping_ = false;
}

} // namespace cs

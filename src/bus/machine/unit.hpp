// SPDX-License-Identifier: Apache-2.0
// A unit of the model system: all modules that it has on a scenario's die, and what they are on
// the fabric. The system knows units by this interface only; ../units.hpp has the list of them.
#ifndef CS_BUS_MACHINE_UNIT_HPP
#define CS_BUS_MACHINE_UNIT_HPP

#include <memory>

#include <systemc>
#include <tlm>

#include "bus/units.hpp"
#include "drivers/environment.h"
#include "scenario/machine/die.h"
#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/register_access.hpp>

namespace cs
{

// What units tell the rest of the system.
class UnitHost
{
  public:
    // An interrupt line (countersink/base/numbers.h) changes at the beginning of `cycle`.
    virtual void irq_changed(cs_cycle cycle, unsigned line, bool level) = 0;
    // What a CPU does from now on may differ from what its events said: software came or went.
    virtual void events_changed(unsigned cpu) = 0;
    // Some software has ended; Unit::end_cycle says when.
    virtual void software_ended() = 0;

  protected:
    ~UnitHost() = default;
};

// What a unit is made from; all of it outlives the unit.
struct UnitContext {
    cs_environment &environment;
    const cs_die &die;
    UnitHost &host;
    sc_core::sc_time period;

    const cs_scenario &scenario() const
    {
        return *environment.scenario;
    }
};

// One of the unit's modules as a manager.
struct UnitManager {
    AgentModule *agent = nullptr; // NULL: the manager is another unit's
    unsigned socket = 0;          // of the agent
};

// One of its modules as a target. The system fills in the window.
struct UnitTarget {
    tlm::tlm_target_socket<64> *socket = nullptr; // NULL: the target is another unit's
    TargetConfig config = {};
};

class Unit
{
  public:
    virtual ~Unit() = default;

    // The unit's part of the die. Asked for each manager and each target of the die.
    virtual UnitManager manager(uint16_t number)
    {
        (void)number;
        return {};
    }
    virtual UnitTarget target(const cs_die_target &place)
    {
        (void)place;
        return {};
    }

    // Those of its modules that are no managers join the fabric.
    virtual void connect(Fabric &fabric)
    {
        (void)fabric;
    }

    // UnitHost's calls, whichever unit they come from.
    virtual void irq_changed(cs_cycle cycle, unsigned line, bool level)
    {
        (void)cycle, (void)line, (void)level;
    }
    virtual void events_changed(unsigned cpu)
    {
        (void)cpu;
    }

    // The cycle in which its software ended; CS_NEVER: not yet; 0: it has none.
    virtual cs_cycle end_cycle() const
    {
        return 0;
    }
    // All records of cycles below `now` are to be sent.
    virtual void finish(cs_cycle now)
    {
        (void)now;
    }
};

// Registers behind a bridge: `access_cycles` is A of docs/hw/bus.md, "Register bridge". `owner` is the
// agent whose registers they are, if it is one: while it is at work nobody reaches them early.
inline UnitTarget register_target(tlm::tlm_target_socket<64> &socket, unsigned access_cycles,
                                  const Agent *owner = nullptr)
{
    UnitTarget target = {&socket};

    target.config.timing.kind = TargetKind::registers;
    target.config.timing.access_cycles = access_cycles;
    target.config.owner = owner;
    return target;
}

// Those of a bridge of its own may be reached past TLM.
inline UnitTarget register_target(RegisterBridge &bridge, unsigned access_cycles)
{
    UnitTarget target = register_target(bridge.socket, access_cycles);

    target.config.registers = &bridge.access();
    return target;
}

// make_<name>_unit() for each row of the list. NULL: the scenario's die has none.
#define CS_BUS_MAKE_UNIT(name) std::unique_ptr<Unit> make_##name##_unit(const UnitContext &context);
CS_BUS_UNITS(CS_BUS_MAKE_UNIT)
#undef CS_BUS_MAKE_UNIT

} // namespace cs

#endif

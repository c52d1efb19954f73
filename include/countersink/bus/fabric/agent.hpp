// SPDX-License-Identifier: Apache-2.0
// What a unit reports to the fabric about its future, and the fabric to a unit: enough to let one run
// ahead of SystemC's time while nothing else can interfere (docs/architecture.md, "Running ahead").
#ifndef CS_BUS_FABRIC_AGENT_HPP
#define CS_BUS_FABRIC_AGENT_HPP

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>

namespace cs
{

// Something that asks for transfers, through one or more manager sockets.
class Agent
{
  public:
    // The first cycle in which one of its sockets could ask for a transfer, or in which it could
    // do anything else that others see, if nothing reaches it before. CS_NEVER: not by itself.
    virtual cs_cycle earliest() const = 0;

    // Asked from within a request: can no other socket of this agent ask up to and with cycle
    // `until`?
    virtual bool alone(cs_cycle until) const = 0;

  protected:
    ~Agent() = default;
};

// When a transfer is picked, if nothing else asks meanwhile; of several of one cycle it is the one with
// the least rank.
struct Turn {
    cs_cycle cycle; // CS_NEVER: it does not go past TLM
    unsigned rank;

    bool operator<(const Turn &other) const
    {
        return cycle != other.cycle ? cycle < other.cycle : rank < other.rank;
    }
};

// A way past TLM for the ports of our own modules, with the same times and records.
class DirectBus
{
  public:
    // Carries the transfer out at once, where nothing can come before it and it goes to plain
    // memory; else does nothing and returns false.
    virtual bool carry_out(unsigned manager, cs_bus_txn &txn) = 0;

    // For an agent that keeps transfers until it knows what all its sockets ask for up to their
    // turn: the first of them can be carried out then.
    virtual Turn turn(unsigned manager, const cs_bus_txn &txn) const = 0;

  protected:
    ~DirectBus() = default;
};

// Whom a unit asks how far it may run ahead.
class Lookahead
{
  public:
    // `self` may execute every cycle below this one at once. 0: none ahead of SystemC's time.
    virtual cs_cycle horizon(const Agent &self) const = 0;

    // What nothing else can see may be executed below this cycle at any time.
    virtual cs_cycle limit() const = 0;

  protected:
    ~Lookahead() = default;
};

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
// The way past TLM, for the ports of our own modules.
#include <countersink/bus/fabric/fabric.hpp>

#include <algorithm>

#include "base/bus/big.h"
#include <countersink/base/bus/bus_port.h>
#include <countersink/bus/fabric/register_access.hpp>

namespace cs
{

// What the page allows, and nothing else: a single beat, or a burst of whole ones in a page.
static bool is_plain(const cs_bus_txn &txn)
{
    constexpr uint64_t kPage = 4096;

    return (txn.addr & (txn.size - 1u)) == 0 &&
           (txn.beats == 1 ||
            (txn.size == CS_BUS_BEAT_BYTES && txn.addr % kPage + cs_bus_txn_bytes(&txn) <= kPage));
}

// False: no host memory.
static bool store(const TargetConfig &to, const cs_bus_txn &txn)
{
    const bool adding = to.adds && txn.addr >> 56 == CS_BUS_ADD >> 56;
    const uint64_t addr = (txn.addr & ~(adding ? CS_BUS_ADD : 0)) + to.memory_offset;
    const unsigned bytes = cs_bus_txn_bytes(&txn);

    if (!adding)
        return cs_memory_write(to.memory, addr, bytes, txn.data, nullptr) == CS_OK;
    for (unsigned i = 0; i + CS_BUS_BEAT_BYTES <= bytes; i += CS_BUS_BEAT_BYTES)
        if (cs_memory_add(to.memory, addr + i, cs_big_get64(txn.data + i)) != CS_OK)
            return false;
    return true;
}

static void fetch(const TargetConfig &to, cs_bus_txn &txn)
{
    const bool adding = to.adds && txn.addr >> 56 == CS_BUS_ADD >> 56;

    cs_memory_read(to.memory, (txn.addr & ~(adding ? CS_BUS_ADD : 0)) + to.memory_offset,
                   cs_bus_txn_bytes(&txn), txn.data);
}

// The number of the target that it goes to; that of the hole where it may not go past TLM.
unsigned Fabric::direct_target(const cs_bus_txn &txn) const
{
    const auto hole = static_cast<unsigned>(config_.targets.size());

    if (open_ != 0 || !unguarded_ || !is_plain(txn))
        return hole;
    return decode(txn.addr);
}

Turn Fabric::turn(unsigned manager, const cs_bus_txn &txn) const
{
    const unsigned count = 2 * config_.managers;
    const unsigned number = direct_target(txn);

    if (number == config_.targets.size() || config_.targets[number].memory == nullptr)
        return {CS_NEVER, 0};
    const Path &path = paths_[config_.per_target ? number : 0];
    const unsigned place = 2 * manager + txn.write;
    return {std::max(txn.request, path.idle),
            place < path.search ? place + count - path.search : place - path.search};
}

// Nobody can come before it is complete.
bool Fabric::is_next(const Agent &self, cs_cycle alone_until, cs_cycle complete) const
{
    return self.alone(alone_until) && complete < horizon(self);
}

// Memory has one path: once picked, nothing that is asked for later changes this transfer, and what
// it finds comes after it. So the agent's own sockets may ask again before it is complete. Other
// agents may not: software could end the run.
bool Fabric::carry_out_memory(const Agent &self, const TargetConfig &to, cs_cycle picked,
                              cs_bus_txn &txn) const
{
    txn.complete = complete_cycle(to.timing, txn.write, txn.beats,
                                  picked + 3 + config_.forward_cycles, config_.return_cycles);
    if (!is_next(self, picked, txn.complete))
        return false;
    if (!txn.write)
        fetch(to, txn);
    else if (!store(to, txn))
        SC_REPORT_ERROR("/countersink/memory", "no host memory for the simulated memory");
    txn.resp = CS_BUS_OKAY;
    return true;
}

// The registers of a unit that is not in the middle of a step, and that has no access to be waited for.
bool Fabric::carry_out_registers(const Agent &self, const TargetConfig &to, cs_cycle picked,
                                 cs_bus_txn &txn) const
{
    const cs_cycle address = picked + 3 + config_.forward_cycles;
    const cs_cycle effect = effect_cycle(to.timing, txn.write, 1, address);

    txn.complete = complete_cycle(to.timing, txn.write, 1, address, config_.return_cycles);
    return to.owner != &self && txn.beats == 1 && to.registers->takes(txn, effect) &&
           is_next(self, txn.complete, txn.complete) &&
           (to.registers->carry_out(txn, to.local_address ? to.base : 0, effect), true);
}

bool Fabric::carry_out(unsigned manager, cs_bus_txn &txn)
{
    const Agent *self = agent_of_[manager];
    const unsigned number = direct_target(txn);

    if (self == nullptr || number == config_.targets.size())
        return false;
    const TargetConfig &to = config_.targets[number];
    Path &path = paths_[config_.per_target ? number : 0];
    const cs_cycle picked = std::max(txn.request, path.idle);
    bool done = false;

    if (to.memory != nullptr)
        done = carry_out_memory(*self, to, picked, txn);
    else if (to.registers != nullptr)
        done = carry_out_registers(*self, to, picked, txn);
    if (!done)
        return false;
    path.search = 2 * manager + txn.write + 1;
    path.idle = txn.complete + 1;
    txn.grant = picked + 1;
    early_++;
    if (config_.probe != nullptr)
        emit_transfer(manager, txn);
    return true;
}

void Fabric::emit_transfer(unsigned manager, const cs_bus_txn &txn) const
{
    cs_probe_record record = {};

    record.cycle = txn.complete;
    record.kind = CS_PROBE_BUS;
    record.write = txn.write;
    record.resp = txn.resp;
    record.source = number_of(manager);
    record.addr = txn.addr;
    record.bytes = cs_bus_txn_bytes(&txn);
    record.value = cs_probe_data(config_.probe, txn.data, record.bytes);
    record.request = txn.request;
    record.grant = txn.grant;
    cs_probe_emit(config_.probe, &record);
}

} // namespace cs

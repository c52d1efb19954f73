// SPDX-License-Identifier: Apache-2.0
#include "bus/machine/cpu_module.hpp"

#include <algorithm>
#include <string>

namespace cs
{

CpuModule::CpuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                     const std::vector<cs_cpu_env> &envs)
    : AgentModule(name, period), irq("irq"), ports_(envs.size())
{
    bool refused = false;

    for (unsigned i = 0; i < ports_.size(); i++) {
        cs_cpu_env own = envs[i];
        cs_diag diag = {};

        add_port(i == 0 ? "socket" : ("socket_" + std::to_string(i)).c_str());
        ports_[i].module = this;
        ports_[i].index = i;
        own.bus = {submit, &ports_[i]};
        if (cs_cpu_create(&own, &ports_[i].cpu, &diag) != CS_OK)
            SC_REPORT_ERROR("/countersink/cpu", diag.text);
        refused = refused || ports_[i].cpu == nullptr;
    }
    for (const Port &port : ports_)
        if (refused)
            cs_cpu_destroy(port.cpu);
    if (refused) // and the handler lets it pass: nothing is done
        ports_.clear();
}

CpuModule::~CpuModule()
{
    for (const Port &port : ports_)
        cs_cpu_destroy(port.cpu);
}

void CpuModule::end_of_elaboration()
{
    if (irq.size() == 0)
        return;
    SC_METHOD(watch_irq);
    sensitive << irq->value_changed_event();
}

void CpuModule::watch_irq()
{
    set_irq(clock_.at_or_after(sc_core::SC_ZERO_TIME), 0, irq->read());
}

void CpuModule::set_irq(cs_cycle cycle, unsigned line, bool level)
{
    for (const Port &port : ports_)
        cs_cpu_irq(port.cpu, cycle, line, level);
    wake();
}

void CpuModule::signal(unsigned port, cs_cycle cycle, uint64_t lines)
{
    if (port < ports_.size())
        cs_cpu_signal(ports_[port].cpu, cycle, lines);
}

cs_cycle CpuModule::end_cycle() const
{
    cs_cycle end = ports_.empty() ? CS_NEVER : 0;

    for (const Port &port : ports_)
        end = std::max(end, cs_cpu_end_cycle(port.cpu));
    return end;
}

// ---- as an agent ----

bool CpuModule::waits_for_irq() const
{
    return std::any_of(ports_.begin(), ports_.end(),
                       [](const Port &port) { return cs_cpu_waits_for_irq(port.cpu); });
}

// A pin may wake it at any time.
cs_cycle CpuModule::earliest() const
{
    if (pending() || (irq.size() != 0 && waits_for_irq()))
        return clock_.cycle() + 1;
    return seen_after(next());
}

// A port has one operation at a time; what the others do next is known. While a port is asked,
// nobody knows its own next operation, but it is this one.
bool CpuModule::alone(cs_cycle until) const
{
    for (const Port &port : ports_)
        if (&port != asking_ && seen_after(cs_cpu_next(port.cpu)) <= until)
            return false;
    return true;
}

cs_cycle CpuModule::next() const
{
    cs_cycle first = CS_NEVER;

    for (const Port &port : ports_)
        first = std::min(first, cs_cpu_next(port.cpu));
    return first;
}

void CpuModule::execute(cs_cycle cycle)
{
    for (const Port &port : ports_) {
        if (cs_cpu_next(port.cpu) > cycle)
            continue;
        asking_ = &port;
        cs_cpu_advance(port.cpu, cycle + 1);
    }
    asking_ = nullptr;
    if (end_cycle() != CS_NEVER && on_end) // nothing comes after it
        on_end(end_cycle());
}

// ---- the model's outputs and inputs ----

cs_bus_submit CpuModule::submit(void *ctx, unsigned, cs_bus_txn *txn)
{
    const auto *port = static_cast<Port *>(ctx);

    return port->module->port(port->index).submit(txn);
}

void CpuModule::bus_done(unsigned port, cs_bus_txn *txn)
{
    cs_cpu_bus_done(ports_[port].cpu, txn);
    wake();
}

} // namespace cs

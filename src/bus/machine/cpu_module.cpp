#include "bus/machine/cpu_module.hpp"

namespace cs
{

CpuModule::CpuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                     const cs_cpu_env &env)
    : AgentModule(name, period), irq("irq")
{
    cs_cpu_env own = env;
    cs_diag diag = {};

    add_port("socket");
    own.bus = {submit, this};
    if (cs_cpu_create(&own, &cpu_, &diag) != CS_OK)
        SC_REPORT_ERROR("/countersink/cpu", diag.text);
}

CpuModule::~CpuModule()
{
    cs_cpu_destroy(cpu_);
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
    set_irq(clock_.at_or_after(sc_core::SC_ZERO_TIME), irq->read());
}

void CpuModule::set_irq(cycle_t cycle, bool level)
{
    cs_cpu_irq(cpu_, cycle, level);
    wake();
}

cycle_t CpuModule::end_cycle() const
{
    return cs_cpu_end_cycle(cpu_);
}

// ---- as an agent ----

// A pin may wake it at any time.
cycle_t CpuModule::earliest() const
{
    if (pending() || (irq.size() != 0 && cs_cpu_waits_for_irq(cpu_)))
        return clock_.cycle() + 1;
    return seen_after(next());
}

// One operation at a time.
bool CpuModule::alone(cycle_t) const
{
    return true;
}

cycle_t CpuModule::next() const
{
    return cs_cpu_next(cpu_);
}

void CpuModule::execute(cycle_t cycle)
{
    cs_cpu_advance(cpu_, cycle + 1);
    if (ended_ || !cs_cpu_ended(cpu_))
        return;
    ended_ = true;
    if (on_end)
        on_end(cs_cpu_end_cycle(cpu_));
}

// ---- the model's outputs and inputs ----

cs_bus_submit CpuModule::submit(void *ctx, unsigned, cs_bus_txn *txn)
{
    return static_cast<CpuModule *>(ctx)->port(0).submit(txn);
}

void CpuModule::bus_done(unsigned, cs_bus_txn *txn)
{
    cs_cpu_bus_done(cpu_, txn);
    wake();
}

} // namespace cs

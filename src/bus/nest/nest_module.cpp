// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/nest/nest_module.hpp>

namespace cs
{

NestModule::NestModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                       const cs_nest_config &config, const cs_event_source &events,
                       const cs_probe_sink *probe)
    : AgentModule(name, period)
{
    cs_nest_env env = {};
    cs_diag diag = {};

    add_port("port");
    env.bus = {submit, this};
    env.events = events;
    env.probe = probe;
    if (cs_nest_create(&config, &env, &nest_, &diag) != CS_OK)
        SC_REPORT_ERROR("/countersink/nest", diag.text);
}

NestModule::~NestModule()
{
    cs_nest_destroy(nest_);
}

cs_cycle NestModule::earliest() const
{
    return pending() ? clock_.cycle() + 1 : seen_after(next());
}

// It has one socket and does one thing after the other.
bool NestModule::alone(cs_cycle) const
{
    return true;
}

cs_cycle NestModule::next() const
{
    return nest_ != nullptr ? cs_nest_next(nest_) : CS_NEVER;
}

void NestModule::execute(cs_cycle cycle)
{
    cs_nest_advance(nest_, cycle + 1);
}

cs_bus_submit NestModule::submit(void *ctx, unsigned, cs_bus_txn *txn)
{
    return static_cast<NestModule *>(ctx)->port(0).submit(txn);
}

void NestModule::bus_done(unsigned, cs_bus_txn *txn)
{
    cs_nest_bus_done(nest_, txn);
    wake();
}

} // namespace cs

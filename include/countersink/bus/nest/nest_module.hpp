// SPDX-License-Identifier: Apache-2.0
// POWER's nest counters and their posting engine (models/nest) as a TLM-2.0 module.
#ifndef CS_BUS_NEST_NEST_MODULE_HPP
#define CS_BUS_NEST_NEST_MODULE_HPP

#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/models/nest/nest.h>

namespace cs
{

class NestModule : public AgentModule
{
  public:
    SC_HAS_PROCESS(NestModule);

    // A configuration that the model refuses is an sc_report of severity SC_ERROR. `probe` is
    // borrowed and may be NULL.
    NestModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
               const cs_nest_config &config, const cs_event_source &events,
               const cs_probe_sink *probe);
    ~NestModule() override;

    cs_cycle earliest() const override;
    bool alone(cs_cycle until) const override;

  private:
    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn);

    cs_cycle next() const override;
    void execute(cs_cycle cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;

    cs_nest *nest_ = nullptr;
};

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
// A RISC-V hart (docs/hw/hart.md) as a TLM-2.0 module: the CSR block's C model, and software that
// loads and stores through an initiator socket.
#ifndef CS_BUS_HPM_HART_MODULE_HPP
#define CS_BUS_HPM_HART_MODULE_HPP

#include <functional>

#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/drivers/hpm/hart.h>

namespace cs
{

struct HartConfig {
    cs_hart_config hart = {};
    cs_hpm_config hpm = {};
    cs_event_source events = {};                         // what the hart does
    const cs_probe_sink *probe = nullptr;                // of the CSR block; borrowed; may be NULL
    std::function<void(cs_cycle, cs_hart_track)> on_run; // a track runs from that cycle on
    std::function<cs_cycle(cs_cycle)> irqs_on;           // of cs_hart_env; none: always
};

class HartModule : public AgentModule
{
  public:
    SC_HAS_PROCESS(HartModule);

    // A configuration that the model refuses is an sc_report of severity SC_ERROR.
    HartModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
               const HartConfig &config);
    ~HartModule() override;

    // Called once, when the software has ended in `cycle`; see cs_hart_end_cycle.
    std::function<void(cs_cycle cycle)> on_end;
    cs_cycle end_cycle() const;

    // All records of cycles below `cycle` are sent.
    void finish(cs_cycle cycle);

    cs_cycle earliest() const override;
    bool alone(cs_cycle until) const override;

  private:
    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn);
    static cs_hpm_result csr(void *ctx, cs_cycle e, const cs_hpm_access *access);
    static cs_cycle line(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high);
    static void run(void *ctx, cs_cycle cycle, cs_hart_track track);
    static void context(void *ctx, cs_cycle cycle, cs_context *out);
    static cs_cycle irqs_on(void *ctx, cs_cycle cycle);

    cs_cycle next() const override;
    void execute(cs_cycle cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;

    HartConfig config_;
    cs_hpm *hpm_ = nullptr;
    cs_hart *hart_ = nullptr;
};

} // namespace cs

#endif

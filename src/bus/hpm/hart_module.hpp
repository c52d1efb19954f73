// A RISC-V hart (docs/hw/hart.md) as a TLM-2.0 module: the CSR block's C model, and software that
// loads and stores through an initiator socket.
#ifndef CS_BUS_HPM_HART_MODULE_HPP
#define CS_BUS_HPM_HART_MODULE_HPP

#include <functional>

#include "bus/fabric/agent_module.hpp"
#include "drivers/hpm/hart.h"

namespace cs
{

struct HartConfig {
    cs_hart_config hart = {};
    cs_hpm_config hpm = {};
    cs_event_source events = {};                        // what the hart does
    const cs_probe_sink *probe = nullptr;               // of the CSR block; borrowed; may be NULL
    std::function<void(cycle_t, cs_hart_track)> on_run; // a track runs from that cycle on
    std::function<cycle_t(cycle_t)> irqs_on;            // of cs_hart_env; none: always
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
    std::function<void(cycle_t cycle)> on_end;
    cycle_t end_cycle() const;

    // All records of cycles below `cycle` are sent.
    void finish(cycle_t cycle);

    cycle_t earliest() const override;
    bool alone(cycle_t until) const override;

  private:
    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn);
    static cs_hpm_result csr(void *ctx, cycle_t e, const cs_hpm_access *access);
    static cycle_t line(void *ctx, cycle_t from, cycle_t to, unsigned lines, unsigned *high);
    static void run(void *ctx, cycle_t cycle, cs_hart_track track);
    static void context(void *ctx, cycle_t cycle, cs_context *out);
    static cycle_t irqs_on(void *ctx, cycle_t cycle);

    cycle_t next() const override;
    void execute(cycle_t cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;

    HartConfig config_;
    cs_hpm *hpm_ = nullptr;
    cs_hart *hart_ = nullptr;
};

} // namespace cs

#endif

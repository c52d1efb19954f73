// The CPU port (docs/hw/cpu.md) as a TLM-2.0 module: software (drivers/software.h) as an
// initiator.
#ifndef CS_BUS_MACHINE_CPU_MODULE_HPP
#define CS_BUS_MACHINE_CPU_MODULE_HPP

#include <functional>
#include <memory>

#include "bus/fabric/agent_module.hpp"
#include "drivers/cpu.h"

namespace cs
{

class CpuModule : public AgentModule
{
  public:
    SC_HAS_PROCESS(CpuModule);

    // The software; and what is told when the core leaves and resumes its workload (env.bus is
    // not used). No memory for it is an sc_report of severity SC_ERROR.
    CpuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
              const cs_cpu_env &env);
    ~CpuModule() override;

    // The interrupt line, either as a pin (may be left unbound) or by a call, for a cycle that
    // has not been executed yet.
    sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> irq;
    void set_irq(cycle_t cycle, bool level);

    // Called once, when the software has ended in `cycle`.
    std::function<void(cycle_t cycle)> on_end;

    // See cs_cpu_end_cycle.
    cycle_t end_cycle() const;

    cycle_t earliest() const override;
    bool alone(cycle_t until) const override;

  private:
    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn);

    cycle_t next() const override;
    void execute(cycle_t cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;
    void end_of_elaboration() override;
    void watch_irq();

    cs_cpu *cpu_ = nullptr;
    bool ended_ = false;
};

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
// The CPU ports (docs/hw/cpu.md) as a TLM-2.0 module: software (drivers/software.h) as initiators.
// They are one module, so that what their software shares is changed in the order of cycles, and
// within a cycle in that of the ports.
#ifndef CS_BUS_MACHINE_CPU_MODULE_HPP
#define CS_BUS_MACHINE_CPU_MODULE_HPP

#include <functional>
#include <memory>
#include <vector>

#include "drivers/cpu.h"
#include <countersink/bus/fabric/agent_module.hpp>

namespace cs
{

class CpuModule : public AgentModule
{
  public:
    SC_HAS_PROCESS(CpuModule);

    // The software of each port; and what is told when a core leaves and resumes its workload
    // (env.bus is not used). No memory for it is an sc_report of severity SC_ERROR.
    CpuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
              const std::vector<cs_cpu_env> &envs);
    CpuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
              const cs_cpu_env &env)
        : CpuModule(name, period, std::vector<cs_cpu_env>{env})
    {
    }
    ~CpuModule() override;

    // Line 0 as a pin (may be left unbound); or any by a call, for a cycle that has not been executed
    // yet. All ports see it.
    sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> irq;
    void set_irq(cs_cycle cycle, unsigned line, bool level);

    // See cs_cpu_signal; called from within a port's software.
    void signal(unsigned port, cs_cycle cycle, uint64_t lines);

    // Called once, when the software of all ports has ended, the last in `cycle`.
    std::function<void(cs_cycle cycle)> on_end;

    // See cs_cpu_end_cycle; of the last of them.
    cs_cycle end_cycle() const;

    cs_cycle earliest() const override;
    bool alone(cs_cycle until) const override;

  private:
    struct Port {
        CpuModule *module = nullptr;
        unsigned index = 0;
        cs_cpu *cpu = nullptr;
    };

    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn);

    cs_cycle next() const override;
    void execute(cs_cycle cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;
    void end_of_elaboration() override;
    void watch_irq();
    bool waits_for_irq() const;

    std::vector<Port> ports_;
    const Port *asking_ = nullptr; // whose software is being executed
};

} // namespace cs

#endif

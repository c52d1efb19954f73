// SPDX-License-Identifier: Apache-2.0
// The CPU ports with the scenario's software.
#include <vector>

#include "bus/machine/cpu_module.hpp"
#include "bus/machine/unit.hpp"
#include "scenario/machine/software_spec.h"

namespace cs
{

namespace
{

class CpuUnit : public Unit
{
  public:
    explicit CpuUnit(const UnitContext &context)
        : context_(context), ports_(context.environment.nr_ports),
          cpu_("cpu", context.period, envs())
    {
        cpu_.on_end = [this](cs_cycle) { context_.host.software_ended(); };
    }

    UnitManager manager(uint16_t number) override
    {
        const unsigned port = number == CS_MANAGER_CPU ? 0u : number - CS_MANAGER_CPU_PORT(0u);

        if (number != CS_MANAGER_CPU && (port == 0 || port >= ports_.size()))
            return {};
        return {&cpu_, port};
    }

    void irq_changed(cs_cycle cycle, unsigned line, bool level) override
    {
        cpu_.set_irq(cycle, line, level);
    }

    cs_cycle end_cycle() const override
    {
        return cpu_.end_cycle();
    }

  private:
    struct Port {
        CpuUnit *unit;
        unsigned number;
    };

    std::vector<cs_cpu_env> envs()
    {
        std::vector<cs_cpu_env> envs(ports_.size());

        for (unsigned i = 0; i < envs.size(); i++) {
            ports_[i] = {this, i};
            envs[i].software = context_.environment.ports[i].software;
            envs[i].enter = enter;
            envs[i].leave = leave;
            envs[i].signal = signal;
            envs[i].core_ctx = &ports_[i];
        }
        return envs;
    }

    static void enter(void *ctx, cs_cycle cycle, unsigned core)
    {
        const auto *port = static_cast<Port *>(ctx);
        cs_environment &environment = port->unit->context_.environment;

        core = cs_environment_core(&environment, port->number, core);
        cs_environment_enter(&environment, cycle, core);
        port->unit->context_.host.events_changed(core - 1);
    }

    static void leave(void *ctx, cs_cycle cycle, unsigned core)
    {
        const auto *port = static_cast<Port *>(ctx);
        cs_environment &environment = port->unit->context_.environment;

        core = cs_environment_core(&environment, port->number, core);
        cs_environment_leave(&environment, cycle, core);
        port->unit->context_.host.events_changed(core - 1);
    }

    static void signal(void *ctx, cs_cycle cycle, unsigned core, uint64_t lines)
    {
        const auto *port = static_cast<Port *>(ctx);
        const cs_environment &environment = port->unit->context_.environment;

        core = cs_environment_core(&environment, port->number, core);
        port->unit->cpu_.signal(cs_environment_port(&environment, core - 1),
                                cycle + environment.scenario->software->ipi_cycles, lines);
    }

    UnitContext context_;
    std::vector<Port> ports_;
    CpuModule cpu_;
};

} // namespace

std::unique_ptr<Unit> make_cpu_unit(const UnitContext &context)
{
    return std::make_unique<CpuUnit>(context);
}

} // namespace cs

// The CPU port with the scenario's software.
#include "bus/machine/cpu_module.hpp"
#include "bus/machine/unit.hpp"

namespace cs
{

namespace
{

class CpuUnit : public Unit
{
  public:
    explicit CpuUnit(const UnitContext &context)
        : context_(context), cpu_("cpu", context.period, env())
    {
        cpu_.on_end = [this](cycle_t) { context_.host.software_ended(); };
    }

    UnitManager manager(uint16_t number) override
    {
        return {number == CS_MANAGER_CPU ? &cpu_ : nullptr};
    }

    void irq_changed(cycle_t cycle, bool level) override
    {
        cpu_.set_irq(cycle, level);
    }

    cycle_t end_cycle() const override
    {
        return cpu_.end_cycle();
    }

  private:
    cs_cpu_env env()
    {
        cs_cpu_env env = {};

        env.software = context_.environment.software;
        env.enter = enter;
        env.leave = leave;
        env.core_ctx = this;
        return env;
    }

    void moved(unsigned core)
    {
        context_.host.events_changed(cs_environment_cpu(&context_.environment, core));
    }

    static void enter(void *ctx, cycle_t cycle, unsigned core)
    {
        auto *self = static_cast<CpuUnit *>(ctx);

        cs_environment_enter(&self->context_.environment, cycle, core);
        self->moved(core);
    }

    static void leave(void *ctx, cycle_t cycle, unsigned core)
    {
        auto *self = static_cast<CpuUnit *>(ctx);

        cs_environment_leave(&self->context_.environment, cycle, core);
        self->moved(core);
    }

    UnitContext context_;
    CpuModule cpu_;
};

} // namespace

std::unique_ptr<Unit> make_cpu_unit(const UnitContext &context)
{
    return std::make_unique<CpuUnit>(context);
}

} // namespace cs

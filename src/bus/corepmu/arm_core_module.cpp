#include "bus/corepmu/arm_core_module.hpp"

#include <algorithm>

namespace cs
{

static ArmCoreModule *of(void *ctx)
{
    return static_cast<ArmCoreModule *>(ctx);
}

ArmCoreModule::ArmCoreModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                             const ArmCoreConfig &config, CorePmuPort &port)
    : AgentModule(name, period), config_(config), port_(port)
{
    cs_arm_core_env env = {};
    cs_diag diag = {};

    env.access = access;
    env.line = line;
    env.enter = [](void *ctx, cycle_t cycle) { of(ctx)->config_.enter(cycle); };
    env.leave = [](void *ctx, cycle_t cycle) { of(ctx)->config_.leave(cycle); };
    env.woken = [](void *ctx) { of(ctx)->changed(); };
    env.ctx = this;
    if (cs_arm_core_create(&config_.core, &env, &core_, &diag) != CS_OK)
        SC_REPORT_ERROR("/countersink/core", diag.text);
    // The bus may run ahead of this module, as far as nothing is due here: what it changes is seen
    // from its own cycle on.
    port_.before_access = [this](cycle_t cycle) { cs_arm_core_advance(core_, cycle); };
    port_.on_access = [this] { changed(); };
}

ArmCoreModule::~ArmCoreModule()
{
    cs_arm_core_destroy(core_);
}

void ArmCoreModule::changed()
{
    known_ = false;
    wake();
}

cycle_t ArmCoreModule::end_cycle() const
{
    return cs_arm_core_end_cycle(core_);
}

// ---- as an agent ----

cycle_t ArmCoreModule::earliest() const
{
    return next();
}

bool ArmCoreModule::alone(cycle_t) const
{
    return true;
}

cycle_t ArmCoreModule::next() const
{
    if (!known_)
        next_ = cs_arm_core_next(core_);
    known_ = true;
    return next_;
}

void ArmCoreModule::execute(cycle_t cycle)
{
    cs_arm_core_advance(core_, cycle + 1);
    known_ = false;
    if (end_cycle() != CS_NEVER && config_.on_end) // nothing comes after it
        config_.on_end();
}

// ---- the core's environment ----

bool ArmCoreModule::access(void *ctx, cycle_t cycle, const cs_arm_core_op *op, uint64_t *data)
{
    const ArmCoreModule &self = *of(ctx);
    const cs_corepmu_access access = {op->offset, op->write, self.config_.guest, op->value};
    cs_probe_record record = {};

    if (!cs_corepmu_system(self.port_.pmu_in(cycle), cycle, &access, data))
        return false;
    record.cycle = cycle;
    record.kind = CS_PROBE_REG;
    record.write = op->write;
    record.source = static_cast<uint16_t>(CS_UNIT_SYSREGS(self.config_.core.number));
    record.index = self.config_.guest;
    record.addr = op->offset;
    record.value = op->write ? op->value : *data;
    record.bytes = 8;
    cs_probe_emit(self.config_.probe, &record);
    return true;
}

cycle_t ArmCoreModule::line(void *ctx, cycle_t from, cycle_t to)
{
    CorePmuPort &port = of(ctx)->port_;
    cs_corepmu *pmu = port.pmu_in(from);
    const cycle_t known = std::min(to, port.next_off()); // after it the line is low
    const cycle_t high = cs_corepmu_irq(pmu, from, known);

    return high < known ? high : to;
}

} // namespace cs

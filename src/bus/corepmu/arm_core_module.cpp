// SPDX-License-Identifier: Apache-2.0
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
    env.enter = [](void *ctx, cs_cycle cycle) { of(ctx)->config_.enter(cycle); };
    env.leave = [](void *ctx, cs_cycle cycle) { of(ctx)->config_.leave(cycle); };
    env.woken = [](void *ctx) { of(ctx)->changed(); };
    env.ctx = this;
    if (cs_arm_core_create(&config_.core, &env, &core_, &diag) != CS_OK)
        SC_REPORT_ERROR("/countersink/core", diag.text);
    // The bus may run ahead of this module, as far as nothing is due here: what it changes is seen
    // from its own cycle on.
    port_.before_access = [this](cs_cycle cycle) { cs_arm_core_advance(core_, cycle); };
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

cs_cycle ArmCoreModule::end_cycle() const
{
    return cs_arm_core_end_cycle(core_);
}

// ---- as an agent ----

cs_cycle ArmCoreModule::earliest() const
{
    return next();
}

bool ArmCoreModule::alone(cs_cycle) const
{
    return true;
}

cs_cycle ArmCoreModule::next() const
{
    if (!known_)
        next_ = cs_arm_core_next(core_);
    known_ = true;
    return next_;
}

void ArmCoreModule::execute(cs_cycle cycle)
{
    cs_arm_core_advance(core_, cycle + 1);
    known_ = false;
    if (end_cycle() != CS_NEVER && config_.on_end) // nothing comes after it
        config_.on_end();
}

// ---- the core's environment ----

bool ArmCoreModule::access(void *ctx, cs_cycle cycle, const cs_arm_core_op *op, uint64_t *data)
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

cs_cycle ArmCoreModule::line(void *ctx, cs_cycle from, cs_cycle to)
{
    CorePmuPort &port = of(ctx)->port_;
    cs_corepmu *pmu = port.pmu_in(from);
    const cs_cycle known = std::min(to, port.next_off()); // after it the line is low
    const cs_cycle high = cs_corepmu_irq(pmu, from, known);

    return high < known ? high : to;
}

} // namespace cs

// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/pmcu/pmcu_module.hpp>

#include <string>

namespace cs
{

PmcuModule::PmcuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                       const cs_pmcu_config &config, const cs_probe_sink *probe)
    : AgentModule(name, period), registers("registers"), irq("irq"),
      access_(clock_, {{this, static_cast<uint16_t>(CS_UNIT_PMCU + config.die)}}, probe),
      irq_due_("irq_due")
{
    cs_pmcu_env env = {};
    cs_diag diag = {};

    env.bus = {submit, this};
    env.irq = irq_changed;
    env.irq_ctx = this;
    env.probe = probe;
    if (cs_pmcu_create(&config, &env, &pmcu_, &diag) != CS_OK)
        SC_REPORT_ERROR("/countersink/pmcu", diag.text);
    for (unsigned i = 0; i < config.lanes; i++)
        add_port(("lane_" + std::to_string(i)).c_str());
    registers.bind(access_);
    SC_METHOD(drive_irq);
    sensitive << irq_due_;
    dont_initialize();
}

PmcuModule::~PmcuModule()
{
    cs_pmcu_destroy(pmcu_);
}

// ---- as an agent ----

cs_cycle PmcuModule::earliest() const
{
    return pending() ? clock_.cycle() + 1 : seen_after(next());
}

bool PmcuModule::alone(cs_cycle) const
{
    return pmcu_ == nullptr || cs_pmcu_bus_alone(pmcu_);
}

cs_cycle PmcuModule::next() const
{
    return pmcu_ != nullptr ? cs_pmcu_next(pmcu_) : CS_NEVER;
}

void PmcuModule::execute(cs_cycle cycle)
{
    cs_pmcu_advance(pmcu_, cycle + 1);
}

// ---- the model's outputs and inputs ----

cs_bus_submit PmcuModule::submit(void *ctx, unsigned lane, cs_bus_txn *txn)
{
    return static_cast<PmcuModule *>(ctx)->port(lane).submit(txn);
}

void PmcuModule::bus_done(unsigned port, cs_bus_txn *txn)
{
    cs_pmcu_bus_done(pmcu_, port, txn);
    wake();
}

bool PmcuModule::read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data)
{
    const bool error =
        pmcu_ == nullptr || cs_pmcu_read(pmcu_, cycle, offset, wide, &data) != CS_BUS_OKAY;
    wake();
    return error;
}

bool PmcuModule::write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
{
    const bool error =
        pmcu_ == nullptr || cs_pmcu_write(pmcu_, cycle, offset, wide, data) != CS_BUS_OKAY;
    wake();
    return error;
}

bool PmcuModule::ask(cs_cycle, uint32_t offset, bool wide, uint64_t &data)
{
    return pmcu_ == nullptr || cs_pmcu_ask(pmcu_, offset, wide, &data) != CS_BUS_OKAY;
}

void PmcuModule::irq_changed(void *ctx, cs_cycle cycle, bool level)
{
    auto *self = static_cast<PmcuModule *>(ctx);

    if (self->on_irq)
        self->on_irq(cycle, level);
    if (self->irq.size() == 0)
        return;
    self->irq_levels_.emplace_back(cycle, level);
    if (self->irq_levels_.size() == 1)
        self->irq_due_.notify(self->clock_.until_begin(cycle));
}

void PmcuModule::drive_irq()
{
    irq->write(irq_levels_.front().second);
    irq_levels_.pop_front();
    if (!irq_levels_.empty())
        irq_due_.notify(clock_.until_begin(irq_levels_.front().first));
}

} // namespace cs

// SPDX-License-Identifier: Apache-2.0
#include "lockstep/corepmu/core_software.hpp"

#include "drivers/corepmu/arm_pmu.h"

namespace cs
{

SysPins::SysPins(const RtlDie &die)
    : en(die.pin("pmcu_sys_en_i")), write(die.pin("pmcu_sys_write_i")),
      guest(die.pin("pmcu_sys_guest_i")), addr(die.pin("pmcu_sys_addr_i")),
      wdata(die.pin("pmcu_sys_wdata_i")), ready(die.pin("pmcu_sys_ready_o")),
      rdata(die.pin("pmcu_sys_rdata_o")), overflow(die.pin("pmcu_overflow_o"))
{
}

static CoreSoftware *of(void *ctx)
{
    return static_cast<CoreSoftware *>(ctx);
}

CoreSoftware::CoreSoftware(RtlContext &context, CoreFeed &feed, unsigned core)
    : context_(context), feed_(feed), core_(core)
{
}

CoreSoftware::~CoreSoftware()
{
    cs_arm_core_destroy(software_);
}

cs_status CoreSoftware::create(const cs_arm_core_config &config, cs_diag *diag)
{
    cs_arm_core_env env = {};

    cpu_ = config.number;
    guest_ = cs_environment_arm_guest(context_.environment);
    env.access = access;
    env.line = line;
    env.enter = [](void *ctx, cs_cycle cycle) { of(ctx)->move(cycle, true); };
    env.leave = [](void *ctx, cs_cycle cycle) { of(ctx)->move(cycle, false); };
    env.ctx = this;
    return cs_arm_core_create(&config, &env, &software_, diag);
}

void CoreSoftware::move(cs_cycle cycle, bool enter)
{
    (enter ? cs_environment_enter : cs_environment_leave)(context_.environment, cycle, 1 + cpu_);
    feed_.forget();
}

// ---- a cycle ----

void CoreSoftware::drive(SysPins &pins, cs_cycle now)
{
    const cs_arm_core_op *op = cs_arm_core_access(software_, now);

    if (op == nullptr && !driven_)
        return;
    driven_ = op != nullptr;
    pins.en.set(core_, 1, driven_);
    if (!driven_)
        return;
    pins.write.set(core_, 1, op->write);
    pins.guest.set(core_, 1, guest_);
    pins.addr.set_field(core_, 12, op->offset);
    pins.wdata.set_field(core_, 64, op->value);
}

void CoreSoftware::observe(SysPins &pins, cs_cycle now)
{
    const cs_arm_core_op *op = driven_ ? cs_arm_core_access(software_, now) : nullptr;
    cs_probe_record record = {};

    seen_ = now;
    high_ = pins.overflow.bit(core_);
    ready_ = op != nullptr && pins.ready.bit(core_);
    if (!ready_)
        return;
    data_ = op->write ? 0 : pins.rdata.field(core_, 64);
    record.cycle = now;
    record.kind = CS_PROBE_REG;
    record.write = op->write;
    record.source = static_cast<uint16_t>(CS_UNIT_SYSREGS(cpu_));
    record.index = guest_;
    record.addr = op->offset;
    record.value = op->write ? op->value : data_;
    record.bytes = 8;
    context_.emit(record);
}

void CoreSoftware::step(cs_cycle now)
{
    cs_arm_core_advance(software_, now + 1);
}

cs_cycle CoreSoftware::end() const
{
    return cs_arm_core_end_cycle(software_);
}

// ---- the core's environment ----

bool CoreSoftware::access(void *ctx, cs_cycle cycle, const cs_arm_core_op *, uint64_t *data)
{
    *data = of(ctx)->data_;
    return of(ctx)->ready_ && of(ctx)->seen_ == cycle;
}

cs_cycle CoreSoftware::line(void *ctx, cs_cycle from, cs_cycle to)
{
    const CoreSoftware &self = *of(ctx);

    return self.high_ && from <= self.seen_ && self.seen_ < to ? self.seen_ : to;
}

} // namespace cs

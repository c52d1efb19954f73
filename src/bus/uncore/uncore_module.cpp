// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/uncore/uncore_module.hpp>

namespace cs
{

UncoreModule::UncoreModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                           const cs_uncore_config &config, const cs_event_source &events,
                           const cs_probe_sink *probe, const cs_uncore_tagged &tagged)
    : sc_core::sc_module(name), UncorePort(config, events, probe, tagged), irq("irq"),
      clock_(period), due_("due")
{
    SC_METHOD(drive);
    sensitive << due_;
    dont_initialize();
}

bool UncoreModule::read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data)
{
    come_to(cycle); // what is planned stays so: a read changes nothing
    return UncorePort::read(cycle, offset, wide, data);
}

bool UncoreModule::write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
{
    come_to(cycle);
    const bool error = UncorePort::write(cycle, offset, wide, data);
    look();
    plan();
    return error;
}

bool UncoreModule::ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data)
{
    come_to(cycle);
    return UncorePort::ask(cycle, offset, wide, data);
}

// Accesses may be ahead of SystemC's time: what the line does up to them is kept for the pin.
void UncoreModule::come_to(cs_cycle cycle)
{
    if (!shows())
        return;
    for (cs_cycle next = cs_uncore_next(model()); next <= cycle; next = cs_uncore_next(model())) {
        finish(next);
        look();
    }
}

void UncoreModule::look()
{
    if (!shows() || cs_uncore_irq(model()) == level_)
        return;
    level_ = !level_;
    levels_.emplace_back(cs_uncore_now(model()), level_);
}

void UncoreModule::plan()
{
    if (!shows())
        return;
    const cs_cycle next = levels_.empty() ? cs_uncore_next(model()) : levels_.front().first;

    due_.cancel();
    if (next <= clock_.last())
        due_.notify(clock_.until_begin(next));
}

void UncoreModule::drive()
{
    const cs_cycle now = clock_.cycle();

    if (levels_.empty())
        come_to(now);
    for (; !levels_.empty() && levels_.front().first <= now; levels_.pop_front())
        irq->write(levels_.front().second);
    plan();
}

} // namespace cs

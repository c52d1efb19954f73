// SPDX-License-Identifier: Apache-2.0
// The model system: the C models behind the TLM fabric, in the environment of the scenario.
#include "bus/machine/model_system.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "bus/machine/unit.hpp"
#include "bus/system.h"
#include "drivers/environment.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/die.h"
#include <countersink/bus/fabric/fabric.hpp>

namespace cs
{

namespace
{

constexpr char kId[] = "/countersink/system";

// SystemC's reports: what is worse than a warning is thrown, nothing is printed.
void report(const sc_core::sc_report &what, const sc_core::sc_actions &)
{
    if (what.get_severity() >= sc_core::SC_ERROR)
        throw sc_core::sc_report(what);
}

sc_core::sc_time period_of(const cs_scenario &scenario)
{
    return sc_core::sc_time(1e6 / scenario.bus->clock_mhz, sc_core::SC_PS);
}

std::vector<std::unique_ptr<Unit>> make_units(const UnitContext &context)
{
#define CS_BUS_UNIT_ROW(name) make_##name##_unit,
    static constexpr std::unique_ptr<Unit> (*kMakers[])(const UnitContext &) = {
        CS_BUS_UNITS(CS_BUS_UNIT_ROW)};
#undef CS_BUS_UNIT_ROW
    std::vector<std::unique_ptr<Unit>> units;

    for (const auto make : kMakers)
        if (auto unit = make(context))
            units.push_back(std::move(unit));
    return units;
}

} // namespace

struct ModelSystem final : cs_system, UnitHost {
    std::unique_ptr<Fabric> fabric;
    std::vector<std::unique_ptr<Unit>> units; // those that the die has
    cs_cycle now = 0;                         // all cycles below are finished
    bool failed = false;

    ModelSystem(cs_environment *owner, bool early_completion);
    cs_cycle run(cs_cycle until);
    cs_cycle end_cycle() const; // of the last software; CS_NEVER: some has not ended

  private:
    void irq_changed(cs_cycle cycle, unsigned line, bool level) override;
    void events_changed(unsigned cpu) override;
    void software_ended() override;
    UnitTarget target_of(const cs_die_target &place) const;
    UnitManager manager_of(uint16_t number) const;
    void build_fabric(bool early_completion);

    cs_die die_ = {};
    sc_core::sc_time period_;
};

// ---- building ----

UnitTarget ModelSystem::target_of(const cs_die_target &place) const
{
    for (const auto &unit : units) {
        UnitTarget target = unit->target(place);
        if (target.socket != nullptr) {
            target.config.base = place.base;
            target.config.size = place.size;
            return target;
        }
    }
    SC_REPORT_ERROR(kId, "a target of the die is no unit's");
    return {};
}

UnitManager ModelSystem::manager_of(uint16_t number) const
{
    for (const auto &unit : units) {
        const UnitManager manager = unit->manager(number);
        if (manager.agent != nullptr)
            return manager;
    }
    SC_REPORT_ERROR(kId, "a manager of the die is no unit's");
    return {};
}

// Managers and targets are those of the die, in its order.
void ModelSystem::build_fabric(bool early_completion)
{
    const cs_bus_spec &bus = *environment->scenario->bus;
    std::vector<tlm::tlm_target_socket<64> *> sockets;
    FabricConfig config;

    config.period = period_;
    config.per_target = bus.per_target;
    config.forward_cycles = bus.forward_cycles;
    config.return_cycles = bus.return_cycles;
    config.managers = die_.nr_managers;
    for (unsigned i = 0; i < die_.nr_managers; i++)
        config.manager_numbers.push_back(die_.managers[i].number);
    config.guard = environment->guard;
    config.probe = environment->probe;
    config.early_completion = early_completion;
    for (unsigned i = 0; i < die_.nr_targets; i++) {
        const UnitTarget target = target_of(die_.targets[i]);

        config.targets.push_back(target.config);
        sockets.push_back(target.socket);
    }
    fabric = std::make_unique<Fabric>("fabric", config);
    for (unsigned i = 0; i < die_.nr_targets; i++)
        fabric->target[i].bind(*sockets[i]);
    for (unsigned i = 0; i < die_.nr_managers; i++) {
        const UnitManager manager = manager_of(die_.managers[i].number);

        manager.agent->connect(*fabric, i, manager.socket);
    }
    for (const auto &unit : units)
        unit->connect(*fabric);
}

ModelSystem::ModelSystem(cs_environment *owner, bool early_completion)
    : cs_system{nullptr, owner}, period_(period_of(*owner->scenario))
{
    cs_die_of(owner->scenario, &die_);
    units = make_units({*owner, die_, *this, period_});
    build_fabric(early_completion);
}

// ---- what units tell each other ----

void ModelSystem::irq_changed(cs_cycle cycle, unsigned line, bool level)
{
    for (const auto &unit : units)
        unit->irq_changed(cycle, line, level);
}

void ModelSystem::events_changed(unsigned cpu)
{
    for (const auto &unit : units)
        unit->events_changed(cpu);
}

// ---- running ----

cs_cycle ModelSystem::end_cycle() const
{
    cs_cycle end = 0;

    for (const auto &unit : units)
        end = std::max(end, unit->end_cycle());
    return end;
}

// The last one to end ends the run; software that ran ahead may end later than now.
void ModelSystem::software_ended()
{
    const cs_cycle end = end_cycle();

    if (end == CS_NEVER)
        return;
    fabric->set_limit(end);
    sc_core::sc_pause();
}

// SystemC pauses when the software has ended; what is left then is run up to its end.
cs_cycle ModelSystem::run(cs_cycle until)
{
    const cs_cycle last = CS_NEVER / period_.value() - 1; // what SystemC's time can hold

    for (;;) {
        const cs_cycle end = std::min({until, end_cycle(), last});
        if (end <= now) {
            for (const auto &unit : units)
                unit->finish(now);
            return now;
        }
        fabric->set_limit(end);
        const uint64_t begin = sc_core::sc_time_stamp().value();
        sc_core::sc_start(sc_core::sc_time::from_value(end * period_.value() - begin));
        const cs_cycle finished = sc_core::sc_time_stamp().value() / period_.value();
        now = std::min(finished, end_cycle());
    }
}

namespace
{

ModelSystem *of(cs_system *system)
{
    return static_cast<ModelSystem *>(system);
}

// A failure ends the run where it happened; the environment keeps the status.
void fail(ModelSystem &system, cs_status status)
{
    system.failed = true;
    if (system.environment->status == CS_OK)
        system.environment->status = status;
}

cs_cycle run(cs_system *system, cs_cycle until)
{
    ModelSystem &s = *of(system);

    if (s.failed)
        return s.now;
    try {
        return s.run(until);
    } catch (const std::bad_alloc &) {
        fail(s, CS_ERR_NO_MEMORY);
    } catch (const sc_core::sc_report &) { // MemoryTarget's, the only one of a running system
        fail(s, CS_ERR_NO_MEMORY);
    } catch (const std::exception &) {
        fail(s, CS_ERR_UNSUPPORTED);
    }
    return s.now;
}

cs_cycle end_cycle(const cs_system *system)
{
    const ModelSystem &s = *static_cast<const ModelSystem *>(system);
    return s.failed ? s.now : s.end_cycle();
}

bool idle(const cs_system *)
{
    return !sc_core::sc_pending_activity();
}

void destroy(cs_system *system)
{
    delete of(system);
}

const cs_system_ops ops = {destroy, run, end_cycle, idle};

bool built = false; // SystemC elaborates once in a process

} // namespace

cs_status make_model_system(cs_environment *environment, bool early_completion, cs_system **out,
                            cs_diag *diag)
{
    const char *name = environment->scenario->name;

    *out = nullptr;
    if (built || sc_core::sc_get_status() != sc_core::SC_ELABORATION)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name,
                           "SystemC simulates one system in a process, and this process has had "
                           "one: use a process for each");
    built = true;
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    sc_core::sc_report_handler::set_handler(report);
    try {
        auto system = std::make_unique<ModelSystem>(environment, early_completion);
        system->ops = &ops;
        *out = system.release();
        return CS_OK;
    } catch (const std::bad_alloc &) {
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the model system");
    } catch (const sc_core::sc_report &what) {
        return cs_diag_set(diag, CS_ERR_RANGE, name, "%s", what.get_msg());
    } catch (const std::exception &what) {
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name, "SystemC: %s", what.what());
    }
}

} // namespace cs

extern "C" cs_status cs_model_system_create(cs_environment *environment, cs_system **out,
                                            cs_diag *diag)
{
    return cs::make_model_system(environment, true, out, diag);
}

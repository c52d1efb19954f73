// The scenario's uncore units, behind their bridges.
#include <string>
#include <vector>

#include "bus/machine/unit.hpp"
#include "bus/uncore/uncore_port.hpp"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/uncore/uncore_tags.h"

namespace cs
{

namespace
{

class UncoreUnit : public Unit
{
  public:
    explicit UncoreUnit(const UnitContext &context)
        : spec_(*context.scenario().uncore), sources_(spec_.nr_units)
    {
        std::vector<std::vector<RegisterSlot>> slots(spec_.nr_bridges);

        for (unsigned i = 0; i < spec_.nr_units; i++)
            slots[spec_.units[i].bridge].push_back(add_port(context, i));
        for (unsigned bridge = 0; bridge < spec_.nr_bridges; bridge++) {
            bridges_.push_back(std::make_unique<RegisterBridge>(
                ("uncore_" + std::to_string(bridge)).c_str(), context.period,
                std::move(slots[bridge]), context.environment.probe));
            bridges_.back()->enable_broadcast(static_cast<uint16_t>(CS_UNIT_UNCORE_ALL(bridge)));
        }
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_UNCORE)
            return {};
        return register_target(*bridges_[place.number], spec_.bridges[place.number].access_cycles);
    }

    void finish(cycle_t now) override
    {
        for (const auto &port : ports_)
            port->finish(now);
    }

  private:
    RegisterSlot add_port(const UnitContext &context, unsigned index)
    {
        const cs_uncore_unit_spec &unit = spec_.units[index];
        const auto source = static_cast<uint16_t>(CS_UNIT_UNCORE(cs_uncore_place(&unit)));
        const cs_uncore_config config = {unit.counters, unit.width, static_cast<uint16_t>(unit.id),
                                         source, unit.extended};

        sources_[index] = {&unit, context.environment.timelines[CS_UNCORE_TIMELINE(index)]};

        ports_.push_back(std::make_unique<UncorePort>(
            config, cs_environment_events(&context.environment, CS_UNCORE_TIMELINE(index)),
            context.environment.probe, cs_uncore_tagged{tagged_sum, &sources_[index]}));
        return {ports_.back().get(), source};
    }

    // What a unit's events are of which the tags fit.
    struct Source {
        const cs_uncore_unit_spec *unit;
        cs_timeline *timeline;
    };
    static uint64_t tagged_sum(void *ctx, uint32_t event, uint64_t match, uint64_t mask,
                               cycle_t from, cycle_t to)
    {
        const auto *source = static_cast<const Source *>(ctx);
        const cs_uncore_counted counted = {event, match, mask};

        return cs_uncore_sum(source->unit, &counted, source->timeline, from, to);
    }

    const cs_uncore_spec &spec_;
    std::vector<Source> sources_;
    std::vector<std::unique_ptr<UncorePort>> ports_; // in the scenario's order
    std::vector<std::unique_ptr<RegisterBridge>> bridges_;
};

} // namespace

std::unique_ptr<Unit> make_uncore_unit(const UnitContext &context)
{
    if (context.scenario().uncore->nr_bridges == 0)
        return nullptr;
    return std::make_unique<UncoreUnit>(context);
}

} // namespace cs

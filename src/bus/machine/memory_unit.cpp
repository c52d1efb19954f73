// SPDX-License-Identifier: Apache-2.0
// The memory controller and what is behind it.
#include "bus/machine/memory_target.hpp"
#include "bus/machine/unit.hpp"
#include "scenario/machine/memory_spec.h"

namespace cs
{

namespace
{

class MemoryUnit : public Unit
{
  public:
    explicit MemoryUnit(const UnitContext &context)
        : context_(context), memory_("memory", context.environment.memory, 0, context_.die.adds)
    {
    }

    UnitTarget target(const cs_die_target &place) override
    {
        const cs_memory_spec &spec = *context_.scenario().memory;

        if (place.kind != CS_TARGET_MEMORY)
            return {};
        UnitTarget target = {&memory_.socket};
        target.config.adds = context_.die.adds;
        target.config.memory = context_.environment.memory;
        target.config.timing = {TargetKind::memory, spec.read_cycles, spec.write_cycles,
                                spec.gap_cycles, 1};
        return target;
    }

  private:
    UnitContext context_;
    MemoryTarget memory_;
};

} // namespace

std::unique_ptr<Unit> make_memory_unit(const UnitContext &context)
{
    return std::make_unique<MemoryUnit>(context);
}

} // namespace cs

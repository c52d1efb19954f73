// SPDX-License-Identifier: Apache-2.0
// What the RTL system asks of each unit of a scenario's die (units.hpp lists them).
#ifndef CS_LOCKSTEP_RTL_UNIT_HPP
#define CS_LOCKSTEP_RTL_UNIT_HPP

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "drivers/cpu.h"
#include "drivers/environment.h"
#include "lockstep/difference.h"
#include "lockstep/exercise.h"
#include "lockstep/manager_pins.hpp"
#include "lockstep/rtl_die.hpp"
#include <countersink/base/numbers.h>
#include <countersink/base/probe/probe.h>

namespace cs
{

// What a unit is handed; it outlives the unit.
struct RtlContext {
    cs_environment *environment = nullptr;
    std::unique_ptr<RtlDie> die;
    ManagerPort managers;       // of the whole die
    std::vector<cs_cpu *> cpus; // the CPU ports

    // An interrupt line (countersink/base/numbers.h) has another level from cycle `now` on.
    void raise(cs_cycle now, unsigned line, bool level) const
    {
        for (cs_cpu *cpu : cpus)
            cs_cpu_irq(cpu, now, line, level);
    }

    const cs_scenario &scenario() const
    {
        return *environment->scenario;
    }

    void emit(const cs_probe_record &record) const
    {
        cs_probe_emit(environment->probe, &record);
    }

    // An interrupt of `source`, number `line` of several, has another level from cycle `now` on.
    void emit_irq(cs_cycle now, unsigned source, bool level, unsigned line = 0) const
    {
        cs_probe_record record = {};

        record.cycle = now;
        record.kind = CS_PROBE_IRQ;
        record.source = static_cast<uint16_t>(source);
        record.index = static_cast<uint16_t>(line);
        record.value = level;
        emit(record);
    }
};

// In each cycle: drive (between the rising edge and settling), observe (all outputs are valid),
// step. A unit that has nothing to do in one of them leaves it out.
class RtlUnit
{
  public:
    explicit RtlUnit(RtlContext &context) : context_(context), die_(*context.die) {}
    virtual ~RtlUnit() = default;
    RtlUnit(const RtlUnit &) = delete;

    // The straps of the scenario, before reset.
    virtual void strap() {}
    // Software of its own; errors of its creation.
    virtual cs_status create(cs_diag *)
    {
        return CS_OK;
    }
    // Inputs of cycle `now`, where the RTL looks at them.
    virtual void drive(cs_cycle) {}
    // Records of cycle `now`.
    virtual void observe(cs_cycle) {}
    // Its software executes cycle `now`.
    virtual void step(cs_cycle) {}
    // What was fetched ahead for this CPU may no longer hold: software came or went.
    virtual void forget(unsigned) {}
    // Its parts in the scenario, which a comparison is to see at work.
    virtual std::vector<cs_part> parts() const = 0;
    // What a source of its records counts; null: it is none that counts.
    virtual cs_timeline *counts(uint16_t) const
    {
        return nullptr;
    }
    // An event of that timeline, as its page has it.
    virtual std::string event_name(uint32_t event) const
    {
        char name[CS_DIFFERENCE_NAME];

        snprintf(name, sizeof name, "0x%x", event % CS_EVENT_SPACE);
        return name;
    }
    // The cycle in which its software ended; CS_NEVER before.
    virtual cs_cycle end() const
    {
        return 0;
    }

  protected:
    // A part of which records are from one number.
    static cs_part part(unsigned source)
    {
        return {static_cast<uint16_t>(source), static_cast<uint16_t>(source)};
    }

    Pin pin(const char *name) const
    {
        return die_.pin(name);
    }

    RtlContext &context_;
    RtlDie &die_;
};

} // namespace cs

#endif

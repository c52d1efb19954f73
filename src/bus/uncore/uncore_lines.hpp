// SPDX-License-Identifier: Apache-2.0
// The interrupts of uncore units as lines that somebody waits for: looks ahead for the cycle in which the
// next one changes, so that whoever waits learns of it in time.
#ifndef CS_BUS_UNCORE_UNCORE_LINES_HPP
#define CS_BUS_UNCORE_UNCORE_LINES_HPP

#include <functional>
#include <vector>

#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/models/uncore/uncore.h>

namespace cs
{

class UncoreLines : public AgentModule
{
  public:
    SC_HAS_PROCESS(UncoreLines);

    // `changed` is told that the line of unit `index` changes at the beginning of `cycle`.
    using Changed = std::function<void(unsigned index, cs_cycle cycle, bool level)>;

    UncoreLines(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                Changed changed)
        : AgentModule(name, period), changed_(std::move(changed))
    {
    }

    // Borrowed; in the order of their lines.
    void add(cs_uncore *unit)
    {
        units_.push_back({unit});
    }
    // Before an access with effect in `cycle`, and after it.
    void come_to(cs_cycle cycle);
    void accessed();

    cs_cycle earliest() const override
    {
        return seen_after(next());
    }
    bool alone(cs_cycle) const override
    {
        return true;
    }

  private:
    struct Line {
        cs_uncore *unit;
        bool level = false;
    };

    // A change is told when the cycle before it is executed.
    cs_cycle next() const override;
    void execute(cs_cycle cycle) override
    {
        come_to(cycle + 1);
    }
    void bus_done(unsigned, cs_bus_txn *) override {}
    void look();

    Changed changed_;
    std::vector<Line> units_;
    mutable cs_cycle next_ = CS_NEVER;
    mutable bool known_ = false; // next_ holds
};

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
// The interrupts of units as lines that somebody waits for: looks ahead for the cycle in which the
// next one changes, so that whoever waits learns of it in time.
#ifndef CS_BUS_MACHINE_UNIT_LINES_HPP
#define CS_BUS_MACHINE_UNIT_LINES_HPP

#include <functional>
#include <vector>

#include <countersink/bus/fabric/agent_module.hpp>

namespace cs
{

// A model with one line, as all models have their functions (docs/architecture.md).
class LineOwner
{
  public:
    virtual cs_cycle line_next() const = 0; // in which it has another level
    virtual void line_advance(cs_cycle to) = 0;
    virtual cs_cycle line_now() const = 0;
    virtual bool line_level() const = 0;

  protected:
    ~LineOwner() = default;
};

class UnitLines : public AgentModule
{
  public:
    SC_HAS_PROCESS(UnitLines);

    // `changed` is told that the line of unit `index` changes at the beginning of `cycle`.
    using Changed = std::function<void(unsigned index, cs_cycle cycle, bool level)>;

    UnitLines(const sc_core::sc_module_name &name, const sc_core::sc_time &period, Changed changed)
        : AgentModule(name, period), changed_(std::move(changed))
    {
    }

    // Borrowed; in the order of their lines.
    void add(LineOwner &unit)
    {
        units_.push_back({&unit});
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
        LineOwner *unit;
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

// The registers of such a unit behind a bridge: accesses find the line as it is then.
template <class Port> class LinePort : public Port, private LineOwner
{
  public:
    template <class... Args>
    explicit LinePort(UnitLines &lines, const Args &...args) : Port(args...), lines_(lines)
    {
        lines_.add(*this);
    }
    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        lines_.come_to(cycle);
        return Port::read(cycle, offset, wide, data);
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        lines_.come_to(cycle);
        const bool error = Port::write(cycle, offset, wide, data);
        lines_.accessed();
        return error;
    }
    bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        lines_.come_to(cycle);
        return Port::ask(cycle, offset, wide, data);
    }

  private:
    cs_cycle line_next() const override
    {
        return Port::line_next();
    }
    void line_advance(cs_cycle to) override
    {
        Port::finish(to);
    }
    cs_cycle line_now() const override
    {
        return Port::line_now();
    }
    bool line_level() const override
    {
        return Port::line_level();
    }

    UnitLines &lines_;
};

} // namespace cs

#endif

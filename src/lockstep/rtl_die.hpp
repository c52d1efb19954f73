// SPDX-License-Identifier: Apache-2.0
// A verilated die: a shared object, loaded at run time, whatever its shape.
#ifndef CS_LOCKSTEP_RTL_DIE_HPP
#define CS_LOCKSTEP_RTL_DIE_HPP

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bus/die_shape.h"
#include "die_abi.h"
#include "die_waves.h"
#include "lockstep/pin.hpp"
#include "scenario/machine/die.h"

namespace cs
{

// The die has not got what the program asks for: another version made it.
class WrongDie : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

class RtlDie
{
  public:
    // Throws WrongDie.
    explicit RtlDie(const char *path);
    ~RtlDie();
    RtlDie(const RtlDie &) = delete;

    // A port by its name; throws WrongDie.
    Pin pin(const std::string &name) const;

    // A parameter of a unit of this die.
    unsigned size(const char *unit, const char *name) const
    {
        return cs_die_shape_get(&shape_, unit, name);
    }

    bool holds(const cs_die_shape &wanted) const
    {
        return cs_die_shape_holds(&shape_, &wanted);
    }

    // Where a manager or target of a unit stands in this die ("": the CPU's port, memory);
    // throws WrongDie.
    unsigned manager(const char *unit, const cs_die_place &place) const;
    unsigned target(const char *unit, const cs_die_place &place) const;

    // Memory, the units' targets, the hole.
    unsigned paths() const
    {
        return plugin_->nr_targets + 1;
    }

    // It was made with waves.
    bool has_waves() const
    {
        return waves_ != nullptr;
    }
    // False: the file cannot be written.
    bool open_waves(const char *path, cs_die_signal *signals, size_t nr_signals)
    {
        return waves_->open(die_, path, signals, nr_signals);
    }
    // A cycle that has settled (lockstep/waves/waves.h says what time it is).
    void dump_waves(cs_cycle cycle);
    void close_waves()
    {
        waves_->close(die_);
    }

    // Straps are set: leaves the die in the reset state of cycle 0.
    void reset();

    // Rising edge: the registers of the next cycle. Register outputs are valid.
    void rise()
    {
        for (const auto &group : groups_)
            group->clock.set(0, 1, 0);
        clock_.set(0, 1, 1);
        plugin_->eval(die_);
        reset_.set(0, 1, 1); // after reset(), this was the edge into cycle 0
    }

    // Inputs of this cycle are set: settles what passes through. All outputs are valid. Of a group
    // in which nothing changed nothing is taken: it would be the same.
    void settle()
    {
        clock_.set(0, 1, 0);
        for (const auto &group : groups_) {
            group->clock.set(0, 1, group->changed);
            group->changed = false;
        }
        plugin_->eval(die_);
    }

  private:
    // Inputs that are taken together.
    struct Group {
        void *bits; // of the clock
        Pin clock;
        bool changed;
    };
    bool *changed_of(void *settle) const;
    const cs_die_unit *unit(const char *name) const;
    unsigned index(const char *unit, const cs_die_place &place) const;

    void *object_ = nullptr;
    const cs_die_plugin_abi *plugin_ = nullptr;
    const cs_die_waves_abi *waves_ = nullptr;
    void *die_ = nullptr;
    cs_die_shape shape_ = {};
    std::vector<std::unique_ptr<Group>> groups_; // pins know their places
    Pin clock_, reset_;
};

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
#include "lockstep/rtl_die.hpp"

#include <cstring>
#include <dlfcn.h>

namespace cs
{

RtlDie::RtlDie(const char *path)
{
    object_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object_ == nullptr)
        throw WrongDie(std::string("the die cannot be loaded: ") + dlerror());
    plugin_ = static_cast<const cs_die_plugin_abi *>(dlsym(object_, CS_DIE_SYMBOL));
    if (plugin_ == nullptr || plugin_->version != CS_DIE_ABI ||
        cs_die_shape_parse(plugin_->shape, &shape_, nullptr) != CS_OK) {
        dlclose(object_);
        throw WrongDie(std::string(path) + " is no die of this version");
    }
    waves_ = static_cast<const cs_die_waves_abi *>(dlsym(object_, CS_DIE_WAVES_SYMBOL));
    if (waves_ != nullptr && waves_->version != CS_DIE_WAVES)
        waves_ = nullptr;
    die_ = plugin_->create();
    for (const cs_die_pin *pin = plugin_->pins(die_); pin->name != nullptr; pin++)
        if (pin->settle != nullptr && changed_of(pin->settle) == nullptr)
            groups_.push_back(std::make_unique<Group>(Group{pin->settle, Pin(pin->settle), true}));
    clock_ = pin("clk_i");
    reset_ = pin("rst_ni");
    plugin_->eval(die_); // all clocks are low: no edge is seen in the first
}

RtlDie::~RtlDie()
{
    plugin_->destroy(die_);
    dlclose(object_);
}

bool *RtlDie::changed_of(void *settle) const
{
    for (const auto &group : groups_)
        if (group->bits == settle)
            return &group->changed;
    return nullptr;
}

Pin RtlDie::pin(const std::string &name) const
{
    for (const cs_die_pin *pin = plugin_->pins(die_); pin->name != nullptr; pin++)
        if (name == pin->name)
            return Pin(pin->bits, changed_of(pin->settle));
    throw WrongDie("the die has no port '" + name + "'");
}

const cs_die_unit *RtlDie::unit(const char *name) const
{
    for (size_t i = 0; i < plugin_->nr_units; i++)
        if (std::strcmp(plugin_->units[i].name, name) == 0)
            return &plugin_->units[i];
    throw WrongDie(std::string("the die has no unit '") + name + "'");
}

unsigned RtlDie::index(const char *name, const cs_die_place &place) const
{
    const cs_die_size *row =
        place.rows != nullptr ? cs_die_shape_find(&shape_, name, place.rows) : nullptr;

    return place.row * (row != nullptr ? row->value : 1) + place.index;
}

unsigned RtlDie::manager(const char *name, const cs_die_place &place) const
{
    if (*name == '\0')
        return 0;
    const unsigned index = this->index(name, place);
    if (index >= unit(name)->nr_managers)
        throw WrongDie(std::string("the die has too few managers in unit '") + name + "'");
    return unit(name)->first_manager + index;
}

unsigned RtlDie::target(const char *name, const cs_die_place &place) const
{
    if (*name == '\0')
        return 0;
    const unsigned index = this->index(name, place);
    if (index >= unit(name)->nr_targets)
        throw WrongDie(std::string("the die has too few targets in unit '") + name + "'");
    return unit(name)->first_target + index;
}

// What has settled is shown with the high clock, too: of what happens in between nobody sees anything.
void RtlDie::dump_waves(cs_cycle cycle)
{
    clock_.set(0, 1, 1);
    waves_->dump(die_, 10 * cycle);
    clock_.set(0, 1, 0);
    plugin_->eval(die_); // or the clock's fall is no change
    waves_->dump(die_, 10 * cycle + 5);
}

void RtlDie::reset()
{
    for (unsigned i = 0; i < 2; i++) {
        reset_.set(0, 1, 0);
        settle();
        rise();
    }
    // Reset is still low at the next rising edge, so cycle 0 is in the reset state: counters that
    // run freely begin there.
    reset_.set(0, 1, 0);
    settle();
}

} // namespace cs

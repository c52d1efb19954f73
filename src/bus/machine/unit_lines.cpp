// SPDX-License-Identifier: Apache-2.0
#include "bus/machine/unit_lines.hpp"

#include <algorithm>

namespace cs
{

cs_cycle UnitLines::next() const
{
    if (!known_) {
        next_ = CS_NEVER;
        for (const Line &line : units_)
            next_ = std::min(next_, line.unit->line_next());
        next_ = next_ == CS_NEVER ? CS_NEVER : next_ - 1;
    }
    known_ = true;
    return next_;
}

void UnitLines::come_to(cs_cycle cycle)
{
    while (next() < cycle) {
        const cs_cycle change = next() + 1;

        for (const Line &line : units_)
            line.unit->line_advance(change);
        look();
    }
}

void UnitLines::accessed()
{
    look();
    wake();
}

void UnitLines::look()
{
    for (unsigned i = 0; i < units_.size(); i++) {
        Line &line = units_[i];

        if (line.unit->line_level() == line.level)
            continue;
        line.level = !line.level;
        changed_(i, line.unit->line_now(), line.level);
    }
    known_ = false;
}

} // namespace cs

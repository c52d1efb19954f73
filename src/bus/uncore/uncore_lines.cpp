// SPDX-License-Identifier: Apache-2.0
#include "bus/uncore/uncore_lines.hpp"

#include <algorithm>

namespace cs
{

cs_cycle UncoreLines::next() const
{
    if (!known_) {
        next_ = CS_NEVER;
        for (const Line &line : units_)
            next_ = std::min(next_, cs_uncore_next(line.unit));
        next_ = next_ == CS_NEVER ? CS_NEVER : next_ - 1;
    }
    known_ = true;
    return next_;
}

void UncoreLines::come_to(cs_cycle cycle)
{
    while (next() < cycle) {
        const cs_cycle change = next() + 1;

        for (const Line &line : units_)
            cs_uncore_advance(line.unit, change);
        look();
    }
}

void UncoreLines::accessed()
{
    look();
    wake();
}

void UncoreLines::look()
{
    for (unsigned i = 0; i < units_.size(); i++) {
        Line &line = units_[i];

        if (cs_uncore_irq(line.unit) == line.level)
            continue;
        line.level = !line.level;
        changed_(i, cs_uncore_now(line.unit), line.level);
    }
    known_ = false;
}

} // namespace cs

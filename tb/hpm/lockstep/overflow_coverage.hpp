// SPDX-License-Identifier: Apache-2.0
// Overflows by the counter, its width and the mode of the hart; and accesses in each mode while a
// line is high.
#pragma once

#include <cstdio>

#include "../model/coverage.hpp"

class OverflowCoverage
{
  public:
    Coverage::Cells overflows, pending;

    OverflowCoverage()
    {
        for (unsigned width = 1; width <= 64; width++)
            overflows[numbered("width", width)] = 0;
        for (unsigned n = 3; n < 32; n++)
            overflows[numbered("counter", n)] = 0;
        for (unsigned mode : {0u, 1u, 3u, 4u, 5u}) {
            overflows[mode_name("in", mode)] = 0;
            for (const char *line : LINES)
                pending[mode_name(line, mode)] = 0;
        }
    }

    // `lines` are those of the cycle, `seen` what its counters did.
    void cycle(const cs_hpm_config &config, const Pins &p, unsigned lines,
               const std::vector<CounterCycle> &seen)
    {
        for (const CounterCycle &c : seen)
            if (c.could_carry && overflows_now(c)) {
                overflows[numbered("width", config.width[c.n])]++;
                overflows[numbered("counter", c.n)]++;
                overflows[mode_name("in", p.mode)]++;
            }
        if (lines == 0 || p.op < 0)
            return;
        for (unsigned line = 0; line < 3; line++)
            if (lines >> line & 1)
                pending[mode_name(LINES[line], p.mode)]++;
    }

  private:
    static constexpr const char *LINES[] = {"to M high, access in", "to S high, access in",
                                            "to VS high, access in"};

    static bool overflows_now(const CounterCycle &c)
    {
        return c.armed_kind && !c.of && !c.inhibited && !c.event_zero && c.filter != 2 &&
               c.write != CounterCycle::LOW && c.write != CounterCycle::HIGH;
    }

    static std::string numbered(const char *what, unsigned n)
    {
        char name[32];
        std::snprintf(name, sizeof name, "%s %2u", what, n);
        return name;
    }
    static std::string mode_name(const char *what, unsigned mode)
    {
        static const char *const names[] = {"U", "S", "?", "M", "VU", "VS"};
        return std::string(what) + " " + names[mode];
    }
};

// SPDX-License-Identifier: Apache-2.0
// What the programs of the test meet, taken by the cycle-by-cycle reference, with which every
// one of their accesses, lines and pins is compared in the test. Beside the cells of
// ../model/coverage.hpp: straps, registers, answers, overflows, latencies and lines.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../model/coverage.hpp"
#include "lockstep.hpp"
#include "overflow_coverage.hpp"
#include "permission_coverage.hpp"
#include "stimulus.hpp"

class LockstepCoverage
{
  public:
    using Cells = Coverage::Cells;

    Coverage page;
    PermissionCoverage permission;
    OverflowCoverage overflow;
    Cells straps;    // XLEN / modes / extensions
    Cells registers; // number / read, written, absent
    Cells latencies; // L, with a request that has come
    Cells lines;     // XLEN / line / level, as it changes
    Cells built;     // NrHpm of the RTL

    LockstepCoverage()
    {
        strap_cells();
        for (unsigned csr : all_registers())
            register_cells(csr);
        for (unsigned l = 0; l <= CS_HPM_MAX_LCOFI_LATENCY; l++)
            latencies[number("L", l)] = 0;
        for (unsigned xlen : {32u, 64u})
            for (unsigned line = 0; line < 3; line++)
                for (unsigned level : {0u, 1u})
                    lines[line_of(xlen, line, level)] = 0;
        for (unsigned n : {0u, 6u, 29u})
            built[number("NrHpm", n)] = 0;
    }

    void everything()
    {
        for (const Kind &kind : KINDS)
            for (unsigned share = 0; share < SHARES; share++)
                for (uint64_t seed : seeds_of(kind, share))
                    program(seed);
    }

    void program(uint64_t seed)
    {
        Stimulus stimulus(seed);
        const cs_hpm_config &config = stimulus.program.config;
        straps[straps_of(config)]++;
        built[number("NrHpm", built_for(seed, config.counters))]++;
        std::optional<Reference<Increments>> reference;
        reference.emplace(config, stimulus.program.increments());
        for (cs_cycle t = 0; t < stimulus.cycles(); t++) {
            const Pins p = stimulus.pins(t);
            if (stimulus.resets_in(t))
                reference.emplace(config, stimulus.program.increments());
            else
                cycle(config, p, *reference);
        }
    }

    // Title and cells of each table.
    std::vector<std::pair<const char *, Cells>> tables() const
    {
        return {{"group / mode / operation / answer", permission.cells()},
                {"permission rule / mode", page.rules},
                {"counter table", page.counters},
                {"write / overflow / inhibit / filter", page.pairs},
                {"LCOFIP write / request", page.requests},
                {"overflow", overflow.overflows},
                {"line / mode", overflow.pending},
                {"straps", straps},
                {"register / access", registers},
                {"LCOFIP latency", latencies},
                {"lines", lines},
                {"counters built", built}};
    }

    // How many cells there are to meet.
    static size_t possible()
    {
        return PermissionCoverage::possible() + 72 + 132 + 144 + 24 + (64 + 29 + 5) + 15 + 64 +
               516 + 32 + 12 + 3;
    }

  private:
    using Increments = decltype(std::declval<RandomProgram>().increments());

    void cycle(const cs_hpm_config &config, const Pins &p, Reference<Increments> &reference)
    {
        const unsigned before = reference.lines;
        const Answer a = reference.step(p);

        page.cycle(config, p, a, reference);
        overflow.cycle(config, p, before, reference.seen);
        if (reference.lcofip_set)
            latencies[number("L", config.lcofi_latency)]++;
        for (unsigned line = 0; line < 3; line++)
            if ((before ^ reference.lines) >> line & 1)
                lines[line_of(config.xlen, line, reference.lines >> line & 1)]++;
        if (p.op < 0)
            return;
        permission.access(p, a);
        count(p.csr, "absent", a.rule == "A1");
        count(p.csr, "read", a.exception == 0);
        count(p.csr, "written", a.exception == 0 && p.op > 0);
    }

    static std::string number(const char *what, unsigned n)
    {
        return std::string(what) + " " + (n < 10 ? " " : "") + std::to_string(n);
    }
    static std::string line_of(unsigned xlen, unsigned line, unsigned level)
    {
        static const char *const names[] = {"to M", "to S", "to VS"};
        return std::string("RV") + std::to_string(xlen) + ", " + names[line] +
               (level ? ", rises" : ", falls");
    }

    static std::string straps_of(const cs_hpm_config &c)
    {
        static const char *const modes[] = {"M", "M U", "M S U", "M S U VS VU"};
        return "RV" + std::to_string(c.xlen) + ", " + modes[c.modes] +
               (c.sscofpmf ? ", sscofpmf" : "") + (c.smcntrpmf ? ", smcntrpmf" : "") +
               (c.smcdeleg ? ", smcdeleg" : "") + (c.aia ? ", aia" : "");
    }

    // All that section 1 allows.
    void strap_cells()
    {
        for (unsigned bits = 0; bits < 128; bits++) {
            cs_hpm_config c = {};
            c.xlen = bits & 1 ? 64 : 32;
            c.modes = bits >> 1 & 3;
            c.sscofpmf = bits >> 3 & 1;
            c.smcntrpmf = bits >> 4 & 1;
            c.smcdeleg = bits >> 5 & 1;
            c.aia = bits >> 6 & 1;
            const bool has_s = c.modes >= CS_HPM_MODES_M_S_U;
            if ((c.smcdeleg && !has_s) || (c.aia && !(has_s && c.sscofpmf)))
                continue;
            straps[straps_of(c)] = 0;
        }
    }

    static std::string register_of(unsigned csr, const char *what)
    {
        char name[16];
        std::snprintf(name, sizeof name, "0x%03X", csr);
        return std::string(name) + ", " + what;
    }
    void count(unsigned csr, const char *what, bool met)
    {
        const auto cell = met ? registers.find(register_of(csr, what)) : registers.end();
        if (cell != registers.end())
            cell->second++;
    }

    // By the column "exists" of section 5: what is never there, and what is always.
    void register_cells(unsigned csr)
    {
        const bool is_gap = csr == 0x154 || csr == 0x254 || csr == 0xB01 || csr == 0xB81 ||
                            csr == 0x720 || (csr > 0x350 && csr <= 0x357);
        const bool is_foreign =
            csr == 0x60A || csr == 0x61A || csr == 0x604 || csr == 0x644 || csr == 0x181;
        const bool is_machine_low = (csr >= 0xB00 && csr < 0xB20) || (csr >= 0x323 && csr < 0x340);
        const bool is_user_low = csr >= 0xC00 && csr < 0xC20;
        const bool is_read_only = csr >= 0xC00;
        // sireg3, sireg6 and vsireg* exist and are refused by section 7.
        const bool is_refused = csr == 0x153 || csr == 0x157 || (csr > 0x250 && csr <= 0x257);
        const bool is_always =
            is_machine_low || is_user_low || csr == 0x320 || csr == 0x304 || csr == 0x344;

        if (is_gap || is_foreign || !is_always)
            registers[register_of(csr, "absent")] = 0;
        if (is_gap || is_foreign || is_refused)
            return;
        registers[register_of(csr, "read")] = 0;
        if (!is_read_only)
            registers[register_of(csr, "written")] = 0;
    }
};

// SPDX-License-Identifier: Apache-2.0
// What random programs have met of docs/hw/hpm.md: each cell has a name and a number of hits,
// and those that can be met are known beforehand, from the page.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "random_program.hpp"

class Coverage
{
  public:
    using Cells = std::map<std::string, uint64_t>;

    Cells rules;    // rule (and its row) / mode
    Cells counters; // row of the counter table / counter / half
    Cells pairs;    // write / overflow / inhibit / filter, of one counter in one cycle
    Cells requests; // LCOFIP: alias, operation / set by hardware in that cycle

    Coverage()
    {
        rule_cells();
        counter_cells();
        pair_cells();
        request_cells();
    }

    void program(uint64_t seed)
    {
        RandomProgram program(seed);
        Reference reference(program.config, program.increments());
        for (cs_cycle t = 0; t < RandomProgram::CYCLES; t++) {
            const Pins p = program.pins(t);
            const Answer a = reference.step(p);
            cycle(program.config, p, a, reference);
        }
    }

    // What the reference has met in the cycle that it has just executed.
    template <class Increments>
    void cycle(const cs_hpm_config &config, const Pins &p, const Answer &a,
               const Reference<Increments> &reference)
    {
        if (p.op >= 0)
            access(config, p, a);
        for (const CounterCycle &c : reference.seen)
            if (c.armed_kind && !c.event_zero)
                pairs[pair(c.write, c.could_carry ? 1 + c.of : 0, c.inhibited, c.filter)]++;
        if (reference.lcofip_written)
            requests[written(p.csr, p.mode == 5, p.op, reference.lcofip_set)]++;
    }

    static unsigned missed(const Cells &cells)
    {
        unsigned count = 0;
        for (const auto &[name, hits] : cells)
            count += hits == 0;
        return count;
    }

  private:
    static const char *mode_name(unsigned mode)
    {
        static const char *const names[] = {"U", "S", "?", "M", "VU", "VS"};
        return names[mode];
    }
    static std::string cell(const std::string &rule, unsigned mode)
    {
        return rule + " / " + mode_name(mode);
    }

    static std::string row_of(const std::string &rule, const char *counter, bool high)
    {
        return rule + " / " + counter + (high ? " / high" : " / low");
    }

    static std::string pair(unsigned write, unsigned carry, bool inhibited, int filter)
    {
        static const char *const writes[] = {"no write",    "low or whole",  "high",
                                             "event's low", "OF to 0",       "OF to 1",
                                             "inhibit set", "inhibit clear", "another counter"};
        static const char *const carries[] = {"no carry", "carry, OF 0", "carry, OF 1"};
        static const char *const filters[] = {"no filter", "filter passes", "filtered out"};
        return std::string(writes[write]) + " / " + carries[carry] + " / " +
               (inhibited ? "inhibited" : "free") + " / " + filters[filter];
    }

    static std::string written(unsigned csr, bool is_vs, int op, bool set)
    {
        static const char *const ops[] = {"read", "csrrw", "csrrs", "csrrc"};
        const std::string name = csr == 0x344            ? "mip"
                                 : csr == 0x244          ? "vsip"
                                 : csr == 0x144 && is_vs ? "sip of VS"
                                                         : "sip";
        return name + ", " + ops[op] + (set ? " / request" : " / no request");
    }

    void access(const cs_hpm_config &c, const Pins &p, const Answer &a)
    {
        rules[cell(a.rule, p.mode)]++;
        if (a.rule.compare(0, 3, "A5 ") != 0)
            return;
        const unsigned n = p.csr & 31;
        const char *const name = n == 0                ? "cycle"
                                 : n == 1              ? "time"
                                 : n == 2              ? "instret"
                                 : c.counters >> n & 1 ? "hpm"
                                                       : "hpm that is not there";
        counters[row_of(a.rule, name, p.csr & 0x80)]++;
    }

    // In which modes a rule can be the first that fits.
    void rule_cells()
    {
        const unsigned U = 0, S = 1, M = 3, VU = 4, VS = 5;
        const std::vector<std::pair<const char *, std::vector<unsigned>>> table = {
            {"A1", {U, S, M, VU, VS}},
            {"A2", {U, S, M, VU, VS}},
            {"A3", {U, S, VU, VS}},
            {"A4", {U}},
            {"A5 M", {M}},
            {"A5 S 0", {S}},
            {"A5 S 1", {S}},
            {"A5 U- 0", {U}},
            {"A5 U- 1", {U}},
            {"A5 U 0", {U}},
            {"A5 U 1 0", {U}},
            {"A5 U 1 1", {U}},
            {"A5 VS 0", {VS}},
            {"A5 VS 1 0", {VS}},
            {"A5 VS 1 1", {VS}},
            {"A5 VU 0", {VU}},
            {"A5 VU 1 0", {VU}},
            {"A5 VU 1 1 0", {VU}},
            {"A5 VU 1 1 1", {VU}},
            {"A6", {S, M, VU, VS}},
            {"A7", {VU, VS}},
            {"A8", {S, VU, VS}},
            {"A9", {VU, VS}},
            {"A10", {VU, VS}},
            {"A11 vsireg", {S, M}},
            {"A11 VS V", {VS}},
            {"A11 VS I", {VS}},
            {"A11 D1", {S, M}},
            {"A11 D2", {S, M}},
            {"A11 D3", {S, M}},
            {"A11 D4", {S, M}},
            {"A11 D5", {S, M}},
            {"A11 D6", {S, M}},
            {"A11 D7", {S, M}},
            {"A11 D8", {S, M}},
            {"A11 D9", {S, M}},
            {"A12", {VU, VS}},
            {"A13", {VU}},
            {"A14", {VS}},
            {"A15", {S, M, VS}},
        };
        for (const auto &[rule, modes] : table)
            for (unsigned mode : modes)
                rules[cell(rule, mode)] = 0;
    }

    // Below M the bit of a counter that is not there is 0: only the rows of a 0 remain.
    void counter_cells()
    {
        const std::vector<std::string> rows = {"A5 M",      "A5 S 0",      "A5 S 1",     "A5 U- 0",
                                               "A5 U- 1",   "A5 U 0",      "A5 U 1 0",   "A5 U 1 1",
                                               "A5 VS 0",   "A5 VS 1 0",   "A5 VS 1 1",  "A5 VU 0",
                                               "A5 VU 1 0", "A5 VU 1 1 0", "A5 VU 1 1 1"};
        for (const std::string &row : rows)
            for (bool high : {false, true}) {
                for (const char *counter : {"cycle", "time", "instret", "hpm"})
                    counters[row_of(row, counter, high)] = 0;
                if (row == "A5 M" || row.compare(row.size() - 2, 2, " 0") == 0) {
                    const bool first = row.find('1') == std::string::npos;
                    if (first)
                        counters[row_of(row, "hpm that is not there", high)] = 0;
                }
            }
    }

    void pair_cells()
    {
        for (unsigned write = 0; write <= CounterCycle::ANOTHER_COUNTER; write++)
            for (unsigned carry = 0; carry < 3; carry++)
                for (bool inhibited : {false, true})
                    for (int filter = 0; filter < 3; filter++) {
                        if (write == CounterCycle::INHIBIT_SET && inhibited)
                            continue;
                        if (write == CounterCycle::INHIBIT_CLEAR && !inhibited)
                            continue;
                        pairs[pair(write, carry, inhibited, filter)] = 0;
                    }
    }

    void request_cells()
    {
        for (int op = 1; op <= 3; op++)
            for (bool set : {false, true}) {
                requests[written(0x344, false, op, set)] = 0;
                requests[written(0x144, false, op, set)] = 0;
                requests[written(0x144, true, op, set)] = 0;
                requests[written(0x244, false, op, set)] = 0;
            }
    }
};

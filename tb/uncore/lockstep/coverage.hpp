// SPDX-License-Identifier: Apache-2.0
// What the programs meet of docs/hw/uncore.md: tables of cells, each to be hit.
#pragma once

#include <map>
#include <string>

#include "reference.hpp"

class LockstepCoverage
{
  public:
    using Cells = std::map<std::string, uint64_t>;

    uint64_t programs = 0, cycles = 0, accesses = 0, overflows = 0, foretold = 0, resets = 0,
             records = 0, peeks = 0;
    std::map<std::string, Cells> tables;

    LockstepCoverage()
    {
        for (const char *reg : registers)
            for (bool write : {false, true})
                for (const char *shape : shapes) {
                    for (const char *overflow : {"no overflow", "overflow", "overflow, FREEZE"})
                        add(by_access, access_name(reg, write, shape) + ", " + overflow);
                    if (std::string(reg) == "SELECT" || std::string(reg) == "COUNT")
                        for (const char *overflow : {"", ", FREEZE"})
                            add(by_own, access_name(reg, write, shape) + overflow);
                }
        for (unsigned state = 0; state < 4; state++)
            for (unsigned written = 0; written < 8; written++)
                for (bool overflow : {false, true})
                    if (!overflow || (state & 1))
                        add(by_control, control_name(state, written, overflow));
        for (unsigned bits = 0; bits < 8; bits++)
            add(by_flag, flag_name(bits & 1, bits & 2, bits & 4));
        for (const char *cause : {"rises, overflow", "rises, write of IE", "falls, write of OVF",
                                  "falls, write of IE", "falls, reset"})
            add(by_edge, cause);
        for (unsigned n = 1; n <= 16; n++)
            add("straps", "N " + two(n));
        for (unsigned width = 8; width <= 64; width++) {
            add("straps", "W " + two(width));
            add("wraps", "W " + two(width));
        }
        for (unsigned n = 0; n < 16; n++) {
            add("wraps", "counter " + two(n));
            add("counted", "increment " + two(n));
        }
    }

    void straps(const cs_uncore_config &c)
    {
        programs++;
        hit("straps", "N " + two(c.counters));
        hit("straps", "W " + two(c.width));
    }

    // A cycle that began as `before`, its reset aside, and ended as `after`; irq_o was `line` in the
    // cycle before it.
    void cycle(const cs_uncore_config &c, const Reference &before, const Reference &after,
               const Pins &p, const Happens &happens, const std::array<unsigned, 16> &inc,
               bool line)
    {
        cycles++;
        if (p.reset) {
            resets++;
            if (line)
                hit(by_edge, "falls, reset");
            return;
        }
        for (unsigned n = 0; n < c.counters; n++) {
            if (happens.counted >> n & 1)
                hit("counted", "increment " + two(inc[n]));
            if (happens.overflows >> n & 1) {
                overflows++;
                hit("wraps", "counter " + two(n));
                hit("wraps", "W " + two(c.width));
            }
        }
        if (p.enabled)
            access(c, before, p, happens);
        if (before.irq() != after.irq())
            edge(before, after);
    }

  private:
    static constexpr const char *registers[] = {"ID",
                                                "CTL",
                                                "OVF",
                                                "IE",
                                                "SELECT",
                                                "COUNT",
                                                "SELECT not there",
                                                "COUNT not there",
                                                "MATCH",
                                                "MASK",
                                                "no register"};
    static constexpr const char *shapes[] = {"8 bytes", "low half", "high half", "8 bytes at 4",
                                             "misaligned"};
    static constexpr const char *by_access = "register, access, overflow in that cycle",
                                *by_own = "access to a counter that would overflow",
                                *by_control = "write of CTL", *by_flag = "flag in a write of OVF",
                                *by_edge = "irq_o";

    void add(const std::string &table, const std::string &cell)
    {
        tables[table][cell] = 0;
    }
    void hit(const std::string &table, const std::string &cell)
    {
        tables.at(table).at(cell)++;
    }

    static std::string two(unsigned n)
    {
        return (n < 10 ? "0" : "") + std::to_string(n);
    }
    static std::string access_name(const std::string &reg, bool write, const std::string &shape)
    {
        return reg + (write ? " write, " : " read, ") + shape;
    }
    static std::string control_name(unsigned state, unsigned written, bool overflow)
    {
        return std::string("EN ") + "01"[state & 1] + " FREEZE " + "01"[state >> 1 & 1] +
               ", written EN " + "01"[written & 1] + " FREEZE " + "01"[written >> 1 & 1] +
               " RESET " + "01"[written >> 2 & 1] + (overflow ? ", would overflow" : "");
    }
    static std::string flag_name(bool set, bool one, bool arrives)
    {
        return std::string(set ? "set" : "clear") + ", written " + "01"[one] +
               (arrives ? ", overflow" : "");
    }

    static const char *register_name(const cs_uncore_config &c, unsigned reg)
    {
        static const char *const first[] = {"ID", "CTL", "OVF", "IE"};
        if (reg < 0x20)
            return first[reg / 8];
        if (reg >= 0x100 && reg < 0x180)
            return (reg - 0x100) / 8 < c.counters ? "SELECT" : "SELECT not there";
        if (reg >= 0x200 && reg < 0x280)
            return (reg - 0x200) / 8 < c.counters ? "COUNT" : "COUNT not there";
        if (c.extended && reg >= 0x300 && reg < 0x300 + 8 * c.counters)
            return "MATCH";
        if (c.extended && reg >= 0x400 && reg < 0x400 + 8 * c.counters)
            return "MASK";
        return "no register";
    }
    static const char *shape_of(const Pins &p)
    {
        if (p.addr % 4 != 0)
            return "misaligned";
        if (p.wide)
            return p.addr % 8 == 0 ? "8 bytes" : "8 bytes at 4";
        return p.addr % 8 == 0 ? "low half" : "high half";
    }

    void access(const cs_uncore_config &c, const Reference &before, const Pins &p,
                const Happens &happens)
    {
        const std::string reg = register_name(c, p.addr / 8 * 8);
        const std::string name = access_name(reg, p.write, shape_of(p));
        const bool is_counter = reg == "SELECT" || reg == "COUNT";
        const bool changes = p.write && !Reference::is_refused(p);

        accesses++;
        hit(by_access, name + (happens.overflows == 0 ? ", no overflow"
                               : happens.freezes      ? ", overflow, FREEZE"
                                                      : ", overflow"));
        if (is_counter && (happens.would >> p.addr % 0x80 / 8 & 1))
            hit(by_own, name + (before.freeze ? ", FREEZE" : ""));
        if (changes && reg == "CTL" && p.addr % 8 == 0)
            hit(by_control,
                control_name(before.en | before.freeze << 1, (p.data & 3) | (p.data >> 8 & 1) << 2,
                             happens.would != 0));
        if (changes && reg == "OVF" && p.addr % 8 == 0)
            for (unsigned n = 0; n < c.counters; n++)
                hit(by_flag,
                    flag_name(before.ovf >> n & 1, p.data >> n & 1, happens.overflows >> n & 1));
    }

    void edge(const Reference &before, const Reference &after)
    {
        if (after.ie != before.ie)
            hit(by_edge, after.irq() ? "rises, write of IE" : "falls, write of IE");
        else
            hit(by_edge, after.irq() ? "rises, overflow" : "falls, write of OVF");
    }
};

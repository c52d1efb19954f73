// SPDX-License-Identifier: Apache-2.0
// When a transfer does what: the formulas of docs/hw/bus.md, "Times of an undisturbed
// transfer". No SystemC here.
#ifndef CS_BUS_FABRIC_TIMING_HPP
#define CS_BUS_FABRIC_TIMING_HPP

#include <cstdint>

#include <countersink/base/cycle.h>

namespace cs
{

enum class TargetKind {
    memory,    // docs/hw/bus.md, "Memory controller"
    registers, // docs/hw/bus.md, "Register bridge"
    planned,   // says itself when it is called and complete (Planner)
    plain      // anybody's: called in the cycle of its address, says itself how long it takes
};

struct TargetTiming {
    TargetKind kind = TargetKind::plain;
    unsigned read_cycles = 0;   // memory: RL
    unsigned write_cycles = 0;  // memory: WL
    unsigned gap_cycles = 0;    // memory: G
    unsigned access_cycles = 1; // registers: A
};

// `a` is the cycle of the address at the target, `n` the number of beats.

inline cs_cycle effect_cycle(const TargetTiming &t, bool write, unsigned n, cs_cycle a)
{
    switch (t.kind) {
    case TargetKind::memory: // FETCH, or COMMIT after the last W beat
        return write ? a + 2 + uint64_t(n - 1) * (1 + t.gap_cycles) : a + 1;
    case TargetKind::registers:
        return write ? a + n + t.access_cycles : a + t.access_cycles;
    default:
        return a;
    }
}

inline cs_cycle complete_cycle(const TargetTiming &t, bool write, unsigned n, cs_cycle a,
                               unsigned return_cycles)
{
    const cs_cycle effect = effect_cycle(t, write, n, a);

    switch (t.kind) {
    case TargetKind::memory:
        if (write)
            return effect + 1 + t.write_cycles + return_cycles;
        return effect + 1 + t.read_cycles + return_cycles + uint64_t(n - 1) * (1 + t.gap_cycles);
    case TargetKind::registers:
        return effect + 1 + return_cycles + (write ? 0 : n - 1);
    default: // as registers that need no cycle
        return write ? a + n + 1 + return_cycles : a + 1 + return_cycles + (n - 1);
    }
}

// Holes, malformed transfers and those that the guard refused reach no target.
inline cs_cycle error_cycle(bool write, unsigned n, cs_cycle a, unsigned return_cycles)
{
    return write ? a + n + return_cycles : a + return_cycles + (n - 1);
}

} // namespace cs

#endif

// SPDX-License-Identifier: Apache-2.0
// The fabric of docs/hw/bus.md a second time, as plainly as possible: a loop over cycles with
// the page's state machines for requesters, paths and targets. It shares no code with src/bus.
#ifndef CS_TB_BUS_TLM_REFERENCE_HPP
#define CS_TB_BUS_TLM_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "traffic.hpp"
#include <countersink/base/bus/guard.h>

namespace reference
{

struct Parameters {
    bool per_target = false;
    unsigned forward = 2; // F
    unsigned back = 2;    // B
    unsigned read = 20;   // RL
    unsigned write = 4;   // WL
    unsigned gap = 0;     // G
    unsigned access = 10; // A
    unsigned clusters = 1;
    unsigned slots = 2;  // of a cluster; slot 1 of each is absent
    unsigned ratio = 1;  // R, of the clusters; their D is A
    unsigned posted = 0; // P
    std::vector<cs_guard_region> regions;
    std::vector<cs_guard_fault> faults;
};

// Runs the traffic to its end, at most `limit` cycles; BUS and REG records, unsorted.
std::vector<cs_probe_record> run(const Parameters &parameters, const traffic::Managers &managers,
                                 cs_cycle limit);

} // namespace reference

#endif

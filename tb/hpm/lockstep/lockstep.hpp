// SPDX-License-Identifier: Apache-2.0
// The C model against the RTL of the hpm block (docs/hw/hpm.md), a program at a time.
#pragma once

#include <cstdint>
#include <string>

// What has been compared, so that a test can tell much from nothing.
struct Compared {
    uint64_t cycles = 0;
    uint64_t accesses = 0, refused = 0;
    uint64_t edges[3] = {}; // of each line
    uint64_t foretold = 0;  // edges that the model has named beforehand
    uint64_t waited = 0;    // lines that the model has waited for
    uint64_t resets = 0;
    uint64_t records = 0;
};

// Empty when model and RTL agree; else the first difference: seed, cycle, what, both sides, and
// what the cycle-by-cycle reference has, with the page's rule.
std::string lockstep(uint64_t seed, Compared &compared);

// The RTL that is used for a set of counters: how many it is built with.
unsigned built_for(uint64_t seed, uint32_t counters);

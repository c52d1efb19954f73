// SPDX-License-Identifier: Apache-2.0
// The C model against the RTL of the uncore block (docs/hw/uncore.md), a program at a time.
#pragma once

#include <cstdint>
#include <string>

#include "coverage.hpp"

// Programs from this seed on have counters that choose by tags.
constexpr uint64_t first_with_tags = 3000;

// Empty when model and RTL agree; else the first difference: seed, cycle, what, both sides, and
// what the cycle-by-cycle reference has.
std::string lockstep(uint64_t seed, LockstepCoverage &coverage);

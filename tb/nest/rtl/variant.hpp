// SPDX-License-Identifier: Apache-2.0
// Which engine is under test: POWER9's, or with NEST_POWER10 that of POWER10 (docs/hw/nest.md,
// "POWER10").
#ifndef CS_TB_NEST_RTL_VARIANT_HPP
#define CS_TB_NEST_RTL_VARIANT_HPP

#include <cstdint>

#include "nest_rows.h"

#ifdef NEST_POWER10
#include "Vnest10.h"
using Vnest = Vnest10;
constexpr bool power10 = true;
static constexpr auto &nest_rows = cs_nest_p10_rows;
#else
#include "Vnest.h"
constexpr bool power10 = false;
static constexpr auto &nest_rows = cs_nest_rows;
#endif

// Groups are 1..nr_group, states of the ring 1..nr_ring.
constexpr unsigned nr_counter = power10 ? 336 : 205, nr_group = power10 ? 13 : 7;
constexpr unsigned nr_ring = power10 ? 16 : 8, nr_phase = power10 ? 16 : 4;
// CLEAN: whole bursts, and the doublewords of the last one.
constexpr unsigned whole_cleans = power10 ? 28 : 14, last_clean = power10 ? 2 : 14;
// What an availability vector of 0 stands for.
constexpr uint64_t units_of_zero = power10 ? 0 : 0xFFFF8073F007E000;

#endif

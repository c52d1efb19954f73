// SPDX-License-Identifier: Apache-2.0
/* The two engines. */
#include "models/nest/nest_internal.h"

const cs_nest_engine cs_nest_power9 = {
    .rows = cs_nest_rows,
    .nr_rows = CS_NEST_ROWS,
    .nr_counters = CS_NEST_COUNTERS_TOTAL,
    .groups = 7,
    .ring_states = 8,
    .phases = 4,
    .clean_bytes = 0x770,
    .default_units = UINT64_C(0xFFFF8073F007E000),
    .epochs = {[2] = 2, [4] = 3},
    .slowing = {[1] = 1, [2] = 1, [3] = 1, [4] = 8, [5] = 8, [6] = 8, [7] = 8},
    .debug_groups = 1u << 1,
};

const cs_nest_engine cs_nest_power10 = {
    .rows = cs_nest_p10_rows,
    .nr_rows = CS_NEST_P10_ROWS,
    .nr_counters = CS_NEST_P10_COUNTERS_TOTAL,
    .groups = 13,
    .ring_states = 16,
    .phases = 16,
    .clean_bytes = 0xe10,
    .debug_groups = 1u << 1 | 1u << 2,
    .links = true,
};

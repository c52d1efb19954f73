// SPDX-License-Identifier: Apache-2.0
/* Internal to section riscv: its perf commands. */
#ifndef CS_SCENARIO_HPM_RISCV_COMMANDS_H
#define CS_SCENARIO_HPM_RISCV_COMMANDS_H

#include "scenario/check.h"
#include "scenario/keys.h"
#include "scenario/yaml/suggest.h"

extern const cs_key_shape cs_riscv_perf_shape;

/* All of them; their events become numbers. */
cs_status cs_riscv_check_perf(cs_check *check);

/* The check fails: "there is no <what> <name>; did you mean ...?" */
cs_status cs_riscv_fail_unknown(cs_check *check, const char *what, const char *name,
                                const cs_suggest *suggest);
/* Some, and only harts. */
cs_status cs_riscv_check_cpus(cs_check *check, const bool cpus[CS_MAX_CPUS]);

#endif

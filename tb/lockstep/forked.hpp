// SPDX-License-Identifier: Apache-2.0
// A comparison in a process of its own: SystemC has one simulation a process.
#ifndef CS_TB_LOCKSTEP_FORKED_HPP
#define CS_TB_LOCKSTEP_FORKED_HPP

#include <string>

#include "lockstep/compare.h"

struct Outcome {
    cs_status status;
    char text[512]; // of the diagnostic
    cs_compare_report report;
    char field[32]; // report.field does not outlive the process
};

// Compares model and RTL over `scenario_text`; files that it names are looked up in `folder`.
Outcome compare_forked(const std::string &scenario_text, const std::string &folder,
                       cs_cycle limit_cycles = 0);

// The first divergence and the last records of both sides, for a failure message.
std::string describe(const Outcome &outcome);

#endif

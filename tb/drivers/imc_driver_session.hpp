// SPDX-License-Identifier: Apache-2.0
// The kernel's IMC driver with what it drives.
#ifndef CS_TB_DRIVERS_IMC_DRIVER_SESSION_HPP
#define CS_TB_DRIVERS_IMC_DRIVER_SESSION_HPP

#include "imc_session.hpp"

namespace imc_driver_session
{

using namespace cs_power_test;

const std::string kCoreStat = "{pmu: core, cpus: [0], events: [CPM_INST], start_us: 20, "
                              "stop_us: 40}";

inline std::string event_names(const std::vector<Count> &counts)
{
    std::string text;
    for (const Count &c : counts)
        text += c.event + "@" + std::to_string(c.cpu) + " ";
    return text;
}

const Log kCoreBoot = {
    "PDBAR0=81000000",
    "MASK0=402010000000000",
    "HTM0=e000000000000000",
    "PDBAR1=81002000",
    "MASK1=402010000000000",
    "HTM1=e000000000000000",
    "LDBAR0=0",
    "LDBAR1=0",
    "LDBAR2=0",
    "LDBAR3=0",
    "HTM0=e000000000000000",
    "TRACE0=7fffffc142020000",
    "HTM1=e000000000000000",
    "TRACE1=7fffffc142020000",
};

inline std::string command(const std::string &pmu, unsigned start_us, unsigned stop_us)
{
    const std::map<std::string, std::string> rest = {
        {"core", "events: [CPM_INST]"},
        {"thread", "task: true, events: [CPM_CS_PCYC_USER]"},
        {"trace", "sample_period: 1, events: [trace_cycles]"},
        {"nest", "events: [PM_MBA0_READ_BYTES]"},
    };
    return "{pmu: " + pmu + ", cpus: [0], " + rest.at(pmu) +
           ", start_us: " + std::to_string(start_us) + ", stop_us: " + std::to_string(stop_us) +
           "}";
}

} // namespace imc_driver_session

#endif

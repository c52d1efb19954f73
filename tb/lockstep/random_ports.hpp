// Random programs of several CPUs side by side (docs/hw/cpu.md, "A port a CPU"): each meets the bus by
// a port of its own, the PMCU walks meanwhile, locks and interrupts between CPUs bind them.
#ifndef CS_TB_LOCKSTEP_RANDOM_PORTS_HPP
#define CS_TB_LOCKSTEP_RANDOM_PORTS_HPP

#include <cstdint>
#include <string>

// The scenario of a seed, as YAML.
std::string random_ports(uint64_t seed);

// The same of perf on uncore units: CPUs that manage side by side, units that move, CPUs that go off.
std::string random_managers(uint64_t seed);

#endif

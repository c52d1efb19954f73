// Random register-level scenarios: legal and illegal programming of the PMCU, accesses to core
// PMUs, BRK and faults at random cycles, lost reads and writes of each walk, on random dies.
#ifndef CS_TB_LOCKSTEP_RANDOM_SCRIPT_HPP
#define CS_TB_LOCKSTEP_RANDOM_SCRIPT_HPP

#include <cstdint>
#include <string>

// The scenario of a seed, as YAML.
std::string random_script(uint64_t seed);

#endif

// A random register-level program for IMC cores and the nest, as a scenario with software.kind
// script; the seed says all. Several chips have a core each.
#ifndef CS_TB_LOCKSTEP_RANDOM_IMC_HPP
#define CS_TB_LOCKSTEP_RANDOM_IMC_HPP

#include <cstdint>
#include <string>

std::string random_imc(uint64_t seed, unsigned chips = 1);

// The scenario of a seed of OPAL, the kernel and perf: commands with processes that move between CPUs with
// a port each. It is of a file in configs/imc.
std::string random_imc_tasks(uint64_t seed);

#endif

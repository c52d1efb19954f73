// SPDX-License-Identifier: Apache-2.0
// Gives inputs to the fuzzer's targets (tb/fuzz), and hashes what they say.
#ifndef CS_TB_INPUTS_REPLAY_HPP
#define CS_TB_INPUTS_REPLAY_HPP

#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include "target.h"
}

// The inputs of packs/NAME.gz, each with its size before it (pack.py makes them). Throws where it ends in
// the middle of one; none, where there is no such file.
std::vector<std::string> inputs_of_pack(const std::string &name);

// The names of all packs, sorted.
std::vector<std::string> names_of_packs();

// What the target says of an input is hashed on top of `before`; it is printed, too, if `aloud`.
constexpr uint64_t kNothingSaid = UINT64_C(0xcbf29ce484222325);
uint64_t hash_of_said(const cs_fuzz_target &target, const std::string &input,
                      uint64_t before = kNothingSaid, bool aloud = false);

#endif

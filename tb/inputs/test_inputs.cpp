// SPDX-License-Identifier: Apache-2.0
// Inputs that the fuzzer has found, some thousand, and some that a fault in a reader makes it read
// otherwise: what the readers say of them they say again. inputs.txt has a hash of what the target NAME
// said; CS_WRITE_GENERATED=1 writes it anew. CS_SAY=NR shows what is said of input NR.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "hashes.hpp"
#include "replay.hpp"

namespace
{

const Hashes hashes("tb/inputs/inputs.txt");

class Inputs : public testing::TestWithParam<std::string>
{
};

TEST_P(Inputs, AreReadAsEver)
{
    const cs_fuzz_target target = cs_fuzz_choose(GetParam().c_str());
    const char *loud = std::getenv("CS_SAY");
    const auto inputs = inputs_of_pack(GetParam());
    uint64_t hash = kNothingSaid;

    ASSERT_NE(nullptr, target.run);
    for (size_t i = 0; i < inputs.size(); i++)
        hash = hash_of_said(target, inputs[i], hash, loud != nullptr && std::stoul(loud) == i);
    hashes.expect(GetParam(), inputs.size(), hash);
}

INSTANTIATE_TEST_SUITE_P(Of, Inputs, testing::ValuesIn(names_of_packs()), [](const auto &info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace

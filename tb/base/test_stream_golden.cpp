// SPDX-License-Identifier: Apache-2.0
// The bits of streams, as they were when first made: another compiler, machine or
// version that gives other bits breaks every recorded run. Never adapt a number
// here without saying so in docs/decisions.md.
#include <gtest/gtest.h>

#include "stream_kinds.hpp"

namespace
{

// FNV-1a over single cycles at several places, sums, and reaches.
uint64_t fingerprint(const cs_stream *stream)
{
    uint64_t hash = 0xcbf29ce484222325u;
    auto add = [&](uint64_t value) {
        for (int i = 0; i < 8; i++)
            hash = (hash ^ (value >> (8 * i) & 0xff)) * 0x00000100000001b3u;
    };

    for (cs_cycle first : {cs_cycle{0}, cs_cycle{67108864 - 500}, cs_cycle{123456789012345}}) {
        uint8_t out[2000];
        cs_stream_increments(stream, first, sizeof out, out);
        for (uint8_t increment : out)
            add(increment);
    }
    for (unsigned log2 = 0; log2 < 56; log2++) {
        add(cs_stream_prefix(stream, (cs_cycle{0x5a5a5a5a5a5a5a} >> (56 - log2))));
        add(cs_stream_reach(stream, 1000003, uint64_t{1} << log2 / 2));
    }
    return hash;
}

TEST(Golden, StreamsHaveTheirBits)
{
    const std::vector<std::pair<std::string, uint64_t>> expected = {
        {"zero", 0x47fa8a4e79a00365u},
        {"rate_1_3", 0x3be58207e986a5edu},
        {"rate_15", 0x07c21a1f4ca02408u},
        {"rate_0", 0x47fa8a4e79a00365u},
        {"rate_37_10", 0xbdf8058a3b257608u},
        {"rate_tiny", 0x66563482415bbe06u},
        {"rate_wide", 0x1e356af7b13e8b29u},
        {"periodic_7", 0x372d716ea88b6f97u},
        {"periodic_1", 0x07c21a1f4ca02408u},
        {"periodic_rare", 0x50af9b8d7d6eb7f8u},
        {"periodic_0", 0x47fa8a4e79a00365u},
        {"bursts", 0x701856e4bc905eeau},
        {"bursts_full", 0x18766717a956e3bcu},
        {"bursts_long", 0x80003ccd2499d966u},
        {"random_1_10000", 0x85d92dc7251f23eau},
        {"random_1_2", 0x41c8ab4ba05edf5cu},
        {"random_8", 0xb7d5e411d75e2096u},
        {"random_15", 0x07c21a1f4ca02408u},
        {"random_149_10", 0xd7af14bff6210671u},
        {"random_max_4", 0x89eec3f3d9577f84u},
        {"random_max_255", 0x40b3c45847a00fb4u},
        {"random_full_16", 0x89504d0862ece886u},
        {"rate_255", 0xe7643fb623da0f2fu},
        {"random_0", 0x47fa8a4e79a00365u},
        {"random_below_one_a_top", 0x90fd520ec39b0e91u},
        {"phases_repeat", 0x0aefecf4cf60b596u},
        {"phases_once", 0x60b136d8a721d869u},
        {"phases_nested", 0x678ffcdca3a8368fu},
        {"ratio_3_7", 0x909f2af90aff5bf5u},
        {"ratio_up", 0xc5a05efe14fedbedu},
        {"ratio_0", 0x47fa8a4e79a00365u},
        {"ratio_wide", 0x13af63172b8cfb76u},
        {"replay_once", 0x014043b3af322cbcu},
        {"replay_repeat", 0x384ffaf0e68bb295u},
        {"replay_pauses", 0xc9903103c6f9ab15u},
        {"replay_nothing", 0x47fa8a4e79a00365u},
    };
    Pool pool;
    std::vector<NamedStream> all = every_kind(pool);

    ASSERT_EQ(all.size(), expected.size());
    for (size_t i = 0; i < all.size(); i++) {
        EXPECT_EQ(all[i].name, expected[i].first);
        EXPECT_EQ(fingerprint(all[i].stream), expected[i].second) << all[i].name;
    }
}

TEST(Golden, KeysHaveTheirBits)
{
    EXPECT_EQ(cs_stream_key(0, 0, ""), 0x975c0dea1672aa89u);
    EXPECT_EQ(cs_stream_key(1, 2, "cpu_cycles"), 0xf0c77f68226fc1a9u);
}

TEST(Golden, ARandomStreamReadable)
{
    Pool pool;
    const cs_stream *stream = pool.random(1, 2, "half");
    uint8_t out[64];
    std::string text;

    cs_stream_increments(stream, 1u << 20, 64, out);
    for (uint8_t increment : out)
        text += "0123456789abcdef"[increment];
    EXPECT_EQ(text, "0001011000000100010011000010001001000014100000011000020010020000");
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// One or more streams of every kind, for the tests that hold for all of them.
#ifndef CS_TB_BASE_STREAM_KINDS_HPP
#define CS_TB_BASE_STREAM_KINDS_HPP

#include <vector>

#include "support.hpp"

struct NamedStream {
    std::string name;
    const cs_stream *stream;
};

inline std::vector<NamedStream> every_kind(Pool &pool)
{
    std::vector<NamedStream> all;
    auto add = [&](const char *name, auto make) {
        const cs_stream *out = nullptr;
        make(&out);
        all.push_back({name, out});
    };

    all.push_back({"zero", cs_stream_zero()});
    all.push_back({"rate_1_3", pool.rate(1, 3, 2)});
    all.push_back({"rate_15", pool.rate(15, 1)});
    all.push_back({"rate_0", pool.rate(0, 7)});
    all.push_back({"rate_37_10", pool.rate(37, 10, 9)});
    all.push_back({"rate_tiny", pool.rate(3, 1000003)});
    all.push_back({"rate_wide", pool.rate((1ull << 59) + 12345, (1ull << 60) - 1, 1ull << 58)});
    add("periodic_7", [&](auto out) { cs_stream_periodic(pool, 3, 7, 5, out, nullptr); });
    add("periodic_1", [&](auto out) { cs_stream_periodic(pool, 15, 1, 0, out, nullptr); });
    add("periodic_rare",
        [&](auto out) { cs_stream_periodic(pool, 1, 100000, 12345, out, nullptr); });
    add("periodic_0", [&](auto out) { cs_stream_periodic(pool, 0, 3, 0, out, nullptr); });
    add("bursts", [&](auto out) { cs_stream_bursts(pool, {5, 3}, 10, 37, 20, out, nullptr); });
    add("bursts_full", [&](auto out) { cs_stream_bursts(pool, {1, 2}, 8, 8, 0, out, nullptr); });
    add("bursts_long", [&](auto out) {
        cs_stream_bursts(pool, {7, 2}, 1000, 70000, 999, out, nullptr);
    });
    all.push_back({"random_1_10000", pool.random(1, 10000, "rare")});
    all.push_back({"random_1_2", pool.random(1, 2, "half")});
    all.push_back({"random_8", pool.random(8, 1, "eight")});
    all.push_back({"random_15", pool.random(15, 1, "full")});
    all.push_back({"random_149_10", pool.random(149, 10, "nearly")});
    all.push_back({"random_max_4", pool.random(39, 10, "narrow", 4)});
    all.push_back({"random_max_255", pool.random(641, 10, "wide", 255)});
    all.push_back({"random_full_16", pool.random(16, 1, "sixteen", 16)});
    all.push_back({"rate_255", pool.rate(255, 1)});
    all.push_back({"random_0", pool.random(0, 1, "never")});
    all.push_back({"random_below_one_a_top", pool.random(1, 1000000007, "seldom")});

    const cs_stream *half = pool.random(1, 2, "part");
    cs_stream_phase phases[] = {{100, pool.rate(1, 3)}, {1, pool.rate(15, 1)}, {777, half}};
    add("phases_repeat", [&](auto out) { cs_stream_phases(pool, phases, 3, true, out, nullptr); });
    add("phases_once", [&](auto out) { cs_stream_phases(pool, phases, 3, false, out, nullptr); });
    cs_stream_phase nested[] = {{5000, all[all.size() - 2].stream}, {64, cs_stream_zero()}};
    add("phases_nested", [&](auto out) { cs_stream_phases(pool, nested, 2, true, out, nullptr); });
    add("ratio_3_7", [&](auto out) {
        cs_stream_ratio(pool, pool.random(6, 1, "source"), {3, 7}, out, nullptr);
    });
    add("ratio_up", [&](auto out) {
        cs_stream_ratio(pool, pool.rate(1, 3), {29, 2}, out, nullptr);
    });
    add("ratio_0", [&](auto out) { cs_stream_ratio(pool, half, {0, 2}, out, nullptr); });
    add("ratio_wide", [&](auto out) {
        cs_stream_ratio(pool, half, {(1ull << 58) + 1, (1ull << 59) + 7}, out, nullptr);
    });
    cs_stream_interval intervals[] = {{10, 150}, {1000, 0}, {1003, 1}, {5000, 2000}};
    add("replay_once", [&](auto out) {
        cs_stream_replay(pool, intervals, 4, CS_STREAM_AFTER_ZERO, out, nullptr);
    });
    add("replay_repeat", [&](auto out) {
        cs_stream_replay(pool, intervals, 4, CS_STREAM_AFTER_REPEAT, out, nullptr);
    });
    cs_stream_interval pauses[] = {{700, 0}, {2000, 77}, {5000, 0}};
    add("replay_pauses",
        [&](auto out) { cs_stream_replay(pool, pauses, 3, CS_STREAM_AFTER_REPEAT, out, nullptr); });
    cs_stream_interval nothing[] = {{10, 0}};
    add("replay_nothing", [&](auto out) {
        cs_stream_replay(pool, nothing, 1, CS_STREAM_AFTER_REPEAT, out, nullptr);
    });
    return all;
}

#endif

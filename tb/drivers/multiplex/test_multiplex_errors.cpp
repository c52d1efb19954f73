// SPDX-License-Identifier: Apache-2.0
// What cannot be created.
#include "multiplex_rig.hpp"
#include "scenario/corepmu/multiplex_spec.h"

using namespace cs_multiplex_test;

namespace
{

TEST(MultiplexErrors, NothingToCount)
{
    struct Case {
        const char *name;
        std::function<void(cs_multiplex_spec &)> change;
        const char *text;
    };
    const Case cases[] = {
        {"no CPU", [](cs_multiplex_spec &s) { s.cpus[0] = s.cpus[1] = false; },
         "no CPU; at least one is expected"},
        {"a CPU that there is not",
         [](cs_multiplex_spec &s) {
             s.cpus[0] = s.cpus[1] = false;
             s.cpus[2] = true;
         },
         "no CPU; at least one is expected"},
        {"no event", [](cs_multiplex_spec &s) { s.nr_events = 0; },
         "no event; at least one is expected"},
    };

    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        cs_multiplex_spec spec = plain_spec({0x8, 0x10}, 2);
        Streams streams(2, {0x8, 0x10}, 1, [](unsigned, uint32_t, cs_cycle) { return 1; });
        const std::vector<cs_event_source> sources = streams.sources();
        cs_diag diag = {};
        cs_multiplex *mux = reinterpret_cast<cs_multiplex *>(1);

        c.change(spec);
        const cs_multiplex_config config = {&spec, 1, 2, 0, sources.data(), nullptr, nullptr, 0};
        EXPECT_EQ(cs_multiplex_create(&config, &mux, &diag), CS_ERR_RANGE);
        EXPECT_EQ(mux, nullptr);
        EXPECT_STREQ(diag.where, "multiplex");
        EXPECT_STREQ(diag.text, c.text);
        EXPECT_EQ(cs_multiplex_create(&config, &mux, nullptr), CS_ERR_RANGE);
    }
    cs_multiplex_destroy(nullptr);
}

TEST(MultiplexErrors, NobodyNeedsToListen)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 1);
    Streams streams(1, {0x8, 0x10, 0x12}, 1, [](unsigned, uint32_t, cs_cycle) { return 1; });
    const std::vector<cs_event_source> sources = streams.sources();
    const cs_multiplex_config config = {&spec, 1, 1, 0, sources.data(), nullptr, nullptr, 0};
    cs_multiplex *mux = nullptr;
    cs_cycle now = 1;

    ASSERT_EQ(cs_multiplex_create(&config, &mux, nullptr), CS_OK);
    const cs_software software = cs_multiplex_software(mux);
    for (cs_op op = {}; op.kind != CS_OP_END; now += op.kind == CS_OP_SLEEP ? op.cycles : 0)
        software.next(software.ctx, now, nullptr, &op);
    EXPECT_EQ(now, 1000u);
    EXPECT_EQ(cs_multiplex_get_report(mux)->rotating.ticks, 10u);
    EXPECT_EQ(cs_multiplex_stolen(mux, 0, now), 0u);
    EXPECT_EQ(cs_multiplex_stolen(mux, 7, now), 0u); // not its CPU
    cs_multiplex_destroy(mux);
}

} // namespace

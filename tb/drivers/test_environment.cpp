// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "drivers/environment.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "drivers/script.h"

extern "C" {
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/load.h"
}

namespace
{

struct Environment {
    cs_scenario *scenario = nullptr;
    cs_environment *env = nullptr;
    cs_diag diag = {};

    explicit Environment(const std::string &yaml)
    {
        cs_status status = cs_scenario_parse(yaml.data(), yaml.size(), "test.yaml", ".", nullptr, 0,
                                             &scenario, &diag);
        EXPECT_EQ(status, CS_OK) << diag.line << ": " << diag.text;
        if (status != CS_OK)
            return;
        EXPECT_EQ(cs_environment_create(scenario, nullptr, &env, &diag), CS_OK) << diag.text;
    }

    ~Environment()
    {
        cs_environment_destroy(env);
        cs_scenario_destroy(scenario);
    }
};

const char driver_yaml[] = "name: test\n"
                           "pmcu: {clusters: 2}\n"
                           "software: {cpu: 3}\n"
                           "corepmu: {hpmn: 3}\n"
                           "pmcu_driver: {user_events: [0x11, 0x8], comp: true, nr_sample: 4}\n"
                           "workloads:\n"
                           "- segments:\n"
                           "  - {cid1: 7}\n";

TEST(Environment, HasAllPartsOfADriverScenario)
{
    Environment e(driver_yaml);
    ASSERT_NE(e.env, nullptr);

    EXPECT_EQ(e.env->nr_cpus, 16u);
    for (unsigned cpu = 0; cpu < 16; cpu++)
        EXPECT_NE(e.env->timelines[cpu], nullptr);
    EXPECT_NE(cs_pmcu_driver_of(e.env, 0), nullptr);
    EXPECT_EQ(cs_script_of(e.env), nullptr);
    EXPECT_EQ(e.env->nr_kinds, 1u) << "of software on its ports";
    EXPECT_NE(e.env->guard, nullptr);
    EXPECT_NE(e.env->memory, nullptr);
    EXPECT_NE(e.env->ports[0].software.next, nullptr);
    // The driver takes compatibility mode and enables the second range of counters.
    EXPECT_TRUE(cs_pmcu_driver_get_report(cs_pmcu_driver_of(e.env, 0))->comp);
    EXPECT_FALSE(e.scenario->corepmu->hpme);
    EXPECT_TRUE(cs_pmcu_driver_hpme(e.env, 0));
}

// A stay of software costs the workload the lines that it evicted; a stay of no length evicts none.
TEST(Environment, AWorkloadRefillsItsCaches)
{
    std::string yaml = driver_yaml;
    yaml.replace(yaml.find("cpu: 3"), 6, "cpu: 3, evicted_lines: 10, refill_cycles: 4");
    Environment f(yaml);
    ASSERT_NE(f.env, nullptr);
    uint64_t local = 0;

    cs_environment_enter(f.env, 100, 0);
    cs_environment_leave(f.env, 150, 0); // to 190
    cs_environment_enter(f.env, 170, 0); // not before
    cs_environment_leave(f.env, 200, 0); // to 240
    cs_environment_enter(f.env, 300, 0);
    cs_environment_leave(f.env, 300, 0);
    EXPECT_EQ(cs_timeline_track(f.env->timelines[3], 400, &local), 0u);
    EXPECT_EQ(local, 400u - 140);
    EXPECT_EQ(cs_environment_software_cycles(f.env, 400), 140u);
    EXPECT_EQ(f.env->refill_cycles, 80u);
    EXPECT_EQ(f.env->status, CS_OK);
}

TEST(Environment, HasAllPartsOfAScriptScenario)
{
    Environment e("name: test\n"
                  "software: {kind: script}\n"
                  "script:\n"
                  "- delay: 5\n"
                  "workloads:\n"
                  "- segments:\n"
                  "  - {cid1: 7}\n");
    ASSERT_NE(e.env, nullptr);
    EXPECT_EQ(cs_pmcu_driver_of(e.env, 0), nullptr);
    EXPECT_NE(cs_script_of(e.env), nullptr);
    EXPECT_FALSE(cs_pmcu_driver_hpme(e.env, 0));
    cs_op op = {};
    e.env->ports[0].software.next(e.env->ports[0].software.ctx, 1, nullptr, &op);
    EXPECT_EQ(op.kind, CS_OP_DELAY);
    EXPECT_EQ(op.cycles, 5u);
}

// Events that are asked for together are named as single ones are.
TEST(Environment, ManyEventsAtOnceHaveTheTimelinesNumbers)
{
    static const uint16_t event_of[] = {7, 5, 9};
    std::vector<uint32_t> asked;
    Environment e(driver_yaml);
    ASSERT_NE(e.env, nullptr);
    cs_event_source fake = {};

    fake.ctx = &asked;
    fake.prepare = [](void *ctx, const uint32_t events[], unsigned n, uint32_t, cs_cycle,
                      cs_cycle) {
        static_cast<std::vector<uint32_t> *>(ctx)->assign(events, events + n);
    };
    e.env->unit_events[1] = {fake, 100, event_of};
    const cs_event_source source = cs_environment_events(e.env, 1);
    const uint32_t events[] = {2, 0, 1};
    source.prepare(source.ctx, events, 3, CS_MODE_ALL, 10, 20);
    EXPECT_EQ(asked, (std::vector<uint32_t>{109, 107, 105}));
}

TEST(Environment, DestroyTakesNull)
{
    cs_environment_destroy(nullptr);
}

TEST(Environment, TheSoftwaresCoreStandsStillMeanwhile)
{
    Environment e(driver_yaml);
    ASSERT_NE(e.env, nullptr);
    uint64_t local = 0;

    cs_environment_enter(e.env, 100, 0);
    EXPECT_EQ(cs_environment_software_cycles(e.env, 100), 0u);
    EXPECT_EQ(cs_environment_software_cycles(e.env, 130), 30u);
    cs_environment_leave(e.env, 150, 0);
    cs_environment_enter(e.env, 200, 0);
    cs_environment_leave(e.env, 201, 0);
    EXPECT_EQ(cs_environment_software_cycles(e.env, 1000), 51u);
    EXPECT_EQ(e.env->status, CS_OK);

    EXPECT_EQ(cs_timeline_track(e.env->timelines[3], 120, &local), 1u);
    EXPECT_EQ(cs_timeline_track(e.env->timelines[3], 300, &local), 0u);
    EXPECT_EQ(local, 249u);
    EXPECT_EQ(cs_timeline_track(e.env->timelines[2], 300, &local), 0u);
    EXPECT_EQ(local, 300u);

    cs_environment_leave(e.env, 400, 0); // nobody is in
    EXPECT_EQ(e.env->status, CS_ERR_RANGE);
}

// Stays that overlap, on three CPUs; the software's own is CPU 3.
TEST(Environment, SeveralCoresMayBeInTheSoftwareAtOnce)
{
    struct Step {
        cs_cycle cycle;
        bool enter;
        unsigned core; // as an operation names it
    };
    const Step steps[] = {
        {100, true, 0},  {110, true, 1},   {120, true, 16}, {130, false, 0}, {130, true, 4},
        {131, false, 1}, {140, false, 16}, {150, true, 1},  {150, false, 1}, {160, false, 4},
    };
    Environment e(driver_yaml);
    ASSERT_NE(e.env, nullptr);
    uint64_t taken[16] = {};
    size_t done = 0;

    for (cs_cycle now = 0; now < 200; now++) {
        for (; done < std::size(steps) && steps[done].cycle == now; done++)
            (steps[done].enter ? cs_environment_enter : cs_environment_leave)(e.env, now,
                                                                              steps[done].core);
        uint64_t all = 0;
        for (unsigned cpu = 0; cpu < 16; cpu++) {
            ASSERT_EQ(cs_environment_cpu_software_cycles(e.env, cpu, now), taken[cpu])
                << "CPU " << cpu << " before cycle " << now;
            uint64_t local = 0;
            taken[cpu] += cs_timeline_track(e.env->timelines[cpu], now, &local) != 0;
            all += taken[cpu];
        }
        ASSERT_EQ(cs_environment_software_cycles(e.env, now + 1), all);
    }
    EXPECT_EQ(e.env->status, CS_OK);
    EXPECT_EQ(taken[3], 60u);
    EXPECT_EQ(taken[0], 21u);
    EXPECT_EQ(taken[15], 20u);
}

// Runs the driver's software by hand up to its first trigger, then stops it: the header is what
// perf gets.
TEST(Environment, PerfGetsWhatIsInMemoryAtTheCommit)
{
    Environment e(std::string(driver_yaml) + "memory: {base: 0x80000000}\n");
    ASSERT_NE(e.env, nullptr);
    std::vector<uint8_t> dump;
    cs_op_result last = {};
    cs_op op = {};
    cs_cycle now = 1;
    bool first = true;
    bool done = false;
    uint64_t triggers = 0;
    std::function<void(const cs_soft_record *)> told = [&](const cs_soft_record *r) {
        if (r->kind == &cs_soft_pmcu_trigger) {
            triggers += cs_told_pmcu_trigger(r)->samples_done;
        } else if (r->kind == &cs_soft_pmcu_aux) {
            const auto *s = cs_told_pmcu_aux(r);

            dump.resize(dump.size() + s->bytes);
            cs_memory_read(e.env->memory, s->address, s->bytes,
                           dump.data() + dump.size() - s->bytes);
        }
    };

    e.env->soft = {
        [](void *ctx, const cs_soft_record *r) { (*static_cast<decltype(told) *>(ctx))(r); },
        &told};
    do {
        e.env->ports[0].software.next(e.env->ports[0].software.ctx, now, first ? nullptr : &last,
                                      &op);
        first = false;
        last = {};
        now += 10;
        if (op.kind == CS_OP_WRITE_BURST)
            cs_memory_write(e.env->memory, op.addr, op.beats * 8u, op.data, nullptr);
        else if (op.kind == CS_OP_WRITE && op.addr >= 0x80000000)
            cs_memory_write(e.env->memory, op.addr, 4, reinterpret_cast<uint8_t *>(&op.value),
                            nullptr);
        else if (op.kind == CS_OP_WAIT_IRQ)
            last.irq = true;
        else if (op.kind == CS_OP_READ) {
            last.value = done ? 0 : 1; // INT_STAT: DONE; FSM_STATUS: nothing
            done = true;
        }
    } while (op.kind != CS_OP_END);

    EXPECT_EQ(triggers, 4u);
    // 36 bytes of header in 48, four samples of 3 * 8 * 16 bytes
    ASSERT_EQ(dump.size(), 48u + 4 * 384);
    const uint8_t head[] = {0, 0, 0x40, 0, 2, 0, 0, 0, 16, 0, 0, 0, 1};
    EXPECT_EQ(std::memcmp(dump.data(), head, sizeof head), 0);
    EXPECT_EQ(dump[28], 0x11);
    EXPECT_EQ(dump[32], 0x08);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
// The orders in which a PMCU stops and reads counters (docs/hw/pmcu.md, "Orders"), from outside.
#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

const char *const kOrders[] = {"die", "core", "counter", "running"};

// As kScenario, with all cores online.
struct Orders : Command {
    void expect_truths(const std::string &options)
    {
        SCOPED_TRACE(options);
        simulate("out", "--set corepmu.offline=[] " + options);
        {
            Database db(temp.file("out/truth.sqlite"));
            const std::string wrong = "SELECT count(*) FROM sample s JOIN window w "
                                      "USING (subsample, cpu) WHERE s.value != s.truth";
            const std::string counted = "SELECT count(*) FROM window";

            EXPECT_EQ(db.number(wrong), 0);
            EXPECT_GT(db.number(counted), 0);
        }
        std::filesystem::remove_all(temp.file("out"));
    }
};

} // namespace

TEST_F(Orders, EveryValueIsItsTruth)
{
    for (const std::string order : kOrders)
        for (const char *rest : {"", "--set corepmu.map=ext64", "--set pmcu.lanes=2",
                                 "--set pmcu.broadcast=true --set pmcu.prefetch=true",
                                 "--set pmcu_driver.comp=true --set corepmu.hpmn=3",
                                 "--set pmcu_driver.comp=true --set corepmu.hpmn=3 "
                                 "--set corepmu.map=ext64"})
            expect_truths("--set pmcu.order=" + order + " " + rest);
}

// Whatever access is lost: what has a window says the truth, and the rest is marked.
TEST_F(Orders, ALostAccessSpoilsWhatThePageSays)
{
    for (const std::string order : kOrders)
        for (unsigned nth = 1; nth < 420; nth += 13)
            expect_truths("--set pmcu.order=" + order +
                          " --set 'memory.faults=[{base: 0x20000000, size: 0x200000, nth: " +
                          std::to_string(nth) + "}]'");
}

// What is traded for what.
TEST_F(Orders, TradeSkewForTimeThatIsNotCounted)
{
    const Outcome o = run("run -o out '" + config_path("pmcu/pmcu_orders.yaml") + "'");

    ASSERT_EQ(o.status, 0) << o.err;
    const auto all = json_flat(temp.file("out/ways.json"));
    const auto figure = [&](unsigned way, const char *name) {
        return std::stod(all.at(std::to_string(way) + "." + name));
    };

    for (unsigned way = 1; way < 4; way++) {
        EXPECT_GT(figure(way, "skew_s"), 10 * figure(0, "skew_s")) << kOrders[way];
        EXPECT_LT(figure(way, "blind_fraction"), figure(0, "blind_fraction")) << kOrders[way];
        EXPECT_LT(figure(way, "most_error"), 0.01) << kOrders[way];
    }
    EXPECT_LT(figure(3, "blind_fraction"), figure(1, "blind_fraction"));
}

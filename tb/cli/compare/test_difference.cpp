// SPDX-License-Identifier: Apache-2.0
// What `compare` tells of a difference: RTL with a fault (saboteur.c), as a user sees it.
#include <regex>

#include "cli/shell.hpp"
#include "support/configs.hpp"

#ifdef CS_SABOTEUR

using namespace cs_test;

namespace
{

struct Difference : Command {
    Outcome sabotaged(const std::string &fault, const std::string &arguments)
    {
        return run("compare " + arguments, "LD_PRELOAD='" CS_SABOTEUR "' CS_SABOTAGE='" + fault +
                                               "' COUNTERSINK_CACHE='" CS_DIE_CACHE "'");
    }
};

bool found(const std::string &text, const char *pattern)
{
    return std::regex_search(text, std::regex(pattern));
}

const std::string kBasic = "'" + config_path("pmcu_lockstep_basic.yaml") + "'";

} // namespace

// Storage gives the PMCU an event with bit 3 inverted.
TEST_F(Difference, ATransferShowsItsBytesNotItsHash)
{
    const Outcome o = sabotaged("mem_wdata_o 3 0 200000", kBasic);

    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_TRUE(has(o.out, "DIFFERENT at cycle 1355, pmcu lane 0, the byte at 0x80001028: model "
                           "0x11, RTL 0x19\n"))
        << o.out;
    EXPECT_TRUE(found(o.out, "0x80001020 model 00000000 08000000 11000000 21000000\n"
                             " +RTL   00000000 08000000 19000000 21000000\n"))
        << o.out;
    EXPECT_TRUE(has(o.out, "see docs/hw/pmcu.md, \"States, Walks\"")) << o.out;
}

// So do transfers that follow: they would look the same otherwise.
TEST_F(Difference, OtherTransfersShowTheirWords)
{
    const Outcome o = sabotaged("mem_wdata_o 3 0 200000", kBasic);

    EXPECT_TRUE(found(o.out, "\n    1397 pmcu lane 0 write 0x20000404 4 bytes.*"
                             "\n      \\+0x00 11000000 +19000000\n    1414 core 0 "))
        << o.out;
}

// What follows from it in other units is told, too, with names of registers, in the order of cycles.
TEST_F(Difference, TheFirstDifferencesOfOtherUnitsFollow)
{
    const Outcome o = sabotaged("mem_wdata_o 3 0 200000", kBasic);

    EXPECT_TRUE(found(o.out, "what else differs first, up to cycle [0-9]+\n"
                             "  core 0\n    model 1394 core 0 write PMEVTYPER1 = 0x11\n"
                             "    RTL   1394 core 0 write PMEVTYPER1 = 0x19\n"
                             "  core 1\n    model 1554 core 1 write PMEVTYPER1 = 0x11\n"))
        << o.out;
}

TEST_F(Difference, ARecordThatOneSideHasStandsAlone)
{
    const Outcome o = sabotaged("pmcu_state_o 0 1000 1004", kBasic);

    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_TRUE(has(o.out, "DIFFERENT at cycle 1000, pmcu: only the RTL has this record")) << o.out;
    EXPECT_TRUE(has(o.out, "see docs/hw/pmcu.md, \"States\"")) << o.out;
    EXPECT_TRUE(found(o.out, "\n  > - +1000 pmcu state IDLE\n    - +1004 pmcu state INIT\n"))
        << o.out;
    EXPECT_TRUE(found(o.out, "\n    996 core 3 write PMOVSCLR = 0x800000ff +=\n")) << o.out;
    EXPECT_TRUE(found(o.out, "\n    1016 core 4 write PMCNTENCLR = 0x800000ff +=\n")) << o.out;
}

// A read that differs, and an edge, have the increments of their cycle and of the one before; a read that
// agrees, and a write, have none.
TEST_F(Difference, CountsHaveTheirIncrements)
{
    const struct {
        const char *fault, *scenario, *wanted;
    } cases[] = {
        {"hpm_csr_rdata_o 0 60000 200000", "riscv_lockstep_count.yaml",
         "\n  > 80343 hart 0 read mcountinhibit = 0x7fd +80343 hart 0 .*\n"
         "      events of cycle 80342: 0x1 \\+2, 0x2 \\+1, 0x5 \\+1; of 80343: 0x1 \\+1\n"
         "    80343 hart 1 read mcountinhibit = 0x7fd +=\n    80347 "},
        {"pmcu_sys_rdata_o 0 20000 900000", "pmcu_lockstep_arm_pmu.yaml",
         "\n    60389 system registers of core 0 read PMCCNTR = 0x0 +60389 .*\n"
         "      events of cycle 60388: 0x8 \\+2, 0x11 \\+2, clock \\+2; of 60389: 0x8 \\+3, .*\n"
         "    60471 system registers of core 0 write PMCNTENCLR"},
        {"uncore_irq_o 0 9000 9002", "uncore_lockstep_script.yaml",
         "\n  > - +9000 uncore 0 line 0 high\n"
         "      events of cycle 8999: 0x0 \\+1; of 9000: 0x0 \\+1\n"},
    };

    for (const auto &c : cases) {
        const Outcome o = sabotaged(c.fault, "'" + config_path(c.scenario) + "'");

        EXPECT_EQ(o.status, 1) << o.err;
        EXPECT_TRUE(found(o.out, c.wanted)) << o.out;
    }
    const Outcome json =
        sabotaged(cases[2].fault, "--json '" + config_path(cases[2].scenario) + "'");
    EXPECT_TRUE(
        has(json.out, "\"events\": [{\"event\": \"0x0\", \"before\": 1, \"increment\": 1}]"))
        << json.out;
}

// The bridge of cluster 0 shows PMCR.LC (bit 6) inverted in what is written.
TEST_F(Difference, ARegisterShowsItsFields)
{
    const Outcome o = sabotaged("pmcu_acc_o 174 0 200000", kBasic);

    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_TRUE(has(o.out, "field 'value'")) << o.out;
    EXPECT_TRUE(found(
        o.out, "  register PMCNTENCLR, of corepmu\n    P +\\[30:0\\]  model 0xff, RTL 0xbf\n"))
        << o.out;
    EXPECT_TRUE(has(o.out, "see docs/hw/corepmu.md, \"Counting\"")) << o.out;
}

TEST_F(Difference, OfMemoryBothSidesAreShown)
{
    const Outcome o = sabotaged("mem_wdata_o 0 50000 60000", kBasic);

    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_TRUE(found(o.out, "all records agree, but memory at 0x[0-9a-f]+ is")) << o.out;
    EXPECT_TRUE(
        found(o.out, "    0x[0-9a-f]+0 model ([0-9a-f]{8} ?){4}\n +RTL   ([0-9a-f]{8} ?){4}\n"))
        << o.out;
}

TEST_F(Difference, AsJson)
{
    const Outcome o = sabotaged("mem_wdata_o 3 0 200000", "--json " + kBasic);

    EXPECT_EQ(o.status, 1) << o.err;
    temp.write("d.json", o.out);
    const std::string program =
        "import json; d = json.load(open('d.json')); f = d['first']; "
        "assert d['outcome'] == 'record' and d['cycle'] == 1355 and d['field'] == 'data'; "
        "assert d['address'] == '0x80001028' and d['model'] == '0x11' and d['rtl'] == '0x19'; "
        "assert f['model']['source'] == 'pmcu lane 0' and f['rtl']['cycle'] == 1355; "
        "assert d['data']['model'][:32] == '00000000080000001100000021000000'; "
        "assert d['data']['rtl'][:32] == '00000000080000001900000021000000'; "
        "assert d['rows'][d['first_row']]['equal'] is False; "
        "assert d['rows'][0]['equal'] is True; "
        "assert [r['data'] for r in d['rows'] if 'data' in r][1:] == "
        "[{'model': '11000000', 'rtl': '19000000'}, {'model': '04000000', 'rtl': '0c000000'}]; "
        "assert d['section'] == {'page': 'docs/hw/pmcu.md', 'heading': 'States, Walks'}; "
        "assert [o['model']['register'] for o in d['others']][:2] == ['PMEVTYPER1'] * 2";
    const std::string line = "cd '" + temp.path().string() + "' && python3 -c \"" + program + "\"";
    EXPECT_EQ(std::system(line.c_str()), 0) << o.out;
}

TEST_F(Difference, EqualAsJson)
{
    const Outcome o = run("compare --json --limit-cycles 3000 small.yaml");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "{\"outcome\": \"equal\", \"cycles\": 3000, ")) << o.out;
}

#endif

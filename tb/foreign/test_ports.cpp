// SPDX-License-Identifier: Apache-2.0
/* What Verilator tells of a module's ports, in both its languages (ports/every_kind.sv). */
#include <gtest/gtest.h>

#include <map>
#include <string>

extern "C" {
#include "foreign/rtl/ports.h"
}

namespace
{

struct Expected {
    bool output;
    unsigned width;
};

const std::map<std::string, Expected> expected = {
    {"clk", {false, 1}},     {"pair", {false, 5}},    {"word", {false, 2}},
    {"matrix", {false, 20}}, {"vector", {true, 9}},   {"unpacked", {false, 0}},
    {"both", {false, 0}},    {"typed", {false, 9}},   {"rising", {true, 6}},
    {"either", {true, 5}},   {"number", {false, 32}}, {"pairs", {true, 15}},
    {"wide", {false, 64}},
};

class Ports : public testing::TestWithParam<const char *>
{
};

TEST_P(Ports, OfEveryKindHaveTheirWidths)
{
    static cs_foreign_ports ports;
    const std::string path = std::string(CS_PORTS_FOLDER "/") + GetParam();
    cs_diag diag = {};

    ASSERT_EQ(CS_OK, cs_foreign_ports_read(path.c_str(), &ports, &diag)) << diag.text;
    EXPECT_EQ(expected.size(), ports.count);
    for (const auto &[name, port] : expected) {
        const cs_foreign_port *found = cs_foreign_ports_find(&ports, name.c_str());

        ASSERT_NE(nullptr, found) << name;
        EXPECT_EQ(port.output, found->output) << name;
        EXPECT_EQ(port.width, found->width) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Verilator, Ports, testing::Values("every_kind.xml", "every_kind.json"));

TEST(PortsRead, AFileWithoutPortsIsRefused)
{
    static cs_foreign_ports ports;
    cs_diag diag = {};

    EXPECT_EQ(CS_ERR_FORMAT,
              cs_foreign_ports_read(CS_PORTS_FOLDER "/every_kind.sv", &ports, &diag));
    EXPECT_EQ(CS_ERR_FORMAT, cs_foreign_ports_read("/nowhere", &ports, &diag));
}

} // namespace

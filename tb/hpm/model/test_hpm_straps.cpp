// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, section 1: what create refuses, and what it says.
#include <cstring>
#include <functional>

#include "hart.hpp"
#include "support/still.hpp"

namespace
{

TEST(HpmStraps, Defaults)
{
    const cs_hpm_config c = cs_hpm_default_config();
    EXPECT_EQ(64u, c.xlen);
    EXPECT_EQ(3u, c.modes);
    EXPECT_EQ(0xFFFFFFF8u, c.counters);
    for (uint8_t width : c.width)
        EXPECT_EQ(64, width);
    EXPECT_TRUE(c.sscofpmf && c.smcntrpmf && c.smcdeleg && !c.aia);
    EXPECT_EQ(0u, c.lcofi_latency);
    EXPECT_EQ(0x400, c.unit);
}

TEST(HpmStraps, Refused)
{
    const struct {
        std::function<void(cs_hpm_config &)> change;
        const char *says; // nullptr: made
    } table[] = {
        {[](cs_hpm_config &) {}, nullptr},
        {[](cs_hpm_config &c) { c.xlen = 32; }, nullptr},
        {[](cs_hpm_config &c) { c.xlen = 128; }, "xlen is 128: must be 32 or 64"},
        {[](cs_hpm_config &c) { c.xlen = 0; }, "xlen is 0"},
        {[](cs_hpm_config &c) { c.modes = 4; }, "modes is 4: must be 0..3"},
        {[](cs_hpm_config &c) { c.counters = 0; }, nullptr},
        {[](cs_hpm_config &c) { c.counters |= 1; }, "counters is 0xfffffff9"},
        {[](cs_hpm_config &c) { c.counters |= 2; }, "counters is 0xfffffffa"},
        {[](cs_hpm_config &c) { c.counters |= 4; }, "counters is 0xfffffffc"},
        {[](cs_hpm_config &c) { c.width[7] = 0; }, "width of counter 7 is 0 bits: must be 1..64"},
        {[](cs_hpm_config &c) { c.width[31] = 65; }, "width of counter 31 is 65 bits"},
        {[](cs_hpm_config &c) { c.width[7] = 0, c.counters &= ~(1u << 7); }, nullptr},
        {[](cs_hpm_config &c) { c.width[0] = c.width[1] = c.width[2] = 99; }, nullptr},
        {[](cs_hpm_config &c) { c.modes = 1; }, "smcdeleg is on and modes is 1: it needs S"},
        {[](cs_hpm_config &c) { c.modes = 1, c.smcdeleg = false; }, nullptr},
        {[](cs_hpm_config &c) { c.modes = 1, c.smcdeleg = false, c.aia = true; },
         "aia is on and modes is 1: it needs S"},
        {[](cs_hpm_config &c) { c.aia = true; }, nullptr},
        {[](cs_hpm_config &c) { c.aia = true, c.sscofpmf = false; },
         "aia is on and sscofpmf is off"},
        {[](cs_hpm_config &c) { c.lcofi_latency = 31; }, nullptr},
        {[](cs_hpm_config &c) { c.lcofi_latency = 32; },
         "lcofi_latency is 32 cycles: must be 0..31"},
    };
    for (const auto &row : table) {
        cs_hpm_config c = cs_hpm_default_config();
        row.change(c);
        const cs_event_source source = still_events();
        cs_hpm *hpm = reinterpret_cast<cs_hpm *>(&c);
        cs_diag diag = {};
        const cs_hpm_env env = {source, nullptr};
        const cs_status status = cs_hpm_create(&c, &env, &hpm, &diag);
        EXPECT_EQ(row.says == nullptr ? CS_OK : CS_ERR_RANGE, status) << diag.text;
        EXPECT_EQ(row.says == nullptr, hpm != nullptr);
        EXPECT_EQ(status, diag.status);
        if (row.says != nullptr) {
            EXPECT_NE(nullptr, std::strstr(diag.text, row.says)) << diag.text;
        }
        cs_hpm_destroy(hpm);
    }
    cs_hpm_destroy(nullptr);
}

TEST(HpmStraps, UnitName)
{
    char buffer[32];
    EXPECT_STREQ("hart 3", cs_probe_source_name(CS_PROBE_IRQ, CS_UNIT_HART(3), buffer, 32));
}

// No sink is fine, and time goes one way.
TEST(HpmStraps, WithoutASink)
{
    const cs_hpm_config c = cs_hpm_default_config();
    const cs_event_source source = {
        [](void *, uint32_t, uint32_t, cs_cycle from, cs_cycle to) {
            return to > from ? to - from : 0;
        },
        [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) { return from + n; }, nullptr,
        nullptr, nullptr};
    cs_hpm *hpm = nullptr;
    const cs_hpm_env env = {source, nullptr};
    ASSERT_EQ(CS_OK, cs_hpm_create(&c, &env, &hpm, nullptr));
    const cs_hpm_access read = {MCYCLE, CS_HPM_OP_READ, M, 0, 0, true, true};
    EXPECT_EQ(77u, cs_hpm_access_csr(hpm, 77, &read).value);
    EXPECT_EQ(77u, cs_hpm_now(hpm));
    EXPECT_EQ(77u, cs_hpm_advance(hpm, 5)); // back is no error
    EXPECT_EQ(90u, cs_hpm_advance(hpm, 90));
    cs_hpm_destroy(hpm);
}

} // namespace

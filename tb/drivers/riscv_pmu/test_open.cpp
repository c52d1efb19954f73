// SPDX-License-Identifier: Apache-2.0
// docs/drivers/riscv_driver.md, "Opening": what can be opened, as what, with which filters.
#include "kernel.hpp"

using namespace cs_test;

namespace
{

constexpr uint32_t kHw = CS_RISCV_PERF_HARDWARE, kCache = CS_RISCV_PERF_CACHE,
                   kRaw = CS_RISCV_PERF_RAW;
constexpr uint64_t kBit62 = UINT64_C(1) << 62;

struct Row {
    uint32_t type;
    uint64_t config;
    int error;
    uint32_t idx;
    uint64_t data;
};

cs_riscv_attr attr_of(uint32_t type, uint64_t config)
{
    cs_riscv_attr attr = {};

    attr.type = type;
    attr.config = config;
    return attr;
}

void check(const Machine &m, const std::vector<Row> &rows)
{
    Kernel k(m);

    for (const Row &row : rows) {
        SCOPED_TRACE(testing::Message() << row.type << " " << std::hex << row.config);
        cs_riscv_perf_event *event = k.open(attr_of(row.type, row.config));
        uint64_t data = 1;

        EXPECT_EQ(k.error, row.error);
        if (event == nullptr)
            continue;
        EXPECT_EQ(cs_riscv_perf_idx(event, &data), row.idx);
        EXPECT_EQ(data, row.data);
        EXPECT_EQ(cs_riscv_perf_idx(event, nullptr), row.idx);
        EXPECT_EQ(cs_riscv_perf_index(event), -1);
        EXPECT_EQ(cs_riscv_perf_state(event), kStopped | kUpToDate);
        EXPECT_EQ(cs_riscv_perf_attr(event)->config, row.config);
        cs_riscv_perf_close(k.pmu(), k.hart(), event);
    }
    EXPECT_EQ(k.log, "") << "opening asks nobody";
}

const std::vector<Row> kSbiRows = {
    {kHw, 0, 0, 1, 0},
    {kHw, 1, 0, 2, 0},
    {kHw, 5, 0, 6, 0},
    {kHw, 6, -ENOENT, 0, 0}, // no counter has it
    {kHw, 9, 0, 10, 0},
    {kHw, 10, -EINVAL, 0, 0},
    {kHw, UINT64_C(1) << 32, -EINVAL, 0, 0},
    {kCache, 0, 0, 0x10000, 0},
    {kCache, 0x10000, 0, 0x10001, 0},
    {kCache, 0x10003, 0, 0x10019, 0},
    {kCache, 5, 0, 0x10028, 0},
    {kCache, 0x100, -ENOENT, 0, 0},
    {kCache, 0x200, -ENOENT, 0, 0},
    {kCache, 6, -ENOENT, 0, 0},
    {kCache, 7, -EINVAL, 0, 0},
    {kCache, 8, -EINVAL, 0, 0},
    {kCache, 0x80, -EINVAL, 0, 0},
    {kCache, 0x8000, -EINVAL, 0, 0},
    {kCache, 0x800000, -EINVAL, 0, 0},
    {kCache, 0x1000003, 0, 0x10018, 0}, // what is above is not looked at
    {kCache, 0x300, -EINVAL, 0, 0},
    {kCache, 0x20000, -EINVAL, 0, 0},
    {kRaw, kBit62, -ENOENT, 0, 0},
    {kRaw, kBit62 | 5, -ENOENT, 0, 0},
    {kRaw, 2 * kBit62 | 5, 0, 0xf0005, 0},
    {kRaw, 2 * kBit62 | 0xffff, 0, 0xfffff, 0},
    {kRaw, 3 * kBit62, 0, 0xfffff, 0},
    {kRaw, kOnes, 0, 0xfffff, kBit62 - 1},
    {1, 0, -ENOENT, 0, 0},
    {2, 0, -ENOENT, 0, 0},
    {5, 0, -ENOENT, 0, 0},
    {0xffffffff, 0, -ENOENT, 0, 0},
};

std::vector<Row> plus(std::vector<Row> rows, const std::vector<Row> &more)
{
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

} // namespace

TEST(RiscvPmuOpen, Sbi3)
{
    check(machine(), plus(kSbiRows, {
                                        {kRaw, 0, 0, 0x30000, 0},
                                        {kRaw, 0x40, 0, 0x30000, 0x40},
                                        {kRaw, UINT64_C(1) << 55, 0, 0x30000, UINT64_C(1) << 55},
                                        {kRaw, UINT64_C(1) << 56, -ENOENT, 0, 0},
                                        {kRaw, UINT64_C(1) << 61, -ENOENT, 0, 0},
                                    }));
}

TEST(RiscvPmuOpen, SbiBelow3)
{
    for (unsigned version : {CS_SBI_VERSION_0_3, CS_SBI_VERSION_2_0})
        check(of_version(machine(), version),
              plus(kSbiRows, {
                                 {kRaw, 0x40, 0, 0x20000, 0x40},
                                 {kRaw, UINT64_C(1) << 47, 0, 0x20000, UINT64_C(1) << 47},
                                 {kRaw, UINT64_C(1) << 48, -ENOENT, 0, 0},
                             }));
}

TEST(RiscvPmuOpen, Delegated)
{
    check(machine(CS_RISCV_DELEGATED), {
                                           {kHw, 0, 0, 1, 1},
                                           {kHw, 5, 0, 6, 6},
                                           {kHw, 6, -ENOENT, 0, 0},
                                           {kHw, 10, -EINVAL, 0, 0},
                                           {kCache, 3, 0, 0x10018, 15},
                                           {kCache, 0x103, -ENOENT, 0, 0},
                                           {kCache, 7, -EINVAL, 0, 0},
                                           {kRaw, 0x40, 0, 0x30000, 0x40},
                                           {kRaw, kBit62, -ENOENT, 0, 0},
                                           {kRaw, 2 * kBit62 | 5, 0, 0xf0005, 0},
                                           {kRaw, 3 * kBit62 | 5, 0, 0xfffff, 5},
                                           {1, 0, -ENOENT, 0, 0},
                                       });
}

TEST(RiscvPmuOpen, V3)
{
    check(machine(CS_RISCV_V3), {
                                    {kHw, 0, 0, 0, 0},
                                    {kHw, 9, 0, 9, 0},
                                    {kHw, 10, -EINVAL, 0, 0},
                                    {kCache, 0x10003, 0, 0x10019, 0},
                                    {kCache, 7, -EINVAL, 0, 0},
                                    {kRaw, 0x40, 0, 0x20000, 0x40},
                                    {kRaw, kBit62 | 5, 0, 0x20000, kBit62 | 5},
                                    {kRaw, 2 * kBit62 | 5, 0, 0xf0005, 0},
                                    {kRaw, 3 * kBit62 | 0x11234, 0, 0xf1234, 0},
                                    {1, 0, -ENOENT, 0, 0},
                                });
}

TEST(RiscvPmuOpen, Legacy)
{
    check(machine(CS_RISCV_LEGACY), {
                                        {kHw, 0, 0, 1, 0},
                                        {kHw, 1, 0, 2, 0},
                                        {kHw, 2, -EOPNOTSUPP, 0, 0},
                                        {kHw, 10, -EOPNOTSUPP, 0, 0},
                                        {kCache, 0, -EOPNOTSUPP, 0, 0},
                                        {kRaw, 1, -EOPNOTSUPP, 0, 0},
                                        {1, 0, -EOPNOTSUPP, 0, 0},
                                    });
}

// The first that fits: period, event, filter, interrupt.
TEST(RiscvPmuOpen, FiltersAndPeriods)
{
    const uint64_t bad = UINT64_C(1) << 63;
    const struct {
        const char *name;
        Machine machine;
        uint64_t config, period;
        bool excludes;
        int error;
    } rows[] = {
        {"sbi", machine(), 0, 1000, true, 0},
        {"longest period", machine(), 0, bad - 1, false, 0},
        {"bit 63", machine(), 0, bad, false, -EINVAL},
        {"bit 63 before the event", machine(), 6, bad, true, -EINVAL},
        {"bit 63 before what legacy refuses", machine(CS_RISCV_LEGACY), 6, bad, true, -EINVAL},
        {"the event before the filter", without_of(machine()), 6, 1, true, -ENOENT},
        {"the filter before the interrupt", without_of(machine()), 0, 1, true, -EINVAL},
        {"no filter", without_of(machine()), 0, 0, true, -EINVAL},
        {"no interrupt", without_of(machine()), 0, 1, false, -EOPNOTSUPP},
        {"neither", without_of(machine()), 0, 0, false, 0},
        {"delegated", machine(CS_RISCV_DELEGATED), 0, 1, true, 0},
        {"delegated, no filter", without_of(machine(CS_RISCV_DELEGATED)), 0, 0, true, -EINVAL},
        {"delegated, no interrupt", without_of(machine(CS_RISCV_DELEGATED)), 0, 1, false,
         -EOPNOTSUPP},
        {"v3 never filters", machine(CS_RISCV_V3), 0, 0, true, -EINVAL},
        {"v3 samples", machine(CS_RISCV_V3), 0, 1, false, 0},
        {"v3 without Sscofpmf", without_of(machine(CS_RISCV_V3)), 0, 1, false, -EOPNOTSUPP},
        {"legacy never filters", machine(CS_RISCV_LEGACY), 0, 0, true, -EINVAL},
        {"legacy never samples", machine(CS_RISCV_LEGACY), 0, 1, false, -EOPNOTSUPP},
        {"legacy, whatever the hart has",
         [] {
             Machine m = machine(CS_RISCV_LEGACY);
             m.driver.sscofpmf = true;
             return m;
         }(),
         0, 1, false, -EOPNOTSUPP},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        Kernel k(row.machine);
        cs_riscv_attr attr = hardware(row.config, row.period);

        attr.exclude_user = row.excludes;
        k.open(attr);
        EXPECT_EQ(k.error, row.error);
    }
}

TEST(RiscvPmuOpen, EachExcludeBitNeedsAFilter)
{
    Kernel k(without_of(machine()));

    for (bool cs_riscv_attr::*bit :
         {&cs_riscv_attr::exclude_user, &cs_riscv_attr::exclude_kernel, &cs_riscv_attr::exclude_hv,
          &cs_riscv_attr::exclude_host, &cs_riscv_attr::exclude_guest}) {
        cs_riscv_attr attr = hardware(0);

        attr.*bit = true;
        k.open(attr);
        EXPECT_EQ(k.error, -EINVAL);
    }
}

// The exclude table, as flags of the call, and as bits of the selector.
TEST(RiscvPmuOpen, WhatIsExcluded)
{
    const uint64_t sinh = CS_SBI_CFG_SET_SINH, uinh = CS_SBI_CFG_SET_UINH,
                   vsinh = CS_SBI_CFG_SET_VSINH, vuinh = CS_SBI_CFG_SET_VUINH;
    const struct {
        bool cs_riscv_attr::*bit;
        uint64_t flags, of_guests;
    } rows[] = {
        {&cs_riscv_attr::exclude_kernel, sinh, vsinh},
        {&cs_riscv_attr::exclude_user, uinh, vuinh},
        {&cs_riscv_attr::exclude_hv, 0, sinh},
        {&cs_riscv_attr::exclude_host, uinh | sinh, uinh | sinh},
        {&cs_riscv_attr::exclude_guest, vsinh | vuinh, vsinh | vuinh},
        {&cs_riscv_attr::mmapped, 0, 0},
    };

    for (const auto &row : rows)
        for (bool guests : {false, true})
            for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_DELEGATED})
                for (unsigned xlen : {32u, 64u}) {
                    Kernel k(machine(kind, xlen));
                    const uint64_t flags = guests ? row.of_guests : row.flags;
                    cs_riscv_attr attr = raw(kOne);
                    char config[64];

                    attr.*row.bit = true;
                    attr.guest_events = guests;
                    k.add(k.open(attr), 0);
                    const uint64_t of = kind == CS_RISCV_DELEGATED ? kOf : 0;
                    EXPECT_EQ(k.selector(3), of | flags << 55 | kOne) << kind;
                    snprintf(config, sizeof config, "CONFIG(0,1fd,%llx,30000,40)",
                             static_cast<unsigned long long>(flags));
                    if (kind == CS_RISCV_SBI) {
                        EXPECT_EQ(k.log.substr(0, k.log.find(')') + 1), config);
                    }
                }
}

TEST(RiscvPmuOpen, SeveralExcludeBits)
{
    Kernel k;
    cs_riscv_attr attr = raw(kOne);

    attr.exclude_kernel = attr.exclude_guest = true;
    k.add(k.open(attr), 0);
    EXPECT_EQ(k.selector(3), UINT64_C(0xb) << 58 | kOne);
}

// What the filter is good for: 0x50 is in every mode.
TEST(RiscvPmuOpen, AnExcludedModeDoesNotCount)
{
    Kernel k;
    cs_riscv_attr attr = raw(kEverywhere);

    attr.exclude_kernel = true;
    cs_riscv_perf_event *event = k.start(attr);
    for (unsigned i = 0; i < 5; i++)
        k.csr(0x320); // the firmware is not excluded
    const uint64_t before = k.read(event);
    cs_hart_work(k.hart(), 1000);
    EXPECT_LT(k.read(event), before + 1000);
    k.run(1000);
    EXPECT_GE(k.read(event), before + 1000);
}

TEST(RiscvPmuOpen, ClosingDeletes)
{
    Kernel k;
    cs_riscv_perf_event *a = k.start(raw(kOne)), *b = k.start(raw(kOne)), *c = k.open(raw(kOne));

    EXPECT_EQ(cs_riscv_perf_index(b), 4);
    k.taken();
    cs_riscv_perf_close(k.pmu(), k.hart(), b);
    EXPECT_EQ(k.taken(), "STOP(4,1) C4 STOP(4,1,1)");
    cs_riscv_perf_close(k.pmu(), k.hart(), c);
    EXPECT_EQ(k.taken(), "") << "it had no counter";
    cs_riscv_perf_close(k.pmu(), k.hart(), a);
    cs_riscv_perf_event *again = k.start(raw(kOne));
    EXPECT_EQ(cs_riscv_perf_index(again), 3);
}

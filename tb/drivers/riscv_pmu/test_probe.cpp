// SPDX-License-Identifier: Apache-2.0
// Creating, and what a probe does in which order.
#include "kernel.hpp"

using namespace cs_test;

namespace
{

std::string create_error(const cs_riscv_pmu_config &config)
{
    cs_riscv_pmu *pmu = nullptr;
    cs_diag diag = {};
    const cs_status status = cs_riscv_pmu_create(&config, nullptr, &pmu, &diag);

    EXPECT_EQ(pmu == nullptr, status != CS_OK);
    EXPECT_TRUE(status == CS_OK || status == CS_ERR_RANGE);
    cs_riscv_pmu_destroy(pmu);
    return diag.text;
}

// A probe's log without the trials, which are counted.
std::string probed(Kernel &k, int expected = 0)
{
    EXPECT_EQ(k.probe(), expected);
    return k.taken();
}

size_t count(const std::string &text, const std::string &part)
{
    size_t n = 0;

    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        n++;
    return n;
}

Machine unprobed(Machine s)
{
    s.probes = false;
    return s;
}

const std::string kInfos = " NUM() INFO() INFO(1) INFO(2) INFO(3) INFO(4) INFO(5) INFO(6) INFO(7) "
                           "INFO(8)";

} // namespace

TEST(RiscvPmuCreate, RefusesWhatCannotBe)
{
    static cs_riscv_pmu_map map;
    cs_riscv_pmu_map_default(&map);
    const struct {
        const char *text; // "": it is allowed
        std::function<void(cs_riscv_pmu_config &)> change;
    } rows[] = {
        {"", [](auto &) {}},
        {"there is no such kind of driver", [](auto &c) { c.kind = CS_RISCV_NR_KINDS; }},
        {"there is no such bug", [](auto &c) { c.bugs = 1u << CS_RISCV_NR_BUGS; }},
        {"", [](auto &c) { c.bugs = (1u << CS_RISCV_NR_BUGS) - 1; }},
        {"a guest has no delegated counters: expected sbi, legacy or v3",
         [](auto &c) {
             c.kind = CS_RISCV_DELEGATED;
             c.guest = true;
         }},
        {"", [](auto &c) { c.guest = true; }},
        {"delegated counters need a map of events",
         [](auto &c) {
             c.kind = CS_RISCV_DELEGATED;
             c.map = nullptr;
         }},
        {"", [](auto &c) { c.map = nullptr; }},
        {"the kind needs somebody who answers SBI calls", [](auto &c) { c.sbi.call = nullptr; }},
        {"the kind needs somebody who answers SBI calls",
         [](auto &c) {
             c.kind = CS_RISCV_V3;
             c.sbi.call = nullptr;
         }},
        {"",
         [](auto &c) {
             c.kind = CS_RISCV_LEGACY;
             c.sbi.call = nullptr;
         }},
        {"the ring's data are no power of two", [](auto &c) { c.ring_bytes = 4095; }},
        {"", [](auto &c) { c.ring_bytes = 4096; }},
        {"the snapshot's address is no multiple of 4096",
         [](auto &c) {
             c.use_snapshot = true;
             c.snapshot_address = kPage + 8;
         }},
        {"the address for event infos is no multiple of 16",
         [](auto &c) { c.info_address = kInfo + 8; }},
        {"throttling needs a tick",
         [](auto &c) {
             c.max_samples_per_tick = 1;
             c.tick_cycles = 0;
         }},
        {"", [](auto &c) { c.tick_cycles = 0; }},
    };

    for (const auto &row : rows) {
        cs_riscv_pmu_config c = machine().driver;

        c.map = &map;
        c.sbi.call = [](void *, cs_hart *, uint64_t, uint64_t, const uint64_t *) {
            return cs_sbi_ret{};
        };
        row.change(c);
        EXPECT_EQ(create_error(c), row.text);
    }
    cs_riscv_pmu_destroy(nullptr);
}

TEST(RiscvPmuCreate, BugsByNumberAndName)
{
    const char *const names[] = {"rv32_shift",       "rv32_masks",     "snapshot_base",
                                 "spurious_stops",   "stale_overflow", "torn_read",
                                 "throttle_ignored", "rv32_delta",     "starts_stopped"};

    for (unsigned i = 0; i < CS_RISCV_NR_BUGS; i++) {
        ASSERT_NE(cs_riscv_bug_at(i), nullptr);
        EXPECT_STREQ(cs_riscv_bug_at(i)->name, names[i]);
        EXPECT_EQ(cs_riscv_bug_at(i)->bit, 1u << i);
        EXPECT_EQ(cs_riscv_bug_of(names[i]), cs_riscv_bug_at(i));
    }
    EXPECT_EQ(cs_riscv_bug_at(CS_RISCV_NR_BUGS), nullptr);
    EXPECT_EQ(cs_riscv_bug_of("none"), nullptr);
}

// docs/drivers/riscv_driver.md, "Probe, in this order".
TEST(RiscvPmuProbe, Sbi)
{
    Kernel k(unprobed(with_ring(with_page(machine()), 4096)));

    EXPECT_EQ(probed(k), "BASE0() BASE3(504d55)" + kInfos +
                             " scounteren=2 STOP(0,1fd,1) sip=0 sie=2000"
                             " SETSHMEM(80001000) EVENTS(80003000,0,34)");
    EXPECT_EQ(cs_riscv_pmu_counters(k.pmu()), 0x1fdu);
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 0), 64u);
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 1), 0u);
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 64), 0u);
    EXPECT_EQ(cs_riscv_pmu_csr(k.pmu(), 6), 0xc06u);
    EXPECT_EQ(cs_riscv_pmu_csr(k.pmu(), 7), 0u) << "firmware's";
    EXPECT_EQ(cs_riscv_pmu_csr(k.pmu(), 1), 0u);
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 8), 64u);
    EXPECT_TRUE(cs_riscv_pmu_has_snapshot(k.pmu()));
    EXPECT_EQ(k.figures().sbi_calls, k.calls());
    EXPECT_EQ(k.figures().sbi_errors, 0u);
}

TEST(RiscvPmuProbe, SbiBelow3TriesEachEvent)
{
    for (Machine s : {of_version(machine(), CS_SBI_VERSION_2_0), [] {
                          Machine t = machine();
                          t.driver.info_address = 0;
                          return t;
                      }()}) {
        Kernel k(unprobed(s));
        const std::string log = probed(k);

        EXPECT_EQ(count(log, "CONFIG(0,1fd,0,"), 52u);
        EXPECT_EQ(count(log, "EVENTS"), 0u);
        EXPECT_EQ(count(log, ",1,1)"), 19u) << "those that there are are reset";
        EXPECT_NE(log.find(" CONFIG(0,1fd,0,1) STOP(3,1,1) CONFIG(0,1fd,0,2) STOP(3,1,1)"),
                  std::string::npos);
        EXPECT_NE(log.find(" CONFIG(0,1fd,0,a) STOP(3,1,1) CONFIG(0,1fd,0,10000) STOP(3,1,1)"
                           " CONFIG(0,1fd,0,10001) STOP(3,1,1) CONFIG(0,1fd,0,10002)"
                           " CONFIG(0,1fd,0,10003) CONFIG(0,1fd,0,10004) CONFIG(0,1fd,0,10005)"
                           " CONFIG(0,1fd,0,10008)"),
                  std::string::npos);
        EXPECT_EQ(log.substr(log.size() - 22), " CONFIG(0,1fd,0,10035)");
        EXPECT_EQ(k.figures().sbi_errors, 0u) << "trials are none";
        EXPECT_EQ(k.selector(3), 0u);
    }
}

// An EVENT_GET_INFO that fails leads back to the trials.
TEST(RiscvPmuProbe, InfosThatFail)
{
    Machine s = unprobed(machine());

    s.fw.memory_size = kInfo - kMemory;
    Kernel k(s);
    EXPECT_EQ(count(probed(k), "CONFIG("), 52u);
}

TEST(RiscvPmuProbe, BothWaysFindTheSameEvents)
{
    Kernel infos, trials(of_version(machine(), CS_SBI_VERSION_2_0));

    for (uint64_t i = 0; i < 10; i++)
        EXPECT_EQ((infos.open(hardware(i)), infos.error), (trials.open(hardware(i)), trials.error));
    for (uint64_t id = 0; id < 7; id++)
        for (uint64_t op = 0; op < 3; op++)
            for (uint64_t result = 0; result < 2; result++) {
                cs_riscv_attr attr = hardware(id | op << 8 | result << 16);

                attr.type = CS_RISCV_PERF_CACHE;
                infos.open(attr);
                trials.open(attr);
                EXPECT_EQ(infos.error, trials.error);
                EXPECT_EQ(infos.error, id < 6 && op == 0 ? 0 : -ENOENT) << id << " " << op;
            }
}

TEST(RiscvPmuProbe, WhatTheFirmwareDoesNotHaveCannotBeOpened)
{
    Machine m = machine();
    m.probes = false;
    Kernel k(m);

    k.after = [&](uint64_t fid, cs_sbi_ret *) {
        if (fid == CS_SBI_PMU_EVENT_GET_INFO)
            k.store(kInfo, 1); // the first entry: cycles, and none
    };
    EXPECT_EQ(k.probe(), 0);
    EXPECT_EQ(k.open(hardware(0)), nullptr);
    EXPECT_EQ(k.error, -ENOENT);
    EXPECT_NE(k.open(hardware(1)), nullptr);
}

TEST(RiscvPmuProbe, WithoutSscofpmfOrPage)
{
    Kernel k(unprobed(without_of(machine())));

    EXPECT_EQ(probed(k), "BASE0() BASE3(504d55)" + kInfos +
                             " scounteren=2 STOP(0,1fd,1) EVENTS(80003000,0,34)");
    EXPECT_FALSE(cs_riscv_pmu_has_snapshot(k.pmu()));
}

TEST(RiscvPmuProbe, ThePageNeedsSbi2)
{
    Kernel old(unprobed(with_page(of_version(machine(), CS_SBI_VERSION_0_3))));
    EXPECT_EQ(count(probed(old), "SETSHMEM"), 0u);

    Kernel refused(unprobed(with_page(machine())));
    refused.answers = [](uint64_t, uint64_t fid, const uint64_t *, cs_sbi_ret *ret) {
        *ret = {CS_SBI_ERR_NOT_SUPPORTED, 0};
        return fid == CS_SBI_PMU_SNAPSHOT_SET_SHMEM;
    };
    EXPECT_EQ(count(probed(refused), "SETSHMEM"), 1u);
    EXPECT_FALSE(cs_riscv_pmu_has_snapshot(refused.pmu()));
}

TEST(RiscvPmuProbe, Rv32)
{
    Kernel k(unprobed(with_page(machine(CS_RISCV_SBI, 32))));

    EXPECT_EQ(probed(k), "BASE0() BASE3(504d55)" + kInfos +
                             " scounteren=2 STOP(0,1fd,1) sip=0 sie=2000"
                             " SETSHMEM(80001000) EVENTS(80003000,0,34)");
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 8), 64u);
    Kernel old(of_version(machine(CS_RISCV_SBI, 32), CS_SBI_VERSION_0_3));
    EXPECT_EQ(cs_riscv_pmu_width(old.pmu(), 8), 32u) << "no high half of firmware counters";
    EXPECT_EQ(cs_riscv_pmu_width(old.pmu(), 3), 64u);
}

TEST(RiscvPmuProbe, WidthsOfEachCounter)
{
    for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_DELEGATED, CS_RISCV_V3})
        for (unsigned xlen : {32u, 64u}) {
            Machine s = machine(kind, xlen);

            s.hpm.width[3] = 1;
            s.hpm.width[4] = 32;
            s.hpm.width[5] = 40;
            s.hpm.width[6] = 63;
            Kernel k(s);
            const unsigned expected[] = {64, 0, 64, 1, 32, 40, 63, 64, 64, 0};
            for (unsigned i = 0; i < 10; i++)
                EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), i), expected[i]) << kind << " " << i;
        }
}

TEST(RiscvPmuProbe, LegacyAndItsUserAccess)
{
    Kernel k(unprobed(machine(CS_RISCV_LEGACY)));
    EXPECT_EQ(probed(k), "scounteren=2");
    EXPECT_EQ(cs_riscv_pmu_counters(k.pmu()), 5u);
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 2), 64u);
    EXPECT_EQ(k.calls(), 0u);
    for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_LEGACY, CS_RISCV_DELEGATED, CS_RISCV_V3}) {
        Machine s = machine(kind);

        s.driver.user_access = CS_RISCV_USER_LEGACY;
        Kernel user(s);
        EXPECT_EQ(user.csr(0x106), 7u) << kind;
    }
}

TEST(RiscvPmuProbe, Delegated)
{
    Machine s = unprobed(machine(CS_RISCV_DELEGATED));

    s.hpm.counters = s.hpm.counters & 0x18;
    s.fw.firmware_counters = 1;
    Kernel k(s);
    const std::string width = " sireg=ffffffffffffffff sireg sireg=0";
    EXPECT_EQ(probed(k),
              "BASE0() BASE3(504d55) scountinhibit=ffffffff scountinhibit select=40" + width +
                  " select=42" + width + " select=43" + width + " sireg2=0 select=44" + width +
                  " sireg2=0 NUM() INFO() INFO(1) INFO(2) INFO(3) INFO(4) INFO(5) scounteren=2"
                  " STOP(0,20,1) sip=0 sie=2000");
    EXPECT_EQ(cs_riscv_pmu_counters(k.pmu()), 0x3du);
}

TEST(RiscvPmuProbe, DelegatedRv32WithoutFilters)
{
    Machine s = unprobed(machine(CS_RISCV_DELEGATED, 32));

    s.hpm.counters = 8;
    s.hpm.smcntrpmf = s.fw.smcntrpmf = false;
    s.fw.firmware_counters = 0;
    Kernel k(s);
    const std::string width = " sireg=ffffffff sireg4=ffffffff sireg sireg4 sireg=0 sireg4=0";
    const std::string log = probed(k);
    EXPECT_EQ(log.find(" select=40 sireg2"), std::string::npos);
    EXPECT_NE(log.find(width + " select=42" + width + " select=43" + width +
                       " sireg2=0 sireg5=0 NUM() INFO() INFO(1) INFO(2) INFO(3) scounteren=2"
                       " sip=0 sie=2000"),
              std::string::npos)
        << log;
}

TEST(RiscvPmuProbe, V3)
{
    Kernel k(unprobed(machine(CS_RISCV_V3)));

    EXPECT_EQ(probed(k), "BASE0() BASE3(504d55)" + kInfos +
                             " scounteren=2 STOP() STOP(2) STOP(3) STOP(4) STOP(5) STOP(6) STOP(7)"
                             " STOP(8) sip=0 sie=2000");
}

TEST(RiscvPmuProbe, NothingToProbe)
{
    const struct {
        const char *name;
        cs_riscv_kind kind;
        uint64_t eid, fid;
        cs_sbi_ret ret;
        int error;
    } rows[] = {
        {"version", CS_RISCV_SBI, CS_SBI_EID_BASE, 0, {0, 2}, -ENODEV},
        {"version 0.3", CS_RISCV_SBI, CS_SBI_EID_BASE, 0, {0, 3}, 0},
        {"no version", CS_RISCV_SBI, CS_SBI_EID_BASE, 0, {CS_SBI_ERR_NOT_SUPPORTED, 3}, -ENODEV},
        {"version of v3", CS_RISCV_V3, CS_SBI_EID_BASE, 0, {CS_SBI_ERR_NOT_SUPPORTED, 0}, 0},
        {"no extension", CS_RISCV_SBI, CS_SBI_EID_BASE, 3, {0, 0}, -ENODEV},
        {"extension fails", CS_RISCV_SBI, CS_SBI_EID_BASE, 3, {CS_SBI_ERR_FAILED, 1}, -ENODEV},
        {"no extension, v3", CS_RISCV_V3, CS_SBI_EID_BASE, 3, {0, 0}, -ENODEV},
        {"no extension, delegated", CS_RISCV_DELEGATED, CS_SBI_EID_BASE, 3, {0, 0}, -ENODEV},
        {"counters fail", CS_RISCV_SBI, CS_SBI_EID_PMU, 0, {CS_SBI_ERR_FAILED, 9}, -ENODEV},
        {"no counters", CS_RISCV_SBI, CS_SBI_EID_PMU, 0, {0, 0}, -ENODEV},
        {"no counters, v3", CS_RISCV_V3, CS_SBI_EID_PMU, 0, {0, 0}, -ENODEV},
        {"counters fail, v3", CS_RISCV_V3, CS_SBI_EID_PMU, 0, {CS_SBI_ERR_FAILED, 9}, -ENODEV},
        {"no firmware counters, delegated", CS_RISCV_DELEGATED, CS_SBI_EID_PMU, 0, {0, 0}, 0},
        {"nothing at an index",
         CS_RISCV_SBI,
         CS_SBI_EID_PMU,
         1,
         {CS_SBI_ERR_INVALID_PARAM, 0xc03},
         -ENODEV},
        {"CSRs that are none", CS_RISCV_SBI, CS_SBI_EID_PMU, 1, {0, 0x3fb03}, -ENODEV},
        {"no bits, v3", CS_RISCV_V3, CS_SBI_EID_PMU, 1, {0, 0xc03}, -ENODEV},
        {"too many bits, v3", CS_RISCV_V3, CS_SBI_EID_PMU, 1, {0, 0x41c03}, -ENODEV},
        {"CSRs that are none, v3", CS_RISCV_V3, CS_SBI_EID_PMU, 1, {0, 0x40c20}, -ENODEV},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        Kernel k(unprobed(machine(row.kind)));

        k.answers = [&](uint64_t eid, uint64_t fid, const uint64_t *, cs_sbi_ret *ret) {
            *ret = row.ret;
            return eid == row.eid && fid == row.fid;
        };
        EXPECT_EQ(k.probe(), row.error);
    }
    for (uint64_t taken : {0, 1}) { // Smcdeleg that is not there, or not on
        Machine s = unprobed(machine(CS_RISCV_DELEGATED));

        s.fw.smcdeleg = false;
        s.hpm.smcdeleg = taken != 0;
        Kernel k(s);
        EXPECT_EQ(k.probe(), -ENODEV);
    }
    Kernel k(unprobed(machine(CS_RISCV_DELEGATED)));
    k.csr(0x306, 0); // none is delegated
    EXPECT_EQ(k.probe(), -ENODEV);
}

TEST(RiscvPmuProbe, AtMost64Counters)
{
    Machine s = unprobed(machine());

    s.fw.firmware_counters = 64;
    Kernel k(s);
    EXPECT_EQ(k.probe(), 0);
    EXPECT_EQ(cs_riscv_pmu_counters(k.pmu()), ~UINT64_C(2));
    EXPECT_EQ(count(k.log, "INFO("), 64u);
}

TEST(RiscvPmuProbe, DownAndUpAgain)
{
    Kernel k(with_ring(with_page(machine()), 4096));
    cs_riscv_perf_event *event = k.start(raw(kOne, 100));

    k.serve(250);
    k.del(event);
    EXPECT_EQ(cs_riscv_pmu_drain(k.pmu(), k.hart()), 2 * 56u);
    k.taken();
    cs_riscv_pmu_dying(k.pmu(), k.hart());
    EXPECT_EQ(k.taken(), "sie=0 scounteren=0 SETSHMEM(ffffffffffffffff,ffffffffffffffff)");
    EXPECT_FALSE(cs_riscv_pmu_has_snapshot(k.pmu()));
    EXPECT_EQ(k.csr(0x106), 0u);

    EXPECT_EQ(k.probe(), 0);
    EXPECT_TRUE(cs_riscv_pmu_has_snapshot(k.pmu()));
    EXPECT_EQ(cs_riscv_pmu_drain(k.pmu(), k.hart()), 0u);
    EXPECT_EQ(k.add(event), 0);
    k.serve(250);
    EXPECT_EQ(k.samples.size(), 4u);
    k.del(event);
    cs_riscv_pmu_dying(k.pmu(), k.hart());
    EXPECT_EQ(k.probe(), 0);
    EXPECT_EQ(cs_riscv_pmu_drain(k.pmu(), k.hart()), 2 * 56u) << "nothing is lost, nothing twice";
}

TEST(RiscvPmuProbe, APageAboveFourGigabytes)
{
    Machine m = unprobed(with_page(machine(CS_RISCV_SBI, 32)));

    m.driver.snapshot_address = UINT64_C(0x500001000);
    m.driver.info_address = UINT64_C(0x600003000);
    Kernel k(m);
    EXPECT_NE(probed(k).find(" SETSHMEM(1000,5) EVENTS(3000,6,34)"), std::string::npos);
    EXPECT_FALSE(cs_riscv_pmu_has_snapshot(k.pmu()));
}

// What the hardware has is not the firmware's.
TEST(RiscvPmuProbe, DelegatedCountersStayHardware)
{
    Kernel k(unprobed(machine(CS_RISCV_DELEGATED)));

    k.answers = [](uint64_t eid, uint64_t fid, const uint64_t *args, cs_sbi_ret *ret) {
        *ret = {0, kOf};
        return eid == CS_SBI_EID_PMU && fid == CS_SBI_PMU_COUNTER_GET_INFO && args[0] == 3;
    };
    EXPECT_EQ(k.probe(), 0);
    EXPECT_EQ(cs_riscv_pmu_csr(k.pmu(), 3), 0xc03u);
}

// SPDX-License-Identifier: Apache-2.0
// Delegated, v3, legacy, and a guest's driver.
#include "kernel.hpp"

using namespace cs_test;

// ---- delegated ----

TEST(RiscvPmuDelegated, NoCallForAHardwareCounter)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(machine(CS_RISCV_DELEGATED, xlen));
        const size_t before = k.calls();
        cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(hardware(0)),
                            *c = k.start(hardware(1));

        k.serve(1000);
        k.irq();
        k.stop(a);
        k.start(a);
        EXPECT_EQ(k.read(a), 1000u);
        EXPECT_EQ(k.read(b), 1000u);
        EXPECT_EQ(k.read(c), 1000u);
        for (cs_riscv_perf_event *event : {a, b, c})
            k.del(event);
        EXPECT_EQ(k.calls(), before);
        EXPECT_EQ(k.figures().sbi_calls, before);
        EXPECT_EQ(k.samples.size(), 10u);
    }
}

TEST(RiscvPmuDelegated, Accesses)
{
    Kernel k(machine(CS_RISCV_DELEGATED));
    cs_riscv_perf_event *event = k.open(raw(kOne, 100));

    k.add(event, 0);
    EXPECT_EQ(k.taken(), "select=43 sireg2=8000000000000040");
    k.start(event);
    EXPECT_EQ(k.taken(), "select=43 sireg=ffffffffffffff9c sireg2=40 scountinhibit=75");
    k.run(130);
    k.read(event);
    EXPECT_EQ(k.taken(), "C3");
    k.stop(event);
    EXPECT_EQ(k.taken(), "scountinhibit=7d C3");
    EXPECT_EQ(k.selector(3), kOf | kOne);
    k.start(event);
    EXPECT_EQ(k.taken(), "select=43 sireg=ffffffffffffffba sireg2=40 scountinhibit=75")
        << "OF is cleared";
    k.del(event);
    EXPECT_EQ(k.taken(), "scountinhibit=7d C3 select=43 sireg2=8000000000000000");
}

TEST(RiscvPmuDelegated, NoneToGoOnAsTheyAre)
{
    Kernel k(machine(CS_RISCV_DELEGATED));

    k.start(raw(kOne, 100));
    k.run(130);
    k.taken();
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.taken(), "scountinhibit=7d scountovf sip=0 C3 select=43 sireg=ffffffffffffffba"
                         " sireg2=40 scountinhibit=75");
}

TEST(RiscvPmuDelegated, AccessesOfRv32)
{
    Kernel k(machine(CS_RISCV_DELEGATED, 32));
    cs_riscv_perf_event *event = k.open(raw(kOne, 100));

    k.add(event);
    EXPECT_EQ(k.taken(), "select=43 sireg2=40 sireg5=80000000 select=43 sireg=ffffff9c"
                         " sireg4=ffffffff sireg5=0 scountinhibit=75");
    k.del(event);
    EXPECT_EQ(k.taken(), "scountinhibit=7d Ch3 C3 Ch3 select=43 sireg2=0 sireg5=80000000");
    Machine m = without_of(machine(CS_RISCV_DELEGATED, 32));
    Kernel plain(m);
    plain.start(raw(kOne));
    EXPECT_EQ(plain.taken(), "select=43 sireg2=40 select=43 sireg=1 sireg4=80000000"
                             " scountinhibit=75");
}

TEST(RiscvPmuDelegated, FilterOfCycles)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(machine(CS_RISCV_DELEGATED, xlen));
        cs_riscv_attr attr = hardware(0);

        attr.exclude_user = true;
        cs_riscv_perf_event *event = k.start(attr);
        EXPECT_EQ(cs_riscv_perf_index(event), 3);
        EXPECT_EQ(k.taken(),
                  xlen == 64
                      ? "select=43 sireg2=9000000000000001 select=43 sireg=8000000000000001"
                        " sireg2=1000000000000001 scountinhibit=75"
                      : "select=43 sireg2=1 sireg5=90000000 select=43 sireg=1 sireg4=80000000"
                        " sireg5=10000000 scountinhibit=75");
        k.run(100);
        EXPECT_EQ(k.read(event), 0u);
        k.del(event);
        EXPECT_EQ(k.selector(3), kOf) << "the published driver leaves it so";
    }
}

// What a released counter leaves in scountovf is no overflow of an event, and the handler starts
// what it has stopped.
TEST(RiscvPmuDelegated, WhatAReleasedCounterLeaves)
{
    Kernel k(machine(CS_RISCV_DELEGATED));
    cs_riscv_perf_event *gone = k.start(raw(kOne)), *event = k.start(raw(kOne, 100));

    k.del(gone);
    k.taken();
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.taken(), "scountinhibit=7d scountovf sip=0 scountinhibit=6d");
    EXPECT_EQ(k.figures().spurious, 0u);
    EXPECT_TRUE(k.samples.empty());
    k.del(event);
}

// The lowest free one that the map allows; never cycle and instret.
TEST(RiscvPmuDelegated, WhichCounter)
{
    for (bool cf : {false, true})
        for (uint64_t config : {0, 1, 2})
            for (uint64_t period : {0, 100})
                for (bool excludes : {false, true}) {
                    Machine m = machine(CS_RISCV_DELEGATED);
                    cs_riscv_attr attr = hardware(config, period);

                    m.hpm.smcntrpmf = m.fw.smcntrpmf = cf;
                    Kernel k(m);
                    attr.exclude_kernel = excludes;
                    EXPECT_EQ(cs_riscv_perf_index(k.start(attr)), 3) << config << " " << period;
                }
    Kernel k(machine(CS_RISCV_DELEGATED));
    EXPECT_EQ(k.add(k.open(raw(0x10000))), -ENOENT) << "not of the map";
    for (int index : {3, 4, 5, 6})
        EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(0))), index);
    EXPECT_EQ(k.add(k.open(hardware(0))), -ENOENT);
}

TEST(RiscvPmuDelegated, WithoutFirmwaresCountersFirmwaresEventsFail)
{
    Machine m = machine(CS_RISCV_DELEGATED);
    m.fw.firmware_counters = 0;
    Kernel k(m);
    EXPECT_EQ(k.add(k.open(firmware(5))), -ENOENT);
}

// ---- delegated, as it was posted ----

TEST(RiscvPmuPosted, ReadsBeforeItWrites)
{
    Kernel k(machine(CS_RISCV_POSTED));
    cs_riscv_perf_event *event = k.open(raw(kOne, 100));

    k.add(event, 0);
    EXPECT_EQ(k.taken(), "select=43 sireg2=8000000000000040");
    k.start(event);
    EXPECT_EQ(k.taken(), "select=43 sireg=ffffffffffffff9c sip select=43 sireg2 select=43 sireg2=40"
                         " scountinhibit scountinhibit=75");
    k.run(130);
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.taken(),
              "scountinhibit scountinhibit=7d scountovf sip=0 C3"
              " scountinhibit scountinhibit=7d"
              " select=43 sireg=ffffffffffffffba sip select=43 sireg2 select=43 sireg2=40"
              " scountinhibit scountinhibit=75");
    k.del(event);
    EXPECT_EQ(k.taken(), "scountinhibit scountinhibit=7d C3 select=43 sireg2=8000000000000000");
}

TEST(RiscvPmuPosted, CountsAndSamplesAsTheOther)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(machine(CS_RISCV_POSTED, xlen));
        const size_t before = k.calls();
        cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(hardware(0));

        k.serve(1000);
        k.irq();
        EXPECT_EQ(k.read(a), 1000u);
        EXPECT_EQ(k.read(b), 1000u);
        EXPECT_EQ(k.samples.size(), 10u);
        EXPECT_EQ(k.calls(), before);
    }
}

// mcycle and minstret are for what a guest counts, with the filters only where they have some.
TEST(RiscvPmuPosted, FixedCountersForGuestsOnly)
{
    for (bool cf : {false, true}) {
        Machine m = machine(CS_RISCV_POSTED);
        cs_riscv_attr attr = hardware(0), sampled = hardware(1, 100);

        m.hpm.smcntrpmf = m.fw.smcntrpmf = m.driver.smcntrpmf = cf;
        Kernel k(m);
        EXPECT_EQ(cs_riscv_perf_index(k.start(attr)), 3);
        k.taken();
        attr.guest_events = attr.exclude_host = true;
        cs_riscv_perf_event *fixed = k.start(attr);
        EXPECT_EQ(cs_riscv_perf_index(fixed), 0);
        EXPECT_EQ(k.taken(), cf ? "select=40 sireg2=b000000000000001 select=40"
                                  " sireg=8000000000000001 sip select=40 sireg2 select=40"
                                  " sireg2=3000000000000000 scountinhibit scountinhibit=74"
                                : "select=40 sireg=8000000000000001 sip scountinhibit"
                                  " scountinhibit=74");
        EXPECT_EQ(cs_riscv_perf_index(k.start(attr)), 4) << "cycle is taken";
        sampled.guest_events = true;
        EXPECT_EQ(cs_riscv_perf_index(k.start(sampled)), 5);
    }
}

// Whatever the map says; and bits above 55 are not looked at.
TEST(RiscvPmuPosted, RawEventsMayHaveAnyCounter)
{
    Kernel k(machine(CS_RISCV_POSTED));

    EXPECT_EQ(cs_riscv_perf_index(k.start(raw(0x10000))), 3) << "not of the map";
    EXPECT_EQ(cs_riscv_perf_index(k.start(raw(UINT64_C(1) << 60 | kOne))), 4);
    for (int index : {5, 6})
        EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(0))), index);
    EXPECT_EQ(k.add(k.open(hardware(0))), -ENOENT);
}

TEST(RiscvPmuPosted, ProbeLeavesValuesAndEvents)
{
    Machine m = machine(CS_RISCV_POSTED);

    m.probes = false;
    Kernel k(m);
    k.csr(0xb04, 77);
    k.csr(0x324, kOne);
    EXPECT_EQ(cs_riscv_pmu_probe(k.pmu(), k.hart()), 0);
    EXPECT_EQ(k.selector(4), kOne);
    EXPECT_EQ(k.selector(3) & 0xffff, 0u);
    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 4), 64u);
    EXPECT_EQ(k.csr(0xb04), 77u);
}

// ---- v3 ----

TEST(RiscvPmuV3, Calls)
{
    Kernel k(machine(CS_RISCV_V3));
    cs_riscv_perf_event *event = k.start(raw(kOne, 100));

    EXPECT_EQ(k.taken(), "EVENT(3,20000,40) START(3,ffffffffffffff9c)");
    k.run(30);
    k.read(event);
    EXPECT_EQ(k.taken(), "C3");
    k.del(event);
    EXPECT_EQ(k.taken(), "STOP(3) C3");
    EXPECT_EQ(k.read(event), 30u);
    Kernel narrow(machine(CS_RISCV_V3, 32));
    narrow.start(raw(kOne, 100));
    EXPECT_EQ(narrow.taken(), "EVENT(3,20000,40) START(3,ffffff9c,ffffffff)");
}

TEST(RiscvPmuV3, CyclesAndInstructions)
{
    Kernel k(machine(CS_RISCV_V3));
    cs_riscv_perf_event *cycles = k.start(hardware(0)), *instret = k.start(hardware(1));

    EXPECT_EQ(cs_riscv_perf_index(cycles), 0);
    EXPECT_EQ(cs_riscv_perf_index(instret), 2);
    EXPECT_EQ(k.taken(), "START(0,8000000000000001) START(2,8000000000000001)");
    k.run(77);
    EXPECT_EQ(k.read(cycles), 77u);
    EXPECT_EQ(k.read(instret), 77u);
    k.taken();
    cs_riscv_perf_event *sampled = k.start(hardware(1, 100));
    EXPECT_EQ(cs_riscv_perf_index(sampled), 3);
    EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(0))), 4) << "cycle is taken";
    EXPECT_EQ(k.taken(), "EVENT(3,1) START(3,ffffffffffffff9c) EVENT(4) START(4,8000000000000001)");
    k.serve(250);
    EXPECT_EQ(k.samples.size(), 2u);
}

TEST(RiscvPmuV3, WhatSamplesNeedsOneThatOverflows)
{
    Kernel k(machine(CS_RISCV_V3));

    EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(0, 100))), 3);
    EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(1, 100))), 4);
    EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(2))), 5) << "neither cycles nor instructions";
}

TEST(RiscvPmuV3, TriesFreeCountersInRisingOrder)
{
    Kernel k(machine(CS_RISCV_V3));

    k.start(raw(kOne));
    k.taken();
    EXPECT_EQ(k.add(k.open(hardware(6))), -ENOENT);
    EXPECT_EQ(k.taken(), "EVENT(4,6) EVENT(5,6) EVENT(6,6)");
}

TEST(RiscvPmuV3, SoftwareCountersAreCells)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(machine(CS_RISCV_V3, xlen));
        cs_riscv_perf_event *a = k.start(firmware(3)), *b = k.start(firmware(4));

        EXPECT_EQ(k.taken(), xlen == 64
                                 ? "EVENT(7,f0003) ADDR(7,80001038) START(7,8000000000000001)"
                                   " EVENT(8,f0004) ADDR(8,80001040) START(8,8000000000000001)"
                                 : "EVENT(7,f0003) ADDR(7,80001038) START(7,1,80000000)"
                                   " EVENT(8,f0004) ADDR(8,80001040) START(8,1,80000000)");
        k.firmware_event(3, 5);
        k.firmware_event(4, 6);
        EXPECT_EQ(k.read(a), 5u);
        EXPECT_EQ(k.read(b), 6u);
        k.stop(a);
        k.firmware_event(3, 5);
        EXPECT_EQ(k.read(a), 5u);
        EXPECT_EQ(k.load(kPage + 7 * 8), (UINT64_C(1) << 63) + 6);
        EXPECT_EQ(k.add(k.open(firmware(3))), -ENOENT);
        EXPECT_EQ(k.figures().sbi_errors, 0u);
    }
}

TEST(RiscvPmuV3, ACellThatCannotBe)
{
    Machine m = machine(CS_RISCV_V3);
    m.driver.snapshot_address = 0x1000;
    Kernel k(m);
    k.start(firmware(3));
    EXPECT_EQ(k.figures().sbi_errors, 1u);
}

// ---- legacy ----

TEST(RiscvPmuLegacy, CountsFromWhatItReads)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(machine(CS_RISCV_LEGACY, xlen));

        k.csr(0x320, 0); // somebody lets them run
        k.run(1000);
        cs_riscv_perf_event *cycles = k.start(hardware(0)), *instret = k.start(hardware(1)),
                            *again = k.open(hardware(0));
        EXPECT_EQ(cs_riscv_perf_index(cycles), 0);
        EXPECT_EQ(cs_riscv_perf_index(instret), 2);
        k.run(100);
        EXPECT_EQ(k.read(cycles), 100u);
        EXPECT_EQ(k.add(again), 0) << "a counter has any number of events";
        k.run(20);
        k.stop(cycles);
        EXPECT_EQ(cs_riscv_perf_state(cycles), kUpToDate);
        k.run(3);
        EXPECT_EQ(k.read(cycles), 120u);
        EXPECT_EQ(k.read(instret), 123u);
        EXPECT_EQ(k.read(again), 23u);
        k.start(cycles);
        k.run(10);
        k.del(cycles);
        EXPECT_EQ(cs_riscv_perf_state(cycles), kUpToDate);
        EXPECT_EQ(cs_riscv_perf_index(cycles), -1);
        EXPECT_EQ(k.read(cycles), 130u);
        EXPECT_EQ(k.read(again), 33u);
        EXPECT_EQ(k.calls(), 0u);
    }
}

TEST(RiscvPmuLegacy, Accesses)
{
    Kernel k(machine(CS_RISCV_LEGACY));
    cs_riscv_attr attr = hardware(1);

    attr.mmapped = true;
    cs_riscv_perf_event *event = k.start(attr);
    EXPECT_EQ(k.taken(), "C2 scounteren=6");
    k.stop(event);
    EXPECT_EQ(k.taken(), "C2");
    EXPECT_FALSE(k.irq());
    EXPECT_EQ(k.taken(), "sip=0");
    cs_riscv_pmu_dying(k.pmu(), k.hart());
    EXPECT_EQ(k.taken(), "scounteren=0");
}

// ---- a guest's ----

TEST(RiscvPmuGuest, CountsAndSamplesInVs)
{
    for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_V3})
        for (unsigned mode : {CS_HPM_MODE_VU, CS_HPM_MODE_VS}) {
            Machine m = machine(kind);

            m.driver.guest = true;
            m.workload = mode;
            Kernel k(m);
            cs_riscv_perf_event *event = k.start(raw(kOne, 100));
            k.serve(1050);
            EXPECT_EQ(k.read(event), 1050u);
            ASSERT_EQ(k.samples.size(), 10u);
            EXPECT_EQ(k.samples[0].misc,
                      mode == CS_HPM_MODE_VU ? CS_PERF_MISC_USER : CS_PERF_MISC_KERNEL);
        }
}

// Lent counters are nobody's to take.
TEST(RiscvPmuLent, IsNotTaken)
{
    for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_DELEGATED, CS_RISCV_V3}) {
        Kernel k(machine(kind));

        cs_riscv_pmu_lend(k.pmu(), 0x28);
        EXPECT_EQ(cs_riscv_pmu_taken(k.pmu()), 0x28u);
        EXPECT_EQ(cs_riscv_perf_index(k.start(raw(kOne, 100))), 4);
        EXPECT_EQ(cs_riscv_perf_index(k.start(raw(kOne))), 6);
        EXPECT_LT(k.add(k.open(raw(kOne))), 0);
        k.serve(1000);
        EXPECT_EQ(k.samples.size(), 9u);
        cs_riscv_pmu_give_back(k.pmu(), 0x38);
        EXPECT_EQ(cs_riscv_pmu_taken(k.pmu()), 0x50u) << "4 has an event";
        EXPECT_EQ(cs_riscv_perf_index(k.start(raw(kOne))), 3);
    }
}

// SPDX-License-Identifier: Apache-2.0
// docs/drivers/riscv_software.md, "KVM's PMU".
#include "guest_of_kvm.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kRawEvent = CS_SBI_TYPE_RAW_V2 << 16, kFirmwareEvent = CS_SBI_TYPE_FW << 16;
constexpr uint64_t kFirst = CS_SBI_START_SET_INIT_VALUE;

uint64_t info(Guest &g, uint64_t counter)
{
    EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_GET_INFO, {counter}), CS_SBI_SUCCESS) << counter;
    return g.value;
}

} // namespace

// ---- what there is ----

TEST(Kvm, NumbersItsCountersWithoutHoles)
{
    Machine m = host_of_guest();

    m.hpm.counters = 0xa8; // 3, 5, 7
    for (unsigned n = 3; n < 8; n++)
        m.hpm.width[n] = static_cast<uint8_t>(37 + n);
    Guest g(m);
    EXPECT_EQ(g.call(CS_SBI_PMU_NUM_COUNTERS), CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 6u + 22);
    EXPECT_EQ(info(g, 0), 0xc00u | 63u << 12);
    EXPECT_EQ(info(g, 2), 0xc02u | 63u << 12);
    for (uint64_t i : {3, 4, 5})
        EXPECT_EQ(info(g, i), (0xc00 + i) | 39u << 12) << "as wide as the first";
    for (uint64_t i : {6, 27})
        EXPECT_EQ(info(g, i), UINT64_C(1) << 63 | 63u << 12);
    for (uint64_t i : {28, 63})
        EXPECT_EQ(info(g, i), 0u) << "none";
    for (uint64_t i : {1, 64})
        EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_GET_INFO, {i}), CS_SBI_ERR_INVALID_PARAM);
}

TEST(Kvm, AtMost32OfHardware)
{
    Machine m = host_of_guest();

    m.hpm.counters = 0xfffffff8;
    Guest g(m);
    EXPECT_EQ(g.call(CS_SBI_PMU_NUM_COUNTERS), CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 32u + 22);
    EXPECT_EQ(info(g, 31), 0xc1fu | 63u << 12);
    EXPECT_EQ(info(g, 32) >> 63, 1u);
}

TEST(Kvm, WithoutAnMhpmcounterThereIsNone)
{
    Machine m = host_of_guest();

    m.hpm.counters = 0;
    Guest g(m);
    EXPECT_EQ(g.call(CS_SBI_PMU_NUM_COUNTERS), CS_SBI_ERR_NOT_SUPPORTED);
    EXPECT_EQ(g.call(CS_SBI_BASE_PROBE_EXTENSION, {CS_SBI_EID_PMU}, CS_SBI_EID_BASE),
              CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 0u);
}

TEST(Kvm, Base)
{
    Guest g;
    const size_t before = g.k.calls();

    EXPECT_EQ(g.call(CS_SBI_BASE_GET_SPEC_VERSION, {}, CS_SBI_EID_BASE), CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 0x03000000u);
    EXPECT_EQ(g.call(CS_SBI_BASE_PROBE_EXTENSION, {CS_SBI_EID_PMU}, CS_SBI_EID_BASE),
              CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 1u);
    EXPECT_EQ(g.call(CS_SBI_BASE_PROBE_EXTENSION, {CS_SBI_EID_SSE}, CS_SBI_EID_BASE),
              CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 0u);
    EXPECT_EQ(g.call(6, {}, CS_SBI_EID_BASE), CS_SBI_ERR_NOT_SUPPORTED);
    EXPECT_EQ(g.call(0, {}, CS_SBI_EID_SSE), CS_SBI_ERR_NOT_SUPPORTED);
    EXPECT_EQ(g.call(9), CS_SBI_ERR_NOT_SUPPORTED);
    EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_FW_READ_HI, {7}), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(g.k.calls(), before) << "nothing of it reaches the firmware";
}

TEST(Kvm, ExitsCost)
{
    Guest g;
    cs_cycle before = g.k.now();

    g.call(CS_SBI_PMU_NUM_COUNTERS);
    EXPECT_EQ(g.k.now() - before, kExitCycles + kCallCycles);
    const uint64_t counter = g.counts(kOne);
    before = g.k.now();
    g.read(counter);
    EXPECT_EQ(g.k.now() - before, kExitCycles + kCallCycles + 2) << "two CSR accesses";
    before = g.k.now();
    cs_kvm_interrupted(g.kvm(), g.k.hart());
    EXPECT_EQ(g.k.now() - before, kExitCycles);
    EXPECT_EQ(g.figures().calls, 3u);
    EXPECT_EQ(g.figures().reads, 1u);
    EXPECT_EQ(g.figures().interrupts, 1u);
    EXPECT_EQ(g.figures().exits, 5u);
}

// ---- CONFIG_MATCHING ----

TEST(Kvm, WhichCounter)
{
    const struct {
        uint64_t base, mask, event, data, flags;
        int64_t error;
        uint64_t counter;
    } cases[] = {
        {0, 0x7f, 1, 0, 0, CS_SBI_SUCCESS, 0},
        {3, 1, 2, 0, 0, CS_SBI_SUCCESS, 2},    // in the set or not
        {0, 0x7f, 1, 0, 0, CS_SBI_SUCCESS, 0}, // used or not
        {0, 0x7f, kRawEvent, kOne, 0, CS_SBI_SUCCESS, 3},
        {4, 6, kRawEvent, kOne, 0, CS_SBI_SUCCESS, 5},
        {4, 7, kRawEvent, kOne, 0, CS_SBI_SUCCESS, 4},
        {3, 7, kRawEvent, kOne, 0, CS_SBI_ERR_NOT_SUPPORTED, 0},
        {7, UINT32_MAX >> 10, kRawEvent, kOne, 0, CS_SBI_ERR_NOT_SUPPORTED, 0},
        {0, 0x7f, kFirmwareEvent, 0, 0, CS_SBI_ERR_NOT_SUPPORTED, 0},
        {0, 0x1ff, kFirmwareEvent | 21, 0, 0, CS_SBI_SUCCESS, 7},
        {0, 0x1ff, kFirmwareEvent | 21, 0, 0, CS_SBI_SUCCESS, 8},
        {0, 0x1ff, kFirmwareEvent | 22, 0, 0, CS_SBI_ERR_NOT_SUPPORTED, 0},
        {28, 1, kFirmwareEvent, 0, 0, CS_SBI_SUCCESS, 28},
        {29, 1, kFirmwareEvent, 0, 0, CS_SBI_ERR_INVALID_PARAM, 0},
        {28, 3, kFirmwareEvent, 0, 0, CS_SBI_ERR_INVALID_PARAM, 0},
        {0, 0, 1, 0, 0, CS_SBI_ERR_INVALID_PARAM, 0},
        {5, 3, kRawEvent, kFifteen, CS_SBI_CFG_SKIP_MATCH, CS_SBI_SUCCESS, 5},
        {5, 2, kRawEvent, kFifteen, CS_SBI_CFG_SKIP_MATCH, CS_SBI_ERR_FAILED, 0},
        {0, 0x7f, 11, 0, 0, CS_SBI_ERR_NOT_SUPPORTED, 0},
        {0, 0x7f, 0x40000, 0, 0, CS_SBI_ERR_NOT_SUPPORTED, 0},
        {0, 0x7f, kRawEvent, kOne, 0, CS_SBI_SUCCESS, 6},
    };
    Guest g;

    for (const auto &c : cases) {
        SCOPED_TRACE(&c - cases);
        EXPECT_EQ(g.config(c.base, c.mask, c.event, c.data, c.flags), c.error);
        EXPECT_EQ(g.value, c.counter);
    }
}

// What the host's perf opens for an event of SBI.
TEST(Kvm, EventsOfTheHost)
{
    const struct {
        uint64_t event, data, selector;
    } cases[] = {
        {3, 0, 3},
        {10, 0, 10},
        {CS_SBI_TYPE_RAW << 16, 0xffff000000000000 | kFifteen, kFifteen},
        {kRawEvent, 0xff00000000000000 | kFifteen, kFifteen},
    };

    for (const auto &c : cases) {
        Guest g;

        ASSERT_EQ(g.config(3, 1, c.event, c.data), CS_SBI_SUCCESS) << c.event;
        EXPECT_EQ(g.start(3, 1), CS_SBI_SUCCESS);
        EXPECT_EQ(g.k.selector(3) & 0xffffffff, c.selector);
        g.k.run(100);
        EXPECT_EQ(g.read(3), c.selector == kFifteen ? 1500u : 100u);
    }
}

// Of the guest's modes alone; UINH and SINH leave one of them out.
TEST(Kvm, Modes)
{
    for (unsigned mode : {CS_HPM_MODE_VU, CS_HPM_MODE_VS, CS_HPM_MODE_U, CS_HPM_MODE_S}) {
        Guest g(host_of_guest(mode));
        const uint64_t all = g.counts(kOne), kernel = g.counts(kOne, CS_SBI_CFG_SET_UINH),
                       user = g.counts(kOne, CS_SBI_CFG_SET_SINH);

        g.k.run(100);
        EXPECT_EQ(g.read(all), mode == CS_HPM_MODE_VU || mode == CS_HPM_MODE_VS ? 100u : 0u);
        EXPECT_EQ(g.read(kernel), mode == CS_HPM_MODE_VS ? 100u : 0u);
        EXPECT_EQ(g.read(user), mode == CS_HPM_MODE_VU ? 100u : 0u);
    }
}

// ---- START, STOP ----

TEST(Kvm, CountsWhileItRuns)
{
    Guest g;

    EXPECT_EQ(g.start(3, 1), CS_SBI_SUCCESS) << "one without an event is passed over";
    ASSERT_EQ(g.config(3, 1, kRawEvent, kOne), CS_SBI_SUCCESS);
    g.k.run(100);
    EXPECT_EQ(g.read(3), 0u);
    EXPECT_EQ(g.start(3, 1, kFirst, 1000), CS_SBI_SUCCESS);
    EXPECT_EQ(g.start(3, 1, kFirst, 7), CS_SBI_ERR_ALREADY_STARTED);
    ASSERT_EQ(g.start(3, 1), CS_SBI_ERR_ALREADY_STARTED);
    g.k.run(100);
    EXPECT_EQ(g.stop(3, 1), CS_SBI_SUCCESS);
    const uint64_t stood = g.read(3);
    EXPECT_EQ(stood, 107u);
    g.k.run(100);
    EXPECT_EQ(g.stop(3, 1), CS_SBI_ERR_ALREADY_STOPPED);
    EXPECT_EQ(g.read(3), stood);
    EXPECT_EQ(g.start(3, 1), CS_SBI_SUCCESS);
    g.k.run(10);
    EXPECT_EQ(g.read(3), stood + 10) << "it goes on";
    EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_FW_READ, {3}), CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, stood + 10) << "FW_READ does not ask what it is";
    ASSERT_EQ(g.config(3, 1, kRawEvent, kFifteen, CS_SBI_CFG_SKIP_MATCH), CS_SBI_SUCCESS);
    EXPECT_EQ(g.read(3), stood + 10) << "another event of the same value";
    ASSERT_EQ(g.config(3, 1, kRawEvent, kFifteen, CS_SBI_CFG_SKIP_MATCH | CS_SBI_CFG_CLEAR_VALUE),
              CS_SBI_SUCCESS);
    EXPECT_EQ(g.read(3), 0u);
    EXPECT_EQ(g.start(3, 1), CS_SBI_SUCCESS) << "the old one has gone";
    EXPECT_EQ(g.stop(3, 1, CS_SBI_STOP_RESET), CS_SBI_SUCCESS);
    EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_FW_READ, {3}), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(g.stop(3, 1), CS_SBI_SUCCESS) << "passed over";
    EXPECT_EQ(g.config(3, 1, kRawEvent, kOne), CS_SBI_SUCCESS) << "it is free";
}

// KVM carries out a read of a counter that has an event, and nothing else.
TEST(Kvm, OtherReadsTrap)
{
    const struct {
        uint64_t counter;
        bool good;
    } cases[] = {{3, true}, {0, true}, {4, false}, {2, false}, {7, false}, {31, false}};

    for (const auto &c : cases) {
        SCOPED_TRACE(c.counter);
        Guest g;

        ASSERT_EQ(g.config(3, 1, kRawEvent, kOne), CS_SBI_SUCCESS);
        ASSERT_EQ(g.config(0, 1, 1), CS_SBI_SUCCESS);
        g.read(c.counter);
        g.k.traps = !c.good;
        EXPECT_EQ(g.figures().reads, c.good);
    }
    Guest g;
    ASSERT_EQ(g.config(3, 1, kRawEvent, kOne), CS_SBI_SUCCESS);
    cs_hart_run(g.k.hart(), CS_HART_GUEST);
    cs_hart_csr_write(g.k.hart(), 0xc03, 1);
    cs_hart_run(g.k.hart(), CS_HART_KERNEL);
    g.k.traps = true;
    EXPECT_EQ(g.figures().reads, 0u) << "a write";
}

TEST(Kvm, SetsOfSeveral)
{
    Guest g;

    for (unsigned i = 3; i < 7; i++)
        ASSERT_EQ(g.config(i, 1, kRawEvent, i % 2 ? kOne : kFifteen), CS_SBI_SUCCESS);
    EXPECT_EQ(g.start(4, 5, kFirst, 10), CS_SBI_SUCCESS);
    EXPECT_EQ(g.start(3, 3), CS_SBI_ERR_ALREADY_STARTED) << "one of them";
    g.k.run(100);
    EXPECT_EQ(g.stop(4, 1), CS_SBI_SUCCESS);
    EXPECT_EQ(g.stop(3, 0xf), CS_SBI_ERR_ALREADY_STOPPED);
    EXPECT_EQ(g.read(3), 100u);
    EXPECT_EQ(g.read(4), 1510u);
    EXPECT_EQ(g.read(5), 0u);
    EXPECT_EQ(g.read(6), 1510u);
    for (uint64_t base : {29, 64})
        EXPECT_EQ(g.start(base, 1), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(g.stop(29, 1), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(g.start(0, 0), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(g.stop(28, 2), CS_SBI_ERR_INVALID_PARAM);
}

TEST(Kvm, AutoStart)
{
    Guest g;

    ASSERT_EQ(g.config(3, 1, kRawEvent, kOne, CS_SBI_CFG_AUTO_START), CS_SBI_SUCCESS);
    g.k.run(100);
    EXPECT_EQ(g.read(3), 100u);
    ASSERT_EQ(g.config(4, 1, kRawEvent, kOne), CS_SBI_SUCCESS);
    EXPECT_FALSE(g.k.runs(4)) << "without it a counter of the hardware is not even taken";
}

TEST(Kvm, FirmwareCountersNeverCount)
{
    Guest g;

    ASSERT_EQ(g.config(7, 3, kFirmwareEvent | 4), CS_SBI_SUCCESS);
    EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_FW_READ, {7}), CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 0u);
    for (uint64_t i : {1, 8, 29})
        EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_FW_READ, {i}), CS_SBI_ERR_INVALID_PARAM) << i;
    EXPECT_EQ(g.stop(7, 1), CS_SBI_ERR_ALREADY_STOPPED);
    EXPECT_EQ(g.start(7, 1, kFirst, 5), CS_SBI_SUCCESS);
    EXPECT_EQ(g.start(7, 1), CS_SBI_ERR_ALREADY_STARTED);
    EXPECT_EQ(g.call(CS_SBI_PMU_COUNTER_FW_READ, {7}), CS_SBI_SUCCESS);
    EXPECT_EQ(g.value, 5u);
    EXPECT_EQ(g.stop(7, 1), CS_SBI_SUCCESS);
    ASSERT_EQ(g.config(8, 1, kFirmwareEvent | 5, 0, CS_SBI_CFG_AUTO_START), CS_SBI_SUCCESS);
    EXPECT_EQ(g.start(8, 1), CS_SBI_ERR_ALREADY_STARTED);
    EXPECT_EQ(g.start(7, 1), CS_SBI_SUCCESS) << "another event";
    EXPECT_EQ(g.k.calls(), Guest().k.calls());
}

// The hardware has four, and the host takes three of them.
TEST(Kvm, NoCounterIsLeft)
{
    Guest g;

    for (unsigned i = 0; i < 3; i++)
        g.k.start(raw(kOne));
    const uint64_t first = g.counts(kOne);
    EXPECT_EQ(g.figures().without, 0u);
    const uint64_t second = g.counts(kOne);
    EXPECT_EQ(g.figures().without, 1u);
    g.k.run(100);
    EXPECT_EQ(g.read(first), 100u);
    EXPECT_EQ(g.read(second), 0u) << "it stands still, and nobody is told";
    EXPECT_EQ(g.stop(second, 1), CS_SBI_SUCCESS);
    EXPECT_EQ(g.told.size(), 1u);
    EXPECT_EQ(g.stop(first, 1), CS_SBI_SUCCESS);
    EXPECT_EQ(g.start(second, 1), CS_SBI_SUCCESS);
    g.k.run(10);
    EXPECT_EQ(g.read(second), 10u);
    EXPECT_EQ(g.figures().without, 1u);
}

TEST(Kvm, TellsWhatStandsBehindACounter)
{
    Guest g;

    g.k.start(raw(kOne)); // the host's, in counter 3
    g.told.clear();
    const cs_cycle before = g.k.now();
    const uint64_t counter = g.counts(kOne);
    const cs_cycle since = g.k.now();
    g.k.run(100);
    g.stop(counter, 1);
    ASSERT_EQ(g.told.size(), 2u);
    EXPECT_EQ(g.told[0].what, CS_RISCV_VIRTUAL_ON);
    EXPECT_EQ(g.told[1].what, CS_RISCV_VIRTUAL_OFF);
    for (const cs_riscv_virtual &one : g.told) {
        EXPECT_EQ(one.hart, 3u);
        EXPECT_EQ(one.number, 3u);
        EXPECT_EQ(one.counter, 4u);
    }
    EXPECT_GT(g.told[0].cycle, before);
    EXPECT_LT(g.told[0].cycle, since);
    EXPECT_GE(g.told[1].cycle, since + 100);
    EXPECT_LE(g.told[1].cycle, g.k.now());
}

// The published fault.
TEST(Kvm, EachLookAddsAll)
{
    for (bool adds : {false, true}) {
        Guest g(host_of_guest(), adds);
        const uint64_t counter = g.counts(kOne);

        g.k.run(100);
        EXPECT_EQ(g.read(counter), 100u);
        g.k.run(50);
        EXPECT_EQ(g.read(counter), adds ? 250u : 150u);
    }
}

// ---- overflows ----

TEST(Kvm, AnOverflowIsInjected)
{
    for (bool interrupts : {true, false}) {
        Machine m = host_of_guest();
        m.hpm.aia = interrupts;
        Guest g(m, false, interrupts);

        g.set_page();
        ASSERT_EQ(g.config(3, 1, kRawEvent, kOne), CS_SBI_SUCCESS);
        ASSERT_EQ(g.start(3, 1, kFirst, 0 - UINT64_C(50)), CS_SBI_SUCCESS);
        g.k.serve(120);
        EXPECT_EQ(g.figures().injections, interrupts);
        if (interrupts) {
            EXPECT_EQ(g.k.csr(0x645), 1u << 13);
            EXPECT_EQ(g.k.csr(0x608), 1u << 13) << "the guest sees it";
        }
        EXPECT_TRUE(g.k.samples.empty()) << "none of the host's";
        ASSERT_EQ(g.told.size(), 2u);
        EXPECT_EQ(g.told[1].what, CS_RISCV_VIRTUAL_OVERFLOW);
        EXPECT_EQ(g.told[1].number, 3u);
        EXPECT_EQ(g.told[1].counter, 3u);
        EXPECT_EQ(g.read(3), 70u) << "it goes on";

        EXPECT_EQ(g.stop(3, 1, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_SUCCESS);
        EXPECT_EQ(g.marks(), 1u);
        EXPECT_EQ(g.slot(0), 70u);
        EXPECT_EQ(g.start(3, 1), CS_SBI_SUCCESS);
        EXPECT_EQ(g.stop(3, 1, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_SUCCESS);
        EXPECT_EQ(g.marks(), 1u) << "START does not forget the mark";
        EXPECT_EQ(g.stop(3, 1, CS_SBI_STOP_RESET | CS_SBI_STOP_TAKE_SNAPSHOT),
                  CS_SBI_ERR_ALREADY_STOPPED);
        EXPECT_EQ(g.marks(), 0u);
    }
}

// Where the event's first period ends: perf has none of more than 63 bits, and the host's driver goes
// half the counter's way at once.
TEST(Kvm, PeriodsOfTheEvent)
{
    const struct {
        unsigned width;
        uint64_t first, counter;
    } cases[] = {
        {64, 0 - UINT64_C(50), 0 - UINT64_C(50)},
        {64, 0, UINT64_C(1) << 63 | 1},
        {64, 5, UINT64_C(1) << 63 | 1},
        {40, 0, UINT64_C(1) << 39 | 1},
        {40, (UINT64_C(1) << 40) - 50, (UINT64_C(1) << 40) - 50},
        {40, 5, UINT64_C(1) << 39 | 1},
    };

    for (const auto &c : cases) {
        Machine m = host_of_guest();
        for (unsigned n = 3; n < 7; n++)
            m.hpm.width[n] = static_cast<uint8_t>(c.width);
        Guest g(m);

        ASSERT_EQ(g.config(3, 1, kRawEvent, kOne), CS_SBI_SUCCESS);
        ASSERT_EQ(g.start(3, 1, kFirst, c.first), CS_SBI_SUCCESS);
        EXPECT_EQ(g.k.counter(3), c.counter) << c.width << " " << c.first;
    }
}

// ---- the guest's memory ----

TEST(Kvm, Page)
{
    Guest g;
    const uint64_t set = CS_SBI_PMU_SNAPSHOT_SET_SHMEM;

    EXPECT_EQ(g.stop(3, 1, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_ERR_NO_SHMEM);
    EXPECT_EQ(g.start(3, 1, CS_SBI_START_INIT_SNAPSHOT), CS_SBI_ERR_NO_SHMEM);
    EXPECT_EQ(g.call(set, {kGuestPage, 0, 1}), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(g.call(set, {kGuestPage, 1}), CS_SBI_ERR_INVALID_ADDRESS);
    g.k.store(kGuestPage, kOnes);
    g.k.store(kGuestPage + 4088, kOnes);
    g.set_page();
    EXPECT_EQ(g.k.bytes(kGuestPage, 4096), std::vector<uint8_t>(4096)) << "it begins empty";

    for (unsigned i = 3; i < 6; i++)
        g.counts(i % 2 ? kOne : kFifteen);
    g.k.run(100);
    EXPECT_EQ(g.stop(4, 1), CS_SBI_SUCCESS);
    EXPECT_EQ(g.stop(3, 7, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_ERR_ALREADY_STOPPED);
    EXPECT_EQ(g.slot(0), 100u);
    EXPECT_EQ(g.slot(1), 0u) << "an error keeps it out,";
    EXPECT_EQ(g.slot(2), 0u) << "and those behind it";
    EXPECT_EQ(g.marks(), 0u);

    g.k.store(kGuestPage + CS_SBI_SNAPSHOT_VALUES + 8, 5000);
    EXPECT_EQ(g.start(4, 3, CS_SBI_START_INIT_SNAPSHOT), CS_SBI_SUCCESS);
    EXPECT_EQ(g.read(4), 100u) << "slot 0 is that of the set's base";
    EXPECT_EQ(g.read(5), 5000u);
    EXPECT_EQ(g.start(3, 1, CS_SBI_START_INIT_SNAPSHOT | kFirst, 9), CS_SBI_SUCCESS);
    EXPECT_EQ(g.read(3), 9u) << "what is given comes first";

    EXPECT_EQ(g.call(set, {kOnes, kOnes}), CS_SBI_SUCCESS);
    EXPECT_EQ(g.stop(3, 1, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_ERR_NO_SHMEM);
}

TEST(Kvm, APageThatFails)
{
    Guest g;

    g.set_page();
    const uint64_t counter = g.counts(kOne);
    g.k.fault(kGuestPage + 800);
    EXPECT_EQ(g.stop(counter, 1, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_ERR_FAILED);
    EXPECT_EQ(g.start(counter, 1, CS_SBI_START_INIT_SNAPSHOT), CS_SBI_ERR_FAILED);
    EXPECT_EQ(g.start(counter, 1), CS_SBI_SUCCESS) << "it stands";
    EXPECT_EQ(g.call(CS_SBI_PMU_SNAPSHOT_SET_SHMEM, {kGuestPage}), CS_SBI_ERR_INVALID_ADDRESS);
    EXPECT_EQ(g.stop(counter, 1, CS_SBI_STOP_TAKE_SNAPSHOT), CS_SBI_ERR_NO_SHMEM);
}

// More than KVM takes at once.
TEST(Kvm, EventInfo)
{
    constexpr unsigned kEntries = 130;
    Guest g;
    const auto ask = [&](uint64_t address, uint64_t high, uint64_t nr, uint64_t flags = 0) {
        return g.call(CS_SBI_PMU_EVENT_GET_INFO, {address, high, nr, flags});
    };

    for (unsigned i = 0; i < kEntries; i++)
        g.k.store(kGuestPage + 16 * i, i); // type 0: the host has 0..6 and 10
    g.k.store(kGuestPage + 16 * 70, kRawEvent);
    EXPECT_EQ(ask(kGuestPage, 0, kEntries), CS_SBI_SUCCESS);
    for (unsigned i = 0; i < kEntries; i++)
        EXPECT_EQ(g.k.load(kGuestPage + 16 * i + 4, 4), i <= 6 || i == 10 || i == 70) << i;
    EXPECT_EQ(ask(kGuestPage, 0, 0), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(ask(kGuestPage + 8, 0, 1), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(ask(kGuestPage, 0, 1, 1), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(ask(kGuestPage, 0, UINT64_MAX / 16 + 1), CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(ask(kGuestPage, 1, 1), CS_SBI_ERR_INVALID_ADDRESS);
    g.k.fault(kGuestPage + 16 * 64);
    EXPECT_EQ(ask(kGuestPage, 0, 64), CS_SBI_SUCCESS);
    EXPECT_EQ(ask(kGuestPage, 0, 65), CS_SBI_ERR_FAILED) << "it cannot be read";
}

// SPDX-License-Identifier: Apache-2.0
// What firmware is known to do otherwise: each deviation alone, beside what the specification says.
#include "deviation.hpp"

using namespace sbi_deviation;
using namespace cs_test;

// ---- names ----

TEST(SbiDeviationNames, OneABitInTheirOrderThenTheGroups)
{
    std::set<std::string> names;
    cs_sbi_deviation d;
    size_t nr = 0;

    for (; cs_sbi_deviation_at(nr, &d); nr++) {
        uint64_t mask = 0;

        if (nr < CS_SBI_NR_DEVIATIONS) {
            EXPECT_EQ(d.mask, UINT64_C(1) << nr) << d.name;
        }
        EXPECT_TRUE(names.insert(d.name).second) << d.name;
        EXPECT_STRNE(d.text, "");
        EXPECT_TRUE(cs_sbi_deviation_named(d.name, &mask));
        EXPECT_EQ(mask, d.mask);
    }
    EXPECT_EQ(nr, CS_SBI_NR_DEVIATIONS + CS_SBI_NR_GROUPS);
    EXPECT_FALSE(cs_sbi_deviation_at(SIZE_MAX, &d));
    uint64_t mask = 77;
    EXPECT_FALSE(cs_sbi_deviation_named("OPENSBI_1_9", &mask));
    EXPECT_FALSE(cs_sbi_deviation_named("", &mask));
    EXPECT_EQ(mask, 77u);
    EXPECT_TRUE(cs_sbi_deviation_named("opensbi_1_6", &mask));
    EXPECT_EQ(mask, cs_sbi_group_mask(CS_SBI_OPENSBI_1_6));
}

TEST(SbiDeviationNames, EarlierNamesAreTold)
{
    uint64_t mask = 0;

    for (const char *name : {"opensbi", "opensbi_old"}) {
        EXPECT_FALSE(cs_sbi_deviation_named(name, &mask)) << name;
        EXPECT_NE(cs_sbi_deviation_renamed(name), nullptr) << name;
    }
    EXPECT_EQ(cs_sbi_deviation_renamed("kvm"), nullptr);
}

// What stood between two releases only is in none.
TEST(SbiDeviationNames, Groups)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < CS_SBI_NR_GROUPS; i++)
        all |= cs_sbi_group_mask(static_cast<cs_sbi_group>(i));
    EXPECT_EQ(~all & UINT64_MAX >> (64 - CS_SBI_NR_DEVIATIONS),
              CS_SBI_DEV_HOLES_HAVE_INFO | CS_SBI_DEV_FILTERS_LOST);
    EXPECT_EQ(cs_sbi_group_version(CS_SBI_OPENSBI_1_1), 0x01000000u);
    EXPECT_EQ(cs_sbi_group_version(CS_SBI_OPENSBI_1_6), 0x02000000u);
    EXPECT_EQ(cs_sbi_group_version(CS_SBI_OPENSBI_1_9), 0x03000000u);
}

// ---- OpenSBI ----

TEST_F(SbiDeviation, FixedRunning)
{
    both(CS_SBI_DEV_FIXED_RUNNING, [](Machine &m, bool on) {
        EXPECT_EQ(m.inhibit(), on ? 0x58u : 0x5du);
        EXPECT_EQ(m.start(0, 1), on ? kAlreadyStarted : kSuccess);
        EXPECT_EQ(m.start(2, 1), on ? kAlreadyStarted : kSuccess);
        EXPECT_EQ(m.start(3, 1), kSuccess);
    });
}

TEST_F(SbiDeviation, BootWrites)
{
    both(CS_SBI_DEV_BOOT_WRITES, [](Machine &m, bool on) {
        EXPECT_EQ(m.csr(0x106), on ? 2u : 0u);
        for (unsigned n : {3, 4, 6})
            EXPECT_EQ(m.selector(n), on ? kOf | kOf >> 1 : 0u);
        EXPECT_EQ(m.csr(0x321), 0u);
        EXPECT_EQ(m.counter(3), on ? kOnes : 0u);
        EXPECT_EQ(m.counter(4), 0u);
    });
    both(CS_SBI_DEV_SCOUNTEREN_OPEN,
         [](Machine &m, bool on) { EXPECT_EQ(m.csr(0x106), on ? 7u : 0u); });
}

TEST(SbiDeviationBoot, UniformWidth)
{
    const struct {
        uint32_t counters;
        uint64_t deviations;
        std::vector<uint64_t> widths; // of 3.., 0: not there
    } rows[] = {
        {0x38, 0, {40, 48, 56}},
        {0x38, CS_SBI_DEV_UNIFORM_WIDTH, {40, 40, 40}},
        {0x30, 0, {0, 48, 56}},
        {0x30, CS_SBI_DEV_UNIFORM_WIDTH, {0, 1, 1}}, // of one that is not there
        {0x30, CS_SBI_DEV_FIRST_WIDTH, {0, 48, 48}},
        {0x38, CS_SBI_DEV_FIRST_WIDTH, {40, 40, 40}},
        {0x28, 0, {40, 0, 56}},
        {0x28, CS_SBI_DEV_CONTIGUOUS_ONLY, {40}},
        {0x30, CS_SBI_DEV_CONTIGUOUS_ONLY, {}},
        {0, CS_SBI_DEV_FIRST_WIDTH, {}},
        {0, CS_SBI_DEV_UNIFORM_WIDTH, {}},
    };

    for (const auto &row : rows) {
        Options o = small(row.counters, 64, row.deviations);
        o.hpm.width[3] = 40;
        o.hpm.width[4] = 48;
        o.hpm.width[5] = 56;
        o.fw.firmware_counters = 0;
        Machine m(o);

        for (unsigned i = 0; i < row.widths.size(); i++) {
            EXPECT_EQ(m.call(kGetInfo, {3 + i}), row.widths[i] != 0 ? kSuccess : kInvalidParam);
            if (row.widths[i] != 0) {
                EXPECT_EQ((m.value >> 12) + 1, row.widths[i]);
            }
        }
        EXPECT_EQ(m.call(kGetInfo, {2}), kSuccess);
        EXPECT_EQ(m.value >> 12, 63u);
        EXPECT_EQ(m.call(kNumCounters), kSuccess);
        EXPECT_EQ(m.value, 3 + row.widths.size());
    }
}

TEST_F(SbiDeviation, UnknownEventInvalid)
{
    both(CS_SBI_DEV_UNKNOWN_EVENT_INVALID, [](Machine &m, bool on) {
        const int64_t expected = on ? kInvalidParam : kNotSupported;

        EXPECT_EQ(m.config(3, 1, 0, 11), expected);
        EXPECT_EQ(m.config(3, 1, kSkip, 0x40000), expected);
        EXPECT_EQ(m.config(3, 1, 0, 1, 5), expected);
        EXPECT_EQ(m.config(7, 1, 0, kFw + 256), expected);
        EXPECT_EQ(m.config(3, 1, 0, 7), kNotSupported); // an event, but nobody has it
    });
}

TEST_F(SbiDeviation, SkipNeedsEvent)
{
    both(CS_SBI_DEV_SKIP_NEEDS_EVENT, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, kSkip | kAuto, 3), on ? kInvalidParam : kSuccess);
        EXPECT_EQ(m.config(7, 1, kSkip, kFw), on ? kInvalidParam : kSuccess);
        EXPECT_EQ(m.config(4, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.config(4, 1, kSkip | kClear | kAuto, 5), kSuccess);
        EXPECT_EQ(m.value, 4u);
        EXPECT_EQ(m.selector(4), on ? 3u : 5u); // E and event stay
        EXPECT_TRUE(m.runs(4));
        EXPECT_EQ(m.config(8, 1, 0, kFw + 1), kSuccess);
        EXPECT_EQ(m.config(8, 1, kSkip | kAuto, kFw + 2), kSuccess);
        m.event(1, 10);
        m.event(2, 20);
        EXPECT_EQ(m.fw_read(8), on ? 10u : 20u);
    });
}

TEST_F(SbiDeviation, MinhImplied)
{
    both(CS_SBI_DEV_MINH_IMPLIED, [](Machine &m, bool on) {
        const uint64_t minh = on ? UINT64_C(1) << 62 : 0;

        EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.selector(3), minh | 3);
        EXPECT_EQ(m.config(3, 1, kSkip | kUinh, 3), kSuccess);
        EXPECT_EQ(m.selector(3), minh | UINT64_C(1) << 60 | 3);
        EXPECT_EQ(m.config(0, 1, 0, 1), kSuccess);
        EXPECT_EQ(m.csr(0x321), minh);
    });
    // mcycle cannot follow it without cf.
    Machine m(without_cf(few(CS_SBI_DEV_MINH_IMPLIED)));
    EXPECT_EQ(m.config(0, 1, 0, 1), kNotSupported);
}

TEST_F(SbiDeviation, MappedTaken)
{
    both(CS_SBI_DEV_MAPPED_TAKEN, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.config(3, 3, 0, 3), kSuccess);
        EXPECT_EQ(m.value, on ? 4u : 3u);
        EXPECT_EQ(m.config(3, 1, 0, 3), on ? kNotSupported : kSuccess);
        EXPECT_EQ(m.stop(3, 1, kReset), kAlreadyStopped);
        EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.start(6, 1), kSuccess); // runs without an event
        EXPECT_EQ(m.config(6, 1, 0, 3), kNotSupported);
        EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.config(7, 1, 0, kFw), on ? kNotSupported : kSuccess);
        EXPECT_EQ(m.stop(7, 1, kReset), kAlreadyStopped);
        EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
    });
}

TEST_F(SbiDeviation, OfPreset)
{
    both(CS_SBI_DEV_OF_PRESET, [](Machine &m, bool on) {
        const uint64_t uinh = UINT64_C(1) << 60, of = on ? kOf : 0;

        EXPECT_EQ(m.config(3, 1, kUinh, 3), kSuccess);
        EXPECT_EQ(m.selector(3), of | uinh | 3);
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.log, "I E3=1000000000000003 I=55");
        EXPECT_EQ(m.selector(3), uinh | 3);
        EXPECT_EQ(m.start(3, 1), kAlreadyStarted);
        EXPECT_EQ(m.selector(3), uinh | 3);
        EXPECT_EQ(m.config(4, 1, kAuto, 3), kSuccess);
        EXPECT_EQ(m.selector(4), 3u);
        EXPECT_EQ(m.start(0, 1), kSuccess); // nothing to write there
        EXPECT_EQ(m.log, "I I=44");
    });
    Machine m(without_of(few(CS_SBI_DEV_OF_PRESET)));
    EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
    EXPECT_EQ(m.log, "I E3=3");
    EXPECT_EQ(m.start(3, 1), kSuccess);
    EXPECT_EQ(m.log, "I I=55");
}

TEST_F(SbiDeviation, StartRewrites)
{
    both(CS_SBI_DEV_START_REWRITES, [](Machine &m, bool on) {
        const uint64_t uinh = UINT64_C(1) << 60;

        EXPECT_EQ(m.config(3, 1, kUinh, 3), kSuccess);
        EXPECT_EQ(m.selector(3), uinh | 3);
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.log, on ? "E3=9000000000000003 I E3=1000000000000003 I=55"
                            : "I E3=1000000000000003 I=55");
        EXPECT_EQ(m.start(3, 1), kAlreadyStarted); // and stays without interrupt
        EXPECT_EQ(m.selector(3), (on ? kOf : 0) | uinh | 3);
        EXPECT_EQ(m.start(0, 1), kSuccess); // nothing to write there
        EXPECT_EQ(m.log, "I I=54");
    });
    Machine m(without_of(few(CS_SBI_DEV_START_REWRITES)));
    EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
    EXPECT_EQ(m.start(3, 1), kSuccess);
    EXPECT_EQ(m.log, "I I=55");
}

TEST_F(SbiDeviation, OfWaits)
{
    both(CS_SBI_DEV_OF_WAITS, [](Machine &m, bool on) {
        overflow(m, 3);
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.log, on ? "I mip E3=0 I=55" : "I E3=0 I=55");
        EXPECT_EQ(m.stop(3, 1), kSuccess);
        overflow(m, 3);
        m.csr(0x344, kLcofi);
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.log, on ? "I mip I=55" : "I E3=0 I=55");
        EXPECT_EQ(m.selector(3), on ? kOf : 0);
        EXPECT_EQ(m.config(4, 1, kAuto, 3), kSuccess);
        EXPECT_EQ(m.log, on ? "I E4=3 mip I=45" : "I E4=3 E4=3 I=45");
        EXPECT_EQ(m.start(0, 1), kSuccess);
        EXPECT_EQ(m.log, "I I=44");
    });
}

TEST_F(SbiDeviation, UnconfiguredSkipped)
{
    both(CS_SBI_DEV_UNCONFIGURED_SKIPPED, [](Machine &m, bool on) {
        m.set_page();
        EXPECT_EQ(m.config(4, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.config(8, 1, 0, kFw), kSuccess);
        // Holes, 1, and 3, 6, 7, which have no event.
        EXPECT_EQ(m.start(0, 0x1ff), on ? kSuccess : kInvalidParam);
        if (on) {
            EXPECT_EQ(m.log, "I E4=3 I=4d");
        }
        EXPECT_EQ(m.start(3, 1), kSuccess); // passed over: nothing is done
        EXPECT_EQ(m.runs(3), !on);
        EXPECT_EQ(m.stop(6, 1), on ? kSuccess : kAlreadyStopped);
        EXPECT_EQ(m.log, on ? "" : (std::string("I=") + "55"));
        m.set_slot(1, 0x77);
        EXPECT_EQ(m.stop(3, 3, kTake), on ? kSuccess : kAlreadyStopped);
        EXPECT_EQ(m.log, on ? "I=5d scountovf C4" : "I=5d scountovf C3 C4");
        EXPECT_EQ(m.call(kFwRead, {8}), kSuccess);
        // Nor is what was passed over reset.
        EXPECT_EQ(m.stop(3, 0xb, kReset), kAlreadyStopped);
        EXPECT_EQ(m.log, on ? "I=5d E4=0" : "I=5d E3=0 E4=0 E6=0");
        EXPECT_EQ(m.config(4, 1, 0, 3), kSuccess);
        // What is beyond the last is refused all the same, and so is the empty set.
        EXPECT_EQ(m.start(8, 3), kInvalidParam);
        EXPECT_EQ(m.stop(8, 3), kInvalidParam);
        EXPECT_EQ(m.start(8, 0), kInvalidParam);
        // SKIP_MATCH of a hole.
        EXPECT_EQ(m.config(5, 3, kSkip, 3), kInvalidParam);
        EXPECT_EQ(m.config(0, 2, kSkip, 3), kInvalidParam);
        // Choosing passes over holes, too.
        EXPECT_EQ(m.config(4, 7, 0, 3), on ? kSuccess : kInvalidParam);
    });
}

TEST_F(SbiDeviation, LastResult)
{
    both(CS_SBI_DEV_LAST_RESULT, [](Machine &m, bool on) {
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.start(3, 3), on ? kSuccess : kAlreadyStarted); // 3 runs, 4 does not
        EXPECT_EQ(m.start(2, 3), kAlreadyStarted);                 // 2 does not, 3 runs
        EXPECT_EQ(m.stop(2, 1), kSuccess);
        EXPECT_EQ(m.stop(2, 3), on ? kSuccess : kAlreadyStopped);
        EXPECT_EQ(m.stop(4, 5), kAlreadyStopped);
        EXPECT_EQ(m.start(7, 1), kSuccess);
        EXPECT_EQ(m.start(7, 3), on ? kSuccess : kAlreadyStarted);
    });
    // All were passed over.
    Machine m(few(CS_SBI_DEV_LAST_RESULT | CS_SBI_DEV_UNCONFIGURED_SKIPPED));
    EXPECT_EQ(m.start(3, 3), kInvalidParam);
    EXPECT_EQ(m.stop(3, 3), kInvalidParam);
    EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
    EXPECT_EQ(m.start(3, 3), kSuccess);
    EXPECT_EQ(m.stop(3, 3), kSuccess);
}

TEST_F(SbiDeviation, OneByOne)
{
    both(CS_SBI_DEV_ONE_BY_ONE, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, kAuto, 3), kSuccess);
        EXPECT_EQ(m.log, on ? "I E3=3 I E3=3 I=55" : "I E3=3 E3=3 I=55");
        EXPECT_EQ(m.inhibit(), 0x55u);
        EXPECT_EQ(m.start(3, 0xb, kInitValue, 7), kAlreadyStarted);
        EXPECT_EQ(m.log, on ? "I I E4=0 C4=7 I=45 I E6=0 C6=7 I=5" : "I E4=0 C4=7 E6=0 C6=7 I=5");
        EXPECT_EQ(m.stop(3, 1), kSuccess);
        EXPECT_EQ(m.stop(3, 0xb), kAlreadyStopped);
        EXPECT_EQ(m.log, on ? "I I I=1d I I=5d" : "I=5d");
        EXPECT_EQ(m.inhibit(), 0x5du);
        m.set_page();
        EXPECT_EQ(m.start(3, 3), kSuccess);
        EXPECT_EQ(m.stop(3, 3, kTake | kReset), kSuccess);
        EXPECT_EQ(m.log, on ? "I I=4d I I=5d scountovf C3 C4 E3=0 E4=0"
                            : "I=5d scountovf C3 C4 E3=0 E4=0");
    });
}

TEST_F(SbiDeviation, ReservedUnchecked)
{
    both(CS_SBI_DEV_RESERVED_UNCHECKED, [](Machine &m, bool on) {
        const int64_t flags = on ? kSuccess : kInvalidParam, data = on ? kSuccess : kNotSupported;

        EXPECT_EQ(m.config(3, 1, 0x100 | kUinh, 3), flags);
        EXPECT_EQ(m.config(3, 1, kOf, 3), flags);
        EXPECT_EQ(m.start(3, 1, 0x10), flags);
        EXPECT_EQ(m.stop(3, 1, 0x10), flags);
        EXPECT_EQ(m.config(4, 1, kUinh, 3, 99), data);
        EXPECT_EQ(m.config(7, 1, kAuto, kFw + 2, 99), data);
        m.event(2, 5);
        EXPECT_EQ(m.call(kFwRead, {7}), on ? kSuccess : kInvalidParam);
        EXPECT_EQ(m.value, on ? 5u : 0u);
        EXPECT_EQ(m.config(6, 1, kSkip, kRaw, kOnes), data);
        EXPECT_EQ(m.selector(6), on ? 0xffffu : 0u);     // 48 bits, of which hardware keeps 16
        EXPECT_EQ(m.config(3, 1, 0, 11), kNotSupported); // what is no event stays none
        // Both flags of START: the value given.
        m.set_page();
        m.set_slot(0, 0x1000);
        EXPECT_EQ(m.start(6, 1, kInitValue | kInitSnapshot, 0x2000), flags);
        if (on) {
            EXPECT_EQ(m.log, "I E6=ffff C6=2000 I=1d");
        }
    });
}

TEST_F(SbiDeviation, NoSnapshot)
{
    both(CS_SBI_DEV_NO_SNAPSHOT, [](Machine &m, bool on) {
        EXPECT_EQ(m.call(kSetShmem, {kMemory}), on ? kNotSupported : kSuccess);
        EXPECT_EQ(m.call(kSetShmem, {kOnes, kOnes}), on ? kNotSupported : kSuccess);
        EXPECT_EQ(m.call(kSetShmem, {kMemory, 0, 9}), on ? kNotSupported : kInvalidParam);
        EXPECT_EQ(m.start(3, 1, kInitSnapshot), kNoShmem);
        EXPECT_EQ(m.stop(3, 1, kTake), kNoShmem);
    });
}

TEST_F(SbiDeviation, FixedKeepEvent)
{
    both(CS_SBI_DEV_FIXED_KEEP_EVENT, [](Machine &m, bool on) {
        for (unsigned n : {0, 2}) {
            EXPECT_EQ(m.config(n, 1, kAuto | kUinh, n == 0 ? 1 : 2), kSuccess);
            EXPECT_EQ(m.stop(n, 1, kReset), kSuccess);
            EXPECT_EQ(m.csr(n == 0 ? 0x321 : 0x322), on ? UINT64_C(1) << 60 : 0);
        }
        EXPECT_EQ(m.config(3, 1, kAuto | kUinh, 3), kSuccess);
        EXPECT_EQ(m.stop(3, 1, kReset), kSuccess);
        EXPECT_EQ(m.selector(3), 0u);
    });
    // They have an event from boot on.
    Machine m(few(CS_SBI_DEV_FIXED_HAVE_EVENT | CS_SBI_DEV_UNCONFIGURED_SKIPPED |
                  CS_SBI_DEV_SKIP_NEEDS_EVENT));
    EXPECT_EQ(m.start(0, 0xf), kSuccess);
    EXPECT_EQ(m.log, "I I=58");
    EXPECT_EQ(m.config(0, 1, kSkip, 1), kSuccess);
    EXPECT_EQ(m.config(2, 1, kSkip, 2), kSuccess);
    EXPECT_EQ(m.config(3, 1, kSkip, 2), kInvalidParam);
    EXPECT_EQ(m.stop(0, 7), kSuccess);
    EXPECT_EQ(m.log, "I=5d");
    EXPECT_EQ(m.stop(0, 7, kReset), kAlreadyStopped); // and lose it, where it is not kept
    EXPECT_EQ(m.start(0, 7), kSuccess);
    EXPECT_EQ(m.log, "");
}

TEST_F(SbiDeviation, FixedFromOutside)
{
    both(CS_SBI_DEV_FIXED_FROM_OUTSIDE, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 3, 0, 1), kSuccess);
        EXPECT_EQ(m.value, 3u);
        EXPECT_EQ(m.start(3, 3), kSuccess);
        EXPECT_EQ(m.config(3, 3, 0, 1), on ? kSuccess : kNotSupported);
        EXPECT_EQ(m.value, 0u);
        EXPECT_EQ(m.config(3, 3, 0, 2), on ? kSuccess : kNotSupported);
        EXPECT_EQ(m.value, on ? 2u : 0u);
        EXPECT_EQ(m.config(3, 3, 0, 3), kNotSupported);
        EXPECT_EQ(m.start(0, 1), kSuccess);
        EXPECT_EQ(m.config(0, 1, 0, 1), on ? kSuccess : kNotSupported);
    });
    Machine m(without_of(few(CS_SBI_DEV_FIXED_FROM_OUTSIDE)));
    EXPECT_EQ(m.config(3, 3, 0, 2), kSuccess);
    EXPECT_EQ(m.value, 2u);
}

TEST_F(SbiDeviation, FwFirstOnly)
{
    both(CS_SBI_DEV_FW_FIRST_ONLY, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
        EXPECT_EQ(m.config(8, 1, kAuto, kFw), kSuccess);
        m.event(0, 3);
        EXPECT_EQ(m.fw_read(7), 3u);
        EXPECT_EQ(m.fw_read(8), on ? 0u : 3u);
        EXPECT_EQ(m.stop(7, 1), kSuccess);
        m.event(0, 4); // the first that runs
        EXPECT_EQ(m.fw_read(7), 3u);
        EXPECT_EQ(m.fw_read(8), on ? 4u : 7u);
    });
}

TEST_F(SbiDeviation, FwResetEvent)
{
    both(CS_SBI_DEV_FW_RESET_EVENT, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
        EXPECT_EQ(m.stop(7, 1), kSuccess);
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.stop(7, 1, kReset), kAlreadyStopped);
        EXPECT_EQ(m.log, on ? "E7=0" : "");
    });
    Machine m(options(64, CS_SBI_DEV_FW_RESET_EVENT));
    EXPECT_EQ(m.stop(32, 1, kReset), kAlreadyStopped);
    EXPECT_EQ(m.log, "");
}

TEST_F(SbiDeviation, InfoByTable)
{
    both(CS_SBI_DEV_INFO_BY_TABLE, [](Machine &m, bool on) {
        const struct {
            uint64_t event, standard, table; // 2: an error
        } rows[] = {{1, 1, 1},   {7, 0, 0},  {0x10000, 1, 1}, {0x20000, 0, 1},
                    {kFw, 1, 0}, {11, 0, 0}, {0x40000, 0, 0}, {0x100001, 2, 0}};

        m.store(kMemory + 8, kOnes); // nobody's raw event
        for (const auto &row : rows) {
            const uint64_t expected = on ? row.table : row.standard;

            m.store(kMemory, UINT64_C(9) << 32 | row.event);
            EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 1, 0}),
                      expected == 2 ? kInvalidParam : kSuccess);
            EXPECT_EQ(m.load(kMemory) >> 32, expected == 2 ? 9 : expected) << row.event;
        }
    });
}

// Cycles and instructions have mcycle and minstret, but that is no row.
TEST(SbiDeviationMap, InfoByTableWithoutRows)
{
    for (uint64_t deviations : {UINT64_C(0), CS_SBI_DEV_INFO_BY_TABLE}) {
        cs_riscv_pmu_map map = {};
        Options o = few(deviations);

        o.fw.map = &map;
        Machine m(o);
        for (uint64_t event : {UINT64_C(1), UINT64_C(2), kRaw}) {
            m.store(kMemory, event);
            EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 1, 0}), kSuccess);
            EXPECT_EQ(m.load(kMemory) >> 32, deviations == 0 && event != kRaw) << event;
        }
    }
}

// Of a map without ranges the rows of raw events say which there are.
TEST(SbiDeviationMap, InfoByTableOfRawRows)
{
    cs_riscv_pmu_map map = {};
    Options o = few(CS_SBI_DEV_INFO_BY_TABLE);

    map.nr_raws = 1;
    map.raws[0].mask = 0xff;
    map.raws[0].match = 0x40;
    map.raws[0].counters = 0x18;
    o.fw.map = &map;
    Machine m(o);
    for (uint64_t data : {UINT64_C(0x40), UINT64_C(0x41), UINT64_C(0x140)}) {
        m.store(kMemory, kRaw);
        m.store(kMemory + 8, data);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 1, 0}), kSuccess);
        EXPECT_EQ(m.load(kMemory) >> 32, data != 0x41) << data;
    }
}

TEST_F(SbiDeviation, InfoSome)
{
    both(CS_SBI_DEV_INFO_SOME, [](Machine &m, bool on) {
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 0, 0}), on ? kInvalidParam : kSuccess);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 1, 0}), kSuccess);
    });
}

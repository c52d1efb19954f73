// SPDX-License-Identifier: Apache-2.0
// perf record of trace_imc: how the driver reads a thread's buffer, and what it makes of it. The
// records are the test's, so that every state of a buffer can be had.
#include "imc_session.hpp"
#include "support/temp_folder.hpp"

using namespace cs_power_test;

namespace
{

constexpr unsigned kRecords = 4096;
constexpr cs_cycle kAccess = kBusCycles + 1;

// One dump, at 30 us.
const std::string kRecord1 = "{pmu: trace, cpus: [0], events: [trace_cycles], sample_period: 1, "
                             "start_us: 20, stop_us: 30}";
// Dumps at 30, 40 and 50 us.
const std::string kRecord3 = "{pmu: trace, cpus: [0], events: [trace_cycles], sample_period: 1, "
                             "start_us: 20, stop_us: 50, interval_us: 10}";

std::vector<uint64_t> range(uint64_t first, size_t n)
{
    std::vector<uint64_t> list;
    for (size_t i = 0; i < n; i++)
        list.push_back(first + i);
    return list;
}

// ---- what the driver does ----

TEST(ImcDump, ARecordSessionAccessByAccess)
{
    ImcSession s(kRecord3);
    const cs_imc_driver_report &r = s.run();

    const Log start = {"LDBAR0=4000000081040000", "HTM0=e800000000000000"};
    // stopped before the driver looks; LDBAR is written anew, which sets the hardware to record 0
    const Log interval = {"HTM0=e000000000000000", "read 81040000+128", "write 81040000=0",
                          "LDBAR0=4000000081040000", "HTM0=e800000000000000"};
    const Log end = {"HTM0=e000000000000000", "read 81040000+128", "write 81040000=0"};
    EXPECT_EQ(s.log(20 * kUs, 30 * kUs), start);
    EXPECT_EQ(s.log(30 * kUs, 40 * kUs), interval);
    EXPECT_EQ(s.log(40 * kUs, 50 * kUs), interval);
    EXPECT_EQ(s.log(50 * kUs), end); // LDBAR stays
    EXPECT_EQ(s.log_of("LDBAR0").size(), 1u + 3u);
    EXPECT_EQ(r.dumps, 3u);
    EXPECT_EQ(r.opal_calls, 4u + 6u);
    EXPECT_EQ(r.samples, 0u);
    EXPECT_EQ(s.outside, 0u);
    for (size_t i = 1; i < s.stays.size(); i++)
        EXPECT_EQ(s.stays[i].cpu, 0u);
}

// perf's core stops an event with a frequency at every tick. The driver dumps, and the hardware
// goes on where it was: nobody writes LDBAR.
TEST(ImcDump, WithAFrequencyTicksDump)
{
    std::string text = ImcSession::yaml("{pmu: trace, cpus: [0], events: [trace_cycles], freq: "
                                        "4000, start_us: 20, stop_us: 350}");
    text.insert(text.find("  perf:"), "  tick_us: 100\n");
    ImcSession s(ImcSession::Raw{text, CS_SOURCE_DIR "/configs/imc"});
    s.put_records(kTrace0, 0, 2, 1000);
    const cs_imc_driver_report &r = s.run();

    EXPECT_EQ(s.log(100 * kUs, 200 * kUs),
              (Log{"read 81040000+128", "read 81040080+128", "write 81040000=0"}));
    EXPECT_EQ(s.log(200 * kUs, 300 * kUs), (Log{"read 81040000+128", "write 81040000=0"}));
    EXPECT_EQ(s.log(350 * kUs),
              (Log{"HTM0=e000000000000000", "read 81040000+128", "write 81040000=0"}));
    EXPECT_EQ(s.log_of("LDBAR0").size(), 1u + 1u);
    EXPECT_EQ(r.dumps, 4u);
    EXPECT_EQ(r.ticks, 3u);
    ASSERT_EQ(s.samples.size(), 2u);
    EXPECT_EQ(s.samples[0].period, 1u); // that of a new event: nothing adapts it
}

TEST(ImcDump, AFrequencyIsASamplePeriodForTheRules)
{
    ImcSession s("{pmu: core, cpus: [0], events: [CPM_INST], freq: 4000, start_us: 20, "
                 "stop_us: 40}");
    s.run();

    ASSERT_EQ(s.opened.size(), 1u);
    EXPECT_EQ(s.opened[0], "0 EINVAL: counts only, cannot sample");
}

TEST(ImcDump, ABufferIsReadTwoRecordsAtATimeUntilOneIsBad)
{
    // The last read of an even number finds nothing; the scan looks at the first bad record too.
    for (unsigned n = 0; n <= 5; n++) {
        SCOPED_TRACE(n);
        ImcSession s(kRecord1);
        s.put_records(kTrace0, 0, n, 1000);
        const cs_imc_driver_report &r = s.run();

        Log reads;
        for (unsigned i = 0; i <= n / 2; i++)
            reads.push_back("read " + hex(kTrace0 + 128 * i) + "+128");
        EXPECT_EQ(s.log_of("read"), reads);
        EXPECT_EQ(s.timebases(), range(1000, n));
        EXPECT_EQ(r.scanned, n + 1);
        EXPECT_EQ(r.samples, n);
        EXPECT_EQ(r.dump_cycles, (n / 2 + 1) * kAccess + n * kRecord + kAccess);
    }
}

TEST(ImcDump, OnlyTheFirstWordIsCleared)
{
    ImcSession s(kRecord1);
    s.put_records(kTrace0, 0, 3, 1000);
    for (unsigned word = 3; word < 7; word++)
        s.put(kTrace0 + 8 * word, 0x1111 * word);
    s.run();

    EXPECT_EQ(s.get(kTrace0), 0u);
    EXPECT_EQ(s.get(kTrace0 + 8), 0x1000u);
    for (unsigned word = 3; word < 7; word++)
        EXPECT_EQ(s.get(kTrace0 + 8 * word), 0x1111u * word);
    EXPECT_EQ(s.get(kTrace0 + 56), 1000u);
    EXPECT_EQ(s.get(kTrace0 + 64), 1001u);
    EXPECT_EQ(s.get(kTrace0 + 128), 1002u);
}

// ---- which records are delivered ----

// (a) After a wrap: those up to where the hardware writes. The older ones behind are lost.
TEST(ImcDump, AfterAWrapTheTailIsLost)
{
    for (unsigned pointer : {1u, 2u, 10u, 4095u}) {
        SCOPED_TRACE(pointer);
        ImcSession s(kRecord1);
        s.put_records(kTrace0, pointer, kRecords, 1000 + pointer);
        s.put_records(kTrace0, 0, pointer, 1000 + kRecords);
        const cs_imc_driver_report &r = s.run();
        EXPECT_EQ(s.timebases(), range(1000 + kRecords, pointer));
        EXPECT_EQ(r.scanned, pointer + 1);
    }
}

TEST(ImcDump, AFullBufferThatHasJustWrappedIsWhole)
{
    ImcSession s(kRecord1);
    s.put_records(kTrace0, 0, kRecords, 1000);
    const cs_imc_driver_report &r = s.run();
    EXPECT_EQ(s.timebases(), range(1000, kRecords));
    EXPECT_EQ(r.scanned, kRecords);
    EXPECT_EQ(s.log_of("read").size(), kRecords / 2);
}

// (b) The first timebase is zero after a dump. Hardware that were not set to record 0 again would
// go on behind it: nothing is delivered until it has wrapped.
TEST(ImcDump, WithoutAResetADumpHidesWhatFollows)
{
    ImcSession s(kRecord3);
    s.at(25 * kUs, [&] { s.put_records(kTrace0, 0, 4, 1000); });
    s.at(35 * kUs, [&] { s.put_records(kTrace0, 4, 8, 1004); });
    s.at(45 * kUs, [&] {
        s.put_records(kTrace0, 8, kRecords, 1008);
        s.put_records(kTrace0, 0, 3, 1000 + kRecords);
    });
    const cs_imc_driver_report &r = s.run();

    std::vector<uint64_t> expected = range(1000, 4);
    for (uint64_t tb : range(1000 + kRecords, 3))
        expected.push_back(tb);
    EXPECT_EQ(s.timebases(), expected);
    EXPECT_EQ(r.dumps, 3u);
    EXPECT_EQ(r.scanned, 5u + 1u + 4u);
}

// The same with hardware that hears the LDBAR: it begins at record 0 after each dump.
TEST(ImcDump, WithTheResetEveryDumpDeliversItsOwn)
{
    ImcSession s(kRecord3);
    s.at(25 * kUs, [&] { s.put_records(kTrace0, 0, 4, 1000); });
    s.at(35 * kUs, [&] { s.put_records(kTrace0, 0, 2, 1004); });
    s.at(45 * kUs, [&] { s.put_records(kTrace0, 0, 3, 1006); });
    s.run();
    EXPECT_EQ(s.timebases(), range(1000, 9)); // (c): none of the older ones behind
    EXPECT_EQ(s.report().scanned, 5u + 3u + 4u);
}

struct Buffer {
    const char *name;
    std::vector<std::pair<uint64_t, uint64_t>> records; // tb1, tb2
    unsigned valid;
};

TEST(ImcDump, TheRuleOfValidity)
{
    const uint64_t k42 = 1ull << 42;
    const Buffer buffers[] = {
        {"(c) an older one behind", {{5, 5}, {6, 6}, {4, 4}, {7, 7}}, 2},
        {"(d) the same timebase twice", {{5, 5}, {5, 5}, {6, 6}}, 1},
        {"(e) a zero", {{0, 0}, {1, 1}}, 0},
        {"(e) a zero behind", {{1, 1}, {0, 0}, {2, 2}}, 1},
        {"gaps", {{1, 1}, {100, 100}, {0x12345678, 0x12345678}}, 3},
        {"tb2 is another", {{5, 5}, {6, 7}, {8, 8}}, 1},
        {"tb2 was not written", {{5, 0}, {6, 6}}, 0},
        {"low 42 bits of tb1 in tb2", {{k42 - 1, k42 - 1}, {k42, 0}, {k42 + 1, 1}}, 3},
        {"upper bits in tb2", {{k42 + 1, k42 + 1}}, 0},
        {"all 64 bits are compared", {{k42 + 5, 5}, {6, 6}}, 1},
        {"without a sign",
         {{(1ull << 63) - 1, k42 - 1}, {1ull << 63, 0}, {UINT64_MAX, k42 - 1}},
         3},
        {"the timebase itself wraps", {{UINT64_MAX, k42 - 1}, {1, 1}}, 1},
    };

    for (const Buffer &b : buffers) {
        SCOPED_TRACE(b.name);
        ImcSession s(kRecord1);
        for (unsigned i = 0; i < b.records.size(); i++)
            s.put_record(kTrace0, i, b.records[i].first, 0, 0, b.records[i].second);
        s.run();
        ASSERT_EQ(s.samples.size(), b.valid);
        for (unsigned i = 0; i < b.valid; i++)
            EXPECT_EQ(s.samples[i].timebase, b.records[i].first);
    }
}

// A scan knows nothing of the one before: older timebases than those are good.
TEST(ImcDump, EveryScanBeginsAtZero)
{
    ImcSession s(kRecord3);
    s.at(25 * kUs, [&] { s.put_records(kTrace0, 0, 2, 1000); });
    s.at(35 * kUs, [&] { s.put_records(kTrace0, 0, 2, 3); });
    s.run();
    EXPECT_EQ(s.timebases(), (std::vector<uint64_t>{1000, 1001, 3, 4}));
}

// (f) What the hardware writes behind the buffer (BUFFERSIZE) is not looked at, and what it
// overwrites there is not protected.
TEST(ImcDump, TheScanEndsWithTheBuffer)
{
    ImcSession s(kRecord1);
    s.put_records(kTrace0, 0, 2 * kRecords, 1000);
    EXPECT_EQ(s.get(kTrace1), 1000u + kRecords);
    const cs_imc_driver_report &r = s.run();
    EXPECT_EQ(r.samples, kRecords);
    EXPECT_EQ(s.log_of("read").back(), "read " + hex(kTrace1 - 128) + "+128");
}

// A catalog of its own in a folder that goes with the test.
struct Catalog {
    cs_test::TempFolder folder;

    explicit Catalog(const std::string &trace)
    {
        folder.write("catalog.dts",
                     "/dts-v1/;\n"
                     "/ {\n"
                     "compatible = \"ibm,opal-in-memory-counters\";\n"
                     "#address-cells = <1>;\n"
                     "#size-cells = <1>;\n"
                     "E: e { event@0 { event-name = \"cycles\"; reg = <0x0 8>; }; };\n"
                     "C: c { event@0 { event-name = \"CYC\"; reg = <0x0 8>; }; };\n"
                     "core@18 { compatible = \"ibm,imc-counters\"; events-prefix = \"CPM_\"; "
                     "reg = <0x18 8>; events = <&C>; type = <4>; size = <0x2000>; };\n" +
                         trace + "};\n");
    }

    static std::string trace(const std::string &size)
    {
        return "trace@0 { compatible = \"ibm,imc-counters\"; events-prefix = \"trace_\"; "
               "reg = <0 8>; events = <&E>; type = <2>; size = <" +
               size + ">; };\n";
    }

    ImcSession::Raw scenario(const std::string &perf) const
    {
        return {ImcSession::yaml(perf, "", "", "catalog.dts"), folder.path().string()};
    }
};

// The scan is as long as the catalog says, the buffer whole pages in a power of two.
TEST(ImcDump, TheCatalogSaysHowManyRecordsThereAre)
{
    const struct {
        const char *size;
        unsigned records;
        uint64_t bytes;
    } cases[] = {
        {"0x40", 1, 0x2000},     {"0x7f", 1, 0x2000},     {"0x100", 4, 0x2000},
        {"0x140", 5, 0x2000},    {"0x2000", 128, 0x2000}, {"0x2040", 129, 0x4000},
        {"0x3000", 192, 0x4000},
    };

    for (const auto &c : cases) {
        SCOPED_TRACE(c.size);
        const Catalog catalog(Catalog::trace(c.size));
        ImcSession s(catalog.scenario(kRecord1));
        const cs_imc_memory memory = cs_imc_memory_of(s.scenario);
        const uint64_t buffer = cs_imc_trace_buffer(&memory, 0);

        EXPECT_EQ(memory.trace_bytes, c.bytes);
        EXPECT_EQ(buffer % c.bytes, 0u);
        EXPECT_EQ(cs_imc_trace_buffer(&memory, 1), buffer + c.bytes);
        EXPECT_GE(buffer, cs_imc_thread_memory(&memory, 4));
        s.put_records(buffer, 0, 300, 1);
        const cs_imc_driver_report &r = s.run();
        EXPECT_EQ(r.samples, c.records);
        EXPECT_EQ(r.scanned, c.records);
        EXPECT_EQ(s.log_of("read").size(), (c.records + 1) / 2);
    }
}

TEST(ImcDump, WithoutATraceUnitNothingIsPreparedForIt)
{
    const Catalog catalog("");
    ImcSession s(
        catalog.scenario("{pmu: core, cpus: [0], events: [CPM_CYC], start_us: 20, stop_us: 30}"));
    const cs_imc_driver_report &r = s.run();
    EXPECT_EQ(s.log_of("TRACE"), Log{});
    EXPECT_EQ(r.opal_calls, 2u + 2u);
    EXPECT_EQ(s.opened, (Log{"0 good"}));
}

// ---- the sample ----

TEST(ImcDump, TheSampleSaysWhatIsSoAtTheDump)
{
    ImcSession s("{pmu: trace, cpus: [1, 2], events: [trace_cycles], sample_period: 12345, "
                 "start_us: 20, stop_us: 50, interval_us: 20}");
    s.at(25 * kUs, [&] {
        s.put_record(kTrace1, 0, 7, 0x10001234, 0, 7);
        s.put_record(kTrace1, 1, 8, 0xc000000000001238, 0, 8);
        s.put_record(kTrace1 + 0x40000, 0, 9, 0x20, 0, 9);
    });
    s.run();

    ASSERT_EQ(s.samples.size(), 3u);
    // CPU 1 is the first: its time is that of the read and of the work for each record
    const cs_cycle dump = 40 * kUs + kCrossCall + kOpal + 2 * kAccess;
    // who ran when the driver came, at 40 us and a little later; not at 25 us
    const unsigned pids[] = {200 + 3, 200 + 3, 300 + 4};
    for (unsigned i = 0; i < 3; i++) {
        const cs_imc_perf_sample &x = s.samples[i];
        EXPECT_EQ(x.command, 0u);
        EXPECT_EQ(x.cpu, i < 2 ? 1u : 2u);
        EXPECT_EQ(x.pid, pids[i]);
        EXPECT_EQ(x.period, 12345u);
        EXPECT_EQ(x.timebase, 7u + i);
    }
    EXPECT_EQ(s.samples[0].time, dump + kRecord);
    EXPECT_EQ(s.samples[1].time, dump + 2 * kRecord);
    EXPECT_GT(s.samples[2].time, dump + 2 * kRecord);
    EXPECT_EQ(s.samples[0].ip, 0x10001234u);
    EXPECT_EQ(s.samples[1].ip, 0xc000000000001238u);
}

struct Mode {
    uint64_t ip;
    uint64_t val;
    unsigned misc;
};

void expect_misc(const std::string &variant, const std::vector<Mode> &modes)
{
    ImcSession s(ImcSession::Raw{
        ImcSession::yaml(kRecord1, ", variant: " + variant, "", variant + "_small.dts"),
        CS_SOURCE_DIR "/configs/imc"});

    for (unsigned i = 0; i < modes.size(); i++)
        s.put_record(kTrace0, i, i + 1, modes[i].ip, modes[i].val, i + 1);
    s.run();
    ASSERT_EQ(s.samples.size(), modes.size());
    for (unsigned i = 0; i < modes.size(); i++)
        EXPECT_EQ(s.samples[i].misc, modes[i].misc) << variant << " " << i;
}

// PERF_RECORD_MISC_: 1 KERNEL, 2 USER, 4 GUEST_KERNEL, 5 GUEST_USER.
TEST(ImcDump, OfPower9TheAddressSaysTheMode)
{
    const uint64_t any = UINT64_MAX;
    expect_misc("power9", {{0, 0, 2},
                           {0x10001000, any, 2},
                           {0xbfffffffffffffff, 3ull << 62, 2},
                           {0xc000000000000000, 3ull << 62, 1},
                           {0xc000000000000000, 0, 1},
                           {UINT64_MAX, any, 1}});
}

TEST(ImcDump, OfPower10TheRecordSaysTheMode)
{
    const uint64_t kernel = 0xc000000000001000, user = 0x1000;
    expect_misc("power10", {{user, 0, 4},
                            {kernel, 0, 4},
                            {user, 1ull << 62, 5},
                            {kernel, 1ull << 62, 5},
                            {user, 2ull << 62, 1},
                            {kernel, 2ull << 62, 1},
                            {user, 3ull << 62, 2},
                            {kernel, 3ull << 62, 2},
                            {user, (1ull << 62) - 1, 4},
                            {user, UINT64_MAX, 2}});
}

// ---- several commands, and errors ----

// Both read the same buffer: what the first takes the second does not find.
TEST(ImcDump, TwoCommandsOnACpuTakeFromEachOther)
{
    ImcSession s(kRecord1 + "\n" + kRecord1);
    s.put_records(kTrace0, 0, 3, 1000);
    const cs_imc_driver_report &r = s.run();
    EXPECT_EQ(s.opened, (Log{"0 good", "1 good"}));
    ASSERT_EQ(s.samples.size(), 3u);
    for (const cs_imc_perf_sample &x : s.samples)
        EXPECT_EQ(x.command, 0u);
    EXPECT_EQ(r.dumps, 2u);
    EXPECT_EQ(r.scanned, 4u + 1u);
    EXPECT_EQ(s.log_of("LDBAR0").size(), 1u + 2u);
}

TEST(ImcDump, AReadThatFailsEndsTheScan)
{
    for (unsigned fails : {0u, 1u, 2u}) {
        SCOPED_TRACE(fails);
        ImcSession s(kRecord1);
        s.put_records(kTrace0, 0, 8, 1000);
        s.refuses = [&](const cs_bus_txn &txn) {
            return !txn.write && txn.addr == kTrace0 + 128 * fails;
        };
        const cs_imc_driver_report &r = s.run();
        EXPECT_EQ(s.timebases(), range(1000, 2 * fails));
        EXPECT_EQ(r.scanned, 2 * fails);
        EXPECT_EQ(s.get(kTrace0), 0u); // it is cleared all the same
    }
}

} // namespace

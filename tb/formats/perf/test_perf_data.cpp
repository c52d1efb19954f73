// SPDX-License-Identifier: Apache-2.0
// perf.data files, judged by perf itself: what it prints is held against what was written.
#include <algorithm>

#include "perf_data_file.hpp"

using namespace perf_data_file;
using namespace cs_test;

TEST_F(PerfData, SamplesOfSeveralEventsAreReadFieldByField)
{
    const cs_perf_data_pmu pmus[] = {{42, "trace_imc"}, {43, "other_pmu"}};
    std::vector<std::string> expected;
    char text[256];

    begin({event("cycles", CS_PERF_TYPE_HARDWARE, 0, 0), event("trace_imc/trace_cycles/", 42, 7, 1),
           event("r21", CS_PERF_TYPE_RAW, 0x21, 2)});
    cs_perf_data_where who = at(0, 4711, 4712, 900, 0);
    cs_perf_data_put_comm(writer, &who, "database", false);
    for (unsigned i = 0; i < 60; i++) {
        const char *const names[] = {"cycles", "trace_imc/trace_cycles/", "r21"};
        const uint64_t time = 5000000001 + 1000003ull * i, ip = 0x10001000 + 4 * i;
        const size_t number = i % 3;
        const cs_perf_data_sample s =
            sample(at(number, 4711, 4712, time, i % 4, kIds[number][i % 2]), ip, 1000 + 17 * i);

        ASSERT_EQ(cs_perf_data_put_sample(writer, &s), CS_OK);
        snprintf(text, sizeof text,
                 "database 4711/4712 [%03u] %" PRIu64 ".%09" PRIu64 ": %u %s: %" PRIx64, i % 4,
                 time / 1000000000, time % 1000000000, 1000 + 17 * i, names[number], ip);
        expected.push_back(text);
    }
    features.pmus = pmus;
    features.nr_pmus = 2;
    finish();

    EXPECT_EQ(
        squeezed_lines(good("script --ns -i perf.data -F comm,pid,tid,cpu,time,period,event,ip")),
        expected);
}

TEST_F(PerfData, RecordsOfTheKernelAreDumpedAsTheyWereWritten)
{
    const uint8_t build_id[20] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                  11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    cs_perf_data_mmap m = map(0x10000000, 0x4000, "/opt/db");
    const cs_perf_data_where who = at(0, 4711, 4712, 1000, 3), second = at(1, 4711, 4712, 2000, 1);

    begin({event("cycles", CS_PERF_TYPE_HARDWARE, 0, 0), event("instructions", 0, 1, 1)});
    m.offset = 0x1000;
    m.major = 8;
    m.minor = 1;
    m.inode = 99;
    m.generation = 3;
    cs_perf_data_put_comm(writer, &who, "database", true);
    cs_perf_data_put_mmap(writer, &who, &m);
    cs_perf_data_put_mmap2(writer, &who, &m);
    m.build_id = build_id;
    m.build_id_length = 20;
    cs_perf_data_put_mmap2(writer, &who, &m);
    cs_perf_data_put_fork(writer, &who, 4700, 4701, false);
    cs_perf_data_put_switch(writer, &who, 0);
    cs_perf_data_put_switch(writer, &who,
                            CS_PERF_MISC_SWITCH_OUT | CS_PERF_MISC_SWITCH_OUT_PREEMPT);
    cs_perf_data_put_switch_cpu(writer, &who, CS_PERF_MISC_SWITCH_OUT, 11, 12);
    cs_perf_data_put_throttle(writer, &second);
    cs_perf_data_put_unthrottle(writer, &second);
    cs_perf_data_put_lost(writer, &second, 5);
    cs_perf_data_put_lost_samples(writer, &second, 6);
    cs_perf_data_put_aux(writer, &second, 0x100, 0x200, CS_PERF_AUX_TRUNCATED);
    cs_perf_data_put_itrace_start(writer, &second);
    cs_perf_data_put_exit(writer, &second, 4700, 4701);
    finish();

    const PerfOutput result = perf(temp, "report -D -i perf.data");
    std::vector<std::string> found;
    for (const std::string &line : squeezed_lines(result.out))
        if (line.find(": PERF_RECORD_") != std::string::npos)
            found.push_back(line.substr(0, line.find(" 0x")) + line.substr(line.find("]: ") + 2));
    EXPECT_EQ(result.status, 0);
    // Lost records are what perf has a word for; nothing else.
    EXPECT_NE(result.err.find("lost 1 chunks"), std::string::npos);
    EXPECT_EQ(count_of(result.err, "rror"), 0u) << result.err;
    EXPECT_EQ(
        found,
        (std::vector<std::string>{
            "3 1000 PERF_RECORD_COMM exec: database:4711/4712",
            "3 1000 PERF_RECORD_MMAP 4711/4712: [0x10000000(0x4000) @ 0x1000]: x /opt/db",
            "3 1000 PERF_RECORD_MMAP2 4711/4712: [0x10000000(0x4000) @ 0x1000 08:01 99 3]: r-xp "
            "/opt/db",
            "3 1000 PERF_RECORD_MMAP2 4711/4712: [0x10000000(0x4000) @ 0x1000 "
            "<0102030405060708090a0b0c0d0e0f1011121314>]: r-xp /opt/db",
            "3 1000 PERF_RECORD_FORK(4711:4712):(4700:4701)",
            "3 1000 PERF_RECORD_SWITCH IN",
            "3 1000 PERF_RECORD_SWITCH OUT preempt",
            "3 1000 PERF_RECORD_SWITCH_CPU_WIDE OUT next pid/tid: 11/12",
            "1 2000 PERF_RECORD_THROTTLE: unhandled!",
            "1 2000 PERF_RECORD_UNTHROTTLE: unhandled!",
            "1 2000 PERF_RECORD_LOST: id:201: lost:5",
            "1 2000 PERF_RECORD_LOST_SAMPLES: id:201: lost samples :6",
            "1 2000 PERF_RECORD_AUX offset: 0x100 size: 0x200 flags: 0x1 [T]",
            "1 2000 PERF_RECORD_ITRACE_START pid: 4711 tid: 4712",
            "1 2000 PERF_RECORD_EXIT(4711:4712):(4700:4701)",
        }));
    for (const char *line : {"THROTTLE events: 1", "UNTHROTTLE events: 1", "LOST events: 1"}) {
        bool there = false;

        for (const std::string &text : squeezed_lines(result.out))
            there = there || text.find(line) == 0;
        EXPECT_TRUE(there) << line;
    }
}

// Guests' samples are in the file with their mode; the host's report leaves them out.
TEST_F(PerfData, SamplesKeepTheModeOfTheCpu)
{
    const uint16_t modes[] = {CS_PERF_MISC_KERNEL, CS_PERF_MISC_USER, CS_PERF_MISC_GUEST_KERNEL,
                              CS_PERF_MISC_GUEST_USER};

    begin({event("cycles", 0, 0, 0)});
    for (unsigned i = 0; i < 4; i++) {
        const cs_perf_data_sample s =
            sample(at(0, 1, 2, 1000 + i, 0), 0x1000 + i, 10 + i, modes[i]);

        cs_perf_data_put_sample(writer, &s);
    }
    finish();
    EXPECT_EQ(dump("SAMPLE"), (std::vector<std::string>{
                                  "PERF_RECORD_SAMPLE(IP, 0x1): 1/2: 0x1000 period: 10 addr: 0",
                                  "PERF_RECORD_SAMPLE(IP, 0x2): 1/2: 0x1001 period: 11 addr: 0",
                                  "PERF_RECORD_SAMPLE(IP, 0x4): 1/2: 0x1002 period: 12 addr: 0",
                                  "PERF_RECORD_SAMPLE(IP, 0x5): 1/2: 0x1003 period: 13 addr: 0",
                              }));
}

// Everything that a sample can have, alone and as a group.
TEST_F(PerfData, ReadValuesCallchainsAndAddressesAreReadBack)
{
    const cs_perf_data_value values[] = {{11, 101, 1}, {22, 201, 2}};
    const uint64_t chain[] = {CS_PERF_CONTEXT_USER, 0x10000100, 0x10000200};
    std::vector<cs_perf_data_event> events = {
        event("cycles", 0, 0, 0, CS_PERF_DATA_SAMPLE_TYPES),
        event("instructions", 0, 1, 1, CS_PERF_DATA_SAMPLE_TYPES)};

    events[0].attr.read_format = CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING | CS_PERF_READ_ID;
    events[1].attr.read_format =
        events[0].attr.read_format | CS_PERF_READ_GROUP | CS_PERF_READ_LOST;
    begin(events);
    for (unsigned i = 0; i < 2; i++) {
        cs_perf_data_sample s = sample(at(i, 7, 8, 1000 + i, 2), 0x10000100, 1000 + i);

        s.addr = 0xabc0 + i;
        s.values = values;
        s.nr_values = 1 + i;
        s.enabled_ns = 500;
        s.running_ns = 400;
        s.callchain = chain;
        s.nr_callchain = 3;
        s.raw = "hello";
        s.raw_bytes = 5;
        cs_perf_data_put_sample(writer, &s);
    }
    finish();

    const std::vector<std::string> lines = squeezed_lines(good("report -D -i perf.data"));
    std::vector<std::string> found;
    for (const std::string &line : lines)
        if (line.find("PERF_RECORD_SAMPLE") != std::string::npos)
            found.push_back(line.substr(line.find("PERF_RECORD_")));
        else if (line.find("...") == 0 && line.find("raw event") == std::string::npos &&
                 line.find("thread") == std::string::npos && line.find("dso") == std::string::npos)
            found.push_back(line);
    const std::vector<std::string> common = {"... FP chain: nr:3",
                                             "..... 0: fffffffffffffe00",
                                             "..... 1: 0000000010000100",
                                             "..... 2: 0000000010000200",
                                             "... sample_read:",
                                             "...... time enabled 00000000000001f4",
                                             "...... time running 0000000000000190"};
    std::vector<std::string> expected = {
        "PERF_RECORD_SAMPLE(IP, 0x2): 7/8: 0x10000100 period: 1000 addr: 0xabc0"};
    expected.insert(expected.end(), common.begin(), common.end());
    expected.push_back("..... id 0000000000000065, value 000000000000000b");
    expected.push_back("PERF_RECORD_SAMPLE(IP, 0x2): 7/8: 0x10000100 period: 1001 addr: 0xabc1");
    expected.insert(expected.end(), common.begin(), common.end());
    expected.insert(expected.end(),
                    {".... group nr 2", "..... id 0000000000000065, value 000000000000000b, lost 1",
                     "..... id 00000000000000c9, value 0000000000000016, lost 2"});
    EXPECT_EQ(found, expected);
}

// Raw bytes of all lengths around a word, as a script of perf's gets them.
TEST_F(PerfData, RawBytesReachAScript)
{
    std::string expected;

    begin({event("trace_imc/trace_cycles/", 42, 0, 0, kPlain | CS_PERF_SAMPLE_RAW)});
    for (unsigned length = 0; length <= 20; length++) {
        std::string raw;
        char text[8];
        cs_perf_data_sample s = sample(at(0, 1, 1, 1000 + length, 0), 0x1000, 1);

        for (unsigned i = 0; i < length; i++)
            raw.push_back(static_cast<char>(0xa0 + i));
        s.raw = raw.data();
        s.raw_bytes = raw.size();
        cs_perf_data_put_sample(writer, &s);
        raw.resize((4 + raw.size() + 7) / 8 * 8 - 4);
        for (const char c : raw) {
            snprintf(text, sizeof text, "%02x", static_cast<unsigned char>(c));
            expected += text;
        }
        expected += "\n";
    }
    finish();
    temp.write("raw.py", "def process_event(e):\n    print(bytes(e['raw_buf']).hex())\n");
    EXPECT_EQ(good("script -i perf.data -s raw.py"), expected);
}

TEST_F(PerfData, EvlistTellsEveryAttribute)
{
    cs_perf_data_event e = event("trace_imc/trace_cycles/", 42, 0x7, 0);

    e.attr.config1 = 0x11;
    e.attr.config2 = 0x12;
    e.attr.sample_period = 12345;
    e.attr.flags |= CS_PERF_ATTR_EXCLUDE_HV | CS_PERF_ATTR_CONTEXT_SWITCH | CS_PERF_ATTR_DISABLED;
    begin({e});
    const cs_perf_data_sample s = sample(at(0, 0, 0, 0, 0), 0x1234, 5); // perf warns of no data
    cs_perf_data_put_sample(writer, &s);
    finish();
    EXPECT_EQ(squeezed(good("evlist -v -i perf.data")),
              "trace_imc/trace_cycles/: type: 42, size: 128, config: 0x7, { sample_period, "
              "sample_freq }: "
              "12345, sample_type: IP|TID|TIME|CPU|PERIOD|IDENTIFIER, disabled: 1, exclude_hv: 1, "
              "mmap: 1, "
              "comm: 1, task: 1, sample_id_all: 1, mmap2: 1, context_switch: 1, { bp_addr, config1 "
              "}: 0x11, "
              "{ bp_len, config2 }: 0x12");
}

TEST_F(PerfData, HeaderTellsEveryFeature)
{
    const char *const cmdline[] = {"perf", "record", "-e",
                                   "a rather long argument, so that it needs more "
                                   "than the sixty-four bytes of one unit"};
    const cs_perf_data_pmu pmus[] = {{4, "cpu"}, {42, "trace_imc"}};
    const uint8_t id[20] = {0xde, 0xad, 0xbe, 0xef};
    const cs_perf_data_build_id ids[] = {{CS_PERF_MISC_USER, -1, id, 20, "/opt/db"},
                                         {CS_PERF_MISC_USER, -1, id, 16, "/opt/short"}};

    begin({event("cycles", 0, 0, 0)});
    const cs_perf_data_sample first = sample(at(0, 1, 1, 2000000000, 0), 1, 1),
                              last = sample(at(0, 1, 1, 3500000000, 0), 1, 1);
    cs_perf_data_put_sample(writer, &last);
    cs_perf_data_put_sample(writer, &first);
    features.hostname = "power";
    features.osrelease = "6.1.0";
    features.version = "1.2.3";
    features.arch = "ppc64le";
    features.cpudesc = "POWER9 (raw)";
    features.cpuid = "0x4e1202";
    features.nr_cpus = 8;
    features.total_mem_kb = 1048576;
    features.cmdline = cmdline;
    features.nr_cmdline = 4;
    features.pmus = pmus;
    features.nr_pmus = 2;
    features.build_ids = ids;
    features.nr_build_ids = 2;
    finish();

    const std::vector<std::string> lines =
        squeezed_lines(good("report --header-only -i perf.data"));
    for (const std::string expected : {
             "# hostname : power",
             "# os release : 6.1.0",
             "# perf version : 1.2.3",
             "# arch : ppc64le",
             "# nrcpus online : 8",
             "# nrcpus avail : 8",
             "# cpudesc : POWER9 (raw)",
             "# cpuid : 0x4e1202",
             "# total memory : 1048576 kB",
             "# cmdline : perf record -e a rather long argument, so that it needs more than the "
             "sixty-four "
             "bytes of one unit",
             "# pmu mappings: cpu = 4, trace_imc = 42",
             "# time of first sample : 2.000000",
             "# time of last sample : 3.500000",
         })
        EXPECT_NE(std::find(lines.begin(), lines.end(), expected), lines.end()) << expected;
    EXPECT_EQ(squeezed_lines(good("buildid-list -i perf.data")),
              (std::vector<std::string>{"deadbeef00000000000000000000000000000000 /opt/db",
                                        "deadbeef000000000000000000000000 /opt/short"}));
}

// Without features there is the description of the events only; one event needs no id.
TEST_F(PerfData, TheLeastFileIsRead)
{
    cs_perf_data_event e = event("cycles", 0, 0, 0, CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_PERIOD, 0);

    e.nr_ids = 0;
    begin({e});
    const cs_perf_data_sample s = sample(at(0, 0, 0, 0, 0), 0x1234, 5);
    cs_perf_data_put_sample(writer, &s);
    finish();
    EXPECT_EQ(squeezed(good("script -i perf.data -F event,ip,period")), "5 cycles: 1234");
}

// Two intervals, counts and times from the beginning on as the kernel hands them out; a unit and a scale; an
// event of fewer CPUs than the map has.
TEST_F(PerfData, CountsAreReportedAsPerfStatDoes)
{
    const cs_perf_data_thread any = {UINT64_MAX, ""};
    const uint16_t cpus[] = {0, 4}, only[] = {4};
    std::vector<cs_perf_data_event> events = {
        event("core_imc/CPM_CS_INST/", 42, 0x8, 0, CS_PERF_SAMPLE_IDENTIFIER, 0),
        event("nest/bytes/", 43, 0x18, 1, CS_PERF_SAMPLE_IDENTIFIER, 0),
        event("one_cpu", 4, 0x1, 2, CS_PERF_SAMPLE_IDENTIFIER, 0)};
    const struct {
        size_t event;
        unsigned id;
        uint32_t cpu;
    } counters[] = {{0, 0, 0}, {0, 1, 4}, {1, 0, 0}, {1, 1, 4}, {2, 0, 4}};

    for (cs_perf_data_event &e : events) {
        e.attr.sample_period = 0;
        e.attr.read_format = CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING;
    }
    events[2].nr_ids = 1;
    begin(events);
    cs_perf_data_put_unit(writer, 1, "MiB");
    cs_perf_data_put_scale(writer, 1, 0.5);
    cs_perf_data_put_event_cpus(writer, 2, only, 1);
    cs_perf_data_put_thread_map(writer, &any, 1);
    cs_perf_data_put_cpu_map(writer, cpus, 2);
    cs_perf_data_put_stat_config(writer, CS_PERF_AGGR_NONE, 100, true);
    for (unsigned round = 1; round <= 2; round++) {
        for (unsigned i = 0; i < 5; i++) {
            const cs_perf_data_count c = {counters[i].event,
                                          kIds[counters[i].event][counters[i].id],
                                          counters[i].cpu,
                                          0,
                                          round * 1000 * (i + 1) + (round - 1) * 10 * i,
                                          1000 * round,
                                          1000 * round};

            ASSERT_EQ(cs_perf_data_put_stat(writer, &c), CS_OK);
        }
        cs_perf_data_put_stat_round(writer, CS_PERF_STAT_ROUND_INTERVAL, 100000000 * round);
    }
    const cs_perf_data_place places[8] = {{0, 0}, {1, 0}, {2, 0}, {3, 0},
                                          {0, 1}, {1, 1}, {2, 1}, {3, 1}};
    features.nr_cpus = 8;
    features.places = places;
    features.stat = true;
    finish();

    const bool whole = perf_adds_scaled(temp);
    const PerfOutput report = perf(temp, "stat report -i perf.data");
    std::vector<std::string> lines;
    for (const std::string &line : squeezed_lines(report.out + report.err))
        // perf 6.12 names an event for CPUs, too, that it does not count on
        if (line[0] == '0' && line.find("<not counted>") == std::string::npos) {
            const size_t cpu = line.find(" CPU"); // perf names only CPUs that this machine has, too

            lines.push_back(cpu == std::string::npos
                                ? line
                                : line.substr(0, cpu) + line.substr(line.find(' ', cpu + 1)));
        }
    EXPECT_EQ(report.status, 0);
    EXPECT_EQ(
        lines,
        (std::vector<std::string>{
            "0.100000000 1000 core_imc/CPM_CS_INST/",
            "0.100000000 2000 core_imc/CPM_CS_INST/",
            "0.100000000 1500.00 MiB nest/bytes/",
            "0.100000000 2000.00 MiB nest/bytes/",
            "0.100000000 5000 one_cpu",
            whole ? "0.200000000 2000 core_imc/CPM_CS_INST/"
                  : "0.200000000 1000 core_imc/CPM_CS_INST/",
            whole ? "0.200000000 4010 core_imc/CPM_CS_INST/"
                  : "0.200000000 2010 core_imc/CPM_CS_INST/",
            whole ? "0.200000000 3010.00 MiB nest/bytes/" : "0.200000000 1510.00 MiB nest/bytes/",
            whole ? "0.200000000 4015.00 MiB nest/bytes/" : "0.200000000 2015.00 MiB nest/bytes/",
            whole ? "0.200000000 10040 one_cpu" : "0.200000000 5040 one_cpu",
        }))
        << report.out << report.err;
    std::vector<std::string> stats;
    for (const std::string &line : squeezed_lines(perf(temp, "report -D -i perf.data").out))
        if (line.find("... id ") == 0 || line.find("... value ") == 0)
            stats.push_back(line);
    ASSERT_EQ(stats.size(), 20u);
    EXPECT_EQ(stats[2], "... id 102, cpu 4, thread 0");
    EXPECT_EQ(stats[3], "... value 2000, enabled 1000, running 1000");
    EXPECT_EQ(stats[18], "... id 301, cpu 4, thread 0");
    EXPECT_EQ(stats[19], "... value 10040, enabled 2000, running 2000");
}

// AUX data without a word about what they are: perf passes over them when told to, and reads the rest.
TEST_F(PerfData, AuxDataOfAnyLengthAreSteppedOver)
{
    uint64_t offset = 0;
    std::vector<std::string> expected;
    char text[128];

    begin({event("hisi_pmcu/x/", 44, 0, 0),
           event("dummy", CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY, 1)});
    for (const size_t length :
         {64u, 100u, 4096u, 600000u, 1u << 20}) { // smaller and larger than a buffer
        const std::vector<uint8_t> payload(length, 0x5a);
        const cs_perf_data_auxtrace a = {offset, 7, 1, 22, 3};
        const cs_perf_data_where who = at(0, 0, 0, 1000 + offset, 3);
        const cs_perf_data_sample s = sample(at(1, 1, 1, 1000 + offset, 3), 0x4000, length);

        cs_perf_data_put_aux(writer, &who, offset, length, 0);
        cs_perf_data_put_auxtrace(writer, &a, payload.data(), payload.size());
        cs_perf_data_put_sample(writer, &s);
        snprintf(text, sizeof text,
                 "PERF_RECORD_AUXTRACE size: 0x%zx offset: %#" PRIx64
                 " ref: 0x7 idx: 1 tid: 22 cpu: 3",
                 (length + 7) / 8 * 8, offset);
        expected.push_back(text);
        offset += (length + 7) / 8 * 8;
    }
    finish();

    std::vector<std::string> found;
    for (const std::string &line : squeezed_lines(good("report -D --no-itrace -i perf.data")))
        if (line.find("PERF_RECORD_AUXTRACE") != std::string::npos)
            found.push_back(line.substr(line.find("PERF_RECORD_")));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(squeezed_lines(good("script --no-itrace -i perf.data -F event,period")),
              (std::vector<std::string>{
                  "64 dummy:", "100 dummy:", "4096 dummy:", "600000 dummy:", "1048576 dummy:"}));
}

TEST_F(PerfData, AuxInfoIsReadWhereItsTypeIsKnown)
{
    const uint64_t priv[] = {44};

    begin({event("hisi_pmcu/x/", 44, 0, 0)});
    cs_perf_data_put_auxtrace_info(writer, 99, priv, 1);
    finish();
    EXPECT_NE(perf(temp, "script -i perf.data").err.find("failed to process type: 70"),
              std::string::npos);
}

// Far more than the buffer holds, with rounds: perf counts and adds up what was written.
TEST_F(PerfData, ManySamplesAreAllThere)
{
    constexpr unsigned kSamples = 100000;
    std::mt19937_64 random(7);
    uint64_t periods[2] = {0, 0}, samples[2] = {0, 0};

    begin({event("cycles", 0, 0, 0), event("instructions", 0, 1, 1)});
    for (unsigned i = 0; i < kSamples; i++) {
        const size_t number = random() % 2;
        const uint64_t period = 1 + random() % 100000;
        const cs_perf_data_sample s =
            sample(at(number, 10, 10, 1000 + i, 0), 0x1000 + random() % 4096, period);

        ASSERT_EQ(cs_perf_data_put_sample(writer, &s), CS_OK);
        if (i % 10000 == 0)
            cs_perf_data_put_finished_round(writer);
        periods[number] += period;
        samples[number]++;
    }
    EXPECT_EQ(cs_perf_data_get_totals(writer).samples, kSamples);
    finish();
    const std::string script = good("script -i perf.data -F event,period");
    uint64_t found[2] = {0, 0};
    for (const std::string &line : lines_of(script))
        found[line.find("instructions") != std::string::npos] += std::stoull(line);
    EXPECT_EQ(count_of(script, "cycles:"), samples[0]);
    EXPECT_EQ(count_of(script, "instructions:"), samples[1]);
    EXPECT_EQ(found[0], periods[0]);
    EXPECT_EQ(found[1], periods[1]);
}
